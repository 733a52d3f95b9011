package clickhouse_test

import (
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// replicas are two shards of two servers each, and their addresses.
func replicas(t testing.TB) (all [][]*clickhousetest.Server, shards []string, stopZooKeeper func()) {
	t.Helper()
	if reason := clickhousetest.SkipReplicas(); reason != "" {
		t.Skip(reason)
	}
	all, stop, err := clickhousetest.NewReplicated(t.TempDir(), 2)
	if err != nil {
		t.Fatal(err)
	}
	stop = sync.OnceFunc(stop)
	t.Cleanup(stop)
	for _, pair := range all {
		for _, s := range pair {
			if err := s.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.Kill)
		}
		shards = append(shards, strings.Join(addresses(pair), "|"))
	}
	return all, shards, stop
}

// Of replicas one may die, or hang, while questions are asked and while an import runs: each answer is there and right.
// One that comes back catches up, and then the other one may die.
func TestReplicas(t *testing.T) {
	heavy(t)
	all, shards, stopZooKeeper := replicas(t)
	embedded := open(t, sqlite.Memory, clickhouse.Config{Addresses: shards}).embedded
	load(t, embedded, 5000)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: shards, Timeout: 8 * time.Second, BlockRespondents: 100,
		TileCells: 100})
	load(t, p, 5000)
	right := count(t, embedded, 12)
	same := func(what string) {
		t.Helper()
		if diff := cmp.Diff(right, count(t, p, 12)); diff != "" {
			t.Errorf("%s: it counts otherwise (-embedded +replicas):\n%s", what, diff)
		}
		if err := p.Ready(t.Context()); err != nil {
			t.Errorf("%s: it is not ready: %v", what, err)
		}
	}
	same("all there")
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	underLoad := func(what string, happens func()) {
		t.Helper()
		var asking sync.WaitGroup
		var answers atomic.Int64
		end := make(chan struct{})
		for range 3 {
			asking.Go(func() {
				for {
					select {
					case <-end:
						return
					default:
					}
					tables, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 12)})
					if diff := cmp.Diff(right, tables); err != nil || diff != "" {
						t.Errorf("%s: %v (-want +got):\n%s", what, err, diff)
						return
					}
					answers.Add(1)
				}
			})
		}
		time.Sleep(300 * time.Millisecond)
		before := answers.Load()
		happens()
		for range 300 {
			if answers.Load() > before+12 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		close(end)
		asking.Wait()
		t.Logf("%s: %d answers, %d of them before", what, answers.Load(), before)
	}
	underLoad("a replica is killed", all[0][0].Kill)
	same("a replica is killed")
	underLoad("a replica hangs", func() { all[1][0].Signal(syscall.SIGSTOP) })
	same("a replica hangs")
	all[1][0].Signal(syscall.SIGCONT)

	wave := f.Waves[0].Code
	bring := func(to survey.Store, progress func(survey.Progress)) error {
		_, err := survey.Import(t.Context(), demo.New(demo.Config{Seed: 7, Respondents: 5000, Only: []string{wave}}), to,
			survey.Options{Mode: survey.Replace, ReplaceWaves: []string{wave}, Progress: progress})
		return err
	}
	if err := bring(embedded, nil); err != nil {
		t.Fatal(err)
	}
	right = count(t, embedded, 12)
	soon(t, "the replica that hung is there", func() error { return p.Health(t.Context())[2].Err })
	dies := sync.OnceFunc(all[1][0].Kill)
	if err := bring(p, func(survey.Progress) { dies() }); err != nil {
		t.Fatalf("an import during which a replica dies: %v", err)
	}
	dies()
	same("imported while a replica died")
	for _, dead := range []*clickhousetest.Server{all[0][0], all[1][0]} {
		if err := dead.Start(); err != nil {
			t.Fatal(err)
		}
	}
	caughtUp(t, p)
	all[0][1].Kill()
	all[1][1].Kill()
	same("the others are killed")
	if err := bring(p, nil); err != nil {
		t.Errorf("an import with one replica of each shard: %v", err)
	}
	same("imported with one replica of each shard")
	stopZooKeeper()
	same("ZooKeeper is away")
	if err := bring(p, nil); err == nil {
		t.Error("an import without ZooKeeper is said to be done")
	}
	same("an import without ZooKeeper failed")
	all[0][0].Kill()
	_, err = p.Count(t.Context(), f.Version+1, []audience.Query{square(t, f, 2)})
	if !errors.Is(err, audience.ErrNoAnswer) && !errors.Is(err, audience.ErrChanged) {
		t.Errorf("with a shard away: %v", err)
	}
}
