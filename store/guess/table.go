package guess

import (
	"fmt"
	"io"
	"strings"

	"github.com/crosswave/crosswave/internal/aligned"
)

// WriteTo writes how the columns are read as a table for people, and the notes after it.
func (m *Result) WriteTo(w io.Writer) (int64, error) {
	rows := [][]string{{"COLUMN", "READ AS", "QUESTION", "VALUES", "BECAUSE", "LABEL"}}
	for _, r := range m.Columns {
		rows = append(rows, []string{short(r.Column, 32), r.As, short(r.Of, 24), short(r.Values, 60), r.Why.String(),
			short(r.Label, 60)})
	}
	var b strings.Builder
	b.WriteString(aligned.Table(rows, "", len(rows[0])))
	if len(m.Notes) > 0 {
		b.WriteString("\n")
	}
	for _, n := range m.Grouped() {
		fmt.Fprintf(&b, "- %s\n", n)
	}
	n, err := io.WriteString(w, b.String())
	return int64(n), err
}
