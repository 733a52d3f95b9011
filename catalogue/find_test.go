package catalogue_test

import (
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
	"github.com/google/go-cmp/cmp"
)

// shelved is a survey to search in: the word tea stands in every kind of text there is.
func shelved() *audience.Survey {
	point := func(code, name string) audience.Datapoint { return audience.Datapoint{Code: code, Name: name} }
	yes := []audience.Datapoint{point("y", "Yes"), point("n", "No")}
	return &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core"}},
		Waves:      []audience.Wave{{Code: "w1"}}, Locations: []audience.Location{{Code: "n"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "q1", Name: "Sports", Description: "Before or after tea?", Datapoints: yes},
			{Namespace: "core", Code: "q2", Name: "Drinks", Datapoints: []audience.Datapoint{point("a", "Tea"),
				point("b", "Café crème"), point("c", "Tea with milk")}},
			{Namespace: "core", Code: "q3", Name: "Breakfast", Datapoints: []audience.Datapoint{point("a", "Teapot"),
				point("b", "Muesli")}},
			{Namespace: "core", Code: "q4", Name: "Habits", Datapoints: []audience.Datapoint{point("a", "Reading")},
				Suffixes: []audience.Suffix{{Code: 7, Name: "At tea"}, {Code: 8, Name: "At night"}}},
			{Namespace: "core", Code: "q5", Name: "Kettle", Datapoints: yes},
			{Namespace: "core", Code: "tea_kind", Name: "Kinds", Datapoints: yes},
			{Namespace: "core", Code: "q7", Name: "Teatime", Datapoints: yes},
			{Namespace: "core", Code: "q8", Name: "Green tea, black tea", Datapoints: yes},
			{Namespace: "core", Code: "q9", Name: "Tea, secretly", Datapoints: yes, Hidden: true},
			{Namespace: "shop", Code: "q1", Name: "Shops", Datapoints: []audience.Datapoint{point("a", "Tea shop"),
				point("b", "Market"), {Code: "kiosk"}}},
			{Namespace: "shop", Code: "q10", Name: "Smoking – Raucherstraße", Datapoints: yes},
		},
		Categories: []audience.Category{{ID: "1", Name: "Tea and coffee"},
			{ID: "2", Name: "Utensils", Parent: "1", Questions: []string{"q5"}},
			{ID: "3", Name: "Leisure", Questions: []string{"core.q1", "q4"}}},
	}
}

func frameOf(t testing.TB, s *audience.Survey) *audience.Frame {
	t.Helper()
	f, err := audience.NewFrame(1, s, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// told is what is found, a line each: the question and where the words stand.
func told(t testing.TB, f *audience.Frame, filter catalogue.QuestionFilter) (lines []string) {
	t.Helper()
	found, err := catalogue.New(f).Find(filter)
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range found.Questions {
		line := q.NamespaceCode + "." + q.Code
		if m := q.Match; m != nil {
			for _, in := range []struct {
				name string
				is   bool
			}{{"code", m.Code}, {"name", m.Name}, {"description", m.Description}} {
				if in.is {
					line += " " + in.name
				}
			}
			for _, c := range m.Categories {
				line += " category:" + c.ID
			}
			for _, d := range m.Datapoints {
				line += " " + d.Code + "=" + d.Name
			}
			for _, s := range m.Suffixes {
				line += " /" + s.Code + "=" + s.Name
			}
		}
		lines = append(lines, line)
	}
	return lines
}

// The place of a word counts before whether it is whole, and both before the order of the survey; an exact code comes
// first.
func TestFindRanks(t *testing.T) {
	f := frameOf(t, shelved())
	tea := []string{"core.q8 name", "core.q7 name", "core.tea_kind code", "core.q5 category:1",
		"core.q2 a=Tea c=Tea with milk", "core.q4 /7=At tea", "shop.q1 a=Tea shop", "core.q3 a=Teapot", "core.q1 description"}
	for search, want := range map[string][]string{
		"tea":            tea,
		" (TÉA)! ":       tea,
		"teapot":         {"core.q3 a=Teapot"},
		"q1":             {"core.q1 code", "shop.q1 code", "shop.q10 code"},
		" Shop.Q1 ":      {"shop.q1 code"},
		"tea_kind":       {"core.tea_kind code name"},
		"teakind":        {"core.tea_kind code"},
		"smok":           {"shop.q10 name"},
		"RAUCHERSTRASSE": {"shop.q10 name"},
		"cafe CREME":     {"core.q2 b=Café crème"},
		"tea drinks":     {"core.q2 name a=Tea c=Tea with milk"},
		"drinks tea tea": {"core.q2 name a=Tea c=Tea with milk"},
		"leisure read":   {"core.q4 category:3 a=Reading"},
		"coffee kettle":  {"core.q5 name category:1"},
		"kiosk":          {"shop.q1 kiosk="},
		"secretly":       nil,
		"tea nothing":    nil,
		"eapot":          nil,
		"q9":             nil,
		"?!":             nil,
		"Tea and coffee": {"core.q5 category:1"},
	} {
		if d := cmp.Diff(want, told(t, f, catalogue.QuestionFilter{Search: search})); d != "" {
			t.Errorf("%q:\n%s", search, d)
		}
	}
}

// Of two words the rarer counts for more.
func TestFindWeighsRareWords(t *testing.T) {
	s := &audience.Survey{Namespaces: []audience.Namespace{{Code: "core"}}}
	for code, names := range map[string][2]string{"a": {"bread", "rye"}, "b": {"rye", "bread"}} {
		s.Questions = append(s.Questions, audience.Question{Namespace: "core", Code: code, Name: names[0],
			Datapoints: []audience.Datapoint{{Code: "1", Name: names[1]}}})
	}
	for _, code := range []string{"c", "d", "e", "f", "g", "h"} {
		s.Questions = append(s.Questions, audience.Question{Namespace: "core", Code: code, Name: "rye",
			Datapoints: []audience.Datapoint{{Code: "1"}}})
	}
	// Of eight questions rye is in all, so it counts once, and bread in two, so it counts three times.
	want := []string{"core.a name 1=rye", "core.b name 1=bread"} // 3 × 10 + 1 × 4, and 3 × 4 + 1 × 10
	for _, search := range []string{"bread rye", "rye bread"} {
		if d := cmp.Diff(want, told(t, frameOf(t, s), catalogue.QuestionFilter{Search: search})); d != "" {
			t.Errorf("%q:\n%s", search, d)
		}
	}
}

// What a grant does not allow, or the survey hides, is not found, and what is left comes as if it were alone.
func TestFindGranted(t *testing.T) {
	all := []string{"*"}
	grant := func(g audience.Grant) audience.Grant {
		for _, codes := range []*[]string{&g.Namespaces, &g.Questions, &g.Datapoints, &g.Locations, &g.Waves} {
			if *codes == nil {
				*codes = all
			}
		}
		return g
	}
	for name, test := range map[string]struct {
		grant  audience.Grant
		search string
		want   []string
	}{
		"without a namespace": {audience.Grant{Namespaces: []string{"core"}}, "q1", []string{"core.q1 code"}},
		"the code of one":     {audience.Grant{Namespaces: []string{"core"}}, "shop.q1", nil},
		"without a question": {audience.Grant{Questions: []string{"q2", "q3"}}, "tea",
			[]string{"core.q2 a=Tea c=Tea with milk", "core.q3 a=Teapot"}},
		"without a datapoint": {audience.Grant{Datapoints: []string{"q2:b", "q2:c"}}, "tea",
			[]string{"core.q2 c=Tea with milk"}},
		"its name": {audience.Grant{Datapoints: []string{"q2:b", "q3:*"}}, "tea",
			[]string{"core.q3 a=Teapot"}},
		"the code of a nameless":  {audience.Grant{Datapoints: []string{"shop.q1:a"}}, "kiosk", nil},
		"one without any answers": {audience.Grant{Datapoints: []string{"q1:y"}}, "kettle", nil},
		"a suffix of such":        {audience.Grant{Datapoints: []string{"q2:b"}}, "night", nil},
		"a category of such":      {audience.Grant{Questions: []string{"q2"}}, "utensils", nil},
	} {
		f := frameOf(t, shelved()).For(grant(test.grant))
		if d := cmp.Diff(test.want, told(t, f, catalogue.QuestionFilter{Search: test.search})); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// Pages are cut from what is found, or from all there is, and tell how much that is.
func TestFindPages(t *testing.T) {
	c := catalogue.New(frameOf(t, shelved()))
	type page struct {
		Codes []string
		Total int
	}
	core := []catalogue.QuestionCode{{Namespace: "core"}}
	for name, test := range map[string]struct {
		filter catalogue.QuestionFilter
		want   page
	}{
		"the first of all": {catalogue.QuestionFilter{Limit: 2}, page{[]string{"core.q1", "core.q2"}, 10}},
		"the last":         {catalogue.QuestionFilter{Limit: 3, Offset: 8}, page{[]string{"shop.q1", "shop.q10"}, 10}},
		"beyond":           {catalogue.QuestionFilter{Limit: 3, Offset: 10}, page{nil, 10}},
		"without a limit":  {catalogue.QuestionFilter{Offset: 9}, page{[]string{"shop.q10"}, 10}},
		"of a search": {catalogue.QuestionFilter{Search: "tea", Limit: 2, Offset: 1},
			page{[]string{"core.q7", "core.tea_kind"}, 9}},
		"blanks are none": {catalogue.QuestionFilter{Search: " \t", Limit: 1}, page{[]string{"core.q1"}, 10}},
		"of some":         {catalogue.QuestionFilter{Search: "q1", Questions: core}, page{[]string{"core.q1"}, 1}},
		"nothing":         {catalogue.QuestionFilter{Search: "!"}, page{nil, 0}},
	} {
		found, err := c.Find(test.filter)
		if d := cmp.Diff(test.want, page{codes(found.Questions), found.Total}); d != "" || err != nil {
			t.Errorf("%s: %v\n%s", name, err, d)
		}
	}
}

func TestFindRefuses(t *testing.T) {
	for want, filter := range map[string]catalogue.QuestionFilter{
		"search: it has more than 256 characters": {Search: strings.Repeat("é", catalogue.MostSearched+1)},
		"limit: -1 is below 0":                    {Limit: -1},
		"offset: -1 is below 0":                   {Offset: -1},
		`questions[0].question: question "pays" is in several namespaces: write one of shop.pays, idle.pays`: {
			Search: "x", Questions: []catalogue.QuestionCode{{Question: "pays"}}},
	} {
		if _, err := whole(t).Find(filter); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if _, err := whole(t).Find(catalogue.QuestionFilter{Search: strings.Repeat("é", catalogue.MostSearched)}); err != nil {
		t.Error(err)
	}
}
