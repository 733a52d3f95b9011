package guess_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Who has 9 in each of the columns of a multiple choice did not answer it, and is not of its base. Where one column has
// 9 less often than the others, 9 is an answer like others.
func TestNoAnswerInAllOptions(t *testing.T) {
	f := repeated(40, "id|q7#1|q7#2|q7#3", count(1), among("9", "0", "1", "0"), among("9", "1", "1", "0"),
		among("9", "0", "0", "1")).file()
	n, m := positives(t, f, guess.Options{})
	if n["core.q7# q7#1"] != 10 || n["core.q7# q7#2"] != 20 || n["core.q7# q7#3"] != 10 {
		t.Errorf("positive are %v", n)
	}
	if missing := slices.Concat(m.Codebook.Missing, m.Codebook.Questions[len(m.Codebook.Questions)-1].Missing); !slices.
		Contains(missing, "9") {
		t.Errorf("missing are %q", missing)
	}
	if got := readings(m)["q7#2"]; got != "multi q7#" {
		t.Errorf("the second column is read as %s", got)
	}
	f = repeated(40, "id|q7#1|q7#2|q7#3", count(1), among("9", "0", "1", "0"), among("9", "1", "1", "0"),
		among("0", "0", "0", "1")).file()
	if got := readings(guessed(t, f, guess.Options{}))["q7#2"]; strings.HasPrefix(got, "multi") {
		t.Errorf("a column of 0, 1 and 9 beside one that has no 9 is read as %s", got)
	}
}
