package sqlite

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// The totals of columns are counted by themselves for a table of few rows or columns that is asked for again, and for
// no larger one; but a larger one takes them where they are known. What is counted is the same.
func TestMargins(t *testing.T) {
	st := synthetic(5, 400)
	s := openStore(t, Memory, Config{Threads: 1})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	rows, columns := datapoints(f, "core.m")[:20], datapoints(f, "core.s")[:20]
	large := []audience.Query{{Namespace: "core", Rows: rows, Columns: columns, Strata: strata(f, false)}}
	var first [][]*audience.Table
	ask := func(name string, qs []audience.Query) (known int) { // columns whose totals are known
		t.Helper()
		for range 3 {
			got, err := s.Count(t.Context(), f.Version, qs)
			check(t, err)
			if first == nil {
				first = got
			} else if len(qs[0].Columns) == len(columns) && len(qs[0].Rows) == len(rows) {
				if diff := cmp.Diff(first, got); diff != "" {
					t.Errorf("%s: -want +got\n%s", name, diff)
				}
			}
		}
		for _, e := range s.cache.entries {
			if e.margins.known.Load() != nil {
				known++
			}
		}
		return known
	}
	if n := ask("20 rows by 20 columns", large); n > 0 {
		t.Errorf("a large table has had %d totals counted", n)
	}
	few := []audience.Query{large[0]}
	few[0].Columns = columns[:fewPlaces]
	some := ask("by few columns", few)
	few[0].Rows, few[0].Columns = rows[:fewPlaces], columns
	all := ask("few rows by all columns", few)
	if some == 0 || all <= some {
		t.Errorf("%d totals are known after a table of few columns, and %d after one of few rows", some, all)
	}
	if n := ask("20 by 20 again", large); n != all {
		t.Errorf("%d totals are known after a large table, and %d before", n, all)
	}
	g, err := newGraph(s.current, large, s.sliceColumn)
	check(t, err)
	fold := s.folding()
	defer s.letGoOf(fold)
	w := g.at(s.current.chunks[0], fold, s.weightColumn)
	entries, _, err := s.acquire(t.Context(), s.current, w)
	check(t, err)
	defer s.cache.release(entries)
	if w.programs[0].settle(entries); !w.programs[0].margins {
		t.Error("a large table does not take totals that are known")
	}
}
