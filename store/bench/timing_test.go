package main

import (
	"errors"
	"testing"
	"time"
)

// Hands are dealt in turns: 10 and 12 to the first, 11 to the second, 14 to the third. Times fall where the fastest is
// among the last third.
func TestTimed(t *testing.T) {
	for _, c := range []struct {
		ms   []float64
		want timing
	}{
		{[]float64{3, 2}, timing{ms: 2, spread: -1}},
		{[]float64{10, 10, 10}, timing{ms: 10}},
		{[]float64{10, 11, 14, 12}, timing{ms: 10, spread: 40}},
		{[]float64{12, 11, 14, 10, 12.5, 12.5}, timing{ms: 10, spread: 25}},
		{[]float64{12, 12, 12, 11, 10, 12}, timing{10, 20, true}},
	} {
		if got := timed(c.ms); got != c.want {
			t.Errorf("%v: %v, want %v", c.ms, got, c.want)
		}
	}
}

// What varies is repeated until its fastest rounds agree, and what does not at least as often as was asked for.
func TestRounds(t *testing.T) {
	calls := 0
	took := func(ms ...int) func() error {
		calls = 0
		return func() error {
			time.Sleep(time.Duration(ms[min(calls, len(ms)-1)]) * time.Millisecond)
			calls++
			return nil
		}
	}
	got, err := rounds{least: 4}.fastest(took(1, 30, 60, 90, 40, 30, 30, 30))
	if err != nil || calls < 7 || got.ms < 30 {
		t.Errorf("%v after %d calls, %v", got, calls, err)
	}
	if _, err := (rounds{least: 4, longest: 1}).fastest(took(1, 10, 20, 30, 40)); err != nil || calls != 5 {
		t.Errorf("%d calls, want 5: %v", calls, err)
	}
	away := errors.New("away")
	if _, err := (rounds{least: 4}).fastest(func() error { return away }); err != away {
		t.Error(err)
	}
}
