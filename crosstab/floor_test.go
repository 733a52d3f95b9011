package crosstab_test

import (
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Random crosstabs of ragged surveys, with all that tells how sure they are, as somebody with a floor is told them: a
// cell is that of everybody, or withheld by the rule; so are intervals and differences, and a difference between two
// columns is told where each part that they and the row cut has nobody or enough.
func TestFloorInCrosstabs(t *testing.T) {
	var seen struct{ told, withheld, unmeasured, pairs, kept, rests int }
	for seed := range uint64(testsize.Of(60, 250, 600)) {
		r := newRagged(t, seed+9000)
		floor := int64(1 + seed%7)
		r.request.Statistics.Correction = estimate.None
		open, err := crossed(t.Context(), r.store, r.request)
		if err != nil {
			t.Fatal(err)
		}
		grant := audience.All()
		grant.MinSample = floor
		got, err := crossed(t.Context(), audience.Restrict(r.store, grant), r.request)
		if err != nil {
			t.Fatal(err)
		}
		withheld := map[[2]int]bool{}
		for i, c := range open {
			withheld[[2]int{c.RowIndex, c.ColumnIndex}] = !c.Cover.Empty() && storetest.Withheld(floor, c.Base.Sample,
				c.Row.Sample, c.Column.Sample, c.Intersect.Sample)
			if got[i].Withheld != withheld[[2]int{c.RowIndex, c.ColumnIndex}] {
				t.Fatalf("seed %d, cell %d %d: withheld is %v", seed, c.RowIndex, c.ColumnIndex, got[i].Withheld)
			}
		}
		for i, c := range open {
			switch s := c.Statistics; {
			case got[i].Withheld:
				seen.withheld++
				row, column := c.Row.Audience, c.Column.Audience
				nothing := &crosstab.Statistics{}
				if s.Columns != nil {
					nothing.Columns = &crosstab.ColumnStatistics{Pairs: []crosstab.ColumnPair{}}
				}
				c = crosstab.Cell{RowIndex: c.RowIndex, ColumnIndex: c.ColumnIndex, Namespace: c.Namespace, Cover: c.Cover,
					Withheld: true, Statistics: nothing}
				c.Row.Audience, c.Column.Audience = row, column
			case c.Cover.Empty():
				seen.unmeasured++
			default:
				seen.told++
				if s.Rest != nil {
					seen.rests++
				}
				seen.pairs, seen.kept = seen.pairs+len(pairsOf(s)), seen.kept+len(pairsOf(got[i].Statistics))
				r.leaveOut(&c, open, floor, withheld)
			}
			if d := cmp.Diff(c, got[i], cmpopts.IgnoreUnexported(audience.Figure{}),
				cmpopts.EquateEmpty()); d != "" {
				t.Fatalf("seed %d, cell %d %d, floor %d: %s", seed, c.RowIndex, c.ColumnIndex, floor, d)
			}
		}
	}
	t.Logf("%+v", seen)
	if seen.told < 100 || seen.withheld < 100 || seen.unmeasured == 0 || seen.kept < 20 || seen.pairs-seen.kept < 20 ||
		seen.rests < 10 {
		t.Errorf("too little was asked: %+v", seen)
	}
}

func pairsOf(s *crosstab.Statistics) []crosstab.ColumnPair {
	if s.Columns == nil {
		return nil
	}
	return s.Columns.Pairs
}

// leaveOut takes the differences from a cell that may not be told.
func (r *ragged) leaveOut(c *crosstab.Cell, cells []crosstab.Cell, floor int64, withheld map[[2]int]bool) {
	other := func(column int) *crosstab.Cell {
		for i := range cells {
			if cells[i].RowIndex == c.RowIndex && cells[i].ColumnIndex == column {
				return &cells[i]
			}
		}
		return nil
	}
	tells := func(column int) bool {
		return withheld[[2]int{c.RowIndex, column}] || r.tellsOfFew(c, other(column), floor)
	}
	s := *c.Statistics
	if s.Previous != nil && tells(c.ColumnIndex-1) {
		s.Previous = nil
	}
	if s.Columns != nil {
		columns := crosstab.ColumnStatistics{Pairs: []crosstab.ColumnPair{}}
		for _, p := range s.Columns.Pairs {
			if !tells(p.ColumnIndex) {
				columns.Pairs = append(columns.Pairs, p)
			}
		}
		for _, of := range []struct{ from, to *[]int }{{&s.Columns.HigherThan, &columns.HigherThan},
			{&s.Columns.LowerThan, &columns.LowerThan}} {
			for _, column := range *of.from {
				if !tells(column) {
					*of.to = append(*of.to, column)
				}
			}
		}
		s.Columns = &columns
	}
	c.Statistics = &s
}

// tellsOfFew tells whether a part into which two columns and their row cut the base has somebody and too few.
func (r *ragged) tellsOfFew(a, b *crosstab.Cell, floor int64) bool {
	base := r.request.Base.Expr
	if base == nil {
		base = audience.Everyone{}
	}
	l := &linear{r.frame, r.store.Respondents(), a.Namespace}
	inA, inB := l.weights(a.Cover, base, r.column(a)), l.weights(b.Cover, base, r.column(b))
	row := l.weights(a.Cover.Or(b.Cover), base, r.row(a))
	var parts [8]int64
	both := int64(0)
	for i := range inA {
		part := 0
		for k, in := range []float64{inA[i], inB[i], row[i]} {
			if in > 0 {
				part |= 1 << k
			}
		}
		parts[part]++
		if part&3 == 3 {
			both++
		}
	}
	for part, n := range parts {
		if part&3 != 0 && 0 < n && n < floor {
			return true
		}
	}
	return 0 < both && both < floor
}
