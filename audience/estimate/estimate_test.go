package estimate_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// told is all that a question was answered with.
type told struct {
	cells     [][][]audience.Cell
	estimates [][][]estimate.Estimates
	compared  map[int][]*estimate.Difference
}

// ask has a question answered while at most so many counts are held; 0 is as many as usual.
func ask(ctx context.Context, st audience.Store, specs []audience.Spec, pairs []estimate.Pair, most int) (*told,
	error) {
	var out *told
	err := audience.Read(ctx, st, func(r *audience.Reading) error {
		out = &told{compared: map[int][]*estimate.Difference{}}
		e := estimate.New(estimate.Options{Compare: []estimate.Compare{estimate.Rest, estimate.Columns},
			Correction: estimate.FDR})
		if most > 0 {
			e.CountAtMost(most)
		}
		tables, err := e.Tabulate(ctx, r, estimate.Question{Specs: specs, Pairs: pairs,
			Compared: func(row int, found []*estimate.Difference) {
				if out.compared[row] != nil {
					panic(fmt.Sprintf("row %d is compared twice", row))
				}
				out.compared[row] = found
			}})
		if err != nil {
			return err
		}
		for _, table := range tables {
			var cells [][]audience.Cell
			var estimates [][]estimate.Estimates
			for i := min(1, len(table.Spec.Rows)); i <= len(table.Spec.Rows); i++ {
				cells, estimates = append(cells, nil), append(estimates, nil)
				for j := min(1, len(table.Spec.Columns)); j <= len(table.Spec.Columns); j++ {
					c := table.Cell(i, j)
					at := len(cells) - 1
					cells[at] = append(cells[at], c)
					estimates[at] = append(estimates[at], table.Estimates(i, j, &c))
				}
			}
			out.cells, out.estimates = append(out.cells, cells), append(out.estimates, estimates)
		}
		return nil
	})
	return out, err
}

// Large tables are counted some rows at a time: what is told does not depend on how many.
func TestBlocksOfRows(t *testing.T) {
	blocks, compared := 0, 0
	for seed := range uint64(testsize.Of(60, 200, 1000)) {
		g := storetest.NewRandom(2000 + seed)
		study := g.Study()
		if len(study.Respondents) == 0 {
			continue
		}
		st, err := naive.Load(t.Context(), study.Source())
		if err != nil {
			t.Fatal(err)
		}
		f, err := st.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		specs := []audience.Spec{g.Spec(f)}
		if seed%5 == 0 { // another base with the same rows, and one that has rows of its own
			specs = append(specs, specs[0], g.Spec(f))
			specs[1].Base = g.Expr(f, 1)
		}
		var pairs []estimate.Pair
		for a := range specs[:(len(specs)+1)/2] {
			for b := range a + 1 {
				for j := range specs[a].Columns {
					for k := range j {
						pairs = append(pairs, estimate.Pair{A: estimate.Place{Spec: a, Column: j + 1},
							B: estimate.Place{Spec: b, Column: k + 1}})
					}
				}
			}
		}
		whole, err := ask(t.Context(), st, specs, pairs, 0)
		var incompatible *audience.IncompatibleError
		if errors.As(err, &incompatible) {
			continue
		}
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for rows := range 3 {
			columns := 0
			for _, s := range specs {
				columns += len(s.Columns) + 1
			}
			got, err := ask(t.Context(), st, specs, pairs, max(1, rows*f.Size()*columns))
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			blocks++
			if d := cmp.Diff(whole, got, cmp.AllowUnexported(told{}), cmp.Comparer(audience.Figure.Equal)); d != "" {
				t.Fatalf("seed %d: all rows at once (-), and about %d at a time (+):\n%s", seed, rows, d)
			}
		}
		for _, found := range whole.compared {
			for _, d := range found {
				if d != nil {
					compared++
				}
			}
		}
	}
	if blocks < 30 || compared < 20 {
		t.Errorf("only %d ways of counting were compared, with %d comparisons of columns", blocks, compared)
	}
}
