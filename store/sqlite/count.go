package sqlite

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/crosswave/crosswave/audience"
)

// Count answers queries about one version: [query][stratum]. It returns audience.ErrChanged if the version is no longer the one published, and ctx's error soon
// after ctx is done.
func (s *Store) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	r, err := s.hold(ctx, version)
	if err != nil {
		return nil, err
	}
	defer s.letGo(r)
	if r.engine != nil {
		return nil, errElsewhere
	}
	p, err := newPlan(r, qs)
	if err != nil {
		return nil, err
	}
	c := newCounting(s, p, qs)
	if err := c.run(ctx); err != nil {
		return nil, err
	}
	return c.tables, nil
}

// counting is one Count on its way.
type counting struct {
	store   *Store
	plan    *plan
	threads int

	ctx    context.Context
	fail   context.CancelCauseFunc
	next   atomic.Int32  // chunk to load
	memory chan struct{} // a place for each chunk that may be held at a time
	jobs   chan job

	tables [][]*audience.Table
	locks  []sync.Mutex // of each query's tables
}

func newCounting(s *Store, p *plan, qs []audience.Query) *counting {
	c := &counting{store: s, plan: p, threads: s.config.Threads, tables: make([][]*audience.Table, len(qs)), locks: make([]sync.Mutex, len(qs))}
	for i, q := range qs {
		c.tables[i] = make([]*audience.Table, len(q.Strata))
		for j := range q.Strata {
			c.tables[i][j] = audience.NewTable(len(q.Rows), len(q.Columns))
		}
	}
	return c
}

// loaded is a chunk that is held for the jobs that count it.
type loaded struct {
	plan    *chunkPlan
	columns []*entry
	left    atomic.Int32 // who still needs it
}

// job is a few blocks of one query, stratum and chunk.
type job struct {
	*loaded
	program *program
	stratum int
	blocks  []block
}

// run loads chunks ahead and counts them as they come. It returns when all its goroutines have.
func (c *counting) run(ctx context.Context) error {
	c.ctx, c.fail = context.WithCancelCause(ctx)
	defer c.fail(nil)
	n := len(c.plan.release.chunks)
	threads := max(1, min(c.threads, n))
	c.memory = make(chan struct{}, threads+1)
	c.jobs = make(chan job, 2*c.threads)
	var loading, working sync.WaitGroup
	for range threads {
		loading.Go(func() {
			for i := int(c.next.Add(1)) - 1; i < n && c.ctx.Err() == nil; i = int(c.next.Add(1)) - 1 {
				c.load(c.plan.release.chunks[i])
			}
		})
	}
	for range c.threads {
		working.Go(c.work)
	}
	loading.Wait()
	close(c.jobs)
	working.Wait()
	return context.Cause(c.ctx)
}

// load holds a chunk's columns and gives out its jobs.
func (c *counting) load(ch *chunk) {
	cp := c.plan.at(ch, c.store.weightColumn)
	if cp == nil {
		return
	}
	select {
	case c.memory <- struct{}{}:
	case <-c.ctx.Done():
		return
	}
	columns, err := c.store.acquire(c.ctx, c.plan, cp)
	if err != nil {
		c.fail(err)
		<-c.memory
		return
	}
	l := &loaded{plan: cp, columns: columns}
	l.left.Store(1)
	defer c.done(l)
	for i := range cp.programs {
		pr := &cp.programs[i]
		for _, st := range pr.strata {
			size := max(1, min(8, len(st.blocks)/(2*c.threads)))
			for from := 0; from < len(st.blocks); from += size {
				l.left.Add(1)
				select {
				case c.jobs <- job{l, pr, st.index, st.blocks[from:min(from+size, len(st.blocks))]}:
				case <-c.ctx.Done():
					c.done(l)
					return
				}
			}
		}
	}
}

// done lets go of a chunk if nobody needs it any more.
func (c *counting) done(l *loaded) {
	if l.left.Add(-1) == 0 {
		c.store.cache.release(l.columns)
		<-c.memory
	}
}

// work counts jobs. What it has counted goes to the tables when a job of another table comes, and at the end.
func (c *counting) work() {
	var e *evaluator
	query, stratum := -1, -1
	flush := func() {
		if query >= 0 {
			c.locks[query].Lock()
			e.addTo(c.tables[query][stratum], &c.plan.queries[query])
			c.locks[query].Unlock()
		}
	}
	for j := range c.jobs {
		if c.ctx.Err() == nil {
			if e == nil {
				e = c.store.evaluator()
				defer c.store.idle.Put(e)
			}
			if j.program.query != query || j.stratum != stratum {
				flush()
				query, stratum = j.program.query, j.stratum
				q := &c.plan.queries[query]
				e.ready(len(q.rows.refs), len(q.cols.refs))
			}
			for _, b := range j.blocks {
				if err := e.count(c.ctx, j.program, j.columns, b); err != nil {
					c.fail(err)
					break
				}
			}
		}
		c.done(j.loaded)
	}
	if c.ctx.Err() == nil {
		flush()
	}
}
