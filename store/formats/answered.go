package formats

import (
	"regexp"
	"strings"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// answered tells which rows of a sheet are what people answered in a form: one of Google Forms writes the time in front
// of each, and below them may stand what somebody counted.
type answered struct {
	form        bool  // the sheet is one of a form
	rows, cells int64 // with a time, and what is filled in these
	last        int   // the number of the last row with a time
	below       int   // rows behind it
	first       int   // the number of the first of these
	filled      int   // cells of that
}

// aTime begins a time as a sheet's cells are written.
var aTime = regexp.MustCompile(`^\d{4}-\d\d-\d\d`)

// see takes the next row of the sheet that holds anything.
func (r *answered) see(row *cells.Row) {
	text := ""
	if row.Cells[0].Column == 0 {
		text = strings.TrimSpace(string(row.Text(row.Cells[0])))
	}
	switch {
	case row.Number == 1:
		r.form = stamped.MatchString(text)
	case r.form && aTime.MatchString(text):
		r.rows, r.cells = r.rows+1, r.cells+int64(len(row.Cells))
		r.last, r.below = row.Number, 0
	case r.form:
		if r.below++; r.below == 1 {
			r.first, r.filled = row.Number, len(row.Cells)
		}
	}
}

// end is the number of the last row that is a response; 0: all are. What was typed in by hand has no time and as much
// in it as others have: it is a response, too.
func (r *answered) end() int {
	const least = 2
	if r.rows < least || r.below == 0 || 2*int64(r.filled)*r.rows >= r.cells {
		return 0
	}
	return r.last
}
