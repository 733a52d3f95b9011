package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// route is an endpoint: where it is, how its errors look and what it does.
type route struct {
	method, path string
	shape        shape
	open         bool // needs no key
	handle       func(*call) error
}

// routes is the route table, in the order of the documentation.
func routes() []route {
	return []route{
		{http.MethodGet, "/v1/insights-api/generic/insights/{id}", insight, false, (*call).explore},
		{http.MethodPost, "/v2/query/crosstab", query, false, (*call).crosstab},
		{http.MethodPost, "/v2/query/intersection", query, false, (*call).intersection},
		{http.MethodPost, "/v2/query/audience_wave_counts", query, false, (*call).waveCountsV2},
		{http.MethodPost, "/v3/query/audience_wave_counts", query, false, (*call).waveCountsV3},
		{http.MethodPost, "/v2/query/stats", query, false, (*call).stats},
		{http.MethodPost, "/v2/query/summary", query, false, (*call).summary},
		{http.MethodPost, "/v2/query/association", query, false, (*call).association},
		{http.MethodPost, "/v2/query/profile", query, false, (*call).profile},
		{http.MethodPost, "/v3/questions/filter", record, false, (*call).questions},
		{http.MethodPost, "/v2/locations/filter", record, false, (*call).locations},
		{http.MethodPost, "/v2/waves/filter", record, false, (*call).waves},
		{http.MethodPost, "/v2/namespaces/filter", record, false, (*call).namespaces},
		{http.MethodPost, "/v2/categories/filter", record, false, (*call).categories},
		{http.MethodPost, "/v2/datasets/filter", record, false, (*call).datasets},
		{http.MethodGet, "/v3/insights/{id}", record, false, (*call).insight},
		{http.MethodPost, "/v3/insights/filter", record, false, (*call).insightsFilter},
		{http.MethodPatch, "/v2/saved/audiences/{id}", record, false, (*call).savedUpdate},
		{http.MethodGet, "/v2/saved/audiences/{id}", record, false, (*call).savedRead},
		{http.MethodDelete, "/v2/saved/audiences/{id}", record, false, (*call).savedDelete},
		{http.MethodGet, "/v2/saved/audiences", record, false, (*call).savedList},
		{http.MethodPost, "/v2/saved/audiences", record, false, (*call).savedCreate},
		{http.MethodPatch, "/v2/questions/derived/{code}", record, false, (*call).derivedUpdate},
		{http.MethodGet, "/v2/questions/derived/{code}", record, false, (*call).derivedRead},
		{http.MethodDelete, "/v2/questions/derived/{code}", record, false, (*call).derivedDelete},
		{http.MethodGet, "/v2/questions/derived", record, false, (*call).derivedList},
		{http.MethodPost, "/v2/questions/derived", record, false, (*call).derivedCreate},
		{http.MethodGet, "/v1/me", record, false, (*call).me},
		{http.MethodGet, "/healthz", record, true, (*call).healthz},
		{http.MethodGet, "/readyz", record, true, (*call).readyz},
		{http.MethodGet, "/openapi.json", record, true, (*call).openapi},
		{http.MethodGet, "/docs", record, true, (*call).docs},
	}
}

// allowed is the Allow header of a path.
func allowed(methods map[string]route) string {
	var names []string
	for m := range methods {
		names = append(names, m)
		if m == http.MethodGet {
			names = append(names, http.MethodHead)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}
