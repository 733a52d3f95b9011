package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/sqlite"
)

const (
	inRow      = 4 // times that a number of threads is asked before the other
	worthwhile = 5 // milliseconds on one thread, from which on a second must pay
)

// twoThreads compares two threads with one, which take turns: what one of them takes now is no measure for what the
// other took a minute ago. They are asked some times in a row, of which the fastest counts, as a processor that had
// nothing to do is slow to wake.
func (b *bench) twoThreads(ctx context.Context) error {
	cases, err := b.forThreads(ctx)
	if err != nil {
		return err
	}
	cases = slices.DeleteFunc(cases, func(c threadCase) bool { return !b.wanted(c.name) })
	if len(cases) == 0 || !slices.Contains(b.threads, 2) {
		return nil
	}
	before := besideItself(kernel.Best(), 2)
	for _, c := range cases {
		if err := b.compareThreads(ctx, c); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if before > 0 { // again, as what a machine gives changes
		b.report.note("two threads add %.2f times what one does, in registers alone, and %.2f times after the cases of two "+
			"threads", before, besideItself(kernel.Best(), 2))
	}
	return nil
}

// threadCase is something to ask a store on one thread and on two.
type threadCase struct {
	name string
	ask  func(db *sqlite.Store) error
}

// forThreads are counts and what is made of them: crosstabs, summaries of numbers and a profile.
func (b *bench) forThreads(ctx context.Context) (cases []threadCase, err error) {
	add := func(name string, ask func(*sqlite.Store) error) {
		cases = append(cases, threadCase{"two threads: " + name, ask})
	}
	single, multi, large := b.shapes()
	sure := b.byFieldwork()
	for _, q := range []question{single, multi, large, b.expressions(), sure} {
		add(q.name, func(db *sqlite.Store) error { return counted(ctx, db, q) })
	}
	withRest := &estimate.Options{Compare: []estimate.Compare{estimate.Rest}}
	add(sure.name+", cells", func(db *sqlite.Store) error {
		return crossed(ctx, db, sure, withRest, new([]crosstab.Cell))()
	})
	s, err := newSource(b.n).Describe(ctx)
	if err != nil {
		return nil, err
	}
	keys := map[string]string{}
	for _, q := range s.Questions {
		keys[q.Code] = q.Key()
	}
	for _, by := range []string{splitter, "phone_brand"} {
		whole := stats.SummaryRequest{Question: keys["gaming_hours"], Splitter: keys[by]}
		add("summary by "+by, func(db *sqlite.Store) error { return summarise(ctx, db, whole, nil)() })
	}
	profile := stats.ProfileQuery{Audience: audiences(single.columns[:1])[0]}
	add("profile", func(db *sqlite.Store) error {
		_, err := stats.Profile(ctx, db, profile)
		return err
	})
	return cases, nil
}

// compareThreads measures a case.
func (b *bench) compareThreads(ctx context.Context, c threadCase) (err error) {
	var dbs [2]*sqlite.Store // with one thread, with two
	for i := range dbs {
		if dbs[i], err = sqlite.Open(ctx, b.path, b.config(i+1)); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, dbs[i].Close()) }()
	}
	ts, err := b.rounds.repeat(len(dbs), func(took []time.Duration) error {
		for i, db := range dbs {
			took[i] = 0
			for range inRow {
				begun := time.Now()
				if err := c.ask(db); err != nil {
					return err
				}
				if t := time.Since(begun); took[i] == 0 || t < took[i] {
					took[i] = t
				}
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	goal := 0.0
	if ts[0].ms > worthwhile {
		goal = 1.8
	}
	b.report.beats(comparison{Case: c.name, Peer: "one thread", Respondents: b.n, Threads: 2, Ours: ts[1], Theirs: ts[0],
		Goal: goal})
	return nil
}

// counted counts the cells of a question.
func counted(ctx context.Context, db *sqlite.Store, q question) error {
	f, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	_, err = db.Count(ctx, f.Version, []audience.Query{q.query(f)})
	return err
}
