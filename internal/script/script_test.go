package script_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/script"
	"github.com/google/go-cmp/cmp"
)

const sums = `# Two and two
# are four.

add 2 2   # not a comment: comments have a line of their own
  # this is one

  sum | note
  4   | by hand
	5 |
stop
`

func TestParse(t *testing.T) {
	got, err := script.Parse("sums.txt", sums)
	if err != nil {
		t.Fatal(err)
	}
	line := func(n int, text string) script.Line { return script.Line{Script: "sums.txt", Number: n, Text: text} }
	want := &script.Script{Name: "sums.txt", Title: "Two and two are four.", Steps: []script.Step{
		{Line: line(4, "add 2 2   # not a comment: comments have a line of their own"), Lines: script.Lines{
			line(7, "sum | note"), line(8, "4   | by hand"), line(9, "5 |")}},
		{Line: line(10, "stop")},
	}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	word, rest := got.Steps[0].Cut()
	if word != "add" || !strings.HasPrefix(rest, "2 2 ") {
		t.Errorf("Cut gives %q and %q", word, rest)
	}
	table, err := got.Steps[0].Table()
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([][]string{{"4", "by hand"}, {"5", ""}}, [][]string{table.Rows[0].Cells,
		table.Rows[1].Cells}); d != "" {
		t.Error(d)
	}
	if table.Column("note") != 1 || table.Column("notes") != -1 {
		t.Errorf("the columns are %q", table.Columns)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"indented first", "# t\n\n  sum | 4\n", "x:3: an indented line belongs to a step, and there is none above it"},
		{"not UTF-8", "add \xff\n", "x: the text is not UTF-8"},
		{"column twice", "add\n  a | b | a\n", `x:2: two columns of the table are named "a"`},
		{"column without a name", "add\n  a | | b\n", "x:2: column 2 of the table has no name"},
		{"too few cells", "add\n  a | b\n  1 | 2\n  1\n", "x:4: 1 cells under the 2 columns of line 2"},
		{"no table", "add\n", "x:1: below it a table has at least the line that names its columns"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := script.Parse("x", c.text)
			if err == nil {
				_, err = s.Steps[0].Table()
			}
			if err == nil || err.Error() != c.want {
				t.Errorf("the error is %v, want %s", err, c.want)
			}
			if e := (*script.Error)(nil); !errors.As(err, &e) {
				t.Errorf("the error is a %T", err)
			}
		})
	}
}

func TestFormat(t *testing.T) {
	got := script.Format("  ", [][]string{{"sum", "n"}, {"4", ""}, {"–", "by hand"}})
	want := "  sum | n\n  4   |\n  –   | by hand\n"
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	s, err := script.Parse("x", "step\n"+got)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Steps[0].Table(); err != nil {
		t.Error(err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sums)
	f.Add("a\n b|c\n d|e")
	f.Add("\r\n#\n#x\r\nstep\r\n\t|")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := script.Parse("x", text)
		if err != nil {
			return
		}
		last := 0
		for _, step := range s.Steps {
			for _, line := range append(script.Lines{step.Line}, step.Lines...) {
				if line.Number <= last || line.Text == "" || line.Text != strings.TrimSpace(line.Text) {
					t.Fatalf("line %d after %d is %q", line.Number, last, line.Text)
				}
				last = line.Number
			}
			if table, err := step.Table(); err == nil {
				for _, row := range table.Rows {
					if len(row.Cells) != len(table.Columns) {
						t.Fatalf("a row of %d cells under %d columns", len(row.Cells), len(table.Columns))
					}
				}
			}
		}
	})
}
