package blob

import (
	"os"
	"strconv"
	"strings"
	"unsafe"

	"golang.org/x/sys/unix"
)

// transparent is where Linux says how programs have large pages.
const transparent = "/sys/kernel/mm/transparent_hugepage/"

// most is how large a large page may be: rooms are smaller than that, and share one.
const most = 4 << 20

func newMemory() Memory {
	m := Memory{page: uintptr(os.Getpagesize())}
	how, _ := os.ReadFile(transparent + "enabled")
	if strings.Contains(string(how), "[madvise]") {
		size, _ := os.ReadFile(transparent + "hpage_pmd_size")
		if n, err := strconv.ParseUint(strings.TrimSpace(string(size)), 10, 64); err == nil && n <= most {
			m.large = uintptr(n)
		}
	}
	return m
}

// ask asks for the pages of memory that is to be written. What lies beside it on a page is not touched. An error says
// that the system knows no such question, and does no harm: pages come when they are written to, as ever.
//
// What is said of large pages is taken back behind it. Else the system would fill up what Go gives back of them later
// on, as if it were still in use.
func (m Memory) ask(start, bytes uintptr) {
	if m.there(outwards(start, bytes, m.page)) {
		return
	}
	if m.large > 0 {
		from, to := outwards(start, bytes, m.large)
		advise(from, to, unix.MADV_HUGEPAGE)
		defer advise(from, to, unix.MADV_NOHUGEPAGE)
	}
	from, to := outwards(start, bytes, m.page)
	advise(from, to, unix.MADV_POPULATE_WRITE)
}

// there tells whether next to all pages are there already, as those of memory that Go has had before mostly are: to ask
// for them again would only keep others waiting. Of much memory the beginning tells.
func (m Memory) there(from, to uintptr) bool {
	const few = 8 // one in so many may be missing
	var in [512]byte
	pages := min(int((to-from)/m.page), len(in))
	if _, _, failed := unix.Syscall(unix.SYS_MINCORE, from, uintptr(pages)*m.page,
		uintptr(unsafe.Pointer(&in))); failed != 0 {
		return false
	}
	missing := 0
	for _, page := range in[:pages] {
		missing += 1 - int(page&1)
	}
	return few*missing <= pages
}

// outwards returns the bounds of the pages, of so many bytes, that memory is on.
func outwards(start, bytes, page uintptr) (from, to uintptr) {
	return start &^ (page - 1), (start + bytes + page - 1) &^ (page - 1)
}

// advise is madvise(2) for what need not be a slice of Go's.
func advise(from, to, how uintptr) { unix.Syscall(unix.SYS_MADVISE, from, to-from, how) }
