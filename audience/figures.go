package audience

import "math/big"

// Figure is an audience measured. What Tabulate returns knows the exact fraction besides; of one that is made by hand
// the Size counts as exact.
type Figure struct {
	Sample int64   // respondents
	Size   float64 // people: the float64 nearest to the exact size, ties to even

	exact fraction
}

// Equal tells whether two figures are the same as they are written. Compared with ==, figures of one Size may differ,
// as one may know its fraction and the other not.
func (f Figure) Equal(g Figure) bool { return f.Sample == g.Sample && f.Size == g.Size }

// add adds what was counted in the locations of a term.
func (f *Figure) add(s *scale, t term, c Count) {
	f.Sample += c.Sample
	if c.Weight != 0 {
		f.exact.scale = s
		f.exact.add(c.Weight, t.n, t.share)
	}
}

// fraction is the exact size.
func (f *Figure) fraction() *fraction {
	if f.exact.scale != nil || f.Size == 0 {
		return &f.exact
	}
	return byHand(f.Size)
}

// byHand is the fraction that a float64 is.
func byHand(people float64) *fraction {
	x := new(big.Rat)
	x.SetFloat64(people) // which leaves 0 where it is not finite
	f := fromRat(x)
	return &f
}

// Without is those of f who are not in part, which must be of the same cell and a part of it: the base without a
// column, say, or a row without its intersection with the column. The size is the difference of the exact sizes.
func (f Figure) Without(part Figure) Figure {
	out := Figure{Sample: f.Sample - part.Sample, exact: f.fraction().less(part.fraction())}
	out.Size = out.exact.people()
	return out
}

// Percentage is how much of whole the part f is, 0–100, and 0 where the whole is 0: the float64 nearest to 100·f/whole,
// ties to even, formed from the exact sizes.
func (f Figure) Percentage(whole Figure) float64 { return f.fraction().percentage(whole.fraction()) }

// Index compares an intersection with what chance would give: 100·both·base/(row·column), 100 where rows and columns
// have nothing to do with each other, and 0 where a margin is 0. It is the float64 nearest to that, ties to even,
// formed from the exact sizes.
func Index(both, base, row, column Figure) float64 {
	return index100(both.fraction(), base.fraction(), row.fraction(), column.fraction())
}
