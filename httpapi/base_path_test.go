package httpapi_test

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/httpapi"
)

// A base path that can't be served is refused in words, with what is wrong with it.
func TestBasePath(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"", ""}, {"/a", ""}, {"/api/audiences", ""}, {"/~me/v1.0_x-Y", ""},
		{"/", "none after it"}, {"a", "a slash before it"}, {"/a/", "none after it"},
		{"/a{", `it has '{'`}, {"/a{b}", `it has '{'`}, {"/a b", `it has ' '`}, {"/{$}", `it has '{'`}, {"/a?b", `it has '?'`},
		{"/a%2fb", `it has '%'`}, {"/ä", `it has 'ä'`}, {"/a\x00", `it has '\x00'`}, {"/[a", `it has '['`},
		{"/a\\b", `it has '\\'`}, {"//a", "without //"}, {"/a//b", "without //"}, {"/a/../b", "/.."}, {"/.", "/."},
	} {
		api, err := httpapi.New(httpapi.Config{Store: stalled{}, Authorize: authorize, BasePath: c.path,
			Log: slog.New(slog.DiscardHandler)})
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "Config.BasePath") {
				t.Errorf("%q: %v, want %s", c.path, err, c.want)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.path, err)
			continue
		}
		w := httptest.NewRecorder()
		if api.ServeHTTP(w, httptest.NewRequest(http.MethodGet, c.path+"/healthz", nil)); w.Code != http.StatusOK {
			t.Errorf("%q: %d", c.path, w.Code)
		}
	}
}
