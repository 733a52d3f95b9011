package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// readiness is what was found last of whether questions would be answered.
type readiness struct {
	mu   sync.Mutex // is held while the servers are asked, so that of many who want to know one asks
	at   time.Time
	last error
}

// readyFor is how long what was found is told again.
const readyFor = time.Second

// readyWithin is how long the servers may take to tell: who asks is no question, and is asked for often.
const readyWithin = 5 * time.Second

// Ready tells what a question would meet now: nil if it would be answered; else what that would be, a server that is
// away, or a *MissingError, say. It reads no data, and asks the servers once a second at most.
func (s *Store) Ready(ctx context.Context) error {
	s.ready.mu.Lock()
	defer s.ready.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	if time.Since(s.ready.at) < readyFor {
		return s.ready.last
	}
	limited, cancel := context.WithTimeout(ctx, min(readyWithin, s.config.Timeout))
	defer cancel()
	err := audience.ErrChanged
	for range 3 { // what is published may change meanwhile
		if err = s.answers(limited); !errors.Is(err, audience.ErrChanged) {
			break
		}
	}
	if ctx.Err() == nil {
		s.ready.at, s.ready.last = time.Now(), err
	}
	return err
}

// answers tells whether a question about what is published now would be answered. It does not count all respondents, as
// the first question about a version does: that may take longer than anybody waits here.
func (s *Store) answers(ctx context.Context) error {
	f, err := s.embedded.Frame(ctx)
	if err != nil {
		return err
	}
	_, st, known, err := s.published(ctx)
	if err != nil {
		return err
	}
	v := &version{f, st}
	if !known || len(livePairs(st.Waves).waves) == 0 {
		return everywhere(ctx, s.shards, func(ctx context.Context, _ int, sh *shard) error {
			return s.query(ctx, sh, "SELECT 1", func(driver.Rows) error { return nil })
		})
	}
	// A question that no partition has anything for takes the way of any other, and reads nothing.
	nothing := fmt.Sprintf("SELECT count() FROM %s WHERE wave = 65535 AND gen = 0", s.read)
	err = s.choosing(ctx, func(ctx context.Context) error {
		if err := s.restoring(ctx, v, func() error {
			return everywhere(ctx, s.recipients(), func(ctx context.Context, _ int, sh *shard) error {
				return s.query(ctx, sh, nothing, func(driver.Rows) error { return nil })
			})
		}); err != nil {
			return err
		}
		return s.intact(ctx, v)
	})
	if err != nil {
		return s.settle(ctx, v, err)
	}
	return nil
}

// restoring has questions asked. If the Distributed table is gone, or lacks columns, it is made again, and they are
// asked once more: it holds nothing, and may have been dropped, or a server put up anew, since this Store last saw to
// it.
func (s *Store) restoring(ctx context.Context, v *version, ask func() error) error {
	err := ask()
	var fault *Error
	if s.config.Cluster == "" || !errors.As(err, &fault) || fault.Code != unknownTable && fault.Code != unknownColumn &&
		fault.Code != unknownName {
		return err
	}
	if failed := s.readable(ctx, v.state); failed != nil {
		return errors.Join(err, failed)
	}
	return ask()
}
