package estimate

import (
	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// cell is what is kept of a cell when its tables are gone: from it intervals are formed.
type cell struct {
	section     *kept // nil: not measured
	row, column int32 // places in the section
	kish        float64
	// Variances of the size, the percentage of the base, the share of the column that is in the row, the share of the row
	// that is in the column, and the logarithm of the index.
	size, ofBase, ofColumn, ofRow, index float64
}

// kept is what is kept of a section.
type kept struct {
	base          margin
	rows, columns []keptMargin
}

type keptMargin struct {
	margin
	known    bool
	interval *Interval // of its percentage of the base
}

// sizeGradient is that of the size of row ∩ column. In those below, c is the cell, and what is taken from
// exact sizes is so because a difference of rounded ones would lose digits.
func sizeGradient() gradient { return gradient{both: 1} }

// ofBaseGradient is that of the share of the base that is in row and column.
func ofBaseGradient(c *audience.Cell) gradient {
	s, whole := shareOf(c.Both, c.Base), c.Base.Size
	out := -s.p / whole
	return gradient{s.q / whole, out, out, out}
}

// ofColumnGradient is that of the share of the column that is in the row.
func ofColumnGradient(c *audience.Cell) gradient {
	s, whole := shareOf(c.Both, c.Column), c.Column.Size
	return gradient{both: s.q / whole, column: -s.p / whole}
}

// ofRowGradient is that of the share of the row that is in the column.
func ofRowGradient(c *audience.Cell) gradient {
	s, whole := shareOf(c.Both, c.Row), c.Row.Size
	return gradient{both: s.q / whole, row: -s.p / whole}
}

// indexGradient is that of the logarithm of the index, both·base/(row·column).
func indexGradient(c *audience.Cell) gradient {
	outsideRow := c.Base.Without(c.Row).Size / c.Row.Size
	outsideColumn := c.Base.Without(c.Column).Size / c.Column.Size
	return gradient{
		both:    (c.Row.Without(c.Both).Size/c.Both.Size)/c.Row.Size - outsideColumn/c.Base.Size,
		row:     -outsideRow / c.Base.Size,
		column:  -outsideColumn / c.Base.Size,
		neither: 1 / c.Base.Size,
	}
}

// keep finds out what is kept of a cell at row i and column j of a section.
func (s *section) keep(i, j int, c *audience.Cell, k *kept) cell {
	out := cell{section: k, row: int32(i), column: int32(j), kish: s.cells[i*len(s.columns)+j].kish}
	out.size = s.variance(i, j, sizeGradient())
	if c.Base.Size > 0 {
		out.ofBase = s.variance(i, j, ofBaseGradient(c))
	}
	if c.Column.Size > 0 {
		out.ofColumn = s.variance(i, j, ofColumnGradient(c))
	}
	if c.Row.Size > 0 {
		out.ofRow = s.variance(i, j, ofRowGradient(c))
	}
	if c.Both.Size > 0 {
		out.index = s.variance(i, j, indexGradient(c))
	}
	return out
}

// rest compares the column of a cell with the rest of the base: the share of the column that is in the row, less that
// of the rest.
func (e *Estimator) rest(s *section, i, j int, c *audience.Cell) (Difference, bool) {
	rest := c.Base.Without(c.Column)
	if c.Column.Size == 0 || rest.Size == 0 {
		return Difference{}, false
	}
	in := c.Row.Without(c.Both)
	column, others := shareOf(c.Both, c.Column), shareOf(in, rest)
	ofColumn := gradient{both: column.q / c.Column.Size, column: -column.p / c.Column.Size}
	ofOthers := gradient{row: others.q / rest.Size, neither: -others.p / rest.Size}
	both := gradient{both: ofColumn.both, row: -ofOthers.row, column: ofColumn.column, neither: -ofOthers.neither}
	d, is := test(column.p-others.p, s.variance(i, j, both), max(1, freedom(s.base.respondents, s.base.fieldworks)-1))
	if !is {
		return d, false
	}
	m := s.without(j)
	other := inference.Proportion{P: others.p, Complement: others.q, Sample: rest.Sample, DF: m.freedom(),
		Effective: m.effective(rest.Size)}
	if e.nchs != nil {
		other.Variance = s.variance(i, j, ofOthers)
	}
	d.Sound = c.Both.Sample > 0 && in.Sample > 0 &&
		e.quality(e.proportion(s, i, j, c, column, ofColumn)) != Withhold && e.quality(other) != Withhold
	return d, true
}

// proportion is a share of the column that is in the row, whose gradient is g.
func (e *Estimator) proportion(s *section, i, j int, c *audience.Cell, of share, g gradient) inference.Proportion {
	column := &s.columns[j]
	p := inference.Proportion{P: of.p, Complement: of.q, Sample: c.Column.Sample, DF: column.freedom(),
		Effective: column.effective(c.Column.Size)}
	if e.nchs != nil {
		p.Variance = s.variance(i, j, g)
	}
	return p
}

// without is the margin of the base without column j: what its effective sample and its degrees of freedom go by.
func (s *section) without(j int) *margin { return &s.others()[j] }

// countOthers is the margin of the base without each of the columns.
func (s *section) countOthers() []margin {
	others := make([]margin, len(s.columns))
	for j := range others {
		others[j] = s.countWithout(j)
	}
	return others
}

// countWithout takes differences of whole numbers: of sums of squares nothing might be left where the others weigh
// little.
func (s *section) countWithout(j int) margin {
	m := margin{}
	for k := range s.Strata {
		base, _, column, _ := s.Strata[k].Moments(0, s.ColumnPlaces[j])
		if n := base.Sample - column.Sample; n > 0 {
			m.respondents += n
			m.fieldworks++
			m.kish += float128(base.Squares.Minus(column.Squares)) / s.design[k].units
		}
	}
	return m
}
