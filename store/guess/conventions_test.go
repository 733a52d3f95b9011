package guess_test

import (
	"fmt"
	"iter"
	"os"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/guess"
)

// testdata/conventions/tables.txt has tables as survey tools write them, and how each column is to be read.
func TestConventions(t *testing.T) {
	for name, lines := range conventions(t) {
		t.Run(name, func(t *testing.T) {
			f, want := convention(t, lines)
			m := guessed(t, f, guess.Options{})
			got := readings(m)
			for _, c := range f.Columns[1:] {
				if got[c.Name] != want[c.Name] {
					t.Errorf("%s: read as %q, want %q", c.Name, got[c.Name], want[c.Name])
				}
			}
			whole(t, f.Table, m)
		})
	}
}

// conventions are the cases, a name and its lines each.
func conventions(t *testing.T) iter.Seq2[string, string] {
	t.Helper()
	text, err := os.ReadFile("testdata/conventions/tables.txt")
	if err != nil {
		t.Fatal(err)
	}
	return func(yield func(name, lines string) bool) {
		for _, script := range strings.Split(string(text), "\n# ")[1:] {
			if name, lines, _ := strings.Cut(script, "\n"); !yield(name, lines) {
				return
			}
		}
	}
}

// convention reads a case: a column per line.
func convention(t *testing.T, lines string) (*guess.File, map[string]string) {
	t.Helper()
	const rows = 120
	table := repeated(rows, "id", count(1))
	f := table.file()
	want := map[string]string{}
	for line := range strings.Lines(lines) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) < 5 {
			cells = strings.Split(line, "|")
		}
		if len(cells) != 5 {
			t.Fatalf("%q has %d fields, not 5", line, len(cells))
		}
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		c := guess.Column{Name: cells[0], Label: cells[1]}
		for _, label := range strings.Fields(cells[2]) {
			value, text, _ := strings.Cut(label, "=")
			c.Labels = append(c.Labels, guess.Label{Value: value, Text: strings.ReplaceAll(text, "_", " ")})
		}
		f.Columns = append(f.Columns, c)
		table.header = append(table.header, c.Name)
		values := strings.Split(cells[3], " / ")
		for i := range table.rows {
			value := strings.TrimSpace(values[i%len(values)])
			if value == "." {
				value = ""
			}
			value = strings.ReplaceAll(value, "~", fmt.Sprintf(" number %d", i))
			table.rows[i] = append(table.rows[i], value)
		}
		want[c.Name] = cells[4]
	}
	if len(want) == 0 {
		t.Fatal(fmt.Errorf("no columns"))
	}
	return f, want
}
