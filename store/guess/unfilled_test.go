package guess_test

import (
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// A column in which all that stands is missing takes no answers from the question that its name goes on with.
func TestUnfilledTakesNoAnswers(t *testing.T) {
	labels := []guess.Label{{Value: "1", Text: "Never"}, {Value: "2", Text: "Often"}, {Value: "3", Text: "Always"},
		{Value: "9", Text: "Does not apply"}}
	for _, everywhere := range []bool{false, true} {
		f := repeated(40, "serial|q7_1|q7_2|q7_3", count(1), among("1", "2", "9", "3"), among("2", "3", "1", "9"),
			among("9")).file()
		f.Columns[0].Serial = true
		for i := 1; i < 4; i++ {
			if f.Columns[i].Labels = labels; i == 3 || everywhere {
				f.Columns[i].Missing = func(v string) bool { return v == "9" }
			}
		}
		m := guessed(t, f, guess.Options{})
		if as := readings(m)["q7_3"]; as == "grid q7" != everywhere {
			t.Errorf("9 is missing everywhere %v: q7_3 is read as %q", everywhere, as)
		}
		if missing := m.Codebook.Questions[0].Missing; len(missing) > 0 != everywhere {
			t.Errorf("9 is missing everywhere %v: missing in q7 are %q", everywhere, missing)
		}
	}
}
