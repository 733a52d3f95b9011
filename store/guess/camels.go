package guess

import "regexp"

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
	}
	questions, order := map[string]*question{}, []string(nil)
	for _, i := range g.open() {
		c := g.columns[i]
		m := camel.FindStringSubmatch(c.code)
		if m == nil || c.alone || !c.scale() || c.tick().chosen() {
			continue
		}
		q := questions[m[2]]
		if q == nil {
			q = &question{shape: newShape()}
			questions[m[2]] = q
			order = append(order, m[2])
		}
		if !q.shape.fits(c) {
			q.things = "" // it is another question
			q.rows = nil
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
