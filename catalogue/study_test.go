package catalogue_test

import (
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
)

func ptr[T any](x T) *T { return &x }

// study is a small survey: media stand on two shelves, one inside the other, and belong to a dataset inside another.
func study() *audience.Survey {
	yesNo := []audience.Datapoint{{Code: "yes", Name: "Yes"}, {Code: "no", Name: "No"}}
	return &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core", Name: "Core", Description: "All."},
			{Code: "shop", Base: "core", Universe: "sum"}, {Code: "idle"}},
		Waves: []audience.Wave{{Code: "w1", Name: "Spring", Start: "2024-03-01"},
			{Code: "w2", Name: "Autumn", Start: "2024-09-01", End: "2024-11-30", Kind: "half-year"}},
		Locations: []audience.Location{
			{ID: "1", Code: "n", Name: "North", ISOCode: "NO", Region: audience.Region{ID: "9", Code: "up",
				Name: "Upper", Area: "Land"}},
			{Code: "s", Name: "South", Region: audience.Region{Code: "low"}}, {Code: "e", Name: "East"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: []audience.Datapoint{
				{Code: "f", Name: "Women"}, {Code: "m", Name: "Men"}}},
			{Namespace: "core", Code: "use", Name: "Use", Description: "How often?", Unit: "days", Order: 7,
				Flags:         []string{"trend"},
				KnowledgeBase: "kb", Message: "msg", Notice: "ntc", Warning: "wrn", Datasets: []string{"screens"},
				Datapoints: []audience.Datapoint{{Code: "tv", Name: "Television", Midpoint: ptr(0.0), Order: ptr(0.0)},
					{Code: "phone", Name: "Phone", Order: ptr(1.5)}},
				Suffixes: []audience.Suffix{{Code: 1, Name: "Daily", Midpoint: ptr(7.0), Order: ptr(2.0)},
					{Code: 2, Name: "Weekly"}}},
			{Namespace: "core", Code: "visit", Name: "Visits", Datapoints: yesNo},
			{Namespace: "shop", Code: "visit", Name: "Shop visits", Datapoints: yesNo},
			{Namespace: "shop", Code: "pays", Name: "Pays", Datapoints: yesNo},
			{Namespace: "idle", Code: "pays", Name: "Pays too", Datapoints: yesNo},
		},
		Categories: []audience.Category{
			{ID: "life", Name: "Life", Description: "Everything.", Questions: []string{"gender"},
				Datasets: []string{"whole"}, Order: 5},
			{ID: "shops", Name: "Shops", Parent: "life", Order: 2, Questions: []string{"visit", "shop.visit"}},
			{ID: "media", Name: "Media", Parent: "life", Order: 1, Questions: []string{"use"}, Datasets: []string{"screens"}},
			{ID: "screens", Name: "Screens", Parent: "media", Questions: []string{"core.use"}, Datasets: []string{"screens"}},
			{ID: "rest", Name: "Rest", Questions: []string{"shop.pays"}},
		},
		Datasets: []audience.Dataset{
			{Code: "whole", Name: "The whole", Description: "All of it.", BaseAudienceLabel: "Everyone",
				BaseNamespace: "core", Order: 1, Syndicated: true},
			{Code: "screens", Name: "Screens", Parent: "whole", Order: 2},
			{Code: "small", Name: "Small screens", Parent: "screens"},
		},
	}
}

// framed is the frame of study: core in all waves and places but w1 × e, shop in w2 × n and w2 × s, idle nowhere.
func framed(t testing.TB) *audience.Frame {
	t.Helper()
	cover := func(fieldwork ...int) audience.Cover {
		c := audience.NewCover(6)
		for _, i := range fieldwork {
			c.Set(i)
		}
		return c
	}
	f, err := audience.NewFrame(1, study(), audience.Coverage{
		Fielded: []audience.Cover{cover(0, 1, 3, 4, 5), cover(3, 4), cover()}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func whole(t testing.TB) *catalogue.Catalogue { return catalogue.New(framed(t)) }

// limited is the study as someone sees it who may not use wave w1, place e, namespace shop, the question gender, and of
// use the phone alone.
func limited(t testing.TB) *catalogue.Catalogue {
	return catalogue.New(framed(t).For(audience.Grant{Namespaces: []string{"core", "idle"},
		Questions: []string{"use", "core.visit", "pays"}, Datapoints: []string{"use:phone", "visit:*", "gender:*"},
		Locations: []string{"n", "s"}, Waves: []string{"w2"}}))
}
