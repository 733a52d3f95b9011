package background

import (
	"errors"
	"sync/atomic"
	"testing"
)

// Each does everything once, however many goroutines there are for it.
func TestEach(t *testing.T) {
	for _, threads := range []int{-1, 0, 1, 2, 7, 100} {
		for _, n := range []int{0, 1, 2, 50} {
			done := make([]atomic.Int32, n)
			Each(t.Context(), threads, n, func(i int) { done[i].Add(1) })
			for i := range done {
				if times := done[i].Load(); times != 1 {
					t.Errorf("%d threads: %d of %d was done %d times", threads, i, n, times)
				}
			}
		}
	}
}

// A panic on any of the goroutines is one of whoever called Each, when all of them have ended.
func TestEachPanics(t *testing.T) {
	meant := errors.New("meant")
	for bad := range 20 {
		var ended atomic.Int32
		func() {
			defer func() {
				if value := recover(); value != meant {
					t.Errorf("the panic of %d is %v", bad, value)
				}
			}()
			Each(t.Context(), 3, 20, func(i int) {
				defer ended.Add(1)
				if i == bad {
					panic(meant)
				}
			})
		}()
		if n := ended.Load(); n < int32(bad+1) {
			t.Errorf("%d of the first %d were begun", n, bad+1)
		}
	}
}
