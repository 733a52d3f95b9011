package audience

import (
	"fmt"
	"slices"
)

// maxGroups is how many (row group, column group) pairs of a Spec get queries folded for them. With more, one query a
// namespace is asked as it stands, with finer strata.
const maxGroups = 1000

// pairing is a row group × a column group: they share namespace and cover, so their figures come from the same strata
// of one query.
type pairing struct {
	namespace     string
	cover         Cover
	query         *pending
	rows, columns []int // index in the query's tables of each member of the groups; 0 is the base, -1 no one,
	// unmeasured
	sum      *sum
	everyone *pending // of the namespace, where each fieldwork is a stratum
}

// pending is a query in the making, with everything that reads its tables.
type pending struct {
	query  Query
	apart  bool    // each fieldwork is a stratum of its own
	covers []Cover // distinct covers of the pairings that read it
	byKey  map[string]int
	users  []user
	tables []*Table
}

type user struct {
	pair  *pairing
	cover int // index into covers
}

// askFolded makes pair read the query for one pair of groups, simplified for their cover. Pairs that then ask the same
// read the same query.
func (p *planner) askFolded(m Measures, n int, base *bound, pair *pairing, r, c group) {
	inside := base.x
	if base.pseudo {
		inside = fold(inside, p.frame, pair.cover)
	}
	rows, rowKey := p.index(r, pair.cover, pair.rows)
	columns, columnKey := p.index(c, pair.cover, pair.columns)
	p.query(m, n, inside, rows, columns, rowKey+"|"+columnKey).read(pair)
}

// query finds or makes the query of that namespace, base, rows and columns; key tells rows and columns apart from
// others.
func (p *planner) query(m Measures, n int, base Expr, rows, columns []Expr, key string) *pending {
	key = fmt.Sprintf("%d %d%s%s", m, n, Print(base), key)
	q := p.byKey[key]
	if q == nil {
		q = &pending{byKey: map[string]int{}, apart: m.apart(), query: Query{Namespace: p.frame.Namespaces[n].Code,
			Base: base, Rows: rows, Columns: columns, Measures: m}}
		p.byKey[key] = q
		p.pending = append(p.pending, q)
	}
	return q
}

// read makes pair read its figures from q.
func (q *pending) read(pair *pairing) {
	pair.query = q
	key := pair.cover.key()
	i, there := q.byKey[key]
	if !there {
		i = len(q.covers)
		q.covers = append(q.covers, pair.cover)
		q.byKey[key] = i
	}
	q.users = append(q.users, user{pair, i})
}

// wholes is how a Spec with very many pairs of groups is asked: one query a namespace with all rows and columns as they
// stand. It is also how those pairs are asked that may as well be asked together.
type wholes struct {
	planner                   *planner
	measures                  Measures
	base                      Expr
	rows, columns             []Expr
	rowPlaces, columnPlaces   []int // of all members, group by group
	rowOffsets, columnOffsets []int // first place of each group
	folded                    bool  // rows and columns are folded for their own reach: pairs of all groups are asked
	key                       string
	pending                   map[int]*pending
}

// newWholes returns nil if the Spec has few enough groups to be folded, or all of its pairs are asked together anyway.
func newWholes(p *planner, m Measures, a *axes) *wholes {
	if len(a.rows.groups)*len(a.columns.groups) <= maxGroups || p.wants(a.rows.groups, a.columns.groups) {
		return nil
	}
	return newWhole(p, m, a.base.x, a.rows.groups, a.columns.groups)
}

func newWhole(p *planner, m Measures, base Expr, rows, columns []group) *wholes {
	w := &wholes{planner: p, measures: m, base: base, pending: map[int]*pending{}}
	var rowKey, columnKey string
	w.rows, w.rowPlaces, w.rowOffsets, rowKey = p.wholeAxis(rows)
	w.columns, w.columnPlaces, w.columnOffsets, columnKey = p.wholeAxis(columns)
	w.key = rowKey + "|" + columnKey
	return w
}

// newTogether finds, of each namespace, the pairs of groups that are asked together. Where each fieldwork is a stratum
// of its own, the strata of several pairs are no finer than those of one; and a query of many rows and columns is
// counted faster than many of few. Pairs that are folded for what they cover are asked alone, and all are where they
// cover so different fieldwork that many cells would be counted that nobody asks for.
//
// An engine that wants whole queries gets all pairs of a namespace together. Rows and columns are then folded for their
// own reach, so that the column wave 1 is everyone here, too, and costs nothing.
func newTogether(p *planner, m Measures, a *axes, pairs [][]pairing) map[int]*wholes {
	together := map[int]*wholes{}
	for n, x := range newAsked(a, pairs, true) {
		if x.pairs > 1 && p.wants(x.rows, x.columns) {
			together[n] = newWhole(p, m, a.base.within(p.frame, x.cover).x, p.within(x.rows, x.cover),
				p.within(x.columns, x.cover))
			together[n].folded = true
		}
	}
	if !m.apart() || a.base.pseudo {
		return together
	}
	for n, x := range newAsked(a, pairs, false) {
		if x.pairs > 1 && together[n] == nil && x.cover.Len()*cells(x.rows, x.columns) <= x.counts+x.counts/4 {
			together[n] = newWhole(p, m, a.base.x, x.rows, x.columns)
		}
	}
	return together
}

// asked is what pairs of a namespace ask: the groups of rows and columns that they have, in their places, what they
// cover, how many pairs there are, and how many cells of fieldwork they come to one by one.
type asked struct {
	rows, columns []group
	cover         Cover
	pairs, counts int
}

// newAsked gathers what the pairs of each namespace ask, those of pseudo groups among them or not.
func newAsked(a *axes, pairs [][]pairing, pseudo bool) map[int]*asked {
	by := map[int]*asked{}
	for i, r := range a.rows.groups {
		for j, c := range a.columns.groups {
			n, cover := a.namespaces[i][j], pairs[i][j].cover
			if cover.Empty() || !pseudo && (r.pseudo || c.pseudo) {
				continue
			}
			if by[n] == nil {
				by[n] = &asked{rows: make([]group, len(a.rows.groups)), columns: make([]group, len(a.columns.groups))}
			}
			x := by[n]
			x.rows[i], x.columns[j], x.cover = r, c, x.cover.Or(cover)
			x.pairs++
			x.counts += cover.Len() * (len(r.members) + 1) * (len(c.members) + 1)
		}
	}
	return by
}

// wants tells whether the engine wants whole queries of these rows and columns. Values of a question count as one: the
// digits of a respondent's number tell at a glance which of them it is, however many there are.
func (p *planner) wants(rows, columns []group) bool {
	return p.whole != nil && p.whole((glances(rows)+1)*(glances(columns)+1))
}

// glances is how many members there are in some groups if values of a question are one.
func glances(groups []group) (n int) {
	values := map[string]bool{} // questions
	for _, g := range groups {
		for _, b := range g.members {
			v, is := b.x.(Value)
			if !is || !values[v.Question] {
				n++
			}
			if is {
				values[v.Question] = true
			}
		}
	}
	return n
}

// cells is how many cells a table of some groups has, margins among them.
func cells(rows, columns []group) int { return (members(rows) + 1) * (members(columns) + 1) }

// within folds the members of groups, each for that of a cover which the group reaches.
func (p *planner) within(groups []group, cover Cover) []group {
	out := slices.Clone(groups)
	for i := range out {
		g := &out[i]
		if !g.pseudo {
			continue
		}
		g.members = make([]*bound, len(groups[i].members))
		for k, b := range groups[i].members {
			g.members[k] = b.within(p.frame, cover)
		}
	}
	return out
}

// within folds what was bound for that of a cover which it reaches.
func (b *bound) within(f *Frame, cover Cover) *bound {
	if !b.pseudo {
		return b
	}
	out := *b
	out.x = fold(b.x, f, cover.And(b.reach))
	out.key = string(Print(out.x))
	return &out
}

// members is how many there are in some groups.
func members(groups []group) (n int) {
	for _, g := range groups {
		n += len(g.members)
	}
	return n
}

func (p *planner) wholeAxis(groups []group) (xs []Expr, places, offsets []int, key string) {
	var all group
	for _, g := range groups {
		offsets = append(offsets, len(all.members))
		all.members = append(all.members, g.members...)
	}
	places = make([]int, len(all.members))
	xs, key = p.index(all, nil, places)
	return xs, places, offsets, key
}

func (w *wholes) ask(n int, pair *pairing, i, j int) {
	copy(pair.rows, w.rowPlaces[w.rowOffsets[i]:])
	copy(pair.columns, w.columnPlaces[w.columnOffsets[j]:])
	if w.pending[n] == nil {
		w.pending[n] = w.planner.query(w.measures, n, w.base, w.rows, w.columns, w.key)
	}
	w.pending[n].read(pair)
}

// askEveryone makes pair know how many respondents its namespace has in each fieldwork of its cover.
func (p *planner) askEveryone(n int, pair *pairing) {
	q := p.everyone[n]
	if q == nil {
		q = &pending{byKey: map[string]int{}, apart: true, query: Query{Namespace: p.frame.Namespaces[n].Code,
			Base: Everyone{}}, covers: []Cover{pair.cover}}
		p.everyone[n] = q
		p.pending = append(p.pending, q)
	}
	q.covers[0] = q.covers[0].Or(pair.cover)
	pair.everyone = q
}
