package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"time"
)

// breaker knows of a server whether it hangs: whether nothing comes from it, neither answers nor errors. Statements
// that are late make it look; while the server hangs it is asked again and again, and statements are refused at once
// instead of waiting for their time limits, one after the other. A server that is away, and says so by refusing
// connections, needs none of this, and is asked by each statement.
type breaker struct {
	ping     func(context.Context) error
	patience time.Duration // how long an answer to a ping may take

	mu      sync.Mutex
	looking bool          // a goroutine asks
	hangs   chan struct{} // is closed as long as the server hangs
	since   time.Time     // when that was found
	ended   bool
	end     chan struct{}
	asking  sync.WaitGroup
}

// How long to wait between one ping and the next to a server that hangs.
const (
	firstPause = 100 * time.Millisecond
	mostPause  = time.Second
)

// slow is how long it may take to learn that a server is not there: one that takes longer hangs.
const slow = time.Second

// leastPatience is how long a server that is busy, on a busy machine, may take for a ping, however hurried questions
// are.
const leastPatience = 2 * time.Second

func newBreaker(patience time.Duration, ping func(context.Context) error) *breaker {
	return &breaker{ping: ping, patience: patience, hangs: make(chan struct{}), end: make(chan struct{})}
}

// close ends what goes on.
func (b *breaker) close() {
	b.mu.Lock()
	if !b.ended {
		b.ended = true
		close(b.end)
	}
	b.mu.Unlock()
	b.asking.Wait()
}

// found is closed when the server is found to hang.
func (b *breaker) found() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.hangs
}

// refuse is an error while the server hangs.
func (b *breaker) refuse() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.since.IsZero() {
		return nil
	}
	return fmt.Errorf("%w since %s", errHangs, b.since.UTC().Format(time.RFC3339))
}

// suspect has the server asked whether it hangs, and, if so, until it answers again.
func (b *breaker) suspect() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !b.looking && !b.ended {
		b.looking = true
		b.asking.Go(b.look)
	}
}

// look asks the server until something comes from it.
func (b *breaker) look() {
	pause := firstPause
	for {
		silent := b.silent()
		b.mu.Lock()
		switch {
		case !silent:
			if !b.since.IsZero() {
				b.since, b.hangs = time.Time{}, make(chan struct{})
			}
			b.looking = false
		case b.since.IsZero():
			b.since = time.Now()
			close(b.hangs)
		}
		b.mu.Unlock()
		if !silent {
			return
		}
		select {
		case <-time.After(pause):
			pause = min(2*pause, mostPause)
		case <-b.end:
			return
		}
	}
}

// silent asks the server once and tells whether nothing comes from it. An error that comes soon is something: no
// statement would wait for it.
func (b *breaker) silent() bool {
	ctx, cancel := context.WithTimeout(context.Background(), b.patience)
	defer cancel()
	start, answer := time.Now(), make(chan error, 1)
	go func() { answer <- b.ping(ctx) }() // the driver may keep to a time limit of its own
	select {
	case err := <-answer:
		return err != nil && (late(err) || time.Since(start) > slow)
	case <-ctx.Done():
		return true
	case <-b.end:
		return false
	}
}

// late tells of an error whether it is that nothing came in time.
func late(err error) bool {
	var network net.Error
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, os.ErrDeadlineExceeded) ||
		errors.As(err, &network) && network.Timeout()
}
