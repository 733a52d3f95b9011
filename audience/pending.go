package audience

import "fmt"

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
	everyone *pending // of the namespace, where squares are measured
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
		q = &pending{byKey: map[string]int{}, apart: m.Has(Squares), query: Query{Namespace: p.frame.Namespaces[n].Code,
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
// stand.
type wholes struct {
	planner                   *planner
	measures                  Measures
	base                      *bound
	rows, columns             []Expr
	rowPlaces, columnPlaces   []int // of all members, group by group
	rowOffsets, columnOffsets []int // first place of each group
	key                       string
	pending                   map[int]*pending
}

// newWholes returns nil if the Spec has few enough groups to be folded.
func newWholes(p *planner, m Measures, a *axes) *wholes {
	if len(a.rows.groups)*len(a.columns.groups) <= maxGroups {
		return nil
	}
	w := &wholes{planner: p, measures: m, base: a.base, pending: map[int]*pending{}}
	var rowKey, columnKey string
	w.rows, w.rowPlaces, w.rowOffsets, rowKey = p.wholeAxis(a.rows)
	w.columns, w.columnPlaces, w.columnOffsets, columnKey = p.wholeAxis(a.columns)
	w.key = rowKey + "|" + columnKey
	return w
}

func (p *planner) wholeAxis(a axis) (xs []Expr, places, offsets []int, key string) {
	var all group
	for _, g := range a.groups {
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
		w.pending[n] = w.planner.query(w.measures, n, w.base.x, w.rows, w.columns, w.key)
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
