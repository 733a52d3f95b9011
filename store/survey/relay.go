package survey

import (
	"context"
	"sync"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// relay takes blocks of rows from the one goroutine that reads the file over several workers, which make respondents of
// them at the same time, to the consumer, who gets them in the order of the file.
//
// Tasks go round in it, more than there are workers, so that everybody has something to do and yet no more of the file
// is in memory than they can hold. A task is free; the reader fills it with a block and sends it two ways at once: to
// work, from which any worker takes it, and to turn, which keeps the order of the file. The worker says ready; the
// consumer, who has taken the task from turn, waits for that, hands the batch out and sets the task free.
//
// An example, with tasks A to E, workers 1 and 2, and a file of three blocks of which the second takes less long:
//
//	reader           work   worker 1       worker 2       turn   consumer
//	block 1 in A     A                                    A
//	block 2 in B     B      begins A                      B      takes A from turn, waits for it
//	block 3 in C     C      …              begins B       B C    …
//	closes both      C      …              B is ready     B C    …
//	                        A is ready     begins C       B C    hands A out
//	                                       …              C      A is free; takes B, which is ready: hands it out
//	                                       C is ready            B is free; takes C, hands it out, and that is all
//
// An error travels the same way: that of a row in the task with the rows before it, that of the reader in a task of its
// own, which no worker sees. The consumer meets the first of the file, whoever was faster, and ends the stream with it.
// When he wants no more, or ctx ends, everybody stops at his next step.
type relay struct {
	source  *tableSource
	free    chan *task
	work    chan *task
	turn    chan *task
	running sync.WaitGroup // the reader and the workers
}

// task is a block and what becomes of it.
type task struct {
	block Block
	batch Batch
	err   error         // of the row after those in batch, or of the reader
	ready chan struct{} // has room for the one word that is said

	ids        []byte // the texts of the batch's ids, one after the other
	lengths    []int32
	weights    []decimal.Decimal
	attributes []int32
	answered   []uint64
}

func newRelay(s *tableSource) *relay {
	tasks := 2*s.goroutines + 1
	r := &relay{source: s, free: make(chan *task, tasks), work: make(chan *task, tasks), turn: make(chan *task, tasks)}
	for range tasks {
		r.free <- &task{ready: make(chan struct{}, 1)}
	}
	return r
}

// blocksPerWorker is how many blocks there are per worker: each takes memory for every column, for which a small file
// need not pay as often as there are CPUs.
const blocksPerWorker = 4

// read is the goroutine that reads the file.
func (r *relay) read(ctx context.Context) {
	defer close(r.work)
	defer close(r.turn)
	s := r.source
	blocks := 0
	for block, err := range s.table.Blocks(ctx, s.plan.needed()) {
		var t *task
		select {
		case t = <-r.free:
		case <-ctx.Done():
			return
		}
		t.block, t.err = block, err
		t.batch = Batch{Respondents: t.batch.Respondents[:0], Unlisted: t.batch.Unlisted[:0], Total: s.table.Size()}
		if err != nil {
			r.turn <- t
			t.ready <- struct{}{}
			return
		}
		t.batch.Done = block.Done()
		r.turn <- t
		if blocks%blocksPerWorker == 0 && blocks/blocksPerWorker < s.goroutines {
			r.running.Go(func() { r.serve(ctx) })
		}
		blocks++
		r.work <- t
	}
}

// serve is a worker.
func (r *relay) serve(ctx context.Context) {
	w := newWorker(r.source.plan)
	for t := range r.work {
		if ctx.Err() == nil {
			w.read(t)
			t.block.Release()
		}
		t.ready <- struct{}{}
	}
}

// handOut gives the batches to the consumer.
func (r *relay) handOut(ctx context.Context, yield func(*Batch, error) bool) {
	for t := range r.turn {
		select {
		case <-t.ready:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		if (len(t.batch.Respondents) > 0 || t.batch.Skipped > 0) && !yield(&t.batch, nil) {
			return
		}
		if t.err != nil {
			yield(nil, t.err)
			return
		}
		r.free <- t
	}
	if err := ctx.Err(); err != nil {
		yield(nil, err)
	}
}
