package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The respondents of each number that digits say are those that a loop over respondents finds, whatever the columns are
// and however large the weights.
func TestDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	s := new(Scratch)
	for words, list := range map[int][]int{1: {0, 4}, 5: {1, MaxDigits}, 64: {4, 8}, BlockWords: {7}} {
		for _, digits := range list {
			for _, most := range []int64{255, 1<<32 - 1, MaxWeight} {
				b := newBlock(r, words, digits, 3, .5, .5, .6, most)
				b.cols = append(b.cols, slices.Concat(questions(r, words, .1, 10, 40), bitmaps(r, words, 1,
					func(int) float64 { return 1 }))...)
				b.compareDigits(t, s, r)
			}
		}
	}
}

// compareDigits counts the numbers that the block's rows are the digits of, in places that are shuffled and of which
// some are left out.
func (b block) compareDigits(t *testing.T, s *Scratch, r *rand.Rand) {
	t.Helper()
	digits, stride := b.rows, len(b.cols)+1
	rows, asked := make([]int32, 1<<len(digits)), int32(0)
	b.rows = nil
	for _, number := range r.Perm(len(rows)) {
		if rows[number] = -1; number%7 != 3 {
			rows[number], asked = asked, asked+1
			b.rows = append(b.rows, having(digits, number, len(b.mask)))
		}
	}
	want := make([]Count, len(b.rows)*stride)
	naive(want, stride, b.rows, b.cols, b.mask, b.weights)
	wantSquares := b.squares(make([]Square, len(want)), stride)
	for _, k := range methods() {
		for _, weights := range given(b.weights) {
			got, squares := make([]Count, len(want)), make([]Square, len(want))
			k.Digits(s, got, nil, stride, digits, rows, b.cols, b.mask, weights)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %d words, %d digits: the counts are others than a loop finds", k, len(b.mask), len(digits))
			}
			clear(got)
			k.Digits(s, got, squares, stride, digits, rows, b.cols, b.mask, weights)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: %d words, %d digits: with squares, the counts are others", k, len(b.mask), len(digits))
			}
			for i := range squares {
				if squares[i].big().Cmp(wantSquares[i]) != 0 {
					t.Fatalf("%s: %d words, %d digits: square %d is %d, want %d", k, len(b.mask), len(digits), i,
						squares[i].big(), wantSquares[i])
				}
			}
		}
	}
}

// having is who has the number that some digits say.
func having(digits [][]uint64, number, words int) []uint64 {
	x := make([]uint64, words)
	for w := range x {
		x[w] = ^uint64(0)
		for i, digit := range digits {
			x[w] &= digit[w] ^ (uint64(number>>i&1) - 1)
		}
	}
	return x
}
