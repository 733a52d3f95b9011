package clickhouse_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ch "github.com/ClickHouse/clickhouse-go/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/clickhouse"
	"github.com/crosswave/crosswave/store/clickhouse/clickhousetest"
	"github.com/crosswave/crosswave/store/sqlite"
)

// frozen is a backup of a server's part of a table, as RUNNING.md has it made.
type frozen struct {
	dir   string
	table string // the statement that makes the table
}

// say runs a statement on a server, and returns the texts that it gives.
func say(t *testing.T, s *clickhousetest.Server, sql string) (list []string) {
	t.Helper()
	server, err := ch.Open(&ch.Options{Addr: []string{s.Address()}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	if !strings.HasPrefix(sql, "SELECT") && !strings.HasPrefix(sql, "SHOW") {
		if err := server.Exec(t.Context(), sql); err != nil {
			t.Fatalf("%s: %v", sql, err)
		}
		return nil
	}
	r, err := server.Query(t.Context(), sql)
	if err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	defer r.Close()
	for r.Next() {
		var text string
		if err := r.Scan(&text); err != nil {
			t.Fatal(err)
		}
		list = append(list, text)
	}
	return list
}

func freeze(t *testing.T, s *clickhousetest.Server) frozen {
	t.Helper()
	f := frozen{filepath.Join(t.TempDir(), "backup"), say(t, s, "SHOW CREATE TABLE drill.respondents")[0]}
	for _, partition := range say(t, s, "SELECT DISTINCT partition FROM system.parts WHERE active AND database = "+
		"'drill' AND table = 'respondents'") {
		say(t, s, "ALTER TABLE drill.respondents FREEZE PARTITION "+partition)
	}
	if err := os.Rename(filepath.Join(s.Data(), "shadow"), f.dir); err != nil {
		t.Fatal(err)
	}
	return f
}

// begin makes the table anew on a server.
func (f frozen) begin(t *testing.T, s *clickhousetest.Server) {
	t.Helper()
	say(t, s, "CREATE DATABASE IF NOT EXISTS drill")
	say(t, s, f.table)
}

// put puts the backup into the table of a server.
func (f frozen) put(t *testing.T, s *clickhousetest.Server) {
	t.Helper()
	to, parts := filepath.Join(s.Data(), "data", "drill", "respondents", "detached"), []string{}
	if err := filepath.WalkDir(f.dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.IsDir() || filepath.Base(filepath.Dir(path)) != "respondents" {
			return err
		}
		parts = append(parts, e.Name())
		if err := os.CopyFS(filepath.Join(to, e.Name()), os.DirFS(path)); err != nil {
			return err
		}
		return fs.SkipDir
	}); err != nil || len(parts) == 0 {
		t.Fatalf("%d parts: %v", len(parts), err)
	}
	for _, part := range parts {
		say(t, s, fmt.Sprintf("ALTER TABLE drill.respondents ATTACH PART '%s'", part))
	}
}

// Of replicas one backup a shard is enough: a replica that lost its disk is given all by the other, and where both did,
// one is put back and gives it to the other. What coordinates them has to forget first what was lost.
func TestReplicasAreRestored(t *testing.T) {
	heavy(t)
	all, shards, _ := replicas(t)
	p := open(t, sqlite.Memory, clickhouse.Config{Addresses: shards, Database: "drill", Table: "respondents",
		Timeout: patient})
	load(t, p, 1000)
	right := count(t, p, 12)
	backup := freeze(t, all[0][0])
	whole := func(what string) {
		t.Helper()
		for end := time.Now().Add(patient); ; time.Sleep(100 * time.Millisecond) { // a replica may take its time
			found, err := p.Check(t.Context())
			if err == nil && len(found.Faults) == 0 {
				break
			}
			if time.Now().After(end) {
				t.Fatalf("%s: still %v, error %v", what, found, err)
			}
		}
		if diff := cmp.Diff(right, count(t, p, 12)); diff != "" {
			t.Errorf("%s: it counts otherwise:\n%s", what, diff)
		}
	}
	forgotten := func(below string) {
		t.Helper()
		if err := all[0][0].Forget("/clickhouse/tables/0/drill.respondents" + below); err != nil {
			t.Fatal(err)
		}
	}
	lost := func(s *clickhousetest.Server) {
		t.Helper()
		if err := s.Lose(); err != nil {
			t.Fatal(err)
		}
	}

	lost(all[0][1])
	forgotten("/replicas/1")
	backup.begin(t, all[0][1])
	whole("a replica lost its disk")

	lost(all[0][0])
	lost(all[0][1])
	f, err := p.Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if tables, err := p.Count(t.Context(), f.Version, []audience.Query{square(t, f, 12)}); err == nil {
		t.Errorf("with a shard's respondents lost it counts %v", tables)
	}
	forgotten("")
	backup.begin(t, all[0][0])
	backup.put(t, all[0][0])
	backup.begin(t, all[0][1])
	whole("a shard's replicas lost their disks")
	all[0][0].Kill()
	if diff := cmp.Diff(right, count(t, p, 12)); diff != "" {
		t.Errorf("the replica that was put back is away: it counts otherwise:\n%s", diff)
	}
}
