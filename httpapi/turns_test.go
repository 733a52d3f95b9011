package httpapi

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
)

// asked is a query of a test: it waits, notes that it has its turn, and ends when it is told to.
type asked struct {
	user  string
	lane  lane
	work  float64
	bytes int64
}

// field has queries ask one after the other and notes in which order they get their turns.
type field struct {
	t     *testing.T
	turns *turns
	mu    sync.Mutex
	given []string
	have  map[string]*turn
	errs  map[string]error
}

func newField(t *testing.T, l Limits) *field {
	return &field{t: t, turns: newTurns(l.withDefaults()), have: map[string]*turn{}, errs: map[string]error{}}
}

// ask has a query ask and comes back when it has its turn or waits.
func (f *field) ask(ctx context.Context, name string, a asked) {
	go func() {
		q, err := f.turns.take(ctx, a.user, a.lane, a.work, max(1, a.bytes))
		f.mu.Lock()
		defer f.mu.Unlock()
		if err != nil {
			f.errs[name] = err
			return
		}
		f.given, f.have[name] = append(f.given, name), q
	}()
	synctest.Wait()
}

// turn is that of a query, and the error that it got instead.
func (f *field) turn(name string) (*turn, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.have[name], f.errs[name]
}

func (f *field) end(name string) {
	q, _ := f.turn(name)
	q.end()
	synctest.Wait()
}

// want compares the names of those that have had their turn with those in a text.
func (f *field) want(names string) {
	f.t.Helper()
	f.mu.Lock()
	defer f.mu.Unlock()
	if d := cmp.Diff(names, strings.Join(f.given, " ")); d != "" {
		f.t.Error(d)
	}
}

// Of those who wait, the user comes first who has been given least, and of one user the query that came first. Short
// queries do not wait for long ones.
func TestTurnsAreFair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ctx := newField(t, Limits{Running: 1, RunningEach: 1}), t.Context()
		for i := range 4 {
			f.ask(ctx, fmt.Sprint("a", i), asked{user: "a", lane: long, work: 100})
		}
		f.want("a0")
		f.ask(ctx, "b0", asked{user: "b", lane: long, work: 30})
		f.ask(ctx, "b1", asked{user: "b", lane: long, work: 30})
		f.ask(ctx, "s", asked{user: "c", lane: short, work: 1})
		f.ask(ctx, "a4", asked{user: "a", lane: short, work: 1})
		f.want("a0 s a4")
		for _, next := range []string{"a0", "b0", "b1", "a1", "a2", "a3"} { // a has had 101, b 60 in the end
			f.end(next)
		}
		f.want("a0 s a4 b0 b1 a1 a2 a3")
		f.end("s")
		f.end("a4")
		if n := len(f.turns.users); n > 0 {
			t.Errorf("%d users are remembered", n)
		}
	})
}

// One user does not get all the turns there are, and what rests gives its turn to others.
func TestTurnsOfOneUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ctx := newField(t, Limits{Running: 2, RunningEach: 1}), t.Context()
		f.ask(ctx, "a0", asked{user: "a", lane: long})
		f.ask(ctx, "a1", asked{user: "a", lane: long})
		f.ask(ctx, "b0", asked{user: "b", lane: long})
		f.ask(ctx, "c0", asked{user: "c", lane: long})
		f.want("a0 b0")
		resting, _ := f.turn("a0")
		resting.rest()
		synctest.Wait()
		f.want("a0 b0 a1")
		f.end("a0")
		f.want("a0 b0 a1")
		f.end("b0")
		f.want("a0 b0 a1 c0")
		f.end("a1")
		f.end("c0")
	})
}

// Memory is held until the end. One user has half of it at most, and whoever is alone has what it takes.
func TestTurnsHoldMemory(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ctx := newField(t, Limits{Memory: 100, Running: 9}), t.Context()
		f.ask(ctx, "huge", asked{user: "a", bytes: 1000})
		f.ask(ctx, "b0", asked{user: "b", bytes: 1})
		f.want("huge")
		huge, _ := f.turn("huge")
		huge.rest()
		f.want("huge")
		f.end("huge")
		f.want("huge b0")
		f.ask(ctx, "a0", asked{user: "a", bytes: 40})
		f.ask(ctx, "a1", asked{user: "a", bytes: 11}) // more than its half
		f.ask(ctx, "c0", asked{user: "c", bytes: 59})
		f.ask(ctx, "d0", asked{user: "d", bytes: 1}) // there is none left
		f.want("huge b0 a0 c0")
		growing, _ := f.turn("b0")
		growing.grow(0, 20)
		f.end("c0")
		f.want("huge b0 a0 c0 d0")
		f.end("a0")
		f.want("huge b0 a0 c0 d0 a1")
		for _, name := range []string{"a1", "b0", "d0"} {
			f.end(name)
		}
		if f.turns.held != 0 {
			t.Errorf("%d bytes are held by nobody", f.turns.held)
		}
	})
}

// Nobody waits for ever, or among too many of one user, or for an answer that nobody wants.
func TestTurnsThatDoNotCome(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, ctx := newField(t, Limits{Running: 1, Waiting: 2, Wait: 3 * time.Second}), t.Context()
		f.ask(ctx, "a0", asked{user: "a", lane: long})
		f.ask(ctx, "a1", asked{user: "a", lane: long})
		gone, leave := context.WithCancel(ctx)
		f.ask(gone, "a2", asked{user: "a", lane: long})
		f.ask(ctx, "a3", asked{user: "a", lane: long})
		f.ask(ctx, "b0", asked{user: "b", lane: long})
		leave()
		synctest.Wait()
		if _, err := f.turn("a2"); !errors.Is(err, context.Canceled) {
			t.Errorf("who left: %v", err)
		}
		time.Sleep(3 * time.Second)
		synctest.Wait()
		f.end("a0")
		f.want("a0")
		for name, want := range map[string]string{"a1": "the service is busy: it was not the query's turn for 3 s",
			"a3": "the service is busy: 2 queries of yours wait already",
			"b0": "the service is busy: it was not the query's turn for 3 s"} {
			var busy *overloadedError
			if _, err := f.turn(name); !errors.As(err, &busy) || err.Error() != want {
				t.Errorf("%s: %v", name, err)
			}
		}
		if f.turns.waiting != 0 || len(f.turns.users) != 0 {
			t.Errorf("%d wait, %d users are remembered", f.turns.waiting, len(f.turns.users))
		}
	})
}

// Whatever is asked in whatever order, no limit is passed and everybody has a turn or is told that not.
func TestTurnsAtRandom(t *testing.T) {
	for seed := range uint64(testsize.Of(5, 50, 1000)) {
		synctest.Test(t, func(t *testing.T) {
			random := rand.New(rand.NewPCG(seed, 1))
			limits := Limits{Running: 1 + random.IntN(3), RunningEach: 1 + random.IntN(2), Memory: 100,
				Wait: time.Duration(random.IntN(30)) * time.Second}.withDefaults()
			turns := newTurns(limits)
			var all sync.WaitGroup
			for range 200 {
				a := asked{fmt.Sprint(random.IntN(4)), lane(random.IntN(2)), random.Float64(), 1 + random.Int64N(60)}
				at, takes := random.IntN(20_000), random.IntN(2000)
				all.Go(func() {
					time.Sleep(time.Duration(at) * time.Millisecond)
					q, err := turns.take(t.Context(), a.user, a.lane, a.work, a.bytes)
					if err != nil {
						return
					}
					time.Sleep(time.Duration(takes) * time.Millisecond)
					q.grow(a.work, a.bytes)
					turns.mu.Lock()
					most, each := turns.most(a.lane)
					if turns.running[a.lane] > most || turns.users[a.user].running[a.lane] > each {
						t.Errorf("seed %d: %d run, %d of one user", seed, turns.running, turns.users[a.user].running)
					}
					if turns.held > limits.Memory {
						t.Errorf("seed %d: %d bytes are held", seed, turns.held)
					}
					turns.mu.Unlock()
					if takes%2 == 0 {
						q.rest()
						time.Sleep(time.Second)
					}
					q.end()
				})
			}
			all.Wait()
			if turns.held != 0 || turns.waiting != 0 || turns.running != [2]int{} || len(turns.users) != 0 {
				t.Errorf("seed %d: %+v is left", seed, turns)
			}
		})
	}
}

// What queries ask for is known before they are counted.
func TestExtent(t *testing.T) {
	person := audience.Everyone{}
	q := audience.Query{Rows: []audience.Expr{person, person}, Columns: []audience.Expr{person},
		Strata: make([]audience.Cover, 5)}
	squared := q
	squared.Measures = audience.Squares
	counts, bytes := extent([]audience.Query{q, squared, {Strata: make([]audience.Cover, 1)}})
	if counts != 5*3*2+2*5*3*2+1 || bytes != 16*91 {
		t.Errorf("%v counts, %d bytes", counts, bytes)
	}
}
