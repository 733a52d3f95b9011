// Package script reads the text scripts that tests are written in: data and questions that a reader can check by eye,
// with the answers that are expected.
//
// A line that begins in the first column is a step, a word and what it is about; the indented lines beneath belong to
// it. What a step and its lines mean is the caller's affair. Lines whose first character is # are comments, empty lines
// mean nothing, and the comment that a script begins with is its title.
//
//	# Two and two are four.
//
//	add 2 2
//	  sum | 4
//
// Lines may form a table ([Step.Table]): cells divided by "|", the first line naming the columns. Every error names
// the script and the line.
package script

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/aligned"
)

// Script is a text, read.
type Script struct {
	Name  string // of the file, for messages
	Title string // the comment that it begins with, on one line
	Steps []Step
}

// Step is a line that begins in the first column and the lines beneath it.
type Step struct {
	Line
	Lines Lines
}

// Lines are the lines of a step, without comments and empty ones.
type Lines []Line

// Line is one line, without the blanks around it.
type Line struct {
	Script string // name of the script
	Number int    // from 1
	Text   string
}

// Error says what is wrong with a line.
type Error struct {
	Script string
	Line   int // 0: the whole script
	Reason string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Script + ": " + e.Reason
	}
	return fmt.Sprintf("%s:%d: %s", e.Script, e.Line, e.Reason)
}

// Parse reads a script. Errors are *Error.
func Parse(name, text string) (*Script, error) {
	if !utf8.ValidString(text) {
		return nil, &Error{Script: name, Reason: "the text is not UTF-8"}
	}
	s := &Script{Name: name}
	var title []string
	begun := false // something other than the title was seen
	number := 0
	for raw := range strings.SplitSeq(text, "\n") {
		number++
		line := Line{Script: name, Number: number, Text: strings.TrimSpace(raw)}
		switch {
		case line.Text == "":
			begun = begun || len(title) > 0
		case raw[0] == '#' || line.Text[0] == '#':
			if !begun {
				title = append(title, strings.TrimSpace(strings.TrimLeft(line.Text, "#")))
			}
		case raw[0] != ' ' && raw[0] != '\t':
			begun = true
			s.Steps = append(s.Steps, Step{Line: line})
		case len(s.Steps) == 0:
			return nil, line.Errorf("an indented line belongs to a step, and there is none above it")
		default:
			last := &s.Steps[len(s.Steps)-1]
			last.Lines = append(last.Lines, line)
		}
	}
	s.Title = strings.Join(title, " ")
	return s, nil
}

// Errorf is an error at the line.
func (l Line) Errorf(format string, args ...any) error {
	return &Error{Script: l.Script, Line: l.Number, Reason: fmt.Sprintf(format, args...)}
}

// Cut divides the line into its first word and the rest.
func (l Line) Cut() (word, rest string) {
	i := strings.IndexAny(l.Text, " \t")
	if i < 0 {
		return l.Text, ""
	}
	return l.Text[:i], strings.TrimSpace(l.Text[i:])
}

// Words are the words of the line.
func (l Line) Words() []string { return strings.Fields(l.Text) }

// Table is lines of cells. Cells are without the blanks around them.
type Table struct {
	Head    Line
	Columns []string // their names, each once
	Rows    []Row    // each with as many cells as there are columns
}

// Row is a line of a table.
type Row struct {
	Line
	Cells []string
}

// Table reads all lines of the step as a table.
func (s Step) Table() (*Table, error) {
	if len(s.Lines) == 0 {
		return nil, s.Errorf("below it a table has at least the line that names its columns")
	}
	return s.Lines.Table()
}

// Table reads lines as a table, the first of them as the names of its columns. There must be at least that.
func (ls Lines) Table() (*Table, error) {
	if len(ls) == 0 {
		return nil, &Error{Reason: "a table has at least the line that names its columns"}
	}
	t := &Table{Head: ls[0], Columns: cells(ls[0].Text)}
	for i, name := range t.Columns {
		if name == "" {
			return nil, t.Head.Errorf("column %d of the table has no name", i+1)
		}
		if slices.Contains(t.Columns[:i], name) {
			return nil, t.Head.Errorf("two columns of the table are named %q", name)
		}
	}
	for _, line := range ls[1:] {
		row := Row{Line: line, Cells: cells(line.Text)}
		if len(row.Cells) != len(t.Columns) {
			return nil, line.Errorf("%d cells under the %d columns of line %d", len(row.Cells), len(t.Columns), t.Head.Number)
		}
		t.Rows = append(t.Rows, row)
	}
	return t, nil
}

func cells(text string) []string {
	parts := strings.Split(text, "|")
	for i, p := range parts {
		parts[i] = strings.TrimSpace(p)
	}
	return parts
}

// Column is where the named column stands, or -1.
func (t *Table) Column(name string) int { return slices.Index(t.Columns, name) }

// Format writes rows of cells, the names of the columns first, as a table with its columns aligned, each line behind
// indent.
func Format(indent string, rows [][]string) string {
	return aligned.Between(" | ", utf8.RuneCountInString, rows, indent, math.MaxInt)
}
