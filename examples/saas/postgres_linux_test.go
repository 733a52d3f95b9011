package main

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// postgres is a server of a test's own: in a directory of its own, and to be reached by a socket in there alone.
type postgres struct {
	dir  string
	bin  string              // where the programs are
	as   *syscall.Credential // PostgreSQL refuses to run as root
	cmd  *exec.Cmd
	done chan error
}

// startPostgres makes a server that ends with the test, or skips the test where there is none to be had.
func startPostgres(t *testing.T) *postgres {
	t.Helper()
	p := &postgres{bin: binaries()}
	if p.bin == "" {
		t.Skip("there is no PostgreSQL on this machine: apt-get install postgresql")
	}
	var err error
	if p.dir, err = os.MkdirTemp("", "saas"); err != nil { // short, as the path of a socket has to be
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(p.dir) })
	if os.Geteuid() == 0 {
		nobody, err := user.Lookup("nobody")
		if err != nil {
			t.Skip("PostgreSQL does not run as root, and there is no user nobody to run it as: ", err)
		}
		uid, _ := strconv.Atoi(nobody.Uid)
		gid, _ := strconv.Atoi(nobody.Gid)
		p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		if err := os.Chown(p.dir, uid, gid); err != nil {
			t.Skip("this root can't give a directory to another user: ", err)
		}
	}
	if out, err := p.command("initdb", "-D", p.dir+"/data", "-U", "saas", "--auth=trust", "--encoding=UTF8",
		"--locale=C.UTF-8").CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	t.Cleanup(p.stop)
	p.start(t)
	return p
}

// binaries is the directory of PostgreSQL's programs: where Debian puts them, newest first, or that of the path.
func binaries() string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	slices.SortFunc(found, func(a, b string) int { // 9 comes before 15
		return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(b, a))
	})
	if path, err := exec.LookPath("initdb"); err == nil {
		found = append(found, path)
	}
	if len(found) == 0 {
		return ""
	}
	return filepath.Dir(found[0])
}

func (p *postgres) command(program string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(p.bin, program), args...)
	cmd.Dir, cmd.SysProcAttr = p.dir, &syscall.SysProcAttr{Credential: p.as, Pdeathsig: syscall.SIGQUIT}
	return cmd
}

// start starts the server and waits until it answers. It ends with this process at the latest.
func (p *postgres) start(t *testing.T) {
	t.Helper()
	var log bytes.Buffer
	p.cmd = p.command("postgres", "-D", p.dir+"/data", "-k", p.dir, "-c", "listen_addresses=")
	p.done = make(chan error, 1)
	p.cmd.Stderr = &log
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // the server ends when the thread that started it does
		err := p.cmd.Start()
		started <- err
		if err == nil {
			p.done <- p.cmd.Wait()
		}
	}()
	if err := <-started; err != nil {
		t.Fatal(err)
	}
	db, err := sql.Open("pgx", p.dsn())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for range 2400 {
		if db.PingContext(context.Background()) == nil {
			return
		}
		select {
		case err := <-p.done:
			p.cmd = nil
			t.Fatalf("postgres ended: %v\n%s", err, &log)
		case <-time.After(50 * time.Millisecond):
		}
	}
	t.Fatal("postgres does not answer")
}

// stop ends the server; what was acknowledged is there at the next start.
func (p *postgres) stop() {
	if p.cmd != nil {
		p.cmd.Process.Signal(syscall.SIGINT)
		<-p.done
		p.cmd = nil
	}
}

func (p *postgres) dsn() string { return fmt.Sprintf("host=%s user=saas dbname=postgres", p.dir) }
