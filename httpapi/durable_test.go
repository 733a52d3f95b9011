package httpapi_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/google/go-cmp/cmp"
)

// serveVariable makes TestPatchIsDurable serve the store at its value, in the process that it starts and kills.
const serveVariable = "CROSSWAVE_TEST_SERVE"

// serve is what that process does. It tells its address on standard output and ends with its parent.
func serve(t *testing.T, path string) {
	go func() {
		io.Copy(io.Discard, os.Stdin)
		os.Exit(0)
	}()
	db, err := sqlite.Open(t.Context(), path, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Println("serving", listener.Addr())
	t.Fatal(http.Serve(listener, api))
}

// mortal is a server in a process of its own that can be killed and started anew.
type mortal struct {
	t    *testing.T
	path string // of the store

	mu      sync.RWMutex // held for writing while there is no server
	address string
	command *exec.Cmd
	stdin   io.Closer
}

// start starts the process and waits until it serves. The caller holds mu.
func (m *mortal) start() {
	m.command = exec.Command(os.Args[0], "-test.run=^TestPatchIsDurable$")
	m.command.Env = append(os.Environ(), serveVariable+"="+m.path)
	m.command.Stderr = os.Stderr
	in, err := m.command.StdinPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	out, err := m.command.StdoutPipe()
	if err != nil {
		m.t.Fatal(err)
	}
	m.stdin = in
	if err := m.command.Start(); err != nil {
		m.t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if address, ok := strings.CutPrefix(lines.Text(), "serving "); ok {
			m.address = "http://" + address
			go io.Copy(io.Discard, out)
			return
		}
	}
	m.t.Error("the server does not serve")
}

// kill ends the process at once, as kill -9 does.
func (m *mortal) kill() {
	m.command.Process.Kill()
	m.command.Wait()
	m.stdin.Close()
}

// restart kills the server wherever it is and starts it anew.
func (m *mortal) restart() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.kill()
	m.start()
}

// answer is what a request to an audience came to.
type answer struct {
	status  int
	version int64 // from the ETag
	body    map[string]any
}

// ask sends a request, of which an error leaves open whether it was carried out.
func (m *mortal) ask(client *http.Client, method, ifMatch, body string) (a answer, err error) {
	m.mu.RLock()
	address := m.address
	m.mu.RUnlock()
	r, err := http.NewRequestWithContext(context.Background(), method, address+"/v2/saved/audiences/"+contestedID,
		strings.NewReader(body))
	if err != nil {
		return a, err
	}
	r.Header.Set("Authorization", "full")
	if ifMatch != "" {
		r.Header.Set("If-Match", ifMatch)
	}
	w, err := client.Do(r)
	if err != nil {
		return a, err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err != nil {
		return a, err
	}
	a.status = w.StatusCode
	a.version, _ = strconv.ParseInt(strings.Trim(w.Header.Get("ETag"), `"v`), 10, 64)
	return a, json.Unmarshal(text, &a.body)
}

const contestedID = "00000000-0000-4000-8000-000000000001"

// member is a member of the audience that one writer sets again and again, and the n-th value it sets.
type member struct {
	name  string
	value func(n int) any
}

func members() []member {
	return []member{
		{"name", func(n int) any { return fmt.Sprint("update ", n) }},
		{"folder_id", func(n int) any { return fmt.Sprintf("aaaaaaaa-0000-4000-8000-%012d", n) }},
		{"expression", func(n int) any {
			return map[string]any{"question": "brands", "min_count": float64(n)}
		}},
		{"flags", func(n int) any {
			flags := []any{}
			for i, f := range []any{"authored", "curated", "isP2"} {
				if n>>i&1 != 0 {
					flags = append(flags, f)
				}
			}
			return flags
		}},
	}
}

// acknowledged is an update that a writer has had the answer to.
type acknowledged struct {
	answer
	writer, n int // the n-th update of the writer, from 1
}

// contest is what eight writers did to one audience. Four set a member each, four add one to its position.
type contest struct {
	t       *testing.T
	server  *mortal
	updates int // of each writer

	done   atomic.Int64
	mu     sync.Mutex
	acks   []acknowledged
	lost   map[int]map[int]int // writer → update → how often it was sent without an answer
	failed atomic.Bool
}

const counters, writers = 4, 8

func (c *contest) ack(writer, n int, a answer) {
	c.mu.Lock()
	c.acks = append(c.acks, acknowledged{a, writer, n})
	c.mu.Unlock()
	c.done.Add(1)
}

func (c *contest) lose(writer, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.lost[writer] == nil {
		c.lost[writer] = map[int]int{}
	}
	c.lost[writer][n]++
}

func (c *contest) fail(format string, args ...any) {
	c.failed.Store(true)
	c.t.Errorf(format, args...)
}

// set is a writer that sets its member, whatever else changes.
func (c *contest) set(writer int, m member) {
	client := &http.Client{Timeout: 10 * time.Minute}
	for n := 1; n <= c.updates && !c.failed.Load(); {
		text, err := json.Marshal(map[string]any{m.name: m.value(n)})
		if err != nil {
			c.fail("%v", err)
			return
		}
		a, err := c.server.ask(client, http.MethodPatch, "", string(text))
		switch {
		case err != nil:
			c.lose(writer, n)
		case a.status != http.StatusOK:
			c.fail("%s: %d %v", text, a.status, a.body)
		default:
			c.ack(writer, n, a)
			n++
		}
	}
}

// count is a writer that reads the position and, if nobody else has changed the audience since, makes it one more.
func (c *contest) count(writer int) {
	client := &http.Client{Timeout: 10 * time.Minute}
	for n := 1; n <= c.updates && !c.failed.Load(); {
		now, err := c.server.ask(client, http.MethodGet, "", "")
		if err != nil {
			continue
		}
		if now.status != http.StatusOK {
			c.fail("GET: %d %v", now.status, now.body)
			return
		}
		position := now.body["position"].(float64)
		a, err := c.server.ask(client, http.MethodPatch, fmt.Sprintf(`"v%d"`, now.version),
			fmt.Sprintf(`{"position": %v}`, position+1))
		switch {
		case err != nil:
			c.lose(writer, n)
		case a.status == http.StatusOK:
			if a.version != now.version+1 || a.body["position"] != position+1 {
				c.fail("version %d, position %v became version %d, position %v", now.version, position, a.version,
					a.body["position"])
			}
			c.ack(writer, n, a)
			n++
		case a.status != http.StatusPreconditionFailed:
			c.fail("PATCH: %d %v", a.status, a.body)
		}
	}
}

// Eight writers send updates of one audience while the server is killed again and again. Nothing that was acknowledged
// is lost, neither to the kills nor to another writer. The variable CROSSWAVE_TEST_UPDATES says how many updates each
// writer sends; 1000 is the full size.
func TestPatchIsDurable(t *testing.T) {
	if path := os.Getenv(serveVariable); path != "" {
		serve(t, path)
	}
	updates, kills := testsize.Of(15, 50, 150), testsize.Of(2, 3, 5)
	if text := os.Getenv("CROSSWAVE_TEST_UPDATES"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 {
			t.Fatalf("CROSSWAVE_TEST_UPDATES is %q: a number of updates is meant", text)
		}
		updates, kills = n, max(3, n/50)
	}
	path := filepath.Join(t.TempDir(), "store.db")
	db := raggedAt(t, path)
	api, err := httpapi.New(httpapi.Config{Store: db, Authorize: authorize, NewID: ids()})
	if err != nil {
		t.Fatal(err)
	}
	first := map[string]any{}
	for _, m := range members() {
		first[m.name] = m.value(0)
	}
	text, err := json.Marshal(first)
	if err != nil {
		t.Fatal(err)
	}
	if w := post(t, api, "/v2/saved/audiences", "full", string(text)); w.Code != http.StatusCreated {
		t.Fatal(w.Code, w.Body)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	c := &contest{t: t, server: &mortal{t: t, path: path}, updates: updates, lost: map[int]map[int]int{}}
	c.server.mu.Lock()
	c.server.start()
	c.server.mu.Unlock()
	var all sync.WaitGroup
	for writer, m := range members() {
		all.Go(func() { c.set(writer, m) })
	}
	for writer := writers - counters; writer < writers; writer++ {
		all.Go(func() { c.count(writer) })
	}
	for kill := range int64(kills) {
		for at := (kill + 1) * int64(writers*updates) / int64(kills+1); c.done.Load() < at && !c.failed.Load(); {
			time.Sleep(time.Millisecond)
		}
		c.server.restart()
	}
	all.Wait()
	c.server.restart()
	last, err := c.server.ask(http.DefaultClient, http.MethodGet, "", "")
	c.server.kill()
	if err != nil || t.Failed() {
		t.Fatal(err)
	}
	c.check(last)
}

// check goes through the answers in the order of their versions and holds each against what had been acknowledged until
// then.
func (c *contest) check(last answer) {
	t := c.t
	slices.SortFunc(c.acks, func(a, b acknowledged) int { return int(a.version - b.version) })
	unanswered, increments := 0, 0
	for writer, sent := range c.lost {
		for _, n := range sent {
			unanswered += n
			if writer >= writers-counters {
				increments += n
			}
		}
	}
	t.Logf("%d updates acknowledged, %d sent without an answer; the audience is at version %d", len(c.acks), unanswered,
		last.version)
	if len(c.acks) != writers*c.updates {
		t.Errorf("%d updates acknowledged, not %d", len(c.acks), writers*c.updates)
	}
	if n := int(last.version) - 1; n < len(c.acks) || n > len(c.acks)+unanswered {
		t.Errorf("the audience was changed %d times", n)
	}
	set := make([]int, writers) // the last update of each writer that was acknowledged until then
	before := answer{body: map[string]any{"updated_at": ""}}
	counted := 0
	for _, a := range append(c.acks, acknowledged{answer: last, writer: -1}) {
		if a.writer >= 0 {
			if a.version <= before.version {
				t.Errorf("version %d was given out twice", a.version)
			}
			if set[a.writer]++; a.n != set[a.writer] {
				t.Errorf("version %d is update %d of writer %d, after update %d", a.version, a.n, a.writer, set[a.writer]-1)
			}
			if a.writer >= writers-counters {
				counted++
			}
		}
		for writer, m := range members() {
			got, n := a.body[m.name], set[writer]
			kept := cmp.Equal(got, m.value(n))
			sent := c.lost[writer][n+1] > 0 && cmp.Equal(got, m.value(n+1))
			if !kept && !sent {
				t.Errorf("at version %d %s is %v, and update %d of it was acknowledged", a.version, m.name, got, n)
			}
		}
		if p := int(a.body["position"].(float64)); p < counted || p > counted+increments {
			t.Errorf("at version %d the position is %d, and %d increments were acknowledged, %d sent without an answer",
				a.version, p, counted, increments)
		}
		if a.writer >= 0 {
			if at := instant(t, a.body["updated_at"]); before.version > 0 && !at.After(instant(t, before.body["updated_at"])) {
				t.Errorf("version %d was made at %v, not after %v", a.version, at, before.body["updated_at"])
			}
			before = a.answer
		}
	}
}

func instant(t *testing.T, text any) time.Time {
	t.Helper()
	at, err := time.Parse(time.RFC3339, fmt.Sprint(text))
	if err != nil {
		t.Error(err)
	}
	return at
}
