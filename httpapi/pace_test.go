package httpapi_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/crosswave/crosswave/httpapi"
)

// pipes is a listener whose connections are pipes: a byte is sent when it is read, and no time passes but in sleep.
type pipes chan net.Conn

func (p pipes) Accept() (net.Conn, error) {
	if c, ok := <-p; ok {
		return c, nil
	}
	return nil, net.ErrClosed
}
func (p pipes) Close() error   { return nil }
func (p pipes) Addr() net.Addr { return &net.UnixAddr{Name: "pipe"} }

// piped serves a stalled store at 1 KiB a second with pauses of 10 s, and returns a connection to it.
func piped(t *testing.T, log io.Writer) net.Conn {
	t.Helper()
	api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize,
		Log:    slog.New(slog.NewTextHandler(log, nil)),
		Limits: httpapi.Limits{Pace: 1 << 10, Stall: 10 * time.Second, QueryTime: time.Second}})
	if err != nil {
		t.Fatal(err)
	}
	server, listener := &http.Server{Handler: api, ReadTimeout: time.Minute, IdleTimeout: time.Hour}, make(pipes)
	go server.Serve(listener)
	mine, its := net.Pipe()
	listener <- its
	t.Cleanup(func() {
		mine.Close()
		close(listener)
		if err := server.Shutdown(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
	})
	return mine
}

// take reads an answer so many bytes at a time, a second each, and returns how long that took, what came and whether it
// has its end.
func take(t *testing.T, conn net.Conn, bytes int) (took time.Duration, n int64, err error) {
	t.Helper()
	began := time.Now()
	resp, err := http.ReadResponse(bufio.NewReaderSize(conn, 16), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	for {
		m, err := io.CopyN(io.Discard, resp.Body, int64(bytes))
		n += m
		if err == io.EOF {
			return time.Since(began), n, nil
		}
		if err != nil {
			return time.Since(began), n, err
		}
		time.Sleep(time.Second)
	}
}

// A client that takes an answer too slowly is cut off, whatever it has taken until then; one that keeps the pace gets
// all of it, however long that takes, and may ask again.
func TestPaceOfAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		conn := piped(t, &log)
		for range 2 {
			fmt.Fprint(conn, "GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n")
			took, n, err := take(t, conn, 1100)
			if err != nil || n < 100<<10 || took < 100*time.Second {
				t.Errorf("at the pace: %d bytes in %v, %v", n, took, err)
			}
			time.Sleep(10 * time.Minute)
		}
		for _, slow := range []int{1, 100, 700} {
			conn := piped(t, &log)
			fmt.Fprint(conn, "GET /openapi.json HTTP/1.1\r\nHost: here\r\n\r\n")
			took, n, err := take(t, conn, slow)
			// a step is due in the 68 s of its bytes; at 700 bytes a second each costs 31 of the 10 that are left
			if err == nil || took < 10*time.Second || took > 150*time.Second {
				t.Errorf("%d bytes a second: %d bytes in %v, %v", slow, n, took, err)
			}
		}
		if log.Len() > 0 {
			t.Errorf("the log says %s", &log)
		}
	})
}

// A body that comes too slowly is answered with 408 and the connection is closed; one that keeps the pace is read.
func TestPaceOfBodies(t *testing.T) {
	for _, c := range []struct {
		step, status   int
		earliest, last time.Duration
		next           bool // another request may follow
	}{
		{1, 408, 10 * time.Second, 11 * time.Second, false},
		{500, 408, 18 * time.Second, 24 * time.Second, false},
		{1200, 503, 33 * time.Second, 37 * time.Second, true}, // the stalled store's own
	} {
		synctest.Test(t, func(t *testing.T) {
			var log strings.Builder
			conn := piped(t, &log)
			body := "{" + strings.Repeat(" ", 40_000) + "}"
			began := time.Now()
			var sending sync.WaitGroup
			defer sending.Wait()
			defer conn.Close()
			sending.Go(func() {
				fmt.Fprintf(conn, "POST /v2/waves/filter HTTP/1.1\r\nHost: here\r\nAuthorization: full\r\n"+
					"Content-Length: %d\r\n\r\n", len(body))
				for rest := body; rest != ""; {
					n := min(c.step, len(rest))
					if _, err := io.WriteString(conn, rest[:n]); err != nil {
						return
					}
					rest = rest[n:]
					time.Sleep(time.Second)
				}
			})
			reader := bufio.NewReader(conn)
			resp, err := http.ReadResponse(reader, nil)
			if err != nil {
				t.Fatal(err)
			}
			took := time.Since(began)
			text, err := io.ReadAll(resp.Body)
			if err != nil || resp.StatusCode != c.status || resp.Close == c.next || took < c.earliest || took > c.last {
				t.Errorf("%d bytes a second: %d after %v, to be closed: %v, %v, %s", c.step, resp.StatusCode, took, resp.Close,
					err, text)
			}
			if log.Len() > 0 {
				t.Errorf("the log says %s", &log)
			}
		})
	}
}
