package guess_test

import (
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// What was picked from a list, in columns with noughts behind the last pick, is one multiple choice, of which 0 is no
// answer; so are those of whom one alone got as far as the last column. Counts in numbered columns are not.
func TestPicksBeforeNoughts(t *testing.T) {
	random := func(n, k int) int { return (n*7919 + k*104729 + n*k*31) >> 3 % 13 }
	picks := func(k int) func(int) string {
		return func(n int) string {
			if k > random(n, 9)%4 && (k < 4 || n != 7) {
				return "0"
			}
			if k == 4 {
				return "13" // which nobody picked first
			}
			return strconv.Itoa(1 + (random(n, 0)+3*k)%(12+min(k, 1)))
		}
	}
	counts := func(k int) func(int) string {
		return func(n int) string { return strconv.Itoa(random(n, k)) }
	}
	for _, c := range []struct {
		name string
		of   func(int) func(int) string
		want bool // one multiple choice
	}{
		{"picks", picks, true},
		{"counts", counts, false},
	} {
		table := repeated(400, "id|p_1|p_2|p_3|p_4|p_5", count(1), c.of(0), c.of(1), c.of(2), c.of(3), c.of(4))
		m := guessed(t, table.file(), guess.Options{})
		for _, name := range []string{"p_1", "p_3", "p_5"} {
			if got := readings(m)[name]; (got == "multi p") != c.want {
				t.Errorf("%s: %s is read as %s", c.name, name, got)
			}
		}
		for _, d := range m.Codebook.Survey.Questions[0].Datapoints {
			if c.want && d.Name == "0" {
				t.Errorf("%s: 0 is an answer", c.name)
			}
		}
		whole(t, table, m)
	}
}
