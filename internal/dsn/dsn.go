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
	Addresses                    []string // host:port, one at least
	Username, Password, Database string
	Cluster, Table               string
	Timeout                      time.Duration
	MemoryBytes                  int64
	Threads, Statements          int
	TLS                          bool
}

// Parse reads a DSN:
//
//	clickhouse://user:password@host1:9000,host2:9000/database?cluster=name
//
// Only one host is needed; a host without a port has 9000. User, password and database may be left out. The parameters
// are cluster, table, timeout (30s), memory (bytes), threads, statements, and tls=true. User and password are
// percent-encoded where they hold :, @, /, ? or %.
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
	for _, host := range strings.Split(rest, ",") {
		if host == "" {
			return DSN{}, fmt.Errorf("the ClickHouse DSN names no host, or an empty one: " +
				"clickhouse://host1:9000,host2:9000 is expected")
		}
		name, port, err := net.SplitHostPort(host)
		if err != nil {
			name, port = strings.Trim(host, "[]"), "9000"
		}
		if name == "" || strings.ContainsAny(name, "[] ") {
			return DSN{}, fmt.Errorf("the ClickHouse DSN names no host, or an empty one: "+
				"clickhouse://host1:9000,host2:9000 is expected, not %q", host)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return DSN{}, fmt.Errorf("the ClickHouse DSN: %q is no port of host %s: 9000 is usual, and meant "+
				"where no port stands", port, name)
		}
		host = net.JoinHostPort(name, port)
		d.Addresses = append(d.Addresses, host)
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
	return d, nil
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
	default:
		return fmt.Errorf("there is no parameter %s: cluster, table, timeout, memory, threads, statements and tls "+
			"are known", name)
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", name, value, err)
	}
	return nil
}
