package clickhouse_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
)

// folding is an engine of which nobody knows that it wants whole queries; the queries are noted.
type folding struct {
	counter audience.Counter
	asked   []audience.Query
}

func (f *folding) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	f.asked = append(f.asked, qs...)
	return f.counter.Count(ctx, version, qs)
}

// noting is one that says so.
type noting struct{ folding }

func (n *noting) WantsWhole(int) bool { return true }

// mixed lists so many datapoints from all over a survey, each of another question while there are any.
func mixed(f *audience.Frame, n, from int) (list []audience.Expr) {
	for round := 0; len(list) < n; round++ {
		for i := range f.Questions {
			q := &f.Questions[i]
			if at := from + 2*round; len(list) < n && i%2 == from && at < len(q.Datapoints) {
				list = append(list, audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[at].Code}})
			}
		}
	}
	return list
}

// A mixed table on a ragged survey is a statement a namespace, or a few if it is large, and the servers add up what
// they can: a cell comes in as many lines as there are locations of different numbers of waves to divide by, at most.
func TestWholeQueries(t *testing.T) {
	heavy(t)
	for _, format := range []clickhouse.Format{clickhouse.Arrays, clickhouse.Words} {
		t.Run(string(format), func(t *testing.T) { wholeQueries(t, format) })
	}
}

func wholeQueries(t *testing.T, format clickhouse.Format) {
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(cluster(t))[:1], Format: format})
	load(t, p, 8000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ size, statements, folded int }{{20, 2, 20}, {50, 4, 80}} {
		spec := audience.Spec{Rows: mixed(f, c.size, 0), Columns: mixed(f, c.size, 1)}
		tabulate := func(counter audience.Counter) *audience.Crosstab {
			tabs, err := audience.Tabulate(t.Context(), audience.Pair(p.embedded, counter),
				func(*audience.Frame) ([]audience.Spec, error) { return []audience.Spec{spec}, nil })
			if err != nil {
				t.Fatal(err)
			}
			return tabs[0]
		}
		whole, folded := &noting{folding{counter: p}}, &folding{counter: p}
		got, want := tabulate(whole), tabulate(folded)
		classes := map[[2]int]bool{}
		for i := range c.size {
			for j := range c.size {
				cell := got.Cell(i+1, j+1)
				if d := cmp.Diff(want.Cell(i+1, j+1), cell, cmp.AllowUnexported(audience.Figure{})); d != "" {
					t.Fatalf("%d × %d, cell %d, %d: %s", c.size, c.size, i, j, d)
				}
				waves := map[int]int{}
				for at := range cell.Cover.All() {
					_, l := f.Fieldwork(at)
					waves[l]++
				}
				for l, n := range waves {
					classes[[2]int{l, n}] = true
				}
			}
		}
		statements, lines, err := p.Cost(t.Context(), f.Version, whole.asked)
		if err != nil {
			t.Fatal(err)
		}
		before, linesBefore, err := p.Cost(t.Context(), f.Version, folded.asked)
		if err != nil {
			t.Fatal(err)
		}
		strata := 0
		for i := range whole.asked {
			strata = max(strata, len(whole.asked[i].Strata))
		}
		t.Logf("%d × %d: %d queries of up to %d strata, %d statements, %d lines of %d classes; folded "+
			"%d statements, %d lines", c.size, c.size, len(whole.asked), strata, statements, lines, len(classes), before,
			linesBefore)
		if statements > c.statements || before < c.folded {
			t.Errorf("%d × %d: %d statements, folded %d", c.size, c.size, statements, before)
		}
		if most := (c.size + 1) * (c.size + 1) * len(classes); lines > most {
			t.Errorf("%d × %d: %d lines, of which %d should do", c.size, c.size, lines, most)
		}
	}
}
