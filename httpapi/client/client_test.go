package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/client"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// served is a server of the ragged survey of httpapi's own tests, below a base path.
func served(t *testing.T) *httptest.Server {
	t.Helper()
	text, err := os.ReadFile("../testdata/ragged/codebook.json")
	check(t, err)
	codebook, err := survey.ReadCodebook(text)
	check(t, err)
	table, err := csv.Open("../testdata/ragged/data.csv", csv.Options{})
	check(t, err)
	defer table.Close()
	source, err := survey.NewSource(table, codebook, 0)
	check(t, err)
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	check(t, err)
	t.Cleanup(func() { db.Close() })
	_, err = survey.Import(t.Context(), source, db, survey.Options{})
	check(t, err)
	text, err = os.ReadFile("../testdata/ragged/insights.json")
	check(t, err)
	published, err := insights.Read(text)
	check(t, err)
	check(t, db.PutInsights(t.Context(), published, false))
	api, err := httpapi.New(httpapi.Config{Store: db, BasePath: "/api",
		Authorize: func(_ context.Context, key string) (httpapi.Caller, error) {
			switch key {
			case "full":
				return httpapi.Caller{User: "1", Grant: audience.All()}, nil
			case "north":
				g := audience.All()
				g.Locations = []string{"north"}
				return httpapi.Caller{User: "2", Grant: g}, nil
			}
			return httpapi.Caller{}, audience.ErrNotFound
		}})
	check(t, err)
	s := httptest.NewServer(api)
	t.Cleanup(s.Close)
	return s
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listener is a transport that keeps what the server answered last.
type listener struct{ body bytes.Buffer }

func (l *listener) RoundTrip(r *http.Request) (*http.Response, error) {
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	l.body.Reset()
	if _, err := l.body.ReadFrom(response.Body); err != nil {
		return nil, err
	}
	response.Body = io.NopCloser(bytes.NewReader(l.body.Bytes()))
	return response, nil
}

// decoded is a JSON document with its numbers as they are written.
func decoded(t *testing.T, text []byte) any {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return out
}

// same fails if an answer, written again, is not what the server sent, to the last digit and member.
func (l *listener) same(t *testing.T, name string, answer any, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	again, err := json.Marshal(answer)
	check(t, err)
	if d := cmp.Diff(decoded(t, l.body.Bytes()), decoded(t, again)); d != "" {
		t.Errorf("%s: the server (-) and what the client made of it (+):\n%s", name, d)
	}
}

func answers(question string, datapoints ...string) json.RawMessage {
	return client.Of(audience.Answers{Question: question, Datapoints: datapoints})
}

// Every endpoint is asked, and nothing of any answer is lost.
func TestNothingIsLost(t *testing.T) {
	l := &listener{}
	c := &client.Client{URL: served(t).URL + "/api/", Key: "full", HTTP: &http.Client{Transport: l}}
	ctx := t.Context()
	women, young := client.Audience{ID: "women", Name: "Women", Expression: answers("gender", "f")},
		client.Audience{ID: "young", Expression: answers("age", "young")}
	men, b3 := client.Audience{ID: "men", Expression: answers("gender", "m")},
		client.Audience{ID: "b3", Expression: answers("brands", "b3")}
	sure := &client.Statistics{Level: 90, Compare: []string{"rest"}, Correction: "holm",
		LowBase: &client.LowBase{Withhold: 1, Caution: 2}}

	me, err := c.Me(ctx)
	l.same(t, "Me", me, err)
	both := *sure
	both.Compare, both.Pairs = []string{"rest", "columns", "previous"}, true
	cells := []*client.Cell{}
	for cell, err := range c.Crosstab(ctx, client.CrosstabRequest{Rows: []client.Audience{women, b3},
		Columns: []client.Audience{young, men}, Coverage: true, Statistics: &both}) {
		check(t, err)
		cells = append(cells, cell)
	}
	lines := bytes.Split(bytes.TrimSpace(l.body.Bytes()), []byte("\n"))
	if len(lines) != 4 || len(cells) != 4 {
		t.Fatalf("%d lines, %d cells", len(lines), len(cells))
	}
	for i, cell := range cells {
		again, err := json.Marshal(cell)
		check(t, err)
		if d := cmp.Diff(decoded(t, lines[i]), decoded(t, again)); d != "" {
			t.Errorf("cell %d:\n%s", i, d)
		}
	}
	one := client.IntersectionRequest{Coverage: true, Statistics: sure}
	one.Audiences.Row, one.Audiences.Column = &women, &young
	cell, err := c.Intersection(ctx, one)
	l.same(t, "Intersection", cell, err)

	several := *sure
	several.Compare, several.Pairs = []string{"rest", "audiences", "segments", "previous"}, true
	request := client.StatsRequest{Question: "brands", Splitter: "waves", Audiences: []client.Audience{women, men},
		Coverage: true, Statistics: &several}
	stats, err := c.Stats(ctx, request)
	l.same(t, "Stats", stats, err)
	stats, err = c.Stats(ctx, client.StatsRequest{Question: "use", Suffixes: []int{1, 2}})
	l.same(t, "Stats of a grid", stats, err)
	summary := client.SummaryRequest{StatsRequest: request, Quantiles: []float64{2.5, 50}}
	summary.Question, summary.Datapoints = "use", []string{"phone"}
	numbers, err := c.Summary(ctx, summary)
	l.same(t, "Summary", numbers, err)
	profile, err := c.Profile(ctx, client.ProfileRequest{Audience: women, MinSample: 1, FalseDiscovery: 50,
		Coverage: true})
	l.same(t, "Profile", profile, err)
	association, err := c.Association(ctx, client.AssociationRequest{Rows: client.AssociationAxis{Question: "gender"},
		Columns: client.AssociationAxis{Question: "use", Datapoints: []string{"phone"}}, Coverage: true})
	l.same(t, "Association", association, err)
	counts, err := c.WaveCounts(ctx, client.WaveCountsRequest{Expression: women.Expression, Coverage: true})
	l.same(t, "WaveCounts", counts, err)
	trend, err := c.Trend(ctx, women.Expression, client.TrendOptions{Coverage: true, Matched: true, Level: 95})
	l.same(t, "Trend", trend, err)

	records(t, c, l)
	saved(t, c, l)
}

// records asks for what the catalogue has, and for insights.
func records(t *testing.T, c *client.Client, l *listener) {
	ctx := t.Context()
	type named map[string]any
	questions, err := c.Questions(ctx, client.QuestionFilter{Include: client.QuestionParts{Categories: true,
		Datapoints: true, TaxonomyPaths: true}})
	l.same(t, "Questions", named{"questions": questions}, err)
	questions, err = c.Questions(ctx, client.QuestionFilter{Questions: []client.QuestionCode{{Question: "gender"}}})
	l.same(t, "Questions, briefly", named{"questions": questions}, err)
	found, err := c.Find(ctx, client.QuestionSearch{Search: "use media week tele", Limit: 5})
	l.same(t, "Find", found, err)
	if len(found.Questions) != 1 || found.Questions[0].Match == nil {
		t.Errorf("found %+v", found)
	}
	found, err = c.Find(ctx, client.QuestionSearch{QuestionFilter: client.QuestionFilter{Include: client.QuestionParts{
		Datapoints: true}, Questions: []client.QuestionCode{{Namespace: "core"}}}, Offset: 3})
	l.same(t, "Find, the second page of all", found, err)
	locations, err := c.Locations(ctx, client.FieldworkFilter{Waves: []client.Code{{Code: "w2"}}}, true)
	l.same(t, "Locations", named{"locations": locations}, err)
	locations, err = c.Locations(ctx, client.FieldworkFilter{}, false)
	l.same(t, "Locations, briefly", named{"locations": locations}, err)
	waves, err := c.Waves(ctx, client.FieldworkFilter{})
	l.same(t, "Waves", named{"waves": waves}, err)
	namespaces, err := c.Namespaces(ctx, client.FieldworkFilter{})
	l.same(t, "Namespaces", named{"namespaces": namespaces}, err)
	categories, err := c.Categories(ctx)
	l.same(t, "Categories", named{"categories": categories}, err)
	datasets, err := c.Datasets(ctx, "whole")
	l.same(t, "Datasets", named{"datasets": datasets}, err)
	page, err := c.Insights(ctx, client.InsightFilter{Limit: 2})
	l.same(t, "Insights", page, err)
	insight, err := c.Insight(ctx, 1)
	l.same(t, "Insight", insight, err)
	view, err := c.Explore(ctx, "screens")
	l.same(t, "Explore", view, err)
}

// saved takes a saved audience through its life.
func saved(t *testing.T, c *client.Client, l *listener) {
	ctx := t.Context()
	name, shared := "Women", true
	a, err := c.Save(ctx, client.SavedPatch{Name: &name, Expression: answers("gender", "f")})
	l.same(t, "Save", a, err)
	again, err := c.ChangeSaved(ctx, a.ID, client.SavedPatch{Shared: &shared})
	l.same(t, "ChangeSaved", again, err)
	read, err := c.Saved(ctx, a.ID)
	l.same(t, "Saved", read, err)
	list, err := c.ListSaved(ctx)
	l.same(t, "ListSaved", map[string]any{"meta": map[string]any{"total": len(list)}, "data": list}, err)
	code, name := "women", "Women or not"
	points := []client.DerivedDatapoint{{Code: "yes", Name: "Women", Expression: answers("gender", "f")},
		{Code: "no", Expression: answers("gender", "m")}}
	d, err := c.Derive(ctx, client.DerivedPatch{Code: &code, Datapoints: &points})
	l.same(t, "Derive", d, err)
	d, err = c.ChangeDerived(ctx, code, client.DerivedPatch{Name: &name, Shared: &shared})
	l.same(t, "ChangeDerived", d, err)
	d, err = c.Derived(ctx, code)
	l.same(t, "Derived", d, err)
	derived, err := c.ListDerived(ctx)
	l.same(t, "ListDerived", map[string]any{"meta": map[string]any{"total": len(derived)}, "data": derived}, err)
	found, err := c.Find(ctx, client.QuestionSearch{Search: "women"})
	l.same(t, "Find", found, err)
	check(t, c.DeleteDerived(ctx, code))
	_, err = c.Derived(ctx, code)
	if e := (*client.Error)(nil); !errors.As(err, &e) || e.Status != http.StatusNotFound {
		t.Error(err)
	}
	check(t, c.DeleteSaved(ctx, a.ID))
	_, err = c.Saved(ctx, a.ID)
	var refused *client.Error
	if !errors.As(err, &refused) || refused.Status != 404 || refused.Type != "not_found" {
		t.Errorf("a deleted audience: %v", err)
	}
}

// Errors of each shape come with all that the server says.
func TestErrors(t *testing.T) {
	s := served(t)
	c := &client.Client{URL: s.URL + "/api", Key: "north"}
	ctx := t.Context()
	for name, x := range map[string]struct {
		ask  func() error
		want client.Error
	}{
		"query": {func() error {
			_, err := c.Stats(ctx, client.StatsRequest{Question: "gender", Suffixes: []int{1}})
			return err
		}, client.Error{Status: 400, Type: "invalid_query", Reason: `suffixes: question "gender" is no grid and has no ` +
			`suffixes: leave them out`, Message: "The request is not valid."}},
		"forbidden, in a stream": {func() error {
			for _, err := range c.Crosstab(ctx, client.CrosstabRequest{Scope: client.Scope{Locations: []string{"south"}}}) {
				return err
			}
			return nil
		}, client.Error{Status: 403, Type: "forbidden", Reason: "location south", Message: "Some of the data asked for is " +
			"not available to you.", Forbidden: &client.ForbiddenCodes{Locations: []string{"south"}, Waves: []string{}}}},
		"record": {func() error { _, err := c.Saved(ctx, "none"); return err },
			client.Error{Status: 404, Type: "not_found", Reason: "saved audience none: not found"}},
		"insight": {func() error { _, err := c.Explore(ctx, "none"); return err },
			client.Error{Status: 404, Type: "not_found"}},
		"a version that is gone": {func() error {
			c := *c
			c.DataVersion = 7
			_, err := c.Me(ctx)
			return err
		}, client.Error{Status: 412, Type: "precondition_failed",
			Reason: "If-Data-Version: the survey is of version 1 now, and no longer of 7"}},
		"no key": {func() error { _, err := (&client.Client{URL: s.URL + "/api"}).Me(ctx); return err },
			client.Error{Status: 401, Type: "unauthorized",
				Reason: "the request carries no valid key: send one in the header Authorization"}},
	} {
		var got *client.Error
		if err := x.ask(); !errors.As(err, &got) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got.Forbidden != nil {
			got.Forbidden.Questions = nil
		}
		if got.RequestID == "" || strings.Contains(got.Error(), got.RequestID) { // whose cause is no secret
			t.Errorf("%s: the request %q in %v", name, got.RequestID, got)
		}
		got.RequestID = ""
		if name == "insight" || name == "forbidden, in a stream" { // whose words are the server's tests' own matter
			x.want.Reason, x.want.Message = got.Reason, got.Message
		}
		if d := cmp.Diff(&x.want, got); d != "" || got.Error() == "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

// script answers one request after the other, and counts them.
type script struct {
	answers []http.HandlerFunc
	asked   int
}

func (s *script) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.asked++
	s.answers[min(s.asked, len(s.answers))-1](w, r)
}

func status(code int, retryAfter string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		if retryAfter != "" {
			w.Header().Set("Retry-After", retryAfter)
		}
		w.WriteHeader(code)
		fmt.Fprintln(w, `{"code": 1, "err": "wait", "type": "told"}`)
	}
}

func well(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, `{"user_id": 5}`) }

// Where the server asks to wait the client waits and asks again, within its limits and those of the context, and never
// sends a change twice that may have been made.
func TestRetries(t *testing.T) {
	name := "x"
	me := func(ctx context.Context, c *client.Client) error { _, err := c.Me(ctx); return err }
	save := func(ctx context.Context, c *client.Client) error {
		_, err := c.Save(ctx, client.SavedPatch{Name: &name})
		return err
	}
	for _, x := range []struct {
		name    string
		answers []http.HandlerFunc
		client  client.Client
		timeout time.Duration
		ask     func(context.Context, *client.Client) error
		asked   int
		status  int // 0: no error
	}{
		{"well at once", []http.HandlerFunc{well}, client.Client{}, 0, me, 1, 0},
		{"too many, then well", []http.HandlerFunc{status(429, "1"), well}, client.Client{}, 0, me, 2, 0},
		{"away, then well", []http.HandlerFunc{status(503, "1"), well}, client.Client{}, 0, me, 2, 0},
		{"not said how long", []http.HandlerFunc{status(503, ""), well}, client.Client{}, 0, me, 2, 0},
		{"away for good", []http.HandlerFunc{status(503, "1")}, client.Client{Attempts: 2}, 0, me, 2, 503},
		{"too long", []http.HandlerFunc{status(503, "90"), well}, client.Client{}, 0, me, 1, 503},
		{"longer than the context", []http.HandlerFunc{status(503, "55"), well}, client.Client{}, 50 * time.Second, me,
			1, 503},
		{"wrong", []http.HandlerFunc{status(400, "1"), well}, client.Client{}, 0, me, 1, 400},
		{"a change, too many", []http.HandlerFunc{status(429, "1"), well}, client.Client{}, 0, save, 2, 0},
		{"a change, away", []http.HandlerFunc{status(503, "1"), well}, client.Client{}, 0, save, 1, 503},
	} {
		t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			s := &script{answers: x.answers}
			server := httptest.NewServer(s)
			defer server.Close()
			ctx := t.Context()
			if x.timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, x.timeout)
				defer cancel()
			}
			x.client.URL = server.URL
			err := x.ask(ctx, &x.client)
			var refused *client.Error
			if errors.As(err, &refused) != (x.status != 0) || refused != nil && refused.Status != x.status {
				t.Errorf("%v, want status %d", err, x.status)
			}
			if s.asked != x.asked {
				t.Errorf("asked %d times, want %d", s.asked, x.asked)
			}
		})
	}
}

// A context that ends while the client waits ends the waiting.
func TestWaitingEnds(t *testing.T) {
	server := httptest.NewServer(status(503, "30"))
	defer server.Close()
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if _, err := (&client.Client{URL: server.URL}).Me(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

// A stream that ends before all cells have come is no whole answer.
func TestStreamBreaksOff(t *testing.T) {
	for name, body := range map[string]string{"between": "{}\n", "within": "{}\n{\"row_ind"} {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("X-Cell-Count", "3")
			io.WriteString(w, body)
		}))
		defer server.Close()
		cells, last := 0, error(nil)
		for _, err := range (&client.Client{URL: server.URL}).Crosstab(t.Context(), client.CrosstabRequest{}) {
			if last = err; err == nil {
				cells++
			}
		}
		if cells != 1 || !errors.Is(last, io.ErrUnexpectedEOF) {
			t.Errorf("%s: %d cells and %v", name, cells, last)
		}
	}
}

// What stands between client and server may answer, too.
func TestForeignErrors(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		http.Error(w, "<html>no upstream</html>", http.StatusBadGateway)
	}))
	defer server.Close()
	_, err := (&client.Client{URL: server.URL}).Me(t.Context())
	if err == nil || !strings.Contains(err.Error(), "502 bad_gateway: <html>no upstream</html>") {
		t.Errorf("%v", err)
	}
}
