package kernel

import (
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// guarded returns a copy of x that ends where memory may not be read or written:
// a kernel that goes past the end of a slice does not survive it.
func guarded[T any](t *testing.T, x []T) []T {
	t.Helper()
	page := syscall.Getpagesize()
	size := len(x) * int(unsafe.Sizeof(*new(T)))
	pages := (size+page-1)/page*page + page
	mem, err := syscall.Mmap(-1, 0, pages, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatalf("mmap: %v", err)
	}
	t.Cleanup(func() { syscall.Munmap(mem) })
	if err := syscall.Mprotect(mem[pages-page:], syscall.PROT_NONE); err != nil {
		t.Fatalf("mprotect: %v", err)
	}
	end := mem[pages-page-size : pages-page]
	guarded := unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(end))), len(x))
	copy(guarded, x)
	return guarded
}

func TestGuarded(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	var s Scratch
	for _, n := range []int{1, 2, 3, 4, 5, 7, 8, 9, 63, 127, 128} {
		for _, shape := range [][2]int{{1, 1}, {3, 20}, {30, 6}} {
			most := int64(MaxWeight)
			if n%2 == 0 {
				most = 1<<32 - 1
			}
			b := newBlock(r, n, shape[0], shape[1], 0.3, 0.3, 1, most)
			for _, xs := range [][][]uint64{b.rows, b.cols} {
				for i := range xs {
					xs[i] = guarded(t, xs[i])
				}
			}
			b.mask = guarded(t, b.mask)
			want := make([]Count, shape[0]*shape[1])
			naive(want, shape[1], b.rows, b.cols, b.mask, b.weights)
			all := given(b.weights)
			weights := all[len(all)-1]
			weights.Packed = guarded(t, weights.Packed)
			if weights.Small != nil {
				weights.Small = guarded(t, weights.Small)
			}
			for _, k := range methods() {
				got := guarded(t, make([]Count, len(want)))
				k.Tile(&s, got, shape[1], b.rows, b.cols, b.mask, weights)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %d words, %d × %d: %v, want %v", k, n, shape[0], shape[1], got, want)
				}
				clear(got)
				k.Squares(&s, got, guarded(t, make([]Square, len(want))), shape[1], b.rows, b.cols, b.mask, weights)
				if !slices.Equal(got, want) {
					t.Fatalf("%s: %d words, %d × %d, with squares: %v, want %v", k, n, shape[0], shape[1], got, want)
				}
			}
			dst := guarded(t, make([]uint64, n))
			And(dst, b.rows[0], b.cols[0])
			Or(dst, b.rows[0], b.cols[0])
			AndNot(dst, b.rows[0], b.cols[0])
			AtLeast(dst, b.rows, 2)
			Saying(dst, [][]byte{guarded(t, make([]byte, 8*n)), guarded(t, make([]byte, 8*n))}, 1)
			PopCount(dst)
			Any(dst)
			for _, k := range All() {
				for _, way := range []lookingUp{k.lookUp, k.gathering} {
					for _, bytes := range []int{1, 2} {
						if k := (&Kernel{lookUp: way}); way != nil {
							k.LookUp(guarded(t, make([]uint32, 64*n)), dst, guarded(t, make([]byte, 64*n*bytes)), guarded(t, []uint32{0}))
						}
					}
				}
			}
		}
	}
}
