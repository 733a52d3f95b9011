package stats_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/storetest"
)

// drifting is a study whose locations change from wave to wave. local was asked about in fr, and in w4 in de.
const drifting = `
survey
  namespace core
  wave w1 2024-01-01
  wave w2 2024-04-01
  wave w3 2024-07-01
  wave w4 2024-10-01
  location uk fr de
  question sex single f m
  question brand multi separate acme local

respondents
  wave | location | core | sex | brand
  w1   | uk       | 1    | f   | acme
  w1   | uk       | 2    | m   | !acme
  w2   | uk       | 3    | f   | acme
  w2   | uk       | 5    | m   | acme
  w2   | fr       | 7    | f   | acme local
  w3   | uk       | 11   | f   | !acme
  w3   | fr       | 13   | m   | acme !local
  w3   | de       | 17   | f   | !acme
  w4   | fr       | 19   | f   | acme local
  w4   | fr       | 23   | m   | !acme !local
  w4   | de       | 29   | f   | acme local
`

func driftingStore(t *testing.T) audience.Store {
	t.Helper()
	st := new(naive.Store)
	if err := storetest.RunScript(t.Context(), "drifting", drifting, func() storetest.Engine { return st }); err != nil {
		t.Fatal(err)
	}
	return st
}

// Rule matched: everything is cut to the locations that are covered in all waves in which the audience was asked, and
// the figures are those of a request for these locations.
func TestMatched(t *testing.T) {
	st := driftingStore(t)
	for _, test := range []struct {
		name      string
		request   stats.WaveRequest
		locations string // "" is none
	}{
		{"one location", stats.WaveRequest{Expression: is("sex:f"), Waves: []string{"w1", "w2", "w3"}}, "uk"},
		{"two", stats.WaveRequest{Expression: is("sex:f"), Waves: []string{"w2", "w3"}}, "uk fr"},
		{"all there are", stats.WaveRequest{Expression: is("sex:f"), Waves: []string{"w4"}}, "fr de"},
		{"a wave that was not asked does not count", stats.WaveRequest{Expression: is("brand:local")}, "fr"},
		{"within the locations requested", stats.WaveRequest{Expression: is("sex:f"), Waves: []string{"w2", "w3"},
			Locations: []string{"de", "fr", "fr"}}, "fr"},
		{"none in common", stats.WaveRequest{Expression: is("sex:f")}, ""},
		{"reworded", stats.WaveRequest{Expression: audience.Or{
			audience.And{audience.Waves{Codes: []string{"w2"}}, is("brand:local")},
			audience.And{audience.Waves{Codes: []string{"w3", "w4"}}, is("brand:acme")}}}, "fr"},
	} {
		matched := test.request
		matched.Matched = true
		got, err := stats.WaveCounts(t.Context(), st, matched)
		if err != nil {
			t.Fatal(err)
		}
		want := &stats.WaveResult{}
		if test.locations != "" {
			alone := test.request
			alone.Locations = strings.Fields(test.locations)
			if want, err = stats.WaveCounts(t.Context(), st, alone); err != nil {
				t.Fatal(err)
			}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s:\n%s", test.name, d)
		}
		matched.Coverage = true
		if got, err = stats.WaveCounts(t.Context(), st, matched); err != nil {
			t.Fatal(err)
		}
		covered := strings.Join(got.Coverage.Locations, " ")
		if covered != test.locations || got.Coverage.LocationsDiffer {
			t.Errorf("%s covers %+v", test.name, got.Coverage)
		}
		for _, w := range got.Waves {
			if strings.Join(w.Coverage.Locations, " ") != test.locations || fmt.Sprint(w.Coverage.Waves) != "["+w.Code+"]" {
				t.Errorf("%s: %s covers %+v", test.name, w.Code, w.Coverage)
			}
		}
	}
}

// Rule coverage: wave counts tell of each wave whether all that was requested of it is covered, and of the whole
// whether the waves have different locations.
func TestWaveCountsCoverage(t *testing.T) {
	st := driftingStore(t)
	for _, test := range []struct {
		ask  stats.WaveRequest
		want string // locations of each wave, + if it is complete; then of the whole, ≠ if they differ
	}{
		{stats.WaveRequest{Expression: is("sex:f")}, "w1 uk+ w2 uk,fr+ w3 uk,fr,de+ w4 fr,de+ all uk,fr,de+≠"},
		{stats.WaveRequest{Expression: is("brand:local")}, "w2 fr w3 fr w4 fr,de+ all fr,de≠"},
		{stats.WaveRequest{Expression: is("brand:local"), Locations: []string{"fr"}, Waves: []string{"w3", "w2"}},
			"w2 fr+ w3 fr+ all fr+"},
		{stats.WaveRequest{Expression: is("sex:f"), Waves: []string{"w2", "w3"}, Matched: true},
			"w2 uk,fr+ w3 uk,fr all uk,fr"},
		{stats.WaveRequest{Expression: is("sex:f"), Matched: true}, "all "},
	} {
		test.ask.Coverage = true
		r, err := stats.WaveCounts(t.Context(), st, test.ask)
		if err != nil {
			t.Fatal(err)
		}
		describe := func(name string, c *audience.Covered) string {
			text := name + " " + strings.Join(c.Locations, ",")
			if c.Complete {
				text += "+"
			}
			if c.LocationsDiffer {
				text += "≠"
			}
			return text
		}
		var got []string
		for _, w := range r.Waves {
			got = append(got, describe(w.Code, w.Coverage))
		}
		got = append(got, describe("all", r.Coverage))
		if text := strings.Join(got, " "); text != test.want {
			t.Errorf("%+v:\n%s\n%s", test.ask, text, test.want)
		}
	}
}

// Rule coverage: of statistics, entries whose segments are waves with different locations say so, audience by audience;
// what the limit of the caller is told is not too little; and nothing is told unless it is asked for.
func TestStatsCoverage(t *testing.T) {
	st := driftingStore(t)
	for _, test := range []struct {
		name string
		ask  stats.Request
		want string // of each entry: datapoint, segment, audience, locations, and ≠ if they differ
	}{
		{"waves", stats.Request{Splitter: stats.Waves, Segments: []string{"w2", "w3"}, Audiences: []audience.Audience{
			called("a", is("sex:f")), called("b", is("brand:local"))}},
			"acme w2 a uk,fr≠; acme w2 b fr; acme w3 a uk,fr,de≠; acme w3 b fr; " +
				"local w2 a fr; local w2 b fr; local w3 a fr; local w3 b fr"},
		{"locations", stats.Request{Splitter: stats.Locations, Segments: []string{"uk"}},
			"acme uk  uk,fr,de; local uk  "}, // where local was asked nobody is in uk
		{"locations that cut the base", stats.Request{Splitter: stats.Locations, Segments: []string{"fr"},
			SegmentedBase: true},
			"acme fr  uk,fr,de; local fr  fr,de"},
		{"none", stats.Request{}, "acme   uk,fr,de; local   fr,de"},
	} {
		test.ask.Question = "brand"
		plain, err := stats.Run(t.Context(), st, test.ask)
		if err != nil {
			t.Fatal(err)
		}
		for e := range plain.Entries() {
			if e.Coverage != nil {
				t.Errorf("%s: %+v, which was not asked for", test.name, e.Coverage)
			}
		}
		told := int64(0)
		test.ask.Coverage = true
		test.ask.Limits.Cost = func(e stats.Extent) error { told = e.Coverage; return nil }
		r, err := stats.Run(t.Context(), st, test.ask)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range r.Entries() {
			text := strings.Join([]string{e.Datapoint, e.Segment, e.Audience, strings.Join(e.Coverage.Locations, ",")}, " ")
			if e.Coverage.LocationsDiffer {
				text += "≠"
			}
			if d := cmp.Diff(e.Waves, e.Coverage.Waves); d != "" {
				t.Error(test.name, d)
			}
			got, told = append(got, text), told-int64(len(fmt.Sprint(*e.Coverage)))
		}
		if text := strings.Join(got, "; "); text != test.want || told < 0 {
			t.Errorf("%s: %s\nwant %s; %d bytes of what was told are left", test.name, text, test.want, told)
		}
	}
}
