package audience

import (
	"container/list"
	"context"
	"encoding/json"
	"slices"
	"sync"
)

// Grant is what a caller may use. Each member lists codes; the code "*" stands for all. The zero Grant allows nothing.
// A code is usable if every list that it falls under allows it: a datapoint needs its namespace, its question and
// itself allowed.
type Grant struct {
	Namespaces []string `json:"namespaces"`
	Questions  []string `json:"questions"`  // "q1" in any namespace, "core.q1" in one
	Datapoints []string `json:"datapoints"` // "q1:q1_3", "core.q1:q1_3"; "q1:*" for all of a question
	Locations  []string `json:"locations"`
	Waves      []string `json:"waves"`
	// MinSample is the floor, in respondents: a Cell that tells of fewer is withheld. 0, or less, is none.
	MinSample int64 `json:"min_sample,omitempty"`
}

// All allows everything.
func All() Grant {
	star := []string{"*"}
	return Grant{Namespaces: star, Questions: star, Datapoints: star, Locations: star, Waves: star}
}

// Whole tells whether the grant allows everything, and withholds nothing.
func (g Grant) Whole() bool {
	if g.MinSample > 0 {
		return false
	}
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

// hidden has a bit for each thing that a caller may not use, by its index. Datapoints are numbered through all
// questions.
type hidden struct {
	waves, locations, namespaces, questions, datapoints marks
}

// marks is a set of indices; nil is empty.
type marks []uint64

func (b marks) has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0 }

// add puts i into the set, if it is to be in.
func (b *marks) add(i int, in bool) {
	if !in {
		return
	}
	for i>>6 >= len(*b) {
		*b = append(*b, 0)
	}
	(*b)[i>>6] |= 1 << (i & 63)
}

// HidesWave tells whether the caller may not use a wave.
func (f *Frame) HidesWave(wave int) bool { return f.hidden != nil && f.hidden.waves.has(wave) }

// HidesLocation tells whether the caller may not use a location.
func (f *Frame) HidesLocation(location int) bool {
	return f.hidden != nil && f.hidden.locations.has(location)
}

// HidesNamespace tells whether the caller may not use a namespace.
func (f *Frame) HidesNamespace(namespace int) bool {
	return f.hidden != nil && f.hidden.namespaces.has(namespace)
}

// HidesQuestion tells whether the caller may not use a question.
func (f *Frame) HidesQuestion(question int) bool {
	return f.hidden != nil && f.hidden.questions.has(question)
}

// HidesDatapoint tells whether the caller may not use a datapoint of a question.
func (f *Frame) HidesDatapoint(question, datapoint int) bool {
	return f.hidden != nil && f.hidden.datapoints.has(f.look.first[question]+datapoint)
}

// hideQuestions hides the questions that the survey hides from everybody.
func (f *Frame) hideQuestions() {
	for i := range f.Questions {
		if !f.Questions[i].Hidden {
			continue
		}
		if f.hidden == nil {
			f.hidden = &hidden{}
		}
		f.hidden.questions.add(i, true)
		for j := range f.Questions[i].Datapoints {
			f.hidden.datapoints.add(f.look.first[i]+j, true)
		}
	}
}

// For returns f as a caller with grant g sees it: what g does not allow is hidden, beside what is hidden already, and
// of two floors the higher holds. It is made once for a grant, so that what is derived from it is, too.
func (f *Frame) For(g Grant) *Frame {
	if g.Whole() {
		return f
	}
	if x := f.extension; x != nil { // what of its derived questions can be used follows from what they read
		return x.of.For(g).Extend(x.key, x.list)
	}
	key, err := json.Marshal(g)
	if err != nil {
		return f.restrict(g) // it can't be: a Grant is lists of texts and a number
	}
	return f.views.of(string(key), func() *Frame { return f.restrict(g) })
}

// restrict makes the Frame that For returns.
func (f *Frame) restrict(g Grant) *Frame {
	namespaces, questions, datapoints := allow(g.Namespaces), allow(g.Questions), allow(g.Datapoints)
	locations, waves := allow(g.Locations), allow(g.Waves)
	h := &hidden{}
	for i, w := range f.Waves {
		h.waves.add(i, f.HidesWave(i) || !waves.has(w.Code))
	}
	for i, l := range f.Locations {
		h.locations.add(i, f.HidesLocation(i) || !locations.has(l.Code))
	}
	for i, n := range f.Namespaces {
		h.namespaces.add(i, f.HidesNamespace(i) || !namespaces.has(n.Code))
	}
	for i := range f.Questions {
		q := &f.Questions[i]
		key := q.Key()
		whole := f.HidesQuestion(i) || !namespaces.has(q.Namespace) || !questions.has(q.Code, key)
		h.questions.add(i, whole)
		for j := range q.Datapoints {
			code := ":" + q.Datapoints[j].Code
			h.datapoints.add(f.look.first[i]+j, whole || f.HidesDatapoint(i, j) ||
				!datapoints.has(q.Code+code, key+code, q.Code+":*", key+":*"))
		}
	}
	v := &Frame{Version: f.Version, Survey: f.Survey, coverage: f.coverage, look: f.look, hidden: h, views: &views{},
		bindings: &bindings{}, derived: &derived{}, surveyed: f.surveyed, floor: max(f.floor, g.MinSample)}
	v.visible = f.fieldwork(func(w, l int) bool { return !v.HidesWave(w) && !v.HidesLocation(l) })
	return v
}

// mostViews is how many grants a Frame is kept for.
const mostViews = 256

// views are a Frame as callers with some grants see it: those that asked last.
type views struct {
	mu     sync.Mutex
	byKey  map[string]*list.Element // of recent
	recent list.List                // of *view, the last used first
}

type view struct {
	key   string
	frame func() *Frame
}

// of returns the view of a key, which form makes if it is not there.
func (v *views) of(key string, form func() *Frame) *Frame {
	v.mu.Lock()
	if v.byKey == nil {
		v.byKey = map[string]*list.Element{}
	}
	e, there := v.byKey[key]
	if there {
		v.recent.MoveToFront(e)
	} else {
		e = v.recent.PushFront(&view{key, sync.OnceValue(form)})
		v.byKey[key] = e
		if v.recent.Len() > mostViews {
			delete(v.byKey, v.recent.Remove(v.recent.Back()).(*view).key)
		}
	}
	v.mu.Unlock()
	return e.Value.(*view).frame()
}

// Restrict returns st as a caller with grant g may use it: its Frame hides what the grant does not allow and has its
// floor, below which Tabulate withholds, and its Count refuses a query that uses a hidden code or fieldwork, whoever
// formed it, with an UnavailableError.
func Restrict(st Store, g Grant) Store {
	if g.Whole() {
		return st
	}
	return &restricted{Store: st, grant: g}
}

type restricted struct {
	Store
	grant Grant

	mu   sync.Mutex
	seen *Frame // the last that was asked for
}

func (r *restricted) WantsWhole(cells int) bool { return WantsWhole(r.Store, cells) }

func (r *restricted) Threads() int { return Threads(r.Store) }

func (r *restricted) Frame(ctx context.Context) (*Frame, error) {
	f, err := r.Store.Frame(ctx)
	if err != nil {
		return nil, err
	}
	f = f.For(r.grant)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seen = f
	return f, nil
}

// of is the Frame of a version: the one that the question was formed with, as a rule.
func (r *restricted) of(ctx context.Context, version uint64) (*Frame, error) {
	r.mu.Lock()
	f := r.seen
	r.mu.Unlock()
	if f != nil && f.Version == version {
		return f, nil
	}
	f, err := r.Frame(ctx)
	if err == nil && f.Version != version {
		err = ErrChanged
	}
	return f, err
}

func (r *restricted) Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error) {
	f, err := r.of(ctx, version)
	if err != nil {
		return nil, err
	}
	c := newChecker(f)
	for i := range qs {
		c.refuse(&qs[i])
	}
	if !c.found.Empty() {
		return nil, c.found
	}
	return r.Store.Count(ctx, version, qs)
}

// refuse collects what of q is hidden. It knows nothing of how q came about: it is the net below Check.
func (c *checker) refuse(q *Query) {
	f := c.frame
	for _, s := range q.Strata {
		for i := range s.All() {
			if !f.visible.Has(i) {
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
	if n := f.Namespace(q.Namespace); n < 0 || f.HidesNamespace(n) {
		c.add("namespace", Key(q.Namespace, "*"), nil)
	}
}
