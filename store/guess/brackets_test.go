package guess_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/store/guess"
)

// Labels that say the same but for what stands in brackets behind are one answer, whose name is without it: which
// answer to a quiz is right, and why somebody was not asked, differ from row to row. What is nothing but brackets is
// an answer by itself.
func TestLabelsButForBrackets(t *testing.T) {
	for _, c := range []struct {
		name      string
		one, next [3]string
		want      []string
	}{
		{"a quiz", [3]string{"True (CORRECT)", "False.", "DK"}, [3]string{"True.", "False (CORRECT)", "DK"},
			[]string{"True", "False.", "DK"}},
		{"not asked", [3]string{"Agree", "Disagree", "Inap. (men)"}, [3]string{"Agree", "Disagree", "Inap. (in towns)"},
			[]string{"Agree", "Disagree", "Inap."}},
		{"not asked, for two reasons", [3]string{"Agree", "Inap. (women)", "Inap. (men)"},
			[3]string{"Agree", "Inap. (old)", "Inap. (men)"}, []string{"Agree", "Inap.", "Inap. (men)"}},
		{"the same", [3]string{"Agree", "Disagree", "Inap. (men)"}, [3]string{"Agree", "Disagree", "Inap. (men)"},
			[]string{"Agree", "Disagree", "Inap. (men)"}},
		{"nothing but brackets", [3]string{"(good)", "(bad)", "DK"}, [3]string{"(old)", "(young)", "DK"}, nil},
		{"two that differ in brackets alone", [3]string{"Yes (always)", "Yes (at times)", "No"},
			[3]string{"Yes (in writing)", "Yes (orally)", "No"}, nil},
		{"other words", [3]string{"Rome (it)", "Oslo", "Bonn"}, [3]string{"Paris (fr)", "Oslo", "Bonn"}, nil},
	} {
		f := repeated(120, "id|q7_1|q7_2|q7_3", count(1), among("1", "2", "3"), among("2", "1", "3", "1"),
			among("1", "1", "2", "3", "2")).file()
		for i, labels := range [][3]string{c.one, c.next, c.one} {
			for k, text := range labels {
				f.Columns[i+1].Labels = append(f.Columns[i+1].Labels, guess.Label{Value: string(rune('1' + k)), Text: text})
			}
		}
		m := guessed(t, f, guess.Options{})
		var got []string
		for _, q := range m.Codebook.Survey.Questions {
			if len(q.Datapoints) == 3 {
				for _, s := range q.Suffixes {
					got = append(got, s.Name)
				}
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s\n%v", c.name, d, readings(m))
		}
	}
}
