package httpapi_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// What is said of a response's size before it is counted is never too little: a cell repeats the wrappers of its row
// and column, and their ids once more.
func TestCrosstabResponseLimit(t *testing.T) {
	db := ragged(t)
	serve := func(limit int, body string) *httptest.ResponseRecorder {
		api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize,
			Limits: httpapi.Limits{Response: int64(limit)}})
		if err != nil {
			t.Fatal(err)
		}
		return post(t, api, "/v2/query/crosstab", "full", body)
	}
	id := strings.Repeat("a long id ", 200)
	women := `{"id": "` + id + `", "expression": {"question": "gender", "datapoints": ["f"]}}`
	short := `{"id": "s", "expression": {"question": "age"}}`
	for name, body := range map[string]string{
		"rows":    `{"rows": [` + women + `,` + women + `], "columns": [` + short + `]}`,
		"columns": `{"rows": [` + short + `], "columns": [` + women + `,` + women + `]}`,
		"base":    `{"rows": [` + short + `], "base_audience": ` + women + `}`,
	} {
		whole := serve(0, body)
		if whole.Code != http.StatusOK {
			t.Fatal(name, whole.Body)
		}
		cells, size := strings.Count(whole.Body.String(), "\n"), whole.Body.Len()
		if w := serve(size-100, body); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "too_complex") {
			t.Errorf("%s: a response of %d bytes passes a limit of %d: %d", name, size, size-100, w.Code)
		}
		if w := serve(size+640*cells, body); w.Code != http.StatusOK {
			t.Errorf("%s: a response of %d bytes is refused: %s", name, size, w.Body)
		}
	}
}

// The other framing is for those whose Accept names it, in whatever number of lines and case, and does not decline it.
func TestFraming(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	const lines, sequence = "application/x-ndjson", "application/json-seq"
	for _, test := range []struct {
		accept []string
		want   string
	}{
		{nil, lines},
		{[]string{"*/*"}, lines},
		{[]string{sequence}, sequence},
		{[]string{"Application/JSON-Seq;q=0.5"}, sequence},
		{[]string{lines + ", " + sequence}, sequence},
		{[]string{lines, sequence}, sequence},
		{[]string{sequence + ";q=0, */*"}, lines},
		{[]string{"application/json-sequence"}, lines},
	} {
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/query/crosstab", strings.NewReader("{}"))
		r.Header = http.Header{"Authorization": {"full"}, "Accept": test.accept}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if got := w.Header().Get("Content-Type"); got != test.want || strings.HasPrefix(w.Body.String(),
			"\x1e") != (test.want == sequence) {
			t.Errorf("%q: %s %.20q", test.accept, got, w.Body)
		}
	}
}
