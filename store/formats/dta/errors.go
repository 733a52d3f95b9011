package dta

import (
	"errors"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// The reasons for which a file is refused; a [FormatError] wraps one of them.
var (
	// ErrNotStata: the file is something else.
	ErrNotStata = errors.New("not a Stata file")
	// ErrUnsupported: a Stata file of a kind this package does not read.
	ErrUnsupported = errors.New("unsupported Stata file")
	// ErrDamaged: the file is cut short or contradicts itself.
	ErrDamaged = errors.New("damaged Stata file")
)

// FormatError is why a file is refused. Its Offset is how many bytes from the start of the file the trouble is. Its
// Problem is what was found there, in which section, variable and row, and what was expected; and its Kind, which it
// wraps, one of the Err values of this package.
type FormatError = statfile.FormatError

// Note is something the reader skipped or repaired, as its Text says. Its Offset is how many bytes from the start of
// the file that is; 0 where no place applies.
type Note struct {
	Offset int64
	Text   string
}

func (n Note) String() string { return statfile.Note(n).String() }

func damaged(offset int64, format string, args ...any) error {
	return statfile.Errorf(ErrDamaged, offset, format, args...)
}

func unsupported(offset int64, format string, args ...any) error {
	return statfile.Errorf(ErrUnsupported, offset, format, args...)
}
