package kernel

import (
	"math/rand/v2"
	"testing"
)

// A Listing counts what Squares counts, from lists and from bitmaps.
func TestListing(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 17))
	var l Listing
	counted := int64(0)
	for range 300 {
		words := 1 + rnd.IntN(BlockWords)
		col, mask, row := make([]uint64, words), make([]uint64, words), make([]uint64, words)
		numbers, most := make([]int64, 64*words), int64(MaxWeight)
		if rnd.IntN(2) == 0 {
			most = 1<<32 - 1
		}
		first := 64 * rnd.Uint32N(1000)
		var positions []uint32
		density := rnd.Float64()
		for i := range numbers {
			w := rnd.Int64N(most + 1)
			if rnd.IntN(4) == 0 {
				w = most
			}
			numbers[i] = w
			set := func(to []uint64, is bool) {
				if is {
					to[i/64] |= 1 << (i % 64)
				}
			}
			set(col, rnd.IntN(3) > 0)
			set(mask, w > 0 && rnd.IntN(5) > 0)
			if rnd.Float64() < density {
				set(row, true)
				positions = append(positions, first+uint32(i))
			}
		}
		forms := given(numbers)
		want := []Count{{3, 5}}
		squares := []Square{{7, ^uint64(0)}} // a sum that there was before
		var s Scratch
		weights := forms[rnd.IntN(len(forms))]
		Best().Squares(&s, want, squares, 1, [][]uint64{row}, [][]uint64{col}, mask, weights)
		l.Within(col, mask)
		check := func(how string, add func(*Count, *Square)) {
			count, square := Count{3, 5}, Square{7, ^uint64(0)}
			add(&count, &square)
			plain := Count{3, 5}
			add(&plain, nil)
			if count != want[0] || square != squares[0] || plain != want[0] {
				t.Fatalf("%s of %d words: %v %v and %v, want %v %v", how, words, count, square, plain, want[0], squares[0])
			}
		}
		check("a list", func(c *Count, sq *Square) { l.Add(c, sq, positions, first, weights) })
		check("a bitmap", func(c *Count, sq *Square) { l.AddBits(c, sq, row, 0, weights) })
		half := words / 2
		check("two halves of a bitmap", func(c *Count, sq *Square) {
			l.AddBits(c, sq, row[:half], 0, weights)
			l.AddBits(c, sq, row[half:], half, weights)
		})
		counted += want[0].Sample - 3
	}
	if counted < 10000 {
		t.Errorf("only %d respondents were counted", counted)
	}
}

func BenchmarkListing(b *testing.B) {
	rnd := rand.New(rand.NewPCG(5, 18))
	var l Listing
	col, weights := make([]uint64, 98), make([]Packed, 64*98)
	var positions []uint32
	for i := range weights {
		weights[i] = PackOne(1 + rnd.Int64N(3_000_000))
		if rnd.IntN(10) == 0 {
			col[i/64] |= 1 << (i % 64)
		}
		if rnd.IntN(170) == 0 {
			positions = append(positions, uint32(i))
		}
	}
	l.Within(col, col)
	var count Count
	var square Square
	for b.Loop() {
		l.Add(&count, &square, positions, 0, Weights{Packed: weights})
	}
	b.ReportMetric(float64(len(positions)), "positions/op")
}
