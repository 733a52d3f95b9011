package blob

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where the system lets a program ask for pages, next to none is missing before memory is written to.
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
	const bytes = 32 << 20
	m := NewMemory()
	words := m.words(bytes / 8)
	in := make([]byte, bytes/page)
	from, _ := outwards(uintptr(unsafe.Pointer(unsafe.SliceData(words))), bytes, m.page)
	if _, _, err := unix.Syscall(unix.SYS_MINCORE, from, bytes, uintptr(unsafe.Pointer(unsafe.SliceData(in)))); err != 0 {
		t.Fatal(err)
	}
	missing := 0
	for _, page := range in {
		missing += 1 - int(page&1)
	}
	if missing > len(in)/8 {
		t.Errorf("%d of %d pages are not there yet", missing, len(in))
	}
}
