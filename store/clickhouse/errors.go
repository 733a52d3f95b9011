package clickhouse

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"

	ch "github.com/ClickHouse/clickhouse-go/v2"

	"github.com/crosswave/crosswave/audience"
)

// Error is a server that failed to answer. One that was not reached, hangs, lacks memory or refuses to work is
// errors.Is(err, audience.ErrNoAnswer); a time limit that was reached, here or there, errors.Is(err,
// context.DeadlineExceeded); a memory limit, errors.Is(err, ErrMemory).
type Error struct {
	Address string // of the server that was asked
	Code    int    // ClickHouse's number of the error; 0 if it is not from there
	Err     error
}

func (e *Error) Error() string { return fmt.Sprintf("ClickHouse server %s: %v", e.Address, e.Err) }
func (e *Error) Unwrap() error { return e.Err }

// Is tells that a server that could not be reached, hangs, or went away, is an audience.ErrNoAnswer, and so is one that
// has no memory or no place for a statement, or lets nobody in: it may do what it was asked a while later, or once
// somebody has seen to it. A time limit that was reached is none.
func (e *Error) Is(target error) bool {
	if target != audience.ErrNoAnswer || errors.Is(e.Err, context.DeadlineExceeded) {
		return false
	}
	if e.Code == 0 {
		var network net.Error
		var certificate *tls.CertificateVerificationError
		return errors.Is(e.Err, errHangs) || errors.Is(e.Err, errNoConnection) || errors.As(e.Err, &certificate) ||
			errors.As(e.Err, &network) || errors.Is(e.Err, io.EOF) || errors.Is(e.Err, io.ErrUnexpectedEOF)
	}
	return slices.Contains(passing, e.Code)
}

// errHangs is a server of which it is known that it does not answer.
var errHangs = errors.New("it does not answer, is asked again every second, and has not been waited for: nothing has " +
	"come from it")

// errNoConnection is a server that did not say who it is in time.
var errNoConnection = errors.New("it was not ready for a connection in time")

// ErrMemory is a statement that needs more memory than Config.MemoryBytes or the server's own settings allow.
var ErrMemory = errors.New("the statement needs more memory than is allowed")

// MissingError is a wave of which the servers have other respondents than were published: a server lost some, an old
// copy of the embedded store was put back, or Config names other servers than the respondents were loaded into. It is
// no audience.ErrNoAnswer, as nobody is helped who asks again: somebody has to restore them. Check tells where.
type MissingError struct {
	Wave      string
	Want, Got int64 // respondents
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("ClickHouse has %d respondents of wave %q, and %d were published: check that all shards are "+
		"named and that no other copy of the store has replaced them (crosswave clickhouse check tells where they lack), "+
		"and restore the missing or import the wave again",
		e.Got, e.Wave, e.Want)
}

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
	unknownColumn     = 16
	endOfData         = 32 // another server hung up
	unknownName       = 47
	unknownTable      = 60
	timeoutExceeded   = 159
	noMemory          = 173 // the system has none
	tooManyStatements = 202
	noConnection      = 203
	socketTimeout     = 209
	networkError      = 210 // as seen by the server that asks another
	memoryLimit       = 241
	tableReadOnly     = 242 // it has lost those who coordinate replicas
	connectionsFailed = 279 // likewise
)

// passing are the errors of servers that are well again once somebody has seen to them, or by themselves, while nothing
// that was asked and nothing that is stored is to blame.
var passing = []int{endOfData, noMemory, tooManyStatements, noConnection, networkError, memoryLimit, tableReadOnly,
	connectionsFailed, 192, 193, 194, 195, 201, 497, 516} // the last are about users, passwords, rights and quotas

// explain tells what an error of a statement comes to: ctx's own if that has ended, an *Error else.
func (s *Store) explain(ctx, limited context.Context, at *server, err error) error {
	if err == nil {
		return nil
	}
	if ended := ctx.Err(); ended != nil && !errors.Is(ended, context.DeadlineExceeded) {
		return ended
	}
	e := &Error{Address: at.address, Err: err}
	var exception *ch.Exception
	if errors.As(err, &exception) {
		e.Code = int(exception.Code)
	}
	switch {
	case e.Code == memoryLimit:
		e.Err = fmt.Errorf("%w: %w", ErrMemory, err)
	case limited.Err() != nil, e.Code == timeoutExceeded, e.Code == socketTimeout:
		e.Err = fmt.Errorf("no answer in time: %w (%v)", context.DeadlineExceeded, err)
	case late(err): // of what the driver waits for, only connections have less time than the statement has
		e.Err = fmt.Errorf("%w (%v)", errNoConnection, err)
	}
	return e
}
