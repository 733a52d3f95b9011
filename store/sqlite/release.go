package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// release is one version of what is published, as read. It is immutable.
type release struct {
	version uint64
	facts   []byte // JSON
	engine  []byte // of the engine that keeps the respondents; nil if they are here
	frame   *audience.Frame
	layout  *layout
	chunks  []*chunk // live ones, by id
}

// respondents is how many there are in all chunks.
func (r *release) respondents() (n int) {
	for _, c := range r.chunks {
		n += c.respondents
	}
	return n
}

// Frame tells what is published now, by this process or another.
func (s *Store) Frame(ctx context.Context) (*audience.Frame, error) {
	r, err := s.refresh(ctx)
	if err != nil {
		return nil, err
	}
	return r.frame, nil
}

// Release returns what is published now. Version 0 has an empty survey. The Facts belong to the caller.
func (s *Store) Release(ctx context.Context) (*survey.Release, error) {
	r, err := s.refresh(ctx)
	if err != nil {
		return nil, err
	}
	out := &survey.Release{Frame: r.frame}
	if r.version == 0 {
		return out, nil
	}
	if err := json.Unmarshal(r.facts, &out.Facts); err != nil {
		return nil, &DamagedError{"the facts of the survey's fieldwork"}
	}
	out.Engine = slices.Clone(r.engine)
	return out, nil
}

// refresh returns what is published now. It reads one number unless that has changed.
func (s *Store) refresh(ctx context.Context) (*release, error) {
	version, err := s.published(ctx)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, ErrClosed
	}
	if s.current != nil && s.current.version >= version {
		return s.current, nil
	}
	r, err := s.load(ctx, s.current)
	if err != nil {
		return nil, s.damage(err)
	}
	s.current = r
	return r, nil
}

// published reads the number of the version that is published.
func (s *Store) published(ctx context.Context) (uint64, error) {
	var version uint64
	err := s.version.QueryRowContext(ctx).Scan(&version)
	if err == sql.ErrNoRows {
		err = &DamagedError{"the record of what is published"}
	}
	return version, err
}

// hold returns the release of a version and keeps its chunks until it is let go of; audience.ErrChanged if it is no
// longer published.
func (s *Store) hold(ctx context.Context, version uint64) (*release, error) {
	s.mu.Lock()
	r := s.current
	s.mu.Unlock()
	if r == nil || r.version < version {
		if _, err := s.refresh(ctx); err != nil {
			return nil, err
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, ErrClosed
	case s.current.version != version:
		return nil, audience.ErrChanged
	}
	s.held[s.current]++
	return s.current, nil
}

// letGo gives up what hold gave. The last to use a version that is no longer published removes its chunks.
func (s *Store) letGo(r *release) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.held[r]--; s.held[r] > 0 {
		return
	}
	delete(s.held, r)
	if r == s.current || s.closed || s.write == nil {
		return
	}
	s.tidying.Go(func() {
		s.sweep(context.Background()) // what can't be removed now will be by the next import or Open
	})
}

// load reads what is published; chunks that before has are taken from there.
func (s *Store) load(ctx context.Context, before *release) (*release, error) {
	tx, row, err := s.reading(ctx)
	if err != nil {
		return nil, err
	}
	defer tx.Rollback()
	return loadFrom(ctx, tx, row, before)
}

// loadFrom makes a release of the row and the chunks that a transaction sees.
func loadFrom(ctx context.Context, tx *sql.Tx, row *releaseRow, before *release) (r *release, err error) {
	r = &release{version: row.version}
	if row.version == 0 {
		r.frame, err = audience.NewFrame(0, &audience.Survey{}, audience.Coverage{})
		r.layout = newLayout(nil)
		return r, err
	}
	if r.facts, err = unseal(row.name("facts"), row.facts); err != nil {
		return nil, err
	}
	if r.engine, err = row.state(); err != nil {
		return nil, err
	}
	sv, coverage := &audience.Survey{}, &storedCoverage{}
	if err := unsealJSON(row.name("survey"), row.survey, sv); err != nil {
		return nil, err
	}
	if err := unsealJSON(row.name("coverage"), row.coverage, coverage); err != nil {
		return nil, err
	}
	if r.frame, err = coverage.frame(row.version, sv); err != nil {
		return nil, err
	}
	var table columnTable
	if err := unsealJSON(row.name("columns"), row.columns, &table); err != nil {
		return nil, err
	}
	r.layout = newLayout(table)
	ids, err := row.live()
	if err != nil {
		return nil, err
	}
	r.chunks, err = readChunks(ctx, tx, ids, before)
	return r, err
}

// reading begins to read: the transaction sees what the row says is published. The caller ends it.
func (s *Store) reading(ctx context.Context) (*sql.Tx, *releaseRow, error) {
	tx, err := s.read.BeginTx(ctx, nil)
	if err != nil {
		return nil, nil, err
	}
	row := &releaseRow{}
	if err := row.read(ctx, tx); err != nil {
		tx.Rollback()
		return nil, nil, err
	}
	return tx, row, nil
}

// releaseRow is the row of table release.
type releaseRow struct {
	version                                  uint64
	survey, coverage, facts, columns, chunks []byte
	engine                                   []byte // NULL: respondents are in chunks
}

func (row *releaseRow) read(ctx context.Context, tx *sql.Tx) error {
	err := tx.QueryRowContext(ctx, `SELECT version, survey, coverage, facts, columns, chunks, engine FROM release`).
		Scan(&row.version, &row.survey, &row.coverage, &row.facts, &row.columns, &row.chunks, &row.engine)
	if err == sql.ErrNoRows {
		err = &DamagedError{"the record of what is published"}
	}
	return err
}

// name is what a member of the row is sealed with.
func (row *releaseRow) name(member string) string {
	return fmt.Sprintf("%s of version %d", member, row.version)
}

// live are the ids of the published chunks, ascending.
func (row *releaseRow) live() (ids []int64, err error) {
	if row.version == 0 {
		return nil, nil
	}
	if err := unsealJSON(row.name("chunks"), row.chunks, &ids); err != nil {
		return nil, err
	}
	if !slices.IsSorted(ids) {
		return nil, &DamagedError{row.name("chunks")}
	}
	return ids, nil
}

// newReleaseRow forms the row of a version.
func newReleaseRow(version uint64, change survey.Change, table columnTable, ids []int64) (*releaseRow, error) {
	row := &releaseRow{version: version}
	for _, member := range []struct {
		name string
		to   *[]byte
		v    any
	}{
		{"survey", &row.survey, change.Frame.Survey},
		{"coverage", &row.coverage, storeCoverage(change.Frame)},
		{"facts", &row.facts, change.Facts},
		{"columns", &row.columns, table},
		{"chunks", &row.chunks, ids},
	} {
		data, err := sealJSON(row.name(member.name), member.v)
		if err != nil {
			return nil, err
		}
		*member.to = data
	}
	if change.Engine != nil {
		row.engine = seal(row.name("engine"), slices.Clone(change.Engine))
	}
	return row, nil
}

func (row *releaseRow) write(ctx context.Context, tx *sql.Tx) error {
	_, err := tx.ExecContext(ctx, `UPDATE release SET version = ?, survey = ?, coverage = ?, facts = ?, columns = ?, `+
		`chunks = ?, engine = ?`,
		int64(row.version), row.survey, row.coverage, row.facts, row.columns, row.chunks, row.engine)
	return err
}

// formatCoverage is the format from which on the survey stands once in a release.
const formatCoverage = 5

// toCoverage rewrites a release of the format before formatCoverage, whose column is renamed already.
func toCoverage(ctx context.Context, tx *sql.Tx) error {
	row := &releaseRow{}
	if err := row.read(ctx, tx); err != nil || row.version == 0 {
		return err
	}
	sv, frame := &audience.Survey{}, &storedFrame{}
	if err := unsealJSON(row.name("survey"), row.survey, sv); err != nil {
		return err
	}
	if err := unsealJSON(row.name("frame"), row.coverage, frame); err != nil {
		return err
	}
	coverage, err := frame.coverage(sv)
	if err != nil {
		return err
	}
	if row.survey, err = sealJSON(row.name("survey"), sv); err != nil {
		return err
	}
	if row.coverage, err = sealJSON(row.name("coverage"), coverage); err != nil {
		return err
	}
	return row.write(ctx, tx)
}
