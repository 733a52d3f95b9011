// Command embed uses Crosswave as a library: it imports a CSV file with its codebook, builds audiences as Go values and
// prints a crosstab. No server, no key.
package main

import (
	"context"
	_ "embed"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

//go:embed survey.csv
var data string

//go:embed codebook.json
var codebook []byte

func main() {
	if err := run(context.Background(), os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out io.Writer) error {
	// A store is one file; this one is gone when the program ends.
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()

	book, err := survey.ReadCodebook(codebook)
	if err != nil {
		return err
	}
	table, err := csv.New(strings.NewReader(data), csv.Options{})
	if err != nil {
		return err
	}
	source, err := survey.NewSource(table, book, 0)
	if err != nil {
		return err
	}
	if _, err := survey.Import(ctx, source, db, survey.Options{}); err != nil {
		return err
	}

	// Audiences are plain values.
	women := audience.Answers{Question: "gender", Datapoints: []string{"f"}}
	young := audience.Answers{Question: "age", Datapoints: []string{"young"}}
	tea := audience.Answers{Question: "bought", Datapoints: []string{"tea"}}
	two := audience.Answers{Question: "bought", Min: 2} // at least two drinks, whichever

	result, err := crosstab.Run(ctx, db, crosstab.Request{
		Rows: []audience.Audience{{ID: "tea", Expr: tea}, {ID: "two drinks", Expr: two},
			{ID: "no tea", Expr: audience.Not{X: tea}}},
		Columns: []audience.Audience{{ID: "women", Expr: women}, {ID: "young women", Expr: audience.And{women, young}}},
	})
	if err != nil {
		return err
	}
	for c := range result.Cells() {
		fmt.Fprintf(out, "%-10s × %-11s  %7.1f people (%d respondents)  %5.1f %% of the column  index %5.1f\n",
			c.Row.Audience, c.Column.Audience, c.Intersect.Size, c.Intersect.Sample, c.Row.IntersectPercentage,
			c.Intersect.Index)
	}
	return nil
}
