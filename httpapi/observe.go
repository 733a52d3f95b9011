package httpapi

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
)

// Observer sees requests begin and end: for metrics, for tracing, for a log of accesses.
//
// It is called as a request begins, before anything of it was looked at, and returns the context that the request is
// answered in and a function to be called as it ends. The context is the one it was given or one made of it, with a
// span of its own, say: then whatever the store is asked for this request is asked within that span. Either may be nil:
// the context is left as it is; nobody wants to know of the end.
//
// The function is called exactly once, by the goroutine that serves the request: after the last byte was handed to the
// server, and just so if the handler panics, if a stream breaks off or if the client has gone away. Requests are served
// by many goroutines at once, so an Observer is called by many, too. One for a tracer might be
//
//	func(ctx context.Context, a httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
//		ctx, span := tracer.Start(parent(ctx, a.Request.Header), a.Method+" "+a.Route)
//		return ctx, func(o httpapi.Outcome) {
//			span.Set("status", o.Status, "cells", o.Cells, "error_type", o.ErrorType)
//			span.End()
//		}
//	}
type Observer func(context.Context, Arrival) (context.Context, func(Outcome))

// Arrival is a request as it begins.
type Arrival struct {
	// Route is the pattern that the path fits, as the OpenAPI document writes it and without Config.BasePath:
	// "/v3/insights/{id}". "" is a path where nothing is. There are as many as in the document and that one, so that a
	// Route can be a label of a metric; the path in Request can't.
	Route string
	// Method is the request's, or "other" where HTTP has no such method.
	Method string
	ID     string // the request id that the answer carries, in X-Request-Id
	Began  time.Time
	// Request is the request with its headers, which tell for example what trace it is part of. It is to be read only,
	// and its Body not at all.
	Request *http.Request
}

// Outcome is what became of a request.
type Outcome struct {
	// Status is the answer's, 500 if the handler panicked before it had one, and 499 if the client went away before it
	// had one; nobody got that.
	Status int
	Bytes  int64         // of the answer's body as it was written here, before something around it compresses it
	Took   time.Duration // from the begin of the request until its last byte was handed to the server
	Caller Caller        // who asked; the zero Caller without a valid key, or where none is needed
	Cells  int64         // rows × columns of all that was counted for it, or would have been but for the cache of results
	// ErrorType is the word for the error that the answer tells of, as the OpenAPI document has it (ErrorType), also
	// where the body of the answer has no place for it. "client_gone" is that the client went away before it had all of
	// the answer, as far as that was noticed. "" is no error.
	ErrorType string
	Err       error // the error with all that the client is not told; nil if there is none, or if the handler panicked
	Cut       bool  // the answer has begun and has no proper end, or there was none
}

// goneStatus stands for an answer that nobody waits for any more; several servers log it so.
const (
	goneStatus = 499
	goneType   = "client_gone"
)

// exchange is a request and its answer, in the place of the http.ResponseWriter. It notes what observers are told.
type exchange struct {
	http.ResponseWriter
	outcome Outcome
	call    *call // nil while the request has found no endpoint
	pace    *pace // which the client has to keep
	head    bool  // no body is sent, whatever is written
	lost    bool  // the connection does not take what is written
	slow    bool  // the client is there, but was too slow to send
}

// Unwrap is for http.ResponseController.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *exchange) WriteHeader(status int) {
	if x.outcome.Status == 0 && status >= 200 {
		x.outcome.Status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

func (x *exchange) Write(b []byte) (int, error) {
	if x.outcome.Status == 0 {
		x.outcome.Status = http.StatusOK
	}
	n, err := x.pace.writeSteps(x.ResponseWriter, b)
	if !x.head {
		x.outcome.Bytes += int64(n)
	}
	if err != nil && !errors.Is(err, http.ErrBodyNotAllowed) {
		x.lost = true
		x.note(goneType, err)
	}
	return n, err
}

// note keeps the first error.
func (x *exchange) note(kind string, err error) {
	if x.outcome.ErrorType == "" {
		x.outcome.ErrorType, x.outcome.Err = kind, err
	}
}

// gone tells whether the client of a request that failed has gone away. The context of a request ends with its
// connection; a limit of time that somebody has set around the handler ends it otherwise.
func (x *exchange) gone(r *http.Request) bool {
	return x.lost || !x.slow && errors.Is(r.Context().Err(), context.Canceled)
}

// told is the outcome. A handler that did not return has panicked, be it to break a stream off.
func (x *exchange) told(began time.Time, returned bool) Outcome {
	o := x.outcome
	o.Took = time.Since(began)
	o.Cut = x.lost || !returned
	if !returned {
		if o.ErrorType == "" {
			o.ErrorType = "internal"
		}
		if o.Status == 0 {
			o.Status = http.StatusInternalServerError
		}
	}
	if o.Status == 0 { // as the server makes it where nothing was written
		o.Status = http.StatusOK
	}
	if x.call != nil {
		o.Caller = x.call.caller
		if x.call.version != nil {
			o.Cells = x.call.version.cells.Load()
		}
	}
	return o
}

// observed gives each request its id and tells Config.Observers of it. The mux says which route it takes.
func (s *server) observed(mux *http.ServeMux, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		deadline := http.NewResponseController(w).SetWriteDeadline
		_ = deadline(time.Time{}) // that of an answer before, on the same connection; not all connections have any
		x := &exchange{ResponseWriter: w, head: r.Method == http.MethodHead, pace: newPace(s.Limits, deadline)}
		id := requestID(r)
		w.Header().Set(requestIDHeader, id)
		if len(s.Observers) == 0 {
			next.ServeHTTP(x, r)
			return
		}
		a := Arrival{Route: s.route(mux, r), Method: method(r), ID: id, Began: time.Now(), Request: r}
		ctx, returned := r.Context(), false
		for _, observe := range s.Observers {
			within, ended := observe(ctx, a)
			if within != nil {
				ctx = within
			}
			if ended != nil {
				defer func() { ended(x.told(a.Began, returned)) }()
			}
		}
		next.ServeHTTP(x, r.WithContext(ctx))
		returned = true
	})
}

// route is the pattern that a request's path fits.
func (s *server) route(mux *http.ServeMux, r *http.Request) string {
	_, pattern := mux.Handler(r)
	if pattern == "/" {
		return ""
	}
	return strings.TrimPrefix(pattern, s.BasePath)
}

// method is the request's if HTTP has it.
func method(r *http.Request) string {
	if slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace}, r.Method) {
		return r.Method
	}
	return "other"
}

// requestIDHeader carries the id of a request, in the request and in its answer.
const requestIDHeader = "X-Request-Id"

// requestID is the id that the client, or a proxy before us, has given the request, so that the logs of all speak of
// one; a new one if there is none, or none that a log had better hold.
func requestID(r *http.Request) string {
	if id := r.Header.Get(requestIDHeader); soundID(id) {
		return id
	}
	var b [8]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// soundID tells whether an id has 1 to 128 characters, all of them letters, digits or some of those that ids are wont
// to have.
func soundID(id string) bool {
	const others = "-._:+/=@"
	for i := range len(id) {
		c := id[i] | 0x20 // letters become small; none of the others becomes a letter
		if (c < 'a' || c > 'z') && (id[i] < '0' || id[i] > '9') && strings.IndexByte(others, id[i]) < 0 {
			return false
		}
	}
	return id != "" && len(id) <= 128
}
