package httpapi_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/background"
	"github.com/crosswave/crosswave/internal/testsize"
)

// seen is a request as an observer saw it begin and end.
type seen struct {
	Route, Method string
	Outcome       httpapi.Outcome
}

// onlooker is an observer that remembers what it saw.
type onlooker struct {
	mu    sync.Mutex
	begun int
	ended []seen
	more  chan struct{} // gets one for each that ended, if there is room
}

func newOnlooker() *onlooker { return &onlooker{more: make(chan struct{}, 1000)} }

func (o *onlooker) observe(ctx context.Context, a httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.begun++
	return ctx, func(out httpapi.Outcome) {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.ended = append(o.ended, seen{a.Route, a.Method, out})
		select {
		case o.more <- struct{}{}:
		default:
		}
	}
}

// only is what the onlooker has seen since it was last asked, which must be one whole request.
func (o *onlooker) only(t *testing.T) seen {
	t.Helper()
	select {
	case <-o.more:
	case <-time.After(2 * time.Minute):
		t.Fatal("nothing ended")
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.begun != 1 || len(o.ended) != 1 {
		t.Fatalf("%d began and %d ended, want one", o.begun, len(o.ended))
	}
	last := o.ended[0]
	o.begun, o.ended = 0, nil
	return last
}

func observedAPI(t testing.TB, store httpapi.Store, log io.Writer, observers ...httpapi.Observer) http.Handler {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: store, Authorize: authorize, Observers: observers,
		Origins: []string{"https://example.com"}, Log: slog.New(slog.NewTextHandler(log, nil)), BasePath: "/api"})
	if err != nil {
		t.Fatal(err)
	}
	return api
}

// Each request is seen once, whatever becomes of it, with its route instead of its path.
func TestObserverSees(t *testing.T) {
	o := newOnlooker()
	api := observedAPI(t, ragged(t), io.Discard, o.observe)
	const cells = `{"rows": [{"expression": {"question": "gender", "datapoints": ["f"]}}, {"expression": {"question": ` +
		`"gender"}}], "columns": [{"expression": {"question": "age"}}, {"expression": {"question": "waves"}}]}`
	full, limited := callers["full"], callers["limited"]
	for _, c := range []struct {
		name, method, path, key, body string
		want                          seen
	}{
		{"counted", "POST", "/api/v2/query/crosstab", "full", cells, seen{"/v2/query/crosstab", "POST",
			httpapi.Outcome{Status: 200, Caller: full, Cells: 2}}},
		{"one cell", "POST", "/api/v2/query/intersection", "full", `{"audiences": {}}`, seen{"/v2/query/intersection",
			"POST", httpapi.Outcome{Status: 200, Caller: full, Cells: 1}}},
		{"no cell", "POST", "/api/v2/waves/filter", "limited", `{}`, seen{"/v2/waves/filter", "POST",
			httpapi.Outcome{Status: 200, Caller: limited}}},
		{"an id", "GET", "/api/v3/insights/1001", "full", ``, seen{"/v3/insights/{id}", "GET",
			httpapi.Outcome{Status: 404, Caller: full, ErrorType: "not_found"}}},
		{"forbidden", "POST", "/api/v2/query/stats", "limited", `{"question": "mood"}`, seen{"/v2/query/stats", "POST",
			httpapi.Outcome{Status: 403, Caller: limited, ErrorType: "forbidden"}}},
		{"another shape", "GET", "/api/v1/insights-api/generic/insights/none", "full", ``, seen{
			"/v1/insights-api/generic/insights/{id}", "GET", httpapi.Outcome{Status: 404, Caller: full,
				ErrorType: "not_found"}}},
		{"no JSON", "POST", "/api/v2/query/stats", "full", `{`, seen{"/v2/query/stats", "POST",
			httpapi.Outcome{Status: 400, Caller: full, ErrorType: "invalid_json"}}},
		{"no key", "POST", "/api/v2/query/stats", "stolen", `{}`, seen{"/v2/query/stats", "POST",
			httpapi.Outcome{Status: 401, ErrorType: "unauthorized"}}},
		{"a fault", "POST", "/api/v2/query/stats", "broken", `{}`, seen{"/v2/query/stats", "POST",
			httpapi.Outcome{Status: 500, ErrorType: "internal"}}},
		{"open", "GET", "/api/healthz", "", ``, seen{"/healthz", "GET", httpapi.Outcome{Status: 200}}},
		{"no body", "HEAD", "/api/healthz", "", ``, seen{"/healthz", "HEAD", httpapi.Outcome{Status: 200}}},
		{"nowhere", "GET", "/api/v4/secrets", "full", ``, seen{"", "GET",
			httpapi.Outcome{Status: 404, ErrorType: "not_found"}}},
		{"outside", "GET", "/", "", ``, seen{"", "GET", httpapi.Outcome{Status: 404, ErrorType: "not_found"}}},
		{"another method", "PUT", "/api/healthz", "", ``, seen{"/healthz", "PUT",
			httpapi.Outcome{Status: 405, ErrorType: "method_not_allowed"}}},
		{"no method", "BREW", "/api/healthz", "", ``, seen{"/healthz", "other",
			httpapi.Outcome{Status: 405, ErrorType: "method_not_allowed"}}},
		{"sent elsewhere", "GET", "/api//healthz", "", ``, seen{"/healthz", "GET", httpapi.Outcome{Status: 307}}},
		{"another origin", "OPTIONS", "/api/v1/me", "", ``, seen{"/v1/me", "OPTIONS", httpapi.Outcome{Status: 204}}},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("Authorization", c.key)
		if c.method == "OPTIONS" {
			r.Header.Set("Origin", "https://example.com")
			r.Header.Set("Access-Control-Request-Method", "GET")
		}
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		got := o.only(t)
		if got.Outcome.Took <= 0 || (got.Outcome.Err != nil) != (c.want.Outcome.ErrorType != "") {
			t.Errorf("%s: %+v", c.name, got)
		}
		if c.want.Outcome.Bytes = int64(w.Body.Len()); c.method == "HEAD" {
			c.want.Outcome.Bytes = 0
		}
		if d := cmp.Diff(c.want, got, cmpopts.IgnoreFields(httpapi.Outcome{}, "Took", "Err")); d != "" ||
			w.Code != c.want.Outcome.Status {
			t.Errorf("%s: %d\n%s", c.name, w.Code, d)
		}
	}
}

// The cells are those of all endpoints that count, also if the results were still there.
func TestObserverSeesCells(t *testing.T) {
	o := newOnlooker()
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, ResultCache: 1 << 20,
		Observers: []httpapi.Observer{o.observe}})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		path, body string
		want       int64
	}{
		{"/v2/query/stats", `{"question": "gender"}`, 2},
		{"/v2/query/stats", `{"question": "gender"}`, 2},
		{"/v3/query/audience_wave_counts", `{"expression": {"question": "gender", "datapoints": ["f"]}}`, 1},
		{"/v2/query/association", `{"rows": {"question": "gender"}, "columns": {"question": "age"}}`, 6},
	} {
		w := post(t, api, c.path, "full", c.body)
		if got := o.only(t); got.Outcome.Cells != c.want || w.Code != http.StatusOK {
			t.Errorf("%s: %d %d cells, want %d", c.path, w.Code, got.Outcome.Cells, c.want)
		}
	}
}

// span is a key of a context, as tracers have one.
type span struct{}

// traced is a store that remembers the spans in which it was asked.
type traced struct {
	httpapi.Store
	spans *[]string
}

func (s traced) Frame(ctx context.Context) (*audience.Frame, error) {
	*s.spans = append(*s.spans, fmt.Sprint("frame in ", ctx.Value(span{})))
	return s.Store.Frame(ctx)
}

func (s traced) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	*s.spans = append(*s.spans, fmt.Sprint("count in ", ctx.Value(span{})))
	return s.Store.Count(ctx, version, qs)
}

// Observers are nested, each within the span of the one before, and the store is asked within all of them. Who returns
// neither a context nor a function changes nothing.
func TestObserverSpans(t *testing.T) {
	var events []string
	within := func(name string) httpapi.Observer {
		return func(ctx context.Context, a httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
			events = append(events, fmt.Sprintf("%s begins in %v", name, ctx.Value(span{})))
			if a.Request.Header.Get("Traceparent") != "parent" || a.Began.IsZero() {
				t.Errorf("%+v", a)
			}
			return context.WithValue(ctx, span{}, name), func(httpapi.Outcome) { events = append(events, name+" ends") }
		}
	}
	nobody := func(context.Context, httpapi.Arrival) (context.Context, func(httpapi.Outcome)) { return nil, nil }
	api := observedAPI(t, traced{ragged(t), &events}, io.Discard, within("outer"), nobody, within("inner"))
	r := httptest.NewRequest(http.MethodPost, "/api/v2/query/intersection", strings.NewReader(`{"audiences": {}}`))
	r.Header.Set("Authorization", "full")
	r.Header.Set("Traceparent", "parent")
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	want := []string{"outer begins in <nil>", "inner begins in outer", "frame in inner", "count in inner", "inner ends",
		"outer ends"}
	if d := cmp.Diff(want, slices.Compact(events)); d != "" || w.Code != http.StatusOK {
		t.Errorf("%d\n%s", w.Code, d)
	}
}

// panicking is a store with a fault.
type panicking struct{ httpapi.Store }

func (panicking) Count(context.Context, uint64, []audience.Query) ([][]*audience.Table, error) {
	panic("a fault")
}

// A panic goes on to whoever serves, with the stack that it had, and observers see it end all the same; so they do
// where one of them panics.
func TestObserverSeesPanics(t *testing.T) {
	o := newOnlooker()
	ask := func(api http.Handler) (panicked any) {
		defer func() { panicked = recover() }()
		r := httptest.NewRequest(http.MethodPost, "/api/v2/query/intersection", strings.NewReader(`{"audiences": {}}`))
		r.Header.Set("Authorization", "full")
		api.ServeHTTP(httptest.NewRecorder(), r)
		return nil
	}
	got, ok := ask(observedAPI(t, panicking{ragged(t)}, io.Discard, o.observe)).(*background.Panic)
	if !ok || got.Value != "a fault" || !strings.Contains(string(got.Stack), "panicking.Count") {
		t.Errorf("the panic that goes on is %v", got)
	}
	want := seen{"/v2/query/intersection", "POST", httpapi.Outcome{Status: 500, Caller: callers["full"], Cells: 1,
		ErrorType: "internal", Cut: true}}
	ignored := cmpopts.IgnoreFields(httpapi.Outcome{}, "Took")
	if d := cmp.Diff(want, o.only(t), ignored); d != "" {
		t.Error(d)
	}
	begins := func(context.Context, httpapi.Arrival) (context.Context, func(httpapi.Outcome)) { panic("begins") }
	ends := func(context.Context, httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
		return nil, func(httpapi.Outcome) { panic("ends") }
	}
	for want, spoiler := range map[string]httpapi.Observer{"begins": begins, "ends": ends} {
		if got := ask(observedAPI(t, ragged(t), io.Discard, o.observe, spoiler)); got != want {
			t.Errorf("the panic that goes on is %v, want %s", got, want)
		}
		o.only(t)
	}
}

// hesitant is a store that waits to be told that it was asked, and then for the end of the request.
type hesitant struct {
	httpapi.Store
	asked chan struct{}
}

func (s hesitant) Count(ctx context.Context, _ uint64, _ []audience.Query) ([][]*audience.Table, error) {
	close(s.asked)
	<-ctx.Done()
	return nil, fmt.Errorf("counting: %w", ctx.Err())
}

// A client that goes away before it has an answer is no fault of anybody: 499, and nothing in the log.
func TestObserverSeesClientGone(t *testing.T) {
	var log bytes.Buffer
	o, asked := newOnlooker(), make(chan struct{})
	s := httptest.NewServer(observedAPI(t, hesitant{ragged(t), asked}, &log, o.observe))
	defer s.Close()
	ctx, leave := context.WithCancel(t.Context())
	go func() {
		<-asked
		leave()
	}()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, s.URL+"/api/v2/query/intersection",
		strings.NewReader(`{"audiences": {}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "full")
	if response, err := http.DefaultClient.Do(r); !errors.Is(err, context.Canceled) {
		t.Fatal(response, err)
	}
	got := o.only(t).Outcome
	if got.Status != 499 || got.ErrorType != "client_gone" || !errors.Is(got.Err, context.Canceled) || log.Len() > 0 {
		t.Errorf("%+v, and the log has %q", got, &log)
	}
}

// A stream that the client reads no further has the status that it began with, is cut, and is nothing for the log.
func TestObserverSeesStreamCut(t *testing.T) {
	var log bytes.Buffer
	o := newOnlooker()
	s := httptest.NewServer(observedAPI(t, ragged(t), &log, o.observe))
	defer s.Close()
	wrapper := `{"expression": {"question": "gender"}, "name": "` + strings.Repeat("long ", 1000) + `"}`
	many := strings.Repeat(wrapper+",", 79) + wrapper
	body := fmt.Sprintf(`{"rows": [%s], "columns": [%s]}`, many, many) // its answer is of 60 MB
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/v2/query/crosstab",
		strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "full")
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.CopyN(io.Discard, response.Body, 100_000); err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	got := o.only(t).Outcome
	if got.Status != 200 || got.ErrorType != "client_gone" || got.Err == nil || !got.Cut || got.Bytes < 100_000 ||
		got.Cells == 0 || log.Len() > 0 {
		t.Errorf("%+v, and the log has %q", got, &log)
	}
}

// deaf is a connection that takes nothing any more, whose request does not know of it.
type deaf struct{ *httptest.ResponseRecorder }

func (deaf) Write([]byte) (int, error) { return 0, io.ErrClosedPipe }

// A connection that takes nothing any more is a client that has gone away, whatever was to be written.
func TestObserverSeesDeafClients(t *testing.T) {
	for _, c := range []struct {
		method, path, key, body string
		status                  int
	}{
		{"GET", "/api/healthz", "", "", 200},
		{"GET", "/api/v3/insights/77", "full", "", 404},
		{"POST", "/api/v2/query/crosstab", "full", "{}", 200},
	} {
		var log bytes.Buffer
		o := newOnlooker()
		api := observedAPI(t, ragged(t), &log, o.observe)
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("Authorization", c.key)
		func() {
			defer func() {
				if got := recover(); got != nil && got != http.ErrAbortHandler {
					t.Error(got)
				}
			}()
			api.ServeHTTP(deaf{httptest.NewRecorder()}, r)
		}()
		got := o.only(t).Outcome
		wanted := "client_gone"
		if c.status == 404 { // which is what went wrong first
			wanted = "not_found"
		}
		if got.Status != c.status || got.ErrorType != wanted || got.Err == nil || !got.Cut || got.Bytes != 0 ||
			log.Len() > 0 {
			t.Errorf("%s: %+v, and the log has %q", c.path, got, &log)
		}
	}
}

// What begins ends, once, also where much is asked at a time.
func TestObserverAtOnce(t *testing.T) {
	o := newOnlooker()
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize,
		Observers: []httpapi.Observer{o.observe}})
	if err != nil {
		t.Fatal(err)
	}
	each := testsize.Of(20, 100, 1000)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range each {
				post(t, api, "/v2/query/intersection", "full", `{"audiences": {}}`)
			}
		})
	}
	group.Wait()
	if o.begun != 8*each || len(o.ended) != 8*each {
		t.Errorf("%d began and %d ended of %d", o.begun, len(o.ended), 8*each)
	}
}

// Each answer carries a request id: that of the request if it is one that a log can hold, or else a new one, which is
// never the same twice. Observers and the log have the same.
func TestRequestID(t *testing.T) {
	var log strings.Builder
	var told string
	api := observedAPI(t, ragged(t), &log, func(_ context.Context, a httpapi.Arrival) (context.Context,
		func(httpapi.Outcome)) {
		told = a.ID
		return nil, nil
	})
	made := map[string]bool{}
	for _, c := range []struct {
		sent string
		kept bool
	}{
		{"", false}, {"a", true}, {"4f0c7a1e-55a4-4b8e-9a0a-0b1c2d3e4f50", true}, {"Root=1-67891233-abcdef0123456789", true},
		{strings.Repeat("x", 128), true}, {strings.Repeat("x", 129), false}, {"two words", false}, {"ä", false},
		{`quo"te`, false}, {"semi;colon", false}, {"a\tb", false}, {"[", false}, {"Z9-._:+/=@", true}, {"", false},
	} {
		for _, path := range []string{"/api/healthz", "/api/v1/me", "/nowhere"} {
			r := httptest.NewRequest(http.MethodGet, path, nil)
			r.Header.Set("X-Request-Id", c.sent)
			r.Header.Set("Authorization", "broken")
			w := httptest.NewRecorder()
			log.Reset()
			api.ServeHTTP(w, r)
			id := w.Header().Get("X-Request-Id")
			if id != told || c.kept != (id == c.sent) || !c.kept && (len(id) != 16 || made[id]) {
				t.Errorf("%s with %q: %q, and observers are told %q", path, c.sent, id, told)
			}
			if failed := w.Code == http.StatusInternalServerError; failed != strings.Contains(log.String(), "id="+id+" ") &&
				!strings.Contains(log.String(), "id=\""+id+"\" ") {
				t.Errorf("%s with %q: %d, and the log is %q", path, c.sent, w.Code, &log)
			}
			made[id] = true
		}
	}
}
