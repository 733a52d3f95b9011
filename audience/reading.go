package audience

import (
	"context"
	"errors"
	"fmt"

	"github.com/crosswave/crosswave/internal/background"
)

// Reading is one version of a store, of which one may ask any number of times: for a table in several blocks of rows,
// or for what an earlier answer shows to be needed. Get one from Read.
type Reading struct {
	Frame   *Frame
	counter Counter
}

// maxAttempts is how often Read begins again because the store changed between its frame and a count.
const maxAttempts = 10

// Read has do ask one version of a store. do is called again, with the newer version, if the store changed before do
// had all its answers; so it must forget then what it was told before. The error is that of do.
func Read(ctx context.Context, st Store, do func(*Reading) error) error {
	for attempt := 1; ; attempt++ {
		f, err := st.Frame(ctx)
		if err != nil {
			return err
		}
		err = do(&Reading{Frame: f, counter: st})
		if !errors.Is(err, ErrChanged) || attempt >= maxAttempts || ctx.Err() != nil {
			return err
		}
	}
}

// Threads is how many threads may form figures from what the store has counted.
func (r *Reading) Threads() int { return Threads(r.counter) }

// Each calls do with each number from 0 up to n-1, on as many goroutines as may form figures (Threads), and returns
// when all are done.
func (r *Reading) Each(ctx context.Context, n int, do func(int)) {
	background.Each(ctx, r.Threads(), n, do)
}

// WantsWhole tells whether the store wants whole queries of so many cells.
func (r *Reading) WantsWhole(cells int) bool { return WantsWhole(r.counter, cells) }

// Tabulate is Tabulate for specs that were checked and formed with r.Frame: it counts them with one call.
func (r *Reading) Tabulate(ctx context.Context, specs ...Spec) ([]*Crosstab, error) {
	p, tabs, queries, err := r.plan(specs, r.WantsWhole)
	if err != nil || len(queries) == 0 {
		return tabs, err
	}
	counted, err := r.counter.Count(ctx, r.Frame.Version, queries)
	if err != nil {
		return nil, err
	}
	if len(counted) != len(queries) {
		return nil, fmt.Errorf("the engine answered %d of %d queries", len(counted), len(queries))
	}
	for i, q := range p.pending {
		if len(counted[i]) != len(queries[i].Strata) {
			return nil, fmt.Errorf("the engine answered %d of %d strata", len(counted[i]), len(queries[i].Strata))
		}
		if err := measured(&queries[i], counted[i]); err != nil {
			return nil, err
		}
		q.tables = counted[i]
	}
	return tabs, nil
}

// plan makes the queries of specs, whole ones if that is wanted and their tables are not too large to hold.
func (r *Reading) plan(specs []Spec, whole func(cells int) bool) (*planner, []*Crosstab, []Query, error) {
	p := newPlannerOf(r.Frame, whole)
	tabs := make([]*Crosstab, len(specs))
	for i, s := range specs {
		var err error
		if tabs[i], err = p.plan(s); err != nil {
			return nil, nil, nil, err
		}
	}
	queries := p.queries()
	if whole != nil && cost(queries, maxWholeCounts) != nil {
		return r.plan(specs, nil)
	}
	if err := cost(queries, maxCounts); err != nil {
		return nil, nil, nil, err
	}
	return p, tabs, queries, nil
}

// measured is an error if an engine left out what was to be measured.
func measured(q *Query, tables []*Table) error {
	for _, t := range tables {
		switch {
		case !q.Measures.Has(Squares) || len(t.Squares) == len(t.Counts):
		case t.Squares == nil:
			return errors.New("the engine counts no sums of squared weights, from which it follows how sure a figure is: " +
				"it does not do what Query.Measures asks for")
		default:
			return fmt.Errorf("the engine counted sums of squared weights for %d of %d cells", len(t.Squares), len(t.Counts))
		}
	}
	return nil
}
