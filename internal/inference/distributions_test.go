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
