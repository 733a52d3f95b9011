package guess

import (
	"slices"
	"strings"
)

// Options whose names have nothing in common, and what tells that they are options all the same.

// sameChosen makes a multiple choice of columns that stand together, without words of their own, and whose labels say
// of each the same in words of its own and the same with "not" before it, as "consumed" and "not consumed" do: no two
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

// untilOther makes a multiple choice of columns of yes and no that stand together under names of a word or three, and
// of which the last is called "other", or "none": no question of its own is. All of them are answered by the same
// number of respondents, and no other column of that kind stands on either side.
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

// longSteps is how many steps a scale has that hardly two questions in a row are answered on, if they are not one.
const longSteps = 9

// longLabelled tells whether the labels of a column are the numbers of a long scale, in words or as they are.
func (c *column) longLabelled() bool {
	steps := 0
	for _, l := range c.Labels {
		steps += btoi(oneNumber.MatchString(l.Text))
	}
	return steps >= longSteps && steps+3 >= len(c.Labels)
}

// longConstructs makes a grid of the items of three constructs or more that stand together on one long scale, where the
// names of all begin with the same five letters: each is numbered from 1 on, as stateA1, stateA2, stateB1 are.
func (g *guesser) longConstructs(open []int) {
	const least, letters = 3, 5
	first := g.columns[open[0]]
	var rows []member
	kinds, stem, shape, number := []string{}, "", newShape(), 0
	for _, i := range open {
		c := g.columns[i]
		m := construct.FindStringSubmatch(c.code)
		if m == nil || c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || c.wording != "" || !c.number ||
			len(c.Labels) > 0 || !c.scale() || len(c.values) < longSteps || !shape.fits(c) ||
			c.ordinary() != first.ordinary() {
			break
		}
		begun := m[1]
		if len(rows) > 0 {
			begun = commonPrefix(stem, m[1])
		}
		same := len(kinds) > 0 && kinds[len(kinds)-1] == m[1]
		if len([]rune(begun)) < letters || same && atoi(m[2]) != number+1 || !same && atoi(m[2]) != 1 {
			break
		}
		if !same {
			kinds = append(kinds, m[1])
		}
		stem, number = begun, atoi(m[2])
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(kinds) >= least && len(rows) > len(kinds) {
		g.alike(&family{stem: stem, members: rows, strong: true, bond: ByName})
	}
}

// hasParts tells whether the names of the two columns behind one go on from its own, as those of its options do.
func (g *guesser) hasParts(i int) bool {
	const least = 2
	for j := i + 1; j <= i+least; j++ {
		if j >= len(g.columns) {
			return false
		}
		rest, found := strings.CutPrefix(g.columns[j].code, g.columns[i].code)
		if !found || len(rest) < 2 || !strings.ContainsAny(rest[:1], "._-/:") {
			return false
		}
	}
	return true
}

// steppedWords tells whether columns are answered by steps of one known scale in words.
func (g *guesser) steppedWords(run []member) bool {
	shape := newShape()
	for _, m := range run {
		c := g.columns[m.at]
		if c.number || len(c.Labels) > 0 || !c.scale() || c.ordered() == nil || len(c.values) < 3 || c.tick().chosen() ||
			!shape.fits(c) {
			return false
		}
		shape.add(c)
	}
	return true
}
