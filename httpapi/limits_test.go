package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

// stalled is a store that never answers, save that the time is up.
type stalled struct{ httpapi.Store }

func stall[T any](ctx context.Context) (none T, err error) {
	<-ctx.Done()
	return none, ctx.Err()
}

func (stalled) Frame(ctx context.Context) (*audience.Frame, error) {
	return stall[*audience.Frame](ctx)
}
func (stalled) Survey(ctx context.Context) (*audience.Survey, error) {
	return stall[*audience.Survey](ctx)
}
func (stalled) Saved(ctx context.Context, _ string) (saved.Audience, error) {
	return stall[saved.Audience](ctx)
}
func (stalled) SavedFor(ctx context.Context, _ string) ([]saved.Audience, error) {
	return stall[[]saved.Audience](ctx)
}
func (stalled) Insight(ctx context.Context, _ int64) (insights.Insight, error) {
	return stall[insights.Insight](ctx)
}
func (stalled) Insights(ctx context.Context) ([]insights.Insight, error) {
	return stall[[]insights.Insight](ctx)
}
func (stalled) Generic(ctx context.Context, _ string) (insights.Generic, error) {
	return stall[insights.Generic](ctx)
}

// refusals are the statuses of an endpoint that do not depend on what is asked: the same for all of its group.
// TestRefusals compares their bodies.
func refusals(op *openapi3.Operation) (statuses []string) {
	for status := range op.Responses.Map() {
		if op.Security == nil && slices.Contains([]string{"408", "413", "429", "500", "503"}, status) {
			statuses = append(statuses, status)
		}
	}
	return statuses
}

// refused are the bodies of refusals by shape and status.
var refused = map[string]map[string]string{
	"insight": {
		"429": `{"code":429,"message":"more than 0.001 requests a second: try again in 1000 s"}`,
		"500": `{"code":500,"message":"Something went wrong on our side. Try again later."}`,
		"503": `{"code":503,"message":"the time limit for a request was reached"}`,
	},
	"query": {
		"408": `{"error":"the body came too slowly, and was not waited for any longer","error_type":"too_slow",` +
			`"code":408,"message":"The request came too slowly. Try again."}`,
		"413": `{"error":"the body is larger than 64 bytes","error_type":"too_large","code":413,"message":"The ` +
			`request is too large."}`,
		"429": `{"error":"more than 0.001 requests a second: try again in 1000 ` +
			`s","error_type":"rate_limited","code":429,"message":"Too many requests. Try again in a moment."}`,
		"500": `{"error":"internal error: quote the request id to whoever runs this ` +
			`service","error_type":"internal","code":500,"message":"Something went wrong on our side. Try again later."}`,
		"503": `{"error":"the time limit for a request was ` +
			`reached","error_type":"timeout","code":503,"message":"The request took too long. Ask for less at a ` +
			`time, or try again later."}`,
	},
	"record": {
		"408": `{"code":408,"err":"the body came too slowly, and was not waited for any longer","type":"too_slow"}`,
		"413": `{"code":413,"err":"the body is larger than 64 bytes","type":"too_large"}`,
		"429": `{"code":429,"err":"more than 0.001 requests a second: try again in 1000 s","type":"rate_limited"}`,
		"500": `{"code":500,"err":"internal error: quote the request id to whoever runs this service","type":"internal"}`,
		"503": `{"code":503,"err":"the time limit for a request was reached","type":"timeout"}`,
	},
}

// TestRefusals crosses all endpoints with the refusals that do not depend on what is asked.
func TestRefusals(t *testing.T) {
	doc, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	for _, route := range httpapi.Routes() {
		op := operations(doc)[route.Method+" "+route.Path]
		if op == nil {
			t.Errorf("%s %s is not in the document", route.Method, route.Path)
			continue
		}
		for _, status := range refusals(op) {
			t.Run(op.OperationID+" "+status, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) { checkRefusal(t, route, op, status) })
			})
		}
	}
}

// late is a body whose deadline has passed.
type late struct{}

func (late) Read([]byte) (int, error) { return 0, os.ErrDeadlineExceeded }
func (late) Close() error             { return nil }

func checkRefusal(t *testing.T, route httpapi.Route, op *openapi3.Operation, status string) {
	config := httpapi.Config{Store: stalled{}, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		Limits: httpapi.Limits{QueryTime: time.Nanosecond}}
	key, body := "full", ""
	if op.RequestBody != nil {
		example, err := json.Marshal(op.RequestBody.Value.Content.Get("application/json").Example)
		if err != nil {
			t.Fatal(err)
		}
		body = string(example)
	}
	switch status {
	case "413":
		config.Limits.Body = 64
		body = strings.Repeat(" ", 65)
	case "429":
		config.Limits.Rate = 0.001
	case "500":
		key = "broken"
	}
	api, err := httpapi.New(config)
	if err != nil {
		t.Fatal(err)
	}
	send := func() *httptest.ResponseRecorder {
		path := strings.Replace(route.Path, "{id}", "1", 1)
		r := httptest.NewRequest(route.Method, path, strings.NewReader(body))
		if status == "408" {
			r.Body = late{}
		}
		r.Header.Set("Authorization", key)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		checkContract(t, r, w)
		return w
	}
	if status == "429" {
		send()
	}
	w := send()
	if d := cmp.Diff(refused[route.Shape][status]+"\n", w.Body.String()); d != "" || strconv.Itoa(w.Code) != status {
		t.Errorf("%d\n%s", w.Code, d)
	}
	if want := "1000"; status == "429" && w.Header().Get("Retry-After") != want {
		t.Errorf("Retry-After is %q, want %s", w.Header().Get("Retry-After"), want)
	}
}

// Users have their own rates: the requests of one second may come at once, then they come at the rate.
func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
			Limits: httpapi.Limits{Rate: 2.5, QueryTime: time.Nanosecond}})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(key string) int { return post(t, api, "/v2/waves/filter", key, "{}").Code }
		times := func(key string) (n int) {
			for ask(key) != http.StatusTooManyRequests {
				n++
			}
			return n
		}
		if n := times("full"); n != 3 {
			t.Errorf("%d requests at once, want 3", n)
		}
		if n := times("other"); n != 3 {
			t.Errorf("another user may send %d at once, want 3", n)
		}
		if got := ask("nobody"); got != http.StatusUnauthorized {
			t.Errorf("without a key: %d", got)
		}
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/healthz", nil)); w.Code != http.StatusOK {
			t.Errorf("health: %d", w.Code)
		}
		time.Sleep(800 * time.Millisecond) // two more
		if n := times("full"); n != 2 {
			t.Errorf("%d requests after 0.8 s, want 2", n)
		}
		time.Sleep(time.Hour)
		if n := times("full"); n != 3 {
			t.Errorf("%d requests after an hour, want 3", n)
		}
	})
}

// Each answer that a key was sent for tells what is left of the rate, whatever its status; no other does.
func TestRateIsTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
			Limits: httpapi.Limits{Rate: 2.5, QueryTime: time.Nanosecond}})
		if err != nil {
			t.Fatal(err)
		}
		told := func(w *httptest.ResponseRecorder) string {
			h := w.Header()
			return fmt.Sprint(w.Code, " ", h.Get("RateLimit-Limit"), " ", h.Get("RateLimit-Remaining"), " ",
				h.Get("RateLimit-Reset"), " ", h.Get("Retry-After"))
		}
		for i, want := range []string{"503 3 2 1 ", "400 3 1 1 ", "503 3 0 2 ", "429 3 0 2 1"} {
			body := "{}"
			if i == 1 {
				body = "{"
			}
			if got := told(post(t, api, "/v2/waves/filter", "full", body)); got != want {
				t.Errorf("request %d: %s, want %s", i, got, want)
			}
		}
		if got := told(post(t, api, "/v2/waves/filter", "nobody", "{}")); got != "401    " {
			t.Error(got)
		}
		time.Sleep(time.Second) // 2.5 more, of which this takes one
		if got := told(post(t, api, "/v2/waves/filter", "full", "{}")); got != "503 3 1 1 " {
			t.Error(got)
		}
	})
}

// A rate that is none is no limit.
func TestNoRate(t *testing.T) {
	for _, rate := range []float64{0, -1} {
		synctest.Test(t, func(t *testing.T) {
			api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
				Limits: httpapi.Limits{Rate: rate, QueryTime: time.Nanosecond}})
			if err != nil {
				t.Fatal(err)
			}
			for range 1000 {
				if got := post(t, api, "/v2/waves/filter", "full", "{}").Code; got != http.StatusServiceUnavailable {
					t.Fatal(got)
				}
			}
		})
	}
}

// nowhere is a store that can't be read.
type nowhere struct{ httpapi.Store }

func (nowhere) Frame(context.Context) (*audience.Frame, error) {
	return nil, errors.New("no such file")
}

// A service that can't answer questions says so to anybody, and why to its log.
func TestNotReady(t *testing.T) {
	empty, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer empty.Close()
	down := func(context.Context) error { return errors.New("the shards are down") }
	for _, c := range []struct {
		why   string
		store httpapi.Store
		ready func(context.Context) error
		time  time.Duration
	}{
		{"the shards are down", ragged(t), down, time.Minute}, {"no such file", nowhere{}, nil, time.Minute},
		{"no such file", nowhere{}, down, time.Minute}, {"the store holds no survey yet", empty, nil, time.Minute},
		{context.DeadlineExceeded.Error(), stalled{}, nil, time.Millisecond},
	} {
		var log strings.Builder
		api, err := httpapi.New(httpapi.Config{Store: c.store, Authorize: authorize, Ready: c.ready,
			Log: slog.New(slog.NewTextHandler(&log, nil)), Limits: httpapi.Limits{QueryTime: c.time}})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, "/readyz", nil)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		checkContract(t, r, w)
		const want = `{"code":503,"err":"not ready: the service's log says why, under the request ` +
			`id","type":"unavailable"}` + "\n"
		if w.Code != http.StatusServiceUnavailable || w.Body.String() != want || w.Header().Get("Retry-After") == "" {
			t.Errorf("%s: %d %s", c.why, w.Code, w.Body)
		}
		if !strings.Contains(log.String(), c.why) || !strings.Contains(log.String(), w.Header().Get("X-Request-Id")) {
			t.Errorf("%s: the log has %s", c.why, &log)
		}
	}
}

// roomless is a store without room.
type roomless struct{ httpapi.Store }

func (roomless) InsertSaved(context.Context, saved.Audience) (saved.Audience, error) {
	return saved.Audience{}, fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

func (roomless) ReplaceSaved(context.Context, saved.Audience, int64) (saved.Audience, error) {
	return saved.Audience{}, fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

func (roomless) DeleteSaved(context.Context, string, int64) error {
	return fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

func (roomless) Saved(_ context.Context, id string) (saved.Audience, error) {
	women := audience.Answers{Question: "core.gender", Datapoints: []string{"f"}}
	return saved.Audience{ID: id, User: "1", UserNumber: 1, Name: "Women", Expression: saved.Expression{Expr: women},
		FolderID: saved.NoFolder, Version: 1}, nil
}

func (roomless) Derived(_ context.Context, code string) (derived.Question, error) {
	if code != "net" {
		return derived.Question{}, audience.ErrNotFound
	}
	return derived.Question{Code: code, Namespace: "core", User: "1", Version: 1}, nil
}

func (roomless) DerivedFor(context.Context, string) ([]derived.Question, error) { return nil, nil }

func (roomless) DerivedReaders(context.Context, string) ([]derived.Reader, error) { return nil, nil }

func (roomless) InsertDerived(context.Context, derived.Question) error {
	return fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

func (roomless) ReplaceDerived(context.Context, derived.Question, int64) error {
	return fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

func (roomless) DeleteDerived(context.Context, string, int64) error {
	return fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

func (roomless) UserNumber(context.Context, string) (int64, error) {
	return 0, fmt.Errorf("/the/disk: %w", audience.ErrFull)
}

// noRoom is what is told where there is no room for a change.
const noRoom = `{"code":507,"err":"there is no room left where the store lies","type":"storage_full"}`

// Where there is no room a change is refused, without telling where that is, and all else is answered.
func TestStorageFull(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: roomless{ragged(t)}, Authorize: authorize,
		Log: slog.New(slog.DiscardHandler), Ready: func(context.Context) error { return audience.ErrFull }})
	if err != nil {
		t.Fatal(err)
	}
	const one = "/v2/saved/audiences/b68bee91-45bb-4aca-a4f2-35ef2428365c"
	for _, c := range []struct {
		method, path, body string
		status             int
		want               string
	}{
		{http.MethodPost, "/v2/saved/audiences",
			`{"name": "Women", "expression": {"question": "core.gender", "datapoints": ["f"]}}`, http.StatusInsufficientStorage,
			noRoom},
		{http.MethodPatch, one, `{"name": "All women"}`, http.StatusInsufficientStorage, noRoom},
		{http.MethodDelete, one, "", http.StatusInsufficientStorage, noRoom},
		{http.MethodPost, "/v2/questions/derived",
			`{"code": "new", "datapoints": [{"code": "x", "expression": {"question": "core.gender"}}]}`,
			http.StatusInsufficientStorage, noRoom},
		{http.MethodPatch, "/v2/questions/derived/net", `{"name": "Net"}`, http.StatusInsufficientStorage, noRoom},
		{http.MethodDelete, "/v2/questions/derived/net", "", http.StatusInsufficientStorage, noRoom},
		{http.MethodGet, "/readyz", "", http.StatusServiceUnavailable,
			`{"code":503,"err":"not ready: there is no room left where the store lies","type":"unavailable"}`},
		{http.MethodGet, "/v1/me", "", http.StatusOK, ""},
		{http.MethodGet, "/v2/saved/audiences", "", http.StatusOK, ""},
	} {
		r := httptest.NewRequest(c.method, c.path, strings.NewReader(c.body))
		r.Header.Set("Authorization", "full")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		checkContract(t, r, w)
		if w.Code != c.status || c.want != "" && w.Body.String() != c.want+"\n" {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
}

// silent is a counter that can't answer.
type silent struct{ err error }

func (s silent) Count(context.Context, uint64, []audience.Query) ([][]*audience.Table, error) {
	return nil, s.err
}

// cannotCount is what is told where a counter can't answer.
const cannotCount = `{"error":"the respondents can't be counted for now: quote the request id to whoever runs this ` +
	`service","error_type":"unavailable","code":503,"message":"The service can't answer at the moment. Try again later."}`

// What keeps a store from answering is told to its log, under the id that the caller gets; what a limit or a fault of
// ours is stays what it was.
func TestNoAnswer(t *testing.T) {
	const text = "shard-7 belongs to another store"
	for _, c := range []struct {
		name   string
		err    error
		status int
		want   string
		logged bool
	}{
		{"no answer", fmt.Errorf("%s: %w", text, audience.ErrNoAnswer), http.StatusServiceUnavailable,
			cannotCount, true},
		{"changed each time", fmt.Errorf("%s: %w", text, audience.ErrChanged), http.StatusServiceUnavailable,
			strings.Replace(cannotCount, "the respondents can't be counted for now: quote the request id to whoever "+
				"runs this service", "the survey was changed again and again while this was asked: ask again", 1), true},
		{"too late", fmt.Errorf("%s: %w", text, context.DeadlineExceeded), http.StatusServiceUnavailable,
			refused["query"]["503"], false},
		{"a fault", errors.New(text), http.StatusInternalServerError, refused["query"]["500"], true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var log strings.Builder
			api, err := httpapi.New(httpapi.Config{Store: ragged(t), Counter: silent{c.err}, Authorize: authorize,
				Log: slog.New(slog.NewTextHandler(&log, nil))})
			if err != nil {
				t.Fatal(err)
			}
			w := post(t, api, "/v2/query/intersection", "full",
				`{"audiences": {"row": {"expression": {"question": "gender"}}}}`)
			if d := cmp.Diff(c.want+"\n", w.Body.String()); d != "" || w.Code != c.status {
				t.Errorf("%d\n%s", w.Code, d)
			}
			if again := w.Header().Get("Retry-After"); (again == "10") != strings.Contains(c.want, `"unavailable"`) {
				t.Errorf("Retry-After is %q", again)
			}
			id := w.Header().Get("X-Request-Id")
			if id == "" || c.logged != (strings.Contains(log.String(), text) && strings.Contains(log.String(), id)) {
				t.Errorf("the request id is %q, the log\n%s", id, &log)
			}
		})
	}
}

// contested is a store in which others always come first.
type contested struct{ *sqlite.Store }

func (contested) ReplaceSaved(context.Context, saved.Audience, int64) (saved.Audience, error) {
	return saved.Audience{}, saved.ErrConflict
}
func (contested) DeleteSaved(context.Context, string, int64) error { return saved.ErrConflict }

// A change that never gets its turn is given up, and told so.
func TestConflict(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: contested{ragged(t)}, Authorize: authorize,
		Log: slog.New(slog.DiscardHandler), NewID: ids()})
	if err != nil {
		t.Fatal(err)
	}
	if w := post(t, api, "/v2/saved/audiences", "full",
		`{"name": "Women", "expression": {"question": "gender", "datapoints": ["f"]}}`); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
	for _, method := range []string{http.MethodPatch, http.MethodDelete} {
		r := httptest.NewRequest(method, "/v2/saved/audiences/00000000-0000-4000-8000-000000000001",
			strings.NewReader(`{"name": "All women"}`))
		r.Header.Set("Authorization", "full")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		checkContract(t, r, w)
		const want = `{"code":409,"err":"the audience was changed meanwhile","type":"conflict"}` + "\n"
		if w.Code != http.StatusConflict || w.Body.String() != want {
			t.Errorf("%s: %d %s", method, w.Code, w.Body)
		}
	}
}

// busy is what is told where it was not a query's turn for too long.
const busy = `{"error":"the service is busy: it was not the query's turn for 0.001 s","error_type":"overloaded",` +
	`"code":503,"message":"The service is busy. Try again in a moment."}`

// held is a counter that tells when it is asked and answers when it may.
type held struct {
	audience.Counter
	asked, may chan struct{}
}

func (h held) Count(ctx context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	h.asked <- struct{}{}
	<-h.may
	return h.Counter.Count(ctx, version, qs)
}

// What does not fit beside what others hold is told so, and when to come again; what holds nothing is answered.
func TestOverloaded(t *testing.T) {
	db := ragged(t)
	counter := held{db, make(chan struct{}), make(chan struct{})}
	api, err := httpapi.New(httpapi.Config{Store: db, Counter: counter, Authorize: authorize,
		Log: slog.New(slog.DiscardHandler), Limits: httpapi.Limits{Memory: 1, Wait: time.Millisecond}})
	if err != nil {
		t.Fatal(err)
	}
	const ask = `{"audiences": {"row": {"expression": {"question": "gender"}}}}`
	first := make(chan *httptest.ResponseRecorder)
	go func() { first <- post(t, api, "/v2/query/intersection", "full", ask) }()
	<-counter.asked
	for _, key := range []string{"full", "other"} {
		w := post(t, api, "/v2/query/intersection", key, ask)
		if d := cmp.Diff(busy+"\n", w.Body.String()); d != "" || w.Code != http.StatusServiceUnavailable ||
			w.Header().Get("Retry-After") != "5" {
			t.Errorf("%s: %d, again in %s\n%s", key, w.Code, w.Header().Get("Retry-After"), d)
		}
	}
	if w := post(t, api, "/v2/waves/filter", "other", "{}"); w.Code != http.StatusOK {
		t.Errorf("what is not counted: %d %s", w.Code, w.Body)
	}
	close(counter.may)
	if w := <-first; w.Code != http.StatusOK {
		t.Errorf("who came first: %d %s", w.Code, w.Body)
	}
	go func() { <-counter.asked }()
	if w := post(t, api, "/v2/query/intersection", "other", ask); w.Code != http.StatusOK {
		t.Errorf("afterwards: %d %s", w.Code, w.Body)
	}
}
