package sqlite

import (
	"context"
	"slices"
	"sync/atomic"

	"github.com/crosswave/crosswave/internal/kernel"
)

// The margins of a table whose base is everyone do not depend on the table: they are the totals of its columns. So a column's are counted once and stay with it, run
// by run, as strata consist of whole runs; not when it is read, but when it is asked for again, as many are asked for once only.

// margins are the totals of one column under each of the weights it was counted with.
type margins struct{ known atomic.Pointer[[]margin] }

type margin struct {
	weights int64          // the id of their entry
	runs    []kernel.Count // in the chunk's order
}

// marginBytes is what a column's totals take under one sort of weights.
func marginBytes(runs int) int64 { return 16*int64(runs) + 64 }

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

// keep notes totals. Of several who note at a time one succeeds; the others will count again.
func (m *margins) keep(weights int64, runs []kernel.Count) {
	known := m.known.Load()
	var all []margin
	if known != nil {
		all = slices.Clone(*known)
	}
	all = append(all, margin{weights, runs})
	m.known.CompareAndSwap(known, &all)
}

// settle finds out which margins of a program are totals of columns: those of its rows if all rows are columns or constants, and likewise. What is left to be
// counted begins at firstRow and firstCol.
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
func (e *evaluator) addMargins(ctx context.Context, pr *program, columns []*entry, runs []run, some []int) error {
	defer clear(e.totals)
	w := columns[pr.weights]
	asked := []*entry{w}
	if pr.firstCol > 0 {
		asked = pr.columns(asked, pr.rows, columns)
	}
	if pr.firstRow > 0 {
		asked = pr.columns(asked, pr.cols, columns)
	}
	if err := e.total(ctx, asked, w, runs); err != nil {
		return err
	}
	e.dirty = true
	stride := len(pr.cols)
	if pr.firstCol > 0 {
		for i, r := range pr.rows {
			e.sum(&e.counts[i*stride], pr.column(r, columns), some)
		}
	}
	if pr.firstRow > 0 {
		for j := pr.firstCol; j < stride; j++ { // the first of all is a row's, too
			e.sum(&e.counts[j], pr.column(pr.cols[j], columns), some)
		}
	}
	return nil
}

// column is the entry whose totals are a ref's: that of the weights stands for everyone, nil for no one.
func (pr *program) column(r ref, columns []*entry) *entry {
	switch r {
	case none:
		return nil
	case everyone:
		return columns[pr.weights]
	}
	return columns[pr.steps[r].want]
}

func (pr *program) columns(to []*entry, refs []ref, columns []*entry) []*entry {
	for _, r := range refs {
		if r >= 0 {
			to = append(to, pr.column(r, columns))
		}
	}
	return to
}

// sum adds a column's totals in some runs.
func (e *evaluator) sum(to *kernel.Count, column *entry, some []int) {
	if column == nil {
		return
	}
	totals := e.totals[column]
	for _, i := range some {
		to.Sample += totals[i].Sample
		to.Weight += totals[i].Weight
	}
}

// total sets e.totals of entries, and counts those that nobody knows yet.
func (e *evaluator) total(ctx context.Context, entries []*entry, w *entry, runs []run) error {
	var unknown []*entry
	for _, c := range entries {
		if e.totals[c] != nil {
			continue
		}
		if e.totals[c] = c.margins.under(w.id); e.totals[c] == nil {
			e.totals[c] = make([]kernel.Count, len(runs))
			unknown = append(unknown, c)
		}
	}
	for some := range slices.Chunk(unknown, tile) {
		if err := e.countTotals(ctx, some, w, runs); err != nil {
			return err
		}
		for _, c := range some {
			c.margins.keep(w.id, e.totals[c])
		}
	}
	return nil
}

// countTotals counts entries run by run.
func (e *evaluator) countTotals(ctx context.Context, entries []*entry, w *entry, runs []run) error {
	e.room(len(entries))
	counts := make([]kernel.Count, len(entries))
	for i, r := range runs {
		clear(counts)
		for at := r.word; at < r.word+r.words; at += kernel.BlockWords {
			if err := ctx.Err(); err != nil {
				return err
			}
			n := min(kernel.BlockWords, r.word+r.words-at)
			e.cols = e.cols[:0]
			for j, c := range entries {
				words := c.col.words
				if c.col.list == nil {
					words = words[at:][:n:n]
				} else {
					words = e.slots[j*kernel.BlockWords:][:n:n]
					c.col.copyTo(words, at)
				}
				e.cols = append(e.cols, words)
			}
			e.rows = append(e.rows[:0], e.all[:n])
			e.kernel.Tile(&e.scratch, counts, len(counts), e.rows, e.cols, w.col.words[at:][:n], w.weights[64*at:][:64*n])
		}
		for j, c := range entries {
			e.totals[c][i] = counts[j]
		}
	}
	return nil
}
