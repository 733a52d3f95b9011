package blob

import (
	"os"
	"testing"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Where the system brings the pages that a program asks for, next to none is missing before memory is written to.
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
	// An emulator of another processor hears every advice, and follows few.
	if missing(t, uintptr(unsafe.Pointer(unsafe.SliceData(some))), 1) > 0 {
		t.Skip("the system takes the question and brings no page")
	}
	const bytes = 32 << 20
	m := NewMemory()
	words := m.words(bytes / 8)
	from, _ := outwards(uintptr(unsafe.Pointer(unsafe.SliceData(words))), bytes, m.page)
	if n := missing(t, from, bytes/page); n > bytes/page/8 {
		t.Errorf("%d of %d pages are not there yet", n, bytes/page)
	}
}

// missing counts which of so many pages from an address on are not there yet.
func missing(t *testing.T, from uintptr, pages int) (n int) {
	in := make([]byte, pages)
	_, _, err := unix.Syscall(unix.SYS_MINCORE, from, uintptr(pages*os.Getpagesize()),
		uintptr(unsafe.Pointer(unsafe.SliceData(in))))
	if err != 0 {
		t.Fatal(err)
	}
	for _, page := range in {
		n += 1 - int(page&1)
	}
	return n
}
