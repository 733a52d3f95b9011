package inference

import (
	"math"
	"testing"
)

func TestLevel(t *testing.T) {
	l := NewLevel(95)
	for df, want := range map[float64]float64{
		-3: 12.706204736174698, 0: 12.706204736174698, 1: 12.706204736174698, 10: 2.2281388519862735, 1e12: 1.959963984542427,
	} {
		for range 2 { // reckoned and remembered
			if got := l.T(df); !close(got, want, 1e-12) {
				t.Errorf("%v degrees of freedom: %v, want %v", df, got, want)
			}
		}
	}
	if low, high := l.Around(100, 2, 10); !close(low, 100-2*2.2281388519862735, 1e-14) ||
		!close(high, 100+2*2.2281388519862735, 1e-14) {
		t.Errorf("around 100: %v to %v", low, high)
	}
	if low, high := l.Around(100, 0, 10); low != 100 || high != 100 {
		t.Errorf("without error: %v to %v", low, high)
	}
	low, high := l.AroundLog(80, 0.1, 10)
	if !close(low, 80*math.Exp(-0.22281388519862735), 1e-13) || !close(high, 80*math.Exp(0.22281388519862735), 1e-13) {
		t.Errorf("around 80 on the scale of logarithms: %v to %v", low, high)
	}
}

// The expansion for many degrees of freedom goes on where the distribution itself is left.
func TestLevelOfManyDegrees(t *testing.T) {
	for _, percent := range []float64{50.1, 68, 90, 95, 99.9, 99.9999999, 100 - 1e-12} {
		l := NewLevel(percent)
		for _, df := range []float64{manyDegrees + 0.5, 12345, 1e5, 1e7, 1e10} {
			if got, want := l.T(df), studentQuantile(2*l.tail, df); !close(got, want, 1e-12) {
				t.Errorf("level %v, %v degrees of freedom: %v, want %v", percent, df, got, want)
			}
		}
	}
}

func TestTest(t *testing.T) {
	for _, test := range []struct{ d, se, df, t, p float64 }{
		{0, 2, 10, 0, 1},
		{2, 2, 1, 1, 0.5},
		{-2, 2, 1, -1, 0.5},
		{-2, 2, 0, -1, 0.5},
		{3, 2, 2, 1.5, 0.27239312489100093},
	} {
		if gotT, gotP := Test(test.d, test.se, test.df); gotT != test.t || !close(gotP, test.p, 1e-14) {
			t.Errorf("%v ± %v, df %v: t %v, p %v, want %v and %v", test.d, test.se, test.df, gotT, gotP, test.t, test.p)
		}
	}
}

func TestKornGraubard(t *testing.T) {
	l := NewLevel(95)
	quantile := func(p, a, b float64) float64 { return BetaQuantile(p, a, b) }
	for _, test := range []struct {
		name      string
		p         Proportion
		low, high float64
	}{
		{
			// As many degrees of freedom as the sample has, so that t makes no difference: 3 of 10.
			"simple random sample", Proportion{P: 0.3, Complement: 0.7, Variance: 0.021, Sample: 10, DF: 9, Effective: 10},
			0.066739511177934, 0.652452850059997,
		},
		{
			"larger than the sample", Proportion{P: 0.3, Complement: 0.7, Variance: 0.0021, Sample: 10, DF: 9, Effective: 10},
			quantile(0.025, 30, 71), quantile(0.975, 31, 70),
		},
		{
			"0", Proportion{P: 0, Complement: 1, Variance: 0, Sample: 12, DF: 3, Effective: 10}, // by n, not by t
			0, 1 - math.Pow(0.025, 0.1),
		},
		{
			"1", Proportion{P: 1, Complement: 0, Variance: 1e-40, Sample: 12, DF: 3, Effective: 10},
			math.Pow(0.025, 0.1), 1,
		},
		{
			"no variance", Proportion{P: 0.5, Complement: 0.5, Variance: 0, Sample: 12, DF: 3, Effective: 10},
			quantile(0.025, 5, 6), quantile(0.975, 6, 5),
		},
		{
			"one respondent", Proportion{P: 1, Complement: 0, Variance: 0, Sample: 1, DF: 1, Effective: 1},
			0.025, 1,
		},
		{
			"few degrees of freedom", Proportion{P: 0.5, Complement: 0.5, Variance: 0.25, Sample: 2, DF: 1, Effective: 2},
			quantile(0.025, 0.5, 1.5), quantile(0.975, 1.5, 0.5),
		},
		{
			"above 10⁹", Proportion{P: 0.5, Complement: 0.5, Variance: 1e-10, Sample: 1e7, DF: 1e12, Effective: 1e7},
			0.5 - 1.959963984542427e-5, 0.5 + 1.959963984542427e-5,
		},
		{
			"above 10⁹ and near 0", Proportion{P: 1e-11, Complement: 1, Variance: 1e-21, Sample: 1e7, DF: 1e12, Effective: 1e7},
			0, 1e-11 + 1.959963984542427*math.Sqrt(1e-21),
		},
		{
			"above 10⁹ and near 1", Proportion{P: 1, Complement: 1e-11, Variance: 1e-21, Sample: 1e7, DF: 1e12, Effective: 1e7},
			1 - 1.959963984542427*math.Sqrt(1e-21), 1,
		},
		{"no one", Proportion{P: 0, Complement: 1}, 0, 1},
		{"not even a share", Proportion{P: math.NaN(), Complement: math.NaN(), Effective: math.NaN()}, 0, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			low, high := l.KornGraubard(test.p)
			if !close(low, test.low, 1e-12) || !close(high, test.high, 1e-12) {
				t.Errorf("%v to %v, want %v to %v", low, high, test.low, test.high)
			}
		})
	}
}

// An interval holds its share, and what is left of the whole has the mirrored one.
func TestKornGraubardMirrored(t *testing.T) {
	for _, percent := range []float64{50.1, 68, 95, 99.99} {
		l := NewLevel(percent)
		for _, share := range []float64{1e-9, 1e-4, 0.03, 0.3, 0.5} {
			for _, n := range []float64{1e-6, 0.4, 3, 57.7, 3000, 4e6, 9.9e8} {
				p := Proportion{
					P: share, Complement: 1 - share, Variance: share * (1 - share) / n, Sample: 500, DF: 499, Effective: n,
				}
				low, high := l.KornGraubard(p)
				if !(0 <= low && low <= share && share <= high && high <= 1) {
					t.Errorf("level %v, %v of %v: %v to %v", percent, share, n, low, high)
				}
				p.P, p.Complement = p.Complement, p.P
				if from, to := l.KornGraubard(p); !close(1-to, low, 1e-12) || !close(1-from, high, 1e-12) {
					t.Errorf("level %v, %v of %v: %v to %v, but mirrored %v to %v", percent, share, n, low, high, from, to)
				}
			}
		}
	}
}
