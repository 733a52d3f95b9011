package guess

import (
	"regexp"
	"strings"
)

// camel is a name of two words that begin with capitals: a thing and what was asked of it, as PoolCrowded is.
var camel = regexp.MustCompile(`^(\p{Lu}\p{Ll}{2,})(\p{Lu}\p{Ll}{2,})$`)

// camels makes grids of what was asked of each of three things or more, called PoolWanted, PoolCrowded, StoreWanted,
// StoreCrowded and so on, wherever the columns stand: each question is one of the things, if two questions or more were
// asked of the same things in the same order, on scales that are not one for all that was asked of a thing.
func (g *guesser) camels() {
	const leastThings, leastAsked = 3, 2
	type question struct {
		rows   []member
		things string
		shape  *shape
		mixed  bool
	}
	questions, order := map[string]*question{}, []string(nil)
	for _, i := range g.open() {
		c := g.columns[i]
		m := camel.FindStringSubmatch(c.code)
		if m == nil || c.alone || !c.scale() || c.tick().chosen() || numberNames[strings.ToLower(m[2])] ||
			g.amongThing(i, m[1]) {
			continue
		}
		q := questions[m[2]]
		if q == nil {
			q = &question{shape: newShape()}
			questions[m[2]] = q
			order = append(order, m[2])
		}
		if q.mixed = q.mixed || !q.shape.fits(c); q.mixed {
			q.rows, q.things = nil, "" // several questions are called so
			continue
		}
		q.shape.add(c)
		q.rows, q.things = append(q.rows, member{at: i, name: m[1]}), q.things+" "+m[1]
	}
	asked, other := map[string]int{}, map[string]bool{} // of things: how many questions, and whether on several scales
	first := map[string]int{}
	for _, what := range order {
		q := questions[what]
		if len(q.rows) < leastThings {
			continue
		}
		if asked[q.things]++; asked[q.things] == 1 {
			first[q.things] = q.rows[0].at
		}
		other[q.things] = other[q.things] || !g.columns[q.rows[0].at].answersAs(g.columns[first[q.things]])
	}
	for _, what := range order {
		if q := questions[what]; asked[q.things] >= leastAsked && other[q.things] && len(q.rows) >= leastThings {
			g.alike(&family{stem: what, members: q.rows, strong: true, bond: ByBranch})
		}
	}
}

// numberNames number questions in words.
var numberNames = set("one two three four five six seven eight nine ten uno dos tres cuatro cinco eins zwei drei vier")

// amongThing tells whether a column is one of three or more that stand together, are called by one thing and have the
// same answers: those are the rows of a question about the thing.
func (g *guesser) amongThing(at int, thing string) bool {
	const least = 3
	like := func(i int) bool {
		if i < 0 || i >= len(g.columns) {
			return false
		}
		m := camel.FindStringSubmatch(g.columns[i].code)
		return m != nil && m[1] == thing && g.columns[i].answersAs(g.columns[at])
	}
	n := 1
	for i := at - 1; n < least && like(i); i-- {
		n++
	}
	for i := at + 1; n < least && like(i); i++ {
		n++
	}
	return n >= least
}
