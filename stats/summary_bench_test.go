package stats_test

import (
	"cmp"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// BenchmarkSummary summarises a number of the demo survey by a question of ten answers, on one thread: its mean, its
// median, and how sure the means are. The survey has as many respondents as CROSSWAVE_BENCH_RESPONDENTS says, else
// 100,000.
func BenchmarkSummary(b *testing.B) {
	n, err := strconv.Atoi(cmp.Or(os.Getenv("CROSSWAVE_BENCH_RESPONDENTS"), "100000"))
	if err != nil {
		b.Fatal(err)
	}
	st, err := sqlite.Open(b.Context(), filepath.Join(b.TempDir(), "bench.db"), sqlite.Config{Threads: 1})
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	if _, err := survey.Import(b.Context(), demo.New(demo.Config{Respondents: n}), st, survey.Options{}); err != nil {
		b.Fatal(err)
	}
	f, err := st.Frame(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	ten, segments := "", []string(nil)
	for i := range f.Questions {
		if q := &f.Questions[i]; q.Kind == audience.Single && len(q.Datapoints) >= 8 {
			ten, segments = q.Key(), nil
			for _, d := range q.Datapoints {
				segments = append(segments, d.Code)
			}
			break
		}
	}
	for _, question := range []string{"coffee", "age", "gaming_hours"} {
		for _, bench := range []struct {
			name    string
			request stats.SummaryRequest
		}{
			{"mean", stats.SummaryRequest{}},
			{"median", stats.SummaryRequest{Quantiles: []float64{50}}},
			{"intervals", stats.SummaryRequest{Statistics: &estimate.Options{}}},
		} {
			r := bench.request
			r.Question, r.Splitter, r.Segments = question, ten, segments
			b.Run(question+"/"+bench.name, func(b *testing.B) {
				for b.Loop() {
					if _, err := stats.Summary(b.Context(), st, r); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
