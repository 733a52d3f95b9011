package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
)

// shards starts two servers and returns their DSN, with a time limit that is not to be reached: machines may be slow.
func shards(t *testing.T) (dsn string, servers []*clickhousetest.Server) {
	t.Helper()
	if reason := clickhousetest.Skip(); reason != "" {
		t.Skip(reason)
	}
	servers, err := clickhousetest.New(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range servers {
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.Kill)
	}
	return fmt.Sprintf("clickhouse://%s,%s/crosswave?timeout=10m", servers[0].Address(), servers[1].Address()), servers
}

// runFor is run for what would go on for ever if it were not refused.
func runFor(t testing.TB, long time.Duration, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), long)
	defer cancel()
	var out, errs bytes.Buffer
	code = Main{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs}.Run(ctx, args)
	return code, out.String(), errs.String()
}

// Every command answers for a store whose respondents are in ClickHouse as it does for one that has them itself, and
// says what is missing without the servers' names.
func TestClickHouse(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes some seconds, which servers need, and the race detector, run with -short, does not see them")
	}
	dsn, servers := shards(t)
	embedded, moved, there := store(t), store(t), []string{"--clickhouse", dsn}
	if out := ok(t, "clickhouse", "copy", "--db", moved, "--clickhouse", dsn); !strings.Contains(out,
		"respondents are in ClickHouse") {
		t.Error(out)
	}
	imported := filepath.Join(t.TempDir(), "imported.db")
	book, data := filepath.Join(exampleA, "codebook.json"), filepath.Join(exampleA, "data.csv")
	ok(t, "import", "--db", imported, "--clickhouse", dsn, "--codebook", book, data)
	body := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(body, []byte(`{"rows": [{"expression": {"question": "q1"}}]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	asked := [][]string{
		{"crosstab", "--rows", "q1", "--columns", "waves"},
		{"crosstab", "--rows", "q1", "--columns", "q2", "--format", "csv"},
		{"crosstab", "--rows", "q1", "--columns", "waves", "--format", "ndjson"},
		{"crosstab", "--rows", "q1", "--base", `{"question": "q2", "min_count": 2}`, "--format", "json"},
		{"profile", "--audience", "any=q1", "--min-sample", "5", "--format", "csv"},
		{"query", "/v2/query/crosstab", body},
	}
	same := func(t *testing.T) {
		t.Helper()
		for _, args := range asked {
			want := ok(t, append(args, "--db", embedded)...)
			for _, db := range []string{moved, imported} {
				if diff := cmp.Diff(want, ok(t, append(append(args, "--db", db), there...)...)); diff != "" {
					t.Errorf("%v (-embedded +ClickHouse):\n%s", args, diff)
				}
			}
		}
	}
	same(t)
	for _, c := range []struct{ to, says string }{{"words", "respondents are in words already"},
		{"arrays", "respondents are in arrays; name format=arrays"}, {"words", "are in words\n"}} {
		if out := ok(t, "clickhouse", "convert", "--db", moved, "--clickhouse", dsn, "--to", c.to); !strings.Contains(out,
			c.says) {
			t.Errorf("to %s: %s", c.to, out)
		}
		same(t)
	}
	t.Run("export", func(t *testing.T) {
		for _, name := range []string{"a.csv", "a.sav", "a.sss"} {
			back := func(args ...string) string {
				dir := t.TempDir()
				file, db := filepath.Join(dir, name), filepath.Join(dir, "back.db")
				ok(t, append([]string{"export", file}, args...)...)
				ok(t, "import", "--db", db, file)
				return ok(t, "crosstab", "--db", db, "--rows", "q1", "--columns", "waves", "--format", "csv")
			}
			if diff := cmp.Diff(back("--db", embedded), back("--db", moved, "--clickhouse", dsn)); diff != "" {
				t.Errorf("%s (-embedded +ClickHouse):\n%s", name, diff)
			}
		}
		file := filepath.Join(t.TempDir(), "none.csv")
		if code, _, errs := run(t, "", "export", "--db", moved, file); code != 1 || !strings.Contains(errs, "--clickhouse") {
			t.Errorf("exit %d: %s", code, errs)
		}
		if _, err := os.Stat(file); err == nil {
			t.Error("a refused export leaves a file")
		}
	})
	t.Run("refused", func(t *testing.T) {
		for _, args := range append(asked, []string{"serve", "--addr", "127.0.0.1:0"}, []string{"wave", "remove", "w1"},
			[]string{"inspect"}) {
			if code, out, errs := run(t, "", append(args, "--db", moved)...); code != 1 ||
				!strings.Contains(errs+out, "ClickHouse") {
				t.Errorf("%v without the servers: exit %d\n%s%s", args, code, out, errs)
			}
		}
		for _, args := range [][]string{{"crosstab", "--rows", "q1", "--db", embedded},
			{"export", filepath.Join(t.TempDir(), "x.csv"), "--db", moved}} {
			if code, out, errs := run(t, "", append(args, "--clickhouse", "clickhouse://a-b,a-b")...); code != 2 ||
				!strings.Contains(errs, "named twice") {
				t.Errorf("%v with a wrong DSN: exit %d\n%s%s", args, code, out, errs)
			}
		}
		if code, out, errs := run(t, "", "crosstab", "--rows", "q1", "--db", embedded, "--clickhouse",
			dsn); code != 1 || !strings.Contains(errs, "clickhouse copy") {
			t.Errorf("a store that was not copied: exit %d\n%s%s", code, out, errs)
		}
		if code, out, errs := runFor(t, time.Minute, "serve", "--db", embedded, "--addr", "127.0.0.1:0",
			"--clickhouse", dsn); code != 1 || !strings.Contains(errs, "clickhouse copy") {
			t.Errorf("a store that was not copied, served: exit %d\n%s%s", code, out, errs)
		}
		if code, out, errs := run(t, "", "serve", data, "--clickhouse", dsn); code != 2 ||
			!strings.Contains(errs, "crosswave import") {
			t.Errorf("a file served: exit %d\n%s%s", code, out, errs)
		}
	})
	t.Run("serve", func(t *testing.T) { serveShards(t, moved, dsn, servers) })
	for _, db := range []string{moved, imported} {
		if out := ok(t, "inspect", "--db", db, "--clickhouse", dsn); !strings.Contains(out, servers[0].Address()) ||
			!strings.Contains(out, servers[1].Address()) {
			t.Errorf("inspect shows\n%s", out)
		}
		ok(t, "wave", "remove", "w1", "--db", db, "--clickhouse", dsn)
	}
	ok(t, "wave", "remove", "w1", "--db", embedded)
	asked = asked[:2]
	same(t)
	t.Run("further", func(t *testing.T) {
		if code, _, errs := run(t, "", "clickhouse", "copy", "--db", moved, "--clickhouse", dsn); code != 1 ||
			!strings.Contains(errs, "--to") {
			t.Errorf("copied again: exit %d: %s", code, errs)
		}
		if code, _, errs := run(t, "", "clickhouse", "copy", "--db", moved, "--clickhouse", dsn, "--to",
			"nowhere"); code != 2 || !strings.Contains(errs, "--to") {
			t.Errorf("copied to no DSN: exit %d: %s", code, errs)
		}
		to := dsn + "&table=further"
		if out := ok(t, "clickhouse", "copy", "--db", moved, "--clickhouse", dsn, "--to", to); !strings.Contains(out,
			"crosswave.further") || !strings.Contains(out, "can be dropped") {
			t.Error(out)
		}
		for _, args := range asked {
			want := ok(t, append(args, "--db", embedded)...)
			if diff := cmp.Diff(want, ok(t, append(args, "--db", moved, "--clickhouse", to)...)); diff != "" {
				t.Errorf("%v (-embedded +copied further):\n%s", args, diff)
			}
			if code, out, errs := run(t, "", append(args, "--db", moved, "--clickhouse", dsn)...); code != 1 ||
				!strings.Contains(errs, "crosswave.further") {
				t.Errorf("%v of the table before: exit %d\n%s%s", args, code, out, errs)
			}
		}
	})
	t.Run("password", func(t *testing.T) {
		t.Setenv("CROSSWAVE_CLICKHOUSE_PASSWORD", "open sesame")
		code, out, errs := run(t, "", append(asked[0], "--db", imported, "--clickhouse", dsn)...)
		if code != 1 || !strings.Contains(errs, "password") || strings.Contains(out+errs, "sesame") {
			t.Errorf("with a wrong password: exit %d\n%s%s", code, out, errs)
		}
	})
}

// serveShards asks a server for a figure, and whether it is ready, with both servers and with one killed.
func serveShards(t *testing.T, db, dsn string, servers []*clickhousetest.Server) {
	secret := strings.TrimSpace(ok(t, "key", "create", "--db", db))
	ctx, stop := context.WithCancel(t.Context())
	lines, done := make(chan string, 16), make(chan int, 1)
	go func() {
		done <- Main{Stdin: strings.NewReader(""), Stdout: sink(lines), Stderr: sink(lines)}.Run(ctx,
			[]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--clickhouse", dsn, "--result-cache", "0"})
	}()
	var base string
	select {
	case line := <-lines:
		base = strings.TrimSpace(line[strings.Index(line, "http://"):])
	case code := <-done:
		t.Fatal("serve ended with ", code)
	}
	go func() {
		for range lines {
		}
	}()
	get := func(method, path string) int {
		r, err := http.NewRequest(method, base+path, strings.NewReader(`{"waves": ["w1"]}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", secret)
		w, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		w.Body.Close()
		return w.StatusCode
	}
	status := func(ready, crosstab int) {
		t.Helper()
		got := 0
		for range 100 { // what was found is told for a second
			if got = get(http.MethodGet, "/readyz"); got == ready {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if got != ready {
			t.Errorf("/readyz: %d, want %d", got, ready)
		}
		if got := get(http.MethodPost, "/v2/query/crosstab"); got != crosstab {
			t.Errorf("a crosstab: %d, want %d", got, crosstab)
		}
	}
	check := []string{"clickhouse", "check", "--db", db, "--clickhouse", dsn}
	status(200, 200)
	if out := ok(t, check...); !strings.Contains(out, "w1") || !strings.Contains(out, servers[1].Address()) ||
		!strings.Contains(out, "Questions find all respondents.") {
		t.Errorf("the check says\n%s", out)
	}
	servers[1].Kill()
	status(503, 503)
	if code, out, errs := run(t, "", check...); code != 1 || !strings.Contains(out, "wrong: ClickHouse server "+
		servers[1].Address()) {
		t.Errorf("with a server away the check's exit code is %d\n%s%s", code, out, errs)
	}
	var found clickhouse.Inventory
	if _, out, _ := run(t, "", append(check, "--json")...); json.Unmarshal([]byte(out), &found) != nil ||
		len(found.Servers) != 2 || len(found.Faults) == 0 || found.Waves[0].By[1] != 0 || found.Waves[0].By[0] == 0 {
		t.Errorf("as JSON the check says %s", out)
	}
	if code, _, errs := run(t, "", check[:4]...); code != 2 || !strings.Contains(errs, "--clickhouse") {
		t.Errorf("with no servers named the check's exit code is %d: %s", code, errs)
	}
	if err := servers[1].Start(); err != nil {
		t.Fatal(err)
	}
	status(200, 200)
	stop()
	select {
	case code := <-done:
		if code != 0 {
			t.Error("exit", code)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the server does not end")
	}
}

// Of two copies of one store file each keeps its own figures; the second to import is refused, in words, until it
// adopts the table.
func TestClickHouseAdopt(t *testing.T) {
	alone(t)
	dsn, _ := shards(t)
	there := []string{"--clickhouse", dsn}
	book, data := filepath.Join(exampleA, "codebook.json"), filepath.Join(exampleA, "data.csv")
	db := filepath.Join(t.TempDir(), "a.db")
	with := func(db string, args ...string) []string { return append(append(args, "--db", db), there...) }
	ok(t, with(db, "import", "--codebook", book, data)...)
	text, err := os.ReadFile(db)
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err == nil {
		err = os.WriteFile(copied, text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	asked := []string{"crosstab", "--rows", "q1", "--columns", "waves", "--format", "csv"}
	whole := ok(t, with(copied, asked...)...)
	again := []string{"import", "--replace-wave", "w1,w2,w3,w4,w5", "--codebook", book, data}
	ok(t, with(db, again...)...)
	code, _, errs := run(t, "", with(copied, "wave", "remove", "w2")...)
	if code != 1 || !strings.Contains(errs, "another copy of this store") ||
		!strings.Contains(errs, "crosswave clickhouse adopt") {
		t.Errorf("the second copy: exit %d\n%s", code, errs)
	}
	if code, _, errs := run(t, "", "clickhouse", "adopt", "--db", copied); code != 2 ||
		!strings.Contains(errs, "--clickhouse") {
		t.Errorf("no servers: exit %d\n%s", code, errs)
	}
	id := "this store, or another copy of it"
	if out := ok(t, with(copied, "clickhouse", "adopt")...); !strings.Contains(out, id) ||
		!strings.Contains(out, `of wave "w1"`) || !strings.Contains(out, "--remove-others") {
		t.Errorf("adopted:\n%s", out)
	}
	ok(t, with(copied, again...)...)
	if diff := cmp.Diff(whole, ok(t, with(copied, asked...)...)); diff != "" {
		t.Errorf("imported again it counts otherwise:\n%s", diff)
	}
	if diff := cmp.Diff(whole, ok(t, with(db, asked...)...)); diff != "" {
		t.Errorf("the first copy counts otherwise:\n%s", diff)
	}
	if code, _, errs := run(t, "", with(db, "wave", "remove", "w2")...); code != 1 ||
		!strings.Contains(errs, "another copy of this store") {
		t.Errorf("the first copy: exit %d\n%s", code, errs)
	}
	if out := ok(t, with(copied, "clickhouse", "adopt", "--remove-others")...); !strings.Contains(out, "were removed") {
		t.Errorf("adopted:\n%s", out)
	}
	if out := ok(t, with(copied, "clickhouse", "adopt")...); strings.Contains(out, "not know") {
		t.Errorf("adopted again:\n%s", out)
	}
	if code, _, errs := run(t, "", with(db, asked...)...); code != 1 || !strings.Contains(errs, `of wave "w1"`) {
		t.Errorf("the first copy, whose respondents were removed: exit %d\n%s", code, errs)
	}
}
