// Package statfile is what the readers of the files of statistics programs share: a scan of a file that cannot be
// trusted, the errors and notes that come of it, and how its texts are decoded.
package statfile

import "fmt"

// Format is what the reader of one format says otherwise than that of another.
type Format struct {
	Name    string // with its article: "a Stata file"
	Damaged error  // the Kind of an error of the file's making
	// What is said of a part of the file that has less than no bytes, more than are left, and more than are read of one
	// part. The verbs are for the part and its bytes, and then for those that are left, or the most.
	Negative, Short, Long string
}

// FormatError is why a file is refused.
type FormatError struct {
	Offset  int64  // bytes from the start of the file to the trouble
	Problem string // what was found there, and what was expected
	Kind    error  // which the error wraps
}

func (e *FormatError) Error() string {
	return fmt.Sprintf("%v: at byte %d: %s", e.Kind, e.Offset, e.Problem)
}

func (e *FormatError) Unwrap() error { return e.Kind }

// Errorf is a FormatError whose problem is made by a format.
func Errorf(kind error, offset int64, format string, args ...any) error {
	return &FormatError{Offset: offset, Problem: fmt.Sprintf(format, args...), Kind: kind}
}
