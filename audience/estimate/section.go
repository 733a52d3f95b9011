package estimate

import (
	"math"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// section is a section of a crosstab with what the variances of its figures are made of.
//
// The variance of a figure f is P - S, with g_c = ∂f/∂T_c for the parts c of the base and, per fieldwork h, n_h
// respondents, a_h people a unit of weight and the sums W and Q of weights and of squared weights:
//
//	P = Σ_h a_h²·n_h/(n_h - 1)·Σ_c g_c²·Q_ch        S = Σ_h a_h²/(n_h - 1)·(Σ_c g_c·W_ch)²
//
// Both are made of sums over the fieldwork that do not depend on f, so that these are formed once for all figures of a
// cell: those of P by cell, row, column and base, of which the parts are differences, and those of S for each two of
// them. Where the rest is so small beside what is taken from what that it might lose digits, the formula is computed
// as it stands, fieldwork by fieldwork (exact).
type section struct {
	audience.Section
	design  []fieldwork
	base    margin
	rows    []margin
	columns []margin
	others  func() []margin // the base without each column, of which countWithout tells what
	samples [][]int64       // of each column, by stratum, once they were asked for
	cells   []sums          // row-major; none where spreads are
	spreads []float64       // of those who are in both columns of pairs: of P, row-major
}

// fieldwork is what the formula takes of one.
type fieldwork struct {
	others float64 // n_h - 1
	units  float64 // a_h⁻², squared units of weight that are one squared person
	spread float64 // a_h²·n_h/(n_h - 1); a_h² for one respondent
	square float64 // a_h²/(n_h - 1); 0 for one respondent
}

// margin is the sums of a row, a column or the base.
type margin struct {
	respondents int64
	fieldworks  int     // in which there are any
	kish        float64 // Σ a²Q
	spread      float64 // of P
	own, base   float64 // of S: with itself and with the base
}

func (m *margin) freedom() float64 { return freedom(m.respondents, m.fieldworks) }

// effective is Kish's effective sample of an audience of so many people.
func (m *margin) effective(people float64) float64 { return kish(people, m.kish) }

func kish(people, squares float64) float64 {
	if people == 0 {
		return 0
	}
	return float64(people*people) / squares
}

// add adds a fieldwork.
func (m *margin) add(f fieldwork, c audience.Moments, base float64) {
	if c.Sample == 0 {
		return
	}
	m.respondents += c.Sample
	m.fieldworks++
	weight, squares := float64(c.Weight), float128(c.Squares)
	m.kish += squares / f.units
	m.spread += float64(f.spread * squares)
	m.own += float64(float64(f.square*weight) * weight)
	m.base += float64(float64(f.square*weight) * base)
}

// sums are those of a cell.
type sums struct {
	kish, spread           float64 // as of a margin
	own, row, column, base float64 // of S: with itself, its row, its column and the base
	rowColumn              float64 // of S: its row with its column
}

func float128(x audience.Uint128) float64 {
	if x.High == 0 {
		return float64(x.Low)
	}
	return float64(float64(x.High)*(1<<64)) + float64(x.Low)
}

// newSection forms the sums of a section; each has something done with each number from 0 up to n-1, on all threads
// that there are for it.
func newSection(s audience.Section, each func(n int, do func(int))) *section {
	x, weights := newMargins(s)
	each(len(s.Rows), func(row int) { x.addRow(row, weights) })
	return x
}

// newMargins is a section with the sums of its base and columns, but of no row yet, and the weights that those are
// added with, by stratum.
func newMargins(s audience.Section) (*section, []lineWeights) {
	x := &section{Section: s, rows: make([]margin, len(s.Rows)), columns: make([]margin, len(s.Columns)),
		cells: make([]sums, len(s.Rows)*len(s.Columns))}
	x.others = sync.OnceValue(x.countOthers)
	weights := make([]lineWeights, len(s.Strata))
	for i := range s.Strata {
		h, w := &s.Strata[i], &weights[i]
		f := design(h)
		x.design = append(x.design, f)
		base := h.Table.Moments(0, 0)
		if base.Sample == 0 {
			continue
		}
		w.base, w.columns = float64(base.Weight), make([]float64, len(s.Columns))
		x.base.add(f, base, w.base)
		for j, at := range s.ColumnPlaces {
			if at >= 0 {
				c := h.Table.Moments(0, at)
				x.columns[j].add(f, c, w.base)
				w.columns[j] = float64(c.Weight)
			}
		}
	}
	return x, weights
}

// addRow adds a row and its cells in all fieldwork: row by row, the sums of the cells stay in the processor's cache.
// The row's own sums are put beside those of other rows once they are complete, as another thread may be at these, and
// what lies next to each other is slow to write on several.
func (s *section) addRow(row int, weights []lineWeights) {
	var m margin
	for i := range weights {
		if w := &weights[i]; w.base != 0 {
			s.addRowIn(&m, row, s.design[i], s.Strata[i].Table, w)
		}
	}
	s.rows[row] = m
}

// newMeeting is the section of those who are in both columns of pairs. Of them only that is found out by which columns
// are compared: of P the sums of its columns and cells, and how many respondents are in its columns.
func newMeeting(s audience.Section) *section {
	x := &section{Section: s, columns: make([]margin, len(s.Columns)),
		spreads: make([]float64, len(s.Rows)*len(s.Columns))}
	for i := range s.Strata {
		h := &s.Strata[i]
		f := design(h)
		x.design = append(x.design, f)
		for j, at := range s.ColumnPlaces {
			if at < 0 {
				continue
			}
			if c := h.Table.Moments(0, at); c.Sample > 0 {
				x.columns[j].respondents += c.Sample
				x.columns[j].spread += float64(f.spread * float128(c.Squares))
			}
		}
		for row, at := range s.RowPlaces {
			if at >= 0 {
				x.addSpreads(x.spreads[row*len(s.Columns):], f, h.Table, at)
			}
		}
	}
	return x
}

// addSpreads adds the cells of a row of the table in a fieldwork.
func (s *section) addSpreads(to []float64, f fieldwork, t *audience.Table, row int) {
	line := row * (t.Columns + 1)
	counts, squares := t.Counts[line:][:t.Columns+1], t.Squares[line:][:t.Columns+1]
	for j, column := range s.ColumnPlaces {
		if column >= 0 && counts[column].Sample != 0 {
			to[j] += float64(f.spread * float128(squares[column]))
		}
	}
}

// lineWeights are the weights of the base and the columns in a fieldwork.
type lineWeights struct {
	base    float64
	columns []float64
}

func design(h *audience.Stratum) fieldwork {
	person := 1 / h.Person
	if whole := math.Round(person); 1/whole == h.Person { // as a rule: the effective sample of equal weights is whole then
		person = whole
	}
	f := fieldwork{others: float64(h.Respondents - 1), units: float64(person * person)}
	f.spread = 1 / f.units
	if n := float64(h.Respondents); n > 1 {
		f.square = f.spread / (n - 1)
		f.spread = float64(f.square * n)
	}
	return f
}

// addRowIn adds a row, whose own sums are m, and its cells in a fieldwork.
func (s *section) addRowIn(m *margin, row int, f fieldwork, t *audience.Table, w *lineWeights) {
	at := s.RowPlaces[row]
	if at < 0 {
		return
	}
	all := t.Moments(at, 0)
	m.add(f, all, w.base)
	if all.Weight == 0 {
		return
	}
	cells := s.cells[row*len(w.columns):][:len(w.columns)]
	line := at * (t.Columns + 1)
	counts, squares := t.Counts[line:][:t.Columns+1], t.Squares[line:][:t.Columns+1]
	inRow := float64(f.square * float64(all.Weight))
	for j, column := range s.ColumnPlaces {
		if column < 0 {
			continue
		}
		c, inColumn := &cells[j], w.columns[j]
		c.rowColumn += float64(inRow * inColumn)
		if counts[column].Sample == 0 {
			continue
		}
		weight, q := float64(counts[column].Weight), float128(squares[column])
		own := float64(f.square * weight)
		c.kish += q / f.units
		c.spread += float64(f.spread * q)
		c.own += float64(own * weight)
		c.row += float64(inRow * weight)
		c.column += float64(own * inColumn)
		c.base += float64(own * w.base)
	}
}

// gradient is how a figure of a cell grows with each of the four parts of the base: those in row and column, in the row
// only, in the column only and in neither.
type gradient struct{ both, row, column, neither float64 }

// sure is how much must be left of what a difference is taken from, so that 1e-9 of it is right.
const sure = 1e-5

// variance is that of a figure of row i and column j, by their places in the section.
func (s *section) variance(i, j int, g gradient) float64 {
	row, column, cell := &s.rows[i], &s.columns[j], &s.cells[i*len(s.columns)+j]
	square := func(x float64) float64 { return float64(x * x) }
	both, inRow, inColumn, neither := square(g.both), square(g.row), square(g.column), square(g.neither)
	p := float64(both*cell.spread) + float64(inRow*(row.spread-cell.spread)) +
		float64(inColumn*(column.spread-cell.spread)) +
		float64(neither*(s.base.spread-row.spread-column.spread+cell.spread))
	crude := float64(both*cell.spread) + float64(inRow*row.spread) + float64(inColumn*column.spread) +
		float64(neither*s.base.spread)

	// S in terms of the totals of cell, row, column and base.
	b := g.neither
	r, c := g.row-b, g.column-b
	x := g.both - g.row - c
	terms := [...]float64{
		float64(square(x) * cell.own), float64(square(r) * row.own), float64(square(c) * column.own),
		float64(square(b) * s.base.own), float64(float64(2*x*r) * cell.row), float64(float64(2*x*c) * cell.column),
		float64(float64(2*x*b) * cell.base), float64(float64(2*r*c) * cell.rowColumn),
		float64(float64(2*r*b) * row.base), float64(float64(2*c*b) * column.base),
	}
	for _, t := range terms {
		p -= t
		crude += math.Abs(t)
	}
	switch {
	case p > sure*crude:
		return p
	case crude == 0: // nobody varies
		return 0
	}
	return s.exact(i, j, g)
}

// share is the variance of the share of the base that is in a margin: in the row or the column at these places of the
// tables, of which the other is 0. It depends on nothing but the margin and the base, so that the share of a column is
// as sure in whichever rows it is asked for.
func (s *section) share(m *margin, row, column int, part, whole audience.Figure) float64 {
	if whole.Size == 0 {
		return 0
	}
	g := shareOf(part, whole)
	in, out := g.q/whole.Size, -g.p/whole.Size
	d := in - out
	inside, outside := float64(in*in), float64(out*out)
	p := float64(inside*m.spread) + float64(outside*(s.base.spread-m.spread))
	crude := float64(inside*m.spread) + float64(outside*s.base.spread)
	for _, t := range [...]float64{float64(float64(d*d) * m.own), float64(outside * s.base.own),
		float64(float64(2*d*out) * m.base)} {
		p -= t
		crude += math.Abs(t)
	}
	if p > sure*crude {
		return p
	}
	var v inference.Variance
	for k := range s.Strata {
		h := &s.Strata[k]
		base, _, _, both := four(h, row, column)
		if base.Sample > 0 {
			v.Add(h.Respondents, inference.Part{Moments: both, Gradient: float64(in * h.Person)},
				inference.Part{Moments: base.Less(both), Gradient: float64(out * h.Person)})
		}
	}
	return v.Value()
}

// exact is variance, computed as it stands.
func (s *section) exact(i, j int, g gradient) float64 {
	var v inference.Variance
	for k := range s.Strata {
		h := &s.Strata[k]
		base, row, column, both := four(h, s.RowPlaces[i], s.ColumnPlaces[j])
		if base.Sample == 0 {
			continue
		}
		onlyRow, onlyColumn := row.Less(both), column.Less(both)
		v.Add(h.Respondents,
			inference.Part{Moments: both, Gradient: float64(g.both * h.Person)},
			inference.Part{Moments: onlyRow, Gradient: float64(g.row * h.Person)},
			inference.Part{Moments: onlyColumn, Gradient: float64(g.column * h.Person)},
			inference.Part{Moments: base.Less(row).Less(onlyColumn), Gradient: float64(g.neither * h.Person)})
	}
	return v.Value()
}

// four are the moments of the base, a row, a column and both.
func four(h *audience.Stratum, row, column int) (base, inRow, inColumn, both inference.Moments) {
	a, b, c, d := h.Moments(row, column)
	return moments(a), moments(b), moments(c), moments(d)
}

// sample is how many respondents column j has in each stratum.
func (s *section) sample(j int) []int64 {
	if s.samples == nil {
		s.samples = make([][]int64, len(s.columns))
	}
	if s.samples[j] == nil {
		s.samples[j] = make([]int64, len(s.Strata))
		for k := range s.Strata {
			if at := s.ColumnPlaces[j]; at >= 0 {
				s.samples[j][k] = s.Strata[k].Table.At(0, at).Sample
			}
		}
	}
	return s.samples[j]
}
