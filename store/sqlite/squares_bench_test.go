package sqlite

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
)

// BenchmarkSquares counts a table of everything that was fielded, then one for each fieldwork, then with squares, one
// after the other, so that whatever else the machine does slows all of them down. Ratios are of the fastest rounds.
func BenchmarkSquares(b *testing.B) {
	path := benchStore(b)
	for _, k := range kernel.All() {
		for _, threads := range []int{1, 2} {
			for _, rows := range []int{50, 1} {
				b.Run(fmt.Sprintf("%s/%d/%dx50", k.Name(), threads, rows), func(b *testing.B) {
					s := openStore(b, path, Config{Kernel: k.Name(), Threads: threads})
					f, err := s.Frame(b.Context())
					check(b, err)
					q := audience.Query{Namespace: f.Namespaces[0].Code, Rows: options(f, rows, true),
						Columns: options(f, 50, false)}
					whole, apart, squares := q, q, q
					whole.Strata, apart.Strata, squares.Strata = strata(f, false), fieldworks(f), fieldworks(f)
					squares.Measures = audience.Squares
					var times [3][]time.Duration
					for b.Loop() {
						for i, q := range []audience.Query{whole, apart, squares} {
							begun := time.Now()
							_, err := s.Count(b.Context(), f.Version, []audience.Query{q})
							check(b, err)
							times[i] = append(times[i], time.Since(begun))
						}
					}
					least := func(i int) float64 { return slices.Min(times[i]).Seconds() }
					b.ReportMetric(1000*least(0), "ms-whole")
					b.ReportMetric(least(1)/least(0), "apart/whole")
					b.ReportMetric(least(2)/least(0), "squares/whole")
				})
			}
		}
	}
}
