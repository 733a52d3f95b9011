package main

import (
	"bytes"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/survey"
)

// lines is where lines are written to, and can be waited for.
type lines struct {
	mu  sync.Mutex
	all bytes.Buffer
	new chan struct{}
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case l.new <- struct{}{}:
	default:
	}
	return l.all.Write(p)
}

// Where it is no terminal, there is a line from time to time that says what is being done and how far it is; what ends
// before is not told of.
func TestProgress(t *testing.T) {
	out := &lines{new: make(chan struct{}, 1)}
	w := &progress{out: out, what: "reading a.csv", every: time.Millisecond, begun: time.Now()}
	w.run(time.Millisecond)
	<-out.new
	w.step("importing a.csv")
	w.imported(survey.Progress{Respondents: 1234, Done: 1, Total: 4})
	for range 3 { // the second of them began after what was said before
		<-out.new
	}
	w.end()
	w.end()
	text := out.all.String()
	for _, want := range []string{"reading a.csv … (0s)\n", "importing a.csv: 25 %, 1,234 respondents (0s)\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q has no line %q", text, want)
		}
	}
	quick := startProgress(out, "nothing")
	quick.end()
	if strings.Contains(out.all.String(), "nothing") {
		t.Error("what ended at once was told of")
	}
	var none *progress
	none.step("nothing")
	none.set(1, 2)
	none.end()
}
