package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/background"
	"github.com/crosswave/crosswave/internal/strictjson"
	"github.com/crosswave/crosswave/saved"
)

// call is one request on its way through an endpoint.
type call struct {
	*server
	w          http.ResponseWriter
	r          *http.Request
	caller     Caller
	version    *versioned      // server.unrestricted; nil for endpoints without a key
	restricted audience.Store  // version, but for what the caller's grant leaves out, with their derived questions
	parser     audience.Parser // one a request: the node limit is for all its expressions
	sent       []byte          // the request's body, once it was read
	weight     int64           // bytes, by estimate, of what is held besides tables
	defined    *defined        // what the survey is extended with for the caller; nil until it was read
	turn       *turn           // nil until something was counted
	pen        bool            // the call is one of the few that form a long answer
	started    bool            // the first byte of a stream is out
}

func (c *call) serve(rt route) (err error) {
	if !rt.open {
		if err := c.authorize(); err != nil {
			return err
		}
		if err := c.admit(); err != nil {
			return err
		}
	}
	ctx := c.r.Context()
	if c.Limits.QueryTime > 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, c.Limits.QueryTime)
		defer cancel()
	}
	c.r = c.r.WithContext(ctx)
	if !rt.open {
		if err := c.follow(); err != nil {
			return err
		}
	}
	defer c.leave()
	c.parser = audience.Parser{MaxLevels: unlimited(c.Limits.Levels), MaxNodes: unlimited(c.Limits.Nodes)}
	c.threads.Do(ctx, func(ctx context.Context) {
		c.r = c.r.WithContext(ctx)
		err = rt.handle(c)
	})
	return err
}

// unlimited is a limit of Limits as one to compare with.
func unlimited(limit int) int {
	if limit < 0 {
		return math.MaxInt
	}
	return limit
}

func (c *call) ctx() context.Context { return c.r.Context() }

// authorize finds the caller behind the Authorization header: the key alone, or after the word Bearer.
func (c *call) authorize() error {
	key := strings.TrimSpace(c.r.Header.Get("Authorization"))
	if scheme, rest, ok := strings.Cut(key, " "); ok && strings.EqualFold(scheme, "bearer") {
		key = strings.TrimSpace(rest)
	}
	caller, err := c.Authorize(c.r.Context(), key)
	switch {
	case errors.Is(err, audience.ErrNotFound):
		return &statusError{"unauthorized", "the request carries no valid key: send one in the header Authorization"}
	case err != nil:
		return err
	}
	if err := saved.CheckUser(caller.User); err != nil { // no fault of who asks
		return fmt.Errorf("the Caller from Config.Authorize: %v", err)
	}
	c.caller = caller
	return nil
}

// body reads the request's body: a JSON object with no other members than those known.
func (c *call) body(known ...string) (strictjson.Object, error) {
	data, err := c.read()
	if err != nil {
		return strictjson.Object{}, err
	}
	v, err := strictjson.Parse(data)
	if err != nil {
		return strictjson.Object{}, err
	}
	if v.Null() {
		v.Fail("null is no request: send an object, {} at the least")
	}
	o := v.Object(known...)
	return o, o.Err()
}

// largeBody is how many bytes a body has at least that takes as long to read and to plan as a small question to answer.
const largeBody = 16 << 10

func (c *call) read() ([]byte, error) {
	data, err := c.readPaced(c.Limits.Body)
	switch {
	case errors.Is(err, errSlowBody):
		return nil, err
	case err != nil:
		return nil, &statusError{"invalid_json", "the body could not be read: " + err.Error()}
	case c.Limits.Body > 0 && int64(len(data)) > c.Limits.Body:
		return nil, &statusError{"too_large", fmt.Sprintf("the body is larger than %d bytes", c.Limits.Body)}
	}
	if len(data) >= largeBody {
		background.Lower(c.ctx())
	}
	c.sent = data
	c.weight += parsedBytes * int64(len(data))
	return data, nil
}

// fits is an error if a response of about so many bytes is larger than Limits.Response; advice says what would be
// right.
func (c *call) fits(bytes int64, advice string) error {
	c.weight += bytes / formedOf
	if c.Limits.Response <= 0 || bytes <= c.Limits.Response {
		return nil
	}
	return &audience.ComplexError{Reason: fmt.Sprintf("the response would have about %d MiB, more than the %d MiB "+
		"allowed: %s", bytes>>20, c.Limits.Response>>20, advice)}
}

// flushBytes is how much of a stream is sent at a time.
const flushBytes = 64 << 10

// flushRoom is how much a stream's buffer may hold beyond that: the cell that fills it.
const flushRoom = 4096

// begin begins to answer with a stream, after which no error can be told any more, and returns a buffer for it.
func (c *call) begin(contentType string) []byte {
	c.counted()
	c.stamp()
	c.w.Header().Set("Content-Type", contentType)
	c.w.WriteHeader(http.StatusOK)
	c.started = true
	return make([]byte, 0, flushBytes+flushRoom)
}

// flush sends what a stream's buffer holds if that is enough to be sent, and returns the buffer for what follows.
func (c *call) flush(b []byte) ([]byte, error) {
	if len(b) < flushBytes {
		return b, nil
	}
	c.putPen()
	_, err := c.w.Write(b)
	c.takePen()
	return b[:0], err
}

// reply writes a body that is ready.
func (c *call) reply(status int, body []byte) error {
	c.counted()
	c.stamp()
	c.send(c.w, "application/json", status, body)
	return nil
}

// replyJSON writes v.
func (c *call) replyJSON(status int, v any) error {
	body, err := marshal(v)
	if err != nil {
		return err
	}
	return c.reply(status, body)
}

// marshal writes v on one line, with < > & as they are: bodies are JSON, not HTML.
func marshal(v any) ([]byte, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(b.String()), nil
}

func (c *call) healthz() error { return c.reply(http.StatusOK, []byte("{\"status\":\"ok\"}\n")) }

// readyz tells whether questions can be answered: the store is there and has something to be asked about, and what
// Config.Ready looks at is well. Why not is for the log alone: anybody may ask this.
func (c *call) readyz() error {
	f, err := c.Framer.Frame(c.ctx())
	switch {
	case err == nil && len(f.Waves) == 0:
		err = errors.New("the store holds no survey yet")
	case err == nil && c.Ready != nil:
		err = c.Ready(c.ctx())
	}
	if err != nil {
		return &notReadyError{err}
	}
	return c.reply(http.StatusOK, []byte("{\"status\":\"ready\"}\n"))
}

// notReadyError says why questions can't be answered.
type notReadyError struct{ cause error }

func (e *notReadyError) Error() string { return "not ready: " + e.cause.Error() }
func (e *notReadyError) Unwrap() error { return e.cause }
