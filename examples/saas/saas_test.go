package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// service is the whole program on a database and a survey that stay when it is stopped.
type service struct {
	t        *testing.T
	postgres *postgres
	survey   string
	db       *sql.DB
	server   *httptest.Server
	stop     func()
}

// newService makes the two tenants of the demo, each with the account of an administrator and acme with one more.
func newService(t *testing.T) *service {
	s := &service{t: t, postgres: startPostgres(t), survey: filepath.Join(t.TempDir(), "survey.db")}
	db := open(t, s.postgres)
	for _, tenant := range demoTenants() {
		if err := tenant.create(t.Context(), db, "admin@example.com", tenant.id+"'s secret"); err != nil {
			t.Fatal(err)
		}
	}
	if err := (&accounts{db}).create(t.Context(), "acme", "eve@acme.example", "eve's secret"); err != nil {
		t.Fatal(err)
	}
	s.start()
	t.Cleanup(func() { s.stop() })
	return s
}

func (s *service) start() {
	s.t.Helper()
	db, err := openDatabase(s.t.Context(), s.postgres.dsn())
	if err != nil {
		s.t.Fatal(err)
	}
	respondents, err := openSurvey(s.t.Context(), s.survey)
	if err != nil {
		s.t.Fatal(err)
	}
	handler, err := newHandler(s.t.Context(), db, respondents, slog.New(slog.DiscardHandler))
	if err != nil {
		s.t.Fatal(err)
	}
	s.db, s.server = db, httptest.NewServer(handler)
	s.stop = func() {
		s.server.Close()
		db.Close()
		respondents.Close()
	}
}

// ask sends a request, a POST if there is a body, and wants a status; it returns the answer.
func (s *service) ask(status int, token, path, body string) string {
	s.t.Helper()
	method := http.MethodGet
	if body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(s.t.Context(), method, s.server.URL+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+token)
	w, err := s.server.Client().Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil || w.StatusCode != status {
		s.t.Errorf("%s %s: %d instead of %d, %s (%v)", method, path, w.StatusCode, status, text, err)
	}
	return string(text)
}

func (s *service) login(tenant, email, password string) (token string) {
	s.t.Helper()
	body := fmt.Sprintf(`{"email": %q, "password": %q}`, email, password)
	var got struct {
		Token   string
		Expires time.Time
	}
	if err := json.Unmarshal([]byte(s.ask(http.StatusOK, "", "/"+tenant+"/login", body)), &got); err != nil ||
		got.Token == "" || got.Expires.Before(time.Now().Add(sessionTime/2)) {
		s.t.Fatal(got, err)
	}
	return got.Token
}

// holds tells whether an answer has a text in it, or has not.
func (s *service) holds(answer, text string, want bool) {
	s.t.Helper()
	if strings.Contains(answer, text) != want {
		s.t.Errorf("%q in %s: %v instead of %v", text, answer, !want, want)
	}
}

const women = `{"name": "Women of %s", "expression": {"question": "gender", "datapoints": ["gender_1"]}, "shared": true}`

func TestLogin(t *testing.T) {
	s := newService(t)
	for _, c := range []struct{ tenant, email, password string }{
		{"acme", "admin@example.com", "bolt's secret"}, // the other tenant's
		{"acme", "admin@example.com", "acme's Secret"},
		{"acme", "admin@example.com", ""},
		{"acme", "Admin@example.com", "acme's secret"},
		{"acme", "nobody@example.com", ""},
		{"bolt", "eve@acme.example", "eve's secret"},
		{"nobody", "admin@example.com", "acme's secret"},
	} {
		body := fmt.Sprintf(`{"email": %q, "password": %q}`, c.email, c.password)
		s.holds(s.ask(http.StatusUnauthorized, "", "/"+c.tenant+"/login", body), errNoAccount.Error(), true)
	}
	s.ask(http.StatusBadRequest, "", "/acme/login", "me")
	for _, token := range []string{"", "acme's secret", "' OR true --"} {
		s.ask(http.StatusUnauthorized, token, "/acme/api/v1/me", "")
	}

	token := s.login("acme", "admin@example.com", "acme's secret")
	s.ask(http.StatusOK, token, "/acme/api/v1/me", "")
	s.ask(http.StatusUnauthorized, token, "/bolt/api/v1/me", "")
	s.ask(http.StatusNoContent, token, "/acme/logout", "{}")
	s.ask(http.StatusUnauthorized, token, "/acme/api/v1/me", "")

	token = s.login("acme", "admin@example.com", "acme's secret")
	if _, err := s.db.ExecContext(t.Context(), `UPDATE session SET expires = now()`); err != nil {
		t.Fatal(err)
	}
	s.ask(http.StatusUnauthorized, token, "/acme/api/v1/me", "")
}

// What a database holds tells neither passwords nor tokens, and two who have one password have two hashes.
func TestSecretsAreNotKept(t *testing.T) {
	s := newService(t)
	as := &accounts{s.db}
	if err := as.create(t.Context(), "acme", "twin@acme.example", "eve's secret"); err != nil {
		t.Fatal(err)
	}
	token := s.login("acme", "eve@acme.example", "eve's secret")
	var twins, kept int
	if err := s.db.QueryRowContext(t.Context(), `SELECT
		(SELECT count(DISTINCT hash) FROM account WHERE email IN ('twin@acme.example', 'eve@acme.example')),
		(SELECT count(*) FROM account a, session s WHERE position($1 IN a.hash || a.salt) > 0 OR position($2 IN s.hash) > 0)`,
		[]byte("eve's secret"), []byte(token)).Scan(&twins, &kept); err != nil || twins != 2 || kept != 0 {
		t.Error(twins, kept, err)
	}
}

// Tenants see neither what the others may not use nor what the others keep, be it shared; a tenant's people see what is
// shared among them.
func TestTenants(t *testing.T) {
	s := newService(t)
	acme := s.login("acme", "admin@example.com", "acme's secret")
	eve := s.login("acme", "eve@acme.example", "eve's secret")
	bolt := s.login("bolt", "admin@example.com", "bolt's secret")

	income := `{"audiences": {"row": {"expression": {"question": "income"}}}%s}`
	s.ask(http.StatusOK, acme, "/acme/api/v2/query/intersection", fmt.Sprintf(income, `, "locations": ["s2_44"]`))
	s.holds(s.ask(http.StatusForbidden, acme, "/acme/api/v2/query/intersection", fmt.Sprintf(income,
		`, "locations": ["s2_49"]`)), `"locations":["s2_49"]`, true)
	s.holds(s.ask(http.StatusForbidden, bolt, "/bolt/api/v2/query/intersection", fmt.Sprintf(income, "")), `"income"`,
		true)
	gender := strings.Replace(income, "income", "gender", 1)
	s.ask(http.StatusOK, bolt, "/bolt/api/v2/query/intersection", fmt.Sprintf(gender, `, "locations": ["s2_49"]`))

	made := s.ask(http.StatusCreated, acme, "/acme/api/v2/saved/audiences", fmt.Sprintf(women, "acme"))
	s.holds(made, `"v1_id":1,"user_id":1000000000000,`, true)
	var audience struct{ ID string }
	if err := json.Unmarshal([]byte(made), &audience); err != nil {
		t.Fatal(err)
	}
	one := "/v2/saved/audiences/" + audience.ID
	s.holds(s.ask(http.StatusOK, eve, "/acme/api"+one, ""), "Women of acme", true)
	s.ask(http.StatusNotFound, bolt, "/bolt/api"+one, "")
	s.ask(http.StatusUnauthorized, bolt, "/acme/api"+one, "")
	s.holds(s.ask(http.StatusOK, bolt, "/bolt/api/v2/saved/audiences", ""), `"total":0`, true)
	s.ask(http.StatusBadRequest, bolt, "/bolt/api/v2/query/intersection",
		fmt.Sprintf(`{"audiences": {"row": {"id": %q}}}`, audience.ID))

	made = s.ask(http.StatusCreated, bolt, "/bolt/api/v2/saved/audiences", fmt.Sprintf(women, "bolt"))
	s.holds(made, `"v1_id":1,"user_id":1000000000000,`, true)
	list := s.ask(http.StatusOK, eve, "/acme/api/v2/saved/audiences", "")
	s.holds(list, "Women of acme", true)
	s.holds(list, "Women of bolt", false)
}

// What was acknowledged is there after all has been stopped and started, with the same number of its user; so are
// sessions.
func TestRestart(t *testing.T) {
	s := newService(t)
	token := s.login("acme", "eve@acme.example", "eve's secret")
	s.ask(http.StatusOK, token, "/acme/api/v1/me", "")
	made := s.ask(http.StatusCreated, token, "/acme/api/v2/saved/audiences", fmt.Sprintf(women, "eve"))
	var audience struct{ ID string }
	if err := json.Unmarshal([]byte(made), &audience); err != nil {
		t.Fatal(err)
	}
	s.stop()
	s.postgres.stop()
	s.postgres.start(t)
	s.start()
	if got := s.ask(http.StatusOK, token, "/acme/api/v2/saved/audiences/"+audience.ID, ""); got != made {
		t.Errorf("%s is now %s", made, got)
	}
	counted := s.ask(http.StatusOK, token, "/acme/api/v2/query/intersection",
		fmt.Sprintf(`{"audiences": {"row": {"id": %q}}, "locations": ["s2_44"]}`, audience.ID))
	s.holds(counted, `"sample":`, true)
}
