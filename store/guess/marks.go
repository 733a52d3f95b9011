package guess

import "strings"

// tickMarks are what stands in a cell in place of a tick.
var tickMarks = set("x ✓ ✔ ● • * √ ☑ ✗ ✘")

// marked makes a multiple choice of columns that stand together and hold nothing but one mark, such as an x, where an
// option was ticked: however they are called, no question is answered by a mark alone. An option "other" ends one,
// where columns of another kind or marks of the next question stand behind it.
func (g *guesser) marked(open []int) {
	const least = 3
	mark := g.columns[open[0]].tick()
	option := func(i int) bool {
		c := g.columns[i]
		return !c.taken && !c.alone && !c.named && !c.Virtual && len(c.Labels) == 0 && c.tick() == mark &&
			!strings.Contains(c.Name, "?")
	}
	if mark.kind != one || !tickMarks[strings.ToLower(mark.yes)] || !option(open[0]) || open[0] > 0 && option(open[0]-1) {
		return
	}
	var rows []member
	for i := open[0]; i < len(g.columns) && option(i); i++ {
		rows = append(rows, member{at: i})
		if i > open[0]+1 && has(words(g.columns[i].code), lastOptions) {
			break
		}
	}
	if len(rows) >= least {
		g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: ByScale})
	}
}
