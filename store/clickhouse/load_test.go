package clickhouse_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

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
