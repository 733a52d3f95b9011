package guess

import (
	"regexp"
	"slices"
	"strings"
)

// Options whose question their names say with a mark between, or the tool that wrote the file.

// redcapOption is how REDCap calls the columns of a question's options: by the question's name and the option's code.
var redcapOption = regexp.MustCompile(`^(.*[^_])___-?[\pL\d][\pL\d_]*$`)

// optionBehind is a name of a question and one of its options with a mark between them that names hold for no other
// reason; pairOfNames is one of both as Python writes a header of two rows in one, ('question', 'option').
var (
	optionBehind = regexp.MustCompile(`^([^#|]{2,})[#|]([^#|]*\pL[^#|]*)$`)
	pairOfNames  = regexp.MustCompile(`^\('([^']{2,})', ['"](.+)['"]\)$`)
)

// markedOptions groups the columns of a file that are called question#option, or a pair of both, where two questions or
// more are.
func (g *guesser) markedOptions() {
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		m := optionBehind.FindStringSubmatch(g.columns[i].code)
		if m == nil {
			m = pairOfNames.FindStringSubmatch(g.columns[i].code)
		}
		if m == nil {
			continue
		}
		if groups[m[1]] == nil {
			order = append(order, m[1])
		}
		groups[m[1]] = append(groups[m[1]], member{at: i, name: m[2]})
	}
	order = slices.DeleteFunc(order, func(question string) bool { return len(groups[question]) < 2 })
	if len(order) < 2 {
		return
	}
	for _, question := range order {
		g.alike(&family{stem: question, members: groups[question], strong: true, bond: ByName})
	}
}

// byTool groups the columns that are of one question as the tool that wrote the file says, whatever they are called.
func (g *guesser) byTool() {
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		question := g.columns[i].Question
		if m := redcapOption.FindStringSubmatch(g.columns[i].code); question == "" && m != nil && g.columns[i].zeroOrOne() {
			question = m[1]
		}
		if question == "" {
			continue
		}
		if groups[question] == nil {
			order = append(order, question)
		}
		groups[question] = append(groups[question], member{at: i})
	}
	for _, question := range order {
		members := groups[question]
		if len(members) < 2 {
			continue
		}
		stem := strings.TrimRight(g.common(members), joints)
		if len(stem) < 2 {
			stem = g.columns[members[0].at].code
		}
		g.alike(&family{stem: stem, members: members, strong: true, bond: ByTool, asked: true})
	}
}

// zeroOrOne tells whether a column holds nothing but 0 and 1.
func (c *column) zeroOrOne() bool {
	for _, v := range c.values {
		if v.text != "0" && v.text != "1" {
			return false
		}
	}
	return !c.many && len(c.values) > 0
}
