package sqlite

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
	"weak"

	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/internal/testsize"
)

// Under any mix of queries a column is loaded by one at a time, is there for all who hold it, and memory stays within
// the budget but for what is held.
func TestCache(t *testing.T) {
	const budget, ids = 1000, 60
	c := newCache(budget)
	var loading [ids]atomic.Int32
	failure := errors.New("it can't be read")
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(uint64(g), 5))
			for range 2000 {
				var wants []want
				for range 1 + rnd.IntN(10) {
					id := int64(rnd.IntN(ids))
					wants = append(wants, want{id, 10 + id})
				}
				ctx, cancel := context.WithCancel(t.Context())
				if rnd.IntN(10) == 0 {
					cancel()
				}
				entries, err := c.acquire(ctx, wants, func(entries []*entry) error {
					defer func() {
						for _, e := range entries {
							loading[e.id].Add(-1)
						}
					}()
					for _, e := range entries {
						if loading[e.id].Add(1) > 1 {
							t.Error("a column was loaded twice at a time")
						}
					}
					if rnd.IntN(20) == 0 {
						return failure
					}
					for _, e := range entries {
						e.col.words = []uint64{uint64(e.id)}
					}
					for _, e := range entries[:len(entries)/2] {
						e.together = entries[:len(entries)/2]
					}
					return nil
				})
				cancel()
				if err != nil {
					if !errors.Is(err, failure) && !errors.Is(err, context.Canceled) {
						t.Error(err)
					}
					continue
				}
				for i, e := range entries {
					if e.id != wants[i].id || e.col.words[0] != uint64(e.id) {
						t.Errorf("column %d instead of %d", e.id, wants[i].id)
					}
				}
				if st := c.snapshot(); st.Bytes > max(budget, st.Held) {
					t.Errorf("%d bytes, of which %d are held, in a budget of %d", st.Bytes, st.Held, budget)
				}
				c.release(entries)
			}
		})
	}
	wg.Wait()
	st := c.snapshot()
	var bytes int64
	for _, e := range c.entries {
		bytes += e.bytes
	}
	if st.Held != 0 || st.Bytes > budget || st.Bytes != bytes {
		t.Errorf("in the end: %+v; entries of %d bytes", st, bytes)
	}
	if st.Hits == 0 || st.Dropped == 0 {
		t.Errorf("nothing was found or nothing was given up: %+v", st)
	}
}

// The longest unused goes first.
func TestCacheOrder(t *testing.T) {
	c := newCache(30)
	load := func([]*entry) error { return nil }
	use := func(id int64) {
		es, err := c.acquire(t.Context(), []want{{id, 10}}, load)
		check(t, err)
		c.release(es)
	}
	for _, id := range []int64{1, 2, 3, 1, 4} {
		use(id)
	}
	for id, there := range map[int64]bool{1: true, 2: false, 3: true, 4: true} {
		if (c.entries[id] != nil) != there {
			t.Errorf("column %d: there is %v", id, !there)
		}
	}
}

// What is given up leaves memory, also if somebody still knows a part of what was given up before it.
func TestCacheForgets(t *testing.T) {
	c := newCache(30)
	load := func([]*entry) error { return nil }
	var known []*entry
	var given []weak.Pointer[entry]
	for id := range int64(50) {
		es, err := c.acquire(t.Context(), []want{{2 * id, 10}, {2*id + 1, 10}}, load) // read together
		check(t, err)
		if id < 40 {
			known, given = append(known, es[0]), append(given, weak.Make(es[1]))
		}
		c.release(es)
	}
	runtime.GC()
	for i, e := range given {
		if e.Value() != nil {
			t.Fatalf("column %d is in memory", 2*i+1)
		}
	}
	runtime.KeepAlive(known)
}

// What lies in one piece of memory is given up together; so long as a part of it is held, all of it counts.
func TestCacheTogether(t *testing.T) {
	c := newCache(30)
	load := func(es []*entry) error {
		for _, e := range es {
			e.together = es
		}
		return nil
	}
	acquire := func(ids ...int64) []*entry {
		t.Helper()
		var wants []want
		for _, id := range ids {
			wants = append(wants, want{id, 10})
		}
		es, err := c.acquire(t.Context(), wants, load)
		check(t, err)
		return es
	}
	is := func(when string, bytes, held, dropped int64, columns int) {
		t.Helper()
		want := CacheStats{Bytes: bytes, Held: held, Dropped: dropped, Columns: columns}
		st := c.snapshot()
		if got := (CacheStats{Bytes: st.Bytes, Held: st.Held, Dropped: st.Dropped, Columns: st.Columns}); got != want {
			t.Errorf("%s: %+v, want %+v", when, got, want)
		}
	}
	c.release(acquire(1, 2, 3))
	c.release(acquire(3))
	c.release(acquire(4))
	is("the memory of three was wanted for another", 10, 0, 3, 1)
	c.release(acquire(3, 5))
	first := acquire(3)
	second := acquire(6)
	is("4 was given up", 30, 20, 4, 3)
	third := acquire(7)
	is("5 was given up, but lies in memory with 3, which is held", 40, 40, 5, 3)
	c.release(third)
	c.release(second)
	is("what was released last is given up, as more is held than it leaves", 30, 20, 6, 2)
	c.release(first)
	c.release(acquire(8))
	c.release(acquire(9))
	is("with 3 the memory of 5 is free, too", 20, 0, 8, 2)
}

// Queries that run at the same time share a small budget.
func TestCacheBudgetOfStore(t *testing.T) {
	st := synthetic(5, testsize.Of(400, 3000, 3000))
	s := openStore(t, Memory, Config{CacheBytes: 20_000, ChunkRespondents: 400, Threads: 2})
	publish(t, s, st, st.Respondents)
	want := reference(t, st)
	var wg sync.WaitGroup
	stop := make(chan struct{})
	var watched atomic.Int64
	wg.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
			}
			if st := s.cache.snapshot(); st.Bytes > max(st.Budget, st.Held) {
				t.Errorf("%+v", st)
				return
			}
			watched.Add(1)
		}
	})
	var counting sync.WaitGroup
	for range testsize.Of(2, 4, 4) {
		counting.Go(func() {
			for range testsize.Of(1, 3, 3) {
				if err := differ(t.Context(), s, want); err != nil {
					t.Error(err)
				}
			}
		})
	}
	counting.Wait()
	close(stop)
	wg.Wait()
	if st := s.cache.snapshot(); st.Held != 0 || st.Bytes > st.Budget || watched.Load() == 0 {
		t.Errorf("in the end: %+v", st)
	}
}

// Totals that stay with columns are within what the columns are taken to need, in however many namespaces and units
// they were counted.
func TestCacheMargins(t *testing.T) {
	alone(t)
	whole := synthetic(5, 400)
	st := part(whole, firstWaves)
	s := openStore(t, Memory, Config{})
	publish(t, s, st, st.Respondents)
	want := reference(t, st)
	same(t, s, want)
	same(t, s, want)
	publish(t, s, whole, part(whole, inWave(3)).Respondents) // in other units
	same(t, s, reference(t, whole))
	same(t, s, reference(t, whole))
	several := 0
	for _, e := range s.cache.entries {
		known := e.margins.known.Load()
		if known == nil {
			continue
		}
		bytes := int64(8*len(e.col.words) + 4*len(e.col.list) + 8*len(e.weights.Packed) + 4*len(e.weights.Small))
		for _, m := range *known {
			bytes += int64(unsafe.Sizeof(m)) + int64(unsafe.Sizeof(kernel.Count{}))*int64(len(m.runs))
		}
		if bytes > e.bytes {
			t.Errorf("column %d has %d bytes, not %d", e.id, bytes, e.bytes)
		}
		if len(*known) > 1 {
			several++
		}
	}
	if several == 0 {
		t.Error("no column was counted in several namespaces or units")
	}
}
