package stats_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/google/go-cmp/cmp"
)

// entry is an entry in a line: what it is about | waves | positive of audience of datapoint, each as sample·size.
func entry(e stats.Entry) string {
	figure := func(f audience.Figure) string { return fmt.Sprintf("%d·%v", f.Sample, f.Size) }
	about := []string{e.Datapoint}
	for _, s := range []string{e.Segment, e.Audience} {
		if s != "" {
			about = append(about, s)
		}
	}
	for _, s := range e.Suffixes {
		about = append(about, fmt.Sprint(s))
	}
	m := e.Metrics
	return fmt.Sprintf("%s | %s | %s %s %s", strings.Join(about, " "), strings.Join(e.Waves, " "), figure(m.Positive),
		figure(m.Audience), figure(m.Datapoint))
}

func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// Each case shows a rule; positive, audience and datapoint stand as sample·size. A size is the uk's average over its
// waves and then fr's.
func TestRules(t *testing.T) {
	st := store(t, shops(), respondents)
	women, men := called("women", is("sex:f")), called("", is("sex:m"))
	for _, c := range []struct {
		name string
		ask  stats.Request
		want string
	}{
		{"an entry per datapoint; without audiences everyone", stats.Request{Question: "brand",
			Datapoints: []string{"b1", "b2"}}, `
			b1 | w1 w2 | 5·10.5 10·28 5·10.5
			b2 | w1 w2 | 3·2.5 10·28 3·2.5`},
		{"no datapoints are all of them", stats.Request{Question: "sex", Locations: []string{"fr"}}, `
			f | w2 | 1·10 3·20 1·10
			m | w2 | 2·10 3·20 2·10`},
		{"a datapoint is measured where it was asked", stats.Request{Question: "brand", Datapoints: []string{"b3", "b3"}}, `
			b3 | w2 | 2·15 3·20 2·15`},
		{"datapoints are in the order of the request, each once", stats.Request{Question: "sex",
			Datapoints: []string{"m", "f", "m"}, Waves: []string{"w1"}}, `
			m | w1 | 2·4 4·8 2·4
			f | w1 | 2·4 4·8 2·4`},
		{"a datapoint's own figure is not cut by the audience", stats.Request{Question: "brand",
			Datapoints: []string{"b1"}, Audiences: []audience.Audience{women, men}}, `
			b1 women | w1 w2 | 2·3.5 4·14 5·10.5
			b1 | w1 w2 | 3·7 6·14 5·10.5`},
		{"the base cuts everything", stats.Request{Question: "brand", Datapoints: []string{"b1"},
			Audiences: []audience.Audience{called("tv", is("use:tv"))}, Base: women}, `
			b1 tv | w1 w2 | 2·3.5 4·14 2·3.5`},
		{"suffixes are joined by or", stats.Request{Question: "use", Suffixes: []int{2, 1, 2}}, `
			tv 2 1 | w1 w2 | 4·13 10·28 4·13
			web 2 1 | w1 w2 | 2·5.5 10·28 2·5.5`},
		{"no suffixes are any", stats.Request{Question: "use", Datapoints: []string{"tv"}}, `
			tv | w1 w2 | 5·15 10·28 5·15`},
		{"datapoint, then segment, then audience", stats.Request{Question: "sex", Splitter: "waves",
			Audiences: []audience.Audience{women, called("b1", is("brand:b1"))}}, `
			f w1 women | w1 | 2·4 2·4 2·4
			f w1 b1 | w1 | 1·3 2·5 2·4
			f w2 women | w2 | 2·14 2·14 2·14
			f w2 b1 | w2 | 1·4 3·11 2·14
			m w1 women | w1 | 0·0 2·4 2·4
			m w1 b1 | w1 | 1·2 2·5 2·4
			m w2 women | w2 | 0·0 2·14 4·14
			m w2 b1 | w2 | 2·7 3·11 4·14`},
		{"waves are measured within the wave", stats.Request{Question: "mood", Splitter: "waves"}, `
			good w1 |  | 0·0 0·0 0·0
			good w2 | w2 | 3·16 6·28 3·16`},
		{"segmented base: no difference for waves", stats.Request{Question: "mood", Splitter: "waves", SegmentedBase: true}, `
			good w1 |  | 0·0 0·0 0·0
			good w2 | w2 | 3·16 6·28 3·16`},
		{"locations are measured against all locations", stats.Request{Question: "brand", Datapoints: []string{"b1"},
			Splitter: "locations"}, `
			b1 uk | w1 w2 | 4·5.5 7·8 5·10.5
			b1 fr | w1 w2 | 1·5 3·20 5·10.5`},
		{"segmented base: locations", stats.Request{Question: "brand", Datapoints: []string{"b1"},
			Splitter: "locations", SegmentedBase: true}, `
			b1 uk | w1 w2 | 4·5.5 7·8 4·5.5
			b1 fr | w1 w2 | 1·5 3·20 1·5`},
		{"segments of locations are the requested ones", stats.Request{Question: "sex", Datapoints: []string{"f"},
			Splitter: "locations", Locations: []string{"fr"}}, `
			f fr | w2 | 1·10 3·20 1·10`},
		{"segments of waves are the requested ones, oldest first", stats.Request{Question: "sex",
			Datapoints: []string{"f"}, Splitter: "waves", Waves: []string{"w2", "w1", "w2"}}, `
			f w1 | w1 | 2·4 4·8 2·4
			f w2 | w2 | 2·14 6·28 2·14`},
		{"segments limit which are made, in the catalogue's order", stats.Request{Question: "sex",
			Datapoints: []string{"f"}, Splitter: "use", Segments: []string{"web", "tv", "web"}}, `
			f tv | w1 w2 | 4·14 5·15 4·14
			f web | w1 w2 | 1·0.5 3·6.5 4·14`},
		{"segments that are not requested are not made", stats.Request{Question: "sex", Splitter: "waves",
			Waves: []string{"w1"}, Segments: []string{"w2"}}, ``},
		{"a question splits by its datapoints, a grid by any suffix", stats.Request{Question: "sex",
			Datapoints: []string{"m"}, Splitter: "use", Segments: []string{"web"},
			Audiences: []audience.Audience{called("b1", is("brand:b1"))}}, `
			m web b1 | w1 w2 | 2·6 2·6 6·14`},
		{"a segment is measured where it was asked", stats.Request{Question: "sex", Datapoints: []string{"f"},
			Splitter: "brand"}, `
			f b1 | w1 w2 | 2·3.5 5·10.5 4·14
			f b2 | w1 w2 | 1·0.5 3·2.5 4·14
			f b3 | w2 | 1·10 2·15 1·10`},
		{"segmented base: a question", stats.Request{Question: "brand", Datapoints: []string{"b2"}, Splitter: "sex",
			SegmentedBase: true, Base: called("", is("use:web,tv"))}, `
			b2 f | w1 w2 | 1·0.5 4·14 1·0.5
			b2 m | w1 w2 | 1·1 3·7 1·1`},
		{"audiences and base may be cuts themselves", stats.Request{Question: "sex", Datapoints: []string{"f"},
			Splitter: "use", Segments: []string{"tv"}, SegmentedBase: true,
			Audiences: []audience.Audience{called("a", audience.Cut{is("brand:b1"), is("mood:good")})},
			Base:      called("", audience.Cut{is("brand"), is("sex")})}, `
			f tv a | w2 | 1·4 2·6 2·14`},
		{"old wording × new wording: not measured", stats.Request{Question: "mood", Splitter: "mood_old"}, `
			good good |  | 0·0 0·0 0·0`},
		{"the audience was asked in w1 only", stats.Request{Question: "sex", Datapoints: []string{"f"},
			Audiences: []audience.Audience{called("a", is("mood_old:good"))}}, `
			f a | w1 | 1·3 2·5 2·4`},
		{"the deepest namespace's respondents and weights", stats.Request{Question: "shop.visit", Splitter: "sex"}, `
			s1 f | w2 | 1·5 2·14 2·8
			s1 m | w2 | 1·3 2·7 2·8
			s2 f | w2 | 1·9 2·14 2·12
			s2 m | w2 | 1·3 2·7 2·12`},
		{"universe sum: waves add up", stats.Request{Question: "read", Splitter: "sex"}, `
			yes f | w1 w2 | 0·0 1·2 2·4
			yes m | w1 w2 | 2·4 3·5 2·4`},
	} {
		t.Run(c.name, func(t *testing.T) {
			counter := &counting{Store: st}
			res, err := stats.Run(t.Context(), counter, c.ask)
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for e := range res.Entries() {
				got = append(got, entry(e))
			}
			if d := cmp.Diff(lines(c.want), got); d != "" {
				t.Error(d)
			}
			if res.Len() != len(got) {
				t.Errorf("Len is %d for %d entries", res.Len(), len(got))
			}
			if want := min(1, len(got)); counter.calls > want {
				t.Errorf("counted %d times", counter.calls)
			}
		})
	}
}

// counting counts the calls of Count.
type counting struct {
	audience.Store
	calls int
}

func (c *counting) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	c.calls++
	return c.Store.Count(ctx, version, qs)
}

func TestMetrics(t *testing.T) {
	res, err := stats.Run(t.Context(), store(t, shops(), respondents), stats.Request{Question: "brand",
		Datapoints: []string{"b1"}, Audiences: []audience.Audience{called("", is("sex:f"))}})
	if err != nil {
		t.Fatal(err)
	}
	for e := range res.Entries() { // base 28
		want := stats.Metrics{
			Positive: audience.Figure{Sample: 2, Size: 3.5}, Audience: audience.Figure{Sample: 4, Size: 14},
			Datapoint:          audience.Figure{Sample: 5, Size: 10.5},
			AudiencePercentage: 25, DatapointPercentage: 100 * 3.5 / 10.5, AudienceIndex: 100 * 3.5 * 28 / (14 * 10.5),
		}
		if d := cmp.Diff(want, e.Metrics); d != "" {
			t.Error(d)
		}
	}
}

func TestRangingStops(t *testing.T) {
	res, err := stats.Run(t.Context(), store(t, shops(), respondents), stats.Request{Question: "brand"})
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for range res.Entries() {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d entries", n)
	}
}

func TestErrors(t *testing.T) {
	full := store(t, shops(), respondents)
	star := []string{"*"}
	limited := audience.Restrict(full, audience.Grant{
		Namespaces: []string{"core", "shop"}, Questions: []string{"sex", "brand", "use", "visit"},
		Datapoints: []string{"sex:*", "brand:b1", "brand:b2", "use:*", "visit:*"},
		Locations:  []string{"uk"}, Waves: star,
	})
	someone := []audience.Audience{called("a", is("sex:f"))}
	for _, c := range []struct {
		name string
		st   audience.Store
		ask  stats.Request
		want error
	}{
		{"a question is required", full, stats.Request{}, &audience.InvalidError{Path: "question",
			Reason: "a question code is required"}},
		{"a pseudo-question is no question", full, stats.Request{Question: "waves"}, &audience.InvalidError{Path: "question",
			Reason: `"waves" is no question of the survey: send it as the splitter, or in an expression`}},
		{"segments without a splitter", full, stats.Request{Question: "nope", Segments: []string{"w1"}},
			&audience.InvalidError{Path: "segments",
				Reason: "segments without a splitter: name what they are segments of"}},
		{"an audience must say who it is, before codes", full, stats.Request{Question: "nope",
			Audiences: []audience.Audience{someone[0], {ID: "saved"}}},
			&audience.EmptyError{Path: "audiences[1].expression"}},
		{"a segment of another splitter", full, stats.Request{Question: "sex", Splitter: "waves",
			Segments: []string{"w1", "uk"}}, &audience.InvalidError{Path: "segments[1]",
			Reason: `there is no wave "uk": with this splitter segments are wave codes`}},
		{"a segment of another splitter: locations", full, stats.Request{Question: "sex", Splitter: "locations",
			Segments: []string{"w1"}}, &audience.InvalidError{Path: "segments[0]",
			Reason: `there is no location "w1": with this splitter segments are location codes`}},
		{"a segment of another splitter: a question", full, stats.Request{Question: "sex", Splitter: "brand",
			Segments: []string{"b2", "tv", "web"}}, &audience.InvalidError{Path: "segments[1]",
			Reason: `the splitter has no datapoint "tv": segments are datapoint codes of it`}},
		{"an unknown suffix", full, stats.Request{Question: "use", Suffixes: []int{1, 9}},
			&audience.InvalidError{Path: "suffixes[1]", Reason: `question "use" has no suffix 9`}},
		{"suffixes of a question that is no grid", full, stats.Request{Question: "sex", Suffixes: []int{1}},
			&audience.InvalidError{Path: "suffixes",
				Reason: `question "sex" is no grid and has no suffixes: leave them out`}},
		{"a splitter of several namespaces", full, stats.Request{Question: "sex", Splitter: "twice"},
			&audience.InvalidError{Path: "splitter",
				Reason: `question "twice" is in several namespaces: write one of shop.twice, diary.twice`}},
		{"a question of several namespaces", full, stats.Request{Question: "twice"}, &audience.InvalidError{Path: "question",
			Reason: `question "twice" is in several namespaces: write one of shop.twice, diary.twice`}},
		{"codes are told before other faults, all of them", full, stats.Request{Question: "sex",
			Datapoints: []string{"x", "f"}, Suffixes: []int{1}, Splitter: "nope", Segments: []string{"a"},
			Audiences: []audience.Audience{someone[0],
				called("b", audience.And{is("brand:b9"), audience.Waves{Codes: []string{"w9"}}})},
			Base: called("", is("gone")), Locations: []string{"de"}},
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{
				{Code: "sex", Datapoints: []string{"x"}, Origin: "question"}, {Code: "nope", Origin: "splitter"},
				{Code: "brand", Datapoints: []string{"b9"}, Origin: "audiences[1]"}, {Code: "gone", Origin: "base_audience"}},
				Locations: []string{"de"}, Waves: []string{"w9"}}},
		{"a hidden segment", limited, stats.Request{Question: "sex", Splitter: "brand", Segments: []string{"b1", "b3"}},
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "brand",
				Datapoints: []string{"b3"}, Origin: "segments"}}}},
		{"hidden segments before foreign ones", limited, stats.Request{Question: "sex", Splitter: "locations",
			Segments: []string{"w1", "fr"}},
			&audience.UnavailableError{Locations: []string{"fr"}}},
		{"all datapoints of a splitter are used", limited, stats.Request{Question: "sex", Splitter: "brand"},
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "brand",
				Datapoints: []string{"b3"}, Origin: "splitter"}}}},
		{"all datapoints of a question are used", limited, stats.Request{Question: "brand"},
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "brand",
				Datapoints: []string{"b3"}, Origin: "question"}}}},
		{"a hidden splitter", limited, stats.Request{Question: "sex", Splitter: "mood", Segments: []string{"nope"}},
			&audience.UnavailableError{Questions: []audience.UnavailableQuestion{{Code: "mood", Origin: "splitter"}}}},
		{"namespaces without common respondents: question and splitter", full, stats.Request{Question: "shop.visit",
			Splitter: "read", Limits: stats.Limits{Cells: 1}},
			&audience.IncompatibleError{Namespaces: []string{"shop", "diary"}}},
		{"namespaces without common respondents: base", full, stats.Request{Question: "sex",
			Base: called("", audience.And{is("read"), is("visit")})},
			&audience.IncompatibleError{Namespaces: []string{"diary", "shop"}, Path: "base_audience"}},
		{"namespaces without common respondents: one audience", full, stats.Request{Question: "sex", Splitter: "waves",
			Audiences: []audience.Audience{someone[0], called("", audience.Or{is("read"), is("visit")})}},
			&audience.IncompatibleError{Namespaces: []string{"diary", "shop"}, Path: "audiences[1]"}},
		{"too many cells, last of all", full, stats.Request{Question: "sex", Splitter: "brand",
			Audiences: append(someone, someone...), Limits: stats.Limits{Cells: 11}},
			&audience.ComplexError{Reason: "12 datapoints × segments × audiences are more than the 11 that one " +
				"request may ask for"}},
		{"too costly for the caller", full, stats.Request{Question: "brand", Splitter: "waves",
			Limits: stats.Limits{Cells: 6, Cost: func(e stats.Extent) error {
				return &audience.ComplexError{Reason: fmt.Sprint(e)}
			}}}, &audience.ComplexError{Reason: "{[b1 b2 b3] [w1 w2] [w1 w2] 0}"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			counter := &counting{Store: c.st}
			_, err := stats.Run(t.Context(), counter, c.ask)
			if d := cmp.Diff(c.want, err); d != "" {
				t.Error(d)
			}
			if counter.calls > 0 {
				t.Error("it was counted")
			}
		})
	}
}

// What a caller may not use takes no part: neither in the segments made nor in the figures.
func TestHiddenIsLeftOut(t *testing.T) {
	st := audience.Restrict(store(t, shops(), respondents), audience.Grant{
		Namespaces: []string{"core"}, Questions: []string{"sex"}, Datapoints: []string{"sex:*"},
		Locations: []string{"*"}, Waves: []string{"w2"},
	})
	for splitter, want := range map[string]string{
		"waves":     "f w2 | w2 | 2·14 6·28 2·14",
		"locations": "f uk | w2 | 1·4 3·8 2·14; f fr | w2 | 1·10 3·20 2·14",
	} {
		res, err := stats.Run(t.Context(), st, stats.Request{Question: "sex", Datapoints: []string{"f"}, Splitter: splitter})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range res.Entries() {
			got = append(got, entry(e))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%s: %s", splitter, got)
		}
	}
}

// A store that changes between the frame and the count is asked again, and segments are those of the frame that was
// counted.
func TestChanged(t *testing.T) {
	st := &moving{before: store(t, shops(), respondents), after: store(t, shops(), strings.ReplaceAll(respondents,
		"w1 ", "w2 "))}
	res, err := stats.Run(t.Context(), st, stats.Request{Question: "sex", Datapoints: []string{"f"}, Splitter: "waves"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for e := range res.Entries() {
		got = append(got, entry(e))
	}
	if want := []string{"f w1 |  | 0·0 0·0 0·0", "f w2 | w2 | 4·18 10·36 4·18"}; cmp.Diff(want, got) != "" {
		t.Error(got)
	}
}

// moving shows one store's frame first and is another from the first count on.
type moving struct {
	before, after audience.Store
	moved         bool
}

func (m *moving) Frame(ctx context.Context) (*audience.Frame, error) {
	if m.moved {
		return m.after.Frame(ctx)
	}
	return m.before.Frame(ctx)
}

func (m *moving) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if !m.moved {
		m.moved = true
		return nil, audience.ErrChanged
	}
	return m.after.Count(ctx, version, qs)
}

func TestContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := stats.Run(ctx, store(t, shops(), respondents), stats.Request{Question: "sex"}); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}
