package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
)

// OpenInsights gives a store that holds the insights of a file, and no others.
type OpenInsights func(f *insights.File) (insights.Store, error)

// TestInsights is the conformance suite of an insights.Store: that what was published comes out, each by its id and all
// in order. How insights get into a store is its own affair, so open gives one that holds those of a file; it may use t
// to clean up after itself.
func TestInsights(t *testing.T, open func(t *testing.T, f *insights.File) insights.Store) {
	t.Helper()
	for _, c := range insightChecks() {
		t.Run(c.name, func(t *testing.T) {
			err := c.run(t.Context(), func(f *insights.File) (insights.Store, error) { return open(t, f), nil })
			if err != nil {
				t.Fatal(err)
			}
		})
	}
}

// insightCheck is one test of the suite of an insights.Store.
type insightCheck struct {
	name string
	run  func(ctx context.Context, open OpenInsights) error
}

func insightChecks() []insightCheck {
	return []insightCheck{
		{"insights/none", noInsights},
		{"insights/come_back", insightsComeBack},
		{"insights/generic_come_back", genericComeBack},
		{"insights/lists_are_the_callers", listsAreTheCallers},
		{"insights/pages", insightPages},
	}
}

// publishedInsights is a file with a value in every member, and with as few as can be; not in the order of ids.
func publishedInsights() *insights.File {
	return &insights.File{
		Insights: []insights.Insight{
			{ID: 9, Name: "Bargains"},
			{ID: math.MaxInt64, Name: "The last", Type: "chart"},
			{ID: -3, Name: "Screens \"at\" night\x00 – ✓", Description: "Long.", Type: "report",
				CategoryIDs: []int64{2, 1, math.MinInt64},
				Images: []insights.Image{{ID: 1, IsMain: true, ThumbPath: "/s?a=1&b=<2>", PageThumbPath: "m",
					PagePreviewThumbPath: "l"}, {ID: 1}},
				IsTrending: true, Trending: 0.1, Popularity: 1e300, PublishedAt: "2025-01-01",
				CreatedAt: "2025-01-01T00:00:00.5+01:00", UpdatedAt: "2025-01-02"},
			{ID: 10, Name: "Tens"},
		},
		Generic: []insights.Generic{
			{ID: "g/1 \U0001f600", Text: "Phones.", Metrics: []string{"index", "size"}, Origins: insights.Origins{
				Attributes: []insights.OriginAttribute{{Key: insights.AttributeKey{NamespaceCode: "core",
					QuestionCode: "q", DatapointCode: "d", SuffixCode: "1"}, GeneratedText: "x"},
					{Key: insights.AttributeKey{QuestionCode: "q", DatapointCode: "d"}}},
				Audiences: []insights.OriginAudience{{ID: "a", Title: "A", Description: "D",
					Expression: audience.Not{X: audience.Waves{Codes: []string{"w1"}}}}, {ID: "saved"}},
				Locations: []string{"l2", "l1"}, Waves: []string{"w"}, Datasets: []string{"d"}}},
			{ID: "G/1 \U0001f600", Text: "Another."},
			{ID: "9", Text: "Plain."},
		},
	}
}

func noInsights(ctx context.Context, open OpenInsights) error {
	st, err := open(new(insights.File))
	if err != nil {
		return err
	}
	if all, err := st.Insights(ctx); len(all) > 0 || err != nil {
		return fmt.Errorf("its Insights of a store without any gives %d (%v)", len(all), err)
	}
	return notPublished(ctx, st, 9, "9")
}

// notPublished tells whether ids that are not there are audience.ErrNotFound.
func notPublished(ctx context.Context, st insights.Store, id int64, generic string) error {
	if _, err := st.Insight(ctx, id); !errors.Is(err, audience.ErrNotFound) {
		return fmt.Errorf("its Insight of %d, which is not there: %v instead of audience.ErrNotFound", id, err)
	}
	if _, err := st.Generic(ctx, generic); !errors.Is(err, audience.ErrNotFound) {
		return fmt.Errorf("its Generic of %q, which is not there: %v instead of audience.ErrNotFound", generic, err)
	}
	return nil
}

func insightsComeBack(ctx context.Context, open OpenInsights) error {
	f := publishedInsights()
	st, err := open(f)
	if err != nil {
		return err
	}
	for _, want := range f.Insights {
		got, err := st.Insight(ctx, want.ID)
		if err != nil {
			return fmt.Errorf("its Insight of %d: %w", want.ID, err)
		}
		if err := sameInsight("its Insight", got, want); err != nil {
			return err
		}
	}
	if err := allInsights(ctx, st); err != nil {
		return err
	}
	return notPublished(ctx, st, 3, "g/1")
}

// allInsights compares the list of all with publishedInsights by id.
func allInsights(ctx context.Context, st insights.Store) error {
	want := publishedInsights().Insights
	slices.SortFunc(want, func(a, b insights.Insight) int {
		if a.ID < b.ID {
			return -1
		}
		return 1
	})
	all, err := st.Insights(ctx)
	if err != nil || len(all) != len(want) {
		return fmt.Errorf("its Insights gives %d of %d (%v)", len(all), len(want), err)
	}
	for i := range want {
		if err := sameInsight(fmt.Sprintf("place %d of its Insights", i), all[i], want[i]); err != nil {
			return err
		}
	}
	return nil
}

func sameInsight(how string, got, want insights.Insight) error {
	text := func(i insights.Insight) string {
		i.CategoryIDs, i.Images = append([]int64{}, i.CategoryIDs...), append([]insights.Image{}, i.Images...)
		b, err := json.Marshal(i)
		if err != nil {
			return err.Error()
		}
		return string(b)
	}
	if g, w := text(got), text(want); g != w {
		return fmt.Errorf("%s gives\n%s\ninstead of\n%s", how, g, w)
	}
	return nil
}

func genericComeBack(ctx context.Context, open OpenInsights) error {
	f := publishedInsights()
	st, err := open(f)
	if err != nil {
		return err
	}
	for _, want := range f.Generic {
		got, err := st.Generic(ctx, want.ID)
		if err != nil {
			return fmt.Errorf("its Generic of %q: %w", want.ID, err)
		}
		g, failed := insights.WriteGeneric(got)
		w, wrong := insights.WriteGeneric(want)
		if err := errors.Join(failed, wrong); err != nil {
			return err
		}
		if string(g) != string(w) {
			return fmt.Errorf("its Generic gives\n%s\ninstead of\n%s", g, w)
		}
	}
	return nil
}

// listsAreTheCallers: whoever was given a list may change it, and the next gets it whole.
func listsAreTheCallers(ctx context.Context, open OpenInsights) error {
	st, err := open(publishedInsights())
	if err != nil {
		return err
	}
	for range 2 {
		all, err := st.Insights(ctx)
		if err != nil {
			return err
		}
		slices.Reverse(all)
		clear(all)
		if err := allInsights(ctx, st); err != nil {
			return fmt.Errorf("after a list was changed by whoever was given it, %w", err)
		}
	}
	return nil
}

// insightPages: what insights.List makes of the store, twice, as it changes the lists it is given.
func insightPages(ctx context.Context, open OpenInsights) error {
	st, err := open(publishedInsights())
	if err != nil {
		return err
	}
	for range 2 {
		for order, want := range map[string]string{"asc": "[-3 9 10]", "desc": "[9223372036854775807 10 9]"} {
			page, err := insights.List(ctx, st, insights.Filter{Order: order, Limit: 3})
			if err != nil {
				return err
			}
			var ids []int64
			for _, i := range page.Insights {
				ids = append(ids, i.ID)
			}
			if fmt.Sprint(ids) != want || page.Total != 4 {
				return fmt.Errorf("the first page, %s, is %v of %d instead of %s of 4", order, ids, page.Total, want)
			}
		}
		page, err := insights.List(ctx, st, insights.Filter{Types: []string{"report"}})
		if err != nil || page.Total != 1 || page.Insights[0].ID != -3 {
			return fmt.Errorf("of the reports there are %+v (%v) instead of one", page, err)
		}
	}
	return nil
}
