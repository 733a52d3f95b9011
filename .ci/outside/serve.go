package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
)

// serve mounts the store below a prefix of a mux of our own, with customers of our own, and sends it requests.
func serve(ctx context.Context, store httpapi.Store, out io.Writer) error {
	api, err := httpapi.New(httpapi.Config{Store: store, Authorize: authorize, BasePath: "/api/audiences"})
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/api/audiences/", api)
	server := httptest.NewServer(mux)
	defer server.Close()
	for _, c := range []struct {
		key, wave, want string
	}{
		{"everything", "w2", "200: 150 respondents, who stand for 300.0 people, drink tea"},
		{"south", "w2", "200: 50 respondents, who stand for 100.0 people, drink tea"},
		{"nobody", "w2", "401: the request carries no valid key: send one in the header Authorization"},
		{"everything", "w9", "403: not available: waves w9"},
	} {
		got, err := intersect(ctx, server, c.key, c.wave)
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "over HTTP, key %q, wave %s: %s\n", c.key, c.wave, got)
		if got != c.want {
			return errors.New("expected was " + c.want)
		}
	}
	return nil
}

// authorize tells who sent a request: somebody who may use everything, and somebody who may use one location.
func authorize(_ context.Context, key string) (httpapi.Caller, error) {
	grant := audience.All()
	switch key {
	case "everything":
	case "south":
		grant.Locations = []string{"south"}
	default:
		return httpapi.Caller{}, fmt.Errorf("nobody has that key: %w", audience.ErrNotFound)
	}
	return httpapi.Caller{User: "1", Grant: grant}, nil
}

// intersect asks who drinks tea in a wave, and says in words what is answered.
func intersect(ctx context.Context, server *httptest.Server, key, wave string) (string, error) {
	tea := audience.Print(audience.Answers{Question: "tea", Datapoints: []string{"yes"}})
	body := fmt.Appendf(nil, `{"audiences": {"row": {"expression": %s}}, "waves": [%q]}`, tea, wave)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, server.URL+"/api/audiences/v2/query/intersection",
		bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	r.Header.Set("Authorization", "Bearer "+key)
	response, err := server.Client().Do(r)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	var answer struct {
		Data struct {
			Intersect struct {
				Sample int64   `json:"sample"`
				Size   float64 `json:"size"`
			} `json:"intersect"`
		} `json:"data"`
		Error string `json:"error"`
	}
	if err := json.NewDecoder(response.Body).Decode(&answer); err != nil {
		return "", err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Sprintf("%d: %s", response.StatusCode, strings.TrimSpace(answer.Error)), nil
	}
	return fmt.Sprintf("%d: %d respondents, who stand for %.1f people, drink tea", response.StatusCode,
		answer.Data.Intersect.Sample, answer.Data.Intersect.Size), nil
}
