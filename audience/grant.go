package audience

import (
	"context"
	"slices"
	"sync"
)

// Grant is what a caller may use. Each member lists codes; the code "*" stands for all. The zero Grant allows nothing.
// A code is usable if every member that bears on it allows it: a datapoint needs its namespace, its question and itself
// allowed.
type Grant struct {
	Namespaces []string `json:"namespaces"`
	Questions  []string `json:"questions"`  // "q1" in any namespace, "core.q1" in one
	Datapoints []string `json:"datapoints"` // "q1:q1_3", "core.q1:q1_3"; "q1:*" for all of a question
	Locations  []string `json:"locations"`
	Waves      []string `json:"waves"`
}

// All allows everything.
func All() Grant {
	star := []string{"*"}
	return Grant{Namespaces: star, Questions: star, Datapoints: star, Locations: star, Waves: star}
}

// Whole tells whether the grant allows everything.
func (g Grant) Whole() bool {
	for _, codes := range [][]string{g.Namespaces, g.Questions, g.Datapoints, g.Locations, g.Waves} {
		if !slices.Contains(codes, "*") {
			return false
		}
	}
	return true
}

// allowed is a member of a Grant, ready for look-up.
type allowed struct {
	all   bool
	codes map[string]bool
}

func allow(codes []string) allowed {
	a := allowed{codes: make(map[string]bool, len(codes))}
	for _, c := range codes {
		a.all = a.all || c == "*"
		a.codes[c] = true
	}
	return a
}

func (a allowed) has(codes ...string) bool {
	return a.all || slices.ContainsFunc(codes, func(c string) bool { return a.codes[c] })
}

// Mark returns f with all that g does not allow marked Hidden.
func (g Grant) Mark(f *Frame) *Frame {
	if g.Whole() {
		return f
	}
	namespaces, questions, points := allow(g.Namespaces), allow(g.Questions), allow(g.Datapoints)
	locations, waves := allow(g.Locations), allow(g.Waves)
	m := *f
	m.Waves, m.Locations = slices.Clone(f.Waves), slices.Clone(f.Locations)
	m.Namespaces, m.Questions = slices.Clone(f.Namespaces), slices.Clone(f.Questions)
	for i := range m.Waves {
		m.Waves[i].Hidden = m.Waves[i].Hidden || !waves.has(m.Waves[i].Code)
	}
	for i := range m.Locations {
		m.Locations[i].Hidden = m.Locations[i].Hidden || !locations.has(m.Locations[i].Code)
	}
	for i := range m.Namespaces {
		m.Namespaces[i].Hidden = m.Namespaces[i].Hidden || !namespaces.has(m.Namespaces[i].Code)
	}
	for i := range m.Questions {
		q := &m.Questions[i]
		q.Hidden = q.Hidden || !namespaces.has(q.Namespace) || !questions.has(q.Code, q.Key())
		q.Datapoints = slices.Clone(q.Datapoints)
		for j := range q.Datapoints {
			d := &q.Datapoints[j]
			d.Hidden = d.Hidden || q.Hidden ||
				!points.has(q.Code+":"+d.Code, q.Key()+":"+d.Code, q.Code+":*", q.Key()+":*")
		}
	}
	return &m
}

// Restrict returns st as a caller with grant g may use it: its Frame has what the grant does not allow marked Hidden,
// and its Count refuses a query that uses a hidden code or fieldwork, whoever formed it, with an UnavailableError.
func Restrict(st Store, g Grant) Store {
	if g.Whole() {
		return st
	}
	return &restricted{Store: st, grant: g}
}

type restricted struct {
	Store
	grant Grant

	mu     sync.Mutex
	marked *Frame // of the last version seen
}

func (r *restricted) Frame(ctx context.Context) (*Frame, error) {
	f, err := r.Store.Frame(ctx)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.marked == nil || r.marked.Version != f.Version {
		r.marked = r.grant.Mark(f)
	}
	return r.marked, nil
}

func (r *restricted) Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error) {
	f, err := r.Frame(ctx)
	if err != nil {
		return nil, err
	}
	if f.Version != version {
		return nil, ErrChanged
	}
	c := newChecker(f)
	visible := f.Visible()
	for i := range qs {
		c.refuse(&qs[i], visible)
	}
	if !c.found.Empty() {
		return nil, c.found
	}
	return r.Store.Count(ctx, version, qs)
}

// refuse collects what of q is hidden. It knows nothing of how q came about: it is the net below Check.
func (c *checker) refuse(q *Query, visible Cover) {
	f := c.frame
	for _, s := range q.Strata {
		for i := range s.All() {
			if !visible.Has(i) {
				w, l := f.Fieldwork(i)
				c.waves([]string{f.Waves[w].Code})
				c.locations([]string{f.Locations[l].Code})
			}
		}
	}
	c.use("base", q.Base)
	for _, x := range q.Rows {
		c.use("rows", x)
	}
	for _, x := range q.Columns {
		c.use("columns", x)
	}
	if n := f.Namespace(q.Namespace); n < 0 || f.Namespaces[n].Hidden {
		c.add("namespace", q.Namespace+".*", nil)
	}
}
