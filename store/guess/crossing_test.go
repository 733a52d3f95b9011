package guess_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// Columns of 0 and 1 whose names have nothing in common: of each ten respondents, as many as the ones say say yes.
func TestOneOfThem(t *testing.T) {
	each := func(list ...string) func(int) string { return among(list...) }
	young := each("1", "1", "1", "1", "0", "0", "0", "0", "0", "0")
	middle := each("0", "0", "0", "0", "1", "1", "1", "0", "0", "0")
	old := each("0", "0", "0", "0", "0", "0", "0", "1", "1", "1")
	few := each("0", "0", "0", "0", "0", "0", "0", "1", "0", "0")
	walks := each("1", "0", "1", "0", "1", "0", "1", "0", "1", "0")
	gaps := func(column func(int) string, parity int) func(int) string {
		return func(i int) string {
			if i/10%2 == parity {
				return ""
			}
			return column(i)
		}
	}
	for _, c := range []struct {
		name    string
		n       int
		columns []func(int) string
		want    string // of a, b and c
	}{
		{"the answers of one question", 200, []func(int) string{young, middle, old}, "multi a,multi a,multi a"},
		{"in a file of which a part is looked at", 5000, []func(int) string{young, middle, old}, "multi a,multi a,multi a"},
		{"two of a yes and its no", 200, []func(int) string{walks, each("0", "1"), young}, "single a,single b,single c"},
		{"many gave none", 200, []func(int) string{young, few, each("0")}, "single a,single b,single c"},
		{"many gave two", 200, []func(int) string{young, walks, old}, "single a,single b,single c"},
		{"nobody was asked all", 200, []func(int) string{gaps(young, 0), gaps(middle, 1), gaps(old, 0)},
			"single a,single b,single c"},
		{"too few respondents", 20, []func(int) string{young, middle, old}, "single a,single b,single c"},
	} {
		m := guessed(t, repeated(c.n, "id|a|b|c", append([]func(int) string{count(1)}, c.columns...)...).file(),
			guess.Options{})
		got := readings(m)
		if text := fmt.Sprintf("%s,%s,%s", got["a"], got["b"], got["c"]); text != c.want {
			t.Errorf("%s: read as %q, not %q", c.name, text, c.want)
		}
	}
}

// Labels that say what yes is, and questions of their own, are left alone: somebody wrote down what they are.
func TestOneOfThemLabelled(t *testing.T) {
	f := repeated(100, "id|a|b", count(1), among("1", "0"), among("0", "1")).file()
	f.Columns[1].Label, f.Columns[2].Label = "Did you walk today?", "Did it rain?"
	got := readings(guessed(t, f, guess.Options{}))
	want := map[string]string{"id": "respondent", "a": "single a", "b": "single b"}
	if !maps.Equal(got, want) {
		t.Errorf("read as %v", got)
	}
}

// Columns of 0 and 1 that nothing holds together but that they stand in a row and the same respondents were asked.
func TestZerosAndOnes(t *testing.T) {
	every := func(n int) func(int) string {
		return func(i int) string { return fmt.Sprint(btoi(i%n == 0)) }
	}
	never := func(int) string { return "0" }
	some := func(column func(int) string) func(int) string {
		return func(i int) string {
			if i%10 < 3 {
				return ""
			}
			return column(i)
		}
	}
	five := []func(int) string{every(2), every(3), every(5), every(7), every(4)}
	for _, c := range []struct {
		name, columns string
		of            []func(int) string
		want          string
	}{
		{"five", "tea|milk|ale|rum|gin", five, "multi tea,multi tea,multi tea,multi tea,multi tea"},
		{"four", "tea|milk|ale|rum", five[:4], "single tea,single milk,single ale,single rum"},
		{"one that nobody chose, and one behind the last", "tea|milk|ale|soup|rum|gin|beer",
			[]func(int) string{every(2), every(3), every(5), never, every(7), every(4), never},
			"multi tea,multi tea,multi tea,multi tea,multi tea,multi tea,multi tea"},
		{"more than half of what is chosen behind the last", "tea|milk|ale|rum|gin|late|rude|lost",
			[]func(int) string{every(2), every(3), every(5), every(7), every(4), never, never, never},
			"multi tea,multi tea,multi tea,multi tea,multi tea,single late,single rude,single lost"},
		{"a question", "tea|milk|Does it rain?|rum|gin|ale",
			[]func(int) string{every(2), every(3), every(5), every(7), every(4), every(6)},
			"single tea,single milk,single does_it_rain,single rum,single gin,single ale"},
		{"others were asked", "tea|milk|ale|rum|gin", []func(int) string{every(2), every(3), every(5), some(every(7)),
			some(every(4))}, "single tea,single milk,single ale,single rum,single gin"},
	} {
		got := readings(guessed(t, repeated(200, "id|"+c.columns, append([]func(int) string{count(1)}, c.of...)...).file(),
			guess.Options{}))
		var list []string
		for name := range strings.SplitSeq(c.columns, "|") {
			list = append(list, got[name])
		}
		if text := strings.Join(list, ","); text != c.want {
			t.Errorf("%s: read as %q, not %q", c.name, text, c.want)
		}
	}
}
