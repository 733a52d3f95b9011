package clickhouse_test

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/sqlite"
)

// soon calls do again and again until it is content, or fails the test.
func soon(t testing.TB, what string, do func() error) {
	t.Helper()
	var err error
	for range 600 {
		if err = do(); err == nil {
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	t.Fatalf("%s: still %v", what, err)
}

// well waits until all servers answer.
func well(t testing.TB, s interface {
	Health(context.Context) []clickhouse.Shard
}) {
	t.Helper()
	soon(t, "the servers' health", func() (err error) {
		for _, h := range s.Health(t.Context()) {
			err = errors.Join(err, h.Err)
		}
		return err
	})
}

// caughtUp waits until all replicas have what was imported.
func caughtUp(t testing.TB, p *pair) {
	t.Helper()
	soon(t, "the replicas have caught up", func() error {
		found, err := p.Check(t.Context())
		if err == nil && len(found.Faults) > 0 {
			err = errors.New(strings.Join(found.Faults, "\n"))
		}
		return err
	})
}

// served asks what serves a store over HTTP.
func served(t testing.TB, p *pair, counter audience.Counter) func(method, path, body string) (*http.Response, string) {
	t.Helper()
	h, err := httpapi.New(httpapi.Config{Store: p.embedded, Counter: counter, Authorize: func(context.Context,
		string) (httpapi.Caller, error) {
		return httpapi.Caller{User: "1", Grant: audience.All()}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return func(method, path, body string) (*http.Response, string) { return recorded(t, h, method, path, body) }
}

// recorded is what a handler answers.
func recorded(t testing.TB, h http.Handler, method, path, body string) (*http.Response, string) {
	t.Helper()
	w := httptest.NewRecorder()
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	h.ServeHTTP(w, r)
	return w.Result(), w.Body.String()
}

// someCrosstab is the body of a crosstab of one question by waves.
func someCrosstab(t testing.TB, f *audience.Frame) string {
	t.Helper()
	q := f.Questions[0]
	body, err := json.Marshal(map[string]any{"rows": []any{map[string]any{"expression": map[string]any{
		"question": q.Key(), "datapoints": []string{q.Datapoints[0].Code}}}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(body)
}

// Of a server that hangs the first request waits its limit; each one after it is refused at once, with 503 and when to
// come again, also those that wait for their turn; and when the server goes on, so do the answers.
func TestHangs(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	for _, mode := range []clickhouse.Config{
		{Addresses: addresses(all), Timeout: 4 * time.Second, Statements: 1},
		{Addresses: addresses(all), Timeout: 4 * time.Second, Statements: 1, Cluster: clickhousetest.Cluster,
			Database: "distributed"},
	} {
		p := open(t, sqlite.Memory, mode)
		load(t, p, 2000)
		right := count(t, p, 3)
		f, err := p.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		all[1].Signal(syscall.SIGSTOP)
		defer all[1].Signal(syscall.SIGCONT)
		ask := func() (time.Duration, error) {
			start := time.Now()
			_, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 3)})
			return time.Since(start), err
		}
		took, err := ask()
		if !errors.Is(err, context.DeadlineExceeded) || took < mode.Timeout/2 {
			t.Errorf("the first request: after %v: %v", took, err)
		}
		for range 3 {
			took, err = ask()
			if !errors.Is(err, audience.ErrNoAnswer) || errors.Is(err, context.DeadlineExceeded) || took > mode.Timeout/4 {
				t.Errorf("a request after the first: after %v: %v", took, err)
			}
			t.Logf("after %v: %v", took, err)
		}
		start := time.Now()
		w, body := served(t, p, p)(http.MethodPost, "/v2/query/crosstab", someCrosstab(t, f))
		if w.StatusCode != http.StatusServiceUnavailable || w.Header.Get("Retry-After") == "" ||
			!strings.Contains(body, `"unavailable"`) || strings.Contains(body, "127.0.0.1") {
			t.Errorf("over HTTP: %d %v %s", w.StatusCode, w.Header, body)
		}
		if took := time.Since(start); took > mode.Timeout/4 {
			t.Errorf("over HTTP it takes %v", took)
		}
		all[1].Signal(syscall.SIGCONT)
		soon(t, "it goes on", func() error { _, err := ask(); return err })
		if diff := cmp.Diff(right, count(t, p, 3)); diff != "" {
			t.Errorf("when it goes on it counts otherwise:\n%s", diff)
		}
	}
}

// Of many that wait for their turn at a server that hangs, none waits longer than it takes to learn that.
func TestHangsWhileWaiting(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	const limit = 8 * time.Second
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all[:1]), Timeout: limit, Statements: 1})
	load(t, p, 500)
	count(t, p, 1)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	all[0].Signal(syscall.SIGSTOP)
	defer all[0].Signal(syscall.SIGCONT)
	const requests = 40 // of which eight have places
	late, refused := make(chan time.Duration, requests), make(chan time.Duration, requests)
	start := time.Now()
	for range requests {
		go func() {
			_, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 1)})
			if errors.Is(err, context.DeadlineExceeded) {
				late <- time.Since(start)
			} else if errors.Is(err, audience.ErrNoAnswer) {
				refused <- time.Since(start)
			} else {
				t.Error(err)
				refused <- 0
			}
		}()
	}
	waited, most := 0, time.Duration(0)
	for range requests {
		select {
		case <-late:
			waited++
		case took := <-refused:
			most = max(most, took)
		}
	}
	if waited > 8 || most > limit*7/8 {
		t.Errorf("%d requests waited, and one was refused after %v", waited, most)
	}
	t.Logf("%d requests waited, the others at most %v", waited, most)
}

// A server that refuses to work, or lets nobody in, is 503 unavailable, and says so without its address or a name.
func TestRefusing(t *testing.T) {
	heavy(t)
	all := ownCluster(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: addresses(all)})
	load(t, p, 2000)
	right := count(t, p, 3)
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	want := func(what string, c clickhouse.Config, more ...string) {
		t.Helper()
		c.Addresses = addresses(all)
		s, err := clickhouse.Open(t.Context(), p.embedded, c)
		if err != nil {
			t.Fatal(err)
		}
		defer s.Close()
		w, body := served(t, p, s)(http.MethodPost, "/v2/query/crosstab", someCrosstab(t, f))
		if w.StatusCode != http.StatusServiceUnavailable || w.Header.Get("Retry-After") == "" ||
			!strings.Contains(body, `"unavailable"`) {
			t.Errorf("%s: %d %v %s", what, w.StatusCode, w.Header, body)
		}
		for _, secret := range append(more, "127.0.0.1", "default", "ClickHouse") {
			if strings.Contains(body, secret) {
				t.Errorf("%s: callers learn %q: %s", what, secret, body)
			}
		}
	}
	want("a wrong password", clickhouse.Config{Username: "default", Password: "open sesame"}, "sesame")
	want("a user who is not there", clickhouse.Config{Username: "mallory"}, "mallory")
	want("no memory", clickhouse.Config{MemoryBytes: 1})
	all[0].Kill()
	want("a server that is away", clickhouse.Config{})
	if err := all[0].Start(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(right, count(t, p, 3)); diff != "" {
		t.Errorf("the next query is wrong (-want +got):\n%s", diff)
	}
}
