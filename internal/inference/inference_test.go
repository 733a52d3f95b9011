package inference

import (
	"math"
	"testing"
)

func TestBetaQuantileRoundTrip(t *testing.T) {
	shapes := []float64{0.03, 0.5, 1, 2, 5, 50, 300, 1e5, 1e9}
	for _, a := range shapes {
		for _, b := range shapes {
			for _, p := range []float64{1e-10, 0.001, 0.025, 0.3, 0.5} {
				x, y := betaQuantile(p, normalQuantile(p), a, b)
				if x < 1e-300 || y < 1e-300 {
					continue // what is there can't be told by x and y
				}
				if lower, _ := betaTails(a, b, x, y); math.Abs(lower/p-1) > 1e-10 {
					t.Errorf("beta(%v, %v): below the %v-quantile %v lies %v", a, b, p, x, lower)
				}
			}
		}
	}
}

func BenchmarkBetaQuantile(b *testing.B) {
	l := NewLevel(95)
	for _, shapes := range [][2]float64{{.1, 100}, {2, 100}, {10, 1000}, {100, 200}, {500, 5000}, {1e5, 2e5}} {
		b.Run("", func(b *testing.B) {
			for b.Loop() {
				betaQuantile(l.tail, l.normal, shapes[0], shapes[1])
			}
		})
	}
}
