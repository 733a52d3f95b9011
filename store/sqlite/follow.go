package sqlite

import (
	"iter"
	"slices"
	"sync"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
)

// Some rows and columns of a table need not be counted, as their cells follow from those of others. Counts of disjoint
// respondents add up, so that
//
//   - the cells of "not x" are those of everyone less those of x,
//   - the cells of a net, "a or b", are the sums of those of a and b, where nobody is in both,
//   - the cells of everyone who has a number are the sums of those of all values that it can have,
//   - the cells of one of the answers of a question are what the others leave of everyone, where each respondent gave
//     just one of them.
//
// The first and the third always hold. Of the others a codebook may promise what respondents do not keep, so it is
// respondents that are looked at: whether the answers exclude each other in a chunk, and whether they leave anybody
// out, is found out once, when a table asks for columns that are in memory. A cell follows from others where that is
// known of all chunks that the query counts. Then the places of the table are counted as if they were no one's, and
// derived in the end.

// follow says how the cells of one place of a side follow from those of other places, and of everyone.
type follow struct {
	at   int   // index into the side's refs
	of   []int // likewise: places that are counted, or follow from others by what stands before
	rest bool  // what they leave of everyone; else the sum of them
}

// answerSet is answers of one question, by their columns, ascending, of which a table wants to know how they share
// respondents.
type answerSet struct {
	question int64
	columns  []int64
}

// follows finds the places of a side that follow from others, and takes them off what is counted. Those of a complete
// set come first, as nets may be made of them, and what is not in a net last. wide tells that the other side is of many
// places: else one place less is no gain.
func (g *graph) follows(q *query, s *side, wide bool) {
	var places [ops]int // by what they are made of
	for _, r := range s.refs {
		if r >= 0 {
			places[g.nodes[r].op]++
		}
	}
	if wide = wide && places[positive] > 1; !wide && places[or]+places[not]+places[valued] == 0 {
		return
	}
	f := &following{graph: g, query: q, side: s, place: make(map[ref]int, len(s.refs))}
	for i, r := range s.refs {
		f.place[r] = i
	}
	if places[valued] > 0 {
		f.anyNumber()
	}
	if wide {
		f.lasts()
	}
	if places[or] > 0 {
		f.nets()
	}
	if places[not] > 0 {
		f.complements()
	}
}

// following is follows on its way.
type following struct {
	graph  *graph
	query  *query
	side   *side
	place  map[ref]int // of each ref that is a node
	chunks []*chunk    // that the query counts
	found  bool        // they are known
}

// anyNumber derives who has a number to a question, where all values are places of the side.
func (f *following) anyNumber() {
	for _, n := range f.graph.numbers {
		any, there := f.place[n.slices[0]]
		if !there || n.kept.Bits > kernel.MaxDigits {
			continue
		}
		var of []int
		least, greatest := n.kept.Range()
		for i, r := range f.side.refs {
			if r < 0 || f.graph.nodes[r].op != valued || f.graph.nodes[r].args[0] != n.slices[0] {
				continue
			}
			if number := f.graph.nodes[r].number; least <= number && number <= greatest {
				of = append(of, i)
			}
		}
		if int64(len(of)) == greatest-least+1 {
			f.derive(any, of, false)
		}
	}
}

// fewEach is how many respondents each of several strata has on average, below which an answer is counted sooner than
// derived from all others.
const fewEach = 4096

// lasts leaves out one answer of each question whose answers exclude each other and leave nobody out: that of most
// respondents.
func (f *following) lasts() {
	respondents := 0
	for _, c := range f.counted() {
		respondents += c.respondents
	}
	if strata := len(f.query.strata); strata > 1 && respondents < fewEach*strata {
		return
	}
	var sets []answerSet
	places := map[int64][]int{}
	for i, r := range f.side.refs {
		if r >= 0 && f.graph.nodes[r].op == positive {
			question := f.graph.nodes[r].column >> numberBits
			if places[question] == nil {
				sets = append(sets, answerSet{question: question})
			}
			places[question] = append(places[question], i)
		}
	}
	for _, set := range sets {
		of := places[set.question]
		if len(of) < 2 {
			continue
		}
		for _, i := range of {
			set.columns = append(set.columns, f.graph.nodes[f.side.refs[i]].column)
		}
		slices.Sort(set.columns)
		if !f.holds(set, true) {
			continue
		}
		last := f.place[f.graph.columns[f.mostGiven(set)]]
		f.derive(last, slices.DeleteFunc(of, func(i int) bool { return i == last }), true)
	}
}

// nets derives each net whose answers are all places of the side and exclude each other.
func (f *following) nets() {
	for i, r := range f.side.refs {
		if r < 0 || f.graph.nodes[r].op != or {
			continue
		}
		leaves := f.leaves(nil, r)
		slices.Sort(leaves)
		leaves = slices.Compact(leaves)
		set, of := answerSet{question: -1}, make([]int, 0, len(leaves))
		for _, leaf := range leaves {
			at, there := f.place[leaf]
			n := &f.graph.nodes[leaf]
			if !there || n.op != positive || set.question >= 0 && set.question != n.column>>numberBits {
				of = nil
				break
			}
			set.question = n.column >> numberBits
			set.columns, of = append(set.columns, n.column), append(of, at)
		}
		slices.Sort(set.columns)
		if len(of) > 0 && f.holds(set, false) {
			f.derive(i, of, false)
		}
	}
}

// leaves appends what an or, and the ors that it is made of, are made of.
func (f *following) leaves(to []ref, r ref) []ref {
	if n := &f.graph.nodes[r]; n.op == or {
		for _, a := range n.args {
			to = f.leaves(to, a)
		}
		return to
	}
	return append(to, r)
}

// complements derives each "not x" from x, which is counted in its place if it has none of its own.
func (f *following) complements() {
	for i, r := range f.side.refs {
		if r < 0 || f.graph.nodes[r].op != not {
			continue
		}
		x := f.graph.nodes[r].args[0]
		at, there := f.place[x]
		if f.derive(i, []int{at}, true); !there {
			f.side.follows[len(f.side.follows)-1].of[0], f.side.refs[i] = i, x
		}
	}
}

// derive notes that a place follows from others.
func (f *following) derive(at int, of []int, rest bool) {
	f.side.follows = append(f.side.follows, follow{at, of, rest})
	f.side.refs[at] = none
}

// mostGiven is the column of that answer of a set which most respondents of the query's chunks gave.
func (f *following) mostGiven(set answerSet) int64 {
	totals := make([]int, len(set.columns))
	for _, c := range f.counted() {
		for i, n := range c.given(set) {
			totals[i] += n
		}
	}
	return set.columns[slices.Index(totals, slices.Max(totals))]
}

// counted are the chunks that the query counts.
func (f *following) counted() []*chunk {
	if !f.found {
		f.found = true
		for _, c := range f.graph.release.chunks {
			if c.sample(f.query.namespace.namespace) > 0 && f.graph.counts(c, f.query.strata) {
				f.chunks = append(f.chunks, c)
			}
		}
	}
	return f.chunks
}

// holds tells whether answers exclude each other in all chunks that the query counts, and whether nobody in there gave
// none of them, if all have to. What is not known yet is found out when the query is counted, for the next one.
func (f *following) holds(set answerSet, complete bool) bool {
	known := true
	for _, c := range f.counted() {
		switch found, is := c.set(set, f.query.namespace.namespace); {
		case !is:
			known = false
		case !found.exclusive || complete && !found.complete:
			return false
		}
	}
	if !known {
		f.query.unknown = append(f.query.unknown, set)
	}
	return known
}

// counts tells whether anybody in a chunk is in any of the strata.
func (g *graph) counts(c *chunk, strata []audience.Cover) bool {
	if g.fieldworks == nil {
		g.fieldworks = map[*chunk][]int{}
	}
	if g.fieldworks[c] == nil {
		g.fieldworks[c] = g.release.fieldworks(c)
	}
	for _, at := range g.fieldworks[c] {
		if at >= 0 && slices.ContainsFunc(strata, func(s audience.Cover) bool { return s.Has(at) }) {
			return true
		}
	}
	return false
}

// sets is what was found out in a chunk about how answers share respondents.
type sets struct {
	mu    sync.Mutex
	known map[setName][]foundSet // the last few
}

// fewSets is how many sets of one question a chunk remembers at most.
const fewSets = 8

// of is what is known of a question. It must not be changed.
func (s *sets) of(name setName) []foundSet {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.known[name]
}

// keep remembers what was found out about a question, and forgets the oldest of too much.
func (s *sets) keep(name setName, found foundSet) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = map[setName][]foundSet{}
	}
	known := s.known[name]
	s.known[name] = append(slices.Clone(known[max(0, len(known)+1-fewSets):]), found)
}

// setName is a question, and by whose weights respondents count.
type setName struct {
	question  int64
	namespace string
}

// foundSet is what was found out about some answers, those of columns that the chunk has, ascending.
type foundSet struct {
	columns   []int64
	exclusive bool // nobody gave two of them
	complete  bool // and nobody with a weight above 0 gave none
}

// set returns what is known of answers in a chunk; false if that has to be found out. How many respondents gave each
// answer may tell it at once.
func (c *chunk) set(set answerSet, namespace string) (foundSet, bool) {
	stored, sum := c.stored(set)
	switch {
	case sum > c.respondents:
		return foundSet{}, true
	case len(stored) <= 1:
		return foundSet{stored, true, sum == c.respondents}, true
	}
	best, is := foundSet{}, false
	known := c.sets.of(setName{set.question, namespace})
	if found, is := c.shared(set.question, namespace); is {
		known = append(slices.Clone(known), found)
	}
	for _, found := range known {
		switch {
		case !found.exclusive && includes(stored, found.columns):
			return foundSet{}, true
		case found.exclusive && includes(found.columns, stored) && !best.complete:
			best, is = foundSet{stored, true, found.complete && len(found.columns) == len(stored)}, true
		}
	}
	return best, is
}

// stored are the answers of a set that anybody in the chunk gave, and how many gave them in all.
func (c *chunk) stored(set answerSet) (columns []int64, sum int) {
	columns = make([]int64, 0, len(set.columns))
	for i, n := range c.given(set) {
		columns, sum = append(columns, set.columns[i]), sum+n
	}
	return columns, sum
}

// given yields, of those answers of a set that anybody in the chunk gave, the index in the set and how many gave it. As
// both ascend and the answers are of one question, they are walked side by side from the first on: to look each answer
// up takes longer, and happens for every chunk before a second thread has anything to count.
func (c *chunk) given(set answerSet) iter.Seq2[int, int] {
	return func(yield func(int, int) bool) {
		if len(set.columns) == 0 {
			return
		}
		at, _ := slices.BinarySearch(c.columns, set.columns[0])
		for i, column := range set.columns {
			for at < len(c.columns) && c.columns[at] < column {
				at++
			}
			if at < len(c.columns) && c.columns[at] == column && c.counts[at] > 0 && !yield(i, int(c.counts[at])) {
				return
			}
		}
	}
}

// includes tells whether all of some are among others; both ascend.
func includes(all, some []int64) bool {
	for _, x := range some {
		i, there := slices.BinarySearch(all, x)
		if !there {
			return false
		}
		all = all[i+1:]
	}
	return true
}

// learn finds out what a query wants to know of the answers that its program in a chunk counts.
func (q *query) learn(c *chunk, pr *program, entries []*entry) {
	if len(q.unknown) == 0 {
		return
	}
	columns := map[int64]*column{}
	for _, s := range pr.steps {
		if s.op == positive {
			columns[entries[s.want].column()] = &entries[s.want].col
		}
	}
	for _, set := range q.unknown {
		if _, known := c.set(set, q.namespace.namespace); known {
			continue
		}
		if found, is := c.find(set, columns, entries[pr.weights].col.words); is {
			c.sets.keep(setName{set.question, q.namespace.namespace}, found)
		}
	}
}

// find finds out how answers share the respondents of a chunk, of whom some have a weight above 0. It needs the columns
// of all of them that anybody gave, and returns false without.
func (c *chunk) find(set answerSet, columns map[int64]*column, weighed []uint64) (found foundSet, is bool) {
	stored, _ := c.stored(set)
	found.exclusive = true
	union := make([]uint64, c.words)
	for _, id := range stored {
		if columns[id] == nil {
			return found, false
		}
		found.columns = append(found.columns, id)
		if !columns[id].joins(union) {
			found.exclusive = false
			return found, true
		}
	}
	found.complete = covers(union, weighed)
	return found, true
}

// joins adds a column to a union, unless somebody is in both: then it returns false.
func (c *column) joins(union []uint64) bool {
	if c.list == nil {
		both := uint64(0)
		for i, w := range c.words[:len(union)] {
			both |= union[i] & w
			union[i] |= w
		}
		return both == 0
	}
	for _, p := range c.list {
		if union[p>>6]>>(p&63)&1 != 0 {
			return false
		}
		union[p>>6] |= 1 << (p & 63)
	}
	return true
}

// covers tells whether all of some are in a union.
func covers(union, some []uint64) bool {
	for i, w := range some {
		if w&^union[i] != 0 {
			return false
		}
	}
	return true
}
