package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/bits"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
	_ "modernc.org/sqlite"
)

// roaring answers with roaring bitmaps: an intersection for each cell. They count; to sum weights the intersection is
// walked.
func (b *bench) roaring(q question, samplesOnly bool) peer {
	var rows, columns []*roaring.Bitmap
	build := func(row bool, n int) (out []*roaring.Bitmap) {
		for i := range n {
			m := roaring.New()
			for r := range b.n {
				if q.member(row, i, r) {
					m.Add(uint32(r))
				}
			}
			m.RunOptimize()
			out = append(out, m)
		}
		return out
	}
	name := "roaring"
	var gives func(count) count
	if samplesOnly {
		name, gives = "roaring, samples only", func(c count) count { return count{sample: c.sample} }
	}
	load := func(context.Context) error {
		rows, columns = build(true, len(q.rows)), build(false, len(q.columns))
		return nil
	}
	return peer{name: name, gives: gives, slow: true, load: load, ask: func(context.Context, int) ([]count, error) {
		out := make([]count, 0, len(rows)*len(columns))
		for _, r := range rows {
			for _, c := range columns {
				if samplesOnly {
					out = append(out, count{sample: int64(r.AndCardinality(c))})
					continue
				}
				var cell count
				for it := roaring.And(r, c).Iterator(); it.HasNext(); {
					cell.sample++
					cell.weight += b.data.weight[it.Next()]
				}
				out = append(out, cell)
			}
		}
		return out, nil
	}}
}

// sqliteSQL answers 50 × 50 in SQL on SQLite, from its best table: a row for each option that a respondent has, with
// the single choices beside it.
func (b *bench) sqliteSQL() peer {
	var db *sql.DB
	load := func(ctx context.Context) (err error) {
		if db, err = sql.Open("sqlite", "file::memory:?cache=shared"); err != nil {
			return err
		}
		db.SetMaxOpenConns(1)
		columns := ""
		for s := range b.data.single {
			columns += fmt.Sprintf(", s%d INTEGER", s)
		}
		if _, err := db.ExecContext(ctx, "CREATE TABLE long (opt INTEGER"+columns+", w INTEGER)"); err != nil {
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		insert, err := tx.PrepareContext(ctx, "INSERT INTO long VALUES (?"+strings.Repeat(", ?", len(b.data.single)+1)+")")
		if err != nil {
			return err
		}
		values := make([]any, len(b.data.single)+2)
		for r := range b.n {
			for m := b.data.bits[0][r]; m != 0; m &= m - 1 {
				values[0] = bits.TrailingZeros64(m)
				for s := range b.data.single {
					values[s+1] = b.data.single[s][r]
				}
				values[len(values)-1] = b.data.weight[r]
				if _, err := insert.ExecContext(ctx, values...); err != nil {
					return err
				}
			}
		}
		return tx.Commit()
	}
	return peer{name: "SQLite, SQL", slow: true, load: load, ask: func(ctx context.Context,
		_ int) ([]count, error) {
		out := make([]count, 50*50)
		for s := range b.data.single {
			if err := cells(ctx, db, fmt.Sprintf("SELECT opt, s%d, count(*), sum(w) FROM long WHERE s%d < 255 GROUP "+
				"BY 1, 2", s, s), out, 50); err != nil {
				return nil, err
			}
		}
		return out, nil
	}}
}

// cells reads rows of (row, column, sample, weight).
func cells(ctx context.Context, db *sql.DB, query string, out []count, columns int) error {
	rows, err := db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var i, j int
		var c count
		if err := rows.Scan(&i, &j, &c.sample, &c.weight); err != nil {
			return err
		}
		if j < columns {
			out[i*columns+j] = c
		}
	}
	return rows.Err()
}
