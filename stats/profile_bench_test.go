package stats_test

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// What BenchmarkProfile looks at: 199 questions of 50 datapoints, one that cuts everyone in ten and one in two, and a
// last of the rest.
const (
	benchAttributes = 10_000
	benchAnswers    = 60 // that a respondent gave on average
)

// broad is a survey of 8 waves, 20 locations and 10,000 attributes, from some that hardly anyone is positive on to some
// that one in thirty is.
func broad() *audience.Survey {
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}}
	for w := range 8 {
		s.Waves = append(s.Waves, audience.Wave{Code: fmt.Sprint("w", w), Start: fmt.Sprintf("20%d-01-01", 10+w)})
	}
	for l := range 20 {
		s.Locations = append(s.Locations, audience.Location{Code: fmt.Sprint("l", l)})
	}
	add := func(code string, n int) {
		q := audience.Question{Namespace: "core", Code: code, Kind: audience.Multi, Asked: audience.Asked{{}}}
		for d := range n {
			q.Datapoints = append(q.Datapoints, audience.Datapoint{Code: fmt.Sprint(code, "_", d)})
		}
		s.Questions = append(s.Questions, q)
	}
	add("tenth", 10)
	add("half", 2)
	for left := benchAttributes - 12; left > 0; left -= 50 {
		add(fmt.Sprint("q", len(s.Questions)), min(left, 50))
	}
	return s
}

// fill imports so many respondents.
func fill(b *testing.B, db *sqlite.Store, respondents int) {
	ctx, s, rnd := context.Background(), broad(), rand.New(rand.NewPCG(13, 60))
	all := audience.NewCover(8 * 20)
	for i := range 8 * 20 {
		all.Set(i)
	}
	c := audience.Coverage{Fielded: []audience.Cover{all}, Decimals: []int{3}}
	for i := range s.Questions {
		c.Asked = append(c.Asked, slices.Repeat([]audience.Cover{all}, len(s.Questions[i].Datapoints)))
	}
	f, err := audience.NewFrame(0, s, c)
	must(b, err)
	base, err := db.Release(ctx)
	must(b, err)
	w, err := db.Begin(ctx, base, s)
	must(b, err)
	draw := drawing(rnd)
	answered := slices.Repeat([]uint64{^uint64(0)}, (survey.NewLayout(s).Items()+63)/64)
	var batch []survey.Respondent
	for i := range respondents {
		r := survey.Respondent{Row: int64(i + 1), ID: strconv.Itoa(i), Wave: rnd.IntN(8), Location: rnd.IntN(20),
			Answered: answered, Weights: make([]decimal.Decimal, 1), Attributes: draw()}
		r.Weights[0], err = decimal.Parse(fmt.Sprintf("%d.%03d", rnd.IntN(3000), 1+rnd.IntN(999)), false)
		must(b, err)
		if batch = append(batch, r); len(batch) == 1000 || i == respondents-1 {
			must(b, w.Add(ctx, batch))
			batch = batch[:0]
		}
	}
	_, err = w.Commit(ctx, survey.Change{Frame: f})
	must(b, err)
}

// drawing draws the answers of one respondent after the other.
func drawing(rnd *rand.Rand) func() []int32 {
	cumulated, sum := make([]float64, 0, benchAttributes), 0.0
	for range benchAttributes - 12 {
		sum += math.Pow(150, rnd.Float64()) // the most frequent is 150 times the rarest
		cumulated = append(cumulated, sum)
	}
	return func() []int32 {
		out := []int32{int32(rnd.IntN(10)), int32(10 + rnd.IntN(2))}
		for range benchAnswers - 2 {
			i, _ := slices.BinarySearch(cumulated, rnd.Float64()*sum)
			out = append(out, int32(12+i))
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
}

func must(b testing.TB, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkProfile makes the profile of one in ten, and of one in two, of 10,000 attributes: of as many respondents as
// CROSSWAVE_BENCH_RESPONDENTS says, else 100,000. CROSSWAVE_BENCH_PROFILE names a file to keep them in.
func BenchmarkProfile(b *testing.B) {
	n, _ := strconv.Atoi(cmp.Or(os.Getenv("CROSSWAVE_BENCH_RESPONDENTS"), "100000"))
	path := cmp.Or(os.Getenv("CROSSWAVE_BENCH_PROFILE"), filepath.Join(b.TempDir(), "broad.db"))
	if _, err := os.Stat(path); err != nil {
		db, err := sqlite.Open(b.Context(), path, sqlite.Config{})
		must(b, err)
		fill(b, db, n)
		must(b, db.Close())
	}
	for _, threads := range []int{1, 2} {
		for _, of := range []string{"tenth:tenth_0", "half:half_0"} {
			b.Run(fmt.Sprintf("%d/%s", threads, of[:4]), func(b *testing.B) {
				db, err := sqlite.Open(b.Context(), path, sqlite.Config{Threads: threads})
				must(b, err)
				defer db.Close()
				ask := func() (time.Duration, *stats.ProfileResult) {
					begun := time.Now()
					result, err := stats.Profile(b.Context(), db, stats.ProfileQuery{Audience: called("", is(of)), Limit: 100})
					must(b, err)
					for range result.Entries() {
					}
					return time.Since(begun), result
				}
				cold, result := ask()
				ask() // totals of columns are counted when they are asked for again
				for b.Loop() {
					ask()
				}
				b.ReportMetric(1000*cold.Seconds(), "cold-ms")
				b.ReportMetric(float64(result.Tested), "tested")
				st, err := db.Stats(b.Context())
				must(b, err)
				b.ReportMetric(float64(st.Cache.Most)/1e6, "cachedMB")
			})
		}
	}
}
