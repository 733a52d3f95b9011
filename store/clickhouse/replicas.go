package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// choosing has something asked of one replica of each shard, the same for all of it, and asked anew of others while one
// can't be reached, or lacks respondents that another has. Whatever was read before must be forgotten then.
func (s *Store) choosing(ctx context.Context, ask func(ctx context.Context) error) error {
	if !s.replicated() {
		return ask(ctx)
	}
	chosen, failed := choice{}, map[*server]bool{}
	for _, sh := range s.shards {
		chosen[sh] = sh.order(ctx)[0]
		for _, at := range sh.order(ctx) {
			if at.breaker.refuse() == nil {
				chosen[sh] = at
				break
			}
		}
	}
	compared := false
	for {
		err := ask(context.WithValue(ctx, choiceKey{}, chosen))
		var fault *Error
		var missing *MissingError
		again := false
		switch {
		case err == nil || ctx.Err() != nil:
			return err
		case away(err) && errors.As(err, &fault):
			again = s.standIn(ctx, chosen, failed, fault.Address)
		case errors.As(err, &missing) && !compared:
			compared = true
			before := len(failed)
			again = s.fullest(ctx, chosen, failed) && len(failed) == before
		}
		if !again {
			return err
		}
	}
}

// standIn chooses, in place of a server that can't be reached, another one of its shard that has not failed yet.
func (s *Store) standIn(ctx context.Context, chosen choice, failed map[*server]bool, address string) bool {
	for sh, at := range chosen {
		if at.address != address {
			continue
		}
		failed[at] = true
		for _, other := range sh.order(ctx) {
			if !failed[other] {
				chosen[sh] = other
				sh.follow(other)
				return true
			}
		}
	}
	return false
}

// fullest chooses the replicas that have the most published respondents, and tells whether any is another one.
func (s *Store) fullest(ctx context.Context, chosen choice, failed map[*server]bool) (changed bool) {
	_, st, _, err := s.published(ctx)
	if err != nil {
		return false
	}
	stored, _ := s.partitionsOf(ctx, s.servers)
	rows := map[*server]int64{}
	for _, p := range stored {
		if st.live(p.wave, p.number) {
			rows[p.shard.servers[0]] += p.rows
		}
	}
	for sh, at := range chosen {
		for _, other := range sh.servers {
			if !failed[other] && rows[other] > rows[at] {
				chosen[sh], at, changed = other, other, true
				sh.follow(other)
			}
		}
	}
	return changed
}

// engine is the table engine of a shard's tables. Replicas share one whose place among those who coordinate them, and
// whose name there, each server's own settings tell.
func (s *Store) engine(sh *shard) string {
	if len(sh.servers) == 1 {
		return "MergeTree"
	}
	return fmt.Sprintf("ReplicatedMergeTree('/clickhouse/tables/{shard}/%s', '{replica}')", s.table)
}

// makeReplicas makes a shard's table on those of its servers that can be reached, or those of its columns that it has
// not yet.
func (s *Store) makeReplicas(ctx context.Context, columns []column, create func(ctx context.Context, sh *shard,
	engine string) error) error {
	of := map[*server]*shard{}
	for _, sh := range s.shards {
		for _, at := range sh.servers {
			of[at] = sh
		}
	}
	if err := s.reached(ctx, func(ctx context.Context, _ int, sh *shard) error {
		whole := of[sh.servers[0]]
		if err := create(ctx, sh, s.engine(whole)); err != nil || len(whole.servers) == 1 {
			return err
		}
		return s.isReplicated(ctx, sh)
	}); err != nil {
		return err
	}
	if err := everywhere(ctx, s.shards, func(ctx context.Context, _ int, sh *shard) error {
		return s.addColumns(ctx, sh, s.config.Table, columns)
	}); err != nil || !s.replicated() {
		return err
	}
	return s.reached(ctx, func(ctx context.Context, _ int, sh *shard) error { // what one is told the others learn soon
		for try := 0; ; try++ {
			missing, err := s.missing(ctx, sh, s.config.Table, columns)
			if err != nil || len(missing) == 0 {
				return err
			}
			if try == 100 {
				return &Error{Address: sh.address, Err: fmt.Errorf("table %s has no column %s yet, which another replica "+
					"has: do the servers reach those who coordinate replicas?", s.table, missing[0].name)}
			}
			if err := pause(ctx); err != nil {
				return err
			}
		}
	})
}

// isReplicated makes sure that a server's table is one that replicas share.
func (s *Store) isReplicated(ctx context.Context, sh *shard) error {
	var engine string
	sql := fmt.Sprintf("SELECT engine FROM system.tables WHERE database = '%s' AND name = '%s'", s.config.Database,
		s.config.Table)
	err := s.query(ctx, sh, sql, func(r driver.Rows) error { return r.Scan(&engine) })
	if err == nil && engine != "ReplicatedMergeTree" {
		err = fmt.Errorf("table %s on ClickHouse server %s is a %s, and replicas need a ReplicatedMergeTree: copy the "+
			"respondents into another table (crosswave clickhouse copy --to)", s.table, sh.address, engine)
	}
	return err
}

// pause waits a moment for replicas.
func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(100 * time.Millisecond):
		return nil
	}
}

// spread waits until all replicas that can be reached have the same of an import, but not for ever: one that is slow
// will have it later.
func (s *Store) spread(ctx context.Context, number uint64) error {
	if !s.replicated() {
		return nil
	}
	for range 100 {
		stored, errs := s.partitionsOf(ctx, s.servers)
		rows := map[*server]int64{}
		for _, p := range stored {
			if p.number == number {
				rows[p.shard.servers[0]] += p.rows
			}
		}
		same, i := true, 0
		for _, sh := range s.shards {
			had := int64(-1)
			for _, at := range sh.servers {
				if errs[i] == nil {
					same = same && (had < 0 || had == rows[at])
					had = rows[at]
				}
				i++
			}
		}
		if same {
			break
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// given counts what the servers have of an import, by wave: of replicas it is the one that has the most, as the others
// are given the same by it.
func (s *Store) given(ctx context.Context, number uint64) (map[uint16]int64, error) {
	var mu sync.Mutex
	got := map[uint16]int64{}
	err := everywhere(ctx, s.shards, func(ctx context.Context, _ int, sh *shard) error {
		each := make([]*shard, len(sh.servers))
		for i := range each {
			each[i] = s.servers[slices.IndexFunc(s.servers, func(x *shard) bool { return x.servers[0] == sh.servers[i] })]
		}
		stored, errs := s.partitionsOf(ctx, each)
		if !slices.Contains(errs, nil) {
			return errors.Join(errs...)
		}
		most := map[uint16]int64{}
		for _, p := range stored {
			if p.number == number {
				most[p.wave] = max(most[p.wave], p.rows)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		for wave, n := range most {
			got[wave] += n
		}
		return nil
	})
	return got, err
}
