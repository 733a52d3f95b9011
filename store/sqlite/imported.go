package sqlite

import (
	"context"
	"database/sql"
)

// NoteImported remembers that a survey file with a hash was imported under a name.
func (s *Store) NoteImported(ctx context.Context, name string, hash [32]byte) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO imported (hash, name, time) VALUES (?, ?, ?) `+
			`ON CONFLICT DO UPDATE SET name = excluded.name, time = excluded.time`, hash[:], name, now().UnixMilli())
		return err
	})
}

// WasImported tells whether a survey file with a hash was imported, and whether it is known which ones were: of those
// that came in before stores remembered it, it is not.
func (s *Store) WasImported(ctx context.Context, hash [32]byte) (was, known bool, err error) {
	err = s.read.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM imported WHERE hash = ?), `+
		`EXISTS (SELECT 1 FROM imported)`, hash[:]).Scan(&was, &known)
	return was, known, err
}
