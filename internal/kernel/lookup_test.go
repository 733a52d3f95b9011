package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Both ways of looking weights up find the same, at places of one byte and of two, in lists of any length and with
// weights of 0 anywhere; places beyond the list are told by their digits.
func TestLookUp(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for _, words := range []int{1, 2, 7, BlockWords, 3*BlockWords + 5} {
		for _, length := range []int{1, 2, 4, 64, 256, 1 << 11, 1 << 16} {
			for _, bytes := range []int{1, 2} {
				list := make([]uint32, length)
				for i := range list {
					if r.IntN(3) > 0 {
						list[i] = r.Uint32() >> r.IntN(32)
					}
				}
				beyond := r.IntN(4) == 0
				places := make([]byte, 64*words*bytes)
				want, has, digits := make([]uint32, 64*words), make([]uint64, words), uint64(0)
				for i := range want {
					place := r.IntN(length)
					if beyond {
						place = r.IntN(1 << (8 * bytes))
					}
					place &= 1<<(8*bytes) - 1
					digits |= uint64(place)
					if places[bytes*i] = byte(place); bytes == 2 {
						places[2*i+1] = byte(place >> 8)
					}
					if want[i] = list[place%length]; want[i] > 0 {
						has[i/64] |= 1 << (i % 64)
					}
				}
				for _, k := range All() {
					for _, way := range []lookingUp{k.lookUp, k.gathering} {
						if way == nil {
							continue
						}
						k := &Kernel{name: k.name, lookUp: way}
						weights, positive := make([]uint32, len(want)), make([]uint64, words)
						if got := k.LookUp(weights, positive, places, list); got != digits {
							t.Errorf("%s: digits are %x, want %x", k, got, digits)
						}
						if !slices.Equal(weights, want) || !slices.Equal(positive, has) {
							t.Fatalf("%s: %d words of %d bytes a place in a list of %d are looked up wrongly", k, words, bytes, length)
						}
					}
				}
			}
		}
	}
}

// Whichever way is faster is taken, and it is one of the kernel's.
func TestFasterLookUp(t *testing.T) {
	places, list := make([]byte, 128), []uint32{0, 9}
	places[2] = 1
	for _, k := range All() {
		weights, positive := make([]uint32, 64), make([]uint64, 1)
		digits := k.Calibrated().LookUp(weights, positive, places, list)
		if digits != 1 || weights[1] != 9 || positive[0] != 2 {
			t.Errorf("%s, when it is calibrated, looks up %v %b with digits %b", k, weights, positive, digits)
		}
	}
}

// BenchmarkLookUp looks 65,536 weights up, in lists of 255 of them and of 2,000.
func BenchmarkLookUp(b *testing.B) {
	const words = 1024
	weights, positive := make([]uint32, 64*words), make([]uint64, words)
	for _, c := range []struct {
		name            string
		different, size int
	}{{"bytes", 255, 1}, {"pairs", 2000, 2}} {
		places, list := make([]byte, 64*words*c.size), make([]uint32, 1<<11)
		if c.size == 1 {
			list = list[:256]
		}
		for i := range weights {
			place := 1 + i*1999%c.different
			if places[c.size*i] = byte(place); c.size == 2 {
				places[2*i+1] = byte(place >> 8)
			}
		}
		for _, k := range All() {
			for name, way := range map[string]lookingUp{"": k.lookUp, " gathering": k.gathering} {
				if way == nil {
					continue
				}
				b.Run(c.name+"/"+k.name+name, func(b *testing.B) {
					for b.Loop() {
						(&Kernel{lookUp: way}).LookUp(weights, positive, places, list)
					}
				})
			}
		}
	}
}
