package httpapi_test

import (
	"encoding/csv"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

// marker stands in everything that is the other user's alone or outside the limited grant, and in no request.
const marker = "SECRET"

// world is a service over one survey and what users keep there.
type world struct {
	db    *sqlite.Store
	api   http.Handler
	other []saved.Audience // of the other user, in the beginning
}

// newWorld makes a service whose other user, 2, keeps private audiences in folders with ids that begin with a digit,
// and shares one. The generic insight that the limited grant hides has an id that ends in it.
func newWorld(t *testing.T, folder, digit, hidden string) *world {
	t.Helper()
	w := &world{db: storeOf(t, folder, sqlite.Memory)}
	for i := range 3 {
		w.keep(t, privateID(digit, i), marker+" "+digit, privateID(digit, 9-i%2), false)
	}
	w.keep(t, sharedID, "For all to read", saved.NoFolder, true)
	w.derive(t, "theirs_"+digit)
	published, err := insights.Read([]byte(strings.ReplaceAll(`{"generic": [
		{"id": "hidden-HIDDEN", "text": "SECRET moods", "origins": {"attributes": [{"attribute_key": {"question_code": "mood",
			"datapoint_code": "good"}}], "waves": ["w2"]}},
		{"id": "theirs", "text": "SECRET a", "origins": {"attributes": [{"attribute_key": {"question_code": "gender",
			"datapoint_code": "f"}}], "audiences": [{"id": "`+privateID("a", 0)+`"}], "waves": ["w2"]}},
		{"id": "shared", "text": "Of an audience that is shared.", "origins": {"attributes": [{"attribute_key":
			{"question_code": "gender", "datapoint_code": "f"}}], "audiences": [{"id": "`+sharedID+`"}],
			"locations": ["north"], "waves": ["w2"]}}]}`, "HIDDEN", hidden)))
	if err != nil {
		t.Fatal(err)
	}
	if err := w.db.PutInsights(t.Context(), published, false); err != nil {
		t.Fatal(err)
	}
	w.other = w.ofOther(t)
	w.api, err = httpapi.New(httpapi.Config{Store: w.db, Authorize: authorize, Log: slog.New(slog.DiscardHandler),
		Now: clock(), NewID: ids(), Limits: httpapi.Limits{Rows: 8, Columns: 8, Cells: 40, SavedAudiences: 40}})
	if err != nil {
		t.Fatal(err)
	}
	return w
}

const sharedID = "cccccccc-0000-4000-8000-000000000000"

func privateID(digit string, n int) string {
	return strings.Repeat(digit, 8) + fmt.Sprintf("-0000-4000-8000-%012d", n)
}

// keep saves an audience of the other user.
func (w *world) keep(t *testing.T, id, name, folder string, shared bool) {
	t.Helper()
	text := `{"question":"gender","datapoints":["f"]}`
	x, err := audience.Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	now := clock()()
	if _, err := w.db.InsertSaved(t.Context(), saved.Audience{ID: id, User: "2", Name: name, Description: name,
		Expression: saved.Expression{JSON: []byte(text), Expr: x}, Datasets: []string{}, Flags: []string{},
		FolderID: folder, Shared: shared, Created: now, Updated: now, Version: 1}); err != nil {
		t.Fatal(err)
	}
}

// derive defines a question of the other user. Its code is one that no request gives to a question: that a code is
// taken is told to everybody.
func (w *world) derive(t *testing.T, code string) {
	t.Helper()
	frame, err := w.db.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	name := marker + " " + code
	datapoints := []derived.Datapoint{{Code: "x", Name: name, Expr: audience.Answers{Question: "gender", Min: 1,
		Datapoints: []string{"f"}}}}
	if _, err := derived.Create(t.Context(), w.db, derived.Options{Frame: frame, Now: clock()()}, "2", derived.Patch{
		Code: &code, Name: &name, Datapoints: &datapoints}); err != nil {
		t.Fatal(err)
	}
}

// ofOther are the audiences of the other user.
func (w *world) ofOther(t *testing.T) []saved.Audience {
	t.Helper()
	list, err := w.db.SavedFor(t.Context(), "2")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(a saved.Audience) bool { return a.User != "2" })
}

// changedOutside writes the ragged survey with other answers and weights wherever the limited grant does not reach:
// everything in wave w1 and in the east, and moods, the second brand and the diary everywhere.
func changedOutside(t *testing.T) (folder string) {
	t.Helper()
	folder = t.TempDir()
	for _, name := range []string{"codebook.json", "insights.json", "data.csv"} {
		data, err := os.ReadFile(filepath.Join("testdata/ragged", name))
		if err != nil {
			t.Fatal(err)
		}
		if name == "data.csv" {
			data = changeOutside(t, string(data))
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func changeOutside(t *testing.T, text string) []byte {
	t.Helper()
	rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	others := map[string]string{"m": "f", "f": "m", "0": "1", "1": "0", "good": "bad", "bad": "good", "yes": "no",
		"no": "yes", "s1": "s2", "s2": "s1", "s1;s2": "s1"}
	changed := 0
	for _, row := range rows[1:] {
		for i, name := range rows[0] {
			outside := row[1] == "1" || row[2] == "E" || slices.Contains([]string{"b2", "mood", "read", "diary_weight"}, name)
			if !outside || row[i] == "" || i < 3 {
				continue
			}
			switch was := row[i]; {
			case strings.HasSuffix(name, "weight"):
				row[i] = "7"
			case name == "age":
				row[i] = map[bool]string{true: "99", false: "17"}[was < "50"]
			case name == "tv" || name == "phone":
				row[i] = map[bool]string{true: "2", false: "1"}[was == "1"]
			default:
				row[i] = others[was]
			}
			changed++
		}
	}
	if changed < 70 {
		t.Fatalf("only %d values are others", changed)
	}
	var b strings.Builder
	if err := csv.NewWriter(&b).WriteAll(rows); err != nil {
		t.Fatal(err)
	}
	return []byte(b.String())
}

// TestKeptApart: nobody is told anything of what is another user's or outside of the key's grant. The same requests go
// to three services. In the second the other user keeps other things; in the third there are, besides, other answers,
// other weights and another insight outside of what the limited key grants. Every request that the contract knows of is
// made up at random, with ids and codes of all of them, and some are spoilt. A caller must get the same bytes wherever
// what they may see is the same; so what may not be seen is answered as what does not exist. No answer has the marker,
// none is 5xx, all are as the contract has them, and the other user's audiences stay what they are.
func TestKeptApart(t *testing.T) {
	doc, err := closed()
	if err != nil {
		t.Fatal(err)
	}
	first := newWorld(t, "testdata/ragged", "a", "a")
	second := newWorld(t, "testdata/ragged", "b", "a")
	third := newWorld(t, changedOutside(t), "b", "b")
	const seed = 20261122
	rnd := rand.New(rand.NewPCG(seed, 7))
	made := &maker{Rand: rnd, doc: doc}
	good := map[string]int{}
	told := 0 // requests of those who may see it to whom the difference is told
	requests := testsize.Of(40, 2000, 20_000)
	for n := range requests {
		key := []string{"limited", "limited", "full", "pairs"}[rnd.IntN(4)]
		ask := made.request()
		got := [3]*httptest.ResponseRecorder{}
		for i, w := range []*world{first, second, third} {
			got[i] = ask.send(w.api, key)
		}
		if got[0].Code < 300 {
			good[key+" "+ask.op]++
		}
		same := got[1]
		if key == "limited" {
			same = got[2]
		} else if allOf(got[0]) != allOf(got[2]) {
			told++
		}
		where := fmt.Sprintf("seed %d, request %d by %s: %s", seed, n, key, ask)
		if d := cmp.Diff(allOf(got[0]), allOf(same)); d != "" {
			t.Fatalf("%s\nwhat may not be seen makes a difference:\n%s", where, d)
		}
		if got[0].Code >= 500 {
			t.Fatalf("%s\nanswers %d %s", where, got[0].Code, got[0].Body)
		}
		if key == "limited" && strings.Contains(got[0].Body.String(), marker) ||
			strings.Contains(got[0].Body.String(), marker+" a") {
			t.Fatalf("%s\ntells %s", where, got[0].Body)
		}
		if err := violation(ask.method, ask.path, got[0].Code, got[0].Header(), got[0].Body.Bytes()); err != nil {
			t.Fatalf("%s\nis not answered as the document has it: %v\n%s", where, err, got[0].Body)
		}
	}
	for i, w := range []*world{first, second, third} {
		if d := cmp.Diff(w.other, w.ofOther(t), cmp.AllowUnexported(saved.Expression{})); d != "" {
			t.Errorf("service %d: the other user's audiences are not what they were\n%s", i, d)
		}
	}
	for name := range operations(doc) {
		if n := good["limited "+name] + good["full "+name]; n == 0 && requests >= 2000 {
			t.Errorf("of %d requests none of %s was answered", requests, name)
		}
	}
	if told < requests/50-1 {
		t.Errorf("whoever may see the difference was told of it %d times", told)
	}
	t.Logf("seed %d: %d requests, of which %d were answered, %d of them to others otherwise",
		seed, requests, total(good), told)
}

func total(counts map[string]int) (n int) {
	for _, c := range counts {
		n += c
	}
	return n
}

// allOf is all that a client is told.
func allOf(w *httptest.ResponseRecorder) string {
	var b strings.Builder
	fmt.Fprintln(&b, w.Code)
	w.Header().Write(&b)
	return b.String() + w.Body.String()
}
