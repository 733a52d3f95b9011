package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// timing is what something took: the fewest milliseconds of its rounds, as what else goes on in the machine only adds
// to them, and how sure that is. The rounds are dealt out to three hands; the spread is what the fastest of the hands
// differ by, in percent of the fastest of all. It is below 0 where there were too few rounds to tell. falling tells
// that the last third of the rounds has one faster than all before: the first rounds of a process wait for its memory.
type timing struct {
	ms, spread float64
	falling    bool
}

// String writes milliseconds and the spread.
func (t timing) String() string {
	if t.spread < 0 {
		return fmt.Sprintf("%.2f ms", t.ms)
	}
	return fmt.Sprintf("%.2f ms ± %.1f %%", t.ms, t.spread)
}

// unsure is a timing of one round.
func unsure(ms float64) timing { return timing{ms: ms, spread: -1} }

const (
	hands  = 3
	steady = 5  // percent, the spread at which there were rounds enough
	most   = 20 // times the rounds asked for, if the spread stays above that
)

// timed is the timing of some rounds, in their order.
func timed(ms []float64) timing {
	if len(ms) < hands {
		return unsure(slices.Min(ms))
	}
	var fastest [hands]float64
	for i, t := range ms {
		if h := i % hands; i < hands || t < fastest[h] {
			fastest[h] = t
		}
	}
	least := slices.Min(fastest[:])
	return timing{
		ms:      least,
		spread:  100 * (slices.Max(fastest[:]) - least) / max(least, math.SmallestNonzeroFloat64),
		falling: slices.Index(ms, least) >= len(ms)-len(ms)/hands,
	}
}

// rounds says how often something is timed.
type rounds struct {
	least   int
	longest time.Duration // of all rounds of each that is measured, unless the least takes longer; 0: 20 s
}

// fastest times f, after a round that does not count.
func (r rounds) fastest(f func() error) (timing, error) {
	ts, err := r.sideBySide(f)
	if err != nil {
		return timing{}, err
	}
	return ts[0], nil
}

// sideBySide is fastest for several, which take turns: so they have the same machine, whatever else goes on there.
func (r rounds) sideBySide(fs ...func() error) ([]timing, error) {
	return r.repeat(len(fs), func(took []time.Duration) error {
		for i, f := range fs {
			begun := time.Now()
			if err := f(); err != nil {
				return err
			}
			took[i] = time.Since(begun)
		}
		return nil
	})
}

// repeat runs rounds that each find out what several things take, until all of these have a steady timing, or time is
// up. A round before them does not count.
func (r rounds) repeat(things int, round func(took []time.Duration) error) ([]timing, error) {
	ms, out, took := make([][]float64, things), make([]timing, things), make([]time.Duration, things)
	least, all := max(1, r.least), time.Duration(0)
	longest := time.Duration(things) * cmp.Or(r.longest, 20*time.Second)
	for i := -1; i < most*least && (i < least || all < longest && !steadied(out)); i++ {
		if err := round(took); err != nil {
			return nil, err
		}
		if i < 0 {
			continue
		}
		for j, t := range took {
			all += t
			ms[j] = append(ms[j], milliseconds(t))
			out[j] = timed(ms[j])
		}
	}
	return out, nil
}

// steadied tells that all timings are steady.
func steadied(ts []timing) bool {
	return !slices.ContainsFunc(ts, func(t timing) bool { return t.spread < 0 || t.spread >= steady || t.falling })
}

// once times f, the first time.
func once(f func() error) (timing, error) {
	begun := time.Now()
	err := f()
	return unsure(milliseconds(time.Since(begun))), err
}

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }
