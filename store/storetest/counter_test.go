package storetest_test

import (
	"context"
	"errors"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/crosswave/crosswave/store/survey"
)

// counter is an engine that only counts: respondents of a source, for the version of a frame.
func counter(f *audience.Frame, source survey.Source) (audience.Counter, error) {
	st := new(naive.Store)
	ctx := context.Background()
	s, err := source.Describe(ctx)
	if err != nil {
		return nil, err
	}
	w, err := st.Begin(ctx, nil, s)
	if err != nil {
		return nil, err
	}
	for batch, err := range source.Respondents(ctx) {
		if err != nil {
			return nil, err
		}
		if err := w.Add(ctx, batch.Respondents); err != nil {
			return nil, err
		}
	}
	_, err = w.Commit(ctx, survey.Change{Frame: f})
	return st, err
}

func TestTestCounter(t *testing.T) {
	storetest.TestCounter(t, func(t *testing.T, f *audience.Frame, source survey.Source) audience.Counter {
		c, err := counter(f, source)
		if err != nil {
			t.Fatal(err)
		}
		return c
	})
}

// wanting is a counter that wants whole queries, which change no figure.
type wanting struct{ audience.Counter }

func (wanting) WantsWhole(int) bool { return true }

func TestWholeQueries(t *testing.T) {
	storetest.TestCounter(t, func(t *testing.T, f *audience.Frame, source survey.Source) audience.Counter {
		c, err := counter(f, source)
		if err != nil {
			t.Fatal(err)
		}
		return wanting{c}
	})
}

// altered is a counter with a fault.
type altered struct {
	audience.Counter
	query func(*audience.Query)
}

func (a altered) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	out := append([]audience.Query(nil), qs...)
	for i := range out {
		a.query(&out[i])
	}
	return a.Counter.Count(ctx, version, out)
}

// stale answers for any version.
type stale struct{ *naive.Store }

func (s stale) Count(ctx context.Context, _ uint64, qs []audience.Query) ([][]*audience.Table, error) {
	return s.Store.Count(ctx, 1, qs)
}

// A counter with a fault is found out on every study, and most failures are told as scripts.
func TestWrongCounters(t *testing.T) {
	for name, spoil := range map[string]func(audience.Counter) audience.Counter{
		"the base is ignored": func(c audience.Counter) audience.Counter {
			return altered{c, func(q *audience.Query) { q.Base = nil }}
		},
		"rows are negated": func(c audience.Counter) audience.Counter {
			return altered{c, func(q *audience.Query) {
				rows := make([]audience.Expr, len(q.Rows))
				for i, x := range q.Rows {
					rows[i] = audience.Not{X: x}
				}
				q.Rows = rows
			}}
		},
		"measures are ignored": func(c audience.Counter) audience.Counter {
			return altered{c, func(q *audience.Query) { q.Measures = 0 }}
		},
		"any version will do": func(c audience.Counter) audience.Counter { return stale{c.(*naive.Store)} },
	} {
		t.Run(name, func(t *testing.T) {
			found := 0
			for seed := range uint64(5) {
				err := storetest.RunRandomCounter(t.Context(), seed, func(f *audience.Frame, source survey.Source) (
					audience.Counter, error) {
					c, err := counter(f, source)
					if err != nil {
						return nil, err
					}
					return spoil(c), nil
				})
				if err != nil {
					found++
				}
				var failure *storetest.Failure
				if errors.As(err, &failure) {
					right := func() storetest.Engine { return new(naive.Store) }
					if err := storetest.RunScript(t.Context(), "failure", failure.Script, right); err != nil {
						t.Errorf("the right engine fails: %v\n%s", err, failure)
					}
				}
			}
			if found < 4 {
				t.Errorf("it was noticed on %d of 5 studies", found)
			}
		})
	}
}
