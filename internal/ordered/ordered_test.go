package ordered

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"testing"
)

var errEnd = errors.New("the end")

// upTo streams the numbers from 0 to n-1, and then errEnd.
func upTo(n int) func(context.Context) iter.Seq2[int, error] {
	return func(context.Context) iter.Seq2[int, error] {
		return func(yield func(int, error) bool) {
			for i := range n {
				if !yield(i, nil) {
					return
				}
			}
			yield(0, errEnd)
		}
	}
}

// What is handed out does not depend on who is ready first: here every second item waits for the one behind it.
func TestOrder(t *testing.T) {
	const n = 200
	behind := make([]chan struct{}, n)
	for i := range behind {
		behind[i] = make(chan struct{})
	}
	made := 0
	var mu sync.Mutex
	work := Work[int, int]{Items: upTo(n), Begin: func(task *int, i int) { *task = i }, Workers: 2,
		Worker: func() func(*int) {
			mu.Lock()
			defer mu.Unlock()
			made++
			return func(task *int) {
				if i := *task; i%2 == 0 {
					<-behind[i+1]
				} else {
					close(behind[i])
				}
				*task *= 10
			}
		}}
	var got []int
	var last error
	for task, err := range work.Do(t.Context()) {
		if last = err; err == nil {
			got = append(got, *task)
		}
	}
	if len(got) != n || !slices.IsSorted(got) || got[n-1] != 10*(n-1) || !errors.Is(last, errEnd) || made != 2 {
		t.Errorf("%d tasks, %d workers, %v: %v", len(got), made, last, got)
	}
}

// A short stream has few workers.
func TestPerWorker(t *testing.T) {
	for n, want := range map[int]int{0: 0, 1: 1, 4: 1, 5: 2, 100: 3} {
		made := 0
		var mu sync.Mutex
		work := Work[int, int]{Items: upTo(n), Begin: func(*int, int) {}, Workers: 3, PerWorker: 4,
			Worker: func() func(*int) {
				mu.Lock()
				defer mu.Unlock()
				made++
				return func(*int) {}
			}}
		for range work.Do(t.Context()) {
		}
		if made != want {
			t.Errorf("%d items have %d workers, want %d", n, made, want)
		}
	}
}

// A loop may be left, and a context ends it with its error.
func TestEnds(t *testing.T) {
	work := Work[int, int]{Items: upTo(1000), Begin: func(*int, int) {}, Workers: 2,
		Worker: func() func(*int) { return func(*int) {} }}
	for range work.Do(t.Context()) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	var last error
	for _, err := range work.Do(ctx) {
		if last = err; err == nil {
			n++
		}
		cancel()
	}
	if n != 1 || !errors.Is(last, context.Canceled) {
		t.Errorf("%d tasks, %v", n, last)
	}
}
