package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// restoreCluster backs up a store whose respondents are on two ClickHouse servers, as RUNNING.md says, and puts it
// back: one server that lost its disk, and then all of it. Every figure must be what it was, and what is lost must be
// named for as long as it is.
func restoreCluster(g *ground) error {
	if _, err := exec.LookPath("clickhouse-server"); err != nil {
		g.note("left out: clickhouse-server is not installed")
		return nil
	}
	db, err := g.store("cluster.db")
	if err != nil {
		return err
	}
	asked := []string{"crosstab", "--rows", "gender", "--columns", "waves", "--format", "csv", "--db"}
	right, err := run(g.binary, append(asked, db)...)
	if err != nil {
		return err
	}
	shards := []*shard{{dir: g.path("a")}, {dir: g.path("b")}}
	var hosts []string
	for _, s := range shards {
		if err := s.configure(); err != nil {
			return err
		}
		if err := s.start(); err != nil {
			return err
		}
		defer s.kill()
		hosts = append(hosts, fmt.Sprintf("127.0.0.1:%d", s.tcp))
	}
	c := &clustered{ground: g, db: db, asked: asked, right: right, shards: shards,
		dsn: "clickhouse://" + strings.Join(hosts, ",") + "/crosswave?table=respondents"}
	if _, err := c.run("clickhouse", "copy"); err != nil {
		return err
	}
	if err := c.same("copied to the servers"); err != nil {
		return err
	}
	backup := g.path("backup.db")
	if _, err := run(g.binary, "backup", "--db", db, backup); err != nil {
		return err
	}
	for _, s := range shards {
		if err := s.freeze(); err != nil {
			return err
		}
	}
	for range g.of(5, 1) {
		if err := c.oneLost(shards[1]); err != nil {
			return err
		}
		if err := c.allLost(backup); err != nil {
			return err
		}
	}
	return nil
}

// clustered is a store and the servers that have its respondents.
type clustered struct {
	*ground
	db, dsn string
	asked   []string
	right   string // what a table is, whatever happens
	shards  []*shard
}

// run runs a command with the store and its servers.
func (c *clustered) run(words ...string) (string, error) {
	return run(c.binary, append(words, "--db", c.db, "--clickhouse", c.dsn)...)
}

// same wants the table to be what it was, and a check to find nothing.
func (c *clustered) same(when string) error {
	c.try()
	got, err := run(c.binary, append(c.asked, c.db, "--clickhouse", c.dsn)...)
	if err == nil && got != c.right {
		c.fail("%s: the table is\n%s\nand was\n%s", when, got, c.right)
	}
	if err == nil {
		_, err = c.run("clickhouse", "check")
	}
	return err
}

// missing wants no table but an error, and a check that says what is lost.
func (c *clustered) missing(when, says string) {
	c.try()
	if out, err := run(c.binary, append(c.asked, c.db, "--clickhouse", c.dsn)...); !cause(err) {
		c.fail("%s: a table is asked for, and it is %v\n%s", when, err, out)
	}
	if out, err := c.run("clickhouse", "check"); err == nil || !strings.Contains(out, "wrong: ") ||
		!strings.Contains(out, says) {
		c.fail("%s: the check does not say %q: %v\n%s", when, says, err, out)
	}
}

// oneLost has a server lose its disk, and puts it back from its own backup.
func (c *clustered) oneLost(s *shard) error {
	if err := s.lose(); err != nil {
		return err
	}
	c.missing("a server lost its disk", fmt.Sprintf("127.0.0.1:%d", s.tcp))
	if err := s.restore(); err != nil {
		return err
	}
	return c.same("a server was restored")
}

// allLost publishes something after the backup, loses everything, puts it back as of the backup, and publishes again.
func (c *clustered) allLost(backup string) error {
	if _, err := c.run("wave", "remove", "q1_2024"); err != nil {
		return err
	}
	for _, s := range c.shards {
		if err := s.lose(); err != nil {
			return err
		}
	}
	if _, err := run(c.binary, "restore", "--db", c.db, "--overwrite", backup); err != nil {
		return err
	}
	c.missing("the file alone was restored", "q1_2024")
	for _, s := range c.shards {
		if err := s.restore(); err != nil {
			return err
		}
	}
	if err := c.same("file and servers were restored"); err != nil {
		return err
	}
	// An older file beside servers that went on: they have to be put back, too, and the table is its own again.
	if _, err := c.run("wave", "remove", "q1_2024"); err != nil {
		return err
	}
	if _, err := run(c.binary, "restore", "--db", c.db, "--overwrite", backup); err != nil {
		return err
	}
	c.missing("the file was restored beside servers that went on", "q1_2024")
	for _, s := range c.shards {
		if _, err := s.say("DROP TABLE crosswave.respondents"); err != nil {
			return err
		}
		if err := s.restore(); err != nil {
			return err
		}
	}
	c.try()
	if _, err := c.run("wave", "remove", "q2_2024"); err == nil || !strings.Contains(err.Error(), "adopt") {
		c.fail("a file that was restored beside servers that went on is published without being adopted: %v", err)
	}
	if _, err := c.run("clickhouse", "adopt"); err != nil {
		return err
	}
	return c.same("the servers were restored and adopted")
}

// shard is a ClickHouse server of the drill's own.
type shard struct {
	dir              string
	http, tcp, inter int
	table            string // the statement that makes the table
	process          *exec.Cmd
}

const shardConfig = `<yandex>
<logger><level>warning</level><log>%[1]s/log</log><errorlog>%[1]s/errors</errorlog></logger>
<http_port>%[2]d</http_port><tcp_port>%[3]d</tcp_port><interserver_http_port>%[4]d</interserver_http_port>
<listen_host>127.0.0.1</listen_host>
<path>%[1]s/data/</path><tmp_path>%[1]s/tmp/</tmp_path><user_files_path>%[1]s/files/</user_files_path>
<format_schema_path>%[1]s/schemas/</format_schema_path>
<users_config>users.xml</users_config><default_profile>default</default_profile>
<default_database>default</default_database><mark_cache_size>67108864</mark_cache_size>
</yandex>`

const shardUsers = `<yandex><profiles><default/></profiles>
<users><default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile>
<quota>default</quota></default></users><quotas><default/></quotas></yandex>`

// configure chooses ports and writes the server's settings.
func (s *shard) configure() error {
	for _, port := range []*int{&s.http, &s.tcp, &s.inter} {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		defer l.Close()
		*port = l.Addr().(*net.TCPAddr).Port
	}
	if err := os.MkdirAll(s.dir, 0o755); err != nil {
		return err
	}
	config := fmt.Appendf(nil, shardConfig, s.dir, s.http, s.tcp, s.inter)
	return errors.Join(os.WriteFile(filepath.Join(s.dir, "config.xml"), config, 0o644),
		os.WriteFile(filepath.Join(s.dir, "users.xml"), []byte(shardUsers), 0o644))
}

// start starts the server and waits until it answers.
func (s *shard) start() error {
	for _, name := range []string{"data", "tmp", "files", "schemas"} {
		if err := os.MkdirAll(filepath.Join(s.dir, name), 0o755); err != nil {
			return err
		}
	}
	s.process = exec.Command("clickhouse-server", "--config-file="+filepath.Join(s.dir, "config.xml"))
	s.process.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := s.process.Start(); err != nil {
		return err
	}
	for begun := time.Now(); time.Since(begun) < hangs; time.Sleep(50 * time.Millisecond) {
		if _, err := s.say("SELECT 1"); err == nil {
			return nil
		}
	}
	return errors.New("clickhouse-server does not answer")
}

func (s *shard) kill() {
	if s.process != nil {
		s.process.Process.Kill()
		s.process.Wait()
		s.process = nil
	}
}

// say runs a statement and returns what it gives, as text.
func (s *shard) say(sql string) (string, error) {
	r, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/", s.http), "text/plain", strings.NewReader(sql))
	if err != nil {
		return "", err
	}
	defer r.Body.Close()
	var text bytes.Buffer
	if _, err = io.Copy(&text, r.Body); err == nil && r.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s: %s", sql, strings.TrimSpace(text.String()))
	}
	return text.String(), err
}

// freeze has the server make a backup of its part of the table, and takes it elsewhere.
func (s *shard) freeze() (err error) {
	if s.table, err = s.say("SHOW CREATE TABLE crosswave.respondents FORMAT TSVRaw"); err != nil {
		return err
	}
	partitions, err := s.say("SELECT DISTINCT partition FROM system.parts WHERE active AND database = 'crosswave' AND " +
		"table = 'respondents'")
	if err != nil {
		return err
	}
	for partition := range strings.FieldsSeq(partitions) {
		if _, err := s.say("ALTER TABLE crosswave.respondents FREEZE PARTITION " + partition); err != nil {
			return err
		}
	}
	return os.Rename(filepath.Join(s.dir, "data", "shadow"), filepath.Join(s.dir, "backup"))
}

// lose ends the server and starts it without anything that it had.
func (s *shard) lose() error {
	s.kill()
	if err := os.RemoveAll(filepath.Join(s.dir, "data")); err != nil {
		return err
	}
	return s.start()
}

// restore makes the table anew and puts the backup into it.
func (s *shard) restore() error {
	if _, err := s.say("CREATE DATABASE IF NOT EXISTS crosswave"); err != nil {
		return err
	}
	if _, err := s.say(s.table); err != nil {
		return err
	}
	to := filepath.Join(s.dir, "data", "data", "crosswave", "respondents", "detached")
	var parts []string
	err := filepath.WalkDir(filepath.Join(s.dir, "backup"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || filepath.Base(filepath.Dir(path)) != "respondents" {
			return err
		}
		parts = append(parts, e.Name())
		if err := os.CopyFS(filepath.Join(to, e.Name()), os.DirFS(path)); err != nil {
			return err
		}
		return fs.SkipDir
	})
	if err == nil && len(parts) == 0 {
		err = fmt.Errorf("there is no backup of %s", s.dir)
	}
	for _, part := range parts {
		if err == nil {
			_, err = s.say("ALTER TABLE crosswave.respondents ATTACH PART '" + part + "'")
		}
	}
	return err
}
