package httpapi_test

import (
	"context"
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

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

// keyHolders are those who send every request of the access scripts: the columns of the matrix.
var keyHolders = []string{"full", "no-key", "bad-key", "revoked", "expired",
	"without-namespace", "without-question", "without-datapoint", "without-location", "without-wave", "without-all"}

// withheld is the grant of a holder: all but the namespace diary, the question mood, the datapoint b2 of brands, the
// location east, the wave w1, or all of these.
func withheld(holder string) audience.Grant {
	g := audience.All()
	kind := strings.TrimPrefix(holder, "without-")
	if kind == "namespace" || kind == "all" {
		g.Namespaces = []string{"core", "shop"}
	}
	if kind == "question" || kind == "all" {
		g.Questions = []string{"gender", "age", "brands", "use", "mood_old", "visit", "read"}
	}
	if kind == "datapoint" || kind == "all" {
		g.Datapoints = []string{"gender:*", "age:*", "brands:b1", "brands:b3", "use:*", "mood_old:*", "mood:*",
			"visit:*", "read:*"}
	}
	if kind == "location" || kind == "all" {
		g.Locations = []string{"north", "south"}
	}
	if kind == "wave" || kind == "all" {
		g.Waves = []string{"w2"}
	}
	return g
}

// gate is a store with keys for all holders, and a handler over it.
type gate struct {
	api     http.Handler
	secrets map[string]string
	derives bool // the caller, and another user who shares it, have a derived question
}

// Saved audiences of the access scripts: one of the caller, one that another user shares. Both use all that is withheld
// from someone.
const (
	ownAudience    = "00000000-0000-4000-8000-00000000aaaa"
	sharedAudience = "00000000-0000-4000-8000-00000000bbbb"
	withheldCodes  = `{"or":[{"question":"mood","datapoints":["good"]},{"question":"brands","datapoints":["b2"]},{"question":"diary.read","datapoints":["yes"]},` +
		`{"question":"locations","datapoints":["east"]},{"question":"waves","datapoints":["w1"]}]}`
)

// ofCore is what is withheld from someone, but for that of a namespace which no respondent of another has part in.
const ofCore = `{"or":[{"question":"mood","datapoints":["good"]},{"question":"brands","datapoints":["b2"]},` +
	`{"question":"locations","datapoints":["east"]},{"question":"waves","datapoints":["w1"]}]}`

func newGate(t *testing.T, derives bool) *gate {
	t.Helper()
	db := ragged(t)
	text, err := os.ReadFile("testdata/access/insights.json")
	if err != nil {
		t.Fatal(err)
	}
	published, err := insights.Read(text)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.PutInsights(t.Context(), published, true); err != nil {
		t.Fatal(err)
	}
	noon := time.Date(2025, 1, 1, 12, 0, 0, 0, time.UTC)
	config := httpapi.Config{Store: db, Log: slog.New(slog.DiscardHandler), Now: func() time.Time { return noon },
		NewID: ids(), Limits: httpapi.Limits{Running: 2, RunningEach: 1},
		Authorize: func(ctx context.Context, secret string) (httpapi.Caller, error) {
			key, err := db.Authorize(ctx, secret)
			return httpapi.Caller{User: key.User, Grant: key.Grant}, err
		}}
	g := &gate{derives: derives, secrets: map[string]string{"bad-key": "crosswave_bad"}}
	if g.api, err = httpapi.New(config); err != nil {
		t.Fatal(err)
	}
	x, err := audience.Parse([]byte(withheldCodes))
	if err != nil {
		t.Fatal(err)
	}
	at := noon.Add(-time.Hour)
	for i, id := range []string{ownAudience, sharedAudience} {
		a := saved.Audience{ID: id, User: strconv.Itoa(i + 1), Name: "All of it", Description: "Those with any of it",
			Expression: saved.Expression{JSON: []byte(withheldCodes), Expr: x},
			Datasets:   []string{}, Flags: []string{}, FolderID: saved.NoFolder, Shared: i > 0, Created: at, Updated: at,
			Version: 1}
		if _, err := db.InsertSaved(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	for i, code := range []string{"of_all", "of_another"} {
		q := derived.Question{Code: code, Namespace: "core", Name: "All of it", User: strconv.Itoa(i + 1), Shared: i > 0,
			Created: at, Updated: at, Version: 1, Datapoints: []derived.Datapoint{{Code: "any", JSON: []byte(ofCore)}}}
		if q.Datapoints[0].Expr, err = audience.Parse([]byte(ofCore)); err != nil {
			t.Fatal(err)
		}
		if !derives {
			break
		}
		if err := db.InsertDerived(t.Context(), q); err != nil {
			t.Fatal(err)
		}
	}
	for _, holder := range keyHolders {
		if holder == "no-key" || holder == "bad-key" {
			continue
		}
		key := sqlite.Key{Name: holder, User: "1", Grant: withheld(holder)}
		if holder == "expired" {
			key.Expires = time.Now().Add(-time.Second)
		}
		key, secret, err := db.CreateKey(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		if holder == "revoked" {
			if err := db.RevokeKey(t.Context(), key.ID); err != nil {
				t.Fatal(err)
			}
		}
		g.secrets[holder] = secret
	}
	return g
}

// TestAccess runs the scripts in testdata/access: every endpoint is asked with every kind of key. A step "ask METHOD
// PATH" has the body beneath it; the steps "answer STATUS HOLDER …" that follow have the body that these holders of
// keys get, and name all of them. Each holder lacks one thing: see withheld.
func TestAccess(t *testing.T) {
	if testing.Short() {
		t.Skip("every endpoint is asked by every holder, one after the other, which takes long under the race detector")
	}
	files, err := filepath.Glob("testdata/access/*.http")
	if err != nil {
		t.Fatal(err)
	}
	asked := matrix{}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".http"), func(t *testing.T) { runAccess(t, file, asked) })
	}
	for _, r := range httpapi.Routes() {
		holders := asked[r.Method+" "+r.Path]
		switch {
		case holders == nil:
			t.Errorf("nobody asked %s %s: say in testdata/access what it answers to whom", r.Method, r.Path)
		case !holders["full"]:
			t.Errorf("%s %s answers nobody: let a key that grants everything do something", r.Method, r.Path)
		}
		for _, holder := range keyHolders[1:] {
			switch keyless := !strings.HasPrefix(holder, "without-"); {
			case keyless && !r.Open && holders[holder+" refused"] && !holders[holder]:
			case keyless && r.Open && holders[holder]:
			case !keyless && (r.Shape == "record" || holders[holder+" refused"]):
				// records say what is accessible, all else is refused
			default:
				t.Errorf("%s %s: %s is not refused, or not served, as it should be", r.Method, r.Path, holder)
			}
		}
	}
}

// matrix notes for each endpoint which holders were served ("full") and which were refused ("full refused") at least
// once.
type matrix map[string]map[string]bool

// note enters the answers to one request.
func (m matrix) note(r httpapi.Route, answers string) {
	name := r.Method + " " + r.Path
	if m[name] == nil {
		m[name] = map[string]bool{}
	}
	for line := range strings.SplitSeq(answers, "\n") {
		words := strings.Fields(line)
		if words[0] != "answer" {
			continue
		}
		for _, holder := range words[2:] {
			if words[1] >= "400" {
				holder += " refused"
			}
			m[name][holder] = true
		}
	}
}

func runAccess(t *testing.T, file string, asked matrix) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s, err := script.Parse(filepath.Base(file), string(text))
	if err != nil {
		t.Fatal(err)
	}
	out := strings.Split(string(text), "\n")
	g := newGate(t, strings.HasSuffix(file, "derived.http"))
	for end := len(s.Steps); end > 0; { // answers are rewritten from the end, so that line numbers stay good
		i := end - 1
		for i > 0 && s.Steps[i].Words()[0] != "ask" {
			i--
		}
		ask, want := s.Steps[i], s.Steps[i+1:end]
		end = i
		words := ask.Words()
		got := g.answers(t, words[1], words[2], joined(ask.Lines))
		for _, r := range httpapi.Routes() {
			if r.Method == words[1] && matches(r.Path, words[2]) {
				asked.note(r, got)
			}
		}
		if *update {
			first := ask.Number
			if n := len(ask.Lines); n > 0 {
				first = ask.Lines[n-1].Number
			}
			last := first
			for _, w := range want {
				last = w.Number
				if n := len(w.Lines); n > 0 {
					last = w.Lines[n-1].Number
				}
			}
			out = slices.Replace(out, first, last, strings.Split(got, "\n")...)
			continue
		}
		var lines []string
		for _, w := range want {
			lines = append(lines, w.Text)
			for _, l := range w.Lines {
				lines = append(lines, "  "+l.Text)
			}
		}
		if d := cmp.Diff(lines, strings.Split(got, "\n")); d != "" {
			t.Errorf("%s:%d: %s\n%s", file, ask.Number, ask.Text, d)
		}
	}
	if *update {
		if err := os.WriteFile(file, []byte(strings.Join(out, "\n")), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// matches tells whether a path is one of a pattern with placeholders.
func matches(pattern, path string) bool {
	path, _, _ = strings.Cut(path, "?")
	return slices.EqualFunc(strings.Split(pattern, "/"), strings.Split(path, "/"), func(p, part string) bool {
		return p == part || strings.HasPrefix(p, "{") && part != "filter"
	})
}

// answers asks for all holders of keys and writes what they get, those together who get the same.
func (g *gate) answers(t *testing.T, method, path, body string) string {
	t.Helper()
	changes := (strings.HasPrefix(path, "/v2/saved") || strings.HasPrefix(path, "/v2/questions/derived")) &&
		method != http.MethodGet
	var order []string
	holders := map[string][]string{}
	for _, holder := range keyHolders {
		r := httptest.NewRequest(method, path, strings.NewReader(body))
		if secret := g.secrets[holder]; secret != "" {
			r.Header.Set("Authorization", secret)
		}
		w := httptest.NewRecorder()
		g.api.ServeHTTP(w, r)
		checkContract(t, r, w)
		if changes && w.Code < 400 { // the next one finds things as they were
			*g = *newGate(t, g.derives)
		}
		text := strings.TrimSpace(w.Body.String())
		if w.Code == http.StatusOK && (path == "/docs" || path == "/openapi.json") {
			text = "" // pages of their own tests
		}
		answer := strconv.Itoa(w.Code) + "\n" + text
		if holders[answer] == nil {
			order = append(order, answer)
		}
		holders[answer] = append(holders[answer], holder)
	}
	var lines []string
	for _, answer := range order {
		status, text, _ := strings.Cut(answer, "\n")
		lines = append(lines, "answer "+status+" "+strings.Join(holders[answer], " "))
		if text != "" {
			lines = append(lines, "  "+strings.ReplaceAll(text, "\n", "\n  "))
		}
	}
	return strings.Join(lines, "\n")
}
