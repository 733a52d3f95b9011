package sqlite

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// gate has counts of many cells make room for counts of few, which answer in a few milliseconds if they find a
// processor. While there are any of few cells, and a moment longer, as they come one after the other, all counts of
// many together work on one thread less than there are processors, and on one at least, so that they go on, too.
// Threads go through the gate between jobs, first come, first served, so that counts of many cells do not starve each
// other.
type gate struct {
	processors int

	mu    sync.Mutex
	small int             // counts of few cells under way
	until time.Time       // more of them are expected until then
	large int             // threads at work for counts of many cells
	queue []chan struct{} // those that wait to be; closed when one may work
}

// smallCells is how many cells a count has that goes first: less than these.
const smallCells = 10_000

// expects is for how long after a count of few cells the next one is expected. Whoever asks small questions one after
// the other at less than that finds a processor each time.
const expects = 20 * time.Millisecond

// isSmall tells which counts go first.
func isSmall(qs []audience.Query) bool {
	cells := 0
	for _, q := range qs {
		cells += len(q.Strata) * (len(q.Rows) + 1) * (len(q.Columns) + 1)
	}
	return cells < smallCells
}

// begin tells that a count of few cells begins, and returns what tells that it has ended.
func (g *gate) begin() (end func()) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.small++
	return func() {
		g.mu.Lock()
		defer g.mu.Unlock()
		g.small--
		g.until = time.Now().Add(expects)
	}
}

// most is how many threads may work for counts of many cells while those of few go first.
func (g *gate) most() int { return max(1, g.processors-1) }

// narrow tells for how long at least no more than most may; 0 if all may. The caller holds mu.
func (g *gate) narrow() time.Duration {
	if g.small > 0 {
		return expects
	}
	return max(0, time.Until(g.until))
}

// enter waits until a thread may work for a count of many cells, or ctx is done. Either way leave must follow.
func (g *gate) enter(ctx context.Context) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.large < g.most() && len(g.queue) == 0 || g.narrow() == 0 {
		g.large++
		return
	}
	turn := make(chan struct{})
	g.queue = append(g.queue, turn)
	for wait := g.narrow(); wait > 0 && ctx.Err() == nil; wait = g.narrow() {
		g.mu.Unlock()
		timer := time.NewTimer(wait)
		select {
		case <-turn:
		case <-ctx.Done():
		case <-timer.C:
		}
		timer.Stop()
		g.mu.Lock()
		select {
		case <-turn: // by the thread that has left
			return
		default:
		}
	}
	g.queue = slices.DeleteFunc(g.queue, func(other chan struct{}) bool { return other == turn })
	g.large++
}

// leave tells that a thread works no more for a count of many cells. The one that has waited longest takes its place.
func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.queue) > 0 && g.large <= g.most() {
		close(g.queue[0])
		g.queue = g.queue[1:]
		return
	}
	g.large--
}

// pass lets counts of few cells go first in the midst of a job, if more threads are at work than may be.
func (g *gate) pass(ctx context.Context) {
	g.mu.Lock()
	wait := g.large > g.most() && g.narrow() > 0
	g.mu.Unlock()
	if wait {
		g.leave()
		g.enter(ctx)
	}
}
