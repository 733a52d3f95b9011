package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"

	ch "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/crosswave/crosswave/audience"
)

// Error is a server that failed to answer. One that was not reached is errors.Is(err, audience.ErrNoAnswer); a time
// limit that was reached, here or there, errors.Is(err, context.DeadlineExceeded); a memory limit, errors.Is(err,
// ErrMemory).
type Error struct {
	Address string // of the server that was asked
	Code    int    // ClickHouse's number of the error; 0 if it is not from there
	Err     error
}

func (e *Error) Error() string { return fmt.Sprintf("ClickHouse server %s: %v", e.Address, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Is tells that a server that could not be reached, or went away, is an audience.ErrNoAnswer: any question would have
// failed. What a server refuses to do, a statement that needs more memory say, is none, and nor is a time limit.
func (e *Error) Is(target error) bool {
	if target != audience.ErrNoAnswer || errors.Is(e.Err, context.DeadlineExceeded) {
		return false
	}
	switch e.Code {
	case 0:
		var network net.Error
		return errors.As(e.Err, &network) || errors.Is(e.Err, io.EOF) || errors.Is(e.Err, io.ErrUnexpectedEOF)
	case endOfData, networkError, connectionsFailed:
		return true
	}
	return false
}

// ErrMemory is a statement that needs more memory than Config.MemoryBytes or the server's own settings allow.
var ErrMemory = errors.New("the statement needs more memory than is allowed")

// MissingError, an audience.ErrNoAnswer, is a wave of which the servers have other respondents than were published: a
// server lost some, an old copy of the embedded store was put back, or Config names other servers than the respondents
// were loaded into.
type MissingError struct {
	Wave      string
	Want, Got int64 // respondents
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("ClickHouse has %d respondents of wave %q, and %d were published: check that all shards are "+
		"named and that no other copy of the store has replaced them, and restore the missing or import the wave again",
		e.Got, e.Wave, e.Want)
}

// Is tells that it is an audience.ErrNoAnswer.
func (e *MissingError) Is(target error) bool { return target == audience.ErrNoAnswer }

// OwnerError, an audience.ErrNoAnswer, is a table that is not this store's to write into. It is told before anything is
// written, or at the latest before what was written is published, and then it is removed again. Questions are answered
// all the same: from the respondents that this store published, and only while the servers have all of these
// (MissingError).
type OwnerError struct {
	Address string // of the server that says so
	Table   string // with its database
	// Store is the ID of the store that owns the table. It is "" if the table has respondents, of whom this store knows
	// nothing, and no owner.
	Store string
	// Copy is set if the owner is another copy of this store's file: either of them was copied or put back, and the other
	// has published since, or has adopted the table.
	Copy bool

	published uint64
}

func (e *OwnerError) Error() string {
	const adopt = ", take the table over with crosswave clickhouse adopt"
	what := fmt.Sprintf("table %s on ClickHouse server %s ", e.Table, e.Address)
	switch {
	case e.Copy:
		return what + "was written by another copy of this store, whose file was copied or put back: go on with that " +
			"one, or, to go on with this one in its place" + adopt
	case e.Store == "":
		return what + "has respondents that this store knows nothing of, and no record of whose they are: name another " +
			"table (?table=), or, if no other store needs them" + adopt
	}
	return what + "belongs to the store with the ID " + e.Store + ", not to this one: name another table (?table=), or, " +
		"if that store is gone" + adopt
}

// Is tells that it is an audience.ErrNoAnswer.
func (e *OwnerError) Is(target error) bool { return target == audience.ErrNoAnswer }

// The numbers of ClickHouse's errors that mean something here.
const (
	endOfData         = 32 // another server hung up
	timeoutExceeded   = 159
	socketTimeout     = 209
	networkError      = 210 // as seen by the server that asks another
	memoryLimit       = 241
	connectionsFailed = 279 // likewise
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
