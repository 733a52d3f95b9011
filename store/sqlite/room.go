package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"

	"github.com/crosswave/crosswave/audience"
)

// recordRoom is how many bytes a change of one record needs at the most, the largest that is taken: its own, 1 MiB, and
// a page of 64 KiB for each place of tables and indexes that it changes or splits, in the log beside the store.
const recordRoom = 4 << 20

// Ready tells whether the store can be written to: audience.ErrFull if the disk has too little room left for one more
// record and for what the log beside the store holds that the store's file has yet to grow by; and, after a change that
// found no room, until one does, which Ready tries itself. Where the system does not tell how much room there is, the
// latter alone counts. A store that is opened for reading only is always ready.
func (s *Store) Ready(ctx context.Context) error {
	if s.write == nil {
		return nil
	}
	growth, err := s.growth(ctx)
	if err != nil {
		return err
	}
	if free, told := freeBytes(filepath.Dir(s.path)); told && free < recordRoom+growth {
		return fmt.Errorf("%s: %d bytes are left on the disk: %w", s.path, free, audience.ErrFull)
	}
	if !s.full.Load() {
		return nil
	}
	return s.update(ctx, func(tx *sql.Tx) error {
		// What changes nothing would not be written: here the number of the next import is.
		_, err := tx.ExecContext(ctx, `INSERT INTO import (begun) VALUES (0);
			DELETE FROM import WHERE id = last_insert_rowid()`)
		return err
	})
}

// growth is by how many bytes the store's file will grow once all that the log holds is brought into it.
func (s *Store) growth(ctx context.Context) (int64, error) {
	var will int64
	if err := s.read.QueryRowContext(ctx, `SELECT page_count * page_size FROM pragma_page_count, pragma_page_size`).Scan(
		&will); err != nil {
		return 0, err
	}
	is, err := os.Stat(s.path)
	if err != nil {
		return 0, err
	}
	return max(0, will-is.Size()), nil
}
