package survey

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Withdraw takes waves, by their codes, out of a store: their respondents and the waves themselves.
func Withdraw(ctx context.Context, st Store, waves []string) (*Report, error) {
	base, err := st.Release(ctx)
	if err != nil {
		return nil, err
	}
	if err := needWaves(base, waves, "withdraw"); err != nil {
		return nil, err
	}
	im := &importer{base: base, drop: waves, report: newReport()}
	im.report.Withdrawn = withdrawn(base, waves)
	im.survey = withoutWaves(base.Frame.Survey, waves)
	im.keep()
	w, err := st.Begin(ctx, base, im.survey)
	if err != nil {
		return nil, err
	}
	if err := im.commit(ctx, st, w); err != nil {
		return nil, abort(w, err)
	}
	return im.report, nil
}

// needWaves checks that waves have respondents in a store.
func needWaves(base *Release, waves []string, what string) error {
	if len(waves) == 0 {
		return fmt.Errorf("no wave is named to %s", what)
	}
	for _, code := range waves {
		if !slices.ContainsFunc(base.Facts, func(f Facts) bool { return f.Wave == code }) {
			return fmt.Errorf("there is no wave %q to %s; the store has %s", code, what, describeWaves(base))
		}
	}
	return nil
}

// describeWaves lists the waves that have respondents.
func describeWaves(base *Release) string {
	var list []string
	for _, f := range base.Facts {
		if !slices.Contains(list, f.Wave) {
			list = append(list, f.Wave)
		}
	}
	switch len(list) {
	case 0:
		return "no respondents"
	case 1:
		return "wave " + list[0]
	}
	return "waves " + strings.Join(list, ", ")
}

// withdrawn counts the respondents that go with waves.
func withdrawn(base *Release, waves []string) []WaveReport {
	list := []WaveReport{}
	for _, code := range waves {
		count := WaveReport{Wave: code}
		for _, f := range base.Facts {
			if f.Wave == code {
				count.Respondents += f.Respondents
			}
		}
		list = append(list, count)
	}
	return list
}

// withoutWaves is a survey without some of its waves, in the order of its frame.
func withoutWaves(s *audience.Survey, waves []string) *audience.Survey {
	s = s.Clone()
	s.Waves = slices.DeleteFunc(s.Waves, func(w audience.Wave) bool { return slices.Contains(waves, w.Code) })
	audience.SortWaves(s.Waves)
	without := func(a audience.Asked) audience.Asked {
		return slices.DeleteFunc(slices.Clone(a), func(f audience.Fieldwork) bool { return slices.Contains(waves, f.Wave) })
	}
	for i := range s.Questions {
		q := &s.Questions[i]
		q.Asked = without(q.Asked)
		for j := range q.Datapoints {
			q.Datapoints[j].Asked = without(q.Datapoints[j].Asked)
		}
	}
	return s
}
