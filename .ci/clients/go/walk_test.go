//go:build generated

package clients_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"example.com/clients/api"
)

// walk is a client on its way through the endpoints of the server that the environment names.
type walk struct {
	*api.ClientWithResponses
	t     *testing.T
	sent  *http.Request // the last request
	body  []byte        // of it
	asked []string      // methods and paths that were served
	exact int           // numbers in the answers that 32 bits would have changed
}

func newWalk(t *testing.T) *walk {
	t.Helper()
	server, key := os.Getenv("CROSSWAVE_URL"), os.Getenv("CROSSWAVE_KEY")
	if server == "" {
		t.Skip("there is no server: .ci/clients/run starts one")
	}
	w := &walk{t: t}
	var err error
	w.ClientWithResponses, err = api.NewClientWithResponses(server, api.WithHTTPClient(&http.Client{Transport: w}),
		api.WithRequestEditorFn(func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", key)
			return nil
		}))
	w.check(err)
	return w
}

func (w *walk) check(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// RoundTrip keeps what is sent.
func (w *walk) RoundTrip(r *http.Request) (*http.Response, error) {
	w.sent, w.body = r, nil
	if r.Body != nil {
		var err error
		if w.body, err = io.ReadAll(r.Body); err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(w.body))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err == nil && response.StatusCode < 300 {
		w.asked = append(w.asked, r.Method+" "+r.URL.Path)
	}
	return response, err
}

// curl sends the last request once more, and returns what comes back. What has made something is looked at instead.
func (w *walk) curl(method, path string) []byte {
	w.t.Helper()
	args := []string{"-sS", "--max-time", "30", "-X", method}
	for name := range w.sent.Header {
		args = append(args, "-H", name+": "+w.sent.Header.Get(name))
	}
	if method == w.sent.Method && len(w.body) > 0 {
		args = append(args, "--data-binary", "@-")
	}
	url := *w.sent.URL
	if path != "" {
		url.Path, url.RawQuery = path, ""
	}
	c := exec.Command("curl", append(args, url.String())...)
	c.Stdin, c.Stderr = bytes.NewReader(w.body), os.Stderr
	out, err := c.Output()
	w.check(err)
	return out
}

// same fails if an answer, written again, is not what curl gets, to the last member and digit.
func (w *walk) same(answer any) {
	w.t.Helper()
	w.compare(w.curl(w.sent.Method, ""), answer)
}

func (w *walk) compare(sent []byte, answer any) {
	w.t.Helper()
	again, err := json.Marshal(answer)
	w.check(err)
	want := w.decoded(sent)
	if d := cmp.Diff(want, w.decoded(again)); d != "" {
		w.t.Errorf("%s %s: what curl gets (-) and what the client made of it (+):\n%s", w.sent.Method, w.sent.URL, d)
	}
	w.exact += long(want)
}

// long counts the numbers in a document that 32 bits can't hold.
func long(v any) (n int) {
	switch v := v.(type) {
	case json.Number:
		if x, err := v.Float64(); err == nil && float64(float32(x)) != x {
			n++
		}
	case []any:
		for _, item := range v {
			n += long(item)
		}
	case map[string]any:
		for _, member := range v {
			n += long(member)
		}
	}
	return n
}

// decoded is a JSON document with its numbers as they are written.
func (w *walk) decoded(text []byte) any {
	w.t.Helper()
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		w.t.Fatalf("%s: %v in %q", w.sent.URL, err, text)
	}
	return out
}

// missing are the endpoints of the document that served nothing.
func (w *walk) missing(document []byte) (out []string) {
	var doc struct{ Paths map[string]map[string]any }
	w.check(json.Unmarshal(document, &doc))
	for path, methods := range doc.Paths {
		pattern := regexp.MustCompile("^" + regexp.MustCompile(`\\\{\w+\\\}`).ReplaceAllString(regexp.QuoteMeta(path), `[^/]+`) +
			"$")
		for method := range methods {
			asked := false
			for _, a := range w.asked {
				m, p, _ := strings.Cut(a, " ")
				_, literal := doc.Paths[p]
				asked = asked || m == strings.ToUpper(method) && pattern.MatchString(p) && (p == path || !literal)
			}
			if !asked {
				out = append(out, strings.ToUpper(method)+" "+path)
			}
		}
	}
	return out
}
