package clickhouse

import "testing"

// Answers are stored as words unless something else is said, or they would be too many columns, those of numbers among
// them.
func TestFormatIsChosenBySize(t *testing.T) {
	for _, c := range []struct {
		asked      Format
		attributes uint32
		numbered   uint32
		want       Format
	}{
		{Chosen, 0, 0, Words}, {Chosen, 700, 11, Words}, {Chosen, 64 * mostColumns, 0, Words},
		{Chosen, 64*mostColumns + 1, 0, Arrays}, {Chosen, 64*mostColumns - 192, 1, Words},
		{Chosen, 64*mostColumns - 191, 1, Arrays}, {Words, 64*mostColumns + 1, 9, Words}, {Arrays, 1, 0, Arrays},
	} {
		st := &state{Next: c.attributes, Numbered: c.numbered}
		if got := st.choose(c.asked); got != c.want {
			t.Errorf("%d attributes, %d questions of numbers, asked for %q: %q, not %q", c.attributes, c.numbered, c.asked,
				got, c.want)
		}
	}
}
