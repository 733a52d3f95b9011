package guess

import (
	"regexp"
	"slices"
	"strings"
)

// In which order things were shown, which nobody answered.

// displayed leaves out in which order things were shown: of a question q that Qualtrics writes as q_1 and q_2, q_DO_1
// and q_DO_2, or q_ADO_1 and q_ADO_2, have the places of the answers on the page, and b_DO_q7 that of the question q7
// in a block, also where something stands in front of all names, as in p_q7. Of half of the columns that are called so
// there has to be the answer or the question, or Qualtrics' own word for it in the label.
func (g *guesser) displayed() {
	const least = 3
	var list []int
	known := 0
	for _, i := range g.open() {
		stem, rest, found := strings.Cut(strings.Replace(g.columns[i].Name, "_ADO_", "_DO_", 1), "_DO_")
		if !found || rest == "" {
			continue
		}
		list = append(list, i)
		_, answer := g.at[stem+"_"+rest]
		_, question := g.at[stem]
		_, inBlock := g.at[rest]
		front := strings.LastIndexByte(stem, '_') + 1
		_, beside := g.at[stem[:front]+rest]
		beside = beside && len(rest) > len(stem)-front && strings.EqualFold(rest[:len(stem)-front], stem[front:])
		said := strings.Contains(g.columns[i].Label, "- Display Order")
		known += btoi(answer || question || inBlock || beside || said)
	}
	for _, i := range list {
		if known >= least && 2*known >= len(list) {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
	g.ordersShown()
}

// orderOfQuestion is the name of a column with the order of what was shown under a question, as DO-Q-Q7, DO.Q.Q7, doqq7
// and Q7_DO, and orderOfBlocks of one with the order of parts of the questionnaire, FL_12_DO.
var (
	orderOfQuestion = regexp.MustCompile(`(?i)^do[-._]?(?:q|br|bl)[-._]?(?:q|fl[-._]?)?\d+$|^q\d+[-._]do$`)
	orderOfBlocks   = regexp.MustCompile(`(?i)^fl[-._]?\d+[-._]do$`)
)

// ordersShown leaves out columns called so: under a question if the fields are the same list in several orders.
func (g *guesser) ordersShown() {
	for _, i := range g.open() {
		c := g.columns[i]
		if orderOfQuestion.MatchString(c.Name) && c.sameInOrders() ||
			orderOfBlocks.MatchString(c.Name) && !c.number && c.filled > 0 {
			g.leave(i, Reason{Kind: ReasonTool})
		}
	}
}

// sameInOrders tells whether nearly all fields hold the same things in several orders, with strokes between them.
func (c *column) sameInOrders() bool {
	const least = 2 // orders
	if len(c.values) < least || c.number {
		return false
	}
	times, all, most := map[string]int64{}, int64(0), int64(0)
	for _, v := range c.values {
		all += v.n
		if things := strings.Split(v.text, "|"); len(things) > 1 {
			slices.Sort(things)
			list := strings.Join(things, "|")
			times[list] += v.n
			most = max(most, times[list])
		}
	}
	return 20*most >= 19*all
}
