package crosstab

import (
	"context"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
)

// MaxCompared is how many columns a Request may have compared with each other: each pair that overlaps is counted for
// itself, in every row.
const MaxCompared = 60

// Statistics says how sure the figures of a Cell are. An interval that could not be had is nil: of a percentage of no
// one, or of the index of no one. So is a difference where either side was not measured or is a share of no one, or
// where there is nothing that could vary.
type Statistics struct {
	// respondents that a sample with equal weights would need to be as sure (Kish); so are the others
	BaseEffectiveSample float64
	Row, Column         AxisStatistics
	Intersect           IntersectStatistics

	// Rest compares the column with the rest of the base, and Previous with the column before, both by
	// Row.IntersectPercentage, the share of a column that is in the row. nil unless asked for.
	Rest, Previous *estimate.Difference
	Columns        *ColumnStatistics // nil unless asked for
}

// AxisStatistics are those of a row or a column audience.
type AxisStatistics struct {
	EffectiveSample                 float64
	Percentage, IntersectPercentage *estimate.Interval
}

// IntersectStatistics are those of row ∩ column.
type IntersectStatistics struct {
	EffectiveSample         float64
	Size, Percentage, Index *estimate.Interval
}

// ColumnStatistics compares a column with the others, by Row.IntersectPercentage.
type ColumnStatistics struct {
	HigherThan, LowerThan []int // ColumnIndex of those that the column is significantly above and below, ascending
	// with every other column that it can be compared with, ascending; nil unless asked for
	Pairs []ColumnPair
}

// ColumnPair is a column's difference from another.
type ColumnPair struct {
	ColumnIndex int // of the other
	estimate.Difference
}

// sure is how sure the figures of a request are.
type sure struct {
	*estimate.Estimator
	tables   []*estimate.Table // of the specs
	columns  int               // of the request
	pairs    []estimate.Pair
	aside    map[spot]bool // those that are counted with others of their spec, but that the request does not cover
	previous map[spot]*estimate.Difference
	compared map[spot]*ColumnStatistics
}

// spot is a cell of a spec.
type spot struct{ spec, row, column int }

// estimate counts the specs and how sure their figures are.
func (c *counted) estimate(ctx context.Context, reading *audience.Reading, r *Request) error {
	s := &sure{Estimator: estimate.New(*r.Statistics), columns: len(r.Columns), aside: c.aside(),
		previous: map[spot]*estimate.Difference{}, compared: map[spot]*ColumnStatistics{}}
	q := estimate.Question{Specs: c.specs, Pairs: s.pair(len(c.specs)), Compared: s.take}
	var err error
	if s.tables, err = s.Tabulate(ctx, reading, q); err != nil {
		return err
	}
	c.tabs = nil
	for _, t := range s.tables {
		c.tabs = append(c.tabs, t.Crosstab)
	}
	var family []*estimate.Difference
	for _, d := range s.previous {
		family = append(family, d)
	}
	s.Adjust(family)
	c.sure = s
	return nil
}

// aside are the cells of a matched request that are not measured, as fewer locations only made their waves the last.
func (c *counted) aside() map[spot]bool {
	aside := map[spot]bool{}
	if c.places == nil {
		return aside
	}
	columns := len(c.planned.Spec.Columns) // there are some: waves
	for i := min(1, len(c.planned.Spec.Rows)); i <= len(c.planned.Spec.Rows); i++ {
		for j := 1; j <= columns; j++ {
			if at := c.places[i]; c.planned.Cell(i, j).Cover.Empty() {
				aside[spot{at.spec, at.row, j}] = true
			}
		}
	}
	return aside
}

// pair lists what is compared: in each spec all pairs of columns, if they are asked for, and each column with the one
// before it.
func (s *sure) pair(specs int) []estimate.Pair {
	at := func(spec, column int) estimate.Place { return estimate.Place{Spec: spec, Column: column} }
	for spec := range specs {
		for j := 1; j <= s.columns && s.Compares(estimate.Columns); j++ {
			for k := j + 1; k <= s.columns; k++ {
				s.pairs = append(s.pairs, estimate.Pair{A: at(spec, j), B: at(spec, k), Decided: !s.Pairs})
			}
		}
		for j := 2; j <= s.columns && s.Compares(estimate.Previous); j++ {
			s.pairs = append(s.pairs, estimate.Pair{A: at(spec, j), B: at(spec, j-1)})
		}
	}
	return s.pairs
}

// take takes what was found in a row. Pairs within a row, which are those of one spec, are a family.
func (s *sure) take(row int, found []*estimate.Difference) {
	families := map[int][]*estimate.Difference{}
	for i, p := range s.pairs {
		if s.aside[spot{p.A.Spec, row, p.A.Column}] || s.aside[spot{p.B.Spec, row, p.B.Column}] {
			found[i] = nil
		}
		switch d := found[i]; {
		case d == nil:
		case p.A.Column > p.B.Column:
			s.previous[spot{p.A.Spec, row, p.A.Column}] = d
		default:
			families[p.A.Spec] = append(families[p.A.Spec], d)
		}
	}
	for _, family := range families {
		s.Adjust(family)
	}
	for i, p := range s.pairs {
		if d := found[i]; d != nil && p.A.Column < p.B.Column {
			s.enter(spot{p.A.Spec, row, p.A.Column}, p.B.Column, *d)
			d.Difference, d.T = -d.Difference, -d.T
			s.enter(spot{p.B.Spec, row, p.B.Column}, p.A.Column, *d)
		}
	}
}

// incomparable are the comparisons of a cell that can be compared with no other.
func (s *sure) incomparable() *ColumnStatistics {
	if s.Pairs {
		return &ColumnStatistics{Pairs: []ColumnPair{}}
	}
	return &ColumnStatistics{}
}

// enter notes the difference of a cell from another column of its row.
func (s *sure) enter(at spot, other int, d estimate.Difference) {
	c := s.compared[at]
	if c == nil {
		c = s.incomparable()
		s.compared[at] = c
	}
	switch significant := d.Significant(s.Level); {
	case significant && d.Difference > 0:
		c.HigherThan = append(c.HigherThan, other)
	case significant:
		c.LowerThan = append(c.LowerThan, other)
	}
	if s.Pairs {
		c.Pairs = append(c.Pairs, ColumnPair{other, d})
	}
}

// statistics are those of row i and column j of the request, where cell is what was counted; nil unless they are asked
// for.
func (c *counted) statistics(i, j int, cell *audience.Cell) *Statistics {
	if c.sure == nil {
		return nil
	}
	s, out := c.sure, &Statistics{}
	if j > 0 && s.Compares(estimate.Columns) {
		out.Columns = s.incomparable()
	}
	at := place{0, i}
	if c.places != nil {
		at = c.places[i]
	}
	if at.spec < 0 || cell.Cover.Empty() {
		return out
	}
	e := s.tables[at.spec].Estimates(at.row, j, cell)
	out.BaseEffectiveSample, out.Rest = e.Base, e.Rest
	out.Row = AxisStatistics{e.Row, e.RowPercentage, e.OfColumn}
	out.Column = AxisStatistics{e.Column, e.ColumnPercentage, e.OfRow}
	out.Intersect = IntersectStatistics{e.Both, e.Size, e.Percentage, e.Index}
	out.Previous = s.previous[spot{at.spec, at.row, j}]
	if compared := s.compared[spot{at.spec, at.row, j}]; compared != nil {
		out.Columns = compared
	}
	return out
}
