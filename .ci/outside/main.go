// Command outside uses Crosswave as a program of somebody else's does: it is a module of its own, so it compiles only
// if all it needs is public. It imports respondents that no file holds, asks a store that it wrote itself, and serves
// HTTP behind keys of its own, from one store and from four. It prints what it found and ends with status 1 if any of
// it is wrong.
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	report, err := survey.Import(ctx, panel{people()}, db, survey.Options{})
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "imported %d respondents from Go, version %d\n", report.Respondents, report.Version)
	imported, err := ask(ctx, db)
	if err != nil {
		return err
	}
	if err := check(imported); err != nil {
		return err
	}
	for _, c := range imported {
		fmt.Fprintf(out, "%-7s  %3d of %4d respondents  %5.1f of %6.1f people  %4.1f %%  index %5.1f  (%s)\n",
			c.Row.Audience, c.Intersect.Sample, c.Base.Sample, c.Intersect.Size, c.Base.Size, c.Intersect.Percentage,
			c.Intersect.Index, c.Namespace)
	}
	own, err := newTally(people())
	if err != nil {
		return err
	}
	counted, err := ask(ctx, own)
	if err != nil {
		return err
	}
	if err := check(counted); err != nil {
		return fmt.Errorf("a store of our own: %w", err)
	}
	fmt.Fprintf(out, "a store of our own gives the same %d cells\n", len(counted))
	if err := serve(ctx, db, out); err != nil {
		return err
	}
	return serveFour(ctx, db, own, out)
}

// ask crosses each datapoint of two questions, and those who answered none of the second, with tea drinkers, over all
// waves.
func ask(ctx context.Context, st audience.Store) ([]crosstab.Cell, error) {
	f, err := st.Frame(ctx)
	if err != nil {
		return nil, err
	}
	var rows []audience.Audience
	for _, code := range []string{"brand", "visit"} {
		i, err := f.Question(code)
		if err != nil || i < 0 {
			return nil, fmt.Errorf("question %s is %d of the frame: %w", code, i, err)
		}
		rows = append(rows, f.PerDatapoint(i)...)
	}
	neither := &audience.Not{X: &audience.Answers{Question: "shop.visit"}} // pointers are taken, too
	rows = append(rows, audience.Audience{ID: "neither", Expr: neither})
	tea := audience.Audience{ID: "tea", Expr: audience.Answers{Question: "tea", Datapoints: []string{"yes"}}}
	table, err := crosstab.Run(ctx, st, crosstab.Request{Rows: rows, Columns: []audience.Audience{tea},
		LastWaves: crosstab.AllWaves})
	if err != nil {
		return nil, err
	}
	var cells []crosstab.Cell
	for c := range table.Cells() {
		cells = append(cells, c)
	}
	return cells, nil
}
