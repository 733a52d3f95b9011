package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
)

// set is a survey that is served from a store of its own, and from servers.
type set struct {
	servers                    []*clickhousetest.Server
	embedded, cluster          *served
	dsn                        string
	embeddedBytes, serverBytes int64
	imported                   string // what bringing it into the servers took
}

// served is the program as it serves a store.
type served struct {
	url, key string
	process  *exec.Cmd
}

// set makes one in a directory.
func (o *options) set(dir string, n int) (s *set, err error) {
	s = &set{}
	defer func() {
		if err != nil {
			s.close()
		}
	}()
	embedded, cluster := filepath.Join(dir, "embedded.db"), filepath.Join(dir, "cluster.db")
	fresh := filepath.Join(dir, "fresh.db")
	if _, err := os.Stat(fresh); errors.Is(err, fs.ErrNotExist) {
		if _, err := run(o.binary, "demo", "--once", "--db", fresh, "--respondents", fmt.Sprint(n)); err != nil {
			return nil, err
		}
	}
	// The command has closed the store, so that its file is whole. A backup would check every chunk of it once more.
	whole, err := os.ReadFile(fresh)
	for _, name := range []string{embedded, cluster} {
		err = errors.Join(err, os.RemoveAll(name+"-wal"), os.RemoveAll(name+"-shm"), os.WriteFile(name, whole, 0o600))
	}
	if err = errors.Join(err, os.RemoveAll(filepath.Join(dir, "servers"))); err != nil {
		return nil, err
	}
	if s.servers, err = clickhousetest.Several(filepath.Join(dir, "servers"), o.shards); err != nil {
		return nil, err
	}
	var addresses []string
	for _, server := range s.servers {
		if err := server.Start(); err != nil {
			return nil, err
		}
		addresses = append(addresses, server.Address())
	}
	s.dsn = fmt.Sprintf("clickhouse://%s/sizing?format=%s&timeout=300s%s", strings.Join(addresses, ","), o.format,
		o.parameters)
	began, before := time.Now(), s.serversCPU()
	if _, err := run(o.binary, "clickhouse", "copy", "--db", cluster, "--clickhouse", s.dsn); err != nil {
		return nil, err
	}
	s.imported = fmt.Sprintf("copied into the servers in %.1f s, of which they took %.1f s of processor time",
		time.Since(began).Seconds(), s.serversCPU()-before)
	if err := s.sizes(embedded); err != nil {
		return nil, err
	}
	if s.embedded, err = o.serve(embedded); err == nil {
		s.cluster, err = o.serve(cluster, "--clickhouse", s.dsn)
	}
	return s, err
}

// sizes waits until the servers have merged what they got, and tells what is on disk.
func (s *set) sizes(embedded string) error {
	info, err := os.Stat(embedded)
	if err != nil {
		return err
	}
	s.embeddedBytes = info.Size()
	for _, server := range s.servers {
		if _, err := tell(server, "OPTIMIZE TABLE sizing."+s.table()+" FINAL"); err != nil {
			return err
		}
		text, err := tell(server, "SELECT sum(bytes_on_disk) FROM system.parts WHERE active AND database = 'sizing'")
		if err != nil {
			return err
		}
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return err
		}
		s.serverBytes += n
	}
	return nil
}

// table is the name of the servers' table.
func (s *set) table() string {
	text, err := tell(s.servers[0], "SELECT name FROM system.tables WHERE database = 'sizing' AND engine = 'MergeTree'")
	if err != nil {
		return err.Error()
	}
	for name := range strings.FieldsSeq(text) {
		if !strings.Contains(name, "_owner_") {
			return name
		}
	}
	return ""
}

// tell sends a server a statement over HTTP.
func tell(server *clickhousetest.Server, statement string) (string, error) {
	w, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/", server.HTTP), "", strings.NewReader(statement))
	if err != nil {
		return "", err
	}
	defer w.Body.Close()
	text, err := io.ReadAll(w.Body)
	if err == nil && w.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", statement, text)
	}
	return string(text), err
}

func (s *set) urls() (list []string) {
	for _, server := range s.servers {
		list = append(list, fmt.Sprintf("http://127.0.0.1:%d", server.HTTP))
	}
	return list
}

// serve starts the program on a store, with a key, and waits until it answers.
func (o *options) serve(db string, flags ...string) (*served, error) {
	key, err := run(o.binary, "key", "create", "--db", db)
	if err != nil {
		return nil, err
	}
	s := &served{key: strings.TrimSpace(key)}
	s.process = exec.Command(o.binary, append([]string{"serve", "--db", db, "--addr", "127.0.0.1:0", "--result-cache",
		"0", "--query-time", "300s", "--no-explorer"}, flags...)...)
	said, err := s.process.StderrPipe()
	if err != nil {
		return nil, err
	}
	if err := s.process.Start(); err != nil {
		return nil, err
	}
	var log strings.Builder
	for lines := bufio.NewScanner(said); lines.Scan(); {
		fmt.Fprintln(&log, lines.Text())
		if _, at, ok := strings.Cut(lines.Text(), " on http://"); ok {
			s.url = "http://" + strings.Fields(at)[0]
			go io.Copy(os.Stderr, said)
			return s, nil
		}
	}
	return nil, fmt.Errorf("the server does not serve: %s", &log)
}

// post sends a request and returns the answer.
func (s *served) post(path, body string) ([]byte, error) {
	at, err := url.JoinPath(s.url, path)
	if err != nil {
		return nil, err
	}
	r, err := http.NewRequest(http.MethodPost, at, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Authorization", s.key)
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer w.Body.Close()
	answer, err := io.ReadAll(w.Body)
	if err == nil && w.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %d %s", path, w.StatusCode, answer)
	}
	return answer, err
}

// close ends all that runs.
func (s *set) close() {
	for _, x := range []*served{s.embedded, s.cluster} {
		if x != nil {
			x.process.Process.Kill()
			x.process.Wait()
		}
	}
	for _, server := range s.servers {
		server.Kill()
	}
}

// serversCPU is the processor time that the servers have taken, in seconds.
func (s *set) serversCPU() (sum float64) {
	for _, server := range s.servers {
		sum += cpu(server.Process())
	}
	return sum
}

// cpu is the processor time that a process has taken, in seconds.
func cpu(process int) float64 {
	const ticks = 100 // a second, as Linux tells it on all machines
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", process))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(text), ") ") // the name of the program, which may have blanks in it
	fields := strings.Fields(after)
	user, _ := strconv.ParseFloat(fields[11], 64)
	system, _ := strconv.ParseFloat(fields[12], 64)
	return (user + system) / ticks
}

// run runs the program to its end and returns what it printed.
func run(program string, args ...string) (string, error) {
	var out, errs bytes.Buffer
	c := exec.Command(program, args...)
	c.Stdout, c.Stderr = &out, &errs
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", strings.Join(c.Args, " "), err, &errs)
	}
	return out.String(), nil
}
