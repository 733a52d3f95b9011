// Command significance reads a survey file of SPSS and prints a table as market researchers read it: shares of each
// column, with the letters of the columns that they are significantly above.
//
//	go run ./examples/significance examples/significance/survey.sav brands age
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: significance FILE.sav ROWS COLUMNS (two questions of the file, by their codes)")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path, rows, columns string, out io.Writer) error {
	// A store is one file; this one is gone when the program ends.
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := read(ctx, path, db); err != nil {
		return err
	}

	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	r := crosstab.Request{LastWaves: crosstab.AllWaves, Statistics: &estimate.Options{
		Level:      95,
		Compare:    []estimate.Compare{estimate.Columns},
		Correction: estimate.Holm,
	}}
	title := ""
	if title, r.Rows, err = answers(frame, rows); err != nil {
		return err
	}
	by := ""
	if by, r.Columns, err = answers(frame, columns); err != nil {
		return err
	}
	result, err := crosstab.Run(ctx, db, r)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s, by %s\n\n", title, by)
	print(out, r, result)
	return nil
}

// read imports a file by the codebook that it brings along, as one that was exported does, else by one that is guessed.
func read(ctx context.Context, path string, db *sqlite.Store) error {
	file, err := formats.Open(path, formats.Options{})
	if err != nil {
		return err
	}
	defer file.Close()
	book := file.Codebook
	if book == nil {
		guessed, err := file.Guess(ctx, guess.Options{})
		if err != nil {
			return err
		}
		book = guessed.Codebook
	}
	source, err := file.Source(book)
	if err != nil {
		return err
	}
	_, err = survey.Import(ctx, source, db, survey.Options{})
	return err
}

// answers are the name of a question and its audiences: those who gave each of its answers.
func answers(f *audience.Frame, code string) (name string, as []audience.Audience, err error) {
	i, err := f.Question(code)
	if err != nil {
		return "", nil, err
	}
	if i < 0 {
		return "", nil, fmt.Errorf("the file has no question %q", code)
	}
	for _, d := range f.Questions[i].Datapoints {
		as = append(as, audience.Audience{ID: d.Code, Name: d.Name,
			Expr: audience.Answers{Question: f.Questions[i].Key(), Datapoints: []string{d.Code}}})
	}
	return f.Questions[i].Name, as, nil
}

// print prints the table. Column i of the request has ColumnIndex i+1, and so is it named by its letter.
func print(out io.Writer, r crosstab.Request, result *crosstab.Result) {
	var names, letters, samples, effective []string
	lines := make([][]string, len(r.Rows))
	for c := range result.Cells() {
		lines[c.RowIndex-1] = append(lines[c.RowIndex-1], share(&c))
		if c.RowIndex == 1 {
			names = append(names, r.Columns[c.ColumnIndex-1].Name)
			letters = append(letters, letter(c.ColumnIndex))
			samples = append(samples, fmt.Sprint(c.Column.Sample))
			effective = append(effective, fmt.Sprintf("%.0f", c.Statistics.Column.EffectiveSample))
		}
	}
	printLine(out, "", names)
	printLine(out, "", letters)
	printLine(out, "Respondents", samples)
	printLine(out, "Effective sample", effective)
	fmt.Fprintln(out)
	for i, line := range lines {
		printLine(out, r.Rows[i].Name, line)
	}
	fmt.Fprintf(out, "\nPercent of each column. A letter: significantly above that column at %v %% (Holm).\n",
		r.Statistics.Level)
	fmt.Fprintln(out, "*: fewer than 100 respondents in the column; **: fewer than 30, not compared.")
}

func printLine(out io.Writer, name string, cells []string) {
	line := fmt.Sprintf("%-18s", name)
	for _, c := range cells {
		line += fmt.Sprintf("%14s", c)
	}
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}

// share is the share of the column that is in the row, the letters of the columns that it is above, and the mark of a
// small base.
func share(c *crosstab.Cell) string {
	text := fmt.Sprintf("%.1f", c.Row.IntersectPercentage)
	for _, j := range c.Statistics.Columns.HigherThan {
		text += " " + letter(j)
	}
	switch i := c.Statistics.Row.IntersectPercentage; {
	case i == nil || i.Quality == estimate.Withhold:
		text += "**"
	case i.Quality == estimate.Caution:
		text += "*"
	}
	return text
}

// letter names a column, of which there are few.
func letter(index int) string { return string(rune('A' + index - 1)) }
