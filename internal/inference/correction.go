package inference

import (
	"cmp"
	"slices"
)

// Correction is how the p-values of a family of tests are corrected for there being many.
type Correction uint8

const (
	None       Correction = iota // they are not
	Bonferroni                   // every p is multiplied by the number of tests
	Holm                         // as Bonferroni, each time by the number of tests that are left; never larger
	FDR                          // after Benjamini and Hochberg: bounds the share of false findings, not the chance of one
)

// Adjust gives the adjusted p-values of a family of tests, in the order of ps, which it leaves as it is. None is above
// 1, and none is below its p. A family has every test once; p-values are from 0 to 1 and never NaN.
func (c Correction) Adjust(ps []float64) []float64 {
	adjusted := slices.Clone(ps)
	n := float64(len(ps))
	switch c {
	case Bonferroni:
		for i, p := range ps {
			adjusted[i] = min(1, float64(n*p))
		}
	case Holm:
		largest := 0.0
		for rank, i := range ascending(ps) {
			largest = max(largest, float64((n-float64(rank))*ps[i]))
			adjusted[i] = min(1, largest)
		}
	case FDR:
		smallest := 1.0
		order := ascending(ps)
		for rank := len(order) - 1; rank >= 0; rank-- {
			i := order[rank]
			smallest = min(smallest, float64(n/float64(rank+1)*ps[i]))
			adjusted[i] = smallest
		}
	}
	return adjusted
}

// ascending is the order of ps, the smallest first.
func ascending(ps []float64) []int {
	order := make([]int, len(ps))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(ps[i], ps[j]) })
	return order
}
