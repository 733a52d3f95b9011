package clickhouse

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// column is the name and type of a column of the servers' table that is there because of what the survey has.
type column struct{ name, kind string }

// columns lists the columns that a state's respondents are stored in: two for the weights of each namespace, and those
// of answers.
func (st *state) columns() []column {
	var list []column
	for i := range st.Namespaces {
		w, e := weightColumns(i)
		list = append(list, column{w, "Int64"}, column{e, "Int32"})
	}
	for i := range st.Columns {
		list = append(list, column{answerColumn(i), "Array(UInt32)"})
	}
	return list
}

// makeTables makes the table on every server, or those of its columns that it has not yet.
func (s *Store) makeTables(ctx context.Context, columns []column) error {
	var list strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&list, ", %s %s", c.name, c.kind)
	}
	return everywhere(ctx, s.shards, func(ctx context.Context, _ int, sh *shard) error {
		if s.config.Database != "default" {
			if err := s.exec(ctx, sh, `CREATE DATABASE IF NOT EXISTS `+s.config.Database); err != nil {
				return err
			}
		}
		if err := s.exec(ctx, sh,
			fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s (id UInt64, wave UInt16, gen UInt32, loc UInt16%s)
			ENGINE = MergeTree PARTITION BY (wave, gen) ORDER BY (loc, id)`, s.table, &list)); err != nil {
			return err
		}
		if err := s.addColumns(ctx, sh, s.config.Table, columns); err != nil || s.config.Cluster == "" {
			return err
		}
		return s.distribute(ctx, sh, columns)
	})
}

// distribute makes the Distributed table on a server, or those of its columns that it has not yet.
func (s *Store) distribute(ctx context.Context, sh *shard, columns []column) error {
	if err := s.exec(ctx, sh, fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s AS %s ENGINE = Distributed(%s, %s, %s)`,
		s.read, s.table, s.config.Cluster, s.config.Database, s.config.Table)); err != nil {
		return err
	}
	return s.addColumns(ctx, sh, s.config.Table+"_all", columns)
}

// readable sees to it that the Distributed table has what a state needs: imports without Config.Cluster neither make
// nor widen it.
func (s *Store) readable(ctx context.Context, st *state) error {
	if s.config.Cluster == "" {
		return nil
	}
	return everywhere(ctx, s.recipients(), func(ctx context.Context, _ int, sh *shard) error {
		missing, err := s.missing(ctx, sh, s.config.Table+"_all", st.columns())
		if err != nil || len(missing) == 0 {
			return err
		}
		return s.distribute(ctx, sh, st.columns())
	})
}

// addColumns adds the columns that a table has not yet. Another import may be adding some of them at the same time.
func (s *Store) addColumns(ctx context.Context, sh *shard, table string, columns []column) error {
	missing, err := s.missing(ctx, sh, table, columns)
	for err == nil && len(missing) > 0 {
		add := join(missing, func(c column) string { return "ADD COLUMN " + c.name + " " + c.kind })
		failed := s.exec(ctx, sh, fmt.Sprintf(`ALTER TABLE %s.%s %s`, s.config.Database, table, add))
		if failed == nil {
			return nil
		}
		before := len(missing)
		if missing, err = s.missing(ctx, sh, table, columns); len(missing) == before {
			return failed
		}
	}
	return err
}

// missing lists those of the columns that a table has not: all of them if there is no such table.
func (s *Store) missing(ctx context.Context, sh *shard, table string, columns []column) (list []column, err error) {
	there := map[string]bool{}
	sql := fmt.Sprintf(`SELECT name FROM system.columns WHERE database = '%s' AND table = '%s'`, s.config.Database, table)
	err = s.query(ctx, sh, sql, func(r driver.Rows) error {
		var name string
		err := r.Scan(&name)
		there[name] = true
		return err
	})
	for _, c := range columns {
		if !there[c.name] {
			list = append(list, c)
		}
	}
	return list, err
}

// partition tells how many respondents one server has of one wave and one import's generation.
type partition struct {
	shard      *shard
	wave       uint16
	generation int64
	rows       int64
}

// partitions lists what all servers have stored. It reads the servers' records, not the data.
func (s *Store) partitions(ctx context.Context) ([]partition, error) {
	found := make([][]partition, len(s.shards))
	sql := fmt.Sprintf(`SELECT partition, toInt64(sum(rows)) FROM system.parts WHERE active AND database = '%s' AND `+
		`table = '%s' GROUP BY partition`, s.config.Database, s.config.Table)
	err := everywhere(ctx, s.shards, func(ctx context.Context, i int, sh *shard) error {
		return s.query(ctx, sh, sql, func(r driver.Rows) error {
			p := partition{shard: sh}
			var name string
			if err := r.Scan(&name, &p.rows); err != nil {
				return err
			}
			if _, err := fmt.Sscanf(name, "(%d,%d)", &p.wave, &p.generation); err != nil {
				return fmt.Errorf("table %s has a partition %q, which is none of this program's: name another table", s.table, name)
			}
			found[i] = append(found[i], p)
			return nil
		})
	})
	return slices.Concat(found...), err
}

// tidy removes respondents that are neither published, nor of an import under way, nor being counted by this Store. The
// servers are asked first, so what they have and the embedded store then knows nothing of was given up. Fresh is the
// generation of an import that has sent nothing yet, 0 if there is none: what the servers have of it is of another one,
// which the embedded store knew before an old copy of it was put back.
func (s *Store) tidy(ctx context.Context, fresh int64) error {
	stored, err := s.partitions(ctx)
	if err != nil || len(stored) == 0 {
		return err
	}
	running, engine, err := s.embedded.Imports(ctx)
	if err != nil {
		return err
	}
	st, err := readState(engine)
	if err != nil {
		return err
	}
	s.mu.Lock()
	keep := []*state{st}
	for v := range s.held {
		keep = append(keep, v.state)
	}
	s.mu.Unlock()
	var errs []error
	for _, p := range stored {
		live := func(st *state) bool { return st.live(p.wave, p.generation) }
		if (p.generation == fresh || !slices.Contains(running, p.generation)) && !slices.ContainsFunc(keep, live) {
			errs = append(errs, s.exec(ctx, p.shard, fmt.Sprintf(`ALTER TABLE %s DROP PARTITION (%d,%d)`, s.table,
				p.wave, p.generation)))
		}
	}
	return errors.Join(errs...)
}
