package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is the program as it serves.
type server struct {
	url, metrics string
	key          string
	process      *exec.Cmd
	client       *http.Client

	mu   sync.Mutex
	log  bytes.Buffer
	over chan error // what the process ended with
}

// serve starts a server of a store and waits until it answers. Words before the program may run it within another.
func (g *ground) serve(db, key string, before []string, flags ...string) (*server, error) {
	words := append(append([]string{}, before...), g.binary, "serve", "--db", db, "--addr", "127.0.0.1:0", "--metrics",
		"127.0.0.1:0")
	words = append(words, flags...)
	s := &server{key: key, process: exec.Command(words[0], words[1:]...), over: make(chan error, 1),
		client: &http.Client{Timeout: hangs, Transport: &http.Transport{MaxIdleConnsPerHost: 256}}}
	if len(before) > 0 { // so that both can be ended
		s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	}
	said, err := s.process.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	where := make(chan string, 2)
	go func() {
		lines := bufio.NewScanner(said)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			s.mu.Lock()
			fmt.Fprintln(&s.log, lines.Text())
			s.mu.Unlock()
			if _, at, ok := strings.Cut(lines.Text(), " on http://"); ok {
				where <- "http://" + at
			}
		}
		s.over <- s.process.Wait()
		close(s.over)
		close(where)
	}()
	for _, to := range []*string{&s.url, &s.metrics} {
		select {
		case *to = <-where:
		case <-time.After(hangs):
		}
		if *to == "" {
			s.kill()
			return nil, fmt.Errorf("the server does not serve: %s", s.said())
		}
	}
	return s, nil
}

func (s *server) said() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// kill ends the process at once.
func (s *server) kill() {
	if attr := s.process.SysProcAttr; attr != nil && attr.Setpgid {
		syscall.Kill(-s.process.Process.Pid, syscall.SIGKILL)
	} else {
		s.process.Process.Kill()
	}
	<-s.over
	s.client.CloseIdleConnections()
}

// end asks the process to end, and returns what it ended with.
func (s *server) end() error {
	s.process.Process.Signal(syscall.SIGTERM)
	select {
	case err := <-s.over:
		return err
	case <-time.After(hangs):
		s.kill()
		return errors.New("the server does not end when it is asked to")
	}
}

// answer is what a request came to.
type answer struct {
	status int
	body   []byte
}

// ask sends a request with the server's key, or another.
func (s *server) ask(method, path, body string, key ...string) (answer, error) {
	return s.askWithin(context.Background(), method, path, body, key...)
}

func (s *server) askWithin(ctx context.Context, method, path, body string, key ...string) (a answer, err error) {
	r, err := http.NewRequestWithContext(ctx, method, s.url+path, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	r.Header.Set("Authorization", append(key, s.key)[0])
	w, err := s.client.Do(r)
	if err != nil {
		return a, err
	}
	defer w.Body.Close()
	a.status = w.StatusCode
	const most = 1 << 20 // what is larger is counted and not kept, so that reading it takes no processor from the server
	if a.body, err = io.ReadAll(io.LimitReader(w.Body, most)); err == nil {
		_, err = io.Copy(io.Discard, w.Body)
	}
	return a, err
}

// open sends a request on a connection of its own, whose window is small where it is to be read slowly, and returns
// the connection.
func (s *server) open(path, body string, small bool) (net.Conn, error) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return nil, err
	}
	if small {
		if err := conn.(*net.TCPConn).SetReadBuffer(4096); err != nil {
			return nil, err
		}
	}
	const head = "POST %s HTTP/1.1\r\nHost: drill\r\nAuthorization: %s\r\nContent-Length: %d\r\n\r\n%s"
	_, err = fmt.Fprintf(conn, head, path, s.key, len(body), body)
	return conn, err
}

// gauges are the numbers of the server's metrics, by name and labels.
func (s *server) gauges() (map[string]float64, error) {
	w, err := s.client.Get(s.metrics)
	if err != nil {
		return nil, err
	}
	defer w.Body.Close()
	all := map[string]float64{}
	for lines := bufio.NewScanner(w.Body); lines.Scan(); {
		if at := strings.LastIndexByte(lines.Text(), ' '); at > 0 {
			if number, err := strconv.ParseFloat(lines.Text()[at+1:], 64); err == nil {
				all[lines.Text()[:at]] = number
			}
		}
	}
	return all, nil
}

// key makes a key of the store, of a user of its own.
func (g *ground) key(db, user string) (string, error) {
	out, err := run(g.binary, "key", "create", "--db", db, "--user", user)
	return strings.TrimSpace(out), err
}

// served is a server of a fresh copy of the demo with a key.
func (g *ground) served(flags ...string) (*server, error) {
	db, err := g.store("served.db")
	if err != nil {
		return nil, err
	}
	key, err := g.key(db, "1")
	if err != nil {
		return nil, err
	}
	return g.serve(db, key, nil, flags...)
}

// large is a crosstab of so many rows and columns, no two of the demo's requests the same.
func large(rows, columns, number int, members string) string {
	axis := func(question string, datapoints, n, salt int) string {
		var list []string
		for i := range n {
			one := fmt.Sprintf(`{"question": "%s", "datapoints": ["%s_%d", "%s_%d"]}`, question, question, 1+i%datapoints,
				question, 1+(i/datapoints+salt)%datapoints)
			list = append(list, fmt.Sprintf(`{"id": "%d", "expression": %s}`, i, one))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return fmt.Sprintf(`{"rows": %s, "columns": %s%s}`, axis("interests", 50, rows, number),
		axis("bought", 30, columns, number/50), members)
}

// unmarshal reads an answer's body.
func (a answer) unmarshal(to any) error {
	if err := json.Unmarshal(a.body, to); err != nil {
		return fmt.Errorf("%d %.200s: %w", a.status, a.body, err)
	}
	return nil
}
