package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/store/storetest"
)

// ragged are surveys with several namespaces, questions that were not asked everywhere and locations that begin late.
func ragged(t *testing.T) map[string]*storetest.Study {
	t.Helper()
	studies := map[string]*storetest.Study{"synthetic": synthetic(4, 700)}
	for seed := range uint64(3) {
		studies[fmt.Sprint("seed ", seed)] = storetest.NewRandom(seed).Study()
	}
	return studies
}

// A backup, and a store that was put back from it, hold what the store held and count as it did; and are whole.
func TestBackupAndRestore(t *testing.T) {
	alone(t)
	for name, st := range ragged(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			s := openStore(t, filepath.Join(dir, "store.db"), Config{})
			check(t, st.Load(t.Context(), s))
			secrets := keepRecords(t, s)
			margins, records := everyMargin(t, s), askRecords(t, s, secrets)
			out := filepath.Join(dir, "out.db")
			done, err := s.Backup(t.Context(), out, false)
			check(t, err)
			if info, err := os.Stat(out); err != nil || info.Size() != done.Bytes || info.Mode().Perm() != 0o600 ||
				len(done.SHA256) != 64 || done.Check.Respondents != int64(len(st.Respondents)) || done.Check.Cells < 200 {
				t.Error(info, err, done, done.Check)
			}
			if _, err := s.Backup(t.Context(), out, false); !errors.Is(err, fs.ErrExist) {
				t.Error("a file is overwritten:", err)
			}
			put := filepath.Join(dir, "put.db")
			_, err = Restore(t.Context(), out, put, done.SHA256, false)
			check(t, err)
			again := openStore(t, put, Config{})
			if d := cmp.Diff(margins, everyMargin(t, again)); d != "" {
				t.Error(d)
			}
			if d := cmp.Diff(records, askRecords(t, again, secrets), cmp.AllowUnexported(answered{}),
				cmp.Comparer(func(a, b error) bool { return fmt.Sprint(a) == fmt.Sprint(b) })); d != "" {
				t.Error(d)
			}
			files, err := filepath.Glob(filepath.Join(dir, "*-part-*"))
			if err != nil || len(files) > 0 {
				t.Error("left behind:", files, err)
			}
		})
	}
}

// A store that somebody has open is not replaced, nor by a damaged backup, nor by one with another hash.
func TestRestoreRefuses(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	path, out := filepath.Join(dir, "store.db"), filepath.Join(dir, "out.db")
	s := openStore(t, path, Config{})
	st := synthetic(1, 200)
	publish(t, s, st, st.Respondents)
	_, err := s.Backup(t.Context(), out, false)
	check(t, err)
	restore := func(sum string, overwrite bool) error {
		_, err := Restore(t.Context(), out, path, sum, overwrite)
		return err
	}
	if err := restore("", false); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if err := restore("", true); !errors.As(err, new(*InUseError)) {
		t.Error("it is open:", err)
	}
	if err := restore(strings.Repeat("0", 64), true); !errors.As(err, new(*DamagedBackupError)) {
		t.Error(err)
	}
	_, secret, err := s.CreateKey(t.Context(), Key{Name: "later"})
	check(t, err)
	check(t, s.Close())
	text, err := os.ReadFile(out)
	check(t, err)
	at := bytes.Index(text, []byte(`"waves"`))
	text[at] ^= 4
	check(t, os.WriteFile(out, text, 0o600))
	if err := restore("", true); !errors.As(err, new(*DamagedBackupError)) ||
		!strings.Contains(err.Error(), "of version 1") {
		t.Error(err)
	}
	text[at] ^= 4
	s, err = Open(t.Context(), path, Config{})
	check(t, err)
	if _, err := s.Authorize(t.Context(), secret); err != nil {
		t.Error("a damaged backup took the store's place:", err)
	}
	check(t, s.Close())
	check(t, os.WriteFile(out, text, 0o600))
	check(t, restore("", true))
	s = openStore(t, path, Config{})
	if _, err := s.Authorize(t.Context(), secret); !errors.Is(err, ErrKeyUnknown) {
		t.Error("it is not the backup:", err)
	}
}

// A damaged store can be replaced.
func TestRestoreOverDamage(t *testing.T) {
	dir := t.TempDir()
	path, out := filepath.Join(dir, "store.db"), filepath.Join(dir, "out.db")
	s := openStore(t, path, Config{})
	_, err := s.Backup(t.Context(), out, false)
	check(t, err)
	check(t, s.Close())
	check(t, os.WriteFile(path, []byte(strings.Repeat("nothing at all ", 9000)), 0o600))
	check(t, os.WriteFile(path+"-wal", []byte("of another"), 0o600))
	_, err = Restore(t.Context(), out, path, "", true)
	check(t, err)
	openStore(t, path, Config{})
}

// Backups that are made while records are written and waves are replaced are each of one moment, and whole.
func TestBackupOfABusyStore(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	path := filepath.Join(dir, "store.db")
	s := openStore(t, path, Config{ChunkRespondents: 64})
	st := synthetic(2, 400)
	publish(t, s, st, st.Respondents)
	want := everyMargin(t, s)
	ctx, stop := context.WithCancel(t.Context())
	var busy sync.WaitGroup
	busy.Go(func() {
		other, err := Open(ctx, path, Config{})
		for i := 0; err == nil && ctx.Err() == nil; i++ {
			time.Sleep(5 * time.Millisecond) // imports need a turn, too
			_, err = other.InsertSaved(ctx, audienceOf(fmt.Sprint("id-", i), fmt.Sprint("user ", i)))
		}
		if err != nil && ctx.Err() == nil {
			t.Error(err)
		}
		other.Close()
	})
	busy.Go(func() {
		for ctx.Err() == nil {
			publish(t, s, st, st.Respondents, "w1", "w2", "w3", "w4")
		}
	})
	seen := map[uint64]bool{}
	for i := 0; i < 200 && len(seen) < 3; i++ {
		out := filepath.Join(dir, fmt.Sprint(i, ".db"))
		done, err := s.Backup(t.Context(), out, false)
		check(t, err)
		seen[done.Check.Version] = true
		b := openStore(t, out, Config{})
		if d := cmp.Diff(want, everyMargin(t, b)); d != "" {
			t.Error(d)
		}
	}
	stop()
	busy.Wait()
	if len(seen) < 3 {
		t.Errorf("backups of %d versions", len(seen))
	}
}

// Check names whatever is damaged, wherever it is.
func TestCheckNamesDamage(t *testing.T) {
	alone(t)
	st := synthetic(4, 700)
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	publish(t, s, st, st.Respondents)
	keepRecords(t, s)
	whole, err := s.Check(t.Context(), CheckOptions{Cells: 1000})
	check(t, err)
	if len(whole.Damages) > 0 || whole.Cells < 1000 || whole.Respondents != 700 || whole.Rows != 16 {
		t.Fatalf("%+v", whole)
	}
	raw, err := sql.Open("sqlite", "file:"+path)
	check(t, err)
	defer raw.Close()
	raw.SetMaxOpenConns(1)
	for _, d := range [][3]string{
		{"UPDATE key SET allowed = replace(allowed, 'w1', 'w2') WHERE id = 1", "key 1", "key"},
		{"UPDATE user SET number = 8 WHERE number = 7", "user 8", "is of user 7, whom there is not"},
		{"UPDATE saved SET folder = 9 WHERE v1 = 1", "saved audience alice-0 (number 1)", "lies in folder 9"},
		{"UPDATE folder SET id = 'x' WHERE v1 = 1", "folder 1", ""},
		{"UPDATE insight SET record = replace(record, 'Bargains', 'Bargainz')", "insight 9", ""},
		{"UPDATE generic SET record = replace(record, 'Plain', 'Plane')", "generic insight plain", ""},
		{"DELETE FROM answers WHERE id = (SELECT max(id) FROM answers)", "is missing", ""},
		{"UPDATE answers SET data = zeroblob(length(data)) WHERE id = (SELECT min(id) FROM answers)", "chunk 1", ""},
		{"UPDATE weights SET data = zeroblob(length(data)) WHERE chunk = 1 AND namespace = 'core'",
			"weights of core in chunk 1", ""},
		{"UPDATE units SET data = zeroblob(length(data)) WHERE chunk = 1 AND namespace = 'core'",
			"weights of core in units", ""},
		{"DELETE FROM numbers WHERE chunk = 2", "numbers of question", "is missing"},
		{"UPDATE chunk SET header = zeroblob(length(header)) WHERE id = 2", "chunk 2", ""},
		{"UPDATE release SET survey = zeroblob(length(survey))", "survey of version 1", ""},
	} {
		_, err := raw.Exec("BEGIN")
		check(t, err)
		_, err = raw.Exec(d[0])
		check(t, err)
		_, err = raw.Exec("COMMIT")
		check(t, err)
		r, err := s.Check(t.Context(), CheckOptions{})
		check(t, err)
		if all := strings.Join(r.Damages, "; "); !strings.Contains(all, d[1]) || !strings.Contains(all, d[2]) {
			t.Errorf("%s: %q", d[0], r.Damages)
		}
	}
}

// What is counted wrong is found by counting once more, though every checksum holds.
func TestCheckCountsOnceMore(t *testing.T) {
	st := synthetic(4, 300)
	s := openStore(t, Memory, Config{})
	publish(t, s, st, st.Respondents)
	f, err := s.Frame(t.Context())
	check(t, err)
	r := &CheckReport{}
	check(t, s.recount(t.Context(), 500, r))
	if len(r.Damages) > 0 || r.Cells < 500 {
		t.Fatalf("%+v", r)
	}
	for _, c := range s.current.chunks {
		name := weightNames(f)[0]
		var exact []byte
		check(t, s.read.QueryRow(`SELECT data FROM weights WHERE chunk = ? AND namespace = ?`, c.id,
			name.namespace).Scan(&exact))
		units, err := encodeUnits(c, name, exact)
		check(t, err)
		units = units[:len(units)-sealBytes]
		begin, width, end := 1, int(units[0]), len(units)
		if units[0] == byteList {
			begin, width, end = 3, 4, 3+4*int(units[1])
		}
		for at := begin; at < end; at += width {
			if units[at] > 1 {
				units[at] ^= 1 // everyone who weighs more than that weighs one unit more, or less
			}
		}
		_, err = s.write.Exec(`UPDATE units SET data = ? WHERE chunk = ? AND namespace = ?`,
			seal(unitsName(c.id, name), units), c.id, name.namespace)
		check(t, err)
	}
	s.cache = newCache(1 << 20)
	found, err := s.Check(t.Context(), CheckOptions{Cells: 2000})
	check(t, err)
	if len(found.Damages) == 0 || !strings.Contains(found.Damages[0], "one by one") {
		t.Errorf("%+v", found)
	}
}

// Compact gives back what withdrawn waves took, changes no figure, and leaves nothing of them in the file.
func TestCompact(t *testing.T) {
	alone(t)
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{ChunkRespondents: 64})
	st := synthetic(2, 6000)
	publish(t, s, st, st.Respondents)
	for range 3 {
		publish(t, s, st, st.Respondents, "w1", "w2", "w3", "w4")
	}
	a := audienceOf("id-1", "alice")
	a.Description = "nobody may read this again"
	insert(t, s, a)
	check(t, s.DeleteSaved(t.Context(), "id-1", 1))
	want := everyMargin(t, s)
	r, err := s.Compact(t.Context())
	check(t, err)
	if r.After >= r.Before || r.After != s.bytes() {
		t.Errorf("%+v, %d", r, s.bytes())
	}
	if d := cmp.Diff(want, everyMargin(t, s)); d != "" {
		t.Error(d)
	}
	for _, name := range []string{path, path + "-wal"} {
		if text, err := os.ReadFile(name); err != nil || strings.Contains(string(text), a.Description) {
			t.Error("what was removed is still in", name, err)
		}
	}
	found, err := s.Check(t.Context(), CheckOptions{})
	check(t, err)
	if len(found.Damages) > 0 {
		t.Error(found.Damages)
	}
}
