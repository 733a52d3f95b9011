package httpapi_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/stats"
)

// accepting sends a request for one media type, or several.
func accepting(t *testing.T, api http.Handler, path, key, accept, body string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Authorization", key)
	r.Header.Set("Accept", accept)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	checkContract(t, r, w)
	return w
}

// CSV answers over the ragged survey, whole: with figures that were never measured, that are withheld, with statistics.
// -update writes them.
func TestCSV(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	women := `{"id": "women", "name": "=Women", "expression": {"question": "gender", "datapoints": ["f"]}}`
	for _, c := range []struct{ name, path, key, body string }{
		{"crosstab", "/v2/query/crosstab", "full", `{"rows": [` + women + `, {"id": "corner", "name": "Say \"hi\", x",
			"expression": {"question": "shop.visit", "datapoints": ["s1"]}}], "columns": [{"id": "spring",
			"expression": {"question": "waves", "datapoints": ["w1"]}}, {"expression": {"question": "age",
			"datapoints": ["young"]}}]}`},
		{"base", "/v2/query/crosstab", "full", `{"base_audience": ` + women + `}`},
		{"withheld", "/v2/query/crosstab", "pairs", `{"rows": [{"id": "b3", "expression": {"question": "brands",
			"datapoints": ["b3"]}}], "columns": [` + women + `]}`},
		{"statistics", "/v2/query/crosstab", "full", `{"rows": [{"id": "b1", "expression": {"question": "brands",
			"datapoints": ["b1"]}}], "columns": [` + women + `, {"id": "men", "expression": {"question": "gender",
			"datapoints": ["m"]}}], "statistics": {"compare": ["columns", "rest"]}}`},
		{"profile", "/v2/query/profile", "full", `{"audience": ` + women + `, "limit": 3, "min_sample": 2}`},
		{"profile_withheld", "/v2/query/profile", "pairs", `{"audience": ` + women + `, "questions": ["brands"],
			"min_sample": 2}`},
	} {
		w := accepting(t, api, c.path, c.key, "text/csv;q=0.9, */*", c.body)
		if got := w.Header().Get("Content-Type"); w.Code != http.StatusOK || got != "text/csv; charset=utf-8" {
			t.Fatalf("%s: %d %s %s", c.name, w.Code, got, w.Body)
		}
		file := filepath.Join("testdata", "csv", c.name+".csv")
		if *update {
			if err := os.WriteFile(file, w.Body.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), w.Body.String()); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// bookEncoder writes what it was given, or fails before it has written anything, or after.
type bookEncoder struct{ mediaType string }

func (e bookEncoder) MediaType() string { return e.mediaType }

func (e bookEncoder) Crosstab(_ context.Context, w io.Writer, r crosstab.Request, result *crosstab.Result) error {
	switch {
	case len(r.Rows) == 0:
		return &audience.ComplexError{Reason: "there is no room"}
	case len(r.Rows) == 2:
		if _, err := w.Write(make([]byte, 200<<10)); err != nil {
			return err
		}
		return errors.New("the disk is full")
	}
	_, err := io.WriteString(w, "a book of "+r.Rows[0].ID)
	return err
}

func (e bookEncoder) Profile(_ context.Context, w io.Writer, q stats.ProfileQuery, _ *stats.ProfileResult) error {
	_, err := io.WriteString(w, "a book about "+q.Audience.ID)
	return err
}

const bookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// An encoder writes for who names its type and does not decline it; for all others it is as if it were not there.
func TestEncoders(t *testing.T) {
	config := httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		Encoders: []httpapi.Encoder{bookEncoder{bookType}}}
	api, err := httpapi.New(config)
	if err != nil {
		t.Fatal(err)
	}
	config.Encoders = nil
	without, err := httpapi.New(config)
	if err != nil {
		t.Fatal(err)
	}
	one := `{"rows": [{"id": "f", "expression": {"question": "gender", "datapoints": ["f"]}}]}`
	two := `{"rows": [{"expression": {"question": "gender"}}, {"expression": {"question": "age"}}]}`
	profile := `{"audience": {"id": "f", "expression": {"question": "gender", "datapoints": ["f"]}}}`
	for _, c := range []struct {
		name, path, accept, body string
		status                   int
		contentType, begins      string
	}{
		{"a crosstab", "/v2/query/crosstab", bookType, one, 200, bookType, "a book of f"},
		{"a profile", "/v2/query/profile", bookType, profile, 200, bookType, "a book about f"},
		{"named before CSV", "/v2/query/crosstab", "text/csv, " + bookType, one, 200, bookType, "a book"},
		{"declined", "/v2/query/crosstab", bookType + ";q=0, text/csv", one, 200, "text/csv; charset=utf-8", "row_index,"},
		{"all types", "/v2/query/crosstab", "*/*", one, 200, "application/x-ndjson", "{"},
		{"a type that nobody writes", "/v2/query/crosstab", "application/pdf", one, 200, "application/x-ndjson", "{"},
		{"the document", "/v2/query/crosstab?stream=false", bookType, one, 200, "application/json", `{"meta"`},
		{"too large a table", "/v2/query/crosstab", bookType, `{}`, 400, "application/json",
			`{"error":"there is no room","error_type":"too_complex"`},
		{"a wrong request", "/v2/query/crosstab", bookType, `{"row": []}`, 400, "application/json", `{"error":`},
	} {
		w := accepting(t, api, c.path, "full", c.accept, c.body)
		if got := w.Header().Get("Content-Type"); w.Code != c.status || got != c.contentType ||
			!strings.HasPrefix(w.Body.String(), c.begins) {
			t.Errorf("%s: %d %s %.300s", c.name, w.Code, got, w.Body)
		}
		if n := w.Header().Get("X-Cell-Count"); (n == "1") != (c.status == 200 && strings.Contains(c.path, "crosstab")) {
			t.Errorf("%s: X-Cell-Count is %q", c.name, n)
		}
	}
	if w := accepting(t, without, "/v2/query/crosstab", "full", bookType, one); w.Code != 200 ||
		w.Header().Get("Content-Type") != "application/x-ndjson" {
		t.Errorf("without an encoder: %d %s", w.Code, w.Header().Get("Content-Type"))
	}
	func() {
		defer func() {
			if cut := recover(); cut != http.ErrAbortHandler {
				t.Errorf("an encoder that fails later: %v", cut)
			}
		}()
		accepting(t, api, "/v2/query/crosstab", "full", bookType, two)
	}()
}

// An encoder has a media type, and one of its own.
func TestEncodersRefused(t *testing.T) {
	for _, types := range [][]string{{""}, {"text/csv; charset=utf-8"}, {"application/json"}, {bookType, bookType}} {
		config := httpapi.Config{Store: stalled{}, Authorize: authorize}
		for _, name := range types {
			config.Encoders = append(config.Encoders, bookEncoder{name})
		}
		if _, err := httpapi.New(config); err == nil || !strings.Contains(err.Error(), "Config.Encoders[") {
			t.Errorf("%q: %v", types, err)
		}
	}
}
