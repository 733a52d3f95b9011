package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

const exampleA = "../../store/storetest/testdata/example-a"

// run runs the program whole.
func run(t testing.TB, stdin string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Main{Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs}.Run(t.Context(), args)
	return code, out.String(), errs.String()
}

// ok is run for what must go well.
func ok(t testing.TB, args ...string) string {
	t.Helper()
	code, out, errs := run(t, "", args...)
	if code != 0 {
		t.Fatalf("crosswave %s: exit %d\n%s%s", strings.Join(args, " "), code, out, errs)
	}
	return out
}

// exampleStore is the file of a store into which example-a was imported, once for all tests.
var exampleStore = sync.OnceValues(func() ([]byte, error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	db, said := filepath.Join(dir, "a.db"), new(bytes.Buffer)
	program := Main{Stdin: strings.NewReader(""), Stdout: said, Stderr: said}
	if code := program.Run(context.Background(), []string{"import", "--db", db, "--codebook",
		filepath.Join(exampleA, "codebook.json"), filepath.Join(exampleA, "data.csv")}); code != 0 {
		return nil, fmt.Errorf("the import of example-a ends with %d:\n%s", code, said)
	}
	return os.ReadFile(db)
})

// store is a store of example-a, and the caller's own.
func store(t testing.TB) string {
	t.Helper()
	imported, err := exampleStore()
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "a.db")
	if err := os.WriteFile(db, imported, 0o644); err != nil {
		t.Fatal(err)
	}
	return db
}

func TestExitCodes(t *testing.T) {
	alone(t)
	db := store(t)
	for _, c := range []struct {
		name string
		args []string
		code int
		says string // on stderr
	}{
		{"no command", nil, 0, ""},
		{"help", []string{"--help"}, 0, ""},
		{"no such command", []string{"crosstub"}, 2, "unexpected argument crosstub"},
		{"a flag is missing", []string{"inspect"}, 2, "--db"},
		{"no store", []string{"inspect", "--db", db + "x"}, 1, "there is no store at"},
		{"no such question", []string{"crosstab", "--db", db, "--rows", "q77"}, 2, `--rows q77: there is no question "q77"`},
		{"a misspelt question", []string{"crosstab", "--db", db, "--rows", "gendr"}, 2, "gendr\": did you mean gender?"},
		{"a broken expression", []string{"crosstab", "--db", db, "--rows", `{"question": "q1", "datapoint": []}`}, 2,
			"datapoint"},
		{"an unknown wave", []string{"crosstab", "--db", db, "--waves", "w9"}, 2,
			`there is no wave "w9" (the store has w1, w2, w3, w4, w5): did you mean`},
		{"a base of several audiences", []string{"crosstab", "--db", db, "--rows", "q4", "--base", "gender"}, 2,
			"--base gender: one audience is needed, and the question gender has 2 datapoints: write which, as in " +
				"gender:gender_1"},
		{"answered without a question", []string{"crosstab", "--db", db, "--rows", "waves", "--base", "answered"}, 2,
			"--rows asks none"},
		{"answered with two", []string{"crosstab", "--db", db, "--rows", "q4", "--rows", "gender", "--base", "answered"}, 2,
			"--rows asks core.q4, core.gender"},
		{"a key for nothing", []string{"key", "create", "--db", db, "--questions", "gendr"}, 2,
			`--questions gendr: there is no question "gendr": did you mean gender?`},
		{"a key for nobody", []string{"key", "create", "--db", db, "--user", ""}, 2, "--user: a user has an id"},
		{"nobody who asks", []string{"query", "--db", db, "--user", "", "/v1/me"}, 2, "--user: a user has an id"},
		{"a path without a slash", []string{"query", "--db", db, "v2"}, 2, "begins with no slash"},
		{"404", []string{"query", "--db", db, "/v2/nothing"}, 1, ""},
		{"a key that is not there", []string{"key", "revoke", "--db", db, "77"}, 1, "not known"},
		{"a new secret for no key", []string{"key", "rotate", "--db", db, "77"}, 1, "not known"},
		{"an old secret for less than no time", []string{"key", "rotate", "--db", db, "1", "--keep=-1h"}, 2,
			"lies in the past"},
		{"a key for fewer than nobody", []string{"key", "create", "--db", db, "--min-sample=-1"}, 2,
			"no number of respondents"},
		{"a key that has ended", []string{"key", "create", "--db", db, "--expires=-1h"}, 2, "lies in the past"},
		{"a second import", []string{"import", "--db", db, "--codebook", filepath.Join(exampleA, "codebook.json"),
			filepath.Join(exampleA, "data.csv")}, 1, ""},
		{"a delimiter of two", []string{"import", "--db", db, "--delimiter", ";;", "--codebook", filepath.Join(exampleA,
			"codebook.json"), filepath.Join(exampleA, "data.csv")}, 2, "one character"},
		{"an open door", []string{"serve", "--db", db, "--addr", "0.0.0.0:0"}, 2, "make one first"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := run(t, "", c.args...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("exit %d, want %d\n%s%s", code, c.code, out, errs)
			}
			if c.code != 0 && c.says != "" && out != "" {
				t.Errorf("on stdout: %s", out)
			}
		})
	}
}

// A variable bears on the flag of its command and on no other; those that say where the data are bear on all, and give
// way to a file that is named.
func TestFlagsByEnvironment(t *testing.T) {
	alone(t)
	db := store(t)
	t.Setenv("CROSSWAVE_DB", db)
	t.Setenv("CROSSWAVE_CROSSTAB_FORMAT", "csv")
	t.Setenv("CROSSWAVE_CROSSTAB_WAVES", "w2")
	t.Setenv("CROSSWAVE_WAVES", "w1")
	t.Setenv("CROSSWAVE_FORMAT", "json")
	t.Setenv("CROSSWAVE_KEY_CREATE_LOCATIONS", "loc_1,loc_2")
	if out := ok(t, "crosstab", "--rows", "gender"); !strings.HasPrefix(out, strings.Join(csvHeader, ",")) ||
		!strings.Contains(out, ",core,w2,") || strings.Contains(out, ",w1") {
		t.Error(out)
	}
	ok(t, "key", "create")
	if out := ok(t, "key", "list"); !strings.Contains(out, "locations loc_1,loc_2") || strings.Contains(out, "waves") {
		t.Error(out)
	}
	if out := ok(t, "inspect", surveyFile(t)); !strings.Contains(out, "5 respondents") {
		t.Error(out)
	}
	if out := ok(t, "crosstab", "--help"); !strings.Contains(out, "$CROSSWAVE_CROSSTAB_WAVES") ||
		!strings.Contains(out, "$CROSSWAVE_DB") {
		t.Error(out)
	}
}

// All formats tell the same figures, and those are the ones of figures.json.
func TestCrosstabFormats(t *testing.T) {
	alone(t)
	db := store(t)
	args := []string{"crosstab", "--db", db, "--rows", "gender", "--columns", "q4"}
	want := `core: 8,255 respondents stand for 1,651.0 people

                       Total          Yes           No
──────────────────────────────────────────────────────
Total  size          1,651.0        578.4      1,072.6
       sample          8,255        2,895        5,360
       column %        100.0        100.0        100.0
       row %           100.0         35.0         65.0
       index           100.0        100.0        100.0
──────────────────────────────────────────────────────
Male   size            794.1        333.3        460.8
       sample          3,952        1,647        2,305
       column %         48.1         57.6         43.0
       row %           100.0         42.0         58.0
       index           100.0        119.8         89.3
──────────────────────────────────────────────────────
Female size            856.9        245.0        611.8
       sample          4,303        1,248        3,055
       column %         51.9         42.4         57.0
       row %           100.0         28.6         71.4
       index           100.0         81.6        109.9

Covers core, all 5 waves w1, w2, w3, w4, w5, all 6 locations.
`
	if d := cmp.Diff(want, ok(t, args...)); d != "" {
		t.Error(d)
	}
	lines := ok(t, append(args, "--format", "ndjson")...)
	var array []json.RawMessage
	if err := json.Unmarshal([]byte(ok(t, append(args, "--format", "json")...)), &array); err != nil {
		t.Fatal(err)
	}
	var joined strings.Builder
	for _, a := range array {
		fmt.Fprintf(&joined, "%s\n", a)
	}
	if d := cmp.Diff(lines, joined.String()); d != "" {
		t.Error(d)
	}
	if csv := ok(t, append(args, "--format", "csv")...); strings.Count(csv, "\n") != 10 ||
		!strings.Contains(csv, "core.gender,gender_1,Male,core.q4,q4_1,Yes,1651.000000000272,8255,794.10369793429,3952,") ||
		!strings.Contains(csv, ",core,w1;w2;w3;w4;w5,loc_1;loc_2;loc_3;loc_4;loc_5;loc_0,true,,\n") {
		t.Error(csv)
	}
}

// The query command answers the crosstab cases of figures.json.
func TestQueryGivesTheFigures(t *testing.T) {
	alone(t)
	db := store(t)
	text, err := os.ReadFile(filepath.Join(exampleA, "figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var doc struct {
		Cases []struct {
			Name, Endpoint   string
			Rows, Columns    []json.RawMessage
			Base             json.RawMessage
			Waves, Locations []string
			Cells            [][]struct {
				Base, Intersect struct {
					Size, Percentage, Index float64
					Sample                  int64
				}
			}
		}
	}
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, c := range doc.Cases {
		if c.Endpoint != "crosstab" {
			continue
		}
		wrap := func(xs []json.RawMessage) (out []map[string]any) {
			for _, x := range xs {
				out = append(out, map[string]any{"expression": x})
			}
			return out
		}
		body, err := json.Marshal(map[string]any{"rows": wrap(c.Rows), "columns": wrap(c.Columns),
			"base_audience": map[string]any{"expression": c.Base}, "waves": c.Waves, "locations": c.Locations})
		if err != nil {
			t.Fatal(err)
		}
		code, out, errs := run(t, string(body), "query", "--db", db, "/v2/query/crosstab", "-")
		if code != 0 {
			t.Fatal(c.Name, out, errs)
		}
		for i, line := range strings.Split(strings.TrimSpace(out), "\n") {
			want := c.Cells[i/len(c.Columns)][i%len(c.Columns)]
			got := want
			if err := json.Unmarshal([]byte(line), &got); err != nil {
				t.Fatal(err)
			}
			near := func(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(a) }
			if got.Base.Sample != want.Base.Sample || got.Intersect.Sample != want.Intersect.Sample ||
				!near(want.Base.Size, got.Base.Size) ||
				!near(want.Intersect.Size, got.Intersect.Size) || !near(want.Intersect.Percentage,
				got.Intersect.Percentage) || !near(want.Intersect.Index, got.Intersect.Index) {
				t.Errorf("%s, cell %d: %+v, want %+v", c.Name, i, got, want)
			}
			checked++
		}
	}
	if checked < 10 {
		t.Errorf("only %d cells were checked", checked)
	}
}

func TestKeys(t *testing.T) {
	alone(t)
	db := store(t)
	secret := ok(t, "key", "create", "--db", db, "--name", "test", "--user", "7", "--questions", "gender,q4")
	if !regexp.MustCompile(`^crosswave_[A-Za-z0-9_-]{43}\n$`).MatchString(secret) {
		t.Fatalf("create prints %q, not the key alone", secret)
	}
	if file, err := os.ReadFile(db); err != nil || bytes.Contains(file, []byte(strings.TrimSpace(secret))) {
		t.Error("the secret is in the store", err)
	}
	if list := ok(t, "key", "list", "--db", db); !strings.Contains(list, "test") ||
		!strings.Contains(list, "questions gender,q4") || strings.Contains(list, "crosswave_") {
		t.Error(list)
	}
	ok(t, "key", "create", "--db", db, "--min-sample", "30")
	if list := ok(t, "key", "list", "--db", db); !strings.Contains(list, "min sample 30") {
		t.Error(list)
	}
	second := ok(t, "key", "rotate", "--db", db, "1", "--keep", "1d")
	third := ok(t, "key", "rotate", "--db", db, "1", "--keep", "90m")
	if second == secret || third == second || len(third) != len(secret) {
		t.Errorf("rotated to %q and %q", second, third)
	}
	kept := time.Now().UTC().Add(24 * time.Hour).Format(time.DateOnly)
	list := ok(t, "key", "list", "--db", db)
	if first := strings.Split(list, "\n")[1]; !strings.Contains(first, "valid, an old secret to "+kept) ||
		!strings.Contains(first, "questions gender,q4") || !strings.Contains(first, "  –  ") {
		t.Error(list)
	}
	ok(t, "key", "rotate", "--db", db, "1")
	if list := ok(t, "key", "list", "--db", db); strings.Contains(list, "old secret") {
		t.Error(list)
	}
	ok(t, "key", "revoke", "--db", db, "1")
	if list := ok(t, "key", "list", "--db", db); !strings.Contains(list, "revoked") {
		t.Error(list)
	}
	if code, out, errs := run(t, "", "key", "rotate", "--db", db, "1"); code != 1 || out != "" ||
		!strings.Contains(errs, "revoked") {
		t.Errorf("exit %d: %s%s", code, out, errs)
	}
}

// A user is any text, and has a number on the wire.
func TestUsers(t *testing.T) {
	alone(t)
	db := store(t)
	ok(t, "key", "create", "--db", db, "--user", "auth0|abc")
	if list := ok(t, "key", "list", "--db", db); !strings.Contains(list, "auth0|abc") {
		t.Error(list)
	}
	for user, number := range map[string]string{"auth0|abc": "1000000000000", "77": "77"} {
		if me := ok(t, "query", "--db", db, "--user", user, "/v1/me"); !strings.Contains(me, `"user_id":`+number+",") {
			t.Errorf("%s is %s", user, me)
		}
	}
}

func TestWaveRemove(t *testing.T) {
	alone(t)
	db := store(t)
	ok(t, "wave", "remove", "--db", db, "w1", "w2")
	if out := ok(t, "inspect", "--db", db); strings.Contains(out, "w2 ") || !strings.Contains(out, "w3 ") {
		t.Error(out)
	}
	ok(t, "import", "--db", db, "--append", "--codebook", filepath.Join(exampleA, "codebook.json"), part(t, "1", "2"))
	ok(t, "import", "--db", db, "--replace-wave", "w1", "--codebook", filepath.Join(exampleA, "codebook.json"),
		part(t, "1"))
	if again, whole := ok(t, "crosstab", "--db", db, "--rows", "gender", "--columns", "q9", "--format", "ndjson"),
		ok(t, "crosstab", "--db", store(t), "--rows", "gender", "--columns", "q9", "--format", "ndjson"); again != whole {
		t.Error("after removing, appending and replacing the figures are others")
	}
}

// part is example-a cut to some waves.
func part(t testing.TB, waves ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(exampleA, "data.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	column := -1
	for i, name := range strings.Split(rows[0], ",") {
		if strings.TrimSpace(name) == "Wave" {
			column = i
		}
	}
	kept := rows[:1:1]
	for _, r := range rows[1:] {
		for _, w := range waves {
			if strings.Split(r, ",")[column] == w {
				kept = append(kept, r)
			}
		}
	}
	file := filepath.Join(t.TempDir(), "part.csv")
	if err := os.WriteFile(file, []byte(strings.Join(kept, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// A server answers with a key, sees an import made by another process at its next request, and drains when it is told
// to end.
func TestServe(t *testing.T) {
	db := store(t)
	secret := strings.TrimSpace(ok(t, "key", "create", "--db", db))
	ctx, stop := context.WithCancel(t.Context())
	lines := make(chan string, 16)
	done := make(chan int, 1)
	go func() {
		done <- Main{Stdin: strings.NewReader(""), Stdout: &bytes.Buffer{}, Stderr: sink(lines)}.Run(ctx,
			[]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--base-path", "/x"})
	}()
	var base string
	select {
	case line := <-lines:
		base = strings.TrimSpace(line[strings.Index(line, "http://"):])
	case code := <-done:
		t.Fatal("serve ended with ", code)
	}
	get := func(method, path, body string) (int, string) {
		r, err := http.NewRequest(method, base+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", secret)
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer w.Body.Close()
		var b bytes.Buffer
		b.ReadFrom(w.Body)
		return w.StatusCode, b.String()
	}
	const everyone = `{"waves": ["w1"]}`
	if code, body := get("GET", "/readyz", ""); code != 200 {
		t.Error(code, body)
	}
	if code, body := get("GET", "/", ""); code != 200 || !strings.HasPrefix(body, "<!DOCTYPE html>") {
		t.Error(code, body)
	}
	if code, body := get("POST", "/v2/query/crosstab", everyone); code != 200 || !strings.Contains(body, `"sample":1621`) {
		t.Error(code, body)
	}
	ok(t, "wave", "remove", "--db", db, "w1")
	if code, body := get("POST", "/v2/query/crosstab", everyone); code != 403 {
		t.Error(code, body)
	}
	stop()
	select {
	case code := <-done:
		if code != 0 {
			t.Error("exit", code)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the server does not end")
	}
	used := regexp.MustCompile(`  \d{4}-\d\d-\d\d \d\dh  valid`)
	if list := ok(t, "key", "list", "--db", db); !used.MatchString(list) {
		t.Errorf("the key was used, and the list is\n%s", list)
	}
}

// sink is a writer that passes on what it is given.
type sink chan string

func (s sink) Write(b []byte) (int, error) {
	s <- string(b)
	return len(b), nil
}

// The README shows what the demo prints.
func TestReadmeShowsTheDemo(t *testing.T) {
	alone(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	code, out, errs := run(t, "", "demo", "--once")
	if code != 0 {
		t.Fatal(out, errs)
	}
	_, rest, found := strings.Cut(string(readme), "$ go run ./cmd/crosswave demo\n")
	shown, _, end := strings.Cut(rest, "…\n```")
	if !found || !end || len(shown) < 500 || !strings.HasPrefix(out, shown) {
		t.Errorf("the README shows\n%s\nand the demo prints\n%s", shown, out)
	}
	_, covers, _ := strings.Cut(out, "\nCovers ")
	if covers = "Covers " + strings.TrimSpace(covers); !strings.Contains(strings.Join(strings.Fields(string(readme)), " "),
		"`"+covers+"`") {
		t.Errorf("the README does not show the end of what the demo prints: %s", covers)
	}
}

// alone leaves a test out of the short ones, as run under the race detector, that has one command after the other read
// and write whole surveys.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("commands over whole surveys take long, one after the other")
	}
}
