package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/crosswave/crosswave/audience"
)

// formatOf looks at an existing file, without changing anything, and tells its format; 0 if there is nothing yet.
func (s *Store) formatOf(ctx context.Context) (format int, err error) {
	info, err := os.Stat(s.path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && !s.config.ReadOnly:
		return 0, nil
	case err != nil:
		return 0, err
	case info.IsDir():
		return 0, &FormatError{s.path, "it is a directory; a store is a file"}
	case info.Size() == 0 && s.config.ReadOnly:
		return 0, &FormatError{s.path, "it is empty: nothing was imported into it"}
	case info.Size() == 0:
		return 0, nil
	}
	h, err := s.header(ctx)
	if isCode(err, sqlite3.SQLITE_READONLY) || isCode(err, sqlite3.SQLITE_CANTOPEN) {
		if err := s.stand(); err != nil {
			return 0, err
		}
		h, err = s.header(ctx)
	}
	steps, wrong := migrations()
	switch {
	case wrong != nil:
		return 0, wrong
	case isCode(err, sqlite3.SQLITE_NOTADB):
		return 0, &FormatError{s.path, "it is not a Crosswave store, nor an SQLite file at all"}
	case isCode(err, sqlite3.SQLITE_CORRUPT):
		return 0, &FormatError{s.path, "the file is damaged: " + err.Error()}
	case err != nil:
		return 0, fmt.Errorf("%s: %w", s.path, err)
	case h == header{} && !s.config.ReadOnly:
		return 0, nil // an SQLite file that nothing was put into yet
	case h.id != applicationID:
		return 0, &FormatError{s.path, "it is an SQLite file of another program, not a Crosswave store"}
	case h.format > len(steps):
		return 0, &FormatError{s.path, fmt.Sprintf("it was written by a newer version of this program (format %d; "+
			"this one knows %d): use that one", h.format, len(steps))}
	case h.format < len(steps) && s.config.ReadOnly:
		return 0, &FormatError{s.path, fmt.Sprintf("it is of an older format (%d; this program writes %d): open it "+
			"once for writing", h.format, len(steps))}
	}
	return h.format, nil
}

// header is what tells whose an SQLite file is.
type header struct{ id, format, tables int }

func (s *Store) header(ctx context.Context) (h header, err error) {
	db, err := sql.Open("sqlite", s.dsn(s.readOnly()...))
	if err != nil {
		return h, err
	}
	defer db.Close()
	err = db.QueryRowContext(
		ctx, `SELECT (SELECT application_id FROM pragma_application_id), (SELECT user_version FROM pragma_user_version),
		(SELECT count(*) FROM sqlite_schema)`).Scan(&h.id, &h.format, &h.tables)
	return h, err
}

// readOnly is what a connection needs that never writes.
func (s *Store) readOnly() []string {
	params := []string{"_query_only", "1", "mode", "ro"}
	if s.still {
		params = append(params, "immutable", "1")
	}
	return params
}

// stand has the file read as it is, when SQLite can't make what it needs beside it. That is right only if all that was
// committed is in the file itself.
func (s *Store) stand() error {
	file, err := os.Open(s.path)
	if err != nil {
		return err
	}
	file.Close()
	if !s.config.ReadOnly {
		return s.unwritable()
	}
	path, err := filepath.EvalSymlinks(s.path) // SQLite looks beside the file itself, not beside a link to it
	if err != nil {
		return err
	}
	log, err := os.Stat(path + "-wal")
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return err
	case log.Size() > 0:
		return &FormatError{s.path, "some of what was written to it is still in the file beside it that ends in -wal, and " +
			"it can't be read where neither can be written to: open it once for writing, or copy both to where they can be"}
	}
	s.still = true
	return nil
}

// unwritable is the error of a store that can be read and not written.
func (s *Store) unwritable() error {
	return fmt.Errorf("%s: the file, or the directory it is in, can't be written to: %w", s.path, audience.ErrReadOnly)
}

func isCode(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}
