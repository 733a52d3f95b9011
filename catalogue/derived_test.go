package catalogue_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
)

// Derived questions are in the catalogue behind those of the survey, with the datasets of what they read, and are found
// by their words beside them.
func TestDerived(t *testing.T) {
	f := framed(t).Extend("one", []audience.Definition{{Code: "screen_net", Name: "Any screen", Description: "Of the two.",
		Datapoints: []audience.DefinedDatapoint{
			{Code: "any", Name: "Television or phone", Expr: audience.Answers{Question: "use"}},
			{Code: "none", Expr: audience.Not{X: audience.Answers{Question: "use"}}}}}})
	found, err := catalogue.New(f).Find(catalogue.QuestionFilter{Search: "television"})
	if err != nil {
		t.Fatal(err)
	}
	var told []string
	for _, q := range found.Questions {
		told = append(told, q.Code+" "+q.Match.Datapoints[0].Code)
	}
	if diff := cmp.Diff([]string{"use tv", "screen_net any"}, told); diff != "" {
		t.Error(diff)
	}
	for _, search := range []string{"screen_net", "core.screen_net", "any screen", "two"} {
		found, err := catalogue.New(f).Find(catalogue.QuestionFilter{Search: search, Datapoints: true})
		if err != nil || len(found.Questions) != 1 || found.Questions[0].Code != "screen_net" {
			t.Errorf("%s: %+v %v", search, found, err)
		}
	}
	all, err := catalogue.New(f).Questions(catalogue.QuestionFilter{Questions: []catalogue.QuestionCode{
		{Question: "screen_net"}}, Datapoints: true})
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	q := all[0]
	if !q.Derived || !q.Accessible || q.NamespaceCode != "core" || q.AttributeCount != 2 || q.Order != 7 ||
		len(q.Datasets) != 1 || q.Datasets[0].Code != "screens" || q.Datapoints[1].Code != "none" {
		t.Errorf("%+v", q)
	}
	if all, err = catalogue.New(framed(t)).Questions(catalogue.QuestionFilter{}); err != nil || all[0].Derived {
		t.Errorf("%+v %v", all, err)
	}
}
