// Package clickhousetest starts ClickHouse servers for tests.
package clickhousetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"text/template"
	"time"

	"github.com/crosswave/crosswave/internal/testsize"
)

// Server is a ClickHouse server of a test's own.
type Server struct {
	HTTP, TCP, Inter int          // ports
	Proxy            int          // port that leads to TCP and counts what passes
	Passed           atomic.Int64 // bytes through Proxy, both ways
	dir              string
	zooKeeper        int // the port of a replica's ZooKeeper
	cmd              *exec.Cmd
	done             chan error
}

// Address is where the server speaks ClickHouse's native protocol.
func (s *Server) Address() string { return fmt.Sprintf("127.0.0.1:%d", s.TCP) }

var serverConfig = template.Must(template.New("").Parse(`<yandex>
<logger><level>warning</level><log>{{.Dir}}/log</log><errorlog>{{.Dir}}/errors</errorlog></logger>
<http_port>{{.Own.HTTP}}</http_port><tcp_port>{{.Own.TCP}}</tcp_port><interserver_http_port>{{.Own.Inter}}</interserver_http_port>
<listen_host>127.0.0.1</listen_host>
<path>{{.Dir}}/data/</path><tmp_path>{{.Dir}}/tmp/</tmp_path><user_files_path>{{.Dir}}/files/</user_files_path><format_schema_path>{{.Dir}}/schemas/</format_schema_path>
<users_config>users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size>
<remote_servers><shards>{{range .All}}<shard><replica><host>127.0.0.1</host><port>{{.TCP}}</port></replica></shard>{{end}}</shards>
<counted>{{range .All}}<shard><replica><host>127.0.0.1</host><port>{{.Proxy}}</port></replica></shard>{{end}}</counted></remote_servers>
</yandex>`))

// usersConfig has the settings of the servers' one profile in it.
const usersConfig = `<yandex><profiles><default>%s</default></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default/></quotas></yandex>`

// count passes connections on from the proxy's port and counts their bytes.
func (s *Server) count(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", s.Address())
		if err != nil {
			in.Close()
			continue
		}
		pass := func(to, from net.Conn) {
			defer to.Close()
			io.Copy(io.MultiWriter(to, counter{&s.Passed}), from)
		}
		go pass(in, out)
		go pass(out, in)
	}
}

type counter struct{ n *atomic.Int64 }

func (c counter) Write(b []byte) (int, error) {
	c.n.Add(int64(len(b)))
	return len(b), nil
}

// Remote_servers of the servers: all of them, as they are and through their Proxy ports.
const (
	Cluster = "shards"
	Counted = "counted"
)

// Skip tells why there can be no servers, "" if there can.
func Skip() string {
	if testsize.Quick() {
		return "servers are started in tests of another size than " + testsize.Variable + "=quick"
	}
	if _, err := exec.LookPath(program); err != nil {
		return program + " is not installed (Debian: apt-get install --no-install-recommends clickhouse-server)"
	}
	return ""
}

const program = "clickhouse-server"

// New prepares two servers on free ports, which keep what they have below dir.
func New(dir string) ([]*Server, error) { return Several(dir, 2) }

// Several prepares so many servers on free ports, which keep what they have below dir.
func Several(dir string, servers int) (all []*Server, err error) {
	for i := range servers {
		s := &Server{dir: filepath.Join(dir, fmt.Sprint(i))}
		for _, port := range []*int{&s.HTTP, &s.TCP, &s.Inter} {
			l, err := listen()
			if err != nil {
				return nil, err
			}
			defer l.Close()
			*port = l.Addr().(*net.TCPAddr).Port
		}
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, err
		}
		s.Proxy = l.Addr().(*net.TCPAddr).Port
		go s.count(l) // as long as the process runs
		all = append(all, s)
	}
	for _, s := range all {
		for _, d := range []string{"data", "tmp", "files", "schemas"} {
			if err := os.MkdirAll(filepath.Join(s.dir, d), 0o755); err != nil {
				return nil, err
			}
		}
		var config bytes.Buffer
		if err := serverConfig.Execute(&config, map[string]any{"Dir": s.dir, "Own": s, "All": all}); err != nil {
			return nil, err
		}
		if err := errors.Join(os.WriteFile(filepath.Join(s.dir, "config.xml"), config.Bytes(), 0o644),
			s.Profile("")); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// listen takes a port that is free, and is none of those that systems give to connections: one that was let go of for a
// server to take would soon be taken by another.
func listen() (l net.Listener, err error) {
	for range 100 {
		if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", 10_000+rand.IntN(20_000))); err == nil {
			break
		}
	}
	return l, err
}

// Ports finds so many free ports in a row, among those that listen takes from, and returns the first.
func Ports(number int) (first int, err error) {
	for range 100 {
		first = 10_000 + rand.IntN(20_000)
		taken := make([]net.Listener, 0, number)
		for err = nil; err == nil && len(taken) < number; {
			var l net.Listener
			if l, err = net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first+len(taken))); err == nil {
				taken = append(taken, l)
			}
		}
		for _, l := range taken {
			l.Close()
		}
		if err == nil {
			return first, nil
		}
	}
	return 0, err
}

// Profile gives the server settings of its own, as XML, from the next Start on.
func (s *Server) Profile(settings string) error {
	return os.WriteFile(filepath.Join(s.dir, "users.xml"), fmt.Appendf(nil, usersConfig, settings), 0o644)
}

// Start starts the server and waits until it answers. It ends with this process at the latest, however that ends (on
// Linux).
func (s *Server) Start() error {
	cmd, started, done := exec.Command(program, "--config-file="+filepath.Join(s.dir, "config.xml")), make(chan error),
		make(chan error, 1)
	cmd.SysProcAttr = mortal()
	go func() {
		runtime.LockOSThread() // the server ends when the thread that started it does
		err := cmd.Start()
		started <- err
		if err == nil {
			done <- cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		return err
	}
	s.cmd, s.done = cmd, done
	for range 2400 {
		if r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/ping", s.HTTP)); err == nil {
			r.Body.Close()
			return nil
		}
		select {
		case err := <-done:
			s.cmd = nil
			text, _ := os.ReadFile(filepath.Join(s.dir, "errors"))
			return fmt.Errorf("clickhouse-server ended: %v\n%s", err, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.New("clickhouse-server does not answer")
}

// Process is the number of the running server's process.
func (s *Server) Process() int { return s.cmd.Process.Pid }

// Signal sends the server a signal.
func (s *Server) Signal(sig os.Signal) error { return s.cmd.Process.Signal(sig) }

// Kill ends the server at once; it does nothing if it does not run. What it has is there at the next Start.
func (s *Server) Kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		<-s.done
		s.cmd = nil
	}
}
