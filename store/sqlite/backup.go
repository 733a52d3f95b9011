package sqlite

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	sqlite3 "modernc.org/sqlite/lib"
)

// BackupReport tells what a backup, or a store put back from one, consists of.
type BackupReport struct {
	Bytes  int64        `json:"bytes"`  // of the file
	SHA256 string       `json:"sha256"` // of the file, in hexadecimal digits
	Check  *CheckReport `json:"check"`  // of the file
}

// DamagedBackupError is a file that was checked before it would have taken the place of another, which it did not as
// it is damaged.
type DamagedBackupError struct {
	Path    string
	Damages []string // as in CheckReport
}

func (e *DamagedBackupError) Error() string {
	return fmt.Sprintf("%s is damaged: %s", e.Path, strings.Join(e.Damages, "; "))
}

// InUseError is a store that is to be replaced and that somebody has open.
type InUseError struct{ Path string }

func (e *InUseError) Error() string {
	return e.Path + " is open in this or another process, a server say: end that first"
}

// Backup writes the store, as it is at one moment, to a file of its own at path, which is a store like any other,
// without the room that is free in this one. It may be called while the store is served, written to and imported into,
// by whomever: nobody waits for it, and only the log beside the store grows by what is written meanwhile. It takes
// about as long as copying the file and checking it (see Check), and as much room.
//
// The file is made beside path, checked whole, and put in its place at the end: at path is what was there before, or
// all of the backup. If there is a file and overwrite is not set it is fs.ErrExist; a DamagedBackupError if what was
// copied is damaged.
func (s *Store) Backup(ctx context.Context, path string, overwrite bool) (*BackupReport, error) {
	if info, err := os.Stat(path); err == nil {
		own, err := os.Stat(s.path)
		if err == nil && os.SameFile(info, own) {
			return nil, fmt.Errorf("%s: a backup of a store can't lie where the store does", path)
		}
	}
	return replace(ctx, path, overwrite, func(part string) error {
		// A connection of its own, as those that count may not write, not even to another file.
		d, err := s.views.driver()
		if err != nil {
			return err
		}
		params := s.readOnly()[2:] // but for query_only
		db := sql.OpenDB(connector{d, s.dsn(params...)})
		defer db.Close()
		_, err = db.ExecContext(ctx, `VACUUM INTO ?`, part)
		return err
	})
}

// Restore puts a backup in the place of the store at path, or where there is none. The backup is copied beside path
// and the copy is brought to the newest format and checked whole (see Check) before anything is replaced; the file that
// was there is then gone. If there is one and overwrite is not set it is fs.ErrExist; InUseError if any Store has it
// open; a DamagedBackupError if the backup is damaged; a FormatError if it is no store. sum, unless it is "", is the
// SHA-256 that the backup must have.
func Restore(ctx context.Context, backup, path, sum string, overwrite bool) (*BackupReport, error) {
	return replace(ctx, path, overwrite, func(part string) error {
		in, err := os.Open(backup)
		if err != nil {
			return err
		}
		defer in.Close()
		if log, err := os.Stat(backup + "-wal"); err == nil && log.Size() > 0 {
			return &FormatError{backup, "a log lies beside it, so it is no backup but a store: make one of it first"}
		}
		out, err := os.OpenFile(part, os.O_WRONLY|os.O_TRUNC, 0)
		if err != nil {
			return err
		}
		hash := sha256.New()
		_, err = io.Copy(io.MultiWriter(out, hash), in)
		if err = errors.Join(err, out.Close()); err != nil {
			return err
		}
		if is := fmt.Sprintf("%x", hash.Sum(nil)); sum != "" && !strings.EqualFold(is, sum) {
			return &DamagedBackupError{backup, []string{"its SHA-256 is " + is + ", and not " + sum}}
		}
		// It may be of an older format: the copy is brought to the newest.
		s, err := Open(ctx, part, Config{})
		if damage := (*DamagedError)(nil); errors.As(err, &damage) {
			return &DamagedBackupError{backup, []string{damage.What}}
		}
		if err != nil {
			return err
		}
		return s.Close()
	})
}

// replace has a file written beside path, checks it as a store, and puts it in the place of path.
func replace(ctx context.Context, path string, overwrite bool, write func(part string) error) (_ *BackupReport,
	err error) {
	if _, err := os.Lstat(path); err == nil && !overwrite {
		return nil, fmt.Errorf("%s: %w", path, fs.ErrExist)
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+"-part-")
	if err != nil {
		return nil, err
	}
	part := file.Name()
	defer func() {
		for _, end := range []string{"", "-wal", "-shm", "-journal"} {
			os.Remove(part + end)
		}
	}()
	if err = errors.Join(file.Close(), write(part)); err != nil {
		return nil, err
	}
	r := &BackupReport{}
	if r.Check, err = checkFileAt(ctx, part); err != nil {
		return nil, err
	}
	if len(r.Check.Damages) > 0 {
		return nil, &DamagedBackupError{path, r.Check.Damages}
	}
	if r.Bytes, r.SHA256, err = sealFile(part); err != nil {
		return nil, err
	}
	return r, swap(ctx, part, path, overwrite)
}

// checkFileAt checks a store that nobody else knows of.
func checkFileAt(ctx context.Context, path string) (*CheckReport, error) {
	s, err := Open(ctx, path, Config{ReadOnly: true})
	if damage := (*DamagedError)(nil); errors.As(err, &damage) {
		return &CheckReport{Damages: []string{damage.What}}, nil
	}
	if err != nil {
		return nil, err
	}
	r, err := s.Check(ctx, CheckOptions{})
	return r, errors.Join(err, s.Close())
}

// sealFile makes a file durable and tells its size and hash.
func sealFile(path string) (size int64, sum string, err error) {
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return 0, "", err
	}
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return size, fmt.Sprintf("%x", hash.Sum(nil)), errors.Join(err, file.Sync(), file.Close())
}

// swap puts part in the place of path, and makes that durable.
func swap(ctx context.Context, part, path string, overwrite bool) error {
	if !overwrite {
		if err := os.Link(part, path); !errors.Is(err, errors.ErrUnsupported) {
			return errors.Join(err, syncFolder(path))
		}
	}
	free, err := shut(ctx, path)
	if err != nil {
		return err
	}
	err = os.Rename(part, path)
	return errors.Join(err, free(), syncFolder(path))
}

// shut keeps others from opening the store at path until free is called, and leaves nothing beside it: a log that
// stayed would be taken for that of the file which takes its place. What is damaged, or no store, can't be open.
func shut(ctx context.Context, path string) (free func() error, err error) {
	nothing := func() error { return nil }
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nothing, nil
	}
	if err != nil {
		return nil, err
	}
	free = nothing
	if info.Size() > 0 {
		if free, err = shutStore(ctx, path); err != nil {
			return nil, err
		}
	}
	for _, end := range []string{"-wal", "-shm"} {
		if err := os.Remove(path + end); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, errors.Join(err, free())
		}
	}
	return free, nil
}

func shutStore(ctx context.Context, path string) (free func() error, err error) {
	s := &Store{path: path}
	if s.path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", s.dsn())
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	// Leaving the log is refused while anybody else has the store open. It writes the log into the file.
	for _, statement := range []string{`PRAGMA busy_timeout = 0`, `PRAGMA locking_mode = EXCLUSIVE`,
		`PRAGMA journal_mode = DELETE`, `BEGIN EXCLUSIVE`} {
		_, err = db.ExecContext(ctx, statement)
		if isCode(err, sqlite3.SQLITE_BUSY) || isCode(err, sqlite3.SQLITE_LOCKED) {
			return nil, errors.Join(&InUseError{path}, db.Close())
		}
		if isCode(err, sqlite3.SQLITE_NOTADB) || isCode(err, sqlite3.SQLITE_CORRUPT) {
			break
		}
		if err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db.Close, nil
}

// syncFolder makes a file's name durable.
func syncFolder(path string) error {
	folder, err := os.Open(filepath.Dir(path))
	if err != nil {
		return err
	}
	err = folder.Sync()
	if errors.Is(err, errors.ErrUnsupported) || errors.Is(err, fs.ErrInvalid) || errors.Is(err, fs.ErrPermission) {
		err = nil // where folders can't be synced
	}
	return errors.Join(err, folder.Close())
}
