// Command profile reads a survey file of SPSS and prints what sets those who gave an answer apart from all others, the
// most certain first, with a bar for each index.
//
//	go run ./examples/profile examples/profile/survey.sav age a16
package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func main() {
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: profile FILE.sav QUESTION ANSWER (of a question of the file, by their codes)")
		os.Exit(2)
	}
	if err := run(context.Background(), os.Args[1], os.Args[2], os.Args[3], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, path, question, answer string, out io.Writer) error {
	// A store is one file; this one is gone when the program ends.
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	if err := read(ctx, path, db); err != nil {
		return err
	}
	who := audience.Answers{Question: question, Datapoints: []string{answer}}
	result, err := stats.Profile(ctx, db, stats.ProfileQuery{Audience: audience.Audience{Expr: who}})
	if err != nil {
		return err
	}
	frame, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s: of %d answers that were tested, %d set them apart\n\n", audience.Describe(who, frame),
		result.Tested, result.Standing)
	fmt.Fprintf(out, "%-29s%9s%9s%8s%11s  %s\n", "", "of them", "of rest", "index", "p", "index: 25 to 400")
	for e := range result.Entries() {
		if e.Stands && e.Question != question {
			printLine(out, frame, &e)
		}
	}
	fmt.Fprintln(out, "\np is corrected: of 100 answers that are listed, 5 may be expected to be so by chance.")
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

// printLine prints an answer: its shares, its index and the bar of it.
func printLine(out io.Writer, f *audience.Frame, e *stats.ProfileEntry) {
	i := f.QuestionIn(e.Namespace, e.Question)
	q := &f.Questions[i]
	d := &q.Datapoints[f.Datapoint(i, e.Datapoint)]
	name := cmp.Or(d.Name, d.Code)
	if e.Grid {
		s := &q.Suffixes[q.Suffix(e.Suffix)]
		name += ": " + cmp.Or(s.Name, fmt.Sprint(s.Code))
	}
	line := fmt.Sprintf("%-29s%7.1f %%%7.1f %%%8.0f%11.1g  %s", name, e.Metrics.AudiencePercentage, e.RestPercentage,
		e.Metrics.AudienceIndex, e.AdjustedP, bar(e.Metrics.AudienceIndex))
	fmt.Fprintln(out, strings.TrimRight(line, " "))
}

// half is how long a bar is at the most, to either side of 100.
const half = 12

// bar draws an index from 100 on, to the right or to the left, on a scale on which 50 is as far from 100 as 200.
func bar(index float64) string {
	length := half * math.Log2(max(index, 1)/100) / 2 // at 25 and 400 it is whole
	n := min(half, int(math.Round(math.Abs(length))))
	left, right := strings.Repeat(" ", half), ""
	if index < 100 {
		left = strings.Repeat(" ", half-n) + strings.Repeat("█", n)
	} else {
		right = strings.Repeat("█", n)
	}
	return left + "│" + right
}
