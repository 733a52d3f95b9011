package httpapi_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// wordy is a body for a long answer: three datapoints × two waves × three audiences with ids of 20,000 characters, some
// of which need escaping.
func wordy() string {
	var audiences []string
	for _, c := range []string{"a", `\u0007`, "é"} {
		audiences = append(audiences, fmt.Sprintf(`{"id": "%s", "expression": {"question": "gender"}}`,
			strings.Repeat(c, 20_000)))
	}
	return fmt.Sprintf(`{"question": "brands", "splitter": "waves", "audiences": [%s]}`, strings.Join(audiences, ","))
}

// A long answer goes out in pieces and is whole.
func TestLongStats(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	w := post(t, api, "/v2/query/stats", "full", wordy())
	var got struct {
		Data []struct{ Datapoint, Segment, Audience string }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &got); err != nil || w.Code != http.StatusOK {
		t.Fatal(w.Code, err)
	}
	if w.Body.Len() < 18*20_000 {
		t.Errorf("%d bytes are no long answer", w.Body.Len())
	}
	i := 0
	for _, d := range []string{"b1", "b2", "b3"} {
		for _, s := range []string{"w1", "w2"} {
			for _, c := range []string{"a", "\a", "é"} {
				if e := got.Data[i]; e.Datapoint != d || e.Segment != s || e.Audience != strings.Repeat(c, 20_000) {
					t.Errorf("entry %d is of %s, %s and %.3q", i, e.Datapoint, e.Segment, e.Audience)
				}
				i++
			}
		}
	}
	if i != len(got.Data) {
		t.Errorf("%d entries", len(got.Data))
	}
}

// What is said of a response's size before it is counted is never too little, so the limit holds.
func TestStatsResponseLimit(t *testing.T) {
	db := ragged(t)
	serve := func(limit int, body string) *httptest.ResponseRecorder {
		api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize,
			Limits: httpapi.Limits{Response: int64(limit)}})
		if err != nil {
			t.Fatal(err)
		}
		return post(t, api, "/v2/query/stats", "full", body)
	}
	for name, body := range map[string]string{
		"no segments": `{"question": "brands"}`,
		"waves":       `{"question": "brands", "splitter": "waves"}`,
		"many": `{"question": "use", "suffixes": ["1", "2"], "splitter": "brands", "audiences": [{"id": ` +
			`"\"", "expression": {"question": "gender"}}, {"id": "women", "expression": {"question": "gender", ` +
			`"datapoints": ["f"]}}]}`,
		"long names": wordy(),
	} {
		whole := serve(0, body)
		if whole.Code != http.StatusOK {
			t.Fatal(name, whole.Body)
		}
		entries := strings.Count(whole.Body.String(), `{"datapoint"`)
		size := whole.Body.Len()
		if w := serve(size-100, body); w.Code != http.StatusBadRequest || !strings.Contains(w.Body.String(), "too_complex") {
			t.Errorf("%s: a response of %d bytes passes a limit of %d: %d", name, size, size-100, w.Code)
		}
		if w := serve(size+size/10+300*entries, body); w.Code != http.StatusOK {
			t.Errorf("%s: a response of %d bytes is refused: %s", name, size, w.Body)
		}
	}
}

// broken is a connection that breaks after the first piece.
type broken struct {
	*httptest.ResponseRecorder
	left int
}

func (b *broken) Write(p []byte) (int, error) {
	if b.left--; b.left < 0 {
		return 0, errors.New("the client went away")
	}
	return b.ResponseRecorder.Write(p)
}

// An answer that cannot be finished must not end cleanly.
func TestBrokenStats(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for left := range 2 {
		func() {
			defer func() {
				if got := recover(); got != http.ErrAbortHandler {
					t.Errorf("after %d pieces: %v, want the connection aborted", left, got)
				}
			}()
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/v2/query/stats", strings.NewReader(wordy()))
			r.Header.Set("Authorization", "full")
			api.ServeHTTP(&broken{httptest.NewRecorder(), left}, r)
		}()
	}
}
