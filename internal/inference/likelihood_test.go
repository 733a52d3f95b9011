package inference

import (
	"math"
	"testing"
)

// The test is that of fifty digits, as testdata/likelihood.py had it printed.
func TestLikelihoodRatio(t *testing.T) {
	worst, count, small := 0.0, 0, 1.0
	for _, line := range fixture(t, "likelihood.csv") {
		x := numbers(t, line)
		a, b := EffectiveShare{x[0], x[1], 1 - x[1]}, EffectiveShare{x[2], x[3], 1 - x[3]}
		for _, sides := range [][2]EffectiveShare{{a, b}, {b, a}} {
			g2, p, tested := LikelihoodRatio(sides[0], sides[1])
			off := max(math.Abs(g2/x[4]-1), math.Abs(p/x[5]-1))
			if !tested || !(off < 1e-11) {
				t.Errorf("%v: G² %v, p %v, tested %v", line, g2, p, tested)
			}
			worst = max(worst, off)
		}
		count++
		small = min(small, x[5])
	}
	t.Logf("%d tests, p down to %.0e, off by %.0e at the most", count, small, worst)
	if count < 300 || small > 1e-250 {
		t.Errorf("%d tests, p down to %g, are too few", count, small)
	}
}

// Worked by hand: 10 of 20 against 0 of 20 is 2·(10·ln 2 + 10·ln(2/3) + 20·ln(4/3)).
func TestLikelihoodRatioByHand(t *testing.T) {
	g2, p, tested := LikelihoodRatio(EffectiveShare{20, 0.5, 0.5}, EffectiveShare{20, 0, 1})
	if want := 2 * (10*math.Log(2) + 10*math.Log(2.0/3) + 20*math.Log(4.0/3)); !tested || math.Abs(g2-want) > 1e-13 {
		t.Errorf("%v, want %v", g2, want)
	}
	if math.Abs(p-3.25818809469819e-5) > 1e-18 {
		t.Errorf("p is %v", p)
	}
}

// Where nobody or everybody is positive there is nothing to test, and equal shares do not differ.
func TestLikelihoodRatioOfNoDifference(t *testing.T) {
	for _, test := range []struct {
		p      float64
		tested bool
	}{{0, false}, {1, false}, {0.25, true}, {1e-12, true}} {
		a := EffectiveShare{50, test.p, 1 - test.p}
		b := EffectiveShare{70, test.p, 1 - test.p}
		if g2, p, tested := LikelihoodRatio(a, b); g2 != 0 || p != 1 || tested != test.tested {
			t.Errorf("of %v: %v, %v, %v", test.p, g2, p, tested)
		}
	}
}
