package formats

import (
	"regexp"
	"strings"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// answered tells which rows of a sheet are what people answered in a form: one of Google Forms writes the time in front
// of each, and below them may stand what somebody counted.
type answered struct {
	form        bool              // the sheet is one of a form
	width       int               // columns that have a name
	rows, cells int64             // with a time, and what is filled in these
	last        int               // the number of the last row with a time
	given       []map[string]bool // some of what stands in each column of these

	below, first int           // rows behind it, and the number of the first
	heading      bool          // the first says nothing that a response says, and words in place of numbers
	full         int           // how many of them have nearly as much as a response
	notices      cells.Notices // of the rows up to the last with a time
}

// dated is a day in a cell, however it is written.
var dated = regexp.MustCompile(`\d{1,4}[-/.年] ?\d{1,2}[-/.月] ?\d{1,4}`)

// see takes the next row of the sheet that holds anything, and what was noticed up to it.
func (r *answered) see(row *cells.Row, notices cells.Notices) {
	text := ""
	if row.Cells[0].Column == 0 {
		text = strings.TrimSpace(string(row.Text(row.Cells[0])))
	}
	switch {
	case row.Number == 1:
		r.form, r.width = stamped.MatchString(text), row.Cells[len(row.Cells)-1].Column+1
	case r.form && dated.MatchString(text):
		r.rows, r.cells = r.rows+1, r.cells+int64(len(row.Cells))
		r.last, r.below, r.full, r.notices = row.Number, 0, 0, notices
		r.remember(row)
	case r.form:
		filled := int64(len(row.Cells)) * r.rows
		if r.below++; r.below == 1 {
			r.first, r.heading = row.Number, text == "" && 2*filled < r.cells && r.entitles(row)
		}
		r.full += count(4*filled >= 3*r.cells)
	}
}

// remember keeps what stands in a row, as far as it is not too much.
func (r *answered) remember(row *cells.Row) {
	const columns, texts = 1000, 60 // of which so many texts each
	for _, c := range row.Cells {
		for len(r.given) <= min(c.Column, columns-1) {
			r.given = append(r.given, map[string]bool{})
		}
		if c.Column < columns && len(r.given[c.Column]) < texts {
			r.given[c.Column][string(row.Text(c))] = true
		}
	}
}

// entitles tells whether a row may stand above figures: nothing in it stands in a response, too, and words stand in it
// where responses have numbers, or where no column has a name. Where responses have nothing, others may have answers.
func (r *answered) entitles(row *cells.Row) bool {
	words := false
	for _, c := range row.Cells {
		text := string(row.Text(c))
		if c.Column >= len(r.given) || len(r.given[c.Column]) == 0 {
			words = words || c.Column >= r.width
			continue
		}
		if r.given[c.Column][text] {
			return false
		}
		numbers := true
		for given := range r.given[c.Column] {
			numbers = numbers && measured(given)
		}
		words = words || numbers && !measured(text)
	}
	return words
}

// end is the number of the last row that is a response; 0: all are. What stands below the last with a time is none if
// it begins with a row that says nothing of what responses say, and most of it is not as full as they are. What was
// typed in by hand is a response, too.
func (r *answered) end() int {
	const least = 2
	if r.rows < least || r.below == 0 || !r.heading || 2*r.full >= r.below {
		return 0
	}
	return r.last
}
