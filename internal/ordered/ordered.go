// Package ordered lets several goroutines work on the items of a stream, and hands out what they make in the order of
// the stream.
package ordered

import (
	"context"
	"iter"
	"sync"
)

// Work is what is to be done with the items of a stream. Each is put into a Task, which a worker completes.
type Work[Item, Task any] struct {
	// Items is the stream. One goroutine reads it; an error ends it.
	Items func(ctx context.Context) iter.Seq2[Item, error]
	// Begin puts an item into a task, which is zero or was used before: its memory can be used again.
	Begin func(*Task, Item)
	// Worker makes a worker, which completes one task after the other.
	Worker func() func(*Task)
	// Workers is how many there are at the most, and PerWorker how many items there must be for each of them: workers
	// take memory, for which a short stream need not pay as often as a long one. 0 is 1.
	Workers, PerWorker int
}

// Do hands out the tasks, completed, in the order of their items, whichever was ready first. A task is good until the
// next step. An error of the stream comes after the tasks of the items before it, and that of ctx at once; either ends
// it. Nothing goes on behind a loop that is left.
//
// Tasks go round, more than there are workers, so that everybody has something to do and yet no more of the stream is
// in memory than they can hold. A task is free; the reader puts an item into it and sends it two ways at once: to work,
// from which any worker takes it, and to turn, which keeps the order. The worker says ready; the consumer, who has
// taken the task from turn, waits for that, hands it out and sets it free.
//
// An example, with tasks A to E, workers 1 and 2, and three items of which the second is the quickest:
//
//	reader          work   worker 1      worker 2      turn   consumer
//	item 1 in A     A                                  A
//	item 2 in B     B      begins A                    B      takes A from turn, waits for it
//	item 3 in C     C      …             begins B      B C    …
//	closes both     C      …             B is ready    B C    …
//	                       A is ready    begins C      B C    hands A out
//	                                     …             C      frees A; takes B, which is ready: hands it out
//	                                     C is ready           frees B; takes C, hands it out, and that is all
func (w Work[Item, Task]) Do(ctx context.Context) iter.Seq2[*Task, error] {
	w.Workers, w.PerWorker = max(1, w.Workers), max(1, w.PerWorker)
	return func(yield func(*Task, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		n := 2*w.Workers + 1
		r := &relay[Item, Task]{Work: w, free: make(chan *entry[Task], n), work: make(chan *entry[Task], n),
			turn: make(chan *entry[Task], n)}
		for range n {
			r.free <- &entry[Task]{ready: make(chan struct{}, 1)}
		}
		defer r.running.Wait()
		defer cancel()
		r.running.Go(func() { r.read(ctx) })
		r.handOut(ctx, yield)
	}
}

// relay is work under way.
type relay[Item, Task any] struct {
	Work[Item, Task]
	free, work, turn chan *entry[Task]
	running          sync.WaitGroup // the reader and the workers
}

// entry is a task on its way.
type entry[Task any] struct {
	task  Task
	err   error         // of the stream, in place of an item
	ready chan struct{} // has room for the one word that is said
}

// read is the goroutine that reads the stream.
func (r *relay[Item, Task]) read(ctx context.Context) {
	defer close(r.work)
	defer close(r.turn)
	items := 0
	for item, err := range r.Items(ctx) {
		var e *entry[Task]
		select {
		case e = <-r.free:
		case <-ctx.Done():
			return
		}
		if e.err = err; err != nil {
			e.ready <- struct{}{}
			r.turn <- e
			return
		}
		r.Begin(&e.task, item)
		r.turn <- e
		if items%r.PerWorker == 0 && items/r.PerWorker < r.Workers {
			r.running.Go(func() { r.serve(ctx) })
		}
		items++
		r.work <- e
	}
}

// serve is a worker.
func (r *relay[Item, Task]) serve(ctx context.Context) {
	complete := r.Worker()
	for e := range r.work {
		if ctx.Err() == nil {
			complete(&e.task)
		}
		e.ready <- struct{}{}
	}
}

func (r *relay[Item, Task]) handOut(ctx context.Context, yield func(*Task, error) bool) {
	for e := range r.turn {
		select {
		case <-e.ready:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		if e.err != nil {
			yield(nil, e.err)
			return
		}
		if !yield(&e.task, nil) {
			return
		}
		r.free <- e
	}
	if err := ctx.Err(); err != nil {
		yield(nil, err)
	}
}
