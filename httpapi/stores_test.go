package httpapi_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

// The stores of a service may be several: here one is for the survey, one for saved audiences and one for insights.
func ExampleConfig() {
	ctx := context.Background()
	var stores [3]*sqlite.Store
	for i := range stores {
		db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
		if err != nil {
			fmt.Println(err)
			return
		}
		defer db.Close()
		stores[i] = db
	}
	survey, audiences, articles := stores[0], stores[1], stores[2]
	published := &insights.File{Insights: []insights.Insight{{ID: 7, Name: "Screens at night"}}}
	if err := articles.PutInsights(ctx, published, true); err != nil {
		fmt.Println(err)
		return
	}
	handler, err := httpapi.New(httpapi.Config{
		Framer: survey, Counter: survey, Saved: audiences, Insights: articles,
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			return httpapi.Caller{User: "alice@example.com", Grant: audience.All()}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, path := range []string{"/v3/insights/7", "/v2/saved/audiences"} {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		fmt.Print(w.Body)
	}
	// Output:
	// {"id":7,"name":"Screens at night","description":"","type":"","category_ids":[],"images":[]}
	// {"meta":{"total":0},"data":[]}
}

// The stores of a Config, each without the methods of the others.
type (
	framer    struct{ audience.Framer }
	counter   struct{ audience.Counter }
	audiences struct{ saved.Store }
	articles  struct{ insights.Store }
)

// Each store is asked for what it is for, and Store for the rest.
func TestFourStores(t *testing.T) {
	db := ragged(t)
	second := raggedAt(t, sqlite.Memory) // holds no saved audience
	quiet := slog.New(slog.DiscardHandler)
	create := `{"name": "Women", "expression": {"question": "gender", "datapoints": ["f"]}}`
	for name, c := range map[string]httpapi.Config{
		"four":             {Framer: framer{db}, Counter: counter{db}, Saved: audiences{db}, Insights: articles{db}},
		"one":              {Store: db},
		"saved elsewhere":  {Store: second, Saved: audiences{db}},
		"not in the Store": {Store: second, Framer: framer{db}, Counter: counter{db}, Saved: audiences{db}},
	} {
		c.Authorize, c.Log = authorize, quiet
		api, err := httpapi.New(c)
		if err != nil {
			t.Fatal(name, err)
		}
		if w := post(t, api, "/v2/saved/audiences", "full", create); w.Code != http.StatusCreated {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if w := post(t, api, "/v2/query/intersection", "full", `{"audiences": {"row": {"expression": {"question": `+
			`"gender", "datapoints": ["f"]}}}}`); w.Code != http.StatusOK {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
		if w := post(t, api, "/v3/insights/filter", "full", `{}`); !strings.Contains(w.Body.String(), `"total":4}`) {
			t.Errorf("%s: %d %s", name, w.Code, w.Body)
		}
	}
	if list, err := db.SavedFor(t.Context(), "1"); len(list) != 4 || err != nil {
		t.Errorf("%d audiences were saved where they should be (%v)", len(list), err)
	}
	if list, err := second.SavedFor(t.Context(), "1"); len(list) != 0 || err != nil {
		t.Errorf("%d audiences were saved elsewhere (%v)", len(list), err)
	}
}

// A service may do without saved audiences and insights: there are none, and none can be made.
func TestNoRecords(t *testing.T) {
	db := ragged(t)
	api, err := httpapi.New(httpapi.Config{Framer: db, Counter: db, Authorize: asUser,
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	const id = "00000000-0000-4000-8000-000000000001"
	for _, test := range []struct {
		path, body string // a body is a POST
		status     int
		in         string
	}{
		{"/v2/saved/audiences", "", 200, `{"meta":{"total":0},"data":[]}`},
		{"/v2/saved/audiences/" + id, "", 404, id},
		{"/v2/saved/audiences", `{"name": "Women", "expression": {"question": "gender"}}`, 403, "reading only"},
		{"/v2/saved/audiences", `{"name": "Women", "expression": {"question": "gender"}, "folder_id": "` + id + `"}`, 403,
			"reading only"},
		{"/v2/query/intersection", `{"audiences": {"row": {"id": "` + id + `"}}}`, 400, id},
		{"/v3/insights/7", "", 404, "insight 7"},
		{"/v3/insights/filter", `{}`, 200, `"total":0}`},
		{"/v1/insights-api/generic/insights/x", "", 404, "generic insight x"},
		{"/v1/me", "", 200, `"user_id":0,`},
	} {
		var w *httptest.ResponseRecorder
		if test.body == "" {
			w = get(t, api, test.path, "alice")
		} else {
			w = post(t, api, test.path, "alice", test.body)
		}
		if w.Code != test.status || !strings.Contains(w.Body.String(), test.in) {
			t.Errorf("%s %s: %d %s, want %d %s", test.path, test.body, w.Code, w.Body, test.status, test.in)
		}
	}
	if w := get(t, api, "/v1/me", "8"); !strings.Contains(w.Body.String(), `"user_id":8,`) {
		t.Error(w.Body)
	}
	for name, c := range map[string]httpapi.Config{"nothing": {}, "no counter": {Framer: db}, "no framer": {Counter: db},
		"neither": {Saved: db, Insights: db}} {
		c.Authorize = authorize
		if _, err := httpapi.New(c); err == nil || !strings.Contains(err.Error(), "Config.Store is required") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
