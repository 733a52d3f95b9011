package clickhouse_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/sqlite"
)

// signer is an authority, or whoever it signed.
type signer struct {
	key  *ecdsa.PrivateKey
	cert *x509.Certificate
	file string // NAME.pem, with the key in NAME.key beside it
}

// sign makes a certificate, by an authority or, if that is nil, one of its own.
func sign(t testing.TB, dir, name string, by *signer) *signer {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	s := &signer{key: key, file: filepath.Join(dir, name)}
	template := &x509.Certificate{SerialNumber: big.NewInt(time.Now().UnixNano()), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{name},
		KeyUsage:              x509.KeyUsageDigitalSignature,
		ExtKeyUsage:           []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
		BasicConstraintsValid: true}
	parent, with := template, key
	if by == nil {
		template.IsCA, template.KeyUsage = true, x509.KeyUsageCertSign
		template.ExtKeyUsage = nil
	} else {
		parent, with = by.cert, by.key
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, with)
	if err != nil {
		t.Fatal(err)
	}
	if s.cert, err = x509.ParseCertificate(der); err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(
		os.WriteFile(s.file+".pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600),
		os.WriteFile(s.file+".key", pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: secret}), 0o600),
	); err != nil {
		t.Fatal(err)
	}
	return s
}

// With an authority of one's own, a certificate of the client's and the servers' name everything goes through TLS; with
// any of them missing, or another's, nothing does, and it is told as a server that lets nobody in.
func TestTLS(t *testing.T) {
	heavy(t)
	all, dir := ownCluster(t), t.TempDir()
	authority, other := sign(t, dir, "authority", nil), sign(t, dir, "other", nil)
	server, client := sign(t, dir, "shards.example", authority), sign(t, dir, "client", authority)
	stranger := sign(t, dir, "stranger", other)
	var hosts []string
	for _, s := range all {
		address, err := s.Secure(server.file+".pem", server.file+".key", authority.file+".pem")
		if err != nil {
			t.Fatal(err)
		}
		s.Kill()
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		hosts = append(hosts, address)
	}
	dsn := func(parameters ...string) string {
		return fmt.Sprintf("clickhouse://%s/?%s", strings.Join(hosts, ","), strings.Join(parameters, "&"))
	}
	ca, cert, name := "tls_ca="+authority.file+".pem", "tls_cert="+client.file+".pem&tls_key="+client.file+".key",
		"tls_server_name=shards.example"
	config, err := clickhouse.ParseDSN(dsn(ca, cert, name))
	if err != nil {
		t.Fatal(err)
	}
	p := open(t, sqlite.Memory, config)
	load(t, p, 1000)
	embedded := open(t, sqlite.Memory, config).embedded
	load(t, embedded, 1000)
	if diff := cmp.Diff(count(t, embedded, 5), count(t, p, 5)); diff != "" {
		t.Errorf("it counts otherwise (-embedded +TLS):\n%s", diff)
	}
	for what, wrong := range map[string]string{
		"no certificate":            dsn(ca, name),
		"a stranger's certificate":  dsn(ca, name, "tls_cert="+stranger.file+".pem&tls_key="+stranger.file+".key"),
		"the system's authorities":  dsn(cert, name),
		"another authority":         dsn("tls_ca="+other.file+".pem", cert, name),
		"the host as the name":      dsn(ca, cert),
		"another name":              dsn(ca, cert, "tls_server_name=other.example"),
		"no TLS on a port with TLS": dsn("timeout=5s"),
	} {
		config, err := clickhouse.ParseDSN(wrong)
		if err != nil {
			t.Fatal(err)
		}
		s, err := clickhouse.Open(t.Context(), p.embedded, config)
		if err != nil {
			t.Fatal(err)
		}
		f, err := s.Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Count(t.Context(), f.Version, []audience.Query{square(t, f, 1)})
		if !errors.Is(err, audience.ErrNoAnswer) {
			t.Errorf("%s: %v", what, err)
		}
		t.Logf("%s: %v", what, err)
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}

// Files of a DSN that are not there, or are none, are told with their parameter.
func TestFilesOfDSN(t *testing.T) {
	dir := t.TempDir()
	one := sign(t, dir, "one", nil)
	password := filepath.Join(dir, "password")
	if err := os.WriteFile(password, []byte("open: sesame/?@ \r\nsecond line\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := clickhouse.ParseDSN("clickhouse://me@one?password_file=" + password)
	if err != nil || c.Password != "open: sesame/?@ " || c.Username != "me" || c.TLS != nil {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = clickhouse.ParseDSN("clickhouse://one?tls_server_name=x&tls_cert=" + one.file + ".pem&tls_key=" + one.file +
		".key&tls_ca=" + one.file + ".pem")
	if err != nil || c.TLS == nil || c.TLS.ServerName != "x" || len(c.TLS.Certificates) != 1 || c.TLS.RootCAs == nil ||
		c.TLS.InsecureSkipVerify {
		t.Errorf("%+v, %v", c, err)
	}
	for parameters, says := range map[string]string{
		"password_file=" + dir + "/none":                                    "password_file",
		"tls_ca=" + dir + "/none":                                           "tls_ca",
		"tls_ca=" + password:                                                "no certificate in PEM",
		"tls_cert=" + password + "&tls_key=" + one.file + ".key":            "tls_cert",
		"tls_cert=" + one.file + ".pem&tls_key=" + dir + "/none":            "tls_key",
		"tls_cert=" + one.file + ".pem":                                     "together",
		"tls=false&tls_server_name=x":                                       "tls=false",
		"tls_cert=" + one.file + ".pem&tls_key=" + password + "&tls=true":   "tls_key",
		"password_file=" + password + "&tls_key=" + one.file + ".key&tls=1": "together",
	} {
		if _, err := clickhouse.ParseDSN("clickhouse://one?" + parameters); err == nil ||
			!strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: the error is %v", parameters, err)
		}
	}
	if _, err := clickhouse.ParseDSN("clickhouse://me:word@one?password_file=" + password); err == nil {
		t.Error("two passwords are taken")
	}
}
