package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What each kernel does for bins is what a loop over respondents does.
func TestKernelBins(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 20))
	s := new(Scratch)
	for _, k := range All() {
		for _, n := range []int{1, 3, 4, 5, 8, 9, 31, 128} {
			for _, options := range []int{2, 3, 7, 8, 63, 64, 255} {
				k.testPlanes(t, questions(r, n, .1, options))
			}
			for _, density := range []float64{.01, .5, 1} {
				k.testBins(t, s, newBlock(r, n, codeBits, 1, density, .5, density, MaxWeight))
			}
		}
	}
}

// Bins of one option are gathered as the twin gathers them, whatever rows and columns they are.
func TestGather(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	random := func(n int) []uint64 {
		xs := make([]uint64, n)
		for i := range xs {
			xs[i] = r.Uint64()
		}
		return xs
	}
	for _, rows := range []int{1, 2, 16, 128} {
		for _, cols := range []int{8, 16, 32, 64} {
			bins, of := random(rows*cols), random(rows*cols)
			wantBins, wantOf := slices.Clone(bins), slices.Clone(of)
			twinGather(wantBins, wantOf, cols)
			gather(bins, of, cols)
			if !slices.Equal(bins, wantBins) {
				t.Errorf("%d rows of %d columns: the bins of none are not those of the twin", rows, cols)
			}
			if !slices.Equal(of[:cols], wantOf[:cols]) {
				t.Errorf("%d rows of %d columns: the sums are not those of the twin", rows, cols)
			}
		}
	}
}

func (k *Kernel) testPlanes(t *testing.T, xs [][]uint64) {
	t.Helper()
	planes := make([][BlockWords]uint64, field{options: len(xs)}.width())
	k.makePlanes(planes, xs)
	for i := range 64 * len(xs[0]) {
		want := slices.IndexFunc(xs, func(x []uint64) bool { return x[i/64]>>(i%64)&1 == 1 }) + 1
		got := 0
		for p := range planes {
			got |= int(planes[p][i/64]>>(i%64)&1) << p
		}
		if got != want {
			t.Fatalf("%s: %d words, %d options: respondent %d has %d, want %d", k, len(xs[0]), len(xs), i, got, want)
		}
	}
}

func (k *Kernel) testBins(t *testing.T, s *Scratch, b block) {
	t.Helper()
	n := len(b.mask)
	k.encode(s, (*[codeBits][]uint64)(b.rows), n)
	for i := range 64 * n {
		var want uint16
		for bit, x := range b.rows {
			want |= uint16(x[i/64]>>(i%64)&1) << bit
		}
		if got := s.codes[i]; got != want {
			t.Fatalf("%s: %d words: the code of respondent %d is %016b, want %016b", k, n, i, got, want)
		}
		s.codes[i] %= maxBins
	}
	packed := make([]Packed, len(b.weights))
	Pack(packed, b.weights)
	s.mask = b.mask
	from := n / 3
	for _, count := range []uint64{0, 1 << largeFrom} {
		var want, got [maxBins]uint64
		var digits Packed
		for i := 64 * from; i < 64*n; i++ {
			if b.mask[i/64]>>(i%64)&1 == 1 {
				want[s.codes[i]] += uint64(b.weights[i]) + count
				digits |= packed[i]
			}
		}
		all := k.bin(s, got[:], packed, from, n, count)
		if got != want || all.unpack() != digits.unpack() {
			t.Fatalf("%s: words %d to %d: the bins are others than those of a loop, or their digits: %x, want %x", k, from, n,
				all.unpack(), digits.unpack())
		}
		want, got = [maxBins]uint64{}, [maxBins]uint64{}
		small := make([]uint32, len(b.weights))
		for i := 64 * from; i < 64*n; i++ {
			if small[i] = uint32(b.weights[i]); b.mask[i/64]>>(i%64)&1 == 1 {
				want[s.codes[i]] += uint64(small[i]) + count
			}
		}
		if k.binSmall(s, got[:], small, from, n, count); got != want {
			t.Fatalf("%s: words %d to %d: the bins of small weights are others than those of a loop", k, from, n)
		}
	}
}

// A question of more options than a field has room for is several fields, and what does not exclude each other several
// codes; of the weights some have more digits than a block's bins have room for.
func TestBinsByHand(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	s := new(Scratch)
	for _, most := range []int64{1<<32 - 1, 1 << smallDigits, MaxWeight} {
		for _, side := range [][]int{{300}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {50, 2, 7, 1, 1, 20}} {
			b := block{rows: questions(r, BlockWords, .2, side...), cols: questions(r, BlockWords, .1, 1, 10, 3),
				mask: bitmap(r, BlockWords, .9)}
			b.weights = randomWeights(r, b.mask, most)
			b.compare(t, s)
			b.compareSquares(t, s)
		}
	}
}
