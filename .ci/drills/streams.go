package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// abort has clients go away in the midst of a large answer, eight at a time, and looks at what the server holds: once
// after the first tenth of them, and at the end.
func abort(g *ground) error {
	s, err := g.served("--result-cache", "0", "--running", "4")
	if err != nil {
		return err
	}
	defer s.kill()
	streams := func(n int) {
		var clients sync.WaitGroup
		for client := range 8 {
			clients.Go(func() {
				random := rand.New(rand.NewPCG(uint64(client), uint64(n)))
				for i := client; i < n; i += 8 {
					g.try()
					conn, err := s.open("/v2/query/crosstab", large(100, 100, i, ""), true)
					if err != nil {
						g.fail("a stream: %v", err)
						continue
					}
					_ = conn.SetReadDeadline(time.Now().Add(hangs))
					if random.IntN(4) > 0 { // the others go away before there is an answer
						if _, err := io.CopyN(io.Discard, conn, 1+random.Int64N(100_000)); err != nil {
							g.fail("a stream: %v", err)
						}
					}
					conn.Close()
				}
			})
		}
		clients.Wait()
	}
	all := g.of(10_000, 300)
	streams(all / 10)
	first, err := s.settled()
	if err != nil {
		return err
	}
	streams(all - all/10)
	last, err := s.settled()
	if err != nil {
		return err
	}
	flat(g, first, last)
	return nil
}

// settled are the server's gauges once no request is under way.
func (s *server) settled() (map[string]float64, error) {
	for began := time.Now(); time.Since(began) < hangs; {
		time.Sleep(100 * time.Millisecond)
		gauges, err := s.gauges()
		if err != nil {
			return nil, err
		}
		if gauges["crosswave_requests_running"] == 0 {
			s.client.CloseIdleConnections()
			time.Sleep(500 * time.Millisecond) // until the server has seen them close
			return s.gauges()
		}
	}
	return nil, fmt.Errorf("requests are under way %v after the last one was sent", hangs)
}

// flat compares what a server holds at two moments.
func flat(g *ground, first, last map[string]float64) {
	for _, c := range []struct {
		name         string
		factor, more float64
	}{{"go_goroutines", 1, 10}, {"process_open_fds", 1, 10}, {"process_resident_memory_bytes", 1.5, 96 << 20},
		{"crosswave_requests_held_bytes", 1, 0}} {
		g.try()
		was, ok := first[c.name]
		is, found := last[c.name]
		if !ok || !found || is > was*c.factor+c.more {
			g.fail("%s: %.0f, then %.0f", c.name, was, is)
		}
		g.note("%s %.0f → %.0f", strings.TrimPrefix(strings.TrimPrefix(c.name, "process_"), "crosswave_"), was, is)
	}
}

// dawdle has clients send and take a byte at a time, or nothing at all, and wants them cut off: a slow body with 408.
func dawdle(g *ground) error {
	s, err := g.served("--result-cache", "0", "--stall", "2s", "--pace", "64")
	if err != nil {
		return err
	}
	defer s.kill()
	var clients sync.WaitGroup
	stop, each := make(chan struct{}), g.of(10, 2)
	for i := range 4 * each {
		clients.Go(func() {
			g.try()
			var err error
			switch i % 4 {
			case 0, 1:
				err = s.takeSlowly(i, i%4 == 0, stop)
			case 2:
				err = s.sendSlowly()
			default:
				err = s.headSlowly()
			}
			if err != nil {
				g.fail("%v", err)
			}
		})
	}
	time.Sleep(time.Second) // until all are there
	began := time.Now()
	if err := s.cut(2 * each); err != nil {
		g.fail("%v", err)
	}
	took := time.Since(began)
	g.goal(took <= longest, "slow readers are cut off after %v, later than %v", took, longest)
	close(stop)
	clients.Wait()
	g.try()
	if a, err := s.ask(http.MethodPost, "/v2/query/crosstab", `{}`); err != nil || a.status != http.StatusOK {
		g.fail("a request after that: %d %v", a.status, err)
	}
	last, err := s.settled()
	if err != nil {
		return err
	}
	g.try()
	if held := last["crosswave_requests_held_bytes"]; held > 0 {
		g.fail("%.0f bytes are held for those who were cut off", held)
	}
	return nil
}

// longest is how long a client that dawdles may go on: a few times what the server is told to bear.
const longest = 30 * time.Second

// takeSlowly takes an answer a byte at a time, or not at all, until it is told to stop.
func (s *server) takeSlowly(number int, some bool, stop <-chan struct{}) error {
	conn, err := s.open("/v2/query/crosstab", large(200, 200, number, ""), true)
	if err != nil {
		return err
	}
	defer conn.Close()
	for b := make([]byte, 1); ; {
		select {
		case <-stop:
			return nil
		case <-time.After(50 * time.Millisecond):
		}
		if some {
			_ = conn.SetReadDeadline(time.Now().Add(hangs))
			if _, err := conn.Read(b); err != nil {
				return nil
			}
		}
	}
}

// cut waits until the server has cut off so many who did not take their answers. What it tells, and not what they
// get, is looked at: the kernels still hold some of each answer.
func (s *server) cut(n int) error {
	var last map[string]float64
	for began := time.Now(); time.Since(began) < hangs; time.Sleep(200 * time.Millisecond) {
		gauges, err := s.gauges()
		if err != nil {
			return err
		}
		last = gauges
		if gauges["crosswave_requests_running"] == 0 && gauges[`crosswave_requests_total{error_type="client_gone",`+
			`method="POST",route="/v2/query/crosstab",status="200"}`] == float64(n) {
			return nil
		}
	}
	return fmt.Errorf("of %d slow readers not all are cut off after %v: %.0f requests are under way", n, hangs,
		last["crosswave_requests_running"])
}

// sendSlowly sends a body a byte at a time, and wants 408.
func (s *server) sendSlowly() error {
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return err
	}
	defer conn.Close()
	const head = "POST /v2/query/crosstab HTTP/1.1\r\nHost: drill\r\nAuthorization: %s\r\nContent-Length: 100000\r\n\r\n"
	fmt.Fprintf(conn, head, s.key)
	go func() {
		for { // until the server has had enough
			if _, err := conn.Write([]byte(" ")); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	_ = conn.SetReadDeadline(time.Now().Add(hangs))
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, " 408 ") {
		return fmt.Errorf("a slow body is answered with %q, %v", line, err)
	}
	return nil
}

// headSlowly sends the head of a request a byte at a time, and wants the connection closed.
func (s *server) headSlowly() error {
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		return err
	}
	defer conn.Close()
	go func() {
		fmt.Fprintf(conn, "GET /healthz HTTP/1.1\r\nX-Slow: ")
		for { // until the server has had enough
			if _, err := conn.Write([]byte("x")); err != nil {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}()
	_ = conn.SetReadDeadline(time.Now().Add(hangs))
	if _, err := io.Copy(io.Discard, conn); err != nil && !errors.Is(err, syscall.ECONNRESET) {
		return fmt.Errorf("a slow head is not cut off: %w", err)
	}
	return nil
}

// terminate sends SIGTERM under fifty streams, all of which have to end whole; then once more, with a second signal.
func terminate(g *ground) error {
	for range g.of(10, 1) {
		if err := g.terminated(false); err != nil {
			return err
		}
		if err := g.terminated(true); err != nil {
			return err
		}
	}
	return nil
}

func (g *ground) terminated(twice bool) error {
	s, err := g.served("--result-cache", "0", "--drain", hangs.String(), "--query-time", "0", "--wait", "0")
	if err != nil {
		return err
	}
	const n = 50
	began, whole := make(chan error, n), make(chan error, n)
	asked := make(chan struct{})
	for i := range n {
		go func() {
			r, err := http.NewRequest(http.MethodPost, s.url+"/v2/query/crosstab", strings.NewReader(large(150, 100, i, "")))
			if err != nil {
				began <- err
				return
			}
			r.Header.Set("Authorization", s.key)
			w, err := s.client.Do(r)
			if began <- err; err != nil {
				return
			}
			defer w.Body.Close()
			<-asked
			whole <- ends(w)
		}()
	}
	for range n {
		if err := <-began; err != nil {
			s.kill()
			return fmt.Errorf("a stream: %w", err)
		}
	}
	s.process.Process.Signal(syscall.SIGTERM)
	if twice {
		time.Sleep(200 * time.Millisecond)
		g.try()
		took, ended := s.signalled()
		if !ended {
			g.fail("a second signal does not end the server")
			s.kill()
		}
		g.goal(took <= 2*time.Second, "a second signal ends the server after %v", took)
		close(asked)
		for range n {
			<-whole
		}
		return nil
	}
	close(asked)
	for range n {
		g.try()
		if err := <-whole; err != nil {
			g.fail("a stream under SIGTERM: %v", err)
		}
	}
	g.try()
	select {
	case err := <-s.over:
		if err != nil {
			g.fail("the server ended with %v", err)
		}
	case <-time.After(hangs):
		g.fail("the server does not end")
		s.kill()
	}
	return nil
}

// signalled sends a signal and tells how long the server takes to end. Each second it is sent once more: the system
// makes one signal of two that come before a busy process has looked.
func (s *server) signalled() (took time.Duration, ended bool) {
	began := time.Now()
	for took < time.Minute {
		s.process.Process.Signal(syscall.SIGTERM)
		select {
		case <-s.over:
			return time.Since(began), true
		case <-time.After(time.Second):
		}
		took = time.Since(began)
	}
	return took, false
}

// ends tells whether a stream of cells has all that it said it would have.
func ends(w *http.Response) error {
	want, err := strconv.Atoi(w.Header.Get("X-Cell-Count"))
	if err != nil {
		return fmt.Errorf("%d: %w", w.StatusCode, err)
	}
	got := 0
	lines := bufio.NewReaderSize(w.Body, 1<<20)
	for {
		line, err := lines.ReadString('\n')
		if err == io.EOF && line == "" {
			break
		}
		if err != nil {
			return fmt.Errorf("after %d cells: %w", got, err)
		}
		got++
	}
	if got != want {
		return fmt.Errorf("%d cells of %d", got, want)
	}
	return nil
}
