package formats

import "strings"

// isAgain tells whether the second row says the names of columns again where it has nothing else to say, as it does
// over the respondent's id: names that nobody below has for an answer, over columns in which other things stand.
func isAgain(first, second []string, below [][]string) bool {
	const least = 3
	if len(first) != len(second) {
		return false
	}
	again := 0
	for i := range first {
		cell := strings.TrimSpace(second[i])
		if blank(cell) || cell != strings.TrimSpace(first[i]) {
			continue
		}
		same, filled := standing(cell, below, i)
		if same > 0 {
			return false
		}
		again += count(filled > 0)
	}
	return again >= least
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
