package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"

	ch "github.com/ClickHouse/clickhouse-go/v2"
)

// Error is a server that failed to answer. A time limit that was reached, here or there, is errors.Is(err,
// context.DeadlineExceeded); a memory limit, errors.Is(err, ErrMemory).
type Error struct {
	Address string // of the server that was asked
	Code    int    // ClickHouse's number of the error; 0 if it is not from there
	Err     error
}

func (e *Error) Error() string { return fmt.Sprintf("ClickHouse server %s: %v", e.Address, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// ErrMemory is a statement that needs more memory than Config.MemoryBytes or the server's own settings allow.
var ErrMemory = errors.New("the statement needs more memory than is allowed")

// MissingError is a wave of which the servers have other respondents than were published: a server lost some, an old
// copy of the embedded store was put back, or Config names other servers than the respondents were loaded into.
type MissingError struct {
	Wave      string
	Want, Got int64 // respondents
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("ClickHouse has %d respondents of wave %q, and %d were published: check that all shards are "+
		"named, and restore the missing or import the wave again", e.Got, e.Wave, e.Want)
}

// The numbers of ClickHouse's errors that mean something here.
const (
	timeoutExceeded = 159
	socketTimeout   = 209
	memoryLimit     = 241
)

// explain tells what an error of a statement comes to: ctx's own if that has ended, an *Error else.
func (s *Store) explain(ctx, limited context.Context, sh *shard, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil && !errors.Is(ended, context.DeadlineExceeded) {
		return ended
	}
	e := &Error{Address: sh.address, Err: err}
	var exception *ch.Exception
	if errors.As(err, &exception) {
		e.Code = int(exception.Code)
	}
	var network net.Error
	switch {
	case e.Code == memoryLimit:
		e.Err = fmt.Errorf("%w: %w", ErrMemory, err)
	case limited.Err() != nil, e.Code == timeoutExceeded, e.Code == socketTimeout,
		errors.Is(err, os.ErrDeadlineExceeded), errors.As(err, &network) && network.Timeout():
		e.Err = fmt.Errorf("no answer in time: %w (%v)", context.DeadlineExceeded, err)
	}
	return e
}
