package sqlite

import (
	"slices"

	"github.com/crosswave/crosswave/internal/kernel"
)

// chunkPlan is a plan as it works out in one chunk: with the wave settled and columns that nobody or everybody is
// positive on gone.
type chunkPlan struct {
	chunk    *chunk
	wants    []want // columns and weights to load
	programs []program
}

// program evaluates one query in blocks of one chunk.
type program struct {
	query      int
	weights    int    // index into wants
	steps      []step // those of the base first
	baseSteps  int
	base       ref // refs of a program are steps, or constants
	rows, cols []ref
	slots      int // how many bitmaps have to be kept at a time
	strata     []stratum

	margins            bool // some margins are totals of columns
	firstRow, firstCol int  // of what is left to be counted
}

type step struct {
	op   op
	args []ref
	min  int
	want int // of positive: index into wants
	runs []run
	slot int
}

// stratum is the blocks of a chunk that lie in one stratum of a query.
type stratum struct {
	index  int
	runs   []int // of the chunk
	blocks []block
}

// block is up to kernel.BlockWords words of one chunk in one stratum, in segments.
type block []segment

type segment struct{ word, words int }

func (b block) words() int {
	n := 0
	for _, s := range b {
		n += s.words
	}
	return n
}

// at works the plan out for a chunk; nil if nobody in it bears on any query.
func (p *plan) at(c *chunk, weightColumn func(weightName) int64) *chunkPlan {
	cp := &chunkPlan{chunk: c}
	var f *folding
	weights := map[weightName]int{} // indices into wants
	for i := range p.queries {
		q := &p.queries[i]
		if c.sample(q.namespace.namespace) == 0 {
			continue
		}
		strata := p.strata(q, c)
		if len(strata) == 0 {
			continue
		}
		if f == nil {
			f = p.fold(cp)
		}
		if f.to(q.base) == none {
			continue
		}
		pr := f.program(q)
		pr.query, pr.strata = i, strata
		w, ok := weights[q.namespace]
		if !ok {
			w = cp.want(weightColumn(q.namespace), weightBytes(c.words))
			weights[q.namespace] = w
		}
		pr.weights = w
		cp.programs = append(cp.programs, pr)
	}
	if len(cp.programs) == 0 {
		return nil
	}
	return cp
}

// want adds a column and returns its index.
func (cp *chunkPlan) want(column, bytes int64) int {
	cp.wants = append(cp.wants, want{blobID(cp.chunk.id, column), bytes + marginBytes(cp.chunk)})
	return len(cp.wants) - 1
}

// strata finds the words of c in each stratum of a query and cuts them into blocks.
func (p *plan) strata(q *planned, c *chunk) []stratum {
	f := p.release.frame
	w := f.Wave(c.wave)
	if w < 0 {
		return nil
	}
	var out []stratum
	for i, cover := range q.strata {
		var blocks []block
		var runs []int
		free := 0 // words that the last block has room for
		for j, r := range c.runs {
			l := f.Location(r.location)
			if l < 0 || !cover.Has(f.At(w, l)) {
				continue
			}
			runs = append(runs, j)
			for at, left := r.word, r.words; left > 0; {
				if free == 0 {
					blocks, free = append(blocks, nil), kernel.BlockWords
				}
				b, n := &blocks[len(blocks)-1], min(free, left)
				if k := len(*b); k > 0 && (*b)[k-1].word+(*b)[k-1].words == at {
					(*b)[k-1].words += n
				} else {
					*b = append(*b, segment{at, n})
				}
				at, left, free = at+n, left-n, free-n
			}
		}
		if len(blocks) > 0 {
			out = append(out, stratum{i, runs, blocks})
		}
	}
	return out
}

// folding is what the nodes of a plan come to in one chunk.
type folding struct {
	plan     *plan
	chunk    *chunkPlan
	nodes    []folded
	programs int32 // made so far
}

type folded struct {
	to   ref   // what the node is equal to: a node, mostly itself, or a constant
	made *node // what it is made of, if it is equal to itself

	count int   // of positive: how many respondents are
	want  int   // of positive: 1 + the column's index into the chunk's wants, 0 so long as it is not wanted
	step  ref   // in the program made last of those that take it
	last  int32 // which is that, from 1
}

func (f *folding) to(r ref) ref {
	if r < 0 {
		return r
	}
	return f.nodes[r].to
}

func (p *plan) fold(cp *chunkPlan) *folding {
	f := &folding{plan: p, chunk: cp, nodes: make([]folded, len(p.nodes))}
	for i := range p.nodes {
		f.nodes[i].to = f.fold(ref(i))
	}
	return f
}

func (f *folding) fold(r ref) ref {
	n, c := &f.plan.nodes[r], f.chunk.chunk
	switch n.op {
	case positive:
		count := c.column(n.column)
		switch count {
		case 0:
			return none
		case c.respondents:
			return everyone
		}
		f.nodes[r].count = count
	case inWaves:
		if n.codes[c.wave] {
			return everyone
		}
		return none
	case inLocations:
		in := 0
		for _, run := range c.runs {
			if n.codes[run.location] {
				in++
			}
		}
		switch in {
		case 0:
			return none
		case len(c.runs):
			return everyone
		}
	case not:
		switch a := f.to(n.args[0]); a {
		case none:
			return everyone
		case everyone:
			return none
		default:
			n = &node{op: not, args: []ref{a}}
		}
	default:
		args := make([]ref, len(n.args))
		op, min, whole := n.op, n.min, r
		for i, a := range n.args {
			args[i] = f.to(a)
		}
		if op == atLeast {
			if op, min, args, whole = reached(min, args); len(args) == 0 {
				return whole
			}
		}
		if op != atLeast {
			if args, whole = joined(op, args); len(args) == 0 {
				return whole
			}
			if len(args) == 1 {
				return args[0]
			}
		}
		n = &node{op: op, min: min, args: args}
	}
	f.nodes[r].made = n
	return r
}

// program is the steps that a query takes in the chunk.
func (f *folding) program(q *planned) program {
	f.programs++
	pr := program{cols: make([]ref, len(q.cols.refs)), rows: make([]ref, len(q.rows.refs)), steps: make([]step, 0,
		len(q.cols.refs)+len(q.rows.refs))}
	pr.base = f.visit(&pr, q.base)
	pr.baseSteps = len(pr.steps)
	for i, r := range q.cols.refs {
		pr.cols[i] = f.visit(&pr, r)
	}
	for i, r := range q.rows.refs {
		pr.rows[i] = f.visit(&pr, r)
	}
	pr.allot()
	return pr
}

// visit adds the steps that a node takes and the program has not yet, and returns the last.
func (f *folding) visit(pr *program, r ref) ref {
	if r = f.to(r); r < 0 {
		return r
	}
	n := &f.nodes[r]
	if n.last == f.programs {
		return n.step
	}
	s := step{op: n.made.op, min: n.made.min}
	switch c := f.chunk.chunk; s.op {
	case positive:
		if n.want == 0 {
			n.want = 1 + f.chunk.want(n.made.column, columnBytes(n.count, c.words))
		}
		s.want = n.want - 1
	case inLocations:
		for _, run := range c.runs {
			if n.made.codes[run.location] {
				s.runs = append(s.runs, run)
			}
		}
	}
	for _, a := range n.made.args {
		s.args = append(s.args, f.visit(pr, a))
	}
	pr.steps = append(pr.steps, s)
	n.step, n.last = ref(len(pr.steps)-1), f.programs
	return n.step
}

// allot gives each step a slot for its bitmap. A slot is free again after the last step that reads it; rows, columns
// and the base are read at the end.
func (pr *program) allot() {
	last := make([]int, len(pr.steps))
	for i, s := range pr.steps {
		for _, a := range s.args {
			last[a] = i
		}
	}
	for _, roots := range [][]ref{{pr.base}, pr.rows, pr.cols} {
		for _, r := range roots {
			if r >= 0 {
				last[r] = len(pr.steps)
			}
		}
	}
	var free []int
	for i := range pr.steps {
		s := &pr.steps[i]
		if n := len(free); n > 0 {
			s.slot, free = free[n-1], free[:n-1]
		} else {
			s.slot = pr.slots
			pr.slots++
		}
		for j, a := range s.args {
			if last[a] == i && !slices.Contains(s.args[:j], a) {
				free = append(free, pr.steps[a].slot)
			}
		}
	}
}
