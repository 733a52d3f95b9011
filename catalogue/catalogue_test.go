package catalogue_test

import (
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
	"github.com/google/go-cmp/cmp"
)

func questions(t *testing.T, c *catalogue.Catalogue, f catalogue.QuestionFilter) []catalogue.QuestionRecord {
	t.Helper()
	list, err := c.Questions(f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func codes(list []catalogue.QuestionRecord) (out []string) {
	for _, q := range list {
		out = append(out, q.NamespaceCode+"."+q.Code)
	}
	return out
}

// No questions: every one. A namespace alone: all of it. Otherwise as codes are looked up in expressions; what matches
// nothing gives no record and no error.
func TestQuestionsFilterPicks(t *testing.T) {
	all := []string{"core.gender", "core.use", "core.visit", "shop.visit", "shop.pays", "idle.pays"}
	for name, test := range map[string]struct {
		codes []catalogue.QuestionCode
		want  []string
	}{
		"none":          {nil, all},
		"an empty list": {[]catalogue.QuestionCode{}, all},
		"both":          {[]catalogue.QuestionCode{{"shop", "visit"}}, []string{"shop.visit"}},
		"in the survey's order": {[]catalogue.QuestionCode{{"shop", "visit"}, {"core", "gender"}},
			[]string{"core.gender", "shop.visit"}},
		"twice is once": {[]catalogue.QuestionCode{{"shop", "visit"}, {"shop", ""}, {"", "shop.visit"}},
			[]string{"shop.visit", "shop.pays"}},
		"a namespace":           {[]catalogue.QuestionCode{{"shop", ""}}, []string{"shop.visit", "shop.pays"}},
		"the default namespace": {[]catalogue.QuestionCode{{"", "visit"}}, []string{"core.visit"}},
		"with its namespace":    {[]catalogue.QuestionCode{{"", "idle.pays"}}, []string{"idle.pays"}},
		"nothing": {[]catalogue.QuestionCode{{"", "none"}, {"none", ""}, {"core", "pays"},
			{"none", "gender"}}, nil},
		"pseudo-questions":        {[]catalogue.QuestionCode{{"", "waves"}, {"core", "locations"}}, nil},
		"not the start of a code": {[]catalogue.QuestionCode{{"", "gen"}, {"co", ""}}, nil},
	} {
		if d := cmp.Diff(test.want, codes(questions(t, whole(t), catalogue.QuestionFilter{Questions: test.codes}))); d != "" {
			t.Errorf("%s:\n%s", name, d)
		}
	}
}

// A code that several namespaces answer to, none of them the default, is an error that names them. Those that are not
// for the caller do not count.
func TestQuestionsFilterSeveral(t *testing.T) {
	filter := catalogue.QuestionFilter{Questions: []catalogue.QuestionCode{{Question: "gender"}, {Question: "pays"}}}
	_, err := whole(t).Questions(filter)
	want := &audience.InvalidError{Path: "questions[1].question",
		Reason: `question "pays" is in several namespaces: write one of shop.pays, idle.pays`}
	if d := cmp.Diff(error(want), err); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]string{"core.gender", "idle.pays"}, codes(questions(t, limited(t), filter))); d != "" {
		t.Error(d)
	}
}

// What is not included is absent, every other member is there.
func TestQuestionsFilterIncludes(t *testing.T) {
	one := []catalogue.QuestionCode{{"core", "use"}}
	plain := questions(t, whole(t), catalogue.QuestionFilter{Questions: one})[0]
	screens := catalogue.DatasetRecord{Code: "screens", Name: "Screens", Depth: 1, Order: 2,
		ChildCategories: []catalogue.CategoryRef{{ID: "media", Name: "Media", Order: 1}}}
	want := catalogue.QuestionRecord{Code: "use", Name: "Use", Description: "How often?", NamespaceCode: "core",
		Unit: "days", Accessible: true, AttributeCount: 4, Order: 7,
		Flags: []string{"trend"}, KnowledgeBase: "kb", Message: "msg", Notice: "ntc", Warning: "wrn",
		Datasets: []catalogue.DatasetRecord{screens}}
	if d := cmp.Diff(want, plain); d != "" {
		t.Error(d)
	}

	want.Datapoints = []catalogue.DatapointRecord{
		{Accessible: true, Code: "tv", Name: "Television", Midpoint: &catalogue.Value{Value: 0},
			Order: &catalogue.Value{Value: 0}},
		{Accessible: true, Code: "phone", Name: "Phone", Order: &catalogue.Value{Value: 1.5}}}
	want.Suffixes = []catalogue.SuffixRecord{
		{Code: "1", Name: "Daily", Midpoint: &catalogue.Value{Value: 7}, Order: &catalogue.Value{Value: 2}},
		{Code: "2", Name: "Weekly", Order: &catalogue.Value{Value: 2}}}
	if d := cmp.Diff(want, questions(t, whole(t), catalogue.QuestionFilter{Questions: one,
		Datapoints: true})[0]); d != "" {
		t.Error(d)
	}

	// Of the ways to the question only those from its own dataset.
	want.Datapoints, want.Suffixes = nil, nil
	life, media, inner := catalogue.CategoryRef{ID: "life", Name: "Life", Order: 5}, catalogue.CategoryRef{ID: "media",
		Name: "Media", Order: 1}, catalogue.CategoryRef{ID: "screens", Name: "Screens"}
	want.TaxonomyPaths = []catalogue.TaxonomyPath{
		{CategoriesLineage: []catalogue.CategoryRef{life, media}, Dataset: screens},
		{CategoriesLineage: []catalogue.CategoryRef{life, media, inner}, Dataset: screens}}
	if d := cmp.Diff(want, questions(t, whole(t), catalogue.QuestionFilter{Questions: one,
		TaxonomyPaths: true})[0]); d != "" {
		t.Error(d)
	}

	got := questions(t, whole(t), catalogue.QuestionFilter{Questions: one, Categories: true})[0]
	if len(got.Categories) != 2 || got.Categories[0].ID != "media" || got.Categories[1].ID != "screens" ||
		got.TaxonomyPaths != nil || got.Datapoints != nil {
		t.Errorf("%+v", got)
	}
}

// A question with nothing to include has empty lists, not none.
func TestQuestionsFilterEmptyLists(t *testing.T) {
	got := questions(t, whole(t), catalogue.QuestionFilter{Questions: []catalogue.QuestionCode{{"idle", "pays"}},
		Categories: true, Datapoints: true, TaxonomyPaths: true})[0]
	if got.Categories == nil || got.Suffixes == nil || got.TaxonomyPaths == nil || got.Flags == nil ||
		got.Datasets == nil ||
		len(got.Categories)+len(got.Suffixes)+len(got.TaxonomyPaths)+len(got.Flags)+len(got.Datasets) > 0 {
		t.Errorf("%+v", got)
	}
}

// Datasets are the question's own, else those of its categories and of the categories above them.
func TestQuestionsFilterDatasets(t *testing.T) {
	want := map[string][]string{"core.gender": {"whole"}, "core.use": {"screens"}, "core.visit": {"whole"},
		"shop.visit": {"whole"}, "shop.pays": nil, "idle.pays": nil}
	for _, q := range questions(t, whole(t), catalogue.QuestionFilter{}) {
		var got []string
		for _, d := range q.Datasets {
			got = append(got, d.Code)
		}
		if key := q.NamespaceCode + "." + q.Code; !slices.Equal(got, want[key]) {
			t.Errorf("%s: %v, want %v", key, got, want[key])
		}
	}
}

// accessible is what this caller may use: a question needs its namespace, itself and at least one datapoint.
func TestQuestionsFilterAccessible(t *testing.T) {
	want := map[string][]bool{ // the question, then its datapoints
		"core.gender": {false, false, false}, "core.use": {true, false, true}, "core.visit": {true, true, true},
		"shop.visit": {false, false, false}, "shop.pays": {false, false, false}, "idle.pays": {false, false, false}}
	got := map[string][]bool{}
	for _, q := range questions(t, limited(t), catalogue.QuestionFilter{Datapoints: true}) {
		key := q.NamespaceCode + "." + q.Code
		got[key] = append(got[key], q.Accessible)
		for _, d := range q.Datapoints {
			got[key] = append(got[key], d.Accessible)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for _, q := range questions(t, whole(t), catalogue.QuestionFilter{Datapoints: true}) {
		if !q.Accessible || slices.ContainsFunc(q.Datapoints,
			func(d catalogue.DatapointRecord) bool { return !d.Accessible }) {
			t.Errorf("%s.%s is not accessible to someone who may use everything", q.NamespaceCode, q.Code)
		}
	}
}

// A category inside a question record lists that question's attributes only; alone it lists all below it, each question
// once.
func TestCategories(t *testing.T) {
	c := whole(t)
	attributes := func(list []catalogue.Attribute) (out []string) {
		for _, a := range list {
			out = append(out, a.NamespaceCode+"."+a.QuestionCode+"."+a.DatapointCode+"."+a.SuffixCode)
		}
		return out
	}
	use := []string{"core.use.tv.1", "core.use.tv.2", "core.use.phone.1", "core.use.phone.2"}
	for _, cat := range questions(t, c, catalogue.QuestionFilter{Questions: []catalogue.QuestionCode{{"core", "use"}},
		Categories: true})[0].Categories {
		if d := cmp.Diff(use, attributes(cat.DescendantAttributes)); d != "" {
			t.Errorf("%s:\n%s", cat.ID, d)
		}
	}
	visit := questions(t, c, catalogue.QuestionFilter{Questions: []catalogue.QuestionCode{{"core", "visit"}},
		Categories: true})[0].Categories[0]
	if d := cmp.Diff([]string{"core.visit.yes.", "core.visit.no."}, attributes(visit.DescendantAttributes)); d != "" ||
		visit.AttributeCount != 4 {
		t.Errorf("%d\n%s", visit.AttributeCount, d)
	}

	list := c.Categories(nil)
	if len(list) != 5 {
		t.Fatalf("%d categories", len(list))
	}
	life := list[0]
	// Media comes before shops by order; use stands on two shelves and counts once.
	all := slices.Concat([]string{"core.gender.f.", "core.gender.m."}, use, []string{"core.visit.yes.",
		"core.visit.no.", "shop.visit.yes.", "shop.visit.no."})
	if d := cmp.Diff(all, attributes(life.DescendantAttributes)); d != "" || life.AttributeCount != 10 {
		t.Errorf("%d\n%s", life.AttributeCount, d)
	}
	life.DescendantAttributes = nil
	wholeSet := catalogue.DatasetRecord{Code: "whole", Name: "The whole", Description: "All of it.",
		BaseAudienceLabel: "Everyone", BaseNamespaceCode: "core", Order: 1, IsSyndicated: true,
		ChildCategories: []catalogue.CategoryRef{{ID: "life", Name: "Life", Order: 5}}}
	want := catalogue.CategoryRecord{ID: "life", Name: "Life", Description: "Everything.", Order: 5, AttributeCount: 10,
		Lineage: []catalogue.CategoryRef{},
		ChildCategories: []catalogue.CategoryRef{{ID: "media", Name: "Media", Order: 1}, {ID: "shops", Name: "Shops",
			Order: 2}},
		ChildQuestions: []catalogue.QuestionRef{{NamespaceCode: "core", Code: "gender", Name: "Gender"}},
		Datasets:       []catalogue.DatasetRecord{wholeSet},
		TaxonomyPaths: []catalogue.TaxonomyPath{{CategoriesLineage: []catalogue.CategoryRef{{ID: "life", Name: "Life",
			Order: 5}}, Dataset: wholeSet}}}
	if d := cmp.Diff(want, life); d != "" {
		t.Error(d)
	}
	screens := list[3]
	if d := cmp.Diff([]catalogue.CategoryRef{{ID: "life", Name: "Life", Order: 5}, {ID: "media", Name: "Media",
		Order: 1}}, screens.Lineage); d != "" {
		t.Error(d)
	}
	if len(screens.Datasets) != 2 || screens.Datasets[0].Code != "whole" || screens.Datasets[1].Code != "screens" ||
		len(screens.TaxonomyPaths) != 2 {
		t.Errorf("%+v", screens)
	}
	if got := c.Categories([]string{"rest", "none", "media"}); len(got) != 2 || got[0].ID != "media" ||
		got[1].ID != "rest" || len(got[1].Datasets) != 0 || got[1].AttributeCount != 2 {
		t.Errorf("%+v", got)
	}
	if got := c.Categories([]string{"none"}); got == nil || len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// Categories that form a ring, as no import lets them, end all the same.
func TestCategoriesInARing(t *testing.T) {
	s := study()
	s.Categories = []audience.Category{{ID: "a", Parent: "b", Questions: []string{"gender"}}, {ID: "b", Parent: "a"},
		{ID: "c", Parent: "c"}}
	s.Datasets = []audience.Dataset{{Code: "x", Parent: "y"}, {Code: "y", Parent: "x"}}
	f, err := audience.NewFrame(1, s, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	c := catalogue.New(f)
	if got := c.Categories(nil); len(got) != 3 || got[0].AttributeCount != 2 || got[1].AttributeCount != 2 ||
		len(got[0].Lineage) != 1 {
		t.Errorf("%+v", got)
	}
	if got := c.Datasets(nil); len(got) != 2 || got[0].Depth != 1 {
		t.Errorf("%+v", got)
	}
}

// A question that the survey hides is not told of, to nobody.
func TestHiddenQuestion(t *testing.T) {
	s := study()
	hidden := s.Questions[1].Key()
	s.Questions[1].Hidden = true
	f, err := audience.NewFrame(1, s, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := catalogue.New(f).Questions(catalogue.QuestionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got) != len(s.Questions)-1 {
		t.Errorf("%d of %d questions", len(got), len(s.Questions))
	}
	for _, q := range got {
		if audience.Key(q.NamespaceCode, q.Code) == hidden {
			t.Errorf("%s is told of", hidden)
		}
	}
	seen := catalogue.New(f).Categories(nil)
	for i, all := range catalogue.New(frameOf(t, study())).Categories(nil) {
		without := func(list []catalogue.Attribute) []catalogue.Attribute {
			return slices.DeleteFunc(slices.Clone(list), func(a catalogue.Attribute) bool {
				return audience.Key(a.NamespaceCode, a.QuestionCode) == hidden
			})
		}
		if d := cmp.Diff(without(all.DescendantAttributes), seen[i].DescendantAttributes); d != "" ||
			seen[i].AttributeCount != len(seen[i].DescendantAttributes) {
			t.Errorf("%s counts %d attributes, %s", all.ID, seen[i].AttributeCount, d)
		}
		for _, q := range seen[i].ChildQuestions {
			if audience.Key(q.NamespaceCode, q.Code) == hidden {
				t.Errorf("%s lists %s", all.ID, hidden)
			}
		}
	}
}

func TestDatasets(t *testing.T) {
	c := whole(t)
	var got []string
	depths := map[string]int{}
	for _, d := range c.Datasets(nil) {
		got = append(got, d.Code)
		depths[d.Code] = d.Depth
	}
	if !slices.Equal(got, []string{"whole", "screens", "small"}) || depths["whole"] != 0 || depths["screens"] != 1 ||
		depths["small"] != 2 {
		t.Error(got, depths)
	}
	if list := c.Datasets([]string{"small", "none"}); len(list) != 1 || list[0].Code != "small" ||
		list[0].ChildCategories == nil {
		t.Errorf("%+v", list)
	}
	x := audience.And{audience.Answers{Question: "use"},
		audience.Not{X: audience.Or{audience.Answers{Question: "core.gender"}, audience.Answers{Question: "use"}}},
		audience.Waves{}, audience.Answers{Question: "none"}, audience.Answers{Question: "pays"}}
	if d := cmp.Diff([]string{"screens", "whole"}, c.DatasetsOf(x)); d != "" {
		t.Error(d)
	}
	if got := c.DatasetsOf(audience.Waves{}); got == nil || len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// The catalogue is made once for a version and a grant, not at each request.
func TestCatalogueIsMadeOnce(t *testing.T) {
	f := framed(t)
	some := audience.Grant{Namespaces: []string{"*"}, Questions: []string{"use"}, Datapoints: []string{"*"},
		Locations: []string{"*"}, Waves: []string{"*"}}
	all, use := catalogue.New(f), catalogue.New(f.For(some))
	if catalogue.New(f) != all || catalogue.New(f.For(some)) != use || all == use {
		t.Error("a catalogue is made anew, or one serves two grants")
	}
}

// Rule question-order: as declared, else the place in the survey, whatever is picked from it.
func TestQuestionOrder(t *testing.T) {
	want := map[string]int{"core.gender": 1, "core.use": 7, "core.visit": 3, "shop.visit": 4, "shop.pays": 5,
		"idle.pays": 6}
	for _, filter := range []catalogue.QuestionFilter{{}, {Questions: []catalogue.QuestionCode{{Question: "shop.visit"},
		{Question: "use"}}}} {
		for _, q := range questions(t, whole(t), filter) {
			if key := q.NamespaceCode + "." + q.Code; q.Order != want[key] {
				t.Errorf("%s: order %d, want %d", key, q.Order, want[key])
			}
		}
	}
}
