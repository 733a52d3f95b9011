package demo_test

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/survey"
)

// coverage is what the stream tells of where items were answered.
type coverage struct {
	survey  *audience.Survey
	layout  *survey.Layout
	fielded map[[2]int]int
	items   map[[2]int][]int // respondents with an answer, by item
	taking  map[[2]int]int   // respondents of the recontact
}

func cover(t testing.TB, d *demo.Demo) *coverage {
	s := describe(t, d)
	c := &coverage{s, survey.NewLayout(s), map[[2]int]int{}, map[[2]int][]int{}, map[[2]int]int{}}
	each(t, d, func(r *survey.Respondent) {
		k := [2]int{r.Wave, r.Location}
		c.fielded[k]++
		if !r.Weights[1].IsZero() {
			c.taking[k]++
		}
		if c.items[k] == nil {
			c.items[k] = make([]int, c.layout.Items())
		}
		for item := range c.items[k] {
			if answered(r, item) {
				c.items[k][item]++
			}
		}
	})
	return c
}

// where lists the fieldwork, as wave-location, in which a datapoint was answered.
func (c *coverage) where(q, p int) []string {
	var out []string
	for w := range c.survey.Waves {
		for l := range c.survey.Locations {
			if items := c.items[[2]int{w, l}]; items != nil && items[c.layout.Item(q, p)] > 0 {
				out = append(out, c.survey.Waves[w].Code+"-"+c.survey.Locations[l].Code)
			}
		}
	}
	return out
}

// declared lists the fieldwork of an asked that its namespace has respondents in.
func (c *coverage) declared(namespace string, asked audience.Asked) []string {
	var out []string
	for w, wave := range c.survey.Waves {
		for l, location := range c.survey.Locations {
			k := [2]int{w, l}
			if c.fielded[k] == 0 || namespace == "shopper" && c.taking[k] == 0 {
				continue
			}
			if slices.ContainsFunc(asked, func(f audience.Fieldwork) bool {
				return (f.Wave == "" || f.Wave == wave.Code) && (f.Location == "" || f.Location == location.Code)
			}) {
				out = append(out, wave.Code+"-"+location.Code)
			}
		}
	}
	return out
}

func TestCoverageDeclaredAgreesWithCoverageAnswered(t *testing.T) {
	alone(t)
	c := cover(t, demo.New(demo.Config{Respondents: shrunk}))
	questions, points, derived := 0, 0, 0
	for i := range c.survey.Questions {
		q := &c.survey.Questions[i]
		if q.Asked == nil {
			derived++
		} else {
			questions++
		}
		for p, dp := range q.Datapoints {
			asked := q.Asked
			if dp.Asked != nil {
				points++
				if !q.Separate {
					continue // the column tells of the question; see the test on answers
				}
				asked = dp.Asked
			}
			if asked == nil {
				continue
			}
			if diff := cmp.Diff(c.declared(q.Namespace, asked), c.where(i, p)); diff != "" {
				t.Errorf("%s: declared (-) and answered (+) differ:\n%s", dp.Code, diff)
			}
		}
	}
	if questions < 5 || points < 5 || derived < 5 {
		t.Errorf("%d questions and %d datapoints with declared coverage, %d questions without", questions, points, derived)
	}
}

func TestNobodyIsPositiveWhereADatapointWasNotAsked(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: 20_000})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	type place struct{ q, p int }
	of := make([]place, layout.Attributes())
	for q := range s.Questions {
		for p := range s.Questions[q].Datapoints {
			for x := range max(1, len(s.Questions[q].Suffixes)) {
				of[layout.Attribute(q, p, x)] = place{q, p}
			}
		}
	}
	positive := map[place]map[[2]int]bool{}
	each(t, d, func(r *survey.Respondent) {
		for _, a := range r.Attributes {
			if positive[of[a]] == nil {
				positive[of[a]] = map[[2]int]bool{}
			}
			positive[of[a]][[2]int{r.Wave, r.Location}] = true
		}
	})
	nowhere := 0
	for q := range s.Questions {
		for p, dp := range s.Questions[q].Datapoints {
			asked := s.Questions[q].Asked
			if dp.Asked != nil {
				asked = dp.Asked
			}
			if asked == nil {
				continue
			}
			for k := range positive[place{q, p}] {
				if !slices.ContainsFunc(asked, func(f audience.Fieldwork) bool {
					return (f.Wave == "" || f.Wave == s.Waves[k[0]].Code) && (f.Location == "" || f.Location == s.Locations[k[1]].Code)
				}) {
					t.Errorf("%s is positive in %s, %s", dp.Code, s.Waves[k[0]].Code, s.Locations[k[1]].Code)
				}
			}
			if len(asked) == 0 {
				nowhere++
			} else if len(positive[place{q, p}]) == 0 {
				t.Errorf("%s is positive nowhere", dp.Code)
			}
		}
	}
	if nowhere == 0 {
		t.Error("no datapoint is declared as asked nowhere")
	}
}

func TestCoverageIsRagged(t *testing.T) {
	alone(t)
	c := cover(t, demo.New(demo.Config{Respondents: shrunk}))
	s := c.survey
	at := func(code string) []string { return c.where(question(t, s, code), 0) }
	waves := func(where []string) (out []string) {
		for _, f := range where {
			w, _, _ := strings.Cut(f, "-")
			if !slices.Contains(out, w) {
				out = append(out, w)
			}
		}
		return out
	}
	all := at("gender")
	if len(all) != len(c.fielded) {
		t.Fatalf("gender is answered in %d of %d fieldwork", len(all), len(c.fielded))
	}

	// Locations that join late, and one that leaves a wave out.
	start, gap := map[string]int{}, 0
	for l, location := range s.Locations {
		first, n := -1, 0
		for w := range s.Waves {
			if c.fielded[[2]int{w, l}] > 0 {
				if n++; first < 0 {
					first = w
				}
			}
		}
		start[location.Code] = first
		if n < len(s.Waves)-first {
			gap++
		}
	}
	if start["s2_46"] != 1 || start["s2_52"] != 2 || start["s2_27"] != 4 || start["s2_44"] != 0 || gap != 1 {
		t.Errorf("locations start in waves %v, %d leave one out", start, gap)
	}

	// A question reworded.
	before, after := at("assistant_a"), at("assistant_b")
	if len(before)+len(after) != len(all) ||
		slices.ContainsFunc(before, func(f string) bool { return slices.Contains(after, f) }) {
		t.Errorf("the two wordings are asked in %d and %d of %d fieldwork", len(before), len(after), len(all))
	}
	for _, code := range []string{"worries", "steps", "podcast_topics", "sports_watched", "screen_worry"} {
		if n := len(waves(at(code))); n == 0 || n == len(s.Waves) {
			t.Errorf("%s is asked in %d waves", code, n)
		}
	}
	for _, code := range []string{"news_trust", "fashion_brands", "event_plans"} {
		if n := len(at(code)); n == 0 || n == len(all) {
			t.Errorf("%s is asked in %d of %d fieldwork", code, n, len(all))
		}
	}

	// Items asked in some fieldwork of a question that leaves it to the answers to tell.
	some := 0
	for i := range s.Questions {
		q := &s.Questions[i]
		if !q.Separate || q.Asked != nil {
			continue
		}
		most := len(c.where(i, 0))
		for p := range q.Datapoints {
			if n := len(c.where(i, p)); n == 0 {
				t.Errorf("%s is answered nowhere", q.Datapoints[p].Code)
			} else if n < most {
				some++
			}
		}
	}
	if some < 10 {
		t.Errorf("%d items are asked in some of their question's fieldwork", some)
	}
}

// crossing counts weights of pairs of attributes, in one wave or (-1) in all, and one location likewise.
type crossing struct {
	t      testing.TB
	d      *demo.Demo
	survey *audience.Survey
	layout *survey.Layout
}

func (c *crossing) attribute(code string, point int) int32 {
	return c.layout.Attribute(question(c.t, c.survey, code), point-1, 0)
}

func (c *crossing) index(row, column int32) float64 {
	var base, rows, columns, both float64
	each(c.t, c.d, func(r *survey.Respondent) {
		w := r.Weights[0].Float64()
		inRow, inColumn := slices.Contains(r.Attributes, row), slices.Contains(r.Attributes, column)
		base += w
		if inRow {
			rows += w
		}
		if inColumn {
			columns += w
		}
		if inRow && inColumn {
			both += w
		}
	})
	return 100 * both * base / (rows * columns)
}

func TestAnswersHangTogether(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: 10_000, Seed: 5})
	s := describe(t, d)
	c := &crossing{t, d, s, survey.NewLayout(s)}
	for _, x := range []struct {
		row, column     string
		rowAt, columnAt int
		atLeast, atMost float64
		because         string
	}{
		{"interests", "gender", 16, 1, 125, 200, "beauty, women"},
		{"interests", "sports_played", 35, 2, 150, 400, "running, runners"},
		{"interests", "devices_owned", 7, 8, 115, 200, "technology, smart watch"},
		{"interests", "age", 31, 1, 150, 400, "comics, 16 to 24"},
		{"interests", "age", 31, 6, 5, 60, "comics, 65 and older"},
		{"interests", "children", 28, 3, 140, 400, "parenting, two children"},
		{"income", "devices_owned", 5, 19, 120, 500, "highest income, electric car"},
		{"sports_played", "exercise", 2, 6, 0, 60, "runners, never exercise"},
		{"payment", "supermarkets", 3, 3, 0, 98, "credit card, the cheapest shop"},
		{"interests", "transport", 48, 1, 60, 140, "what has little to do with it"},
	} {
		if got := c.index(c.attribute(x.row, x.rowAt), c.attribute(x.column, x.columnAt)); got < x.atLeast || got > x.atMost {
			t.Errorf("%s: index %.0f, want %.0f to %.0f", x.because, got, x.atLeast, x.atMost)
		}
	}
}

func TestAnswersDriftOverWavesAndDifferBetweenMarkets(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: 30_000})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	share := func(code string, point int, by func(*survey.Respondent) int, n int) []float64 {
		a := layout.Attribute(question(t, s, code), point-1, 0)
		on, all := make([]float64, n), make([]float64, n)
		each(t, d, func(r *survey.Respondent) {
			all[by(r)]++
			if slices.Contains(r.Attributes, a) {
				on[by(r)]++
			}
		})
		for i := range on {
			on[i] *= 100 / all[i]
		}
		return on
	}
	waves := share("phone_actions", 11, func(r *survey.Respondent) int { return r.Wave }, len(s.Waves))
	if waves[7]-waves[0] < 5 {
		t.Errorf("paying by phone goes from %.0f to %.0f %%", waves[0], waves[7])
	}
	markets := share("devices_owned", 4, func(r *survey.Respondent) int { return r.Location }, len(s.Locations))
	if slices.Max(markets)-slices.Min(markets) < 10 {
		t.Errorf("tablets are owned by %.0f %% of all markets", markets)
	}
}

func TestQuestionsAreRoutedToThoseWhoCanAnswer(t *testing.T) {
	alone(t)
	d := demo.New(demo.Config{Respondents: shrunk})
	s := describe(t, d)
	layout := survey.NewLayout(s)
	gym, never := layout.Item(question(t, s, "gym"), 0), layout.Attribute(question(t, s, "exercise"), 5, 0)
	n := 0
	each(t, d, func(r *survey.Respondent) {
		if answered(r, gym) == slices.Contains(r.Attributes, never) {
			t.Fatalf("respondent %s: asked for the gym %v", r.ID, answered(r, gym))
		}
		if answered(r, gym) {
			n++
		}
	})
	if n == 0 || n == shrunk {
		t.Errorf("%d of %d were asked for the gym", n, shrunk)
	}
}

// The same survey by way of its files: the reader of CSV and codebooks gives back what the generator says.
func TestFilesHoldTheSameSurvey(t *testing.T) {
	d := demo.New(demo.Config{Seed: 2, Respondents: 3000})
	data, err := d.Codebook()
	if err != nil {
		t.Fatal(err)
	}
	codebook, err := survey.ReadCodebook(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(describe(t, d), codebook.Survey); diff != "" {
		t.Errorf("the codebook's survey differs:\n%s", diff)
	}
	var text bytes.Buffer
	if err := d.WriteCSV(context.Background(), &text); err != nil {
		t.Fatal(err)
	}
	table, err := csv.New(bytes.NewReader(text.Bytes()), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	file, err := survey.NewSource(table, codebook, 0)
	if err != nil {
		t.Fatal(err)
	}
	line := func(r *survey.Respondent) string {
		attributes := slices.Clone(r.Attributes)
		slices.Sort(attributes)
		return fmt.Sprint(r.ID, r.Wave, r.Location, r.Weights, attributes, r.Answered, r.Numbers)
	}
	var want []string
	each(t, d, func(r *survey.Respondent) { want = append(want, line(r)) })
	n := 0
	for b, err := range file.Respondents(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if b.Skipped > 0 || len(b.Unlisted) > 0 {
			t.Fatalf("%d rows skipped, unlisted values %v", b.Skipped, b.Unlisted)
		}
		for i := range b.Respondents {
			if got := line(&b.Respondents[i]); n >= len(want) || got != want[n] {
				t.Fatalf("respondent %d of the file:\n got %s\nwant %s", n+1, got, want[min(n, len(want)-1)])
			}
			n++
		}
	}
	if n != len(want) {
		t.Errorf("%d respondents in the file, want %d", n, len(want))
	}
}

// failing is a disk that is full after some bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if f.left -= len(b); f.left < 0 {
		return 0, fmt.Errorf("disk full")
	}
	return len(b), nil
}

func TestWriteCSVTellsOfAFullDisk(t *testing.T) {
	for _, left := range []int{0, 300_000} {
		err := demo.New(demo.Config{Respondents: 2000}).WriteCSV(context.Background(), &failing{left})
		if err == nil || err.Error() != "disk full" {
			t.Errorf("after %d bytes: %v", left, err)
		}
	}
}

func BenchmarkWriteCSV(b *testing.B) {
	d := demo.New(demo.Config{Respondents: 20_000})
	for b.Loop() {
		if err := d.WriteCSV(context.Background(), &failing{1 << 40}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.N)*20_000/b.Elapsed().Seconds(), "respondents/s")
}

func Example() {
	d := demo.New(demo.Config{Seed: 1, Respondents: 5000})
	s, err := d.Describe(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(s.Questions), "questions,", len(s.Waves), "waves,", len(s.Locations), "locations")
	n := 0
	for batch, err := range d.Respondents(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		n += len(batch.Respondents)
	}
	fmt.Println(n, "respondents")
	// Output:
	// 74 questions, 8 waves, 14 locations
	// 5000 respondents
}
