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
		_, _, column, both := four(h, s.RowPlaces[i], s.ColumnPlaces[j])
		sum := float64(g.both*float64(both.Weight)) + float64(g.column*float64(column.Weight-both.Weight))
		out.total[k] = float64(sum * h.Person)
	}
	out.withhold = c.quality(c.proportion(s, i, j, &out.cell, out.share, g)) == Withhold
	return out
}

// compare compares the pairs in a row of the tables at hand. For each pair it is the first less the second; nil where
// there is nothing to compare.
func (c *counting) compare(row int, in []*indexed) ([]*Difference, error) {
	sides := map[Place]*side{}
	of := func(p Place) *side {
		x, known := sides[p]
		if !known {
			x = &side{}
			if t := in[p.Spec]; row <= len(t.Spec.Rows) && p.Column < t.stride {
				x = c.side(t, row, p.Column)
			}
			sides[p] = x
		}
		return x
	}
	out := make([]*Difference, len(c.Pairs))
	for i, p := range c.Pairs {
		a, b := of(p.A), of(p.B)
		if a.section == nil || b.section == nil || a.section.Namespace != b.section.Namespace {
			continue
		}
		meet, err := c.meeting(i, row, a, b, in)
		if err != nil {
			return nil, err
		}
		if f := c.reading.Frame; f.Floor() > 0 && f.TooFew(pieces(a, b, meet)...) {
			continue
		}
		variance, df := between(a, b, meet)
		if d, is := test(a.share.p-b.share.p, variance, df); is {
			d.Sound = a.cell.Both.Sample > 0 && b.cell.Both.Sample > 0 && !a.withhold && !b.withhold
			out[i] = &d
		}
	}
	return out, nil
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

// meeting is those in both columns of a pair, as far as between needs them.
func (c *counting) meeting(pair, row int, a, b *side, in []*indexed) (*side, error) {
	at := c.shared[pair]
	if at.column == 0 {
		return &side{}, nil
	}
	s, i, j := in[len(c.Specs)+at.overlap].find(row, at.column)
	if s == nil && !a.section.Cover.And(b.section.Cover).Empty() {
		// Where both columns are measured there is nobody in the row: it is of other locations, say. So it was not
		// measured there, but those who are in both columns count as ever.
		all, err := c.everyone(at, a.section.Namespace)
		if err != nil {
			return nil, err
		}
		s, _, j = all.find(0, at.column)
		i = nowhere
	}
	if s == nil || s.columns[j].respondents == 0 {
		return &side{}, nil
	}
	out := &side{section: s, i: i, j: j, column: s.columns[j].spread, respondents: s.sample(j)}
	if i != nowhere {
		out.row = s.cells[i*len(s.columns)+j].spread
	}
	return out, nil
}

// spread is P of the variance of a difference, from the parts that two columns are made of, and what it is the rest of;
// false where those in both count for different numbers of people in one column and in the other.
func spread(a, b, meet *side) (p, crude float64, simple bool) {
	if meet.section != nil && !(a.section.Cover.Equal(b.section.Cover) && a.section.Cover.Equal(meet.section.Cover)) {
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

// between is the variance of the difference of two shares, and its degrees of freedom: the respondents in either
// column, each within its own fieldwork, less the fieldworks they are in, less one. meet is those in both columns.
func between(a, b, meet *side) (variance, df float64) {
	var respondents int64
	fieldworks, squares := 0, 0.0
	for h := range both(a, b, meet) {
		if n := h.respondents(); n > 0 {
			respondents += n
			fieldworks++
		}
		if n := h.all(); n > 1 {
			difference := h.total(a, h.a) - h.total(b, h.b)
			squares += float64(difference*difference) / float64(n-1)
		}
	}
	df = max(1, freedom(respondents, fieldworks)-1)
	if p, crude, simple := spread(a, b, meet); simple && p-squares > sure*(crude+squares) {
		return p - squares, df
	}
	var v inference.Variance
	for h := range both(a, b, meet) {
		h.add(&v)
	}
	return v.Value(), df
}

// pairing is one fieldwork in which two shares are compared: the strata of each, -1 where it does not cover it.
type pairing struct {
	of         [3]*side // a, b and those who are in both columns
	a, b, meet int
}

// both ranges over the fieldwork that either of two shares covers, in the survey's order.
func both(a, b, meet *side) func(yield func(pairing) bool) {
	return func(yield func(pairing) bool) {
		p := pairing{of: [3]*side{a, b, meet}}
		next := [3]int{}
		for {
			first := math.MaxInt
			for i, s := range p.of[:2] {
				if next[i] < len(s.section.Strata) {
					first = min(first, s.section.Strata[next[i]].Fieldwork)
				}
			}
			if first == math.MaxInt {
				return
			}
			at := [3]int{-1, -1, -1}
			for i, s := range p.of {
				if s.section == nil {
					continue
				}
				for i == 2 && next[i] < len(s.section.Strata) && s.section.Strata[next[i]].Fieldwork < first {
					next[i]++
				}
				if next[i] < len(s.section.Strata) && s.section.Strata[next[i]].Fieldwork == first {
					at[i] = next[i]
					next[i]++
				}
			}
			p.a, p.b, p.meet = at[0], at[1], at[2]
			if !yield(p) {
				return
			}
		}
	}
}

// all is how many respondents the fieldwork has.
func (p *pairing) all() int64 {
	if p.a >= 0 {
		return p.of[0].section.Strata[p.a].Respondents
	}
	return p.of[1].section.Strata[p.b].Respondents
}

func (p *pairing) total(s *side, at int) float64 {
	if at < 0 {
		return 0
	}
	return s.total[at]
}

// respondents is how many are in either column.
func (p *pairing) respondents() int64 {
	n := int64(0)
	if p.a >= 0 {
		n += p.of[0].respondents[p.a]
	}
	if p.b >= 0 {
		n += p.of[1].respondents[p.b]
	}
	if p.a >= 0 && p.b >= 0 && p.meet >= 0 {
		n -= p.of[2].respondents[p.meet]
	}
	return n
}

// add adds the fieldwork to a variance: who is in one column only, and who is in both, each in the row and not.
func (p *pairing) add(v *inference.Variance) {
	var column, in [3]inference.Moments // of a, b and those in both columns: all, and who of them is in the row
	var gradient [2][2]float64          // of a and b: for those in the row and for the others
	at := [3]int{p.a, p.b, p.meet}
	if p.a < 0 || p.b < 0 {
		at[2] = -1 // in one of the columns they count for nothing here
	}
	for i, k := range at {
		if k < 0 {
			continue
		}
		s := p.of[i]
		h := &s.section.Strata[k]
		_, _, column[i], in[i] = four(h, s.rowPlace(), s.section.ColumnPlaces[s.j])
		if i < 2 {
			gradient[i] = [2]float64{float64(s.in * h.Person), float64(s.out * h.Person)}
		}
	}
	var parts [6]inference.Part
	others := column[2].Less(in[2])
	for i := range 2 {
		sign := float64(1 - 2*i)
		parts[3*i] = inference.Part{Moments: in[i].Less(in[2]), Gradient: sign * gradient[i][0]}
		parts[3*i+1] = inference.Part{Moments: column[i].Less(in[i]).Less(others), Gradient: sign * gradient[i][1]}
	}
	parts[2] = inference.Part{Moments: in[2], Gradient: gradient[0][0] - gradient[1][0]}
	parts[5] = inference.Part{Moments: others, Gradient: gradient[0][1] - gradient[1][1]}
	v.Add(p.all(), parts[:]...)
}
