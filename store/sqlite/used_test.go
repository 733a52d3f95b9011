package sqlite

import (
	"database/sql"
	"errors"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// lastUses are the hours of last use, once all that waits is written.
func lastUses(t *testing.T, s *Store) map[int64]int64 {
	t.Helper()
	s.tidying.Wait()
	uses, err := s.KeyUses(t.Context())
	check(t, err)
	hours := map[int64]int64{}
	for key, use := range uses {
		hours[key] = use.Last.Unix() / secondsAnHour
		if use.Last.Truncate(time.Hour) != use.Last {
			t.Errorf("key %d was used at %v, which is no full hour", key, use.Last)
		}
	}
	return hours
}

// rawOf is another program that has a store's file open.
func rawOf(t *testing.T, s *Store) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+s.Path())
	check(t, err)
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	return db
}

// dropTriggers lets another program change what only this one should.
func dropTriggers(t *testing.T, s *Store) {
	t.Helper()
	names, err := collect(t.Context(), s.write, scanText, `SELECT name FROM sqlite_schema WHERE type = 'trigger'`)
	check(t, err)
	for _, name := range names {
		_, err := s.write.Exec(`DROP TRIGGER ` + name)
		check(t, err)
	}
}

// A use is noted by the hour, once, by whichever process, and the latest stays.
func TestLastUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	k, secret, err := s.CreateKey(t.Context(), Key{})
	check(t, err)
	idle, _, err := s.CreateKey(t.Context(), Key{})
	check(t, err)
	if uses := lastUses(t, s); len(uses) > 0 {
		t.Error(uses)
	}
	before := time.Now().Unix() / secondsAnHour
	_, err = s.Authorize(t.Context(), secret)
	check(t, err)
	hour := lastUses(t, s)[k.ID]
	if hour < before || hour > time.Now().Unix()/secondsAnHour {
		t.Errorf("hour %d, and it is %d", hour, before)
	}
	at := func(hour int64) time.Time { return time.Unix(hour*secondsAnHour+1799, 0) }
	version := dataVersion(t, s)
	for range 100 {
		s.noteUse(k.ID, at(hour))
	}
	s.noteUse(k.ID, at(hour-1)) // the clock went back
	if got := lastUses(t, s); cmp.Diff(map[int64]int64{k.ID: hour}, got) != "" || dataVersion(t, s) != version {
		t.Errorf("%v, and something was written: %v", got, dataVersion(t, s) != version)
	}
	second := openStore(t, path, Config{})
	second.noteUse(k.ID, at(hour+2))
	second.noteUse(idle.ID, at(hour))
	lastUses(t, second)
	s.noteUse(k.ID, at(hour+1)) // later than it knew, and earlier than what the other wrote
	if d := cmp.Diff(map[int64]int64{k.ID: hour + 2, idle.ID: hour}, lastUses(t, s)); d != "" {
		t.Error(d)
	}
	noDamage(t, s)
}

// dataVersion changes whenever any other connection has written.
func dataVersion(t *testing.T, s *Store) (n int64) {
	t.Helper()
	s.tidying.Wait()
	check(t, s.write.QueryRow(`PRAGMA data_version`).Scan(&n))
	return n
}

// Many keys used at once by many are all noted, also by the last who is there.
func TestLastUsedOfMany(t *testing.T) {
	s := openStore(t, Memory, Config{})
	var all sync.WaitGroup
	const keys = 200
	for user := range 4 {
		all.Go(func() {
			for key := range int64(keys) {
				s.noteUse(key, time.Unix((key+int64(user))*secondsAnHour, 0))
			}
		})
	}
	all.Wait()
	uses := lastUses(t, s)
	for key := range int64(keys) {
		if uses[key] != key+3 {
			t.Errorf("key %d: hour %d", key, uses[key])
		}
	}
}

// Whoever writes keeps no request waiting, and neither does what can't be noted; it is noted later.
func TestLastUsedWhileSomebodyWrites(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	k, secret, err := s.CreateKey(t.Context(), Key{})
	check(t, err)
	other := rawOf(t, s)
	_, err = other.Exec(`BEGIN IMMEDIATE`)
	check(t, err)
	began := time.Now()
	for range 10 {
		_, err := s.Authorize(t.Context(), secret)
		check(t, err)
	}
	if uses := lastUses(t, s); len(uses) > 0 {
		t.Error(uses)
	}
	if took := time.Since(began); took > busyTimeout/2 {
		t.Errorf("it took %v", took)
	}
	check(t, s.Ready(t.Context()))
	s.noteUse(k.ID, time.Now().Add(afterFailure/2)) // too soon
	if uses := lastUses(t, s); len(uses) > 0 {
		t.Error(uses)
	}
	_, err = other.Exec(`ROLLBACK`)
	check(t, err)
	s.uses.mu.Lock()
	s.uses.next = time.Time{} // the minute is over
	s.uses.mu.Unlock()
	_, err = s.Authorize(t.Context(), secret)
	check(t, err)
	if uses := lastUses(t, s); uses[k.ID] == 0 {
		t.Error(uses)
	}
}

// A store that is read only notes nothing, and a damaged note is no answer, keeps no key from opening, and is made
// good by the next use.
func TestLastUsedOfADamagedRow(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	k, secret, err := s.CreateKey(t.Context(), Key{})
	check(t, err)
	reader := openStore(t, path, Config{ReadOnly: true})
	_, err = reader.Authorize(t.Context(), secret)
	check(t, err)
	if uses := lastUses(t, reader); len(uses) > 0 {
		t.Error(uses)
	}
	s.noteUse(k.ID, time.Now())
	lastUses(t, s)
	_, err = rawOf(t, s).Exec(`UPDATE used SET hour = hour + 100000`)
	check(t, err)
	damaged := (*DamagedError)(nil)
	if _, err := s.KeyUses(t.Context()); !errors.As(err, &damaged) || damaged.What != "when key 1 was last used" {
		t.Error(err)
	}
	if found, err := s.Check(t.Context(), CheckOptions{}); err != nil || cmp.Diff([]string{damaged.What},
		found.Damages) != "" {
		t.Error(found, err)
	}
	_, err = reader.Authorize(t.Context(), secret)
	check(t, err)
	again := openStore(t, path, Config{})
	_, err = again.Authorize(t.Context(), secret)
	check(t, err)
	if hour := lastUses(t, again)[k.ID]; hour > time.Now().Unix()/secondsAnHour {
		t.Error(hour)
	}
}
