package main

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/binary"
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/duckdb/duckdb-go/v2"
)

// duck is DuckDB, in memory, with the survey in each schema that makes sense:
//
//	long   a row for each option of the first side that a respondent has, the single choices, the wave, the
//	       fieldwork and the weight beside it: the best there is for multi × single, but a table for one multi-choice
//	       question
//	lists  a row a respondent with a list of options for each side: takes any question
//	wide   a row a respondent with a boolean column for each option
//
// Each is filled when it is first needed.
type duck struct {
	connector *duckdb.Connector
	db        *sql.DB
	data      *data
	threads   int
	filled    map[string]bool
}

func newDuck(ctx context.Context, d *data) (*duck, error) {
	connector, err := duckdb.NewConnector("", nil)
	if err != nil {
		return nil, err
	}
	k := &duck{connector: connector, db: sql.OpenDB(connector), data: d, filled: map[string]bool{}}
	single, wide := "", ""
	for s := range d.single {
		single += fmt.Sprintf("s%d UTINYINT, ", s)
	}
	for side := range 4 {
		for o := range 50 {
			wide += fmt.Sprintf("b%d_%d BOOLEAN, ", side, o)
		}
	}
	for _, statement := range []string{
		"SET memory_limit = '12GB'",
		"CREATE TABLE long (opt UTINYINT, " + single + "wave UTINYINT, fieldwork UTINYINT, w BIGINT)",
		"CREATE TABLE lists (m0 UTINYINT[], m1 UTINYINT[], every UTINYINT[], p UTINYINT[], w BIGINT)",
		"CREATE TABLE wide (" + wide + "w BIGINT)",
	} {
		if _, err := k.db.ExecContext(ctx, statement); err != nil {
			return nil, err
		}
	}
	return k, nil
}

func (k *duck) Close() error { return k.db.Close() }

// load fills a table, unless it is filled.
func (k *duck) load(table string) func(context.Context) error {
	return func(ctx context.Context) error {
		if k.filled[table] {
			return nil
		}
		k.filled[table] = true
		return k.fill(ctx, table, map[string]func(*duckdb.Appender, int) error{"long": k.fillLong, "lists": k.fillLists,
			"wide": k.fillWide}[table])
	}
}

// fill appends all respondents to a table.
func (k *duck) fill(ctx context.Context, table string, add func(*duckdb.Appender, int) error) error {
	conn, err := k.connector.Connect(ctx)
	if err != nil {
		return err
	}
	defer conn.Close()
	a, err := duckdb.NewAppenderFromConn(conn, "", table)
	if err != nil {
		return err
	}
	for r := range k.data.n {
		if err := add(a, r); err != nil {
			return err
		}
	}
	return a.Close()
}

func (k *duck) fillLong(a *duckdb.Appender, r int) error {
	row := make([]driver.Value, len(k.data.single)+4)
	for s := range k.data.single {
		row[s+1] = k.data.single[s][r]
	}
	row[len(row)-3], row[len(row)-2], row[len(row)-1] = k.data.waves[r], k.data.fieldwork[r], k.data.weight[r]
	for m := k.data.bits[0][r]; m != 0; m &= m - 1 {
		row[0] = uint8(bits.TrailingZeros64(m))
		if err := a.AppendRow(row...); err != nil {
			return err
		}
	}
	return nil
}

func (k *duck) fillLists(a *duckdb.Appender, r int) error {
	d := k.data
	list := func(sides ...int) []uint8 {
		out := []uint8{}
		for i, s := range sides {
			for m := d.bits[s][r]; m != 0; m &= m - 1 {
				out = append(out, uint8(50*i+bits.TrailingZeros64(m)))
			}
		}
		return out
	}
	return a.AppendRow(list(0), list(1), list(0, 1, 2, 3), list(3), d.weight[r])
}

func (k *duck) fillWide(a *duckdb.Appender, r int) error {
	row := make([]driver.Value, 0, 201)
	for side := range 4 {
		for o := range 50 {
			row = append(row, k.data.bits[side][r]>>o&1 != 0)
		}
	}
	return a.AppendRow(append(row, k.data.weight[r])...)
}

func (k *duck) use(ctx context.Context, threads int) error {
	if k.threads == threads {
		return nil
	}
	k.threads = threads
	_, err := k.db.ExecContext(ctx, fmt.Sprintf("SET threads = %d", threads))
	return err
}

// long is 50 × 50 multi × single from the long table: a grouping for each single-choice question, in one statement.
func (k *duck) long(goal float64) peer {
	var sets, columns []string
	for s := range k.data.single {
		sets = append(sets, fmt.Sprintf("(opt, s%d)", s))
		columns = append(columns, fmt.Sprintf("s%d", s))
	}
	return k.grouped("long", goal, 50, 50, "SELECT opt, coalesce("+strings.Join(columns, ", ")+
		"), count(*), sum(w)::BIGINT FROM long GROUP BY GROUPING SETS ("+strings.Join(sets, ", ")+")")
}

// grouped is a table whose cells a statement gives as rows of (row, column, sample, weight).
func (k *duck) grouped(from string, goal float64, height, width int, query string) peer {
	return peer{name: schema(from), goal: goal, load: k.load(from), ask: func(ctx context.Context, threads int) (
		[]count, error) {
		if err := k.use(ctx, threads); err != nil {
			return nil, err
		}
		out := make([]count, height*width)
		return out, cells(ctx, k.db, query, out, width)
	}}
}

// schema names DuckDB with a table of it.
func schema(table string) string {
	if table == "lists" {
		return "DuckDB, lists"
	}
	return "DuckDB, " + table + " table"
}

// lists is any table from the lists.
func (k *duck) lists(rows, columns string, width int, goal float64) peer {
	query := fmt.Sprintf("SELECT r, c, count(*), sum(w)::BIGINT FROM (SELECT r, unnest(%s) AS c, w FROM (SELECT "+
		"unnest(%s) AS r, %s, w FROM lists)) GROUP BY 1, 2", columns, rows, columns)
	if rows == columns {
		query = strings.Replace(query, rows+", w FROM lists", "w FROM lists", 1)
	}
	height := 50
	if rows == "every" {
		height = 200
	}
	return k.grouped("lists", goal, height, width, query)
}

// wide is a table with an aggregate for each cell, some rows of it a statement: with all 5,000 aggregates in one,
// DuckDB takes more than 20 GB.
func (k *duck) wide(rows, columns, n int) peer {
	const atOnce = 10
	return peer{name: schema("wide"), load: k.load("wide"), slow: true, ask: func(ctx context.Context, threads int) (
		out []count, err error) {
		for first := 0; first < n; first += atOnce {
			var items []string
			for i := first; i < min(n, first+atOnce); i++ {
				for j := range n {
					items = append(items, sums(fmt.Sprintf("b%d_%d AND b%d_%d", rows, i, columns, j)))
				}
			}
			some, err := k.row(ctx, threads, "SELECT "+strings.Join(items, ", ")+" FROM wide", len(items))
			if err != nil {
				return nil, err
			}
			out = append(out, some...)
		}
		return out, nil
	}}
}

// sums counts those who fulfil a condition and adds up their weights: several times faster than FILTER.
func sums(condition string) string {
	return fmt.Sprintf("sum(if(%[1]s, 1, 0))::BIGINT, sum(if(%[1]s, w, 0))::BIGINT", condition)
}

// row reads a row of (sample, weight) pairs.
func (k *duck) row(ctx context.Context, threads int, query string, n int) ([]count, error) {
	if err := k.use(ctx, threads); err != nil {
		return nil, err
	}
	out := make([]count, n)
	to := make([]any, 0, 2*n)
	for i := range out {
		to = append(to, &out[i].sample, &out[i].weight)
	}
	return out, k.db.QueryRowContext(ctx, query).Scan(to...)
}

// cell is one cell with its margins, as ours has them.
func (k *duck) cell(row, column int, goal float64) peer {
	r, c := fmt.Sprintf("b0_%d", row), fmt.Sprintf("b3_%d", column)
	query := fmt.Sprintf("SELECT count(*) FILTER (%[1]s AND %[2]s), (sum(w) FILTER (%[1]s AND %[2]s))::BIGINT, "+
		"count(*), sum(w)::BIGINT, count(*) FILTER (%[1]s), (sum(w) FILTER (%[1]s))::BIGINT, count(*) FILTER (%[2]s), "+
		"(sum(w) FILTER (%[2]s))::BIGINT FROM wide", r, c)
	return peer{name: schema("wide"), goal: goal, load: k.load("wide"), ask: func(ctx context.Context, threads int) (
		[]count, error) {
		out, err := k.row(ctx, threads, query, 4)
		if err != nil {
			return nil, err
		}
		return out[:1], nil
	}}
}

// stats is 50 options × the first option of the first single-choice question × the waves.
func (k *duck) stats(goal float64) peer {
	return k.grouped("long", goal, 50, len(k.data.byWave), "SELECT opt, wave, count(*) FILTER (s0 = 0), "+
		"coalesce(sum(w) FILTER (s0 = 0), 0)::BIGINT FROM long GROUP BY 1, 2")
}

// nested is the table of expressions, each cell an aggregate over expressions that are formed once.
func (k *duck) nested() peer {
	var defined, items []string
	for i := range 20 {
		defined = append(defined, fmt.Sprintf("(b0_%[1]d AND NOT b1_%[1]d) OR (b0_%[1]d::INT + b0_%[2]d::INT + "+
			"b0_%[3]d::INT >= 2) AS r%[1]d", i, i+10, i+20),
			fmt.Sprintf("NOT ((b1_%d OR b1_%d) AND NOT b0_%d) AS c%d", i, i+1, i+25, i))
	}
	for i := range 20 {
		for j := range 20 {
			items = append(items, sums(fmt.Sprintf("r%d AND c%d", i, j)))
		}
	}
	return peer{name: schema("wide"), load: k.load("wide"), slow: true, ask: func(ctx context.Context, threads int) (
		[]count, error) {
		return k.row(ctx, threads, "SELECT "+strings.Join(items, ", ")+" FROM (SELECT "+strings.Join(defined, ", ")+
			", w FROM wide)", 400)
	}}
}

// moments is the long table by cell and fieldwork: the sums of weights and of their squares, all that variances take.
// They stay with DuckDB, which has them in a table of its own; they are fetched when no time is taken any more.
func (k *duck) moments(goal float64) peer {
	square := "w * w"
	if slices.Max(k.data.weight) > 3_037_000_499 { // whose square is the last that 63 bits hold
		square = "w::HUGEINT * w"
	}
	var sides []string // one statement of several groupings is slower here
	for s := range k.data.single {
		sides = append(sides, fmt.Sprintf("SELECT opt, s%[1]d AS answer, fieldwork, sum(w) AS weight, sum(%[2]s) AS squares "+
			"FROM long WHERE s%[1]d < 255 GROUP BY opt, s%[1]d, fieldwork", s, square))
	}
	query := "CREATE OR REPLACE TABLE moments AS " + strings.Join(sides, " UNION ALL ")
	ask := func(ctx context.Context, threads int) ([]count, error) {
		if err := k.use(ctx, threads); err != nil {
			return nil, err
		}
		_, err := k.db.ExecContext(ctx, query)
		return nil, err
	}
	gives := func(c count) count { return count{weight: c.weight, squares: c.squares} }
	return peer{name: schema("long"), goal: goal, gives: gives, load: k.load("long"), ask: ask, read: k.readMoments}
}

func (k *duck) readMoments(ctx context.Context) ([]count, error) {
	strata := len(k.data.byFieldwork)
	out := make([]count, 50*50*strata)
	rows, err := k.db.QueryContext(ctx, "SELECT opt, answer, fieldwork, weight::BIGINT, squares FROM moments")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var row, column, stratum int
		var c count
		var squares *big.Int
		if err := rows.Scan(&row, &column, &stratum, &c.weight, &squares); err != nil {
			return nil, err
		}
		halves := squares.FillBytes(make([]byte, 16))
		c.squares = audience.Uint128{High: binary.BigEndian.Uint64(halves), Low: binary.BigEndian.Uint64(halves[8:])}
		out[(row*50+column)*strata+stratum] = c
	}
	return out, rows.Err()
}
