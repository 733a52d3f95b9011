package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/saved"
)

// numbersOf asks for the numbers of users, in order.
func numbersOf(t *testing.T, s *Store, users ...string) (list []int64) {
	t.Helper()
	for _, user := range users {
		n, err := s.UserNumber(t.Context(), user)
		check(t, err)
		list = append(list, n)
	}
	return list
}

// Rule saved-users: a whole number is its own; others get numbers in the order in which they are first heard of, be it
// with a key, an audience or a question, and keep them.
func TestUserNumbers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	const first = saved.FirstUserNumber
	if got := numbersOf(t, s, "alice@example.com", "8", "auth0|abc", "alice@example.com", "Alice@example.com",
		"1000000000001", "08"); cmp.Diff([]int64{first, 8, first + 1, first, first + 2, first + 3, first + 4}, got) != "" {
		t.Error(got)
	}
	if a := insert(t, s, audienceOf("id-1", "bob")); a.User != "bob" || a.UserNumber != first+5 {
		t.Errorf("%+v", a)
	}
	key, _, err := s.CreateKey(t.Context(), Key{User: "carol"})
	check(t, err)
	if key.User != "carol" {
		t.Errorf("%+v", key)
	}
	other := openStore(t, path, Config{ReadOnly: true})
	if got := numbersOf(t, other, "carol", "bob", "auth0|abc", "77"); cmp.Diff([]int64{first + 6, first + 5, first + 1,
		77}, got) != "" {
		t.Error(got)
	}
	if _, err := other.UserNumber(t.Context(), "dave"); !errors.Is(err, audience.ErrReadOnly) {
		t.Errorf("a Store for reading gives a number: %v", err)
	}
	if list, err := other.SavedFor(t.Context(), "dave"); err != nil || len(list) != 1 { // what bob shares
		t.Error(list, err)
	}
	if list, err := other.ListKeys(t.Context()); err != nil || list[0].User != "carol" {
		t.Error(list, err)
	}
}

// What can be no id gets no number, and no key.
func TestUserNumbersAreForUsers(t *testing.T) {
	s := openStore(t, Memory, Config{})
	invalid := (*audience.InvalidError)(nil)
	if _, err := s.UserNumber(t.Context(), ""); !errors.As(err, &invalid) {
		t.Error(err)
	}
	if _, err := s.InsertSaved(t.Context(), audienceOf("id-1", "a\xff")); !errors.As(err, &invalid) {
		t.Error(err)
	}
	if _, _, err := s.CreateKey(t.Context(), Key{User: "a\x00b"}); !errors.As(err, &invalid) {
		t.Error(err)
	}
	if n := rows(t, s, "user") + rows(t, s, "saved") + rows(t, s, "key"); n != 0 {
		t.Errorf("%d rows", n)
	}
}

// Many who come at once, to two Stores on one file, have a number each.
func TestUserNumbersConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	stores := []*Store{openStore(t, path, Config{}), openStore(t, path, Config{})}
	const users, askers = 20, 4
	got := [askers][users]int64{}
	var all sync.WaitGroup
	for k := range askers {
		all.Go(func() {
			for i := range users {
				n, err := stores[k%2].UserNumber(context.Background(), fmt.Sprint("user ", i))
				if err != nil {
					t.Error(err)
				}
				got[k][i] = n
			}
		})
	}
	all.Wait()
	seen := map[int64]bool{}
	for k := range askers {
		if got[k] != got[0] {
			t.Errorf("asker %d was told\n%v and not\n%v", k, got[k], got[0])
		}
	}
	for _, n := range got[0] {
		if n < saved.FirstUserNumber || n >= saved.FirstUserNumber+users || seen[n] {
			t.Errorf("%d was given, of %v", n, got[0])
		}
		seen[n] = true
	}
}

// A record whose owner is gone is damage, and not nobody's.
func TestUserDamaged(t *testing.T) {
	s := openStore(t, Memory, Config{})
	insert(t, s, audienceOf("id-1", "bob"))
	_, secret, err := s.CreateKey(t.Context(), Key{User: "bob"})
	check(t, err)
	check(t, s.update(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`DELETE FROM user`)
		return err
	}))
	damaged := (*DamagedError)(nil)
	if _, err := s.Saved(t.Context(), "id-1"); !errors.As(err, &damaged) {
		t.Error(err)
	}
	if _, err := s.Authorize(t.Context(), secret); !errors.As(err, &damaged) {
		t.Error(err)
	}
}

// A store of format 9, whose users were numbers, opens with each number as the text of it: it holds an audience each of
// users 1, 7, -5 and 2,000,000,000,000, those of the first two in folders, and keys of users 1 and 9.
func TestStoreOfFormat9(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format9.db.gz", path)
	s := openStore(t, path, Config{})
	for user, want := range map[string]string{
		"1": "1 1:of 1:1 7 7:of 7:2", "7": "7 7:of 7:2", "-5": "7 7:of 7:2 -5 -5:of -5:0",
		"2000000000000": "7 7:of 7:2 2000000000000 2000000000000:of 2000000000000:0", "alice": "7 7:of 7:2",
	} {
		list, err := s.SavedFor(t.Context(), user)
		check(t, err)
		got := ""
		for _, a := range list {
			got += fmt.Sprintf(" %s %d:%s:%d", a.User, a.UserNumber, a.Name, a.Folder)
		}
		if got != " "+want {
			t.Errorf("user %s has%s, want %s", user, got, want)
		}
	}
	keys, err := s.ListKeys(t.Context())
	check(t, err)
	if len(keys) != 2 || keys[0].User != "1" || keys[1].User != "9" {
		t.Errorf("%+v", keys)
	}
	// Numbers of before are taken, and those of new users follow what is above.
	if got := numbersOf(t, s, "-5", "8", "2000000000000", "alice", "2000000000001", "bob", "9"); cmp.Diff([]int64{-5, 8,
		2e12, 2e12 + 1, 2e12 + 2, 2e12 + 3, 9}, got) != "" {
		t.Error(got)
	}
	if list, err := s.Folders(t.Context(), "7"); err != nil || cmp.Diff([]saved.Folder{{
		ID: "bbbbbbbb-0000-4000-8000-00000000000b", V1: 2}}, list) != "" {
		t.Error(list, err)
	}
	f, err := s.Frame(t.Context())
	check(t, err)
	if again, err := s.Frame(t.Context()); err != nil || len(again.Questions) != 8 || f.Version != 1 {
		t.Error(len(again.Questions), f.Version, err)
	}
}
