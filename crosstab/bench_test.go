package crosstab_test

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// BenchmarkRun crosses 50 rows with 50 columns of the demo survey, as many respondents of it as
// CROSSWAVE_BENCH_RESPONDENTS says, else 100,000: as it is, with intervals, and with what may be compared.
func BenchmarkRun(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("CROSSWAVE_BENCH_RESPONDENTS"), "100000"))
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	for _, threads := range []int{1, 2} {
		path := filepath.Join(b.TempDir(), "bench.db")
		st, err := sqlite.Open(ctx, path, sqlite.Config{Threads: threads})
		if err != nil {
			b.Fatal(err)
		}
		defer st.Close()
		if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: n}), st, survey.Options{}); err != nil {
			b.Fatal(err)
		}
		f, err := st.Frame(ctx)
		if err != nil {
			b.Fatal(err)
		}
		r := crosstab.Request{LastWaves: crosstab.AllWaves, Rows: first50(f, true), Columns: first50(f, false)}
		for _, bench := range []struct {
			name    string
			options *estimate.Options
		}{
			{"plain", nil},
			{"intervals", &estimate.Options{}},
			{"rest", &estimate.Options{Compare: []estimate.Compare{estimate.Rest}}},
			{"columns", &estimate.Options{Compare: []estimate.Compare{estimate.Columns}}},
		} {
			r.Statistics = bench.options
			b.Run(strconv.Itoa(threads)+"/"+bench.name, func(b *testing.B) {
				for b.Loop() {
					result, err := crosstab.Run(ctx, st, r)
					if err != nil {
						b.Fatal(err)
					}
					for range result.Cells() {
					}
				}
			})
		}
	}
}

// first50 are 50 datapoints of the default namespace's questions: of the widest, or of the others.
func first50(f *audience.Frame, wide bool) (as []audience.Audience) {
	for i := range f.Questions {
		q := &f.Questions[i]
		if (q.Code == demo.Wide) != wide || q.Namespace != f.Namespaces[0].Code || q.Grid() {
			continue
		}
		for _, d := range q.Datapoints {
			as = append(as, audience.Audience{ID: q.Code + ":" + d.Code,
				Expr: audience.Answers{Question: q.Key(), Datapoints: []string{d.Code}}})
		}
	}
	return as[:min(50, len(as))]
}
