package cells

// Notices is what reading a sheet met that is no value and yet no fault.
type Notices struct {
	Errors     int64  // cells that hold an error such as #N/A
	FirstError string // the first of them, as C7 #N/A
	Unknown    int64  // formulas whose result was not saved
	FirstBlank string // the cell of the first of them
	Hidden     int64  // rows that are hidden, and were read
}

// AddError counts a cell that holds an error.
func (n *Notices) AddError(cell, what string) {
	if n.Errors++; n.Errors == 1 {
		n.FirstError = cell + " " + what
	}
}

// AddUnknown counts a formula whose result was not saved.
func (n *Notices) AddUnknown(cell string) {
	if n.Unknown++; n.Unknown == 1 {
		n.FirstBlank = cell
	}
}
