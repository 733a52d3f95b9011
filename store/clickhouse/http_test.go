package clickhouse_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
)

// crosstab is the body of a bulk crosstab, as served.
func crosstab(t *testing.T, store httpapi.Store, counter audience.Counter, body []byte) []byte {
	t.Helper()
	h, err := httpapi.New(httpapi.Config{Store: store, Counter: counter, Authorize: func(context.Context, string) (httpapi.Caller, error) {
		return httpapi.Caller{User: 1, Grant: audience.All()}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/query/crosstab", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d: %s", w.Code, w.Body)
	}
	return w.Body.Bytes()
}

// Crosstab streams are the same, byte for byte, whoever keeps the respondents.
func TestSameBytes(t *testing.T) {
	embedded, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer embedded.Close()
	load(t, embedded, 4000)
	f, err := embedded.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	type named struct {
		ID         string `json:"id"`
		Name       string `json:"name"`
		Expression any    `json:"expression"`
	}
	list := func(from, to int) (out []named) {
		for _, q := range f.Questions[from:to] {
			out = append(out, named{q.Key(), q.Name, map[string]any{"question": q.Key(), "datapoints": []string{q.Datapoints[0].Code}}})
		}
		for _, w := range f.Waves {
			out = append(out, named{w.Code, w.Name, map[string]any{"question": "waves", "datapoints": []string{w.Code}}})
		}
		return out
	}
	body, err := json.Marshal(map[string]any{"rows": list(0, 20), "columns": list(20, 30)})
	if err != nil {
		t.Fatal(err)
	}
	want := crosstab(t, embedded, nil, body)
	t.Logf("%d bytes", len(want))
	for _, mode := range modes {
		p := open(t, sqlite.Memory, clickhouse.Config(mode.config(cluster(t))))
		load(t, p, 4000)
		if got := crosstab(t, p.embedded, p, body); !bytes.Equal(got, want) {
			t.Errorf("%s: the stream differs from the embedded store's", mode.name)
		}
	}
}
