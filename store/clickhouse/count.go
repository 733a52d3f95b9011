package clickhouse

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// version is one version of what the embedded store published, as counting needs it.
type version struct {
	frame *audience.Frame
	state *state
}

// WantsWhole tells that a query costs a pass over all respondents, whatever it asks.
func (s *Store) WantsWhole(int) bool { return true }

// Count answers queries about one version: [query][stratum]. Each query is one statement, more if its table is large,
// and each statement is one question to all shards. If any of them fails, the answer is an error: *Error, or ctx's own
// if that was cancelled.
func (s *Store) Count(ctx context.Context, number uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var tables [][]*audience.Table
	if err := s.choosing(ctx, func(ctx context.Context) error {
		v, err := s.hold(ctx, number)
		if err != nil {
			return err
		}
		defer s.letGo(v)
		return s.restoring(ctx, v, func() (err error) {
			tables, err = s.count(ctx, v, qs)
			return err
		})
	}); err != nil {
		return nil, err
	}
	return tables, nil
}

// count counts a version that is held.
func (s *Store) count(ctx context.Context, v *version, qs []audience.Query) ([][]*audience.Table, error) {
	tables := make([][]*audience.Table, len(qs))
	var work []*statement
	for i := range qs {
		for range qs[i].Strata {
			tables[i] = append(tables[i], qs[i].NewTable())
		}
		statements, err := s.statements(v, &qs[i], tables[i])
		if err != nil {
			return nil, err
		}
		work = append(work, statements...)
	}
	if len(work) == 0 {
		return tables, nil
	}
	err := s.askAll(ctx, work)
	if ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	if err == nil {
		err = s.intact(ctx, v)
	}
	if err != nil {
		return nil, s.settle(ctx, v, err)
	}
	return tables, nil
}

// intact makes sure that the servers still have all of a version: if they have, all was there to be counted. It is
// asked each time, as a server that was started again may have lost what it had not written to its disk, or may have
// been given an older copy of it; a *MissingError tells of it. It reads the servers' records, not the data.
func (s *Store) intact(ctx context.Context, v *version) error {
	stored, err := s.partitions(ctx)
	if err != nil {
		return err
	}
	type key struct {
		wave   uint16
		number uint64
	}
	left := map[key]int64{}
	for _, p := range stored {
		left[key{p.wave, p.number}] += p.rows
	}
	for _, w := range v.state.Waves {
		want, got, same := int64(0), int64(0), true
		for _, p := range w.Parts {
			n := left[key{w.Number, p.Number}]
			want, got, same = want+p.Respondents, got+n, same && n == p.Respondents
		}
		if !same {
			return &MissingError{Wave: w.Code, Want: want, Got: got}
		}
	}
	return nil
}

// settle returns what to tell of an error that came while counting a version: audience.ErrChanged if another version is
// published by now, as the respondents that it replaced may have been removed; else the error itself.
func (s *Store) settle(ctx context.Context, v *version, err error) error {
	switch f, failed := s.embedded.Frame(ctx); {
	case failed != nil:
		return failed
	case f.Version != v.frame.Version:
		return audience.ErrChanged
	}
	return err
}

// hold returns a version. Until letGo is called this Store does not remove the respondents that the version counts.
func (s *Store) hold(ctx context.Context, number uint64) (*version, error) {
	v, err := s.version(ctx, number)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[v]++
	return v, nil
}

// letGo gives up what hold gave. The last to use an older version has it removed.
func (s *Store) letGo(v *version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[v]--; s.held[v] > 0 {
		return
	}
	delete(s.held, v)
	if v.frame.Version >= s.newest || s.closed {
		return
	}
	s.tidying.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.config.Timeout)
		defer cancel()
		s.outlived(ctx, v) // what can't be removed now will be by the next import
	})
}

// version returns what is published, if its number is the one asked for, and audience.ErrChanged otherwise. When it
// sees a version for the first time it makes sure that the servers have all its respondents.
func (s *Store) version(ctx context.Context, number uint64) (*version, error) {
	s.mu.Lock()
	v := s.current
	s.mu.Unlock()
	if v != nil && v.frame.Version == number {
		return v, nil
	}
	r, err := s.embedded.Release(ctx)
	if err != nil {
		return nil, err
	}
	if r.Version() != number {
		return nil, audience.ErrChanged
	}
	if r.Engine == nil && len(r.Facts) > 0 {
		return nil, errEmbedded
	}
	v = &version{frame: r.Frame}
	if v.state, err = s.readState(r.Engine); err != nil {
		return nil, err
	}
	if err := s.verify(ctx, v); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.frame.Version < number {
		s.current = v
	}
	s.newest = max(s.newest, number)
	return v, nil
}

// readState reads what was published, which must be in this Store's table.
func (s *Store) readState(engine []byte) (*state, error) {
	st, err := readState(engine)
	if err != nil {
		return nil, err
	}
	if engine != nil && st.Table != s.table {
		return nil, fmt.Errorf("the store's respondents are in table %s, and table %s is named", st.Table, s.table)
	}
	return st, nil
}

// published tells, as of one moment, which imports are under way, by their generations, and what is published; known is
// not set as long as nothing of it is here.
func (s *Store) published(ctx context.Context) (running []int64, st *state, known bool, err error) {
	running, engine, err := s.here(ctx)
	if err != nil {
		return nil, nil, false, err
	}
	st, err = s.readState(engine)
	return running, st, engine != nil, err
}

// here is published, with what is published as the embedded store has it.
func (s *Store) here(ctx context.Context) (running []int64, engine []byte, err error) {
	running, engine, err = s.embedded.Imports(ctx)
	if s.taking != nil && !s.taking.published(engine) {
		engine = nil
	}
	return running, engine, err
}

// errEmbedded tells that the embedded store keeps its respondents itself, so that none are here.
var errEmbedded = errors.New("the respondents are in the embedded store: copy them to ClickHouse first (crosswave " +
	"clickhouse copy)")

// verify compares the respondents that questions find with those that were published.
func (s *Store) verify(ctx context.Context, v *version) error {
	live := livePairs(v.state.Waves)
	if len(live.waves) == 0 {
		return nil
	}
	if err := s.readable(ctx, v.state); err != nil {
		return err
	}
	sql := fmt.Sprintf("SELECT wave, toInt64(count()) FROM %s WHERE %s GROUP BY wave", s.read, live.condition())
	var mu sync.Mutex
	found := map[uint16]int64{}
	err := everywhere(ctx, s.recipients(), func(ctx context.Context, _ int, sh *shard) error {
		return s.query(ctx, sh, sql, func(r driver.Rows) error {
			var number uint16
			var n int64
			err := r.Scan(&number, &n)
			mu.Lock()
			found[number] += n
			mu.Unlock()
			return err
		})
	})
	if err != nil {
		return err
	}
	for _, w := range v.state.Waves {
		want := int64(0)
		for _, p := range w.Parts {
			want += p.Respondents
		}
		if found[w.Number] != want {
			return s.settle(ctx, v, &MissingError{Wave: w.Code, Want: want, Got: found[w.Number]})
		}
	}
	return nil
}

// recipients are the servers that a statement is sent to: all, or, of a cluster, the first. It is always the same one,
// as statements that begin at different servers can wait for each other for ever: each holds the table of its own
// server while the other's is about to be altered.
func (s *Store) recipients() []*shard {
	if s.config.Cluster == "" {
		return s.shards
	}
	return s.shards[:1]
}

// live tells which respondents are published, by what they are stored with: pairs of a wave's number and an import's,
// one pair at each index.
type live struct {
	waves   []uint16
	numbers []uint64
}

func livePairs(waves []*wave) live {
	var l live
	for _, w := range waves {
		for _, p := range w.Parts {
			l.waves, l.numbers = append(l.waves, w.Number), append(l.numbers, p.Number)
		}
	}
	return l
}

// condition writes the SQL condition that holds for published respondents alone. Its parts on a wave and on an import
// each tell the server which partitions it need not read. Where not every wave goes with every import, one on the pairs
// of the two decides; the bounds beside it are there to leave out an import under way.
func (l live) condition() string {
	waves, numbers := set(l.waves), set(l.numbers)
	text := among("wave", waves) + " AND "
	if len(l.waves) == len(waves)*len(numbers) {
		return text + among("gen", numbers)
	}
	pairs := make([]uint64, len(l.waves))
	for i, w := range l.waves {
		pairs[i] = uint64(w)<<numberBits | l.numbers[i]
	}
	return text + fmt.Sprintf("gen >= %d AND gen <= %d AND ", numbers[0], numbers[len(numbers)-1]) +
		among(fmt.Sprintf("toUInt64(wave) * %d + gen", uint64(1)<<numberBits), pairs)
}

// set sorts a list and leaves out what stands in it twice.
func set[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

// askAll sends the statements of a Count, Config.Statements at a time, until all are answered or one fails.
func (s *Store) askAll(ctx context.Context, work []*statement) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	next := make(chan *statement)
	var wg sync.WaitGroup
	for range min(s.config.Statements, len(work)) {
		wg.Go(func() {
			for st := range next {
				if err := s.ask(ctx, st); err != nil {
					cancel(err)
				}
			}
		})
	}
	for _, st := range work {
		select {
		case next <- st:
		case <-ctx.Done():
		}
	}
	close(next)
	wg.Wait()
	return context.Cause(ctx)
}

// ask sends one statement and adds the answers to its tables.
func (s *Store) ask(ctx context.Context, st *statement) error {
	err := everywhere(ctx, s.recipients(), func(ctx context.Context, _ int, sh *shard) error {
		return s.query(ctx, sh, st.sql, st.add)
	})
	if err != nil {
		return err
	}
	return st.finish()
}
