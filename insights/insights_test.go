package insights_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	gocmp "github.com/google/go-cmp/cmp"
)

// shelf is a Store of what lies on it.
type shelf struct {
	insights []insights.Insight
	generic  []insights.Generic
}

func (s shelf) Insight(_ context.Context, id int64) (insights.Insight, error) {
	if i := slices.IndexFunc(s.insights, func(i insights.Insight) bool { return i.ID == id }); i >= 0 {
		return s.insights[i], nil
	}
	return insights.Insight{}, audience.ErrNotFound
}

func (s shelf) Insights(context.Context) ([]insights.Insight, error) {
	return slices.Clone(s.insights), nil
}

func (s shelf) Generic(_ context.Context, id string) (insights.Generic, error) {
	if i := slices.IndexFunc(s.generic, func(g insights.Generic) bool { return g.ID == id }); i >= 0 {
		return s.generic[i], nil
	}
	return insights.Generic{}, fmt.Errorf("generic insight %s: %w", id, audience.ErrNotFound)
}

func ptr[T any](x T) *T { return &x }

func stock() shelf {
	return shelf{insights: []insights.Insight{
		{ID: -4, Name: "banana", Type: "chart", CategoryIDs: []int64{1, 2}, Trending: 2, Popularity: 10,
			PublishedAt: "2024-03-01", CreatedAt: "2024-03-01T00:30:00+01:00"},
		{ID: 2, Name: "Apple", Type: "report", CategoryIDs: []int64{2}, IsTrending: true, Trending: 10, Popularity: 9,
			PublishedAt: "2024-02-29T23:59:59Z", CreatedAt: "2024-02-29T23:15:00Z"},
		{ID: 3, Name: "cherry", Type: "report", CategoryIDs: []int64{3}, IsTrending: true, Trending: 2,
			PublishedAt: "2024-03-01T00:00:00.5Z"},
		{ID: 11, Name: "apple", Type: "powerpoint", Popularity: 10, UpdatedAt: "2025-01-01"},
	}}
}

// Lists are any-of, filters are and-ed, an empty list is no filter; ties break by id, missing dates come last, whatever
// the order.
func TestList(t *testing.T) {
	for name, test := range map[string]struct {
		filter insights.Filter
		want   []int64
		total  int
	}{
		"defaults": {insights.Filter{}, []int64{-4, 2, 3, 11}, 4},
		"empty lists": {insights.Filter{Categories: []int64{}, Types: []string{}},
			[]int64{-4, 2, 3, 11}, 4},
		"any of the categories": {insights.Filter{Categories: []int64{3, 1}}, []int64{-4, 3}, 2},
		"any of the types": {insights.Filter{Types: []string{"chart", "powerpoint", "none"}},
			[]int64{-4, 11}, 2},
		"a type that there is not": {insights.Filter{Types: []string{"Report"}}, nil, 0},
		"trending ones":            {insights.Filter{IsTrending: ptr(true)}, []int64{2, 3}, 2},
		"those that are not":       {insights.Filter{IsTrending: ptr(false)}, []int64{-4, 11}, 2},
		"all filters at once": {insights.Filter{IsTrending: ptr(true), Types: []string{"report"},
			Categories: []int64{2}}, []int64{2}, 1},
		"by id, descending":              {insights.Filter{Order: "desc"}, []int64{11, 3, 2, -4}, 4},
		"by name, whatever the case":     {insights.Filter{OrderBy: "name"}, []int64{2, 11, -4, 3}, 4},
		"by name, descending":            {insights.Filter{OrderBy: "name", Order: "desc"}, []int64{3, -4, 2, 11}, 4},
		"by trending":                    {insights.Filter{OrderBy: "trending"}, []int64{11, -4, 3, 2}, 4},
		"by trending, descending":        {insights.Filter{OrderBy: "trending", Order: "desc"}, []int64{2, -4, 3, 11}, 4},
		"by popularity":                  {insights.Filter{OrderBy: "popularity"}, []int64{3, 2, -4, 11}, 4},
		"by popularity, descending":      {insights.Filter{OrderBy: "popularity", Order: "desc"}, []int64{-4, 11, 2, 3}, 4},
		"by date, days and times":        {insights.Filter{OrderBy: "published_at"}, []int64{2, -4, 3, 11}, 4},
		"by date, descending":            {insights.Filter{OrderBy: "published_at", Order: "desc"}, []int64{3, -4, 2, 11}, 4},
		"by date, with an offset":        {insights.Filter{OrderBy: "created_at"}, []int64{2, -4, 3, 11}, 4},
		"by date, most without":          {insights.Filter{OrderBy: "updated_at", Order: "desc"}, []int64{11, -4, 2, 3}, 4},
		"a page":                         {insights.Filter{Limit: 2, Offset: 1}, []int64{2, 3}, 4},
		"the last page":                  {insights.Filter{Limit: 3, Offset: 3}, []int64{11}, 4},
		"beyond the end":                 {insights.Filter{Limit: 100, Offset: 1 << 40}, nil, 4},
		"a page of what a filter leaves": {insights.Filter{Types: []string{"report"}, Limit: 1, Offset: 1}, []int64{3}, 2},
	} {
		page, err := insights.List(t.Context(), stock(), test.filter)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		var got []int64
		for _, i := range page.Insights {
			got = append(got, i.ID)
		}
		if !slices.Equal(got, test.want) || page.Total != test.total {
			t.Errorf("%s: %v of %d, want %v of %d", name, got, page.Total, test.want, test.total)
		}
	}
}

func TestListFillsDefaultsIn(t *testing.T) {
	page, err := insights.List(t.Context(), stock(), insights.Filter{})
	if d := gocmp.Diff(insights.Filter{Limit: 10, Order: "asc", OrderBy: "id"}, page.Filter); d != "" || err != nil {
		t.Errorf("%v\n%s", err, d)
	}
}

func TestListErrors(t *testing.T) {
	for want, filter := range map[string]insights.Filter{
		"limit: -1 is not within 1 to 100":     {Limit: -1},
		"limit: 101 is not within 1 to 100":    {Limit: 101},
		"offset: -1 is below 0":                {Offset: -1},
		`order: "ASC" is neither asc nor desc`: {Order: "ASC"},
		`order_by: "type" is none of name, published_at, created_at, updated_at, trending, popularity, id`: {OrderBy: "type"},
	} {
		if _, err := insights.List(t.Context(), stock(), filter); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// Random insights and filters against a plain way to do it: pages put together are all that match, sorted, without a
// tie that could go either way.
func TestListPages(t *testing.T) {
	const seed = 3
	r := rand.New(rand.NewPCG(seed, 0))
	date := func() string {
		switch day := time.Date(2024, 1, 1+r.IntN(3), r.IntN(24), 0, 0, 0,
			time.FixedZone("", 3600*(r.IntN(25)-12))); r.IntN(3) {
		case 0:
			return ""
		case 1:
			return day.Format(time.DateOnly)
		default:
			return day.Format(time.RFC3339)
		}
	}
	at := func(text string) time.Time {
		if len(text) == len(time.DateOnly) {
			text += "T00:00:00Z"
		}
		out, err := time.Parse(time.RFC3339, text)
		if err != nil && text != "" {
			t.Fatal(err)
		}
		return out
	}
	for i := range 300 {
		var s shelf
		for id := range r.IntN(40) {
			s.insights = append(s.insights, insights.Insight{ID: int64(id), Type: fmt.Sprint(r.IntN(3)),
				CategoryIDs: []int64{int64(r.IntN(4)), int64(r.IntN(4))},
				IsTrending:  r.IntN(2) == 0, Trending: float64(r.IntN(4)), PublishedAt: date()})
		}
		f := insights.Filter{Order: []string{"asc", "desc"}[r.IntN(2)], OrderBy: []string{"published_at",
			"trending"}[r.IntN(2)], Limit: 1 + r.IntN(9)}
		if r.IntN(2) == 0 {
			f.Categories = []int64{int64(r.IntN(4)), int64(r.IntN(4))}
		}
		if r.IntN(2) == 0 {
			f.Types = []string{fmt.Sprint(r.IntN(4))}
		}
		var want []insights.Insight
		for _, x := range s.insights {
			if (f.Types == nil || f.Types[0] == x.Type) && (f.Categories == nil ||
				slices.Contains(f.Categories, x.CategoryIDs[0]) || slices.Contains(f.Categories, x.CategoryIDs[1])) {
				want = append(want, x)
			}
		}
		sign := map[string]int{"asc": 1, "desc": -1}[f.Order]
		slices.SortStableFunc(want, func(a, b insights.Insight) int {
			if f.OrderBy == "trending" {
				return sign * cmp.Compare(a.Trending, b.Trending)
			}
			if (a.PublishedAt == "") != (b.PublishedAt == "") {
				return cmp.Compare(len(b.PublishedAt), len(a.PublishedAt))
			}
			return sign * at(a.PublishedAt).Compare(at(b.PublishedAt))
		})
		var got []insights.Insight
		for ; ; f.Offset += f.Limit {
			page, err := insights.List(t.Context(), s, f)
			if err != nil || page.Total != len(want) || len(page.Insights) > f.Limit {
				t.Fatalf("seed %d, %d: %d of %d, want %d (%v)", seed, i, len(page.Insights), page.Total, len(want), err)
			}
			if len(page.Insights) == 0 {
				break
			}
			got = append(got, page.Insights...)
		}
		if d := gocmp.Diff(want, got); d != "" {
			t.Fatalf("seed %d, %d: %+v\n%s", seed, i, f, d)
		}
	}
}

func Example() {
	file, err := insights.Read([]byte(`{"insights": [{"id": 7, "name": "Screens at night", "type": "report", ` +
		`"popularity": 2}, {"id": 8, "name": "Bargains", "popularity": 5}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	page, err := insights.List(context.Background(), shelf{insights: file.Insights},
		insights.Filter{OrderBy: "popularity", Order: "desc", Limit: 1})
	fmt.Println(page.Insights[0].Name, "of", page.Total, err)

	_, err = insights.Read([]byte(strings.ReplaceAll(`{"insights": [{"id": 7, "catgory_ids": [1]}]}`, "7", "8")))
	fmt.Println(err)
	// Output:
	// Bargains of 2 <nil>
	// insights[0].catgory_ids: unknown member "catgory_ids"; "category_ids" is probably meant
}
