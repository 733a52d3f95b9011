package sqlite

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
)

// graph is what all queries of one Count ask about, as nodes: equal expressions are one node, wherever they stand, and
// a node comes after those it is made of. It knows the codes of one release and nothing of its chunks; what a chunk
// makes of the graph is in fold.go, and how that is counted in program.go.
type graph struct {
	release *release
	slice   func(sliceName) (column int64, err error)
	nodes   []node
	known   map[string]ref         // nodes by what they say, but for those of attributes …
	columns map[int64]ref          // … which are here, by their columns
	numbers map[string]numberNodes // by the key of the question
	queries []query

	fieldworks map[*chunk][]int // of some chunks; for newGraph
}

// ref is a set of respondents: a node, or one of two constants.
type ref int32

const (
	none     ref = -1 // no one
	everyone ref = -2
)

// node says how a set of respondents is made: of other sets, or of what is stored.
type node struct {
	op     op
	args   []ref // of and, or, not, atLeast: what it is made of, ascending; each once, but for atLeast
	min    int   // of atLeast
	column int64
	codes  map[string]bool // of inWaves, inLocations
	cover  audience.Cover  // of inFieldwork

	// Of sliced: the question, as in the ids of columns. With a digit, args is one: everyone who has a number.
	question int64
	name     sliceName

	number int64 // of valued; args is everyone who has a number, and then the digits, the lowest first
}

type op uint8

const (
	and op = iota
	or
	not
	atLeast  // in at least min of args; one that is there twice counts twice
	positive // on the attribute that the column holds
	inWaves
	inLocations
	inFieldwork
	sliced // of whose number to the question the digit is 1, in any fieldwork
	valued // whose digits say the number, in two's complement

	ops // how many there are
)

// query is an audience.Query with its expressions looked up.
type query struct {
	namespace  weightName
	base       ref
	rows, cols side
	strata     []audience.Cover
	squares    bool        // are measured
	known      *known      // nil: its counts are those of no other query
	unknown    []answerSet // about which something has to be found out
}

// side is the rows or the columns of a table, each distinct expression once; the first is everyone.
type side struct {
	asked   []ref    // as they were asked for
	refs    []ref    // as they are counted: no one, or the complement, where follows says so
	at      []int    // of each index of the audience.Table, which of asked and of refs it is
	follows []follow // of those refs that are not counted, in the order in which they are derived
}

// newGraph looks queries up. slice gives the column that the cache knows a slice of numbers under.
func newGraph(r *release, qs []audience.Query, slice func(sliceName) (int64, error)) (*graph, error) {
	n := 0
	for i := range qs {
		n += len(qs[i].Rows) + len(qs[i].Columns)
	}
	g := &graph{release: r, slice: slice, nodes: make([]node, 0, n), known: map[string]ref{},
		columns: make(map[int64]ref, n), numbers: map[string]numberNodes{}}
	for i := range qs {
		if err := g.add(&qs[i]); err != nil {
			return nil, err
		}
		g.queries[i].known = g.knownFrom(&g.queries[i])
	}
	return g, nil
}

func (g *graph) add(q *audience.Query) (err error) {
	n := g.release.frame.Namespace(q.Namespace)
	if n < 0 {
		return &audience.InvalidError{Reason: fmt.Sprintf("namespace %q is not in the store", q.Namespace)}
	}
	out := query{namespace: weightName{q.Namespace, g.release.frame.Decimals(n)}, base: everyone,
		strata: q.Strata, squares: q.Measures.Has(audience.Squares)}
	if q.Base != nil {
		if out.base, err = g.expr(q.Base); err != nil {
			return err
		}
	}
	if out.rows, err = g.side(q.Rows); err != nil {
		return err
	}
	if out.cols, err = g.side(q.Columns); err != nil {
		return err
	}
	rows, cols := len(out.rows.refs), len(out.cols.refs)
	g.follows(&out, &out.rows, cols > fewColumns)
	g.follows(&out, &out.cols, rows > fewColumns)
	g.queries = append(g.queries, out)
	return nil
}

func (g *graph) side(xs []audience.Expr) (side, error) {
	a := side{refs: append(make([]ref, 0, len(xs)+1), everyone), at: append(make([]int, 0, len(xs)+1), 0)}
	place := make(map[ref]int, len(xs)+1)
	place[everyone] = 0
	for _, x := range xs {
		r, err := g.expr(x)
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
	a.asked = slices.Clone(a.refs)
	return a, nil
}

// expr returns the node of an expression.
func (g *graph) expr(x audience.Expr) (ref, error) {
	switch x := x.(type) {
	case audience.Everyone:
		return everyone, nil
	case audience.And:
		args, err := g.exprs(x)
		return g.make(and, 0, args), err
	case audience.Or:
		args, err := g.exprs(x)
		return g.make(or, 0, args), err
	case audience.Not:
		arg, err := g.expr(x.X)
		return g.not(arg), err
	case audience.Answers:
		return g.answers(x)
	case audience.Slice:
		return g.sliced(x)
	case audience.Value:
		return g.valued(x)
	case audience.Waves:
		return g.codes(inWaves, "wave", x.Codes, x.Min, x.Path, g.release.frame.Wave)
	case audience.Locations:
		return g.codes(inLocations, "location", x.Codes, x.Min, x.Path, g.release.frame.Location)
	}
	return none, &audience.InvalidError{Reason: fmt.Sprintf("an expression of type %T can't be counted", x)}
}

func (g *graph) exprs(xs []audience.Expr) ([]ref, error) {
	args := make([]ref, len(xs))
	for i, x := range xs {
		var err error
		if args[i], err = g.expr(x); err != nil {
			return nil, err
		}
	}
	return args, nil
}

func (g *graph) answers(x audience.Answers) (ref, error) {
	points, err := g.release.columnsOf(x)
	if err != nil {
		return none, err
	}
	if x.Min <= 1 { // then it does not matter which datapoint a column is of
		if len(points) == 1 {
			return g.any(points[0]), nil
		}
		return g.any(slices.Concat(points...)), nil
	}
	args := make([]ref, len(points))
	for i, columns := range points {
		args[i] = g.any(columns)
	}
	return g.make(atLeast, x.Min, args), nil
}

// any is those positive on any of the columns.
func (g *graph) any(columns []int64) ref {
	if len(columns) == 1 {
		return g.attribute(columns[0])
	}
	args := make([]ref, len(columns))
	for i, c := range columns {
		args[i] = g.attribute(c)
	}
	return g.make(or, 0, args)
}

// attribute is those positive on the attribute that a column holds.
func (g *graph) attribute(column int64) ref {
	r, known := g.columns[column]
	if !known {
		r = ref(len(g.nodes))
		g.nodes = append(g.nodes, node{op: positive, column: column})
		g.columns[column] = r
	}
	return r
}

func (g *graph) codes(op op, what string, codes []string, min int, path string, index func(string) int) (ref, error) {
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
	return g.node(node{op: op, codes: set}), nil
}

// kept is what numbers are kept of a leaf's question, and the question's key.
func (g *graph) kept(question, path string) (audience.Numbers, string, error) {
	f := g.release.frame
	i, err := f.Question(question)
	if err == nil && i < 0 {
		err = &audience.InvalidError{Path: path, Reason: fmt.Sprintf("there is no question %q", question)}
	}
	if err != nil {
		return audience.Numbers{}, "", err
	}
	return f.Numbers(i), f.Questions[i].Key(), nil
}

// sliced is the node of a slice: those who have the digit, and are in fieldwork in which the numbers are kept.
func (g *graph) sliced(x audience.Slice) (ref, error) {
	kept, key, err := g.kept(x.Question, x.Path)
	if err != nil {
		return none, err
	}
	if x.Bit < audience.AnyNumber || x.Bit >= kept.Bits {
		return none, &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("question %q has numbers of %d bits, and "+
			"none of them is bit %d", key, kept.Bits, x.Bit)}
	}
	q := g.release.layout.questions[key]
	if q == nil { // of which no respondents were ever stored
		return none, nil
	}
	n := node{op: sliced, question: q.Number, name: sliceName{key, kept.Decimals, audience.AnyNumber}}
	if n.column, err = g.slice(n.name); err != nil {
		return none, err
	}
	r := g.node(n)
	if x.Bit != audience.AnyNumber {
		n.name.bit, n.args = x.Bit, []ref{r}
		if n.column, err = g.slice(n.name); err != nil {
			return none, err
		}
		r = g.node(n)
	}
	return g.make(and, 0, []ref{r, g.node(node{op: inFieldwork, cover: kept.Asked})}), nil
}

// valued is the node of a value: those who have its digits, and are in fieldwork in which the numbers are kept.
func (g *graph) valued(x audience.Value) (ref, error) {
	n, known := g.numbers[x.Question]
	if !known {
		var err error
		if n.kept, _, err = g.kept(x.Question, x.Path); err != nil {
			return none, err
		}
		for bit := audience.AnyNumber; bit < n.kept.Bits; bit++ {
			r, err := g.sliced(audience.Slice{Question: x.Question, Bit: bit, Path: x.Path})
			if err != nil {
				return none, err
			}
			n.slices = append(n.slices, r)
		}
		g.numbers[x.Question] = n
	}
	if !n.kept.Fits(x.Number) {
		return none, &audience.InvalidError{Path: x.Path, Reason: fmt.Sprintf("question %q has numbers of %d bits, which "+
			"have no room for %d", x.Question, n.kept.Bits, x.Number)}
	}
	if n.slices[0] == none {
		return none, nil
	}
	return g.node(node{op: valued, args: n.slices, number: x.Number}), nil
}

// numberNodes are of a question of whose numbers some are asked for.
type numberNodes struct {
	kept   audience.Numbers
	slices []ref // everyone who has a number, and each digit, the lowest first
}

func (g *graph) not(x ref) ref {
	if x >= 0 && g.nodes[x].op == not {
		return g.nodes[x].args[0]
	}
	return g.make(not, 0, []ref{x})
}

// make returns the ref that an op of args comes to.
func (g *graph) make(op op, min int, args []ref) ref {
	n, whole, settled := simplified(op, min, args)
	if settled {
		return whole
	}
	return g.node(n)
}

// simplified is what an and, or, not or atLeast of args comes to. It is settled if the whole is a constant or one of
// the args; else it is the node that is returned. It may change args.
func simplified(op op, min int, args []ref) (n node, whole ref, settled bool) {
	switch op {
	case not:
		switch args[0] {
		case none:
			return n, everyone, true
		case everyone:
			return n, none, true
		}
		return node{op: not, args: args}, 0, false
	case atLeast:
		if op, min, args = reached(min, args); op == atLeast {
			return node{op: op, min: min, args: args}, 0, false
		}
	}
	args, whole = joined(op, args)
	switch len(args) {
	case 0:
		return n, whole, true
	case 1:
		return n, args[0], true
	}
	return node{op: op, args: args}, 0, false
}

// joined sorts the args of an and or an or and drops those without which it is the same. If none are left, whole is
// what it comes to.
func joined(op op, args []ref) (left []ref, whole ref) {
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

// reached drops the constants among the args of "at least min of args" and returns what is left of that; where it comes
// to an and or an or, that one: of no args, for everyone and no one.
func reached(min int, args []ref) (op, int, []ref) {
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
		return and, 0, nil
	case min > len(left):
		return or, 0, nil
	case min == 1:
		return or, 0, left
	case min == len(left):
		return and, 0, left
	}
	slices.Sort(left)
	return atLeast, min, left
}

// node returns the node that is equal to n, and adds it if there is none.
func (g *graph) node(n node) ref {
	key := append(make([]byte, 0, 8+5*len(n.args)), byte(n.op))
	key = binary.AppendUvarint(binary.AppendUvarint(key, uint64(n.min)), uint64(n.column))
	key = binary.AppendVarint(key, n.number)
	for _, a := range n.args {
		key = binary.AppendUvarint(key, uint64(a))
	}
	for _, word := range n.cover {
		key = binary.LittleEndian.AppendUint64(key, word)
	}
	if n.codes != nil {
		var codes []string
		for c := range n.codes {
			codes = append(codes, c)
		}
		slices.Sort(codes)
		for _, c := range codes {
			key = blob.AppendText(key, c)
		}
	}
	if r, ok := g.known[string(key)]; ok {
		return r
	}
	r := ref(len(g.nodes))
	g.nodes = append(g.nodes, n)
	g.known[string(key)] = r
	return r
}
