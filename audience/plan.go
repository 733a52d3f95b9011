package audience

import (
	"fmt"
	"strconv"
)

// maxGroups is how many (row group, column group) pairs of a Spec get queries folded for them. With more, one query a
// namespace is asked as it stands, with finer strata.
const maxGroups = 1000

// maxCounts bounds the tables of one Tabulate: counts of 16 bytes.
const maxCounts = 1 << 26

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

type group struct {
	namespace int // -1: any
	reach     Cover
	members   []*bound
	pseudo    bool
}

type member struct{ group, place int }

// pairing is a row group × a column group: they share namespace and cover, so their figures come from the same strata
// of one query.
type pairing struct {
	namespace     string
	cover         Cover
	query         *asked
	rows, columns []int // index in the query's tables of each member of the groups; 0 is the base, -1 no one,
	// unmeasured
	sum *sum
}

// sum tells how the strata of a pairing add up to people.
type sum struct {
	terms []term // smallest n first
	scale *scale
}

// term is the locations in which the pairing covers n waves: their weights are added as integers first.
type term struct {
	n      int
	share  uint64 // scale.share of n
	strata []int
}

// asked is a query in the making, with everything that reads its tables.
type asked struct {
	query  Query
	covers []Cover // distinct covers of the pairings that read it
	byKey  map[string]int
	users  []user
	tables []*Table
}

type user struct {
	pair  *pairing
	cover int // index into covers
}

// planner turns Specs into queries. Expressions and queries that are the same are so once, whichever Spec they come
// from.
type planner struct {
	frame *Frame
	byKey map[string]*asked
	asked []*asked // in the order of first use
}

func newPlanner(f *Frame) *planner { return &planner{frame: f, byKey: map[string]*asked{}} }

// axes is a Spec, bound and grouped. namespaces holds the deepest one of each pair of groups.
type axes struct {
	base          *bound
	rows, columns axis
	namespaces    [][]int
}

func (p *planner) bindAxes(s Spec) (a axes, err error) {
	if a.base, err = p.frame.bind("base", s.Base); err != nil {
		return a, err
	}
	if a.rows, err = p.axis("rows", s.Rows); err != nil {
		return a, err
	}
	if a.columns, err = p.axis("columns", s.Columns); err != nil {
		return a, err
	}
	a.namespaces = make([][]int, len(a.rows.groups))
	for i, r := range a.rows.groups {
		a.namespaces[i] = make([]int, len(a.columns.groups))
		for j, c := range a.columns.groups {
			n, err := p.deepest(a.base.namespace, r.namespace, c.namespace)
			if n < 0 {
				n = p.otherwise(s.Namespace)
			}
			if err != nil {
				return a, err
			}
			a.namespaces[i][j] = n
		}
	}
	return a, nil
}

func (p *planner) axis(name string, xs []Expr) (axis, error) {
	a := axis{empty: len(xs) == 0}
	if a.empty {
		xs = []Expr{Everyone{}}
	}
	byKey := map[string]int{}
	for i, x := range xs {
		path := fmt.Sprintf("%s[%d]", name, i)
		if node(x) == nil {
			return a, &EmptyError{Path: path}
		}
		b, err := p.frame.bind(path, x)
		if err != nil {
			return a, err
		}
		key := strconv.Itoa(b.namespace) + b.reach.key()
		g, there := byKey[key]
		if !there {
			g = len(a.groups)
			byKey[key] = g
			a.groups = append(a.groups, group{namespace: b.namespace, reach: b.reach})
		}
		at := &a.groups[g]
		a.members = append(a.members, member{group: g, place: len(at.members)})
		at.members = append(at.members, b)
		at.pseudo = at.pseudo || b.pseudo
	}
	return a, nil
}

// deepest is the namespace a figure is counted in: the deepest its expressions use; -1 where they use none.
func (p *planner) deepest(used ...int) (int, error) {
	f, deep := p.frame, -1
	for _, n := range used {
		switch {
		case n < 0:
		case deep < 0 || f.BuiltOn(n, deep):
			deep = n
		case !f.BuiltOn(deep, n):
			return 0, &IncompatibleError{Namespaces: []string{f.Namespaces[deep].Code, f.Namespaces[n].Code}}
		}
	}
	return deep, nil
}

// otherwise is the namespace of a figure whose expressions use none: the one the Spec names, else the default, or the
// first that the caller may use; -1 if there is none.
func (p *planner) otherwise(code string) int {
	if code != "" {
		return p.frame.Namespace(code)
	}
	return p.frame.defaultNamespace()
}

// requested is the fieldwork a Spec asks for, cut to where the namespace has respondents and to what the caller may
// use.
func (p *planner) requested(s Spec, namespace int) Cover {
	f := p.frame
	if namespace < 0 || f.HidesNamespace(namespace) {
		return NewCover(f.Size())
	}
	c := f.visible.And(f.Fielded(namespace))
	cut(c, f, Locations{Codes: s.Locations})
	waves := s.Waves
	if len(waves) == 0 && s.LastWaves > 0 {
		waves = f.WaveCodes(c)
		waves = waves[max(0, len(waves)-s.LastWaves):]
	}
	cut(c, f, Waves{Codes: waves})
	return c
}

// cut takes out of a cover the fieldwork that a leaf of waves or locations is not about.
func cut(c Cover, f *Frame, leaf Expr) {
	for i, st := range f.states(leaf) {
		if st != full && st != always {
			c.Clear(i)
		}
	}
}

func (p *planner) plan(s Spec) (*Crosstab, error) {
	if err := s.checkCodes(p.frame); err != nil {
		return nil, err
	}
	a, err := p.bindAxes(s)
	if err != nil {
		return nil, err
	}
	t := &Crosstab{Frame: p.frame, Spec: s, rows: a.rows, columns: a.columns, pairs: make([][]pairing, len(a.rows.groups))}
	requested := map[int]Cover{}
	whole := newWholes(p, &a)
	for i, r := range a.rows.groups {
		t.pairs[i] = make([]pairing, len(a.columns.groups))
		for j, c := range a.columns.groups {
			n := a.namespaces[i][j]
			if _, there := requested[n]; !there {
				requested[n] = p.requested(s, n)
			}
			pair := &t.pairs[i][j]
			pair.cover = requested[n].And(a.base.reach).And(r.reach).And(c.reach)
			if a.base.noneIn(pair.cover) {
				pair.cover = NewCover(p.frame.Size())
			}
			pair.rows, pair.columns = make([]int, len(r.members)), make([]int, len(c.members))
			if n >= 0 {
				pair.namespace = p.frame.Namespaces[n].Code
			}
			switch {
			case pair.cover.Empty():
			case whole != nil:
				whole.ask(n, pair, i, j)
			default:
				p.askFolded(n, a.base, pair, r, c)
			}
			markNone(pair.rows, r, pair.cover)
			markNone(pair.columns, c, pair.cover)
		}
	}
	return t, nil
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

// askFolded makes pair read the query for one pair of groups, simplified for their cover. Pairs that then ask the same
// read the same query.
func (p *planner) askFolded(n int, base *bound, pair *pairing, r, c group) {
	inside := base.x
	if base.pseudo {
		inside = fold(inside, p.frame, pair.cover)
	}
	rows, rowKey := p.index(r, pair.cover, pair.rows)
	columns, columnKey := p.index(c, pair.cover, pair.columns)
	p.query(n, inside, rows, columns, rowKey+"|"+columnKey).read(pair)
}

// wholes is how a Spec with very many pairs of groups is asked: one query a namespace with all rows and columns as they
// stand.
type wholes struct {
	planner                   *planner
	base                      *bound
	rows, columns             []Expr
	rowPlaces, columnPlaces   []int // of all members, group by group
	rowOffsets, columnOffsets []int // first place of each group
	key                       string
	asked                     map[int]*asked
}

// newWholes returns nil if the Spec has few enough groups to be folded.
func newWholes(p *planner, a *axes) *wholes {
	if len(a.rows.groups)*len(a.columns.groups) <= maxGroups {
		return nil
	}
	w := &wholes{planner: p, base: a.base, asked: map[int]*asked{}}
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
	if w.asked[n] == nil {
		w.asked[n] = w.planner.query(n, w.base.x, w.rows, w.columns, w.key)
	}
	w.asked[n].read(pair)
}

// index gives each member of a group its place in a query's axis: 0 for everyone, -1 for no one, equal ones the same.
// It returns the axis, and a text that is the same for equal axes.
func (p *planner) index(g group, c Cover, places []int) (xs []Expr, axisKey string) {
	byKey := make(map[string]int, len(g.members))
	var keys []byte
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

// query finds or makes the query of that namespace, base, rows and columns; key tells rows and columns apart from
// others.
func (p *planner) query(n int, base Expr, rows, columns []Expr, key string) *asked {
	key = strconv.Itoa(n) + string(Print(base)) + key
	q := p.byKey[key]
	if q == nil {
		q = &asked{byKey: map[string]int{}, query: Query{Namespace: p.frame.Namespaces[n].Code, Base: base, Rows: rows,
			Columns: columns}}
		p.byKey[key] = q
		p.asked = append(p.asked, q)
	}
	return q
}

// read makes pair read its figures from q.
func (q *asked) read(pair *pairing) {
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
