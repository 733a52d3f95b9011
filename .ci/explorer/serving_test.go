package explorer

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// root is the repository.
const root = "../.."

// store is a survey on disk, with a key to it.
type store struct {
	db, key string
}

// binary is the program that is tried, which the script builds.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("CROSSWAVE_BINARY")
	if path == "" {
		t.Skip("CROSSWAVE_BINARY names no program to try: use .ci/explorer/run")
	}
	return path
}

// run runs the program and gives what it prints.
func run(t *testing.T, args ...string) string {
	t.Helper()
	var stderr bytes.Buffer
	command := exec.Command(binary(t), args...)
	command.Stderr = &stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("crosswave %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

// withKey is a store with a key to it.
func withKey(t *testing.T, db string, flags ...string) store {
	t.Helper()
	return store{db, run(t, append([]string{"key", "create", "--db", db, "--name", "explorer"}, flags...)...)}
}

// demo is the generated survey.
func demo(t *testing.T) store {
	t.Helper()
	db := filepath.Join(t.TempDir(), "demo.db")
	run(t, "demo", "--once", "--respondents", "6000", "--db", db)
	return withKey(t, db)
}

// ragged is the survey in which much was asked in some waves and places only.
func ragged(t *testing.T) store {
	t.Helper()
	db := filepath.Join(t.TempDir(), "ragged.db")
	of := root + "/httpapi/testdata/ragged/"
	run(t, "import", "--db", db, "--codebook", of+"codebook.json", of+"data.csv")
	return withKey(t, db)
}

// sav is a survey as SPSS has it, without a codebook.
func sav(t *testing.T) store {
	t.Helper()
	db := filepath.Join(t.TempDir(), "sav.db")
	run(t, "import", "--db", db, root+"/examples/significance/survey.sav")
	return withKey(t, db)
}

// empty is a store that nothing was imported into.
func empty(t *testing.T) store {
	t.Helper()
	s := ragged(t)
	run(t, "wave", "remove", "--db", s.db, "w1", "w2")
	return s
}

// server is a running server.
type server struct {
	store
	url  string
	said string // what it printed until it served
	stop func()
}

var serves = regexp.MustCompile(`(?m)^serving .*on (http\S+)`)

// serve starts a server of a store on a free port; it ends with the test, or when it is stopped.
func (s store) serve(t *testing.T, flags ...string) *server {
	t.Helper()
	return start(t, s, append([]string{"serve", "--db", s.db, "--addr", "127.0.0.1:0"}, flags...)...)
}

func start(t *testing.T, s store, args ...string) *server {
	t.Helper()
	command := exec.Command(binary(t), args...)
	said, err := command.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	at := make(chan string, 1)
	var lines strings.Builder
	go func() {
		defer close(ended)
		for in := bufio.NewScanner(said); in.Scan(); {
			if cap(at) > len(at) {
				lines.WriteString(in.Text() + "\n")
			}
			if found := serves.FindStringSubmatch(in.Text()); found != nil {
				at <- found[1]
			}
		}
		command.Wait()
	}()
	running := &server{store: s, stop: func() {
		command.Process.Signal(os.Interrupt)
		<-ended
	}}
	t.Cleanup(running.stop)
	select {
	case running.url = <-at:
		running.said = lines.String()
	case <-ended:
		t.Fatalf("the server ended: %s", lines.String())
	case <-time.After(time.Minute):
		t.Fatal("the server does not say where it serves")
	}
	return running
}

// ask asks the interface, without the page.
func (s *server) ask(t *testing.T, path string, body, answer any) {
	t.Helper()
	text, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	request, err := http.NewRequest("POST", s.url+path, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Authorization", s.key)
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != 200 {
		t.Fatalf("%s %s: %d, %v\n%s", path, text, response.StatusCode, err, got)
	}
	if err := json.Unmarshal(got, answer); err != nil {
		t.Fatal(err)
	}
}
