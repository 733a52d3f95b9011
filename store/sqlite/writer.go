package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// writer is an import. Add fills a buffer per wave; full ones are made into chunks and stored in the background.
type writer struct {
	store      *Store
	base       uint64
	survey     *audience.Survey
	generation int64
	name       string                 // the store's own
	print      func(id string) uint64 // the fingerprint of an id
	lock       *importLock
	layout     *layout // with columns for all of survey
	columns    []int64 // of each attribute
	order      []int32 // attributes by column

	buffers map[int]*buffer // by wave
	bytes   int64           // in buffers
	slabs   slabs

	ctx    context.Context // of the work in the background
	cancel context.CancelFunc
	full   chan *buffer
	done   chan struct{}

	mu     sync.Mutex // guards what the background leaves
	failed error
	built  []*built // not yet stored
	held   int64    // their size
	chunks []*chunk // stored

	finished bool
}

// Begin opens an import on top of base. Respondents will be numbered by sv.
func (s *Store) Begin(ctx context.Context, base *survey.Release, sv *audience.Survey) (survey.Writer, error) {
	if err := checkCodes(sv); err != nil {
		return nil, err
	}
	if s.write == nil {
		return nil, audience.ErrReadOnly
	}
	if err := s.tidy(ctx); err != nil {
		return nil, err
	}
	current, err := s.refresh(ctx)
	if err != nil {
		return nil, err
	}
	w := &writer{store: s, survey: sv, buffers: map[int]*buffer{}, full: make(chan *buffer), done: make(chan struct{})}
	if base != nil {
		w.base = base.Version()
	}
	if w.layout, w.columns, err = current.layout.extend(sv); err != nil {
		return nil, err
	}
	w.order = make([]int32, len(w.columns))
	for i := range w.order {
		w.order[i] = int32(i)
	}
	slices.SortFunc(w.order, func(a, b int32) int { return int(w.columns[a] - w.columns[b]) })
	if w.lock, err = lockImports(s.lock, false); err != nil {
		return nil, err
	}
	w.print = func(id string) uint64 { return fingerprint(w.name, id) }
	err = s.update(ctx, func(tx *sql.Tx) error {
		if err := tx.QueryRowContext(ctx, `SELECT id FROM identity`).Scan(&w.name); err != nil {
			return err
		}
		result, err := tx.ExecContext(ctx, `INSERT INTO import (begun) VALUES (?)`, time.Now().Unix())
		if err == nil {
			w.generation, err = result.LastInsertId()
		}
		return err
	})
	if err != nil {
		w.lock.release()
		return nil, err
	}
	w.ctx, w.cancel = context.WithCancel(context.WithoutCancel(ctx))
	go w.work(w.full)
	return w, nil
}

// checkCodes refuses codes that JSON and SQLite can't keep as they are.
func checkCodes(sv *audience.Survey) error {
	check := func(what, code string) error {
		if !utf8.ValidString(code) {
			return fmt.Errorf("%s code %q is not valid UTF-8", what, code)
		}
		return nil
	}
	var errs []error
	for _, n := range sv.Namespaces {
		errs = append(errs, check("namespace", n.Code))
	}
	for _, w := range sv.Waves {
		errs = append(errs, check("wave", w.Code))
	}
	for _, l := range sv.Locations {
		errs = append(errs, check("location", l.Code))
	}
	for i := range sv.Questions {
		q := &sv.Questions[i]
		errs = append(errs, check("question", q.Code))
		for _, d := range q.Datapoints {
			errs = append(errs, check("question "+q.Code+": datapoint", d.Code))
		}
	}
	return errors.Join(errs...)
}

// Add takes respondents in.
func (w *writer) Add(ctx context.Context, rs []survey.Respondent) error {
	if w.finished || w.full == nil {
		return errors.New("the import is over")
	}
	for i := range rs {
		r := &rs[i]
		if err := r.Check(w.survey, len(w.columns)); err != nil {
			return err
		}
		b := w.buffers[r.Wave]
		if b == nil {
			b = &buffer{wave: r.Wave}
			w.buffers[r.Wave] = b
		}
		w.bytes += b.add(r, w.print(r.ID), &w.slabs)
		if len(b.respondents) >= w.store.config.ChunkRespondents {
			if err := w.flush(ctx, b); err != nil {
				return err
			}
		}
		if w.bytes > w.store.config.ImportBytes {
			if err := w.flush(ctx, w.largest()); err != nil {
				return err
			}
		}
	}
	return nil
}

// largest is the buffer that takes most memory.
func (w *writer) largest() *buffer {
	var most *buffer
	for _, b := range w.buffers {
		if most == nil || b.bytes > most.bytes || b.bytes == most.bytes && b.wave < most.wave {
			most = b
		}
	}
	return most
}

// flush hands a buffer to the background. It waits while that is busy with another.
func (w *writer) flush(ctx context.Context, b *buffer) error {
	wave, bytes := b.wave, b.bytes
	select {
	case w.full <- b: // which is no longer ours from here on
		delete(w.buffers, wave)
		w.bytes -= bytes
		return w.failure()
	case <-w.done:
		return w.failure()
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (w *writer) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// storeBytes is the size from which chunks are worth a transaction.
const storeBytes = 16 << 20

// work makes chunks of full buffers and stores them, until no more come or something fails.
func (w *writer) work(full <-chan *buffer) {
	defer close(w.done)
	for b := range full {
		c, err := w.build(w.ctx, b)
		b.empty(&w.slabs)
		w.mu.Lock()
		if err == nil {
			w.built = append(w.built, c)
			w.held += c.bytes
		}
		enough := w.held >= storeBytes
		w.mu.Unlock()
		if err == nil && enough {
			err = w.store.update(w.ctx, func(tx *sql.Tx) error { return w.storeBuilt(w.ctx, tx) })
			if err == nil {
				w.stored()
			}
		}
		if err != nil {
			w.mu.Lock()
			w.failed = err
			w.mu.Unlock()
			return
		}
	}
}

// errGone is the error of an import whose row is gone: another process took it for dead.
var errGone = errors.New("the import was given up by another process, which took it for dead")

// storeBuilt stores what was built.
func (w *writer) storeBuilt(ctx context.Context, tx *sql.Tx) error {
	var there bool
	err := tx.QueryRowContext(ctx, `SELECT EXISTS (SELECT 1 FROM import WHERE id = ?)`, w.generation).Scan(&there)
	if err == nil && !there {
		err = errGone
	}
	for _, b := range w.built {
		if err == nil {
			err = b.store(ctx, tx, w)
		}
	}
	return err
}

// stored notes that what was built is in the store.
func (w *writer) stored() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, b := range w.built {
		w.chunks = append(w.chunks, b.chunk)
		w.slabs.positions.give(b.all)
	}
	w.built, w.held = nil, 0
}

// Commit publishes.
func (w *writer) Commit(ctx context.Context, change survey.Change) (uint64, error) {
	if w.finished {
		return 0, errors.New("the import is over")
	}
	if _, err := storeCoverage(change.Frame).frame(w.base+1, change.Frame.Survey); err != nil {
		return 0, fmt.Errorf("the frame can't be stored: %w", err)
	}
	for len(w.buffers) > 0 {
		if err := w.flush(ctx, w.largest()); err != nil {
			return 0, err
		}
	}
	if w.full != nil {
		close(w.full)
		w.full = nil
		<-w.done
	}
	if err := w.failure(); err != nil {
		return 0, err
	}
	err := w.store.update(ctx, func(tx *sql.Tx) error { return w.publish(ctx, tx, change) })
	if err != nil {
		return 0, err
	}
	w.finished = true
	w.cancel()
	w.lock.release()
	// It is done and durable. What follows is housekeeping that can as well be done later.
	ctx = context.WithoutCancel(ctx)
	if _, err := w.store.refresh(ctx); err == nil {
		w.store.sweep(ctx)
	}
	w.store.write.ExecContext(ctx, `PRAGMA wal_checkpoint(PASSIVE)`)
	return w.base + 1, nil
}

// publish makes the store what change says, with the chunks of this import.
func (w *writer) publish(ctx context.Context, tx *sql.Tx, change survey.Change) error {
	var row releaseRow
	if err := row.read(ctx, tx); err != nil {
		return err
	}
	if row.version != w.base {
		return audience.ErrChanged
	}
	if err := row.keeper(&change); err != nil {
		return err
	}
	if err := w.storeBuilt(ctx, tx); err != nil {
		return err
	}
	ids, err := row.live()
	if err != nil {
		return err
	}
	w.store.mu.Lock()
	current := w.store.current
	w.store.mu.Unlock()
	before, err := readChunks(ctx, tx, ids, current)
	if err != nil {
		return err
	}
	chunks := slices.DeleteFunc(before, func(c *chunk) bool { return slices.Contains(change.Drop, c.wave) })
	chunks = append(chunks, w.chunks...)
	for _, b := range w.built {
		chunks = append(chunks, b.chunk)
	}
	slices.SortFunc(chunks, func(a, b *chunk) int { return int(a.id - b.id) })
	for _, c := range chunks {
		if err := c.within(change.Frame); err != nil {
			return err
		}
	}
	if err := addUnits(ctx, tx, chunks, change.Frame); err != nil {
		return err
	}
	ids = nil
	for _, c := range chunks {
		ids = append(ids, c.id)
	}
	next, err := newReleaseRow(w.base+1, change, w.layout.table, ids)
	if err != nil {
		return err
	}
	if err := next.write(ctx, tx); err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `DELETE FROM import WHERE id = ?`, w.generation)
	return err
}

// Abort removes what was added.
func (w *writer) Abort() error {
	if w.finished {
		return nil
	}
	w.finished = true
	w.cancel()
	if w.full != nil {
		close(w.full)
		<-w.done
	}
	ctx := context.Background()
	err := w.store.update(ctx, func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `DELETE FROM import WHERE id = ?`, w.generation)
		return err
	})
	if err == nil {
		err = w.store.sweep(ctx)
	}
	return errors.Join(err, w.lock.release())
}
