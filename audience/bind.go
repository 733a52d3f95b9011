package audience

import (
	"slices"
)

// bound is an expression that has been looked up in a frame.
type bound struct {
	x         Expr   // in the form Query promises: full question codes, datapoints listed in the frame's order
	key       string // x as text: equal keys mean equal audiences
	namespace int    // the deepest namespace used, -1 if none
	reach     Cover  // the fieldwork in which the expression was measured (neither unknown nor never)
	pseudo    bool   // holds leaves of waves or locations, which a cover may settle
}

// binder looks expressions up, each distinct one once.
type binder struct {
	frame *Frame
	done  map[string]*bound // by Print of the expression as it came
}

// bind looks x up. Its codes must have passed Check.
func (b *binder) bind(path string, x Expr) (*bound, error) {
	if x == nil {
		x = Everyone{}
	}
	as := string(Print(x))
	cut, isCut := x.(Cut)
	if isCut {
		as = "cut" + as
	}
	if done, ok := b.done[as]; ok {
		return done, nil
	}
	out := &bound{namespace: -1, reach: b.frame.states(Everyone{}).measured()}
	parts := []Expr{x}
	if isCut {
		parts = cut
	}
	whole := make(And, len(parts))
	for i, p := range parts {
		px, err := b.canonical(path, p, out)
		if err != nil {
			return nil, err
		}
		whole[i] = px
		out.reach = out.reach.And(b.frame.states(px).measured())
	}
	out.x = fold(whole, b.frame, nil)
	out.key = string(Print(out.x))
	b.done[as] = out
	return out, nil
}

// canonical rewrites x into the form Query promises and notes in out what x uses.
func (b *binder) canonical(path string, x Expr, out *bound) (Expr, error) {
	var err error
	switch x := x.(type) {
	case Waves:
		out.pseudo = true
		return Waves{Codes: inOrder(x.Codes, b.frame.Wave), Min: max(1, x.Min)}, nil
	case Locations:
		out.pseudo = true
		return Locations{Codes: inOrder(x.Codes, b.frame.Location), Min: max(1, x.Min)}, nil
	case Answers:
		return b.answers(path, x, out)
	case Not:
		if x.X, err = b.canonical(path, x.X, out); err != nil {
			return nil, err
		}
		return x, nil
	case And:
		parts, err := b.all(path, x, out)
		return And(parts), err
	case Or:
		parts, err := b.all(path, x, out)
		return Or(parts), err
	case Cut:
		return nil, &InvalidError{Path: path, Reason: "a Cut stands inside another expression: it can only be a " +
			"whole row, column or base"}
	case nil:
		return nil, &EmptyError{Path: path}
	}
	return x, nil
}

func (b *binder) all(path string, parts []Expr, out *bound) ([]Expr, error) {
	list := make([]Expr, len(parts))
	for i, p := range parts {
		var err error
		if list[i], err = b.canonical(path, p, out); err != nil {
			return nil, err
		}
	}
	return list, nil
}

func (b *binder) answers(path string, x Answers, out *bound) (Expr, error) {
	f := b.frame
	i, err := f.Question(x.Question)
	if err != nil {
		return nil, err
	}
	q := &f.Questions[i]
	n := f.Namespace(q.Namespace)
	switch {
	case out.namespace < 0 || f.BuiltOn(n, out.namespace):
		out.namespace = n
	case !f.BuiltOn(out.namespace, n):
		return nil, &IncompatibleError{Namespaces: []string{f.Namespaces[out.namespace].Code, q.Namespace}, Path: path}
	}
	points := inOrder(x.Datapoints, q.Datapoint)
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
