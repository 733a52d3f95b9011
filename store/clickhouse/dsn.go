package clickhouse

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"os"
	"strings"

	"github.com/crosswave/crosswave/internal/dsn"
)

// ParseDSN reads a Config as the command line writes it:
//
//	clickhouse://user:password@host1:9000,host2:9000/database?cluster=name
//
// Only one host is needed; a host without a port has 9000. Replicas of a shard stand with | between them:
// host1a|host1b,host2a|host2b. User, password and database may be left out. The parameters are cluster, table, format
// (arrays or words), timeout (30s), memory (bytes), threads, statements, password_file (the file's first line is the
// password), and tls=true. TLS, too, mean tls_ca (a file of the authorities that sign the servers' certificates, in
// place of the system's), tls_cert and tls_key (files of the client's certificate and its key) and tls_server_name
// (what the servers' certificates are for, in place of the host). User and password are percent-encoded where they
// hold :, @, /, ? or %. Files are read at once.
func ParseDSN(text string) (Config, error) {
	d, err := dsn.Parse(text)
	if err != nil {
		return Config{}, err
	}
	c := Config{Addresses: d.Addresses, Cluster: d.Cluster, Database: d.Database, Table: d.Table, Username: d.Username,
		Password: d.Password, Timeout: d.Timeout, MemoryBytes: d.MemoryBytes, Threads: d.Threads,
		Statements: d.Statements, Format: Format(d.Format)}
	if d.PasswordFile != "" {
		text, err := os.ReadFile(d.PasswordFile)
		if err != nil {
			return Config{}, fmt.Errorf("the ClickHouse DSN: password_file: %w", err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		c.Password = strings.TrimSuffix(line, "\r")
	}
	if d.TLS {
		if c.TLS, err = encryption(d); err != nil {
			return Config{}, fmt.Errorf("the ClickHouse DSN: %w", err)
		}
	}
	_, err = c.withDefaults()
	return c, err
}

// encryption reads the files that say how TLS is done.
func encryption(d dsn.DSN) (*tls.Config, error) {
	c := &tls.Config{ServerName: d.ServerName, MinVersion: tls.VersionTLS12}
	if d.TLSAuthority != "" {
		text, err := os.ReadFile(d.TLSAuthority)
		if err != nil {
			return nil, fmt.Errorf("tls_ca: %w", err)
		}
		c.RootCAs = x509.NewCertPool()
		if !c.RootCAs.AppendCertsFromPEM(text) {
			return nil, fmt.Errorf("tls_ca: %s has no certificate in PEM", d.TLSAuthority)
		}
	}
	if d.TLSCertificate != "" {
		own, err := tls.LoadX509KeyPair(d.TLSCertificate, d.TLSKey)
		if err != nil {
			return nil, fmt.Errorf("tls_cert, tls_key: %w", err)
		}
		c.Certificates = []tls.Certificate{own}
	}
	return c, nil
}
