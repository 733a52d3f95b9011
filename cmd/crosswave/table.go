package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// table is a crosstab for reading: five lines a row audience, a column a column audience, as wide as a terminal at the
// most. Columns that have no room there go below.
type table struct {
	*crossed
	width int // of the terminal, in columns of it

	nameWidth int   // with the blank behind the name
	widths    []int // of the columns, with the blanks before the figure
}

// lines are what a table says of a cell. Column % is the share of the column that is in the row, row % the share of the
// row that is in the column.
var lines = []struct {
	name  string
	value func(*crosstab.Cell) string
}{
	{"size", func(c *crosstab.Cell) string { return people(c.Intersect.Size) }},
	{"sample", func(c *crosstab.Cell) string { return grouped(float64(c.Intersect.Sample), 0) }},
	{"column %", func(c *crosstab.Cell) string { return grouped(c.Row.IntersectPercentage, 1) }},
	{"row %", func(c *crosstab.Cell) string { return grouped(c.Column.IntersectPercentage, 1) }},
	{"index", func(c *crosstab.Cell) string { return grouped(c.Intersect.Index, 1) }},
}

const (
	linesWidth  = 8  // of the longest of their names
	widestName  = 34 // of a row
	widestWord  = 14 // of a column's name that is not broken
	leastColumn = 11 // without which names of columns would be high
	narrowest   = 40 // terminal that a table is made for
	unmeasured  = "–"
	noted       = unmeasured + "  not measured: these were never asked together"
	columnsGap  = 2
	shareOfName = 4 // the part of the terminal that names of rows have at the most
)

func newTable(x *crossed, width int) *table {
	t := &table{crossed: x, width: max(width, narrowest)}
	for _, r := range x.rows {
		t.nameWidth = max(t.nameWidth, displayWidth(plain(name(r))))
	}
	t.nameWidth = min(t.nameWidth, widestName, t.width/shareOfName) + 1
	for j, c := range x.columns {
		width := leastColumn
		for word := range strings.FieldsSeq(plain(name(c))) {
			width = max(width, min(displayWidth(word), widestWord))
		}
		for i := range x.rows {
			for k := range lines {
				width = max(width, displayWidth(t.value(i, j, k)))
			}
		}
		t.widths = append(t.widths, width+columnsGap)
	}
	return t
}

// value is what a line says of a cell.
func (t *table) value(row, column, line int) string {
	if c := &t.cells[row][column]; c.Base.Sample > 0 {
		return lines[line].value(c)
	}
	return unmeasured
}

// text is the whole table.
func (t *table) text() string {
	var b strings.Builder
	t.caption(&b)
	for first := 0; first < len(t.columns); {
		if first > 0 {
			b.WriteByte('\n')
		}
		last, used := first+1, t.nameWidth+linesWidth+t.widths[first]
		for ; last < len(t.columns) && used+t.widths[last] <= t.width; last++ {
			used += t.widths[last]
		}
		t.block(&b, first, last, used)
		first = last
	}
	b.WriteByte('\n')
	for _, line := range t.coverage() {
		for i, part := range wrap(line, t.width-columnsGap) {
			if i > 0 {
				b.WriteString(strings.Repeat(" ", columnsGap))
			}
			b.WriteString(part + "\n")
		}
	}
	if t.unmeasured() {
		b.WriteString(noted + "\n")
	}
	return b.String()
}

// caption tells how many the total is, and of whom.
func (t *table) caption(b *strings.Builder) {
	total := t.cells[0][0]
	text := fmt.Sprintf("%s: %s respondents stand for %s people", total.Namespace, grouped(float64(total.Base.Sample), 0),
		people(total.Base.Size))
	if x := t.request.Base.Expr; x != nil {
		text += "; base: " + audience.Describe(x, t.frame)
	}
	b.WriteString(strings.Join(wrap(text, t.width), "\n") + "\n\n")
}

// block writes some of the columns, with all rows, which take a width together.
func (t *table) block(b *strings.Builder, first, last, width int) {
	header := make([][]string, last-first)
	height := 0
	for i := range header {
		header[i] = wrap(name(t.columns[first+i]), t.widths[first+i]-columnsGap)
		height = max(height, len(header[i]))
	}
	for line := range height {
		text := strings.Repeat(" ", t.nameWidth+linesWidth)
		for i, h := range header {
			word := ""
			if k := line - (height - len(h)); k >= 0 {
				word = h[k]
			}
			text += right(word, t.widths[first+i])
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	rule := strings.Repeat("─", width) + "\n"
	for i, r := range t.rows {
		b.WriteString(rule)
		named := wrap(name(r), t.nameWidth-1)
		for k := range max(len(lines), len(named)) {
			text := ""
			if k < len(named) {
				text = named[k]
			}
			text = left(text, t.nameWidth)
			if k < len(lines) {
				text += left(lines[k].name, linesWidth)
				for j := first; j < last; j++ {
					text += right(t.value(i, j, k), t.widths[j])
				}
			}
			b.WriteString(strings.TrimRight(text, " ") + "\n")
		}
	}
}

// unmeasured tells whether any cell is.
func (t *table) unmeasured() bool {
	for _, row := range t.cells {
		for i := range row {
			if row[i].Base.Sample == 0 {
				return true
			}
		}
	}
	return false
}

// people writes a size: whole people where there are many, a decimal where the weights project to few.
func people(size float64) string {
	if math.Abs(size) >= 10_000 {
		return grouped(size, 0)
	}
	return grouped(size, 1)
}

// grouped writes a number with thousands apart.
func grouped(x float64, decimals int) string {
	s := strconv.FormatFloat(x, 'f', decimals, 64)
	whole, fraction, found := strings.Cut(s, ".")
	var parts []string
	for len(whole) > 3 {
		parts = append([]string{whole[len(whole)-3:]}, parts...)
		whole = whole[:len(whole)-3]
	}
	s = strings.Join(append([]string{whole}, parts...), ",")
	if found {
		s += "." + fraction
	}
	return s
}
