package kernel

import (
	"math"
	"testing"
)

// The division is the cheapest of all staircases, which are few enough here to try each.
func TestDivisionIsCheapest(t *testing.T) {
	for _, k := range All() {
		for _, shape := range [][2]int{{1, 50}, {50, 1}, {1, 100}, {3, 90}, {50, 50}, {20, 60}} {
			v := newSurvey(64, shape[0], shape[1])
			var s Scratch
			v.count(k, &s, make([]Count, shape[0]*shape[1]), nil)
			rows, cols := &s.rows, &s.cols
			var divided float32
			for i, reach := range rows.reach {
				divided += rows.price(k, i, reach)
			}
			for j, reach := range cols.reach {
				divided += cols.price(k, j, reach)
			}
			cheapest := float32(math.MaxFloat32)
			var try func(i, j int, price float32)
			try = func(i, j int, price float32) {
				if i == len(rows.groups) && j == len(cols.groups) {
					cheapest = min(cheapest, price)
				}
				if i < len(rows.groups) {
					try(i+1, j, price+rows.price(k, i, j))
				}
				if j < len(cols.groups) {
					try(i, j+1, price+cols.price(k, j, i))
				}
			}
			try(0, 0, 0)
			if math.Abs(float64(divided/cheapest-1)) > 1e-5 {
				t.Errorf("%s, %d × %d: rows reach %v, columns %v for %g; %g would do", k, shape[0], shape[1],
					rows.reach, cols.reach, divided, cheapest)
			}
		}
	}
}
