package sqlite

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
)

// benchStore imports the demo survey: as many respondents as CROSSWAVE_BENCH_RESPONDENTS says, else 100,000.
func benchStore(b *testing.B) string {
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("CROSSWAVE_BENCH_RESPONDENTS"), "100000"))
	path := filepath.Join(b.TempDir(), "bench.db")
	s, err := Open(b.Context(), path, Config{})
	check(b, err)
	defer s.Close()
	begun := time.Now()
	_, err = survey.Import(b.Context(), demo.New(demo.Config{Respondents: n}), s, survey.Options{})
	check(b, err)
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	st, err := s.Stats(b.Context())
	check(b, err)
	b.Logf("%d respondents imported in %v; %d chunks, %d columns, %d bytes (%d free); %d MB taken from the system", n,
		time.Since(begun).Round(time.Millisecond),
		st.Chunks, st.Columns, st.FileBytes, st.FreeBytes, m.Sys>>20)
	return path
}

// options is up to n expressions: datapoints of the default namespace's questions, one after the other; of the widest
// question or of all others.
func options(f *audience.Frame, n int, wide bool) []audience.Expr {
	var xs []audience.Expr
	questions := slices.Clone(f.Questions)
	for i := range questions {
		q := &questions[i]
		if (q.Code == demo.Wide) == wide && q.Namespace == f.Namespaces[0].Code && !q.Grid() {
			for _, d := range q.Datapoints {
				xs = append(xs, leaf(q.Key(), d.Code))
			}
		}
	}
	return xs[:min(n, len(xs))]
}

func BenchmarkCount(b *testing.B) {
	path := benchStore(b)
	cases := []struct {
		name    string
		query   func(f *audience.Frame) []audience.Query
		perWave bool
	}{
		{name: "50x50", query: func(f *audience.Frame) []audience.Query {
			return []audience.Query{{Rows: options(f, 50, true), Columns: options(f, 50, false)}}
		}},
		{name: "50x1x8", perWave: true, query: func(f *audience.Frame) []audience.Query {
			return []audience.Query{{Rows: options(f, 50, true), Columns: options(f, 1, false)}}
		}},
		{name: "1x1", query: func(f *audience.Frame) []audience.Query {
			return []audience.Query{{Rows: options(f, 1, true), Columns: options(f, 1, false)}}
		}},
		{name: "250x200", query: func(f *audience.Frame) []audience.Query {
			return []audience.Query{{Rows: options(f, 250, false), Columns: options(f, 200, false)}}
		}},
	}
	run := func(name string, c Config, cold bool) {
		for _, cs := range cases {
			b.Run(name+"/"+cs.name, func(b *testing.B) {
				s := openStore(b, path, c)
				f, err := s.Frame(b.Context())
				check(b, err)
				qs := cs.query(f)
				for i := range qs {
					qs[i].Namespace, qs[i].Strata = f.Namespaces[0].Code, strata(f, cs.perWave)
				}
				_, err = s.Count(b.Context(), f.Version, qs)
				check(b, err)
				b.ReportAllocs()
				for b.Loop() {
					if cold {
						s.cache = newCache(s.config.CacheBytes)
					}
					_, err := s.Count(b.Context(), f.Version, qs)
					check(b, err)
				}
				b.ReportMetric(float64(s.cache.snapshot().Most)/1e6, "cachedMB")
			})
		}
	}
	for _, k := range kernel.All() {
		for _, threads := range []int{1, 2} {
			run(fmt.Sprintf("%s/%d/warm", k.Name(), threads), Config{Kernel: k.Name(), Threads: threads}, false)
		}
	}
	run("best/1/cold", Config{Threads: 1}, true)
	run("best/2/cold", Config{Threads: 2}, true)
	b.Run("cancel", func(b *testing.B) { benchmarkCancel(b, path) })
}

// benchmarkCancel tells how long it takes until a large Count that is given up has let go of its threads.
func benchmarkCancel(b *testing.B, path string) {
	for _, k := range kernel.All() {
		b.Run(k.Name(), func(b *testing.B) {
			s := openStore(b, path, Config{Kernel: k.Name()})
			f, err := s.Frame(b.Context())
			check(b, err)
			q := audience.Query{Namespace: f.Namespaces[0].Code, Strata: strata(f, true)}
			few := options(f, 200, false)
			for i := range 500 {
				x := audience.And{few[i%200], audience.Not{X: few[(i/200+7*i+1)%200]}}
				q.Rows, q.Columns = append(q.Rows, x), append(q.Columns, x)
			}
			var longest time.Duration
			for b.Loop() {
				ctx, cancel := context.WithCancel(b.Context())
				var given time.Time
				time.AfterFunc(30*time.Millisecond, func() { given = time.Now(); cancel() })
				if _, err := s.Count(ctx, f.Version, []audience.Query{q, q, q}); err == nil {
					b.Fatal("the count ended before it was given up")
				}
				longest = max(longest, time.Since(given))
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
		})
	}
}
