package xlsx

import "fmt"

// Error is something in a workbook that cannot be read.
type Error struct {
	Part   string // of the archive, such as xl/worksheets/sheet1.xml; "": the workbook as a whole
	Cell   string // such as B7; "": no cell in particular
	Reason string // what is wrong
	Err    error  // nil, or what was found by who unpacked or parsed the part
}

func (e *Error) Error() string {
	text := e.Reason
	if e.Err != nil {
		text = e.Err.Error()
		if e.Reason != "" {
			text = e.Reason + ": " + text
		}
	}
	switch {
	case e.Cell != "":
		return fmt.Sprintf("cell %s (%s): %s", e.Cell, e.Part, text)
	case e.Part != "":
		return e.Part + ": " + text
	}
	return text
}

func (e *Error) Unwrap() error { return e.Err }

// Notices is what reading a sheet met that is no value and yet no fault.
type Notices struct {
	Errors     int64  // cells that hold an error such as #N/A
	FirstError string // the first of them, as C7 #N/A
	Unknown    int64  // formulas whose result was not saved
	FirstBlank string // the cell of the first of them
	Hidden     int64  // rows that are hidden, and were read
}
