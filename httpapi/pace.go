package httpapi

import (
	"errors"
	"io"
	"net/http"
	"os"
	"time"
)

// pace holds one side of a connection to a rate. Who keeps to it, over all that was moved so far, may still stop for as
// long as Limits.Stall in all, and has that back by being faster; who is slower is cut off. Time that passes between
// two moves is ours and does not count.
type pace struct {
	rate   int64 // bytes a second; 0 or less: as slow as they like
	most   time.Duration
	credit time.Duration // for how long the other side may still stop
	set    func(deadline time.Time) error
	begun  time.Time // when the move that is under way began
}

func newPace(l Limits, set func(time.Time) error) *pace {
	return &pace{rate: l.Pace, most: l.Stall, credit: l.Stall, set: set}
}

// limited tells whether there is anything to hold to.
func (p *pace) limited() bool { return p.rate > 0 && p.most > 0 }

// due is how long so many bytes may take.
func (p *pace) due(bytes int) time.Duration {
	return time.Duration(float64(bytes) / float64(p.rate) * float64(time.Second))
}

// begin gives a move of at most so many bytes its time. A connection without deadlines, as of tests, has none.
func (p *pace) begin(bytes int) {
	if p.limited() {
		p.begun = time.Now()
		_ = p.set(p.begun.Add(p.credit + p.due(bytes))) // where it can't be set, nothing is held to anything
	}
}

// end tells how many bytes were moved.
func (p *pace) end(bytes int) {
	if p.limited() {
		p.credit = max(0, min(p.most, p.credit+p.due(bytes)-time.Since(p.begun)))
	}
}

// writeSteps writes a piece at a time, so that the deadline moves as the client takes them. flushBytes a piece are what
// streams are written in anyhow.
func (p *pace) writeSteps(w io.Writer, b []byte) (n int, err error) {
	for {
		piece := b[n:min(n+flushBytes+flushRoom, len(b))]
		p.begin(len(piece))
		m, err := w.Write(piece)
		p.end(m)
		n += m
		if err != nil || n >= len(b) {
			return n, err
		}
	}
}

// pacedBody is the body of a request, held to a pace.
type pacedBody struct {
	*pace
	body io.Reader
}

// bodyStep is how much of a body is read at least before its deadline moves on.
const bodyStep = 4 << 10

func (b *pacedBody) Read(into []byte) (int, error) {
	b.begin(0)
	n, err := b.body.Read(into[:min(len(into), bodyStep)])
	b.end(n)
	return n, err
}

// errSlowBody is what a body that comes too slowly is answered with.
var errSlowBody = &statusError{"too_slow", "the body came too slowly, and was not waited for any longer"}

// readPaced reads the whole of a body, at most so many bytes of it; errSlowBody if that takes too long. The connection
// is closed then: what follows on it is the rest of the body, whenever that may come.
func (c *call) readPaced(most int64) ([]byte, error) {
	control := http.NewResponseController(c.w)
	r := io.Reader(&pacedBody{newPace(c.Limits, control.SetReadDeadline), c.r.Body})
	if most > 0 {
		r = io.LimitReader(r, most+1)
	}
	data, err := io.ReadAll(r)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		c.w.Header().Set("Connection", "close")
		return nil, errSlowBody
	case err == nil && (most <= 0 || int64(len(data)) <= most): // the deadline would end the request while it is answered
		_ = control.SetReadDeadline(time.Time{}) // see begin
	}
	return data, err
}
