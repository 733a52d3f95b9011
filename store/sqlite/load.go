package sqlite

import (
	"context"
	"database/sql"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/crosswave/crosswave/audience"
)

// acquire holds what a plan reads of a chunk.
func (s *Store) acquire(ctx context.Context, p *plan, cp *chunkPlan) ([]*entry, error) {
	return s.cache.acquire(ctx, cp.wants, func(entries []*entry) error {
		return s.loadEntries(ctx, p.release, cp, entries)
	})
}

// loadEntries reads columns and weights of a chunk.
func (s *Store) loadEntries(ctx context.Context, r *release, cp *chunkPlan, entries []*entry) error {
	byColumn := make(map[int64]*entry, len(entries))
	for _, e := range entries {
		byColumn[e.id&(1<<columnBits-1)] = e
	}
	for _, q := range r.frame.Namespaces {
		name := weightName{q.Code, q.Decimals}
		column := s.weightColumn(name)
		if e := byColumn[column]; e != nil {
			delete(byColumn, column)
			if err := s.loadWeights(ctx, r, cp.chunk, name, e); err != nil {
				return err
			}
		}
	}
	// What is left are answers. Those next to each other are read at a stroke, so long as that does not take too long.
	const stroke = 256
	columns := cp.chunk.columns
	for i := 0; i < len(columns) && len(byColumn) > 0; i++ {
		if byColumn[columns[i]] == nil {
			continue
		}
		first := i
		for i+1 < len(columns) && i-first < stroke && byColumn[columns[i+1]] != nil {
			i++
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.loadColumns(ctx, r, cp.chunk, first, i, byColumn); err != nil {
			return err
		}
	}
	return nil
}

// loadColumns reads the columns from index first to last of a chunk. The database is asked without the caller's context, as giving up a
// statement costs a connection; the stroke is short.
func (s *Store) loadColumns(ctx context.Context, r *release, c *chunk, first, last int, entries map[int64]*entry) error {
	rows, err := s.columns.QueryContext(context.WithoutCancel(ctx), blobID(c.id, c.columns[first]), blobID(c.id, c.columns[last]))
	if err != nil {
		return s.damage(err)
	}
	defer rows.Close()
	var data sql.RawBytes
	next := first
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id, &data); err != nil {
			return err
		}
		if next > last || id != blobID(c.id, c.columns[next]) {
			break
		}
		e := entries[c.columns[next]]
		if e.col, err = decodeColumn(id, data, int(c.counts[next]), c.words); err != nil {
			return err
		}
		delete(entries, c.columns[next])
		next++
	}
	if err := rows.Err(); err != nil {
		return s.damage(err)
	}
	if next <= last {
		return s.missing(ctx, r, columnName(blobID(c.id, c.columns[next])))
	}
	return nil
}

func (s *Store) loadWeights(ctx context.Context, r *release, c *chunk, name weightName, e *entry) error {
	rows, err := s.units.QueryContext(context.WithoutCancel(ctx), c.id, name.namespace, name.decimals)
	if err != nil {
		return s.damage(err)
	}
	defer rows.Close()
	if !rows.Next() {
		if err := rows.Err(); err != nil {
			return s.damage(err)
		}
		return s.missing(ctx, r, unitsName(c.id, name))
	}
	var data sql.RawBytes
	if err := rows.Scan(&data); err != nil {
		return err
	}
	e.weights, e.col.words, err = decodeUnits(c, name, data)
	return err
}

// missing is the error for something that the release has but the file has not: removed because another process published a newer one, or damage.
func (s *Store) missing(ctx context.Context, r *release, what string) error {
	version, err := s.published(ctx)
	switch {
	case err != nil:
		return err
	case version != r.version:
		return audience.ErrChanged
	}
	return &DamagedError{what + " is missing"}
}

// damage tells SQLite's own findings of damage from other errors.
func (s *Store) damage(err error) error {
	if isCode(err, sqlite3.SQLITE_CORRUPT) || isCode(err, sqlite3.SQLITE_NOTADB) {
		return &DamagedError{err.Error()}
	}
	return err
}
