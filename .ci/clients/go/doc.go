// Package clients asks a server through the Go client that oapi-codegen makes of its OpenAPI document, and holds what
// it understood against the bytes that curl gets. The package api is made by .ci/clients/run,
// which sets the tag of the tests that need it.
package clients
