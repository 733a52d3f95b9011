package guess

import "strings"

// battery makes a grid of columns that stand together and are answered by the same words of agreement, satisfaction or
// another scale that is known as such, if they are many: statements need not have a word in common.
func (g *guesser) battery(open []int) {
	least := 4
	first := g.columns[open[0]]
	if !first.ladder() {
		return
	}
	if g.numberedQuestion(first) {
		least = 5
	}
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		if c.taken || c.alone || i != rows[len(rows)-1].at+1 || !c.rung() || !shape.fits(c) || g.ownRun(i) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) < least {
		return
	}
	stem := g.common(rows)
	if len(stem) < 2 {
		stem = first.code
	}
	g.alike(&family{stem: stem, members: rows, strong: true, bond: ByScale})
}

// rung tells whether the answers are steps of a known scale, if in words not all of them.
func (c *column) rung() bool {
	return c.ladder() || !c.alone && !c.number && len(c.Labels) == 0 && c.scale() && c.ordered() != nil
}

// ladder tells whether the answers are the steps of a known scale, four of them at least.
func (c *column) ladder() bool {
	if c.alone || !c.scale() {
		return false
	}
	var texts []string
	for _, o := range c.choices() {
		if aside(o.name) == 0 && (o.labelled || !c.number) {
			texts = append(texts, strings.TrimSpace(o.name))
		}
	}
	return len(texts) >= 4 && (scaleOf(texts) != nil || len(c.Labels) > 0 && len(texts) <= 7)
}
