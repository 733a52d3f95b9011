package inference

import "testing"

func TestSampleRule(t *testing.T) {
	rule := SampleRule{Withhold: DefaultWithhold, Caution: DefaultCaution}
	for sample, want := range map[int64]Quality{
		0: Withhold, 29: Withhold, 30: Caution, 99: Caution, 100: OK, 5000: OK,
	} {
		if got := rule.Quality(Proportion{Sample: sample}); got != want {
			t.Errorf("%d respondents: %v, want %v", sample, got, want)
		}
	}
	if got := (SampleRule{}).Quality(Proportion{}); got != OK {
		t.Errorf("without limits: %v", got)
	}
}

func TestNCHSRule(t *testing.T) {
	rule := NewNCHSRule()
	// share is a share of a simple random sample, whose variance is deff times p(1−p)/n.
	share := func(percent float64, n int64, df, deff float64) Proportion {
		p, q := percent/100, (100-percent)/100
		return Proportion{
			P: p, Complement: q, Variance: deff * p * q / float64(n), Sample: n, DF: df, Effective: float64(n) / 2,
		}
	}
	for _, test := range []struct {
		name string
		p    Proportion
		want Quality
	}{
		{"many", share(40, 1000, 990, 1), OK},
		{"29 respondents", share(50, 29, 28, 0.1), Withhold},
		{"30 respondents who are worth more are worth 30", share(50, 30, 29, 0.1), Withhold}, // 31 to 69
		{"29 effective respondents", share(3, 580, 579, 20), Withhold},
		{"30 points wide", share(50, 40, 39, 1), Withhold}, // 34 to 66
		{"29 points wide", share(50, 48, 47, 1), OK},       // 35 to 65
		{"wider than 130 % of it", share(10, 50, 49, 1), Withhold},
		{"wider than 130 % of what is left", share(90, 50, 49, 1), Caution},
		{"much wider than it, but no wider than 5 points", share(0.5, 200, 199, 1), OK},
		{"7 degrees of freedom", share(50, 1000, 7, 1), Caution},
		{"8 degrees of freedom", share(50, 1000, 8, 1), OK},
		{"0 %, up to 11.6", share(0, 30, 29, 0), Withhold},
		{"0 %, up to 5.1", share(0, 71, 70, 0), Withhold},
		{"0 %, up to 4.997", share(0, 72, 71, 0), Caution},
		{"100 %, from 88.4", share(100, 30, 29, 0), Caution},
		{"100 %", share(100, 5000, 4999, 0), Caution},
		{"no variance", share(40, 1000, 999, 0), OK},
		{"no one", Proportion{}, Withhold},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := rule.Quality(test.p); got != test.want {
				low, high := rule.level.clopperPearson(test.p.P, test.p.Complement, float64(test.p.Sample))
				t.Errorf("%v, want %v; simply %v to %v", got, test.want, low, high)
			}
		})
	}
}
