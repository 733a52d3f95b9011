package stats

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
)

// Frame is the frame of the version of the store that was counted.
func (r *ProfileResult) Frame() *audience.Frame { return r.plan.frame }

// Named is an attribute in the survey's words; codes where there are none. The suffix is "" where it has none.
func (a *AttributeKey) Named(f *audience.Frame) (question, datapoint, suffix string) {
	i := f.QuestionIn(a.Namespace, a.Question)
	q := &f.Questions[i]
	d := &q.Datapoints[f.Datapoint(i, a.Datapoint)]
	question, datapoint = cmp.Or(q.Name, q.Code), cmp.Or(d.Name, d.Code)
	if a.Grid {
		s := &q.Suffixes[q.Suffix(a.Suffix)]
		suffix = cmp.Or(s.Name, strconv.Itoa(s.Code))
	}
	return question, datapoint, suffix
}

// ProfileHeader names the fields of an attribute of a profile, as a line of a CSV file has them.
func ProfileHeader() []string {
	return []string{"namespace", "question", "question_name", "datapoint", "datapoint_name", "suffix",
		"suffix_name", "waves", "index", "index_low", "index_high", "audience_percentage", "audience_percentage_low",
		"audience_percentage_high", "rest_percentage", "datapoint_percentage", "datapoint_percentage_low",
		"datapoint_percentage_high", "difference", "positive_size", "positive_sample", "audience_size",
		"audience_sample", "datapoint_size", "datapoint_sample", "audience_effective_sample", "rest_effective_sample",
		"p", "adjusted_p", "stands"}
}

// Fields are those of ProfileHeader for an attribute of the frame: sizes in people, percentages 0–100, figures in the
// shortest form that reads back as them, what tells how sure they are to twelve digits. What could not be had is empty.
func (e *ProfileEntry) Fields(f *audience.Frame) []string {
	question, datapoint, suffix := e.Named(f)
	code, m, s := "", &e.Metrics, &e.Statistics
	if e.Grid {
		code = strconv.Itoa(e.Suffix)
	}
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	number := func(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
	fields := []string{e.Namespace, e.Question, question, e.Datapoint, datapoint, code, suffix,
		strings.Join(e.Waves, ";"), number(m.AudienceIndex)}
	fields = append(append(fields, s.AudienceIndex.Fields()[1:]...), number(m.AudiencePercentage))
	fields = append(fields, s.AudiencePercentage.Fields()[1:]...)
	fields = append(fields, number(e.RestPercentage), number(m.DatapointPercentage))
	fields = append(fields, s.DatapointPercentage.Fields()[1:]...)
	fields = append(fields, estimate.Text(e.Difference), number(m.Positive.Size), whole(m.Positive.Sample),
		number(m.Audience.Size), whole(m.Audience.Sample), number(m.Datapoint.Size), whole(m.Datapoint.Sample),
		estimate.Text(s.AudienceEffectiveSample), estimate.Text(e.RestEffectiveSample))
	if !e.Tested {
		return append(fields, "", "", "")
	}
	return append(fields, estimate.Text(e.P), estimate.Text(e.AdjustedP), strconv.FormatBool(e.Stands))
}
