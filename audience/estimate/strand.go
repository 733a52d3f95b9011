package estimate

import "github.com/crosswave/crosswave/internal/inference"

// strand is a column in one fieldwork as a comparison takes it, where its variance is computed as it stands: who is in
// the row, and the others. It is the same in all pairs of a column, but for those who are in the other column as well.
type strand struct {
	in, out           inference.Part
	inTerm, outTerm   inference.Term
	otherIn, otherOut inference.Term // where the column is the second of a pair
}

// strand forms what a comparison takes of a share in a stratum.
func (s *side) strand(stratum int) strand {
	h := &s.section.Strata[stratum]
	column, in := two(h, s.rowPlace(), s.section.ColumnPlaces[s.j])
	t := strand{
		in:  inference.Part{Moments: in, Gradient: float64(s.in * h.Person)},
		out: inference.Part{Moments: column.Less(in), Gradient: float64(s.out * h.Person)},
	}
	t.inTerm, t.outTerm = t.in.Term(), t.out.Term()
	t.otherIn, t.otherOut = t.inTerm.Negated(), t.outTerm.Negated()
	return t
}

// ravel forms the strands of a share, unless they are known.
func (x *comparing) ravel(s *side) []strand {
	if s.strands != nil {
		return s.strands
	}
	if n := len(x.spare); n > 0 {
		s.strands, x.spare = x.spare[n-1][:0], x.spare[:n-1]
	}
	for k := range s.section.Strata {
		s.strands = append(s.strands, s.strand(k))
	}
	return s.strands
}

// unravel lets go of the strands of the i-th of the rows: they are large.
func (x *comparing) unravel(i int) {
	for _, s := range x.sides[i*x.stride:][:x.stride] {
		if s != nil && s.strands != nil {
			x.spare, s.strands = append(x.spare, s.strands), nil
		}
	}
}

// exact is the variance of the difference of two shares, computed as it stands: who is in one column only, and who is
// in both, each in the row and not.
func (x *comparing) exact(a, b *side, joints []joint) float64 {
	var v inference.Variance
	first, second := x.ravel(a), x.ravel(b)
	for _, h := range joints {
		switch {
		case h.b < 0:
			t := &first[h.a]
			v.AddTerms(h.respondents, t.inTerm, t.outTerm)
		case h.a < 0:
			t := &second[h.b]
			v.AddTerms(h.respondents, t.otherIn, t.otherOut)
		default:
			x.addShared(&v, &h, &first[h.a], &second[h.b])
		}
	}
	return v.Value()
}

// addShared adds a fieldwork that both columns cover.
func (x *comparing) addShared(v *inference.Variance, h *joint, a, b *strand) {
	var column, in inference.Moments // of those in both columns
	if h.meet >= 0 {
		s := &x.meet
		column, in = two(&s.section.Strata[h.meet], s.rowPlace(), s.section.ColumnPlaces[s.j])
	}
	terms := [6]inference.Term{a.inTerm, a.outTerm, {}, b.otherIn, b.otherOut, {}}
	if in.Sample > 0 {
		both := inference.Part{Moments: in, Gradient: a.in.Gradient - b.in.Gradient}
		terms[0], terms[2], terms[3] = less(&a.in, in), both.Term(), less(&b.in, in).Negated()
	}
	if out := column.Less(in); out.Sample > 0 {
		both := inference.Part{Moments: out, Gradient: a.out.Gradient - b.out.Gradient}
		terms[1], terms[4], terms[5] = less(&a.out, out), less(&b.out, out).Negated(), both.Term()
	}
	v.AddTerms(h.respondents, terms[:]...)
}

// less is the term of a part without some of it.
func less(p *inference.Part, without inference.Moments) inference.Term {
	rest := inference.Part{Moments: p.Less(without), Gradient: p.Gradient}
	return rest.Term()
}
