// Command saas is a service for several tenants: people log in with an address and a password, each tenant may use
// parts of one survey, and keeps audiences of its own. Respondents are in an embedded store, all else in PostgreSQL.
//
// It is a module of its own, so that what it needs of PostgreSQL is nobody else's.
package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

//go:embed schema.sql
var schema string

func main() {
	addr := flag.String("addr", "127.0.0.1:8091", "where to serve")
	database := flag.String("database", "", "PostgreSQL: postgres://… or host=… user=… dbname=…")
	file := flag.String("survey", "survey.db", "the survey's store; a generated survey is put in if it is empty")
	demo := flag.Bool("demo", false, "make two tenants, each with an account, and print their passwords")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *addr, *database, *file, *demo); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr, database, file string, demo bool) error {
	db, err := openDatabase(ctx, database)
	if err != nil {
		return err
	}
	defer db.Close()
	respondents, err := openSurvey(ctx, file)
	if err != nil {
		return err
	}
	defer respondents.Close()
	if demo {
		for _, t := range demoTenants() {
			password := rand.Text()
			if err := t.create(ctx, db, "admin@"+t.id+".example", password); err != nil {
				return err
			}
			fmt.Printf("tenant %s: admin@%[1]s.example has the password %s\n", t.id, password)
		}
	}
	handler, err := newHandler(ctx, db, respondents, slog.Default())
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return err
	}
	fmt.Printf("serving on http://%s\n", listener.Addr())
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	drained := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		drained <- server.Shutdown(last)
	}()
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-drained
}

// openDatabase opens PostgreSQL, and makes the tables that are not there.
func openDatabase(ctx context.Context, dsn string) (*sql.DB, error) {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	return db, nil
}

// openSurvey opens the store of the survey, and puts a generated one into it if there is none.
func openSurvey(ctx context.Context, file string) (*sqlite.Store, error) {
	st, err := sqlite.Open(ctx, file, sqlite.Config{})
	if err != nil {
		return nil, err
	}
	f, err := st.Frame(ctx)
	if err == nil && f.Version == 0 {
		_, err = survey.Import(ctx, demo.New(demo.Config{Respondents: 6000}), st, survey.Options{})
	}
	if err != nil {
		return nil, errors.Join(err, st.Close())
	}
	return st, nil
}

// tenant is who pays, and what all of its people may use.
type tenant struct {
	id    string // part of a path
	grant audience.Grant
}

// demoTenants are one that may use the whole questionnaire in one market, and one that may use three questions in all.
func demoTenants() []tenant {
	acme, bolt := audience.All(), audience.All()
	acme.Locations = []string{"s2_44"}
	bolt.Questions = []string{"gender", "age", "education"}
	return []tenant{{"acme", acme}, {"bolt", bolt}}
}

// create makes a tenant, if there is none of the name, with an account.
func (t tenant) create(ctx context.Context, db *sql.DB, email, password string) error {
	allowed, err := json.Marshal(t.grant)
	if err != nil {
		return err
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO tenant (id, allowed) VALUES ($1, $2) ON CONFLICT DO NOTHING`, t.id,
		string(allowed)); err != nil {
		return err
	}
	return (&accounts{db}).create(ctx, t.id, email, password)
}

// newHandler is the whole service: a login for all tenants and, for each that there is when it starts, the interface at
// /{tenant}/api over the one survey and the tenant's own audiences.
func newHandler(ctx context.Context, db *sql.DB, respondents *sqlite.Store, log *slog.Logger) (http.Handler, error) {
	people := &accounts{db}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /{tenant}/login", people.handleLogin)
	mux.HandleFunc("POST /{tenant}/logout", people.handleLogout)
	rows, err := db.QueryContext(ctx, `SELECT id FROM tenant ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		api, err := httpapi.New(httpapi.Config{
			Framer: respondents, Counter: respondents, Insights: respondents, Saved: &shelf{db, id},
			BasePath: "/" + id + "/api",
			Authorize: func(ctx context.Context, token string) (httpapi.Caller, error) {
				email, grant, err := people.session(ctx, id, token)
				return httpapi.Caller{User: email, Grant: grant}, err
			},
			Ready:  db.PingContext,
			Limits: httpapi.Limits{Rate: 50, QueryTime: 10 * time.Second},
			Log:    log,
		})
		if err != nil {
			return nil, err
		}
		mux.Handle("/"+id+"/api/", api)
	}
	return mux, rows.Err()
}
