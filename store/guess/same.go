package guess

import (
	"slices"
	"strings"
)

// Options whose names have nothing in common, and what tells that they are options all the same.

// sameChosen makes a multiple choice of columns that stand together, without words of their own, and whose labels say of
// each the same in words of its own and the same with "not" before it, as "consumed" and "not consumed" do: no two
// questions in a row are answered so. One of them may lack the labels, but for the last.
func (g *guesser) sameChosen(open []int) {
	const least = 3
	chosen := func(c *column) (yes, no string) {
		if c.Label != "" || len(c.Labels) != 2 || !c.tick().chosen() {
			return "", ""
		}
		for _, o := range c.choices() {
			if c.denied(o) || unchosen(o.name) {
				no = strings.ToLower(o.name)
			} else if !isYes(o.name) {
				yes = strings.ToLower(o.name)
			}
		}
		return yes, no
	}
	bare := func(c *column) bool { // its labels were forgotten
		return c.Label == "" && len(c.Labels) == 0 && c.tick().kind == oneZero && c.tick().yes == "1"
	}
	var rows []member
	yes, no, forgotten := "", "", 0
	for _, i := range open {
		c := g.columns[i]
		if c.taken || c.alone || len(rows) > 0 && (i != rows[len(rows)-1].at+1 || c.filled != g.columns[rows[0].at].filled) {
			break
		}
		y, n := chosen(c)
		if y == "" || n == "" || yes != "" && (y != yes || n != no) {
			if !bare(c) || forgotten > 0 {
				break
			}
			forgotten++
		} else {
			yes, no = y, n
		}
		rows = append(rows, member{at: i})
	}
	if len(rows) > 0 && bare(g.columns[rows[len(rows)-1].at]) {
		rows, forgotten = rows[:len(rows)-1], 0 // it may be another question
	}
	if len(rows)-forgotten < least {
		return
	}
	g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: ByScale})
}

// untilOther makes a multiple choice of columns of yes and no that stand together under names of a word or three, and of
// which the last is called "other", or "none": no question of its own is. All of them are answered by the same number of
// respondents, and no other column of that kind stands on either side.
func (g *guesser) untilOther(open []int) {
	const least, mostWords = 4, 3
	first := g.columns[open[0]]
	tick := first.tick()
	option := func(i int) bool {
		c := g.columns[i]
		return !c.taken && !c.alone && c.tick() == tick && (c.Label == "" || c.Label == c.Name) &&
			c.filled == first.filled && len(c.Labels) == len(first.Labels) && !strings.Contains(c.Name, "?")
	}
	if !tick.chosen() || open[0] > 0 && option(open[0]-1) {
		return
	}
	var rows []member
	for _, i := range open {
		if len(rows) > 0 && i != rows[len(rows)-1].at+1 || !option(i) {
			break
		}
		if list := words(g.columns[i].code); len(list) > mostWords || len(list) > 1 && questionWord(list) {
			return
		}
		rows = append(rows, member{at: i})
	}
	if len(rows) < least || !has(words(g.columns[rows[len(rows)-1].at].code), lastOptions) {
		return
	}
	if slices.ContainsFunc(rows[:len(rows)-2], func(m member) bool {
		return has(words(g.columns[m.at].code), lastOptions)
	}) {
		return // two lists, and nothing tells where the second begins
	}
	g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
}

// questionWord tells whether a name begins with a word that questions begin with.
func questionWord(list []string) bool { return verbs[list[0]] }

// lastOptions are the words of options that stand last in a list.
var lastOptions = set(`other others none nothing neither otro otra otros otras ninguno ninguna nada outro outra outros
	outras nenhum nenhuma autre autres aucun aucune rien sonstiges sonstige andere anderes keine keines nichts altro altri
	nessuno nessuna anders geen annet andet annat ingen inne żadne другое`)
