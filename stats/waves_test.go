package stats_test

import (
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/stats"
	"github.com/google/go-cmp/cmp"
)

func TestWaveCounts(t *testing.T) {
	st := store(t, shops(), respondents)
	figure := func(sample int64, size float64) audience.Figure { return audience.Figure{Sample: sample, Size: size} }
	for _, c := range []struct {
		name string
		ask  stats.WaveRequest
		want stats.WaveResult
	}{
		{"a percentage is of the wave", stats.WaveRequest{Expression: is("sex:f")}, stats.WaveResult{
			Base: figure(10, 28), Audience: figure(4, 14), Percentage: 50,
			Waves: []stats.WaveCount{{Code: "w1", Name: "Spring", Sample: 2, Percentage: 50},
				{Code: "w2", Name: "Autumn", Sample: 2, Percentage: 50}},
		}},
		{"a wave that was not asked has no entry", stats.WaveRequest{Expression: is("mood:good")}, stats.WaveResult{
			Base: figure(6, 28), Audience: figure(3, 16), Percentage: 100 * 16. / 28,
			Waves: []stats.WaveCount{{Code: "w2", Name: "Autumn", Sample: 3, Percentage: 100 * 16. / 28}},
		}},
		{"reworded between waves", stats.WaveRequest{Expression: audience.Or{
			audience.And{audience.Waves{Codes: []string{"w1"}}, is("mood_old:good")},
			audience.And{audience.Waves{Codes: []string{"w2"}}, is("mood:good")},
		}}, stats.WaveResult{
			Base: figure(10, 28), Audience: figure(5, (3.+2+4+2)/2+10), Percentage: 100 * 15.5 / 28,
			Waves: []stats.WaveCount{{Code: "w1", Name: "Spring", Sample: 2, Percentage: 62.5},
				{Code: "w2", Name: "Autumn", Sample: 3, Percentage: 100 * 16. / 28}},
		}},
		{"an expression that excludes a wave", stats.WaveRequest{Expression: audience.And{is("sex:f"),
			audience.Waves{Codes: []string{"w1"}}}}, stats.WaveResult{
			Base: figure(4, 8), Audience: figure(2, 4), Percentage: 50,
			Waves: []stats.WaveCount{{Code: "w1", Name: "Spring", Sample: 2, Percentage: 50}},
		}},
		{"measured nowhere: old and new wording", stats.WaveRequest{Expression: audience.And{is("mood:good"),
			is("mood_old:good")}}, stats.WaveResult{}},
		{"no one of those asked is 0 %", stats.WaveRequest{Expression: is("use:web"), Waves: []string{"w2"},
			Locations: []string{"uk"}}, stats.WaveResult{
			Base: figure(3, 8), Waves: []stats.WaveCount{{Code: "w2", Name: "Autumn", Sample: 0, Percentage: 0}},
		}},
		{"requested waves and locations, oldest first", stats.WaveRequest{Expression: is("brand:b2"),
			Waves: []string{"w2", "w1"}, Locations: []string{"uk"}}, stats.WaveResult{
			Base: figure(7, 8), Audience: figure(3, 2.5), Percentage: 31.25,
			Waves: []stats.WaveCount{{Code: "w1", Name: "Spring", Sample: 2, Percentage: 37.5},
				{Code: "w2", Name: "Autumn", Sample: 1, Percentage: 25}},
		}},
		{"a wave in which the namespace has no one has no entry", stats.WaveRequest{Expression: is("visit:s1")},
			stats.WaveResult{
				Base: figure(4, 21), Audience: figure(2, 8), Percentage: 100 * 8. / 21,
				Waves: []stats.WaveCount{{Code: "w2", Name: "Autumn", Sample: 2, Percentage: 100 * 8. / 21}},
			}},
		{"a universe of sum", stats.WaveRequest{Expression: is("read:yes")}, stats.WaveResult{
			Base: figure(4, 7), Audience: figure(2, 4), Percentage: 100 * 4. / 7,
			Waves: []stats.WaveCount{{Code: "w1", Name: "Spring", Sample: 1, Percentage: 100 * 1. / 3},
				{Code: "w2", Name: "Autumn", Sample: 1, Percentage: 75}},
		}},
		{"everyone, if asked for", stats.WaveRequest{Expression: audience.Waves{}, Waves: []string{"w1"}}, stats.WaveResult{
			Base: figure(4, 8), Audience: figure(4, 8), Percentage: 100,
			Waves: []stats.WaveCount{{Code: "w1", Name: "Spring", Sample: 4, Percentage: 100}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			counter := &counting{Store: st}
			got, err := stats.WaveCounts(t.Context(), counter, c.ask)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(&c.want, got); d != "" {
				t.Error(d)
			}
			if counter.calls > 1 {
				t.Errorf("counted %d times", counter.calls)
			}
		})
	}
}

func TestWaveCountsErrors(t *testing.T) {
	st := store(t, shops(), respondents)
	for _, c := range []struct {
		name string
		ask  stats.WaveRequest
		want error
	}{
		{"an audience must say who it is", stats.WaveRequest{Waves: []string{"w9"}},
			&audience.EmptyError{Path: "expression"}},
		{"all unavailable codes", stats.WaveRequest{Expression: is("sex:x"), Waves: []string{"w9"},
			Locations: []string{"de"}}, &audience.UnavailableError{
			Questions: []audience.UnavailableQuestion{{Code: "sex", Datapoints: []string{"x"}, Origin: "expression"}},
			Waves:     []string{"w9"}, Locations: []string{"de"}}},
		{"namespaces without common respondents", stats.WaveRequest{Expression: audience.Or{is("read"), is("visit")}},
			&audience.IncompatibleError{Namespaces: []string{"diary", "shop"}, Path: "expression"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := stats.WaveCounts(t.Context(), st, c.ask)
			if d := cmp.Diff(c.want, err); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestHiddenWavesAreLeftOut(t *testing.T) {
	g := audience.All()
	g.Waves, g.Locations = []string{"w2"}, []string{"uk"}
	got, err := stats.WaveCounts(t.Context(), audience.Restrict(store(t, shops(), respondents), g),
		stats.WaveRequest{Expression: is("sex:f")})
	if err != nil {
		t.Fatal(err)
	}
	want := &stats.WaveResult{
		Base: audience.Figure{Sample: 3, Size: 8}, Audience: audience.Figure{Sample: 1, Size: 4}, Percentage: 50,
		Waves: []stats.WaveCount{{Code: "w2", Name: "Autumn", Sample: 1, Percentage: 50}},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
