package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/store/sqlite"
)

const (
	connections = 64
	manyFor     = 5 * time.Second
)

// many has 64 connections ask small questions, one after the other each, and notes how many are answered in a second
// and how long an answer takes: questions that are mostly asked once, and one that all ask, over and over.
func (b *bench) many(ctx context.Context) error {
	if !b.wanted("many") {
		return nil
	}
	db, err := sqlite.Open(ctx, b.path, b.config(slices.Max(b.threads)))
	if err != nil {
		return err
	}
	defer db.Close()
	url, stop, err := serve(db, 64<<20)
	if err != nil {
		return err
	}
	defer stop()
	f, err := db.Frame(ctx)
	if err != nil {
		return err
	}
	mixed := func(r *rand.Rand) ([]byte, error) {
		rows, columns := r.IntN(3), r.IntN(3)
		for columns == rows {
			columns = r.IntN(3)
		}
		sizes := [][2]int{{1, 1}, {1, 5}, {3, 4}, {8, 2}}
		size := sizes[r.IntN(len(sizes))]
		return crosstabBody(f, some(r, b.data.sides[rows].options, size[0]),
			some(r, b.data.sides[columns].options, size[1]))
	}
	same, err := crosstabBody(f, b.data.sides[0].options[:8], b.data.sides[3].options[:5])
	if err != nil {
		return err
	}
	for _, ask := range []struct {
		what string
		body func(*rand.Rand) ([]byte, error)
	}{
		{"mixed small questions", mixed},
		{"one question, asked by all", func(*rand.Rand) ([]byte, error) { return same, nil }},
	} {
		found, err := askMany(url, ask.body)
		if err != nil {
			return err
		}
		b.report.note("%d connections, %s, %d respondents: %.0f requests/s, half within %.2f ms, 99 %% within %.2f ms",
			connections, ask.what, b.n, float64(len(found))/manyFor.Seconds(), milliseconds(found[len(found)/2]),
			milliseconds(found[len(found)*99/100]))
	}
	return nil
}

// some are n of the options.
func some(r *rand.Rand, options []audience.Expr, n int) []audience.Expr {
	first := r.IntN(len(options) - n + 1)
	return options[first : first+n]
}

// askMany asks over many connections and returns how long each answer took, ascending.
func askMany(url string, body func(*rand.Rand) ([]byte, error)) ([]time.Duration, error) {
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
	defer client.CloseIdleConnections()
	var all sync.WaitGroup
	var failed atomic.Pointer[error]
	took := make([][]time.Duration, connections)
	until := time.Now().Add(manyFor)
	for i := range connections {
		all.Go(func() {
			r := rand.New(rand.NewPCG(uint64(i), 0))
			for time.Now().Before(until) && failed.Load() == nil {
				asked, err := body(r)
				begun := time.Now()
				if err == nil {
					err = post(client, url, asked)
				}
				if err != nil {
					failed.Store(&err)
					return
				}
				took[i] = append(took[i], time.Since(begun))
			}
		})
	}
	all.Wait()
	if err := failed.Load(); err != nil {
		return nil, *err
	}
	return slices.Sorted(slices.Values(slices.Concat(took...))), nil
}

func post(client *http.Client, url string, body []byte) error {
	answer, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if n, err := io.Copy(io.Discard, answer.Body); err != nil || n == 0 || answer.StatusCode != 200 {
		return fmt.Errorf("status %d and %d bytes: %v", answer.StatusCode, n, err)
	}
	return nil
}

// serve has a store answer crosstabs at a URL, with so many bytes for answers that are kept.
func serve(db *sqlite.Store, results int64) (url string, stop func() error, err error) {
	api, err := httpapi.New(httpapi.Config{Store: db, Log: slog.New(slog.DiscardHandler), ResultCache: results,
		Authorize: func(context.Context, string) (httpapi.Caller, error) {
			return httpapi.Caller{User: "1", Grant: audience.All()}, nil
		}})
	if err != nil {
		return "", nil, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", nil, err
	}
	server := &http.Server{Handler: api}
	go server.Serve(listener)
	return "http://" + listener.Addr().String() + "/v2/query/crosstab", server.Close, nil
}

// crosstabBody is the request for a crosstab over all waves.
func crosstabBody(f *audience.Frame, rows, columns []audience.Expr) ([]byte, error) {
	type wrapper struct {
		Expression json.RawMessage `json:"expression"`
	}
	wrap := func(xs []audience.Expr) (ws []wrapper) {
		for _, x := range xs {
			ws = append(ws, wrapper{audience.Print(x)})
		}
		return ws
	}
	var waves []string
	for _, w := range f.Waves {
		waves = append(waves, w.Code)
	}
	return json.Marshal(map[string]any{"rows": wrap(rows), "columns": wrap(columns), "waves": waves})
}
