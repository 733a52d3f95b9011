package audience

import (
	"fmt"
	"strconv"
)

// axis is the rows or the columns of a Spec, sorted into groups whose members cover the same fieldwork in the same
// namespace.
type axis struct {
	groups  []group
	members []member // in the Spec's order; one entry, for the base, if the axis is empty
	empty   bool
}

// at is the member with index i as Cell counts it.
func (a *axis) at(i int) member {
	if a.empty {
		i++
	}
	return a.members[i-1]
}

// group is rows, or columns, that are counted in one namespace and were measured in the same fieldwork.
type group struct {
	namespace int // -1: any
	reach     Cover
	members   []*bound
	pseudo    bool // some of them hold leaves of waves or locations
}

// takes tells whether b is of the group.
func (g *group) takes(b *bound) bool { return g.namespace == b.namespace && g.reach.Equal(b.reach) }

// member is where a row or column stands: its group, and its place in there.
type member struct{ group, place int }

// axis binds the expressions of an axis and sorts them into groups.
func (p *planner) axis(name string, xs []Expr) (axis, error) {
	a := axis{empty: len(xs) == 0}
	if a.empty {
		xs = []Expr{Everyone{}}
	}
	byKey := map[string]int{}
	a.members = make([]member, 0, len(xs))
	for i, x := range xs {
		path := originOf(name, i)
		if node(x) == nil {
			return a, &EmptyError{Path: path}
		}
		b, err := p.frame.bind(path, x)
		if err != nil {
			return a, err
		}
		if p.derived += b.derived; p.derived > mostNodesOfAll {
			return a, &ComplexError{Path: path, Reason: fmt.Sprintf("with all derived questions written out the expressions "+
				"have more than %d nodes", mostNodesOfAll)}
		}
		g := len(a.groups) - 1
		if g < 0 || !a.groups[g].takes(b) { // next to all are of the last one's group
			key, there := strconv.Itoa(b.namespace)+b.reach.key(), false
			if g, there = byKey[key]; !there {
				g = len(a.groups)
				byKey[key] = g
				a.groups = append(a.groups, group{namespace: b.namespace, reach: b.reach})
			}
		}
		at := &a.groups[g]
		a.members = append(a.members, member{group: g, place: len(at.members)})
		at.members = append(at.members, b)
		at.pseudo = at.pseudo || b.pseudo
	}
	return a, nil
}

// index gives each member of a group its place in a query's axis: 0 for everyone, -1 for no one, equal ones the same.
// It returns the axis, and a text that is the same for equal axes.
func (p *planner) index(g group, c Cover, places []int) (xs []Expr, axisKey string) {
	byKey := make(map[string]int, len(g.members))
	xs = make([]Expr, 0, len(g.members))
	bytes := 0
	for _, m := range g.members {
		bytes += len(m.key)
	}
	keys := make([]byte, 0, bytes)
	for i, m := range g.members {
		x, key := m.x, m.key
		if m.pseudo && c != nil {
			x = fold(x, p.frame, c)
			key = string(Print(x))
		}
		switch {
		case isEveryone(x):
			places[i] = 0
		case isNobody(x):
			places[i] = -1
		default:
			at, there := byKey[key]
			if !there {
				xs = append(xs, x)
				keys = append(keys, key...)
				at = len(xs)
				byKey[key] = at
			}
			places[i] = at
		}
	}
	return xs, string(keys)
}

// unmeasured is the place of a member that is none in all of the cover: its figures are not measured.
const unmeasured = -2

// markNone finds those members of a group.
func markNone(places []int, g group, cover Cover) {
	for i, m := range g.members {
		if m.noneIn(cover) {
			places[i] = unmeasured
		}
	}
}
