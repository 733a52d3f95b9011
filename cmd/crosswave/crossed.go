package main

import (
	"cmp"
	"context"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// everyone is the total that stands before the audiences.
var everyone = audience.Audience{Name: "Total", Expr: audience.Everyone{}}

// crossed is a crosstab with its totals, which are the first row and the first column.
type crossed struct {
	frame         *audience.Frame
	request       crosstab.Request
	rows, columns []audience.Audience
	cells         [][]crosstab.Cell // [row][column]
}

// cross runs a request with its totals. They are asked for last, so that an error calls the others what they are called
// without them.
func cross(ctx context.Context, st audience.Store, r crosstab.Request) (*crossed, error) {
	total := func(as []audience.Audience) []audience.Audience { return append([]audience.Audience{everyone}, as...) }
	x := &crossed{request: r, rows: total(r.Rows), columns: total(r.Columns)}
	r.Rows = append(slices.Clone(r.Rows), everyone)
	if r.Statistics != nil {
		return x, x.compare(ctx, st, r)
	}
	r.Columns = append(slices.Clone(r.Columns), everyone)
	result, err := crosstab.Run(ctx, st, r)
	if err != nil {
		return nil, err
	}
	x.frame, x.cells = result.Frame(), x.table(result, len(x.columns))
	return x, nil
}

// table is a result with so many columns, what was asked for last being the first row and column.
func (x *crossed) table(result *crosstab.Result, columns int) [][]crosstab.Cell {
	cells := make([][]crosstab.Cell, len(x.rows))
	for i := range cells {
		cells[i] = make([]crosstab.Cell, columns)
	}
	for c := range result.Cells() {
		cells[c.RowIndex%len(cells)][c.ColumnIndex%columns] = c
	}
	return cells
}

// compare runs a request that asks how sure its figures are and has the total among its rows alone. The total has every
// column in it, so it is asked for on its own: it is not compared with them, nor does it count as one that is. The row
// of the total is in no test, as everyone is in it of whatever is compared.
func (x *crossed) compare(ctx context.Context, st audience.Store, r crosstab.Request) error {
	alone, options := r, *r.Statistics
	options.Compare, options.Pairs = nil, false
	alone.Columns, alone.Statistics = []audience.Audience{everyone}, &options
	for {
		total, err := crosstab.Run(ctx, st, alone)
		if err != nil {
			return err
		}
		x.frame, x.cells = total.Frame(), x.table(total, 1)
		if len(r.Columns) == 0 {
			return nil
		}
		columns, err := crosstab.Run(ctx, st, r)
		if err != nil {
			return err
		}
		if columns.Frame().Version != x.frame.Version {
			continue // an import came between the two
		}
		for i, cells := range x.table(columns, len(x.columns)) {
			x.cells[i] = append(x.cells[i], cells[1:]...)
		}
		return nil
	}
}

func name(a audience.Audience) string { return cmp.Or(a.Name, a.ID) }
