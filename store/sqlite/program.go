package sqlite

import "slices"

// chunkWork is what one Count has to do in one chunk: a program for each query that finds anybody there, and the
// columns and weights that they read.
type chunkWork struct {
	chunk      *chunk
	fieldworks []int  // of the chunk's runs
	wants      []want // to be loaded; programs know them by their index
	programs   []program
}

// program counts one query in one chunk. A step makes the bitmap of one set of respondents, from what is stored or from
// what earlier steps made. Where the graph's refs are nodes, those of a program are steps. The evaluator takes one
// block of respondents after the other, runs all steps for it, and lets the kernel cross the rows' bitmaps with the
// columns'.
//
// Here is a query, its nodes in the graph and in one chunk, and its program there. The chunk is of wave w2 and has 70
// respondents in uk (words 0 and 1 of every bitmap) and 10 in us (word 2):
//
//	row     (sex.f or pet.cat) and not in us and in w1 or w2
//	column  sex.f
//	column  at least 2 of pet.cat, pet.dog, pet.dragon
//
//	node                      in the chunk
//	0  sex.f                  sex.f
//	1  pet.cat                pet.cat
//	2  0 or 1                 0 or 1
//	3  in us                  in us
//	4  not 3                  not 3
//	5  in w1 or w2            everyone
//	6  2 and 4 and 5          2 and 4
//	7  pet.dog                pet.dog
//	8  pet.dragon             no one
//	9  at least 2 of 1, 7, 8  1 and 7
//
//	step                      slot
//	0  sex.f                  0
//	1  pet.cat                1
//	2  pet.dog                2
//	3  1 and 2                3
//	4  0 or 1                 2
//	5  in us                  1
//	6  not 5                  4
//	7  4 and 6                1
//
//	base everyone; rows everyone, 7; columns everyone, 0, 3; 5 slots
//
// Node 5 is settled, as all respondents are of w2, and node 8, as nobody has a dragon: there is no such column in the
// chunk. So at least two of the three animals means a cat and a dog (step 3), and the row is step 7. A step writes its
// bitmap into a slot. Slots are free again after the last step that reads them, but for those of the base, the rows and
// the columns, so that 5 slots do for 8 steps and stay in the core's cache.
//
// All 80 respondents are one block of 3 words, as the query has one stratum for both locations. The evaluator first
// runs the steps of the base, of which there are none here, and goes no further with a block in which nobody is in the
// base and has a weight above 0. Then it runs the others. Steps 0 to 2 are columns that are held as bitmaps (39, 25 and
// 30 of 80 respondents; a rare one would be a list of positions), so they are read where they lie, and nothing is
// written to their slots. Last the kernel counts, for each row × column, everyone being the first of both, how many of
// the block's respondents are in base, row and column, and what their weights add up to.
type program struct {
	query      int    // index into the graph's queries
	weights    int    // index into wants
	steps      []step // those of the base first
	baseSteps  int
	base       ref
	rows, cols []ref // of the table; what the store calls a column is an attribute's, and a step here
	slots      int   // how many bitmaps have to be kept at a time
	strata     []stratum
	squares    bool // are counted, too
	known      bool // counts are known from another query

	margins            bool // some margins are totals of columns
	firstRow, firstCol int  // of what is left to be counted

	values []values // of rows that are counted by their digits: no one stands in their places
	listed []listed // of those rows, the ones that are walked by themselves
	others []span   // and of the others those that are not no one
}

type step struct {
	op     op
	args   []ref
	min    int   // of atLeast
	number int64 // of valued
	given  bool  // of valued: the first of args is who has a number; else everyone has
	want   int   // of positive: index into wants
	count  int   // of positive: how many of the chunk are
	runs   []run // of inLocations
	slot   int
	skip   bool // it is not taken, as its list is used instead
}

// at finds out what there is to do in a chunk, with a folding that is free; nil if nobody in it bears on any query.
func (g *graph) at(c *chunk, f *folding, weightColumn func(weightName) int64) *chunkWork {
	w := &chunkWork{chunk: c, fieldworks: g.release.fieldworks(c)}
	weights := map[weightName]int{} // indices into wants
	for i := range g.queries {
		q := &g.queries[i]
		if c.sample(q.namespace.namespace) == 0 {
			continue
		}
		strata := w.strata(q)
		if len(strata) == 0 {
			continue
		}
		if f.work == nil {
			f.begin(g, w)
			w.wants = make([]want, 0, len(g.nodes)+1)
			w.programs = make([]program, 0, len(g.queries)-i)
		}
		if f.to(q.base) == none {
			continue
		}
		pr := f.program(q)
		pr.query, pr.strata, pr.squares, pr.known = i, strata, q.squares, q.known != nil
		at, ok := weights[q.namespace]
		if !ok {
			at = w.want(weightColumn(q.namespace), weightBytes(c.words))
			weights[q.namespace] = at
		}
		pr.weights = at
		w.programs = append(w.programs, pr)
	}
	if len(w.programs) == 0 {
		return nil
	}
	return w
}

// want adds a column to what is to be loaded and returns its index.
func (w *chunkWork) want(column, bytes int64) int {
	w.wants = append(w.wants, want{blobID(w.chunk.id, column), bytes + marginBytes(w.chunk)})
	return len(w.wants) - 1
}

// mostJobs is how many jobs there are to do at most: one for each block, and one for the margins of each stratum.
func (w *chunkWork) mostJobs() (n int) {
	for i := range w.programs {
		for _, st := range w.programs[i].strata {
			n += 1 + len(st.blocks)
		}
	}
	return n
}

// program makes the program of a query.
func (f *folding) program(q *query) program {
	f.programs++
	pr := program{steps: f.steps[:0]}
	pr.base = f.visit(&pr, q.base)
	pr.baseSteps = len(pr.steps)
	for _, r := range q.cols.refs {
		pr.cols = append(pr.cols, f.visit(&pr, r))
	}
	for _, r := range q.rows.refs {
		if f.isValue(r) {
			pr.rows = append(pr.rows, none)
			continue
		}
		pr.rows = append(pr.rows, f.visit(&pr, r))
	}
	f.values(&pr, q)
	f.steps, pr.steps = pr.steps, slices.Clone(pr.steps)
	pr.allot()
	return pr
}

// visit adds the steps that a node takes and that the program has not yet, and returns the node's own: a constant where
// the chunk settles it.
func (f *folding) visit(pr *program, r ref) ref {
	if r = f.to(r); r < 0 {
		return r
	}
	n := &f.nodes[r]
	if n.last == f.programs {
		return n.step
	}
	s := step{op: n.made.op, min: n.made.min, number: n.made.number}
	switch s.op {
	case positive:
		if n.want == 0 {
			n.want = 1 + f.work.want(n.made.column, n.bytes)
		}
		s.want, s.count = n.want-1, n.count
	case inLocations:
		s.runs = n.runs
	}
	s.args = f.refs(len(n.made.args))[:0]
	for _, a := range n.made.args {
		if a != everyone { // a value's number may be one that everyone has
			s.args = append(s.args, f.visit(pr, a))
		}
	}
	s.given = len(s.args) == len(n.made.args)
	pr.steps = append(pr.steps, s)
	n.step, n.last = ref(len(pr.steps)-1), f.programs
	return n.step
}

// allot gives each step a slot for its bitmap, one that is free if there is any. A step's own slot is never one that it
// reads.
func (pr *program) allot() {
	last := make([]int, len(pr.steps))
	for i, s := range pr.steps {
		for _, a := range s.args {
			last[a] = i
		}
	}
	roots := [][]ref{{pr.base}, pr.rows, pr.cols}
	for _, v := range pr.values {
		roots = append(roots, []ref{v.any}, v.digits)
	}
	for _, roots := range roots {
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
