package httpapi_test

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// raggedAPI serves the ragged survey.
func raggedAPI(t *testing.T) http.Handler {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		NewID: ids()})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// answered is the body of an answer, which must be a 200 and as the contract has it.
func answered(t *testing.T, api http.Handler, path, body string, into any) {
	t.Helper()
	w := post(t, api, path, "full", body)
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %s", body, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatal(err)
	}
}

// Rule stats-entries: every entry has a segment and an audience, whatever the request has, and meta a splitter.
func TestStatsEntriesAreWhole(t *testing.T) {
	api := raggedAPI(t)
	for body, want := range map[string][3]any{
		`{"question": "age"}`:                          {"", "", ""},
		`{"question": "age", "splitter": "waves"}`:     {"waves", "w1", ""},
		`{"question": "age", "splitter": "locations"}`: {"locations", "north", ""},
		`{"question": "age", "audiences": [{"id": "a", "expression": {"question": "gender"}}]}`:   {"", "", "a"},
		`{"question": "age", "audiences": [{"expression": {"question": "gender"}}]}`:              {"", "", ""},
		`{"question": "age", "splitter": null, "audiences": [], "segments": null, "waves": null}`: {"", "", ""},
	} {
		var got struct {
			Meta map[string]any
			Data []map[string]any
		}
		answered(t, api, "/v2/query/stats", body, &got)
		if got.Meta["splitter"] != want[0] {
			t.Errorf("%s: meta %v", body, got.Meta)
		}
		for i, entry := range got.Data {
			segment, there := entry["segment"]
			who, also := entry["audience"]
			if !there || !also || i == 0 && (segment != want[1] || who != want[2]) {
				t.Errorf("%s: entry %d is of segment %v and audience %v, want %v", body, i, segment, who, want)
			}
		}
	}
}
