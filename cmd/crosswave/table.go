package main

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
)

// table is a crosstab for reading: five lines a row audience, a column a column audience.
type table struct {
	frame *audience.Frame
	names []string // of the columns
	rows  []tableRow
}

type tableRow struct {
	name  string
	cells []crosstab.Cell
}

const (
	nameWidth   = 34 // of a row's name
	columnWidth = 16
	blockWidth  = 7 // columns side by side; more go below
)

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

func (t *table) write(out io.Writer) error {
	var b strings.Builder
	t.caption(&b)
	for first := 0; first < len(t.names); first += blockWidth {
		last := min(first+blockWidth, len(t.names))
		if first > 0 {
			b.WriteByte('\n')
		}
		t.block(&b, first, last)
	}
	if t.unmeasured() {
		b.WriteString("\n–  not measured: these were never asked together\n")
	}
	_, err := io.WriteString(out, b.String())
	return err
}

// caption tells what the totals cover. Other cells may cover less: each is measured where all its parts were asked.
func (t *table) caption(b *strings.Builder) {
	total := t.rows[0].cells[0]
	fmt.Fprintf(b, "%s: %s respondents stand for %s people; waves %s; %d locations\n\n", total.Namespace,
		grouped(float64(total.Base.Sample), 0),
		people(total.Base.Size), strings.Join(t.frame.WaveCodes(total.Cover), ", "),
		len(t.frame.LocationCodes(total.Cover)))
}

func (t *table) block(b *strings.Builder, first, last int) {
	header := make([][]string, last-first)
	height := 0
	for i := range header {
		header[i] = wrap(t.names[first+i], columnWidth-2)
		height = max(height, len(header[i]))
	}
	for line := range height {
		b.WriteString(strings.Repeat(" ", nameWidth+10))
		for _, h := range header {
			text := ""
			if k := line - (height - len(h)); k >= 0 {
				text = h[k]
			}
			b.WriteString(right(text, columnWidth))
		}
		b.WriteByte('\n')
	}
	rule := strings.Repeat("─", nameWidth+10+columnWidth*(last-first))
	for _, r := range t.rows {
		b.WriteString(rule)
		b.WriteByte('\n')
		named := wrap(r.name, nameWidth-1)
		for i := range max(len(lines), len(named)) {
			t.line(b, r, named, i, first, last)
		}
	}
}

func (t *table) line(b *strings.Builder, r tableRow, named []string, i, first, last int) {
	text := ""
	if i < len(named) {
		text = named[i]
	}
	b.WriteString(left(text, nameWidth))
	if i < len(lines) {
		b.WriteString(left(lines[i].name, 10))
		for _, c := range r.cells[first:last] {
			value := "–"
			if c.Base.Sample > 0 {
				value = lines[i].value(&c)
			}
			b.WriteString(right(value, columnWidth))
		}
	}
	b.WriteByte('\n')
}

func (t *table) unmeasured() bool {
	for _, r := range t.rows {
		for _, c := range r.cells {
			if c.Base.Sample == 0 {
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

// wrap breaks a text at spaces into lines of at most width characters.
func wrap(text string, width int) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		for utf8.RuneCountInString(word) > width {
			if line != "" {
				out, line = append(out, line), ""
			}
			r := []rune(word)
			out, word = append(out, string(r[:width])), string(r[width:])
		}
		switch {
		case line == "":
			line = word
		case utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= width:
			line += " " + word
		default:
			out, line = append(out, line), word
		}
	}
	return append(out, line)
}

func left(s string, width int) string {
	return fmt.Sprintf("%-*s", width, s)
}

func right(s string, width int) string {
	return fmt.Sprintf("%*s", width, s)
}
