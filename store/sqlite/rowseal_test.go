package sqlite

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/saved"
)

// Whatever byte changes in a row of keys, users, saved audiences, folders and insights, each question about them has
// the same answer as before, or an error that says what is damaged; and at least one has the error.
func TestDamagedRows(t *testing.T) {
	alone(t)
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	secrets := keepRecords(t, s)
	want := askRecords(t, s, secrets)
	for question, answer := range want {
		if answer.err != nil && !errors.Is(answer.err, audience.ErrNotFound) {
			t.Fatal(question, answer.err)
		}
	}
	dropTriggers(t, s)
	check(t, s.Close())
	s = openStore(t, path, Config{ReadOnly: true})
	raw, err := sql.Open("sqlite", "file:"+path)
	check(t, err)
	defer raw.Close()
	raw.SetMaxOpenConns(1)
	flips, refused, every := 0, 0, testsize.Of(5, 5, 1) // each fifth, that of each place in numbers of eight bytes in turn
	for _, table := range []string{"key", "replaced", "used", "user", "saved", "folder", "derived", "insight", "generic"} {
		for i, d := range damagesOf(t, raw, table) {
			if i%every != 0 {
				continue
			}
			if _, err := raw.Exec(d.statement, d.spoiled, d.before); err != nil {
				refused++ // the schema itself does not allow it: another row has that number, say
				continue
			}
			flips++
			told := false
			for question, got := range askRecords(t, s, secrets) {
				damaged := (*DamagedError)(nil)
				if errors.As(got.err, &damaged) {
					told = true
				} else if fmt.Sprint(got.err) != fmt.Sprint(want[question].err) || cmp.Diff(want[question].value, got.value) != "" {
					t.Errorf("%s: %s is answered otherwise: %+v %v", d.name, question, got.value, got.err)
				}
			}
			if !told {
				t.Errorf("%s: nothing tells", d.name)
			}
			_, err = raw.Exec(d.statement, d.before, d.spoiled)
			check(t, err)
		}
	}
	t.Logf("%d changed, %d refused", flips, refused)
	if flips < 500/every {
		t.Errorf("only %d damages", flips)
	}
}

// A text that is longer or shorter than it was sealed counts for nothing: how much its user keeps is not told.
func TestSizeOfDamagedAudiences(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	s := openStore(t, path, Config{})
	keepRecords(t, s)
	dropTriggers(t, s)
	raw, err := sql.Open("sqlite", "file:"+path)
	check(t, err)
	defer raw.Close()
	for _, column := range []string{"name", "description", "expression", "datasets"} {
		for _, change := range []string{column + ` || ' '`, `substr(` + column + `, 2)`} {
			var was string
			check(t, raw.QueryRow(`SELECT `+column+` FROM saved WHERE id = 'alice-1'`).Scan(&was))
			_, err := raw.Exec(`UPDATE saved SET ` + column + ` = ` + change + ` WHERE id = 'alice-1'`)
			check(t, err)
			n, bytes, err := s.SavedSize(t.Context(), "alice")
			if damaged := (*DamagedError)(nil); !errors.As(err, &damaged) || !strings.Contains(damaged.What, "alice-1") {
				t.Errorf("%s = %s: %d audiences, %d bytes, %v", column, change, n, bytes, err)
			}
			if _, _, err := s.SavedSize(t.Context(), "7"); err != nil {
				t.Errorf("%s = %s: of another user: %v", column, change, err)
			}
			_, err = raw.Exec(`UPDATE saved SET `+column+` = ? WHERE id = 'alice-1'`, was)
			check(t, err)
		}
	}
	_, _, err = s.SavedSize(t.Context(), "alice")
	check(t, err)
}

// keepRecords puts a few of everything into a store, and returns the secrets of its keys.
func keepRecords(t *testing.T, s *Store) (secrets []string) {
	t.Helper()
	for _, user := range []string{"alice", "7"} {
		_, secret, err := s.CreateKey(t.Context(), Key{Name: user, User: user, Grant: audience.Grant{Waves: []string{"w1"}},
			Expires: now().AddDate(1, 0, 0)})
		check(t, err)
		secrets = append(secrets, secret)
		for i, folder := range []string{folderA, saved.NoFolder} {
			a := audienceOf(fmt.Sprintf("%s-%d", user, i), user)
			a.FolderID, a.Shared, a.Position = folder, i == 0, float64(i)
			insert(t, s, a)
		}
		check(t, s.InsertDerived(t.Context(), derivedOf("net_"+user, user, user == "alice")))
	}
	_, secret, err := s.RotateKey(t.Context(), 1, 24*time.Hour)
	check(t, err)
	secrets = append(secrets, secret)
	s.noteUse(1, now())
	s.tidying.Wait()
	check(t, s.RevokeKey(t.Context(), 2))
	check(t, s.PutInsights(t.Context(), &insights.File{Insights: published().Insights[:1],
		Generic: published().Generic[1:]}, true))
	return secrets
}

// answered is what a question was answered with.
type answered struct {
	value any
	err   error
}

func askRecords(t *testing.T, s *Store, secrets []string) map[string]answered {
	all := map[string]answered{}
	ask := func(question string, value any, err error) { all[question] = answered{value, err} }
	for i, secret := range append(secrets, keyPrefix+"unknown") {
		k, err := s.Authorize(t.Context(), secret)
		ask(fmt.Sprint("authorize ", i), k, err)
	}
	keys, err := s.ListKeys(t.Context())
	ask("keys", keys, err)
	uses, err := s.KeyUses(t.Context())
	ask("until when a replaced secret is good", uses[1].Kept, err) // the last use goes on with the clock
	for _, user := range []string{"alice", "7", "8"} {
		if user != "8" {
			n, err := s.UserNumber(t.Context(), user)
			ask("number of "+user, n, err)
		}
		list, err := s.SavedFor(t.Context(), user)
		ask("audiences of "+user, list, err)
		n, bytes, err := s.SavedSize(t.Context(), user)
		ask("size of audiences of "+user, []int64{int64(n), bytes}, err)
		for _, f := range []saved.Filter{{Limit: 1, Offset: 1}, {FolderID: folderA}, {Flags: []string{"isP2"}}} {
			page, total, err := s.SavedPage(t.Context(), user, f)
			ask(fmt.Sprint("page of ", user, f), page, err)
			ask(fmt.Sprint("number of ", user, f), total, err)
		}
		questions, err := s.DerivedFor(t.Context(), user)
		ask("derived questions of "+user, questions, err)
		folders, err := s.Folders(t.Context(), user)
		ask("folders of "+user, folders, err)
	}
	for _, id := range []string{"alice-0", "alice-1", "7-0", "7-1"} {
		a, err := s.Saved(t.Context(), id)
		ask(id, a, err)
	}
	for _, code := range []string{"net_alice", "net_7"} {
		q, err := s.Derived(t.Context(), code)
		ask(code, q, err)
	}
	readers, err := s.DerivedReaders(t.Context(), "gender")
	ask("readers", readers, err)
	list, err := s.Insights(t.Context())
	ask("insights", list, err)
	i, err := s.Insight(t.Context(), 9)
	ask("insight 9", i, err)
	g, err := s.Generic(t.Context(), "plain")
	ask("generic insight", g, err)
	return all
}

// damaging is a change of one value of one row, which the statement makes and, the other way round, undoes.
type damaging struct {
	name, statement string
	before, spoiled any
}

// damagesOf has one bit of each byte of each value of each row of a table changed.
func damagesOf(t *testing.T, db *sql.DB, table string) (list []damaging) {
	t.Helper()
	rows, err := db.Query(`SELECT * FROM ` + table)
	check(t, err)
	defer rows.Close()
	columns, err := rows.Columns()
	check(t, err)
	for n := 0; rows.Next(); n++ {
		row, into := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		check(t, rows.Scan(into...))
		for i, column := range columns {
			for at, spoiled := range spoil(row[i]) {
				// The row is known by all its other values, as what is changed may be its key.
				list = append(list, damaging{name: fmt.Sprintf("%s %v, byte %d of %s", table, row[0], at, column),
					statement: `UPDATE ` + table + ` SET ` + column + ` = ? WHERE ` + column + ` = ? AND ` + others(columns, row, i),
					before:    row[i], spoiled: spoiled})
			}
		}
	}
	check(t, rows.Err())
	return list
}

// others is the condition that all columns but one are what a row has.
func others(columns []string, row []any, but int) string {
	var all []string
	for i, column := range columns {
		switch v := row[i].(type) {
		case nil:
			all = append(all, column+` IS NULL`)
		case string:
			all = append(all, fmt.Sprintf(`CAST(%s AS BLOB) = x'%x'`, column, v))
		case []byte:
			all = append(all, fmt.Sprintf(`%s = x'%x'`, column, v))
		case float64:
			all = append(all, fmt.Sprintf(`%s = %v`, column, v))
		default:
			all = append(all, fmt.Sprintf(`%s = %d`, column, v))
		}
	}
	return strings.Join(slices.Delete(all, but, but+1), ` AND `)
}

// spoil gives a value with one bit of each of its bytes changed.
func spoil(value any) (list []any) {
	switch v := value.(type) {
	case int64:
		for at := range 8 {
			list = append(list, v^1<<(8*at))
		}
	case float64:
		for at := range 8 {
			list = append(list, math.Float64frombits(math.Float64bits(v)^1<<(8*at)))
		}
	case string:
		for at := range len(v) {
			list = append(list, v[:at]+string([]byte{v[at] ^ 1})+v[at+1:])
		}
	case []byte:
		for at := range v {
			b := bytes.Clone(v)
			b[at] ^= 1
			list = append(list, b)
		}
	}
	return list
}

// A store of format 10, whose rows had no seals, opens and is what it was: alice, who is no number, and 7 have an
// audience for themselves and a shared one each, in folders of one id, and a key.
func TestStoreOfFormat10(t *testing.T) {
	path := filepath.Join(t.TempDir(), "store.db")
	unpack(t, "testdata/format10.db.gz", path)
	s := openStore(t, path, Config{})
	for user, want := range map[string]string{"alice": "alice:1:true alice:1:false 7:2:true",
		"7": "alice:1:true 7:2:true 7:2:false", "8": "alice:1:true 7:2:true"} {
		list, err := s.SavedFor(t.Context(), user)
		check(t, err)
		var got []string
		for _, a := range list {
			got = append(got, fmt.Sprintf("%s:%d:%v", a.User, a.Folder, a.Shared))
		}
		slices.Sort(got)
		expected := strings.Fields(want)
		slices.Sort(expected)
		if d := cmp.Diff(expected, got); d != "" {
			t.Errorf("user %s\n%s", user, d)
		}
	}
	keys, err := s.ListKeys(t.Context())
	check(t, err)
	if len(keys) != 2 || keys[0].User != "alice" || keys[1].User != "7" ||
		fmt.Sprint(keys[1].Grant.Locations) != "[north]" {
		t.Errorf("%+v", keys)
	}
	if got := numbersOf(t, s, "alice", "7", "bob"); cmp.Diff([]int64{saved.FirstUserNumber, 7, saved.FirstUserNumber + 1},
		got) != "" {
		t.Error(got)
	}
	page, err := insights.List(t.Context(), s, insights.Filter{})
	check(t, err)
	if page.Total != 4 {
		t.Errorf("%d insights", page.Total)
	}
	if _, err := s.Generic(t.Context(), "plain"); !errors.Is(err, audience.ErrNotFound) {
		t.Error(err)
	}
	if _, err := s.Generic(t.Context(), "screens"); err != nil {
		t.Error(err)
	}
}

// A number that records have is not given to another user, though the row that says whose it is was changed.
func TestUserNumbersAreNotGivenAgain(t *testing.T) {
	s := openStore(t, Memory, Config{})
	insert(t, s, audienceOf("id-1", "alice"))
	_, err := s.write.Exec(`UPDATE user SET number = 5`)
	check(t, err)
	if got := numbersOf(t, s, "bob"); got[0] != saved.FirstUserNumber+1 {
		t.Error(got)
	}
}

// Nobody but who runs the store can read the files that it makes.
func TestFilesAreForOneself(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, filepath.Join(dir, "store.db"), Config{})
	w, _ := begin(t, s, synthetic(1, 10), nil)
	defer w.Abort()
	files, err := os.ReadDir(dir)
	check(t, err)
	if len(files) < 3 {
		t.Error("only", files)
	}
	for _, file := range files {
		if info, err := file.Info(); err != nil || info.Mode().Perm() != 0o600 {
			t.Error(file.Name(), info.Mode(), err)
		}
	}
}
