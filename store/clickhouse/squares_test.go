package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// compared answers as a naive.Store does, and compares an engine with it.
type compared struct {
	*naive.Store
	t       *testing.T
	engine  audience.Store
	asked   int
	squares audience.Uint128 // the largest sum
}

func (c *compared) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	want, err := c.Store.Count(ctx, version, qs)
	if err != nil {
		return nil, err
	}
	f, err := c.engine.Frame(ctx)
	if err != nil {
		return nil, err
	}
	got, err := c.engine.Count(ctx, f.Version, qs)
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		c.t.Fatalf("%d queries, the first %+v: error %v (-naive +engine):\n%s", len(qs), qs[0], err, diff)
	}
	for _, tables := range want {
		for _, t := range tables {
			for _, x := range t.Squares {
				if c.asked++; x.High > c.squares.High {
					c.squares = x
				}
			}
		}
	}
	return want, nil
}

// largeWeights gives the respondents of a study weights of up to 2^40 units, many of them just below it, in units of
// their own in each namespace, and some that are rounded to units.
func largeWeights(t *testing.T, study *storetest.Study, r *rand.Rand) {
	t.Helper()
	for i := range study.Respondents {
		for n, had := range study.Respondents[i].Weights {
			if had.IsZero() {
				continue
			}
			units := 1 + r.Int64N(1<<40-1)
			if r.IntN(2) == 0 {
				units = 1<<40 - 1 - r.Int64N(1000)
			}
			text := fmt.Sprintf("%de-%d", units, 3*n)
			if r.IntN(5) == 0 {
				text = fmt.Sprintf("%d.%03de-%d", units-1, r.IntN(1000), 3*n)
			}
			w, err := decimal.Parse(text, true)
			if err != nil {
				t.Fatal(err)
			}
			study.Respondents[i].Weights[n] = w
		}
	}
}

// Sums of squared weights are exact, whatever the weights, in every mode, with tables in tiles and fieldwork on several
// servers; where they are not asked for there are none.
func TestSquares(t *testing.T) {
	heavy(t)
	for _, mode := range modes {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(cluster(t))
			c := compared{t: t}
			for seed := range uint64(testsize.Of(1, 3, 8)) {
				g := storetest.NewRandom(seed)
				study := g.Study()
				largeWeights(t, study, g.Rand)
				p := open(t, sqlite.Memory, config)
				c.Store, c.engine = new(naive.Store), p
				if err := errors.Join(study.Load(t.Context(), c.Store), study.Load(t.Context(), p)); err != nil {
					t.Fatal(err)
				}
				f, err := c.Frame(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				if _, err := audience.Tabulate(t.Context(), &c, func(f *audience.Frame) ([]audience.Spec, error) {
					return withSquares(g, f), nil
				}); err != nil {
					t.Fatal(err)
				}
				// A table of several tiles.
				q := audience.Query{Namespace: f.Namespaces[0].Code, Measures: audience.Squares}
				for i := range f.Questions {
					if f.Questions[i].Namespace == q.Namespace {
						for _, a := range f.PerDatapoint(i) {
							q.Rows = append(q.Rows, a.Expr)
						}
					}
				}
				q.Columns = q.Rows
				apart(f, &q)
				if _, err := c.Count(t.Context(), f.Version, []audience.Query{q}); err != nil {
					t.Fatal(err)
				}
			}
			t.Logf("%d sums, the largest %d·2^64", c.asked, c.squares.High)
			if c.asked < 500 || c.squares.High < 1<<20 {
				t.Errorf("%d sums, the largest %d·2^64: too little is shown", c.asked, c.squares.High)
			}
		})
	}
}

// withSquares makes specs that ask for squares, and one that does not.
func withSquares(g storetest.Random, f *audience.Frame) (specs []audience.Spec) {
	for len(specs) < 6 {
		spec := g.Spec(f)
		if spec.Check(f) != nil {
			continue // it asks for namespaces that don't meet
		}
		if len(specs) > 0 {
			spec.Measures = audience.Squares
		}
		specs = append(specs, spec)
	}
	return specs
}

// apart has a query ask about each fieldwork by itself.
func apart(f *audience.Frame, q *audience.Query) {
	q.Strata = nil
	for i := range f.Size() {
		stratum := audience.NewCover(f.Size())
		stratum.Set(i)
		q.Strata = append(q.Strata, stratum)
	}
}
