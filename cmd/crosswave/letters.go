package main

import (
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
)

// lettered tells whether columns are compared with each other, so that they need letters. The total is not.
func (x *crossed) lettered() bool { return crosstab.Lettered(x.request.Statistics, len(x.columns)-1) }

// direction is 1 where a cell is significantly above what it is compared with, -1 where it is below, else 0; nil is no
// comparison.
func (x *crossed) direction(d *estimate.Difference) int {
	if d == nil {
		return 0
	}
	return crosstab.Direction(d, x.request.Statistics.Level)
}

// compared are the columns that a cell is significantly above and below, at the level of the request and at a lower one
// only; 0 is none lower.
func (x *crossed) compared(row, column int, low float64) crosstab.Compared {
	return x.cells[row][column].Statistics.Columns.Compared(low)
}
