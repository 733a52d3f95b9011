package cells

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// longestRow is how much text a row may have, in bytes.
const longestRow = 4 << 20

// Sheet is a worksheet.
type Sheet struct {
	Name   string // as its tab shows it
	Hidden bool
}

// First is the sheet that is meant unless another is named: the first that can be seen, else the first.
func First(sheets []Sheet) int {
	return max(0, slices.IndexFunc(sheets, func(s Sheet) bool { return !s.Hidden }))
}

// Row is a row of a sheet. It is good until the next one.
type Row struct {
	Number int    // as Excel shows it, from 1
	Cells  []Cell // from left to right

	text []byte
}

// Cell is a cell with a value.
type Cell struct {
	Column int // from 0
	start  int
	end    int
}

// Visible is a character of a cell's text as rows have it: a space in place of what controls a printer, but for line
// feeds, as forms divide the answers of a cell by lines.
func Visible[T byte | rune](c T) T {
	if c < ' ' && c != '\n' {
		return ' '
	}
	return c
}

// Lines is the text of a cell of the row, with a line feed between lines.
func (r *Row) Lines(c Cell) []byte { return r.text[c.start:c.end] }

// Text is the text of a cell of the row, with a space between lines.
func (r *Row) Text(c Cell) []byte {
	lines := r.Lines(c)
	if bytes.IndexByte(lines, '\n') < 0 {
		return lines
	}
	return bytes.ReplaceAll(lines, []byte{'\n'}, []byte{' '})
}

// Begin makes it a row without cells.
func (r *Row) Begin(number int) {
	r.Number, r.Cells, r.text = number, r.Cells[:0], r.text[:0]
}

// Add adds a cell with a copy of a text that is not empty. A row of more than 4 MiB of text is an error.
func (r *Row) Add(column int, text []byte) error {
	start := len(r.text)
	if start+len(text) > longestRow {
		return fmt.Errorf("the row has more than %d MiB of text", longestRow>>20)
	}
	r.text = append(r.text, text...)
	r.Cells = append(r.Cells, Cell{column, start, len(r.text)})
	return nil
}

// Sort puts cells that were added in any order from left to right. Of several in a column the last counts.
func (r *Row) Sort() {
	order := func(a, b Cell) int { return cmp.Compare(a.Column, b.Column) }
	if !slices.IsSortedFunc(r.Cells, order) {
		slices.SortStableFunc(r.Cells, order)
	}
	kept := r.Cells[:0]
	for i, c := range r.Cells {
		if i+1 == len(r.Cells) || r.Cells[i+1].Column != c.Column {
			kept = append(kept, c)
		}
	}
	r.Cells = kept
}

// ColumnName is the name of a column, counted from 0: A, Z, AA.
func ColumnName(column int) string {
	name := ""
	for column++; column > 0; column = (column - 1) / 26 {
		name = string(rune('A'+(column-1)%26)) + name
	}
	return name
}
