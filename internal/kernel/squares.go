package kernel

import (
	"fmt"
	"math/bits"
)

// A Square is a sum of squared weights, in units², of 128 bits.
type Square struct{ High, Low uint64 }

// Plus is x + y.
func (x Square) Plus(y Square) Square {
	low, carry := bits.Add64(x.Low, y.Low, 0)
	return Square{x.High + y.High + carry, low}
}

// Squares does what [Kernel.Tile] does, and adds to squares[i*stride+j] the sum of
// the squares of the weights that Tile adds to acc[i*stride+j].
//
// A squared weight has up to 80 bits. It is taken apart into limbs of 48 bits, the
// layers, and each is added up as weights are: by the same division, against the
// same transposed options, along the same lists. One layer does for a block whose
// weights are below 2²⁴.
func (k *Kernel) Squares(s *Scratch, acc []Count, squares []Square, stride int, rows, cols [][]uint64, mask []uint64,
	weights []Packed) {
	check(acc, stride, rows, cols, mask, weights)
	if len(squares) < len(acc) {
		panic(fmt.Sprintf("kernel: %d counts and %d squares", len(acc), len(squares)))
	}
	if len(rows) == 0 || len(cols) == 0 || len(mask) == 0 {
		return
	}
	if len(rows)*len(cols) <= fewCells {
		for i, row := range rows {
			for j, col := range cols {
				cell(&acc[i*stride+j], &squares[i*stride+j], row, col, mask, weights)
			}
		}
		return
	}
	k.tile(s, acc, squares, stride, rows, cols, mask, weights)
}

// cell adds a ∧ b ∧ mask to a count and a square, one respondent at a time.
func cell(count *Count, square *Square, a, b, mask []uint64, weights []Packed) {
	c, sum := *count, *square
	a, b = a[:len(mask)], b[:len(mask)]
	for i, m := range mask {
		x := a[i] & b[i] & m
		c.Sample += int64(bits.OnesCount64(x))
		block := (*[64]Packed)(weights[64*i:])
		for ; x != 0; x &= x - 1 {
			w := block[bits.TrailingZeros64(x)&63].unpack()
			c.Weight += w
			high, low := bits.Mul64(uint64(w), uint64(w))
			var carry uint64
			sum.Low, carry = bits.Add64(sum.Low, low, 0)
			sum.High += high + carry
		}
	}
	*count, *square = c, sum
}

const (
	layerBits = 2 * limbBits // of a squared weight, in each layer
	maxLayers = 2
)

// A layer is one limb of the squared weights of a block, with what is counted of it.
type layer struct {
	weights [blockSize]Packed // both limbs of 24 bits, and no count
	sums    sums              // as Scratch has them of the weights
	margin  sums
	totals  [maxOptions]sums
}

// of returns the totals of a number, or the latest sums.
func (y *layer) of(total int) *sums {
	if total == latest {
		return &y.sums
	}
	return &y.totals[total]
}

// layer returns the layer of a number, to be written.
func (s *Scratch) layer(i int) *layer {
	if s.made[i] == nil {
		s.made[i] = new(layer)
	}
	return s.made[i]
}

// square makes the layers of the call: of the squares of weights.
func (s *Scratch) square(k *Kernel, weights []Packed) {
	var all [4]Packed
	for from := weights; len(from) >= 4; from = from[4:] {
		all[0], all[1], all[2], all[3] = all[0]|from[0], all[1]|from[1], all[2]|from[2], all[3]|from[3]
	}
	digits := bits.Len64(uint64((all[0] | all[1] | all[2] | all[3]).unpack()))
	s.squareLimbs = max(2, (2*digits+limbBits-1)/limbBits)
	low, high := s.layer(0).weights[:len(weights)], []Packed(nil)
	if s.squareLimbs > 2 {
		high = s.layer(1).weights[:len(weights)]
	}
	s.layers = s.made[:(s.squareLimbs+1)/2]
	k.square(low, high, weights)
}

func twinSquare(low, high, from []Packed) {
	low = low[:len(from)]
	if high == nil {
		for i, p := range from {
			w := uint64(p & lowLimb)
			low[i] = wideLimb(w * w)
		}
		return
	}
	high = high[:len(from)]
	for i, p := range from {
		w := uint64(p.unpack())
		over, under := bits.Mul64(w, w)
		low[i] = wideLimb(under & (1<<layerBits - 1))
		high[i] = wideLimb(over<<(64-layerBits) | under>>layerBits)
	}
}

// wideLimb is a number of 48 bits as the kernels add it.
func wideLimb(x uint64) Packed { return Packed(x&lowLimb | x>>limbBits<<32) }

// wide tells how to read the sums of limbs of 24 bits, without a count, that a kernel has added as if they were limbs
// of 24 and of 16 bits below a count. Where the high limbs have run into the count it is above what it should be.
type wide struct {
	shift   uint  // of the place of the count, above a sum of weights
	counted int64 // what the kernel has counted for each respondent itself
}

// limbs24 is the way of the kernels in assembly: 255 limbs of 24 bits fit 32 bits, and the part of them that is above
// the lower 24 is taken for a count.
var limbs24 = wide{shift: layerBits}

// read returns what option i's limbs add up to: below 2^61, and exact even where what was counted has overflown. counts
// are its sums of weights.
func (v wide) read(layer, counts *sums, i int) uint64 {
	return uint64(layer.weight[i]) + uint64(layer.sample[i]-counts.sample[i]*v.counted)<<v.shift
}

// putSquares adds the sums of the layers, of a listed option, to the squares of the transposed options.
func (l *listing) putSquares(counts *sums, total int, option int32) {
	squares := l.t.squares[int(option)*l.t.list:]
	low, v := l.s.layers[0].of(total), l.k.wide
	if len(l.s.layers) == 1 {
		for i, p := range l.panel {
			x := &squares[int(p.option)*l.t.transposed]
			var carry uint64
			x.Low, carry = bits.Add64(x.Low, v.read(low, counts, i%lanes), 0)
			x.High += carry
		}
		return
	}
	high := l.s.layers[1].of(total)
	for i, p := range l.panel {
		x := &squares[int(p.option)*l.t.transposed]
		more := v.read(high, counts, i%lanes)
		var carry uint64
		x.Low, carry = bits.Add64(x.Low, more<<layerBits, 0)
		x.High += more>>(64-layerBits) + carry
		x.Low, carry = bits.Add64(x.Low, v.read(low, counts, i%lanes), 0)
		x.High += carry
	}
}
