package catalogue_test

import (
	"context"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/catalogue"
)

func ptr[T any](x T) *T { return &x }

// study is a small survey: media stand on two shelves, one inside the other, and belong to a dataset inside another.
func study() *catalogue.Survey {
	yesNo := []catalogue.Datapoint{{Code: "yes", Name: "Yes"}, {Code: "no", Name: "No"}}
	return &catalogue.Survey{
		Namespaces: []catalogue.Namespace{{Code: "core", Name: "Core", Description: "All."},
			{Code: "shop", Base: "core", Universe: "sum"}, {Code: "idle"}},
		Waves: []catalogue.Wave{{Code: "w2", Name: "Autumn", Start: "2024-09-01", End: "2024-11-30",
			Kind: "half-year"}, {Code: "w1", Name: "Spring", Start: "2024-03-01"}},
		Locations: []catalogue.Location{
			{ID: "1", Code: "n", Name: "North", ISOCode: "NO", Region: catalogue.Region{ID: "9", Code: "up",
				Name: "Upper", Area: "Land"}},
			{Code: "s", Name: "South", Region: catalogue.Region{Code: "low"}}, {Code: "e", Name: "East"}},
		Questions: []catalogue.Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: []catalogue.Datapoint{
				{Code: "f", Name: "Women"}, {Code: "m", Name: "Men"}}},
			{Namespace: "core", Code: "use", Name: "Use", Description: "How often?", Unit: "days", Order: 7,
				Flags:         []string{"trend"},
				KnowledgeBase: "kb", Message: "msg", Notice: "ntc", Warning: "wrn", Datasets: []string{"screens"},
				Datapoints: []catalogue.Datapoint{{Code: "tv", Name: "Television", Midpoint: ptr(0.0), Order: ptr(0.0)},
					{Code: "phone", Name: "Phone", Order: ptr(1.5)}},
				Suffixes: []catalogue.Suffix{{Code: 1, Name: "Daily", Midpoint: ptr(7.0), Order: ptr(2.0)},
					{Code: 2, Name: "Weekly"}}},
			{Namespace: "core", Code: "visit", Name: "Visits", Datapoints: yesNo},
			{Namespace: "shop", Code: "visit", Name: "Shop visits", Datapoints: yesNo},
			{Namespace: "shop", Code: "pays", Name: "Pays", Datapoints: yesNo},
			{Namespace: "idle", Code: "pays", Name: "Pays too", Datapoints: yesNo},
		},
		Categories: []catalogue.Category{
			{ID: "life", Name: "Life", Description: "Everything.", Questions: []string{"gender"},
				Datasets: []string{"whole"}, Order: 5},
			{ID: "shops", Name: "Shops", Parent: "life", Order: 2, Questions: []string{"visit", "shop.visit"}},
			{ID: "media", Name: "Media", Parent: "life", Order: 1, Questions: []string{"use"}, Datasets: []string{"screens"}},
			{ID: "screens", Name: "Screens", Parent: "media", Questions: []string{"core.use"}, Datasets: []string{"screens"}},
			{ID: "rest", Name: "Rest", Questions: []string{"shop.pays"}},
		},
		Datasets: []catalogue.Dataset{
			{Code: "whole", Name: "The whole", Description: "All of it.", BaseAudienceLabel: "Everyone",
				BaseNamespace: "core", Order: 1, Syndicated: true},
			{Code: "screens", Name: "Screens", Parent: "whole", Order: 2},
			{Code: "small", Name: "Small screens", Parent: "screens"},
		},
	}
}

func framed(t testing.TB) *audience.Frame {
	t.Helper()
	f, err := frame()
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// frame is the frame of study: core in all waves and places but w1 × e, shop in w2 × n and w2 × s, idle nowhere.
func frame() (*audience.Frame, error) {
	f := audience.Frame{
		Waves: []audience.Wave{{Code: "w1", Name: "Spring", Start: "2024-03-01"}, {Code: "w2", Name: "Autumn",
			Start: "2024-09-01", End: "2024-11-30"}},
		Locations: []audience.Location{{Code: "n", Name: "North"}, {Code: "s", Name: "South"}, {Code: "e", Name: "East"}},
	}
	cover := func(bits ...int) audience.Cover {
		c := audience.NewCover(6)
		for _, b := range bits {
			c.Set(b)
		}
		return c
	}
	f.Namespaces = []audience.Namespace{{Code: "core", Fielded: cover(0, 1, 3, 4, 5)}, {Code: "shop", Base: "core",
		Fielded: cover(3, 4)}, {Code: "idle", Fielded: cover()}}
	for _, q := range study().Questions {
		fq := audience.Question{Namespace: q.Namespace, Code: q.Code, Name: q.Name}
		for _, d := range q.Datapoints {
			fq.Datapoints = append(fq.Datapoints, audience.Datapoint{Code: d.Code, Name: d.Name})
		}
		for _, s := range q.Suffixes {
			fq.Suffixes = append(fq.Suffixes, audience.Suffix{Code: s.Code, Name: s.Name})
		}
		f.Questions = append(f.Questions, fq)
	}
	return audience.NewFrame(f)
}

func whole(t testing.TB) *catalogue.Catalogue { return catalogue.New(study(), framed(t)) }

// limited is the study as someone sees it who may not use wave w1, place e, namespace shop, the question gender, and of
// use the phone alone.
func limited(t testing.TB) *catalogue.Catalogue {
	g := audience.Grant{Namespaces: []string{"core", "idle"}, Questions: []string{"use", "core.visit", "pays"},
		Datapoints: []string{"use:phone", "visit:*", "gender:*"},
		Locations:  []string{"n", "s"}, Waves: []string{"w2"}}
	return catalogue.New(study(), g.Mark(framed(t)))
}

// moving is a store that changes while it is read: before each of the first so many Surveys a new version is published.
type moving struct {
	frame   *audience.Frame
	surveys []*catalogue.Survey
	version uint64
}

func (m *moving) Frame(context.Context) (*audience.Frame, error) {
	f := *m.frame
	f.Version = m.version
	return &f, nil
}

func (m *moving) Survey(context.Context) (*catalogue.Survey, error) {
	if int(m.version) < len(m.surveys)-1 {
		m.version++
	}
	return m.surveys[m.version], nil
}
