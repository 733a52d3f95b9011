package dta

import (
	"errors"
	"fmt"
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

// FormatError is why a file is refused.
type FormatError struct {
	Offset  int64  // bytes from the start of the file to the trouble
	Problem string // what was found there, in which section, variable and row, and what was expected
	Kind    error  // one of the Err values of this package
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%v: at byte %d: %s", e.Kind, e.Offset, e.Problem)
}

func (e *FormatError) Unwrap() error { return e.Kind }

func damaged(offset int64, format string, args ...any) error {
	return &FormatError{Offset: offset, Problem: fmt.Sprintf(format, args...), Kind: ErrDamaged}
}

func unsupported(offset int64, format string, args ...any) error {
	return &FormatError{Offset: offset, Problem: fmt.Sprintf(format, args...), Kind: ErrUnsupported}
}

// Note is something the reader skipped or repaired.
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
