package storetest

import (
	"context"
	"encoding/json"
	"errors"
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
		_, q := question(f, x)
		return audience.Answers{Question: q.Key(), Datapoints: listed(q, x), Suffixes: x.Suffixes, Min: least(x),
			Path: x.Path}
	}
	return x
}

// question is the question of a leaf. Leaves come checked; one that names no question is a fault of the test.
func question(f *audience.Frame, leaf audience.Answers) (int, *audience.Question) {
	i, err := f.Question(leaf.Question)
	if err != nil || i < 0 {
		panic(fmt.Sprintf("storetest: question %q: %v", leaf.Question, err))
	}
	return i, &f.Questions[i]
}

// listed is the leaf's datapoints, each once; all of the question's if none is listed.
func listed(q *audience.Question, leaf audience.Answers) []string {
	var codes []string
	for _, code := range leaf.Datapoints {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	if len(leaf.Datapoints) == 0 {
		for _, d := range q.Datapoints {
			codes = append(codes, d.Code)
		}
	}
	return codes
}

// least is how many datapoints must be positive.
func least(leaf audience.Answers) int { return max(1, leaf.Min) }

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
		return nil, fmt.Errorf("its Frame: %w", err)
	}
	tables, err := st.Count(ctx, f.Version, qs)
	if err != nil {
		return nil, fmt.Errorf("its Count: %w", err)
	}
	return tables, nil
}

func compareTables(got, want [][]*audience.Table) error {
	if len(got) != len(want) {
		return fmt.Errorf("its Count answered %d queries of %d", len(got), len(want))
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
			if err := compareSquares(g, w); err != nil {
				return fmt.Errorf("query %d, stratum %d: %w", q, s, err)
			}
		}
	}
	return nil
}

// compareSquares compares what two tables of the same shape have beside counts.
func compareSquares(got, want *audience.Table) error {
	switch {
	case want.Squares == nil && got.Squares != nil:
		return errors.New("the table has squares, which Query.Measures does not ask for")
	case len(got.Squares) != len(want.Squares):
		return fmt.Errorf("the table has squares of %d cells instead of %d: Query.Measures asks for them, and "+
			"Query.NewTable makes a table with room for them", len(got.Squares), len(want.Squares))
	}
	for i, x := range want.Squares {
		if got.Squares[i] != x {
			return fmt.Errorf("row %d, column %d: the sum of squared weights is %d instead of %d", i/(want.Columns+1),
				i%(want.Columns+1), integer(got.Squares[i]), integer(x))
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
	if diff := diffRecords(got.Survey, want.Survey); diff != nil {
		return diff
	}
	for i, n := range want.Namespaces {
		if g, w := got.Fielded(i), want.Fielded(i); !g.Equal(w) {
			return fmt.Errorf("namespace %s was fielded %s instead of %s", n.Code, coverText(got, g), coverText(want, w))
		}
		if g, w := got.Decimals(i), want.Decimals(i); g != w {
			return fmt.Errorf("weights of namespace %s are in units of 10^%d instead of 10^%d people", n.Code, -g, -w)
		}
		if got.HidesNamespace(i) != want.HidesNamespace(i) {
			return fmt.Errorf("namespace %s is hidden or not", n.Code)
		}
	}
	for i := range want.Questions {
		g, w := got.Numbers(i), want.Numbers(i)
		if g.Decimals != w.Decimals || g.Bits != w.Bits || !g.Asked.Equal(w.Asked) {
			return fmt.Errorf("numbers of question %s are kept in %d bits of 10^%d, of %s, instead of %d bits of 10^%d, of %s",
				want.Questions[i].Key(), g.Bits, -g.Decimals, coverText(got, g.Asked), w.Bits, -w.Decimals,
				coverText(want, w.Asked))
		}
		if known := g.Least != 0 || g.Greatest != 0; known && (g.Least != w.Least || g.Greatest != w.Greatest) {
			return fmt.Errorf("numbers of question %s are from %d to %d instead of from %d to %d", want.Questions[i].Key(),
				g.Least, g.Greatest, w.Least, w.Greatest)
		}
		if err := diffCoverage(got, want, i); err != nil {
			return err
		}
	}
	return nil
}

// diffRecords tells how the survey of a store differs from the one that was published, as both are written.
func diffRecords(got, want *audience.Survey) error {
	g, err := json.Marshal(got)
	if err != nil {
		return err
	}
	w, err := json.Marshal(want)
	if err != nil {
		return err
	}
	if string(g) != string(w) {
		return fmt.Errorf("the frame has the survey %s instead of %s", g, w)
	}
	return nil
}

func diffCoverage(got, want *audience.Frame, i int) error {
	q := &want.Questions[i]
	for j, d := range q.Datapoints {
		if got.HidesDatapoint(i, j) != want.HidesDatapoint(i, j) {
			return fmt.Errorf("%s:%s is hidden or not", q.Key(), d.Code)
		}
		if g, w := got.Asked(i, j), want.Asked(i, j); !g.Equal(w) {
			return fmt.Errorf("%s:%s was asked %s instead of %s", q.Key(), d.Code, coverText(got, g), coverText(want, w))
		}
	}
	return nil
}

// compareCells compares the figures of a crosstab with the oracle's, bit for bit.
func compareCells(tab *audience.Crosstab, want [][]Cell) error {
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

func compareCell(f *audience.Frame, got audience.Cell, want Cell) error {
	if got.Namespace != want.Namespace {
		return fmt.Errorf("it is counted in namespace %q instead of %q", got.Namespace, want.Namespace)
	}
	if !got.Cover.Equal(want.Cover) {
		return fmt.Errorf("it covers %s instead of %s", coverText(f, got.Cover), coverText(f, want.Cover))
	}
	if got.Withheld != want.Withheld {
		return fmt.Errorf("it is withheld: %v instead of %v", got.Withheld, want.Withheld)
	}
	if want.Withheld {
		want = Cell{} // nothing of it is told
	}
	for _, part := range []struct {
		name      string
		got, want audience.Figure
	}{{"base", got.Base, want.Base.Figure()}, {"row", got.Row, want.Row.Figure()},
		{"column", got.Column, want.Column.Figure()}, {"both", got.Both, want.Both.Figure()}} {
		if part.got.Sample != part.want.Sample || math.Float64bits(part.got.Size) != math.Float64bits(part.want.Size) {
			return fmt.Errorf("%s is %d %v instead of %d %v", part.name, part.got.Sample, part.got.Size,
				part.want.Sample, part.want.Size)
		}
	}
	for _, ratio := range []struct {
		name      string
		got, want float64
	}{
		{"row/base", got.Row.Percentage(got.Base), want.Row.Percentage(want.Base)},
		{"column/base", got.Column.Percentage(got.Base), want.Column.Percentage(want.Base)},
		{"both/base", got.Both.Percentage(got.Base), want.Both.Percentage(want.Base)},
		{"both/row", got.Both.Percentage(got.Row), want.Both.Percentage(want.Row)},
		{"both/column", got.Both.Percentage(got.Column), want.Both.Percentage(want.Column)},
		{"the index", audience.Index(got.Both, got.Base, got.Row, got.Column),
			Index(want.Both, want.Base, want.Row, want.Column)},
	} {
		if math.Float64bits(ratio.got) != math.Float64bits(ratio.want) {
			return fmt.Errorf("%s is %v instead of %v", ratio.name, ratio.got, ratio.want)
		}
	}
	return nil
}
