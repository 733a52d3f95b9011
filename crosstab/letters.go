package crosstab

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience/estimate"
)

// Letter names a column, the first being 1: A to Z, then AA, AB and so on.
func Letter(column int) string {
	name := ""
	for ; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// Direction is 1 where a difference is significantly above 0 at a level of confidence in percent, -1 where it is below,
// else 0; nil is no comparison.
func Direction(d *estimate.Difference, level float64) int {
	if d == nil || !d.Significant(level) {
		return 0
	}
	return cmp.Compare(d.Difference, 0)
}

// Compared are columns, by their ColumnIndex, that a column is significantly above and below: at the level of the
// request, and those beside at a lower one only.
type Compared struct{ Higher, Lower, HigherLow, LowerLow []int }

// Compared are the columns that a cell's differs from. The lower level of confidence, in percent, is told where pairs
// are; 0 is none. A nil ColumnStatistics differs from nothing.
func (s *ColumnStatistics) Compared(low float64) (c Compared) {
	if s == nil {
		return c
	}
	c.Higher, c.Lower = s.HigherThan, s.LowerThan
	if low == 0 {
		return c
	}
	for i := range s.Pairs {
		p := &s.Pairs[i]
		switch {
		case !p.Significant(low):
		case p.Difference.Difference > 0 && !slices.Contains(c.Higher, p.ColumnIndex):
			c.HigherLow = append(c.HigherLow, p.ColumnIndex)
		case p.Difference.Difference < 0 && !slices.Contains(c.Lower, p.ColumnIndex):
			c.LowerLow = append(c.LowerLow, p.ColumnIndex)
		}
	}
	return c
}

// Letters name the columns that one is significantly above, in their order: in capitals at the level of the request, in
// small letters at a lower one.
func (c Compared) Letters() string {
	columns := slices.Concat(c.Higher, c.HigherLow)
	slices.Sort(columns)
	var names []string
	for _, j := range columns {
		name := Letter(j)
		if !slices.Contains(c.Higher, j) {
			name = strings.ToLower(name)
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}
