// Package readtest is what tests of readers share: a disk that breaks, and how much memory a file may take.
package readtest

import (
	"bytes"
	"errors"
	"runtime"
	"testing"
)

// ErrDisk is the error of a Failing.
var ErrDisk = errors.New("disk broken")

// Failing is a file that fails from a place on, as a disk does.
type Failing struct {
	*bytes.Reader
	From int64
}

// ReadAt reads as io.ReaderAt has it.
func (r Failing) ReadAt(p []byte, at int64) (int, error) {
	if at+int64(len(p)) > r.From {
		return 0, ErrDisk
	}
	return r.Reader.ReadAt(p, at)
}

// MaxHeld is what may be allocated for a file of 1 MB in all, garbage included.
const MaxHeld = 64 << 20

// Allocated returns the bytes that f allocates.
func Allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// SkipShort skips a test that measures memory where tests are short.
func SkipShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("it measures memory, of which the race detector, run with -short, takes more")
	}
}
