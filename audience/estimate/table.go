package estimate

import (
	"context"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// Table is a crosstab with how sure its figures are.
type Table struct {
	*audience.Crosstab
	estimator *Estimator
	stride    int
	cells     []cell       // row-major, an index 0 included on both axes
	rest      []Difference // likewise, where asked for
	tested    []bool       // which of rest are there
}

// Estimates say how sure the figures of a cell are. An Interval is nil where there is none: that of a percentage of no
// one, and that of an index of 0.
type Estimates struct {
	Base, Row, Column, Both float64 // effective samples (Kish): respondents

	RowPercentage, ColumnPercentage *Interval // of the base
	OfColumn                        *Interval // the share of the column that is in the row, in percent
	OfRow                           *Interval // the share of the row that is in the column, in percent
	Size, Percentage, Index         *Interval // of the intersection; the percentage is of the base

	// Rest compares OfColumn with the rest of the base; nil unless asked for, and where there is nothing to compare.
	Rest *Difference
}

// Question is what to count and to compare.
type Question struct {
	Specs []audience.Spec
	// Pairs are compared in every row, by the share of the column that is in the row, and Compared is told of a row, as
	// Crosstab.Cell counts it, what was found: for each pair the first less the second, nil where there is nothing to
	// compare. Corrections for many tests are the caller's (Estimator.Adjust). Specs of which columns are paired have the
	// same rows.
	Pairs    []Pair
	Compared func(row int, found []*Difference)
}

// Pair is two columns to be compared.
type Pair struct {
	A, B Place
	// Decided says that of the difference only its sign and whether it is significant, once the row's are corrected
	// together, is told: its figures may then lack digits that make no difference to that.
	Decided bool
}

// Place is a column of a Spec, as Crosstab.Cell counts it.
type Place struct{ Spec, Column int }

// What is held at a time: counts with their squares, 64 MB of them, and comparisons of pairs, 16 MB, or four times as
// many as the shares that are compared, which are larger.
const (
	mostCounts = 2 << 20
	mostFound  = 1 << 18
)

// Tabulate counts a question. Where its tables would be large, fieldwork by fieldwork, they are counted some rows at a
// time, and only what the estimates need is kept of them.
func (e *Estimator) Tabulate(ctx context.Context, r *audience.Reading, q Question) ([]*Table, error) {
	c := &counting{Estimator: e, ctx: ctx, reading: r, Question: q}
	if err := c.findOverlaps(); err != nil {
		return nil, err
	}
	rows, columns, pairs := 0, 0, 0
	for _, s := range q.Specs {
		rows = max(rows, len(s.Rows))
		columns += len(s.Columns) + 1
	}
	for _, o := range c.overlaps {
		pairs += len(o.spec.Columns) + 1
	}
	size, found := max(1, r.Frame.Size()), rows
	if pairs > 0 {
		found = max(1, mostFound/max(len(q.Pairs), 4*columns))
	}
	if rows <= min(found, max(1, e.most/max(1, size*(columns+pairs)))) {
		return c.whole()
	}
	most := e.most / (size * columns)
	if pairs > 0 { // the other half is for those who are in both columns
		most = min(found, most/2)
	}
	most = max(1, most)
	tabs, err := r.Tabulate(ctx, q.Specs...)
	if err != nil {
		return nil, err
	}
	c.begin(tabs)
	for first := 0; first < rows; first += most {
		if err := c.block(first, min(first+most, rows)); err != nil {
			return nil, err
		}
	}
	return c.tables, c.adjust()
}

// counting is one Tabulate on its way.
type counting struct {
	*Estimator
	Question
	ctx      context.Context
	reading  *audience.Reading
	tables   []*Table
	overlaps []overlap
	shared   []shared // of the pairs
	rowless  map[within]*indexed
}

func (c *counting) begin(tabs []*audience.Crosstab) {
	for i, tab := range tabs {
		t := &Table{Crosstab: tab, estimator: c.Estimator, stride: len(c.Specs[i].Columns) + 1}
		t.cells = make([]cell, (len(c.Specs[i].Rows)+1)*t.stride)
		if c.Compares(Rest) {
			t.rest, t.tested = make([]Difference, len(t.cells)), make([]bool, len(t.cells))
		}
		c.tables = append(c.tables, t)
	}
}

// whole counts everything at once; the figures are those of the same count.
func (c *counting) whole() ([]*Table, error) {
	specs := slices.Clone(c.Specs)
	for _, o := range c.overlaps {
		specs = append(specs, o.spec)
	}
	tabs, err := c.reading.Tabulate(c.ctx, measured(specs)...)
	if err != nil {
		return nil, err
	}
	own, overlaps := tabs[:len(c.Specs)], tabs[len(c.Specs):]
	c.begin(own)
	err = c.take(0, own, func(x *comparing) error {
		for i, tab := range overlaps {
			if err := x.meeting(&c.overlaps[i], 0, index(tab, newMeeting)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return c.tables, c.adjust()
}

// block counts the rows from first to end, and then, some pairs at a time, who in them is in both columns.
func (c *counting) block(first, end int) error {
	var specs []audience.Spec
	for _, s := range c.Specs {
		specs = append(specs, someRows(s, first, end))
	}
	tabs, err := c.reading.Tabulate(c.ctx, measured(specs)...)
	if err != nil {
		return err
	}
	most := max(1, c.most/(2*max(1, c.reading.Frame.Size())*(end-first+1))-1)
	err = c.take(first, tabs, func(x *comparing) error {
		for i := range c.overlaps {
			o := &c.overlaps[i]
			all := someRows(o.spec, first, end)
			for from := 0; from < len(all.Columns); from += most {
				some := all
				some.Columns = all.Columns[from:min(from+most, len(all.Columns))]
				tabs, err := c.reading.Tabulate(c.ctx, measured([]audience.Spec{some})...)
				if err == nil {
					err = x.meeting(o, from, index(tabs[0], newMeeting))
				}
				if err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	return c.ctx.Err()
}

// measured has the squares of specs counted, which it changes.
func measured(specs []audience.Spec) []audience.Spec {
	for i := range specs {
		specs[i].Measures = audience.Squares
	}
	return specs
}

// someRows cuts a spec to its rows from first to end. One that has rows, but none of these, gets no columns either: it
// is the base alone then, which is not looked at.
func someRows(s audience.Spec, first, end int) audience.Spec {
	if first = min(first, len(s.Rows)); first == len(s.Rows) && first > 0 {
		s.Columns = nil
	}
	s.Rows = s.Rows[first:min(end, len(s.Rows))]
	return s
}

// take forms what is kept of some rows, of which the first is first, from their tables, and has the pairs compared in
// them: overlapping does so for those that have somebody in common.
func (c *counting) take(first int, tabs []*audience.Crosstab, overlapping func(*comparing) error) error {
	in := make([]*indexed, len(tabs))
	rows := 0
	for i, tab := range tabs {
		in[i] = index(tab, func(s audience.Section) *section { return newSection(s, c.each) })
		c.tables[i].take(first, in[i], c.each)
		rows = max(rows, len(tab.Spec.Rows))
	}
	if len(c.Pairs) == 0 {
		return nil
	}
	x := c.newComparing(in, rows)
	if err := overlapping(x); err != nil {
		return err
	}
	for i := range x.found {
		if err := x.apart(i); err != nil {
			return err
		}
		c.Compared(first+x.first+i, x.row(i))
		x.drop(i)
	}
	return nil
}

// each has something done with each number from 0 up to n-1, on all threads that there are for it.
func (c *counting) each(n int, do func(int)) { c.reading.Each(c.ctx, n, do) }

// indexed is a crosstab whose cells are found in its sections.
type indexed struct {
	*audience.Crosstab
	sections []*section
	stride   int
	at       []spot // row-major
}

// spot is where a cell is: in no section, 0, or in one, counted from 1.
type spot struct{ section, row, column int32 }

func index(tab *audience.Crosstab, with func(audience.Section) *section) *indexed {
	sections, at := locate(tab)
	in := &indexed{Crosstab: tab, stride: len(tab.Spec.Columns) + 1, at: at}
	for _, s := range sections {
		in.sections = append(in.sections, with(s))
	}
	return in
}

// locate finds where each cell of a crosstab is, row by row, an index 0 included on both axes.
func locate(tab *audience.Crosstab) (sections []audience.Section, at []spot) {
	stride := len(tab.Spec.Columns) + 1
	at = make([]spot, (len(tab.Spec.Rows)+1)*stride)
	for s := range tab.Sections() {
		sections = append(sections, s)
		for i, row := range s.Rows {
			for j, column := range s.Columns {
				at[row*stride+column] = spot{int32(len(sections)), int32(i), int32(j)}
			}
		}
	}
	return sections, at
}

// find returns the section of a cell, and its place there; nil if it was not measured.
func (in *indexed) find(row, column int) (s *section, i, j int) {
	at := in.at[row*in.stride+column]
	if at.section == 0 {
		return nil, 0, 0
	}
	return in.sections[at.section-1], int(at.row), int(at.column)
}

// take keeps what the estimates of some rows need.
func (t *Table) take(first int, in *indexed, each func(n int, do func(int))) {
	rows, columns := len(in.Spec.Rows), len(in.Spec.Columns)
	if rows == 0 && (len(t.Spec.Rows) > 0 || first > 0) {
		return
	}
	least := min(1, rows)
	all, intervals := t.estimator.takeMargins(in, least)
	each(rows+1-least+len(intervals), func(i int) {
		if n := i - (rows + 1 - least); n >= 0 {
			intervals[n]()
			return
		}
		for column := min(1, columns); column <= columns; column++ {
			t.takeCell(first, in, all, least+i, column)
		}
	})
}

// takeMargins keeps what is known of the rows, from one of them on, and the columns of each section that has cells that
// are told. It takes that from the first such cell of each, as it is the same in all. Their intervals are still to be
// formed.
func (e *Estimator) takeMargins(in *indexed, first int) (all []*kept, intervals []func()) {
	all = make([]*kept, len(in.sections))
	for row := first; row <= len(in.Spec.Rows); row++ {
		for column := min(1, len(in.Spec.Columns)); column <= len(in.Spec.Columns); column++ {
			s, i, j := in.find(row, column)
			if s == nil {
				continue
			}
			k := &all[in.at[row*in.stride+column].section-1]
			if *k != nil && (*k).rows[i].known && (*k).columns[j].known {
				continue
			}
			c := in.Cell(row, column)
			if c.Withheld { // and there are no estimates of it either
				continue
			}
			if *k == nil {
				*k = &kept{base: s.base, rows: make([]keptMargin, len(s.rows)), columns: make([]keptMargin, len(s.columns))}
			}
			keep := func(to *keptMargin, m *margin, row, column int, part audience.Figure) {
				if to.known {
					return
				}
				to.margin, to.known = *m, true
				intervals = append(intervals, func() {
					to.interval = e.interval(part, c.Base, s.share(m, row, column, part, c.Base), &s.base)
				})
			}
			keep(&(*k).rows[i], &s.rows[i], s.RowPlaces[i], 0, c.Row)
			keep(&(*k).columns[j], &s.columns[j], 0, s.ColumnPlaces[j], c.Column)
		}
	}
	return all, intervals
}

// takeCell keeps what the estimates of a cell need, if it is told.
func (t *Table) takeCell(first int, in *indexed, all []*kept, row, column int) {
	s, i, j := in.find(row, column)
	if s == nil {
		return
	}
	c := in.Cell(row, column)
	if c.Withheld {
		return
	}
	to := (first+row)*t.stride + column
	t.cells[to] = s.keep(i, j, &c, all[in.at[row*in.stride+column].section-1])
	if t.rest != nil {
		t.rest[to], t.tested[to] = t.estimator.rest(s, i, j, &c)
	}
}

// adjust corrects the tests against the rest of the base: all of them are one family.
func (c *counting) adjust() error {
	var family []*Difference
	for _, t := range c.tables {
		for i, is := range t.tested {
			if is {
				family = append(family, &t.rest[i])
			}
		}
	}
	c.Adjust(family)
	return c.ctx.Err()
}

// Estimates are those of row i and column j, counted as in Crosstab.Cell, where c is that cell; there are none where it
// was not measured or is withheld. They may share their intervals with other cells. Several goroutines may ask a Table.
func (t *Table) Estimates(i, j int, c *audience.Cell) Estimates {
	k := &t.cells[i*t.stride+j]
	if k.section == nil {
		return Estimates{}
	}
	e, s := t.estimator, k.section
	row, column := &s.rows[k.row], &s.columns[k.column]
	out := Estimates{
		Base: s.base.effective(c.Base.Size), Row: row.effective(c.Row.Size), Column: column.effective(c.Column.Size),
		Both:             kish(c.Both.Size, k.kish),
		RowPercentage:    row.interval,
		ColumnPercentage: column.interval,
		OfColumn:         e.interval(c.Both, c.Column, k.ofColumn, &column.margin),
		OfRow:            e.interval(c.Both, c.Row, k.ofRow, &row.margin),
		Size:             e.around(c.Both.Size, k.size, s.base.freedom()),
		Percentage:       e.interval(c.Both, c.Base, k.ofBase, &s.base),
		Index:            e.index(audience.Index(c.Both, c.Base, c.Row, c.Column), k.index, s.base.freedom()),
	}
	if t.tested != nil && t.tested[i*t.stride+j] {
		out.Rest = &t.rest[i*t.stride+j]
	}
	return out
}

// interval is that of part as a percentage of whole, whose margin is m.
func (e *Estimator) interval(part, whole audience.Figure, variance float64, m *margin) *Interval {
	s := shareOf(part, whole)
	return e.percentage(inference.Proportion{P: s.p, Complement: s.q, Variance: variance, Sample: whole.Sample,
		DF: m.freedom(), Effective: m.effective(whole.Size)})
}
