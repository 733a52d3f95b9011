package main

import (
	"context"
	"fmt"
	"math"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/sqlite"
)

// statistics is a crosstab with intervals and each column against the rest, beside the same crosstab without them, and
// beside DuckDB, which sums weights and their squares by cell and fieldwork and forms no interval.
func (b *bench) statistics(ctx context.Context) error {
	q := b.byFieldwork()
	if !b.wanted(q.name) {
		return nil
	}
	moments := b.duck.moments(20)
	for _, threads := range b.threads {
		plain, sure, err := b.crosstabs(ctx, q, threads)
		if err != nil {
			return fmt.Errorf("%s: %w", q.name, err)
		}
		b.report.within(q.name+" <= 3x plain", "plain crosstab", b.n, threads, sure, plain, 3)
		ms, err := b.time(ctx, q, moments, threads)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", q.name, moments.name, err)
		}
		b.report.beats(comparison{Case: q.name, Peer: moments.name, Respondents: b.n, Threads: threads, Ours: sure,
			Theirs: ms, Goal: moments.goal})
	}
	return nil
}

// byFieldwork is what statistics are formed of: weights and their squares, by cell and fieldwork.
func (b *bench) byFieldwork() question {
	q := b.cross("statistics 50x50", []int{0}, []int{3}, 50)
	q.strata, q.stratum, q.squares = b.data.byFieldwork, b.data.fieldwork, true
	return q
}

// crosstabs times a crosstab without and with statistics, all cells formed. What was counted for it is checked against
// the plain loops, and so are the standard errors of its sizes.
func (b *bench) crosstabs(ctx context.Context, q question, threads int) (plain, sure timing, err error) {
	db, err := sqlite.Open(ctx, b.path, b.config(threads))
	if err != nil {
		return timing{}, timing{}, err
	}
	defer db.Close()
	if _, err := b.asked(ctx, db, q, rounds{least: 1, longest: 1}); err != nil {
		return timing{}, timing{}, err
	}
	// The plain crosstab is a count of few cells, for more of which a store keeps a processor free for a while: one and
	// the same store would count the other on one thread less.
	other, err := sqlite.Open(ctx, b.path, b.config(threads))
	if err != nil {
		return timing{}, timing{}, err
	}
	defer other.Close()
	var cells []crosstab.Cell
	withRest := &estimate.Options{Compare: []estimate.Compare{estimate.Rest}}
	ms, err := b.rounds.sideBySide(crossed(ctx, db, q, nil, &cells), crossed(ctx, other, q, withRest, &cells))
	if err != nil {
		return timing{}, timing{}, err
	}
	return ms[0], ms[1], b.checkErrors(q, cells)
}

// crossed runs the crosstab of a question and forms all its cells.
func crossed(ctx context.Context, db *sqlite.Store, q question, o *estimate.Options,
	cells *[]crosstab.Cell) func() error {
	request := crosstab.Request{LastWaves: crosstab.AllWaves, Rows: audiences(q.rows), Columns: audiences(q.columns),
		Statistics: o}
	return func() error {
		result, err := crosstab.Run(ctx, db, request)
		if err != nil {
			return err
		}
		*cells = (*cells)[:0]
		for c := range result.Cells() {
			*cells = append(*cells, c)
		}
		return nil
	}
}

func audiences(xs []audience.Expr) (as []audience.Audience) {
	for i, x := range xs {
		as = append(as, audience.Audience{ID: fmt.Sprint(i + 1), Expr: x})
	}
	return as
}

// checkErrors compares the standard errors of sizes with those from the plain loops, and finds out whether the cells
// cover all of the fieldwork: otherwise the others were asked for something else.
func (b *bench) checkErrors(q question, cells []crosstab.Cell) error {
	d, counts := b.data, b.loops(q)
	respondents := make([]float64, len(q.strata))
	for _, h := range d.fieldwork {
		respondents[h]++
	}
	for _, c := range cells {
		at := fmt.Sprintf("row %d, column %d", c.RowIndex, c.ColumnIndex)
		if !c.Cover.Equal(d.cover) {
			return fmt.Errorf("%s does not cover all of the fieldwork", at)
		}
		variance := 0.0
		first := ((c.RowIndex-1)*len(q.columns) + c.ColumnIndex - 1) * len(q.strata)
		for h, n := range respondents {
			if m := counts[first+h]; n > 1 {
				weight, squares := float64(m.weight), float64(m.squares.High)*0x1p64+float64(m.squares.Low)
				variance += d.factors[h] * d.factors[h] * n / (n - 1) * (squares - weight*weight/n)
			}
		}
		got := c.Statistics
		switch {
		case got == nil || got.Intersect.Size == nil || got.Row.IntersectPercentage == nil || got.Rest == nil:
			return fmt.Errorf("%s has no statistics", at)
		case !near(got.Intersect.Size.StandardError, math.Sqrt(variance), 1e-9):
			return fmt.Errorf("%s: the standard error of the size is %v, want %v", at, got.Intersect.Size.StandardError,
				math.Sqrt(variance))
		}
	}
	return nil
}

// near tells whether two numbers are the same but for a small part of theirs.
func near(x, y, part float64) bool { return math.Abs(x-y) <= part*max(math.Abs(x), math.Abs(y)) }
