package inference

import (
	"fmt"
	"testing"
)

// Quantiles for the lower ends of shares of all sizes.
func BenchmarkBetaQuantile(b *testing.B) {
	l := NewLevel(95)
	for _, shapes := range [][2]float64{
		{0.1, 100}, {1, 100}, {2, 100}, {4, 500}, {10, 1000}, {100, 200}, {500, 5000}, {9000, 9000}, {4e4, 1e6}, {1e5, 2e5},
	} {
		b.Run(fmt.Sprint(shapes), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				betaQuantile(l.tail, l.normal, shapes[0], shapes[1])
			}
		})
	}
}

// The variance of a cell: four parts in each of three fieldworks.
func BenchmarkVariance(b *testing.B) {
	p := Part{of(1e6, 2e6, 3e6), 1e-7}
	b.ReportAllocs()
	for b.Loop() {
		var v Variance
		for range 3 {
			v.Add(100, p, p, p, p)
		}
		if v.Value() == 0 {
			b.Error("there is no variance")
		}
	}
}
