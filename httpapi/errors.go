package httpapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

// statusError is a failure that belongs to HTTP rather than to a domain.
type statusError struct{ kind, reason string }

func (e *statusError) Error() string { return e.reason }

// failure is an error as the wire tells it.
type failure struct {
	status    int
	kind      string // error_type or type
	developer string // with the path
	customer  string
	forbidden *audience.UnavailableError
}

// ours tells whether the failure is nobody's fault but ours, so that its cause is for the log alone.
func (f *failure) ours() bool { return f.kind == "internal" || f.kind == "unavailable" }

// kinds gives each kind of error its status and what a customer is told.
var kinds = map[string]struct {
	status   int
	customer string
}{
	"invalid_json":     {http.StatusBadRequest, "The request could not be read."},
	"invalid_query":    {http.StatusBadRequest, "The request is not valid."},
	"empty_expression": {http.StatusBadRequest, "An audience in the request is empty. Choose at least one answer."},
	"incompatible_namespaces": {http.StatusBadRequest,
		"The chosen questions come from studies that share no respondents."},
	"too_complex":  {http.StatusBadRequest, "The request is too large. Ask for less at a time."},
	"unauthorized": {http.StatusUnauthorized, "A valid key is needed."},
	"forbidden":    {http.StatusForbidden, "Some of the data asked for is not available to you."},
	"quota_exceeded": {http.StatusForbidden,
		"You have saved as much as you may. Delete something that is not needed any more."},
	"not_found":           {http.StatusNotFound, "What was asked for is not there."},
	"method_not_allowed":  {http.StatusMethodNotAllowed, "The request is not valid."},
	"too_slow":            {http.StatusRequestTimeout, "The request came too slowly. Try again."},
	"conflict":            {http.StatusConflict, "It was changed by someone else meanwhile. Load it again."},
	"precondition_failed": {http.StatusPreconditionFailed, "It was changed by someone else meanwhile. Load it again."},
	"too_large":           {http.StatusRequestEntityTooLarge, "The request is too large."},
	"rate_limited":        {http.StatusTooManyRequests, "Too many requests. Try again in a moment."},
	"internal":            {http.StatusInternalServerError, "Something went wrong on our side. Try again later."},
	"overloaded":          {http.StatusServiceUnavailable, "The service is busy. Try again in a moment."},
	"unavailable":         {http.StatusServiceUnavailable, "The service can't answer at the moment. Try again later."},
	"storage_full": {http.StatusInsufficientStorage,
		"There is no room left to save anything. What is there can be read. Try again later."},
	"timeout": {http.StatusServiceUnavailable,
		"The request took too long. Ask for less at a time, or try again later."},
}

// classify is the one place where an error becomes a kind and a status. What it does not know is internal. The text
// of that, and of what keeps a store from answering, stays in the log.
func classify(err error) failure {
	var (
		status      *statusError
		syntax      *strictjson.Error
		invalid     *audience.InvalidError
		empty       *audience.EmptyError
		complex     *audience.ComplexError
		unavailable *audience.UnavailableError
		namespaces  *audience.IncompatibleError
		notReady    *notReadyError
		overloaded  *overloadedError
		quota       *saved.QuotaError
		questions   *derived.QuotaError
		inUse       *derived.InUseError
	)
	switch {
	case errors.As(err, &notReady) && errors.Is(err, audience.ErrFull):
		return fail("unavailable", fmt.Errorf("not ready: %w", audience.ErrFull)) // which tells nobody a secret
	case errors.As(err, &notReady):
		return fail("unavailable", errors.New("not ready: the service's log says why, under the request id"))
	case errors.As(err, &quota):
		return fail("quota_exceeded", quota)
	case errors.As(err, &questions):
		return fail("quota_exceeded", questions)
	case errors.As(err, &inUse):
		return fail("conflict", inUse)
	case errors.As(err, &overloaded):
		return fail("overloaded", overloaded)
	case errors.As(err, &status):
		return fail(status.kind, err)
	case errors.As(err, &syntax):
		switch {
		case syntax.Syntax:
			return fail("invalid_json", err)
		case syntax.Path == "":
			return fail("invalid_query", fmt.Errorf("the body: %w", err))
		}
		return fail("invalid_query", err)
	case errors.As(err, &invalid):
		return fail("invalid_query", err)
	case errors.As(err, &empty):
		f := fail("empty_expression", err)
		if empty.ID != "" {
			f.customer = "A saved audience in the request is not there, or not shared with you. Choose another one."
		}
		return f
	case errors.As(err, &complex):
		return fail("too_complex", err)
	case errors.As(err, &unavailable):
		f := fail("forbidden", err)
		f.forbidden = unavailable
		return f
	case errors.As(err, &namespaces):
		return fail("incompatible_namespaces", err)
	case errors.Is(err, audience.ErrNotFound):
		return fail("not_found", err)
	case errors.Is(err, saved.ErrNotYours), errors.Is(err, derived.ErrNotYours):
		return fail("forbidden", err)
	case errors.Is(err, audience.ErrReadOnly):
		return fail("forbidden", audience.ErrReadOnly) // and not where it lies
	case errors.Is(err, audience.ErrFull):
		return fail("storage_full", audience.ErrFull) // likewise
	case errors.Is(err, saved.ErrPrecondition), errors.Is(err, derived.ErrPrecondition):
		return fail("precondition_failed", err)
	case errors.Is(err, saved.ErrConflict), errors.Is(err, derived.ErrConflict), errors.Is(err, derived.ErrTaken):
		return fail("conflict", err)
	case errors.Is(err, context.DeadlineExceeded):
		return fail("timeout", errors.New("the time limit for a request was reached"))
	case errors.Is(err, audience.ErrChanged): // each time that it was tried
		return fail("unavailable", errors.New("the survey was changed again and again while this was asked: ask again"))
	case errors.Is(err, audience.ErrNoAnswer):
		return fail("unavailable", errors.New("the respondents can't be counted for now: quote the request id to whoever "+
			"runs this service"))
	}
	return fail("internal", errors.New("internal error: quote the request id to whoever runs this service"))
}

func fail(kind string, err error) failure {
	k := kinds[kind]
	return failure{status: k.status, kind: kind, developer: err.Error(), customer: k.customer}
}

// shape renders a failure as the body that a group of endpoints answers with.
type shape func(failure) []byte

// insight is the shape of the generic insight explore view.
func insight(f failure) []byte {
	switch f.status {
	case http.StatusUnauthorized:
		return mustMarshal(map[string]any{"message": f.customer})
	case http.StatusInternalServerError:
		f.developer = f.customer
	}
	return mustMarshal(map[string]any{"code": f.status, "message": f.developer})
}

// query is the shape of the endpoints that count.
func query(f failure) []byte {
	type meta struct {
		ForbiddenCodes codes `json:"forbidden_codes"`
	}
	body := struct {
		Error     string `json:"error"`
		ErrorType string `json:"error_type"`
		Code      int    `json:"code"`
		Message   string `json:"message"`
		Meta      *meta  `json:"meta,omitempty"`
	}{f.developer, f.kind, f.status, f.customer, nil}
	if f.forbidden != nil {
		body.Meta = &meta{forbiddenCodes(f.forbidden)}
	}
	return mustMarshal(body)
}

// codes is an UnavailableError on the wire: three arrays, always.
type codes struct {
	Questions []codesQuestion `json:"questions"`
	Locations []string        `json:"locations"`
	Waves     []string        `json:"waves"`
}

type codesQuestion struct {
	Code       string   `json:"code"`
	Datapoints []string `json:"datapoints"` // none: the whole question
	Origin     string   `json:"origin"`
}

func forbiddenCodes(u *audience.UnavailableError) codes {
	out := codes{Questions: []codesQuestion{}, Locations: strictjson.List(u.Locations), Waves: strictjson.List(u.Waves)}
	for _, q := range u.Questions {
		out.Questions = append(out.Questions, codesQuestion{q.Code, strictjson.List(q.Datapoints), q.Origin})
	}
	return out
}

// record is the shape of the endpoints that read and write records, and of paths that are not there.
func record(f failure) []byte {
	return mustMarshal(map[string]any{"code": f.status, "err": f.developer, "type": f.kind})
}

// mustMarshal writes one of the bodies above, which are all strings and numbers.
func mustMarshal(v any) []byte {
	b, err := marshal(v)
	if err != nil { // cannot happen: see above
		return []byte(strings.TrimSpace(err.Error()))
	}
	return b
}
