package httpapi

import "strings"

// Contract is the OpenAPI document of a service at the root.
func Contract() []byte { return contract("") }

// Route is a row of the route table, for tests.
type Route struct {
	Method, Path string
	Shape        string // of errors: insight, query or record
	Open         bool   // needs no key
}

// Routes is the route table.
func Routes() []Route {
	var out []Route
	for _, r := range routes() {
		body := string(r.shape(failure{status: 400}))
		shape := "insight"
		switch {
		case strings.Contains(body, `"error_type"`):
			shape = "query"
		case strings.Contains(body, `"err"`):
			shape = "record"
		}
		out = append(out, Route{Method: r.method, Path: r.path, Shape: shape, Open: r.open})
	}
	return out
}
