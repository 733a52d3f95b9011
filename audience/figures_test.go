package audience_test

import (
	"math"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// The worked figures that a service with the same formulas publishes: percentages to one decimal, the index for a base
// of 50.05 million.
func TestPublishedFigures(t *testing.T) {
	const positive, people, datapoint, base = 14_656_980, 25_411_761, 30_080_227, 50.05e6
	for _, c := range []struct {
		name      string
		got, want float64
		unit      float64
	}{
		{"audience percentage", audience.Percentage(positive, people), 57.7, 0.1},
		{"datapoint percentage", audience.Percentage(positive, datapoint), 48.7, 0.1},
		{"index", audience.Index(positive, base, people, datapoint), 96, 1},
	} {
		if math.Abs(c.got-c.want) > c.unit/2 {
			t.Errorf("%s: %v, published as %v", c.name, c.got, c.want)
		}
	}
}

func TestEmptyDenominatorIsZero(t *testing.T) {
	if got := audience.Percentage(3, 0); got != 0 {
		t.Errorf("Percentage(3, 0) = %v", got)
	}
	if got := audience.Index(3, 10, 0, 5); got != 0 {
		t.Errorf("Index(3, 10, 0, 5) = %v", got)
	}
}
