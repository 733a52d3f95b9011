package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
)

// serveFour serves four stores as one: a frame, respondents, saved audiences and insights, each from elsewhere. An
// audience that is saved in the one is counted in the other.
func serveFour(ctx context.Context, framer audience.Framer, counter audience.Counter, out io.Writer) error {
	api, err := httpapi.New(httpapi.Config{Framer: framer, Counter: counter, Saved: newShelf(), Insights: news{},
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

// news is a store of one insight.
type news struct{}

var errNoNews = errors.New("there are no such news")

func (news) Insight(_ context.Context, id int64) (insights.Insight, error) {
	if id != 7 {
		return insights.Insight{}, errors.Join(errNoNews, audience.ErrNotFound)
	}
	return insights.Insight{ID: 7, Name: "More tea"}, nil
}

func (n news) Insights(ctx context.Context) ([]insights.Insight, error) {
	i, err := n.Insight(ctx, 7)
	return []insights.Insight{i}, err
}

func (news) Generic(context.Context, string) (insights.Generic, error) {
	return insights.Generic{}, errors.Join(errNoNews, audience.ErrNotFound)
}
