package estimate

import (
	"context"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// Contrasts holds one column against the rest of its base in very many rows. Of each row it knows what tells whether
// the two differ, and by how much they do; the intervals of a row's other figures are formed when they are asked for.
type Contrasts struct {
	estimator *Estimator
	rows      []Contrast
	kept      []contrasted // of the rows
}

// contrasted is what is kept of a row when its tables are gone: from it the intervals of its percentages are formed.
type contrasted struct {
	base, row, column *margin // nil: not measured
	kish              float64 // of row ∩ column
	ofColumn, ofRow   float64 // variances of the share of the column that is in the row, and of the row in the column
}

// Contrast is one column and the rest of its base, in one row.
type Contrast struct {
	Cell  audience.Cell
	Index *Interval // of the index; nil where there is none

	// How many respondents with equal weights would tell as much (Kish) as the column, and as the rest of the base.
	ColumnEffective, RestEffective float64
	RestPercentage                 float64 // of the rest of the base that is in the row, 0–100
	Difference                     float64 // the share of the column less that of the rest, in percentage points

	Tested bool    // both are large enough, and there is something that varies
	G2     float64 // of the likelihood ratio test at effective samples; 0 where not tested
	P      float64 // the probability of a G2 at least as large; 1 where not tested
}

// Contrasts counts a spec of one column, a block of rows at a time, and tests each row whose column and whose rest of
// the base have at least so many respondents.
func (e *Estimator) Contrasts(ctx context.Context, r *audience.Reading, s audience.Spec, least int64) (*Contrasts,
	error) {
	s.Measures = audience.Squares
	out := &Contrasts{estimator: e, rows: make([]Contrast, len(s.Rows)), kept: make([]contrasted, len(s.Rows))}
	each := func(n int, do func(int)) { r.Each(ctx, n, do) }
	most := max(1, e.most/max(1, 2*r.Frame.Size())) // a row has two counts a fieldwork: itself, and both
	first := 0
	for rows := range slices.Chunk(s.Rows, most) {
		block := s
		block.Rows = rows
		tabs, err := r.Tabulate(ctx, block)
		if err != nil {
			return nil, err
		}
		out.take(first, tabs[0], least, each)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		first += len(rows)
	}
	return out, nil
}

// take takes the rows of a block, of which the first is first of all. Of its sections many have but a few rows, so that
// the rows of all of them are shared out at once.
func (c *Contrasts) take(first int, tab *audience.Crosstab, least int64, each func(int, func(int))) {
	sections := slices.Collect(tab.Sections())
	type begun struct {
		*section
		weights []lineWeights
		base    *margin // by itself, or the tables would be kept with it
	}
	formed := make([]begun, len(sections))
	each(len(sections), func(i int) {
		s, weights := newMargins(sections[i])
		base := s.base
		formed[i] = begun{s, weights, &base}
	})
	type place struct{ section, row int }
	var rows []place
	for i := range sections {
		for row := range sections[i].Rows {
			rows = append(rows, place{i, row})
		}
	}
	runs := slices.Collect(slices.Chunk(rows, 32)) // as neighbours are slow to write on several threads
	each(len(runs), func(i int) {
		for _, r := range runs[i] {
			s := &formed[r.section]
			s.addRow(r.row, s.weights)
			to := first + s.Rows[r.row] - 1
			c.rows[to].Cell = tab.Cell(s.Rows[r.row], 1)
			c.takeRow(to, s.section, r.row, s.base, least)
		}
	})
}

// takeRow takes a row of a section, of which the cell is there.
func (c *Contrasts) takeRow(to int, s *section, row int, base *margin, least int64) {
	at := &c.rows[to]
	if at.P = 1; at.Cell.Withheld {
		return
	}
	k := contrasted{base: base, row: &s.rows[row], column: &s.columns[0], kish: s.cells[row].kish}
	if at.Cell.Column.Size > 0 {
		k.ofColumn = s.variance(row, 0, ofColumnGradient(&at.Cell))
	}
	if at.Cell.Row.Size > 0 {
		k.ofRow = s.variance(row, 0, ofRowGradient(&at.Cell))
	}
	if both := at.Cell.Both; both.Size > 0 {
		index := audience.Index(both, at.Cell.Base, at.Cell.Row, at.Cell.Column)
		at.Index = c.estimator.index(index, s.variance(row, 0, indexGradient(&at.Cell)), s.base.freedom())
	}
	c.kept[to] = k
	at.test(s, least)
}

// test holds the column of a cell against the rest of the base.
func (c *Contrast) test(s *section, least int64) {
	cell := &c.Cell
	rest, in := cell.Base.Without(cell.Column), cell.Row.Without(cell.Both)
	column, others := shareOf(cell.Both, cell.Column), shareOf(in, rest)
	c.P, c.RestPercentage = 1, in.Percentage(rest)
	c.ColumnEffective, c.RestEffective = s.columns[0].effective(cell.Column.Size), s.without(0).effective(rest.Size)
	if cell.Column.Size > 0 && rest.Size > 0 {
		c.Difference = cell.Both.Percentage(cell.Column) - c.RestPercentage
	}
	if min(cell.Column.Sample, rest.Sample) < max(1, least) {
		return
	}
	g2, p, tested := inference.LikelihoodRatio(
		inference.EffectiveShare{N: c.ColumnEffective, P: column.p, Complement: column.q},
		inference.EffectiveShare{N: c.RestEffective, P: others.p, Complement: others.q})
	if tested {
		c.Tested, c.G2, c.P = true, g2, p
	}
}

// Row is what was found in a row of the spec, counted from 0; its Cell covers nothing where it was not measured.
func (c *Contrasts) Row(i int) *Contrast { return &c.rows[i] }

// Estimates say how sure the figures of a row are. Of percentages it has those of the column and of the row. Several
// goroutines may ask.
func (c *Contrasts) Estimates(i int) Estimates {
	k, cell, e := &c.kept[i], &c.rows[i].Cell, c.estimator
	if k.base == nil {
		return Estimates{}
	}
	return Estimates{
		Base: k.base.effective(cell.Base.Size), Row: k.row.effective(cell.Row.Size),
		Column: k.column.effective(cell.Column.Size), Both: kish(cell.Both.Size, k.kish),
		OfColumn: e.interval(cell.Both, cell.Column, k.ofColumn, k.column),
		OfRow:    e.interval(cell.Both, cell.Row, k.ofRow, k.row),
		Index:    c.rows[i].Index,
	}
}
