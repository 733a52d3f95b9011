package clickhouse

import (
	"context"
	"sync/atomic"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
)

// Cost tells of how many statements queries are, and how many lines the servers answer to all of them.
func (s *Store) Cost(ctx context.Context, number uint64, qs []audience.Query) (statements, lines int, err error) {
	v, err := s.hold(ctx, number)
	if err != nil {
		return 0, 0, err
	}
	defer s.letGo(v)
	var n atomic.Int64
	for i := range qs {
		var to []*audience.Table
		for range qs[i].Strata {
			to = append(to, qs[i].NewTable())
		}
		list, err := s.statements(v, &qs[i], to)
		if err != nil {
			return 0, 0, err
		}
		statements += len(list)
		for _, st := range list {
			err := everywhere(ctx, s.recipients(), func(ctx context.Context, _ int, sh *shard) error {
				return s.query(ctx, sh, st.sql, func(driver.Rows) error {
					n.Add(1)
					return nil
				})
			})
			if err != nil {
				return 0, 0, err
			}
		}
	}
	return statements, int(n.Load()), nil
}
