package kernel

import (
	"fmt"
	"math"
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
// weights are below 2²⁴, or are once they are divided by what they are multiples
// of: weights with fewer decimals than the finest of their namespace. Where bins
// are what is counted by, weights of 32 bits need no layers then, see root.
func (k *Kernel) Squares(s *Scratch, acc []Count, squares []Square, stride int, rows, cols [][]uint64, mask []uint64,
	weights Weights) {
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

// SquaresOnly adds to squares what [Kernel.Squares] does. What it adds to acc, all of that or less, is of no use: it is
// for tables whose counts are known from elsewhere.
func (k *Kernel) SquaresOnly(s *Scratch, acc []Count, squares []Square, stride int, rows, cols [][]uint64,
	mask []uint64, weights Weights) {
	s.uncounted = true
	k.Squares(s, acc, squares, stride, rows, cols, mask, weights)
	s.uncounted = false
}

// cell adds a ∧ b ∧ mask to a count and a square, one respondent at a time.
func cell(count *Count, square *Square, a, b, mask []uint64, weights Weights) {
	c, sum := *count, *square
	a, b = a[:len(mask)], b[:len(mask)]
	for i, m := range mask {
		x := a[i] & b[i] & m
		c.Sample += int64(bits.OnesCount64(x))
		for ; x != 0; x &= x - 1 {
			w := weights.of(64*i + bits.TrailingZeros64(x))
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

// A root is a number that all weights of a block are multiples of, so that their squares are those of smaller numbers
// times a factor. Weights with fewer decimals than the finest of their namespace have one above 1.
type root struct {
	shift   int    // the root is an odd number, shifted to the left
	odd     uint32 // that number
	inverse uint32 // of it, modulo 2^32
	factor  uint64 // the square of the root
	words   int    // of which the squares, without the factor, fit 64 bits; 0 where there is no root
}

// rootDigits is how many digits what weights are times a root has at most: the squares of 16 words then fit 64 bits.
const rootDigits = 27

// newRoot returns a root of weights that are less than 2^digits times it.
func newRoot(g uint64, digits int) root {
	shift := bits.TrailingZeros64(g)
	odd := g >> shift
	return root{shift, uint32(odd), uint32(inverse(odd)), g * g, min(BlockWords, 1<<(64-6-2*digits))}
}

// of tells whether the root is one of weights of which these are all bits, one above the other, and the largest
// product with the inverse. A number of 32 bits is a multiple of an odd one just if that is no more than the largest
// multiple of 32 bits is times it.
func (r root) of(all, most uint32) bool {
	return all&(1<<r.shift-1) == 0 && most <= math.MaxUint32/r.odd
}

// takeSquares has the squares of the call's weights counted by a root, if there seems to be one, and else by layers.
func (s *Scratch) takeSquares(k *Kernel) {
	if k.binSquares != nil && s.small != nil && s.bits > 0 {
		g := factor(Weights{Small: s.small}, 64*len(s.mask))
		if digits := s.bits - bits.Len64(g) + 1; digits <= rootDigits {
			s.root, s.squareLimbs = newRoot(g, max(1, digits)), limbsOf(digits)
			return
		}
	}
	s.square(k)
}

// square makes the layers of the call: of the squares of weights.
func (s *Scratch) square(k *Kernel) {
	if s.weights == nil {
		s.pack(k)
	}
	weights, digits := s.weights[:64*len(s.mask)], s.bits
	if digits == 0 {
		digits = bitsOf(weights)
	}
	s.squareLimbs, s.factor = limbsOf(digits), 1
	if s.squareLimbs > 2 {
		if g := factor(Weights{Packed: weights}, len(weights)); limbsOf(digits-bits.Len64(g)+1) < s.squareLimbs {
			if all := k.divided(s.divided[:len(weights)], weights, g); all <= MaxWeight {
				weights, s.factor, s.squareLimbs = s.divided[:len(weights)], g*g, limbsOf(bits.Len64(all))
			}
		}
	}
	low, high := s.layer(0).weights[:len(weights)], []Packed(nil)
	if s.squareLimbs > 2 {
		high = s.layer(1).weights[:len(weights)]
	}
	s.layers = s.made[:(s.squareLimbs+1)/2]
	k.square(low, high, weights)
}

// bitsOf is how many binary digits weights have at most.
func bitsOf(weights []Packed) int {
	var all [4]Packed
	for from := weights; len(from) >= 4; from = from[4:] {
		all[0], all[1], all[2], all[3] = all[0]|from[0], all[1]|from[1], all[2]|from[2], all[3]|from[3]
	}
	return bits.Len64(uint64((all[0] | all[1] | all[2] | all[3]).unpack()))
}

// limbsOf is how many limbs of 24 bits the squares of weights of so many digits take; at least a layer's two.
func limbsOf(digits int) int { return max(2, (2*digits+limbBits-1)/limbBits) }

// tried is how many weights factor looks at.
const tried = 16

// factor is the largest number below 2^24 that the first few of n weights above 0 are multiples of, and maybe all of
// them; 1 if there is none.
func factor(weights Weights, n int) uint64 {
	g, seen := uint64(0), 0
	for i := range n {
		w := uint64(weights.of(i))
		if w == 0 {
			continue
		}
		for w != 0 {
			g, w = w, g%w
		}
		if seen++; seen == tried || g == 1 {
			break
		}
	}
	if g == 0 || g >= 1<<limbBits {
		return 1
	}
	return g
}

// divided writes weights divided by g, which is below 2^24, and returns all of their digits, one above the other. They
// are above those of [MaxWeight] if g does not divide a weight.
//
// A number is divided by an odd one that divides it by multiplying it, modulo 2^64, with the inverse of that. Where it
// does not divide it, the product times the odd number is 2^64 or more, so the product is above 2^40.
func (k *Kernel) divided(dst, weights []Packed, g uint64) (all uint64) {
	shift := bits.TrailingZeros64(g)
	return k.quotients(dst, weights, uint64(shift), inverse(g>>shift))
}

// inverse is that of an odd number, modulo 2^64.
func inverse(odd uint64) uint64 {
	x := odd // to 3 digits; each round doubles them
	for range 5 {
		x *= 2 - odd*x
	}
	return x
}

func twinQuotients(dst, from []Packed, shift, inverse uint64) (all uint64) {
	rest := uint64(1)<<shift - 1
	from = from[:len(dst)]
	for i, p := range from {
		w := uint64(p.unpack())
		q := w>>shift*inverse | -(w & rest) // above all that fits, where there is a rest
		all |= q
		dst[i] = Packed(q&lowLimb | q>>limbBits&highLimb<<32)
	}
	return all
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

// putSquares adds a listed option's sums, and those of the layers, to the cells of the transposed options.
func (l *listing) putSquares(counts *sums, total int, option int32) {
	first := int(option) * l.t.list
	acc, squares := l.t.acc[first:], l.t.squares[first:]
	low, v, factor := l.s.layers[0].of(total), l.k.wide, l.s.factor
	if len(l.s.layers) == 1 {
		for i, p := range l.panel {
			at, i := int(p.option)*l.t.transposed, i%lanes
			c, x := &acc[at], &squares[at]
			c.Sample += counts.sample[i]
			c.Weight += counts.weight[i]
			over, under := bits.Mul64(v.read(low, counts, i), factor)
			var carry uint64
			x.Low, carry = bits.Add64(x.Low, under, 0)
			x.High, _ = bits.Add64(x.High, over, carry)
		}
		return
	}
	high := l.s.layers[1].of(total)
	for i, p := range l.panel {
		at, i := int(p.option)*l.t.transposed, i%lanes
		c, x := &acc[at], &squares[at]
		c.Sample += counts.sample[i]
		c.Weight += counts.weight[i]
		less, more := v.read(low, counts, i), v.read(high, counts, i)
		under, carry := bits.Add64(less, more<<layerBits, 0)
		over := (more>>(64-layerBits) + carry) * factor
		product, rest := bits.Mul64(under, factor)
		x.Low, carry = bits.Add64(x.Low, rest, 0)
		x.High, _ = bits.Add64(x.High, over+product, carry)
	}
}
