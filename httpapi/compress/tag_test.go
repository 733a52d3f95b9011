package compress_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/httpapi/compress"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/sqlite"
	"github.com/crosswave/crosswave/store/survey"
)

// service is httpapi on a small demo store, compressed, and a key to it.
func service(t *testing.T) (url, secret string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Memory, sqlite.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	if _, err := survey.Import(t.Context(), demo.New(demo.Config{Respondents: 500}), db, survey.Options{}); err != nil {
		t.Fatal(err)
	}
	handler, err := httpapi.New(httpapi.Config{Store: db,
		Authorize: func(ctx context.Context, secret string) (httpapi.Caller, error) {
			key, err := db.Authorize(ctx, secret)
			return httpapi.Caller{User: key.User, Grant: key.Grant}, err
		}})
	if err != nil {
		t.Fatal(err)
	}
	if _, secret, err = db.CreateKey(t.Context(), sqlite.Key{Grant: audience.All()}); err != nil {
		t.Fatal(err)
	}
	if handler, err = compress.Handler(handler); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(handler)
	t.Cleanup(s.Close)
	return s.URL, secret
}

// exchange sends a request with pairs of names and values for headers.
func exchange(t *testing.T, method, url, body string, headers ...string) (status int, h http.Header, text string) {
	t.Helper()
	r, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	response, err := (&http.Transport{DisableCompression: true, DisableKeepAlives: true}).RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, response.Header, unpack(t, response.Header.Get("Content-Encoding"), data)
}

// Answers that differ in their bytes differ in their tags, and each tag is good for a 304 to whoever accepts the coding
// that it stands for, with that very tag.
func TestTags(t *testing.T) {
	url, secret := service(t)
	url += "/v3/questions/filter"
	const body = `{"include": {"datapoints": true}}`
	tags, texts := map[string]string{}, map[string]string{}
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		status, h, text := exchange(t, http.MethodPost, url, body, "Authorization", secret, "Accept-Encoding", coding)
		if status != http.StatusOK || (h.Get("Content-Encoding") == coding) == (coding == "identity") {
			t.Fatal(status, h)
		}
		tags[coding], texts[coding] = h.Get("ETag"), text
	}
	whole := tags["identity"]
	if bare := strings.TrimSuffix(whole, `"`); tags["gzip"] != bare+`+gzip"` || tags["zstd"] != bare+`+zstd"` ||
		len(whole) < 10 || texts["gzip"] != texts["identity"] || texts["zstd"] != texts["identity"] {
		t.Fatalf("the tags are %v", tags)
	}
	for _, c := range []struct {
		name, accept string
		have         []string // If-None-Match, a line each
		tag          string   // of the 304; "": it is answered whole
	}{
		{"as it is", "", []string{tags["identity"]}, tags["identity"]},
		{"gzip", "gzip", []string{tags["gzip"]}, tags["gzip"]},
		{"zstd", "zstd", []string{tags["zstd"]}, tags["zstd"]},
		{"what browsers accept", "gzip, deflate, br, zstd", []string{tags["zstd"]}, tags["zstd"]},
		{"the other of two", "gzip;q=0.5, zstd;q=1", []string{tags["gzip"]}, tags["gzip"]},
		{"as it is, though it may be packed now", "gzip, zstd", []string{tags["identity"]}, tags["identity"]},
		{"weakly", "gzip", []string{"W/" + tags["gzip"]}, "W/" + tags["gzip"]},
		{"among others", "zstd", []string{`"old", "older+zstd"`, `"a,b", ` + tags["zstd"]}, tags["zstd"]},
		{"any", "gzip", []string{"*"}, ""}, // is another's: the endpoint does not take it
		{"packed, and no longer accepted", "", []string{tags["gzip"]}, ""},
		{"packed, and declined", "gzip;q=0, zstd", []string{tags["gzip"]}, ""},
		{"packed otherwise", "gzip", []string{tags["zstd"]}, ""},
		{"another", "gzip", []string{`"old+gzip"`}, ""},
		{"a coding alone", "gzip", []string{`"+gzip"`, `+gzip"`, ``, `,`}, ""},
	} {
		headers := []string{"Authorization", secret, "Accept-Encoding", c.accept}
		for _, line := range c.have {
			headers = append(headers, "If-None-Match", line)
		}
		status, h, text := exchange(t, http.MethodPost, url, body, headers...)
		switch {
		case c.tag == "" && (status != http.StatusOK || text != texts["identity"]):
			t.Errorf("%s: %d with %d bytes, want all", c.name, status, len(text))
		case c.tag != "" && (status != http.StatusNotModified || h.Get("ETag") != c.tag || text != "" ||
			h.Get("Content-Encoding") != ""):
			t.Errorf("%s: %d %q %q, want a 304 with %q", c.name, status, h, text, c.tag)
		}
		if h.Get("Vary") != "Accept-Encoding" {
			t.Errorf("%s: Vary is %q", c.name, h.Get("Vary"))
		}
	}
}

// What was read compressed can be changed on the condition that it is as it was read.
func TestTagsOfWhatIsChanged(t *testing.T) {
	url, secret := service(t)
	url += "/v2/saved/audiences"
	long := strings.Repeat(`{"question": "gender", "datapoints": ["gender_1"]}, `, 40)
	_, h, _ := exchange(t, http.MethodPost, url, `{"name": "Many", "expression": {"and": [`+long+
		`{"question": "age"}]}}`, "Authorization", secret)
	url += "/" + h.Get("Location")[strings.LastIndex(h.Get("Location"), "/")+1:]
	for i, accept := range []string{"identity", "gzip", "zstd", "gzip"} {
		_, h, _ := exchange(t, http.MethodGet, url, "", "Authorization", secret, "Accept-Encoding", accept)
		tag := h.Get("ETag")
		if strings.Contains(tag, "+") != (accept != "identity") {
			t.Errorf("%s: the tag is %s", accept, tag)
		}
		for n, want := range []int{http.StatusOK, http.StatusPreconditionFailed} { // the second time it is another version
			status, h, text := exchange(t, http.MethodPatch, url, `{"position": `+string(rune('1'+2*i+n))+`}`, "If-Match",
				`"v0+gzip"`, "If-Match", tag, "Authorization", secret)
			if status != want || n == 0 && h.Get("ETag") == strings.Replace(tag, "+"+accept, "", 1) {
				t.Errorf("%s: %d %s %s", accept, status, h.Get("ETag"), text)
			}
		}
	}
}
