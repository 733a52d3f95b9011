package sqlite

import (
	"context"
	"database/sql"
	"slices"
)

// tidy removes what imports that died have left, unless an import runs somewhere, and chunks that nobody here needs.
func (s *Store) tidy(ctx context.Context) error {
	if err := s.bury(ctx); err != nil {
		return err
	}
	return s.sweep(ctx)
}

// bury strikes imports that died off the list, unless an import runs somewhere: then what they have left is anybody's
// to sweep. Imports that begin have to wait meanwhile.
func (s *Store) bury(ctx context.Context) error {
	var dead bool
	if err := s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM import)`).Scan(&dead); err != nil || !dead {
		return err
	}
	lock, err := lockImports(s.lock, true)
	if lock == nil || err != nil {
		return err
	}
	defer lock.release()
	return s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM import`)
		return err
	})
}

// sweep removes chunks that are neither published, nor of an import that runs, nor in use by a Count of this Store, and
// integer weights in units that nobody uses. They are found first and removed bit by bit, and others get to write in
// between.
func (s *Store) sweep(ctx context.Context) error {
	for {
		g, err := s.garbage(ctx)
		if err != nil {
			return err
		}
		if done, err := s.remove(ctx, g); done || err != nil {
			return err
		}
	}
}

// remove removes what garbage found. It is not done when something was published meanwhile: chunks that were garbage
// once stay it, but weights in units that nobody used may be in use again, and nobody makes them anew while they are
// there.
func (s *Store) remove(ctx context.Context, g garbage) (done bool, err error) {
	const bit = 32
	for len(g.chunks)+len(g.units) > 0 {
		changed := false
		err := s.update(ctx, func(tx *sql.Tx) error {
			var version uint64
			if err := tx.QueryRowContext(ctx, `SELECT version FROM release`).Scan(&version); err != nil {
				return err
			}
			if changed = version != g.version; changed {
				return nil
			}
			for _, u := range g.units[:min(bit, len(g.units))] {
				if _, err := tx.ExecContext(ctx, `DELETE FROM units WHERE chunk = ? AND namespace = ? AND decimals = ?`,
					u.chunk, u.name.namespace, u.name.decimals); err != nil {
					return err
				}
			}
			for _, id := range g.chunks[:min(bit, len(g.chunks))] {
				if err := deleteChunk(ctx, tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if changed || err != nil {
			return false, err
		}
		g.units, g.chunks = g.units[min(bit, len(g.units)):], g.chunks[min(bit, len(g.chunks)):]
	}
	return true, nil
}

func deleteChunk(ctx context.Context, tx *sql.Tx, id int64) error {
	if _, err := tx.ExecContext(ctx, `DELETE FROM answers WHERE id BETWEEN ? AND ?`, blobID(id, 0),
		blobID(id+1, 0)-1); err != nil {
		return err
	}
	_, err := tx.ExecContext(ctx, `DELETE FROM chunk WHERE id = ?`, id)
	return err
}

type unitKey struct {
	chunk int64
	name  weightName
}

// garbage is what may be removed, so long as a version is the one published.
type garbage struct {
	version uint64
	chunks  []int64
	units   []unitKey
}

func (s *Store) garbage(ctx context.Context) (garbage, error) {
	g, keep, err := s.stored(ctx)
	if err != nil {
		return g, err
	}
	// Only now, without a connection in hand: who has s.mu may be waiting for one.
	s.mu.Lock()
	for r := range s.held {
		keep.add(r.chunks, weightNames(r.frame))
	}
	if s.current != nil { // it may be held any moment, also by who has not seen yet that another is published
		keep.add(s.current.chunks, weightNames(s.current.frame))
	}
	s.mu.Unlock()
	g.chunks = slices.DeleteFunc(g.chunks, func(id int64) bool { return keep.chunks[id] })
	g.units = slices.DeleteFunc(g.units, func(u unitKey) bool { return keep.units[u.name] })
	return g, nil
}

// needs tells which chunks, and integer weights in which units, some versions consist of.
type needs struct {
	chunks map[int64]bool
	units  map[weightName]bool
}

func (n *needs) add(chunks []*chunk, weights []weightName) {
	for _, c := range chunks {
		n.chunks[c.id] = true
	}
	for _, name := range weights {
		n.units[name] = true
	}
}

// stored lists all chunks but those of imports that run, all integer weights, and what of them the published version
// needs.
func (s *Store) stored(ctx context.Context) (all garbage, keep needs, err error) {
	keep = needs{map[int64]bool{}, map[weightName]bool{}}
	tx, row, err := s.reading(ctx)
	if err != nil {
		return all, keep, err
	}
	defer tx.Rollback()
	all.version = row.version
	live, err := row.live()
	if err != nil {
		return all, keep, err
	}
	for _, id := range live {
		keep.chunks[id] = true
	}
	if row.version > 0 {
		var coverage storedCoverage
		if err := unsealJSON(row.name("coverage"), row.coverage, &coverage); err != nil {
			return all, keep, err
		}
		for _, n := range coverage.Namespaces {
			keep.units[weightName{n.Code, n.Decimals}] = true
		}
	}
	if all.chunks, err = collect(ctx, tx, scanID,
		`SELECT id FROM chunk WHERE generation NOT IN (SELECT id FROM import)`); err != nil {
		return all, keep, err
	}
	all.units, err = collect(ctx, tx, scanUnit, `SELECT chunk, namespace, decimals FROM units`)
	return all, keep, err
}

func scanUnit(scan func(...any) error) (u unitKey, err error) {
	err = scan(&u.chunk, &u.name.namespace, &u.name.decimals)
	return u, err
}
