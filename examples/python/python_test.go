package python

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// served is a server of a small demo survey.
func served(t *testing.T) *httptest.Server {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	check(t, err)
	t.Cleanup(func() { db.Close() })
	_, err = survey.Import(t.Context(), demo.New(demo.Config{Respondents: 600}), db, survey.Options{})
	check(t, err)
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: func(_ context.Context, key string) (httpapi.Caller,
		error) {
		if key != "secret" {
			return httpapi.Caller{}, audience.ErrNotFound
		}
		return httpapi.Caller{User: "1", Grant: audience.All()}, nil
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

// run runs Python with some arguments and returns what it prints, and its complaint.
func run(t *testing.T, args ...string) (string, string) {
	t.Helper()
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("there is no python3 to try the client with")
	}
	c := exec.CommandContext(t.Context(), "python3", args...)
	var out, complaint strings.Builder
	c.Stdout, c.Stderr = &out, &complaint
	if err := c.Run(); err != nil && complaint.Len() == 0 {
		t.Fatal(err)
	}
	return out.String(), complaint.String()
}

// asked is an endpoint as Python asks it, and as it is asked directly; of the answer one member may be meant.
var asked = []struct{ python, method, path, body, member string }{
	{`s.me()`, "GET", "/v1/me", ``, ""},
	{`list(s.crosstab(rows=[a, b], columns=[c], coverage=True, statistics={"compare": ["rest"]}))`, "POST",
		"/v2/query/crosstab?stream=false", `{"rows": [A, B], "columns": [C], "coverage": true, ` +
			`"statistics": {"compare": ["rest"]}}`, "data"},
	{`s.intersection(audiences={"row": a, "column": c})`, "POST", "/v2/query/intersection",
		`{"audiences": {"row": A, "column": C}}`, ""},
	{`s.stats(question="exercise", splitter="waves", audiences=[a])`, "POST", "/v2/query/stats",
		`{"question": "exercise", "splitter": "waves", "audiences": [A]}`, ""},
	{`s.summary(question="gaming_hours", splitter="gender", statistics={})`, "POST", "/v2/query/summary",
		`{"question": "gaming_hours", "splitter": "gender", "statistics": {}}`, ""},
	{`s.profile(audience=a, limit=5)`, "POST", "/v2/query/profile", `{"audience": A, "limit": 5}`, ""},
	{`s.association(rows={"question": "gender"}, columns={"question": "exercise"})`, "POST", "/v2/query/association",
		`{"rows": {"question": "gender"}, "columns": {"question": "exercise"}}`, ""},
	{`s.trend(a["expression"], statistics=95, coverage=True)`, "POST",
		"/v2/query/audience_wave_counts?statistics=95&coverage=true", `{"question": "gender", "datapoints": ["gender_1"]}`,
		""},
	{`s.wave_counts(expression=a["expression"])`, "POST", "/v3/query/audience_wave_counts",
		`{"expression": {"question": "gender", "datapoints": ["gender_1"]}}`, ""},
	{`s.questions("gender", datapoints=True)`, "POST", "/v3/questions/filter",
		`{"include": {"datapoints": true}, "questions": [{"question": "gender"}]}`, "questions"},
	{`s.find("café coffee", limit=2)`, "POST", "/v3/questions/filter", `{"search": "café coffee", "limit": 2}`, ""},
	{`s.locations(include={"regions": True})`, "POST", "/v2/locations/filter", `{"include": {"regions": true}}`,
		"locations"},
	{`s.waves()`, "POST", "/v2/waves/filter", `{}`, "waves"},
	{`s.namespaces()`, "POST", "/v2/namespaces/filter", `{}`, "namespaces"},
	{`s.ask("GET", "/v2/saved/audiences")`, "GET", "/v2/saved/audiences", ``, ""},
}

// What Python has of each answer is what the server sent, each number with all of its digits.
func TestPythonLosesNothing(t *testing.T) {
	s := served(t)
	people := map[string]string{
		"A": `{"id": "women", "expression": {"question": "gender", "datapoints": ["gender_1"]}}`,
		"B": `{"id": "men", "expression": {"question": "gender", "datapoints": ["gender_2"]}}`,
		"C": `{"id": "daily", "expression": {"question": "exercise", "datapoints": ["exercise_1"]}}`,
	}
	program := "import json, sys\nsys.path.insert(0, '.')\nsys.dont_write_bytecode = True\nimport crosswave\ns = " +
		"crosswave.Server(sys.argv[1], 'secret')\n"
	for name, text := range people {
		program += strings.ToLower(name) + " = " + text + "\n"
	}
	for _, a := range asked {
		program += "print(json.dumps(" + a.python + "))\n"
	}
	out, complaint := run(t, "-c", program, s.URL)
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if len(lines) != len(asked) {
		t.Fatalf("%d answers to %d questions: %s", len(lines), len(asked), complaint)
	}
	for i, a := range asked {
		body := a.body
		for name, text := range people {
			body = strings.ReplaceAll(body, name+",", text+",")
			body = strings.ReplaceAll(body, name+"]", text+"]")
			body = strings.ReplaceAll(body, name+"}", text+"}")
		}
		r, err := http.NewRequest(a.method, s.URL+a.path, strings.NewReader(body))
		check(t, err)
		r.Header.Set("Authorization", "secret")
		response, err := http.DefaultClient.Do(r)
		check(t, err)
		text, err := io.ReadAll(response.Body)
		check(t, err)
		response.Body.Close()
		var want, got any
		check(t, json.NewDecoder(bytes.NewReader(text)).Decode(&want))
		check(t, json.Unmarshal([]byte(lines[i]), &got))
		if a.member != "" {
			want = want.(map[string]any)[a.member]
		}
		if d := cmp.Diff(want, got); d != "" || response.StatusCode != http.StatusOK {
			t.Errorf("%s, %d (-server +Python):\n%s", a.python, response.StatusCode, d)
		}
	}
}

// The program prints a table, and what was wrong.
func TestPythonProgram(t *testing.T) {
	s := served(t)
	out, complaint := run(t, "crosswave.py", s.URL, "secret", "gender", "exercise")
	if lines := strings.Count(out, "\n"); lines < 3 || !strings.Contains(out, "%") || complaint != "" {
		t.Errorf("%s%s", out, complaint)
	}
	out, complaint = run(t, "crosswave.py", s.URL, "wrong", "gender", "exercise")
	if want := "401 unauthorized: the request carries no valid key: send one in the header Authorization\n"; out != "" ||
		complaint != want {
		t.Errorf("%s%s, want %s", out, complaint, want)
	}
}

// Waiting, and streams that break off.
func TestPythonWaits(t *testing.T) {
	n := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if n++; n == 1 {
			w.Header().Set("Retry-After", "0")
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		w.Header().Set("X-Cell-Count", "3")
		io.WriteString(w, "{}\n{}\n")
	}))
	defer s.Close()
	out, complaint := run(t, "-c", "import sys\nsys.path.insert(0, '.')\nsys.dont_write_bytecode = True\n"+
		"import crosswave\nfor c in crosswave.Server(sys.argv[1], '').crosstab(): print(c)", s.URL)
	if out != "{}\n{}\n" || !strings.Contains(complaint, "BrokenOff: 1 cells are missing") || n != 2 {
		t.Errorf("%d requests, %q, %s", n, out, complaint)
	}
}
