package castagnoli

import (
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// Sums are those of hash/crc32, of any length, from any place on and behind any sum.
func TestUpdate(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	data := make([]byte, 300_000)
	for i := range data {
		data[i] = byte(r.Uint32())
	}
	lengths := []int{4096, 8193, 65_536, 65_537, 131_072 + 255, 262_144 + 256, len(data) - 64}
	for n := range 1400 {
		lengths = append(lengths, n)
	}
	for _, n := range lengths {
		from, sum := r.IntN(64), r.Uint32()
		if n%5 == 0 {
			sum = 0
		}
		part := data[from : from+n]
		if got, want := Update(sum, part), crc32.Update(sum, table, part); got != want {
			t.Fatalf("%d bytes from %d on behind %08x: %08x, want %08x", n, from, sum, got, want)
		}
	}
}

// A bit of the data that is another makes another sum.
func TestUpdateBits(t *testing.T) {
	data := make([]byte, 1025)
	want := Update(0, data)
	for i := range 8 * len(data) {
		data[i/8] ^= 1 << (i % 8)
		if Update(0, data) == want {
			t.Fatalf("bit %d does not count", i)
		}
		data[i/8] ^= 1 << (i % 8)
	}
}

func BenchmarkUpdate(b *testing.B) {
	for _, size := range []struct {
		name  string
		bytes int
	}{{"8kB", 8193}, {"256kB", 1 << 18}} {
		data := make([]byte, size.bytes)
		b.Run(size.name, func(b *testing.B) {
			b.SetBytes(int64(size.bytes))
			for b.Loop() {
				Update(0, data)
			}
		})
		b.Run(size.name+"/hash", func(b *testing.B) {
			b.SetBytes(int64(size.bytes))
			for b.Loop() {
				crc32.Update(0, table, data)
			}
		})
	}
}
