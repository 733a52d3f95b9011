package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// shard is a part of the respondents: one server has it, or several replicas do, each all of it.
type shard struct {
	address string // as in Config.Addresses
	servers []*server
	lead    atomic.Int32 // the server that is asked first: the one that answered last
}

// server is a server of ClickHouse.
type server struct {
	address string
	conn    driver.Conn
	// of statements that run: the driver gives up waiting for a connection long before a request's time is over
	places  chan struct{}
	breaker *breaker
}

// connect adds a shard.
func (s *Store) connect(addresses string) error {
	c, together := &s.config, 4*s.config.Statements+4
	sh, patience := &shard{address: addresses}, max(c.Timeout/4, leastPatience)
	for a := range strings.SplitSeq(addresses, "|") {
		conn, err := ch.Open(&ch.Options{
			Addr:            []string{a},
			Auth:            ch.Auth{Username: c.Username, Password: c.Password},
			TLS:             c.TLS,
			DialTimeout:     min(c.Timeout, 5*time.Second),
			ReadTimeout:     c.Timeout + time.Second, // the context's deadline comes first
			MaxOpenConns:    together + 1,            // one is for pings
			MaxIdleConns:    2 * c.Statements,
			ConnMaxLifetime: time.Hour,
			Compression:     &ch.Compression{Method: ch.CompressionLZ4},
		})
		if err != nil {
			return &Error{Address: a, Err: err}
		}
		sh.servers = append(sh.servers, &server{a, conn, make(chan struct{}, together), newBreaker(patience, conn.Ping)})
		s.servers = append(s.servers, &shard{address: a, servers: sh.servers[len(sh.servers)-1:]})
	}
	if len(sh.servers) == 1 {
		sh = s.servers[len(s.servers)-1]
	}
	s.shards = append(s.shards, sh)
	return nil
}

// replicated tells whether a shard has replicas.
func (s *Store) replicated() bool { return len(s.servers) > len(s.shards) }

// choice says which of a shard's servers statements are sent to, and no other: what was read from two replicas need not
// fit together, as one may lack what the other has yet to give it.
type choice map[*shard]*server

type choiceKey struct{}

// order lists the servers that a statement on a shard may be sent to, the next where the one before can't be reached.
func (sh *shard) order(ctx context.Context) []*server {
	if c, chosen := ctx.Value(choiceKey{}).(choice); chosen && c[sh] != nil {
		return []*server{c[sh]}
	}
	lead := int(sh.lead.Load())
	return slices.Concat(sh.servers[lead:], sh.servers[:lead])
}

// follow makes a server the first to be asked.
func (sh *shard) follow(at *server) { sh.lead.Store(int32(slices.Index(sh.servers, at))) }

// away tells of an error whether it is one of a server that others may stand in for.
func away(err error) bool {
	var fault *Error
	return errors.As(err, &fault) && errors.Is(fault, audience.ErrNoAnswer)
}

// partly is an error that came when a part of an answer had come: it is not asked for again elsewhere by whoever has
// taken that part.
type partly struct{ error }

func (p partly) Unwrap() error { return p.error }

// statement runs something on a shard within the time limit, which begins when it is its turn: on one of its servers,
// and on the next if that one can't be reached. What it returns is ctx's own error if ctx has ended, an *Error else.
func (s *Store) statement(ctx context.Context, sh *shard, do func(context.Context, driver.Conn) error) error {
	var failed error
	for _, at := range sh.order(ctx) {
		err := s.statementAt(ctx, sh, at, do)
		if err == nil {
			sh.follow(at)
			return nil
		}
		if failed == nil {
			failed = err
		} else {
			failed = errors.Join(failed, err)
		}
		var part partly
		if errors.As(err, &part) || !away(err) {
			return err
		}
	}
	return failed
}

// admit waits until a statement may run on a server, and returns what to do when it has run. A server that hangs is not
// waited for; nor is, where servers ask each other, one whom the shard's server would ask.
func (s *Store) admit(ctx context.Context, at *server, needed []*server) (done func(), err error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for _, n := range needed {
		if err := n.breaker.refuse(); err != nil {
			return nil, &Error{Address: n.address, Err: err}
		}
	}
	select {
	case at.places <- struct{}{}:
		return func() { <-at.places }, nil
	case <-at.breaker.found():
		return nil, &Error{Address: at.address, Err: cmp.Or(at.breaker.refuse(), errHangs)}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// needed are the servers that a statement on one of a shard's servers may have to wait for.
func (s *Store) needed(sh *shard, at *server) []*server {
	if s.config.Cluster == "" || sh != s.recipients()[0] {
		return []*server{at}
	}
	var all []*server
	for _, sh := range s.shards {
		all = append(all, sh.servers...)
	}
	return all
}

// statementAt runs something on one of a shard's servers.
func (s *Store) statementAt(ctx context.Context, sh *shard, at *server,
	do func(context.Context, driver.Conn) error) error {
	needed := s.needed(sh, at)
	done, err := s.admit(ctx, at, needed)
	if err != nil {
		return err
	}
	defer done()
	// The driver tells a server to stop when its context is cancelled; at a deadline of its own it would only hang up,
	// and the server work on. So it gets to see no deadline.
	left := s.config.Timeout
	if deadline, ok := ctx.Deadline(); ok {
		left = min(left, time.Until(deadline))
	}
	limited, cancel := context.WithCancel(context.WithoutCancel(ctx))
	// Nor is it cancelled once all went well: the driver may still be looking at it, and would close a connection that
	// the next statement has got by then.
	defer context.AfterFunc(ctx, cancel)()
	defer time.AfterFunc(left, cancel).Stop()
	defer time.AfterFunc(left/4, func() {
		for _, n := range needed {
			n.breaker.suspect()
		}
	}).Stop()
	others := len(sh.servers) > 1
	if others { // who can take over is not kept waiting
		ended := make(chan struct{})
		defer close(ended)
		go func() {
			select {
			case <-at.breaker.found():
				cancel()
			case <-ended:
			}
		}()
	}
	id := fmt.Sprintf("%s-%d", s.prefix, s.queries.Add(1))
	err = do(ch.Context(limited, ch.WithSettings(s.settings(left)), ch.WithQueryID(id)), at.conn)
	if err == nil {
		return nil
	}
	err = s.explain(ctx, limited, at, err)
	if others && ctx.Err() == nil {
		if hangs := at.breaker.refuse(); hangs != nil {
			err = &Error{Address: at.address, Err: hangs}
		}
	}
	cancel()
	if ctx.Err() == nil && (late(err) || errors.Is(err, errNoConnection)) {
		at.breaker.suspect()
	}
	return err
}

// settings are those that are sent with a statement that may take so long.
func (s *Store) settings(left time.Duration) ch.Settings {
	settings := ch.Settings{
		"max_query_size":            16 << 20,
		"max_ast_elements":          10_000_000,
		"max_expanded_ast_elements": 10_000_000,
		"max_ast_depth":             10_000,
		"skip_unavailable_shards":   0, // an answer is whole or it is an error
		"max_execution_time":        int(left/time.Second) + 1,
	}
	if s.config.MemoryBytes > 0 {
		settings["max_memory_usage"] = int(s.config.MemoryBytes)
	}
	if s.config.Threads > 0 {
		settings["max_threads"] = s.config.Threads
	}
	return settings
}

// exec runs a statement without a result on a shard.
func (s *Store) exec(ctx context.Context, sh *shard, sql string) error {
	return s.statement(ctx, sh, func(ctx context.Context, conn driver.Conn) error { return conn.Exec(ctx, sql) })
}

// whole makes a limit that is reached an error, where a server's own settings would have it cut the answer short. It is
// part of the statement's text, as older servers take only numbers beside it; it goes to the servers of a Distributed
// table, too.
const whole = " SETTINGS read_overflow_mode = 'throw', group_by_overflow_mode = 'throw', result_overflow_mode = " +
	"'throw', set_overflow_mode = 'throw', timeout_overflow_mode = 'throw'"

// query runs a SELECT on a shard and calls row at each row of its result, which is whole.
func (s *Store) query(ctx context.Context, sh *shard, sql string, row func(driver.Rows) error) error {
	return s.statement(ctx, sh, func(ctx context.Context, conn driver.Conn) error {
		rows, err := conn.Query(ctx, sql+whole)
		if err != nil {
			return err
		}
		defer rows.Close()
		taken := false
		for rows.Next() {
			taken = true
			if err := row(rows); err != nil {
				return partly{err}
			}
		}
		if err := rows.Err(); err != nil && taken {
			return partly{err}
		}
		return rows.Err()
	})
}

// everywhere does something at all of the shards at once and returns one of the errors.
func everywhere(ctx context.Context, shards []*shard, do func(ctx context.Context, i int, sh *shard) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	for i, sh := range shards {
		wg.Go(func() {
			if err := do(ctx, i, sh); err != nil {
				cancel(err)
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// reached does something at all servers at once, in the order of Config.Addresses. Of replicas some may be away, as
// long as one of each shard is not.
func (s *Store) reached(ctx context.Context, do func(ctx context.Context, i int, sh *shard) error) error {
	if !s.replicated() {
		return everywhere(ctx, s.servers, do)
	}
	errs := make([]error, len(s.servers))
	var wg sync.WaitGroup
	for i, sh := range s.servers {
		wg.Go(func() { errs[i] = do(ctx, i, sh) })
	}
	wg.Wait()
	for _, sh := range s.shards {
		mine := errs[:len(sh.servers)]
		errs = errs[len(sh.servers):]
		there := slices.Contains(mine, nil)
		for _, err := range mine {
			if err != nil && (!there || !away(err)) {
				return err
			}
		}
	}
	return nil
}
