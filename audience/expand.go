package audience

import (
	"fmt"
	"slices"
)

// derived rewrites a leaf of a derived question into the form that written takes: with all codes listed, in the
// question's order.
func (b *binder) derived(question int, x Answers) (Expr, error) {
	f, q := b.frame, &b.frame.Questions[question]
	leaf := Answers{Question: q.Key(), Datapoints: inOrder(x.Datapoints, func(code string) int {
		return f.Datapoint(question, code)
	}), Min: max(1, x.Min)}
	if len(x.Datapoints) == 0 {
		for _, d := range q.Datapoints {
			leaf.Datapoints = append(leaf.Datapoints, d.Code)
		}
	}
	points := f.definedPoints(question, leaf)
	for _, point := range points {
		if err := b.use(point.namespace); err != nil {
			return nil, err
		}
		b.out.pseudo = b.out.pseudo || point.pseudo || len(points) > 1
	}
	nodes, _ := f.leafExtent(points, leaf.Min)
	if b.out.derived += nodes; b.out.derived > mostNodes {
		return nil, &ComplexError{Path: b.path, Reason: fmt.Sprintf("with the answers of derived question %q written out, "+
			"at least %d of %d, the expression has more than %d nodes", q.Code, leaf.Min, len(points), mostNodes)}
	}
	return leaf, nil
}

// definedPoints are the datapoints that a leaf of a derived question lists.
func (f *Frame) definedPoints(question int, leaf Answers) []*defined {
	answers := f.extension.answers[question-f.extension.first]
	points := make([]*defined, len(leaf.Datapoints))
	for i, code := range leaf.Datapoints {
		points[i] = &answers[f.Datapoint(question, code)]
	}
	return points
}

// derivedStates gives the state of a leaf of a derived question in each fieldwork. Where as many of its datapoints are
// measured as are needed, those that are count: it is always or full where enough of them are, maybe where enough of
// them may have somebody, else none. Elsewhere it is never, if nothing but never is the reason, else unknown.
func (f *Frame) derivedStates(out states, question int, x Answers) {
	points := f.definedPoints(question, x)
	need := min(x.Min, len(points))
	for i := range out {
		var in [always + 1]int
		for _, point := range points {
			in[point.states[i]]++
		}
		switch certain := in[full] + in[always]; {
		case certain+in[maybe]+in[none] < need && in[unknown] == 0:
			out[i] = never
		case certain+in[maybe]+in[none] < need:
			out[i] = unknown
		case in[always] >= x.Min:
			out[i] = always
		case certain >= x.Min:
			out[i] = full
		case certain+in[maybe] >= need:
			out[i] = maybe
		default:
			out[i] = none
		}
	}
}

// written is a canonical expression with the expressions of derived questions in the place of the leaves that name
// them.
func (f *Frame) written(x Expr) Expr {
	if f.extension == nil {
		return x
	}
	switch x := x.(type) {
	case Not:
		return Not{f.written(x.X)}
	case And:
		return And(f.allWritten(x))
	case Or:
		return Or(f.allWritten(x))
	case Answers:
		if q, _ := f.Question(x.Question); f.Derived(q) {
			return f.leafWritten(f.definedPoints(q, x), x.Min)
		}
	}
	return x
}

func (f *Frame) allWritten(parts []Expr) []Expr {
	out := make([]Expr, len(parts))
	for i, p := range parts {
		out[i] = f.written(p)
	}
	return out
}

// leafWritten is those who are positive on at least so many datapoints of a derived question. Of several, each counts
// where it is measured alone.
func (f *Frame) leafWritten(points []*defined, least int) Expr {
	switch {
	case least > len(points):
		return nobody
	case len(points) == 1:
		return points[0].x
	}
	parts := make([]Expr, len(points))
	for i, point := range points {
		parts[i] = point.x
		if within := f.within(point.measured); within != nil {
			parts[i] = And{point.x, within}
		}
	}
	return atLeast(least, parts)
}

// atLeast is those who are in at least so many of the parts.
func atLeast(least int, parts []Expr) Expr {
	switch {
	case least == 1:
		return Or(parts)
	case least == len(parts):
		return And(parts)
	case least > len(parts)-least+1: // not too many of them are missed
		missed := make([]Expr, len(parts))
		for i, p := range parts {
			missed[i] = Not{p}
		}
		return Not{atLeast(len(parts)-least+1, missed)}
	}
	var any Or
	for i := range len(parts) - least + 1 { // i is the first that they are in
		any = append(any, And{parts[i], atLeast(least-1, parts[i+1:])})
	}
	return any
}

// within is everyone in some fieldwork; nil if it is all there is.
func (f *Frame) within(c Cover) Expr {
	locations := make([][]string, len(f.Waves))
	for i := range c.All() {
		w, l := f.Fieldwork(i)
		locations[w] = append(locations[w], f.Locations[l].Code)
	}
	var any Or
	done := make([]bool, len(f.Waves))
	for w := range f.Waves {
		if done[w] || len(locations[w]) == 0 {
			continue
		}
		waves := Waves{Min: 1}
		for v := w; v < len(f.Waves); v++ {
			if !done[v] && slices.Equal(locations[v], locations[w]) {
				waves.Codes, done[v] = append(waves.Codes, f.Waves[v].Code), true
			}
		}
		if len(locations[w]) == len(f.Locations) && len(waves.Codes) == len(f.Waves) {
			return nil
		}
		any = append(any, And{waves, Locations{Codes: locations[w], Min: 1}})
	}
	return any
}

// extent is how many nodes a canonical expression has when it is written out, and how many levels, at most.
func (f *Frame) extent(x Expr) (nodes, levels int) {
	parts := []Expr(nil)
	switch x := x.(type) {
	case Not:
		nodes, levels = f.extent(x.X)
		return nodes + 1, levels + 1
	case And:
		parts = x
	case Or:
		parts = x
	case Answers:
		if q, _ := f.Question(x.Question); f.Derived(q) {
			return f.leafExtent(f.definedPoints(q, x), x.Min)
		}
	}
	for _, p := range parts {
		n, l := f.extent(p)
		nodes, levels = min(nodes+n, mostNodes+1), max(levels, l)
	}
	return nodes + 1, levels + 1
}

// leafExtent is extent of what leafWritten makes, of which each part also has up to as many nodes as say where it is
// measured.
func (f *Frame) leafExtent(points []*defined, least int) (nodes, levels int) {
	if least > len(points) {
		return 1, 1
	}
	sum := 0
	for _, point := range points {
		sum, levels = min(sum+point.nodes, mostNodes+1), max(levels, point.levels)
	}
	if len(points) == 1 {
		return sum, levels
	}
	for _, point := range points {
		sum += 2 + 3*len(f.WaveCodes(point.measured))
	}
	least = min(least, len(points)-least+1)
	times, all := 1, len(points) // each part stands in as many combinations: all-1 over least-1
	for i := 1; i < least && times <= mostNodes; i++ {
		times = times * (all - i) / i
	}
	return min(times, mostNodes+1)*(sum+2*all) + 1, levels + 3 + 2*least
}
