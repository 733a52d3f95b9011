package httpapi_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
	"github.com/google/go-cmp/cmp"
)

// Pages of origins that are listed may ask, and read what else the answer says; others get answers that their browser
// keeps from them.
func TestOrigins(t *testing.T) {
	const page = "https://example.com"
	named := func(names ...string) map[string]string {
		out := map[string]string{}
		for i := 0; i < len(names); i += 2 {
			out[names[i]] = names[i+1]
		}
		return out
	}
	const read = "Data-Version, ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, " +
		"X-Cell-Count, X-Request-Id"
	const send = "Accept, Authorization, Content-Type, If-Data-Version, If-Match, If-None-Match, X-Request-Id"
	const methods = "GET, HEAD, POST, PATCH, DELETE"
	store := ragged(t)
	for _, c := range []struct {
		name           string
		origins        []string
		method, origin string
		preflight      bool
		status         int
		want           map[string]string
	}{
		{"none is listed", nil, "POST", page, false, 200, named()},
		{"none is listed, asked before", nil, "OPTIONS", page, true, 405, named()},
		{"listed", []string{"http://a.test:1", page}, "POST", page, false, 200,
			named("Vary", "Origin", "Access-Control-Allow-Origin", page, "Access-Control-Expose-Headers", read)},
		{"listed, asked before", []string{page}, "OPTIONS", page, true, 204, named("Vary", "Origin",
			"Access-Control-Allow-Origin", page, "Access-Control-Allow-Methods", methods,
			"Access-Control-Allow-Headers", send, "Access-Control-Max-Age", "7200")},
		{"another", []string{page}, "POST", "https://example.com.test", false, 200, named("Vary", "Origin")},
		{"another, asked before", []string{page}, "OPTIONS", "null", true, 405, named("Vary", "Origin")},
		{"all", []string{"*"}, "POST", page, false, 200,
			named("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", read)},
		{"no page", []string{"*"}, "POST", "", false, 200, named()},
		{"OPTIONS that asks for nothing", []string{"*"}, "OPTIONS", page, false, 405,
			named("Access-Control-Allow-Origin", "*", "Access-Control-Expose-Headers", read)},
	} {
		t.Run(c.name, func(t *testing.T) {
			api, err := httpapi.New(httpapi.Config{Store: store, Authorize: authorize, Origins: c.origins})
			if err != nil {
				t.Fatal(err)
			}
			r := httptest.NewRequest(c.method, "/v2/waves/filter", strings.NewReader("{}"))
			r.Header.Set("Authorization", "full")
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.preflight {
				r.Header.Set("Access-Control-Request-Method", "POST")
			}
			w := httptest.NewRecorder()
			api.ServeHTTP(w, r)
			got := map[string]string{}
			for name := range w.Header() {
				if name == "Vary" || strings.HasPrefix(name, "Access-Control-") {
					got[name] = strings.Join(w.Header().Values(name), "; ")
				}
			}
			if d := cmp.Diff(c.want, got); d != "" || w.Code != c.status {
				t.Errorf("%d, want %d; headers (-want +got):\n%s", w.Code, c.status, d)
			}
		})
	}
}

func TestOriginsAreChecked(t *testing.T) {
	store := ragged(t)
	for _, origin := range []string{"", "example.com", "https://example.com/", "https://Example.com", "https://*.test",
		"*.test", "https://a.test https://b.test", "https://a.test?x"} {
		if _, err := httpapi.New(httpapi.Config{Store: store, Authorize: authorize,
			Origins: []string{"https://good.test", origin}}); err == nil {
			t.Errorf("%q is taken for an origin", origin)
		}
	}
}
