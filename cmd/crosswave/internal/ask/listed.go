package ask

import (
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// Listed is a question, or the waves or the locations, with what a text lists of it: all of it by their codes.
type Listed struct {
	Question   string
	Datapoints []string // none: none are listed
	Suffixes   []int
}

// Question reads a text that names a question as it is, QUESTION[:DATAPOINT,...][/SUFFIX,...], where the datapoints are
// not audiences. What it does not name rightly is an *Error.
func Question(f *audience.Frame, text string) (Listed, error) {
	refused := func(reason string) (Listed, error) { return Listed{}, &Error{text, reason} }
	if trimmed := strings.TrimSpace(text); strings.HasPrefix(trimmed, "{") && !isQuestion(f)(trimmed) {
		return refused("a question is needed here, not an expression")
	}
	t, err := parse(f, text)
	if err != nil {
		return refused(err.Error())
	}
	if t.name != "" {
		return refused("a question is needed here, without a name of its own before it")
	}
	out := Listed{Question: t.subject.pseudo}
	if i := t.subject.question; i >= 0 {
		q := &f.Questions[i]
		out.Question = q.Key()
		if bare, err := f.Question(q.Code); err == nil && bare == i {
			out.Question = q.Code
		}
		for _, s := range t.suffixes {
			out.Suffixes = append(out.Suffixes, q.Suffixes[s].Code)
		}
	}
	for _, d := range t.datapoints {
		out.Datapoints = append(out.Datapoints, t.subject.datapoints.codes[d])
	}
	return out, nil
}
