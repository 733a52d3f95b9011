package sav

import (
	"errors"
	"fmt"
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

// FormatError is why a file is refused.
type FormatError struct {
	Offset  int64  // bytes from the start of the file to the trouble; inside zlib data, as if they were not deflated
	Problem string // what was found there, and what was expected
	Kind    error  // one of the Err values of this package
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%v: at byte %d: %s", e.Kind, e.Offset, e.Problem)
}

func (e *FormatError) Unwrap() error { return e.Kind }

func damaged(offset int64, format string, args ...any) error {
	return &FormatError{Offset: offset, Problem: fmt.Sprintf(format, args...), Kind: ErrDamaged}
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

// Note is something the reader skipped or repaired, or that [Dictionary.Fit] changed.
type Note struct {
	Offset int64 // bytes from the start of the file; 0 where no place applies
	Text   string
}

func (n Note) String() string {
	if n.Offset == 0 {
		return n.Text
	}
	return fmt.Sprintf("at byte %d: %s", n.Offset, n.Text)
}

// maxNotes bounds the notes kept of one file; a hostile one could earn a note for every few bytes.
const maxNotes = 200

// notes collects notes up to maxNotes and then only counts them.
type notes struct {
	list []Note
	more int
}

func (n *notes) add(offset int64, format string, args ...any) {
	if len(n.list) == maxNotes {
		n.more++
		return
	}
	n.list = append(n.list, Note{Offset: offset, Text: fmt.Sprintf(format, args...)})
}

// all returns a copy of the notes, closed by one that counts those left out.
func (n *notes) all() []Note {
	out := append([]Note(nil), n.list...)
	if n.more > 0 {
		out = append(out, Note{Text: fmt.Sprintf("%d more notes left out", n.more)})
	}
	return out
}
