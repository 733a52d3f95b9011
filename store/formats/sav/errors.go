package sav

import (
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// The reasons for which a file is refused; a [FormatError] wraps one of them.
var (
	// ErrNotSystemFile: the file is something else, such as a portable file.
	ErrNotSystemFile = errors.New("not an SPSS system file")
	// ErrEncrypted: the file was saved with a password.
	ErrEncrypted = errors.New("encrypted SPSS file")
	// ErrUnsupported: a system file of a kind this package does not read.
	ErrUnsupported = errors.New("unsupported SPSS system file")
	// ErrDamaged: the file is cut short or contradicts itself.
	ErrDamaged = errors.New("damaged SPSS system file")
)

// FormatError is why a file is refused. Its Offset is how many bytes from the start of the file the trouble is; inside
// zlib data, as if they were not deflated. Its Problem is what was found there, and what was expected; and its Kind,
// which it wraps, one of the Err values of this package.
type FormatError = statfile.FormatError

func damaged(offset int64, format string, args ...any) error {
	return statfile.Errorf(ErrDamaged, offset, format, args...)
}

// InvalidError is why a dictionary or a row cannot be written.
type InvalidError struct {
	Row      int64  // 1 for the first row; 0 for the dictionary
	Variable string // name, or "" where the trouble is with no single variable
	Problem  string // what is wrong, and what would be right
}

func (e *InvalidError) Error() string {
	where := "dictionary"
	if e.Row > 0 {
		where = fmt.Sprintf("row %d", e.Row)
	}
	if e.Variable != "" {
		where += fmt.Sprintf(", variable %q", e.Variable)
	}
	return fmt.Sprintf("cannot write as SPSS system file: %s: %s", where, e.Problem)
}

// Note is something the reader skipped or repaired, or that [Dictionary.Fit] changed, as its Text says. Its Offset is
// how many bytes from the start of the file that is; 0 where no place applies.
type Note struct {
	Offset int64
	Text   string
}

func (n Note) String() string { return statfile.Note(n).String() }
