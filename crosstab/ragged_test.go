package crosstab_test

import (
	"context"
	"errors"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// ragged is a random survey of ragged coverage with a crosstab of it: locations that start late, items asked in some
// places, namespaces with weights of their own, fieldworks of a few respondents or of one.
type ragged struct {
	seed    uint64
	study   *storetest.Study
	store   *naive.Store
	frame   *audience.Frame
	request crosstab.Request
	cells   []crosstab.Cell
}

// newRagged makes the survey of a seed. Its columns are made to overlap, to be the same, and to be all but another;
// some are waves.
func newRagged(t *testing.T, seed uint64) *ragged {
	t.Helper()
	g := storetest.NewRandom(seed)
	r := &ragged{seed: seed, study: g.Study()}
	for len(r.study.Respondents) == 0 {
		r.study = g.Study()
	}
	var err error
	if r.store, err = naive.Load(t.Context(), r.study.Source()); err != nil {
		t.Fatal(err)
	}
	if r.frame, err = r.store.Frame(t.Context()); err != nil {
		t.Fatal(err)
	}
	for {
		r.request = raggedRequest(g, r.frame)
		var incompatible *audience.IncompatibleError
		switch r.cells, err = crossed(t.Context(), r.store, r.request); {
		case errors.As(err, &incompatible):
		case err != nil:
			t.Fatalf("seed %d: %v", seed, err)
		default:
			return r
		}
	}
}

func crossed(ctx context.Context, st audience.Store, r crosstab.Request) (cells []crosstab.Cell, err error) {
	res, err := crosstab.Run(ctx, st, r)
	if err != nil {
		return nil, err
	}
	for c := range res.Cells() {
		cells = append(cells, c)
	}
	return cells, nil
}

// raggedRequest asks for a crosstab with all that can be told of how sure it is.
func raggedRequest(g storetest.Random, f *audience.Frame) crosstab.Request {
	s := g.Spec(f)
	columns := s.Columns
	if n := len(columns); n > 0 {
		x, y := columns[0], columns[n-1]
		if _, cut := x.(audience.Cut); !cut {
			columns = append(columns, audience.Not{X: x})
		}
		columns = append(columns, x)
		if _, cut := y.(audience.Cut); !cut && g.IntN(2) == 0 {
			columns = append(columns, audience.Or{y, g.Expr(f, 1)})
		}
	}
	options := &estimate.Options{Pairs: true, Level: []float64{0, 60, 80, 90, 99}[g.IntN(5)],
		Compare: []estimate.Compare{estimate.Rest, estimate.Columns, estimate.Previous},
		Correction: []estimate.Correction{estimate.None, estimate.Bonferroni, estimate.Holm,
			estimate.FDR}[g.IntN(4)],
		LowBase: estimate.LowBase{Withhold: int64(g.IntN(4)), Caution: int64(g.IntN(40))}}
	if g.IntN(3) == 0 {
		options.LowBase = estimate.LowBase{Rule: estimate.NCHS}
	}
	r := crosstab.Request{Base: audience.Audience{Expr: s.Base}, Waves: s.Waves, Locations: s.Locations,
		LastWaves: s.LastWaves, Statistics: options}
	if r.LastWaves == 0 {
		r.LastWaves = crosstab.AllWaves
	}
	switch g.IntN(5) {
	case 0:
		columns, r.Matched = nil, len(f.Waves) > 0
		fallthrough
	case 1:
		for _, w := range f.Waves {
			columns = append(columns, audience.Waves{Codes: []string{w.Code}})
		}
	}
	for _, x := range s.Rows[:min(4, len(s.Rows))] {
		r.Rows = append(r.Rows, audience.Audience{Expr: x})
	}
	for _, x := range columns {
		r.Columns = append(r.Columns, audience.Audience{Expr: x})
	}
	return r
}

// row and column are the expressions of a cell's; everyone where the base stands in.
func (r *ragged) row(c *crosstab.Cell) audience.Expr { return r.axis(r.request.Rows, c.RowIndex) }

func (r *ragged) column(c *crosstab.Cell) audience.Expr {
	return r.axis(r.request.Columns, c.ColumnIndex)
}

func (r *ragged) axis(as []audience.Audience, i int) audience.Expr {
	if i == 0 {
		return audience.Everyone{}
	}
	return as[i-1].Expr
}
