// Command server mounts Crosswave in a service of one's own: below a prefix of its mux, behind its middleware, and with
// its own customers in the place of a store's keys.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, "127.0.0.1:8090"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, addr string) error {
	// A generated survey, gone when the program ends; sqlite.Open("survey.db") is one that stays.
	db, err := sqlite.Open(ctx, sqlite.Memory, sqlite.Config{})
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := survey.Import(ctx, demo.New(demo.Config{Respondents: 6000}), db, survey.Options{}); err != nil {
		return err
	}
	handler, err := newHandler(db, slog.Default())
	if err != nil {
		return err
	}
	server := &http.Server{Addr: addr, Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute}
	drained := make(chan error, 1)
	go func() {
		<-ctx.Done()
		last, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
		defer cancel()
		drained <- server.Shutdown(last)
	}()
	fmt.Printf("serving on http://%s; the interface is at http://%[1]s/api/audiences/docs\n", addr)
	if err := server.ListenAndServe(); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return <-drained
}

// newHandler is the whole service: its own pages, and Crosswave at /api/audiences.
func newHandler(db *sqlite.Store, log *slog.Logger) (http.Handler, error) {
	audiences, err := httpapi.New(httpapi.Config{
		Store:     db,
		BasePath:  "/api/audiences",
		Authorize: authorize,
		Limits:    httpapi.Limits{Rate: 50, QueryTime: 10 * time.Second},
		Log:       log,
	})
	if err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "Our own front page.") })
	mux.Handle("/api/audiences/", audiences)
	return logged(log, mux), nil
}

// customer is somebody who pays for the data of some markets.
type customer struct {
	id      string
	markets []string
}

// authorize tells who sent a request; a real service would ask its database. An unknown key is audience.ErrNotFound,
// which becomes a 401.
func authorize(_ context.Context, key string) (httpapi.Caller, error) {
	customers := map[string]customer{
		"our-own-key":     {id: "seven@example.com", markets: []string{"*"}},
		"british-market":  {id: "eight@example.com", markets: []string{"s2_44"}},
		"european-market": {id: "nine@example.com", markets: []string{"s2_44", "s2_49", "s2_33"}},
	}
	c, ok := customers[key]
	if !ok {
		return httpapi.Caller{}, fmt.Errorf("no customer has that key: %w", audience.ErrNotFound)
	}
	grant := audience.All()
	grant.Locations = c.markets
	return httpapi.Caller{User: c.id, Grant: grant}, nil
}

// logged is middleware like any other.
func logged(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		begun := time.Now()
		next.ServeHTTP(w, r)
		log.Info("request", "method", r.Method, "path", r.URL.Path, "took", time.Since(begun))
	})
}
