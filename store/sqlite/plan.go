package sqlite

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// A plan is all queries of one Count as a graph of nodes: equal expressions are one node, wherever they stand. A node
// comes after those it is made of.
type plan struct {
	release *release
	nodes   []node
	known   map[string]ref
	queries []planned
}

// ref is a node of a plan, or one of two constants.
type ref int32

const (
	none     ref = -1 // no one
	everyone ref = -2
)

type node struct {
	op     op
	args   []ref // of and, or, not, atLeast: what it is made of, ascending, each once
	min    int   // of atLeast
	column int64
	codes  map[string]bool // of inWaves, inLocations
}

type op uint8

const (
	and op = iota
	or
	not
	atLeast
	positive // on a column
	inWaves
	inLocations
)

// planned is a query with its expressions as nodes.
type planned struct {
	namespace  weightName
	base       ref
	rows, cols axis
	strata     []audience.Cover
}

// axis is the distinct expressions of one side of a table; the first is everyone.
type axis struct {
	refs []ref
	at   []int // of each index of the Table: which of refs
}

func newPlan(r *release, qs []audience.Query) (*plan, error) {
	p := &plan{release: r, known: map[string]ref{}}
	for i := range qs {
		if err := p.add(&qs[i]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *plan) add(q *audience.Query) (err error) {
	n := p.release.frame.Namespace(q.Namespace)
	if n < 0 {
		return &audience.InvalidError{Reason: fmt.Sprintf("namespace %q is not in the store", q.Namespace)}
	}
	out := planned{namespace: weightName{q.Namespace, p.release.frame.Decimals(n)}, base: everyone,
		strata: q.Strata}
	if q.Base != nil {
		if out.base, err = p.expr(q.Base); err != nil {
			return err
		}
	}
	if out.rows, err = p.axis(q.Rows); err != nil {
		return err
	}
	if out.cols, err = p.axis(q.Columns); err != nil {
		return err
	}
	p.queries = append(p.queries, out)
	return nil
}

func (p *plan) axis(xs []audience.Expr) (axis, error) {
	a := axis{refs: []ref{everyone}, at: []int{0}}
	place := map[ref]int{everyone: 0}
	for _, x := range xs {
		r, err := p.expr(x)
		if err != nil {
			return a, err
		}
		i, ok := place[r]
		if !ok {
			i = len(a.refs)
			place[r] = i
			a.refs = append(a.refs, r)
		}
		a.at = append(a.at, i)
	}
	return a, nil
}

// expr returns the node of an expression.
func (p *plan) expr(x audience.Expr) (ref, error) {
	switch x := x.(type) {
	case audience.Everyone:
		return everyone, nil
	case audience.And:
		args, err := p.exprs(x)
		return p.join(and, args), err
	case audience.Or:
		args, err := p.exprs(x)
		return p.join(or, args), err
	case audience.Not:
		arg, err := p.expr(x.X)
		return p.not(arg), err
	case audience.Answers:
		return p.answers(x)
	case audience.Waves:
		return p.codes(inWaves, "wave", x.Codes, x.Min, x.Path, p.release.frame.Wave)
	case audience.Locations:
		return p.codes(inLocations, "location", x.Codes, x.Min, x.Path, p.release.frame.Location)
	}
	return none, &audience.InvalidError{Reason: fmt.Sprintf("an expression of type %T can't be counted", x)}
}

func (p *plan) exprs(xs []audience.Expr) ([]ref, error) {
	args := make([]ref, len(xs))
	for i, x := range xs {
		var err error
		if args[i], err = p.expr(x); err != nil {
			return nil, err
		}
	}
	return args, nil
}

func (p *plan) answers(x audience.Answers) (ref, error) {
	points, err := p.release.columnsOf(x)
	if err != nil {
		return none, err
	}
	if x.Min <= 1 { // then it does not matter which datapoint a column is of
		return p.any(slices.Concat(points...)), nil
	}
	args := make([]ref, len(points))
	for i, columns := range points {
		args[i] = p.any(columns)
	}
	return p.atLeast(x.Min, args), nil
}

// any is those positive on any of the columns.
func (p *plan) any(columns []int64) ref {
	args := make([]ref, len(columns))
	for i, c := range columns {
		args[i] = p.node(node{op: positive, column: c})
	}
	return p.join(or, args)
}

func (p *plan) codes(op op, what string, codes []string, min int, path string, index func(string) int) (ref, error) {
	set := map[string]bool{}
	for _, c := range codes {
		if index(c) < 0 {
			return none, &audience.InvalidError{Path: path, Reason: fmt.Sprintf("%s %q is not in the store", what, c)}
		}
		set[c] = true
	}
	switch {
	case min > 1:
		return none, nil
	case len(set) == 0:
		return everyone, nil
	}
	return p.node(node{op: op, codes: set}), nil
}

func (p *plan) not(x ref) ref {
	switch {
	case x == none:
		return everyone
	case x == everyone:
		return none
	case p.nodes[x].op == not:
		return p.nodes[x].args[0]
	}
	return p.node(node{op: not, args: []ref{x}})
}

func (p *plan) join(op op, args []ref) ref {
	args, whole := joined(op, args)
	if len(args) == 0 {
		return whole
	}
	if len(args) == 1 {
		return args[0]
	}
	return p.node(node{op: op, args: args})
}

func (p *plan) atLeast(min int, args []ref) ref {
	op, min, args, whole := reached(min, args)
	switch {
	case len(args) == 0:
		return whole
	case op != atLeast:
		return p.join(op, args)
	}
	return p.node(node{op: atLeast, min: min, args: args})
}

// joined simplifies the arguments of an and or an or. If none are left, the whole is what it returns beside them.
func joined(op op, args []ref) ([]ref, ref) {
	neutral, absorbing := everyone, none
	if op == or {
		neutral, absorbing = none, everyone
	}
	slices.Sort(args)
	args = slices.Compact(args)
	for len(args) > 0 && args[0] < 0 { // constants come first
		if args[0] == absorbing {
			return nil, absorbing
		}
		args = args[1:]
	}
	return args, neutral
}

// reached simplifies "at least min of args", whose args may repeat. If none are left, the whole is the last it returns.
func reached(min int, args []ref) (op, int, []ref, ref) {
	left := args[:0]
	for _, a := range args {
		switch a {
		case everyone:
			min--
		case none:
		default:
			left = append(left, a)
		}
	}
	switch {
	case min <= 0:
		return atLeast, 0, nil, everyone
	case min > len(left):
		return atLeast, 0, nil, none
	case min == 1:
		return or, 0, left, none
	case min == len(left):
		return and, 0, left, none
	}
	slices.Sort(left)
	return atLeast, min, left, none
}

// node returns the node that is equal to n, and adds it if there is none.
func (p *plan) node(n node) ref {
	key := append(make([]byte, 0, 8+5*len(n.args)), byte(n.op))
	key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(n.min)), uint64(n.column))
	for _, a := range n.args {
		key = binary.AppendUvarint(key, uint64(a))
	}
	if n.codes != nil {
		var codes []string
		for c := range n.codes {
			codes = append(codes, c)
		}
		slices.Sort(codes)
		for _, c := range codes {
			key = appendText(key, c)
		}
	}
	if r, ok := p.known[string(key)]; ok {
		return r
	}
	r := ref(len(p.nodes))
	p.nodes = append(p.nodes, n)
	p.known[string(key)] = r
	return r
}
