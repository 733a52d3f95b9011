package stats_test

import (
	"context"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/stats"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/storetest"
	"github.com/google/go-cmp/cmp"
)

// teaDrinkers are 20 women, of whom 10 drink tea, and 20 men, of whom nobody does. Everyone drinks water, nobody milk.
func teaDrinkers(t testing.TB) audience.Store {
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}, Waves: []audience.Wave{{Code: "w1"}},
		Locations: []audience.Location{{Code: "uk"}}, Questions: []audience.Question{
			{Namespace: "core", Code: "sex", Asked: everywhere, Datapoints: []audience.Datapoint{{Code: "f"}, {Code: "m"}}},
			{Namespace: "core", Code: "drinks", Asked: everywhere,
				Datapoints: []audience.Datapoint{{Code: "tea"}, {Code: "water"}, {Code: "milk"}}}}}
	lines := strings.Repeat("w1 uk 2 sex:f drinks:tea drinks:water\n", 10) +
		strings.Repeat("w1 uk 2 sex:f drinks:water\n", 10) + strings.Repeat("w1 uk 2 sex:m drinks:water\n", 20)
	return store(t, s, lines)
}

// profile asks, and names what came, in order.
func profile(t testing.TB, st audience.Store, q stats.ProfileQuery) (*stats.ProfileResult, []stats.ProfileEntry,
	string) {
	t.Helper()
	result, err := stats.Profile(t.Context(), st, q)
	if err != nil {
		t.Fatal(err)
	}
	entries := slices.Collect(result.Entries())
	var names []string
	for _, e := range entries {
		name := e.Question + ":" + e.Datapoint
		if e.Grid {
			name += fmt.Sprint(":", e.Suffix)
		}
		names = append(names, name)
	}
	return result, entries, strings.Join(names, " ")
}

// 10 of 20 against 0 of 20: G² is 2·(10·ln 2 + 10·ln(2/3) + 20·ln(4/3)), 17.26; that women are women is 40·ln 4, 55.45.
func TestProfileByHand(t *testing.T) {
	st := teaDrinkers(t)
	result, entries, names := profile(t, st, stats.ProfileQuery{Audience: called("", is("sex:f")), MinSample: 20})
	if want := "sex:f drinks:tea sex:m drinks:water drinks:milk"; names != want {
		t.Fatalf("ranked %s, want %s", names, want)
	}
	if result.Measured != 5 || result.Tested != 3 || result.Standing != 3 || result.Ranked != 5 {
		t.Errorf("%+v", result)
	}
	women, tea, men, water, milk := entries[0], entries[1], entries[2], entries[3], entries[4]
	if tea.Metrics.AudienceIndex != 200 || tea.Metrics.AudiencePercentage != 50 || tea.RestPercentage != 0 ||
		tea.Difference != 50 || tea.RestEffectiveSample != 20 || tea.Statistics.AudienceEffectiveSample != 20 {
		t.Errorf("tea: %+v", tea)
	}
	const p, of = 3.25818809469819e-5, 9.6e-14 // erfc(√(17.26/2)), erfc(√(55.45/2))
	if math.Abs(tea.P/p-1) > 1e-12 || math.Abs(tea.AdjustedP/p-1) > 1e-12 || !tea.Tested || !tea.Stands {
		t.Errorf("tea: p %v, adjusted %v", tea.P, tea.AdjustedP)
	}
	if want := math.Erfc(math.Sqrt(20 * math.Log(4))); math.Abs(women.P/want-1) > 1e-9 || women.P > 2*of ||
		math.Abs(women.AdjustedP/(1.5*women.P)-1) > 1e-9 || men.P != women.P {
		t.Errorf("women: p %v, adjusted %v; men %v", women.P, women.AdjustedP, men.P)
	}
	for _, e := range []stats.ProfileEntry{water, milk} {
		if e.Tested || e.P != 1 || e.AdjustedP != 1 || e.Stands {
			t.Errorf("%s was tested: %+v", e.Datapoint, e)
		}
	}
	if men.Statistics.AudienceIndex != nil || men.Metrics.AudienceIndex != 0 {
		t.Errorf("men: %+v", men)
	}

	// One respondent more is asked for than there are.
	if result, _, _ := profile(t, st, stats.ProfileQuery{Audience: called("", is("sex:f")), MinSample: 21}); result.
		Tested != 0 || result.Standing != 0 || result.Measured != 5 {
		t.Errorf("with too few respondents: %+v", result)
	}
}

func TestProfileOrders(t *testing.T) {
	st := teaDrinkers(t)
	for _, test := range []struct {
		query stats.ProfileQuery
		want  string
	}{
		{stats.ProfileQuery{OrderBy: stats.ByIndex}, "sex:m sex:f drinks:tea drinks:water drinks:milk"},
		{stats.ProfileQuery{OrderBy: stats.ByDifference}, "sex:m sex:f drinks:tea drinks:water drinks:milk"},
		{stats.ProfileQuery{OrderBy: stats.Certain, Direction: stats.Over}, "sex:f drinks:tea"},
		{stats.ProfileQuery{Direction: stats.Under}, "sex:m"},
		{stats.ProfileQuery{Direction: stats.Both, Limit: 2}, "sex:f drinks:tea"},
		{stats.ProfileQuery{Limit: 2, Offset: 1}, "drinks:tea sex:m"},
		{stats.ProfileQuery{Offset: 4}, "drinks:milk"},
		{stats.ProfileQuery{Offset: 5}, ""},
		{stats.ProfileQuery{Questions: []string{"core.drinks", "drinks"}}, "drinks:tea drinks:water drinks:milk"},
	} {
		test.query.Audience = called("", is("sex:f"))
		result, _, names := profile(t, st, test.query)
		if names != test.want {
			t.Errorf("%+v: %s, want %s", test.query, names, test.want)
		}
		if len(test.query.Questions) == 0 && result.Measured != 5 {
			t.Errorf("%+v: %d were measured", test.query, result.Measured)
		}
	}
}

// What an audience's survey does not tell is left out: namespaces without common respondents, what was asked elsewhere
// only, and, with a grant, what is hidden.
func TestProfileLeavesOut(t *testing.T) {
	st := store(t, shops(), respondents)
	result, _, names := profile(t, st, stats.ProfileQuery{Audience: called("", is("shop.visit:s1")), MinSample: 1,
		OrderBy: stats.ByIndex})
	if result.Incompatible != 2 { // diary.read and diary.twice
		t.Errorf("%d are incompatible: %+v", result.Incompatible, result)
	}
	if result.Unmeasured != 1 || strings.Contains(names, "mood_old") { // shop has no respondents in w1
		t.Errorf("%d are unmeasured: %s", result.Unmeasured, names)
	}
	if !strings.Contains(names, "use:web:3") || !strings.Contains(names, "brand:b3") {
		t.Errorf("ranked %s", names)
	}
	grant := audience.All()
	grant.Datapoints = []string{"core.sex:f", "core.brand:b1", "core.brand:b2"}
	some := audience.Restrict(st, grant)
	result, _, names = profile(t, some, stats.ProfileQuery{Audience: called("", is("sex:f")), MinSample: 1})
	if result.Measured != 3 || strings.Contains(names, "sex:m") || strings.Contains(names, "b3") {
		t.Errorf("with a grant: %s", names)
	}
	if _, _, names = profile(t, some, stats.ProfileQuery{Audience: called("", is("sex:f")), MinSample: 1,
		Questions: []string{"brand"}}); names != "brand:b1 brand:b2" && names != "brand:b2 brand:b1" {
		t.Errorf("with a grant, of a question: %s", names)
	}
}

// Each attribute has its own cover: b3 was asked in fr alone, where of the 4 women's and men's respondents 2 say so.
func TestProfileCovers(t *testing.T) {
	st := store(t, shops(), respondents)
	_, entries, _ := profile(t, st, stats.ProfileQuery{Audience: called("", is("sex:f")), MinSample: 1, Coverage: true,
		Questions: []string{"brand"}, OrderBy: stats.ByDifference})
	for _, e := range entries {
		if e.Datapoint != "b3" {
			continue
		}
		if e.Metrics.Audience.Sample != 1 || e.Metrics.Datapoint.Sample != 2 || e.RestPercentage != 50 ||
			!slices.Equal(e.Waves, []string{"w2"}) || !slices.Equal(e.Coverage.Locations, []string{"fr"}) ||
			e.RestEffectiveSample != 2 {
			t.Errorf("%+v %+v", e, e.Coverage)
		}
		return
	}
	t.Error("b3 is not there")
}

// A profile says of an attribute what statistics say of it.
func TestProfileIsAsStatistics(t *testing.T) {
	st := sampled(t)
	f, err := st.Frame(t.Context())
	must(t, err)
	q := &f.Questions[4]
	a := called("", audience.Answers{Question: q.Key(), Datapoints: []string{q.Datapoints[0].Code}})
	low := estimate.LowBase{Withhold: 40, Caution: 200}
	result, err := stats.Profile(t.Context(), st, stats.ProfileQuery{Audience: a, Level: 90, LowBase: low})
	must(t, err)
	compared := 0
	for e := range result.Entries() {
		r := stats.Request{Question: audience.Key(e.Namespace, e.Question), Datapoints: []string{e.Datapoint},
			Audiences: []audience.Audience{a}, Statistics: &estimate.Options{Level: 90, LowBase: low}}
		if e.Grid {
			r.Suffixes = []int{e.Suffix}
		}
		if compared++; compared%7 != 0 { // one in seven is enough
			continue
		}
		stat, err := stats.Run(t.Context(), st, r)
		must(t, err)
		for want := range stat.Entries() {
			if d := cmp.Diff(want.Metrics, e.Metrics); d != "" {
				t.Fatal(d)
			}
			if d := cmp.Diff(*want.Statistics, e.Statistics); d != "" {
				t.Fatalf("%v: %s", e.AttributeKey, d)
			}
		}
	}
	if compared < 50 {
		t.Errorf("only %d attributes", compared)
	}
}

// The bytes are the same whatever the engine and the number of threads, and a limit tells the first of the same.
func TestProfileIsTheSame(t *testing.T) {
	study := storetest.NewRandom(12).Study()
	var all []audience.Store
	for _, threads := range []int{1, 3} {
		db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{Threads: threads})
		must(t, err)
		t.Cleanup(func() { must(t, db.Close()) })
		must(t, study.Load(context.Background(), db))
		all = append(all, db)
	}
	a := called("", audience.Locations{Codes: []string{study.Survey.Locations[0].Code}})
	_, want, _ := profile(t, all[0], stats.ProfileQuery{Audience: a, MinSample: 2})
	if len(want) < 5 {
		t.Fatalf("only %d attributes", len(want))
	}
	for _, st := range all {
		for range 2 { // cold and warm
			if _, got, _ := profile(t, st, stats.ProfileQuery{Audience: a, MinSample: 2}); !reflect.DeepEqual(got, want) {
				t.Error(cmp.Diff(want, got))
			}
		}
		if _, got, _ := profile(t, st, stats.ProfileQuery{Audience: a, MinSample: 2, Limit: 3, Offset: 1}); !reflect.
			DeepEqual(got, want[1:4]) {
			t.Error(cmp.Diff(want[1:4], got))
		}
	}
}

func TestProfileErrors(t *testing.T) {
	st := store(t, shops(), respondents)
	women := called("", is("sex:f"))
	for _, test := range []struct {
		query stats.ProfileQuery
		want  string
	}{
		{stats.ProfileQuery{}, "audience.expression: the expression is empty"},
		{stats.ProfileQuery{Audience: women, MinSample: -1}, "min_sample"},
		{stats.ProfileQuery{Audience: women, FalseDiscovery: 100}, "false_discovery"},
		{stats.ProfileQuery{Audience: women, FalseDiscovery: math.NaN()}, "false_discovery"},
		{stats.ProfileQuery{Audience: women, Limit: -1}, "limit"},
		{stats.ProfileQuery{Audience: women, Offset: -1}, "offset"},
		{stats.ProfileQuery{Audience: women, OrderBy: "p"}, `order_by: "p" is no order`},
		{stats.ProfileQuery{Audience: women, Direction: "up"}, `direction: "up" is no direction`},
		{stats.ProfileQuery{Audience: women, Level: 40}, "statistics.level"},
		{stats.ProfileQuery{Audience: women, Questions: []string{"sex", "sexx"}}, `question "sexx" (in questions[1])`},
		{stats.ProfileQuery{Audience: women, Questions: []string{"twice"}}, "questions[0]: question \"twice\" is in several"},
		{stats.ProfileQuery{Audience: called("", is("sex:x"))}, `(in audience)`},
		{stats.ProfileQuery{Audience: women, Base: called("", is("sex:x")), Waves: []string{"w9"}}, "waves w9"},
		{stats.ProfileQuery{Audience: called("", is("shop.visit:s1")), Base: called("", is("diary.read"))},
			"namespaces diary and shop have no common"},
		{stats.ProfileQuery{Audience: called("", is("shop.visit:s1")), Questions: []string{"diary.read"}},
			"namespaces"},
		{stats.ProfileQuery{Audience: women, Limits: stats.ProfileLimits{Attributes: 10}}, "attributes are more than the 10"},
		{stats.ProfileQuery{Audience: women, Limit: 3, Limits: stats.ProfileLimits{Cost: func(e stats.ProfileExtent) error {
			return fmt.Errorf("%d of %d in %v", e.Entries, len(e.Attributes), e.Waves)
		}}}, "3 of 18 in [w1 w2]"},
	} {
		_, err := stats.Profile(t.Context(), st, test.query)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%+v: %v, want %s", test.query, err, test.want)
		}
	}
}
