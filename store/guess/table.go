package guess

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// WriteTo writes how the columns are read as a table for people, and the notes after it.
func (m *Mapping) WriteTo(w io.Writer) (int64, error) {
	rows := [][]string{{"COLUMN", "READ AS", "QUESTION", "VALUES", "BECAUSE", "LABEL"}}
	for _, r := range m.Columns {
		rows = append(rows, []string{short(r.Column, 32), r.As, short(r.Of, 24), short(r.Values, 60), r.Why,
			short(r.Label, 60)})
	}
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := ""
		for i, cell := range row {
			line += cell + strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2)
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	if len(m.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range m.Notes {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
