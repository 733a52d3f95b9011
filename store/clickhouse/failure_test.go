package clickhouse_test

import (
	"context"
	"errors"
	"os"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
)

// expect counts under a context and wants an error within a time, and then the right numbers once repair is done.
func expect(t *testing.T, p audience.Store, ctx context.Context, within time.Duration, want func(error) bool,
	repair func(), right [][]*audience.Table) {
	t.Helper()
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	start := time.Now()
	q := square(t, f, 120)
	q.Measures = audience.Squares
	apart(f, &q)
	tables, err := p.Count(ctx, f.Version, []audience.Query{square(t, f, 120), q})
	took := time.Since(start)
	if err == nil || tables != nil || !want(err) {
		t.Errorf("after %v: %d tables, error %v", took, len(tables), err)
	}
	if took > within {
		t.Errorf("the error came after %v, not within %v: %v", took, within, err)
	}
	t.Logf("after %v: %v", took.Round(time.Millisecond), err)
	repair()
	if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
		t.Errorf("the next query is wrong (-want +got):\n%s", diff)
	}
}

// A server that is killed, hangs, or lacks memory, and a request that is cancelled: an error in time, and the next
// query is right.
func TestFailure(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	for _, mode := range modes[1:] {
		t.Run(mode.name, func(t *testing.T) {
			c := mode.config(all)
			c.TileCells, c.BlockRespondents = 0, 0
			p := open(t, sqlite.Memory, c)
			load(t, p, 40_000)
			right := count(t, p, 20)
			c.Timeout = 5 * time.Second
			hurried, err := clickhouse.Open(t.Context(), p.embedded, c)
			if err != nil {
				t.Fatal(err)
			}
			defer hurried.Close()
			if diff := cmp.Diff(right, count(t, hurried, 20)); diff != "" {
				t.Fatal(diff)
			}
			var fault *clickhouse.Error
			failed := func(err error) bool { return errors.As(err, &fault) && fault.Address != "" }
			gone := func(err error) bool { return failed(err) && errors.Is(err, audience.ErrNoAnswer) }
			// A server that stands still is late with its answer, or with saying who it is if a connection has to be made.
			still := func(err error) bool {
				return gone(err) || failed(err) && errors.Is(err, context.DeadlineExceeded)
			}
			start := func() {
				if err := all[1].Start(); err != nil {
					t.Fatal(err)
				}
			}
			t.Run("kill", func(t *testing.T) {
				time.AfterFunc(50*time.Millisecond, func() { all[1].Signal(os.Kill) })
				expect(t, p, t.Context(), 20*time.Second, gone, func() { all[1].Kill(); start() }, right)
			})
			t.Run("killed before", func(t *testing.T) {
				all[1].Kill()
				expect(t, p, t.Context(), 20*time.Second, gone, start, right)
			})
			t.Run("stopped", func(t *testing.T) {
				all[1].Signal(syscall.SIGSTOP)
				expect(t, hurried, t.Context(), time.Minute, still, func() {
					all[1].Signal(syscall.SIGCONT)
					well(t, hurried)
					soon(t, "a question is answered", func() error {
						f, err := hurried.Frame(t.Context())
						if err == nil {
							_, err = hurried.Count(t.Context(), f.Version, []audience.Query{square(t, f, 20)})
						}
						return err
					})
				}, right)
			})
			t.Run("cancelled", func(t *testing.T) {
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(50*time.Millisecond, cancel)
				expect(t, p, ctx, 20*time.Second, func(err error) bool { return errors.Is(err, context.Canceled) },
					func() {}, right)
			})
			t.Run("deadline", func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
				defer cancel()
				expect(t, p, ctx, 20*time.Second, func(err error) bool {
					return errors.Is(err,
						context.DeadlineExceeded)
				}, func() {}, right)
			})
			t.Run("memory", func(t *testing.T) {
				tight := c
				tight.MemoryBytes = 1 << 20
				s, err := clickhouse.Open(t.Context(), p.embedded, tight)
				if err != nil {
					t.Fatal(err)
				}
				defer s.Close()
				f, _ := s.Frame(t.Context())
				if tables, err := s.Count(t.Context(), f.Version, []audience.Query{square(t, f, 60)}); !errors.Is(err,
					clickhouse.ErrMemory) || !errors.Is(err, audience.ErrNoAnswer) || tables != nil {
					t.Errorf("the error is %v", err)
				}
				if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
					t.Errorf("the next query is wrong (-want +got):\n%s", diff)
				}
			})
			for _, h := range p.Health(t.Context()) {
				if h.Err != nil || h.Rows == 0 || h.Bytes == 0 || h.Version == "" {
					t.Errorf("health: %+v", h)
				}
			}
		})
	}
}

// A limit in a server's own settings that cuts answers short there, without a word, is an error.
func TestLimitsOfTheServer(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	restart := func(t *testing.T, profile string) {
		t.Helper()
		last := all[1] // the other one begins the statements of a Distributed table
		last.Kill()
		if err := errors.Join(last.Profile(profile), last.Start()); err != nil {
			t.Fatal(err)
		}
	}
	for _, mode := range modes[1:] {
		t.Run(mode.name, func(t *testing.T) {
			restart(t, "")
			p := open(t, sqlite.Memory, mode.config(all))
			load(t, p, 3000)
			right := count(t, p, 10)
			f, err := p.Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, profile := range []string{
				"<max_rows_to_group_by>20</max_rows_to_group_by><group_by_overflow_mode>any</group_by_overflow_mode>",
				"<max_rows_to_group_by>20</max_rows_to_group_by><group_by_overflow_mode>break</group_by_overflow_mode>",
				"<max_rows_to_read>500</max_rows_to_read><read_overflow_mode>break</read_overflow_mode>",
			} {
				restart(t, profile)
				tables, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 10)})
				var fault *clickhouse.Error
				switch {
				case err == nil && !cmp.Equal(tables, right):
					t.Errorf("%s: the answer is not whole, and no error", profile)
				case err != nil && (tables != nil || !errors.As(err, &fault) || fault.Code == 0):
					t.Errorf("%s: the error is %v", profile, err)
				}
				t.Logf("%s: %v", profile, err)
			}
			restart(t, "")
			if diff := cmp.Diff(right, count(t, p, 10)); diff != "" {
				t.Errorf("without limits the next query is wrong (-want +got):\n%s", diff)
			}
		})
	}
}

// Many questions at once wait for one another as long as their time allows: the driver would give up waiting for a
// connection after some seconds.
func TestManyQuestionsAtOnce(t *testing.T) {
	heavy(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(cluster(t)), Timeout: time.Minute, Threads: 1,
		Statements: 1})
	load(t, p, 20_000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	q := square(t, f, 120)
	start := time.Now()
	var questions sync.WaitGroup
	for range testsize.Of(0, 24, 36) {
		questions.Go(func() {
			if _, err := p.Count(t.Context(), f.Version, []audience.Query{q}); err != nil {
				t.Error(err)
			}
		})
	}
	questions.Wait()
	t.Logf("all questions in %v", time.Since(start))
}
