package guess

import "strings"

// byTool groups the columns that are of one question as the tool that wrote the file says, whatever they are called.
func (g *guesser) byTool() {
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		question := g.columns[i].Question
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
