package sqlite

import (
	"cmp"
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
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/demo"
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
	b.Logf("%d respondents imported in %v; %d chunks, %d columns, %d bytes (%d free); %d MB taken from the system", n, time.Since(begun).Round(time.Millisecond),
		st.Chunks, st.Columns, st.FileBytes, st.FreeBytes, m.Sys>>20)
	return path
}

// fifty is up to n expressions: datapoints of the questions, one after the other.
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
		{name: "300x200", query: func(f *audience.Frame) []audience.Query {
			return []audience.Query{{Rows: options(f, 300, false), Columns: options(f, 200, false)}}
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
}
