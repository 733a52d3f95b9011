package clickhousetest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"
)

// zooKeeper is where Debian's package has ZooKeeper.
const zooKeeper = "/usr/share/java/zookeeper.jar"

// SkipReplicas tells why there can be no replicas, "" if there can.
func SkipReplicas() string {
	if _, err := os.Stat(zooKeeper); err != nil {
		return "ZooKeeper is not installed (Debian: apt-get install --no-install-recommends zookeeper)"
	}
	if _, err := exec.LookPath("java"); err != nil {
		return "there is no Java for ZooKeeper"
	}
	return Skip()
}

// NewReplicated prepares so many shards of two servers each on free ports, which keep what they have below dir, and
// starts the ZooKeeper by which they share it; stop ends that.
func NewReplicated(dir string, shards int) (all [][]*Server, stop func(), err error) {
	l, err := listen()
	if err != nil {
		return nil, nil, err
	}
	port := l.Addr().(*net.TCPAddr).Port
	l.Close()
	if stop, err = startZooKeeper(filepath.Join(dir, "zookeeper"), port); err != nil {
		return nil, nil, err
	}
	for shard := range shards {
		pair, err := New(filepath.Join(dir, fmt.Sprint("shard", shard)))
		if err != nil {
			stop()
			return nil, nil, err
		}
		for replica, s := range pair {
			if err := s.configure(fmt.Sprintf(`<interserver_http_host>127.0.0.1</interserver_http_host>
<zookeeper><node><host>127.0.0.1</host><port>%d</port></node><session_timeout_ms>4000</session_timeout_ms></zookeeper>
<macros><shard>%d</shard><replica>%d</replica></macros>`, port, shard, replica)); err != nil {
				stop()
				return nil, nil, err
			}
			s.zooKeeper = port
		}
		all = append(all, pair)
	}
	return all, stop, nil
}

// Forget removes what is below a path in the ZooKeeper of a replica, as an administrator does after a disk was lost.
func (s *Server) Forget(path string) error {
	out, err := exec.Command("java", "-cp", zooKeeper, "org.apache.zookeeper.ZooKeeperMain", "-server",
		fmt.Sprintf("127.0.0.1:%d", s.zooKeeper), "deleteall", path).CombinedOutput()
	if err != nil {
		err = fmt.Errorf("ZooKeeper's deleteall %s: %w\n%s", path, err, out)
	}
	return err
}

// Data is the directory in which a server has its tables.
func (s *Server) Data() string { return filepath.Join(s.dir, "data") }

// Lose ends a server and starts it without anything that it had.
func (s *Server) Lose() error {
	s.Kill()
	if err := errors.Join(os.RemoveAll(s.Data()), os.Mkdir(s.Data(), 0o755)); err != nil {
		return err
	}
	return s.Start()
}

// configure adds settings to those of a server, as XML, from the next Start on.
func (s *Server) configure(more string) error {
	path := filepath.Join(s.dir, "config.xml")
	config, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	return os.WriteFile(path, bytes.Replace(config, []byte("</yandex>"), []byte(more+"\n</yandex>"), 1), 0o644)
}

// startZooKeeper starts a ZooKeeper of one and waits until it serves.
func startZooKeeper(dir string, port int) (stop func(), err error) {
	cmd := exec.Command("java", "-Xmx128m", "-Dzookeeper.admin.enableServer=false", "-cp", zooKeeper,
		"org.apache.zookeeper.server.ZooKeeperServerMain", fmt.Sprint(port), dir)
	cmd.SysProcAttr = mortal()
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread() // it ends when the thread that started it does
		err := cmd.Start()
		started <- err
		if err == nil {
			cmd.Wait()
		}
		close(done)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	stop = func() {
		cmd.Process.Kill()
		<-done
	}
	for range 1200 {
		if serves(port) {
			return stop, nil
		}
		select {
		case <-done:
			return nil, errors.New("ZooKeeper ended")
		case <-time.After(50 * time.Millisecond):
		}
	}
	stop()
	return nil, errors.New("ZooKeeper does not answer")
}

// serves tells whether a ZooKeeper does: it takes connections some time before.
func serves(port int) bool {
	c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
	if err != nil {
		return false
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(time.Second)); err != nil { // what it took too early it never answers
		return false
	}
	if _, err := c.Write([]byte("srvr")); err != nil {
		return false
	}
	told, err := io.ReadAll(c)
	return err == nil && bytes.Contains(told, []byte("Mode: "))
}
