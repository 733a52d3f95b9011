package sqlite

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/crosswave/crosswave/internal/kernel"
)

// The margins of a table are its first row and its first column: each column, and each row, crossed with everyone. If
// the base is everyone, too, such a margin depends on nothing but one stored column: it is how many of a stratum are
// positive on it, and what they weigh. So it is counted once and kept with the column in the cache. It is kept run by
// run, as every stratum consists of whole runs, and for each unit of weights. And it is counted when the column is
// asked for again, not when it is read, as many columns are asked for once only; and only by a table of few rows or few
// columns, as a large one counts its margins on the way: by themselves they would take half as long as all its cells.
// Squares are counted when a query first measures them.

// margins are what is known of the totals of one column. It keeps those under as many different weights as the chunk
// has namespaces, the newest: a namespace has other weights after its unit has changed.
type margins struct{ known atomic.Pointer[[]margin] }

// margin is the totals of a column under some weights.
type margin struct {
	weights int64           // the id of the entry that holds them
	runs    []kernel.Count  // in the chunk's order
	squares []kernel.Square // of the same runs; nil if they were never measured
}

// marginBytes is what a column's totals take in memory, with squares.
func marginBytes(c *chunk) int64 { return int64(len(c.samples)) * (32*int64(len(c.runs)) + 96) }

// under returns the totals under some weights; false if they, or the squares that are wanted, were never counted.
func (m *margins) under(weights int64, squares bool) (margin, bool) {
	if known := m.known.Load(); known != nil {
		for _, k := range *known {
			if k.weights == weights && (k.squares != nil || !squares) {
				return k, true
			}
		}
	}
	return margin{}, false
}

// keep notes totals, in place of those without squares, and forgets the oldest if it knows more than most. Of several
// who note at the same time one succeeds; the others' totals will be counted again.
func (m *margins) keep(totals margin, most int) {
	if _, there := m.under(totals.weights, totals.squares != nil); there {
		return // a column can be several margins
	}
	known := m.known.Load()
	var all []margin
	if known != nil {
		all = slices.DeleteFunc(slices.Clone(*known), func(k margin) bool { return k.weights == totals.weights })
		all = all[max(0, len(all)+1-most):]
	}
	all = append(all, totals)
	m.known.CompareAndSwap(known, &all)
}

// settle finds out which margins of a program's table are totals of stored columns: those of all its rows, if each row
// is a stored column or a constant, and of all its columns likewise. What is left to be counted block by block begins
// at firstRow and firstCol. A large table takes those that are known, and none if that are not all.
func (pr *program) settle(entries []*entry) {
	if pr.base != everyone || min(len(pr.rows), len(pr.cols)) > 1+fewPlaces && !pr.totalled(entries) {
		return
	}
	plain := func(refs []ref) bool {
		return !slices.ContainsFunc(refs, func(r ref) bool { return r >= 0 && pr.steps[r].op != positive })
	}
	if plain(pr.rows) && len(pr.values) == 0 {
		pr.firstCol = 1
	}
	if plain(pr.cols) {
		pr.firstRow = 1
	}
	pr.margins = pr.firstRow+pr.firstCol > 0
}

// fewPlaces is how many rows or columns a table has at most, beside everyone, that repays totals of its columns when it
// is asked for a third time: up to so many, these are a quarter of it and more.
const fewPlaces = 4

// totalled tells whether the totals of all rows and columns that are stored columns are known.
func (pr *program) totalled(entries []*entry) bool {
	known := func(refs []ref) bool {
		return !slices.ContainsFunc(refs, func(r ref) bool {
			if r < 0 || pr.steps[r].op != positive {
				return false
			}
			_, known := entries[pr.steps[r].want].margins.under(entries[pr.weights].id, pr.squares)
			return !known
		})
	}
	return known(pr.rows) && known(pr.cols)
}

// settled tells whether nothing is left to be counted block by block, as the table consists of margins that are totals.
func (pr *program) settled() bool { return pr.firstRow == len(pr.rows) || pr.firstCol == len(pr.cols) }

// addMargins adds the margins that settle found to counts: their totals over some of the chunk's runs, given by index.
func (e *evaluator) addMargins(ctx context.Context, pr *program, entries []*entry, c *chunk, some []int) error {
	if e.marginsOf != pr { // they are those of all strata
		if err := e.findMargins(ctx, pr, entries, c); err != nil {
			return err
		}
	}
	e.dirty = true
	n := len(e.margins)
	for _, run := range some {
		for i, c := range e.marginCounts[run*n:][:n] {
			to := &e.counts[e.margins[i].cell]
			to.Sample += c.Sample
			to.Weight += c.Weight
		}
		if pr.squares {
			for i, x := range e.marginSquares[run*n:][:n] {
				to := &e.squares[e.margins[i].cell]
				*to = to.Plus(x)
			}
		}
	}
	return nil
}

// findMargins finds the margins that settle found in what is known of columns, or counts them.
func (e *evaluator) findMargins(ctx context.Context, pr *program, entries []*entry, c *chunk) error {
	stride := len(pr.cols)
	e.margins, e.marginsOf = e.margins[:0], nil
	if pr.firstCol > 0 {
		for i, r := range pr.rows {
			e.margin(pr, i*stride, r, entries)
		}
	}
	if pr.firstRow > 0 {
		for j := pr.firstCol; j < stride; j++ { // everyone × everyone is a margin of both sides, and entered once
			e.margin(pr, j, pr.cols[j], entries)
		}
	}
	if err := e.total(ctx, entries[pr.weights], c, pr.squares); err != nil {
		return err
	}
	e.byRun(len(c.runs), pr.squares)
	e.marginsOf = pr
	return nil
}

// byRun puts the totals of each run together, as strata want them.
func (e *evaluator) byRun(runs int, squares bool) {
	n := len(e.margins)
	e.marginCounts = slices.Grow(e.marginCounts[:0], n*runs)[:n*runs]
	if squares {
		e.marginSquares = slices.Grow(e.marginSquares[:0], n*runs)[:n*runs]
	}
	for i := range e.margins {
		for run, c := range e.margins[i].totals.runs {
			e.marginCounts[run*n+i] = c
		}
		if squares {
			for run, x := range e.margins[i].totals.squares {
				e.marginSquares[run*n+i] = x
			}
		}
	}
}

// marginCell is one margin of a table, to be found in what is known of a column.
type marginCell struct {
	cell   int    // index into the evaluator's counts
	column *entry // the stored column; for everyone the weights, which tell who has one
	totals margin // of the column
}

// margin enters the margin of one row or column into e.margins. That of no one is 0, and needs no entry.
func (e *evaluator) margin(pr *program, cell int, r ref, entries []*entry) {
	switch r {
	case none:
	case everyone:
		e.margins = append(e.margins, marginCell{cell: cell, column: entries[pr.weights]})
	default:
		e.margins = append(e.margins, marginCell{cell: cell, column: entries[pr.steps[r].want]})
	}
}

// total finds the totals of e.margins under the weights w, and counts those that are not known yet.
func (e *evaluator) total(ctx context.Context, w *entry, c *chunk, squares bool) error {
	var unknown []*marginCell
	for i := range e.margins {
		m, known := &e.margins[i], false
		if m.totals, known = m.column.margins.under(w.id, squares); !known {
			m.totals = margin{weights: w.id, runs: make([]kernel.Count, len(c.runs))}
			if squares {
				m.totals.squares = make([]kernel.Square, len(c.runs))
			}
			unknown = append(unknown, m)
		}
	}
	for some := range slices.Chunk(unknown, tile) {
		if err := e.countTotals(ctx, some, w, c.runs); err != nil {
			return err
		}
		for _, m := range some {
			m.column.margins.keep(m.totals, len(c.samples))
		}
	}
	return nil
}

// countTotals counts the totals of some margins under the weights w, run by run: one row, everyone, × their columns.
func (e *evaluator) countTotals(ctx context.Context, some []*marginCell, w *entry, runs []run) error {
	e.room(len(some))
	counts, squares := make([]kernel.Count, len(some)), []kernel.Square(nil)
	if some[0].totals.squares != nil {
		squares = make([]kernel.Square, len(some))
	}
	for i, r := range runs {
		clear(counts)
		clear(squares)
		for at := r.word; at < r.word+r.words; at += kernel.BlockWords {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(kernel.BlockWords, r.word+r.words-at)
			e.cols = e.cols[:0]
			for j, m := range some {
				c, words := &m.column.col, m.column.col.words
				if c.list == nil {
					words = words[at:][:n:n]
				} else {
					words = e.slots[j*kernel.BlockWords:][:n:n]
					c.copyTo(words, at)
				}
				e.cols = append(e.cols, words)
			}
			e.rows = append(e.rows[:0], e.all[:n])
			if mask, weights := w.col.words[at:][:n], w.weightsAt(at, n); squares == nil {
				e.kernel.Tile(&e.scratch, counts, len(counts), e.rows, e.cols, mask, weights)
			} else {
				e.kernel.Squares(&e.scratch, counts, squares, len(counts), e.rows, e.cols, mask, weights)
			}
		}
		for j, m := range some {
			m.totals.runs[i] = counts[j]
			if squares != nil {
				m.totals.squares[i] = squares[j]
			}
		}
	}
	return nil
}
