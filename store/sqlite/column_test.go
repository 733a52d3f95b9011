package sqlite

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crosswave/crosswave/internal/blob"
)

func randomPositions(rnd *rand.Rand, words int) []uint32 {
	var ps []uint32
	density := rnd.Float64()
	if rnd.IntN(2) == 0 {
		density /= 100
	}
	for p := range 64 * words {
		if rnd.Float64() < density {
			ps = append(ps, uint32(p))
		}
	}
	return ps
}

// A column reads back as it was written, whichever form it has, and no byte of it can change unnoticed.
func TestColumn(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		words := 1 + rnd.IntN(40)
		want := randomPositions(rnd, words)
		id := rnd.Int64()
		blob := encodeColumn(id, want, words)
		c, err := decodeColumn(id, blob, len(want), words, nil)
		check(t, err)
		first := rnd.IntN(words)
		got, whole := make([]uint64, words-first), make([]uint64, words)
		c.copyTo(whole, 0)
		c.copyTo(got, first)
		var ps []uint32
		for p := range 64 * words {
			if whole[p/64]>>(p%64)&1 != 0 {
				ps = append(ps, uint32(p))
			}
		}
		if !slices.Equal(ps, want) || !slices.Equal(got, whole[first:]) {
			t.Fatalf("%d words: wrote %v, read %v", words, want, ps)
		}
		for i := range blob {
			damaged := slices.Clone(blob)
			damaged[i] ^= byte(1 + rnd.IntN(255))
			var e *DamagedError
			if _, err := decodeColumn(id, damaged, len(want), words, nil); !errors.As(err, &e) {
				t.Fatalf("byte %d of %d was changed: %v", i, len(blob), err)
			}
		}
		for _, wrong := range []func() error{
			func() error { _, err := decodeColumn(id+1, blob, len(want), words, nil); return err },
			func() error { _, err := decodeColumn(id, blob, len(want)+1, words, nil); return err },
			func() error { _, err := decodeColumn(id, blob[:len(blob)-1], len(want), words, nil); return err },
			func() error { _, err := decodeColumn(id, nil, len(want), words, nil); return err },
		} {
			if wrong() == nil {
				t.Fatal("a blob was read in another's place")
			}
		}
	}
}

// A chunk's head reads back as it was written.
func TestHeader(t *testing.T) {
	want := &chunk{id: 3, wave: "w", samples: []blob.Sample{{Namespace: "core", Respondents: 2}},
		columns: []int64{1, 5}, counts: []int32{5, 60}, sharing: []blob.Sharing{{Question: 0, Exclusive: true,
			Complete: []int{0}}}, perRow: 4, asDigits: []int64{0}}
	want.place([]run{{location: "l", respondents: 2}, {location: "m", respondents: 70}})
	want.lay()
	got, err := readHeader(3, want.header())
	check(t, err)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(chunk{}, run{}, answerRows{}, digitSet{}),
		cmpopts.IgnoreTypes(sets{})); diff != "" {
		t.Error(diff)
	}
	var e *DamagedError
	if _, err := readHeader(4, want.header()); !errors.As(err, &e) {
		t.Errorf("the head of another chunk: %v", err)
	}
}
