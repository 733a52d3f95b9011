package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

// insightItem is an insight in a list.
type insightItem struct {
	ID          int64            `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Images      []insights.Image `json:"images"`
}

// insightDetail is an insight alone.
type insightDetail struct {
	ID          int64            `json:"id"`
	Name        string           `json:"name"`
	Description string           `json:"description"`
	Type        string           `json:"type"`
	CategoryIDs []int64          `json:"category_ids"`
	Images      []insights.Image `json:"images"`
}

// insight answers GET /v3/insights/{id}.
func (c *call) insight() error {
	id, err := strconv.ParseInt(c.id(), 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return fmt.Errorf("insight %s: %w", c.id(), audience.ErrNotFound)
	case err != nil:
		return &audience.InvalidError{Path: "id", Reason: fmt.Sprintf("%q is no integer", c.id())}
	}
	i, err := c.Insights.Insight(c.ctx(), id)
	if err != nil {
		return err
	}
	return c.replyJSON(http.StatusOK, insightDetail{i.ID, i.Name, i.Description, i.Type, strictjson.List(i.CategoryIDs),
		strictjson.List(i.Images)})
}

// insightsFilter answers POST /v3/insights/filter. A total in the request means nothing.
func (c *call) insightsFilter() error {
	body, err := c.body("filters", "limit", "offset", "order", "order_by", "total")
	if err != nil {
		return err
	}
	filters := body.Get("filters").Object("categories", "is_trending", "types")
	filter := insights.Filter{Types: strictjson.Once(filters.Texts("types")), Order: body.Text("order"),
		OrderBy: body.Text("order_by"),
		Offset:  int(body.Int("offset"))}
	for _, v := range filters.Items("categories") {
		if v.Null() {
			v.Fail("a whole number is expected, not null")
		}
		filter.Categories = append(filter.Categories, v.Int())
	}
	filter.Categories = strictjson.Once(filter.Categories)
	if v := filters.Get("is_trending"); v.Exists() {
		trending := v.Bool()
		filter.IsTrending = &trending
	}
	body.Int("total") // must be an integer, whichever
	if limit := body.Get("limit"); limit.Exists() {
		if filter.Limit = int(limit.Int()); filter.Limit == 0 {
			limit.Fail("0 is not within 1 to 100")
		}
	}
	if err := body.Err(); err != nil {
		return err
	}
	page, err := insights.List(c.ctx(), c.Insights, filter)
	if err != nil {
		return err
	}
	items := []insightItem{}
	for _, i := range page.Insights {
		items = append(items, insightItem{i.ID, i.Name, i.Description, strictjson.List(i.Images)})
	}
	f := page.Filter
	return c.replyJSON(http.StatusOK, struct {
		Insights []insightItem `json:"insights"`
		Limit    int           `json:"limit"`
		Offset   int           `json:"offset"`
		Order    string        `json:"order"`
		OrderBy  string        `json:"order_by"`
		Total    int           `json:"total"`
	}{items, f.Limit, f.Offset, f.Order, f.OrderBy, page.Total})
}

// explore answers GET /v1/insights-api/generic/insights/{id}.
func (c *call) explore() error {
	if !utf8.ValidString(c.id()) {
		return &audience.InvalidError{Path: "id", Reason: "the id is no UTF-8"}
	}
	// The version is noted first, so that its header does not tell an insight that is not there from one that the caller
	// may not see.
	if _, err := c.restricted.Frame(c.ctx()); err != nil {
		return err
	}
	view, err := insights.Explore(c.ctx(), c.Insights, c.restricted, c.originAudience, c.id())
	if err != nil {
		return err
	}
	return c.replyJSON(http.StatusOK, view)
}

func (c *call) originAudience(ctx context.Context, id string) (insights.OriginAudience, error) {
	a, err := saved.Read(ctx, c.Saved, c.caller.User, id)
	return insights.OriginAudience{ID: a.ID, Title: a.Name, Description: a.Description, Expression: a.Expression.Expr}, err
}
