package dsn

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// write is the text of a DSN.
func write(d DSN) string {
	text := "clickhouse://"
	if d.Username != "" || d.Password != "" {
		text += url.QueryEscape(d.Username) + ":" + url.QueryEscape(d.Password) + "@"
		text = strings.ReplaceAll(text, "+", "%20")
	}
	text += strings.Join(d.Addresses, ",") + "/" + d.Database
	v := url.Values{}
	set := func(name string, value any, there bool) {
		if there {
			v.Set(name, fmt.Sprint(value))
		}
	}
	set("cluster", d.Cluster, d.Cluster != "")
	set("table", d.Table, d.Table != "")
	set("format", d.Format, d.Format != "")
	set("timeout", d.Timeout, d.Timeout != 0)
	set("memory", d.MemoryBytes, d.MemoryBytes != 0)
	set("threads", d.Threads, d.Threads != 0)
	set("statements", d.Statements, d.Statements != 0)
	set("tls", true, d.TLS)
	set("tls_ca", d.TLSAuthority, d.TLSAuthority != "")
	set("tls_cert", d.TLSCertificate, d.TLSCertificate != "")
	set("tls_key", d.TLSKey, d.TLSKey != "")
	set("tls_server_name", d.ServerName, d.ServerName != "")
	set("password_file", d.PasswordFile, d.PasswordFile != "")
	return text + "?" + v.Encode()
}

// What is read can be written and read again.
func FuzzParse(f *testing.F) {
	for _, dsn := range []string{
		"clickhouse://one", "clickhouse://m%40e:p%3A@one:9001,[::1],two/db?cluster=c&table=t",
		"clickhouse://one?format=words&timeout=5s&memory=1&threads=2&statements=3&tls=true",
		"clickhouse://a:b@c@d:1", "clickhouse://::1,[::2]:9", "clickhouse://one:/",
		"clickhouse://a|b:9001,c|[::1]", "clickhouse://a||b", "clickhouse://one?tls=1&tls=0",
		"clickhouse://one?tls_ca=a&tls_cert=b&tls_key=c&tls_server_name=d&password_file=e",
	} {
		f.Add(dsn)
	}
	f.Fuzz(func(t *testing.T, text string) {
		d, err := Parse(text)
		if err != nil {
			return
		}
		again, err := Parse(write(d))
		if err != nil {
			t.Fatalf("%q, written as %q: %v", text, write(d), err)
		}
		if diff := cmp.Diff(d, again); diff != "" {
			t.Fatalf("%q, written as %q (-once +twice):\n%s", text, write(d), diff)
		}
	})
}
