package estimate

import "math"

// How much must be left of what a variance is the difference of for a pair to be decided by it, and how near a p-value
// may come to where it would be decided otherwise.
const (
	fairlySure = 1e-3
	nearby     = 1e-6
)

// decide tests a pair of which only its sign and whether it is significant is told, where it would take long to compute
// its variance as it stands: where somebody is in both columns, and these cover different fieldwork. It forms the
// variance as that of the one share, of the other, and of what they have in common. That loses digits, so that nothing
// of it is told; but it is right to nine, and decides wherever the p-value is not that near to one at which it would be
// significant or not. Corrections other than FDR multiply it by a whole number, up to that of the pairs.
func (x *comparing) decide(pair int, a, b *side) (d Difference, decided bool) {
	meet := &x.meet
	if !x.Pairs[pair].Decided || x.Correction == FDR || meet.section == nil || meet.alike(a, b) {
		return d, false
	}
	known := x.freedom(pair, a, b)
	squares, met, metIn := 0.0, 0.0, 0.0
	row, column := meet.rowPlace(), meet.section.ColumnPlaces[meet.j]
	for i := range known.joints {
		h := &known.joints[i]
		if h.respondents > 1 {
			difference := a.totalAt(h.a) - b.totalAt(h.b)
			squares += float64(difference*difference) / float64(h.respondents-1)
		}
		if h.meet < 0 || column < 0 {
			continue
		}
		table := meet.section.Strata[h.meet].Table
		met += float64(h.shared * float128(table.Squares[column]))
		if row >= 0 {
			metIn += float64(h.shared * float128(table.Squares[row*(table.Columns+1)+column]))
		}
	}
	p, crude := 0.0, squares
	for _, s := range []*side{a, b} {
		in, out := float64(s.in*s.in), float64(s.out*s.out)
		p += float64(in*s.row) + float64(out*(s.column-s.row))
		crude += float64(in*s.row) + float64(out*s.column)
	}
	in, out := float64(2*a.in*b.in), float64(2*a.out*b.out)
	p -= float64(in*metIn) + float64(out*(met-metIn)) + squares
	crude += float64(math.Abs(in)*metIn) + float64(math.Abs(out)*met)
	if !(p > fairlySure*crude) {
		return d, false
	}
	d, is := test(a.share.p-b.share.p, p, known.df)
	if !is {
		return d, false
	}
	times := (100 - x.Level) / 100 / d.P // by how much p may be multiplied and be significant
	return d, times > float64(2*len(x.Pairs)) || math.Abs(times-math.Round(times)) > nearby*times
}

// alike tells whether those who are in both of two columns cover what each of them does.
func (s *side) alike(a, b *side) bool {
	return a.section.Cover.Equal(b.section.Cover) && a.section.Cover.Equal(s.section.Cover)
}
