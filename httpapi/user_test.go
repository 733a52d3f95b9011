package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/saved"
	"github.com/crosswave/crosswave/store/sqlite"
)

// asUser takes the key of a request for its user.
func asUser(_ context.Context, key string) (httpapi.Caller, error) {
	return httpapi.Caller{User: strings.TrimPrefix(key, "no"), Grant: audience.All()}, nil
}

func get(t *testing.T, api http.Handler, path, key string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, path, nil)
	r.Header.Set("Authorization", key)
	w := httptest.NewRecorder()
	api.ServeHTTP(w, r)
	checkContract(t, r, w)
	return w
}

// userID asks for the caller's number.
func userID(t *testing.T, api http.Handler, user string) int64 {
	t.Helper()
	w := get(t, api, "/v1/me", user)
	var me struct {
		UserID *int64 `json:"user_id"`
	}
	if err := json.Unmarshal(w.Body.Bytes(), &me); err != nil || w.Code != http.StatusOK || me.UserID == nil {
		t.Fatal(user, w.Code, w.Body)
	}
	return *me.UserID
}

// Rule saved-users: whoever a user is, the wire shows a number, the same with their audiences and after a restart. Who
// has none, in a store that can only be read, has 0.
func TestUsers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	serve := func(db *sqlite.Store) http.Handler {
		api, err := httpapi.New(httpapi.Config{Store: db, Authorize: asUser, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			t.Fatal(err)
		}
		return api
	}
	db := raggedAt(t, path)
	api := serve(db)
	const alice = saved.FirstUserNumber
	for user, want := range map[string]int64{"alice@example.com": alice, "8": 8} {
		body := fmt.Sprintf(`{"name": "Mine", "expression": {"question": "gender"}, "shared": %v}`,
			user == "8")
		if w := post(t, api, "/v2/saved/audiences", user, body); w.Code != http.StatusCreated ||
			!strings.Contains(w.Body.String(), fmt.Sprintf(`"user_id":%d,`, want)) {
			t.Error(user, w.Code, w.Body)
		}
	}
	list := get(t, api, "/v2/saved/audiences", "alice@example.com").Body.String()
	if !strings.Contains(list, `"user_id":1000000000000,`) || !strings.Contains(list, `"user_id":8,`) {
		t.Error("alice sees", list)
	}
	if list := get(t, api, "/v2/saved/audiences", "8").Body.String(); strings.Contains(list, `"user_id":1000000000000,`) {
		t.Error("8 sees", list)
	}
	for user, want := range map[string]int64{"alice@example.com": alice, "8": 8, "auth0|abc": alice + 1, "77": 77} {
		if got := userID(t, api, user); got != want {
			t.Errorf("%s has the number %d, want %d", user, got, want)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	db, err := sqlite.Open(t.Context(), path, sqlite.Config{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	api = serve(db)
	for user, want := range map[string]int64{"alice@example.com": alice, "auth0|abc": alice + 1, "9": 9, "bob": 0} {
		if got := userID(t, api, user); got != want {
			t.Errorf("%s has the number %d where nothing can be written, want %d", user, got, want)
		}
	}
}

// A Caller whose user can be none is a fault of Authorize: who asks is told nothing, the log what it is.
func TestCallersWithoutUser(t *testing.T) {
	for user, want := range map[string]string{
		"no":         "the Caller from Config.Authorize: user: a user has an id: any text that is not empty",
		"no\xffuser": "the id of a user is UTF-8",
	} {
		var log bytes.Buffer
		api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: asUser,
			Log: slog.New(slog.NewTextHandler(&log, nil))})
		if err != nil {
			t.Fatal(err)
		}
		if w := get(t, api, "/v1/me", user); w.Code != http.StatusInternalServerError || !strings.Contains(log.String(),
			want) || strings.Contains(w.Body.String(), "Authorize") {
			t.Errorf("%q: %d %s %s", user, w.Code, w.Body, log.String())
		}
	}
}

// Users who differ in a byte have rates of their own.
func TestRateByUser(t *testing.T) {
	api, err := httpapi.New(httpapi.Config{Store: ragged(t), Authorize: asUser, Limits: httpapi.Limits{Rate: 1},
		Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		user string
		want int
	}{{"alice", 200}, {"Alice", 200}, {"alice", 429}, {"8", 200}, {"08", 200}, {"Alice", 429}} {
		if w := get(t, api, "/v1/me", step.user); w.Code != step.want {
			t.Errorf("%s: %d, want %d", step.user, w.Code, step.want)
		}
	}
}
