package main

import (
	"os"
	"strconv"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/internal/aligned"
	"github.com/rivo/uniseg"
	"golang.org/x/term"
)

// usualWidth is how wide a terminal is where there is none to ask.
const usualWidth = 80

// width is how wide what is printed may be, in columns of a terminal: what COLUMNS says, else what the terminal on
// standard output does, else usualWidth.
func (m Main) width() int {
	if n, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && n > 0 {
		return n
	}
	if file, ok := m.Stdout.(*os.File); ok {
		if n, _, err := term.GetSize(int(file.Fd())); err == nil && n > 0 {
			return n
		}
	}
	return usualWidth
}

// displayWidth is how many columns of a terminal a text takes: two for a wide character, none for one that combines
// with the one before.
func displayWidth(text string) int { return uniseg.StringWidth(text) }

// plain is a text on one line, without characters that steer a terminal.
func plain(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return -1
		}
		return r
	}, text)
}

// wrap breaks a text between words into lines of at most width columns. A word that is wider is broken where lines of
// its script may be, else between any two characters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(plain(text)) {
		if line != "" && displayWidth(line)+1+displayWidth(word) <= width {
			line += " " + word
			continue
		}
		if line != "" {
			lines = append(lines, line)
		}
		line = word
		for n := fitting(line, width); n < len(line); n = fitting(line, width) {
			lines, line = append(lines, line[:n]), line[n:]
		}
	}
	return append(lines, line)
}

// fitting is how many bytes of a word go on a line: one character at least.
func fitting(word string, width int) int {
	n, segment, rest, state := 0, "", word, -1
	for rest != "" {
		segment, rest, _, state = uniseg.FirstLineSegmentInString(rest, state)
		if displayWidth(word[:n+len(segment)]) > width {
			break
		}
		n += len(segment)
	}
	if n > 0 {
		return n
	}
	cluster, rest, _, state := uniseg.FirstGraphemeClusterInString(word, -1)
	for n = len(cluster); rest != ""; n += len(cluster) {
		cluster, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		if displayWidth(word[:n+len(cluster)]) > width {
			break
		}
	}
	return n
}

// listed writes rows as a table, the first of them a heading.
func listed(rows [][]string, left int) string { return aligned.Measured(displayWidth, rows, "", left) }

func left(text string, width int) string { return text + blanks(width-displayWidth(text)) }

func right(text string, width int) string { return blanks(width-displayWidth(text)) + text }

func blanks(n int) string { return strings.Repeat(" ", max(0, n)) }
