package httpapi_test

import (
	"context"
	"encoding/json"
	"expvar"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// A generated survey is served to those who have a key. Authorize tells whose key it is and what they may use; the
// figures of somebody who may use one location are those of that location.
func ExampleNew() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 5000}), db, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	authorize := func(_ context.Context, key string) (httpapi.Caller, error) {
		grant := audience.All()
		switch key {
		case "whole":
		case "british":
			grant.Locations = []string{"s2_44"}
		default:
			return httpapi.Caller{}, audience.ErrNotFound // 401
		}
		return httpapi.Caller{User: "1", Grant: grant}, nil
	}
	handler, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, BasePath: "/audiences"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, key := range []string{"whole", "british", "stolen"} {
		r := httptest.NewRequest(http.MethodPost, "/audiences/v3/query/audience_wave_counts",
			strings.NewReader(`{"expression": {"question": "gender"}}`))
		r.Header.Set("Authorization", "Bearer "+key)
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		var body struct {
			Sample int64 `json:"audience_sample"`
		}
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			fmt.Println(err)
		}
		fmt.Printf("%s: %d, %d respondents\n", key, w.Code, body.Sample)
	}
	// Output:
	// whole: 200, 5000 respondents
	// british: 200, 471 respondents
	// stolen: 401, 0 respondents
}

// An Observer counts requests by route and status, and the milliseconds that they took, with expvar.
func ExampleObserver() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 1000}), db, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	var requests expvar.Map // expvar.NewMap makes one that /debug/vars shows
	var running, milliseconds, cells expvar.Int
	count := func(ctx context.Context, a httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
		running.Add(1)
		return ctx, func(out httpapi.Outcome) {
			running.Add(-1)
			requests.Add(a.Method+" "+a.Route+" "+strconv.Itoa(out.Status)+" "+out.ErrorType, 1)
			milliseconds.Add(out.Took.Milliseconds())
			cells.Add(out.Cells)
		}
	}
	authorize := func(ctx context.Context, secret string) (httpapi.Caller, error) {
		key, err := db.Authorize(ctx, secret)
		return httpapi.Caller{User: key.User, Grant: key.Grant}, err
	}
	handler, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, Observers: []httpapi.Observer{count}})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, secret, err := db.CreateKey(ctx, sqlite.Key{Grant: audience.All()})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, id := range []string{"1", "2", "3"} {
		r := httptest.NewRequest(http.MethodGet, "/v3/insights/"+id, nil)
		r.Header.Set("Authorization", secret)
		handler.ServeHTTP(httptest.NewRecorder(), r)
	}
	r := httptest.NewRequest(http.MethodPost, "/v2/query/crosstab",
		strings.NewReader(`{"rows": [{"expression": {"question": "gender"}}, {"expression": {"question": "age"}}]}`))
	r.Header.Set("Authorization", secret)
	handler.ServeHTTP(httptest.NewRecorder(), r)
	requests.Do(func(kv expvar.KeyValue) { fmt.Println(kv.Key, kv.Value) })
	fmt.Println(cells.Value(), "cells,", running.Value(), "running")
	// Output:
	// GET /v3/insights/{id} 404 not_found 3
	// POST /v2/query/crosstab 200  1
	// 2 cells, 0 running
}
