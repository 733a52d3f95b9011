package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// What is counted of equal weights is what is counted of any: by samples alone, and where other methods take less.
func TestEqual(t *testing.T) {
	r, s := rand.New(rand.NewPCG(11, 0)), new(Scratch)
	for _, shape := range []struct{ words, rows, cols int }{{1, 1, 1}, {3, 2, 2}, {128, 2, 1}, {128, 5, 3}, {127, 1, 7},
		{128, 50, 50}, {9, 128, 128}, {128, 3, 128}, {128, 0, 3}, {128, 128, 9}} {
		for _, density := range []float64{0, .001, .3, 1} {
			for _, weight := range []int64{1, 1000, 1 << 30, MaxWeight} {
				b := newBlock(r, shape.words, shape.rows, shape.cols, density, .2, .9, MaxWeight)
				for i, w := range b.weights {
					b.weights[i] = min(w, 1) * weight
				}
				b.compareEqual(t, s, weight)
			}
		}
	}
}

// compareEqual compares Equal with Tile and with Squares, for every kernel.
func (b block) compareEqual(t *testing.T, s *Scratch, weight int64) {
	t.Helper()
	stride := len(b.cols) + 1
	counts, squares := make([]Count, len(b.rows)*stride), make([]Square, len(b.rows)*stride)
	for i := range counts {
		counts[i], squares[i] = Count{int64(i), int64(-i)}, Square{uint64(i), ^uint64(i)}
	}
	for _, k := range methods() {
		for _, weights := range given(b.weights) {
			if got := EqualWeight(weights); got != weight {
				t.Fatalf("the equal weight is %d, want %d", got, weight)
			}
			for _, squares := range [][]Square{nil, squares} {
				want, wantSquares := slices.Clone(counts), slices.Clone(squares)
				if k.Tile(s, want, stride, b.rows, b.cols, b.mask, weights); squares != nil {
					want = slices.Clone(counts)
					k.Squares(s, want, wantSquares, stride, b.rows, b.cols, b.mask, weights)
				}
				got, gotSquares := slices.Clone(counts), slices.Clone(squares)
				k.Equal(s, got, gotSquares, stride, b.rows, b.cols, b.mask, weights, weight)
				if !slices.Equal(got, want) || !slices.Equal(gotSquares, wantSquares) {
					t.Fatalf("%s: %d words, %d × %d of weight %d: %v and %v, want %v and %v", k, len(b.mask), len(b.rows),
						len(b.cols), weight, got, gotSquares, want, wantSquares)
				}
			}
		}
	}
}

func TestEqualWeight(t *testing.T) {
	for _, c := range []struct {
		weights []int64
		want    int64
	}{{nil, 0}, {[]int64{0, 0}, 0}, {[]int64{0, 7, 7, 0, 7}, 7}, {[]int64{0, 7, 7, 8}, 0},
		{[]int64{MaxWeight, MaxWeight}, MaxWeight}, {[]int64{3, 3 + 1<<30}, 0}} {
		packed := make([]Packed, len(c.weights))
		Pack(packed, c.weights)
		if got := EqualWeight(Weights{Packed: packed}); got != c.want {
			t.Errorf("EqualWeight(%v) is %d, want %d", c.weights, got, c.want)
		}
	}
}
