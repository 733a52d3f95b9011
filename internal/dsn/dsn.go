// Package dsn reads how servers of ClickHouse are written on a command line. It knows nothing of them, so that it can
// be fuzzed on its own.
package dsn

import (
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// DSN is what a text says; see clickhouse.Config for what each member means. What is not said is zero.
type DSN struct {
	Addresses                    []string // host:port, one at least; those of replicas with | between them
	Username, Password, Database string
	Cluster, Table, Format       string
	Timeout                      time.Duration
	MemoryBytes                  int64
	Threads, Statements          int
	TLS                          bool
	// Files: of the authorities that sign the servers' certificates, of the client's certificate and its key, and of the
	// password. ServerName is what the servers' certificates are for, if that is not the host.
	TLSAuthority, TLSCertificate, TLSKey, PasswordFile, ServerName string
}

// Parse reads a DSN:
//
//	clickhouse://user:password@host1:9000,host2:9000/database?cluster=name
//
// Only one host is needed; a host without a port has 9000. User, password and database may be left out. The parameters
// are cluster, table, format (arrays or words), timeout (30s), memory (bytes), threads, statements, tls=true, tls_ca,
// tls_cert, tls_key, tls_server_name (of which each means TLS, too), and password_file. User and password are
// percent-encoded where they hold :, @, /, ? or %. Replicas of a shard stand with | between them:
// host1a|host1b,host2a|host2b.
func Parse(text string) (DSN, error) {
	var d DSN
	rest, ok := strings.CutPrefix(text, "clickhouse://")
	if !ok {
		return d, fmt.Errorf("a ClickHouse DSN begins with clickhouse://, then comes host:port")
	}
	rest, query, _ := strings.Cut(rest, "?")
	rest, d.Database, _ = strings.Cut(rest, "/")
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		name, password, _ := strings.Cut(rest[:i], ":")
		var err error
		if d.Username, err = url.PathUnescape(name); err == nil {
			d.Password, err = url.PathUnescape(password)
		}
		if err != nil {
			return DSN{}, fmt.Errorf("the user and password of the ClickHouse DSN are not percent-encoded as they should be")
		}
		rest = rest[i+1:]
	}
	for shard := range strings.SplitSeq(rest, ",") {
		var replicas []string
		for host := range strings.SplitSeq(shard, "|") {
			address, err := parseHost(host)
			if err != nil {
				return DSN{}, err
			}
			replicas = append(replicas, address)
		}
		d.Addresses = append(d.Addresses, strings.Join(replicas, "|"))
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return DSN{}, fmt.Errorf("the parameters of the ClickHouse DSN: %w", err)
	}
	for name, list := range values {
		if err := d.set(name, list[len(list)-1]); err != nil {
			return DSN{}, fmt.Errorf("the ClickHouse DSN: %w", err)
		}
	}
	if err := d.agree(values.Has("tls")); err != nil {
		return DSN{}, fmt.Errorf("the ClickHouse DSN: %w", err)
	}
	return d, nil
}

// agree sees to it that what is said goes together; tls tells whether it is said that there is TLS, or that there is
// none.
func (d *DSN) agree(tls bool) error {
	switch {
	case (d.TLSCertificate == "") != (d.TLSKey == ""):
		return errors.New("tls_cert and tls_key are of use together only")
	case d.Password != "" && d.PasswordFile != "":
		return errors.New("there is a password and a password_file: leave one of them out")
	}
	if d.TLSAuthority+d.TLSCertificate+d.ServerName != "" {
		if tls && !d.TLS {
			return errors.New("tls=false, and other parameters say how TLS is done: leave one of them out")
		}
		d.TLS = true
	}
	return nil
}

// parseHost reads host:port, or a host, whose port is 9000.
func parseHost(host string) (string, error) {
	if host == "" {
		return "", fmt.Errorf("the ClickHouse DSN names no host, or an empty one: " +
			"clickhouse://host1:9000,host2:9000 is expected")
	}
	name, port, err := net.SplitHostPort(host)
	if err != nil {
		name, port = strings.Trim(host, "[]"), "9000"
	}
	if name == "" || strings.ContainsAny(name, "[] ") {
		return "", fmt.Errorf("the ClickHouse DSN names no host, or an empty one: "+
			"clickhouse://host1:9000,host2:9000 is expected, not %q", host)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
		return "", fmt.Errorf("the ClickHouse DSN: %q is no port of host %s: 9000 is usual, and meant "+
			"where no port stands", port, name)
	}
	return net.JoinHostPort(name, port), nil
}

var errNegative = errors.New("it can't be negative")

func (d *DSN) set(name, value string) (err error) {
	whole := func(to *int) {
		if *to, err = strconv.Atoi(value); err == nil && *to < 0 {
			err = errNegative
		}
	}
	switch name {
	case "cluster":
		d.Cluster = value
	case "table":
		d.Table = value
	case "format":
		d.Format = value
	case "timeout":
		if d.Timeout, err = time.ParseDuration(value); err == nil && d.Timeout < 0 {
			err = errNegative
		}
	case "memory":
		if d.MemoryBytes, err = strconv.ParseInt(value, 10, 64); err == nil && d.MemoryBytes < 0 {
			err = errNegative
		}
	case "threads":
		whole(&d.Threads)
	case "statements":
		whole(&d.Statements)
	case "tls":
		d.TLS, err = strconv.ParseBool(value)
	case "tls_ca":
		d.TLSAuthority = value
	case "tls_cert":
		d.TLSCertificate = value
	case "tls_key":
		d.TLSKey = value
	case "tls_server_name":
		d.ServerName = value
	case "password_file":
		d.PasswordFile = value
	default:
		return fmt.Errorf("there is no parameter %s: cluster, table, format, timeout, memory, threads, statements, tls, "+
			"tls_ca, tls_cert, tls_key, tls_server_name and password_file are known", name)
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", name, value, err)
	}
	return nil
}
