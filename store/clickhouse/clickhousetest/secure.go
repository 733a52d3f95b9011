package clickhousetest

import (
	"fmt"
	"net"
)

// Secure has the server speak TLS, too, from the next Start on, at the address that is returned: with a certificate and
// its key, and to clients only whose certificates an authority has signed. All three are files.
func (s *Server) Secure(certificate, key, authority string) (address string, err error) {
	l, err := listen()
	if err != nil {
		return "", err
	}
	port := l.Addr().(*net.TCPAddr).Port
	if err := l.Close(); err != nil {
		return "", err
	}
	return fmt.Sprintf("127.0.0.1:%d", port), s.configure(fmt.Sprintf(`<tcp_port_secure>%d</tcp_port_secure>
<openSSL><server><certificateFile>%s</certificateFile><privateKeyFile>%s</privateKeyFile><caConfig>%s</caConfig>
<verificationMode>strict</verificationMode><loadDefaultCAFile>false</loadDefaultCAFile>
<cacheSessions>false</cacheSessions>
</server></openSSL>`, port, certificate, key, authority))
}
