package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/crosswave/crosswave/audience"
)

// What is no store, or not one that this program knows, is refused in words and left as it is.
func TestOpenRefuses(t *testing.T) {
	database := func(statements ...string) func(string) {
		return func(path string) {
			db, err := sql.Open("sqlite", path)
			check(t, err)
			defer db.Close()
			for _, s := range statements {
				_, err := db.Exec(s)
				check(t, err)
			}
		}
	}
	text := func(content string) func(string) {
		return func(path string) { check(t, os.WriteFile(path, []byte(content), 0o644)) }
	}
	app := fmt.Sprintf("PRAGMA application_id = %d", applicationID)
	for _, c := range []struct {
		name   string
		make   func(path string)
		config Config
		want   string
	}{
		{"text", text(strings.Repeat("respondent,wave,weight\n", 100)), Config{},
			"not a Crosswave store, nor an SQLite file"},
		{"a directory", func(path string) { check(t, os.Mkdir(path, 0o755)) }, Config{}, "it is a directory"},
		{"another program's", database("CREATE TABLE song (title)"), Config{}, "of another program"},
		{"another program's id", database("PRAGMA application_id = 7", "PRAGMA user_version = 1"), Config{},
			"of another program"},
		{"newer", database(app, "PRAGMA user_version = 999"), Config{}, "newer version of this program (format 999"},
		{"older, for reading", database(app, "CREATE TABLE x (y)"), Config{ReadOnly: true}, "older format (0"},
		{"nothing, for reading", func(string) {}, Config{ReadOnly: true}, "no such file"},
		{"empty, for reading", text(""), Config{ReadOnly: true}, "it is empty"},
		{"unknown kernel", func(string) {}, Config{Kernel: "mmx"}, `kernel "mmx" does not run on this machine: use one of`},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "file")
			c.make(path)
			before, _ := os.ReadFile(path)
			s, err := Open(t.Context(), path, c.config)
			if err == nil {
				s.Close()
				t.Fatal("it was opened")
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %q, which does not say %q", err, c.want)
			}
			if after, _ := os.ReadFile(path); string(before) != string(after) {
				t.Error("the file was changed")
			}
		})
	}
	if _, err := Open(t.Context(), Memory, Config{ReadOnly: true}); err == nil {
		t.Error("a store in memory was opened for reading only")
	}
}

func TestOpen(t *testing.T) {
	alone(t)
	path := filepath.Join(t.TempDir(), "a #store? of 100% ours.db")
	check(t, os.WriteFile(path, nil, 0o644)) // an empty file becomes a store
	s, err := Open(t.Context(), path, Config{})
	check(t, err)
	if s.Path() != path {
		t.Error("the path is", s.Path())
	}
	st := synthetic(1, 300)
	publish(t, s, st, st.Respondents)
	check(t, s.Close())
	check(t, s.Close())
	if _, err := s.Frame(t.Context()); err == nil {
		t.Error("a closed store answers")
	}
	files, err := filepath.Glob(filepath.Dir(path) + "/*")
	check(t, err)
	if len(files) != 1 || files[0] != path {
		t.Errorf("there is more than the store: %q", files)
	}
	for _, c := range []Config{{}, {ReadOnly: true}} {
		s, err := Open(t.Context(), path, c)
		check(t, err)
		same(t, s, reference(t, st))
		release, err := s.Release(t.Context())
		check(t, err)
		_, err = s.Begin(t.Context(), release, st.Survey)
		if c.ReadOnly {
			if !errors.Is(err, audience.ErrReadOnly) {
				t.Error("Begin on a store opened for reading only:", err)
			}
			if _, _, err := s.CreateKey(t.Context(), Key{}); !errors.Is(err, audience.ErrReadOnly) {
				t.Error("CreateKey on a store opened for reading only:", err)
			}
		} else {
			check(t, err)
		}
		check(t, s.Close())
	}
}

// Two that open a store that is not there yet make one together.
func TestOpenNewTogether(t *testing.T) {
	dir := t.TempDir()
	for i := range 40 {
		path := filepath.Join(dir, fmt.Sprint(i))
		var opening sync.WaitGroup
		together := make(chan struct{})
		for range 2 {
			opening.Go(func() {
				<-together
				s, err := Open(t.Context(), path, Config{})
				if err == nil {
					err = s.Close()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		close(together)
		opening.Wait()
	}
}

// What is given up before it is committed is not done, and says why, whether the change itself finds out or the commit.
func TestUpdateGivenUp(t *testing.T) {
	for name, told := range map[string]func(error) error{"by the change": func(err error) error { return err },
		"by the commit": func(error) error { return nil }} {
		s := openStore(t, Memory, Config{})
		ctx, cancel := context.WithCancel(t.Context())
		err := s.update(ctx, func(tx *sql.Tx) error {
			if _, err := tx.ExecContext(ctx, `INSERT INTO import (begun) VALUES (1)`); err != nil {
				return err
			}
			cancel()
			for { // until it is rolled back behind our back
				if _, err := tx.Exec(`SELECT 1`); err != nil {
					return told(err)
				}
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
		if n := rows(t, s, "import"); n != 0 {
			t.Errorf("%s: %d rows are there", name, n)
		}
	}
}

// Every connection of the pools has what it needs set, not just the first.
func TestConnections(t *testing.T) {
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"), Config{Threads: 2})
	for name, db := range map[string]*sql.DB{"read": s.read, "write": s.write} {
		for range db.Stats().MaxOpenConnections {
			c, err := db.Conn(t.Context())
			check(t, err)
			defer c.Close()
			for pragma, want := range map[string]string{
				"page_size": "65536", "journal_mode": "wal", "synchronous": "2", "foreign_keys": "1",
				"busy_timeout": "15000", "cell_size_check": "1",
				"application_id": fmt.Sprint(applicationID), "query_only": map[string]string{"read": "1", "write": "0"}[name],
			} {
				var got string
				check(t, c.QueryRowContext(t.Context(), "PRAGMA "+pragma).Scan(&got))
				if got != want {
					t.Errorf("%s connection: %s is %s, not %s", name, pragma, got, want)
				}
			}
		}
	}
}

// alone leaves a test out of the short ones, as run under the race detector, that does one thing after the other; those
// that do several at once are for it.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one import or damage after the other takes long")
	}
}
