package inference

import (
	"bytes"
	"encoding/csv"
	"math"
	"os"
	"strconv"
	"testing"
)

// close tells whether x is y but for a share, or an amount where y is small, of tolerance.
func close(x, y, tolerance float64) bool { return math.Abs(x-y) <= tolerance*max(1, math.Abs(y)) }

func near(xs, ys []float64, tolerance float64) bool {
	for i := range xs {
		if !close(xs[i], ys[i], tolerance) {
			return false
		}
	}
	return len(xs) == len(ys)
}

// fixture reads a file that a script in testdata has printed.
func fixture(t *testing.T, name string) [][]string {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	r := csv.NewReader(bytes.NewReader(text))
	r.FieldsPerRecord = -1
	lines, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func numbers(t *testing.T, texts []string) (xs []float64) {
	t.Helper()
	for _, text := range texts {
		x, err := strconv.ParseFloat(text, 64)
		if err != nil {
			t.Fatal(err)
		}
		xs = append(xs, x)
	}
	return xs
}

// Distributions are R's, as testdata/distributions.R had them printed.
func TestDistributionsAsR(t *testing.T) {
	share := func(got, want float64) float64 {
		if got == want {
			return 0
		}
		return math.Abs(got/want - 1)
	}
	worst, count := map[string]float64{}, map[string]int{}
	for _, line := range fixture(t, "distributions.csv") {
		name, x := line[0], numbers(t, line[1:])
		want := x[len(x)-1]
		var off float64
		switch name {
		case "pbeta":
			got, _ := betaTails(x[1], x[2], x[0], 1-x[0])
			off = share(got, want)
		case "qbeta":
			off = share(BetaQuantile(x[0], x[1], x[2]), want)
		case "pt":
			off = share(StudentTail(x[0], x[1]), want)
		case "qt":
			off = share(TQuantile(x[0], x[1]), want)
		case "pf":
			off = share(FTail(x[0], x[1], x[2]), want)
		case "pchisq":
			off = share(ChiSquareTail(x[0], x[1]), want)
		default:
			t.Fatalf("there is no %s", name)
		}
		count[name]++
		worst[name] = max(worst[name], off)
		if !(off <= 1e-9) {
			t.Errorf("%v: off by %v of it", line, off)
		}
	}
	t.Log(worst, count)
	if len(count) < 6 {
		t.Errorf("only %d functions were compared", len(count))
	}
}

// At their ends, tails are 0 and 1, and of what is no number they are no number.
func TestTailsAtTheEnds(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, test := range []struct {
		name      string
		got, want float64
	}{
		{"t of 0", StudentTail(0, 7), 1},
		{"t of next to 0", StudentTail(5e-324, 7), 1},
		{"t of ∞", StudentTail(inf, 7), 0},
		{"t of −∞", StudentTail(-inf, 7), 0},
		{"t of 10²⁰⁰", StudentTail(1e200, 7), 0},
		{"t of −1, df 1", StudentTail(-1, 1), 0.5},
		{"t of NaN", StudentTail(nan, 7), nan},
		{"F of 0", FTail(0, 2, 7), 1},
		{"F of −1", FTail(-1, 2, 7), 1},
		{"F of ∞", FTail(inf, 2, 7), 0},
		{"F of NaN", FTail(nan, 2, 7), nan},
		{"χ² of 0", ChiSquareTail(0, 1), 1},
		{"χ² of −1", ChiSquareTail(-1, 3), 1},
		{"χ² of ∞", ChiSquareTail(inf, 3), 0},
		{"χ² of NaN", ChiSquareTail(nan, 3), nan},
		{"χ² of NaN, df 1", ChiSquareTail(nan, 1), nan},
		{"the median of t", TQuantile(0.5, 3), 0},
		{"a quantile of t, df 1", TQuantile(0.75, 1), 1},
		{"the same below", TQuantile(0.25, 1), -1},
		{"a quantile of beta(1, 1)", BetaQuantile(0.3, 1, 1), 0.3},
		{"one that is next to 0", BetaQuantile(0.025, 1e-3, 10), 0},
		{"one that is next to 1", BetaQuantile(0.975, 10, 1e-3), 1},
		{"that of a middle", BetaQuantile(0.5, 1e9, 1e9), 0.5},
	} {
		if !close(test.got, test.want, 1e-12) && !(math.IsNaN(test.got) && math.IsNaN(test.want)) {
			t.Errorf("%s: %v, want %v", test.name, test.got, test.want)
		}
	}
}

// What lies below a quantile is what it was asked for.
func FuzzBetaQuantile(f *testing.F) {
	for _, p := range []float64{1e-300, 1e-10, 0.025, 0.3, 0.5, 0.975, 1 - 1e-9} {
		for _, a := range []float64{1e-3, 0.03, 1, 8, 50, 15e3, 1e9} {
			f.Add(p, a, 0.5)
			f.Add(p, a, 300.)
			f.Add(p, a, 1e9)
		}
	}
	f.Fuzz(func(t *testing.T, p, a, b float64) {
		if !(p > 0 && p < 1 && a >= 1e-3 && a <= 1e9 && b >= 1e-3 && b <= 1e9) {
			return
		}
		if x := BetaQuantile(p, a, b); !(0 <= x && x <= 1) {
			t.Errorf("the %v-quantile of beta(%v, %v) is %v", p, a, b, x)
		}
		if p > 0.5 {
			p, a, b = 1-p, b, a
		}
		z := normalQuantile(p)
		x, y := betaQuantile(p, z, a, b)
		if x < 1e-300 || y < 1e-300 {
			return // what lies there can't be told by x and y
		}
		if lower, _ := betaTails(a, b, x, y); !(math.Abs(lower/p-1) <= 1e-9*max(1, math.Abs(z))) {
			t.Errorf("below the %v-quantile of beta(%v, %v), %v, lies %v", p, a, b, x, lower)
		}
	})
}
