package kernel

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// naive is the reference: one respondent and one cell at a time.
func naive(acc []Count, stride int, rows, cols [][]uint64, mask []uint64, weights []int64) {
	has := func(x []uint64, i int) bool { return x[i/64]>>(i%64)&1 == 1 }
	for i := range 64 * len(mask) {
		if !has(mask, i) {
			continue
		}
		for r, row := range rows {
			if !has(row, i) {
				continue
			}
			for c, col := range cols {
				if has(col, i) {
					acc[r*stride+c].Sample++
					acc[r*stride+c].Weight += weights[i]
				}
			}
		}
	}
}

// A block is the input of one call to Tile.
type block struct {
	rows, cols [][]uint64
	mask       []uint64
	weights    []int64
}

// bitmap returns n words of which about density of the bits are set, to a
// precision of 2⁻¹²: random words are joined by OR for each 1 in density's binary
// digits from the last, and by AND for each 0.
func bitmap(r *rand.Rand, n int, density float64) []uint64 {
	const digits = 12
	x := make([]uint64, n)
	p := uint(density * (1 << digits))
	for i := range x {
		if p >= 1<<digits {
			x[i] = ^uint64(0)
			continue
		}
		for d := range digits {
			if p>>d&1 == 1 {
				x[i] |= r.Uint64()
			} else if x[i] != 0 {
				x[i] &= r.Uint64()
			}
		}
	}
	return x
}

func bitmaps(r *rand.Rand, n, count int, density func(i int) float64) [][]uint64 {
	xs := make([][]uint64, count)
	for i := range xs {
		xs[i] = bitmap(r, n, density(i))
	}
	return xs
}

// randomWeights returns weights from 1 to most, and 0 where the mask is 0, as in
// the padding of a run.
func randomWeights(r *rand.Rand, mask []uint64, most int64) []int64 {
	ws := make([]int64, 64*len(mask))
	for i := range ws {
		if mask[i/64]>>(i%64)&1 == 1 {
			ws[i] = 1 + r.Int64N(most)
		}
	}
	return ws
}

// newBlock makes a block of n words whose options' densities vary around those
// given.
func newBlock(r *rand.Rand, n, rows, cols int, rowDensity, colDensity, maskDensity float64, most int64) block {
	vary := func(d float64) func(int) float64 {
		return func(int) float64 {
			if d <= 0 || d >= 1 {
				return d
			}
			return d * (0.1 + 1.8*r.Float64())
		}
	}
	b := block{
		rows: bitmaps(r, n, rows, vary(rowDensity)),
		cols: bitmaps(r, n, cols, vary(colDensity)),
		mask: bitmap(r, n, maskDensity),
	}
	b.weights = randomWeights(r, b.mask, most)
	return b
}

// methods are all kernels, as they are and with bins wherever there can be any, be they cheaper or not.
func methods() []*Kernel {
	ks := All()
	for _, k := range ks {
		binned := *k
		binned.name += " by bins"
		binned.costs.code, binned.costs.bin, binned.costs.fold = 0, 0, 0
		ks = append(ks, &binned)
	}
	return ks
}

// compare runs every kernel on the block and compares with the naive loop, by
// adding to counts that are not zero and lie in a wider table.
func (b block) compare(t *testing.T, s *Scratch) {
	t.Helper()
	stride := len(b.cols) + 3
	start := make([]Count, len(b.rows)*stride)
	for i := range start {
		start[i] = Count{Sample: int64(i), Weight: -int64(i) << 20}
	}
	want := append([]Count(nil), start...)
	naive(want, stride, b.rows, b.cols, b.mask, b.weights)
	for _, k := range methods() {
		for _, weights := range given(b.weights) {
			got := append([]Count(nil), start...)
			k.Tile(s, got, stride, b.rows, b.cols, b.mask, weights)
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s: %d words, %d × %d, %d small weights: cell %d, %d: %+v, want %+v", k, len(b.mask),
						len(b.rows), len(b.cols), len(weights.Small), i/stride, i%stride, got[i], want[i])
				}
			}
		}
	}
}

// given are weights in the ways in which they can be given: those of 32 bits in two.
func given(weights []int64) []Weights {
	packed := make([]Packed, len(weights))
	Pack(packed, weights)
	small := make([]uint32, len(weights))
	for i, w := range weights {
		if small[i] = uint32(w); int64(small[i]) != w {
			return []Weights{{Packed: packed}, {Packed: packed, Bits: bitsOf(packed)}}
		}
	}
	return []Weights{{Packed: packed}, {Small: small}, {Small: small, Bits: bitsOf(packed)}, {Small: small, Bits: 32}}
}

// A reader can add this one up by hand: six respondents in two words.
func TestTileByHand(t *testing.T) {
	at := func(is ...int) []uint64 {
		x := make([]uint64, 2)
		for _, i := range is {
			x[i/64] |= 1 << (i % 64)
		}
		return x
	}
	weights := make([]int64, 128)
	for i, w := range map[int]int64{0: 1, 1: 20, 63: 300, 64: 4000, 65: 50000, 127: MaxWeight} {
		weights[i] = w
	}
	packed := make([]Packed, 128)
	Pack(packed, weights)
	mask := at(0, 1, 63, 64, 65, 127)
	rows := [][]uint64{at(0, 1, 63), at(), at(1, 2, 64, 127), at(0, 1, 63, 64, 65, 127)}
	cols := [][]uint64{at(1, 63, 64), at(65, 127), at(100)}
	want := []Count{
		{2, 320}, {0, 0}, {0, 0},
		{0, 0}, {0, 0}, {0, 0},
		{2, 4020}, {1, MaxWeight}, {0, 0},
		{3, 4320}, {2, 50000 + MaxWeight}, {0, 0},
	}
	for _, k := range All() {
		got := make([]Count, len(want))
		k.Tile(new(Scratch), got, 3, rows, cols, mask, Weights{Packed: packed})
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", k, diff)
		}
	}
}

func TestTileShapes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var s Scratch
	for _, shape := range [][2]int{
		{0, 0}, {0, 5}, {5, 0}, {1, 1}, {1, 2}, {2, 1}, {3, 3}, {1, 50}, {50, 1}, {7, 9}, {16, 16}, {17, 15},
		{50, 50}, {64, 64}, {63, 65}, {65, 63}, {1, 129}, {129, 1}, {130, 20}, {20, 200}, {150, 140},
	} {
		for _, n := range []int{0, 1, 2, 7, 8, 9, 64, 127, 128} {
			if shape[0]*shape[1] > 5000 && n > 9 {
				continue // the naive loop is slow
			}
			b := newBlock(r, n, shape[0], shape[1], 0.2, 0.3, 0.9, MaxWeight)
			b.compare(t, &s)
		}
	}
}

// Densities of 0 and 100 % meet every branch of the division, and with weights
// at the limit every bound of the sums: 8,192 respondents of 2⁴⁰-1 units are 32
// times what a limb takes.
func TestTileDensities(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s Scratch
	densities := []float64{0, 0.004, 0.03, 0.3, 0.5, 0.8, 0.97, 1}
	for _, rows := range densities {
		for _, cols := range densities {
			for _, mask := range []float64{0, 0.01, 0.5, 1} {
				n := 30
				if mask == 1 {
					n = BlockWords
				}
				b := newBlock(r, n, 5, 19, rows, cols, mask, 1)
				for i := range b.weights {
					b.weights[i] *= MaxWeight
				}
				b.compare(t, &s)
				b.rows, b.cols = b.cols, b.rows
				b.compare(t, &s)
			}
		}
	}
}

// One option of each density in one table, so that complements, margins and
// plain options mix on both axes.
func TestTileMixed(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s Scratch
	for _, n := range []int{3, 128} {
		for range 6 {
			density := func(i int) float64 { return []float64{0.02, 1, 0.99, 0.6, 0, 0.1, 0.3}[i%7] }
			b := block{
				rows: bitmaps(r, n, 40+r.IntN(40), density),
				cols: bitmaps(r, n, 40+r.IntN(40), density),
				mask: bitmap(r, n, 0.7),
			}
			b.weights = randomWeights(r, b.mask, MaxWeight)
			b.compare(t, &s)
		}
	}
}

// questions returns the options of single-choice questions: each respondent is
// in at most one option of each, and in none with the given share. Option j of a
// question is j+1 times as frequent as its first.
func questions(r *rand.Rand, n int, none float64, options ...int) [][]uint64 {
	var xs [][]uint64
	for _, k := range options {
		q := bitmaps(r, n, k, func(int) float64 { return 0 })
		for i := range 64 * n {
			if r.Float64() < none {
				continue
			}
			for o, j := r.IntN(k*(k+1)/2), 0; o >= 0; j++ {
				if o -= j + 1; o < 0 {
					q[j][i/64] |= 1 << (i % 64)
				}
			}
		}
		xs = append(xs, q...)
	}
	return xs
}

// Options that exclude each other are listed in combinations: questions that
// are complete under the mask or not, beside options that are not exclusive,
// dense or empty.
func TestTileQuestions(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	var s Scratch
	for _, n := range []int{2, 40, 128} {
		for _, none := range []float64{0, 0.02, 0.5} {
			b := block{mask: bitmap(r, n, 0.9)}
			b.weights = randomWeights(r, b.mask, MaxWeight)
			b.rows = questions(r, n, none, 2, 3, 4, 2, 6, 1, 5, 2, 2, 2, 2, 2, 2)
			b.rows = append(b.rows, bitmaps(r, n, 6, func(i int) float64 { return 0.18 * float64(i) })...)
			b.cols = bitmaps(r, n, 33, func(i int) float64 { return 0.3 + 0.01*float64(i) })
			b.compare(t, &s)
			b.rows, b.cols = b.cols, b.rows
			b.compare(t, &s)
			b.rows = questions(r, n, none, 7, 2, 3)
			b.compare(t, &s)
		}
	}
}

// Sums are widened after 255 adds: lists just below, at and above multiples of
// that, of the greatest weight of each number of limbs and bytes.
func TestTileFlush(t *testing.T) {
	var s Scratch
	for _, n := range []int{1, 2, 15, 254, 255, 256, 257, 509, 510, 511, 765, 4095, 4096, 8190, 8191, 8192} {
		words := (n + 63) / 64
		for _, most := range []int64{lowLimb, 1<<32 - 1, MaxWeight} {
			b := block{mask: make([]uint64, words), weights: make([]int64, 64*words)}
			for i := range n {
				b.mask[i/64] |= 1 << (i % 64)
				b.weights[i] = most
			}
			for range 20 {
				b.rows = append(b.rows, b.mask)
				b.cols = append(b.cols, b.mask)
			}
			b.compare(t, &s)
		}
	}
}

func TestTileRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s Scratch
	for range 200 {
		n := 1 + r.IntN(20)
		b := newBlock(r, n, r.IntN(90), r.IntN(90), r.Float64(), r.Float64(), r.Float64(), 1+r.Int64N(MaxWeight))
		b.compare(t, &s)
	}
}

// The parts of each kernel, where the division would not lead to them.
func TestKernelParts(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	s := new(Scratch)
	for _, k := range All() {
		for _, n := range []int{1, 5, 8, 31, 128} {
			for _, options := range []int{1, 8, 15, 16, 17, 33, 50, 64} {
				for _, density := range []float64{0, 0.01, 0.4, 1} {
					b := newBlock(r, n, 1, options, density, 0.5, 1, MaxWeight)
					k.parts(t, s, b)
				}
			}
		}
	}
}

func (k *Kernel) parts(t *testing.T, s *Scratch, b block) {
	t.Helper()
	n, options := len(b.mask), len(b.cols)
	name := fmt.Sprintf("%s: %d words, %d options", k, n, options)
	want := make([]Count, options)
	naive(want, options, b.rows, b.cols, b.mask, b.weights)
	packed := make([]Packed, len(b.weights))
	Pack(packed, b.weights)

	groups := (options + k.group - 1) / k.group
	all := make([]place, options)
	for i := range all {
		all[i].option = int32(i)
	}
	k.transpose(s, s.view(b.cols, all, n), n)
	for i := range 64 * n {
		var bits uint64
		for j, x := range b.cols {
			bits |= x[i/64] >> (i % 64) & 1 << j
		}
		if got := s.transposed[i]; got != bits {
			t.Fatalf("%s: respondent %d transposed is %064b, want %064b", name, i, got, bits)
		}
	}
	k.add(s, b.rows[0], b.mask, 0, packed, groups)
	counts := make([]int32, options)
	k.count(counts, b.cols, b.rows[0])
	for j, w := range want {
		if got := (Count{s.sums.sample[j], s.sums.weight[j]}); got != w {
			t.Fatalf("%s: add: option %d: %+v, want %+v", name, j, got, w)
		}
		if got := k.cell(b.rows[0], b.cols[j], b.mask, packed); got != w {
			t.Fatalf("%s: cell: option %d: %+v, want %+v", name, j, got, w)
		}
		if int64(counts[j]) != w.Sample {
			t.Fatalf("%s: count: option %d: %d, want %d", name, j, counts[j], w.Sample)
		}
	}
}

// A cell of many respondents here and few there, and the other way round.
func TestCellChanges(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	for _, densities := range [][]float64{{0, 1}, {1, 0}, {1, .01, 1}, {.01, 1, .2}, {.3, 0, .1, 1}} {
		for _, words := range []int{1, 3, 8, 9, 31, 32} {
			b := block{rows: make([][]uint64, 1), mask: bitmap(r, words*len(densities), .9)}
			for _, density := range densities {
				b.rows[0] = append(b.rows[0], bitmap(r, words, density)...)
			}
			b.rows[0], b.mask = b.rows[0][:min(len(b.mask), BlockWords)], b.mask[:min(len(b.mask), BlockWords)]
			b.cols = [][]uint64{bitmap(r, len(b.mask), .9)}
			b.weights = randomWeights(r, b.mask, 1)
			for i := range b.weights {
				b.weights[i] *= MaxWeight
			}
			b.compare(t, new(Scratch))
		}
	}
}

func TestTileChecks(t *testing.T) {
	x, short := make([]uint64, 2), make([]uint64, 1)
	ws, acc := make([]Packed, 128), make([]Count, 9)
	for name, call := range map[string]func(k *Kernel, s *Scratch){
		"row": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc, 1, [][]uint64{x, short}, [][]uint64{x}, x, Weights{Packed: ws})
		},
		"column": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc, 1, [][]uint64{x}, [][]uint64{short}, x, Weights{Packed: ws})
		},
		"weights": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc, 1, [][]uint64{x}, [][]uint64{x}, x, Weights{Packed: ws[1:]})
		},
		"small": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc, 1, [][]uint64{x}, [][]uint64{x}, x, Weights{Small: make([]uint32, len(ws)-1)})
		},
		"counts": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc[:2], 2, [][]uint64{x, x}, [][]uint64{x}, x, Weights{Packed: ws})
		},
		"stride": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc, 1, [][]uint64{x}, [][]uint64{x, x}, x, Weights{Packed: ws})
		},
		"block": func(k *Kernel, s *Scratch) {
			k.Tile(s, acc, 1, nil, nil, make([]uint64, BlockWords+1), Weights{Packed: make([]Packed, 64*(BlockWords+1))})
		},
	} {
		for _, k := range All() {
			func() {
				defer func() {
					if recover() == nil {
						t.Errorf("%s: %s: no panic", k, name)
					}
				}()
				call(k, new(Scratch))
			}()
		}
	}
}

// Kernels share nothing but what is in a Scratch; -race looks on.
func TestTileConcurrent(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	b := newBlock(r, 16, 30, 30, 0.3, 0.3, 0.9, MaxWeight)
	for range 4 {
		t.Run("", func(t *testing.T) {
			t.Parallel()
			var s Scratch
			for range 10 {
				b.compare(t, &s)
			}
		})
	}
}

// Blocks are counted without allocating, once the scratch has grown.
func TestTileAllocates(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	b := newBlock(r, 16, 40, 70, 0.2, 0.2, 0.9, MaxWeight)
	packed := make([]Packed, len(b.weights))
	Pack(packed, b.weights)
	acc := make([]Count, 40*70)
	for _, k := range methods() {
		s := new(Scratch)
		tile := func() { k.Tile(s, acc, 70, b.rows, b.cols, b.mask, Weights{Packed: packed}) }
		if n := testing.AllocsPerRun(10, tile); n != 0 {
			t.Errorf("%s: %v allocations for a block", k, n)
		}
	}
}

// FuzzTile reads a block's shape, densities and weights from the seed and
// compares every kernel with the naive loop.
func FuzzTile(f *testing.F) {
	f.Add(uint64(1), uint8(128), uint8(50), uint8(50), uint8(50), uint8(50), uint8(255), uint64(MaxWeight))
	f.Add(uint64(2), uint8(1), uint8(1), uint8(65), uint8(255), uint8(0), uint8(100), uint64(1))
	f.Add(uint64(3), uint8(9), uint8(70), uint8(17), uint8(2), uint8(250), uint8(255), uint64(1<<24))
	f.Add(uint64(4), uint8(13), uint8(100), uint8(100), uint8(200), uint8(200), uint8(128), uint64(1<<25))
	f.Add(uint64(5), uint8(128), uint8(3), uint8(2), uint8(255), uint8(255), uint8(255), uint64(MaxWeight))
	s := new(Scratch)
	f.Fuzz(func(t *testing.T, seed uint64, words, rows, cols, rowDensity, colDensity, maskDensity uint8, most uint64) {
		n := int(words) % (BlockWords + 1)
		if int(rows)*int(cols)*n > 100_000 {
			n = 100_000 / (int(rows) * int(cols))
		}
		r := rand.New(rand.NewPCG(seed, 0))
		b := newBlock(r, n, int(rows), int(cols), float64(rowDensity)/255, float64(colDensity)/255, float64(maskDensity)/255,
			1+int64(most%MaxWeight))
		if seed%2 == 0 { // weights at the limit
			for i, w := range b.weights {
				b.weights[i] = w | -w>>63&MaxWeight
			}
		}
		b.compare(t, s)
	})
}
