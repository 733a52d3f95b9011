package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
)

// serveFour serves four stores as one: a frame, respondents, saved audiences and insights, each from elsewhere. An
// audience that is saved in the one is counted in the other.
func serveFour(ctx context.Context, framer audience.Framer, counter audience.Counter, out io.Writer) error {
	api, err := httpapi.New(httpapi.Config{Framer: framer, Counter: counter, Saved: newShelf(),
		Insights: newNews(&insights.File{Insights: []insights.Insight{{ID: 7, Name: "More tea"}}}),
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			return httpapi.Caller{User: "alice@example.com", Grant: audience.All()}, nil
		},
		NewID: func() string { return "00000000-0000-4000-8000-000000000001" }})
	if err != nil {
		return err
	}
	for _, c := range []struct{ method, path, body, want string }{
		{"POST", "/v2/saved/audiences", `{"name": "Tea", "expression": {"question": "tea", "datapoints": ["yes"]}}`,
			`"user_id":1000000000000,"name":"Tea"`},
		{"POST", "/v2/query/intersection", `{"audiences": {"row": {"id": "00000000-0000-4000-8000-000000000001"}}, ` +
			`"waves": ["w2"]}`, `"sample":150`},
		{"GET", "/v3/insights/7", "", `"name":"More tea"`},
	} {
		r, err := http.NewRequestWithContext(ctx, c.method, c.path, strings.NewReader(c.body))
		if err != nil {
			return err
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), c.want) {
			return fmt.Errorf("%s %s of four stores: %d %s", c.method, c.path, w.Code, w.Body)
		}
		fmt.Fprintf(out, "from four stores, %s %s: %d with %s\n", c.method, c.path, w.Code, c.want)
	}
	return nil
}

// news is a store of the insights of a file: an insights.Store in memory.
type news struct {
	list    []insights.Insight // by id
	generic map[string]insights.Generic
}

func newNews(f *insights.File) *news {
	n := &news{slices.Clone(f.Insights), map[string]insights.Generic{}}
	slices.SortFunc(n.list, func(a, b insights.Insight) int { return cmp.Compare(a.ID, b.ID) })
	for _, g := range f.Generic {
		n.generic[g.ID] = g
	}
	return n
}

func (n *news) Insight(_ context.Context, id int64) (insights.Insight, error) {
	for _, i := range n.list {
		if i.ID == id {
			return i, nil
		}
	}
	return insights.Insight{}, fmt.Errorf("news %d: %w", id, audience.ErrNotFound)
}

func (n *news) Insights(context.Context) ([]insights.Insight, error) {
	return slices.Clone(n.list), nil
}

func (n *news) Generic(_ context.Context, id string) (insights.Generic, error) {
	g, ok := n.generic[id]
	if !ok {
		return g, fmt.Errorf("news %s: %w", id, audience.ErrNotFound)
	}
	return g, nil
}
