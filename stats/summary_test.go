package stats_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// hours is a survey of nine respondents: how many hours they gave, and how they say they are. One gave none.
const hours = `survey
  namespace core
  wave w1 2024-01-01
  wave w2 2024-04-01
  location uk
  question hours number few many
  question mood single good bad
  question many multi a b
  question use grid tv web / 1 2 3

respondents
  wave | location | core | hours     | mood | many | use
  w1   | uk       | 1    | many =2   | good | a    | tv:1
  w1   | uk       | 3    | many =4   | bad  | a b  | tv:2
  w2   | uk       | 2    | few =-1.5 | good |      | tv:1 tv:3
  w2   | uk       | 2    |           | bad  | b    | web:2
`

// loaded loads a text into an engine, with midpoints for mood and use.
func loaded(t *testing.T, text string, st storetest.Engine) audience.Store {
	t.Helper()
	if err := storetest.RunScript(t.Context(), "hours", text, func() storetest.Engine { return st }); err != nil {
		t.Fatal(err)
	}
	return st
}

// remade is a store whose frame a function has changed.
type remade struct {
	audience.Store
	change func(*audience.Survey, *audience.Coverage)
}

func (r remade) Frame(ctx context.Context) (*audience.Frame, error) {
	f, err := r.Store.Frame(ctx)
	if err != nil {
		return nil, err
	}
	s, c := f.Survey.Clone(), f.Coverage()
	r.change(s, &c)
	return audience.NewFrame(f.Version, s, c)
}

// midpoints gives answers to mood and use numbers, and hours a unit.
func midpoints(s *audience.Survey, _ *audience.Coverage) {
	for i := range s.Questions {
		q := &s.Questions[i]
		switch q.Code {
		case "hours":
			q.Unit = "hours"
		case "mood":
			q.Datapoints[0].Midpoint = pointer(0.1)
			q.Datapoints[1].Midpoint = pointer(-7)
		case "use":
			for j := range 2 {
				q.Suffixes[j].Midpoint = pointer(float64(10 * j))
			}
		}
	}
}

func summarised1(t *testing.T, st audience.Store, r stats.SummaryRequest) []stats.SummaryEntry {
	t.Helper()
	res, err := stats.Summary(t.Context(), st, r)
	if err != nil {
		t.Fatal(err)
	}
	var entries []stats.SummaryEntry
	for e := range res.Entries() {
		entries = append(entries, e)
	}
	return entries
}

// Of the four respondents three gave a number. Within two waves they stand for 1/2, 3/2 and 2/2 people, which are 3: so
// the mean is (2·1/2 + 4·3/2 - 1.5)/3 = 5.5/3, and the standard deviation √(28.25/3 - (5.5/3)²) · √(3/2), 28.25 being
// 4·1/2 + 16·3/2 + 2.25. From the least upwards, 1 of 3 is at -1.5 and 1.5 of 3, which is half of it, at 2. They move
// the mean by 1/36, 39/36 and -40/36, and two respondents are in each wave.
func TestSummaryByHand(t *testing.T) {
	for name, engine := range map[string]func() storetest.Engine{
		"naive": func() storetest.Engine { return new(naive.Store) },
		"embedded": func() storetest.Engine {
			db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			return db
		},
	} {
		t.Run(name, func(t *testing.T) {
			st := loaded(t, hours, engine())
			got := summarised1(t, st, stats.SummaryRequest{Question: "hours", Quantiles: []float64{50, 51, 33},
				Statistics: &estimate.Options{}})
			want := stats.SummaryEntry{Waves: []string{"w1", "w2"}, Metrics: stats.SummaryMetrics{
				Respondents: audience.Figure{Sample: 3, Size: 3}, EffectiveSample: 9 / 3.5, Mean: pointer(5.5 / 3),
				StandardDeviation: pointer(math.Sqrt((28.25/3 - 5.5*5.5/9) * 3 / 2)), Min: pointer(-1.5), Max: pointer(4),
				Quantiles: []stats.Quantile{{Percent: 50, Value: 2}, {Percent: 51, Value: 4}, {Percent: 33, Value: -1.5}}}}
			se := math.Sqrt(2*(1+39*39-40*40/2)+2*(40*40-40*40/2)) / 36
			t1 := math.Tan(0.475 * math.Pi) // one degree of freedom: three respondents in two fieldworks
			want.Statistics = &stats.SummaryStatistics{Mean: &estimate.Interval{StandardError: se, Low: 5.5/3 - t1*se,
				High: 5.5/3 + t1*se}}
			if d := cmp.Diff([]stats.SummaryEntry{want}, got, about); d != "" {
				t.Error(d)
			}
		})
	}
}

// Midpoints are the numbers of questions that have none of their own: of the datapoints, or of the suffixes of one.
// What has no midpoint is in no part.
func TestSummaryOfMidpoints(t *testing.T) {
	st := remade{loaded(t, hours, new(naive.Store)), midpoints}
	for _, c := range []struct {
		r            stats.SummaryRequest
		sample       int64
		mean, median float64
	}{
		{stats.SummaryRequest{Question: "mood"}, 4, (0.1*1.5 - 7*2.5) / 4, -7},
		{stats.SummaryRequest{Question: "use", Datapoints: []string{"tv"}}, 3, (0*1.5 + 10*1.5) / 3, 0},
		{stats.SummaryRequest{Question: "use", Datapoints: []string{"tv"}, Suffixes: []int{2, 3}}, 1, 10, 10},
		{stats.SummaryRequest{Question: "use", Datapoints: []string{"web"}}, 1, 10, 10},
	} {
		c.r.Quantiles = []float64{50}
		m := summarised1(t, st, c.r)[0].Metrics
		if m.Respondents.Sample != c.sample || math.Abs(*m.Mean-c.mean) > 1e-15 || m.Quantiles[0].Value != c.median {
			t.Errorf("%+v: a mean of %v and a median of %v of %d respondents", c.r, *m.Mean, m.Quantiles[0],
				m.Respondents.Sample)
		}
	}
}

// A question without one number a respondent is refused, and so are quantiles that can't be meant, with the path.
func TestSummaryRefused(t *testing.T) {
	st := remade{loaded(t, hours, new(naive.Store)), midpoints}
	many := make([]float64, stats.MaxQuantiles+1)
	for i := range many {
		many[i] = float64(i) / 2
	}
	for _, c := range []struct {
		r            stats.SummaryRequest
		path, reason string
	}{
		{stats.SummaryRequest{}, "question", "required"},
		{stats.SummaryRequest{Question: "many"}, "question", "several answers"},
		{stats.SummaryRequest{Question: "use"}, "datapoints", "is a grid"},
		{stats.SummaryRequest{Question: "use", Datapoints: []string{"tv", "web"}}, "datapoints", "is a grid"},
		{stats.SummaryRequest{Question: "use", Datapoints: []string{"tv"}, Suffixes: []int{3}}, "question", "no midpoints"},
		{stats.SummaryRequest{Question: "mood", Datapoints: []string{"good"}}, "datapoints", "no grid"},
		{stats.SummaryRequest{Question: "hours", Quantiles: []float64{50, -1}}, "quantiles[1]", "from 0 to 100"},
		{stats.SummaryRequest{Question: "hours", Quantiles: []float64{math.NaN()}}, "quantiles[0]", "from 0 to 100"},
		{stats.SummaryRequest{Question: "hours", Quantiles: []float64{50, 50}}, "quantiles[1]", "twice"},
		{stats.SummaryRequest{Question: "hours", Quantiles: many}, "quantiles", "101 quantiles"},
		{stats.SummaryRequest{Question: "hours", Splitter: "mood", Segments: []string{"w1"}}, "segments[0]", "no datapoint"},
	} {
		_, err := stats.Summary(t.Context(), st, c.r)
		var invalid *audience.InvalidError
		if !errors.As(err, &invalid) || invalid.Path != c.path || !strings.Contains(invalid.Reason, c.reason) {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
}

// Suffixes of which a respondent may give several are no numbers: it shows when they are counted.
func TestSummaryOfSeveralNumbers(t *testing.T) {
	st := remade{loaded(t, hours, new(naive.Store)), func(s *audience.Survey, c *audience.Coverage) {
		midpoints(s, c)
		for i := range s.Questions {
			for j := range s.Questions[i].Suffixes {
				s.Questions[i].Suffixes[j].Midpoint = pointer(1)
			}
		}
	}}
	_, err := stats.Summary(t.Context(), st, stats.SummaryRequest{Question: "use", Datapoints: []string{"tv"}})
	var invalid *audience.InvalidError
	if !errors.As(err, &invalid) || invalid.Path != "question" || !strings.Contains(invalid.Reason, "no one number") {
		t.Error(err)
	}
}

// A store that was made when numbers were not kept says what to do.
func TestSummaryOfAnOldStore(t *testing.T) {
	st := remade{loaded(t, hours, new(naive.Store)), func(_ *audience.Survey, c *audience.Coverage) { c.Numbers = nil }}
	_, err := stats.Summary(t.Context(), st, stats.SummaryRequest{Question: "hours"})
	var invalid *audience.InvalidError
	if !errors.As(err, &invalid) || invalid.Path != "question" ||
		!strings.Contains(invalid.Reason, "import its file again") {
		t.Error(err)
	}
}

// Limits count what is counted; they come last.
func TestSummaryLimits(t *testing.T) {
	st := loaded(t, hours, new(naive.Store))
	r := stats.SummaryRequest{Question: "hours", Splitter: stats.Waves, Limits: stats.Limits{Cells: 2}}
	var complex *audience.ComplexError
	if _, err := stats.Summary(t.Context(), st, r); !errors.As(err, &complex) {
		t.Error(err)
	}
	r.Limits.Cells = 1000
	told := stats.Extent{}
	r.Limits.Cost = func(e stats.Extent) error { told = e; return errors.New("too much") }
	if _, err := stats.Summary(t.Context(), st, r); err == nil || err.Error() != "too much" {
		t.Error(err)
	}
	if d := cmp.Diff(stats.Extent{Datapoints: []string{""}, Segments: []string{"w1", "w2"}, Waves: []string{"w1", "w2"}},
		told); d != "" {
		t.Error(d)
	}
	r.Limits = stats.Limits{}
	for i := range stats.MaxCompared + 1 {
		r.Audiences = append(r.Audiences, called(fmt.Sprint(i), is("mood:good")))
	}
	r.Statistics = &estimate.Options{Compare: []estimate.Compare{estimate.Audiences}}
	if _, err := stats.Summary(t.Context(), st, r); !errors.As(err, &complex) {
		t.Error(err)
	}
}

// Whether columns are counted at once or a few at a time makes no difference.
func TestSummaryOfManyAudiences(t *testing.T) {
	st := loaded(t, hours, new(naive.Store))
	r := stats.SummaryRequest{Question: "hours", Quantiles: []float64{50}}
	for i := range 3000 {
		r.Audiences = append(r.Audiences, called(fmt.Sprint(i), is([]string{"mood:good", "mood:bad", "many:a"}[i%3])))
	}
	entries := summarised1(t, st, r)
	for i := range entries {
		entries[i].Audience = ""
		if d := cmp.Diff(entries[i%3], entries[i], about); d != "" {
			t.Fatal(d)
		}
	}
	if entries[0].Metrics.Respondents.Sample != 2 || *entries[2].Metrics.Max != 4 {
		t.Errorf("%+v", entries[:3])
	}
}

// Means and quantiles of a brief summary are those of the whole one, whatever kind of numbers it is of, and nothing
// that takes longer is told.
func TestBriefSummary(t *testing.T) {
	seen := 0
	for seed := range uint64(testsize.Of(10, 40, 40)) {
		g := storetest.NewRandom(9000 + seed)
		study := g.Study()
		numbersEverywhere(g, study.Survey)
		ref := new(naive.Store)
		if err := study.Load(t.Context(), ref); err != nil {
			t.Fatal(err)
		}
		a := &asker{Rand: g.Rand, frame: storetest.NewOracle(ref).Frame}
		for range 5 {
			r := a.summary()
			if r.Statistics = nil; g.IntN(2) == 0 {
				r.Quantiles = nil
			}
			whole, err := stats.Summary(t.Context(), ref, r)
			r.Brief = true
			alone, failed := stats.Summary(t.Context(), ref, r)
			if fmt.Sprint(err) != fmt.Sprint(failed) {
				t.Fatalf("seed %d: %v, want %v", seed, failed, err)
			}
			if err != nil {
				continue
			}
			var want, got []stats.SummaryEntry
			for e := range whole.Entries() {
				m := &e.Metrics
				m.EffectiveSample, m.StandardDeviation, m.Min, m.Max = 0, nil, nil, nil
				want = append(want, e)
			}
			for e := range alone.Entries() {
				if e.Metrics.Mean != nil {
					seen++
				}
				got = append(got, e)
			}
			if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(audience.Figure{}), cmpopts.EquateNaNs()); d != "" {
				t.Fatalf("seed %d: the whole (-) and the brief summary (+):\n%s", seed, d)
			}
		}
	}
	if seen < testsize.Of(10, 100, 100) {
		t.Errorf("only %d means were compared", seen)
	}
	_, err := stats.Summary(t.Context(), new(naive.Store), stats.SummaryRequest{Question: "q", Brief: true,
		Statistics: new(estimate.Options)})
	var invalid *audience.InvalidError
	if !errors.As(err, &invalid) {
		t.Errorf("a brief summary with statistics: %v", err)
	}
}
