package survey

import (
	"bytes"
	"fmt"
)

// Error is something in a file that cannot be imported.
type Error struct {
	Row    int64  // where: the line on which the row starts, or the number of the case, from 1; 0: no row in particular
	Column string // "": no column in particular
	Reason string // what is wrong and what would be right
}

func (e *Error) Error() string {
	switch {
	case e.Row > 0 && e.Column != "":
		return fmt.Sprintf("row %d, column %q: %s", e.Row, e.Column, e.Reason)
	case e.Row > 0:
		return fmt.Sprintf("row %d: %s", e.Row, e.Reason)
	case e.Column != "":
		return fmt.Sprintf("column %q: %s", e.Column, e.Reason)
	}
	return e.Reason
}

// Clip shortens a text of a file for an Error, and makes UTF-8 of it.
func Clip(text []byte) string {
	if len(text) > 40 {
		text = text[:40]
	}
	return string(bytes.ToValidUTF8(text, []byte("�")))
}
