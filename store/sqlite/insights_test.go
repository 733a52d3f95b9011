package sqlite

import (
	"errors"
	"math"
	"path/filepath"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	"github.com/google/go-cmp/cmp"
)

func published() *insights.File {
	return &insights.File{
		Insights: []insights.Insight{
			{ID: 9, Name: "Bargains", CategoryIDs: []int64{}, Images: []insights.Image{}},
			{ID: -3, Name: "Screens", Description: "Long.", Type: "report", CategoryIDs: []int64{1, 2},
				Images:     []insights.Image{{ID: 1, IsMain: true, ThumbPath: "s", PageThumbPath: "m", PagePreviewThumbPath: "l"}},
				IsTrending: true, Trending: 0.1, Popularity: 1e300, PublishedAt: "2025-01-01",
				CreatedAt: "2025-01-01T00:00:00Z", UpdatedAt: "2025-01-02"},
		},
		Generic: []insights.Generic{
			{ID: "g/1", Text: "Phones.", Metrics: []string{"index"}, Origins: insights.Origins{
				Attributes: []insights.OriginAttribute{{Key: insights.AttributeKey{NamespaceCode: "core",
					QuestionCode: "q", DatapointCode: "d", SuffixCode: "1"}, GeneratedText: "x"}},
				Audiences: []insights.OriginAudience{{ID: "a", Title: "A", Description: "D",
					Expression: audience.Not{X: audience.Waves{Codes: []string{"w1"}}}}, {ID: "saved"}},
				Locations: []string{"l"}, Waves: []string{"w"}, Datasets: []string{"d"}}},
			{ID: "plain", Text: "Plain."},
		},
	}
}

// withoutPaths compares expressions by what they mean.
var withoutPaths = cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Path" }, cmp.Ignore())

func TestInsights(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	f := published()
	check(t, s.PutInsights(t.Context(), f, false))
	other := openStore(t, path, Config{ReadOnly: true})
	for name, s := range map[string]*Store{"the same Store": s, "another": other} {
		all, err := s.Insights(t.Context())
		check(t, err)
		if d := cmp.Diff([]insights.Insight{f.Insights[1], f.Insights[0]}, all); d != "" {
			t.Errorf("%s: not by id\n%s", name, d)
		}
		for _, want := range f.Insights {
			got, err := s.Insight(t.Context(), want.ID)
			check(t, err)
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %d\n%s", name, want.ID, d)
			}
		}
		for _, want := range f.Generic {
			got, err := s.Generic(t.Context(), want.ID)
			check(t, err)
			if d := cmp.Diff(want, got, withoutPaths); d != "" {
				t.Errorf("%s: %s\n%s", name, want.ID, d)
			}
		}
	}
	if _, err := s.Insight(t.Context(), 1); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	if _, err := s.Generic(t.Context(), "G/1"); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	if err := other.PutInsights(t.Context(), f, false); !errors.Is(err, audience.ErrReadOnly) {
		t.Errorf("a Store for reading writes: %v", err)
	}
}

// Insights with ids that are there take their places; with replace all others go.
func TestPutInsightsAgain(t *testing.T) {
	s := openStore(t, Memory, Config{})
	check(t, s.PutInsights(t.Context(), published(), false))
	second := &insights.File{Insights: []insights.Insight{{ID: 9, Name: "New"}, {ID: 10}},
		Generic: []insights.Generic{{ID: "plain", Text: "New."}}}
	check(t, s.PutInsights(t.Context(), second, false))
	if got, err := s.Insight(t.Context(), 9); err != nil || got.Name != "New" || rows(t, s, "insight") != 3 ||
		rows(t, s, "generic") != 2 {
		t.Error(got, err, rows(t, s, "insight"), rows(t, s, "generic"))
	}
	if got, err := s.Generic(t.Context(), "plain"); err != nil || got.Text != "New." {
		t.Error(got, err)
	}
	check(t, s.PutInsights(t.Context(), second, true))
	if rows(t, s, "insight") != 2 || rows(t, s, "generic") != 1 {
		t.Error(rows(t, s, "insight"), rows(t, s, "generic"))
	}
}

// All of a file or nothing of it.
func TestPutInsightsIsWhole(t *testing.T) {
	s := openStore(t, Memory, Config{})
	check(t, s.PutInsights(t.Context(), published(), false))
	bad := &insights.File{Insights: []insights.Insight{{ID: 9, Name: "New"}, {ID: 10, Trending: math.NaN()}}}
	for _, replace := range []bool{false, true} {
		if err := s.PutInsights(t.Context(), bad, replace); err == nil {
			t.Error("a number that can't be written was put in")
		}
		if got, err := s.Insight(t.Context(), 9); err != nil || got.Name != "Bargains" || rows(t, s, "insight") != 2 {
			t.Error(got, err)
		}
	}
}

// A record that was damaged is an error.
func TestInsightsDamaged(t *testing.T) {
	s := openStore(t, Memory, Config{})
	check(t, s.PutInsights(t.Context(), published(), false))
	_, err := s.write.Exec(`UPDATE insight SET record = '{"id":' WHERE id = 9; UPDATE generic SET record = '{}' ` +
		`WHERE id = 'plain'`)
	check(t, err)
	damaged := (*DamagedError)(nil)
	if _, err := s.Insight(t.Context(), 9); !errors.As(err, &damaged) {
		t.Error(err)
	}
	if _, err := s.Insights(t.Context()); !errors.As(err, &damaged) {
		t.Error(err)
	}
	if _, err := s.Generic(t.Context(), "plain"); !errors.As(err, &damaged) {
		t.Error(err)
	}
}
