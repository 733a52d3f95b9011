package guess

import "strings"

// misspelt takes a name with a slip in it for what it was to be: UZSK18 between UZKS17 and UZKS19, which have the same
// labels.
func (g *guesser) misspelt() {
	const least = 3 // letters
	stems := map[string]int{}
	for _, c := range g.columns {
		stems[strings.TrimRight(c.code, digits)]++
	}
	for i := 1; i+1 < len(g.columns); i++ {
		before, c, after := g.columns[i-1], g.columns[i], g.columns[i+1]
		stem := strings.TrimRight(before.code, digits)
		own := strings.TrimRight(c.code, digits)
		meant := stem + c.code[len(own):]
		if len(stem) < least || stem == own || stems[own] > 1 || c.Virtual || len(c.Labels) < 2 ||
			!nextNumber(before.code, meant) || !nextNumber(meant, after.code) || !oneSlip(stem, own) ||
			!c.answersAs(before) || !c.answersAs(after) {
			continue
		}
		c.code = meant
	}
}

// oneSlip tells whether one letter of a name is another in the other, is there once more or once less, or has changed
// places with the next.
func oneSlip(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	same := len(commonPrefix(a, b))
	x, y := a[same:], b[same:]
	switch {
	case len(a) == len(b)-1:
		return x == y[1:]
	case len(a) != len(b) || x == "":
		return false
	}
	return x[1:] == y[1:] || len(x) > 1 && x[0] == y[1] && x[1] == y[0] && x[2:] == y[2:]
}
