package sqlite

import (
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// folding is what the nodes of a graph come to in one chunk. There the wave is known, and so are the columns that
// nobody or everybody is positive on: what they settle is folded away, and nothing is loaded for it. A chunk is folded
// in the memory that another was folded in before, which is in a core's cache then: fresh memory is not, and waiting
// for it would take longer than all the rest.
type folding struct {
	graph    *graph
	work     *chunkWork
	nodes    []folded
	programs int32  // made so far
	room     []ref  // for args
	steps    []step // of the program at hand, which keeps as many as it has
	in       []run  // of those found last
	digits   digits
}

// folded is one node in the chunk.
type folded struct {
	to   ref  // what the node is equal to: mostly itself, else another node or a constant
	made node // what it is made of, if it is equal to itself

	runs []run // of inLocations: of the chunk, those that are in

	count int   // of positive: how many respondents are, at most
	bytes int64 // of positive: how much memory the column takes
	want  int   // of positive: 1 + the column's index into the chunk's wants, 0 so long as no program takes it
	step  ref   // its step in the last program that takes it
	last  int32 // the number of that program, from 1
}

// folding returns one whose memory is not in use, or a new one.
func (s *Store) folding() *folding {
	if f, ok := s.foldings.Get().(*folding); ok {
		return f
	}
	return new(folding)
}

// letGoOf makes a folding free for another chunk. What was made of it stays as it is.
func (s *Store) letGoOf(f *folding) {
	clear(f.nodes)
	clear(f.steps[:cap(f.steps)])
	f.graph, f.work, f.nodes = nil, nil, f.nodes[:0]
	s.foldings.Put(f)
}

// begin folds all nodes of a graph in a chunk.
func (f *folding) begin(g *graph, w *chunkWork) {
	f.graph, f.work, f.programs, f.digits.of = g, w, 0, nil
	f.nodes = slices.Grow(f.nodes[:0], len(g.nodes))[:len(g.nodes)]
	for i := range g.nodes {
		f.nodes[i].to = f.fold(ref(i))
	}
}

// to is what a ref is equal to in the chunk.
func (f *folding) to(r ref) ref {
	if r < 0 {
		return r
	}
	return f.nodes[r].to
}

// fold settles node r, or notes what it is made of. Those that it is made of are folded already.
func (f *folding) fold(r ref) ref {
	n, c := f.graph.nodes[r], f.work.chunk
	switch n.op {
	case positive:
		count := c.column(n.column)
		f.nodes[r].count, f.nodes[r].bytes = count, columnBytes(count, c.words)
		switch count {
		case 0:
			return none
		case c.respondents:
			return everyone
		}
	case sliced:
		numbers := c.numbered(n.question)
		if numbers == nil {
			return none
		}
		if n.name.bit == audience.AnyNumber {
			if numbers.Respondents == c.respondents {
				return everyone
			}
		} else if digit, is := numbers.Constant(n.name.decimals, n.name.bit); is && digit == 0 {
			return none
		} else if is {
			return f.to(n.args[0])
		}
		n = node{op: positive, column: n.column}
		f.nodes[r].count, f.nodes[r].bytes = numbers.Respondents, sliceBytes(c.words)
	case valued:
		d := f.digitsOf(&n)
		switch {
		case d.left[0] == none || n.number&d.known != d.ones:
			return none
		case len(d.left) == 1:
			return d.left[0]
		}
		n = node{op: valued, args: d.left, number: d.said(n.number)}
	case inWaves:
		if n.codes[c.wave] {
			return everyone
		}
		return none
	case inLocations, inFieldwork:
		runs := f.runs(&n)
		switch len(runs) {
		case 0:
			return none
		case len(c.runs):
			return everyone
		}
		n.op, f.nodes[r].runs = inLocations, runs // the wave is the chunk's
	default:
		args := f.refs(len(n.args))
		for i, a := range n.args {
			args[i] = f.to(a)
		}
		var whole ref
		var settled bool
		if n, whole, settled = simplified(n.op, n.min, args); settled {
			return whole
		}
	}
	f.nodes[r].made = n
	return r
}

// digits is what the digits of a question's numbers come to in the chunk. All values of the question share it.
type digits struct {
	of          *ref  // the first of the args of their nodes
	left        []ref // everyone who has a number, and those digits that not everyone has alike
	bits        []int // which those digits are
	known, ones int64 // the bits of the others, and of those the ones that are 1
}

// digitsOf is the digits of a value.
func (f *folding) digitsOf(n *node) *digits {
	d := &f.digits
	if d.of == &n.args[0] {
		return d
	}
	any := f.to(n.args[0])
	*d = digits{of: &n.args[0], left: append(f.refs(len(n.args))[:0], any), bits: d.bits[:0]}
	for bit, a := range n.args[1:] {
		switch digit := f.to(a); digit {
		case none:
			d.known |= 1 << bit
		case any, everyone:
			d.known, d.ones = d.known|1<<bit, d.ones|1<<bit
		default:
			d.left, d.bits = append(d.left, digit), append(d.bits, bit)
		}
	}
	// In two's complement the digits above the highest are as that is.
	if top := int64(1) << (len(n.args) - 2); d.known&top == 0 {
		return d
	} else if rest := -top; d.ones&top != 0 {
		d.known, d.ones = d.known|rest, d.ones|rest
	} else {
		d.known |= rest
	}
	return d
}

// said is what the digits that are left say of a number.
func (d *digits) said(number int64) (n int64) {
	for i, bit := range d.bits {
		n |= number >> bit & 1 << i
	}
	return n
}

// runs are those of the chunk that lie in the locations, or in the fieldwork, of a node.
func (f *folding) runs(n *node) []run {
	all := f.work.chunk.runs
	in := f.in[:0]
	for i, r := range all {
		if n.op == inLocations && n.codes[r.location] || n.op == inFieldwork && f.work.in(i, n.cover) {
			in = append(in, r)
		}
	}
	if f.in = in; len(in) == len(all) {
		return all
	}
	return slices.Clone(in)
}

// refs makes a list of n refs: of many nodes together, as most have few and there are many.
func (f *folding) refs(n int) []ref {
	const together = 256
	if len(f.room) < n {
		f.room = make([]ref, max(n, together))
	}
	list := f.room[:n:n]
	f.room = f.room[n:]
	return list
}
