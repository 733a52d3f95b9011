package kernel

import (
	"math/rand/v2"
	"testing"
)

// A machine that is faster or slower in all has the same costs; one that takes longer for some has others, within
// bounds.
func TestCostsChanged(t *testing.T) {
	known := costs{1, 2, 100, 10, 1000, .1, .5, .3, .2, .4, 8}
	there := costs{respondent: .5, respondentGroup: 1, list: 40, listGroup: 5, transpose: 400, code: .05, bin: .25,
		sample: .2, merge: 3}
	times := func(c costs, by float32) costs {
		return costs{c.respondent * by, c.respondentGroup * by, c.list * by, c.listGroup * by, c.transpose * by, c.code * by,
			c.bin * by, c.plane * by, c.fold * by, c.sample * by, c.merge * by}
	}
	with := func(c costs, change func(*costs)) costs {
		change(&c)
		return c
	}
	for _, c := range []struct {
		name       string
		here, want costs
	}{
		{"the same", there, known},
		{"three times slower", times(there, 3), known},
		{"a little slower in one", with(there, func(c *costs) { c.transpose *= 1.3 }), known},
		{"transposing takes twice as long", with(there, func(c *costs) { c.transpose *= 2 }),
			with(known, func(c *costs) { c.transpose *= 2 })},
		{"bins take half as long, on a slower machine", with(times(there, 4), func(c *costs) { c.bin /= 2 }),
			with(known, func(c *costs) { c.bin /= 2 })},
		{"lists take twice as long", with(there, func(c *costs) { c.list, c.listGroup = 80, 10 }),
			with(known, func(c *costs) { c.list, c.listGroup = 200, 20 })},
		{"disturbed", with(there, func(c *costs) { c.code, c.merge, c.sample = 1e6, 0, -1 }),
			with(known, func(c *costs) { c.code, c.merge, c.sample = 4*c.code, c.merge/4, c.sample/4 })},
	} {
		if got := known.changed(there, c.here); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// Whatever a kernel takes its work to cost, it counts the same.
func TestCostsChangeNoCount(t *testing.T) {
	r, s := rand.New(rand.NewPCG(12, 0)), new(Scratch)
	for _, known := range All() {
		for range 6 {
			k := known.Calibrated()
			for _, cost := range []*float32{&k.costs.respondent, &k.costs.respondentGroup, &k.costs.list, &k.costs.listGroup,
				&k.costs.transpose, &k.costs.code, &k.costs.bin, &k.costs.plane, &k.costs.fold, &k.costs.merge} {
				*cost *= float32(uint(1)<<r.UintN(9)) / 16
			}
			b := newBlock(r, 1+r.IntN(60), 0, 40, 0, .2, .9, 1000)
			b.rows = append(questions(r, len(b.mask), .1, 2, 3, 9),
				bitmaps(r, len(b.mask), 8, func(int) float64 { return .3 })...)
			got, want := make([]Count, len(b.rows)*len(b.cols)), make([]Count, len(b.rows)*len(b.cols))
			naive(want, len(b.cols), b.rows, b.cols, b.mask, b.weights)
			k.Tile(s, got, len(b.cols), b.rows, b.cols, b.mask, given(b.weights)[0])
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%s with costs %+v: cell %d is %+v, want %+v", k, k.costs, i, got[i], want[i])
				}
			}
		}
	}
}

// All parts are tried, and a kernel that is calibrated is another one of the same name.
func TestCalibrated(t *testing.T) {
	for _, k := range All() {
		tried := newCalibration(k).try()
		for i, took := range []float32{tried.transpose, tried.code, tried.bin, tried.sample, tried.merge} {
			if took <= 0 {
				t.Errorf("%s: part %d took %v ns: %+v", k, i, took, tried)
			}
		}
		if c := k.Calibrated(); c.Name() != k.Name() || c == k {
			t.Errorf("%s is %s when it is calibrated", k, c)
		}
	}
}
