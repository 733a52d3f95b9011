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

// Codes of what was chosen, moved to the left, are picks, too, where letters tell the columns from each other, whatever
// their order in the file: as many as there are options, the last with the one answer of who chose all. What was
// written beside "other" is none of them.
func TestPicksByLetters(t *testing.T) {
	const options = 8
	pick := func(k int) func(int) string {
		return func(n int) string {
			before := 0
			for option := 1; option <= options; option++ {
				switch chosen := n == 7 || uint32(n*options+option)*2654435761>>16%3 == 0; {
				case chosen && before == k:
					return strconv.Itoa(option)
				case chosen:
					before++
				}
			}
			return ""
		}
	}
	written := func(n int) string {
		if n%20 == 0 {
			return "what " + strconv.Itoa(n) + " wrote"
		}
		return ""
	}
	table := repeated(400, "id|q7A|q7B|q7C|q7D|q7F|q7G|q7E|q7H|q7I", count(1), pick(0), pick(1), pick(2), pick(3),
		pick(4), pick(5), written, pick(6), pick(7))
	m := guessed(t, table.file(), guess.Options{})
	for name, want := range map[string]bool{"q7A": true, "q7D": true, "q7I": true, "q7E": false} {
		if got := readings(m)[name]; (got == "multi q7") != want {
			t.Errorf("%s is read as %s", name, got)
		}
	}
	whole(t, table, m)
}
