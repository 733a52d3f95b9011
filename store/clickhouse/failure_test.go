package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func load(t testing.TB, st survey.Store, respondents int) {
	t.Helper()
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 1, Respondents: respondents}), st,
		survey.Options{}); err != nil {
		t.Fatal(err)
	}
}

// square is a query of n rows × n columns over everything, one stratum.
func square(t testing.TB, f *audience.Frame, n int) audience.Query {
	t.Helper()
	q := audience.Query{Namespace: f.Namespaces[0].Code, Strata: []audience.Cover{audience.NewCover(f.Size())}}
	for i := range f.Size() {
		q.Strata[0].Set(i)
	}
	var all []audience.Expr
	for i := range f.Questions {
		if f.Questions[i].Namespace != q.Namespace {
			continue
		}
		for _, a := range f.PerDatapoint(i) {
			all = append(all, a.Expr)
		}
	}
	if len(all) < 2*n {
		t.Fatalf("the demo survey has %d datapoints", len(all))
	}
	q.Rows, q.Columns = all[:n], all[len(all)-n:]
	return q
}

func count(t testing.TB, st audience.Store, n int) [][]*audience.Table {
	t.Helper()
	f, err := st.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	tables, err := st.Count(t.Context(), f.Version, []audience.Query{square(t, f, n)})
	if err != nil {
		t.Fatal(err)
	}
	return tables
}

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
			late := func(err error) bool {
				return failed(err) && errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, audience.ErrNoAnswer)
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
				expect(t, hurried, t.Context(), time.Minute, late, func() {
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

// An import that ends at any moment leaves what was published as it was, on all shards, and no rows.
func TestInterruptedLoad(t *testing.T) {
	heavy(t)
	c := modes[2].config(cluster(t))
	c.BlockRespondents = 200
	p := open(t, sqlite.Memory, c)
	load(t, p, 3000)
	right := count(t, p, 5)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	replaced := f.Waves[0].Code
	src := demo.New(demo.Config{Seed: 2, Respondents: 3000, Only: []string{replaced}})
	start := time.Now()
	load := func(ctx context.Context) error {
		_, err := survey.Import(ctx, src, p, survey.Options{Mode: survey.Replace, ReplaceWaves: []string{replaced}})
		return err
	}
	if err := load(t.Context()); err != nil {
		t.Fatal(err)
	}
	whole := time.Since(start)
	other := count(t, p, 5)
	if cmp.Equal(right, other) {
		t.Fatal("the replaced wave counts like the one before")
	}
	r := rand.New(rand.NewPCG(1, 2))
	stopped, loads := 0, 0
	enough := testsize.Of(5, 12, 50)
	for ; stopped < enough && loads < 4*enough; loads++ { // some come to their end first
		i := loads
		before := count(t, p, 5)
		seed := uint64(i + 3)
		src = demo.New(demo.Config{Seed: seed, Respondents: 3000, Only: []string{replaced}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(r.Int64N(int64(whole))))
		err := load(ctx)
		cancel()
		after := count(t, p, 5)
		if err != nil {
			stopped++
			if diff := cmp.Diff(before, after); diff != "" {
				t.Fatalf("load %d, stopped (%v), changed what is published:\n%s", i, err, diff)
			}
		}
		f, err := p.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want := int64(0)
		release, err := p.Release(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range release.Facts {
			want += x.Respondents
		}
		var rows int64
		for _, h := range p.Health(t.Context()) {
			rows += h.Rows
		}
		if rows != want {
			t.Fatalf("after load %d (version %d) the servers have %d rows, and %d respondents are published", i,
				f.Version, rows, want)
		}
	}
	t.Logf("%d of %d loads were stopped on their way; a whole one takes %v", stopped, loads, whole)
	if stopped < enough {
		t.Errorf("only %d of %d loads were stopped on their way", stopped, loads)
	}
}

// Imports that begin at the same time, in several processes, make tables and columns for each other, and none fails for
// it.
func TestBeginTogether(t *testing.T) {
	heavy(t)
	all := cluster(t)
	path := filepath.Join(t.TempDir(), "store.db")
	var pairs []*pair
	for range 4 {
		pairs = append(pairs, open(t, path, clickhouse.Config{Addresses: addresses(all), Database: "together"}))
	}
	sv, err := demo.New(demo.Config{Seed: 1, Respondents: 10}).Describe(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	base, err := pairs[0].Release(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for round := range 8 {
		var imports sync.WaitGroup
		for i, p := range pairs {
			// Each round needs more columns, and each import other ones.
			mine := *sv
			mine.Questions = slices.Clone(sv.Questions)
			for n := range 4*round + i + 1 {
				q := audience.Question{Namespace: sv.Namespaces[0].Code, Code: fmt.Sprint("more", n), Kind: audience.Multi}
				for j := range 60 {
					q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint(j)})
				}
				mine.Questions = append(mine.Questions, q)
			}
			imports.Go(func() {
				w, err := p.Begin(t.Context(), base, &mine)
				if err == nil {
					err = w.Abort()
				}
				if err != nil {
					t.Error(err)
				}
			})
		}
		imports.Wait()
	}
}

// What is withdrawn while it is counted goes when that count is done, also if nothing else is ever counted.
func TestWithdrawnWhileCounted(t *testing.T) {
	heavy(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(cluster(t))})
	const respondents = 20_000
	load(t, p, respondents)
	want := int64(respondents)
	for range 5 { // a count may be done before its wave is withdrawn
		shown := withdrawWhileCounting(t, p, &want)
		var left int64
		for range 2400 { // the rows go in the background
			if left = rows(t, p); left == want {
				break
			}
			time.Sleep(50 * time.Millisecond)
		}
		if left != want {
			t.Fatalf("the servers have %d rows, and %d respondents are published", left, want)
		}
		if shown {
			return
		}
	}
	t.Error("no count took longer than it takes to withdraw a wave")
}

// withdrawWhileCounting withdraws the first wave while it is counted, takes its respondents from want, and tells
// whether the servers still had them when it was withdrawn.
func withdrawWhileCounting(t *testing.T, p *pair, want *int64) bool {
	count(t, p, 1) // the version is verified
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	counted := make(chan error)
	go func() {
		_, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 100)})
		counted <- err
	}()
	time.Sleep(20 * time.Millisecond)
	report, err := survey.Withdraw(t.Context(), p, []string{f.Waves[0].Code})
	if err != nil {
		t.Fatal(err)
	}
	during := rows(t, p)
	if err := <-counted; err != nil {
		t.Fatal(err)
	}
	*want -= report.Withdrawn[0].Respondents
	return during != *want
}

// A question moves its answer between the servers, not respondents. CROSSWAVE_CLICKHOUSE_RESPONDENTS says how many are
// loaded.
func TestBytesBetweenServers(t *testing.T) {
	n := 20_000
	if text := os.Getenv("CROSSWAVE_CLICKHOUSE_RESPONDENTS"); text != "" {
		var err error
		if n, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	heavy(t)
	all := cluster(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all), Cluster: clickhousetest.Counted,
		Database: "counted"})
	start := time.Now()
	load(t, p, n)
	loaded := time.Since(start)
	count(t, p, 1) // the version is verified
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		size     int
		measures audience.Measures
		most     int64 // bytes
	}{{20, 0, 100_000}, {50, 0, 500_000}, {20, audience.Squares, 1_500_000}, {50, audience.Squares, 10_000_000}} {
		for _, s := range all {
			s.Passed.Store(0)
		}
		q := square(t, f, c.size)
		if q.Measures = c.measures; q.Measures.Has(audience.Squares) {
			apart(f, &q)
		}
		start = time.Now()
		if _, err := p.Count(t.Context(), f.Version, []audience.Query{q}); err != nil {
			t.Fatal(err)
		}
		took := time.Since(start)
		var bytes int64
		for _, s := range all {
			bytes += s.Passed.Load()
		}
		var rows, disk int64
		for _, h := range p.Health(t.Context()) {
			rows, disk = rows+h.Rows, disk+h.Bytes
		}
		t.Logf("%d respondents, %d on disk, loaded in %v (%.1f bytes each, %.1f s a million): %d×%d in %d strata in %v, %d "+
			"bytes between servers",
			rows, disk, loaded.Round(time.Millisecond), float64(disk)/float64(rows), loaded.Seconds()/float64(rows)*1e6,
			c.size, c.size, len(q.Strata), took.Round(time.Millisecond), bytes)
		if bytes == 0 || bytes >= c.most {
			t.Errorf("%d bytes passed between the servers for %d × %d", bytes, c.size, c.size)
		}
	}
}

// What was opened for moving before something else was published is not put in its place.
func TestMoveOfOldVersion(t *testing.T) {
	p := open(t, sqlite.Memory, modes[2].config(cluster(t)))
	load(t, p.embedded, 1000)
	old, err := p.embedded.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wave := f.Waves[0].Code // as many respondents of it come in as go
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 2, Respondents: 1000, Only: []string{wave}}),
		p.embedded,
		survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave}}); err != nil {
		t.Fatal(err)
	}
	right := count(t, p.embedded, 5)
	if n, err := p.Move(t.Context(), old, nil); n != 0 || !errors.Is(err, audience.ErrChanged) {
		t.Errorf("%d respondents moved, error %v", n, err)
	}
	if diff := cmp.Diff(right, count(t, p.embedded, 5)); diff != "" {
		t.Errorf("a refused move changed what is published:\n%s", diff)
	}
}

// What was embedded is moved with every figure, and an embedded store that was moved refuses to count or import by
// itself.
func TestMove(t *testing.T) {
	config := modes[2].config(cluster(t))
	p := open(t, sqlite.Memory, config)
	load(t, p.embedded, 3000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	right := count(t, p.embedded, 20)
	if _, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 1)}); err == nil {
		t.Error("ClickHouse counts respondents that are in the embedded store")
	}
	src, err := p.embedded.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	n, err := p.Move(t.Context(), src, nil)
	src.Close()
	if err != nil || n != 3000 {
		t.Fatalf("%d respondents moved, error %v", n, err)
	}
	if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
		t.Errorf("moved, the counts differ (-embedded +ClickHouse):\n%s", diff)
	}
	f, _ = p.Frame(t.Context())
	if _, err := p.embedded.Count(t.Context(), f.Version, []audience.Query{square(t, f, 1)}); err == nil {
		t.Error("the embedded store counts what it no longer has")
	}
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 2, Respondents: 3000,
		Only: []string{f.Waves[0].Code}}), p.embedded,
		survey.Options{Mode: survey.Replace, ReplaceWaves: []string{f.Waves[0].Code}}); err == nil {
		t.Error("the embedded store took in respondents that belong to ClickHouse")
	}
	if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
		t.Errorf("after a refused import the counts differ:\n%s", diff)
	}
}
