package demo_test

import (
	"context"
	"slices"
	"strconv"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func published(t *testing.T) *insights.File {
	t.Helper()
	f, err := insights.Read(demo.Insights())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// The articles are of each type, some of them trend, and they belong to categories of the survey.
func TestInsights(t *testing.T) {
	s := describe(t, demo.New(demo.Config{}))
	types, trending, undated := map[string]int{}, 0, 0
	for _, i := range published(t).Insights {
		types[i.Type]++
		if i.IsTrending {
			trending++
		}
		if i.PublishedAt == "" {
			undated++
		}
		if i.Name == "" || i.Description == "" || i.CreatedAt == "" || i.Trending == 0 || i.Popularity == 0 ||
			len(i.CategoryIDs) == 0 {
			t.Errorf("insight %d: something is missing", i.ID)
		}
		for _, id := range i.CategoryIDs {
			if !slices.ContainsFunc(s.Categories, func(c audience.Category) bool { return c.ID == strconv.FormatInt(id, 10) }) {
				t.Errorf("insight %d: there is no category %d", i.ID, id)
			}
		}
		mains := 0
		for _, image := range i.Images {
			if image.IsMain {
				mains++
			}
			if image.ID == 0 || image.ThumbPath == "" || image.PageThumbPath == "" || image.PagePreviewThumbPath == "" {
				t.Errorf("insight %d: something is missing of an image", i.ID)
			}
		}
		if len(i.Images) > 0 && mains != 1 {
			t.Errorf("insight %d has %d main images", i.ID, mains)
		}
	}
	for _, name := range []string{"report", "infographic", "powerpoint", "chart"} {
		if types[name] < 2 {
			t.Errorf("%d insights of type %s", types[name], name)
		}
	}
	if trending < 3 || undated == 0 {
		t.Errorf("%d insights trend, %d have no date", trending, undated)
	}
}

// Every generic insight is about the survey, explores, and what it says is so: its first attribute is more common in
// its first audience than in the base.
func TestGenericInsights(t *testing.T) {
	alone(t)
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Respondents: 12_000}), db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	f, err := db.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	file := published(t)
	if err := file.Check(f); err != nil {
		t.Error(err)
	}
	if err := db.PutInsights(t.Context(), file, false); err != nil {
		t.Fatal(err)
	}
	none := func(context.Context, string) (insights.OriginAudience, error) {
		return insights.OriginAudience{}, audience.ErrNotFound
	}
	grids, namespaces, everyone := 0, map[string]bool{}, 0
	for _, g := range file.Generic {
		view, err := insights.Explore(t.Context(), db, db, none, g.ID)
		if err != nil {
			t.Errorf("%s: %v", g.ID, err)
			continue
		}
		for _, code := range g.Origins.Datasets {
			if !slices.ContainsFunc(f.Datasets, func(d audience.Dataset) bool { return d.Code == code }) {
				t.Errorf("%s: there is no dataset %q", g.ID, code)
			}
		}
		if len(view.QuestionCalculations) < 2 || len(view.LocationGroups) == 0 || len(view.TimeframeGroups) == 0 {
			t.Errorf("%s: %d calculations, %d groups of locations, %d of waves", g.ID, len(view.QuestionCalculations),
				len(view.LocationGroups), len(view.TimeframeGroups))
		}
		for _, q := range view.QuestionCalculations {
			if q.Suffixes != "" {
				grids++
			}
			for _, c := range q.Calculations {
				namespaces[c.Key.NamespaceCode] = true
				if c.Sample == 0 || c.Percentage <= 0 || c.Percentage >= 100 || c.Size < 10_000 || c.Index <= 0 {
					t.Errorf("%s: %+v", g.ID, c)
				}
			}
		}
		first := view.QuestionCalculations[0].Calculations[0]
		switch {
		case first.AudienceID == "":
			everyone++
		case first.Index < 105:
			t.Errorf("%s: the index of %q among %q is %v", g.ID, first.Attribute.GeneratedText, first.Audience.Title,
				first.Index)
		}
	}
	if len(file.Generic) < 4 || grids < 3 || len(namespaces) != 2 || everyone == 0 {
		t.Errorf("%d insights, %d of grids with a suffix, of namespaces %v, %d about everyone", len(file.Generic),
			grids, namespaces, everyone)
	}
}
