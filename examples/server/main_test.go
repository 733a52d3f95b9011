package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"

	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func Example() {
	if err := example(context.Background()); err != nil {
		fmt.Println(err)
	}
	// Output:
	// GET / → 200 Our own front page.
	// GET /api/audiences/healthz → 200 {"status":"ok"}
	// POST /api/audiences/v2/query/crosstab without a key → 401 unauthorized
	// POST /api/audiences/v2/query/crosstab with british-market → 403 forbidden: locations ["s2_49"]
	// POST /api/audiences/v2/query/crosstab with european-market → 200, 1 cell
	// the log has 5 requests
}

func example(ctx context.Context) error {
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 6000}), db, survey.Options{}); err != nil {
		return err
	}
	var log strings.Builder
	handler, err := newHandler(db, slog.New(slog.NewTextHandler(&log, nil)))
	if err != nil {
		return err
	}
	server := httptest.NewServer(handler)
	defer server.Close()

	for _, path := range []string{"/", "/api/audiences/healthz"} {
		status, body, _, err := send(server.URL+path, "", "")
		if err != nil {
			return err
		}
		fmt.Printf("GET %s → %d %s", path, status, body)
	}
	const path, question = "/api/audiences/v2/query/crosstab", `{"rows": [{"expression": {"question": "gender", ` +
		`"datapoints": ["gender_1"]}}], "locations": ["s2_44", "s2_49"]}`
	for _, key := range []string{"", "british-market", "european-market"} {
		status, body, cells, err := send(server.URL+path, key, question)
		if err != nil {
			return err
		}
		switch status {
		case http.StatusUnauthorized:
			fmt.Printf("POST %s without a key → %d %s\n", path, status, between(body, `"error_type":"`, `"`))
		case http.StatusForbidden:
			fmt.Printf("POST %s with %s → %d %s: locations [%s]\n", path, key, status, between(body, `"error_type":"`,
				`"`), between(body, `"locations":[`, `]`))
		default:
			fmt.Printf("POST %s with %s → %d, %s cell\n", path, key, status, cells)
		}
	}
	server.Close() // all is logged now
	fmt.Printf("the log has %d requests\n", strings.Count(log.String(), "msg=request"))
	return nil
}

// send is a GET, or a POST if there is a body.
func send(url, key, body string) (status int, answer, cells string, err error) {
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		return 0, "", "", err
	}
	r.Header.Set("Authorization", key)
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", "", err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return response.StatusCode, string(text), response.Header.Get("X-Cell-Count"), err
}

func between(text, from, to string) string {
	_, text, _ = strings.Cut(text, from)
	text, _, _ = strings.Cut(text, to)
	return text
}
