package httpapi_test

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/httpapi"
)

// full is what is told to a user who has saved as many audiences as a user may.
const full = `{"code":403,"err":"a user may save at most 5 audiences: delete some that are not needed any more",` +
	`"type":"quota_exceeded"}`

// saving sends requests for saved audiences and returns the answers.
func saving(t *testing.T, l httpapi.Limits) func(method, path, key, body string) *httptest.ResponseRecorder {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Limits: l, NewID: ids(),
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return func(method, path, key, body string) *httptest.ResponseRecorder {
		r := httptest.NewRequestWithContext(t.Context(), method, "/v2/saved/audiences"+path, strings.NewReader(body))
		r.Header.Set("Authorization", key)
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		checkContract(t, r, w)
		return w
	}
}

// women is a new audience of some name.
func women(name string) string {
	return fmt.Sprintf(`{"name": %q, "expression": {"question": "gender", "datapoints": ["f"]}}`, name)
}

// A user saves as many audiences as there is room for, and more once one is deleted; others have room of their own.
func TestQuotaOfAudiences(t *testing.T) {
	ask := saving(t, httpapi.Limits{SavedAudiences: 5})
	for i := range 5 {
		if w := ask("POST", "", "full", women(fmt.Sprint("n", i))); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	if w := ask("POST", "", "full", women("one more")); w.Code != http.StatusForbidden || w.Body.String() != full+"\n" {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	const first = "/00000000-0000-4000-8000-000000000001"
	for _, c := range []struct {
		method, path, key, body string
		want                    int
	}{
		{"PATCH", first, "full", `{"name": "a longer name than before"}`, 200},
		{"POST", "", "other", women("another's"), 201},
		{"DELETE", first, "full", "", 204},
		{"POST", "", "full", women("one more"), 201},
		{"POST", "", "full", women("two more"), 403},
	} {
		if w := ask(c.method, c.path, c.key, c.body); w.Code != c.want {
			t.Errorf("%s %s: %d %s", c.method, c.path, w.Code, w.Body)
		}
	}
}

// Bytes are those of all audiences of a user. What becomes smaller always may, what grows only while there is room.
func TestQuotaOfBytes(t *testing.T) {
	ask := saving(t, httpapi.Limits{SavedBytes: 470})
	long := strings.Repeat("n", 200)
	for i, want := range []int{201, 403, 201} {
		w := ask("POST", "", "full", women(long[:200-99*(i/2)]))
		if w.Code != want {
			t.Fatal(i, w.Code, w.Body)
		}
		if text := "at most 470 bytes of audiences"; want == 403 && !strings.Contains(w.Body.String(), text) {
			t.Error(w.Body)
		}
	}
	const first = "/00000000-0000-4000-8000-000000000001"
	for _, c := range []struct {
		length, want int
	}{{255, 403}, {10, 200}, {190, 200}} {
		w := ask("PATCH", first, "full", fmt.Sprintf(`{"name": %q}`, strings.Repeat("m", c.length)))
		if w.Code != c.want {
			t.Errorf("a name of %d: %d %s", c.length, w.Code, w.Body)
		}
	}
}

// Pages of a list are parts of the whole of it, and tell how much there is.
func TestSavedPages(t *testing.T) {
	ask := saving(t, httpapi.Limits{})
	for i := range 7 {
		ask("POST", "", "full", women(fmt.Sprint("n", i)))
	}
	for _, c := range []struct{ query, want string }{
		{"", "7 n0 n1 n2 n3 n4 n5 n6"}, {"?limit=2", "7 n0 n1"}, {"?limit=2&offset=5", "7 n5 n6"},
		{"?limit=1000&offset=6", "7 n6"}, {"?offset=7", "7"}, {"?offset=2147483647&limit=1", "7"}, {"?offset=0&limit=7",
			"7 n0 n1 n2 n3 n4 n5 n6"},
		{"?limit=0", "limit: the parameter is given once, as a whole number from 1 to 1000"},
		{"?limit=1001", "limit: the parameter is given once, as a whole number from 1 to 1000"},
		{"?limit=1&limit=2", "limit: the parameter is given once, as a whole number from 1 to 1000"},
		{"?offset=-1", "offset: the parameter is given once, as a whole number from 0 to 2147483647"},
		{"?offset=many", "offset: the parameter is given once, as a whole number from 0 to 2147483647"},
	} {
		w := ask("GET", c.query, "full", "")
		var list struct {
			Err  string
			Meta struct{ Total int }
			Data []struct{ Name string }
		}
		if err := json.Unmarshal(w.Body.Bytes(), &list); err != nil {
			t.Fatal(err)
		}
		got := list.Err
		if w.Code == http.StatusOK {
			got = fmt.Sprint(list.Meta.Total)
			for _, a := range list.Data {
				got += " " + a.Name
			}
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %d\n%s", c.query, w.Code, d)
		}
	}
}

// What a user may run into is told by /v1/me: null where there is no limit, and of running queries the lower of two.
func TestMeTellsLimits(t *testing.T) {
	none := httpapi.Limits{Body: -1, Rows: -1, Columns: -1, Cells: -1, Response: -1, Nodes: -1, Levels: -1,
		QueryTime: -1, SavedAudiences: -1, SavedBytes: -1, DerivedQuestions: -1, DerivedBytes: -1, Running: -1,
		RunningEach: -1, Waiting: -1, Wait: -1}
	fewer := none
	fewer.Running, fewer.RunningEach, fewer.Wait, fewer.SavedBytes = 2, 5, 1500*time.Millisecond, 1000
	fewer.DerivedQuestions = 7
	for _, c := range []struct {
		limits httpapi.Limits
		want   string
	}{
		{none, `{"body_bytes":null,"rows":null,"columns":null,"cells":null,"response_bytes":null,"nodes":null,` +
			`"levels":null,"query_seconds":null,"running":null,"waiting":null,"wait_seconds":null},` +
			`"quotas":{"requests":null,"saved_audiences":null,"saved_bytes":null,"derived_questions":null,` +
			`"derived_bytes":null}`},
		{fewer, `{"body_bytes":null,"rows":null,"columns":null,"cells":null,"response_bytes":null,"nodes":null,` +
			`"levels":null,"query_seconds":null,"running":2,"waiting":null,"wait_seconds":1.5},` +
			`"quotas":{"requests":null,"saved_audiences":null,"saved_bytes":{"limit":1000,"left":1000},` +
			`"derived_questions":{"limit":7,"left":7},"derived_bytes":null}`},
	} {
		api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: authorize, Limits: c.limits,
			Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/v1/me", nil)
		r.Header.Set("Authorization", "full")
		w := httptest.NewRecorder()
		api.ServeHTTP(w, r)
		checkContract(t, r, w)
		if !strings.Contains(w.Body.String(), c.want) {
			t.Errorf("%s\nwant %s", w.Body, c.want)
		}
	}
}
