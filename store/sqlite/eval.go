package sqlite

import (
	"context"
	"math/bits"
	"unsafe"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
)

// evaluator runs a program for one block at a time and counts what comes out; the comment on program shows an example.
// Everything it needs for a block and some 100 × 100 cells of a table fits a core's second-level cache, and of larger
// tables what it needs at a time. Each thread that counts has one of its own.
type evaluator struct {
	kernel  *kernel.Kernel
	scratch kernel.Scratch // the kernel's own
	slots   []uint64       // what steps write: kernel.BlockWords words each

	// Of the block at hand, in its words.
	values  [][]uint64                // of each step that was run: a slot, or a column where it lies
	mask    [kernel.BlockWords]uint64 // who is in the base and has a weight above 0
	given   [kernel.BlockWords]uint64 // of those, who has a number
	rows    [][]uint64                // as the kernel is given them
	cols    [][]uint64
	args    [][]uint64     // likewise, those of an atLeast
	weights kernel.Weights // put together, if the block is in several segments

	none [kernel.BlockWords]uint64 // the bitmaps of the two constants
	all  [kernel.BlockWords]uint64

	listing   kernel.Listing
	cursors   cursors // in the lists
	cursorsOf *program
	touched   uint32 // of no meaning

	margins       []marginCell   // those that are found without counting a block
	marginsOf     *program       // of this program
	marginCounts  []kernel.Count // of each run, those of margins
	marginSquares []kernel.Square
	counts        []kernel.Count  // of the query and stratum at hand: distinct rows × distinct columns
	squares       []kernel.Square // of the same cells, if they are measured
	dirty         bool            // counts holds something that is to be added to a table

	countsKept  []kernel.Count // memory for them
	squaresKept []kernel.Square
}

// evaluator returns one that is idle, or a new one.
func (s *Store) evaluator() *evaluator {
	if e, ok := s.idle.Get().(*evaluator); ok {
		return e
	}
	e := &evaluator{kernel: s.kernel}
	for i := range e.all {
		e.all[i] = ^uint64(0)
	}
	return e
}

// rest keeps an evaluator until it is wanted again. It forgets what it has counted: columns that the cache gives up
// meanwhile must not stay in memory for it.
func (s *Store) rest(e *evaluator) {
	clear(e.values)
	for _, xs := range [][][]uint64{e.rows, e.cols, e.args} {
		clear(xs[:cap(xs)])
	}
	clear(e.margins[:cap(e.margins)])
	e.cursorsOf, e.marginsOf = nil, nil
	s.idle.Put(e)
}

// ready makes room for the distinct cells of a query, all 0: those of another query or stratum than before.
func (e *evaluator) ready(q *query) {
	cells := len(q.rows.refs) * len(q.cols.refs)
	e.countsKept = zeros(e.countsKept, cells)
	if q.squares {
		e.squaresKept = zeros(e.squaresKept, cells)
	}
	e.counts, e.squares, e.dirty = e.countsKept, e.squaresKept, false
}

// zeros returns n zeros, in the memory of xs if they fit.
func zeros[T any](xs []T, n int) []T {
	if cap(xs) < n {
		return make([]T, n)
	}
	xs = xs[:n]
	clear(xs)
	return xs
}

// tile is how many rows and columns are counted at a stroke: few enough to give up in time, which takes a few
// milliseconds, and enough that the same columns are seldom transposed again for other rows.
const tile = 256

// count counts a block and adds it to counts: first who is in the base, and if there are any, rows × columns, a tile at
// a time. What settle left out is not counted.
func (e *evaluator) count(ctx context.Context, pr *program, entries []*entry, b block) error {
	n := b.words()
	e.grow(pr)
	for i := range pr.steps[:pr.baseSteps] {
		e.step(&pr.steps[i], i, entries, b, n)
	}
	mask, weights := e.weigh(pr, entries[pr.weights], b, n)
	if !kernel.Any(mask) {
		return nil
	}
	for i := pr.baseSteps; i < len(pr.steps); i++ {
		if !pr.steps[i].skip {
			e.step(&pr.steps[i], i, entries, b, n)
		}
		if i&255 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
	}
	e.cols = e.gather(e.cols[:0], pr.cols[pr.firstCol:], n)
	e.dirty = true
	if err := e.countValues(ctx, pr, mask, weights); err != nil {
		return err
	}
	if len(pr.listed) > 0 {
		e.countListed(pr, b, mask, weights)
	}
	for _, rows := range pr.others {
		if err := e.tiles(ctx, pr, rows, mask, weights, entries[pr.weights].equal); err != nil {
			return err
		}
	}
	return nil
}

// tiles counts some rows of a block against its columns, a tile at a time. equal is the weight that all of the chunk
// have, or 0.
func (e *evaluator) tiles(ctx context.Context, pr *program, of span, mask []uint64, weights kernel.Weights,
	equal int64) error {
	e.rows = e.gather(e.rows[:0], pr.rows[of.first:of.end], len(mask))
	stride := len(pr.cols)
	first := of.first*stride + pr.firstCol
	down, across := even(len(e.rows)), even(len(e.cols))
	for r := 0; r < len(e.rows); r += down {
		rows := e.rows[r:min(r+down, len(e.rows))]
		for c := 0; c < len(e.cols); c += across {
			if err := ctx.Err(); err != nil {
				return err
			}
			cols := e.cols[c:min(c+across, len(e.cols))]
			at, squares := first+r*stride+c, []kernel.Square(nil)
			if pr.squares {
				squares = e.squares[at:]
			}
			switch {
			case equal > 0:
				e.kernel.Equal(&e.scratch, e.counts[at:], squares, stride, rows, cols, mask, weights, equal)
			case pr.known:
				e.kernel.SquaresOnly(&e.scratch, e.counts[at:], squares, stride, rows, cols, mask, weights)
			case pr.squares:
				e.kernel.Squares(&e.scratch, e.counts[at:], squares, stride, rows, cols, mask, weights)
			default:
				e.kernel.Tile(&e.scratch, e.counts[at:], stride, rows, cols, mask, weights)
			}
		}
	}
	return nil
}

// even is the size of the fewest even parts of n that are no larger than a tile.
func even(n int) int {
	parts := (n + tile - 1) / tile
	return (n + parts - 1) / parts
}

// grow makes room for what the steps of a program write.
func (e *evaluator) grow(pr *program) {
	e.room(pr.slots)
	if len(e.values) < len(pr.steps) {
		e.values = make([][]uint64, len(pr.steps))
	}
}

// room makes room for so many bitmaps in slots.
func (e *evaluator) room(slots int) {
	if n := slots * kernel.BlockWords; len(e.slots) < n {
		e.slots = make([]uint64, n)
	}
}

// value is the bitmap of a step that was taken, or of a constant.
func (e *evaluator) value(r ref, n int) []uint64 {
	switch r {
	case none:
		return e.none[:n]
	case everyone:
		return e.all[:n]
	}
	return e.values[r]
}

// gather appends the bitmaps of refs.
func (e *evaluator) gather(to [][]uint64, refs []ref, n int) [][]uint64 {
	for _, r := range refs {
		to = append(to, e.value(r, n))
	}
	return to
}

// weigh returns who of a block is counted at all, being in the base and having a weight above 0, and the weights of all
// its positions.
func (e *evaluator) weigh(pr *program, w *entry, b block, n int) ([]uint64, kernel.Weights) {
	mask, base := e.mask[:n], e.value(pr.base, n)
	if len(b) == 1 {
		kernel.And(mask, base, w.col.words[b[0].word:][:n])
		return mask, w.weightsAt(b[0].word, n)
	}
	at, weights := 0, kernel.Weights{Packed: e.weights.Packed[:0], Small: e.weights.Small[:0], Bits: w.weights.Bits}
	for _, s := range b {
		kernel.And(mask[at:at+s.words], base[at:at+s.words], w.col.words[s.word:][:s.words])
		from := w.weightsAt(s.word, s.words)
		weights.Packed, weights.Small = append(weights.Packed, from.Packed...), append(weights.Small, from.Small...)
		at += s.words
	}
	if e.weights = weights; w.weights.Small == nil {
		weights.Small = nil
	}
	return mask, weights
}

// weightsAt are the weights of some words of a chunk, from one on.
func (e *entry) weightsAt(word, words int) kernel.Weights {
	if e.weights.Small != nil {
		return kernel.Weights{Small: e.weights.Small[64*word:][:64*words], Bits: e.weights.Bits}
	}
	return kernel.Weights{Packed: e.weights.Packed[64*word:][:64*words], Bits: e.weights.Bits}
}

// step evaluates step i for a block of n words. A column that is a bitmap is used where it lies, if the block is in one
// segment.
func (e *evaluator) step(s *step, i int, entries []*entry, b block, n int) {
	if s.op == positive && len(b) == 1 && entries[s.want].col.list == nil {
		e.values[i] = entries[s.want].col.words[b[0].word:][:n:n]
		return
	}
	dst := e.slots[s.slot*kernel.BlockWords:][:n:n]
	e.values[i] = dst
	switch s.op {
	case positive:
		at := 0
		for _, g := range b {
			entries[s.want].col.copyTo(dst[at:at+g.words], g.word)
			at += g.words
		}
	case inLocations:
		at := 0
		for _, g := range b {
			within(dst[at:at+g.words], g.word, s.runs)
			at += g.words
		}
	case and:
		kernel.And(dst, e.values[s.args[0]], e.values[s.args[1]])
		for _, a := range s.args[2:] {
			kernel.And(dst, dst, e.values[a])
		}
	case or:
		kernel.Or(dst, e.values[s.args[0]], e.values[s.args[1]])
		for _, a := range s.args[2:] {
			kernel.Or(dst, dst, e.values[a])
		}
	case not:
		kernel.AndNot(dst, e.all[:n], e.values[s.args[0]])
	case valued:
		digits := s.args
		if copy(dst, e.all[:n]); s.given {
			copy(dst, e.values[digits[0]])
			digits = digits[1:]
		}
		for i, a := range digits {
			if s.number>>i&1 == 1 {
				kernel.And(dst, dst, e.values[a])
			} else {
				kernel.AndNot(dst, dst, e.values[a])
			}
		}
	case atLeast:
		e.args = e.gather(e.args[:0], s.args, n)
		kernel.AtLeast(dst, e.args, s.min)
	}
}

// within sets dst, the words from first on, to those who stand in the runs.
func within(dst []uint64, first int, runs []run) {
	clear(dst)
	for _, r := range runs {
		for w := max(first, r.word); w < min(first+len(dst), r.word+r.words); w++ {
			dst[w-first] = ^uint64(0)
		}
	}
}

// distinct tells that the distinct cells of a query are those of its tables, in the same order.
func (q *query) distinct() bool {
	return len(q.rows.refs) == len(q.rows.at) && len(q.cols.refs) == len(q.cols.at)
}

// kernelCounts is the counts of a table as the kernel writes them: in the same memory.
func kernelCounts(cs []audience.Count) []kernel.Count {
	return unsafe.Slice((*kernel.Count)(unsafe.SliceData(cs)), len(cs))
}

// kernelSquares is the same of squares; none if there are none.
func kernelSquares(xs []audience.Uint128) []kernel.Square {
	return unsafe.Slice((*kernel.Square)(unsafe.SliceData(xs)), len(xs))
}

// addTo adds what was counted to a table of the query, in which an expression may stand several times, and starts anew.
func (e *evaluator) addTo(t *audience.Table, q *query) {
	if !e.dirty {
		return
	}
	stride, width := len(q.cols.refs), len(q.cols.at)
	for i, r := range q.rows.at {
		row, out := e.counts[r*stride:][:stride], t.Counts[i*width:][:width]
		for j, c := range q.cols.at {
			n := &row[c]
			out[j].Sample += n.Sample
			out[j].Weight += n.Weight
		}
	}
	clear(e.counts)
	if q.squares {
		for i, r := range q.rows.at {
			row, out := e.squares[r*stride:][:stride], t.Squares[i*width:][:width]
			for j, c := range q.cols.at {
				x, n := &out[j], &row[c]
				var carry uint64
				x.Low, carry = bits.Add64(x.Low, n.Low, 0)
				x.High += n.High + carry
			}
		}
		clear(e.squares)
	}
	e.dirty = false
}
