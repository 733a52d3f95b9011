package metrics_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/metrics"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// scrape is what the metrics tell of us, without what depends on time and on how long bodies are; with runtime, also
// the names of all else.
func scrape(t *testing.T, m *metrics.Metrics) (ours []string, all string) {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if w.Code != http.StatusOK || !strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		t.Fatal(w.Code, w.Header(), w.Body)
	}
	for line := range strings.Lines(w.Body.String()) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "crosswave_") && !strings.Contains(line, "_bucket{") &&
			!strings.Contains(line, "_seconds_sum") && !strings.Contains(line, "response_bytes") {
			ours = append(ours, line)
		}
	}
	slices.Sort(ours)
	return ours, w.Body.String()
}

func demoStore(t *testing.T, path string) *sqlite.Store {
	t.Helper()
	db, err := sqlite.Open(t.Context(), path, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Respondents: 300}), db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	return db
}

// serve returns what sends a request, with a key but to one path.
func serve(t *testing.T, db *sqlite.Store, counter audience.Counter,
	m *metrics.Metrics) func(method, path, body string) {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: db, Counter: counter, Observers: []httpapi.Observer{m.Observe},
		Log: slog.New(slog.DiscardHandler), BasePath: "/api",
		Authorize: func(ctx context.Context, secret string) (httpapi.Caller, error) {
			key, err := db.Authorize(ctx, secret)
			return httpapi.Caller{User: key.User, Grant: key.Grant}, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	_, secret, err := db.CreateKey(t.Context(), sqlite.Key{Grant: audience.All()})
	if err != nil {
		t.Fatal(err)
	}
	return func(method, path, body string) {
		r := httptest.NewRequest(method, "/api"+path, strings.NewReader(body))
		if path != "/v1/me" {
			r.Header.Set("Authorization", secret)
		}
		api.ServeHTTP(httptest.NewRecorder(), r)
	}
}

// TestMetrics adds up by hand what a few requests come to.
func TestMetrics(t *testing.T) {
	path := filepath.Join(t.TempDir(), "demo.db")
	db := demoStore(t, path)
	results := audience.Remember(db, 1<<20)
	m, err := metrics.New(metrics.Config{Store: db, Path: path, Results: results,
		Build: metrics.Build{Version: "v1.2.3", Commit: "0123", Kernel: "go", Go: "go1.26"}})
	if err != nil {
		t.Fatal(err)
	}
	ask := serve(t, db, results, m)
	const cells = `{"rows": [{"expression": {"question": "gender", "datapoints": ["gender_1"]}}, {"expression": ` +
		`{"question": "gender"}}], "columns": [{"expression": {"question": "waves", "datapoints": ["q4_2025"]}}]}`
	for range 3 {
		ask("POST", "/v2/query/crosstab", cells)
	}
	ask("POST", "/v2/query/crosstab", `{`)
	ask("POST", "/v2/query/crosstab", `{"rows": [{"expression": {}}]}`)
	ask("GET", "/v3/insights/17", "")
	ask("GET", "/v3/insights/18", "")
	ask("GET", "/v1/me", "")
	ask("HEAD", "/healthz", "")
	ask("BREW", "/coffee/17", "")
	ask("GET", "/coffee/18", "")
	ours, all := scrape(t, m)
	sizes := map[string]string{}
	ours = slices.DeleteFunc(ours, func(line string) bool { // sizes are not to be had by hand
		name, value, _ := strings.Cut(line, " ")
		if strings.HasPrefix(name, "crosswave_store_bytes") || name == "crosswave_result_cache_bytes" {
			sizes[name] = value
			return true
		}
		return false
	})
	want := []string{
		`crosswave_build_info{commit="0123",go="go1.26",kernel="go",version="v1.2.3"} 1`,
		`crosswave_cells_total{route="/healthz"} 0`,
		`crosswave_cells_total{route="/v1/me"} 0`,
		`crosswave_cells_total{route="/v2/query/crosstab"} 6`,
		`crosswave_cells_total{route="/v3/insights/{id}"} 0`,
		`crosswave_cells_total{route=""} 0`,
		`crosswave_request_duration_seconds_count{route="/healthz"} 1`,
		`crosswave_request_duration_seconds_count{route="/v1/me"} 1`,
		`crosswave_request_duration_seconds_count{route="/v2/query/crosstab"} 5`,
		`crosswave_request_duration_seconds_count{route="/v3/insights/{id}"} 2`,
		`crosswave_request_duration_seconds_count{route=""} 2`,
		`crosswave_requests_running 0`,
		`crosswave_requests_total{error_type="",method="HEAD",route="/healthz",status="200"} 1`,
		`crosswave_requests_total{error_type="",method="POST",route="/v2/query/crosstab",status="200"} 3`,
		`crosswave_requests_total{error_type="empty_expression",method="POST",route="/v2/query/crosstab",status="400"} 1`,
		`crosswave_requests_total{error_type="invalid_json",method="POST",route="/v2/query/crosstab",status="400"} 1`,
		`crosswave_requests_total{error_type="not_found",method="GET",route="",status="404"} 1`,
		`crosswave_requests_total{error_type="not_found",method="GET",route="/v3/insights/{id}",status="404"} 2`,
		`crosswave_requests_total{error_type="not_found",method="other",route="",status="404"} 1`,
		`crosswave_requests_total{error_type="unauthorized",method="GET",route="/v1/me",status="401"} 1`,
		`crosswave_result_cache_answers 1`,
		`crosswave_result_cache_questions_total{from="memory"} 2`,
		`crosswave_result_cache_questions_total{from="store"} 1`,
		`crosswave_store_version 1`,
	}
	slices.Sort(want)
	if d := cmp.Diff(want, ours); d != "" {
		t.Error(d)
	}
	for _, name := range []string{`crosswave_store_bytes{file="store"}`, `crosswave_store_bytes{file="log"}`,
		"crosswave_result_cache_bytes"} {
		if sizes[name] == "" || sizes[name] == "0" {
			t.Errorf("%s is %q", name, sizes[name])
		}
	}
	for _, name := range []string{"go_goroutines ", "go_memstats_heap_alloc_bytes ", "process_open_fds ",
		`crosswave_request_duration_seconds_bucket{route="/v1/me",le="30"} 1`, "crosswave_response_bytes_total{"} {
		if !strings.Contains(all, name) {
			t.Errorf("there is no %s", name)
		}
	}
	if strings.Contains(all, "coffee") || strings.Contains(all, `"17"`) || strings.Contains(all, "BREW") {
		t.Error("a label has what a client chose")
	}
}

// Without a configuration there is nothing of the store, and all else.
func TestMetricsAlone(t *testing.T) {
	m, err := metrics.New(metrics.Config{})
	if err != nil {
		t.Fatal(err)
	}
	ours, all := scrape(t, m)
	if d := cmp.Diff([]string{"crosswave_requests_running 0"}, ours); d != "" || !strings.Contains(all, "go_goroutines") {
		t.Error(d)
	}
}

// broken is a store that can't be read.
type broken struct{}

func (broken) Frame(context.Context) (*audience.Frame, error) {
	return nil, errors.New("the disk is away")
}

// What can't be read is left out and told to the log, and all else is there.
func TestMetricsOfABrokenStore(t *testing.T) {
	var log strings.Builder
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := metrics.New(metrics.Config{Store: broken{}, Path: filepath.Join(path, "store"),
		Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	ours, _ := scrape(t, m)
	if d := cmp.Diff([]string{"crosswave_requests_running 0"}, ours); d != "" {
		t.Error(d)
	}
	if !strings.Contains(log.String(), "the disk is away") || !strings.Contains(log.String(), "not a directory") {
		t.Error(log.String())
	}
}

// A request that is under way is running, and is no more when it has ended, by a panic too.
func TestMetricsRunning(t *testing.T) {
	m, err := metrics.New(metrics.Config{})
	if err != nil {
		t.Fatal(err)
	}
	running := func() string {
		ours, _ := scrape(t, m)
		return ours[len(ours)-1]
	}
	db := demoStore(t, sqlite.Memory)
	api, err := httpapi.New(httpapi.Config{Store: db, Observers: []httpapi.Observer{m.Observe},
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			if got := running(); got != "crosswave_requests_running 1" {
				t.Error(got)
			}
			panic(http.ErrAbortHandler)
		}})
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(api)
	defer s.Close()
	if response, err := http.Get(s.URL + "/v1/me"); !errors.Is(err, io.EOF) {
		t.Fatal(response, err)
	}
	s.Close()
	ours, _ := scrape(t, m)
	const want = `crosswave_requests_total{error_type="internal",method="GET",route="/v1/me",status="500"} 1`
	if !slices.Contains(ours, "crosswave_requests_running 0") || !slices.Contains(ours, want) {
		t.Error(ours)
	}
}

// slow is an engine that counts once it is let.
type slow struct {
	audience.Counter
	counting, proceed chan struct{}
}

func (s slow) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	s.counting <- struct{}{}
	<-s.proceed
	return s.Counter.Count(ctx, version, qs)
}

// While a query is counted it is told, by its lane, with what it holds.
func TestMetricsOfQueries(t *testing.T) {
	db := demoStore(t, filepath.Join(t.TempDir(), "demo.db"))
	held := slow{db, make(chan struct{}), make(chan struct{})}
	var load httpapi.Load
	m, err := metrics.New(metrics.Config{Load: &load})
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: db, Counter: held, Load: &load, Log: slog.New(slog.DiscardHandler),
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			return httpapi.Caller{User: "1", Grant: audience.All()}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	told := func(running string) []string {
		return []string{
			`crosswave_queries_running{lane="long"} 0`,
			`crosswave_queries_running{lane="short"} ` + running,
			`crosswave_queries_waiting{lane="long"} 0`,
			`crosswave_queries_waiting{lane="short"} 0`,
			`crosswave_requests_running 0`, // which nobody observes here
		}
	}
	see := func(running string) {
		t.Helper()
		ours, _ := scrape(t, m)
		bytes := slices.IndexFunc(ours, func(line string) bool {
			return strings.HasPrefix(line, "crosswave_requests_held_bytes ")
		})
		if bytes < 0 || (ours[bytes] == "crosswave_requests_held_bytes 0") != (running == "0") {
			t.Errorf("what is held, while %s run: %v", running, ours)
			return
		}
		if d := cmp.Diff(told(running), slices.Delete(ours, bytes, bytes+1)); d != "" {
			t.Error(d)
		}
	}
	see("0")
	answered := make(chan int)
	go func() {
		w := httptest.NewRecorder()
		api.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/v2/query/crosstab", strings.NewReader(`{}`)))
		answered <- w.Code
	}()
	<-held.counting
	see("1")
	close(held.proceed)
	if code := <-answered; code != http.StatusOK {
		t.Error(code)
	}
	see("0")
}
