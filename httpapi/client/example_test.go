package client_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/client"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func Example() {
	ctx := context.Background()
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer db.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 2000}), db, survey.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	api, err := httpapi.New(httpapi.Config{Store: db,
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			return httpapi.Caller{User: "1", Grant: audience.All()}, nil
		}})
	if err != nil {
		fmt.Println(err)
		return
	}
	server := httptest.NewServer(api)
	defer server.Close()

	c := &client.Client{URL: server.URL, Key: "of the server"}
	request := client.CrosstabRequest{Scope: client.Scope{Locations: []string{"s2_44"}}}
	for _, code := range []string{"gender_1", "gender_2"} {
		request.Rows = append(request.Rows, client.Audience{ID: code,
			Expression: client.Of(audience.Answers{Question: "gender", Datapoints: []string{code}})})
	}
	for cell, err := range c.Crosstab(ctx, request) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s: %.1f %%\n", cell.Audiences.Row.Audience, cell.Audiences.Row.Percentage)
	}
	// Output:
	// gender_1: 50.5 %
	// gender_2: 49.5 %
}
