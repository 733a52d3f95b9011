package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/sqlite"
)

// surveyR is the script that forms a table with R's survey package.
//
//go:embed survey.R
var surveyR string

// besideR is a table of a small survey with intervals, beside R's survey package, which has one thread and of which the
// time of the processor is taken. The survey has a size of its own, and R forms its table at the smallest size only.
func (b *bench) besideR(ctx context.Context) error {
	const name, peer, rows, columns = "statistics 20x10", "R, survey package", 20, 10
	if !b.smallest || !b.wanted(name) {
		return nil
	}
	if out, err := exec.CommandContext(ctx, "Rscript", "-e", "library(survey)").CombinedOutput(); err != nil {
		b.report.note("%s is left out: R with its package survey is not here: %v %s", name, err,
			bytes.TrimSpace(out[:min(200, len(out))]))
		return nil
	}
	dir := filepath.Dir(b.path)
	small := &bench{report: b.report, rounds: b.rounds, kernel: b.kernel, n: 20_000, path: filepath.Join(dir, "small.db")}
	if err := small.prepare(ctx); err != nil {
		return err
	}
	q := small.cross(name, []int{0}, []int{3}, columns)
	q.rows = q.rows[:rows]
	table := filepath.Join(dir, "table.csv")
	if err := small.writeTable(table, q); err != nil {
		return err
	}
	theirs, peerMS, err := small.askR(ctx, table)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", name, peer, err)
	}
	for _, threads := range b.threads {
		ours, ms, err := small.withIntervals(ctx, q, threads)
		if err != nil {
			return err
		}
		if err := sameFigures(ours, theirs); err != nil {
			return fmt.Errorf("%s: %s: %w", name, peer, err)
		}
		b.report.beats(comparison{Case: name, Peer: peer, Respondents: small.n, Threads: threads, Ours: ms,
			Theirs: peerMS, Goal: 200})
	}
	return nil
}

// writeTable writes a line a respondent: fieldwork, weight in people, and whether in each row and each column.
func (b *bench) writeTable(path string, q question) error {
	var out bytes.Buffer
	out.WriteString("fieldwork,weight")
	for i := range q.rows {
		fmt.Fprintf(&out, ",r%d", i+1)
	}
	for j := range q.columns {
		fmt.Fprintf(&out, ",c%d", j+1)
	}
	for r := range b.n {
		h := b.data.fieldwork[r]
		fmt.Fprintf(&out, "\n%d,%v", h, float64(b.data.weight[r])*b.data.factors[h])
		for _, side := range []struct {
			row bool
			n   int
		}{{true, len(q.rows)}, {false, len(q.columns)}} {
			for i := range side.n {
				in := ",0"
				if q.member(side.row, i, r) {
					in = ",1"
				}
				out.WriteString(in)
			}
		}
	}
	out.WriteByte('\n')
	return os.WriteFile(path, out.Bytes(), 0o600)
}

// figureAt says which figure of which row and column; 0: of the other axis alone.
type figureAt struct {
	figure      string
	row, column int
}

// sureFigure is a figure with its standard error and the ends of its interval.
type sureFigure [4]float64

// askR has R form all figures of a table, and returns them with what it took within R, starting and
// reading apart.
func (b *bench) askR(ctx context.Context, table string) (map[figureAt]sureFigure, timing, error) {
	script := filepath.Join(filepath.Dir(b.path), "survey.R")
	if err := os.WriteFile(script, []byte(surveyR), 0o600); err != nil {
		return nil, timing{}, err
	}
	var complaints strings.Builder
	command := exec.CommandContext(ctx, "Rscript", script, table, strconv.Itoa(max(1, b.rounds.least/2)))
	command.Stderr = &complaints
	out, err := command.Output()
	if err != nil {
		return nil, timing{}, fmt.Errorf("%w: %s", err, complaints.String())
	}
	figures, ms := map[figureAt]sureFigure{}, 0.0
	for r := csv.NewReader(bytes.NewReader(out)); ; {
		record, err := r.Read()
		if err == io.EOF {
			return figures, unsure(ms), nil
		}
		if err != nil {
			return nil, timing{}, err
		}
		var numbers [6]float64
		if len(record) != len(numbers)+1 {
			return nil, timing{}, fmt.Errorf("a line of %d fields: %q", len(record), record)
		}
		for i := range numbers {
			if numbers[i], err = strconv.ParseFloat(record[i+1], 64); err != nil {
				return nil, timing{}, err
			}
		}
		if record[0] == "seconds" {
			ms = 1000 * numbers[2]
			continue
		}
		figures[figureAt{record[0], int(numbers[0]), int(numbers[1])}] = sureFigure(numbers[2:])
	}
}

// withIntervals times a crosstab with intervals, all cells formed, and returns its figures.
func (b *bench) withIntervals(ctx context.Context, q question, threads int) (map[figureAt]sureFigure, timing, error) {
	db, err := sqlite.Open(ctx, b.path, b.config(threads))
	if err != nil {
		return nil, timing{}, err
	}
	defer db.Close()
	var cells []crosstab.Cell
	ms, err := b.rounds.fastest(crossed(ctx, db, q, &estimate.Options{}, &cells))
	if err != nil {
		return nil, timing{}, err
	}
	out := map[figureAt]sureFigure{}
	for _, c := range cells {
		i, j, s := c.RowIndex, c.ColumnIndex, c.Statistics
		enter := func(figure string, row, column int, x float64, sure *estimate.Interval) {
			f := sureFigure{x, math.NaN(), math.NaN(), math.NaN()}
			if sure != nil {
				f = sureFigure{x, sure.StandardError, sure.Low, sure.High}
			}
			out[figureAt{figure, row, column}] = f
		}
		enter("percentage", i, 0, c.Row.Percentage, s.Row.Percentage)
		enter("percentage", 0, j, c.Column.Percentage, s.Column.Percentage)
		enter("percentage", i, j, c.Intersect.Percentage, s.Intersect.Percentage)
		enter("of column", i, j, c.Row.IntersectPercentage, s.Row.IntersectPercentage)
		enter("of row", i, j, c.Column.IntersectPercentage, s.Column.IntersectPercentage)
		enter("size", i, j, c.Intersect.Size, s.Intersect.Size)
		enter("index", i, j, c.Intersect.Index, s.Intersect.Index)
	}
	return out, ms, nil
}

// sameFigures is an error where R has other figures: other standard errors by a part in 10^9, or ends of intervals by
// one in 10^7.
func sameFigures(ours, theirs map[figureAt]sureFigure) error {
	if len(ours) != len(theirs) {
		return fmt.Errorf("it gives %d figures, want %d", len(theirs), len(ours))
	}
	for at, want := range ours {
		got := theirs[at]
		for i, part := range []float64{1e-9, 1e-9, 1e-7, 1e-7} {
			if !near(got[i], want[i], part) {
				return fmt.Errorf("it gives %v for %+v, want %v", got, at, want)
			}
		}
	}
	return nil
}
