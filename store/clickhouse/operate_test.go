package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// What is on one server is copied to two, all figures as they were; a copy that is given up, or is into the same table,
// changes nothing, and from the one that is done on only where it went to is asked, and imported into.
func TestTake(t *testing.T) {
	heavy(t)
	all := cluster(t)
	path := filepath.Join(t.TempDir(), "store.db")
	from := open(t, path, clickhouse.Config{Addresses: addresses(all[:1])})
	if _, err := survey.Import(t.Context(), someWaves(1, firstOnes...), from, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	more := clickhouse.Config{Addresses: addresses(all), Database: "more_shards"}
	to := open(t, path, more)
	take := func(to *pair, progress func(survey.Progress)) (int64, error) {
		describer, err := from.embedded.Source(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		defer describer.Close()
		src, err := from.Source(t.Context(), describer)
		if err != nil {
			t.Fatal(err)
		}
		defer src.Close()
		return to.Take(t.Context(), src, progress)
	}
	same := open(t, path, clickhouse.Config{Addresses: addresses(all)})
	if _, err := take(same, nil); err == nil || !strings.Contains(err.Error(), "?table=") {
		t.Errorf("into the same table: %v", err)
	}
	appended := sync.OnceValue(func() error { return grown(t, from, 2, fourth) })
	given, err := take(open(t, path, more), func(survey.Progress) {
		if err := appended(); err != nil {
			t.Error(err)
		}
	})
	if !errors.Is(err, audience.ErrChanged) {
		t.Errorf("a copy during which something else was published: %d, %v", given, err)
	}
	if n := rows(t, to); n != 0 {
		t.Errorf("a copy that was given up left %d respondents", n)
	}
	right := count(t, from, 12)
	n, err := take(to, nil)
	if err != nil || n != rows(t, from) {
		t.Fatalf("%d respondents were taken: %v", n, err)
	}
	if diff := cmp.Diff(right, count(t, to, 12)); diff != "" {
		t.Errorf("where it went to it counts otherwise (-before +after):\n%s", diff)
	}
	if at := []int64{rowsAt(t, to, all[0].Address()), rowsAt(t, to, all[1].Address())}; at[0] < n/3 || at[1] < n/3 {
		t.Errorf("the servers have %v respondents of %d", at, n)
	}
	f, err := from.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := from.Count(t.Context(), f.Version, []audience.Query{square(t, f, 2)}); err == nil {
		t.Error("what was left behind is still counted")
	}
	if err := grown(t, from, 3, fifth); err == nil {
		t.Error("what was left behind is still imported into")
	}
	if err := grown(t, to, 3, fifth); err != nil {
		t.Errorf("an import where it went to: %v", err)
	}
	embedded := open(t, sqlite.Memory, more).embedded
	if _, err := survey.Import(t.Context(), someWaves(1, firstOnes...), embedded, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(grown(t, embedded, 2, fourth), grown(t, embedded, 3, fifth)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(count(t, embedded, 12), count(t, open(t, path, more), 12)); diff != "" {
		t.Errorf("opened anew it counts otherwise than the embedded store (-embedded +ClickHouse):\n%s", diff)
	}
}

// appendInto is set to a store's path, a DSN, a seed and a wave, divided by spaces, in a process that is to append it.
const appendInto = "CROSSWAVE_TEST_APPEND_INTO"

// appendOne appends a wave.
func appendOne(into string) {
	part := strings.Split(into, " ")
	seed, err := strconv.ParseUint(part[2], 10, 64)
	var config clickhouse.Config
	if err == nil {
		config, err = clickhouse.ParseDSN(part[1])
	}
	var p *pair
	if err == nil {
		p, err = openPair(context.Background(), part[0], config)
	}
	if err == nil {
		_, err = survey.Import(context.Background(), someWaves(seed, part[3]), p, survey.Options{Mode: survey.Append})
	}
	if err != nil {
		fmt.Println("ended:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// Several processes that import into one store at the same time, each a wave of its own, all come through: one at a
// time publishes, and the others go on from what it has published. Several who serve it meanwhile count each version
// whole.
func TestSeveral(t *testing.T) {
	heavy(t)
	all := cluster(t)
	config := clickhouse.Config{Addresses: addresses(all), Database: "several"}
	path := filepath.Join(t.TempDir(), "store.db")
	if _, err := survey.Import(t.Context(), someWaves(1, firstOnes[:1]...), open(t, path, config),
		survey.Options{}); err != nil {
		t.Fatal(err)
	}
	var serving, importing sync.WaitGroup
	var counted atomic.Int64
	end := make(chan struct{})
	for range 2 {
		p := open(t, path, config)
		serving.Go(func() {
			for {
				select {
				case <-end:
					return
				default:
				}
				err := audience.Read(t.Context(), p, func(r *audience.Reading) error {
					release, err := p.Release(t.Context())
					if err != nil {
						return err
					}
					if release.Version() != r.Frame.Version {
						return audience.ErrChanged
					}
					q := square(t, r.Frame, 2)
					tables, err := p.Count(t.Context(), r.Frame.Version, []audience.Query{q})
					if err != nil {
						return err
					}
					var want int64
					for _, x := range release.Facts {
						want += x.Namespaces[0].Sample
					}
					if got := tables[0][0].Counts[0].Sample; got != want {
						return fmt.Errorf("version %d has %d respondents, and %d were counted", r.Frame.Version, want, got)
					}
					counted.Add(1)
					return nil
				})
				if err != nil && !errors.Is(err, audience.ErrChanged) {
					t.Error(err)
				}
			}
		})
	}
	waves := append(firstOnes[1:len(firstOnes):len(firstOnes)], fourth, fifth)
	for i, wave := range waves {
		importing.Go(func() {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s clickhouse://%s/several %d %s", appendInto, path,
				strings.Join(addresses(all), ","), i+2, wave))
			if told, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("wave %s: %v: %s", wave, err, told)
			}
		})
	}
	importing.Wait()
	close(end)
	serving.Wait()
	t.Logf("%d answers", counted.Load())
	p := open(t, path, config)
	embedded := open(t, sqlite.Memory, config).embedded
	if _, err := survey.Import(t.Context(), someWaves(1, firstOnes[:1]...), embedded, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	for i, wave := range waves {
		if err := grown(t, embedded, uint64(i+2), wave); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(count(t, embedded, 5), count(t, p, 5)); diff != "" {
		t.Errorf("it counts otherwise (-embedded +several):\n%s", diff)
	}
	if found, err := p.Check(t.Context()); err != nil || len(found.Faults) > 0 || found.Others != 0 {
		t.Errorf("the check finds %+v, %v", found, err)
	}
}

// A user who may only read, and set settings (readonly = 2), can be asked by; imports need more.
func TestReadOnlyUser(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all)})
	if _, err := survey.Import(t.Context(), someWaves(1, firstOnes...), p, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	right := count(t, p, 5)
	for _, s := range all {
		s.Kill()
		if err := errors.Join(s.Profile("<readonly>2</readonly>"), s.Start()); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
		t.Errorf("it counts otherwise:\n%s", diff)
	}
	if err := p.Ready(t.Context()); err != nil {
		t.Errorf("it is not ready: %v", err)
	}
	if found, err := p.Check(t.Context()); err != nil || len(found.Faults) > 0 {
		t.Errorf("the check finds %+v, %v", found, err)
	}
	var fault *clickhouse.Error
	if err := grown(t, p, 2, fifth); !errors.As(err, &fault) || fault.Code == 0 {
		t.Errorf("an import: %v", err)
	}
	if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
		t.Errorf("after a refused import it counts otherwise:\n%s", diff)
	}
}
