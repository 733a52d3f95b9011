package explorer

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// gate stands before a server, and lets requests through or not.
type gate struct {
	server http.Handler
	keeper atomic.Value // a http.HandlerFunc that answers for the server; nil to let everything through
}

// gated is the server behind a gate, which is open.
func (s *server) gated(t *testing.T) (*server, *gate) {
	t.Helper()
	at, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	g := &gate{}
	g.open()
	g.server = httputil.NewSingleHostReverseProxy(at)
	front := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if keep := g.keeper.Load().(http.HandlerFunc); keep != nil {
			keep(w, r)
			return
		}
		g.server.ServeHTTP(w, r)
	}))
	t.Cleanup(front.Close)
	behind := *s
	behind.url = front.URL
	return &behind, g
}

func (g *gate) open() { g.keeper.Store(http.HandlerFunc(nil)) }

// away has connections end without an answer, as those to a server do that is killed.
func (g *gate) away() {
	g.keeper.Store(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
}

// refuse has a server that has too much to do.
func (g *gate) refuse(status int, again string) {
	g.keeper.Store(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", again)
		http.Error(w, "", status)
	}))
}

// inRounds keeps requests back until the page has asked for all that it can without an answer, and lets them through
// together then. What it returns tells how many rounds that were, and lets everything through again. The picture of a
// tab, which the browser asks for when it likes, is in no round.
func (g *gate) inRounds() (ended func() int) {
	var mu sync.Mutex
	rounds := 0
	var all chan struct{} // is closed when those that are kept back may go on
	var quiet *time.Timer
	g.keeper.Store(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, ".svg") {
			mu.Lock()
			if all == nil {
				begun := make(chan struct{})
				rounds, all = rounds+1, begun
				quiet = time.AfterFunc(roundQuiet, func() {
					mu.Lock()
					defer mu.Unlock()
					all = nil
					close(begun)
				})
			} else {
				quiet.Reset(roundQuiet)
			}
			round := all
			mu.Unlock()
			<-round
		}
		g.server.ServeHTTP(w, r)
	}))
	return func() int {
		g.open()
		mu.Lock()
		defer mu.Unlock()
		return rounds
	}
}

// roundQuiet is how long nothing may be asked until a round has come to its end.
const roundQuiet = 400 * time.Millisecond
