package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
)

// asProgram is set in processes of this test binary that are to be the program itself.
const asProgram = "CROSSWAVE_TEST_AS_PROGRAM"

// program is the program as a process of its own, which ends with the test at the latest.
func program(t testing.TB, args ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), asProgram+"=1")
	t.Cleanup(func() {
		if cmd.Process != nil && cmd.ProcessState == nil {
			cmd.Process.Kill()
			cmd.Wait()
		}
	})
	return cmd
}

// until waits for a state, for some minutes at the most: machines may be slow.
func until(t testing.TB, what string, reached func() bool) {
	t.Helper()
	for range 6000 {
		if reached() {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("%s: it never comes to that", what)
}

// asker is who asks a server about each wave by itself.
type asker struct {
	base, key string
	right     map[string]string // by wave; the answer once it is published
	answers   atomic.Int64
	ready     atomic.Int64 // how often the server said that it is
}

// get sends a request and returns the status and the answer.
func (a *asker) get(ctx context.Context, method, path, body string) (int, string, error) {
	r, err := http.NewRequestWithContext(ctx, method, a.base+path, strings.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	r.Header.Set("Authorization", a.key)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return 0, "", err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	return w.StatusCode, string(text), err
}

// question is a table of one wave.
func question(wave string) string {
	axis := func(question string) string {
		var list []string
		for i := range 3 {
			list = append(list, fmt.Sprintf(`{"expression": {"question": %[1]q, "datapoints": ["%[1]s_%[2]d"]}}`, question,
				i+1))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprintf(`{"rows": %s, "columns": %s, "waves": [%q]}`, axis("age"), axis("interests"), wave)
}

// wave asks about a wave. There is an answer, which is right, or, unless it must be there, one that nobody was asked in
// that wave yet. A server may also tell to try again, if something is published each time that it tries.
func (a *asker) wave(ctx context.Context, wave string, there bool) (answered bool, err error) {
	status, text, err := a.get(ctx, http.MethodPost, "/v2/query/crosstab", question(wave))
	switch {
	case err != nil:
		return false, err
	case status == http.StatusOK && text == a.right[wave]:
		a.answers.Add(1)
		return true, nil
	case status == http.StatusOK && !there && strings.Count(text, `"base":{"size":0,"sample":0}`) == 9,
		status == http.StatusServiceUnavailable:
		return false, nil
	}
	return false, fmt.Errorf("of wave %s it answers %d\n%s\nand not\n%s", wave, status, text, a.right[wave])
}

// serving starts a process that serves, and returns where.
func serving(t testing.TB, args ...string) string {
	t.Helper()
	cmd := program(t, append([]string{"serve", "--addr", "127.0.0.1:0", "--result-cache", "0"}, args...)...)
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	where := make(chan string, 1)
	go func() {
		for lines := bufio.NewScanner(said); lines.Scan(); {
			if _, at, found := strings.Cut(lines.Text(), " on http://"); found {
				where <- "http://" + strings.TrimSpace(at)
			}
		}
		close(where)
	}()
	base := <-where
	if base == "" {
		t.Fatal("a server ended before it served")
	}
	return base
}

// Several processes serve a store whose respondents are in ClickHouse, and several import waves into it at the same
// time, one of which is killed: every import comes through at its first try, and every answer that any server gives
// meanwhile is right to the byte. Each server tells by itself when a ClickHouse server is away.
func TestProcesses(t *testing.T) {
	if testing.Short() {
		t.Skip("it is about processes and servers, which the race detector, run with -short, does not see")
	}
	dsn, servers := shards(t)
	dir := t.TempDir()
	waves := []string{"q1_2024", "q2_2024", "q3_2024", "q4_2024", "q1_2025", "q2_2025"}
	book, files := demoFiles(t, dir, waves)
	embedded, db := filepath.Join(dir, "embedded.db"), filepath.Join(dir, "clustered.db")
	there := func(words ...string) []string { return append(words, "--db", db, "--clickhouse", dsn) }
	for i, wave := range waves {
		args := []string{"import", "--db", embedded, "--codebook", book, files[wave]}
		if i > 0 {
			args = append(args, "--append")
		}
		ok(t, args...)
	}
	ok(t, there("import", "--codebook", book, files[waves[0]])...)

	right := map[string]string{}
	reference := &asker{base: serving(t, "--db", embedded),
		key: strings.TrimSpace(ok(t, "key", "create", "--db", embedded))}
	for _, wave := range waves {
		status, text, err := reference.get(t.Context(), http.MethodPost, "/v2/query/crosstab", question(wave))
		if err != nil || status != http.StatusOK {
			t.Fatalf("the embedded store answers %d %s %v", status, text, err)
		}
		right[wave] = text
		if strings.Contains(text, `"sample":0`) {
			t.Fatalf("a table that is to tell waves apart has nobody in some of its cells:\n%s", text)
		}
	}
	key := strings.TrimSpace(ok(t, "key", "create", "--db", db))
	var askers []*asker
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	var asking sync.WaitGroup
	for range 2 {
		a := &asker{base: serving(t, there()...), key: key, right: right}
		askers = append(askers, a)
		asking.Go(func() {
			for ctx.Err() == nil {
				for _, wave := range waves {
					if _, err := a.wave(ctx, wave, wave == waves[0]); err != nil && ctx.Err() == nil {
						t.Error(err)
					}
				}
				// It is ready while imports go on, unless the machine is so slow that no server tells in time.
				if status, text, err := a.get(ctx, http.MethodGet, "/readyz", ""); ctx.Err() == nil && (err != nil ||
					status != http.StatusOK && status != http.StatusServiceUnavailable) {
					t.Errorf("whether a server is ready: %d %s %v", status, text, err)
				} else if status == http.StatusOK {
					a.ready.Add(1)
				}
			}
		})
	}
	killed := interrupted(t, db, there("import", "--replace-wave", waves[0], "--codebook", book, files[waves[0]]))
	var importing sync.WaitGroup
	for _, wave := range waves[1 : len(waves)-1] {
		cmd := program(t, there("import", "--append", "--codebook", book, files[wave])...)
		importing.Go(func() {
			if said, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("the import of wave %s: %v: %s", wave, err, said)
			}
		})
	}
	killed()
	importing.Wait()
	// The last one removes what the killed one has left.
	ok(t, there("import", "--append", "--codebook", book, files[waves[len(waves)-1]])...)
	for _, a := range askers {
		for _, wave := range waves {
			until(t, "each server answers for wave "+wave, func() bool {
				answered, err := a.wave(t.Context(), wave, true)
				if err != nil {
					t.Fatal(err)
				}
				return answered
			})
		}
		until(t, "each server is ready", func() bool { return a.ready.Load() > 0 })
		t.Logf("%d answers, ready %d times", a.answers.Load(), a.ready.Load())
	}
	stop()
	asking.Wait()
	if out := ok(t, there("clickhouse", "check")...); strings.Contains(out, "left by") {
		t.Errorf("the check says\n%s", out)
	}

	ready := func(status int) {
		t.Helper()
		for _, a := range askers {
			until(t, fmt.Sprintf("/readyz is %d", status), func() bool {
				got, _, err := a.get(t.Context(), http.MethodGet, "/readyz", "")
				return err == nil && got == status
			})
		}
	}
	servers[1].Kill()
	ready(http.StatusServiceUnavailable)
	if err := servers[1].Start(); err != nil {
		t.Fatal(err)
	}
	ready(http.StatusOK)
}

// demoFiles writes a codebook of the demo survey, and a file of each of some waves.
func demoFiles(t testing.TB, dir string, waves []string) (book string, files map[string]string) {
	t.Helper()
	config := demo.Config{Seed: 1, Respondents: 8000}
	text, err := demo.New(config).Codebook()
	if err != nil {
		t.Fatal(err)
	}
	book, files = filepath.Join(dir, "codebook.json"), map[string]string{}
	if err := os.WriteFile(book, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, wave := range waves {
		config.Only = []string{wave}
		var csv bytes.Buffer
		if err := demo.New(config).WriteCSV(t.Context(), &csv); err != nil {
			t.Fatal(err)
		}
		files[wave] = filepath.Join(dir, wave+".csv")
		if err := os.WriteFile(files[wave], csv.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return book, files
}

// interrupted begins an import in a process of its own, and returns when it is under way; killed kills it. It must be
// one that changes no figure: should it be done before, there is nothing to be seen of it, and another one is begun.
func interrupted(t *testing.T, db string, args []string) (killed func()) {
	t.Helper()
	store, err := sqlite.Open(t.Context(), db, sqlite.Config{ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for range 20 {
		cmd := program(t, args...)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- cmd.Wait() }()
		underWay := false
		until(t, "the import is under way", func() bool {
			running, _, err := store.Imports(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if underWay = len(running) > 0; underWay {
				cmd.Process.Signal(syscall.SIGSTOP) // it waits to be killed
			}
			return underWay || len(ended) > 0
		})
		if !underWay {
			if err := <-ended; err != nil {
				t.Fatal("the import that is to be killed fails: ", err)
			}
			continue
		}
		return func() {
			if err := cmd.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			<-ended
		}
	}
	t.Fatal("each import was done before it could be killed")
	return nil
}
