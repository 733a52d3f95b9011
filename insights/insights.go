package insights

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/crosswave/crosswave/audience"
)

// Insight is a published article, chart or other file.
type Insight struct {
	ID          int64   `json:"id"`
	Name        string  `json:"name"`
	Description string  `json:"description"`
	Type        string  `json:"type"`         // report, infographic, powerpoint, chart …
	CategoryIDs []int64 `json:"category_ids"` // of the catalogue's categories, where their ids are numbers
	Images      []Image `json:"images"`
	IsTrending  bool    `json:"is_trending"`
	Trending    float64 `json:"trending"`   // how much it trends; only the order means something
	Popularity  float64 `json:"popularity"` // likewise
	// Dates, as the file has them: 2024-01-31, which is its first moment in UTC, or RFC 3339
	// (2024-01-31T09:30:00+01:00); "" if not known.
	PublishedAt string `json:"published_at"`
	CreatedAt   string `json:"created_at"`
	UpdatedAt   string `json:"updated_at"`
}

// Image is a picture of an insight.
type Image struct {
	ID                   int64  `json:"id"`
	IsMain               bool   `json:"is_main"`
	ThumbPath            string `json:"thumb_path"`
	PageThumbPath        string `json:"page_thumb_path"`
	PagePreviewThumbPath string `json:"page_preview_thumb_path"`
}

// Store keeps insights; storetest.TestInsights tells whether one keeps to this.
type Store interface {
	// Insight returns one; audience.ErrNotFound if there is none with that id.
	Insight(ctx context.Context, id int64) (Insight, error)
	// Insights returns all, by id. The list belongs to the caller.
	Insights(ctx context.Context) ([]Insight, error)
	// Generic returns a generic insight; audience.ErrNotFound if there is none with that id.
	Generic(ctx context.Context, id string) (Generic, error)
}

// Filter picks and orders insights. Empty lists are no filter; what is given must all hold, a list if any of it does.
type Filter struct {
	Categories []int64
	Types      []string
	IsTrending *bool
	Limit      int // 1 to 100; 0 means 10
	Offset     int
	Order      string // asc or desc; "" means asc
	OrderBy    string // name, published_at, created_at, updated_at, trending, popularity or id; "" means id
}

// Page is a part of the insights that a Filter picks.
type Page struct {
	Insights []Insight
	Filter   Filter // with its defaults filled in
	Total    int    // how many match in all
}

// orders are what insights can be ordered by: how two of them compare, less than 0 if a comes first in ascending order.
var orders = map[string]func(a, b *Insight) int{
	"id":           func(a, b *Insight) int { return cmp.Compare(a.ID, b.ID) },
	"name":         func(a, b *Insight) int { return cmp.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) },
	"trending":     func(a, b *Insight) int { return cmp.Compare(a.Trending, b.Trending) },
	"popularity":   func(a, b *Insight) int { return cmp.Compare(a.Popularity, b.Popularity) },
	"published_at": func(a, b *Insight) int { return moment(a.PublishedAt).Compare(moment(b.PublishedAt)) },
	"created_at":   func(a, b *Insight) int { return moment(a.CreatedAt).Compare(moment(b.CreatedAt)) },
	"updated_at":   func(a, b *Insight) int { return moment(a.UpdatedAt).Compare(moment(b.UpdatedAt)) },
}

// dates are the orders by something that an insight may lack.
var dates = map[string]func(*Insight) string{
	"published_at": func(i *Insight) string { return i.PublishedAt },
	"created_at":   func(i *Insight) string { return i.CreatedAt },
	"updated_at":   func(i *Insight) string { return i.UpdatedAt },
}

// readMoment reads a date in one of its two forms.
func readMoment(text string) (time.Time, error) {
	if t, err := time.Parse(time.DateOnly, text); err == nil {
		return t, nil
	}
	return time.Parse(time.RFC3339, text)
}

// moment is the time that a date stands for; the zero time for what is none.
func moment(text string) time.Time {
	t, _ := readMoment(text)
	return t
}

// List returns a page of the insights that f picks. Ties are by id, ascending; missing dates come last, whatever the
// order. A Filter that can't be meant is an *audience.InvalidError.
func List(ctx context.Context, st Store, f Filter) (*Page, error) {
	f.Limit, f.Order, f.OrderBy = cmp.Or(f.Limit, 10), cmp.Or(f.Order, "asc"), cmp.Or(f.OrderBy, "id")
	if err := f.check(); err != nil {
		return nil, err
	}
	all, err := st.Insights(ctx)
	if err != nil {
		return nil, err
	}
	found := slices.DeleteFunc(all, func(i Insight) bool { return !f.picks(&i) })
	slices.SortFunc(found, func(a, b Insight) int { return f.compare(&a, &b) })
	first := min(f.Offset, len(found))
	last := min(first+f.Limit, len(found))
	return &Page{Insights: found[first:last], Filter: f, Total: len(found)}, nil
}

func (f *Filter) check() error {
	switch {
	case f.Limit < 1 || f.Limit > 100:
		return &audience.InvalidError{Path: "limit", Reason: fmt.Sprintf("%d is not within 1 to 100", f.Limit)}
	case f.Offset < 0:
		return &audience.InvalidError{Path: "offset", Reason: fmt.Sprintf("%d is below 0", f.Offset)}
	case f.Order != "asc" && f.Order != "desc":
		return &audience.InvalidError{Path: "order", Reason: fmt.Sprintf("%q is neither asc nor desc", f.Order)}
	case orders[f.OrderBy] == nil:
		return &audience.InvalidError{Path: "order_by",
			Reason: fmt.Sprintf("%q is none of name, published_at, created_at, updated_at, trending, popularity, id", f.OrderBy)}
	}
	return nil
}

func (f *Filter) picks(i *Insight) bool {
	return (f.IsTrending == nil || *f.IsTrending == i.IsTrending) &&
		(len(f.Types) == 0 || slices.Contains(f.Types, i.Type)) &&
		(len(f.Categories) == 0 || slices.ContainsFunc(i.CategoryIDs,
			func(id int64) bool { return slices.Contains(f.Categories, id) }))
}

func (f *Filter) compare(a, b *Insight) int {
	if date := dates[f.OrderBy]; date != nil && (date(a) == "") != (date(b) == "") {
		if date(a) == "" {
			return 1
		}
		return -1
	}
	c := orders[f.OrderBy](a, b)
	if f.Order == "desc" {
		c = -c
	}
	return cmp.Or(c, cmp.Compare(a.ID, b.ID))
}
