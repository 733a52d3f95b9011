package audience

import (
	"slices"
	"sync"
)

// bound is an expression that has been looked up in a frame.
type bound struct {
	x         Expr   // in the form Query promises: full question codes, datapoints listed in the frame's order
	key       string // x as text: equal keys mean equal audiences
	namespace int    // the deepest namespace used, -1 if none
	reach     Cover  // the fieldwork in which the expression was measured (neither unknown nor never)
	pseudo    bool   // holds leaves of waves or locations, which a cover may settle
	// somewhere is, for each part of a Cut, or for the whole, where it was measured and may have somebody in it. A figure
	// that covers none of it is not measured: a column of another market, or a question asked in another.
	somewhere []Cover
	derived   int // nodes of x that derived questions came to
}

// noneIn tells whether a part of the expression is none in all of a cover.
func (b *bound) noneIn(cover Cover) bool {
	if b.pseudo { // what asks for answers alone may have somebody in it wherever it was measured
		for _, somewhere := range b.somewhere {
			if cover.And(somewhere).Empty() {
				return true
			}
		}
	}
	return false
}

// bindings are the expressions that were bound in a Frame lately, so that what is checked first and counted then, or
// asked again and again, is looked up once.
type bindings struct {
	mu     sync.Mutex
	done   map[string]*bound // by text
	bytes  int               // of the texts
	formed int               // how many were bound since the Frame was made
}

// mostBound is how many bytes of texts bindings hold before they begin anew.
const mostBound = 4 << 20

// get returns what is known of a text, or nil.
func (b *bindings) get(text string) *bound {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.done[text]
}

func (b *bindings) put(text string, x *bound) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.done == nil || b.bytes > mostBound {
		b.done, b.bytes = map[string]*bound{}, 0
	}
	b.done[text] = x
	b.bytes += len(text) + len(x.key)
	b.formed++
}

// bind looks x up. Its codes must have passed Check. path is where x stands, for errors.
func (f *Frame) bind(path string, x Expr) (*bound, error) {
	if x = node(x); x == nil {
		x = Everyone{}
	}
	text := string(Print(x))
	cut, isCut := x.(Cut)
	if isCut {
		text = "cut" + text
	}
	if done := f.bindings.get(text); done != nil {
		return done, nil
	}
	out := &bound{namespace: -1, reach: f.states(Everyone{}).measured()}
	parts := []Expr{x}
	if isCut {
		parts = cut.flat()
	}
	b := binder{frame: f, path: path, out: out}
	whole := make(And, len(parts))
	for i, p := range parts {
		px, err := b.canonical(p)
		if err != nil {
			return nil, err
		}
		whole[i] = f.written(px)
		states := f.states(px)
		out.reach = out.reach.And(states.measured())
		out.somewhere = append(out.somewhere, states.somebody())
	}
	out.x = fold(whole, f, nil)
	out.key = string(Print(out.x))
	f.bindings.put(text, out)
	return out, nil
}

// binder rewrites one expression and notes in out what it uses.
type binder struct {
	frame *Frame
	path  string
	out   *bound
}

// canonical rewrites x into the form that Query promises.
func (b *binder) canonical(x Expr) (Expr, error) {
	var err error
	switch x := node(x).(type) {
	case Waves:
		b.out.pseudo = true
		return Waves{Codes: inOrder(x.Codes, b.frame.Wave), Min: max(1, x.Min)}, nil
	case Locations:
		b.out.pseudo = true
		return Locations{Codes: inOrder(x.Codes, b.frame.Location), Min: max(1, x.Min)}, nil
	case Answers:
		return b.answers(x)
	case Band:
		return b.band(x)
	case Slice:
		i, err := b.question(x.Question)
		if err != nil {
			return nil, err
		}
		return Slice{Question: b.frame.Questions[i].Key(), Bit: x.Bit}, nil
	case Value:
		i, err := b.question(x.Question)
		if err != nil {
			return nil, err
		}
		return Value{Question: b.frame.Questions[i].Key(), Number: x.Number}, nil
	case Not:
		if x.X, err = b.canonical(x.X); err != nil {
			return nil, err
		}
		return x, nil
	case And:
		parts, err := b.all(x)
		return And(parts), err
	case Or:
		parts, err := b.all(x)
		return Or(parts), err
	case Cut:
		return nil, &InvalidError{Path: b.path, Reason: "a Cut stands inside another expression: it can only be a " +
			"whole row, column or base"}
	case nil:
		return nil, &EmptyError{Path: b.path}
	}
	return x, nil
}

func (b *binder) all(parts []Expr) ([]Expr, error) {
	list := make([]Expr, len(parts))
	for i, p := range parts {
		var err error
		if list[i], err = b.canonical(p); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// question looks a question up, of which the expression then uses the namespace.
func (b *binder) question(code string) (int, error) {
	f := b.frame
	i, err := f.Question(code)
	if err != nil || f.Derived(i) { // which uses those of its expressions
		return i, err
	}
	return i, b.use(f.Namespace(f.Questions[i].Namespace))
}

// use notes a namespace that the expression uses; -1 is none.
func (b *binder) use(n int) error {
	f, out := b.frame, b.out
	switch {
	case n < 0:
	case out.namespace < 0 || f.BuiltOn(n, out.namespace):
		out.namespace = n
	case !f.BuiltOn(out.namespace, n):
		return &IncompatibleError{Namespaces: []string{f.Namespaces[out.namespace].Code, f.Namespaces[n].Code}, Path: b.path}
	}
	return nil
}

func (b *binder) answers(x Answers) (Expr, error) {
	f := b.frame
	i, err := b.question(x.Question)
	if err != nil {
		return nil, err
	}
	q := &f.Questions[i]
	if f.Derived(i) {
		return b.derived(i, x)
	}
	points := inOrder(x.Datapoints, func(code string) int { return f.Datapoint(i, code) })
	if len(x.Datapoints) == 0 {
		for d := range q.Datapoints {
			points = append(points, q.Datapoints[d].Code)
		}
	}
	suffixes := slices.Clone(x.Suffixes)
	slices.SortFunc(suffixes, func(a, b int) int { return q.Suffix(a) - q.Suffix(b) })
	return Answers{Question: q.Key(), Datapoints: points, Suffixes: slices.Compact(suffixes), Min: max(1, x.Min)}, nil
}

// inOrder returns the codes sorted by their index in the frame, each once.
func inOrder(codes []string, index func(string) int) []string {
	out := slices.Clone(codes)
	slices.SortFunc(out, func(a, b string) int { return index(a) - index(b) })
	return slices.Compact(out)
}
