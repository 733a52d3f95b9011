package cells

import "fmt"

// Error is something in a workbook that cannot be read.
type Error struct {
	Part   string // such as xl/worksheets/sheet1.xml, or sheet "Data"; "": the workbook as a whole
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
