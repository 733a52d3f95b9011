package estimate

import (
	"math"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/inference"
)

// side is one of two shares that are compared: that of a column that is in the row.
type side struct {
	section     *section // nil: there is no such share
	i, j        int
	cell        audience.Cell
	share       share
	in, out     float64   // how the share grows with who is in the row, and with the others of the column
	row, column float64   // of P: the sums of those in the row, and of all
	total       []float64 // by stratum, Σ g·W·a
	respondents []int64   // by stratum, of the column
	strands     []strand  // by stratum, once they were asked for
	withhold    bool
}

// side finds a share. Its respondents and totals are found once for all pairs of a row.
func (c *counting) side(in *indexed, row, column int) *side {
	s, i, j := in.find(row, column)
	if s == nil {
		return &side{}
	}
	out := &side{section: s, i: i, j: j, cell: in.Cell(row, column)}
	whole := out.cell.Column.Size
	if whole == 0 { // or the cell is withheld
		return &side{}
	}
	out.share = shareOf(out.cell.Both, out.cell.Column)
	g := ofColumnGradient(&out.cell)
	out.in, out.out = g.both, g.column
	cell, all := &s.cells[i*len(s.columns)+j], &s.columns[j]
	out.row, out.column = cell.spread, all.spread
	out.total, out.respondents = make([]float64, len(s.Strata)), s.sample(j)
	for k := range s.Strata {
		h := &s.Strata[k]
		column, both := two(h, s.RowPlaces[i], s.ColumnPlaces[j])
		sum := float64(g.both*float64(both.Weight)) + float64(g.column*float64(column.Weight-both.Weight))
		out.total[k] = float64(sum * h.Person)
	}
	out.withhold = c.quality(c.proportion(s, i, j, &out.cell, out.share, g)) == Withhold
	return out
}

// comparing is the comparison of the pairs in some rows.
type comparing struct {
	*counting
	in       []*indexed      // of the specs
	first    int             // of the rows: 0 if there are none
	stride   int             // columns of all specs, an index 0 included
	offsets  []int           // of each spec, among them
	sides    []*side         // row-major, once they were asked for
	found    [][]*Difference // of each row, by pair
	freedoms []freedoms      // of the pairs
	meet     side            // of the pair and row at hand
	joints   map[[3]*section][]joint
	spare    [][]strand // of sides that were let go of
}

func (c *counting) newComparing(in []*indexed, rows int) *comparing {
	x := &comparing{counting: c, in: in, first: min(1, rows), freedoms: make([]freedoms, len(c.Pairs)),
		joints: map[[3]*section][]joint{}}
	for _, t := range in {
		x.offsets = append(x.offsets, x.stride)
		x.stride += t.stride
	}
	n := rows + 1 - x.first
	x.sides, x.found = make([]*side, n*x.stride), make([][]*Difference, n)
	return x
}

// row is what was found in the i-th of the rows.
func (x *comparing) row(i int) []*Difference {
	if x.found[i] == nil {
		x.found[i] = make([]*Difference, len(x.Pairs))
	}
	return x.found[i]
}

// drop lets go of the i-th of the rows.
func (x *comparing) drop(i int) {
	x.found[i] = nil
	x.unravel(i)
	clear(x.sides[i*x.stride:][:x.stride])
}

// side finds a share in the i-th of the rows. Its respondents and totals are found once for all pairs.
func (x *comparing) side(i int, p Place) *side {
	t, row := x.in[p.Spec], x.first+i
	if row > len(t.Spec.Rows) || p.Column >= t.stride {
		return &side{}
	}
	known := &x.sides[i*x.stride+x.offsets[p.Spec]+p.Column]
	if *known == nil {
		*known = x.counting.side(t, row, p.Column)
	}
	return *known
}

// apart compares the pairs that have nobody in common, in the i-th of the rows.
func (x *comparing) apart(i int) error {
	for pair, at := range x.shared {
		if at.column > 0 {
			continue
		}
		if err := x.compare(i, pair, nil, 0); err != nil {
			return err
		}
	}
	return nil
}

// meeting compares pairs that have somebody in common: those of an overlap from the first-th on, of which met has who
// is in both columns, one column after the other.
func (x *comparing) meeting(o *overlap, first int, met *indexed) error {
	for i := range x.found {
		for j := range met.Spec.Columns {
			if err := x.compare(i, o.pairs[first+j], met, 1+j); err != nil {
				return err
			}
		}
		x.unravel(i)
	}
	clear(x.freedoms) // they hold met, which is large, and is not asked again
	clear(x.joints)
	return nil
}

// compare compares a pair in the i-th of the rows: the first less the second, nothing where there is nothing to
// compare. Who is in both columns is a column of met; nil is nobody.
func (x *comparing) compare(i, pair int, met *indexed, column int) error {
	p := x.Pairs[pair]
	a, b := x.side(i, p.A), x.side(i, p.B)
	if a.section == nil || b.section == nil || a.section.Namespace != b.section.Namespace {
		return nil
	}
	x.meet = side{}
	if met != nil {
		if err := x.findMeeting(x.first+i, pair, a, b, met, column); err != nil {
			return err
		}
	}
	if f := x.reading.Frame; f.Floor() > 0 && f.TooFew(pieces(a, b, &x.meet)...) {
		return nil
	}
	if d, decided := x.decide(pair, a, b); decided {
		x.keep(i, pair, a, b, d)
		return nil
	}
	variance, df := x.between(pair, a, b)
	if d, is := test(a.share.p-b.share.p, variance, df); is {
		x.keep(i, pair, a, b, d)
	}
	return nil
}

// keep keeps what was found of a pair in the i-th of the rows.
func (x *comparing) keep(i, pair int, a, b *side, d Difference) {
	d.Sound = a.cell.Both.Sample > 0 && b.cell.Both.Sample > 0 && !a.withhold && !b.withhold
	x.row(i)[pair] = &d
}

// pieces is how many respondents are in the parts into which two columns and the row cut each other: who is in one
// column only and who in both, each in the row and not. A difference is as sure as it is by these parts, and so tells
// of them.
func pieces(a, b, meet *side) []int64 {
	var both, others int64 // of those in both columns: in the row, and not
	if meet.section != nil {
		for k := range meet.section.Strata {
			n := meet.respondents[k]
			if meet.i != nowhere {
				_, _, _, in := meet.section.Strata[k].Moments(meet.rowPlace(), meet.section.ColumnPlaces[meet.j])
				both += in.Sample
				n -= in.Sample
			}
			others += n
		}
	}
	parts := []int64{both, others}
	for _, s := range []*side{a, b} {
		in, out := s.cell.Both.Sample, s.cell.Column.Sample-s.cell.Both.Sample
		parts = append(parts, in-both, out-others, in+out-both-others)
	}
	return append(parts, both+others)
}

// findMeeting finds those in both columns of a pair, as far as between needs them.
func (x *comparing) findMeeting(row, pair int, a, b *side, met *indexed, column int) error {
	s, i, j := met.find(row, column)
	if s == nil && !a.section.Cover.And(b.section.Cover).Empty() {
		// Where both columns are measured there is nobody in the row: it is of other locations, say. So it was not
		// measured there, but those who are in both columns count as ever.
		at := x.shared[pair]
		all, err := x.everyone(at, a.section.Namespace)
		if err != nil {
			return err
		}
		s, _, j = all.find(0, at.column)
		i = nowhere
	}
	if s == nil || s.columns[j].respondents == 0 {
		return nil
	}
	x.meet = side{section: s, i: i, j: j, column: s.columns[j].spread, respondents: s.sample(j)}
	if i != nowhere {
		x.meet.row = s.spreads[i*len(s.columns)+j]
	}
	return nil
}

// spread is P of the variance of a difference, from the parts that two columns are made of, and what it is the rest of;
// false where those in both count for different numbers of people in one column and in the other.
func spread(a, b, meet *side) (p, crude float64, simple bool) {
	if meet.section != nil && !meet.alike(a, b) {
		return 0, 0, false
	}
	add := func(gradient, of, less float64) {
		square := float64(gradient * gradient)
		p += float64(square * (of - less))
		crude += float64(square * of)
	}
	for _, s := range []*side{a, b} {
		add(s.in, s.row, meet.row)
		add(s.out, s.column-meet.column, s.row-meet.row)
		crude += float64(float64(s.out*s.out) * s.column)
	}
	add(a.in-b.in, meet.row, 0)
	add(a.out-b.out, meet.column, meet.row)
	return p, crude, true
}

// nowhere is the row of a side without a respondent who is in the row.
const nowhere = -1

// rowPlace is where the row of a side stands in the tables of its section; below 0 it is no one.
func (s *side) rowPlace() int {
	if s.i == nowhere {
		return nowhere
	}
	return s.section.RowPlaces[s.i]
}

// between is the variance of the difference of two shares that are a pair, and its degrees of freedom: the respondents
// in either column, each within its own fieldwork, less the fieldworks they are in, less one. x.meet is those in both
// columns.
func (x *comparing) between(pair int, a, b *side) (variance, df float64) {
	meet := &x.meet
	known := x.freedom(pair, a, b)
	df, joints := known.df, known.joints
	p, crude, simple := spread(a, b, meet)
	if !simple {
		return x.exact(a, b, joints), df
	}
	squares := 0.0
	if a.section.Cover.Equal(b.section.Cover) { // then their strata are the same fieldworks, in the same order
		for k := range a.section.design {
			if others := a.section.design[k].others; others > 0 {
				difference := a.total[k] - b.total[k]
				squares += float64(difference*difference) / others
			}
		}
	} else {
		for _, h := range joints {
			if n := h.respondents; n > 1 {
				difference := a.totalAt(h.a) - b.totalAt(h.b)
				squares += float64(difference*difference) / float64(n-1)
			}
		}
	}
	switch {
	case p-squares > sure*(crude+squares):
		return p - squares, df
	case crude == 0: // nobody varies: all or none of either column are in the row
		return 0, df
	}
	return x.exact(a, b, joints), df
}

// freedoms are the degrees of freedom of a pair, and the fieldwork it is compared in, as they were found last: they are
// the same in all rows of the same sections.
type freedoms struct {
	a, b, meet *section
	df         float64
	joints     []joint
}

// freedom is the degrees of freedom of a pair, and the fieldwork it is compared in.
func (x *comparing) freedom(pair int, a, b *side) *freedoms {
	known, meet := &x.freedoms[pair], &x.meet
	if known.a == a.section && known.b == b.section && known.meet == meet.section {
		return known
	}
	joints := x.join(a.section, b.section, meet.section)
	var respondents int64
	fieldworks := 0
	for _, h := range joints {
		if n := h.inEither(a, b, meet); n > 0 {
			respondents += n
			fieldworks++
		}
	}
	*known = freedoms{a.section, b.section, meet.section, max(1, freedom(respondents, fieldworks)-1), joints}
	return known
}

// joint is one fieldwork in which two shares are compared: the strata of each, and of those who are in both columns, -1
// where it is not covered.
type joint struct {
	a, b, meet  int
	respondents int64   // that the fieldwork has
	shared      float64 // what a squared weight of those in both columns counts for, where both are covered
}

// join lists the fieldwork that either of two shares covers, in the survey's order.
func (x *comparing) join(a, b, meet *section) (list []joint) {
	key := [3]*section{a, b, meet}
	list, known := x.joints[key]
	if known {
		return list
	}
	next := [3]int{}
	for {
		first := math.MaxInt
		for i, s := range key[:2] {
			if next[i] < len(s.Strata) {
				first = min(first, s.Strata[next[i]].Fieldwork)
			}
		}
		if first == math.MaxInt {
			x.joints[key] = list
			return list
		}
		at, h := [3]int{-1, -1, -1}, joint{}
		for i, s := range key {
			if s == nil {
				continue
			}
			for i == 2 && next[i] < len(s.Strata) && s.Strata[next[i]].Fieldwork < first {
				next[i]++
			}
			if next[i] < len(s.Strata) && s.Strata[next[i]].Fieldwork == first {
				at[i] = next[i]
				next[i]++
			}
		}
		h.a, h.b, h.meet = at[0], at[1], at[2]
		if h.a >= 0 {
			h.respondents = a.Strata[h.a].Respondents
		} else {
			h.respondents = b.Strata[h.b].Respondents
		}
		if h.a < 0 || h.b < 0 {
			h.meet = -1 // in one of the columns they count for nothing here
		} else {
			h.shared = float64(a.Strata[h.a].Person * b.Strata[h.b].Person)
			if n := float64(h.respondents); n > 1 {
				h.shared = float64(h.shared*n) / (n - 1)
			}
		}
		list = append(list, h)
	}
}

// totalAt is the total in a stratum; 0 where there is none.
func (s *side) totalAt(stratum int) float64 {
	if stratum < 0 {
		return 0
	}
	return s.total[stratum]
}

// inEither is how many are in either column.
func (h *joint) inEither(a, b, meet *side) int64 {
	n := int64(0)
	if h.a >= 0 {
		n += a.respondents[h.a]
	}
	if h.b >= 0 {
		n += b.respondents[h.b]
	}
	if h.meet >= 0 {
		n -= meet.respondents[h.meet]
	}
	return n
}

// two are the moments of a column, and of those of it who are in a row.
func two(h *audience.Stratum, row, column int) (all, inRow inference.Moments) {
	if column >= 0 {
		all = moments(h.Table.Moments(0, column))
		if row >= 0 {
			inRow = moments(h.Table.Moments(row, column))
		}
	}
	return all, inRow
}
