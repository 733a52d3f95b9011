package storetest

import (
	"context"
	"math/big"
	"slices"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// wrongEngines lists engines with a fault each, and the checks that must notice.
func wrongEngines() map[string]wrongEngine {
	all := map[string]wrongEngine{}
	enter := func(name string, w wrong, by ...string) {
		all[name] = wrongEngine{func() Engine { e := w; e.Store = new(naive.Store); return &e }, by}
	}
	wrongExpressions(enter)
	wrongTables(enter)
	wrongSquares(enter)
	wrongNumbers(enter)
	wrongFrames(enter)
	wrongWriters(enter)
	all["the last respondent is lost on disk"] = wrongEngine{func() Engine { return &forgetful{new(naive.Store)} },
		[]string{"store/reopened"}}
	return all
}

func wrongExpressions(enter func(string, wrong, ...string)) {
	enter("min_count counts pairs", wrong{expr: leaf(minCountOnPairs)},
		"script/leaf_min_count_counts_datapoints_not_pairs", "random")
	enter("min_count ignored",
		wrong{expr: leaf(func(_ *audience.Frame, a audience.Answers) audience.Expr { a.Min = 1; return a })},
		"script/leaf_min_count", "random")
	enter("min_count cut to what is listed", wrong{expr: leaf(func(_ *audience.Frame, a audience.Answers) audience.Expr {
		a.Min = min(a.Min, len(a.Datapoints))
		return a
	})}, "script/leaf_min_count", "random")
	enter("suffixes ignored",
		wrong{expr: leaf(func(_ *audience.Frame, a audience.Answers) audience.Expr { a.Suffixes = nil; return a })},
		"script/leaf_suffixes", "random")
	enter("the first suffix only", wrong{expr: leaf(func(_ *audience.Frame, a audience.Answers) audience.Expr {
		if len(a.Suffixes) > 1 {
			a.Suffixes = a.Suffixes[:1]
		}
		return a
	})}, "script/leaf_suffixes")
	enter("a negation only of those who answered", wrong{expr: func(_ *audience.Frame, x audience.Expr) audience.Expr {
		if not, ok := x.(audience.Not); ok {
			if a, ok := not.X.(audience.Answers); ok {
				return audience.And{audience.Answers{Question: a.Question}, x}
			}
		}
		return x
	}}, "script/leaf_min_count", "random")
	enter("an or is an and", wrong{expr: func(_ *audience.Frame, x audience.Expr) audience.Expr {
		if or, ok := x.(audience.Or); ok {
			return audience.And(or)
		}
		return x
	}}, "script/expression_and_or_not", "random")
	enter("no one is everyone", wrong{expr: func(_ *audience.Frame, x audience.Expr) audience.Expr {
		if or, ok := x.(audience.Or); ok && len(or) == 0 {
			return audience.Everyone{}
		}
		return x
	}}, "store/queries_together")
	enter("min_count of waves and locations ignored", wrong{expr: func(_ *audience.Frame, x audience.Expr) audience.Expr {
		switch y := x.(type) {
		case audience.Waves:
			y.Min = 1
			return y
		case audience.Locations:
			y.Min = 1
			return y
		}
		return x
	}}, "script/expression_pseudo_questions_nested", "random")
	enter("waves without codes are no one", wrong{expr: func(_ *audience.Frame, x audience.Expr) audience.Expr {
		if w, ok := x.(audience.Waves); ok && len(w.Codes) == 0 {
			return audience.Or{}
		}
		return x
	}}, "random")
	enter("a location leaf is always true", wrong{expr: func(_ *audience.Frame, x audience.Expr) audience.Expr {
		if l, ok := x.(audience.Locations); ok && l.Min <= 1 {
			return audience.Everyone{}
		}
		return x
	}}, "script/cover_location_column", "random")
}

func wrongTables(enter func(string, wrong, ...string)) {
	enter("strata are off by one", wrong{query: func(f *audience.Frame, q *audience.Query) {
		strata := make([]audience.Cover, len(q.Strata))
		for s, c := range q.Strata {
			strata[s] = audience.NewCover(f.Size())
			for i := range c.All() {
				strata[s].Set((i + 1) % f.Size())
			}
		}
		q.Strata = strata
	}}, "script/size_averages_waves", "random")
	enter("strata lack their last fieldwork", wrong{query: func(f *audience.Frame, q *audience.Query) {
		strata := slices.Clone(q.Strata)
		for s, c := range strata {
			last := -1
			for i := range c.All() {
				last = i
			}
			if last >= 0 {
				strata[s] = slices.Clone(c)
				strata[s].Clear(last)
			}
		}
		q.Strata = strata
	}}, "script/data_sample_and_size", "random")
	enter("an empty stratum covers all", wrong{query: func(f *audience.Frame, q *audience.Query) {
		strata := slices.Clone(q.Strata)
		for s, c := range strata {
			if c.Empty() {
				strata[s] = declared(f, audience.Asked{{}})
			}
		}
		q.Strata = strata
	}}, "script/data_sample_and_size", "store/queries_together")
	enter("the base is ignored", wrong{query: func(_ *audience.Frame, q *audience.Query) { q.Base = nil }},
		"script/data_sample_and_size", "random")
	enter("the default namespace's weights",
		wrong{query: func(f *audience.Frame, q *audience.Query) { q.Namespace = f.Namespaces[0].Code }},
		"script/namespace_deepest", "script/data_weight_zero", "random")
	each := func(change func(c *audience.Count)) func(audience.Query, []*audience.Table) {
		return func(_ audience.Query, ts []*audience.Table) {
			for _, t := range ts {
				for i := range t.Counts {
					change(&t.Counts[i])
				}
			}
		}
	}
	enter("weights are ignored", wrong{tables: each(func(c *audience.Count) { c.Weight = c.Sample })},
		"script/data_sample_and_size", "random", "example-a")
	enter("weights are added in 32 bits",
		wrong{tables: each(func(c *audience.Count) { c.Weight = int64(uint32(c.Weight)) })},
		"script/unit_largest_below_2_40", "script/unit_weights_at_the_limit")
	enter("weights are added as floats",
		wrong{tables: each(func(c *audience.Count) { c.Weight = int64(float32(c.Weight)) })},
		"script/unit_weights_at_the_limit")
	enter("samples are weighted", wrong{tables: each(func(c *audience.Count) { c.Sample = c.Weight })},
		"script/data_sample_and_size")
	enter("rows and columns are swapped", wrong{tables: func(_ audience.Query, ts []*audience.Table) {
		for _, t := range ts {
			if u := audience.NewTable(t.Rows, t.Columns); t.Rows == t.Columns {
				for i := range t.Rows + 1 {
					for j := range t.Columns + 1 {
						u.Counts[i*(t.Columns+1)+j] = t.At(j, i)
					}
				}
				*t = *u
			}
		}
	}}, "script/cover_figure_by_figure", "random")
	enter("columns after the 64th are empty", wrong{tables: func(_ audience.Query, ts []*audience.Table) {
		for _, t := range ts {
			for i := range t.Rows + 1 {
				for j := 65; j <= t.Columns; j++ {
					t.Counts[i*(t.Columns+1)+j] = audience.Count{}
				}
			}
		}
	}}, "store/wide_tables")
	enter("a margin is not cut by the base", wrong{tables: func(q audience.Query, ts []*audience.Table) {
		for _, t := range ts {
			for j := 1; j <= t.Columns; j++ {
				t.Counts[j] = t.Counts[0]
			}
		}
	}}, "script/data_sample_and_size", "random")
}

func wrongFrames(enter func(string, wrong, ...string)) {
	enter("coverage is ignored", wrong{frame: askedEverywhere}, "script/cover_derived", "script/cover_declared", "random")
	enter("fielded everywhere", wrong{frame: func(f *audience.Frame, _ *audience.Survey, c *audience.Coverage) {
		for i := range c.Fielded {
			c.Fielded[i] = declared(f, audience.Asked{{}})
		}
	}}, "script/fieldwork_requested", "random")
	enter("another unit", wrong{frame: func(_ *audience.Frame, _ *audience.Survey, c *audience.Coverage) {
		for i := range c.Decimals {
			c.Decimals[i]++
		}
	}}, "script/unit_most_decimals", "random")
	enter("the universe is averaged always", wrong{frame: func(_ *audience.Frame, s *audience.Survey,
		_ *audience.Coverage) {
		for i := range s.Namespaces {
			s.Namespaces[i].Universe = audience.Average
		}
	}}, "script/size_universe_sum")
	enter("the version stays", wrong{version: func(v uint64) uint64 { return min(v, 1) }},
		"store/versions", "script/store_replace_and_withdraw")
}

func askedEverywhere(f *audience.Frame, _ *audience.Survey, c *audience.Coverage) {
	for _, asked := range c.Asked {
		for j := range asked {
			asked[j] = declared(f, audience.Asked{{}})
		}
	}
}

func wrongWriters(enter func(string, wrong, ...string)) {
	enter("a wave that goes stays",
		wrong{writer: writing(hooks{commit: func(w *writer, ctx context.Context, c survey.Change) (uint64, error) {
			c.Drop = nil
			return w.Commit(ctx, c)
		}})}, "script/store_replace_and_withdraw", "store/append_new_unit", "random")
	enter("a wave that is replaced is gone",
		wrong{writer: writing(hooks{commit: func(w *writer, ctx context.Context, c survey.Change) (uint64, error) {
			w.added = slices.DeleteFunc(w.added, func(r survey.Respondent) bool {
				return slices.Contains(c.Drop, w.survey.Waves[r.Wave].Code)
			})
			return w.Commit(ctx, c)
		}})}, "script/store_replace_and_withdraw")
	enter("the last import wins",
		wrong{writer: writing(hooks{commit: func(w *writer, ctx context.Context, c survey.Change) (uint64, error) {
			if r, err := w.engine.Store.Release(ctx); err == nil {
				w.base = r
			}
			return w.Commit(ctx, c)
		}})}, "store/changed_base")
	enter("what was added is seen at once",
		wrong{writer: writing(hooks{add: func(w *writer, ctx context.Context, rs []survey.Respondent) error {
			if err := w.Add(ctx, rs); err != nil {
				return err
			}
			return w.show(ctx)
		}})}, "store/unseen_before_commit", "store/abort")
	enter("an abort publishes", wrong{writer: writing(hooks{abort: func(w *writer) error {
		if err := w.show(context.Background()); err != nil {
			return err
		}
		return w.Abort()
	}})}, "store/abort")
	enter("what is handed over is kept",
		wrong{writer: func(w *writer) survey.Writer { return &lazy{writer: w} }},
		"script/data_sample_and_size", "random")
	enter("the last of each batch is lost",
		wrong{writer: writing(hooks{add: func(w *writer, ctx context.Context, rs []survey.Respondent) error {
			return w.Add(ctx, rs[:len(rs)-1])
		}})}, "script/data_sample_and_size", "store/order_and_batches")
	var first []naive.Answer
	enter("numbers of the first import", wrong{writer: func(w *writer) survey.Writer {
		own := naive.Attributes(w.survey)
		if w.base.Version() == 0 {
			first = own
			return w
		}
		return &hooks{writer: w, add: func(w *writer, ctx context.Context, rs []survey.Respondent) error {
			rs = slices.Clone(rs)
			for i := range rs {
				rs[i].Attributes = renumbered(rs[i].Attributes, own, first)
			}
			return w.Add(ctx, rs)
		}}
	}}, "store/append_renumbered")
	enter("a commit without its context",
		wrong{writer: writing(hooks{commit: func(w *writer, _ context.Context, c survey.Change) (uint64, error) {
			return w.Commit(context.Background(), c)
		}})}, "store/cancelled")
	enter("facts are forgotten",
		wrong{writer: writing(hooks{commit: func(w *writer, ctx context.Context, c survey.Change) (uint64, error) {
			c.Facts = nil
			return w.Commit(ctx, c)
		}})}, "store/release_comes_back")
	enter("weights keep their first integers", wrong{after: func(before, now []naive.Respondent, _ *audience.Frame) {
		for i := range before {
			if i < len(now) && before[i].Wave == now[i].Wave {
				now[i].Units = before[i].Units
			}
		}
	}}, "script/unit_append_recomputes", "store/append_new_unit")
	enter("weights are cut off", wrong{after: func(_, now []naive.Respondent, f *audience.Frame) {
		reweigh(now, f, func(w *big.Rat, k int) int64 {
			x := new(big.Rat).Mul(w, exact.Power(k))
			return new(big.Int).Quo(x.Num(), x.Denom()).Int64()
		})
	}}, "script/unit_half_away_from_zero", "script/unit_largest_below_2_40")
	enter("a half is rounded to even", wrong{after: func(_, now []naive.Respondent, f *audience.Frame) {
		reweigh(now, f, func(w *big.Rat, k int) int64 {
			n := exact.Units(w, k)
			half := new(big.Rat).Sub(new(big.Rat).SetInt(n), big.NewRat(1, 2))
			if n.Bit(0) == 1 && half.Cmp(new(big.Rat).Mul(w, exact.Power(k))) == 0 {
				return n.Int64() - 1
			}
			return n.Int64()
		})
	}}, "script/unit_half_away_from_zero", "script/unit_largest_below_2_40")
	enter("those who take no part count", wrong{after: func(_, now []naive.Respondent, f *audience.Frame) {
		for i := range now {
			for _, n := range f.Namespaces {
				now[i].Units[n.Code] = max(1, now[i].Units[n.Code])
			}
		}
	}}, "script/data_weight_zero", "random")
	wrongVersions(enter)
}

// wrongVersions count another version than the one asked for, or go on when nobody waits.
func wrongVersions(enter func(string, wrong, ...string)) {
	enter("any version will do", wrong{count: func(w *wrong, ctx context.Context, _ uint64, qs []audience.Query) (
		[][]*audience.Table, error) {
		return ask(ctx, w.Store, qs)
	}}, "store/changed_version")
	enter("each query of a version of its own", wrong{count: func(w *wrong, ctx context.Context, version uint64,
		qs []audience.Query) ([][]*audience.Table, error) {
		out, err := w.Store.Count(ctx, version, qs)
		for i := range out {
			time.Sleep(time.Millisecond)
			one, err := ask(ctx, w.Store, qs[i:i+1])
			if err != nil {
				return nil, err
			}
			out[i] = one[0]
		}
		return out, err
	}}, "store/counts_during_imports")
	enter("the context is ignored", wrong{count: func(w *wrong, _ context.Context, version uint64,
		qs []audience.Query) ([][]*audience.Table, error) {
		return w.Store.Count(context.Background(), version, qs)
	}}, "store/cancelled")
	enter("what was counted before it was cancelled is given", wrong{count: func(w *wrong, ctx context.Context,
		version uint64, qs []audience.Query) ([][]*audience.Table, error) {
		out, err := w.Store.Count(context.Background(), version, qs)
		for i := len(qs) / 2; err == nil && i < len(qs) && ctx.Err() != nil; i++ {
			for s := range out[i] {
				out[i][s] = audience.NewTable(out[i][s].Rows, out[i][s].Columns)
			}
		}
		return out, err
	}}, "store/cancelled_midway")
	enter("queries of one shape are one", wrong{count: func(w *wrong, ctx context.Context, version uint64,
		qs []audience.Query) ([][]*audience.Table, error) {
		out, err := w.Store.Count(ctx, version, qs)
		for i := 1; i < len(out); i++ {
			if a, b := qs[i-1], qs[i]; len(a.Strata) == len(b.Strata) && len(a.Rows) == len(b.Rows) &&
				len(a.Columns) == len(b.Columns) {
				out[i] = out[i-1]
			}
		}
		return out, err
	}}, "store/queries_together", "random")
}

// renumbered is attributes of a survey taken for those of another wherever it has as many: both are told by what each
// number stands for.
func renumbered(attributes []int32, own, other []naive.Answer) []int32 {
	var out []int32
	for _, a := range attributes {
		taken := own[a]
		if int(a) < len(other) {
			taken = other[a]
		}
		if at := slices.Index(own, taken); at >= 0 && !slices.Contains(out, int32(at)) {
			out = append(out, int32(at))
		}
	}
	return out
}
