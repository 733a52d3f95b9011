package inference

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAdjust(t *testing.T) {
	ps := []float64{0.03, 0.01, 0.02, 0.04, 0.05}
	for c, want := range map[Correction][]float64{
		None:       {0.03, 0.01, 0.02, 0.04, 0.05},
		Bonferroni: {0.15, 0.05, 0.1, 0.2, 0.25},
		Holm:       {0.09, 0.05, 0.08, 0.09, 0.09},
		FDR:        {0.05, 0.05, 0.05, 0.05, 0.05},
	} {
		if got := c.Adjust(ps); !near(got, want, 1e-15) {
			t.Errorf("%v: %v, want %v", c, got, want)
		}
	}
	if want := []float64{0.03, 0.01, 0.02, 0.04, 0.05}; !slices.Equal(ps, want) {
		t.Errorf("the p-values are now %v", ps)
	}
	for c := None; c <= FDR; c++ {
		if got := c.Adjust(nil); len(got) != 0 {
			t.Errorf("%v: of no tests: %v", c, got)
		}
	}
}

// Corrections are R's, as testdata/corrections.R had them printed.
func TestAdjustAsR(t *testing.T) {
	families := map[string][4][]float64{}
	for _, line := range fixture(t, "corrections.csv") {
		family := families[line[0]]
		for i, x := range numbers(t, line[1:]) {
			family[i] = append(family[i], x)
		}
		families[line[0]] = family
	}
	if len(families) < 8 {
		t.Fatalf("only %d families", len(families))
	}
	for name, family := range families {
		for i, c := range []Correction{None, Bonferroni, Holm, FDR} {
			if got := c.Adjust(family[0]); !near(got, family[i], 1e-15) {
				t.Errorf("family %s, correction %d: %v, want %v", name, i, got, family[i])
			}
		}
	}
}

// In what order the tests of a family come makes no difference.
func TestAdjustInAnyOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	ps := make([]float64, 100)
	for i := range ps {
		ps[i] = float64(r.IntN(50)) / 500
	}
	order := r.Perm(len(ps))
	mixed := make([]float64, len(ps))
	for i, j := range order {
		mixed[i] = ps[j]
	}
	for c := None; c <= FDR; c++ {
		adjusted, mixed := c.Adjust(ps), c.Adjust(mixed)
		for i, j := range order {
			if mixed[i] != adjusted[j] || adjusted[j] < ps[j] {
				t.Fatalf("correction %d: %v became %v, and in another order %v", c, ps[j], adjusted[j], mixed[i])
			}
		}
	}
}
