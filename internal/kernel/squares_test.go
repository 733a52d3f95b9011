package kernel

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// big returns x as an integer of any size.
func (x Square) big() *big.Int {
	n := new(big.Int).SetUint64(x.High)
	n.Lsh(n, 64)
	return n.Or(n, new(big.Int).SetUint64(x.Low))
}

// compareSquares runs every kernel on the block and compares counts with the naive loop, and squares with integers of
// any size, by adding to counts that are not zero and to squares just below where the low half overflows.
func (b block) compareSquares(t *testing.T, s *Scratch) {
	t.Helper()
	stride := len(b.cols) + 2
	counts, squares := make([]Count, len(b.rows)*stride), make([]Square, len(b.rows)*stride)
	for i := range counts {
		counts[i], squares[i] = Count{int64(i), 7}, Square{uint64(i), math.MaxUint64 - uint64(i)}
	}
	want := append([]Count(nil), counts...)
	naive(want, stride, b.rows, b.cols, b.mask, b.weights)
	wantSquares := b.squares(squares, stride)
	all := given(b.weights)
	for _, k := range methods() {
		for _, weights := range all[max(1, len(all)-2):] {
			got, gotSquares := append([]Count(nil), counts...), append([]Square(nil), squares...)
			k.Squares(s, got, gotSquares, stride, b.rows, b.cols, b.mask, weights)
			for i := range want {
				if got[i] != want[i] || gotSquares[i].big().Cmp(wantSquares[i]) != 0 {
					t.Fatalf("%s: %d words, %d × %d, %d bits: cell %d, %d: %+v and %d, want %+v and %d", k, len(b.mask),
						len(b.rows), len(b.cols), weights.Bits, i/stride, i%stride, got[i], gotSquares[i].big(), want[i],
						wantSquares[i])
				}
			}
			alone := append([]Square(nil), squares...)
			k.SquaresOnly(s, append([]Count(nil), counts...), alone, stride, b.rows, b.cols, b.mask, weights)
			if !slices.Equal(alone, gotSquares) {
				t.Fatalf("%s: %d words, %d × %d, %d bits: squares are others where counts are not wanted", k, len(b.mask),
					len(b.rows), len(b.cols), weights.Bits)
			}
		}
	}
}

// squares returns what the block's squares make of start.
func (b block) squares(start []Square, stride int) []*big.Int {
	out := make([]*big.Int, len(start))
	for i, x := range start {
		out[i] = x.big()
	}
	square := new(big.Int)
	for i, w := range b.weights {
		if b.mask[i/64]>>(i%64)&1 == 0 {
			continue
		}
		square.SetInt64(w)
		square.Mul(square, square)
		for r, row := range b.rows {
			for c, col := range b.cols {
				if (row[i/64]&col[i/64])>>(i%64)&1 == 1 {
					out[r*stride+c].Add(out[r*stride+c], square)
				}
			}
		}
	}
	return out
}

// The limits of weights: those that one layer holds, and those that need two.
var limits = []int64{1, 2, 1<<12 - 1, 1 << 12, 1<<24 - 1, 1 << 24, 1<<24 + 1, 1 << 32, MaxWeight - 1, MaxWeight}

// A full block of one weight: the limbs of 2^24-1 and of MaxWeight are all ones but few, and 8,192 of them are 32 times
// what 32 bits hold. Every third respondent has a weight of 1 in a second round.
func TestSquaresLimits(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(21, 22))
	for _, most := range limits {
		for _, other := range []int64{most, 1} {
			for _, n := range []int{1, 5, BlockWords} {
				b := newBlock(r, n, 5, 7, 0.9, 0.6, 1, 1)
				b.rows = append(b.rows, b.mask)
				b.cols = append(b.cols, b.mask)
				for i := range b.weights {
					b.weights[i] = most
					if i%3 == 0 {
						b.weights[i] = other
					}
				}
				b.compareSquares(t, &s)
			}
		}
	}
}

// Weights that are multiples of a number, or seem to be by the first of them: one at the end is not.
func TestSquaresOfMultiples(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(27, 28))
	for _, of := range []int64{1, 3, 8, 100, 127, 131, 1000, 4096, 999_999, 1<<24 - 1} {
		for _, last := range []int64{1, 1 + of/2, max(1, of-1), 1<<25 - 1, 1 << 25, math.MaxUint32} {
			b := newBlock(r, BlockWords, 1, 6, 0.9, 0.6, 1, 1)
			b.rows = append(b.rows, b.mask)
			for i := range b.weights {
				b.weights[i] = of * (1 + r.Int64N(min(math.MaxUint32, (1<<rootDigits-1)*of)/of))
			}
			end := 64*len(b.mask) - 3
			b.mask[end/64] |= 1 << (end % 64)
			b.weights[end] = last
			b.compareSquares(t, &s)
			b.mask[end/64] &^= 1 << (end % 64) // outside of the mask it does not matter
			b.compareSquares(t, &s)
		}
	}
}

// The largest weights whose squares are counted by a root, and everybody in one cell: 1,024 of their squares are just
// below 2^64.
func TestSquaresOfLargeMultiples(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(29, 30))
	for _, of := range []int64{1, 8, 16} {
		b := newBlock(r, BlockWords, 1, 6, 0.9, 0.6, 1, 1)
		for i := range b.mask {
			b.mask[i] = math.MaxUint64
		}
		b.rows, b.cols = append(b.rows, b.mask), append(b.cols, b.mask)
		for i := range b.weights {
			b.weights[i] = of * (1<<rootDigits - 1 - int64(i%2))
		}
		b.compareSquares(t, &s)
	}
}

// Tables of all shapes and densities: of few cells, of several panels, with options that are listed by their complement
// or in combinations.
func TestSquaresShapes(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(23, 24))
	for _, shape := range [][2]int{{0, 3}, {1, 1}, {2, 2}, {1, 7}, {17, 3}, {50, 20}, {70, 66}, {3, 140}} {
		for _, n := range []int{0, 1, 3, 20} {
			if shape[0]*shape[1]*n > 10_000 {
				n = 2
			}
			for _, density := range []float64{0, 0.01, 0.3, 0.95, 1} {
				most := limits[r.IntN(len(limits))]
				b := newBlock(r, n, shape[0], shape[1], density, 0.4, 0.9, most)
				b.compareSquares(t, &s)
				b.rows = questions(r, n, 0.1, 2, 3, 4, 2)
				b.compareSquares(t, &s)
			}
		}
	}
}

// Every kernel takes squares apart as the twin does.
func TestKernelSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	for _, most := range []int64{1, 1 << 12, lowLimb, 1 << 32, MaxWeight} {
		weights := randomWeights(r, bitmap(r, 3, .9), most)
		copy(weights, []int64{most, 0, 1, most - 1})
		packed := make([]Packed, len(weights))
		Pack(packed, weights)
		for _, k := range All() {
			var got, want [2][]Packed
			for i := range got {
				if i == 0 || most > lowLimb {
					got[i], want[i] = make([]Packed, len(packed)), make([]Packed, len(packed))
				}
			}
			if most > lowLimb {
				k.square(got[0], got[1], packed)
			} else {
				k.square(got[0], nil, packed)
			}
			twinSquare(want[0], want[1], packed)
			if !slices.Equal(got[0], want[0]) || !slices.Equal(got[1], want[1]) {
				t.Errorf("%s: squares of weights up to %d are not those of the twin", k, most)
			}
		}
	}
}

// A block with two layers leaves nothing behind for one with one layer, nor for Tile.
func TestSquaresAfterOthers(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(25, 26))
	for _, most := range []int64{MaxWeight, 100, MaxWeight, 1 << 23} {
		b := newBlock(r, 4, 20, 20, 0.4, 0.4, 0.8, most)
		b.compareSquares(t, &s)
		b.compare(t, &s)
	}
}

// Sums of a block are carried into the high half: what 2^24 and more of the greatest weights come to, block by block.
func TestSquaresCarry(t *testing.T) {
	weights := make([]Packed, blockSize)
	mask := make([]uint64, BlockWords)
	for i := range weights {
		weights[i] = PackOne(MaxWeight)
	}
	for i := range mask {
		mask[i] = math.MaxUint64
	}
	xs := [][]uint64{mask, mask, mask}
	const blocks = 1<<24/blockSize + 3
	each := big.NewInt(MaxWeight)
	each.Mul(each, each)
	want := each.Mul(each, big.NewInt(blocks*blockSize))
	if want.BitLen() <= 64+8*5 {
		t.Fatalf("the sum has %d bits only", want.BitLen())
	}
	for _, k := range All() {
		if k == twin && testing.Short() {
			continue
		}
		s, counts, squares := new(Scratch), make([]Count, 9), make([]Square, 9)
		for range blocks {
			k.Squares(s, counts, squares, 3, xs, xs, mask, Weights{Packed: weights})
		}
		for i, x := range squares {
			if x.big().Cmp(want) != 0 || counts[i].Sample != blocks*blockSize {
				t.Errorf("%s: %d of %d respondents, want %d", k, x.big(), counts[i].Sample, want)
			}
		}
	}
}

func TestSquaresChecks(t *testing.T) {
	x, ws := make([]uint64, 2), make([]Packed, 128)
	for _, k := range All() {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", k)
				}
			}()
			k.Squares(new(Scratch), make([]Count, 4), make([]Square, 3), 2, [][]uint64{x, x}, [][]uint64{x, x}, x,
				Weights{Packed: ws})
		}()
	}
}

func TestSquaresAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	b := newBlock(r, 16, 40, 70, 0.2, 0.2, 0.9, MaxWeight)
	packed := make([]Packed, len(b.weights))
	Pack(packed, b.weights)
	acc, squares := make([]Count, 40*70), make([]Square, 40*70)
	for _, k := range methods() {
		s := new(Scratch)
		if n := testing.AllocsPerRun(10, func() {
			k.Squares(s, acc, squares, 70, b.rows, b.cols, b.mask, Weights{Packed: packed})
		}); n != 0 {
			t.Errorf("%s: %v allocations for a block", k, n)
		}
	}
}

// FuzzSquares reads a block's shape, densities and weights from the seed and compares every kernel with integers of any
// size.
func FuzzSquares(f *testing.F) {
	f.Add(uint64(1), uint8(128), uint8(9), uint8(7), uint8(50), uint8(255), uint64(MaxWeight))
	f.Add(uint64(2), uint8(1), uint8(1), uint8(65), uint8(0), uint8(100), uint64(1))
	f.Add(uint64(3), uint8(9), uint8(40), uint8(17), uint8(250), uint8(255), uint64(1<<24-1))
	f.Add(uint64(4), uint8(13), uint8(20), uint8(20), uint8(200), uint8(128), uint64(1<<24))
	f.Add(uint64(6), uint8(128), uint8(3), uint8(2), uint8(255), uint8(255), uint64(MaxWeight))
	s := new(Scratch)
	f.Fuzz(func(t *testing.T, seed uint64, words, rows, cols, rowDensity, maskDensity uint8, most uint64) {
		n := int(words) % (BlockWords + 1)
		if int(rows)*int(cols)*n > 10_000 {
			n = 10_000 / (int(rows) * int(cols))
		}
		r := rand.New(rand.NewPCG(seed, 0))
		b := newBlock(r, n, int(rows), int(cols), float64(rowDensity)/255, 0.3, float64(maskDensity)/255,
			1+int64(most%MaxWeight))
		if seed%2 == 0 { // weights at the limit
			for i, w := range b.weights {
				b.weights[i] = w | -w>>63&MaxWeight
			}
		}
		b.compareSquares(t, s)
	})
}

// BenchmarkSquares counts the same as BenchmarkTile, with squares, of weights that need one layer and two.
func BenchmarkSquares(b *testing.B) {
	for _, shape := range []struct{ words, rows, cols int }{{1024, 50, 50}, {1024, 200, 20}, {1024, 50, 1}, {1024, 1, 1}} {
		v := newSurvey(shape.words, shape.rows, shape.cols)
		small := make([]Packed, len(v.weights))
		for i, p := range v.weights {
			small[i] = PackOne(1 + p.unpack()>>16)
		}
		for _, k := range All() {
			s, acc := new(Scratch), make([]Count, shape.rows*shape.cols)
			squares := make([]Square, len(acc))
			for _, measure := range []struct {
				name    string
				weights []Packed
				squares []Square
			}{{"plain", small, nil}, {"one layer", small, squares}, {"two layers", v.weights, squares}} {
				b.Run(fmt.Sprintf("%dx%d/%s/%s", shape.rows, shape.cols, k, measure.name), func(b *testing.B) {
					v := v
					v.weights = measure.weights
					for b.Loop() {
						v.count(k, s, acc, measure.squares)
					}
				})
			}
		}
	}
}

// Weights that are multiples of a number, which their squares are divided by: all of them, all but one in the end, and
// with a quotient that takes as many limbs as before.
func TestSquaresFactor(t *testing.T) {
	var s Scratch
	r := rand.New(rand.NewPCG(27, 28))
	for _, g := range []int64{1, 2, 3, 10, 100, 1000, 1 << 20, 999_983, 1<<24 - 1, 1 << 24} {
		for _, quotient := range []int64{1, 50, 1<<12 - 1, 1 << 15, MaxWeight / g} {
			quotient = min(quotient, MaxWeight/g)
			b := newBlock(r, 5, 9, 20, 0.4, 0.4, 1, quotient)
			for i, w := range b.weights {
				b.weights[i] = g * w
			}
			b.weights[0] = g * quotient // so that it is known how many digits there are
			packed := make([]Packed, len(b.weights))
			Pack(packed, b.weights)
			s.take(b.mask, Weights{Packed: packed})
			s.square(twin)
			if limbs := limbsOf(bits.Len64(uint64(quotient))); g < 1<<24 && s.squareLimbs > limbs {
				t.Errorf("%d times up to %d: %d limbs, want %d", g, quotient, s.squareLimbs, limbs)
			}
			b.compareSquares(t, &s)
			for i := len(b.weights) - 1; g > 1 && i >= 0; i-- {
				if b.weights[i] > 1 { // of the last, by which all was thought to be divisible
					b.weights[i]--
					break
				}
			}
			b.compareSquares(t, &s)
		}
	}
}

func TestDivided(t *testing.T) {
	r := rand.New(rand.NewPCG(29, 30))
	for range 2_000 {
		g := 1 + r.Int64N(1<<r.IntN(25))
		var weights, want [128]int64
		var packed [128]Packed
		fits := true
		for i := range weights {
			w := r.Int64N(1 << (1 + r.IntN(40)))
			if i > 0 || r.IntN(2) == 0 {
				w -= w % g
			}
			weights[i], want[i], packed[i] = w, w/g, PackOne(w)
			fits = fits && w%g == 0
		}
		r.Shuffle(len(packed), func(i, j int) {
			packed[i], packed[j], want[i], want[j] = packed[j], packed[i], want[j], want[i]
		})
		var first uint64
		for i, k := range All() {
			var q [128]Packed
			all := k.divided(q[:], packed[:], uint64(g))
			if i == 0 {
				first = all
			}
			if all != first || fits != (all <= MaxWeight) {
				t.Fatalf("%s: %v by %d: %x, of the first kernel %x", k, weights, g, all, first)
			}
			for j := range q {
				if fits && q[j] != Packed(want[j]&lowLimb|want[j]>>limbBits&highLimb<<32) {
					t.Fatalf("%s: %d / %d: %d", k, packed[j].unpack(), g, q[j].unpack())
				}
			}
		}
	}
}
