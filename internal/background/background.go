// Package background lets large work stand back behind small. What is large is known only on the way, and a system
// knows priorities of threads, not of goroutines; so each piece of work has a goroutine of its own, which turns its
// thread into one of low priority once the work has turned out to be large. The thread ends with the goroutine: who has
// made a thread stand back may not be allowed to undo that.
//
// A small request that arrives while large ones keep all processors busy is then given one at once, whatever those are
// doing: counting, or forming and compressing an answer. Where a system has no priorities of threads, nothing changes.
package background

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
)

// Threads are those of a service. The zero value has none yet.
type Threads struct{ lowered atomic.Int64 }

// mostThreads is how many may stand back at a time, as each is one of the system's. What is more keeps its priority.
const mostThreads = 256

// steps is by how much the priority of what stands back is lower, in steps of nice: a third of the processor where
// others want it, too. With much less, what it holds when it is interrupted, such as the end of a garbage collection,
// would be waited for by everybody.
const steps = 5

// place is where a piece of work finds its goroutine's state in a context.
type place struct{}

// work is a piece of work.
type work struct {
	threads *Threads
	lowered bool
}

// Panic is a panic of work, with the stack that it had on its own goroutine.
type Panic struct {
	Value any
	Stack []byte
}

func (p *Panic) Error() string { return fmt.Sprintf("%v\n%s", p.Value, p.Stack) }

// panicked is what a panic of work is for who asked for it: an error that somebody meant as it is, all else a Panic.
func panicked(value any) any {
	_, bug := value.(runtime.Error)
	if _, meant := value.(error); meant && !bug || value == nil {
		return value
	}
	return &Panic{value, debug.Stack()}
}

// Do has f done on a goroutine of its own, within a context by which Lower and Follow know it, and returns when it is
// done. A panic of f is one of Do, as a *Panic where it is no error that somebody meant.
func (t *Threads) Do(ctx context.Context, f func(context.Context)) {
	w := &work{threads: t}
	ended := make(chan struct{})
	var value any
	exited := true
	go func() {
		defer close(ended)
		defer func() {
			if value = panicked(recover()); value != nil {
				exited = false
			}
			if w.lowered {
				t.lowered.Add(-1)
			}
		}()
		f(context.WithValue(ctx, place{}, w))
		exited = false
	}()
	<-ended
	switch {
	case value != nil:
		panic(value)
	case exited: // by runtime.Goexit, which is meant for who asked
		runtime.Goexit()
	}
}

// Lower has the rest of a piece of work stand back. Only the goroutine that Do has made may call it. Other contexts
// than those of Do change nothing.
func Lower(ctx context.Context) {
	if w, ok := ctx.Value(place{}).(*work); ok && !w.lowered {
		w.lowered = w.threads.lower()
	}
}

// Follow is called by a goroutine that does a part of a piece of work and nothing else. It stands back, too, if the
// work does, until it calls what Follow returns and ends.
func Follow(ctx context.Context) (end func()) {
	if w, ok := ctx.Value(place{}).(*work); ok && w.lowered && w.threads.lower() {
		return func() { w.threads.lowered.Add(-1) }
	}
	return func() {}
}

// Each calls do with each number from 0 up to n-1, on so many goroutines: this one, and others that follow the work of
// ctx. It returns when all are done. A panic of do is one of Each, as of Do.
func Each(ctx context.Context, threads, n int, do func(int)) {
	var next atomic.Int64
	var failed atomic.Pointer[failure]
	some := func() {
		defer func() {
			if value := panicked(recover()); value != nil {
				failed.Store(&failure{value})
			}
		}()
		for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
			do(int(i))
		}
	}
	var others sync.WaitGroup
	for range min(threads, n) - 1 {
		others.Go(func() {
			defer Follow(ctx)()
			some()
		})
	}
	some()
	others.Wait()
	if f := failed.Load(); f != nil {
		panic(f.value)
	}
}

// failure is what a call has panicked with.
type failure struct{ value any }

// lower makes the goroutine's thread one of low priority, of its own from now on; false if it stays as it was.
func (t *Threads) lower() bool {
	if t.lowered.Add(1) > mostThreads || !lowerThread() {
		t.lowered.Add(-1)
		return false
	}
	return true
}
