package sqlite

// folding is what the nodes of a graph come to in one chunk. There the wave is known, and so are the columns that
// nobody or everybody is positive on: what they settle is folded away, and nothing is loaded for it.
type folding struct {
	graph    *graph
	work     *chunkWork
	nodes    []folded
	programs int32 // made so far
}

// folded is one node in the chunk.
type folded struct {
	to   ref  // what the node is equal to: mostly itself, else another node or a constant
	made node // what it is made of, if it is equal to itself

	count int   // of positive: how many respondents are
	want  int   // of positive: 1 + the column's index into the chunk's wants, 0 so long as no program takes it
	step  ref   // its step in the last program that takes it
	last  int32 // the number of that program, from 1
}

func (g *graph) fold(w *chunkWork) *folding {
	f := &folding{graph: g, work: w, nodes: make([]folded, len(g.nodes))}
	for i := range g.nodes {
		f.nodes[i].to = f.fold(ref(i))
	}
	return f
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
		f.nodes[r].count = count
		switch count {
		case 0:
			return none
		case c.respondents:
			return everyone
		}
	case inWaves:
		if n.codes[c.wave] {
			return everyone
		}
		return none
	case inLocations:
		switch len(n.runs(c)) {
		case 0:
			return none
		case len(c.runs):
			return everyone
		}
	default:
		args := make([]ref, len(n.args))
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

// runs are those of a chunk that lie in the locations of the node.
func (n *node) runs(c *chunk) (runs []run) {
	for _, r := range c.runs {
		if n.codes[r.location] {
			runs = append(runs, r)
		}
	}
	return runs
}
