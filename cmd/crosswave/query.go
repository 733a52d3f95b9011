package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"os"
	"strings"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/saved"
)

type queryCommand struct {
	database
	distributed
	readOnly
	threaded
	Method string `short:"X" placeholder:"METHOD" help:"GET, or POST where there is a body, unless given."`
	User   string `default:"1" help:"The user to answer as."`
	Path   string `arg:"" help:"The endpoint, for example /v2/query/crosstab."`
	Body   string `arg:"" optional:"" help:"The file that holds the request's body, or - for standard input."`
}

func (c *queryCommand) Run(ctx context.Context, m Main) error {
	if !strings.HasPrefix(c.Path, "/") {
		return usage("the path %q begins with no slash: write it like /v2/query/crosstab", c.Path)
	}
	if err := saved.CheckUser(c.User); err != nil {
		return usage("--%v", err)
	}
	var body []byte
	var err error
	method := http.MethodGet
	switch c.Body {
	case "":
	case "-":
		method = http.MethodPost
		body, err = io.ReadAll(m.Stdin)
	default:
		method = http.MethodPost
		body, err = os.ReadFile(c.Body)
	}
	if err != nil {
		return err
	}
	if c.Method != "" {
		method = c.Method
	}
	db, err := c.openWith(ctx, c.DB, c.threaded.config(), m)
	if err != nil {
		return err
	}
	defer db.Close()
	config := httpapi.Config{Store: db, Authorize: fullAccess(c.User),
		Log: slog.New(slog.NewTextHandler(m.Stderr, nil)), Limits: httpapi.Limits{QueryTime: -1}}
	shards, err := c.with(ctx, db)
	if err != nil {
		return err
	}
	if shards != nil {
		defer shards.Close()
		config.Counter = shards
	}
	api, err := httpapi.New(config)
	if err != nil {
		return err
	}
	status, err := answer(ctx, api, method, c.Path, body, m.Stdout)
	if err != nil {
		return err
	}
	if status >= 400 {
		return errAnswered
	}
	return nil
}

// asServer writes what the server answers to a request at an endpoint, of the stores in config, to somebody who may use
// everything, however large and slow it is. The response's body goes to out as it comes.
func asServer(ctx context.Context, config httpapi.Config, path string, request any, log, out io.Writer) error {
	body, err := json.Marshal(request)
	if err != nil {
		return err
	}
	config.Authorize, config.Log = fullAccess(us), slog.New(slog.NewTextHandler(log, nil))
	config.Limits = httpapi.Limits{Body: -1, Rows: -1, Columns: -1, Cells: -1, Response: -1, QueryTime: -1}
	api, err := httpapi.New(config)
	if err != nil {
		return err
	}
	status, err := answer(ctx, api, http.MethodPost, path, body, out)
	if err == nil && status != http.StatusOK {
		err = errAnswered
	}
	return err
}

// answer sends a request to a handler in this process, the response's body going to out as it comes.
func answer(ctx context.Context, api http.Handler, method, path string, body []byte, out io.Writer) (status int,
	err error) {
	r, err := http.NewRequestWithContext(ctx, method, path, bytes.NewReader(body))
	if err != nil {
		return 0, usageError{err}
	}
	w := &response{header: http.Header{}, out: out, status: http.StatusOK}
	defer func() {
		if cut := recover(); cut != nil {
			if cut != http.ErrAbortHandler {
				panic(cut)
			}
			err = w.err
		}
	}()
	api.ServeHTTP(w, r)
	return w.status, w.err
}

// response is an http.ResponseWriter onto a stream.
type response struct {
	header http.Header
	status int
	out    io.Writer
	err    error
}

func (w *response) Header() http.Header    { return w.header }
func (w *response) WriteHeader(status int) { w.status = status }
func (w *response) Write(b []byte) (int, error) {
	n, err := w.out.Write(b)
	if err != nil {
		w.err = err
	}
	return n, err
}
