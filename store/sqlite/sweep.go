package sqlite

import (
	"context"
	"database/sql"
)

// tidy removes what imports that died have left, unless an import runs somewhere, and chunks that nobody here needs.
func (s *Store) tidy(ctx context.Context) error {
	var dead bool
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM import)`).Scan(&dead); err != nil {
		return err
	}
	if dead {
		lock, err := lockImports(s.lockPath(), true)
		if err != nil {
			return err
		}
		if lock != nil {
			defer lock.release()
			err := s.update(ctx, func(tx *sql.Tx) error {
				_, err := tx.ExecContext(ctx, `DELETE FROM import`)
				return err
			})
			if err != nil {
				return err
			}
		}
	}
	return s.sweep(ctx)
}

func (s *Store) lockPath() string { return s.path + "-import" }

// sweep removes chunks that are neither published, nor of an import that runs, nor in use by a Count of this Store, and integer weights in units
// that nobody uses. What is garbage once stays garbage, so it can be found first and removed bit by bit, and others get to write in between.
func (s *Store) sweep(ctx context.Context) error {
	chunks, units, err := s.garbage(ctx)
	if err != nil {
		return err
	}
	const bit = 32
	for len(chunks)+len(units) > 0 {
		err := s.update(ctx, func(tx *sql.Tx) error {
			for _, u := range units[:min(bit, len(units))] {
				if _, err := tx.ExecContext(ctx, `DELETE FROM units WHERE chunk = ? AND namespace = ? AND decimals = ?`, u.chunk, u.name.namespace, u.name.decimals); err != nil {
					return err
				}
			}
			for _, id := range chunks[:min(bit, len(chunks))] {
				if err := deleteChunk(ctx, tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		units, chunks = units[min(bit, len(units)):], chunks[min(bit, len(chunks)):]
	}
	return nil
}

func deleteChunk(ctx context.Context, tx *sql.Tx, id int64) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM answers WHERE id BETWEEN ? AND ?`, blobID(id, 0), blobID(id+1, 0)-1); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM chunk WHERE id = ?`, id)
	return err
}

type unitKey struct {
	chunk int64
	name  weightName
}

// garbage lists what may be removed.
func (s *Store) garbage(ctx context.Context) (chunks []int64, units []unitKey, err error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	defer tx.Rollback()
	var row releaseRow
	if err := row.read(ctx, tx); err != nil {
		return nil, nil, err
	}
	live, err := row.live()
	if err != nil {
		return nil, nil, err
	}
	keep, names := map[int64]bool{}, map[weightName]bool{}
	for _, id := range live {
		keep[id] = true
	}
	if row.version > 0 {
		var frame storedFrame
		if err := unsealJSON(row.name("frame"), row.frame, &frame); err != nil {
			return nil, nil, err
		}
		for _, n := range frame.Namespaces {
			names[weightName{n.Code, n.Decimals}] = true
		}
	}
	s.mu.Lock()
	for r := range s.held {
		for _, c := range r.chunks {
			keep[c.id] = true
		}
		for _, n := range r.frame.Namespaces {
			names[weightName{n.Code, n.Decimals}] = true
		}
	}
	s.mu.Unlock()
	rows, err := tx.QueryContext(ctx, `SELECT id FROM chunk WHERE generation NOT IN (SELECT id FROM import)`)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, nil, err
		}
		if !keep[id] {
			chunks = append(chunks, id)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, nil, err
	}
	rows, err = tx.QueryContext(ctx, `SELECT chunk, namespace, decimals FROM units`)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var u unitKey
		if err := rows.Scan(&u.chunk, &u.name.namespace, &u.name.decimals); err != nil {
			return nil, nil, err
		}
		if !names[u.name] {
			units = append(units, u)
		}
	}
	return chunks, units, rows.Err()
}
