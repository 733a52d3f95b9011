package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/saved"
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

// saves has user 1 save audiences and tells their ids.
func saves(t *testing.T, api http.Handler, bodies ...string) (ids []string) {
	t.Helper()
	for _, body := range bodies {
		w := post(t, api, "/v2/saved/audiences", "full", body)
		var made struct{ ID string }
		if err := json.Unmarshal(w.Body.Bytes(), &made); err != nil || w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
		ids = append(ids, made.ID)
	}
	return ids
}

const (
	savedWomen  = `{"name": "Women", "expression": {"question": "gender", "datapoints": ["f"]}}`
	sharedWomen = `{"name": "Women", "shared": true, "expression": {"question": "gender", "datapoints": ["f"]}}`
)

// Rule saved-audience-by-id: wherever an audience stands, an id that is not there, that was deleted or that belongs to
// somebody else who does not share it is refused by name, a base, too.
func TestSavedAudienceByID(t *testing.T) {
	api := raggedAPI(t)
	made := saves(t, api, savedWomen, sharedWomen, savedWomen)
	mine, shared, deleted := made[0], made[1], made[2]
	r := httptest.NewRequestWithContext(t.Context(), http.MethodDelete, "/v2/saved/audiences/"+deleted, nil)
	r.Header.Set("Authorization", "full")
	w := httptest.NewRecorder()
	if api.ServeHTTP(w, r); w.Code != http.StatusNoContent {
		t.Fatal(w.Code, w.Body)
	}
	gender := `{"expression": {"question": "gender"}}`
	for _, place := range []struct{ path, body, at string }{
		{"/v2/query/crosstab", `{"rows": [` + gender + `, %s]}`, "rows[1]"},
		{"/v2/query/crosstab", `{"columns": [%s]}`, "columns[0]"},
		{"/v2/query/crosstab", `{"rows": [` + gender + `], "base_audience": %s}`, "base_audience"},
		{"/v2/query/intersection", `{"audiences": {"row": %s}}`, "audiences.row"},
		{"/v2/query/intersection", `{"audiences": {"column": %s}}`, "audiences.column"},
		{"/v2/query/intersection", `{"audiences": {}, "base_audience": %s}`, "base_audience"},
		{"/v2/query/stats", `{"question": "age", "audiences": [%s]}`, "audiences[0]"},
		{"/v2/query/stats", `{"question": "age", "base_audience": %s}`, "base_audience"},
		{"/v2/query/association", `{"rows": {"question": "age"}, "columns": {"question": "mood"}, "base_audience": %s}`,
			"base_audience"},
	} {
		for _, test := range []struct {
			key, id string
			found   bool
		}{
			{"full", mine, true}, {"full", strings.ToUpper(mine), true}, {"full", shared, true}, {"other", shared, true},
			{"other", mine, false}, {"full", deleted, false}, {"full", "no such", false},
		} {
			for _, wrapper := range []string{`{"id": "` + test.id + `"}`, `{"id": "` + test.id +
				`", "expression": {"and": []}}`} {
				w := post(t, api, place.path, test.key, fmt.Sprintf(place.body, wrapper))
				if test.found {
					if w.Code != http.StatusOK {
						t.Errorf("%s with %s: %d %s", place.at, test.id, w.Code, w.Body)
					}
					continue
				}
				want := `{"error":"` + place.at + `.id: there is no saved audience \"` + test.id + `\" that you may read: ` +
					`check the id, or send an expression","error_type":"empty_expression","code":400,"message":"A saved ` +
					`audience in the request is not there, or not shared with you. Choose another one."}` + "\n"
				if w.Code != http.StatusBadRequest || w.Body.String() != want {
					t.Errorf("%s with %s for %s: %d %s", place.at, test.id, test.key, w.Code, w.Body)
				}
			}
		}
	}
}

// lookups is a store that counts how often saved audiences are looked up, and notes the queries that it is asked.
type lookups struct {
	httpapi.Store
	n       int
	queries []audience.Query
}

func (l *lookups) Saved(ctx context.Context, id string) (saved.Audience, error) {
	l.n++
	return l.Store.Saved(ctx, id)
}

func (l *lookups) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	l.queries = qs
	return l.Store.Count(ctx, version, qs)
}

// Rule saved-audience-by-id: an id is looked up once in a request, and not at all in one that is too large or that has
// an audience that says nothing; its nodes count wherever it stands.
func TestSavedAudienceIsLookedUpOnce(t *testing.T) {
	st := &lookups{Store: ragged(t)}
	api, err := httpapi.New(httpapi.Config{Store: st, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		NewID: ids(), Limits: httpapi.Limits{Rows: 30, Columns: 30, Cells: 50, Nodes: 70}})
	if err != nil {
		t.Fatal(err)
	}
	id := saves(t, api, savedWomen)[0]
	wrapper := `{"id": "` + id + `"}`
	many := func(n int) string { return strings.TrimSuffix(strings.Repeat(wrapper+",", n), ",") }
	other := strings.ReplaceAll(many(3), "0001", "0009")
	for _, test := range []struct {
		path, body string
		kind       string // of the error; "" is none
		lookups    int
	}{
		{"/v2/query/crosstab", `{"rows": [` + many(30) + `], "base_audience": ` + wrapper + `}`, "", 1},
		{"/v2/query/crosstab", `{"rows": [` + many(7) + `], "columns": [` + many(7) + `], "base_audience": ` + wrapper +
			`}`, "", 1},
		{"/v2/query/crosstab", `{"rows": [` + many(31) + `]}`, "too_complex", 0},
		{"/v2/query/crosstab", `{"rows": [` + wrapper + `], "columns": [` + many(31) + `]}`, "too_complex", 0},
		{"/v2/query/crosstab", `{"rows": [` + many(10) + `], "columns": [` + many(10) + `]}`, "too_complex", 0},
		{"/v2/query/crosstab", `{"rows": [` + many(31) + `, {}]}`, "empty_expression", 0},
		{"/v2/query/crosstab", `{"rows": [` + many(2) + `,` + other + `]}`, "empty_expression", 2},
		{"/v2/query/stats", `{"question": "gender", "datapoints": ["f"], "audiences": [` + many(50) + `]}`, "", 1},
		{"/v2/query/stats", `{"question": "gender", "audiences": [` + many(51) + `]}`, "too_complex", 0},
		{"/v2/query/stats", `{"question": "gender", "audiences": [` + many(40) + `]}`, "too_complex", 1},
		{"/v2/query/intersection", `{"audiences": {"row": ` + wrapper + `, "column": ` + wrapper + `}}`, "", 1},
		// Each use counts its node: 31 and 40 of another.
		{"/v2/query/crosstab", `{"rows": [` + many(30) + `], "base_audience": {"expression": {"or": [` +
			strings.Repeat(`{"question": "age"},`, 40) + `{"question": "age"}]}}}`, "too_complex", 1},
	} {
		st.n = 0
		w := post(t, api, test.path, "full", test.body)
		if kind := gjson.Get(w.Body.String(), "error_type").String(); kind != test.kind || st.n != test.lookups {
			t.Errorf("%.100s: %q after %d look-ups, want %q after %d: %.300s", test.body, kind, st.n, test.kind, test.lookups,
				w.Body)
		}
	}
}

// Rule repeated-codes: a body with codes repeated a thousand times asks the engine what the body without them asks, and
// is answered alike.
func TestRepeatedCodes(t *testing.T) {
	st := &lookups{Store: ragged(t)}
	api, err := httpapi.New(httpapi.Config{Store: st, Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	repeated := regexp.MustCompile(`\[(("[a-z0-9]+"|[0-9]+)(,("[a-z0-9]+"|[0-9]+))*)\]`)
	for path, body := range map[string]string{
		"/v2/query/crosstab": `{"rows":[{"expression":{"question":"brands","datapoints":["b1","b2"]}}],"columns":[{"expression":` +
			`{"question":"waves","options":["w1","w2"]}}],"waves":["w1","w2"],"locations":["north","south"]}`,
		"/v2/query/intersection": `{"audiences":{"row":{"expression":{"question":"use","datapoints":["tv"],"suffixes":[1,2]}}},` +
			`"waves":["w2","w1"],"locations":["south"]}`,
		"/v2/query/stats": `{"question":"use","datapoints":["phone","tv"],"suffixes":[2,1],"splitter":"brands","segments":["b2","b1"],` +
			`"waves":["w1","w2"],"locations":["south","north"]}`,
		"/v2/query/association": `{"rows":{"question":"use","datapoints":["phone"]},"columns":{"question":"gender"},` +
			`"waves":["w1","w2"],"locations":["south","north"]}`,
		"/v2/query/profile": `{"audience":{"expression":{"question":"brands","datapoints":["b1","b2"]}},"questions":["age","use"],` +
			`"waves":["w2","w1"],"locations":["north","south"]}`,
		"/v3/query/audience_wave_counts": `{"expression":{"question":"brands","datapoints":["b1","b2"],"min_count":2},"waves":["w2","w1"],` +
			`"locations":["north","south"]}`,
		"/v2/query/audience_wave_counts": `{"question":"brands","options":["b1","b2"],"min_count":2}`,
	} {
		longer := repeated.ReplaceAllStringFunc(body, func(list string) string {
			return "[" + strings.Repeat(list[1:len(list)-1]+",", 999) + list[1:]
		})
		if len(longer) < 10*len(body) {
			t.Fatal("nothing is repeated")
		}
		once := post(t, api, path, "full", body)
		asked := st.queries
		often := post(t, api, path, "full", longer)
		if once.Code != http.StatusOK || often.Code != http.StatusOK {
			t.Fatal(path, once.Body, often.Code)
		}
		if d := cmp.Diff(asked, st.queries); d != "" {
			t.Errorf("%s asks otherwise:\n%s", path, d)
		}
		if path == "/v2/query/crosstab" { // which repeats its audiences as they were sent
			continue
		}
		if d := cmp.Diff(once.Body.String(), often.Body.String()); d != "" {
			t.Errorf("%s answers otherwise:\n%s", path, d)
		}
	}
}

// asked are requests of all endpoints that count whose answers hold figures, with a place for more members; and for
// more parameters in the path of the one whose body is an expression.
var asked = []struct{ path, body string }{
	{"/v2/query/crosstab", `{"rows": [{"expression": {"question": "brands"}}], "columns": [{"expression": ` +
		`{"question": "waves", ` +
		`"datapoints": ["w1"]}}, {"expression": {"question": "waves", "datapoints": ["w2"]}}]%s}`},
	{"/v2/query/intersection", `{"audiences": {"row": {"expression": {"question": "brands", "datapoints": ["b3"]}}}%s}`},
	{"/v2/query/stats", `{"question": "brands", "splitter": "waves"%s}`},
	{"/v3/query/audience_wave_counts", `{"expression": {"question": "brands"}%s}`},
	{"/v2/query/audience_wave_counts", `{"question": "brands"}`},
}

// withMembers puts members into a request of asked: "name": true, …
func withMembers(path, body string, names ...string) (string, string) {
	if !strings.Contains(body, "%s") {
		return path + "?" + strings.Join(names, "=true&") + "=true", body
	}
	members := ""
	for _, name := range names {
		members += `, "` + name + `": true`
	}
	return path, fmt.Sprintf(body, members)
}

// Rule coverage: all endpoints that count tell what their figures cover when asked, and change nothing else.
func TestCoverage(t *testing.T) {
	api := raggedAPI(t)
	coverage := regexp.MustCompile(
		`,"coverage":\{"namespace":"core","waves":\["w[12]"(,"w2")?\],"locations":\["north"(,"south")?` +
			`(,"east")?\],"complete":(true|false),"partly_asked":\[(\{"namespace_code":"core","question_code":"brands",` +
			`"datapoint_code":"b3"\})?\](,"locations_differ":true)?\}`)
	for _, ask := range asked {
		plain := post(t, api, ask.path, "full", strings.ReplaceAll(ask.body, "%s", ""))
		if plain.Code != http.StatusOK || strings.Contains(plain.Body.String(), "coverage") {
			t.Fatal(ask.path, plain.Code, plain.Body)
		}
		path, body := withMembers(ask.path, ask.body, "coverage")
		covered := post(t, api, path, "full", body)
		text := covered.Body.String()
		if d := cmp.Diff(plain.Body.String(), coverage.ReplaceAllString(text, "")); d != "" {
			t.Errorf("%s, but for its coverage:\n%s", ask.path, d)
		}
		if !coverage.MatchString(text) {
			t.Errorf("%s tells nothing: %s", ask.path, text)
		}
		if trend := !strings.Contains(path, "intersection"); strings.Contains(text, "locations_differ") != trend {
			t.Errorf("%s: %s", ask.path, text)
		}
		off := strings.ReplaceAll(ask.body, "%s", `, "coverage": false`)
		if w := post(t, api, strings.ReplaceAll(path, "=true", "=false"), "full",
			off); w.Body.String() != plain.Body.String() {
			t.Errorf("%s, when it is not asked: %s", ask.path, w.Body)
		}
	}
}

// Rule matched: wave counts and crosstabs whose columns are waves are cut to the locations that all waves have, here
// north and south, as if they were asked for; what has no waves to match refuses it.
func TestMatched(t *testing.T) {
	api := raggedAPI(t)
	for _, ask := range asked {
		path, body := withMembers(ask.path, ask.body, "matched")
		got := post(t, api, path, "full", body)
		if strings.Contains(path, "intersection") || strings.Contains(path, "stats") {
			if got.Code != http.StatusBadRequest || !strings.Contains(got.Body.String(), `matched: unknown member`) {
				t.Errorf("%s: %d %s", path, got.Code, got.Body)
			}
			continue
		}
		want, key := strings.ReplaceAll(ask.body, "%s", `, "locations": ["north", "south"]`), "full"
		if !strings.Contains(ask.body, "%s") { // limited to places, as it can't be asked
			key = "no east"
		}
		if d := cmp.Diff(post(t, api, ask.path, key, want).Body.String(), got.Body.String()); d != "" || got.Code != 200 {
			t.Errorf("%s: %d\n%s", path, got.Code, d)
		}
		path, body = withMembers(ask.path, ask.body, "matched", "coverage")
		text := post(t, api, path, "full", body).Body.String()
		if strings.Contains(text, "east") || strings.Contains(text, "locations_differ") ||
			!strings.Contains(text, `"south"`) {
			t.Errorf("%s: %s", path, text)
		}
	}
}

// Rule deepest-namespace: where a figure uses no namespace it is counted in the default one, or, for a caller without
// it, in the first that the caller may use.
func TestDefaultNamespace(t *testing.T) {
	api := raggedAPI(t)
	for key, want := range map[string]string{"full": "core 12", "only shop": "shop 5", "only diary": "diary 4",
		"nothing": " 0"} {
		for _, body := range []string{`{"audiences": {}, "coverage": true}`,
			`{"audiences": {"row": {"expression": {"question": "waves"}}}, "coverage": true}`} {
			w := post(t, api, "/v2/query/intersection", key, body)
			data := gjson.Get(w.Body.String(), "data")
			if got := data.Get("coverage.namespace").String() + " " + data.Get("base.sample").String(); got != want {
				t.Errorf("%s: %s, want %s: %s", key, got, want, w.Body)
			}
		}
	}
}
