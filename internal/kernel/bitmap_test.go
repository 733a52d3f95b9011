package kernel

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"
)

// Every helper against one word at a time, for lengths around the vectors' and
// for a result in place of an argument.
func TestBitmaps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := range 140 {
		for _, density := range []float64{0, 0.05, 0.5, 1} {
			a, b := bitmap(r, n, density), bitmap(r, n, 0.5)
			for name, op := range map[string]struct {
				do   func(dst, a, b []uint64)
				word func(a, b uint64) uint64
			}{
				"And":    {And, func(a, b uint64) uint64 { return a & b }},
				"AndNot": {AndNot, func(a, b uint64) uint64 { return a &^ b }},
				"Or":     {Or, func(a, b uint64) uint64 { return a | b }},
			} {
				want := make([]uint64, n, n+1)
				for i := range want {
					want[i] = op.word(a[i], b[i])
				}
				got := make([]uint64, n+1)
				got[n] = 42
				op.do(got[:n], a, b)
				if !slices.Equal(got[:n], want) || got[n] != 42 {
					t.Fatalf("%s of %d words: %x, want %x", name, n, got, want)
				}
				left, right := slices.Clone(a), slices.Clone(b)
				op.do(left, left, b)
				op.do(right, a, right)
				if !slices.Equal(left, want) || !slices.Equal(right, want) {
					t.Fatalf("%s of %d words in place: %x and %x, want %x", name, n, left, right, want)
				}
			}
			count := 0
			for _, w := range a {
				count += bits.OnesCount64(w)
			}
			if got := PopCount(a); got != count {
				t.Fatalf("PopCount of %d words: %d, want %d", n, got, count)
			}
			if got := Any(a); got != (count > 0) {
				t.Fatalf("Any of %d words with %d bits: %v", n, count, got)
			}
		}
		if n > 0 { // one bit, in every place
			x := make([]uint64, n)
			i := r.IntN(64 * n)
			x[i/64] = 1 << (i % 64)
			if !Any(x) || PopCount(x) != 1 {
				t.Fatalf("bit %d of %d words is not found", i, n)
			}
		}
	}
}

// Respondents say each number by digits, one at a time, and by one more than there are loops for; the bitmaps of digits
// lie anywhere.
func TestSaying(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 3, 4, 5, 8, 13, 20, 128, 131, 9000} {
		for count := range 8 {
			digits := make([][]byte, count)
			for d := range digits {
				digits[d] = make([]byte, d+8*n)[d:]
				for i := range digits[d] {
					digits[d][i] = byte(r.Uint32())
				}
			}
			for range 5 {
				number := r.IntN(1 << count)
				want := make([]uint64, n)
				for i := range 64 * n {
					said := 0
					for d, x := range digits {
						said |= int(x[i/8]>>(i%8)&1) << d
					}
					if said == number {
						want[i/64] |= 1 << (i % 64)
					}
				}
				got := make([]uint64, n+1)
				got[n] = 42
				Saying(got[:n], digits, number)
				if !slices.Equal(got[:n], want) || got[n] != 42 {
					t.Fatalf("%d by %d digits, of %d words: %x, want %x", number, count, n, got, want)
				}
			}
		}
	}
}

func TestAtLeast(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, n := range []int{0, 1, 3, 4, 5, 8, 13, 128, 131} {
		for _, count := range []int{0, 1, 2, 3, 7, 8, 9, 50, 70, 300} {
			density := r.Float64()
			xs := bitmaps(r, n, count, func(int) float64 { return density })
			around := int(density * float64(count))
			for _, least := range []int{-1, 0, 1, 2, 3, 4, around - 1, around, around + 1, count - 1, count, count + 1,
				1 << 40} {
				want := make([]uint64, n)
				for i := range 64 * n {
					in := 0
					for _, x := range xs {
						in += int(x[i/64] >> (i % 64) & 1)
					}
					if in >= least {
						want[i/64] |= 1 << (i % 64)
					}
				}
				got := bitmap(r, n, 0.5)
				AtLeast(got, xs, least)
				if !slices.Equal(got, want) {
					t.Fatalf("at least %d of %d bitmaps of %d words: %x, want %x", least, count, n, got, want)
				}
				if count > 0 {
					same := append([][]uint64{slices.Clone(xs[0])}, xs[1:]...)
					AtLeast(same[0], same, least)
					if !slices.Equal(same[0], want) {
						t.Fatalf("at least %d of %d bitmaps of %d words, in place: %x, want %x", least, count, n, same[0], want)
					}
				}
			}
		}
	}
}
