package clickhouse_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/sqlite"
)

// The cluster of examples/cluster/replicated.sh takes an import by the address that it prints, and answers on while one
// replica of each shard is there.
func TestExampleCluster(t *testing.T) {
	heavy(t)
	if reason := clickhousetest.SkipReplicas(); reason != "" {
		t.Skip(reason)
	}
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("openssl is not installed")
	}
	script, err := filepath.Abs("../../examples/cluster/replicated.sh")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	port, err := clickhousetest.Ports(25)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sh", script, dir)
	cmd.Env = append(os.Environ(), fmt.Sprint("PORT=", port))
	// The script ends what it started when it is told to end, which it is when the thread that started it ends; what it
	// leaves behind is in its process group.
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGTERM, Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var faults bytes.Buffer
	cmd.Stderr = &faults
	started, ended := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		started <- cmd.Start()
		<-ended
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			logs, _ := filepath.Glob(filepath.Join(dir, "[123][ab]", "errors"))
			for _, log := range append(logs, filepath.Join(dir, "zookeeper.log")) {
				text, err := os.ReadFile(log)
				t.Logf("%s: %v\n%.2000s", log, err, text)
			}
		}
		late := limited(cmd, time.Minute)
		cmd.Process.Signal(syscall.SIGTERM)
		cmd.Wait()
		late.Stop()
		close(ended)
		if t.Failed() {
			t.Logf("the script's standard error:\n%.2000s", faults.String())
		}
	})
	late := limited(cmd, patient)
	told := ""
	for lines := bufio.NewScanner(out); told == "" && lines.Scan(); {
		told, _ = strings.CutPrefix(lines.Text(), "export CROSSWAVE_CLICKHOUSE=")
	}
	if !late.Stop() {
		t.Fatalf("the script has told no address after %s", patient)
	}
	config, err := clickhouse.ParseDSN(strings.Trim(told, "'"))
	if err != nil {
		t.Fatal(err)
	}
	config.Timeout = patient
	if len(config.Addresses) != 3 || config.TLS == nil || config.Password == "" {
		t.Fatalf("%d shards, TLS %t", len(config.Addresses), config.TLS != nil)
	}
	p := open(t, sqlite.Memory, config)
	well(t, p)
	load(t, p, 300)
	embedded := open(t, sqlite.Memory, config).embedded
	load(t, embedded, 300)
	right := count(t, embedded, 5)
	if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
		t.Errorf("counts (-embedded +cluster):\n%s", diff)
	}
	caughtUp(t, p)
	pids, err := filepath.Glob(filepath.Join(dir, "[123]a", "pid"))
	if err != nil || len(pids) != 3 {
		t.Fatal(pids, err)
	}
	for _, file := range pids {
		pid := 0
		text, err := os.ReadFile(file)
		if err == nil {
			_, err = fmt.Sscan(string(text), &pid)
		}
		if err == nil {
			err = syscall.Kill(pid, syscall.SIGKILL)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(right, count(t, p, 5)); diff != "" {
		t.Errorf("a replica of each shard is away, counts (-embedded +cluster):\n%s", diff)
	}
}

// limited ends a command, and all of its process group, after a time; the timer that it returns calls that off.
func limited(cmd *exec.Cmd, after time.Duration) *time.Timer {
	return time.AfterFunc(after, func() { syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
}
