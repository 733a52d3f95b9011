package insights_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	gocmp "github.com/google/go-cmp/cmp"
)

// person is a respondent: wave, place, weight, gender (1 a woman), daily television, phone suffix (0: not at all), a
// visit to shop s1 and shop weight.
type person struct {
	wave, place, weight int
	woman, daily        bool
	phone               int
	visits              bool
	shopper             int
}

// panel is a Store that counts people one by one.
type panel struct {
	frame  *audience.Frame
	people []person
}

func (p panel) Frame(context.Context) (*audience.Frame, error) { return p.frame, nil }

func (p panel) Count(_ context.Context, _ uint64, qs []audience.Query) ([][]*audience.Table, error) {
	var out [][]*audience.Table
	for _, q := range qs {
		var tables []*audience.Table
		for _, s := range q.Strata {
			t := audience.NewTable(len(q.Rows), len(q.Columns))
			for _, x := range p.people {
				weight := x.weight
				if q.Namespace == "shop" {
					weight = x.shopper
				}
				if weight == 0 || !s.Has(p.frame.At(x.wave, x.place)) || q.Base != nil && !p.in(x, q.Base) {
					continue
				}
				for i := range len(q.Rows) + 1 {
					for j := range len(q.Columns) + 1 {
						if (i == 0 || p.in(x, q.Rows[i-1])) && (j == 0 || p.in(x, q.Columns[j-1])) {
							c := &t.Counts[i*(len(q.Columns)+1)+j]
							c.Sample++
							c.Weight += int64(weight)
						}
					}
				}
			}
			tables = append(tables, t)
		}
		out = append(out, tables)
	}
	return out, nil
}

func (p panel) in(x person, e audience.Expr) bool {
	switch e := e.(type) {
	case audience.Everyone:
		return true
	case audience.Not:
		return !p.in(x, e.X)
	case audience.And:
		return !slices.ContainsFunc(e, func(part audience.Expr) bool { return !p.in(x, part) })
	case audience.Or:
		return slices.ContainsFunc(e, func(part audience.Expr) bool { return p.in(x, part) })
	case audience.Answers:
		switch e.Question {
		case "core.gender":
			return slices.Contains(e.Datapoints, map[bool]string{true: "f", false: "m"}[x.woman])
		case "core.use":
			suffix := func(n int) bool { return n > 0 && (len(e.Suffixes) == 0 || slices.Contains(e.Suffixes, n)) }
			tv := 2
			if x.daily {
				tv = 1
			}
			return slices.Contains(e.Datapoints, "tv") && suffix(tv) || slices.Contains(e.Datapoints, "phone") && suffix(x.phone)
		case "shop.visit":
			return x.visits
		}
	}
	panic(fmt.Sprintf("the panel was not asked %#v", e))
}

// framed is two waves of different years and three places; shop was fielded in the second wave in the north, a phone
// was asked about in the second wave only.
func framed(t testing.TB) *audience.Frame {
	t.Helper()
	cover := func(bits ...int) audience.Cover {
		c := audience.NewCover(6)
		for _, b := range bits {
			c.Set(b)
		}
		return c
	}
	all, second := cover(0, 1, 2, 3, 4, 5), cover(3, 4, 5)
	f, err := audience.NewFrame(1, &audience.Survey{
		Waves: []audience.Wave{{Code: "w1", Name: "Winter", Start: "2023-12-01"},
			{Code: "w2", Name: "Spring", Start: "2024-03-01"}},
		Locations: []audience.Location{{Code: "n", Name: "North", Region: audience.Region{Code: "up", Name: "Upper"}},
			{Code: "s", Name: "South", Region: audience.Region{Code: "up", Name: "Upper"}}, {Code: "o", Name: "Overseas"}},
		Namespaces: []audience.Namespace{{Code: "core", Name: "Core"}, {Code: "shop", Base: "core"},
			{Code: "diary", Base: "core"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: []audience.Datapoint{
				{Code: "f", Name: "Women"}, {Code: "m", Name: "Men"}}},
			{Namespace: "core", Code: "use", Name: "Use", Description: "How often?", Datapoints: []audience.Datapoint{
				{Code: "tv", Name: "Television"}, {Code: "phone", Name: "Phone"}},
				Suffixes: []audience.Suffix{{Code: 1, Name: "Daily"}, {Code: 2, Name: "Weekly"}}},
			{Namespace: "shop", Code: "visit", Name: "Visits", Datapoints: []audience.Datapoint{{Code: "s1", Name: "Market"}}},
			{Namespace: "diary", Code: "read", Name: "Reads", Datapoints: []audience.Datapoint{{Code: "yes", Name: "Yes"}}},
		},
		Datasets: []audience.Dataset{{Code: "d", Name: "Data", Description: "All.", URL: "https://example.com/d"}},
	}, audience.Coverage{
		Fielded: []audience.Cover{all, cover(3), all},
		Asked:   [][]audience.Cover{{all, all}, {all, second}, {cover(3)}, {all}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// Weights are people. In the north 10 women, of whom 4 see television daily, and 10 men, of whom 5 do, in each wave;
// overseas no one.
func people() []person {
	return []person{
		{wave: 0, place: 0, weight: 4, woman: true, daily: true}, {wave: 0, place: 0, weight: 6, woman: true},
		{wave: 0, place: 0, weight: 5, daily: true}, {wave: 0, place: 0, weight: 5},
		{wave: 1, place: 0, weight: 4, woman: true, daily: true, phone: 1, visits: true, shopper: 8},
		{wave: 1, place: 0, weight: 6, woman: true, phone: 2, shopper: 12},
		{wave: 1, place: 0, weight: 5, daily: true, phone: 2}, {wave: 1, place: 0, weight: 5},
		{wave: 0, place: 1, weight: 1, woman: true, daily: true}, {wave: 1, place: 1, weight: 2, daily: true, phone: 1},
	}
}

// shared finds one saved audience.
func shared(_ context.Context, id string) (insights.OriginAudience, error) {
	if id != "saved" {
		return insights.OriginAudience{}, fmt.Errorf("saved audience %s: %w", id, audience.ErrNotFound)
	}
	return insights.OriginAudience{ID: id, Title: "Saved men", Description: "As saved.",
		Expression: audience.Answers{Question: "gender", Datapoints: []string{"m"}}}, nil
}

func key(question, datapoint, suffix string) insights.AttributeKey {
	return insights.AttributeKey{QuestionCode: question, DatapointCode: datapoint, SuffixCode: suffix}
}

// One question_calculation per question and suffix; percentage of the audience, index against the base, sample and size
// of those positive, size rounded half away from zero.
func TestExplore(t *testing.T) {
	g := insights.Generic{ID: "g", Text: "T", Metrics: []string{"size", "index"}, Origins: insights.Origins{
		Attributes: []insights.OriginAttribute{{Key: key("use", "tv", "1"), GeneratedText: "as stored"},
			{Key: key("core.gender", "f", "")}, {Key: key("use", "tv", "2")}},
		Audiences: []insights.OriginAudience{{ID: "women", Title: "Women",
			Expression: audience.Answers{Question: "gender", Datapoints: []string{"f"}}}, {ID: "saved"}},
		Locations: []string{"n"}, Datasets: []string{"none", "d"}}}
	view, err := insights.Explore(t.Context(), shelf{generic: []insights.Generic{g}}, panel{framed(t), people()}, shared,
		"g")
	if err != nil {
		t.Fatal(err)
	}
	full := func(question, datapoint, suffix string) insights.AttributeKey {
		return insights.AttributeKey{NamespaceCode: "core", QuestionCode: question, DatapointCode: datapoint,
			SuffixCode: suffix}
	}
	daily := insights.Attribute{Key: full("use", "tv", "1"), QuestionDescription: "How often?", QuestionName: "Use",
		DatapointName: "Television", SuffixName: "Daily", GeneratedText: "as stored"}
	weekly := insights.Attribute{Key: full("use", "tv", "2"), QuestionDescription: "How often?", QuestionName: "Use",
		DatapointName: "Television", SuffixName: "Weekly", GeneratedText: "Use: Television (Weekly)"}
	woman := insights.Attribute{Key: full("core.gender", "f", ""), QuestionName: "Gender", DatapointName: "Women",
		GeneratedText: "Gender: Women"}
	women, men := insights.Audience{ID: "women", Title: "Women", Description: "Gender: Women"},
		insights.Audience{ID: "saved", Title: "Saved men", Description: "As saved."}
	calc := func(a insights.Attribute, who insights.Audience, percentage, index float64, sample,
		size int64) insights.Calculation {
		return insights.Calculation{Key: a.Key, Attribute: a, AudienceID: who.ID, Audience: who, Percentage: percentage,
			Index: index, Sample: sample, Size: size}
	}
	use, gender := insights.CalculatedQuestion{Description: "How often?", Name: "Use"},
		insights.CalculatedQuestion{Name: "Gender"}
	priority := []string{"size", "index", "percentage", "sample"}
	want := &insights.View{
		Insight: insights.ViewInsight{ID: "g", Text: "T", Metrics: []string{"size", "index"}, Origins: insights.ViewOrigins{
			Attributes: []insights.OriginAttribute{{Key: daily.Key, GeneratedText: "as stored"},
				{Key: woman.Key, GeneratedText: "Gender: Women"}, {Key: weekly.Key, GeneratedText: "Use: Television (Weekly)"}},
			Audiences: []insights.Audience{women, men}, Locations: []string{"n"}, Waves: []string{},
			Datasets: []string{"none", "d"}}},
		Attributes: []insights.Attribute{daily, woman, weekly},
		Audiences:  []insights.Audience{women, men},
		QuestionCalculations: []insights.QuestionCalculation{
			// 4 of 10 women, 5 of 10 men, 9 of all 20.
			{Question: use, Suffixes: "1", MetricPriority: priority, Calculations: []insights.Calculation{
				calc(daily, women, 40, 100*4*20./(10*9), 2, 4), calc(daily, men, 50, 100*5*20./(10*9), 2, 5)}},
			{Question: gender, MetricPriority: priority, Calculations: []insights.Calculation{calc(woman, women, 100,
				200, 4, 10), calc(woman, men, 0, 0, 0, 0)}},
			{Question: use, Suffixes: "2", MetricPriority: priority, Calculations: []insights.Calculation{
				calc(weekly, women, 60, 100*6*20./(10*11), 2, 6), calc(weekly, men, 50, 100*5*20./(10*11), 2, 5)}},
		},
		LocationGroups: []insights.LocationGroup{{Group: "Upper", Details: insights.LocationDetails{
			Description: "North", Locations: []insights.Code{{Code: "n", Name: "North"}}}}},
		TimeframeGroups: []insights.TimeframeGroup{
			{Group: "2023", Details: insights.TimeframeDetails{Description: "Winter",
				Timeframes: []insights.Code{{Code: "w1", Name: "Winter"}}}},
			{Group: "2024", Details: insights.TimeframeDetails{Description: "Spring",
				Timeframes: []insights.Code{{Code: "w2", Name: "Spring"}}}}},
		Datasets: []insights.Dataset{{Title: "Data", Description: "All.", URL: "https://example.com/d"}},
	}
	// The key's code was written with its namespace; it is echoed as the question's own.
	want.Attributes[1].Key.QuestionCode, want.Insight.Origins.Attributes[1].Key.QuestionCode = "gender", "gender"
	for i := range want.QuestionCalculations[1].Calculations {
		c := &want.QuestionCalculations[1].Calculations[i]
		c.Key.QuestionCode, c.Attribute.Key.QuestionCode = "gender", "gender"
	}
	if d := gocmp.Diff(want, view); d != "" {
		t.Error(d)
	}
}

// explore reads a generic insight of which only the origins matter.
func explore(t *testing.T, st audience.Store, o insights.Origins) (*insights.View, error) {
	t.Helper()
	return insights.Explore(t.Context(), shelf{generic: []insights.Generic{{ID: "g", Text: "T", Origins: o}}},
		st, shared, "g")
}

// No audiences: the base, with the audience id "". A size of half a person is rounded away from zero.
func TestExploreEveryone(t *testing.T) {
	view, err := explore(t, panel{framed(t), people()}, insights.Origins{Attributes: []insights.OriginAttribute{
		{Key: key("use", "tv", "1")}}, Locations: []string{"s"}})
	if err != nil {
		t.Fatal(err)
	}
	c := view.QuestionCalculations[0].Calculations[0]
	// In the south 1 in the first wave and 2 in the second: 1.5 people on average, all of them.
	if len(view.QuestionCalculations[0].Calculations) != 1 || c.AudienceID != "" ||
		c.Audience != (insights.Audience{}) || c.Percentage != 100 || c.Index != 100 || c.Sample != 2 || c.Size != 2 {
		t.Errorf("%+v", c)
	}
	if !slices.Equal(view.QuestionCalculations[0].MetricPriority, []string{"percentage", "index", "sample", "size"}) ||
		view.Audiences == nil || view.Insight.Metrics == nil {
		t.Errorf("%+v", view)
	}
}

// Figures are over the origin waves and locations; none given is all there are, and groups list the same.
func TestExploreFieldwork(t *testing.T) {
	st := panel{framed(t), people()}
	grant := audience.All()
	grant.Waves, grant.Locations = []string{"w2"}, []string{"n", "o"}
	for name, test := range map[string]struct {
		store            audience.Store
		waves, locations []string
		sample           int64 // women who see television daily: one in each wave in the north, one in the first in the south
		groups           string
	}{
		"all":                        {st, nil, nil, 3, "Upper: North, South|: Overseas|2023: Winter|2024: Spring|"},
		"a wave":                     {st, []string{"w1"}, nil, 2, "Upper: North, South|: Overseas|2023: Winter|"},
		"places, in catalogue order": {st, nil, []string{"s", "n"}, 3, "Upper: North, South|2023: Winter|2024: Spring|"},
		"both":                       {st, []string{"w2"}, []string{"s"}, 0, "Upper: South|2024: Spring|"},
		"what the reader may": {audience.Restrict(st, grant), []string{"w2"}, []string{"n"}, 1,
			"Upper: North|2024: Spring|"},
	} {
		view, err := explore(t, test.store, insights.Origins{Waves: test.waves, Locations: test.locations,
			Attributes: []insights.OriginAttribute{{Key: key("use", "tv", "1")}}, Audiences: []insights.OriginAudience{
				{ID: "w", Expression: audience.Answers{Question: "gender", Datapoints: []string{"f"}}}}})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		groups := ""
		for _, g := range view.LocationGroups {
			groups += g.Group + ": " + g.Details.Description + "|"
		}
		for _, g := range view.TimeframeGroups {
			groups += g.Group + ": " + g.Details.Description + "|"
		}
		if sample := view.QuestionCalculations[0].Calculations[0].Sample; groups != test.groups || sample != test.sample {
			t.Errorf("%s: %d, %s", name, sample, groups)
		}
	}
}

// Each figure is counted where its attribute was asked and in the deepest namespace it uses.
func TestExploreCoverage(t *testing.T) {
	women := insights.OriginAudience{ID: "w", Expression: audience.Answers{Question: "gender", Datapoints: []string{"f"}}}
	view, err := explore(t, panel{framed(t), people()}, insights.Origins{
		Attributes: []insights.OriginAttribute{{Key: key("use", "phone", "")}, {Key: key("use", "tv", "1")},
			{Key: key("visit", "s1", "")}}, Audiences: []insights.OriginAudience{women}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, q := range view.QuestionCalculations {
		c := q.Calculations[0]
		got = append(got, fmt.Sprint(c.Key.NamespaceCode, ".", c.Key.QuestionCode, ".", c.Key.DatapointCode, " ",
			c.Percentage, " ", c.Sample, " ", c.Size))
	}
	want := []string{
		"core.use.phone 100 2 10", // in the second wave all ten women
		// north 4 in both, south 1 in the first wave and none in the second
		"core.use.tv " + fmt.Sprint(100*4.5/10.5) + " 3 5",
		"shop.visit.s1 40 1 8", // shop weights: 8 of 20
	}
	if d := gocmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// Rule explore-whole-or-not: whoever may not see all of an insight does not find it, all waves and places where it
// names none, nor one that the survey does not bear out; why is not told.
func TestExploreHides(t *testing.T) {
	women := insights.OriginAudience{ID: "w", Expression: audience.Answers{Question: "gender", Datapoints: []string{"f"}}}
	attribute := []insights.OriginAttribute{{Key: key("use", "tv", "1")}}
	may := audience.Grant{Namespaces: []string{"core"}, Questions: []string{"use", "gender", "visit"},
		Datapoints: []string{"use:tv", "gender:f", "visit:*"}, Locations: []string{"n"}, Waves: []string{"w2"}}
	none := []string{} // which speaks of all there are
	for name, test := range map[string]struct {
		origins insights.Origins // over w2 and n, where nil
		all     bool             // found by who may use everything
		limited bool             // by who may use less
	}{
		"what both may": {insights.Origins{Attributes: attribute, Audiences: []insights.OriginAudience{women},
			Waves: []string{"w2"}, Locations: []string{"n"}}, true, true},
		"all places": {insights.Origins{Attributes: attribute, Waves: []string{"w2"},
			Locations: none}, true, false},
		"all waves": {insights.Origins{Attributes: attribute, Waves: none, Locations: []string{"n"}},
			true, false},
		"all places, and nothing else": {insights.Origins{Waves: []string{"w2"}, Locations: none}, true, false},
		"a datapoint": {insights.Origins{Attributes: []insights.OriginAttribute{
			{Key: key("use", "phone", "1")}}}, true, false},
		"a namespace": {insights.Origins{Attributes: []insights.OriginAttribute{
			{Key: key("visit", "s1", "")}}}, true, false},
		"a wave":  {insights.Origins{Attributes: attribute, Waves: []string{"w1", "w2"}}, true, false},
		"a place": {insights.Origins{Attributes: attribute, Locations: []string{"n", "s"}}, true, false},
		"in an audience": {insights.Origins{Attributes: attribute, Audiences: []insights.OriginAudience{women,
			{ID: "m", Expression: audience.Answers{Question: "gender"}}}}, true, false},
		"in a saved audience": {insights.Origins{Attributes: attribute, Audiences: []insights.OriginAudience{
			{ID: "saved"}}}, true, false},
		"a saved audience": {insights.Origins{Attributes: attribute, Audiences: []insights.OriginAudience{
			{ID: "not mine"}}}, false, false},
		"a question gone": {insights.Origins{Attributes: []insights.OriginAttribute{{Key: key("old", "d", "")}}},
			false, false},
		"a suffix gone": {insights.Origins{Attributes: []insights.OriginAttribute{
			{Key: key("use", "tv", "9")}}}, false, false},
		"no common respondents": {insights.Origins{Attributes: []insights.OriginAttribute{
			{Key: key("visit", "s1", "")}}, Audiences: []insights.OriginAudience{
			{ID: "r", Expression: audience.Answers{Question: "read"}}}}, false, false},
	} {
		if test.origins.Waves == nil {
			test.origins.Waves = []string{"w2"}
		}
		if test.origins.Locations == nil {
			test.origins.Locations = []string{"n"}
		}
		st := panel{framed(t), people()}
		found(t, name+", to someone limited", test.limited, audience.Restrict(st, may), test.origins)
		found(t, name+", to someone who may use all", test.all, st, test.origins)
	}
	_, err := insights.Explore(t.Context(), shelf{}, panel{framed(t), nil}, shared, "g")
	if !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
}

// found holds whether an insight is found against whether it is to be.
func found(t *testing.T, name string, want bool, st audience.Store, o insights.Origins) {
	t.Helper()
	view, err := explore(t, st, o)
	if want && err != nil || !want && (!errors.Is(err, audience.ErrNotFound) ||
		err.Error() != "generic insight g: not found" || view != nil) {
		t.Errorf("%s: %v", name, err)
	}
}

// Failures of the store are what they are.
func TestExploreFails(t *testing.T) {
	broken := errors.New("broken")
	failing := func(context.Context, string) (insights.OriginAudience, error) {
		return insights.OriginAudience{}, broken
	}
	s := shelf{generic: []insights.Generic{{ID: "g", Text: "T",
		Origins: insights.Origins{Audiences: []insights.OriginAudience{{ID: "a"}}}}}}
	_, err := insights.Explore(t.Context(), s, panel{framed(t), people()}, failing, "g")
	if !errors.Is(err, broken) {
		t.Error(err)
	}
}

// A sentence without origins has no figures, and empty lists.
func TestExploreASentence(t *testing.T) {
	view, err := explore(t, panel{framed(t), people()}, insights.Origins{})
	if err != nil {
		t.Fatal(err)
	}
	if view.Attributes == nil || view.Audiences == nil || view.QuestionCalculations == nil || view.Datasets == nil ||
		len(view.QuestionCalculations) != 0 ||
		view.Insight.Origins.Attributes == nil || view.Insight.Origins.Audiences == nil ||
		view.Insight.Origins.Locations == nil {
		t.Errorf("%+v", view)
	}
}

// Random panels: the figures are those of an intersection of base, audience and attribute counted by hand.
func TestExploreAgainstCounting(t *testing.T) {
	const seed = 5
	r := rand.New(rand.NewPCG(seed, 0))
	yes := func() bool { return r.IntN(2) == 0 }
	for i := range 300 {
		p := panel{frame: framed(t)}
		for range r.IntN(60) {
			p.people = append(p.people, person{wave: r.IntN(2), place: r.IntN(3), weight: r.IntN(5), woman: yes(),
				daily: yes(), phone: r.IntN(3)})
		}
		audiences := []insights.OriginAudience{{ID: "women", Expression: audience.Answers{Question: "gender",
			Datapoints: []string{"f"}}}, {ID: "all", Expression: audience.Waves{}}}
		view, err := explore(t, p, insights.Origins{Attributes: []insights.OriginAttribute{
			{Key: key("use", "tv", "1")}}, Audiences: audiences})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range view.QuestionCalculations[0].Calculations {
			in := func(x person) bool { return c.AudienceID == "all" || x.woman }
			// Every place has two waves, whether or not anyone was met in them: they were fielded.
			size := func(of func(person) bool) (size float64, sample int64) {
				for _, x := range p.people {
					if x.weight > 0 && of(x) {
						size += float64(x.weight) / 2
						sample++
					}
				}
				return size, sample
			}
			base, _ := size(func(person) bool { return true })
			who, _ := size(in)
			daily, _ := size(func(x person) bool { return x.daily })
			both, sample := size(func(x person) bool { return in(x) && x.daily })
			percentage, index := 0.0, 0.0
			if who > 0 {
				percentage = 100 * both / who
			}
			if who > 0 && daily > 0 {
				index = 100 * (both / who) / (daily / base)
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }
			if !near(c.Percentage, percentage) || !near(c.Index, index) || c.Sample != sample ||
				c.Size != int64(math.Round(both)) {
				t.Fatalf("seed %d, %d, %s: %+v, want %v %% index %v sample %d size %v", seed, i, c.AudienceID, c,
					percentage, index, sample, both)
			}
		}
	}
}
