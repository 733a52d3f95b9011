package clickhouse

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// ParseDSN reads a Config as the command line writes it:
//
//	clickhouse://user:password@host1:9000,host2:9000/database?cluster=name
//
// Only one host is needed; a host without a port has 9000. User, password and database may be left out. The parameters
// are cluster, table, timeout (30s), memory (bytes), threads, statements, and tls=true. User and password are
// percent-encoded where they hold :, @, /, ? or %.
func ParseDSN(dsn string) (Config, error) {
	var c Config
	rest, ok := strings.CutPrefix(dsn, "clickhouse://")
	if !ok {
		return c, fmt.Errorf("a ClickHouse DSN begins with clickhouse://, then comes host:port")
	}
	rest, query, _ := strings.Cut(rest, "?")
	rest, c.Database, _ = strings.Cut(rest, "/")
	if i := strings.LastIndex(rest, "@"); i >= 0 {
		name, password, _ := strings.Cut(rest[:i], ":")
		var err error
		if c.Username, err = url.PathUnescape(name); err == nil {
			c.Password, err = url.PathUnescape(password)
		}
		if err != nil {
			return Config{}, fmt.Errorf("the user and password of the ClickHouse DSN are not percent-encoded as they should be")
		}
		rest = rest[i+1:]
	}
	for _, host := range strings.Split(rest, ",") {
		if host == "" {
			return Config{}, fmt.Errorf("the ClickHouse DSN names no host, or an empty one: " +
				"clickhouse://host1:9000,host2:9000 is expected")
		}
		name, port, err := net.SplitHostPort(host)
		if err != nil {
			name, port = strings.Trim(host, "[]"), "9000"
		}
		if name == "" || strings.ContainsAny(name, "[] ") {
			return Config{}, fmt.Errorf("the ClickHouse DSN names no host, or an empty one: "+
				"clickhouse://host1:9000,host2:9000 is expected, not %q", host)
		}
		if n, err := strconv.ParseUint(port, 10, 16); err != nil || n == 0 {
			return Config{}, fmt.Errorf("the ClickHouse DSN: %q is no port of host %s: 9000 is usual, and meant "+
				"where no port stands", port, name)
		}
		host = net.JoinHostPort(name, port)
		c.Addresses = append(c.Addresses, host)
	}
	values, err := url.ParseQuery(query)
	if err != nil {
		return Config{}, fmt.Errorf("the parameters of the ClickHouse DSN: %w", err)
	}
	for name, list := range values {
		if err := c.set(name, list[len(list)-1]); err != nil {
			return Config{}, fmt.Errorf("the ClickHouse DSN: %w", err)
		}
	}
	_, err = c.withDefaults()
	return c, err
}

var errNegative = errors.New("it can't be negative")

func (c *Config) set(name, value string) (err error) {
	whole := func(to *int) {
		if *to, err = strconv.Atoi(value); err == nil && *to < 0 {
			err = errNegative
		}
	}
	switch name {
	case "cluster":
		c.Cluster = value
	case "table":
		c.Table = value
	case "timeout":
		if c.Timeout, err = time.ParseDuration(value); err == nil && c.Timeout < 0 {
			err = errNegative
		}
	case "memory":
		if c.MemoryBytes, err = strconv.ParseInt(value, 10, 64); err == nil && c.MemoryBytes < 0 {
			err = errNegative
		}
	case "threads":
		whole(&c.Threads)
	case "statements":
		whole(&c.Statements)
	case "tls":
		var on bool
		if on, err = strconv.ParseBool(value); on {
			c.TLS = &tls.Config{}
		}
	default:
		return fmt.Errorf("there is no parameter %s: cluster, table, timeout, memory, threads, statements and tls "+
			"are known", name)
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", name, value, err)
	}
	return nil
}
