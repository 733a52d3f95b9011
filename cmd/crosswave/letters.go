package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience/estimate"
)

// letter names a column, the first being 1: A to Z, then AA, AB and so on.
func letter(column int) string {
	name := ""
	for ; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}

// lettered tells whether columns are compared with each other, so that they need letters.
func (x *crossed) lettered() bool {
	return x.request.Statistics != nil && x.request.Statistics.Compares(estimate.Columns) && len(x.columns) > 2
}

// direction is 1 where a cell is significantly above what it is compared with, -1 where it is below, else 0; nil is no
// comparison.
func (x *crossed) direction(d *estimate.Difference) int {
	if d == nil || !d.Significant(x.request.Statistics.Level) {
		return 0
	}
	return cmp.Compare(d.Difference, 0)
}

// compared are the columns that a cell is significantly above and below at the level of the request, and those it is
// above and below only at a lower one; 0 is none lower.
func (x *crossed) compared(row, column int, low float64) (higher, lower, higherLow, lowerLow []int) {
	c := &x.cells[row][column]
	if c.Statistics.Columns == nil {
		return nil, nil, nil, nil
	}
	higher, lower = c.Statistics.Columns.HigherThan, c.Statistics.Columns.LowerThan
	if low == 0 {
		return higher, lower, nil, nil
	}
	for i := range c.Statistics.Columns.Pairs {
		p := &c.Statistics.Columns.Pairs[i]
		switch {
		case !p.Significant(low):
		case p.Difference.Difference > 0 && !slices.Contains(higher, p.ColumnIndex):
			higherLow = append(higherLow, p.ColumnIndex)
		case p.Difference.Difference < 0 && !slices.Contains(lower, p.ColumnIndex):
			lowerLow = append(lowerLow, p.ColumnIndex)
		}
	}
	return higher, lower, higherLow, lowerLow
}

// letters name the columns that a cell is significantly above, in their order: in capitals at the level of the request,
// in small letters at a lower one.
func (x *crossed) letters(row, column int, low float64) string {
	higher, _, higherLow, _ := x.compared(row, column, low)
	var names []string
	for j := range x.columns {
		switch {
		case slices.Contains(higher, j):
			names = append(names, letter(j))
		case slices.Contains(higherLow, j):
			names = append(names, strings.ToLower(letter(j)))
		}
	}
	return strings.Join(names, " ")
}

// lettersOf are the letters of columns, as one field of a CSV file.
func lettersOf(columns []int) string {
	names := make([]string, len(columns))
	for i, j := range columns {
		names[i] = letter(j)
	}
	return strings.Join(names, ";")
}
