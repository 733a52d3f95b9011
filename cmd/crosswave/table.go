package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// table is a crosstab for reading: a few lines a row audience, a column a column audience, as wide as a terminal at the
// most. Columns that have no room there go below.
type table struct {
	*crossed
	low   float64 // level of confidence of small letters; 0: there are none
	width int     // of the terminal, in columns of it
	color bool    // indices are shaded

	said       [][]line // of each row
	nameWidth  int      // with the blank behind the name
	linesWidth int      // of the longest name of a line
	widths     []int    // of the columns, with the blanks before the figure and the marks behind it
	marksWidth int
}

// line is what a table says of the cells of a row in one line.
type line struct {
	name  string
	cells []string
	marks []string // behind them, those of differences and of small bases; nil: none
	heats []int    // how far they are from 100; nil: they are no indices
}

// figures are the lines of every row. Column % is the share of the column that is in the row, row % the share of the
// row that is in the column.
var figures = []struct {
	name  string
	value func(*crosstab.Cell) string
}{
	{"size", func(c *crosstab.Cell) string { return people(c.Intersect.Size) }},
	{"sample", func(c *crosstab.Cell) string { return grouped(float64(c.Intersect.Sample), 0) }},
	{columnShare, func(c *crosstab.Cell) string { return grouped(c.Row.IntersectPercentage, 1) }},
	{rowShare, func(c *crosstab.Cell) string { return grouped(c.Column.IntersectPercentage, 1) }},
	{indexLine, func(c *crosstab.Cell) string { return grouped(c.Intersect.Index, 1) }},
}

const (
	columnShare = "column %"
	rowShare    = "row %"
	indexLine   = "index"

	widestName  = 34 // of a row
	widestWord  = 14 // of a column's name that is not broken
	leastColumn = 11 // without which names of columns would be high
	narrowest   = 40 // terminal that a table is made for
	unmeasured  = "–"
	noted       = unmeasured + "  not measured: these were never asked together"
	columnsGap  = 2
	shareOfName = 4 // the part of the terminal that names of rows have at the most
)

// newTable has small letters for a lower level of confidence, unless that is 0.
func newTable(x *crossed, low float64, width int, color bool) *table {
	t := &table{crossed: x, low: low, width: max(width, narrowest), color: color}
	for i, r := range x.rows {
		t.nameWidth = max(t.nameWidth, displayWidth(plain(name(r))))
		t.said = append(t.said, t.lines(i))
		for _, l := range t.said[i] {
			t.linesWidth = max(t.linesWidth, displayWidth(l.name))
			for _, mark := range l.marks {
				t.marksWidth = max(t.marksWidth, displayWidth(mark))
			}
		}
	}
	t.nameWidth = min(t.nameWidth, widestName, t.width/shareOfName) + 1
	for j, c := range x.columns {
		width := leastColumn
		for word := range strings.FieldsSeq(plain(name(c))) {
			width = max(width, min(displayWidth(word), widestWord))
		}
		for i := range x.rows {
			for _, l := range t.said[i] {
				width = max(width, displayWidth(l.cells[j]))
			}
		}
		t.widths = append(t.widths, columnsGap+width+t.marksWidth)
	}
	return t
}

// lines are those of a row.
func (t *table) lines(row int) (lines []line) {
	for _, f := range figures {
		l := line{name: f.name}
		for j := range t.columns {
			text := unmeasured
			c := &t.cells[row][j]
			if c.Base.Sample > 0 {
				text = f.value(c)
			}
			l.cells = append(l.cells, text)
			if f.name == indexLine {
				l.heats = append(l.heats, heatOf(c))
			}
		}
		lines = append(lines, l)
	}
	if t.request.Statistics == nil {
		return lines
	}
	return t.sure(row, lines)
}

// text is the whole table.
func (t *table) text() string {
	var b strings.Builder
	t.caption(&b)
	for first := 0; first < len(t.columns); {
		if first > 0 {
			b.WriteByte('\n')
		}
		last, used := first+1, t.nameWidth+t.linesWidth+t.widths[first]
		for ; last < len(t.columns) && used+t.widths[last] <= t.width; last++ {
			used += t.widths[last]
		}
		t.block(&b, first, last, used)
		first = last
	}
	b.WriteByte('\n')
	notes := append(t.coverage(), t.legend()...)
	if t.color {
		notes = append(notes, heatNote)
	}
	for _, line := range notes {
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
	b.WriteString(strings.Join(wrap(t.captionText(), t.width), "\n") + "\n\n")
}

func (t *table) captionText() string {
	total := t.cells[0][0]
	text := fmt.Sprintf("%s: %s respondents stand for %s people", total.Namespace, grouped(float64(total.Base.Sample), 0),
		people(total.Base.Size))
	if x := t.request.Base.Expr; x != nil {
		text += "; base: " + audience.Describe(x, t.frame)
	}
	return text
}

// block writes some of the columns, with all rows, which take a width together.
func (t *table) block(b *strings.Builder, first, last, width int) {
	header := make([][]string, last-first)
	height := 0
	for i := range header {
		header[i] = t.heading(first + i)
		height = max(height, len(header[i]))
	}
	for line := range height {
		text := strings.Repeat(" ", t.nameWidth+t.linesWidth)
		for i, h := range header {
			word := ""
			if k := line - (height - len(h)); k >= 0 {
				word = h[k]
			}
			text += t.cell(word, "", first+i, 0)
		}
		b.WriteString(strings.TrimRight(text, " ") + "\n")
	}
	rule := strings.Repeat("─", width) + "\n"
	for i, r := range t.rows {
		b.WriteString(rule)
		named := wrap(name(r), t.nameWidth-1)
		// letters may be all in other blocks
		said := slices.DeleteFunc(slices.Clone(t.said[i]), func(l line) bool {
			return !slices.ContainsFunc(l.cells[first:last], func(text string) bool { return text != "" })
		})
		for k := range max(len(said), len(named)) {
			text := ""
			if k < len(named) {
				text = named[k]
			}
			text = left(text, t.nameWidth)
			if k < len(said) {
				text += left(said[k].name, t.linesWidth)
				for j := first; j < last; j++ {
					mark, heat := "", 0
					if said[k].marks != nil {
						mark = said[k].marks[j]
					}
					if t.color && said[k].heats != nil {
						heat = said[k].heats[j]
					}
					text += t.cell(said[k].cells[j], mark, j, heat)
				}
			}
			b.WriteString(strings.TrimRight(text, " ") + "\n")
		}
	}
}

// heading is the name of a column, with its letter below if it has one.
func (t *table) heading(column int) []string {
	lines := wrap(name(t.columns[column]), t.widths[column]-columnsGap-t.marksWidth)
	switch {
	case !t.lettered():
	case column == 0:
		lines = append(lines, "")
	default:
		lines = append(lines, crosstab.Letter(column))
	}
	return lines
}

// cell writes a text and its marks as wide as a column, the text in the colour of a heat.
func (t *table) cell(text, mark string, column, heat int) string {
	return blanks(t.widths[column]-t.marksWidth-displayWidth(text)) + shaded(text, heat) + left(mark, t.marksWidth)
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
