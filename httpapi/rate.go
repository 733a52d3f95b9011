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

// wait returns how long the user has to wait before another request is answered; 0 if this one is.
func (m *meter) wait(user string, now time.Time) time.Duration {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.forget(now)
	l := m.users[user]
	if l == nil {
		l = rate.NewLimiter(m.limit, m.burst)
		m.users[user] = l
	}
	r := l.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
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

// admit is an error if the caller sends more than Limits.Rate allows.
func (c *call) admit() error {
	if c.meter == nil {
		return nil
	}
	wait := c.meter.wait(c.caller.User, time.Now())
	if wait <= 0 {
		return nil
	}
	seconds := int64(math.Ceil(wait.Seconds()))
	c.w.Header().Set("Retry-After", strconv.FormatInt(seconds, 10))
	return &statusError{"rate_limited", fmt.Sprintf("more than %v requests a second: try again in %d s",
		c.Limits.Rate, seconds)}
}
