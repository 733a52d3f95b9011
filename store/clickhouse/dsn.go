package clickhouse

import (
	"crypto/tls"

	"github.com/crosswave/crosswave/internal/dsn"
)

// ParseDSN reads a Config as the command line writes it:
//
//	clickhouse://user:password@host1:9000,host2:9000/database?cluster=name
//
// Only one host is needed; a host without a port has 9000. User, password and database may be left out. The parameters
// are cluster, table, timeout (30s), memory (bytes), threads, statements, and tls=true. User and password are
// percent-encoded where they hold :, @, /, ? or %.
func ParseDSN(text string) (Config, error) {
	d, err := dsn.Parse(text)
	if err != nil {
		return Config{}, err
	}
	c := Config{Addresses: d.Addresses, Cluster: d.Cluster, Database: d.Database, Table: d.Table, Username: d.Username,
		Password: d.Password, Timeout: d.Timeout, MemoryBytes: d.MemoryBytes, Threads: d.Threads,
		Statements: d.Statements}
	if d.TLS {
		c.TLS = &tls.Config{}
	}
	_, err = c.withDefaults()
	return c, err
}
