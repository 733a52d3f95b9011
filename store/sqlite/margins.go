package sqlite

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/crosswave/crosswave/internal/kernel"
)

// The margins of a table whose base is everyone do not depend on the table: they are the totals of its columns. So a
// column's are counted once and stay with it, run by run, as strata consist of whole runs; not when it is read, but
// when it is asked for again, as many are asked for once only.

// margins are the totals of one column under each of the weights it was counted with, but of no more than there is one
// of for each namespace: units change.
type margins struct{ known atomic.Pointer[[]margin] }

type margin struct {
	weights int64          // the id of their entry
	runs    []kernel.Count // in the chunk's order
}

// marginBytes is what a column's totals take in memory.
func marginBytes(c *chunk) int64 { return int64(len(c.samples)) * (16*int64(len(c.runs)) + 64) }

// under returns the totals under some weights, nil if they were never counted.
func (m *margins) under(weights int64) []kernel.Count {
	if known := m.known.Load(); known != nil {
		for _, k := range *known {
			if k.weights == weights {
				return k.runs
			}
		}
	}
	return nil
}

// keep notes totals, and forgets the oldest beyond so many. Of several who note at a time one succeeds; the others will
// count again.
func (m *margins) keep(weights int64, runs []kernel.Count, most int) {
	if m.under(weights) != nil {
		return // a column can be several margins
	}
	known := m.known.Load()
	var all []margin
	if known != nil {
		all = slices.Clone((*known)[max(0, len(*known)+1-most):])
	}
	all = append(all, margin{weights, runs})
	m.known.CompareAndSwap(known, &all)
}

// settle finds out which margins of a program are totals of columns: those of its rows if all rows are columns or
// constants, and likewise. What is left to be counted begins at firstRow and firstCol.
func (pr *program) settle() {
	if pr.base != everyone {
		return
	}
	plain := func(refs []ref) bool {
		return !slices.ContainsFunc(refs, func(r ref) bool { return r >= 0 && pr.steps[r].op != positive })
	}
	if plain(pr.rows) {
		pr.firstCol = 1
	}
	if plain(pr.cols) {
		pr.firstRow = 1
	}
	pr.margins = pr.firstRow+pr.firstCol > 0
}

// settled tells whether the margins are the whole table.
func (pr *program) settled() bool { return pr.firstRow == len(pr.rows) || pr.firstCol == len(pr.cols) }

// addMargins adds the margins that are totals of columns to counts, for some of the chunk's runs: indices into them.
func (e *evaluator) addMargins(ctx context.Context, pr *program, columns []*entry, c *chunk, some []int) error {
	stride := len(pr.cols)
	e.margins = e.margins[:0]
	if pr.firstCol > 0 {
		for i, r := range pr.rows {
			e.margin(pr, i*stride, r, columns)
		}
	}
	if pr.firstRow > 0 {
		for j := pr.firstCol; j < stride; j++ { // the first of all is a row's, too
			e.margin(pr, j, pr.cols[j], columns)
		}
	}
	if err := e.total(ctx, columns[pr.weights], c); err != nil {
		return err
	}
	e.dirty = true
	for _, m := range e.margins {
		m.add(&e.counts[m.cell], some)
	}
	return nil
}

// marginCell is one margin of a table.
type marginCell struct {
	cell   int // of the evaluator's counts
	column *entry
	totals []kernel.Count // the column's, run by run
}

// margin asks for the margin that is a ref's: the weights are the column of everyone, and no one has none.
func (e *evaluator) margin(pr *program, cell int, r ref, columns []*entry) {
	switch r {
	case none:
	case everyone:
		e.margins = append(e.margins, marginCell{cell, columns[pr.weights], nil})
	default:
		e.margins = append(e.margins, marginCell{cell, columns[pr.steps[r].want], nil})
	}
}

// add adds the totals of some runs.
func (m *marginCell) add(to *kernel.Count, some []int) {
	for _, i := range some {
		to.Sample += m.totals[i].Sample
		to.Weight += m.totals[i].Weight
	}
}

// total finds the totals of the margins asked for, and counts those that nobody knows yet.
func (e *evaluator) total(ctx context.Context, w *entry, c *chunk) error {
	var unknown []*marginCell
	for i := range e.margins {
		m := &e.margins[i]
		if m.totals = m.column.margins.under(w.id); m.totals == nil {
			m.totals = make([]kernel.Count, len(c.runs))
			unknown = append(unknown, m)
		}
	}
	for some := range slices.Chunk(unknown, tile) {
		if err := e.countTotals(ctx, some, w, c.runs); err != nil {
			return err
		}
		for _, m := range some {
			m.column.margins.keep(w.id, m.totals, len(c.samples))
		}
	}
	return nil
}

// countTotals counts margins run by run.
func (e *evaluator) countTotals(ctx context.Context, some []*marginCell, w *entry, runs []run) error {
	e.room(len(some))
	counts := make([]kernel.Count, len(some))
	for i, r := range runs {
		clear(counts)
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
			e.kernel.Tile(&e.scratch, counts, len(counts), e.rows, e.cols, w.col.words[at:][:n], w.weights[64*at:][:64*n])
		}
		for j, m := range some {
			m.totals[i] = counts[j]
		}
	}
	return nil
}
