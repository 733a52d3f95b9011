package blob

import (
	"fmt"
	"slices"
	"testing"
)

// Memory holds what is written to it, and nothing that was in use is written over, whether its pages are asked for or
// not, and however little of the last one is its own.
func TestMemory(t *testing.T) {
	for name, m := range map[string]Memory{"asking for nothing": {}, "asking": NewMemory()} {
		for _, bytes := range []int{0, 4, 60, worthAsking - 4, worthAsking, worthAsking + 4, 3<<20 + 12} {
			t.Run(fmt.Sprintf("%s, %d bytes", name, bytes), func(t *testing.T) {
				var all [][]uint32
				for i := range 8 {
					numbers := m.Numbers(bytes / 4)
					if len(numbers) != bytes/4 {
						t.Fatalf("there is room for %d numbers, want %d", len(numbers), bytes/4)
					}
					for at := range numbers {
						numbers[at] = uint32(i<<24 + at)
					}
					all = append(all, numbers)
				}
				for i, numbers := range all {
					for at, n := range numbers {
						if n != uint32(i<<24+at) {
							t.Fatalf("number %d of the %d. is %x", at, i+1, n)
						}
					}
				}
			})
		}
	}
}

func TestReadNumbers(t *testing.T) {
	data := []byte{1, 0, 0, 0, 2, 1, 0, 0, 255, 255, 255, 255}
	if got, want := (Memory{}).ReadNumbers(data), []uint32{1, 258, 1<<32 - 1}; !slices.Equal(got, want) {
		t.Errorf("%d, want %d", got, want)
	}
	if got := (Memory{}).ReadNumbers(nil); len(got) != 0 {
		t.Errorf("of no bytes: %d", got)
	}
}

func BenchmarkMemory(b *testing.B) {
	for name, m := range map[string]Memory{"asking for nothing": {}, "asking": NewMemory()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				clear(m.words(1 << 17))
			}
		})
	}
}
