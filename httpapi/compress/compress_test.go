package compress_test

import (
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi/compress"
	"github.com/klauspost/compress/zstd"
)

// lines are an answer that is long and much alike.
var lines = strings.Repeat(`{"audiences":{"row":{"audience":"women","size":9.5,"sample":6}}}`+"\n", 4000)

// server answers with lines at /long, with little at /short, and breaks off at /broken.
func server(t *testing.T) *httptest.Server {
	t.Helper()
	handler, err := compress.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/x-ndjson")
		switch r.URL.Path {
		case "/short":
			fmt.Fprintln(w, "{}")
		case "/long":
			io.WriteString(w, lines)
		case "/broken":
			io.WriteString(w, lines)
			panic(http.ErrAbortHandler)
		}
	}))
	if err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s
}

func get(t *testing.T, s *httptest.Server, path, accept string) (encoding string, body []byte, err error) {
	t.Helper()
	r, err := http.NewRequest(http.MethodGet, s.URL+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if accept != "" {
		r.Header.Set("Accept-Encoding", accept)
	}
	response, err := (&http.Transport{DisableCompression: true}).RoundTrip(r)
	if err != nil {
		return "", nil, err
	}
	defer response.Body.Close()
	body, err = io.ReadAll(response.Body)
	return response.Header.Get("Content-Encoding"), body, err
}

func unpack(t *testing.T, encoding string, body []byte) string {
	t.Helper()
	r := io.Reader(strings.NewReader(string(body)))
	var err error
	switch encoding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestHandler(t *testing.T) {
	s := server(t)
	for _, c := range []struct{ path, accept, encoding, want string }{
		{"/long", "", "", lines},
		{"/long", "identity", "", lines},
		{"/long", "br", "", lines},
		{"/long", "gzip", "gzip", lines},
		{"/long", "gzip;q=0", "", lines},
		{"/long", "zstd", "zstd", lines},
		{"/long", "gzip, deflate, br, zstd", "zstd", lines},
		{"/short", "gzip, zstd", "", "{}\n"},
	} {
		encoding, body, err := get(t, s, c.path, c.accept)
		if err != nil || encoding != c.encoding {
			t.Errorf("%s with %q: %q, %v; want %q", c.path, c.accept, encoding, err, c.encoding)
			continue
		}
		if got := unpack(t, encoding, body); got != c.want {
			t.Errorf("%s with %q: %d bytes, want %d", c.path, c.accept, len(got), len(c.want))
		}
		if encoding != "" && 10*len(body) > len(lines) {
			t.Errorf("%s with %q takes %d bytes of %d", c.path, c.accept, len(body), len(lines))
		}
	}
}

// An answer that is cut short must not end cleanly: in its midst or, where all of it was still to be sent, before it
// began.
func TestHandlerCutShort(t *testing.T) {
	s := server(t)
	for _, accept := range []string{"", "gzip", "zstd"} {
		if _, _, err := get(t, s, "/broken", accept); !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			t.Errorf("with %q: %v, want %v", accept, err, io.ErrUnexpectedEOF)
		}
	}
}
