package httpapi

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/derived"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/internal/background"
	"github.com/crosswave/crosswave/saved"
)

// Store is what the endpoints need, in one. Config takes its parts one by one, too.
type Store interface {
	audience.Store
	saved.Store
	insights.Store
}

// Caller is who sent a request and what they may use.
type Caller struct {
	User  string // an id of one's own, see saved.CheckUser; saved audiences and Limits.Rate go by it
	Grant audience.Grant
}

// Config says what to serve and within which limits. A Store, or a Framer and a Counter, and Authorize are required;
// everything else may be left out.
type Config struct {
	// Store is for all that no other store is given for below.
	Store Store
	// Framer tells what there is instead of Store, Counter counts: a distributed engine, say, that holds the respondents
	// and knows the versions that the Framer tells of.
	Framer  audience.Framer
	Counter audience.Counter
	// Saved keeps the audiences instead of Store, Insights the insights. Without Store and them there are none: the
	// endpoints answer as those of an empty store that can't be written to.
	Saved    saved.Store
	Insights insights.Store
	// Derived keeps the derived questions instead of Store, which keeps them if it is a derived.Store. What names a
	// question keeps it from being deleted if it knows of that: it should be where the audiences are.
	Derived derived.Store
	// Authorize tells who a key belongs to. audience.ErrNotFound (wrapped or not) is answered with 401, any other error
	// with 500. The key is "" where a request carries none.
	Authorize func(ctx context.Context, key string) (Caller, error)
	BasePath  string // "/api/audiences"; "" is the root
	// Origins are those of web pages that may ask, as browsers write them: "https://example.com"; "*" is all. None: only
	// pages of the service's own origin.
	Origins []string
	// ResultCache is how many bytes of results are kept for when the same is asked again; 0 keeps none.
	ResultCache int64
	Limits      Limits
	Log         *slog.Logger                    // nil: slog.Default
	Ready       func(ctx context.Context) error // for /readyz; nil: always ready once the store answers
	Now         func() time.Time                // the clock that saved audiences are stamped by; nil: time.Now
	NewID       func() string                   // makes the ids of new audiences, UUIDs in lower case; nil: random ones
	// Observers see each request begin and end, nested as they stand here: the first begins first, each within the context
	// of the one before, and the last ends first. None: nobody.
	Observers []Observer
	Load      *Load // tells what queries run and wait; nil: nobody asks
	// Encoders write crosstabs and profiles in further forms, such as workbooks, for clients whose Accept names their
	// media type; the first that is named does. JSON and CSV are there without.
	Encoders []Encoder
}

// Limits bound what a request may cost. 0 means the default, below 0 no limit.
type Limits struct {
	Body      int64         // bytes of a request body; 1 MiB
	Rows      int           // row audiences of a crosstab; 1,000
	Columns   int           // column audiences of a crosstab; 1,000
	Cells     int           // 250,000
	Response  int64         // estimated bytes of a crosstab's response; 256 MiB
	Nodes     int           // nodes of all expressions of a request; 10,000
	Levels    int           // nesting of an expression; 64
	QueryTime time.Duration // 30 s
	// SavedAudiences is how many audiences a user may save, 10,000, and SavedBytes how many bytes their texts may be, 16
	// MiB: saved.Quota.
	SavedAudiences int
	SavedBytes     int64
	// DerivedQuestions is how many derived questions a user may define, 1,000, and DerivedBytes how many bytes their texts
	// may be, 4 MiB: derived.Quota.
	DerivedQuestions int
	DerivedBytes     int64
	// Memory is how many bytes requests may hold at once, by estimate: tables, and what answers are formed of. Of 512 MiB
	// one user may hold half, and a request alone whatever it takes.
	Memory int64
	// Running is how many long queries are counted at a time, RunningEach of one user; as many as there are processors
	// but one, at least 1. Of short ones, which ask for less than 10,000 counts, 16 times as many. All others wait for
	// their turn, which comes first to the user who has been given least.
	Running, RunningEach int
	// Waiting is how many queries of one user may wait, 100, and Wait is how long each may, 10 s.
	Waiting int
	Wait    time.Duration
	// Pace is how many bytes a second a client has to send of a body and to take of an answer, on average; 16 KiB. Where
	// answers are compressed around this, it is of them as they were before.
	Pace int64
	// Stall is for how long a client that keeps the pace may still stop in between; 30 s. Whose body does not come gets
	// 408, who does not take an answer is cut off.
	Stall time.Duration
	Rate  float64 // requests a second of each user, who may send those of one second at once; no limit
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Body: cmp.Or(l.Body, 1<<20), Rows: cmp.Or(l.Rows, 1000), Columns: cmp.Or(l.Columns, 1000),
		Cells:    cmp.Or(l.Cells, 250_000),
		Response: cmp.Or(l.Response, 256<<20), Nodes: cmp.Or(l.Nodes, 10_000), Levels: cmp.Or(l.Levels, 64),
		QueryTime: cmp.Or(l.QueryTime, 30*time.Second), Rate: max(0, l.Rate),
		SavedAudiences: cmp.Or(l.SavedAudiences, 10_000), SavedBytes: cmp.Or(l.SavedBytes, 16<<20),
		DerivedQuestions: cmp.Or(l.DerivedQuestions, 1000), DerivedBytes: cmp.Or(l.DerivedBytes, 4<<20),
		Memory: cmp.Or(l.Memory, 512<<20), Running: cmp.Or(l.Running, defaultRunning()),
		RunningEach: cmp.Or(l.RunningEach, defaultRunning()), Waiting: cmp.Or(l.Waiting, 100),
		Wait: cmp.Or(l.Wait, 10*time.Second),
		Pace: cmp.Or(l.Pace, 16<<10), Stall: cmp.Or(l.Stall, 30*time.Second),
	}
}

// checkBasePath finds paths that no request has, or that stand for several.
func checkBasePath(path string) error {
	switch {
	case path == "":
		return nil
	case !strings.HasPrefix(path, "/") || strings.HasSuffix(path, "/"):
		return fmt.Errorf("httpapi: Config.BasePath is %q: write it with a slash before it and none after it", path)
	}
	for part := range strings.SplitSeq(path[1:], "/") {
		if part == "" || part == "." || part == ".." {
			return fmt.Errorf("httpapi: Config.BasePath is %q: write it without //, and without a part that is . or .., "+
				"which stand for another path", path)
		}
		if i := strings.IndexFunc(part, func(r rune) bool {
			return !strings.ContainsRune("-._~", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
		}); i >= 0 {
			r, _ := utf8.DecodeRuneInString(part[i:])
			return fmt.Errorf("httpapi: Config.BasePath is %q: it has %q; write it of letters, digits and - . _ ~, with a "+
				"slash before each part", path, r)
		}
	}
	return nil
}

// New returns the handler. It refuses a Config without stores or a way to tell callers.
func New(c Config) (http.Handler, error) {
	c, err := c.withStores()
	switch {
	case err != nil:
		return nil, err
	case c.Authorize == nil:
		return nil, errors.New("httpapi: Config.Authorize is required: there is no anonymous access")
	}
	if err := checkBasePath(c.BasePath); err != nil {
		return nil, err
	}
	if err := errors.Join(checkOrigins(c.Origins), checkEncoders(c.Encoders)); err != nil {
		return nil, err
	}
	c.Limits = c.Limits.withDefaults()
	c.Log = cmp.Or(c.Log, slog.Default())
	if c.Now == nil {
		c.Now = time.Now
	}
	s := &server{Config: c, unrestricted: audience.Pair(c.Framer, c.Counter), meter: newMeter(c.Limits.Rate),
		turns: newTurns(c.Limits), pens: make(chan struct{}, pens(c.Limits))}
	if c.Load != nil {
		c.Load.turns.Store(s.turns)
	}
	s.contract = sync.OnceValue(func() []byte { return contract(c.BasePath) })
	s.page = sync.OnceValues(func() (*docsPage, error) { return contractPage(s.contract(), c.BasePath) })
	if c.ResultCache > 0 {
		s.unrestricted = audience.Remember(s.unrestricted, c.ResultCache)
	}
	mux := s.mux()
	return s.observed(mux, s.shared(mux)), nil
}

// server is what all requests share. Its Config's Saved, Insights and Framer are where records are read and written;
// Store is not looked at. Counting goes through unrestricted, and each call sees that through its caller's grant.
type server struct {
	Config
	unrestricted audience.Store // Config.Framer and Config.Counter, behind the cache of results where there is one
	meter        *meter         // nil: no limit to the rate
	turns        *turns
	pens         chan struct{} // as many as answers are formed at a time
	threads      background.Threads

	contract func() []byte             // made when it is first asked for
	page     func() (*docsPage, error) // likewise
}

// mux routes by path first and by method then, so that both kinds of miss are answered in our own words.
func (s *server) mux() *http.ServeMux {
	byPath := map[string]map[string]route{}
	var order []string
	for _, r := range routes() {
		if byPath[r.path] == nil {
			byPath[r.path] = map[string]route{}
			order = append(order, r.path)
		}
		byPath[r.path][r.method] = r
	}
	mux := http.NewServeMux()
	for _, path := range order {
		methods := byPath[path]
		mux.HandleFunc(s.BasePath+path, func(w http.ResponseWriter, r *http.Request) { s.dispatch(w, r, methods) })
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, record, &statusError{"not_found", fmt.Sprintf("there is nothing at %s", r.URL.Path)})
	})
	return mux
}

func (s *server) dispatch(w http.ResponseWriter, r *http.Request, methods map[string]route) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	rt, ok := methods[method]
	if !ok {
		allow := allowed(methods)
		w.Header().Set("Allow", allow)
		s.fail(w, r, record, &statusError{"method_not_allowed", fmt.Sprintf("%s does not take %s, but %s",
			r.URL.Path, r.Method, allow)})
		return
	}
	c := &call{server: s, w: w, r: r}
	w.(*exchange).call = c
	if err := c.serve(rt); err != nil {
		if c.started { // a stream that is cut short must not end cleanly
			s.cutShort(w.(*exchange), r, err)
			panic(http.ErrAbortHandler)
		}
		if c.version != nil && c.version.seen != nil {
			c.stamp()
		}
		s.fail(w, r, rt.shape, err)
	}
}

// fail answers with the error in the given shape. The cause of what is nobody's fault but ours goes to the log alone,
// with the request's id. A client that went away is nobody's fault.
func (s *server) fail(w http.ResponseWriter, r *http.Request, sh shape, err error) {
	f, x := classify(err), w.(*exchange)
	x.slow = f.status == http.StatusRequestTimeout
	id := w.Header().Get(requestIDHeader)
	switch {
	case x.gone(r):
		f.status, f.kind = goneStatus, goneType
		s.Log.Debug("the client went away", "id", id, "method", r.Method, "path", r.URL.Path, "error", err)
	case f.ours():
		s.Log.Error("request failed", "id", id, "method", r.Method, "path", r.URL.Path, "error", err)
	}
	x.note(f.kind, err)
	switch f.kind {
	case "unavailable":
		w.Header().Set("Retry-After", retryAfter)
	case "overloaded":
		w.Header().Set("Retry-After", retryOverloaded)
	}
	if f.status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="crosswave"`)
	}
	s.send(w, "application/json", f.status, sh(f))
}

// retryAfter is how many seconds to wait for servers that are away: as long as it may take to start one again.
const retryAfter = "10"

// retryOverloaded is how many seconds to wait for a turn that did not come: by then a long query or two have ended.
const retryOverloaded = "5"

// send writes a whole answer. That a client has gone away is nobody's fault.
func (s *server) send(w http.ResponseWriter, contentType string, status int, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		s.Log.Debug("the client went away", "error", err)
	}
}

// cutShort notes that a stream can't be brought to its end.
func (s *server) cutShort(x *exchange, r *http.Request, err error) {
	kind, level, what := classify(err).kind, slog.LevelError, "response cut short"
	if x.gone(r) {
		kind, level, what = goneType, slog.LevelDebug, "the client went away"
	}
	x.note(kind, err)
	s.Log.Log(r.Context(), level, what, "id", x.Header().Get(requestIDHeader), "method", r.Method, "path", r.URL.Path,
		"error", err)
}
