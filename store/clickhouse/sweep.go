package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// partition tells how many respondents one server has of one wave and one import, given by its number.
type partition struct {
	shard  *shard
	wave   uint16
	number uint64
	rows   int64
}

// partitions lists what all servers have stored. It reads the servers' records, not the data.
func (s *Store) partitions(ctx context.Context) ([]partition, error) {
	found := make([][]partition, len(s.shards))
	err := everywhere(ctx, s.shards, func(ctx context.Context, i int, sh *shard) (err error) {
		found[i], err = s.partitionsAt(ctx, sh)
		return err
	})
	return slices.Concat(found...), err
}

// partitionsAt lists what one server has stored.
func (s *Store) partitionsAt(ctx context.Context, sh *shard) (list []partition, err error) {
	sql := fmt.Sprintf(`SELECT partition, toInt64(sum(rows)) FROM system.parts WHERE active AND database = '%s' AND `+
		`table = '%s' GROUP BY partition`, s.config.Database, s.config.Table)
	err = s.query(ctx, sh, sql, func(r driver.Rows) error {
		p := partition{shard: sh}
		var name string
		if err := r.Scan(&name, &p.rows); err != nil {
			return err
		}
		if _, err := fmt.Sscanf(name, "(%d,%d)", &p.wave, &p.number); err != nil {
			return fmt.Errorf("table %s has a partition %q, which is none of this program's: name another table", s.table, name)
		}
		list = append(list, p)
		return nil
	})
	return list, err
}

// partitionsOf lists what those of some servers have stored that can be reached, and tells why others can't.
func (s *Store) partitionsOf(ctx context.Context, shards []*shard) ([]partition, []error) {
	found, errs := make([][]partition, len(shards)), make([]error, len(shards))
	var wg sync.WaitGroup
	for i, sh := range shards {
		wg.Go(func() { found[i], errs[i] = s.partitionsAt(ctx, sh) })
	}
	wg.Wait()
	return slices.Concat(found...), errs
}

// dropPartition removes what one server has of one wave and one import.
func (s *Store) dropPartition(ctx context.Context, p partition) error {
	return s.exec(ctx, p.shard, fmt.Sprintf(`ALTER TABLE %s DROP PARTITION (%d,%d)`, s.table, p.wave, p.number))
}

// sweep removes what imports of this store have left: those that died, and those whose respondents were replaced or
// withdrawn. It is for who has just published, as nobody else can publish any of it from then on: a copy of the store
// that was taken while an import ran remembers that import, too.
func (s *Store) sweep(ctx context.Context) error {
	m, err := s.recall(ctx)
	if err != nil {
		return err
	}
	return s.remove(ctx, m.Begun)
}

// outlived removes what only an older version had, unless another copy of this store has published since.
func (s *Store) outlived(ctx context.Context, v *version) error {
	mine, err := s.standing(ctx)
	if err != nil {
		return err
	}
	all, err := s.allRecords(ctx)
	if err != nil {
		return err
	}
	for _, h := range all {
		if len(h.records) == 0 {
			return nil
		}
		if err := mine.allows(s, h.server, h.records); err != nil {
			return err
		}
	}
	var over []begun
	for _, number := range livePairs(v.state.Waves).numbers {
		over = append(over, begun{Number: number})
	}
	return s.remove(ctx, over)
}

// remove removes what some imports of this store have sent and is neither published, nor of an import under way, nor
// being counted by this Store. The servers are asked last: an import that was not under way before sends nothing more
// and is never published. What is on servers that can't be reached stays; imports of which nothing is left anywhere are
// forgotten.
func (s *Store) remove(ctx context.Context, imports []begun) error {
	running, st, _, err := s.published(ctx)
	if err != nil {
		return err
	}
	over := map[uint64]bool{}
	for _, b := range imports {
		if !slices.Contains(running, b.Generation) {
			over[b.Number] = true
		}
	}
	stored, errs := s.partitionsOf(ctx, s.shards)
	away := errors.Join(errs...)
	s.mu.Lock()
	keep := []*state{st}
	for v := range s.held {
		keep = append(keep, v.state)
	}
	s.mu.Unlock()
	left := map[uint64]bool{}
	for _, p := range stored {
		if !over[p.number] {
			continue
		}
		if !slices.ContainsFunc(keep, func(st *state) bool { return st.live(p.wave, p.number) }) {
			err := s.dropPartition(ctx, p)
			if err == nil {
				continue
			}
			errs = append(errs, err)
		}
		left[p.number] = true
	}
	for _, st := range keep { // what the servers have lost may come back
		for _, number := range livePairs(st.Waves).numbers {
			left[number] = true
		}
	}
	if away != nil {
		return errors.Join(errs...)
	}
	var gone []uint64
	for n := range over {
		if !left[n] {
			gone = append(gone, n)
		}
	}
	return errors.Join(errors.Join(errs...), s.forget(ctx, gone))
}
