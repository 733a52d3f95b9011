// Package aligned writes tables for people to read in a terminal or a text file.
package aligned

import (
	"strings"
	"unicode/utf8"
)

// Table writes rows of as many cells each, one line a row, each behind indent. Columns stand two blanks apart; as many
// as left says, from the first on, are aligned to the left, the others to the right. No line ends in a blank. Every
// character is taken to be as wide as the others.
func Table(rows [][]string, indent string, left int) string {
	return Measured(utf8.RuneCountInString, rows, indent, left)
}

// Measured is Table for who can tell how wide a text is in a terminal.
func Measured(width func(string) int, rows [][]string, indent string, left int) string {
	return Between("  ", width, rows, indent, left)
}

// Between is Measured with something else than two blanks between the columns.
func Between(gap string, width func(string) int, rows [][]string, indent string, left int) string {
	var widths []int
	for _, row := range rows {
		widths = append(widths, make([]int, len(row)-min(len(row), len(widths)))...)
		for i, cell := range row {
			widths[i] = max(widths[i], width(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		line := indent
		for i, cell := range row {
			blanks := strings.Repeat(" ", widths[i]-width(cell))
			if i < left {
				cell, blanks = cell+blanks, ""
			}
			if i > 0 {
				line += gap
			}
			line += blanks + cell
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}
