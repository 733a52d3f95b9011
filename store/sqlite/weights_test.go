package sqlite

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
)

// Weights of every width are read as they were written, by whoever has one: packed where they do not fit 32 bits.
func TestDecodeUnits(t *testing.T) {
	name := weightName{"core", 2}
	for width := 1; width <= 5; width++ {
		for _, words := range []int{1, 3} {
			t.Run(fmt.Sprintf("%d bytes, %d words", width, words), func(t *testing.T) {
				r := rand.New(rand.NewPCG(uint64(width), uint64(words)))
				c := &chunk{id: 7, words: words, samples: []blob.Sample{{Namespace: "core"}}}
				data, largest := []byte{byte(width)}, int64(0)
				packed, small, positive := make([]kernel.Packed, 64*words), make([]uint32, 64*words), make([]uint64, words)
				for i := range packed {
					w := r.Int64N(1<<(8*width-1)) * int64(r.IntN(3)) // some are 0, some have the highest bit
					if w > 0 {
						c.samples[0].Respondents++
						positive[i/64] |= 1 << (i % 64)
					}
					packed[i], small[i] = kernel.PackOne(w), uint32(w)
					largest = max(largest, w)
					for b := range width {
						data = append(data, byte(w>>(8*b)))
					}
				}
				if width > 4 {
					small = nil
				} else {
					packed = nil
				}
				weights, bitmap, err := decodeUnits(blob.Memory{}, kernel.Best(), c, name, seal(unitsName(c.id, name), data))
				check(t, err)
				want := kernel.Weights{Packed: packed, Small: small, Bits: bits.Len64(uint64(largest))}
				if diff := cmp.Diff(want, weights); diff != "" {
					t.Errorf("weights: -want +got\n%s", diff)
				}
				if diff := cmp.Diff(positive, bitmap); diff != "" {
					t.Errorf("who has one: -want +got\n%s", diff)
				}
			})
		}
	}
}
