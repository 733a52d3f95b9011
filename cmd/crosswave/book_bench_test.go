package main

import (
	"io"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/plan"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// BenchmarkBook writes tab books of the demo survey with 40,000 respondents: of 100 and 200 tables of 40 rows × 15
// columns, as they are and with letters. peak-MB is the most that the heap held.
func BenchmarkBook(b *testing.B) {
	db, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"), sqlite.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	if _, err := survey.Import(b.Context(), demo.New(demo.Config{Respondents: 40_000}), db, survey.Options{}); err != nil {
		b.Fatal(err)
	}
	f, err := db.Frame(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name    string
		tables  int
		options *estimate.Options
	}{
		{"100", 100, nil}, {"200", 200, nil},
		{"200 with letters", 200, &estimate.Options{Level: 95, Compare: []estimate.Compare{estimate.Columns}}},
	} {
		tables := benchTables(f, c.tables, c.options)
		b.Run(c.name, func(b *testing.B) {
			peak := watchHeap(b)
			for b.Loop() {
				if err := writeBook(b.Context(), db, f.Version, tables, io.Discard, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(peak.Load())/(1<<20), "peak-MB")
		})
	}
}

// benchTables are tables of 40 rows and 15 columns each, all rows of a table being other attributes.
func benchTables(f *audience.Frame, n int, o *estimate.Options) (tables []plan.Table) {
	var all []audience.Audience
	for i := range f.Questions {
		if f.Questions[i].Kind != audience.Grid {
			all = append(all, f.PerDatapoint(i)...)
		}
	}
	for i := range n {
		r := crosstab.Request{LastWaves: crosstab.AllWaves, Statistics: o}
		for k := range 40 {
			r.Rows = append(r.Rows, all[(i*7+k)%len(all)])
		}
		for k := range 15 {
			r.Columns = append(r.Columns, all[(i*3+k)%len(all)])
		}
		tables = append(tables, plan.Table{Request: r})
	}
	return tables
}

// watchHeap looks at the heap until the benchmark ends and gives the most bytes that it held.
func watchHeap(b *testing.B) *atomic.Uint64 {
	var peak atomic.Uint64
	done := make(chan struct{})
	runtime.GC()
	go func() {
		for tick := time.NewTicker(20 * time.Millisecond); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				if m.HeapAlloc > peak.Load() {
					peak.Store(m.HeapAlloc)
				}
			}
		}
	}()
	b.Cleanup(func() { close(done) })
	return &peak
}
