package httpapi

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"testing"
)

// Numbers are written as encoding/json writes them, whether they were written before or not.
func TestNumbersAreWrittenAsJSON(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	xs := []float64{0, math.Copysign(0, -1), 1, -1, 100, 1e-7, 9.5e-7, 1e21, 1e20, math.MaxFloat64,
		-math.SmallestNonzeroFloat64, -2.2250738585072014e-308, 1.0 / 3}
	for range 5000 { // more than can be remembered
		xs = append(xs, math.Float64frombits(r.Uint64()), float64(r.IntN(1000))/10, r.Float64()*1e9)
	}
	remembers := new(numbers)
	for range 30_000 {
		x := xs[r.IntN(len(xs))]
		if math.IsNaN(x) || math.IsInf(x, 0) {
			continue
		}
		want, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		for _, write := range []func([]byte, float64) []byte{remembers.append, appendNumber} {
			if got := write([]byte("x"), x); string(got) != "x"+string(want) {
				t.Fatalf("%s, want %s", got, want)
			}
		}
		if got := remembers.append(nil, x); string(got) != string(want) { // again
			t.Fatalf("%s, want %s", got, want)
		}
	}
}
