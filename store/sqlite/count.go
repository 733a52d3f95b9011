package sqlite

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/background"
)

// WantsWhole tells that small tables are counted in one pass over the respondents, as it costs more to look at these
// again than cells that nobody asks for.
func (s *Store) WantsWhole(cells int) bool { return cells <= smallTable }

// Threads is how many threads one Count uses.
func (s *Store) Threads() int { return s.config.Threads }

// smallTable is how many cells a table has at most for which a respondent's weight is added once or twice in all.
const smallTable = 256

// Count answers queries about one version: [query][stratum]. It returns audience.ErrChanged if the version is no longer
// the one published, and ctx's error soon after ctx is done.
func (s *Store) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	r, err := s.hold(ctx, version)
	if err != nil {
		return nil, err
	}
	defer s.letGo(r)
	if r.engine != nil {
		return nil, errElsewhere
	}
	g, err := newGraph(r, qs, s.sliceColumn)
	if err != nil {
		return nil, err
	}
	c := newCounting(s, g, qs)
	if c.gate == nil {
		defer s.gate.begin()()
	}
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.tables, nil
}

// counting is one Count on its way. Its threads take jobs from a queue, and whoever finds it empty loads the next
// chunk: nothing is handed over from thread to thread so long as columns are in memory.
type counting struct {
	store   *Store
	graph   *graph
	threads int
	spare   bool  // there are more processors than threads
	gate    *gate // that its threads go through; nil for a count of few cells

	ctx  context.Context
	fail context.CancelCauseFunc

	mu      sync.Mutex
	changed sync.Cond // there are jobs, or nobody is loading any more, or the count was given up
	queue   []job
	next    int            // chunk to load
	loading int            // how many chunks are being loaded
	cold    bool           // the last one that was had to be read from the file
	ahead   sync.WaitGroup // of those, the ones that nobody waits for

	queries []audience.Query
	tables  [][]*audience.Table // nil until there is something in one
	locks   [][]sync.Mutex      // of each table
}

// table is the table of a stratum, whose lock is held. It is made when it is first wanted, and is in the cache then.
func (c *counting) table(query, stratum int) *audience.Table {
	if c.tables[query][stratum] == nil {
		c.tables[query][stratum] = c.queries[query].NewTable()
	}
	return c.tables[query][stratum]
}

func newCounting(s *Store, g *graph, qs []audience.Query) *counting {
	c := &counting{store: s, graph: g, threads: s.config.Threads, queries: qs, tables: make([][]*audience.Table, len(qs)),
		locks: make([][]sync.Mutex, len(qs))}
	c.spare = runtime.GOMAXPROCS(0) > c.threads
	if !isSmall(qs) {
		c.gate = &s.gate
	}
	for i, q := range qs {
		c.tables[i], c.locks[i] = make([]*audience.Table, len(q.Strata)), make([]sync.Mutex, len(q.Strata))
	}
	return c
}

// loaded is the work in one chunk with all that it wants in memory, for as long as jobs of it are left.
type loaded struct {
	work    *chunkWork
	entries []*entry     // what work wants
	left    atomic.Int32 // who still needs it
}

// job is a part of the work in a chunk: one query in one stratum, of which a few blocks are to be counted, and those
// margins that are totals of columns.
type job struct {
	*loaded
	program *program
	stratum *stratum
	margins bool
	blocks  []block
	alone   bool // it is all that there is to do for its stratum in the chunk
}

// run counts on as many threads as the store may use. It returns when all goroutines that it started have ended.
func (c *counting) run(ctx context.Context) error {
	c.ctx, c.fail = context.WithCancelCause(ctx)
	defer c.fail(nil)
	c.changed.L = &c.mu
	defer context.AfterFunc(c.ctx, func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.changed.Broadcast()
	})()
	var working sync.WaitGroup
	for range c.threads - 1 {
		working.Go(func() {
			defer background.Follow(ctx)()
			c.work()
		})
	}
	c.work()
	working.Wait()
	c.ahead.Wait()
	for _, j := range c.queue { // what is left of a count that was given up
		c.done(j.loaded)
	}
	c.finish()
	return context.Cause(c.ctx)
}

// finish sets the cells that follow from others in all tables, each thread in some of them, makes those of strata with
// nobody in them, and last sets the counts that are known from another query.
func (c *counting) finish() {
	type place struct{ query, stratum int }
	var places []place
	derivations := make([]*derivation, len(c.tables))
	for i := range c.tables {
		derivations[i] = c.graph.queries[i].derivation()
	}
	for i, tables := range c.tables {
		for j := range tables {
			places = append(places, place{i, j})
		}
	}
	background.Each(c.ctx, c.threads, len(places), func(i int) {
		if c.ctx.Err() != nil {
			return
		}
		p := places[i]
		if t := c.tables[p.query][p.stratum]; t != nil {
			derivations[p.query].complete(t)
		}
		c.table(p.query, p.stratum)
	})
	for i := range c.tables {
		if k := c.graph.queries[i].known; k != nil && c.ctx.Err() == nil {
			for j, t := range c.tables[i] {
				k.take(t, c.tables[k.query][j])
			}
		}
	}
}

// take returns the next job; false if there is none any more.
func (c *counting) take() (job, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for c.ctx.Err() == nil {
		if len(c.queue) > 0 {
			j := c.queue[0]
			c.queue = c.queue[1:]
			c.readAhead()
			return j, true
		}
		ch := c.nextChunk()
		if ch == nil && c.loading == 0 {
			break
		}
		if ch == nil {
			c.changed.Wait()
			continue
		}
		c.mu.Unlock()
		jobs, cold := c.load(ch)
		c.mu.Lock()
		c.loaded(jobs, cold)
	}
	return job{}, false
}

// readAhead has the next chunk read while others are counted, if the last one had to be read from the file, what is
// left to be counted will soon be done and there is a processor for it: else it would wait until the threads have
// nothing left to do, and they for it at the end. The caller holds mu.
func (c *counting) readAhead() {
	if !c.spare || !c.cold || c.loading > 0 || len(c.queue) > 2*c.threads || c.ctx.Err() != nil {
		return
	}
	if ch := c.nextChunk(); ch != nil {
		c.ahead.Go(func() {
			jobs, cold := c.load(ch)
			c.mu.Lock()
			defer c.mu.Unlock()
			c.loaded(jobs, cold)
			c.readAhead()
		})
	}
}

// nextChunk returns the next chunk to be loaded, or nil if none is left. Whoever gets one must call loaded afterwards.
func (c *counting) nextChunk() *chunk {
	if c.next == len(c.graph.release.chunks) {
		return nil
	}
	c.next++
	c.loading++
	return c.graph.release.chunks[c.next-1]
}

// loaded puts the jobs of a chunk into the queue; cold tells that it had to be read from the file.
func (c *counting) loaded(jobs []job, cold bool) {
	c.loading--
	c.cold = cold
	if len(c.queue) == 0 {
		c.queue = jobs
	} else {
		c.queue = append(c.queue, jobs...)
	}
	c.changed.Broadcast()
}

// load finds out what there is to do in a chunk, loads what that wants and cuts it into jobs. cold tells that something
// had to be read from the file.
func (c *counting) load(ch *chunk) (jobs []job, cold bool) {
	f := c.store.folding()
	w := c.graph.at(ch, f, c.store.weightColumn)
	c.store.letGoOf(f)
	if w == nil {
		return nil, false
	}
	entries, cold, err := c.store.acquire(c.ctx, c.graph.release, w)
	if err != nil {
		c.fail(err)
		return nil, cold
	}
	// At least one job follows, which will let go of them.
	l := &loaded{work: w, entries: entries}
	jobs = make([]job, 0, w.mostJobs())
	for i := range w.programs {
		pr := &w.programs[i]
		if !cold { // columns that are asked for once only would not repay it
			pr.settle(entries)
			c.graph.queries[pr.query].learn(ch, pr, entries)
		}
		pr.list(entries, ch.words)
		for j := range pr.strata {
			jobs = c.cut(jobs, job{loaded: l, program: pr, stratum: &pr.strata[j]})
		}
	}
	l.left.Store(int32(len(jobs)))
	return jobs, cold
}

// cut cuts the work in a stratum into jobs, and adds them to others.
func (c *counting) cut(jobs []job, all job) []job {
	all.margins = all.program.margins
	if !all.program.settled() {
		all.blocks = all.stratum.blocks
	}
	size := max(1, min(8, len(all.blocks)/(2*c.threads)))
	if len(all.blocks) <= size {
		if all.alone = true; all.margins || len(all.blocks) > 0 {
			jobs = append(jobs, all)
		}
		return jobs
	}
	if all.margins {
		jobs = append(jobs, job{loaded: all.loaded, program: all.program, stratum: all.stratum, margins: true})
	}
	for left := all.blocks; len(left) > 0; {
		n := min(size, len(left))
		jobs = append(jobs, job{loaded: all.loaded, program: all.program, stratum: all.stratum, blocks: left[:n]})
		left = left[n:]
	}
	return jobs
}

// done tells that a job is done. With the last one of a chunk its columns are let go of.
func (c *counting) done(l *loaded) {
	if l.left.Add(-1) == 0 {
		c.store.cache.release(l.entries)
	}
}

// work does jobs until none are left. The evaluator collects what it counts for one table, and that is added to the
// table when a job for another one comes, and at the end. What is all that is to be done for a table, in a chunk, is
// counted into the table itself, where each of its cells is another: with many small strata, collecting and adding
// would take longer than counting.
func (c *counting) work() {
	var e *evaluator
	query, stratum := -1, -1
	flush := func() {
		if query >= 0 {
			c.locks[query][stratum].Lock()
			e.addTo(c.table(query, stratum), &c.graph.queries[query])
			c.locks[query][stratum].Unlock()
		}
		query = -1
	}
	for {
		j, ok := c.take()
		if !ok {
			break
		}
		if c.ctx.Err() == nil {
			if e == nil {
				e = c.store.evaluator()
				defer c.store.rest(e)
			}
			q := &c.graph.queries[j.program.query]
			if c.gate != nil {
				c.gate.enter(c.ctx)
			}
			if j.program.query == query && j.stratum.index == stratum {
				c.do(e, j, false)
			} else if flush(); !j.alone || !q.distinct() || !c.straight(e, j) {
				query, stratum = j.program.query, j.stratum.index
				e.ready(q)
				c.do(e, j, false)
			}
			if c.gate != nil {
				c.gate.leave()
			}
		}
		c.done(j.loaded)
	}
	if c.ctx.Err() == nil {
		flush()
	}
}

// straight does a job and counts into its table. Where another thread has that, which may count the job of another
// chunk into it for as long, it does nothing and returns false.
func (c *counting) straight(e *evaluator, j job) bool {
	query, stratum := j.program.query, j.stratum.index
	if !c.locks[query][stratum].TryLock() {
		return false
	}
	defer c.locks[query][stratum].Unlock()
	t := c.table(query, stratum)
	e.counts, e.squares = kernelCounts(t.Counts), kernelSquares(t.Squares)
	c.do(e, j, true)
	e.counts, e.squares, e.dirty = nil, nil, false
	return true
}

// do does a job; held tells that its table is, for which other threads may wait.
func (c *counting) do(e *evaluator, j job, held bool) {
	if j.margins {
		if err := e.addMargins(c.ctx, j.program, j.entries, j.work.chunk, j.stratum.runs); err != nil {
			c.fail(err)
		}
	}
	for i, b := range j.blocks {
		if c.gate != nil && i > 0 && !held {
			c.gate.pass(c.ctx)
		}
		if err := e.count(c.ctx, j.program, j.entries, b); err != nil {
			c.fail(err)
			return
		}
	}
}
