package estimate

import (
	"math/big"

	"github.com/crosswave/crosswave/internal/inference"
)

// invertible is of how many different numbers a mean, a standard deviation and a sample tell how many respondents have
// each: three figures, three unknowns.
const invertible = 3

// tooFew tells whether a mean of a column tells of fewer respondents than the caller may be told of.
func (c *numbering) tooFew(m *inference.Mean, b *numberBlock, column int) bool {
	f := c.reading.Frame
	switch {
	case f.Floor() == 0:
		return false
	case m.Sample < f.Floor():
		return true
	case c.Numbers.slices != nil || len(c.Numbers.rows) > invertible:
		return false
	}
	return f.TooFew(b.samples(column)...)
}

// samples is how many respondents of a column have each number, where numbers are parts.
func (b *numberBlock) samples(column int) []int64 {
	out := make([]int64, len(b.numbers.rows))
	for i := range out {
		s, at := b.main.find(2+i, column)
		if s == nil {
			continue
		}
		for k := range s.Strata {
			c, _ := count(&s.Strata[k], s.RowPlaces[at.row], s.ColumnPlaces[at.column])
			out[i] += c.Sample
		}
	}
	return out
}

// tells tells whether the difference of two means tells of fewer respondents than the caller may be told of: of those
// who are in one of two columns only, or in both.
func (c *numbering) tells(a, b *inference.Mean, both []*inference.Numbers) bool {
	n := int64(0)
	for _, in := range both {
		if in != nil {
			n += in.Sample
		}
	}
	return c.reading.Frame.TooFew(n, a.Sample-n, b.Sample-n)
}

// lone tells whether a quantile, in percent, of so many respondents is so near to an end that fewer than the caller may
// be told of are beyond it, if all weigh the same.
func (c *numbering) lone(sample int64, percent *big.Rat) bool {
	floor := c.reading.Frame.Floor()
	if floor == 0 {
		return false
	}
	side := new(big.Rat).Sub(big.NewRat(100, 1), percent)
	if side.Cmp(percent) > 0 {
		side = percent
	}
	beyond := new(big.Rat).Mul(side, new(big.Rat).SetInt64(sample))
	return beyond.Cmp(big.NewRat(100*floor, 1)) < 0
}
