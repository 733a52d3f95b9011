package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// certified writes a certificate for this machine and its key, and returns a client that trusts it.
func certified(t *testing.T) (certificate, key string, client *http.Client) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	signed, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	for path, block := range map[string]*pem.Block{certificate: {Type: "CERTIFICATE", Bytes: signed},
		key: {Type: "PRIVATE KEY", Bytes: secret}} {
		if err := os.WriteFile(path, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	trusted, err := x509.ParseCertificate(signed)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(trusted)
	return certificate, key, &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool},
		DisableKeepAlives: true}}
}

// With a certificate the server speaks https; with half of one, or none that there is, it does not begin.
func TestServeTLS(t *testing.T) {
	certificate, key, client := certified(t)
	db := store(t)
	s := start(t, "--db", db, "--tls-cert", certificate, "--tls-key", key)
	resp, err := client.Get(s.wait(`serving \S+ on (https://\S+)`) + "/healthz")
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Error(resp.Status)
	}
	s.end()
	for _, args := range [][]string{{"--tls-cert", certificate}, {"--tls-key", key},
		{"--tls-cert", key, "--tls-key", key}, {"--tls-cert", "nowhere.pem", "--tls-key", key}} {
		code, _, errs := run(t, "", append([]string{"serve", "--db", db, "--addr", "127.0.0.1:0"}, args...)...)
		if code != 2 || !strings.Contains(errs, "--tls-cert") {
			t.Errorf("%v: exit %d, %s", args, code, errs)
		}
	}
}
