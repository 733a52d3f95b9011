package httpapi

import (
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// meter holds users to a rate of requests. A user who was quiet may send the requests of one second at once.
type meter struct {
	limit rate.Limit
	burst int

	mu    sync.Mutex
	users map[string]*rate.Limiter
	sweep time.Time // when those who have been quiet are forgotten next
}

// newMeter returns nil, which limits nobody, if the rate is 0 or less.
func newMeter(perSecond float64) *meter {
	if !(perSecond > 0) || math.IsInf(perSecond, 1) {
		return nil
	}
	return &meter{limit: rate.Limit(perSecond), burst: int(math.Ceil(min(perSecond, math.MaxInt32))),
		users: map[string]*rate.Limiter{}}
}

// allowance is what is left of a user's rate.
type allowance struct {
	burst, left int           // requests at once: of who was quiet, and now
	whole       time.Duration // until all of burst is left again
	wait        time.Duration // before another request is answered; 0: this one is
}

// take has a user send a request, if the rate allows it.
func (m *meter) take(user string, now time.Time) allowance {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now)
	l := m.users[user]
	if l == nil {
		l = rate.NewLimiter(m.limit, m.burst)
		m.users[user] = l
	}
	r := l.ReserveN(now, 1)
	a := allowance{burst: m.burst, wait: r.DelayFrom(now)}
	if a.wait > 0 {
		r.CancelAt(now)
	}
	tokens := max(0, l.TokensAt(now))
	a.left = int(tokens)
	a.whole = time.Duration((float64(m.burst) - tokens) / float64(m.limit) * float64(time.Second))
	return a
}

// forget drops users, now and then, who may send as much as one who was never seen.
func (m *meter) forget(now time.Time) {
	if now.Before(m.sweep) {
		return
	}
	m.sweep = now.Add(time.Minute)
	for user, l := range m.users {
		if l.TokensAt(now) >= float64(m.burst) {
			delete(m.users, user)
		}
	}
}

// The headers that tell what is left of a user's rate, in every answer that a key was sent for.
const (
	rateLimit     = "RateLimit-Limit"
	rateRemaining = "RateLimit-Remaining"
	rateReset     = "RateLimit-Reset" // seconds until all of the limit remains
)

// admit is an error if the caller sends more than Limits.Rate allows.
func (c *call) admit() error {
	if c.meter == nil {
		return nil
	}
	a := c.meter.take(c.caller.User, time.Now())
	h := c.w.Header()
	h.Set(rateLimit, strconv.Itoa(a.burst))
	h.Set(rateRemaining, strconv.Itoa(a.left))
	h.Set(rateReset, strconv.FormatInt(wholeSeconds(a.whole), 10))
	if a.wait <= 0 {
		return nil
	}
	seconds := wholeSeconds(a.wait)
	h.Set("Retry-After", strconv.FormatInt(seconds, 10))
	return &statusError{"rate_limited", fmt.Sprintf("more than %v requests a second: try again in %d s",
		c.Limits.Rate, seconds)}
}

// wholeSeconds are the seconds after which a time has passed.
func wholeSeconds(d time.Duration) int64 { return int64(math.Ceil(d.Seconds())) }
