package audience

import "slices"

// state is what is known of an expression in one fieldwork. The order is that in which an And takes the first that any
// of its parts is in.
type state uint8

const (
	never   state = iota // a wave leaf, elsewhere: not measured there
	none                 // a location leaf, elsewhere: measured, and no one is in it
	unknown              // asked about something that was not asked there
	maybe                // asked there: it depends on the respondent
	full                 // a location leaf, where its codes are: everyone is in it
	always               // a wave leaf, where its codes are, and Everyone
)

// inOr is the order in which an Or takes the first state that any of its parts is in.
var inOr = [...]uint8{always: 0, full: 1, unknown: 2, maybe: 3, none: 4, never: 5}

// negated is the state of a Not.
var negated = [...]state{never: always, none: full, unknown: unknown, maybe: maybe, full: none, always: never}

// states is the state of an expression in each fieldwork of a frame.
type states []state

// measured is the fieldwork in which an expression is neither unknown nor never. A figure covers only fieldwork in
// which all its expressions are measured.
func (s states) measured() Cover {
	c := NewCover(len(s))
	for i, st := range s {
		if st != unknown && st != never {
			c.Set(i)
		}
	}
	return c
}

// somebody is the fieldwork in which an expression is measured and may have somebody in it.
func (s states) somebody() Cover {
	c := s.measured()
	for i, st := range s {
		if st == none {
			c.Clear(i)
		}
	}
	return c
}

// states gives the state in each fieldwork of x, which must have been bound.
func (f *Frame) states(x Expr) states {
	out := make(states, f.Size())
	switch x := x.(type) {
	case Everyone:
		fill(out, always)
	case Waves:
		for i := range out {
			w, _ := f.Fieldwork(i)
			if x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, f.Waves[w].Code)) {
				out[i] = always
			} else {
				out[i] = never
			}
		}
	case Locations:
		for i := range out {
			_, l := f.Fieldwork(i)
			if x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, f.Locations[l].Code)) {
				out[i] = full
			} else {
				out[i] = none
			}
		}
	case Answers:
		f.answersStates(out, x)
	case Slice:
		f.numberStates(out, x.Question)
	case Value:
		f.numberStates(out, x.Question)
	case Not:
		copy(out, f.states(x.X))
		for i := range out {
			out[i] = negated[out[i]]
		}
	case And:
		fill(out, always)
		for _, p := range x {
			for i, st := range f.states(p) {
				out[i] = min(out[i], st)
			}
		}
	case Or:
		fill(out, never)
		for _, p := range x {
			for i, st := range f.states(p) {
				if inOr[st] < inOr[out[i]] {
					out[i] = st
				}
			}
		}
	}
	return out
}

// numberStates: maybe where a question was asked and its numbers are kept, unknown elsewhere.
func (f *Frame) numberStates(out []state, question string) {
	q, _ := f.Question(question)
	fill(out, unknown)
	for i := range f.Numbers(q).Asked.All() {
		out[i] = maybe
	}
}

// answersStates: maybe where at least min(Min, number listed) of the listed datapoints were asked, unknown elsewhere.
func (f *Frame) answersStates(out states, x Answers) {
	q, _ := f.Question(x.Question)
	if f.Derived(q) {
		f.derivedStates(out, q, x)
		return
	}
	asked := make([]int, len(out))
	for _, code := range x.Datapoints {
		for i := range f.Asked(q, f.Datapoint(q, code)).All() {
			if i < len(asked) {
				asked[i]++
			}
		}
	}
	need := min(x.Min, len(x.Datapoints))
	for i := range out {
		out[i] = unknown
		if asked[i] >= need {
			out[i] = maybe
		}
	}
}

func fill(s states, st state) {
	for i := range s {
		s[i] = st
	}
}

// nobody is the Or of nothing.
var nobody = Or{}

// fold simplifies a bound x for use within a cover: leaves of waves and locations that are the same all over it become
// everyone or no one, and what that settles goes. A nil cover is all fieldwork. Outside the cover the result means
// nothing.
func fold(x Expr, f *Frame, c Cover) Expr {
	switch x := x.(type) {
	case Waves:
		return settle(x, x.Codes, x.Min, len(f.Waves), c, func(i int) string {
			w,
				_ := f.Fieldwork(i)
			return f.Waves[w].Code
		})
	case Locations:
		return settle(x, x.Codes, x.Min, len(f.Locations), c, func(i int) string {
			_,
				l := f.Fieldwork(i)
			return f.Locations[l].Code
		})
	case Not:
		switch inner := fold(x.X, f, c).(type) {
		case Everyone:
			return nobody
		case Or:
			if len(inner) == 0 {
				return Everyone{}
			}
			return Not{inner}
		default:
			return Not{inner}
		}
	case And:
		return foldParts(x, f, c, isEveryone, isNobody, func(parts []Expr) Expr { return And(parts) })
	case Or:
		return foldParts(x, f, c, isNobody, isEveryone, func(parts []Expr) Expr { return Or(parts) })
	}
	return x
}

// foldParts folds the parts of an And or an Or: neutral ones go, a dominant one is the whole, and a part alone needs no
// frame around it.
func foldParts(parts []Expr, f *Frame, c Cover, neutral, dominant func(Expr) bool, join func([]Expr) Expr) Expr {
	var left []Expr
	for _, p := range parts {
		p = fold(p, f, c)
		switch {
		case dominant(p):
			return p
		case !neutral(p):
			left = append(left, p)
		}
	}
	if len(left) == 1 {
		return left[0]
	}
	if out := join(left); !isEveryone(out) {
		return out
	}
	return Everyone{}
}

func isEveryone(x Expr) bool {
	if and, ok := x.(And); ok {
		return len(and) == 0
	}
	_, ok := x.(Everyone)
	return ok
}

func isNobody(x Expr) bool {
	or, ok := x.(Or)
	return ok && len(or) == 0
}

// settle folds a leaf of waves or locations. Which code fieldwork i has, code tells.
func settle(leaf Expr, codes []string, least, all int, c Cover, code func(int) string) Expr {
	switch {
	case least > 1:
		return nobody
	case len(codes) == 0 || len(codes) == all:
		return Everyone{}
	case c == nil:
		return leaf
	}
	in, out := false, false
	for i := range c.All() {
		if slices.Contains(codes, code(i)) {
			in = true
		} else {
			out = true
		}
		if in && out {
			return leaf
		}
	}
	if in {
		return Everyone{}
	}
	return nobody
}
