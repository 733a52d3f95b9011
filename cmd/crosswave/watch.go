package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/pprof"
	"strings"
	"sync"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/metrics"
	"github.com/crosswave/crosswave/store/sqlite"
)

// watching is the flags of what is to be seen of a server from outside.
type watching struct {
	Log       string `default:"text" enum:"text,json" placeholder:"FORMAT" help:"${log}"`
	AccessLog bool   `help:"${accesslog}"`
	Metrics   string `placeholder:"HOST:PORT" help:"${metrics}"`
	Pprof     string `placeholder:"HOST:PORT" help:"${pprof}"`
}

// logger writes the log as is wanted.
func (w watching) logger(out io.Writer) *slog.Logger {
	if w.Log == "json" {
		return slog.New(slog.NewJSONHandler(out, nil))
	}
	return slog.New(slog.NewTextHandler(out, nil))
}

// logLines has each line that is written to it in the log, for what is else written for people.
type logLines struct {
	log  *slog.Logger
	mu   sync.Mutex
	rest []byte // of a line that has not ended
}

// Write logs the lines that end with what is written, but for empty ones.
func (l *logLines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.rest = append(l.rest, text...)
	for {
		end := bytes.IndexByte(l.rest, '\n')
		if end < 0 {
			return len(text), nil
		}
		if line := strings.TrimRight(string(l.rest[:end]), " \r"); line != "" {
			l.log.Info(line)
		}
		l.rest = l.rest[end+1:]
	}
}

// say tells whoever started the server something: in a line for people, or as JSON in the log if that is JSON.
func (w watching) say(m Main, log *slog.Logger, format string, args ...any) {
	if w.Log == "json" {
		log.Info(fmt.Sprintf(format, args...))
		return
	}
	fmt.Fprintf(m.Stderr, format+"\n", args...)
}

// observe has requests seen as the flags say, and returns the pages to serve beside them.
func (w watching) observe(config *httpapi.Config, db *sqlite.Store, results *audience.Memory) (*beside, error) {
	b := &beside{pages: map[string]*http.ServeMux{}}
	if w.AccessLog {
		config.Observers = append(config.Observers, accessLog(config.Log))
	}
	if w.Metrics != "" {
		config.Load = new(httpapi.Load)
		build := build()
		build.Kernel = db.Kernel()
		counted, err := metrics.New(metrics.Config{Store: db, Path: db.Path(), Results: results, Load: config.Load,
			Build: build, Log: config.Log})
		if err != nil {
			return nil, err
		}
		config.Observers = append(config.Observers, counted.Observe)
		b.add(w.Metrics, "metrics", "/metrics", counted.Handler())
	}
	if w.Pprof != "" {
		b.add(w.Pprof, "profiles", "/debug/pprof/", http.HandlerFunc(pprof.Index))
		for name, page := range map[string]http.HandlerFunc{"profile": pprof.Profile, "symbol": pprof.Symbol,
			"trace": pprof.Trace} { // and not cmdline: the command line may hold passwords
			b.pages[w.Pprof].Handle("/debug/pprof/"+name, page)
		}
		b.pages[w.Pprof].Handle("/debug/pprof/cmdline", http.NotFoundHandler())
	}
	return b, nil
}

// accessLog writes a line for each request that has ended. It has the path without its query, and nothing of the key or
// the body; a user is told where one is known.
func accessLog(log *slog.Logger) httpapi.Observer {
	return func(ctx context.Context, a httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
		return ctx, func(o httpapi.Outcome) {
			line := []any{"id", a.ID, "remote", a.Request.RemoteAddr, "method", a.Request.Method,
				"path", a.Request.URL.Path, "route", a.Route, "status", o.Status, "bytes", o.Bytes,
				"seconds", o.Took.Seconds()}
			if o.Caller.User != "" {
				line = append(line, "user", o.Caller.User)
			}
			if o.Cells > 0 {
				line = append(line, "cells", o.Cells)
			}
			if o.ErrorType != "" {
				line = append(line, "error_type", o.ErrorType)
			}
			if o.Cut {
				line = append(line, "cut", true)
			}
			log.Info("request", line...)
		}
	}
}

// beside are pages that are served on addresses of their own, for those who run the server.
type beside struct {
	pages   map[string]*http.ServeMux // by address
	order   []page
	servers []*http.Server
}

// page is what stands where.
type page struct{ address, what, path string }

// add adds a page at an address. Several may stand at one.
func (b *beside) add(address, what, path string, handler http.Handler) {
	if b.pages[address] == nil {
		b.pages[address] = http.NewServeMux()
	}
	b.pages[address].Handle(path, handler)
	b.order = append(b.order, page{address, what, path})
}

// listen serves the pages until they are closed, and tells each one where it stands.
func (b *beside) listen(log *slog.Logger, say func(format string, args ...any)) error {
	at := map[string]net.Addr{}
	for _, p := range b.order {
		if at[p.address] == nil {
			listener, err := net.Listen("tcp", p.address)
			if err != nil {
				return errors.Join(fmt.Errorf("%s: %w", p.what, err), b.Close())
			}
			at[p.address] = listener.Addr()
			server := &http.Server{Handler: b.pages[p.address], ReadHeaderTimeout: 10 * time.Second,
				ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelError)}
			b.servers = append(b.servers, server)
			go func() {
				if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
					log.Error("no more "+p.what, "error", err)
				}
			}()
		}
		say("%s on http://%s%s", p.what, at[p.address], p.path)
	}
	return nil
}

// Close ends all pages at once, also those that are being written.
func (b *beside) Close() error {
	var errs []error
	for _, s := range b.servers {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
