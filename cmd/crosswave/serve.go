package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/compress"
	"github.com/crosswave/crosswave/httpapi/explorer"
	"github.com/crosswave/crosswave/store/sqlite"
)

type serveCommand struct {
	DB   string `name:"db" env:"CROSSWAVE_DB" placeholder:"FILE" help:"${servedb}"`
	File string `arg:"" optional:"" help:"${served}"`
	reading
	distributed
	readOnly
	watching
	limits
	threaded
	secured
	Addr        string        `default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"${address}"`
	BasePath    string        `placeholder:"/PATH" help:"Serve everything below this path."`
	Explorer    bool          `default:"true" negatable:"" help:"${explorer}"`
	CORSOrigin  []string      `name:"cors-origin" placeholder:"ORIGIN" help:"${origin}"`
	Cache       uint16        `default:"512" placeholder:"MIB" help:"${cache}"`
	Kernel      string        `placeholder:"NAME" help:"${kernel}"`
	ResultCache int64         `default:"64" placeholder:"MIB" help:"${resultcache}"`
	Drain       time.Duration `default:"30s" help:"How long requests under way may go on after SIGTERM."`
}

func (c *serveCommand) Run(ctx context.Context, m Main) error {
	if c.ClickHouse != "" && c.File != "" && !isStore(c.File) {
		return usage("a survey file is served from the store beside it; for respondents in ClickHouse, crosswave " +
			"import it first, and serve --db")
	}
	log := c.logger(m.Stderr)
	if c.Log == "json" {
		m.Stderr = &logLines{log: log}
	}
	db, secret, err := c.store(ctx, m)
	if err != nil {
		return err
	}
	defer db.Close()
	release, err := db.Release(ctx)
	if err != nil {
		return err
	}
	if release.Engine != nil && c.ClickHouse == "" {
		return errors.New("the store's respondents are in ClickHouse: name the servers with --clickhouse")
	}
	if release.Engine == nil && len(release.Facts) > 0 && c.ClickHouse != "" {
		return errors.New("the store has its respondents itself: serve it without --clickhouse, or move them first " +
			"with crosswave clickhouse copy")
	}
	if err := refuseOpenDoor(ctx, db, c.Addr); err != nil {
		return err
	}
	config := httpapi.Config{BasePath: c.BasePath, Origins: c.CORSOrigin, Log: log, Encoders: encoders(),
		Limits: c.ofRequests()}
	defer overlap()()
	shards, err := c.with(ctx, db)
	if err != nil {
		return err
	}
	counted := audience.Store(db)
	config.Ready = db.Ready
	if shards != nil {
		defer shards.Close()
		counted, config.Counter = audience.Pair(db, shards), shards
		config.Ready = func(ctx context.Context) error { return errors.Join(db.Ready(ctx), shards.Ready(ctx)) }
	}
	var results *audience.Memory
	if c.ResultCache > 0 { // here and not in httpapi, so that its use can be told
		results = audience.Remember(counted, c.ResultCache<<20)
		config.Counter = results
	}
	return c.answer(ctx, m, db, config, results, secret)
}

// answer listens, tells where, and answers until ctx ends.
func (c *serveCommand) answer(ctx context.Context, m Main, db *sqlite.Store, config httpapi.Config,
	results *audience.Memory, secret string) error {
	pages, err := c.observe(&config, db, results)
	if err != nil {
		return err
	}
	handler, err := handler(db, config)
	if err != nil {
		return usageError{err}
	}
	if c.Explorer {
		if handler, err = explorer.Handler(c.BasePath, handler); err != nil {
			return err
		}
	}
	if handler, err = compress.Handler(handler); err != nil {
		return err
	}
	listener, scheme, err := c.listen(c.Addr)
	if err != nil {
		return err
	}
	say := func(format string, args ...any) { c.say(m, config.Log, format, args...) }
	at := fmt.Sprintf("%s://%s%s", scheme, listener.Addr(), c.BasePath)
	if secret != "" && c.Explorer {
		fmt.Fprint(m.Stderr, explorerLink(at, secret))
	}
	say("serving %s on %s", db.Path(), at)
	if err := pages.listen(config.Log, say); err != nil {
		return errors.Join(err, listener.Close())
	}
	defer pages.Close()
	if secret != "" {
		if err := showFirstQuery(ctx, db, at, secret, m); err != nil {
			return err
		}
	}
	return serve(ctx, listener, handler, c.Drain, config.Log)
}

// explorerLink is where a browser opens the explorer, signed in. The key stands in the fragment, which browsers send to
// nobody.
func explorerLink(at, secret string) string {
	return fmt.Sprintf("explore it at %s/#key=%s\n", at, secret)
}

// refuseOpenDoor: a store without keys answers nobody, and a key made later would open it to the network at once; so
// one is made first.
func refuseOpenDoor(ctx context.Context, db *sqlite.Store, addr string) error {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return usage("--addr %q: %v", addr, err)
	}
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && ip.IsLoopback() {
		return nil
	}
	keys, err := db.ListKeys(ctx)
	if err != nil {
		return err
	}
	if len(keys) == 0 {
		return usage("--addr %s is reachable from other machines and the store has no key: make one first with "+
			"crosswave key create", addr)
	}
	return nil
}

// handler is the API over an embedded store, with its keys, otherwise as configured.
func handler(db *sqlite.Store, config httpapi.Config) (http.Handler, error) {
	config.Store = db
	config.Authorize = func(ctx context.Context, secret string) (httpapi.Caller, error) {
		key, err := db.Authorize(ctx, secret)
		return httpapi.Caller{User: key.User, Grant: key.Grant}, err
	}
	return httpapi.New(config)
}

// fullAccess is a way in without a key, for callers who hold the store anyway.
func fullAccess(user string) func(context.Context, string) (httpapi.Caller, error) {
	return func(context.Context, string) (httpapi.Caller, error) {
		return httpapi.Caller{User: user, Grant: audience.All()}, nil
	}
}

// serve answers until ctx ends, then lets requests under way finish.
func serve(ctx context.Context, listener net.Listener, handler http.Handler, drain time.Duration,
	log *slog.Logger) error {
	server := &http.Server{Handler: handler, ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute,
		IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError)}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return fmt.Errorf("not all requests under way could finish: %w", err)
	}
	if err := <-done; !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}
