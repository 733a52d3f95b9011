package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// running is a server that was started, with what it has said.
type running struct {
	t    *testing.T
	stop context.CancelFunc
	code chan int

	mu   sync.Mutex
	said bytes.Buffer
}

func (r *running) Write(b []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.Write(b)
}

func (r *running) text() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.said.String()
}

// start serves a store until the test ends, or end is called.
func start(t *testing.T, args ...string) *running {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	r := &running{t: t, stop: stop, code: make(chan int, 1)}
	go func() {
		r.code <- Main{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: r}.Run(ctx,
			append([]string{"serve", "--addr", "127.0.0.1:0"}, args...))
	}()
	t.Cleanup(stop)
	return r
}

// wait waits until what the server has said fits a pattern, and returns its first group.
func (r *running) wait(pattern string) string {
	r.t.Helper()
	re := regexp.MustCompile(pattern)
	for range 12_000 {
		if m := re.FindStringSubmatch(r.text()); m != nil {
			return m[1]
		}
		time.Sleep(10 * time.Millisecond)
	}
	r.t.Fatalf("the server does not say %s but\n%s", pattern, r.text())
	return ""
}

// end tells the server to end and waits for it.
func (r *running) end() {
	r.t.Helper()
	r.stop()
	select {
	case code := <-r.code:
		if code != 0 {
			r.t.Errorf("exit %d\n%s", code, r.text())
		}
	case <-time.After(2 * time.Minute):
		r.t.Fatal("the server does not end")
	}
}

// visit gets a page with pairs of names and values for headers.
func visit(t *testing.T, url string, headers ...string) (int, string, http.Header) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Body.Close()
	body, err := io.ReadAll(w.Body)
	if err != nil {
		t.Fatal(err)
	}
	return w.StatusCode, string(body), w.Header
}

// A server that is watched writes JSON alone, a line for each request under its id, and has pages on addresses of their
// own for metrics and profiles, which are not where it answers.
func TestServeWatched(t *testing.T) {
	db := store(t)
	secret := strings.TrimSpace(ok(t, "key", "create", "--db", db, "--user", "7"))
	s := start(t, "--db", db, "--log", "json", "--access-log", "--metrics", "127.0.0.1:0", "--pprof", "localhost:0")
	base := s.wait(`serving \S+ on (http://[^"\s]+)`)
	counts := s.wait(`metrics on (http://[^"\s]+/metrics)`)
	profiles := s.wait(`profiles on (http://[^"\s]+/debug/pprof/)`)
	for path, want := range map[string]int{"/v1/me": 200, "/v3/insights/77?x=secret": 404, "/metrics": 404,
		"/debug/pprof/": 404} {
		code, body, header := visit(t, base+path, "Authorization", secret, "X-Request-Id", "id"+path[:4])
		if code != want || header.Get("X-Request-Id") != "id"+path[:4] {
			t.Errorf("%s: %d %s %v", path, code, body, header)
		}
	}
	if code, body, _ := visit(t, counts); code != 200 || !strings.Contains(body, "\ncrosswave_build_info{commit=") ||
		!strings.Contains(body, "\ncrosswave_store_version 1\n") ||
		!strings.Contains(body, `crosswave_requests_total{error_type="",method="GET",route="/v1/me",status="200"} 1`) ||
		!strings.Contains(body, "\ncrosswave_result_cache_bytes 0\n") {
		t.Errorf("%d %s", code, body)
	}
	for path, want := range map[string]int{"": 200, "heap": 200, "goroutine?debug=1": 200, "cmdline": 404} {
		if code, body, _ := visit(t, profiles+path); code != want {
			t.Errorf("profile %q: %d %s", path, code, body)
		}
	}
	if strings.HasPrefix(counts, strings.TrimSuffix(profiles, "/debug/pprof/")) {
		t.Error("metrics and profiles stand at one address")
	}
	s.end()
	if w, err := http.Get(counts); err == nil {
		t.Errorf("there are metrics still: %v", w)
	}
	checkLog(t, s.text(), secret)
}

// checkLog looks at each line that was written of the requests above.
func checkLog(t *testing.T, text, secret string) {
	t.Helper()
	requests := map[string]map[string]any{}
	for line := range strings.Lines(text) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if record["msg"] != "request" {
			continue
		}
		if seconds, _ := record["seconds"].(float64); seconds <= 0 || record["remote"] == "" || record["time"] == "" {
			t.Errorf("%v", record)
		}
		for _, name := range []string{"time", "level", "msg", "remote", "seconds", "bytes"} {
			delete(record, name)
		}
		requests[record["id"].(string)] = record
	}
	want := map[string]map[string]any{
		"id/v1/": {"id": "id/v1/", "method": "GET", "path": "/v1/me", "route": "/v1/me", "status": 200.0, "user": "7"},
		"id/v3/": {"id": "id/v3/", "method": "GET", "path": "/v3/insights/77", "route": "/v3/insights/{id}",
			"status": 404.0, "user": "7", "error_type": "not_found"},
		"id/met": {"id": "id/met", "method": "GET", "path": "/metrics", "route": "", "status": 404.0,
			"error_type": "not_found"},
		"id/deb": {"id": "id/deb", "method": "GET", "path": "/debug/pprof/", "route": "", "status": 404.0,
			"error_type": "not_found"},
	}
	if d := cmp.Diff(want, requests); d != "" {
		t.Error(d)
	}
	if strings.Contains(text, secret) || strings.Contains(text, "secret") {
		t.Error("the log has a key, or a query")
	}
}

// Unless it is asked for there is no line for a request and no page; metrics and profiles may stand at one address.
func TestServeUnwatched(t *testing.T) {
	db := store(t)
	s := start(t, "--db", db)
	visit(t, s.wait(`serving \S+ on (http://\S+)`)+"/healthz")
	s.end()
	if text := s.text(); strings.Count(text, "\n") != 1 {
		t.Errorf("it says\n%s", text)
	}
	s = start(t, "--db", db, "--metrics", "127.0.0.1:0", "--pprof", "127.0.0.1:0", "--result-cache", "0")
	counts := s.wait(`metrics on (http://\S+)/metrics`)
	if profiles := s.wait(`profiles on (http://\S+)/debug/pprof/`); profiles != counts {
		t.Errorf("metrics stand at %s and profiles at %s", counts, profiles)
	}
	if code, body, _ := visit(t, counts+"/metrics"); code != 200 || strings.Contains(body, "result_cache") {
		t.Errorf("%d %s", code, body)
	}
	s.end()
}

// An address that is taken ends the server before it answers anybody.
func TestServeWatchedWhereNothingCanBe(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	db := store(t)
	for _, flag := range []string{"--metrics", "--pprof"} {
		code, _, errs := run(t, "", "serve", "--db", db, "--addr", "127.0.0.1:0", flag, taken.Addr().String())
		if code != 1 || !strings.Contains(errs, "address already in use") {
			t.Errorf("%s: exit %d, %s", flag, code, errs)
		}
	}
	if code, _, errs := run(t, "", "serve", "--db", db, "--log", "xml"); code != 2 || !strings.Contains(errs, "--log") {
		t.Errorf("exit %d, %s", code, errs)
	}
}

// --version tells what runs; a variable of that name is no flag.
func TestVersion(t *testing.T) {
	t.Setenv("CROSSWAVE_VERSION", "true")
	out := ok(t, "--version")
	if !regexp.MustCompile(`^crosswave \S+, commit \S+, go1\S* \w+/\w+, kernel (avx512|sky|avx2|i8mm|neon|go)\n$`).MatchString(out) {
		t.Errorf("%q", out)
	}
	if out := ok(t, "key", "list", "--db", store(t)); strings.Contains(out, "kernel") {
		t.Error(out)
	}
}

// What the import of a file has to say, and the key that is made, are lines of JSON, too.
func TestServeFileLogsJSON(t *testing.T) {
	s := start(t, surveyFile(t), "--log", "json")
	s.wait(`serving \S+ on (http://[^"\s]+)`)
	s.wait(`(curl -s)`)
	s.end()
	lines := 0
	for line := range strings.Lines(s.text()) {
		var record map[string]any
		if err := json.Unmarshal([]byte(line), &record); err != nil || record["msg"] == "" {
			t.Errorf("%v: %s", err, line)
		}
		lines++
	}
	if text := s.text(); lines < 10 || !strings.Contains(text, `"msg":"importing `) || !strings.Contains(text,
		"respondents taken in") {
		t.Errorf("it says\n%s", text)
	}
}
