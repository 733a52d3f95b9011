package sqlite

import (
	"errors"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
)

// Weights of which there are few different ones are written as a list and read as they were, by whoever has one. Of so
// many that a list would take more bytes there is none.
func TestListedWeights(t *testing.T) {
	name := weightName{"core", 2}
	for _, different := range []int{1, 2, 255, 256, 3_000, 65_535} {
		t.Run(fmt.Sprint(different), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(different), 1))
			list := make([]int64, different)
			for i := range list {
				list[i] = int64(i)<<15 + r.Int64N(1<<15) + 1
			}
			c := &chunk{id: 7, words: 4 + different/20, samples: []blob.Sample{{Namespace: "core"}}}
			weights, positive, largest := make([]int64, 64*c.words), make([]uint64, c.words), int64(0)
			for i := range weights {
				if i < different || r.IntN(3) > 0 {
					weights[i] = list[i%different]
					positive[i/64] |= 1 << (i % 64)
					c.samples[0].Respondents++
					largest |= weights[i]
				}
			}
			data := listUnits(weights, 1<<30)
			if want, form := byteList+min(1, different/256), int(data[0]); form != want {
				t.Errorf("%d different weights have the form %d, want %d", different, form, want)
			}
			if shorter := listUnits(weights, len(data)); shorter != nil {
				t.Error("weights are in a list that is no shorter than they are")
			}
			got, bitmap, err := decodeUnits(blob.Memory{}, kernel.Best(), c, name, seal(unitsName(c.id, name), data))
			check(t, err)
			want := kernel.Weights{Small: make([]uint32, len(weights)), Bits: bits.Len64(uint64(largest))}
			for i, w := range weights {
				want.Small[i] = uint32(w)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("weights: -want +got\n%s", diff)
			}
			if diff := cmp.Diff(positive, bitmap); diff != "" {
				t.Errorf("who has one: -want +got\n%s", diff)
			}
		})
	}
	many := make([]int64, 1<<17)
	for i := range many {
		many[i] = int64(i + 1)
	}
	if listUnits(many, 1<<30) != nil {
		t.Error("more weights are in a list than it can name")
	}
}

// A list that is cut short, or of which a position has a weight that it has not, is damaged, though its checksum holds.
func TestDamagedListedWeights(t *testing.T) {
	name := weightName{"core", 2}
	for _, different := range []int{5, 300} {
		c := &chunk{id: 7, words: 16, samples: []blob.Sample{{Namespace: "core", Respondents: 64 * 16}}}
		weights := make([]int64, 64*c.words)
		for i := range weights {
			weights[i] = int64(1 + i%different)
		}
		whole := listUnits(weights, 1<<30)
		for cut := range len(whole) {
			damagedUnits(t, c, name, whole[:cut])
		}
		width := 1 + different/256
		for _, place := range []int{different + 1, 1<<(8*width) - 1} {
			b := append([]byte(nil), whole...)
			b[len(b)-width] = byte(place)
			if width == 2 {
				b[len(b)-1] = byte(place >> 8)
			}
			damagedUnits(t, c, name, b)
		}
	}
}

func damagedUnits(t *testing.T, c *chunk, name weightName, data []byte) {
	t.Helper()
	var damaged *DamagedError
	_, _, err := decodeUnits(blob.Memory{}, kernel.Best(), c, name, seal(unitsName(c.id, name), data))
	if !errors.As(err, &damaged) {
		t.Errorf("%d bytes of units are read: %v", len(data), err)
	}
}

// A store of format 16, in which each position has its weight, opens and counts as before, and so it does with chunks
// of now beside those, which have theirs in a list.
func TestStoreOfFormat16(t *testing.T) {
	alone(t)
	s, st, want := oldStore(t, "testdata/format16.db.gz")
	if n := listedUnits(t, s); n != 0 {
		t.Errorf("%d units of format 16 are in a list", n)
	}
	publish(t, s, st, part(st, inWave(2)).Respondents, "w3")
	same(t, s, want)
	noDamage(t, s)
	if n := listedUnits(t, s); n == 0 {
		t.Error("none of the new units are in a list")
	}
}

// listedUnits is how many units of a store are in a list.
func listedUnits(t *testing.T, s *Store) (n int) {
	t.Helper()
	check(t, s.read.QueryRow(`SELECT count(*) FROM units WHERE hex(substr(data, 1, 1)) IN ('10', '11')`).Scan(&n))
	return n
}
