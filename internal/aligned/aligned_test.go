package aligned_test

import (
	"testing"

	"github.com/crosswave/crosswave/internal/aligned"
)

func TestTable(t *testing.T) {
	rows := [][]string{{"wave", "n", "said"}, {"2024 Ω", "10", ""}, {"w", "1,000", "x"}}
	for _, c := range []struct {
		indent string
		left   int
		want   string
	}{
		{"", 3, "wave    n      said\n2024 Ω  10\nw       1,000  x\n"},
		{"  ", 1, "  wave        n  said\n  2024 Ω     10\n  w       1,000     x\n"},
	} {
		if got := aligned.Table(rows, c.indent, c.left); got != c.want {
			t.Errorf("with %d columns to the left it is\n%s\nwant\n%s", c.left, got, c.want)
		}
	}
	if got := aligned.Table(nil, "", 1); got != "" {
		t.Errorf("a table of no rows is %q", got)
	}
	double := func(text string) int { return 2 * len([]rune(text)) }
	if got := aligned.Measured(double, [][]string{{"日本", "1"}, {"日", "23"}}, "", 1); got != "日本    1\n日    23\n" {
		t.Errorf("with characters of two columns it is\n%s", got)
	}
}
