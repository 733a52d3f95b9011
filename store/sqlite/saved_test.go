package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/saved"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

const folderA, folderB = "aaaaaaaa-0000-4000-8000-00000000000a", "bbbbbbbb-0000-4000-8000-00000000000b"

// audienceOf is an audience with a value in every member that the store does not give.
func audienceOf(id, user string) saved.Audience {
	x, text := audience.Answers{Question: "core.gender", Datapoints: []string{"f"}},
		`{"question":"core.gender","datapoints":["f"]}`
	return saved.Audience{
		ID: id, User: user, Name: "Women, \"most\" of them\x00 – ✓", Description: "Gender: Women",
		Expression: saved.Expression{JSON: []byte(text), Expr: x},
		Datasets:   []string{"a", "b,\"c\""}, DatasetsSet: true, Flags: []string{"authored", "isP2"},
		FolderID: saved.NoFolder, Position: -math.MaxFloat64, Shared: true,
		Created: time.Date(2025, 1, 1, 12, 0, 0, 1000, time.UTC), Updated: time.Date(2025, 1, 2, 12, 0, 0, 999_999_000,
			time.UTC), Version: 1,
	}
}

func insert(t *testing.T, s *Store, a saved.Audience) saved.Audience {
	t.Helper()
	out, err := s.InsertSaved(t.Context(), a)
	check(t, err)
	return out
}

// What is put in comes out, from another Store on the same file too.
func TestSavedComesBack(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	want := audienceOf("id-1", "7")
	want.FolderID = folderA
	got := insert(t, s, want)
	want.V1ID, want.Folder, want.UserNumber = 1, 1, 7
	if d := cmp.Diff(want, got); d != "" {
		t.Error("InsertSaved gives\n" + d)
	}
	want.Name, want.Description, want.Datasets, want.DatasetsSet, want.Flags = "Men", "Gender: Men", []string{}, false,
		[]string{}
	want.Expression = saved.Expression{JSON: []byte(`{"question":"gender","options":["m"],"not":false}`),
		Expr: audience.Answers{Question: "gender", Datapoints: []string{"m"}}}
	want.FolderID, want.Position, want.Shared, want.Updated, want.Version = folderB, 0.1, false,
		want.Updated.Add(time.Microsecond), 2
	got, err := s.ReplaceSaved(t.Context(), want, 1)
	check(t, err)
	want.Folder = 2
	if d := cmp.Diff(want, got); d != "" {
		t.Error("ReplaceSaved gives\n" + d)
	}
	other := openStore(t, path, Config{ReadOnly: true})
	for name, s := range map[string]*Store{"the same Store": s, "another": other} {
		got, err := s.Saved(t.Context(), "id-1")
		check(t, err)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s reads\n%s", name, d)
		}
	}
	if _, err := other.ReplaceSaved(t.Context(), want, 2); !errors.Is(err, audience.ErrReadOnly) {
		t.Errorf("a Store for reading writes: %v", err)
	}
}

// The owner and creation of an audience never change, nor its number.
func TestSavedKeepsWhoseItIs(t *testing.T) {
	s := openStore(t, Memory, Config{})
	a := insert(t, s, audienceOf("id-1", "7"))
	b := a
	b.User, b.V1ID, b.Created, b.Version = "8", 9, time.Now(), 2
	got, err := s.ReplaceSaved(t.Context(), b, 1)
	check(t, err)
	if got.User != "7" || got.UserNumber != 7 || got.V1ID != a.V1ID || !got.Created.Equal(a.Created) {
		t.Errorf("%+v", got)
	}
}

func TestSavedNotThere(t *testing.T) {
	s := openStore(t, Memory, Config{})
	if _, err := s.Saved(t.Context(), "none"); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	if list, err := s.Folders(t.Context(), "1"); len(list) > 0 || err != nil {
		t.Error(list, err)
	}
	if _, err := s.ReplaceSaved(t.Context(), audienceOf("none", "1"), 1); !errors.Is(err, saved.ErrConflict) {
		t.Error(err)
	}
	if err := s.DeleteSaved(t.Context(), "none", 1); !errors.Is(err, saved.ErrConflict) {
		t.Error(err)
	}
}

// One's own and shared ones, by position, then id.
func TestSavedFor(t *testing.T) {
	s := openStore(t, Memory, Config{})
	for _, a := range []struct {
		id       string
		user     string
		position float64
		shared   bool
	}{{"d", "1", 2, false}, {"c", "1", 2, true}, {"b", "2", -1, false}, {"a", "2", 2, true}, {"e", "3", 1e300, false}} {
		record := audienceOf(a.id, a.user)
		record.Position, record.Shared = a.position, a.shared
		insert(t, s, record)
	}
	for user, want := range map[string]string{"1": "acd", "2": "bac", "3": "ace", "4": "ac"} {
		list, err := s.SavedFor(t.Context(), user)
		check(t, err)
		got := ""
		for _, a := range list {
			got += a.ID
		}
		if got != want {
			t.Errorf("user %s: %s, want %s", user, got, want)
		}
	}
}

// A change of another version than the current one changes nothing, and makes no folder.
func TestSavedComparesAndSets(t *testing.T) {
	s := openStore(t, Memory, Config{})
	a := insert(t, s, audienceOf("id-1", "1"))
	b := a
	b.Name, b.FolderID, b.Version = "Late", folderA, 3
	for _, version := range []int64{0, 2, -1} {
		if _, err := s.ReplaceSaved(t.Context(), b, version); !errors.Is(err, saved.ErrConflict) {
			t.Errorf("replace %d: %v", version, err)
		}
		if err := s.DeleteSaved(t.Context(), "id-1", version); !errors.Is(err, saved.ErrConflict) {
			t.Errorf("delete %d: %v", version, err)
		}
	}
	got, err := s.Saved(t.Context(), "id-1")
	check(t, err)
	if d := cmp.Diff(a, got); d != "" || rows(t, s, "folder") != 0 {
		t.Errorf("%d folders\n%s", rows(t, s, "folder"), d)
	}
	check(t, s.DeleteSaved(t.Context(), "id-1", 1))
	if _, err := s.Saved(t.Context(), "id-1"); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
}

// Numbers of audiences and folders count up for the whole store and are never used again; a folder keeps its number
// when it is empty.
func TestSavedNumbers(t *testing.T) {
	s := openStore(t, Memory, Config{})
	in := func(id, folder string) saved.Audience {
		a := audienceOf(id, "1")
		a.FolderID = folder
		return insert(t, s, a)
	}
	first, second := in("a", folderA), in("b", folderB)
	if first.V1ID != 1 || second.V1ID != 2 || first.Folder != 1 || second.Folder != 2 {
		t.Error(first, second)
	}
	check(t, s.DeleteSaved(t.Context(), "a", 1))
	check(t, s.DeleteSaved(t.Context(), "b", 1))
	third := in("a", folderA)
	if third.V1ID != 3 || third.Folder != 1 {
		t.Error(third)
	}
	want := []saved.Folder{{ID: folderA, V1: 1}, {ID: folderB, V1: 2}}
	if list, err := s.Folders(t.Context(), "1"); err != nil || cmp.Diff(want, list) != "" {
		t.Error(list, err)
	}
	if fourth := in("d", "cccccccc-0000-4000-8000-00000000000c"); fourth.Folder != 3 || fourth.V1ID != 4 {
		t.Error(fourth)
	}
	if _, err := s.InsertSaved(t.Context(), audienceOf("d", "1")); err == nil {
		t.Error("an id is there twice")
	}
}

// Rule saved-folders: two users have folders of one id, each with a number of its own; a new folder gets the number
// that is asked for if it is free, else the lowest that is.
func TestSavedFolders(t *testing.T) {
	s := openStore(t, Memory, Config{})
	for i, test := range []struct {
		user   string
		folder string
		asked  int64
		want   int64
	}{
		{"1", folderA, 0, 1}, {"2", folderA, 0, 2}, {"1", folderA, 9, 1}, {"2", folderA, 1, 2}, {"1", folderB, 4, 4},
		{"2", folderB, 4, 3},
		{"3", folderB, 0, 5}, {"3", folderA, 1 << 53, 1 << 53}, {"4", folderA, -1, 6}, {"4", folderB, 1 << 53, 7},
	} {
		a := audienceOf(fmt.Sprint("id-", i), test.user)
		a.FolderID, a.Folder = test.folder, test.asked
		if got := insert(t, s, a); got.Folder != test.want || got.FolderID != test.folder {
			t.Errorf("user %s gets folder %d (%s), want %d", test.user, got.Folder, got.FolderID, test.want)
		}
	}
	want := []saved.Folder{{ID: folderA, V1: 2}, {ID: folderB, V1: 3}}
	if list, err := s.Folders(t.Context(), "2"); err != nil || cmp.Diff(want, list) != "" {
		t.Error(list, err)
	}
	// A change goes to the owner's folder, whatever the record says of its user.
	b, err := s.Saved(t.Context(), "id-0")
	check(t, err)
	b.User, b.FolderID, b.Folder, b.Version = "2", folderB, 0, b.Version+1
	if got, err := s.ReplaceSaved(t.Context(), b, b.Version-1); err != nil || got.Folder != 4 || got.User != "1" {
		t.Errorf("%+v %v", got, err)
	}
}

// An expression that was saved under wider limits is read.
func TestSavedReadsDeepExpressions(t *testing.T) {
	s := openStore(t, Memory, Config{})
	const levels = 90
	text := strings.Repeat(`{"and":[`, levels) + `{"question":"gender"}` + strings.Repeat(`]}`, levels)
	x, err := (&audience.Parser{MaxLevels: 2 * levels}).Parse([]byte(text))
	check(t, err)
	a := audienceOf("deep", "1")
	a.Expression = saved.Expression{JSON: []byte(text), Expr: x}
	got := insert(t, s, a)
	if string(got.Expression.JSON) != text || string(audience.Print(got.Expression.Expr)) != text {
		t.Errorf("%s\n%s", got.Expression.JSON, audience.Print(got.Expression.Expr))
	}
}

// A record that was damaged is an error, and not another audience.
func TestSavedDamaged(t *testing.T) {
	for _, column := range []string{"expression", "datasets", "flags"} {
		s := openStore(t, Memory, Config{})
		insert(t, s, audienceOf("id-1", "1"))
		check(t, s.update(t.Context(), func(tx *sql.Tx) error {
			_, err := tx.Exec(`UPDATE saved SET ` + column + ` = '{"question"'`)
			return err
		}))
		damaged := (*DamagedError)(nil)
		if _, err := s.Saved(t.Context(), "id-1"); !errors.As(err, &damaged) {
			t.Errorf("%s: %v", column, err)
		}
		if _, err := s.SavedFor(t.Context(), "1"); !errors.As(err, &damaged) {
			t.Errorf("%s: %v", column, err)
		}
	}
}

// Writers in two Stores on one file, as in two processes: each sets to a version of its own what it read, and nothing
// is lost.
func TestSavedConcurrently(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	stores := []*Store{openStore(t, path, Config{}), openStore(t, path, Config{})}
	insert(t, stores[0], func() saved.Audience { a := audienceOf("id-1", "1"); a.Position = 0; return a }())
	const writers, updates = 8, 25
	var all sync.WaitGroup
	for w := range writers {
		s := stores[w%len(stores)]
		all.Go(func() {
			for done := 0; done < updates; {
				a, err := s.Saved(context.Background(), "id-1")
				if err != nil {
					t.Error(err)
					return
				}
				a.Position++
				a.Version++
				a.FolderID = fmt.Sprintf("aaaaaaaa-0000-4000-8000-%06d%06d", w, done)
				switch _, err := s.ReplaceSaved(context.Background(), a, a.Version-1); {
				case err == nil:
					done++
				case !errors.Is(err, saved.ErrConflict):
					t.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	a, err := stores[1].Saved(t.Context(), "id-1")
	check(t, err)
	if a.Position != writers*updates || a.Version != writers*updates+1 {
		t.Errorf("position %v, version %d after %d updates", a.Position, a.Version, writers*updates)
	}
	if n := rows(t, stores[0], "folder"); n != writers*updates {
		t.Errorf("%d folders of %d", n, writers*updates)
	}
}

// What a user's audiences come to is what their texts come to, and nobody else's counts.
func TestSavedSize(t *testing.T) {
	db, err := Open(t.Context(), Memory, Config{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var want int64
	for i, user := range []string{"ä", "b", "ä"} {
		a, err := db.InsertSaved(t.Context(), saved.Audience{ID: fmt.Sprintf("00000000-0000-4000-8000-00000000000%d", i),
			User: user, Name: "Fräulein", Description: "Frauen, größer", FolderID: saved.NoFolder, Shared: true, Version: 1,
			Expression: saved.Expression{JSON: []byte(`{"question":"größe"}`)}})
		if err != nil {
			t.Fatal(err)
		}
		if user == "ä" {
			want += saved.Size(&a) + int64(len("[]"))
		}
	}
	n, bytes, err := db.SavedSize(t.Context(), "ä")
	if err != nil || n != 2 || bytes != want {
		t.Errorf("%d audiences of %d bytes, want 2 of %d: %v", n, bytes, want, err)
	}
	if n, bytes, err := db.SavedSize(t.Context(), "nobody"); err != nil || n != 0 || bytes != 0 {
		t.Errorf("%d audiences of %d bytes: %v", n, bytes, err)
	}
}

// A page that the store reads is that of the whole list, whatever is picked.
func TestSavedPage(t *testing.T) {
	alone(t)
	s := openStore(t, Memory, Config{})
	rnd := rand.New(rand.NewPCG(12, 3))
	folders := []string{folderA, folderB, saved.NoFolder}
	for n := range testsize.Of(15, 60, 60) {
		a := audienceOf(fmt.Sprint("id-", n), []string{"7", "alice", "bob"}[rnd.IntN(3)])
		a.Shared, a.Position, a.FolderID = rnd.IntN(3) == 0, float64(rnd.IntN(5)), folders[rnd.IntN(3)]
		a.Flags = [][]string{{}, {"authored"}, {"isP2", "curated"}}[rnd.IntN(3)]
		insert(t, s, a)
	}
	some := 0
	for range testsize.Of(30, 300, 3000) {
		f := saved.Filter{FolderID: append(folders, "", "", strings.ToUpper(folderA))[rnd.IntN(6)], Limit: rnd.IntN(20),
			Offset: rnd.IntN(12), Flags: [][]string{nil, {"isP2"}, {"authored", "curated"}, {"curated"}}[rnd.IntN(4)]}
		user := []string{"7", "alice", "bob", "nobody"}[rnd.IntN(4)]
		want, all, err := saved.List(t.Context(), struct{ saved.Store }{s}, user, f)
		check(t, err)
		got, total, err := saved.List(t.Context(), s, user, f)
		check(t, err)
		if d := cmp.Diff(want, got, cmpopts.EquateEmpty()); d != "" || all != total {
			t.Fatalf("%s with %+v: %d of %d\n%s", user, f, total, all, d)
		}
		some += len(got)
	}
	if some == 0 {
		t.Error("no audiences are listed")
	}
}
