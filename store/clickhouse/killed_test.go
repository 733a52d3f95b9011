package clickhouse_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// Each is set to a store's path and a DSN, divided by a space, in a process that is to import into them until it is
// killed: while it sends respondents, or in the moment before it publishes them.
const (
	importInto  = "CROSSWAVE_TEST_IMPORT_INTO"
	publishInto = "CROSSWAVE_TEST_PUBLISH_INTO"
)

// importForever replaces a wave by more respondents than anybody waits for, and tells how many have been handed over.
func importForever(into string) {
	path, dsn, _ := strings.Cut(into, " ")
	config, err := clickhouse.ParseDSN(dsn)
	if err == nil {
		config.BlockRespondents = 200
		var p *pair
		if p, err = openPair(context.Background(), path, config); err == nil {
			var f *audience.Frame
			if f, err = p.Frame(context.Background()); err == nil {
				wave := f.Waves[0].Code
				_, err = survey.Import(context.Background(), demo.New(demo.Config{Seed: 9, Respondents: 10_000_000,
					Only: []string{wave}}), p,
					survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave},
						Progress: func(p survey.Progress) { fmt.Println(p.Respondents) }})
			}
		}
	}
	fmt.Println("ended:", err)
	os.Exit(1)
}

// publishForever appends a wave, and never gets from what the servers record of it to the embedded store's commit.
func publishForever(into string) {
	path, dsn, _ := strings.Cut(into, " ")
	config, err := clickhouse.ParseDSN(dsn)
	if err == nil {
		var embedded *sqlite.Store
		if embedded, err = sqlite.Open(context.Background(), path, sqlite.Config{}); err == nil {
			var s *clickhouse.Store
			store := &failing{embedded, func() error { fmt.Println("recorded"); time.Sleep(time.Hour); return nil }}
			if s, err = clickhouse.Open(context.Background(), store, config); err == nil {
				_, err = survey.Import(context.Background(), someWaves(2, fourth), s, survey.Options{Mode: survey.Append})
			}
		}
	}
	fmt.Println("ended:", err)
	os.Exit(1)
}

// killed runs this program, with a variable set, until it has told so many lines, and kills it.
func killed(t *testing.T, variable, value string, lines int) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), variable+"="+value)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	defer io.Copy(io.Discard, out)
	defer cmd.Process.Kill()
	told := bufio.NewScanner(out)
	for range lines {
		if !told.Scan() || strings.HasPrefix(told.Text(), "ended") {
			t.Fatalf("the import ended by itself: %s", told.Text())
		}
	}
}

// A process that imports is killed: what was published stays, its rows are never counted, and the next import removes
// them.
func TestKilledImport(t *testing.T) {
	all := cluster(t)
	path := filepath.Join(t.TempDir(), "store.db")
	p := open(t, path, clickhouse.Config{Addresses: addresses(all)})
	load(t, p, 2000)
	right := count(t, p, 20)
	published := rows(t, p)
	for lines := range 3 { // it is killed early, later, later still
		killed(t, importInto, path+" clickhouse://"+strings.Join(addresses(all), ","), lines+1)
		if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
			t.Fatalf("killed after %d batches, it changed what is published:\n%s", lines+1, diff)
		}
	}
	left := rows(t, p) - published
	if left <= 0 {
		t.Fatalf("the killed imports left %d rows: nothing is shown", left)
	}
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	wave := f.Waves[0].Code
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 1, Respondents: 2000, Only: []string{wave}}), p,
		survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave}}); err != nil {
		t.Fatal(err)
	}
	if got := rows(t, p); got != published {
		t.Errorf("after the next import the servers have %d rows, and %d respondents are published; the killed ones "+
			"had left %d", got, published, left)
	}
	if diff := cmp.Diff(right, count(t, p, 20)); diff != "" {
		t.Errorf("the same respondents count otherwise:\n%s", diff)
	}
}

// A process is killed after the servers' records say that its import is published, and before it is. Nothing of it is
// counted; but as its store looks like a copy of the one that published, it is refused by the next import until it
// adopts the table, which can remove what was left.
func TestKilledPublication(t *testing.T) {
	heavy(t)
	all := cluster(t)
	config := clickhouse.Config{Addresses: addresses(all)}
	path := filled(t, config)
	p := open(t, path, config)
	before, published := count(t, p, 5), rows(t, p)
	id, err := p.embedded.ID(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	killed(t, publishInto, path+" clickhouse://"+strings.Join(addresses(all), ","), 1)
	left := rows(t, p) - published
	if left <= 0 {
		t.Fatalf("the killed import left %d rows: nothing is shown", left)
	}
	counts(t, "the store", p, before)
	if other := refused(t, grown(t, p, 3, fourth)); !other.Copy || other.Store != id {
		t.Errorf("it is no copy: %v", other)
	}
	counts(t, "the store, refused,", p, before)
	adopted, err := p.Adopt(t.Context(), true)
	if diff := cmp.Diff(clickhouse.Adoption{Stores: []string{id}, Respondents: published, Others: left},
		adopted); diff != "" || err != nil {
		t.Errorf("adopted, error %v (-want +got):\n%s", err, diff)
	}
	if n := rows(t, p); n != published {
		t.Errorf("the servers have %d rows, and %d respondents are published", n, published)
	}
	if err := grown(t, p, 3, fourth); err != nil {
		t.Fatal(err)
	}
	counts(t, "the store", p, embeddedWith(t, 3, fourth))
}

// rows is how many rows the servers have of a store.
func rows(t testing.TB, p *pair) (n int64) {
	t.Helper()
	for _, h := range p.Health(t.Context()) {
		if h.Err != nil {
			t.Fatal(h.Err)
		}
		n += h.Rows
	}
	return n
}

// An old copy of the embedded store that is put back, and a list of servers that lacks one, are errors that say which
// wave lacks respondents, never smaller numbers.
func TestMissing(t *testing.T) {
	config := clickhouse.Config{Addresses: addresses(cluster(t))}
	dir := t.TempDir()
	path, old := filepath.Join(dir, "store.db"), filepath.Join(dir, "old.db")
	shut := func(p *pair) {
		if err := errors.Join(p.Close(), p.embedded.Close()); err != nil {
			t.Fatal(err)
		}
	}
	p, err := openPair(t.Context(), path, config)
	if err != nil {
		t.Fatal(err)
	}
	load(t, p, 2000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shut(p)
	text, err := os.ReadFile(path)
	if err == nil {
		err = os.WriteFile(old, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	missing := func(path string, c clickhouse.Config, wave string) {
		t.Helper()
		p := open(t, path, c)
		f, err := p.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		tables, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 2)})
		var fault *clickhouse.MissingError
		if !errors.As(err, &fault) || tables != nil || fault.Wave != wave || fault.Got >= fault.Want ||
			errors.Is(err, audience.ErrNoAnswer) || !strings.Contains(err.Error(), wave) {
			t.Errorf("the error is %v", err)
		}
	}
	missing(old, clickhouse.Config{Addresses: config.Addresses[:1]}, f.Waves[0].Code)
	p, err = openPair(t.Context(), path, config)
	if err != nil {
		t.Fatal(err)
	}
	last := f.Waves[len(f.Waves)-1].Code
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 2, Respondents: 2000, Only: []string{last}}), p,
		survey.Options{Mode: survey.Replace, ReplaceWaves: []string{last}}); err != nil {
		t.Fatal(err)
	}
	right := count(t, p, 5)
	shut(p)
	missing(old, config, last)
	if diff := cmp.Diff(right, count(t, open(t, path, config), 5)); diff != "" {
		t.Errorf("the store that was published last counts otherwise:\n%s", diff)
	}
}

// What a server has lost while a version is being counted, as by a loss of power, is an error at the next question, and
// no smaller number; nor is it left out of an export.
func TestMissingLater(t *testing.T) {
	heavy(t)
	all := cluster(t)
	for _, mode := range modes[1:] {
		t.Run(mode.name, func(t *testing.T) {
			config := mode.config(all)
			config.Database, config.Table = "lost_"+strings.ReplaceAll(mode.name, " ", "_"), "missing_later"
			p := open(t, sqlite.Memory, config)
			load(t, p, 2000)
			right := count(t, p, 5)
			f, err := p.Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			server, err := ch.Open(&ch.Options{Addr: []string{all[1].Address()}})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			var of string // the partition of the first wave
			if err := server.QueryRow(t.Context(), fmt.Sprintf("SELECT min(partition) FROM system.parts WHERE active AND "+
				"database = '%s' AND table = '%s'", config.Database, config.Table)).Scan(&of); err != nil {
				t.Fatal(err)
			}
			partition := func(do string) {
				t.Helper()
				if err := server.Exec(t.Context(), fmt.Sprintf("ALTER TABLE %s.%s %s PARTITION %s", config.Database,
					config.Table, do, of)); err != nil {
					t.Fatal(err)
				}
			}
			partition("DETACH")
			missing := func(err error) {
				t.Helper()
				var fault *clickhouse.MissingError
				if !errors.As(err, &fault) || fault.Got >= fault.Want || fault.Got == 0 {
					t.Errorf("the error is %v", err)
				}
			}
			tables, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 5)})
			if missing(err); tables != nil {
				t.Error("there are figures beside the error")
			}
			describer, err := p.embedded.Source(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer describer.Close()
			_, err = p.Source(t.Context(), describer)
			missing(err)
			partition("ATTACH")
			if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
				t.Errorf("with all there again it counts otherwise:\n%s", diff)
			}
		})
	}
}

// Respondents read back from the servers make the same store as those read back from the embedded one.
func TestSource(t *testing.T) {
	heavy(t)
	config := clickhouse.Config{Addresses: addresses(cluster(t))}
	respondents := testsize.Of(0, 1500, 5000)
	embedded := open(t, sqlite.Memory, config).embedded
	load(t, embedded, respondents)
	moved := open(t, sqlite.Memory, config)
	load(t, moved, respondents)
	right := count(t, embedded, 20)
	describer, err := moved.embedded.Source(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer describer.Close()
	src, err := moved.Source(t.Context(), describer)
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	for range 2 { // each time it is read from the start
		again := open(t, sqlite.Memory, config).embedded
		report, err := survey.Import(t.Context(), src, again, survey.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if report.Respondents != int64(respondents) {
			t.Fatalf("%d respondents came back, of %d", report.Respondents, respondents)
		}
		if diff := cmp.Diff(right, count(t, again, 20)); diff != "" {
			t.Fatalf("read back, respondents count otherwise (-embedded +read back):\n%s", diff)
		}
		want, err := embedded.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Coverage(), got.Coverage()); diff != "" {
			t.Errorf("where everything was asked differs (-embedded +read back):\n%s", diff)
		}
		// What was derived from the answers is declared once it was read back.
		declared := cmpopts.IgnoreTypes(audience.Asked{})
		if diff := cmp.Diff(want.Questions, got.Questions, declared); diff != "" {
			t.Errorf("the questions differ (-embedded +read back):\n%s", diff)
		}
		if diff := cmp.Diff(want.Namespaces, got.Namespaces); diff != "" {
			t.Errorf("the namespaces differ (-embedded +read back):\n%s", diff)
		}
	}
}
