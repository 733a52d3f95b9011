package storetest

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/naive"
)

// derive adds a derived question to what can be asked about: derived CODE, and a line for each datapoint, with its code
// and its expression.
func (r *run) derive(step script.Step, code string) error {
	d := audience.Definition{Code: code}
	for _, line := range step.Lines {
		point, text := line.Cut()
		x, err := expressions(line, text)
		if err != nil {
			return err
		}
		d.Datapoints = append(d.Datapoints, audience.DefinedDatapoint{Code: point, Expr: x})
	}
	f, err := r.reference.Frame(r.ctx)
	if err != nil {
		return err
	}
	r.derived = append(r.derived, d)
	if _, faults := f.CheckDefinitions(r.derived); faults[len(faults)-1] != nil {
		return step.Errorf("%v", faults[len(faults)-1])
	}
	return nil
}

// extended is a store with derived questions; as it is if there are none.
func extended(st audience.Store, derived []audience.Definition) audience.Store {
	if len(derived) == 0 {
		return st
	}
	return audience.Extend(st, func(context.Context) (string, []audience.Definition, error) {
		return keyOf(derived), derived, nil
	})
}

// keyOf tells lists of derived questions apart.
func keyOf(derived []audience.Definition) string { return fmt.Sprintf("%#v", derived) }

// derivedLeaf is the datapoints that a leaf of a derived question lists; nil for another leaf.
func derivedLeaf(f *audience.Frame, leaf audience.Answers) (points []audience.DefinedDatapoint) {
	if f.Extension() == "" {
		return nil
	}
	at, q := question(f, leaf)
	if !f.Derived(at) {
		return nil
	}
	codes := listed(q, leaf)
	for _, d := range f.Definition(at).Datapoints {
		if slices.Contains(codes, d.Code) {
			points = append(points, d)
		}
	}
	return points
}

// holds tells whether a respondent is in an expression that may name derived questions. It's told by the answers one by
// one: the respondent gives one of several answers if it is measured where they were asked, and they are in it.
func holds(r *naive.Respondent, f *audience.Frame, x audience.Expr) (bool, error) {
	switch x := x.(type) {
	case audience.And:
		return holdsOf(r, f, x, len(x))
	case audience.Or:
		return holdsOf(r, f, x, 1)
	case audience.Not:
		in, err := holds(r, f, x.X)
		return !in, err
	case audience.Answers:
		points := derivedLeaf(f, x)
		if points == nil {
			return r.In(f, x)
		}
		var given []audience.Expr
		for _, d := range points {
			s := stateOf(f, d.Expr, r.Fieldwork(f))
			if len(points) == 1 || s != unknown && s != never {
				given = append(given, d.Expr)
			}
		}
		return holdsOf(r, f, given, least(x))
	case audience.Band:
		return inBand(r, f, x), nil
	}
	return r.In(f, x)
}

// holdsOf tells whether a respondent is in at least so many of the parts.
func holdsOf(r *naive.Respondent, f *audience.Frame, parts []audience.Expr, least int) (bool, error) {
	n := 0
	for _, p := range parts {
		in, err := holds(r, f, p)
		if err != nil {
			return false, err
		}
		if in {
			n++
		}
	}
	return n >= least, nil
}

// derivedState is the state of a leaf of a derived question, by the table in the rules.
func derivedState(f *audience.Frame, points []audience.DefinedDatapoint, least, i int) state {
	if len(points) == 1 && least == 1 {
		return stateOf(f, points[0].Expr, i)
	}
	n := map[state]int{}
	for _, d := range points {
		n[stateOf(f, d.Expr, i)]++
	}
	need := min(least, len(points))
	switch measured := len(points) - n[unknown] - n[never]; {
	case measured < need && n[unknown] > 0:
		return unknown
	case measured < need:
		return never
	case n[always] >= least:
		return always
	case n[always]+n[full] >= least:
		return full
	case measured-n[none] >= need:
		return maybe
	}
	return none
}

// namespaces are those that an expression uses.
func namespaces(f *audience.Frame, x audience.Expr) (used []int) {
	audience.Walk(x, func(x audience.Expr) bool {
		switch leaf := x.(type) {
		case audience.Answers:
			points := derivedLeaf(f, leaf)
			for _, d := range points {
				used = append(used, namespaces(f, d.Expr)...)
			}
			if points == nil {
				_, q := question(f, leaf)
				used = append(used, f.Namespace(q.Namespace))
			}
		case audience.Slice:
			_, q := question(f, audience.Answers{Question: leaf.Question})
			used = append(used, f.Namespace(q.Namespace))
		case audience.Value:
			_, q := question(f, audience.Answers{Question: leaf.Question})
			used = append(used, f.Namespace(q.Namespace))
		case audience.Band:
			_, q := question(f, audience.Answers{Question: leaf.Question})
			used = append(used, f.Namespace(q.Namespace))
		}
		return true
	})
	return used
}

// Derived makes a few derived questions of what f tells, some of which read others.
func (g Random) Derived(f *audience.Frame) (list []audience.Definition) {
	for n := range g.between(1, 4) {
		a := g.asker(f.Extend(keyOf(list), list))
		a.bands = true
		d := audience.Definition{Code: fmt.Sprintf("derived%d", n)}
		for k := range g.between(1, 4) {
			d.Datapoints = append(d.Datapoints, audience.DefinedDatapoint{Code: fmt.Sprint("d", k),
				Expr: a.expr(g.between(1, 3))})
		}
		list = append(list, d)
	}
	return list
}
