// Package httpapi serves a store over HTTP.
//
// New makes an http.Handler of a Config; mount it anywhere, under a prefix if BasePath says so. What it serves comes
// from one Store or from four: one that describes, one that counts, one of saved audiences and one of insights. The
// handler knows nothing of how keys are kept: Config.Authorize turns the key of a request into a Caller, whose Grant
// restricts the store before any endpoint sees it, and whose User is any text of one's own.
//
// The route table (routes.go) says for each endpoint its method, path and the shape of its errors; classify (errors.go)
// is the one place where an error becomes a status. Checks run in this order and the first failing class answers: key,
// rate, size, JSON, shape and emptiness (400), codes (403), namespaces (400), cost (400).
//
// What is to be seen from outside is seen by Config.Observers: each request as it begins, when it may be given a span,
// and what became of it. Package httpapi links no library for metrics or tracing; an Observer of a few lines ties it to
// any of them.
//
// The contract is an OpenAPI document (openapi/), served at /openapi.json and as a page at /docs.
package httpapi
