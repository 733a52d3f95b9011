package clickhouse

import (
	"crypto/tls"
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
// Only one host is needed; a host without a port has 9000. User, password and database may be left out. The parameters are cluster, table, timeout (30s), memory (bytes),
// threads, statements, and tls=true. User and password are percent-encoded where they hold :, @ or /.
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
			return Config{}, fmt.Errorf("the ClickHouse DSN names no host, or an empty one: clickhouse://host1:9000,host2:9000 is expected")
		}
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), "9000")
		}
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

func (c *Config) set(name, value string) (err error) {
	whole := func(to *int) { *to, err = strconv.Atoi(value) }
	switch name {
	case "cluster":
		c.Cluster = value
	case "table":
		c.Table = value
	case "timeout":
		c.Timeout, err = time.ParseDuration(value)
	case "memory":
		c.MemoryBytes, err = strconv.ParseInt(value, 10, 64)
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
		return fmt.Errorf("there is no parameter %s: cluster, table, timeout, memory, threads, statements and tls are known", name)
	}
	if err != nil {
		return fmt.Errorf("%s=%s: %w", name, value, err)
	}
	return nil
}
