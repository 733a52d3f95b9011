package crosstab_test

import (
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/testsize"
)

func TestLetter(t *testing.T) {
	for column, want := range map[int]string{1: "A", 2: "B", 26: "Z", 27: "AA", 52: "AZ", 53: "BA", 60: "BH", 702: "ZZ",
		703: "AAA"} {
		if got := crosstab.Letter(column); got != want {
			t.Errorf("column %d is %s, not %s", column, got, want)
		}
	}
}

// Letters are the same whether pairs are told or not, which are tested by a shorter way then: also at a level at which
// a pair is just significant, or just not.
func TestLettersAreThoseOfPairs(t *testing.T) {
	compared, letters, close := 0, 0, 0
	for seed := range uint64(testsize.Of(15, 80, 250)) {
		r := newRagged(t, seed)
		options := estimate.Options{Level: 80, Compare: []estimate.Compare{estimate.Columns}, Pairs: true,
			LowBase: estimate.LowBase{Withhold: 1, Caution: 1}}
		request := r.request
		request.Statistics = &options
		levels := []float64{80}
		cells, err := crossed(t.Context(), r.store, request)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range cells {
			if s := cells[i].Statistics.Columns; s != nil && len(s.Pairs) > 0 && len(levels) < 6 {
				for _, times := range []float64{1, 2, 3} {
					if level := 100 - 100*times*s.Pairs[len(s.Pairs)/2].P; level > 50 && level < 100 {
						levels = append(levels, level)
						close++
					}
				}
			}
		}
		for _, level := range levels {
			for _, correction := range []estimate.Correction{estimate.None, estimate.Bonferroni, estimate.Holm, estimate.FDR} {
				options.Level, options.Correction = level, correction
				told, untold := options, options
				untold.Pairs = false
				request.Statistics = &told
				want, err := crossed(t.Context(), r.store, request)
				if err != nil {
					t.Fatal(err)
				}
				request.Statistics = &untold
				got, err := crossed(t.Context(), r.store, request)
				if err != nil {
					t.Fatal(err)
				}
				for i := range want {
					a, b := want[i].Statistics.Columns, got[i].Statistics.Columns
					if a == nil || b == nil {
						continue
					}
					compared++
					letters += len(a.HigherThan)
					if !slices.Equal(a.HigherThan, b.HigherThan) || !slices.Equal(a.LowerThan, b.LowerThan) {
						t.Fatalf("seed %d, cell %d %d at %v %%, %s: above %v and below %v where pairs are told, else %v and %v",
							seed, want[i].RowIndex, want[i].ColumnIndex, level, correction, a.HigherThan, a.LowerThan, b.HigherThan,
							b.LowerThan)
					}
				}
			}
		}
	}
	t.Logf("%d cells compared, %d letters, %d levels near a pair's", compared, letters, close)
	if compared < 100 || letters < 50 || close < 10 {
		t.Errorf("%d cells compared, %d letters, %d levels near a pair's: too few", compared, letters, close)
	}
}
