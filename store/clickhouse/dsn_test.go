package clickhouse

import (
	"crypto/tls"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

var ignoreTLS = cmpopts.IgnoreUnexported(tls.Config{})

func TestParseDSN(t *testing.T) {
	for _, c := range []struct {
		dsn  string
		want Config
	}{
		{"clickhouse://one", Config{Addresses: []string{"one:9000"}}},
		{"clickhouse://one:9001,two/db", Config{Addresses: []string{"one:9001", "two:9000"}, Database: "db"}},
		{"clickhouse://[::1]:9001,[::2],::3", Config{Addresses: []string{"[::1]:9001", "[::2]:9000", "[::3]:9000"}}},
		{"clickhouse://me@one", Config{Addresses: []string{"one:9000"}, Username: "me"}},
		{"clickhouse://m%40e:p%3A%2F%40@one/db?cluster=c", Config{Addresses: []string{"one:9000"}, Username: "m@e",
			Password: "p:/@", Database: "db", Cluster: "c"}},
		{"clickhouse://one?table=t&timeout=5s&memory=1000000&threads=2&statements=3&tls=true",
			Config{Addresses: []string{"one:9000"}, Table: "t", Timeout: 5 * time.Second, MemoryBytes: 1_000_000,
				Threads: 2, Statements: 3, TLS: &tls.Config{MinVersion: tls.VersionTLS12}}},
		{"clickhouse://one|two:9001,three/db", Config{Addresses: []string{"one:9000|two:9001", "three:9000"},
			Database: "db"}},
		{"clickhouse://one?format=words", Config{Addresses: []string{"one:9000"}, Format: Words}},
		{"clickhouse://one?tls=false", Config{Addresses: []string{"one:9000"}}},
	} {
		got, err := ParseDSN(c.dsn)
		if err != nil {
			t.Errorf("%s: %v", c.dsn, err)
			continue
		}
		if diff := cmp.Diff(c.want, got, ignoreTLS); diff != "" {
			t.Errorf("%s: (-want +got)\n%s", c.dsn, diff)
		}
	}
}

func TestParseDSNRefuses(t *testing.T) {
	for _, c := range []struct{ dsn, says string }{
		{"", "begins with clickhouse://"},
		{"http://one", "begins with clickhouse://"},
		{"clickhouse://", "names no host"},
		{"clickhouse:///db", "names no host"},
		{"clickhouse://one,,two", "names no host, or an empty one"},
		{"clickhouse://:9000", "names no host, or an empty one"},
		{"clickhouse://one:", "no port"},
		{"clickhouse://one:nine", "port"},
		{"clickhouse://one:99999", "port"},
		{"clickhouse://one,one:9000", "named twice"},
		{"clickhouse://one|two,one", "named twice"},
		{"clickhouse://one|one", "named twice"},
		{"clickhouse://one|,two", "names no host, or an empty one"},
		{"clickhouse://one|two?cluster=c", "are replicas, and a cluster is named"},
		{"clickhouse://m%e@one", "percent-encoded"},
		{"clickhouse://one/a-b", `database "a-b"`},
		{"clickhouse://one?cluster=a.b", `cluster "a.b"`},
		{"clickhouse://one?table=1t", `table "1t"`},
		{"clickhouse://one?format=bits", `"bits"`},
		{"clickhouse://one?shards=2", "no parameter shards"},
		{"clickhouse://one?timeout=5", "timeout=5"},
		{"clickhouse://one?timeout=-5s", "timeout=-5s"},
		{"clickhouse://one?threads=many", "threads=many"},
		{"clickhouse://one?threads=-1", "threads=-1"},
		{"clickhouse://one?memory=1G", "memory=1G"},
		{"clickhouse://one?memory=-1", "memory=-1"},
		{"clickhouse://one?tls=perhaps", "tls=perhaps"},
		{"clickhouse://one?a=%zz", "parameters"},
	} {
		got, err := ParseDSN(c.dsn)
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %+v, error %v; it should say %q", c.dsn, got, err, c.says)
		}
	}
}
