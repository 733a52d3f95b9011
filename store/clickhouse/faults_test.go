package clickhouse_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// do runs statements on a server, behind the store's back.
func do(t testing.TB, address string, statements ...string) {
	t.Helper()
	server, err := ch.Open(&ch.Options{Addr: []string{address}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for _, sql := range statements {
		if err := server.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
}

// number asks a server for a number.
func number(t testing.TB, address, sql string) (n int64) {
	t.Helper()
	server, err := ch.Open(&ch.Options{Addr: []string{address}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if err := server.QueryRow(t.Context(), sql).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

// rowsAt is how many respondents a server has in a store's table.
func rowsAt(t testing.TB, p *pair, address string) int64 {
	t.Helper()
	database, table, _ := strings.Cut(p.Table(), ".")
	return number(t, address, fmt.Sprintf("SELECT toInt64(sum(rows)) FROM system.parts WHERE active AND database = '%s' "+
		"AND table = '%s'", database, table))
}

// lose takes what a server has of a store's first wave away, and gives it back.
func lose(t testing.TB, p *pair, address string) (giveBack func()) {
	t.Helper()
	server, err := ch.Open(&ch.Options{Addr: []string{address}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	database, table, _ := strings.Cut(p.Table(), ".")
	var of string
	if err := server.QueryRow(t.Context(), fmt.Sprintf("SELECT min(partition) FROM system.parts WHERE active AND "+
		"database = '%s' AND table = '%s'", database, table)).Scan(&of); err != nil {
		t.Fatal(err)
	}
	do(t, address, "ALTER TABLE "+p.Table()+" DETACH PARTITION "+of)
	return func() { do(t, address, "ALTER TABLE "+p.Table()+" ATTACH PARTITION "+of) }
}

func twoWays(all []*clickhousetest.Server) map[string]clickhouse.Config {
	return map[string]clickhouse.Config{
		"addresses": {Addresses: addresses(all), Timeout: 20 * time.Second},
		"distributed": {Addresses: addresses(all), Timeout: 20 * time.Second, Cluster: clickhousetest.Cluster,
			Database: "around"},
	}
}

// Whether it is ready is what questions meet: with all there, with a server away, with respondents lost and found, and
// over HTTP it says no more than that.
func TestReady(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	for name, config := range twoWays(all) {
		t.Run(name, func(t *testing.T) {
			p := open(t, sqlite.Memory, config)
			if err := p.Ready(t.Context()); err != nil {
				t.Errorf("with nothing published: %v", err)
			}
			load(t, p, 2000)
			f, err := p.Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			h, err := httpapi.New(httpapi.Config{Store: p.embedded, Counter: p, Ready: p.Ready,
				Authorize: func(context.Context, string) (httpapi.Caller, error) { return httpapi.Caller{}, nil }})
			if err != nil {
				t.Fatal(err)
			}
			state := func(what string, want func(error) bool) {
				t.Helper()
				time.Sleep(1100 * time.Millisecond) // what was found is told for a second
				ready := p.Ready(t.Context())
				_, failed := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 2)})
				if !want(ready) || !want(failed) {
					t.Errorf("%s: ready: %v; a question: %v", what, ready, failed)
				}
				w, body := recorded(t, h, http.MethodGet, "/readyz", "")
				if ok := w.StatusCode == http.StatusOK; ok != (ready == nil) || strings.Contains(body, "127.0.0.1") {
					t.Errorf("%s: /readyz is %d %s", what, w.StatusCode, body)
				}
			}
			well := func(err error) bool { return err == nil }
			lost := func(err error) bool { var e *clickhouse.MissingError; return errors.As(err, &e) }
			state("all there", well)
			back := lose(t, p, all[1].Address())
			if err := p.Ready(t.Context()); err != nil {
				t.Errorf("it was asked again within the second: %v", err)
			}
			state("a partition is lost", lost)
			back()
			state("it is found again", well)
			all[1].Kill()
			state("a server is away", func(err error) bool { return errors.Is(err, audience.ErrNoAnswer) })
			if err := all[1].Start(); err != nil {
				t.Fatal(err)
			}
			state("it is there again", well)
			if config.Cluster != "" {
				do(t, all[0].Address(), "DROP TABLE "+p.Table()+"_all")
				state("the Distributed table was dropped", well)
			}
			do(t, all[1].Address(), "DROP TABLE "+p.Table())
			state("a table is lost", func(err error) bool { // to the servers of a cluster that is one they can't ask
				return err != nil && errors.Is(err, audience.ErrNoAnswer) == (config.Cluster != "")
			})
			found, err := p.Check(t.Context())
			if err != nil || len(found.Faults) == 0 || found.Waves[0].By[1] != 0 {
				t.Errorf("the check finds %+v, %v", found, err)
			}
		})
	}
}

// A Distributed table that is dropped while a store is served is made again by the next question, whose answer is right
// and whole; also by several at once, and by one of many statements.
func TestDistributedTableDropped(t *testing.T) {
	heavy(t)
	all := cluster(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all), Cluster: clickhousetest.Cluster,
		Database: "dropped", TileCells: 64})
	load(t, p, 3000)
	right := count(t, p, 20)
	for range 3 {
		do(t, all[0].Address(), "DROP TABLE "+p.Table()+"_all")
		answers := make(chan string, 4)
		for range cap(answers) {
			go func() {
				f, err := p.Frame(t.Context())
				if err != nil {
					answers <- err.Error()
					return
				}
				tables, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 20)})
				if err != nil {
					answers <- err.Error()
					return
				}
				answers <- cmp.Diff(right, tables)
			}()
		}
		for range cap(answers) {
			if diff := <-answers; diff != "" {
				t.Errorf("after it was dropped (-want +got): %s", diff)
			}
		}
	}
}

// An import over servers that lost respondents of what is to stay is refused before it changes anything, so that they
// can still be put back; one that replaces just what is lost is how to do without.
func TestImportOverLoss(t *testing.T) {
	heavy(t)
	all := cluster(t)
	for name, config := range twoWays(all) {
		t.Run(name, func(t *testing.T) {
			p := open(t, sqlite.Memory, config)
			load(t, p, 2000)
			right := count(t, p, 5)
			f, err := p.Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			bring := func(wave string) error {
				_, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 1, Respondents: 2000,
					Only: []string{wave}}), p, survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave}})
				return err
			}
			first, last := f.Waves[0].Code, f.Waves[len(f.Waves)-1].Code
			back := lose(t, p, all[1].Address())
			before := []int64{rowsAt(t, p, all[0].Address()), rowsAt(t, p, all[1].Address())}
			found, err := p.Check(t.Context())
			if err != nil || len(found.Faults) != 2 || !strings.Contains(found.Faults[1], all[1].Address()) ||
				!strings.Contains(found.Faults[0], first) {
				t.Errorf("the check finds %+v, %v", found, err)
			}
			var lost *clickhouse.MissingError
			if err := bring(last); !errors.As(err, &lost) || lost.Wave != first {
				t.Errorf("a replacement of another wave: %v", err)
			}
			after := []int64{rowsAt(t, p, all[0].Address()), rowsAt(t, p, all[1].Address())}
			now, err := p.Frame(t.Context())
			if err != nil || now.Version != f.Version || !cmp.Equal(before, after) {
				t.Errorf("what was refused changed something: version %d to %d, rows %v to %v, %v", f.Version, now.Version,
					before, after, err)
			}
			back()
			if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
				t.Errorf("put back, it counts otherwise:\n%s", diff)
			}
			if found, err := p.Check(t.Context()); err != nil || len(found.Faults) > 0 || found.Others != 0 {
				t.Errorf("the check finds %+v, %v", found, err)
			}
			lose(t, p, all[1].Address())
			if err := bring(first); err != nil {
				t.Errorf("a replacement of what is lost: %v", err)
			}
			if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
				t.Errorf("brought again, it counts otherwise:\n%s", diff)
			}
		})
	}
}

// What an import leaves that is given up because a server went away is removed at once at the others, and at that one
// by the next import.
func TestLeftoversWhereReached(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all), BlockRespondents: 50,
		Timeout: 10 * time.Second})
	load(t, p, 2000)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	right := count(t, p, 5)
	wave := f.Waves[0].Code
	bring := func(respondents int, progress func(survey.Progress)) error {
		_, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 1, Respondents: respondents,
			Only: []string{wave}}), p, survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave},
			Progress: progress})
		return err
	}
	before := []int64{rowsAt(t, p, all[0].Address()), rowsAt(t, p, all[1].Address())}
	killed := false
	err = bring(200_000, func(at survey.Progress) {
		if !killed && at.Respondents > 5000 {
			killed = true
			all[1].Kill()
		}
	})
	if !killed || !errors.Is(err, audience.ErrNoAnswer) {
		t.Fatalf("the import of which a server was killed: %v", err)
	}
	if got := rowsAt(t, p, all[0].Address()); got != before[0] {
		t.Errorf("the server that is there has %d respondents after the import was given up, not %d", got, before[0])
	}
	if err := all[1].Start(); err != nil {
		t.Fatal(err)
	}
	if got := rowsAt(t, p, all[1].Address()); got <= before[1] {
		t.Errorf("the server that was killed has %d respondents: the import left none, and nothing is shown", got)
	}
	if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
		t.Errorf("it counts otherwise:\n%s", diff)
	}
	if err := bring(2000, nil); err != nil {
		t.Fatal(err)
	}
	after := []int64{rowsAt(t, p, all[0].Address()), rowsAt(t, p, all[1].Address())}
	if after[0]+after[1] != before[0]+before[1] {
		t.Errorf("after the next import the servers have %v respondents, and had %v", after, before)
	}
}
