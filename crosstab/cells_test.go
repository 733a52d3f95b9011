package crosstab_test

import (
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/google/go-cmp/cmp"
)

// threaded is a store that says with how many threads it counts.
type threaded struct {
	audience.Store
	threads int
}

func (t threaded) Threads() int { return t.threads }

// The cells of a large table, and how sure they are, are the same and in the same order with however many threads they
// are formed, and as often as they are asked for; a loop may be left anywhere.
func TestCellsOnThreads(t *testing.T) {
	st := open(t)
	few := []audience.Audience{women, tea, coffee}
	r := crosstab.Request{Rows: slices.Repeat(few, 12), Columns: slices.Repeat(few, 14), LastWaves: crosstab.AllWaves,
		Coverage: true, Statistics: &estimate.Options{Compare: []estimate.Compare{estimate.Rest}}}
	var want []crosstab.Cell
	for _, threads := range []int{1, 2, 5} {
		result, err := crosstab.Run(t.Context(), threaded{st, threads}, r)
		if err != nil {
			t.Fatal(err)
		}
		got := slices.Collect(result.Cells())
		if want == nil {
			want = got
		}
		if len(got) != len(r.Rows)*len(r.Columns) || got[0].Statistics.Row.Percentage == nil {
			t.Fatalf("%d threads: %d cells, the first is %+v", threads, len(got), got[0])
		}
		if d := cmp.Diff(want, got, cmp.Comparer(audience.Figure.Equal)); d != "" {
			t.Errorf("one thread (-), %d (+):\n%s", threads, d)
		}
		for _, leave := range []int{1, 64, 65, 1025, len(got) - 1} {
			n := 0
			for c := range result.Cells() {
				if want := got[n]; c.RowIndex != want.RowIndex || c.ColumnIndex != want.ColumnIndex {
					t.Fatalf("%d threads: cell %d is %d, %d", threads, n, c.RowIndex, c.ColumnIndex)
				}
				if n++; n == leave {
					break
				}
			}
			if n != leave {
				t.Errorf("%d threads: %d cells before the loop was left, want %d", threads, n, leave)
			}
		}
	}
}
