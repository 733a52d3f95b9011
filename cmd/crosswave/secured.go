package main

import (
	"crypto/tls"
	"net"
)

// secured is the flags of a server that speaks TLS itself, without a proxy before it.
type secured struct {
	TLSCert string `name:"tls-cert" placeholder:"FILE" help:"Serve https with this certificate (PEM, its chain after it)."`
	TLSKey  string `name:"tls-key" placeholder:"FILE" help:"The certificate's private key, as PEM."`
}

// listen listens at an address. Both files are read once: a new certificate is served after a restart.
func (s secured) listen(address string) (listener net.Listener, scheme string, err error) {
	if (s.TLSCert == "") != (s.TLSKey == "") {
		return nil, "", usage("--tls-cert and --tls-key go together: a certificate and its key")
	}
	if s.TLSCert == "" {
		listener, err = net.Listen("tcp", address)
		return listener, "http", err
	}
	certificate, err := tls.LoadX509KeyPair(s.TLSCert, s.TLSKey)
	if err != nil {
		return nil, "", usage("--tls-cert, --tls-key: %v", err)
	}
	listener, err = tls.Listen("tcp", address, &tls.Config{Certificates: []tls.Certificate{certificate},
		MinVersion: tls.VersionTLS12, NextProtos: []string{"http/1.1"}})
	return listener, "https", err
}
