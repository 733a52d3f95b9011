package guess

import (
	"cmp"
	"regexp"
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
		fits := number > 0 && !c.alone && c.scale()
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

// twoPoles is the name of a row whose answers go from one word to its opposite, as "difficult/easy" is.
var twoPoles = regexp.MustCompile(`^\s*\pL[\pL' -]*(?:\s*/\s*|\s+(?:[-–—]|vs\.?|versus)\s+)\pL[\pL' -]*$`)

// opposites makes a grid of columns that stand together, each between two words, and answered on one scale of numbers.
func (g *guesser) opposites(open []int) {
	const least, most = 4, 60 // columns, and characters of a name
	var rows []member
	shape := newShape()
	for _, i := range open {
		c := g.columns[i]
		text := cmp.Or(c.Label, c.Name)
		if c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || len(text) > most || !twoPoles.MatchString(text) ||
			!c.number || len(c.Labels) > 0 || len(c.values) < 3 || !c.scale() || !shape.fits(c) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least {
		g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: ByScale})
	}
}
