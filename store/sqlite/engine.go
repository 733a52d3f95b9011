package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// An engine on other machines may keep the respondents of a store, while the store keeps all else and publishes: see
// survey.Change.Engine. This file is what such an engine needs beside the interfaces of package survey.

// errElsewhere is the error of counting here, or importing here, where another engine keeps the respondents.
var errElsewhere = errors.New("the store's respondents are kept by another engine, which has to count them: name it " +
	"(ClickHouse: --clickhouse)")

// ID is the store's own name, 16 hexadecimal digits, which it got when it was made and keeps. A copy of the file has
// the same.
func (s *Store) ID(ctx context.Context) (string, error) {
	var id string
	err := s.read.QueryRowContext(ctx, `SELECT id FROM identity`).Scan(&id)
	return id, err
}

// Imports tells, as of one moment, which imports are under way, by their generations, and the Engine that is published,
// nil if there is none. What an engine keeps of any other generation is published or was given up: an import's end and
// its publication are one.
func (s *Store) Imports(ctx context.Context) (generations []int64, engine []byte, err error) {
	tx, row, err := s.reading(ctx)
	if err != nil {
		return nil, nil, err
	}
	defer tx.Rollback()
	if engine, err = row.state(); err != nil {
		return nil, nil, err
	}
	generations, err = collect(ctx, tx, scanID, `SELECT id FROM import`)
	return generations, engine, err
}

// Remember lets an engine change what it keeps in the store for itself, beside what is published: change gets what is
// there, nil at first, and returns what is to be there, durably, when Remember returns. It is the only one to do so
// meanwhile, in all processes together. What is left as it is is not written, so that it can also be read of a store
// that is opened for reading only. With an error nothing has changed.
func (s *Store) Remember(ctx context.Context, change func(memory []byte) ([]byte, error)) error {
	var memory []byte
	if s.write == nil {
		if err := s.read.QueryRowContext(ctx, `SELECT memory FROM identity`).Scan(&memory); err != nil {
			return err
		}
		after, err := change(memory)
		if err == nil && !bytes.Equal(memory, after) {
			err = audience.ErrReadOnly
		}
		return err
	}
	return s.update(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT memory FROM identity`).Scan(&memory); err != nil {
			return err
		}
		after, err := change(bytes.Clone(memory))
		if err != nil || bytes.Equal(memory, after) {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE identity SET memory = ?`, after)
		return err
	})
}

// Generation numbers the import: no other of this store has or gets the same.
func (w *writer) Generation() int64 { return w.generation }

// Follow has an import go on top of another base. Only one whose respondents another engine has can do that: those that
// are here were stored in the columns of the base before.
func (w *writer) Follow(ctx context.Context, base *survey.Release, sv *audience.Survey, _ []string) error {
	w.mu.Lock()
	here := len(w.buffers)+len(w.built)+len(w.chunks) > 0
	w.mu.Unlock()
	if w.finished || here {
		return audience.ErrChanged
	}
	if err := checkCodes(sv); err != nil {
		return err
	}
	current, err := w.store.refresh(ctx)
	if err != nil {
		return err
	}
	w.base, w.survey = base.Version(), sv
	w.layout, w.columns, err = current.layout.extend(sv)
	return err
}

// state returns the published Engine, nil if there is none.
func (row *releaseRow) state() ([]byte, error) {
	if row.engine == nil {
		return nil, nil
	}
	return unseal(row.name("engine"), row.engine)
}

// keeper refuses a change that would leave respondents in two places, or forget where they are.
func (row *releaseRow) keeper(change *survey.Change) error {
	if row.engine != nil && change.Engine == nil {
		return errElsewhere
	}
	return nil
}
