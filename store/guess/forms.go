package guess

import (
	"regexp"
	"strings"
)

// Forms that write a column with all that was chosen, and one for each of the options beside it.

// optionOf is the question and the option of a column called question/option where another one is called as the
// question is, or that have such labels: forms write the column of all that was chosen, and one for each of the
// options, wherever they stand. With a point in place of the stroke, as programs rename columns, the answers of the
// question have to be the options, too: points stand in many names.
func (g *guesser) optionOf(i int) (question, option string) {
	name := g.columns[i].Name
	for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
		_, there := g.at[name[:at]]
		if there && at < len(name)-1 && (!strings.Contains(name, " ") || !numbered.MatchString(name)) {
			return name[:at], name[at+1:]
		}
	}
	if label := g.columns[i].Label; strings.Contains(label, " ") { // an export to SPSS has such names as labels
		for at := strings.LastIndexByte(label, '/'); at > 0; at = strings.LastIndexByte(label[:at], '/') {
			if parent, there := g.asks[label[:at]]; there && parent != i && at < len(label)-1 {
				return g.columns[parent].Name, label[at+1:]
			}
		}
	}
	if strings.Contains(name, " ") {
		return "", ""
	}
	for at := 1; at < len(name)-1; at++ {
		if name[at] != '.' && name[at] != ':' {
			continue
		}
		if parent, there := g.at[name[:at]]; there && g.chosenBeside(parent, name[at:at+1]) {
			return name[:at], name[at+1:]
		}
	}
	return "", ""
}

// numbered is a name with a number behind it, which it may have got because another column has the same.
var numbered = regexp.MustCompile(`_\d{1,2}$`)

// chosenBeside tells whether a column holds codes of options, one or several with spaces between them, nearly all of
// which have a column of their own, called as this one is with a mark and the code behind it, with points in place of
// what no name of R has in it.
func (g *guesser) chosenBeside(i int, mark string) bool {
	const few = 20 // values are enough to tell
	c := g.columns[i]
	own, all := 0, 0
	for _, v := range c.values[:min(len(c.values), few)] {
		for piece := range strings.FieldsSeq(v.text) {
			_, there := g.at[c.Name+mark+piece]
			if !there && mark == "." {
				_, there = g.at[c.Name+mark+notInNames.ReplaceAllString(piece, ".")]
			}
			own, all = own+btoi(there), all+1
		}
	}
	return all > 0 && 10*own >= 9*all
}

// notInNames is a sign that names of R have a point in place of.
var notInNames = regexp.MustCompile(`[^\pL\pN_.]`)

// counts tells whether whole numbers are counts, as those of the members of a household are: they begin with 0, are
// three or more, and stand in a form that calls its options by words, so that they are no codes of answers.
func (g *guesser) counts(c *column) bool {
	const options, numbers = 10, 3
	return g.spoken >= options && len(c.Labels) == 0 && c.integer && c.least.Sign() == 0 && len(c.values) >= numbers
}

// beginsWithOptions tells whether the answers of a column begin with the options that other columns have behind its
// label: programs cut off what was chosen further.
func (g *guesser) beginsWithOptions(i int) bool {
	const letters = 8
	c := g.columns[i]
	begin := func(text string) string {
		runes := []rune(strings.ToLower(strings.TrimSpace(text)))
		return string(runes[:min(len(runes), letters)])
	}
	options := map[string]bool{}
	for j, o := range g.columns {
		if rest, found := strings.CutPrefix(o.Label, c.Label+"/"); found && g.readings[j].As == "multi" {
			options[begin(rest)] = true
		}
	}
	known := int64(0)
	for _, v := range c.values {
		is := false
		for option := range options {
			is = is || strings.HasPrefix(begin(v.text), option) || strings.HasPrefix(option, begin(v.text))
		}
		if is {
			known += v.n
		}
	}
	return len(options) > 1 && !c.number && 10*known >= 9*c.filled && c.filled > 0
}
