package clickhouse_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"text/template"
	"time"
)

// server is a ClickHouse server of the tests' own.
type server struct {
	dir              string
	HTTP, TCP, Inter int          // ports
	Proxy            int          // port that leads to TCP and counts what passes
	passed           atomic.Int64 // bytes, both ways
	cmd              *exec.Cmd
	done             chan error
}

func (s *server) address() string { return fmt.Sprintf("127.0.0.1:%d", s.TCP) }

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

const usersConfig = `<yandex><profiles><default/></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users>
<quotas><default/></quotas></yandex>`

// count passes connections on from the proxy's port and counts their bytes.
func (s *server) count(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return
		}
		out, err := net.Dial("tcp", s.address())
		if err != nil {
			in.Close()
			continue
		}
		pass := func(to, from net.Conn) {
			defer to.Close()
			io.Copy(io.MultiWriter(to, counter{&s.passed}), from)
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

// clusterName is what the servers' remote_servers call the two of them.
const clusterName = "shards"

// newCluster starts two servers on free ports.
func newCluster(dir string) (all []*server, err error) {
	for i := range 2 {
		s := &server{dir: filepath.Join(dir, fmt.Sprint(i))}
		for _, port := range []*int{&s.HTTP, &s.TCP, &s.Inter} {
			l, err := net.Listen("tcp", "127.0.0.1:0")
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
		go s.count(l) // as long as the tests run
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
		if err := errors.Join(os.WriteFile(filepath.Join(s.dir, "config.xml"), config.Bytes(), 0o644), os.WriteFile(filepath.Join(s.dir, "users.xml"), []byte(usersConfig), 0o644)); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *server) start() error {
	s.cmd = exec.Command("clickhouse-server", "--config-file="+filepath.Join(s.dir, "config.xml"))
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.done = make(chan error, 1)
	go func() { s.done <- s.cmd.Wait() }()
	for range 200 {
		if r, err := http.Get(fmt.Sprintf("http://127.0.0.1:%d/ping", s.HTTP)); err == nil {
			r.Body.Close()
			return nil
		}
		select {
		case err := <-s.done:
			text, _ := os.ReadFile(filepath.Join(s.dir, "errors"))
			return fmt.Errorf("clickhouse-server ended: %v\n%s", err, text)
		case <-time.After(50 * time.Millisecond):
		}
	}
	return errors.New("clickhouse-server does not answer")
}

func (s *server) signal(sig os.Signal) { s.cmd.Process.Signal(sig) }

func (s *server) kill() {
	if s.cmd != nil {
		s.cmd.Process.Kill()
		<-s.done
		s.cmd = nil
	}
}

// shared is the cluster that most tests use.
var shared struct {
	once sync.Once
	dir  string
	all  []*server
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	for _, s := range shared.all {
		s.kill()
	}
	if shared.dir != "" {
		os.RemoveAll(shared.dir)
	}
	os.Exit(code)
}

func needServer(t testing.TB) {
	t.Helper()
	if os.Getenv("CROSSWAVE_TEST_CLICKHOUSE") == "" {
		t.Skip("it takes minutes and is run when CROSSWAVE_TEST_CLICKHOUSE is set")
	}
	if _, err := exec.LookPath("clickhouse-server"); err != nil {
		t.Skip("clickhouse-server is not installed (Debian: apt-get install --no-install-recommends clickhouse-server)")
	}
}

func cluster(t testing.TB) []*server {
	t.Helper()
	needServer(t)
	shared.once.Do(func() {
		if shared.dir, shared.err = os.MkdirTemp("", "crosswave-clickhouse-"); shared.err != nil {
			return
		}
		if shared.all, shared.err = newCluster(shared.dir); shared.err != nil {
			return
		}
		for _, s := range shared.all {
			if shared.err = s.start(); shared.err != nil {
				return
			}
		}
	})
	if shared.err != nil {
		t.Fatal(shared.err)
	}
	return shared.all
}

// ownCluster is a cluster that a test may maltreat.
func ownCluster(t testing.TB) []*server {
	t.Helper()
	needServer(t)
	all, err := newCluster(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if err := s.start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(s.kill)
	}
	return all
}
