package blob

import (
	"os"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"
)

// Where the system lets a program ask for pages, next to none is missing when memory is written to.
func TestMemoryIsThere(t *testing.T) {
	page := os.Getpagesize()
	some, err := unix.Mmap(-1, 0, page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Munmap(some)
	if err := unix.Madvise(some, unix.MADV_POPULATE_WRITE); err != nil {
		t.Skipf("the system lets no program ask for pages: %v", err)
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	faults := func() int64 {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_THREAD, &u); err != nil {
			t.Fatal(err)
		}
		return u.Minflt
	}
	const bytes = 32 << 20
	words := NewMemory().words(bytes / 8)
	before := faults()
	for i := range words {
		words[i] = 1
	}
	if n, pages := faults()-before, int64(bytes/page); n > pages/8 {
		t.Errorf("%d of %d pages came only when they were written to", n, pages)
	}
}
