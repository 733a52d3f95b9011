package kernel

import (
	"fmt"
	"math"
	"math/bits"
)

// EqualWeight returns the weight that all of some have which are above 0; 0 if there are several, or none.
func EqualWeight(weights Weights) int64 {
	if weights.Small != nil {
		return int64(equal(weights.Small))
	}
	return equal(weights.Packed).unpack()
}

// equal is what all of xs are that are not 0; 0 if they differ.
func equal[T Packed | uint32](xs []T) (first T) {
	for _, x := range xs {
		if x != 0 && x != first {
			if first != 0 {
				return 0
			}
			first = x
		}
	}
	return first
}

// Equal does what [Kernel.Tile] does, and unless squares is nil what [Kernel.Squares] does, where all respondents under
// the mask have the same weight. Then samples tell all: a cell is counted by bitmaps alone, unless there are so many
// cells that have so few respondents that lists or bins take less.
func (k *Kernel) Equal(s *Scratch, acc []Count, squares []Square, stride int, rows, cols [][]uint64, mask []uint64,
	weights Weights, weight int64) {
	check(acc, stride, rows, cols, mask, weights)
	if squares != nil && len(squares) < len(acc) {
		panic(fmt.Sprintf("kernel: %d counts and %d squares", len(acc), len(squares)))
	}
	if len(rows) == 0 || len(cols) == 0 || len(mask) == 0 {
		return
	}
	s.equal = weight
	if len(rows)*len(cols) <= fewCells {
		k.samples(s, target{acc, squares, stride, 1}, rows, cols, mask)
	} else {
		k.tile(s, acc, squares, stride, rows, cols, mask, weights)
	}
	s.equal = 0
}

// samplesPrice is what counting by samples takes, in the unit of costs; infinite where weights are not equal.
func (k *Kernel) samplesPrice(s *Scratch) float32 {
	if s.equal == 0 {
		return float32(math.Inf(1))
	}
	rows := min(len(s.rows.members), len(s.cols.members))
	return float32(rows*len(s.mask)) * float32(1+max(len(s.rows.members), len(s.cols.members))) * k.costs.sample
}

// bySamples counts the block by samples: options without respondents are left out.
func (k *Kernel) bySamples(s *Scratch, t target) {
	a, b := &s.rows, &s.cols
	if len(a.members) > len(b.members) { // the shorter side is met with the mask
		a, b, t.list, t.transposed = b, a, t.transposed, t.list
	}
	in, weight := s.inside[0][:len(s.mask)], s.equal
	found := s.found[:min(len(b.xs), len(s.found))]
	for _, i := range a.members {
		And(in, a.xs[i], s.mask)
		for first := 0; first < len(b.xs); first += len(found) {
			xs := b.xs[first:min(first+len(found), len(b.xs))]
			k.count(found[:len(xs)], xs, in)
			for j := range xs {
				t.addSample(int(i), first+j, int64(found[j]), weight)
			}
		}
	}
}

// samples counts a few cells.
func (k *Kernel) samples(s *Scratch, t target, rows, cols [][]uint64, mask []uint64) {
	in := s.inside[0][:len(mask)]
	for i, row := range rows {
		And(in, row, mask)
		k.count(s.found[:len(cols)], cols, in)
		for j, n := range s.found[:len(cols)] {
			t.addSample(i, j, int64(n), s.equal)
		}
	}
}

// addSample adds so many respondents of one weight to a cell.
func (t target) addSample(option, of int, n, weight int64) {
	at := option*t.list + of*t.transposed
	t.acc[at].Sample += n
	t.acc[at].Weight += n * weight
	if t.squares != nil {
		// n is below 2^14 and a weight below 2^40, so that the products of the low and the high half fit.
		high, low := bits.Mul64(uint64(weight), uint64(weight))
		over, under := bits.Mul64(low, uint64(n))
		t.squares[at] = t.squares[at].Plus(Square{high*uint64(n) + over, under})
	}
}
