package httpapi_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the answers that come into the scripts")

// ragged is a store of the survey in testdata/ragged: three namespaces, a late location, an item asked in one place, a
// reworded question; with some insights.
func ragged(t testing.TB) *sqlite.Store { return raggedAt(t, sqlite.Memory) }

func raggedAt(t testing.TB, path string) *sqlite.Store { return storeOf(t, "testdata/ragged", path) }

// storeOf is a store at a path with the survey of a folder.
func storeOf(t testing.TB, folder, path string) *sqlite.Store {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "codebook.json"))
	if err != nil {
		t.Fatal(err)
	}
	codebook, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	table, err := csv.Open(filepath.Join(folder, "data.csv"), csv.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer table.Close()
	source, err := survey.NewSource(table, codebook, 0)
	if err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), path, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := survey.Import(t.Context(), source, db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	if text, err = os.ReadFile(filepath.Join(folder, "insights.json")); err != nil {
		t.Fatal(err)
	}
	published, err := insights.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.PutInsights(t.Context(), published, false); err != nil {
		t.Fatal(err)
	}
	return db
}

// contended is a store in which changes to audiences named Contended never get through, as another one always comes
// between.
type contended struct{ *sqlite.Store }

func (c contended) ReplaceSaved(ctx context.Context, a saved.Audience, version int64) (saved.Audience, error) {
	if a.Name == "Contended" {
		return saved.Audience{}, saved.ErrConflict
	}
	return c.Store.ReplaceSaved(ctx, a, version)
}

func (c contended) DeleteSaved(ctx context.Context, id string, version int64) error {
	if a, err := c.Saved(ctx, id); err == nil && a.Name == "Contended" {
		return saved.ErrConflict
	}
	return c.Store.DeleteSaved(ctx, id, version)
}

// clock is a clock that starts at noon of 1 January 2025 and moves on by a second whenever it is looked at.
func clock() func() time.Time {
	at := time.Date(2025, 1, 1, 11, 59, 59, 0, time.UTC)
	return func() time.Time {
		at = at.Add(time.Second)
		return at
	}
}

// ids counts UUIDs up: 00000000-0000-4000-8000-000000000001 is the first.
func ids() func() string {
	n := 0
	return func() string {
		n++
		return fmt.Sprintf("00000000-0000-4000-8000-%012d", n)
	}
}

var star = []string{"*"}

// callers are the keys that scripts send.
var callers = map[string]httpapi.Caller{
	"full":    {User: "1", Grant: audience.All()},
	"other":   {User: "2", Grant: audience.All()},
	"nothing": {User: "3"},
	"no east": {User: "5", Grant: audience.Grant{Namespaces: star, Questions: star, Datapoints: star, Waves: star,
		Locations: []string{"north", "south"}}},
	"only shop": {User: "6", Grant: audience.Grant{Namespaces: []string{"shop"}, Questions: star, Datapoints: star,
		Waves: star, Locations: star}},
	"only diary": {User: "7", Grant: audience.Grant{Namespaces: []string{"diary"}, Questions: star, Datapoints: star,
		Waves: star, Locations: star}},
	// pairs may use everything, but is told of no single respondent.
	"pairs": {User: "8", Grant: audience.Grant{Namespaces: star, Questions: star, Datapoints: star, Waves: star,
		Locations: star, MinSample: 2}},
	// limited may not use wave w1, location east, namespace diary, the question mood and the datapoint b2 of brands.
	"limited": {User: "4", Grant: audience.Grant{
		Namespaces: []string{"core", "shop"}, Questions: []string{"gender", "age", "brands", "use", "mood_old", "visit"},
		Datapoints: []string{"gender:*", "age:*", "brands:b1", "brands:b3", "use:*", "mood_old:*", "visit:*"},
		Locations:  []string{"north", "south"}, Waves: []string{"w2"}}},
}

func authorize(_ context.Context, key string) (httpapi.Caller, error) {
	if c, ok := callers[key]; ok {
		return c, nil
	}
	if key == "broken" {
		return httpapi.Caller{}, fmt.Errorf("the key file is on fire")
	}
	return httpapi.Caller{}, fmt.Errorf("no such key: %w", audience.ErrNotFound)
}

// TestScripts runs the scripts in testdata: requests and their answers, whole. A step "ask METHOD PATH KEY
// [Header:value …]" has the body beneath it, the step "answer STATUS CONTENT-TYPE" after it the response's. With
// -update the answers are rewritten from what came; read the difference then.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.http")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".http"), func(t *testing.T) { runScript(t, file) })
	}
}

func runScript(t *testing.T, file string) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := script.Parse(filepath.Base(file), string(text))
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: contended{ragged(t)}, Authorize: authorize,
		Log: slog.New(slog.DiscardHandler), Now: clock(), NewID: ids(),
		Limits: httpapi.Limits{Body: 32 << 10, Rows: 8, Columns: 8, Cells: 40, Running: 2, RunningEach: 1}})
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for i := len(s.Steps) - 2; i >= 0; i -= 2 { // answers are rewritten from the end, so that line numbers stay good
		if a, b := s.Steps[i].Words()[0], s.Steps[i+1].Words()[0]; a != "ask" || b != "answer" {
			t.Fatalf("%s:%d: ask and answer take turns", file, s.Steps[i].Number)
		}
	}
	var answers []string
	for i := 0; i+1 < len(s.Steps); i += 2 {
		ask, answer := s.Steps[i], s.Steps[i+1]
		got := send(t, api, ask)
		answers = append(answers, got)
		want := answer.Text + "\n" + joined(answer.Lines)
		if d := cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")); d != "" && !*update {
			t.Errorf("%s:%d: %s\n%s", file, ask.Number, ask.Text, d)
		}
	}
	if *update {
		rewrite(t, file, lines, s, answers)
	}
}

func send(t *testing.T, api http.Handler, ask script.Step) string {
	words := ask.Words()
	r := httptest.NewRequest(words[1], words[2], strings.NewReader(joined(ask.Lines)))
	if words[3] != "-" {
		r.Header.Set("Authorization", words[3])
	}
	for _, h := range words[4:] {
		name, value, _ := strings.Cut(h, ":")
		r.Header.Set(name, strings.ReplaceAll(value, "_", " "))
	}
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	checkContract(t, r, w)
	head := strings.TrimSpace("answer " + strconv.Itoa(w.Code) + " " + w.Header().Get("Content-Type"))
	for _, name := range []string{"X-Cell-Count", "Allow", "ETag", "Location", "Data-Version"} {
		if v := w.Header().Get(name); v != "" {
			head += " " + name + ":" + v
		}
	}
	return head + "\n" + strings.TrimSpace(strings.ReplaceAll(w.Body.String(), "\x1e", "<RS>"))
}

func joined(lines script.Lines) string {
	var texts []string
	for _, l := range lines {
		texts = append(texts, l.Text)
	}
	return strings.Join(texts, "\n")
}

// rewrite puts the answers that came into the script.
func rewrite(t *testing.T, file string, lines []string, s *script.Script, answers []string) {
	for i := len(answers) - 1; i >= 0; i-- {
		step := s.Steps[2*i+1]
		first, last := step.Number-1, step.Number
		if n := len(step.Lines); n > 0 {
			last = step.Lines[n-1].Number
		}
		got := strings.Split(strings.TrimSpace(answers[i]), "\n")
		for k := range got[1:] {
			got[k+1] = "  " + got[k+1]
		}
		lines = slices.Replace(lines, first, last, got...)
	}
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
}

func post(t testing.TB, api http.Handler, path, key, body string) *httptest.ResponseRecorder {
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, path, bytes.NewReader([]byte(body)))
	r.Header.Set("Authorization", key)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	checkContract(t, r, w)
	return w
}

// alone leaves a test of one request after the other to the usual tests: the race detector, run with -short, finds
// nothing in it.
func alone(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("one request after the other takes long under the race detector, which finds nothing there")
	}
}
