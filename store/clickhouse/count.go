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

// version is what is published at a time, as counting needs it.
type version struct {
	frame *audience.Frame
	state *state
}

// Count answers queries about one version: [query][stratum]. Each query is one statement, more if its table is large, and each statement is one question to
// all shards. If any of them fails, the answer is an error: *Error, or ctx's own if that was cancelled.
func (s *Store) Count(ctx context.Context, number uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	v, err := s.hold(ctx, number)
	if err != nil {
		return nil, err
	}
	defer s.letGo(v)
	tables := make([][]*audience.Table, len(qs))
	var work []*statement
	for i := range qs {
		for range qs[i].Strata {
			tables[i] = append(tables[i], audience.NewTable(len(qs[i].Rows), len(qs[i].Columns)))
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
	err = s.askAll(ctx, work)
	if ctx.Err() != nil {
		return nil, cmp.Or(err, ctx.Err())
	}
	f, failed := s.embedded.Frame(ctx)
	switch {
	case failed != nil:
		return nil, failed
	case f.Version == number: // what is published is not removed
		if err != nil {
			return nil, err
		}
		return tables, nil
	case err != nil:
		return nil, audience.ErrChanged
	}
	// Another version was published meanwhile, and what it replaced may have been removed. If all is still there, all was there to be counted.
	if err := s.intact(ctx, v); err != nil {
		return nil, err
	}
	return tables, nil
}

// intact makes sure that the servers still have all of a version that is no longer published; audience.ErrChanged if they have not.
func (s *Store) intact(ctx context.Context, v *version) error {
	stored, err := s.partitions(ctx)
	if err != nil {
		return err
	}
	left := map[[2]int64]int64{}
	for _, p := range stored {
		left[[2]int64{int64(p.wave), p.generation}] += p.rows
	}
	for _, w := range v.state.Waves {
		for _, p := range w.Parts {
			if left[[2]int64{int64(w.Number), int64(p.Generation)}] != p.Respondents {
				return audience.ErrChanged
			}
		}
	}
	return nil
}

// hold returns a version and keeps what it counts from being removed by this Store until it is let go of.
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
	if v == s.current || s.closed {
		return
	}
	s.tidying.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), s.config.Timeout)
		defer cancel()
		s.tidy(ctx) // what can't be removed now will be by the next import
	})
}

// version returns what is published if it has the number; audience.ErrChanged else. When it sees a version for the first time it makes sure that the servers
// have all its respondents.
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
	if r.Version != number {
		return nil, audience.ErrChanged
	}
	if r.Engine == nil && len(r.Facts) > 0 {
		return nil, errEmbedded
	}
	v = &version{frame: r.Frame}
	if v.state, err = readState(r.Engine); err != nil {
		return nil, err
	}
	if r.Engine != nil && v.state.Table != s.table {
		return nil, fmt.Errorf("the store's respondents are in table %s, and table %s is named", v.state.Table, s.table)
	}
	if err := s.verify(ctx, v); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil || s.current.frame.Version < number {
		s.current = v
	}
	return v, nil
}

// errEmbedded is a store that keeps its respondents itself.
var errEmbedded = errors.New("the respondents are in the embedded store: copy them to ClickHouse first (crosswave clickhouse copy)")

// verify compares the respondents that questions find with those that were published.
func (s *Store) verify(ctx context.Context, v *version) error {
	live := livePairs(v.state.Waves)
	if len(live.waves) == 0 {
		return nil
	}
	sql := fmt.Sprintf("SELECT wave, toInt64(count()) FROM %s WHERE %s GROUP BY wave", s.read, live.condition())
	var mu sync.Mutex
	found := map[uint16]int64{}
	err := everywhere(ctx, s.asked(), func(ctx context.Context, _ int, sh *shard) error {
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
			f, err := s.embedded.Frame(ctx)
			if err == nil && f.Version != v.frame.Version {
				return audience.ErrChanged
			}
			return &MissingError{Wave: w.Code, Want: want, Got: found[w.Number]}
		}
	}
	return nil
}

// asked are the servers that a statement goes to: all, or, of a cluster, the first. It is always the same one, as statements that begin at different servers can wait for
// each other for ever: each holds the table of its own server while the other's is about to be altered.
func (s *Store) asked() []*shard {
	if s.config.Cluster == "" {
		return s.shards
	}
	return s.shards[:1]
}

// live is published rows: a wave's number and a generation, of each.
type live struct {
	waves, generations []int
}

func livePairs(waves []*wave) live {
	var l live
	for _, w := range waves {
		for _, p := range w.Parts {
			l.waves, l.generations = append(l.waves, int(w.Number)), append(l.generations, int(p.Generation))
		}
	}
	return l
}

// condition holds for published rows. The first two parts tell the server which partitions it need not read; the third is needed only if not every one of
// the waves is of every one of the generations.
func (l live) condition() string {
	set := func(list []int) []int {
		list = slices.Clone(list)
		slices.Sort(list)
		return slices.Compact(list)
	}
	waves, generations := set(l.waves), set(l.generations)
	text := among("wave", waves) + " AND " + among("gen", generations)
	if len(l.waves) < len(waves)*len(generations) {
		pairs := make([]int, len(l.waves))
		for i, w := range l.waves {
			pairs[i] = w<<32 | l.generations[i]
		}
		text += fmt.Sprintf(" AND toUInt64(wave) * 4294967296 + gen IN (%s)", numbers(pairs))
	}
	return text
}

// askAll asks statements, so many at a time.
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

// ask asks one statement of all shards and adds their answers.
func (s *Store) ask(ctx context.Context, st *statement) error {
	return everywhere(ctx, s.asked(), func(ctx context.Context, _ int, sh *shard) error {
		return s.query(ctx, sh, st.sql, st.add)
	})
}
