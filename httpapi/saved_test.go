package httpapi_test

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/google/go-cmp/cmp"
)

// savedAPI serves the ragged survey and holds one audience, of all who say that they are women.
func savedAPI(t *testing.T, limits httpapi.Limits) http.Handler {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		Now: clock(), NewID: ids(), Limits: limits})
	if err != nil {
		t.Fatal(err)
	}
	if w := post(t, api, "/v2/saved/audiences", "full", `{"name": "Women", "expression": {"and": [{"question": `+
		`"gender", "datapoints": ["f"]}, {"question": "use", "suffixes": [1]}]}}`); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
	return api
}

const savedPath = "/v2/saved/audiences/00000000-0000-4000-8000-000000000001"

func patch(t *testing.T, api http.Handler, body string, ifMatch ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPatch, savedPath, strings.NewReader(body))
	r.Header.Set("Authorization", "full")
	for _, tags := range ifMatch {
		r.Header.Add("If-Match", tags)
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	return w
}

// If-Match holds if the tag of the current version is among those sent, in whatever number of lines. Weak tags never
// match, nor what is no tag.
func TestIfMatch(t *testing.T) {
	for _, test := range []struct {
		tags []string
		want int
	}{
		{nil, 200},
		{[]string{`*`}, 200},
		{[]string{`"v1"`}, 200},
		{[]string{` "v1" `}, 200},
		{[]string{`"v7", "v1"`}, 200},
		{[]string{`"v7"`, `"v1"`}, 200},
		{[]string{`"other","v1"`}, 200},
		{[]string{`"v2"`}, 412},
		{[]string{`W/"v1"`}, 412},
		{[]string{`v1`}, 412},
		{[]string{`"1"`}, 412},
		{[]string{`"v01"`}, 412},
		{[]string{`"v1`}, 412},
		{[]string{`"v+1"`}, 412},
		{[]string{`"v1""`}, 412},
		{[]string{`"v99999999999999999999"`}, 412},
		{[]string{``}, 412},
	} {
		for _, body := range []string{`{}`, `{"position": 3}`} {
			if w := patch(t, savedAPI(t, httpapi.Limits{}), body, test.tags...); w.Code != test.want {
				t.Errorf("%q, %s: %d, want %d", test.tags, body, w.Code, test.want)
			}
		}
	}
}

// Numbers and names at their limits are kept exactly.
func TestSavedLimits(t *testing.T) {
	api := savedAPI(t, httpapi.Limits{})
	for _, test := range []struct {
		body string
		want int
		in   string
	}{
		{`{"position": 1.7976931348623157e308}`, 200, `"position":1.7976931348623157e+308,`},
		{`{"position": 5e-324}`, 200, `"position":5e-324,`},
		{`{"position": 0.1}`, 200, `"position":0.1,`},
		{`{"position": 1e309}`, 400, `"type":"invalid_json"`},
		{`{"name": "` + strings.Repeat("é", 255) + `"}`, 200, strings.Repeat("é", 255)},
		{`{"name": "` + strings.Repeat("é", 256) + `"}`, 400, `name: a name has 1 to 255 characters, this one has 256`},
		{`{"name": "\u0000 \ud83d\ude00 <&>\u2028"}`, 200, `"name":"\u0000 😀 <&>\u2028",`},
		{`{"name": "\ud800"}`, 400, `"type":"invalid_json"`},
		{`{"folder": 1e0}`, 400, `there is no folder 1:`},
		{`{"folder": 0.5}`, 400, `folder: a whole number is expected, not 0.5`},
		{`{"folder": 99999999999999999999}`, 400, `folder: a whole number from`},
	} {
		if w := patch(t, api, test.body); w.Code != test.want || !strings.Contains(w.Body.String(), test.in) {
			t.Errorf("%.60s: %d %s", test.body, w.Code, w.Body)
		}
	}
}

// Codes that are no longer there are told, with what is known of them.
func TestSavedOfWhatIsGone(t *testing.T) {
	db := ragged(t)
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize})
	if err != nil {
		t.Fatal(err)
	}
	at := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	text := `{"or":[{"question":"old"},{"question":"brands","datapoints":["b1","b0"]},{"question":"use","suffixes":[9]}]}`
	x, err := audience.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	a := saved.Audience{ID: "00000000-0000-4000-8000-000000000001", User: "1", Name: "Old", Description: "As it was.",
		Expression: saved.Expression{JSON: []byte(text), Expr: x},
		Datasets:   []string{"gone"}, FolderID: saved.NoFolder, Created: at, Updated: at, Version: 1}
	if _, err := db.InsertSaved(t.Context(), a); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"00000000-0000-4000-8000-000000000001","v1_id":1,"user_id":1,"name":"%s","description":"As it ` +
		`was.","expression":` + text +
		`,"datasets":["gone"],"flags":[],"folder_id":"00000000-0000-0000-0000-000000000000","position":0,"shared":false,` +
		`"permissions":{"audience_overall":"containsUnknownData","meta":{"questions":[{"code":"old","datapoints":[],"origin":"expression"},{"code":"brands","datapoints":["b0"],"origin":"expression"},` +
		`{"code":"use","datapoints":[],"origin":"expression"}],"locations":[],"waves":[]}},"sharings":{},"created_at":"2025-01-01T12:00:00Z","updated_at":"2025-01-01T12:00:00Z"}` + "\n"
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, savedPath, nil)
	r.Header.Set("Authorization", "full")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	if d := cmp.Diff(fmt.Sprintf(want, "Old"), w.Body.String()); d != "" || w.Code != http.StatusOK {
		t.Error(w.Code, d)
	}
	// Its other members can be changed all the same.
	if w := patch(t, api, `{"name": "Older"}`); w.Code != http.StatusOK || !strings.Contains(w.Body.String(),
		`"name":"Older"`) {
		t.Error(w.Code, w.Body)
	}
	// And whoever counts it hears of all of the codes.
	if w := post(t, api, "/v2/query/intersection", "full",
		`{"audiences": {"row": {"id": "00000000-0000-4000-8000-000000000001"}}}`); w.Code != http.StatusForbidden ||
		!strings.Contains(w.Body.String(),
			`[{"code":"old","datapoints":[],"origin":"audiences.row"},{"code":"brands","datapoints":["b0"],"origin":"audiences.row"}]`) {
		t.Error(w.Code, w.Body)
	}
}

// An audience that is sent by its id costs what its expression costs: limits on nodes and levels hold for it.
func TestSavedCountsAgainstLimits(t *testing.T) {
	api := savedAPI(t, httpapi.Limits{Nodes: 8, Levels: 2})
	row := func(n int) string {
		return `{"rows": [` + strings.TrimSuffix(strings.Repeat(`{"id": "00000000-0000-4000-8000-000000000001"},`, n),
			",") + `]}`
	}
	if w := post(t, api, "/v2/query/crosstab", "full", row(2)); w.Code != http.StatusOK { // of 3 nodes each
		t.Error(w.Code, w.Body)
	}
	want := `{"error":"rows[2]: the expressions have more than 8 ` +
		`nodes","error_type":"too_complex","code":400,"message":"The request is too large. Ask for less ` +
		`at a time."}` + "\n"
	if w := post(t, api, "/v2/query/crosstab", "full", row(3)); w.Code != http.StatusBadRequest ||
		w.Body.String() != want {
		t.Error(w.Code, w.Body)
	}
}

// The record that is read can be sent back: what a client may not set is left alone, and what it may is what it was.
func TestSavedComesBackAsItWas(t *testing.T) {
	api := savedAPI(t, httpapi.Limits{})
	if w := patch(t, api, `{"flags": ["isP2"], "datasets": ["screens"], "folder_id": `+
		`"aaaaaaaa-0000-4000-8000-00000000000a", "position": -0.5, "shared": true}`); w.Code != http.StatusOK {
		t.Fatal(w.Code, w.Body)
	}
	before := patch(t, api, `{}`).Body.String()
	after := patch(t, api, before, `"v2"`)
	want := strings.Replace(before, `"updated_at":"2025-01-01T12:00:01Z"`, `"updated_at":"2025-01-01T12:00:03Z"`, 1)
	if d := cmp.Diff(want, after.Body.String()); d != "" || after.Code != http.StatusOK || want == before {
		t.Error(after.Code, d)
	}
	// Put into another folder on the way.
	moved := patch(t, api, strings.Replace(before, "00000000000a", "00000000000b", 1))
	if moved.Code != http.StatusOK || !strings.Contains(moved.Body.String(),
		`"folder_id":"aaaaaaaa-0000-4000-8000-00000000000b"`) {
		t.Error(moved.Code, moved.Body)
	}
}

// leaving is a store whose client is gone, or whose time is up, as soon as a change is made.
type leaving struct {
	*sqlite.Store
	end func()
}

func (l leaving) InsertSaved(ctx context.Context, a saved.Audience) (saved.Audience, error) {
	defer l.end()
	return l.Store.InsertSaved(ctx, a)
}

func (l leaving) ReplaceSaved(ctx context.Context, a saved.Audience, version int64) (saved.Audience, error) {
	defer l.end()
	return l.Store.ReplaceSaved(ctx, a, version)
}

// A change that was made is never answered as one that failed: who is told so sends it again.
func TestSavedIsToldWhenItIsMade(t *testing.T) {
	db := ragged(t)
	for _, change := range []struct {
		method, path string
		want         int
	}{{http.MethodPost, "/v2/saved/audiences", http.StatusCreated}, {http.MethodPatch, savedPath, http.StatusOK}} {
		ctx, cancel := context.WithCancel(t.Context())
		api, err := httpapi.New(httpapi.Config{Store: leaving{db, cancel}, Authorize: authorize,
			Log: slog.New(slog.DiscardHandler), NewID: ids()})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(ctx, change.method, change.path,
			strings.NewReader(`{"name": "Women", "expression": {"question": "gender", "datapoints": ["f"]}}`))
		r.Header.Set("Authorization", "full")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		if w.Code != change.want {
			t.Errorf("%s: %d %s", change.method, w.Code, w.Body)
		}
	}
}
