package httpapi

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// exposed are the headers of answers that pages of other origins may read, beside those that they always may.
const exposed = "Data-Version, ETag, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, " +
	"X-Cell-Count, X-Request-Id"

// sendable are the headers that such pages may send.
const sendable = "Accept, Authorization, Content-Type, If-Data-Version, If-Match, If-None-Match, X-Request-Id"

// checkOrigins finds origins that no browser would send.
func checkOrigins(origins []string) error {
	for _, o := range origins {
		if o == "*" {
			continue
		}
		u, err := url.Parse(o)
		if err != nil || u.Scheme == "" || u.Host == "" || strings.Contains(o, "*") ||
			o != strings.ToLower(u.Scheme+"://"+u.Host) {
			return fmt.Errorf("httpapi: Config.Origins has %q: write an origin as browsers do, scheme and host in small "+
				`letters with nothing after them ("https://example.com", "http://localhost:8080"), or "*"`, o)
		}
	}
	return nil
}

// shared lets pages of Config.Origins ask. Keys travel in a header and never in a cookie, so no browser sends one
// without the page knowing it, and credentials need not be allowed.
func (s *server) shared(next http.Handler) http.Handler {
	if len(s.Origins) == 0 {
		return next
	}
	all := slices.Contains(s.Origins, "*")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		origin := r.Header.Get("Origin")
		h := w.Header()
		if !all {
			h.Add("Vary", "Origin")
		}
		if origin == "" || !all && !slices.Contains(s.Origins, origin) {
			next.ServeHTTP(w, r)
			return
		}
		if all {
			origin = "*"
		}
		h.Set("Access-Control-Allow-Origin", origin)
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			h.Set("Access-Control-Allow-Methods", "GET, HEAD, POST, PATCH, DELETE")
			h.Set("Access-Control-Allow-Headers", sendable)
			h.Set("Access-Control-Max-Age", "7200") // the longest that any browser keeps it
			w.WriteHeader(http.StatusNoContent)
			return
		}
		h.Set("Access-Control-Expose-Headers", exposed)
		next.ServeHTTP(w, r)
	})
}
