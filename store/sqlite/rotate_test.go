package sqlite

import (
	"errors"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// A key that gets a new secret is the same key; the old secret is good for as long as was asked for.
func TestRotateKey(t *testing.T) {
	s := openStore(t, Memory, Config{})
	k, first, err := s.CreateKey(t.Context(), Key{Name: "app", User: "alice", Expires: now().Add(time.Hour),
		Grant: audience.Grant{Waves: []string{"w1"}, MinSample: 30}})
	check(t, err)
	other, otherSecret, err := s.CreateKey(t.Context(), Key{Name: "other"})
	check(t, err)
	opens := func(secret string, want Key) {
		t.Helper()
		got, err := s.Authorize(t.Context(), secret)
		check(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Error(d)
		}
	}
	refused := func(secret string, want error) {
		t.Helper()
		if got, err := s.Authorize(t.Context(), secret); !errors.Is(err, want) || !errors.Is(err, audience.ErrNotFound) {
			t.Errorf("%+v %v, want %v", got, err, want)
		}
	}
	rotate := func(keep time.Duration) (secret string) {
		t.Helper()
		got, secret, err := s.RotateKey(t.Context(), k.ID, keep)
		check(t, err)
		if d := cmp.Diff(k, got); d != "" {
			t.Error(d)
		}
		return secret
	}
	second := rotate(0)
	refused(first, ErrKeyReplaced)
	opens(second, k)
	third := rotate(time.Hour)
	fourth := rotate(time.Minute)
	opens(second, k)
	opens(third, k)
	opens(fourth, k)
	uses, err := s.KeyUses(t.Context())
	check(t, err)
	if kept := time.Until(uses[k.ID].Kept); kept < 59*time.Minute || kept > time.Hour {
		t.Errorf("a replaced secret is good for %v still", kept)
	}
	fifth := rotate(time.Millisecond)
	time.Sleep(2 * time.Millisecond)
	refused(fourth[:len(fourth)-1]+"~", ErrKeyUnknown)
	refused(first, ErrKeyReplaced)
	opens(third, k) // whose minute is not over
	last := rotate(-time.Second)
	for _, secret := range []string{first, second, third, fourth, fifth} {
		refused(secret, ErrKeyReplaced)
	}
	opens(last, k)
	opens(otherSecret, other)
	if uses, err := s.KeyUses(t.Context()); err != nil || !uses[k.ID].Kept.IsZero() {
		t.Error(uses, err)
	}
	kept := rotate(time.Hour)
	check(t, s.RevokeKey(t.Context(), k.ID))
	refused(last, ErrKeyRevoked)
	refused(kept, ErrKeyRevoked)
	opens(otherSecret, other)
	if _, _, err := s.RotateKey(t.Context(), k.ID, 0); !errors.Is(err, ErrKeyRevoked) {
		t.Error(err)
	}
	if _, _, err := s.RotateKey(t.Context(), 99, 0); !errors.Is(err, ErrKeyUnknown) {
		t.Error(err)
	}
	late, _, err := s.CreateKey(t.Context(), Key{Expires: time.Now().Add(-time.Second)})
	check(t, err)
	if _, _, err := s.RotateKey(t.Context(), late.ID, time.Hour); !errors.Is(err, ErrKeyExpired) {
		t.Error(err)
	}
	keys, err := s.ListKeys(t.Context())
	check(t, err)
	if len(keys) != 3 {
		t.Errorf("%+v", keys)
	}
	noDamage(t, s)
}

func noDamage(t *testing.T, s *Store) {
	t.Helper()
	found, err := s.Check(t.Context(), CheckOptions{})
	check(t, err)
	if len(found.Damages) > 0 {
		t.Error(found.Damages)
	}
}

// A store of format 12, which had no replaced secrets and no inventory, opens, lists what it has, and a row of it that
// was damaged before is no sounder for it.
func TestStoreOfFormat12(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format12.db.gz", path)
	s := openStore(t, path, Config{})
	keys, err := s.ListKeys(t.Context())
	check(t, err)
	if len(keys) != 2 || keys[0].User != "alice" || keys[1].Revoked.IsZero() {
		t.Errorf("%+v", keys)
	}
	list, err := s.SavedFor(t.Context(), "alice")
	check(t, err)
	var names []string
	for _, a := range list {
		names = append(names, a.ID)
	}
	if slices.Sort(names); cmp.Diff([]string{"7-0", "alice-0", "alice-1"}, names) != "" {
		t.Error(names)
	}
	if uses, err := s.KeyUses(t.Context()); err != nil || len(uses) > 0 {
		t.Error(uses, err)
	}
	noDamage(t, s)
	_, _, err = s.CreateKey(t.Context(), Key{Name: "new"})
	check(t, err)
	_, err = s.RemoveRespondent(t.Context(), "1")
	check(t, err)
	noDamage(t, s)
}

// Rows that another program deletes, puts in or exchanges are found by a check, and those that this one does are none
// of these.
func TestInventory(t *testing.T) {
	alone(t)
	s := openStore(t, filepath.Join(t.TempDir(), "store.db"), Config{})
	secrets := keepRecords(t, s)
	_, _, err := s.RotateKey(t.Context(), 1, time.Hour)
	check(t, err)
	for range 2 { // in the place of what is there
		check(t, s.PutInsights(t.Context(), published(), false))
	}
	check(t, s.DeleteSaved(t.Context(), "7-1", 1))
	noDamage(t, s)
	check(t, s.PutInsights(t.Context(), published(), true))
	noDamage(t, s)
	_, err = s.Compact(t.Context())
	check(t, err)
	noDamage(t, s)
	if _, err := rawOf(t, s).Exec(`DELETE FROM key`); err == nil {
		t.Error("another program deletes keys, and nobody is told")
	}
	if _, err := s.Authorize(t.Context(), secrets[0]); err != nil {
		t.Error(err)
	}
	for name, c := range map[string]struct{ spoil, want string }{
		"users":  {`DELETE FROM user WHERE number = 7`, "users: 2 were put in, and 1 are there"},
		"keys":   {`DELETE FROM key WHERE id = 2`, "keys: 2 were put in, and 1 are there"},
		"secret": {`DELETE FROM replaced`, "replaced secrets: 2 were put in, and 0 are there"},
		"saved":  {`DELETE FROM saved WHERE v1 = 1`, "saved audiences: 3 were put in, and 2 are there"},
		"exchanged": {`UPDATE insight SET seal = seal + 1 WHERE id = 9`,
			"insights: they are not those that were put in"},
		"generic": {`DELETE FROM generic`, "generic insights: 2 were put in, and 0 are there"},
		"folders": {`INSERT INTO folder (id) VALUES ('x')`, "folders: 2 were put in, and 3 are there"},
		"the inventory": {`UPDATE inventory SET rows = 1 WHERE name = 'saved'`,
			"the inventory of saved audiences"},
		"no inventory": {`DELETE FROM inventory WHERE name = 'key'`, "the inventory of keys"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "copy.db")
			_, err := s.Backup(t.Context(), path, false)
			check(t, err)
			spoiled := openStore(t, path, Config{})
			dropTriggers(t, spoiled)
			_, err = rawOf(t, spoiled).Exec(c.spoil)
			check(t, err)
			found, err := spoiled.Check(t.Context(), CheckOptions{})
			check(t, err)
			if !slices.Contains(found.Damages, c.want) {
				t.Errorf("found %q, want %q", found.Damages, c.want)
			}
		})
	}
}
