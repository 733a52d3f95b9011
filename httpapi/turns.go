package httpapi

import (
	"context"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/background"
)

// turns has queries of all users take turns. Long ones run few at a time, so that a processor is free for short ones,
// which do not wait for long ones. Whose turn is next goes by what each user has been given so far: who has had least
// comes first, and of one user the query that came first. What queries hold in memory is bounded at the same time.
type turns struct {
	limits Limits

	mu      sync.Mutex
	running [2]int // by lane
	held    int64  // bytes
	waiting int
	came    int64
	users   map[string]*standing
	now     float64 // the work at which the turn that was given last began; nobody who comes anew has had less
}

// lane is where a query waits.
type lane int

const (
	short lane = iota
	long
)

// standing is a user who waits, runs, holds something, or has had more than others.
type standing struct {
	had     float64 // work, in counts
	running [2]int
	held    int64
	queue   []*turn // those that wait, in the order in which they came
}

// turn is a query that waits, or that runs and holds memory.
type turn struct {
	turns   *turns
	user    string
	lane    lane
	work    float64
	bytes   int64
	came    int64 // its number among all that came
	running bool
	given   chan struct{} // closed when it is its turn
}

func newTurns(l Limits) *turns { return &turns{limits: l, users: map[string]*standing{}} }

// longCounts is how many counts a query has at least that runs in the lane of long ones. So many take a few
// milliseconds at a million respondents.
const longCounts = 10_000

// shortEach is how many short queries run at a time for each long one.
const shortEach = 16

// most is how many queries of a lane run at a time, of all users and of one.
func (t *turns) most(l lane) (all, each int) {
	all, each = t.limits.Running, t.limits.RunningEach
	if all < 0 {
		all = math.MaxInt / shortEach
	}
	if each < 0 {
		each = all
	}
	if l == short {
		return all * shortEach, each * shortEach
	}
	return all, each
}

// overloadedError tells that a query did not get its turn.
type overloadedError struct{ reason string }

func (e *overloadedError) Error() string { return e.reason }

// take waits until it is the turn of a query of so much work and so many bytes.
func (t *turns) take(ctx context.Context, user string, l lane, work float64, bytes int64) (*turn, error) {
	q := &turn{turns: t, user: user, lane: l, work: work, bytes: bytes, given: make(chan struct{})}
	if err := t.enter(q); err != nil {
		return nil, err
	}
	var late <-chan time.Time
	if t.limits.Wait > 0 {
		timer := time.NewTimer(t.limits.Wait)
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-q.given:
		return q, nil
	case <-ctx.Done():
		if t.withdraw(q) {
			return nil, ctx.Err()
		}
	case <-late:
		if t.withdraw(q) {
			return nil, &overloadedError{fmt.Sprintf("the service is busy: it was not the query's turn for %v s",
				t.limits.Wait.Seconds())}
		}
	}
	return q, nil // it was given its turn just then
}

// enter puts a query into the queue of its user and gives it its turn if that is now.
func (t *turns) enter(q *turn) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.users[q.user]
	if u == nil {
		u = &standing{}
		t.users[q.user] = u
	}
	if t.limits.Waiting >= 0 && len(u.queue) >= t.limits.Waiting {
		return &overloadedError{fmt.Sprintf("the service is busy: %d queries of yours wait already", len(u.queue))}
	}
	u.had = max(u.had, t.now)
	t.came++
	q.came = t.came
	u.queue = append(u.queue, q)
	t.waiting++
	t.give()
	return nil
}

// withdraw takes a query out of its queue; false if it was given its turn already.
func (t *turns) withdraw(q *turn) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.users[q.user]
	if !u.leave(q) {
		return false
	}
	t.waiting--
	t.forget(q.user, u)
	return true
}

// give gives turns for as long as there are any to be given.
func (t *turns) give() {
	for l := range lane(len(t.running)) {
		for t.giveOne(l) {
		}
	}
}

// giveOne gives the turn of a lane to the user who has had least of those whose first query of the lane may run.
func (t *turns) giveOne(l lane) bool {
	all, each := t.most(l)
	if t.waiting == 0 || t.running[l] >= all {
		return false
	}
	var next *standing
	var q *turn
	for _, u := range t.users {
		if u.running[l] >= each {
			continue
		}
		first := u.first(l)
		if first == nil || !t.fits(u, first.bytes) {
			continue
		}
		if next == nil || u.had < next.had || u.had == next.had && first.came < q.came {
			next, q = u, first
		}
	}
	if next == nil {
		return false
	}
	next.leave(q)
	t.waiting--
	t.now = max(t.now, next.had)
	next.had += q.work
	next.running[l]++
	t.running[l]++
	next.held += q.bytes
	t.held += q.bytes
	q.running = true
	close(q.given)
	return true
}

// first is the first query of a lane in the user's queue; nil if there is none.
func (u *standing) first(l lane) *turn {
	for _, q := range u.queue {
		if q.lane == l {
			return q
		}
	}
	return nil
}

// leave takes a query out of the queue; false if it is not there.
func (u *standing) leave(q *turn) bool {
	i := slices.Index(u.queue, q)
	if i < 0 {
		return false
	}
	u.queue = slices.Delete(u.queue, i, i+1)
	return true
}

// fits tells whether there is memory for so many bytes more. One user holds half of it at most, so that nobody can keep
// it from all others; but a query whose user holds nothing may hold what is left, and one alone may hold whatever it
// takes.
func (t *turns) fits(u *standing, bytes int64) bool {
	switch most := t.limits.Memory; {
	case most < 0 || t.held == 0:
		return true
	case u.held > 0 && u.held+bytes > most/2:
		return false
	default:
		return t.held+bytes <= most
	}
}

// grow has a query that runs hold more. It does not wait for that: what it holds already would be waited for, too.
func (q *turn) grow(work float64, bytes int64) {
	t := q.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	u := t.users[q.user]
	u.had += work
	if more := bytes - q.bytes; more > 0 {
		q.bytes, u.held, t.held = bytes, u.held+more, t.held+more
	}
}

// rest gives the turn to others, but holds the memory: there is nothing left but to write the answer.
func (q *turn) rest() {
	q.turns.mu.Lock()
	defer q.turns.mu.Unlock()
	q.stop()
	q.turns.give()
}

func (q *turn) stop() {
	if q.running {
		q.running = false
		q.turns.running[q.lane]--
		q.turns.users[q.user].running[q.lane]--
	}
}

// end gives back all that the query has.
func (q *turn) end() {
	t := q.turns
	t.mu.Lock()
	defer t.mu.Unlock()
	q.stop()
	u := t.users[q.user]
	u.held -= q.bytes
	t.held -= q.bytes
	t.give()
	t.forget(q.user, u)
}

// forget drops a user who has nothing here and has had no more than one who comes anew. Once nobody has anything, all
// begin anew.
func (t *turns) forget(user string, u *standing) {
	idle := func(u *standing) bool {
		return len(u.queue) == 0 && u.held == 0 && u.running == [2]int{}
	}
	if idle(u) && u.had <= t.now {
		delete(t.users, user)
	}
	if t.waiting == 0 && t.held == 0 && t.running == [2]int{} {
		clear(t.users)
		t.now = 0
	}
}

// defaultRunning is how many long queries run at a time unless something else is asked for: one less than there are
// processors to run on, which is left to short ones.
func defaultRunning() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// pens is how many long answers are formed at a time.
func pens(l Limits) int {
	if l.Running < 0 {
		return 1 << 20
	}
	return l.Running
}

// countBytes is what a count takes: of respondents and of weights, 8 bytes each, and of squared weights 16.
const countBytes = 16

// extent is how many counts queries ask for and how many bytes their tables take, which is known before any of them is
// counted.
func extent(qs []audience.Query) (counts float64, bytes int64) {
	for _, q := range qs {
		n := int64(len(q.Strata)) * int64(len(q.Rows)+1) * int64(len(q.Columns)+1)
		if q.Measures.Has(audience.Squares) {
			n *= 2
		}
		counts += float64(n)
		bytes += n * countBytes
	}
	return counts, bytes
}

// await waits for the call's turn before something is counted for it. What is counted after that is counted in the same
// turn, unless a short query turns out to be a long one.
func (c *call) await(ctx context.Context, qs []audience.Query) (err error) {
	work, bytes := extent(qs)
	bytes += 1 + c.weight // whoever has a turn holds something
	l := short
	if work >= longCounts {
		l = long
	}
	switch {
	case c.turn != nil && (c.turn.lane == long || l == short):
		c.turn.grow(work, bytes)
		return nil
	case c.turn != nil:
		c.turn.end()
		c.turn = nil
	}
	if c.turn, err = c.turns.take(ctx, c.caller.User, l, work, bytes); err == nil && l == long {
		background.Lower(c.ctx())
	}
	return err
}

// What is held besides tables, roughly: a byte of a request becomes so many once it is read, and an answer is formed of
// a part of the bytes that it comes to.
const (
	parsedBytes = 8
	formedOf    = 8
)

// hold waits until so many bytes that were read are within the budget of memory, for an answer that nothing is counted
// for.
func (c *call) hold(bytes int64) (err error) {
	c.turn, err = c.turns.take(c.ctx(), c.caller.User, short, 1, 1+c.weight+bytes)
	return err
}

// counted lets others have the turn: nothing more will be counted.
func (c *call) counted() {
	if c.turn != nil {
		c.turn.rest()
	}
}

// takePen waits until the call may form more of a long answer. As many as run long queries do so at a time, a few
// thousand bytes each, and nobody has a pen while what was formed is sent; so that who is slow to take it, and whoever
// has only a little to be told, stands in nobody's way.
func (c *call) takePen() {
	c.pens <- struct{}{}
	c.pen = true
}

func (c *call) putPen() {
	if c.pen {
		<-c.pens
		c.pen = false
	}
}

// leave gives back all that the call has.
func (c *call) leave() {
	c.putPen()
	if c.turn != nil {
		c.turn.end()
	}
}
