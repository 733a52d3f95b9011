package sqlite

import (
	"context"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// crowd are threads that want through a gate, by name, and those that got through, in their order.
type crowd struct {
	t    *testing.T
	gate gate

	mu  sync.Mutex
	got []string
}

// enter has a thread want through, and comes back when it is through or waits.
func (c *crowd) enter(ctx context.Context, name string) {
	go func() {
		c.gate.enter(ctx)
		c.mu.Lock()
		defer c.mu.Unlock()
		c.got = append(c.got, name)
	}()
	synctest.Wait()
}

func (c *crowd) leave() {
	c.gate.leave()
	synctest.Wait()
}

func (c *crowd) want(names string) {
	c.t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if d := cmp.Diff(names, strings.Join(c.got, " ")); d != "" {
		c.t.Error(d)
	}
}

// rest sleeps until nothing happens any more.
func (c *crowd) rest(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

// While nobody asks for few cells, all work. While somebody does, all but one processor's worth do, one after the
// other; a moment later all of them again.
func TestGateNarrows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, ctx := &crowd{t: t, gate: gate{processors: 3}}, t.Context()
		for _, name := range []string{"a", "b", "c", "d"} {
			c.enter(ctx, name)
		}
		c.want("a b c d")
		end := c.gate.begin()
		for _, name := range []string{"e", "f", "g", "h"} {
			c.enter(ctx, name)
		}
		c.leave() // a
		c.leave() // b: two are still at work
		c.want("a b c d")
		c.leave() // c
		c.want("a b c d e")
		c.leave() // d
		c.want("a b c d e f")
		end()
		c.rest(expects - time.Millisecond)
		c.want("a b c d e f")
		again := c.gate.begin() // the next one, as was expected
		c.rest(time.Second)
		c.leave() // e
		c.want("a b c d e f g")
		again()
		c.rest(2 * expects)
		c.want("a b c d e f g h")
		for range 3 {
			c.leave()
		}
		if c.gate.large != 0 || len(c.gate.queue) != 0 {
			t.Errorf("%d work, %d wait", c.gate.large, len(c.gate.queue))
		}
	})
}

// Nobody waits for what is given up, and in the midst of a job too many threads make room, but never all.
func TestGateLetsGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, ctx := &crowd{t: t, gate: gate{processors: 1}}, t.Context()
		c.enter(ctx, "a")
		c.enter(ctx, "b")
		end := c.gate.begin()
		gone, giveUp := context.WithCancel(ctx)
		c.enter(gone, "c")
		c.want("a b")
		giveUp()
		synctest.Wait()
		c.want("a b c")
		c.leave() // c, whose count ends
		passed := 0
		pass := func() {
			c.gate.pass(ctx)
			c.mu.Lock()
			defer c.mu.Unlock()
			passed++
		}
		go pass() // a waits, as b works
		synctest.Wait()
		go pass() // b goes on, as it is the only one
		synctest.Wait()
		if c.mu.Lock(); passed != 1 || c.gate.large != 1 {
			t.Errorf("%d pass, %d work", passed, c.gate.large)
		}
		c.mu.Unlock()
		c.leave()
		if passed != 2 || c.gate.large != 1 {
			t.Errorf("%d passed, %d work", passed, c.gate.large)
		}
		end()
		c.leave()
	})
}

// Whoever comes in whatever order gets through, and nobody is left behind.
func TestGateAtRandom(t *testing.T) {
	for seed := range uint64(20) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			g := gate{processors: 1 + random.IntN(4)}
			var all sync.WaitGroup
			for range 200 {
				at, takes, kind := random.IntN(2000), 1+random.IntN(50), random.IntN(3)
				all.Go(func() {
					time.Sleep(time.Duration(at) * time.Millisecond)
					if kind == 0 {
						end := g.begin()
						time.Sleep(time.Duration(takes) * time.Millisecond)
						end()
						return
					}
					ctx, stop := context.WithTimeout(t.Context(), time.Duration(kind)*time.Second)
					defer stop()
					g.enter(ctx)
					for range 3 {
						time.Sleep(time.Duration(takes) * time.Millisecond)
						g.pass(ctx)
					}
					g.leave()
				})
			}
			all.Wait()
			if g.large != 0 || g.small != 0 || len(g.queue) != 0 {
				t.Errorf("seed %d: %d work, %d are asked, %d wait", seed, g.large, g.small, len(g.queue))
			}
		})
	}
}

// What goes first is told by the cells of all queries together.
func TestIsSmall(t *testing.T) {
	query := func(strata, rows, columns int) audience.Query {
		return audience.Query{Strata: make([]audience.Cover, strata), Rows: make([]audience.Expr, rows),
			Columns: make([]audience.Expr, columns)}
	}
	for _, c := range []struct {
		qs   []audience.Query
		want bool
	}{
		{nil, true}, {[]audience.Query{query(1, 98, 100)}, true}, {[]audience.Query{query(1, 99, 99)}, false},
		{[]audience.Query{query(100, 9, 4), query(50, 9, 9)}, false}, {[]audience.Query{query(100, 9, 4)}, true},
	} {
		if got := isSmall(c.qs); got != c.want {
			t.Errorf("%d queries: %v", len(c.qs), got)
		}
	}
}
