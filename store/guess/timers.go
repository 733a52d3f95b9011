package guess

import "strings"

// timers leaves out what Qualtrics measures of a page where its words were left behind: names that end in _1 to _4, of
// which the first three are seconds with three decimals that are later and later, to the first and the last click and
// to when the page was submitted, and the fourth is how many clicks there were. One page like that may be anything; two
// are none.
func (g *guesser) timers() {
	const pages, columns = 2, 4
	var list []int
	for i := 0; i+columns <= len(g.columns); i++ {
		if g.timer(i) {
			for k := range columns {
				list = append(list, i+k)
			}
		}
	}
	if len(list) < pages*columns {
		return
	}
	for _, i := range list {
		g.leave(i, Reason{Kind: ReasonTool})
	}
}

// timer tells whether the four columns from one on are what was measured of one page.
func (g *guesser) timer(at int) bool {
	const columns, fewest = 4, 4 // of a page, and different times
	stem, found := strings.CutSuffix(g.columns[at].code, "1")
	if !found || !strings.HasSuffix(stem, "_") {
		return false
	}
	before, farthest := 0.0, 0.0 // the mean of the column in front, and its largest number
	for k := range columns {
		c := g.columns[at+k]
		if c.taken || c.code != stem+string(rune('1'+k)) || !c.number || len(c.Labels) > 0 || c.filled == 0 ||
			c.least.Sign() < 0 || c.integer != (k == columns-1) || c.filled != g.columns[at].filled {
			return false
		}
		if k == columns-1 {
			break
		}
		mean, most := c.mean(), c.most.Float64()
		if mean < before || most < farthest || c.decimals != 3 || !c.many && len(c.values) < fewest {
			return false
		}
		before, farthest = mean, most
	}
	return true
}
