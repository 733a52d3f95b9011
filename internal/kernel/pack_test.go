package kernel

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestPack(t *testing.T) {
	for _, w := range []int64{0, 1, lowLimb, lowLimb + 1, 123456789012, MaxWeight - 1, MaxWeight} {
		p := []Packed{0, 7}
		Pack(p, []int64{w})
		if p[0].unpack() != w || (p[0]>>56 == 1) != (w > 0) || p[1] != 7 {
			t.Errorf("%d packs to %x", w, p)
		}
	}
}

// Every kernel packs weights of 32 bits as Pack does, wherever their digits are.
func TestPackSmall(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	small, want := make([]uint32, 64*5), make([]Packed, 64*5)
	for round := range 100 {
		for i := range small {
			if small[i] = r.Uint32() >> r.IntN(33); round%3 == 0 {
				small[i] = [...]uint32{0, 1, lowLimb, lowLimb + 1, 1<<32 - 1}[r.IntN(5)]
			}
			want[i] = PackOne(int64(small[i]))
		}
		for _, k := range All() {
			got := make([]Packed, len(want))
			if k.pack(got, small); !slices.Equal(got, want) {
				t.Fatalf("%s packs %x to %x, want %x", k, small, got, want)
			}
		}
	}
}
