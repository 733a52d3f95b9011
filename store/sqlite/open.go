package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
)

// Memory is the path of a store of its own that is gone when it is closed. (It lies in a temporary file, so that it
// behaves in every way as one on disk does.)
const Memory = ":memory:"

// applicationID stands in the file's header and tells that it is a store of this package.
const applicationID = 0x43727773

// Config says how a Store works. The zero value works well.
type Config struct {
	// CacheBytes is how much memory columns may take between queries, in bytes; 0 is 512 MiB. Running queries may hold
	// more for as long as they run: the columns of the chunks they are at.
	CacheBytes int64
	// Threads is how many threads one Count or import uses; 0 is GOMAXPROCS.
	Threads int
	// ChunkRespondents is the most respondents in a chunk; 0 and anything above is 129,280. Small chunks are slow; they
	// are there for tests.
	ChunkRespondents int
	// ImportBytes is about how much memory an import may hold respondents in before it writes a chunk, in bytes; 0 is
	// 64 MiB.
	ImportBytes int64
	// Kernel is the name of the counting kernel: "avx512", "sky", "avx2", on ARM "i8mm" or "neon", or "go"; "" is the
	// fastest that this machine runs. Figures are the same with each.
	Kernel string
	// ReadOnly opens an existing store and never writes to it. What other processes publish is seen, where the directory
	// can be written to or one of them has the store open: SQLite needs two small files beside it for that. Where it can't
	// make them, on a medium that can't be written to, say, the file is read as it is and must stay as it is while it is
	// open.
	ReadOnly bool
}

// maxChunk is 2,020 words of 64. With what the runs of some twenty locations are padded by, four dense columns of a
// full chunk fill a page of the file.
const maxChunk = 2020 * 64

func (c Config) withDefaults() (Config, *kernel.Kernel, error) {
	c.CacheBytes = cmp.Or(max(c.CacheBytes, 0), 512<<20)
	c.Threads = cmp.Or(max(c.Threads, 0), runtime.GOMAXPROCS(0))
	if c.ChunkRespondents <= 0 || c.ChunkRespondents > maxChunk {
		c.ChunkRespondents = maxChunk
	}
	c.ImportBytes = min(cmp.Or(max(c.ImportBytes, 0), 64<<20), 2<<30) // places in buffers have 32 bits
	if c.Kernel == "" {
		return c, kernel.Best(), nil
	}
	var names []string
	for _, k := range kernel.All() {
		if k.Name() == c.Kernel {
			return c, k, nil
		}
		names = append(names, k.Name())
	}
	return c, nil, fmt.Errorf("kernel %q does not run on this machine: use one of %s", c.Kernel, strings.Join(names, ", "))
}

// Store is an open store. It is safe for concurrent use, also of one file by several Stores and processes.
type Store struct {
	path   string
	config Config
	kernel *kernel.Kernel
	temp   string // directory to remove on Close
	still  bool   // nobody can change the file: it is read as it is
	lock   string // path of the importLock
	write  *sql.DB
	read   *sql.DB
	cache  *cache
	memory blob.Memory

	views   *views
	version *sql.Stmt // the published version
	columns *sql.Stmt // a few ranges of answers, as views
	units   *sql.Stmt // integers of a chunk, as views
	numbers *sql.Stmt // of a question in a chunk, as views

	mu      sync.Mutex
	current *release         // last one seen
	held    map[*release]int // releases in use
	weights map[weightName]int64
	slices  map[sliceName]int64
	// the names of slices by their columns
	sliceNames map[int64]sliceName
	tidying    sync.WaitGroup
	idle       sync.Pool // of *evaluator
	foldings   sync.Pool // of *folding
	gate       gate
	closed     bool
	full       atomic.Bool // the last change found no room
	uses       uses
}

// ErrClosed is returned by a Store that was closed.
var ErrClosed = errors.New("the store is closed")

// FormatError is a file that is no store, or one that this version of the program can't work with.
type FormatError struct {
	Path   string
	Reason string
}

func (e *FormatError) Error() string { return e.Path + ": " + e.Reason }

// Open opens the store at path and makes it if there is none. A file of another kind, or of a newer version of this
// program, is a FormatError and is left as it is. One that can't be written to is an audience.ErrReadOnly unless
// Config.ReadOnly says that it need not be. What imports that died have left is removed.
func Open(ctx context.Context, path string, config Config) (_ *Store, err error) {
	config, k, err := config.withDefaults()
	if err != nil {
		return nil, err
	}
	s := &Store{path: path, config: config, kernel: k, held: map[*release]int{}, weights: map[weightName]int64{},
		slices: map[sliceName]int64{}, sliceNames: map[int64]sliceName{}, gate: gate{processors: runtime.GOMAXPROCS(0)}}
	s.cache, s.memory, s.views = newCache(config.CacheBytes), blob.NewMemory(), &views{}
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	if path == Memory {
		if config.ReadOnly {
			return nil, &FormatError{path, "a store in memory can't be opened for reading only"}
		}
		if s.temp, err = os.MkdirTemp("", "crosswave-"); err != nil {
			return nil, err
		}
		s.path = filepath.Join(s.temp, "store.db")
	} else if s.path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	format, err := s.formatOf(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.make(); err != nil {
		return nil, err
	}
	if err := s.connect(); err != nil {
		return nil, err
	}
	if !config.ReadOnly {
		if err := s.reach(ctx); err != nil {
			return nil, err
		}
		if err := s.migrate(ctx, format); err != nil {
			return nil, err
		}
		// Beside the file itself, not beside a link to it: whoever opens the store has to find the same lock.
		file, err := filepath.EvalSymlinks(s.path)
		if err != nil {
			return nil, err
		}
		s.lock = file + lockSuffix
		if err := s.tidy(ctx); err != nil {
			return nil, err
		}
	}
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	r, err := s.refresh(ctx)
	if err != nil {
		return nil, err
	}
	if r.respondents() >= manyRespondents {
		s.kernel = s.kernel.Calibrated()
		if err := s.ready(ctx); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// manyRespondents is from how many on a store has its kernel try out, as it is opened, what its work costs on the
// machine, and has connections ready: that takes two milliseconds each, which fewer would not repay.
const manyRespondents = 200_000

// ready makes the connections by which the first question's threads read, with their statements prepared. On a machine
// of many processors the others are made when they are needed.
func (s *Store) ready(ctx context.Context) error {
	for _, of := range []struct {
		stmt       *sql.Stmt
		parameters int
	}{{s.columns, 1 + 2*strokes}, {s.units, 4}} {
		var open []*sql.Rows // each of them has a connection to itself until it is closed
		var err error
		for range min(s.config.Threads, 8) + 1 {
			var rows *sql.Rows
			if rows, err = of.stmt.QueryContext(ctx, make([]any, of.parameters)...); err != nil {
				break
			}
			open = append(open, rows)
		}
		for _, rows := range open {
			err = errors.Join(err, rows.Close())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// make makes the file, if there is none, so that nobody but who runs the store can read it; those that SQLite and
// imports lay beside it get the same permissions. It is made elsewhere and put in its place, as closing a file that
// another Store of this process has open would lose that one's locks.
func (s *Store) make() error {
	if _, err := os.Lstat(s.path); !errors.Is(err, fs.ErrNotExist) || s.config.ReadOnly {
		return nil // who opens it is told what is wrong
	}
	file, err := os.CreateTemp(filepath.Dir(s.path), filepath.Base(s.path)+"-new-")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	if err := file.Close(); err != nil {
		return err
	}
	if err := os.Link(file.Name(), s.path); err == nil || errors.Is(err, fs.ErrExist) {
		return nil
	}
	// There are no links where it is: whoever made the file in between has made it so, too.
	file, err = os.OpenFile(s.path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return file.Close()
}

// Close waits for nothing but its own cleaning up; queries that still run fail.
func (s *Store) Close() error {
	s.mu.Lock()
	was := s.closed
	s.closed = true
	s.mu.Unlock()
	if was {
		return nil
	}
	s.tidying.Wait()
	var errs []error
	for _, db := range []*sql.DB{s.read, s.write} {
		if db != nil {
			errs = append(errs, db.Close())
		}
	}
	if s.temp != "" {
		errs = append(errs, os.RemoveAll(s.temp))
	}
	return errors.Join(errs...)
}

// Path is where the store lies; absolute.
func (s *Store) Path() string { return s.path }

// Kernel is the name of the kernel that counts: see Config.
func (s *Store) Kernel() string { return s.kernel.Name() }

// lockSuffix ends the name of the importLock, which begins with that of the store.
const lockSuffix = "-import"

// busyTimeout is how long to wait for another process that writes.
const busyTimeout = 15 * time.Second

// dsn names the file with what every connection must have set. The driver runs these in its own order: busy_timeout,
// _pragma, foreign_keys, journal_mode, synchronous, query_only; page_size must come before journal_mode, which writes
// the first page of a new file.
func (s *Store) dsn(params ...string) string {
	path := filepath.ToSlash(s.path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	q := url.Values{"_busy_timeout": {strconv.FormatInt(busyTimeout.Milliseconds(), 10)}, "_dqs": {"0"},
		"_error_rc": {"1"}, "_pragma": {"page_size(65536)", "cell_size_check(1)"}}
	for i := 0; i < len(params); i += 2 {
		q[params[i]] = append(q[params[i]], params[i+1])
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}

func (s *Store) connect() (err error) {
	common := []string{"_journal_mode", "WAL", "_synchronous", "FULL", "_foreign_keys", "1"}
	if s.temp != "" {
		common[3] = "OFF" // nobody will look for it after a crash
	}
	// A reader keeps few pages, as it reads columns, which the store keeps itself: so a page's memory is still near the
	// processor when the next one is read into it.
	reading := append([]string{"_query_only", "1", "_pragma", "cache_size(4)"}, common...)
	d, err := s.views.driver()
	if err != nil {
		return err
	}
	if s.config.ReadOnly {
		reading = append(s.readOnly(), "_foreign_keys", "1")
	} else {
		s.write = sql.OpenDB(connector{d, s.dsn(append(common, "_txlock", "immediate", "_pragma",
			"journal_size_limit(67108864)", "_pragma", "wal_autocheckpoint(512)")...)})
		s.write.SetMaxOpenConns(1)
	}
	s.read = sql.OpenDB(connector{d, s.dsn(reading...)})
	s.read.SetMaxOpenConns(s.config.Threads + 6)
	s.read.SetMaxIdleConns(s.config.Threads + 6)
	return nil
}

// reach makes the connection that writes, and with the first one to a new file a log of it (WAL). That is for one at a
// time, and of several who want it SQLite tells all but one at once that the file is busy: they have to ask again.
func (s *Store) reach(ctx context.Context) error {
	for until := time.Now().Add(busyTimeout); ; {
		err := s.write.PingContext(ctx)
		if !isCode(err, sqlite3.SQLITE_BUSY) || time.Now().After(until) {
			return s.busy(err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Millisecond):
		}
	}
}

func (s *Store) prepare(ctx context.Context) (err error) {
	for query, stmt := range map[string]**sql.Stmt{
		`SELECT version FROM release`: &s.version,
		readStrokes():                 &s.columns,
		`SELECT count(take(?, 0, data)) FROM units WHERE chunk = ? AND namespace = ? AND decimals = ?`: &s.units,
		`SELECT count(take(?, 0, data)) FROM numbers WHERE chunk = ? AND question = ?`:                 &s.numbers,
	} {
		if *stmt, err = s.read.PrepareContext(ctx, query); err != nil {
			return err
		}
	}
	return nil
}

//go:embed schema/*.sql
var schema embed.FS

// migrations are the steps from an empty file to the newest format, in order: step n makes format n.
func migrations() ([]string, error) {
	var steps []string
	for n := 1; ; n++ {
		names, err := fs.Glob(schema, fmt.Sprintf("schema/%d_*.sql", n))
		if err != nil || len(names) == 0 {
			return steps, err
		}
		if len(names) > 1 {
			return nil, fmt.Errorf("several steps make format %d: %s", n, strings.Join(names, ", "))
		}
		text, err := schema.ReadFile(names[0])
		if err != nil {
			return nil, err
		}
		steps = append(steps, string(text))
	}
}

// migrate brings the file to the newest format, each step in a transaction of its own.
func (s *Store) migrate(ctx context.Context, format int) error {
	steps, err := migrations()
	if err != nil {
		return err
	}
	for n := format; n < len(steps); n++ {
		err := s.update(ctx, func(tx *sql.Tx) error {
			var version int
			if err := tx.QueryRowContext(ctx, `PRAGMA user_version`).Scan(&version); err != nil || version > n {
				return err
			}
			_, err := tx.ExecContext(ctx, fmt.Sprintf("%s;\nPRAGMA application_id = %d; PRAGMA user_version = %d",
				steps[n], applicationID, n+1))
			if err == nil && n+1 == formatCoverage {
				err = toCoverage(ctx, tx)
			}
			return err
		})
		if err != nil {
			return fmt.Errorf("%s: making format %d: %w", s.path, n+1, err)
		}
	}
	return nil
}

// update runs do in a writing transaction and makes it durable. There is one at a time, in all processes together. If
// ctx ends first nothing is written, and the error is ctx's.
func (s *Store) update(ctx context.Context, do func(tx *sql.Tx) error) error {
	if s.write == nil {
		return audience.ErrReadOnly
	}
	tx, err := s.write.BeginTx(ctx, nil)
	if err != nil {
		return s.busy(err)
	}
	defer tx.Rollback()
	if err = do(tx); err == nil {
		err = tx.Commit()
	}
	err = s.busy(err)
	if ctx.Err() != nil && (errors.Is(err, sql.ErrTxDone) || isCode(err, sqlite3.SQLITE_INTERRUPT)) {
		return ctx.Err() // which took the transaction away
	}
	return err
}

// busy says in words why a change could not even begin.
func (s *Store) busy(err error) error {
	switch {
	case isCode(err, sqlite3.SQLITE_BUSY):
		return fmt.Errorf("%s: another process has been writing to the store for too long: %w", s.path, err)
	case isCode(err, sqlite3.SQLITE_READONLY):
		return s.unwritable()
	case isFull(err):
		s.full.Store(true)
		return fmt.Errorf("%s: %w", s.path, audience.ErrFull)
	case err == nil:
		s.full.Store(false)
	}
	return err
}

// isFull tells whether it is for want of room that something was not written.
func isFull(err error) bool {
	var e *sqlite.Error
	return errors.Is(err, syscall.ENOSPC) || isCode(err, sqlite3.SQLITE_FULL) ||
		errors.As(err, &e) && e.Code() == sqlite3.SQLITE_IOERR_SHMSIZE
}

// now is the time to the millisecond, which is how times are stored.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
