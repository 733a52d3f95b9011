package storetest

import (
	"context"
	"math"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
)

// wrongSquares have a fault in what they make of Query.Measures.
func wrongSquares(enter func(string, wrong, ...string)) {
	// each changes the squares of each cell.
	each := func(change func(t *audience.Table, i int)) func(audience.Query, []*audience.Table) {
		return func(_ audience.Query, ts []*audience.Table) {
			for _, t := range ts {
				for i := range t.Squares {
					change(t, i)
				}
			}
		}
	}
	enter("measures are ignored", wrong{query: func(_ *audience.Frame, q *audience.Query) { q.Measures = 0 }},
		"script/data_sample_and_size", "random")
	enter("squares without being asked",
		wrong{query: func(_ *audience.Frame, q *audience.Query) { q.Measures = audience.Squares }},
		"script/data_sample_and_size", "random")
	enter("the square of the sum", wrong{tables: each(func(t *audience.Table, i int) {
		t.Squares[i] = audience.Square(t.Counts[i].Weight)
	})}, "script/data_sample_and_size", "random")
	enter("squares of the margins are those of the base", wrong{tables: each(func(t *audience.Table, i int) {
		if i <= t.Columns {
			t.Squares[i] = t.Squares[0]
		}
	})}, "random")
	enter("squares in 64 bits", wrong{tables: each(func(t *audience.Table, i int) { t.Squares[i].High = 0 })},
		"script/unit_weights_at_the_limit", "random")
	enter("squares as floats", wrong{tables: each(func(t *audience.Table, i int) {
		x := &t.Squares[i]
		sum := math.Ldexp(float64(x.High), 64) + float64(x.Low)
		high := math.Floor(math.Ldexp(sum, -64))
		*x = audience.Uint128{High: uint64(high), Low: uint64(sum - math.Ldexp(high, 64))}
	})}, "script/unit_weights_at_the_limit")
	enter("the last stratum has no squares", wrong{tables: func(_ audience.Query, ts []*audience.Table) {
		if n := len(ts); n > 1 {
			clear(ts[n-1].Squares)
		}
	}}, "script/namespace_deepest", "random")
	enter("squares are of rows only", wrong{tables: func(q audience.Query, ts []*audience.Table) {
		for _, t := range ts {
			for i := range t.Squares {
				t.Squares[i] = t.Squares[i/(t.Columns+1)*(t.Columns+1)]
			}
		}
	}}, "random")
	enter("no carry between the halves of a sum", resquared(func(_ *audience.Frame, x audience.Uint128,
		r *naive.Respondent, namespace string) audience.Uint128 {
		square := audience.Square(r.Units[namespace])
		return audience.Uint128{High: x.High + square.High, Low: x.Low + square.Low}
	}), "script/unit_weights_at_the_limit")
	enter("squares of the default namespace's weights", resquared(func(f *audience.Frame, x audience.Uint128,
		r *naive.Respondent, _ string) audience.Uint128 {
		return x.Plus(audience.Square(r.Units[f.Namespaces[0].Code]))
	}), "script/namespace_deepest", "random")
}

// resquared is an engine that adds the squares of respondents up another way.
func resquared(plus func(f *audience.Frame, x audience.Uint128, r *naive.Respondent,
	namespace string) audience.Uint128) wrong {
	return wrong{count: func(w *wrong, ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table,
		error) {
		out, err := w.Store.Count(ctx, version, qs)
		if err != nil {
			return nil, err
		}
		f, err := w.Store.Frame(ctx)
		if err != nil {
			return nil, err
		}
		for i, q := range qs {
			for s, t := range out[i] {
				clear(t.Squares)
				for _, r := range w.Respondents() {
					if t.Squares != nil && r.Units[q.Namespace] > 0 && q.Strata[s].Has(r.Fieldwork(f)) {
						everyCell(f, &q, &r, func(cell int) { t.Squares[cell] = plus(f, t.Squares[cell], &r, q.Namespace) })
					}
				}
			}
		}
		return out, nil
	}}
}

// everyCell goes through the cells of a table that a respondent is in.
func everyCell(f *audience.Frame, q *audience.Query, r *naive.Respondent, do func(cell int)) {
	if !in(r, f, q.Base) {
		return
	}
	for i := range len(q.Rows) + 1 {
		for j := range len(q.Columns) + 1 {
			if (i == 0 || in(r, f, q.Rows[i-1])) && (j == 0 || in(r, f, q.Columns[j-1])) {
				do(i*(len(q.Columns)+1) + j)
			}
		}
	}
}
