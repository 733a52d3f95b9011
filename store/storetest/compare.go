package storetest

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// formed rewrites an expression into the form that engines are promised: questions with their namespace, datapoints
// listed, each once, Min at least 1, no Cut.
func formed(f *audience.Frame, x audience.Expr) audience.Expr {
	all := func(parts []audience.Expr) []audience.Expr {
		var out []audience.Expr
		for _, p := range parts {
			out = append(out, formed(f, p))
		}
		return out
	}
	switch x := x.(type) {
	case audience.And:
		return audience.And(all(x))
	case audience.Cut:
		return audience.And(all(x))
	case audience.Or:
		return audience.Or(all(x))
	case audience.Not:
		return audience.Not{X: formed(f, x.X)}
	case audience.Waves:
		x.Min = max(1, x.Min)
		return x
	case audience.Locations:
		x.Min = max(1, x.Min)
		return x
	case audience.Answers:
		q := question(f, x)
		return audience.Answers{Question: q.Key(), Datapoints: listed(q, x), Suffixes: x.Suffixes, Min: least(x),
			Path: x.Path}
	}
	return x
}

// compareCounts asks both stores the same, each about what it holds now, and compares the answers.
func compareCounts(ctx context.Context, engine, reference audience.Store, qs []audience.Query) error {
	want, err := ask(ctx, reference, qs)
	if err != nil {
		return fmt.Errorf("the reference: %w", err)
	}
	got, err := ask(ctx, engine, qs)
	if err != nil {
		return err
	}
	return compareTables(got, want)
}

func ask(ctx context.Context, st audience.Store, qs []audience.Query) ([][]*audience.Table, error) {
	f, err := st.Frame(ctx)
	if err != nil {
		return nil, fmt.Errorf("Frame: %w", err)
	}
	tables, err := st.Count(ctx, f.Version, qs)
	if err != nil {
		return nil, fmt.Errorf("Count: %w", err)
	}
	return tables, nil
}

func compareTables(got, want [][]*audience.Table) error {
	if len(got) != len(want) {
		return fmt.Errorf("Count answered %d queries of %d", len(got), len(want))
	}
	for q := range want {
		if len(got[q]) != len(want[q]) {
			return fmt.Errorf("query %d: Count answered %d strata of %d", q, len(got[q]), len(want[q]))
		}
		for s, w := range want[q] {
			g := got[q][s]
			if g == nil || g.Rows != w.Rows || g.Columns != w.Columns || len(g.Counts) != len(w.Counts) {
				return fmt.Errorf("query %d, stratum %d: the table is no table of %d × %d cells", q, s, w.Rows+1, w.Columns+1)
			}
			for i, c := range w.Counts {
				if g.Counts[i] != c {
					return fmt.Errorf("query %d, stratum %d, row %d, column %d: the count is %+v instead of %+v", q, s,
						i/(w.Columns+1), i%(w.Columns+1), g.Counts[i], c)
				}
			}
		}
	}
	return nil
}

// sameFrames compares what both stores say is there.
func sameFrames(ctx context.Context, engine, reference audience.Store) error {
	want, err := reference.Frame(ctx)
	if err != nil {
		return err
	}
	got, err := engine.Frame(ctx)
	if err != nil {
		return err
	}
	return diffFrames(got, want)
}

// diffFrames tells how what a store says is there differs from what was published, the version aside.
func diffFrames(got, want *audience.Frame) error {
	if !slices.Equal(got.Waves, want.Waves) {
		return fmt.Errorf("the frame has waves %+v instead of %+v", got.Waves, want.Waves)
	}
	if !slices.Equal(got.Locations, want.Locations) {
		return fmt.Errorf("the frame has locations %+v instead of %+v", got.Locations, want.Locations)
	}
	if len(got.Namespaces) != len(want.Namespaces) || len(got.Questions) != len(want.Questions) {
		return fmt.Errorf("the frame has %d namespaces and %d questions instead of %d and %d", len(got.Namespaces),
			len(got.Questions), len(want.Namespaces), len(want.Questions))
	}
	for i, w := range want.Namespaces {
		g := got.Namespaces[i]
		if !g.Fielded.Equal(w.Fielded) {
			return fmt.Errorf("namespace %s was fielded %s instead of %s", w.Code, coverText(got, g.Fielded),
				coverText(want, w.Fielded))
		}
		g.Fielded, w.Fielded = nil, nil
		if fmt.Sprintf("%+v", g) != fmt.Sprintf("%+v", w) {
			return fmt.Errorf("the frame has namespace %+v instead of %+v", g, w)
		}
	}
	for i := range want.Questions {
		if err := diffQuestions(got, want, i); err != nil {
			return err
		}
	}
	return nil
}

func diffQuestions(got, want *audience.Frame, i int) error {
	g, w := got.Questions[i], want.Questions[i]
	if g.Key() != w.Key() || g.Name != w.Name || g.Hidden != w.Hidden || !slices.Equal(g.Suffixes, w.Suffixes) ||
		len(g.Datapoints) != len(w.Datapoints) {
		return fmt.Errorf("the frame has question %+v instead of %+v", g, w)
	}
	for j, d := range w.Datapoints {
		e := g.Datapoints[j]
		if e.Code != d.Code || e.Name != d.Name || e.Hidden != d.Hidden {
			return fmt.Errorf("question %s has datapoint %+v instead of %+v", w.Key(), e, d)
		}
		if !e.Asked.Equal(d.Asked) {
			return fmt.Errorf("%s:%s was asked %s instead of %s", w.Key(), d.Code, coverText(got, e.Asked),
				coverText(want, d.Asked))
		}
	}
	return nil
}

// compareCells compares the figures of a crosstab with the oracle's, bit for bit.
func compareCells(tab *audience.Crosstab, want [][]audience.Cell) error {
	for i := range want {
		for j := range want[i] {
			at, to := i+1, j+1
			if len(tab.Spec.Rows) == 0 {
				at = 0
			}
			if len(tab.Spec.Columns) == 0 {
				to = 0
			}
			if err := compareCell(tab.Frame, tab.Cell(at, to), want[i][j]); err != nil {
				return fmt.Errorf("cell %d %d: %w", at, to, err)
			}
		}
	}
	return nil
}

func compareCell(f *audience.Frame, got, want audience.Cell) error {
	if got.Namespace != want.Namespace {
		return fmt.Errorf("it is counted in namespace %q instead of %q", got.Namespace, want.Namespace)
	}
	if !got.Cover.Equal(want.Cover) {
		return fmt.Errorf("it covers %s instead of %s", coverText(f, got.Cover), coverText(f, want.Cover))
	}
	for _, part := range []struct {
		name      string
		got, want audience.Figure
	}{{"base", got.Base, want.Base}, {"row", got.Row, want.Row}, {"column", got.Column, want.Column},
		{"both", got.Both, want.Both}} {
		if part.got.Sample != part.want.Sample || math.Float64bits(part.got.Size) != math.Float64bits(part.want.Size) {
			return fmt.Errorf("%s is %d %v instead of %d %v", part.name, part.got.Sample, part.got.Size,
				part.want.Sample, part.want.Size)
		}
	}
	return nil
}
