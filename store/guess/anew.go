package guess

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// Statements whose numbers begin again, under headings that the file does not hold.

// underHeading is a name with the number of a statement and the letter of its section, as Q1b is beside Q2b and Q1c.
var underHeading = regexp.MustCompile(`^(\pL{1,3})(\d{1,2})(\pL)$`)

// numberInSection is what the statements of a section have in common, and the number of one; 0 if the column is called
// otherwise.
func (c *column) numberInSection() (section string, number int) {
	if m := underHeading.FindStringSubmatch(c.code); m != nil {
		return m[1] + " " + m[3], atoi(m[2])
	}
	text := cmp.Or(c.Label, c.Name)
	m := itemNumber.FindStringSubmatch(text)
	if m == nil || strings.HasSuffix(strings.TrimSpace(text), "?") || len(strings.Fields(text)) < 4 {
		return "", 0
	}
	return "", atoi(m[1])
}

// begunAnew makes a grid of each section of statements that are numbered from 1 on and answered on one scale, where two
// sections or more stand one behind the other: each is a question, though the same answers stand in the next. Sections
// that are all as long as each other may be the scales of one inventory.
func (g *guesser) begunAnew() {
	const least, sections = 3, 2 // columns of a section, and sections of so many
	var chain [][]member
	flush := func() {
		long, uneven := 0, false
		for _, rows := range chain {
			long += btoi(len(rows) >= least)
			uneven = uneven || len(rows) != len(chain[0])
		}
		for _, rows := range chain {
			if long >= sections && uneven && len(rows) >= 2 && !g.onlyYesOrNo(rows) && !g.ownQuestions(rows) {
				g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: NumberedAnew})
			}
		}
		chain = nil
	}
	var key string
	var shape *shape
	last := 0
	for _, i := range g.open() {
		c := g.columns[i]
		if len(chain) > 0 && (c.written() || c.checks()) {
			continue
		}
		section, number := c.numberInSection()
		fits := number > 0 && !c.alone && c.scale() && !(c.number && c.called()) &&
			!c.onlyLetters()
		switch {
		case fits && len(chain) > 0 && section == key && number == last+1 && shape.fits(c):
			chain[len(chain)-1] = append(chain[len(chain)-1], member{at: i})
		case fits && number == 1:
			if len(chain) > 0 && (section == key) != (section == "") {
				flush()
			}
			shape = newShape()
			chain = append(chain, []member{{at: i}})
		default:
			flush()
			continue
		}
		shape.add(c)
		key, last = section, number
	}
	flush()
}

// stepsAnew marks steps that were numbered anew in columns that stand together and whose names are numbered behind the
// same letters, before it is asked which scales there are: to such codes nothing else tells that they are steps.
func (g *guesser) stepsAnew() {
	var run []member
	stem := ""
	for _, i := range append(g.open(), len(g.columns)) {
		own := ""
		if i < len(g.columns) {
			own = strings.TrimRight(g.columns[i].code, digits)
		}
		if len(run) > 0 && (own != stem || i != run[len(run)-1].at+1 || own == "") {
			if f := (&family{members: run, strong: true}); g.sameCodes(f) {
				f.renumber(g)
			}
			run = nil
		}
		if own != "" && own != g.columns[i].code {
			run, stem = append(run, member{at: i}), own
		}
	}
}

// onlyLetters tells whether a column holds letters and nothing else, as answers of a test are.
func (c *column) onlyLetters() bool {
	return !c.many && !c.number && !slices.ContainsFunc(c.values, func(v value) bool { return len(v.text) > 1 })
}

// twoPoles is the name of a row whose answers go from one word to its opposite, as "difficult/easy" is.
var twoPoles = regexp.MustCompile(`^\s*(\pL[\pL' -]+?)(?:\s*/\s*|\s+(?:[-–—]|vs\.?|versus)\s+)(\pL[\pL' -]{2,})$`)

// opposites makes a grid of columns that stand together, each between two words, and answered on one scale of five,
// seven or more steps, from 1 on or around 0. No word stands in two names, and none is one for a fact.
func (g *guesser) opposites(open []int) {
	const least, most = 4, 60 // columns, and characters of a name
	if g.inVain("opposites", open[0]) {
		return
	}
	var rows []member
	shape, poles := newShape(), map[string]bool{}
	from, to := 0.0, 0.0
	for _, i := range open {
		c := g.columns[i]
		text := cmp.Or(c.Label, c.Name)
		m := twoPoles.FindStringSubmatch(text)
		if m == nil || c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || len(text) > most || !c.number ||
			len(c.Labels) > 0 || len(c.values) < 3 || !c.scale() || !shape.fits(c) || c.fact() ||
			poles[lower(m[1])] || poles[lower(m[2])] {
			break
		}
		poles[lower(m[1])], poles[lower(m[2])] = true, true
		from, to = min(from, c.least.Float64()), max(to, c.most.Float64())
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) > 1 {
		g.walked["opposites"] = rows[len(rows)-1].at
	}
	if around := from < 0 && from == -to; len(rows) >= least && (around || to >= 5 && int(to)%2 == 1) &&
		!slices.ContainsFunc(rows, func(m member) bool { return !around && g.columns[m.at].least.Float64() < 1 }) {
		g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: ByScale})
	}
}

// ofConstruct is the name of an item with what is measured, the construct that it belongs to, and its number.
var ofConstruct = regexp.MustCompile(`^(\pL[\pL\d]*)([_.])(\pL+)[_.](\d{1,2})$`)

// sortedOut makes a grid of the items of an inventory that were sorted by constructs, as wis_public_11, wis_public_9
// and then wis_private_3, wis_private_1: they stand together, have the same answers up to the same step, and each
// number from 1 to the last stands in one of them, in another order than that of the numbers.
func (g *guesser) sortedOut(open []int) {
	const least, constructs = 6, 2
	first := ofConstruct.FindStringSubmatch(g.columns[open[0]].code)
	if first == nil {
		return
	}
	var rows []member
	shape, known, numbers, highest, backwards := newShape(), map[string]bool{}, map[int]bool{}, 0, 0
	for _, i := range open {
		c := g.columns[i]
		m := ofConstruct.FindStringSubmatch(c.code)
		if m == nil || m[1] != first[1] || m[2] != first[2] || c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) ||
			numbers[atoi(m[4])] || !c.scale() || !shape.fits(c) {
			break
		}
		if len(rows) > 0 && c.ordinary() != g.columns[rows[0].at].ordinary() {
			return
		}
		shape.add(c)
		known[m[3]], numbers[atoi(m[4])] = true, true
		backwards += btoi(atoi(m[4]) < highest)
		highest = max(highest, atoi(m[4]))
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least && len(known) >= constructs && len(rows) == highest && 4*backwards >= len(rows) &&
		!numbers[0] && !g.onlyYesOrNo(rows) && !g.ownQuestions(rows) {
		g.alike(&family{stem: first[1], members: rows, strong: true, bond: ByName})
	}
}

// ofLetter is the name of an item of a construct that has a letter or two for a name.
var ofLetter = regexp.MustCompile(`^(\pL{1,3})[_.]?(\d{1,2})$`)

// mixed makes a grid of the items of an inventory of several constructs that stand in the order in which they were
// asked, as a1, a2, b1, k1, c8, k3, c10: many columns that stand together, have the same answers, and whose letters
// change back and forth. Each construct has next to all numbers from 1 on. Those that take turns, as a1, b1, a2, b2 do,
// are as many questions about the same things.
func (g *guesser) mixed(open []int) {
	const least, most = 8, 8 // columns, and constructs
	if g.inVain("mixed", open[0]) {
		return
	}
	var rows []member
	shape, items, highest := newShape(), map[string]map[int]bool{}, map[string]int{}
	var letters []string
	changes := 0
	for _, i := range open {
		c := g.columns[i]
		m := ofLetter.FindStringSubmatch(c.code)
		if m == nil || c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || !c.scale() || c.tick().chosen() ||
			!shape.fits(c) || items[m[1]][atoi(m[2])] {
			break
		}
		if items[m[1]] == nil {
			items[m[1]] = map[int]bool{}
		}
		items[m[1]][atoi(m[2])] = true
		highest[m[1]] = max(highest[m[1]], atoi(m[2]))
		changes += btoi(len(letters) == 0 || m[1] != letters[len(letters)-1])
		letters = append(letters, m[1])
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) > 1 {
		g.walked["mixed"] = rows[len(rows)-1].at
	}
	lacking := 0
	for letter, last := range highest {
		lacking += last - len(items[letter])
	}
	if len(rows) >= least && len(items) > 1 && len(items) <= most && changes >= 2*len(items) && 4*changes >= len(rows) &&
		4*lacking <= len(rows) && !slices.Equal(letters[len(items):], letters[:len(letters)-len(items)]) &&
		!g.ownQuestions(rows) {
		g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: ByName})
	}
}
