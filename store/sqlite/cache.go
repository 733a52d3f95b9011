package sqlite

import (
	"context"
	"sync"

	"github.com/crosswave/crosswave/internal/kernel"
)

// cache holds columns and weights of chunks, by their id, within a budget. What a query has acquired stays until it is
// released, beyond the budget if need be; of the rest the longest unused goes first. An id is loaded once, however many
// queries want it at a time.
type cache struct {
	mu      sync.Mutex
	entries map[int64]*entry
	unused  entry // ring of entries that nobody holds, the longest unused after it
	stats   CacheStats
}

// CacheStats is about the memory that columns take. Bytes are those of the columns themselves.
type CacheStats struct {
	Budget  int64 // bytes that columns may take between queries
	Bytes   int64 // bytes that they take now
	Held    int64 // of these, bytes that running queries hold
	Most    int64 // most bytes they ever took
	Columns int   // how many there are
	Hits    int64 // columns found
	Loads   int64 // columns read from the file
	Dropped int64 // columns given up for others
}

// entry is one column, or the integer weights of one namespace, of one chunk. col and weights are there once ready is
// closed and err is nil.
type entry struct {
	id      int64
	bytes   int64
	spare   int64 // of those, what turned out not to be needed when it was loaded
	holders int
	ready   chan struct{}
	err     error

	col     column
	weights kernel.Weights // and col.words: who has a weight above 0
	equal   int64          // the weight of all who have one above 0, if it is the same; else 0
	margins margins
	// together is those whose bitmaps lie in one piece of memory with its own, itself among them; nil: none do.
	together []*entry

	before, after *entry // in the ring
}

func newCache(budget int64) *cache {
	c := &cache{entries: map[int64]*entry{}, stats: CacheStats{Budget: budget}}
	c.unused.before, c.unused.after = &c.unused, &c.unused
	return c
}

// want is a column, or weights, that a query needs: its id and how much memory it takes.
type want struct{ id, bytes int64 }

// acquire returns the entries wanted, in that order, and holds them. Those that are not there are loaded by load, in
// one call, in the order wanted.
func (c *cache) acquire(ctx context.Context, wants []want, load func([]*entry) error) ([]*entry, error) {
	held, err := c.begin(wants, load)
	if err != nil {
		return nil, err
	}
	for i := range held {
		for {
			err := held[i].wait(ctx)
			if err == nil && held[i].err == nil {
				break
			}
			var again []*entry
			if err == nil { // whoever was loading it failed, perhaps only because its query was given up
				again, err = c.begin(wants[i:i+1], load)
			}
			if err != nil {
				c.release(held)
				return nil, err
			}
			c.release(held[i : i+1])
			held[i] = again[0]
		}
	}
	return held, nil
}

// begin holds the entries wanted and loads those that nobody else has loaded or is loading. With an error it holds
// none.
func (c *cache) begin(wants []want, load func([]*entry) error) ([]*entry, error) {
	held, mine := c.claim(wants)
	if len(mine) == 0 {
		return held, nil
	}
	err := load(mine)
	c.loaded(mine, err)
	if err != nil {
		c.release(held)
		return nil, err
	}
	return held, nil
}

// wait waits until the entry is loaded, or could not be.
func (e *entry) wait(ctx context.Context) error {
	select {
	case <-e.ready: // as most are
		return nil
	default:
	}
	select {
	case <-e.ready:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// claim holds an entry for each of wants; mine are those that the caller has to load.
func (c *cache) claim(wants []want) (held, mine []*entry) {
	held = make([]*entry, len(wants))
	var ready chan struct{} // one for all, as they are loaded together
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, w := range wants {
		e := c.entries[w.id]
		if e == nil {
			if ready == nil {
				ready = make(chan struct{})
				mine = make([]*entry, 0, len(wants)-i)
			}
			e = &entry{id: w.id, bytes: w.bytes, ready: ready}
			c.entries[w.id] = e
			c.stats.Bytes += e.bytes
			c.stats.Held += e.bytes
			c.stats.Loads++
			mine = append(mine, e)
		} else {
			c.stats.Hits++
			if e.holders == 0 {
				e.unlink()
				c.stats.Held += e.bytes
			}
		}
		e.holders++
		held[i] = e
	}
	c.shrink()
	c.stats.Most = max(c.stats.Most, c.stats.Bytes)
	return held, mine
}

// loaded tells those who wait for entries how loading them went.
func (c *cache) loaded(entries []*entry, err error) {
	c.mu.Lock()
	for _, e := range entries {
		if err != nil {
			e.err = err
			delete(c.entries, e.id)
			continue
		}
		e.bytes -= e.spare
		c.stats.Bytes -= e.spare
		c.stats.Held -= e.spare
	}
	c.mu.Unlock()
	if len(entries) > 0 {
		close(entries[0].ready)
	}
}

// release lets go of entries.
func (c *cache) release(entries []*entry) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, e := range entries {
		if e.holders--; e.holders > 0 {
			continue
		}
		c.stats.Held -= e.bytes
		if e.err != nil {
			c.stats.Bytes -= e.bytes // nobody can find it any more
			continue
		}
		e.before, e.after = c.unused.before, &c.unused
		e.before.after, e.after.before = e, e
	}
	c.shrink()
}

// shrink gives up the longest unused until the budget is kept or nothing is left to give up.
func (c *cache) shrink() {
	for c.stats.Bytes > c.stats.Budget && c.unused.after != &c.unused {
		c.giveUp(c.unused.after)
	}
}

// giveUp gives up an unused entry, and with it all that lie in the same memory, as that is not free before the last of
// them is gone: one that is wanted again is read again, by itself. If some of them are held, one of those counts for
// all until it is given up, too.
func (c *cache) giveUp(e *entry) {
	var held *entry
	freed := int64(0)
	drop := func(e *entry) {
		e.unlink()
		delete(c.entries, e.id)
		freed += e.bytes
		c.stats.Dropped++
	}
	if e.together == nil {
		drop(e)
	}
	for _, e := range e.together {
		if e.holders > 0 {
			held = e
		} else if c.entries[e.id] == e {
			drop(e)
		}
	}
	if held != nil {
		held.bytes += freed
		c.stats.Held += freed
	} else {
		c.stats.Bytes -= freed
	}
}

// unlink takes an entry out of the ring. It forgets its neighbours: else whoever still knows one that was given up
// would keep all in memory that were given up after it.
func (e *entry) unlink() {
	e.before.after, e.after.before = e.after, e.before
	e.before, e.after = nil, nil
}

func (c *cache) snapshot() CacheStats {
	c.mu.Lock()
	defer c.mu.Unlock()
	st := c.stats
	st.Columns = len(c.entries)
	return st
}
