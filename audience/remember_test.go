package audience

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// counting answers each query with a table that tells which query and version it was, and counts how many it was asked.
type counting struct {
	frame *Frame
	asked atomic.Int64
	slow  time.Duration
	fail  atomic.Bool
}

func (c *counting) Frame(context.Context) (*Frame, error) { return c.frame, nil }

func (c *counting) Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error) {
	c.asked.Add(int64(len(qs)))
	select {
	case <-time.After(c.slow):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.fail.Load() {
		return nil, errors.New("no answer")
	}
	out := make([][]*Table, len(qs))
	for i, q := range qs {
		t := q.NewTable()
		t.Counts[0] = Count{Sample: int64(version), Weight: int64(len(q.Namespace))}
		out[i] = []*Table{t}
	}
	return out, nil
}

func question(code string, rows ...string) Query {
	q := Query{Namespace: code, Strata: []Cover{{1}}}
	for _, r := range rows {
		q.Rows = append(q.Rows, Answers{Question: r, Min: 1})
	}
	return q
}

func TestRememberAsksOnce(t *testing.T) {
	c := &counting{frame: ragged(t)}
	st := Remember(c, 1<<20)
	ask := func(version uint64, want int64, qs ...Query) {
		t.Helper()
		before := c.asked.Load()
		got, err := st.Count(t.Context(), version, qs)
		if err != nil {
			t.Fatal(err)
		}
		for i := range qs {
			if got[i][0].Counts[0] != (Count{int64(version), int64(len(qs[i].Namespace))}) ||
				got[i][0].Rows != len(qs[i].Rows) ||
				(got[i][0].Squares != nil) != (qs[i].Measures == Squares) {
				t.Errorf("query %d is answered with %+v", i, got[i][0])
			}
		}
		if asked := c.asked.Load() - before; asked != want {
			t.Errorf("%d questions were asked, want %d", asked, want)
		}
	}
	a, b, ab := question("a", "x"), question("b", "x", "y"), question("ab", "x")
	ask(1, 1, a)
	ask(1, 0, a)
	ask(1, 1, a, b)
	ask(1, 0, b, a, b)
	ask(2, 2, a, b) // another version
	other := a
	other.Strata = []Cover{{2}}
	ask(1, 1, other)
	other = a
	other.Base = Everyone{}
	ask(1, 1, other)
	ask(1, 1, ab)
	other = question("a")
	other.Columns = a.Rows
	ask(1, 1, other)
	other = a
	other.Measures = Squares
	ask(1, 1, a, other)
	ask(1, 0, other, a)
	use := st.Use()
	if use.Bytes <= 0 {
		t.Errorf("%d answers take %d bytes", use.Answers, use.Bytes)
	}
	use.Bytes = 0
	if want := (MemoryUse{Answers: 9, Remembered: 8, Asked: 9}); use != want {
		t.Errorf("the use is %+v, want %+v", use, want)
	}
}

// A table of two counts takes 32 bytes, and as many more with squares.
func TestRememberForgets(t *testing.T) {
	for measures, size := range map[Measures]int64{0: 256 + 64 + 32, Squares: 256 + 64 + 64} {
		c := &counting{frame: ragged(t)}
		st := Remember(c, 5*size)
		for i := range 20 {
			q := question(fmt.Sprint("q", i), "x")
			q.Measures = measures
			if _, err := st.Count(t.Context(), 1, []Query{q}); err != nil {
				t.Fatal(err)
			}
			if st.bytes > st.budget || len(st.entries) != st.recent.Len() {
				t.Fatalf("%d bytes in %d entries, %d allowed", st.bytes, len(st.entries), st.budget)
			}
		}
		if len(st.entries) != 5 || st.bytes != st.budget {
			t.Errorf("measures %d: %d entries of %d bytes are kept", measures, len(st.entries), st.bytes)
		}
	}
}

func TestRememberKeepsNoFailure(t *testing.T) {
	c := &counting{frame: ragged(t)}
	st := Remember(c, 1<<20)
	c.fail.Store(true)
	if _, err := st.Count(t.Context(), 1, []Query{question("a")}); err == nil {
		t.Error("no error")
	}
	c.fail.Store(false)
	if _, err := st.Count(t.Context(), 1, []Query{question("a")}); err != nil {
		t.Error(err)
	}
}

// Questions that many ask at once are asked once; one who gives up takes no other along.
func TestRememberTogether(t *testing.T) {
	c := &counting{frame: ragged(t), slow: 20 * time.Millisecond}
	st := Remember(c, 1<<20)
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			if i%4 == 0 {
				time.AfterFunc(time.Millisecond, cancel)
			}
			_, err := st.Count(ctx, 1, []Query{question("a", "x"), question("b", "x")})
			if err != nil && (i%4 != 0 || !errors.Is(err, context.Canceled)) {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if n := c.asked.Load(); n > 2*11 {
		t.Errorf("%d questions were asked", n)
	}
}

// panicking is a store that panics when it is asked first.
type panicking struct {
	*counting
	once sync.Once
}

func (p *panicking) Count(ctx context.Context, version uint64, qs []Query) ([][]*Table, error) {
	p.once.Do(func() { panic("a bug") })
	return p.counting.Count(ctx, version, qs)
}

// Nobody waits for an answer that a panic took away.
func TestRememberOutlivesPanics(t *testing.T) {
	st := Remember(&panicking{counting: &counting{frame: ragged(t)}}, 1<<20)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the panic is swallowed")
			}
		}()
		st.Count(ctx, 1, []Query{question("a", "x")})
	}()
	if _, err := st.Count(ctx, 1, []Query{question("a", "x")}); err != nil {
		t.Error(err)
	}
}

// Those who wait for an answer get it also where it is too large to be kept.
func TestRememberTogetherKeepsNothing(t *testing.T) {
	c := &counting{frame: ragged(t)}
	st := Remember(c, 1)
	q := question("b", "x")
	keys, out := []queryKey{q.key(1)}, make([][]*Table, 1)
	if _, mine, wait := st.find(keys, out); len(mine) != 1 || wait != nil { // somebody asks it, and takes long
		t.Fatalf("%d questions are reserved, and %v is waited for", len(mine), wait)
	}
	ctx := watched{t.Context(), make(chan struct{}, 1)}
	answered := make(chan [][]*Table)
	go func() {
		got, err := st.Count(ctx, 1, []Query{q, q})
		if err != nil {
			t.Error(err)
		}
		answered <- got
	}()
	<-ctx.waited
	table := q.NewTable()
	st.answer(keys[0], []*Table{table})
	st.done(keys)
	if got := <-answered; got[0][0] != table || got[1][0] != table {
		t.Errorf("another answer than the one that was waited for: %v", got)
	}
	if len(st.asking) > 0 || st.Use().Answers > 0 || c.asked.Load() > 0 {
		t.Errorf("%d questions are still asked, %d answers are kept, and %d questions were asked", len(st.asking),
			st.Use().Answers, c.asked.Load())
	}
}

// watched is a context that tells when somebody begins to wait for it, or for something else as well.
type watched struct {
	context.Context
	waited chan struct{}
}

func (w watched) Done() <-chan struct{} {
	w.waited <- struct{}{}
	return w.Context.Done()
}
