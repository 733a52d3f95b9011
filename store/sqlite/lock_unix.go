//go:build linux || darwin || freebsd || netbsd || openbsd || dragonfly

package sqlite

import (
	"errors"
	"io/fs"
	"os"
	"strings"
	"syscall"
)

// importLock is held, shared, by every running import, and alone by whoever removes what dead imports have left: the
// kernel lets go of it when a process dies, however it dies. It is a file beside the store's, as SQLite's own locks on
// the store must not be touched.
type importLock struct{ file *os.File }

// lockImports takes the lock; alone means that nobody else may hold it. It returns nil if that can't be had at once.
func lockImports(path string, alone bool) (*importLock, error) {
	how := syscall.LOCK_SH
	if alone {
		how = syscall.LOCK_EX | syscall.LOCK_NB
	}
	mode := fs.FileMode(0o600)
	if store, err := os.Stat(strings.TrimSuffix(path, lockSuffix)); err == nil {
		mode = store.Mode().Perm() // whoever may write to the store has to get at its lock
	}
	for {
		f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, mode)
		if err != nil {
			return nil, err
		}
		for err = syscall.EINTR; err == syscall.EINTR; {
			err = syscall.Flock(int(f.Fd()), how)
		}
		if errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, f.Close()
		}
		if err != nil {
			f.Close()
			return nil, &fs.PathError{Op: "lock", Path: path, Err: err}
		}
		// The last one out removes the file. Where that happened in between, this lock is of a file that nobody else
		// can find.
		ours, err := f.Stat()
		if err == nil {
			var there os.FileInfo
			if there, err = os.Stat(path); err == nil && os.SameFile(ours, there) {
				return &importLock{f}, nil
			}
		}
		f.Close()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
}

// release lets go of the lock and removes the file if nobody else holds it.
func (l *importLock) release() error {
	if syscall.Flock(int(l.file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
		os.Remove(l.file.Name())
	}
	return l.file.Close()
}
