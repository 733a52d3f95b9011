package guess

import (
	"slices"
	"strings"
)

// misspelt takes a name with a slip in it for what it was to be: UZSK18 between UZKS17 and UZKS19, which have the same
// labels.
func (g *guesser) misspelt() {
	const least = 3 // letters
	stems, codes := map[string]int{}, map[string]bool{}
	for _, c := range g.columns {
		stems[strings.TrimRight(c.code, digits)]++
		codes[c.code] = true
	}
	for i := 1; i+1 < len(g.columns); i++ {
		before, c, after := g.columns[i-1], g.columns[i], g.columns[i+1]
		stem := strings.TrimRight(before.code, digits)
		own := strings.TrimRight(c.code, digits)
		meant := stem + c.code[len(own):]
		if len(stem) < least || stem == own || stems[own] > 1 || codes[meant] || c.Virtual || len(c.Labels) < 2 ||
			!nextNumber(before.code, meant) || !nextNumber(meant, after.code) || !oneSlip(stem, own) ||
			!c.answersAs(before) || !c.answersAs(after) {
			continue
		}
		c.code = meant
	}
}

// oneSlip tells whether one letter of a name is another in the other, is there once more or once less, or has changed
// places with the next.
func oneSlip(first, second string) bool {
	a, b := []rune(first), []rune(second)
	if len(a) > len(b) {
		a, b = b, a
	}
	for len(a) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	switch {
	case len(a) == len(b)-1:
		return slices.Equal(a, b[1:])
	case len(a) != len(b) || len(a) == 0:
		return false
	}
	return slices.Equal(a[1:], b[1:]) ||
		len(a) > 1 && a[0] == b[1] && a[1] == b[0] && slices.Equal(a[2:], b[2:])
}
