// Package client asks a Crosswave server from Go. It has a method for each endpoint, and loses nothing on the way:
// figures are float64, samples int64, and a member that an answer may lack is a pointer, nil where it is not there.
//
//	c := &client.Client{URL: "https://example.com/api", Key: key}
//	for cell, err := range c.Crosstab(ctx, client.CrosstabRequest{Rows: rows, Columns: columns}) {
//		…
//	}
//
// What a server refuses is an *Error. Where it asks to wait, because too much was sent (429) or it cannot count for now
// (503), the client waits as long as it says and asks again.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Client asks one server with one key. Its methods may be called from several goroutines; its fields must not be
// changed meanwhile.
type Client struct {
	URL  string       // of the server, with its base path if it has one: "https://example.com/api"
	Key  string       // as the server gave it
	HTTP *http.Client // nil: http.DefaultClient

	// Attempts is how often a request is sent at the most, where the server asks to wait; 0 is four times. A request that
	// changes something is sent again only where the server refused to look at it (429).
	Attempts int
	// LongestWait is how long the client waits before it asks again; where the server asks for more, its error is
	// returned. 0 is a minute.
	LongestWait time.Duration
	// DataVersion, if not 0, is the only version of the survey to be answered from: the error is of Type
	// "precondition_failed" once there is another. Me tells the version.
	DataVersion int64
}

// Error is what a server refused, and why.
type Error struct {
	Status     int             // of HTTP
	Type       string          // invalid_query, forbidden …: the contract lists them
	Reason     string          // for developers, with the path of what is wrong
	Message    string          // for customers; "" of records
	Forbidden  *ForbiddenCodes // the codes that the key may not use, of Type forbidden
	RequestID  string          // under which the server's log has the request, and from Status 500 on the cause
	RetryAfter time.Duration   // how long the server asks to wait; 0: it does not say
}

func (e *Error) Error() string {
	what := e.Reason
	if what == "" {
		what = e.Message
	}
	if e.RequestID != "" && e.Status >= http.StatusInternalServerError { // the cause is in the log alone
		what += " (request " + e.RequestID + ")"
	}
	return fmt.Sprintf("%d %s: %s", e.Status, e.Type, what)
}

// ForbiddenCodes are codes that do not exist or that the key may not use: the server does not tell which.
type ForbiddenCodes struct {
	Questions []struct {
		Code       string   `json:"code"`
		Datapoints []string `json:"datapoints"` // none: the whole question
		Origin     string   `json:"origin"`     // path of the first use
	} `json:"questions"`
	Locations []string `json:"locations"`
	Waves     []string `json:"waves"`
}

// call sends a request and reads its answer into a T.
func call[T any](ctx context.Context, c *Client, method, path string, body any) (*T, error) {
	response, err := c.send(ctx, method, path, body, nil)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	out := new(T)
	if response.StatusCode == http.StatusNoContent {
		return out, nil
	}
	if err := json.NewDecoder(response.Body).Decode(out); err != nil {
		return nil, fmt.Errorf("the answer of %s %s: %w", method, path, err)
	}
	return out, nil
}

// send sends a request until it is answered otherwise than by having to wait, and returns the answer if it is one of
// success.
func (c *Client) send(ctx context.Context, method, path string, body any, headers map[string]string) (*http.Response,
	error) {
	var sent []byte
	if body != nil {
		var err error
		if sent, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	attempts, longest := c.Attempts, c.LongestWait
	if attempts == 0 {
		attempts = 4
	}
	if longest == 0 {
		longest = time.Minute
	}
	for attempt := 1; ; attempt++ {
		response, err := c.once(ctx, method, path, sent, headers)
		var refused *Error
		if !errors.As(err, &refused) || attempt >= attempts || !again(method, path, refused) {
			return response, err
		}
		wait := refused.RetryAfter
		if wait == 0 {
			wait = time.Second << (attempt - 1)
		}
		if deadline, there := ctx.Deadline(); wait > longest || there && time.Until(deadline) < wait {
			return nil, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		}
	}
}

// again tells whether a refused request may be sent once more.
func again(method, path string, e *Error) bool {
	changes := method != http.MethodGet && (strings.HasPrefix(path, savedPath) || strings.HasPrefix(path, derivedPath))
	return e.Status == http.StatusTooManyRequests || e.Status == http.StatusServiceUnavailable && !changes
}

// once sends a request once.
func (c *Client) once(ctx context.Context, method, path string, body []byte, headers map[string]string) (*http.Response,
	error) {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", c.Key)
	if c.DataVersion != 0 {
		r.Header.Set("If-Data-Version", strconv.FormatInt(c.DataVersion, 10))
	}
	for name, value := range headers {
		r.Header.Set(name, value)
	}
	h := c.HTTP
	if h == nil {
		h = http.DefaultClient
	}
	response, err := h.Do(r)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < 300 {
		return response, nil
	}
	defer response.Body.Close()
	return nil, refusal(response)
}

// mostError is how much of an answer is read that refuses a request.
const mostError = 1 << 20

// refusal reads an answer that refuses a request: the three shapes of the contract, or what stands between client and
// server has to say.
func refusal(response *http.Response) error {
	e := &Error{Status: response.StatusCode, RequestID: response.Header.Get("X-Request-Id")}
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		e.RetryAfter = time.Duration(seconds) * time.Second
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, mostError))
	if err != nil {
		return err
	}
	var told struct {
		Error     string `json:"error"`
		Err       string `json:"err"`
		ErrorType string `json:"error_type"`
		Type      string `json:"type"`
		Message   string `json:"message"`
		Meta      struct {
			ForbiddenCodes *ForbiddenCodes `json:"forbidden_codes"`
		} `json:"meta"`
	}
	if json.Unmarshal(body, &told) != nil {
		told.Err = strings.TrimSpace(string(body))
	}
	e.Type, e.Reason, e.Message = told.ErrorType+told.Type, told.Error+told.Err, told.Message
	e.Forbidden = told.Meta.ForbiddenCodes
	if e.Type == "" {
		e.Type = strings.ToLower(strings.ReplaceAll(http.StatusText(e.Status), " ", "_"))
	}
	return e
}
