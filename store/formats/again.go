package formats

import (
	"strings"
)

// isBegun tells whether the second row has the names of all columns, and the first what those of each question begin
// with, over the first of its columns: Q2 over Q2-1, and nothing over Q2-2.
func isBegun(first, second []string) bool {
	if len(second) != len(first) || !isNames(second) {
		return false
	}
	questions, further, question := 0, 0, ""
	for i, name := range second {
		name = strings.ToLower(strings.TrimSpace(name))
		switch above := strings.ToLower(strings.TrimSpace(first[i])); {
		case name == "":
			return false
		case above != "" && !strings.HasPrefix(name, above):
			return false
		case above != "":
			question = above
			questions++
		case question != "" && strings.HasPrefix(name, question):
			further++
		}
	}
	return questions >= 2 && further >= 2
}

// isTitled tells whether the first row holds titles over the first of several columns each, and the second the names of
// all: words of which none stands below in its column, over numbers in a third of the columns or more.
func isTitled(first, second []string, below [][]string) bool {
	const rows, over, short = 3, 2, 4 // below, columns of numbers, and letters of a name such as T1
	if len(second) != len(first) || len(below) < rows {
		return false
	}
	titles, numbers, seen := 0, 0, map[string]bool{}
	for i, name := range second {
		name = strings.TrimSpace(name)
		same, filled := standing(name, below, i)
		if blank(name) || same > 0 || seen[name] || !hasLetter(name) ||
			measured(name) && len(name) > short {
			return false
		}
		seen[name] = true
		titles += count(!blank(first[i]))
		measures := 0
		for _, row := range below {
			measures += count(i < len(row) && measured(strings.TrimSpace(row[i])))
		}
		numbers += count(filled > 0 && measures == filled)
	}
	return titles > 0 && 2*titles <= len(first) && numbers >= over && 3*numbers >= len(first)
}

// isAgain tells whether the second row says the names of columns again where it has nothing else to say, as it does
// over the respondent's id, and else the option that is all that stands in its column, or the row of a grid. Nobody
// below has a column's name for an answer where other things stand.
func isAgain(first, second []string, below [][]string) bool {
	const least = 3
	if len(first) != len(second) {
		return false
	}
	again, own := 0, 0
	for i := range first {
		cell := strings.TrimSpace(second[i])
		same, filled := standing(cell, below, i)
		switch {
		case blank(first[i]):
			return false // it goes on with the question before
		case blank(cell):
		case cell != strings.TrimSpace(first[i]):
			own += count(filled > 0 && same == filled)
		case same > 0:
			return false
		default:
			again += count(filled > 0)
		}
	}
	return again >= least && own >= least
}

// joinAgain makes question[option] of two rows of which the second says names again. Columns of one question are those
// next to each other whose names are the same but for the numbers in them.
func joinAgain(first, second []string) []string {
	first, second = trimmed(first), trimmed(second)
	names := make([]string, len(first))
	for i, name := range first {
		own := plainOf(name)
		several := i > 0 && plainOf(first[i-1]) == own || i+1 < len(first) && plainOf(first[i+1]) == own
		names[i] = name
		if several && second[i] != "" && second[i] != name && !isResponse(second[i]) {
			names[i] = name + "[" + second[i] + "]"
		}
	}
	return names
}

// plainOf is a name without its digits.
func plainOf(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, name)
}
