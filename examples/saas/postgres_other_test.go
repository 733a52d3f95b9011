//go:build !linux

package main

import "testing"

// postgres is a server of a test's own, which is made on Linux only.
type postgres struct{}

func startPostgres(t *testing.T) *postgres {
	t.Skip("the tests start a PostgreSQL of their own as Debian has it")
	return nil
}

func (*postgres) start(*testing.T) {}
func (*postgres) stop()            {}
func (*postgres) dsn() string      { return "" }
