package main

import (
	"context"
	"database/sql/driver"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/duckdb/duckdb-go/v2"
)

// given is the numbers that respondents gave to a question, by their answer to another.
type given struct {
	question, splitter string
	segments           []string
	numbers            []any // of each respondent: nil, or a float64
	answers            []any // likewise: nil, or a place in segments
}

// summaries are means of numbers by segments, with all that a summary tells, and medians beside them: by the ten
// answers to a question that everyone was asked, and by answers of which some were offered in some places only, so that
// a segment is counted in several strata. DuckDB is asked for means alone, and for medians of respondents, which it can
// have without a sum of weights.
func (b *bench) summaries(ctx context.Context) error {
	if !b.wanted("summary") {
		return nil
	}
	for _, by := range []struct{ question, name string }{
		{splitter, "means by %d segments"}, {"phone_brand", "means by %d ragged segments"},
	} {
		if err := b.summary(ctx, by.question, by.name); err != nil {
			return fmt.Errorf("%s: %w", by.question, err)
		}
	}
	return nil
}

// summary measures the summaries by one question; format names the case.
func (b *bench) summary(ctx context.Context, splitter, format string) error {
	g, err := b.given(ctx, "gaming_hours", splitter)
	if err != nil {
		return err
	}
	if err := b.duck.number(ctx, g); err != nil {
		return fmt.Errorf("DuckDB: %w", err)
	}
	for _, threads := range b.threads {
		if err := b.duck.use(ctx, threads); err != nil {
			return err
		}
		db, err := sqlite.Open(ctx, b.path, b.config(threads))
		if err != nil {
			return err
		}
		var ours, theirs []float64
		means := stats.SummaryRequest{Question: g.question, Splitter: g.splitter, Brief: true}
		medians := means
		medians.Quantiles = []float64{50}
		whole := stats.SummaryRequest{Question: g.question, Splitter: g.splitter}
		median := stats.SummaryRequest{Question: g.question, Splitter: g.splitter, Quantiles: []float64{50}}
		ms, err := b.rounds.sideBySide(summarise(ctx, db, means, &ours), summarise(ctx, db, median, nil),
			b.duck.summary(ctx, "sum(w * x) / sum(w)", &theirs), b.duck.summary(ctx, "quantile_disc(x, 0.5)", nil),
			summarise(ctx, db, whole, nil),
			b.duck.summary(ctx, "sum(w * x) / sum(w), sum(w * x * x), sum(w), sum(w::DOUBLE * w), count(*), min(x), "+
				"max(x)", nil), summarise(ctx, db, medians, nil))
		if err := db.Close(); err != nil {
			return err
		}
		if err != nil {
			return err
		}
		if !slices.EqualFunc(ours, theirs, func(x, y float64) bool { return near(x, y, 1e-9) }) {
			return fmt.Errorf("the means are %v, those of DuckDB %v", ours, theirs)
		}
		name := fmt.Sprintf(format, len(g.segments))
		b.report.beats(comparison{Case: name, Peer: "DuckDB, means", Respondents: b.n, Threads: threads, Ours: ms[0],
			Theirs: ms[2], Goal: 5})
		b.report.beats(comparison{Case: "whole summary", Peer: "DuckDB, its sums", Respondents: b.n, Threads: threads,
			Ours: ms[4], Theirs: ms[5], Goal: 1})
		b.report.beats(comparison{Case: name + ", median", Peer: "DuckDB, medians", Respondents: b.n, Threads: threads,
			Ours: ms[1], Theirs: ms[3], Goal: 1})
		b.report.within("medians <= 3x means", "means", b.n, threads, ms[6], ms[0], 3)
		b.report.within("with median <= 3x whole summary", "whole summary", b.n, threads, ms[1], ms[4], 3)
		if b.n == 1_000_000 {
			b.report.within("means <= 10 ms", "10 ms", b.n, threads, ms[0], unsure(10), 1)
		}
	}
	return nil
}

// summarise asks for a summary and keeps its means.
func summarise(ctx context.Context, db *sqlite.Store, request stats.SummaryRequest, means *[]float64) func() error {
	return func() error {
		result, err := stats.Summary(ctx, db, request)
		if err != nil || means == nil {
			return err
		}
		*means = nil
		for e := range result.Entries() {
			*means = append(*means, *e.Metrics.Mean)
		}
		return nil
	}
}

// given streams the survey once more for numbers and the answers they are split by.
func (b *bench) given(ctx context.Context, question, splitter string) (*given, error) {
	source := newSource(b.n)
	s, err := source.Describe(ctx)
	if err != nil {
		return nil, err
	}
	find := func(code string) int {
		return slices.IndexFunc(s.Questions, func(q audience.Question) bool { return q.Code == code })
	}
	number, split := find(question), find(splitter)
	g := &given{question: s.Questions[number].Key(), splitter: s.Questions[split].Key()}
	for _, d := range s.Questions[split].Datapoints {
		g.segments = append(g.segments, d.Code)
	}
	first := survey.NewLayout(s).Attribute(split, 0, 0)
	for batch, err := range source.Respondents(ctx) {
		if err != nil {
			return nil, err
		}
		for i := range batch.Respondents {
			r := &batch.Respondents[i]
			var x, answer any
			for _, n := range r.Numbers {
				if n.Question == number {
					x = n.Value.Float64()
				}
			}
			for _, a := range r.Attributes {
				if at := a - first; at >= 0 && int(at) < len(g.segments) {
					answer = uint8(at)
				}
			}
			g.numbers, g.answers = append(g.numbers, x), append(g.answers, answer)
		}
	}
	return g, nil
}

// number fills a table of numbers, segments and weights.
func (k *duck) number(ctx context.Context, g *given) error {
	if _, err := k.db.ExecContext(ctx, "CREATE OR REPLACE TABLE numbers (x DOUBLE, s UTINYINT, w BIGINT)"); err != nil {
		return err
	}
	return k.fill(ctx, "numbers", func(a *duckdb.Appender, r int) error {
		return a.AppendRow([]driver.Value{g.numbers[r], g.answers[r], k.data.weight[r]}...)
	})
}

// summary asks for an aggregate of the numbers of each segment, in their order.
func (k *duck) summary(ctx context.Context, aggregate string, values *[]float64) func() error {
	query := strings.Replace("SELECT s, AGGREGATE FROM numbers WHERE x IS NOT NULL AND s IS NOT NULL GROUP BY s "+
		"ORDER BY s", "AGGREGATE", aggregate, 1)
	return func() error {
		rows, err := k.db.QueryContext(ctx, query)
		if err != nil {
			return err
		}
		defer rows.Close()
		columns, err := rows.Columns()
		if err != nil {
			return err
		}
		var found []float64
		for rows.Next() {
			values := make([]float64, len(columns))
			to := make([]any, len(columns))
			for i := range values {
				to[i] = &values[i]
			}
			if err := rows.Scan(to...); err != nil {
				return err
			}
			found = append(found, values[1])
		}
		if values != nil {
			*values = found
		}
		return rows.Err()
	}
}
