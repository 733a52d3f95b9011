package blob

import (
	"os"
	"strconv"
	"strings"

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
	if m.large > 0 {
		from, to := outwards(start, bytes, m.large)
		advise(from, to, unix.MADV_HUGEPAGE)
		defer advise(from, to, unix.MADV_NOHUGEPAGE)
	}
	from, to := outwards(start, bytes, m.page)
	advise(from, to, unix.MADV_POPULATE_WRITE)
}

// outwards returns the bounds of the pages, of so many bytes, that memory is on.
func outwards(start, bytes, page uintptr) (from, to uintptr) {
	return start &^ (page - 1), (start + bytes + page - 1) &^ (page - 1)
}

// advise is madvise(2) for what need not be a slice of Go's.
func advise(from, to, how uintptr) { unix.Syscall(unix.SYS_MADVISE, from, to-from, how) }
