package audience

// planner turns Specs into queries. Expressions and queries that are the same are so once, whichever Spec they come
// from.
//
// The steps, by an example: woman and local are the rows and wave 1, wave 2 and acme the columns of a crosstab; local
// was asked about in wave 2 only, and in one of two countries.
//
//   - bind.go looks the codes up and finds the reach of each expression, the fieldwork in which it was measured: for
//     local that country in wave 2, for the column wave 1 that wave, for woman and acme everything.
//   - groups.go puts rows of one namespace and reach into a group, and columns likewise: two groups and three.
//   - plan pairs row groups with column groups. A pair has one cover, in which all of its figures are measured:
//     requested fieldwork in the reach of row, column and base. local × wave 1 has none, and nothing is asked of it.
//   - pending.go asks for what a pair needs. Within wave 1 the column wave 1 is everyone, so woman × wave 1 asks for
//     the women, in wave 1; woman × wave 2 asks for them in wave 2, so both read one query.
//   - strata.go cuts the fieldwork of each query into strata of which all covers are sums: here wave 1 and wave 2.
//
// ARCHITECTURE.md has the same example with all of its figures and queries, which a test holds it to.
type planner struct {
	frame    *Frame
	whole    func(cells int) bool // whether the engine wants whole queries: see WholeCounter; nil if it wants none
	byKey    map[string]*pending
	pending  []*pending       // in the order of first use
	everyone map[int]*pending // of them, those that count all respondents of a namespace
	derived  int              // nodes that derived questions came to so far
}

func newPlanner(f *Frame) *planner { return newPlannerOf(f, nil) }

func newPlannerOf(f *Frame, whole func(cells int) bool) *planner {
	return &planner{whole: whole, frame: f, byKey: map[string]*pending{}, everyone: map[int]*pending{}}
}

// axes is a Spec, bound and grouped. namespaces holds the deepest one of each pair of groups.
type axes struct {
	base          *bound
	rows, columns axis
	namespaces    [][]int
}

// bindAxes looks the expressions of s up. Errors name them as Spec does: base, rows[0], columns[1].
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
	within := -1
	if s.Within != "" {
		within = p.frame.Namespace(s.Within)
	}
	a.namespaces = make([][]int, len(a.rows.groups))
	for i, r := range a.rows.groups {
		a.namespaces[i] = make([]int, len(a.columns.groups))
		for j, c := range a.columns.groups {
			n, err := p.deepest(within, a.base.namespace, r.namespace, c.namespace)
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

// plan makes the queries that s needs pending. The Crosstab that it returns can be asked for cells when they are
// answered.
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
	whole := newWholes(p, s.Measures, &a)
	for i, r := range a.rows.groups {
		t.pairs[i] = make([]pairing, len(a.columns.groups))
		for j, c := range a.columns.groups {
			n := a.namespaces[i][j]
			if _, there := requested[n]; !there {
				requested[n] = p.requested(s, n)
			}
			t.pairs[i][j] = p.pair(n, requested[n].And(a.base.reach).And(r.reach).And(c.reach), a.base, r, c)
		}
	}
	together := newTogether(p, s.Measures, &a, t.pairs)
	for i, r := range a.rows.groups {
		for j, c := range a.columns.groups {
			n, pair := a.namespaces[i][j], &t.pairs[i][j]
			switch {
			case pair.cover.Empty():
			case whole != nil:
				whole.ask(n, pair, i, j)
			case together[n] != nil && (together[n].folded || !r.pseudo && !c.pseudo):
				together[n].ask(n, pair, i, j)
			default:
				p.askFolded(s.Measures, n, a.base, pair, r, c)
			}
			if s.Measures.apart() && !pair.cover.Empty() {
				p.askEveryone(n, pair)
			}
			markNone(pair.rows, r, pair.cover)
			markNone(pair.columns, c, pair.cover)
		}
	}
	return t, nil
}

// pair is a row group × a column group with nothing asked yet.
func (p *planner) pair(namespace int, measured Cover, base *bound, r, c group) pairing {
	out := pairing{cover: measured, rows: make([]int, len(r.members)), columns: make([]int, len(c.members))}
	if base.noneIn(measured) {
		out.cover = NewCover(p.frame.Size())
	}
	if namespace >= 0 {
		out.namespace = p.frame.Namespaces[namespace].Code
	}
	return out
}
