package clickhouse

import (
	"context"
	"fmt"
	"strings"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"
)

// column is the name and type of a column of the servers' table that is there because of what the survey has.
type column struct{ name, kind string }

// columns lists the columns that a state's respondents are stored in: two for the weights of each namespace, and those
// of answers and of numbers in some layout.
func (st *state) columns(l layout) []column {
	var list []column
	for i := range st.Namespaces {
		w, e := weightColumns(i)
		list = append(list, column{w, "Int64"}, column{e, "Int32"})
	}
	for i := 0; i < len(st.Columns) && l.arrays; i++ {
		list = append(list, column{answerColumn(i), "Array(UInt32)"})
	}
	for i := 0; i < st.words() && l.words; i++ {
		list = append(list, column{wordColumn(i), "UInt64"})
	}
	for i := 0; i < st.groups() && l.listed; i++ {
		keys, values := numberColumns(i)
		list = append(list, column{keys, "Array(UInt64)"}, column{values, "Array(Int64)"})
	}
	for question := uint32(1); question <= st.Numbered && l.apart; question++ {
		for i, name := range pieceColumns(question) {
			list = append(list, column{name, pieceTypes[i]})
		}
	}
	return list
}

// makeTables makes the table on every server, or those of its columns that it has not yet.
func (s *Store) makeTables(ctx context.Context, columns []column) error {
	var list strings.Builder
	for _, c := range columns {
		fmt.Fprintf(&list, ", %s %s", c.name, c.kind)
	}
	if err := s.makeReplicas(ctx, columns, func(ctx context.Context, sh *shard, engine string) error {
		if err := s.makeDatabase(ctx, sh); err != nil {
			return err
		}
		return s.exec(ctx, sh,
			fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s (id UInt64, wave UInt16, gen UInt64, loc UInt16%s)
			ENGINE = %s PARTITION BY (wave, gen) ORDER BY (loc, id)`, s.table, &list, engine))
	}); err != nil || s.config.Cluster == "" {
		return err
	}
	return everywhere(ctx, s.shards, func(ctx context.Context, _ int, sh *shard) error {
		return s.distribute(ctx, sh, columns)
	})
}

func (s *Store) makeDatabase(ctx context.Context, sh *shard) error {
	if s.config.Database == "default" {
		return nil
	}
	return s.exec(ctx, sh, `CREATE DATABASE IF NOT EXISTS `+s.config.Database)
}

// narrow tells, by server, whether its table was made before there were tokens: see number.
func (s *Store) narrow(ctx context.Context) ([]bool, error) {
	all := make([]bool, len(s.shards))
	sql := fmt.Sprintf(`SELECT type FROM system.columns WHERE database = '%s' AND table = '%s' AND name = 'gen'`,
		s.config.Database, s.config.Table)
	err := everywhere(ctx, s.shards, func(ctx context.Context, i int, sh *shard) error {
		return s.query(ctx, sh, sql, func(r driver.Rows) error {
			var kind string
			err := r.Scan(&kind)
			all[i] = kind == "UInt32"
			return err
		})
	})
	return all, err
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
	columns := st.columns(st.layout())
	return everywhere(ctx, s.recipients(), func(ctx context.Context, _ int, sh *shard) error {
		missing, err := s.missing(ctx, sh, s.config.Table+"_all", columns)
		if err != nil || len(missing) == 0 {
			return err
		}
		return s.distribute(ctx, sh, columns)
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
