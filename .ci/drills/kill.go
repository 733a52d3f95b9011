package main

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// shelf is what one writer has had acknowledged: its audiences, and what each is called. While a request is under way
// either of two states may be what the store holds.
type shelf struct {
	key    string
	names  map[string]string // by id
	maybe  map[string]string // id → the name it may have got, "" if it may have been deleted
	lately []string          // ids, oldest first
	made   map[string]bool   // names under which audiences may have been made without an answer
	n      int
}

// killServed kills a server while eight users save, change and delete audiences, starts it anew, and compares what
// the store holds with what was acknowledged.
func killServed(g *ground) error {
	db, err := g.store("served.db")
	if err != nil {
		return err
	}
	shelves := make([]*shelf, 8)
	for i := range shelves {
		key, err := g.key(db, fmt.Sprint(200+i))
		if err != nil {
			return err
		}
		shelves[i] = &shelf{key: key, names: map[string]string{}, maybe: map[string]string{}, made: map[string]bool{}}
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range g.of(1000, 20) {
		g.try()
		s, err := g.serve(db, "", nil)
		if err != nil {
			return err
		}
		ctx, stop := context.WithCancel(context.Background())
		var writers sync.WaitGroup
		for _, w := range shelves {
			writers.Go(func() {
				if err := w.check(s); err != nil {
					g.fail("after a kill: %v", err)
				}
				for ctx.Err() == nil && w.write(g, s) {
				}
			})
		}
		time.Sleep(time.Duration(50+random.IntN(250)) * time.Millisecond)
		s.kill()
		stop()
		writers.Wait()
	}
	s, err := g.serve(db, "", nil)
	if err != nil {
		return err
	}
	defer s.kill()
	acknowledged := 0
	for _, w := range shelves {
		g.try()
		if err := w.check(s); err != nil {
			g.fail("in the end: %v", err)
		}
		acknowledged += w.n
	}
	if err := s.end(); err != nil {
		g.fail("%v", err)
	}
	g.try()
	if _, err := run(g.binary, "check", "--db", db); err != nil {
		g.fail("%v", err)
	}
	g.note("%d writes acknowledged", acknowledged)
	return nil
}

// write makes, renames or deletes an audience; false if there is no server any more.
func (w *shelf) write(g *ground, s *server) bool {
	name := fmt.Sprintf("audience %d of %s", w.n+len(w.maybe)+len(w.made), w.key[len(w.key)-6:])
	if len(w.lately) < 5 || w.n%3 == 0 {
		w.made[name] = true
		a, err := s.ask(http.MethodPost, "/v2/saved/audiences", fmt.Sprintf(
			`{"name": %q, "expression": {"question": "gender", "datapoints": ["gender_1"]}}`, name), w.key)
		if err != nil {
			return false
		}
		var told struct{ ID, Name string }
		if err := a.unmarshal(&told); err != nil || a.status != http.StatusCreated || told.Name != name {
			g.fail("made: %d %.200s %v", a.status, a.body, err)
			return false
		}
		delete(w.made, name)
		w.names[told.ID], w.lately = name, append(w.lately, told.ID)
		w.n++
		return true
	}
	id, method, body, want := w.lately[0], http.MethodPatch, fmt.Sprintf(`{"name": %q}`, name), http.StatusOK
	w.lately = w.lately[1:]
	if w.n%3 == 1 {
		method, body, name, want = http.MethodDelete, "", "", http.StatusNoContent
	}
	w.maybe[id] = name
	a, err := s.ask(method, "/v2/saved/audiences/"+id, body, w.key)
	if err != nil {
		return false
	}
	if a.status != want {
		g.fail("%s: %d %.200s", method, a.status, a.body)
		return false
	}
	delete(w.maybe, id)
	if w.names[id] = name; name == "" {
		delete(w.names, id)
	}
	w.n++
	return true
}

// check compares what the store holds with what was acknowledged, and takes over what was not known. A server that is
// killed meanwhile says nothing.
func (w *shelf) check(s *server) error {
	held := map[string]string{}
	for offset := 0; ; offset += 1000 {
		a, err := s.ask(http.MethodGet, fmt.Sprintf("/v2/saved/audiences?limit=1000&offset=%d", offset), "", w.key)
		if err != nil {
			return nil
		}
		var page struct{ Data []struct{ ID, Name string } }
		if err := a.unmarshal(&page); err != nil || a.status != http.StatusOK {
			return fmt.Errorf("the list: %d %w", a.status, err)
		}
		for _, one := range page.Data {
			held[one.ID] = one.Name
		}
		if len(page.Data) < 1000 {
			break
		}
	}
	var wrong []error
	for id, name := range w.names {
		is, there := held[id]
		might, open := w.maybe[id]
		switch {
		case there && is == name, open && there && is == might && might != "":
		case open && !there && might == "":
		default:
			wrong = append(wrong, fmt.Errorf("%s is %q, acknowledged as %q", id, is, name))
		}
	}
	for id, name := range held {
		if _, known := w.names[id]; !known && !w.made[name] {
			wrong = append(wrong, fmt.Errorf("%s, %q, is there, and was deleted or never made", id, name))
		}
	}
	w.names = held
	clear(w.maybe)
	clear(w.made)
	return errors.Join(wrong...)
}

// state is how a store may be found after a command was interrupted: what it answers. "" is no survey.
type state string

// state asks a store what it holds.
func (g *ground) state(db string) (state, error) {
	if _, err := os.Stat(db); errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	waves, err := ask(g.binary, db, "/v2/waves/filter")
	if err != nil || !strings.Contains(waves, `"code"`) {
		return "", err
	}
	figures, err := ask(g.binary, db, "/v2/query/crosstab")
	return state(waves + figures), err
}

// ask answers an empty request.
func ask(binary, db, path string) (string, error) {
	c := exec.Command(binary, "query", "--db", db, path, "-")
	c.Stdin = strings.NewReader("{}")
	return finish(c, nil)
}

// interrupted is a command that is interfered with, on a store that is as before says, and how it may be found after
// it.
type interrupted struct {
	name      string
	prepare   func(dir string) error
	args      func(dir string) []string
	store     string // in the directory: what is looked at
	old, new  state
	took      time.Duration
	untouched string // a store in the directory that must answer as old, too
}

// commands are those that are interfered with, each tried once in peace, which tells how long it takes.
func (g *ground) commands() ([]*interrupted, error) {
	files, err := g.surveys()
	if err != nil {
		return nil, err
	}
	first := g.path("first.db")
	if _, err := run(g.binary, "import", "--db", first, "--codebook", files["book"], files["w1"]); err != nil {
		return nil, err
	}
	both := g.path("both.db")
	if err := copyFile(first, both); err != nil {
		return nil, err
	}
	if _, err := run(g.binary, "import", "--db", both, "--append", "--codebook", files["book"], files["w2"]); err != nil {
		return nil, err
	}
	put := func(from string) func(string) error {
		return func(dir string) error { return copyFile(from, filepath.Join(dir, "s.db")) }
	}
	with := func(words ...string) func(string) []string {
		return func(dir string) []string {
			out := make([]string, len(words))
			for i, word := range words {
				out[i] = strings.ReplaceAll(word, "DIR", dir)
			}
			return out
		}
	}
	all := []*interrupted{
		{name: "import", prepare: func(string) error { return nil }, store: "s.db",
			args: with("import", "--db", "DIR/s.db", "--codebook", files["book"], files["w1"])},
		{name: "append", prepare: put(first), store: "s.db",
			args: with("import", "--db", "DIR/s.db", "--append", "--codebook", files["book"], files["w2"])},
		{name: "replace", prepare: put(both), store: "s.db",
			args: with("import", "--db", "DIR/s.db", "--replace-wave", "w2", "--codebook", files["book"], files["w2 again"])},
		{name: "backup", prepare: put(both), store: "backup.db", untouched: "s.db",
			args: with("backup", "--db", "DIR/s.db", "DIR/backup.db")},
		{name: "restore", prepare: put(first), store: "s.db",
			args: with("restore", "--db", "DIR/s.db", "--overwrite", both)},
	}
	fixtures, err := filepath.Glob(filepath.Join(g.repository, "store/sqlite/testdata/format*.db.gz"))
	if err != nil || len(fixtures) == 0 {
		return nil, fmt.Errorf("no stores of old formats: %w", err)
	}
	for _, packed := range fixtures {
		old := g.path(strings.TrimSuffix(filepath.Base(packed), ".gz"))
		if err := unpack(packed, old); err != nil {
			return nil, err
		}
		all = append(all, &interrupted{name: "migration of " + filepath.Base(old), prepare: put(old), store: "s.db",
			args: with("key", "create", "--db", "DIR/s.db")})
	}
	for _, c := range all {
		if err := g.peace(c); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// peace runs a command to its end, and notes how the store is before and after it. A format that is brought up
// answers as it does afterwards.
func (g *ground) peace(c *interrupted) error {
	dir := g.path("peace")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := c.prepare(dir); err != nil {
		return err
	}
	migrates := strings.HasPrefix(c.name, "migration")
	var err error
	if !migrates {
		if c.old, err = g.state(filepath.Join(dir, c.store)); err != nil {
			return err
		}
	}
	if err := os.RemoveAll(dir); err != nil { // asking may have left a log beside it
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	if err := c.prepare(dir); err != nil {
		return err
	}
	began := time.Now()
	if _, err := run(g.binary, c.args(dir)...); err != nil {
		return err
	}
	c.took = time.Since(began)
	if c.new, err = g.state(filepath.Join(dir, c.store)); err != nil {
		return err
	}
	if migrates {
		c.old = c.new
	}
	if c.new == "" || c.new == c.old && !migrates {
		return fmt.Errorf("%s changes nothing", c.name)
	}
	return nil
}

// found looks at what an interrupted command has left. done tells that the command said that it was done.
func (g *ground) found(c *interrupted, dir string, done bool) error {
	is, err := g.state(filepath.Join(dir, c.store))
	switch {
	case err != nil:
		return fmt.Errorf("%s: the store does not open: %w", c.name, err)
	case done && is != c.new:
		return fmt.Errorf("%s said that it was done: %.300s", c.name, is)
	case is != c.new && is != c.old:
		return fmt.Errorf("%s: neither old nor new: %.300s", c.name, is)
	}
	look := []string{c.store}
	if c.untouched != "" {
		look = append(look, c.untouched)
	}
	for _, name := range look {
		path := filepath.Join(dir, name)
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && name == c.store {
			continue
		}
		if _, err := run(g.binary, "check", "--cells", "16", "--db", path); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// killCommands kills commands that write.
func killCommands(g *ground) error {
	commands, err := g.commands()
	if err != nil {
		return err
	}
	random := rand.New(rand.NewPCG(3, 4))
	whole := 0
	for i := range g.of(300, 9) {
		c := commands[i%len(commands)]
		dir := g.path(fmt.Sprint(i))
		if err := os.Mkdir(dir, 0o700); err != nil {
			return err
		}
		if err := c.prepare(dir); err != nil {
			return err
		}
		g.try()
		done, err := killedAfter(time.Duration(random.Int64N(int64(c.took*11/10))), g.binary, c.args(dir)...)
		if err != nil {
			g.fail("%s: %v", c.name, err)
		}
		if err := g.found(c, dir, done); err != nil {
			g.fail("%v", err)
		}
		if done {
			whole++
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
	}
	g.note("%d were done before they were killed", whole)
	return nil
}

// surveys writes a small survey of two waves, the second twice, and its codebook.
func (g *ground) surveys() (map[string]string, error) {
	files := map[string]string{"book": g.path("book.json"), "w1": g.path("w1.csv"), "w2": g.path("w2.csv"),
		"w2 again": g.path("again.csv")}
	book := `{"namespaces": [{"code": "core", "name": "Core", "weight": {"column": "weight"}}], "respondent": {"column": "id"},
 "wave": {"column": "wave", "values": [{"value": "1", "code": "w1", "name": "1", "start": "2024-01-01"},
  {"value": "2", "code": "w2", "name": "2", "start": "2025-01-01"}]},
 "location": {"column": "place", "values": [{"value": "n", "code": "north", "name": "North"},
  {"value": "s", "code": "south", "name": "South"}]},
 "questions": [{"code": "sex", "name": "Sex", "type": "single", "column": "sex", "datapoints": [{"code": "f", "name": "F"},
  {"code": "m", "name": "M"}]}]}`
	for name, wave := range map[string]string{"w1": "1", "w2": "2", "w2 again": "2"} {
		var text strings.Builder
		text.WriteString("id,wave,place,weight,sex\n")
		rows := 20_000
		if name == "w2 again" {
			rows = 15_000
		}
		for i := range rows {
			fmt.Fprintf(&text, "%s%d,%s,%c,%d.%03d,%c\n", wave, i, wave, "ns"[i%2], 1+i%7, i%1000, "fm"[i/3%2])
		}
		if err := os.WriteFile(files[name], []byte(text.String()), 0o600); err != nil {
			return nil, err
		}
	}
	return files, os.WriteFile(files["book"], []byte(book), 0o600)
}

// unpack writes what a file packed with gzip holds.
func unpack(from, to string) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	packed, err := gzip.NewReader(file)
	if err != nil {
		return err
	}
	data, err := io.ReadAll(packed)
	if err != nil {
		return err
	}
	return os.WriteFile(to, data, 0o600)
}
