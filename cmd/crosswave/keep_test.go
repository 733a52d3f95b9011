package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// raggedStore imports a survey with several namespaces, questions that were not asked everywhere and a location that
// begins late, and makes a key for it.
func raggedStore(t *testing.T) (db, secret string) {
	t.Helper()
	from := "../../httpapi/testdata/ragged/"
	db = filepath.Join(t.TempDir(), "ragged.db")
	ok(t, "import", "--db", db, "--codebook", from+"codebook.json", from+"data.csv")
	return db, strings.TrimSpace(ok(t, "key", "create", "--db", db))
}

// raggedFigures are tables of each namespace by wave and location.
func raggedFigures(t *testing.T, db string) string {
	t.Helper()
	var all strings.Builder
	for _, rows := range []string{"gender", "brands", "shop.visit", "diary.read"} {
		for _, columns := range []string{"waves", "locations"} {
			all.WriteString(ok(t, "crosstab", "--db", db, "--rows", rows, "--columns", columns, "--format", "ndjson"))
		}
	}
	return all.String()
}

// Backed up and put back, a store is what it was.
func TestBackupRestore(t *testing.T) {
	alone(t)
	db, _ := raggedStore(t)
	want := raggedFigures(t, db)
	out := filepath.Join(t.TempDir(), "out.db")
	sum, path, found := strings.Cut(strings.TrimSpace(ok(t, "backup", "--db", db, out)), "  ")
	if !found || len(sum) != 64 || path != out {
		t.Fatal(sum, path)
	}
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"a backup is there", []string{"backup", "--db", db, out}, 2, "--overwrite replaces it"},
		{"overwritten", []string{"backup", "--db", db, "--overwrite", out}, 0,
			"Checked version 1: the file's structure, 2 records"},
		{"onto itself", []string{"backup", "--db", db, "--overwrite", db}, 1, "can't lie where the store does"},
		{"no store", []string{"backup", "--db", db + "x", out + "x"}, 1, "there is no store"},
		{"a store is there", []string{"restore", "--db", db, out}, 2, "--overwrite replaces it"},
		{"no backup", []string{"restore", "--db", db, "--overwrite", out + "x"}, 1, "no such file"},
		{"another sum", []string{"restore", "--db", db, "--overwrite", "--sha256", "00", out}, 1, "and not 00"},
	} {
		if code, stdout, errs := run(t, "", c.args...); code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s: exit %d\n%s%s", c.name, code, stdout, errs)
		}
	}
	ok(t, "wave", "remove", "--db", db, "w1")
	if raggedFigures(t, db) == want {
		t.Error("nothing was removed")
	}
	ok(t, "restore", "--db", db, "--overwrite", out)
	if raggedFigures(t, db) != want {
		t.Error("the figures are others")
	}
	if list := ok(t, "key", "list", "--db", db); !strings.Contains(list, "valid") {
		t.Error(list)
	}
}

// A store is checked, and what is damaged is named, with exit code 1, and neither backed up nor put back.
func TestCheckCompact(t *testing.T) {
	alone(t)
	db, _ := raggedStore(t)
	if out := ok(t, "check", "--db", db, "--cells", "100"); !strings.Contains(out, "Nothing is damaged.") {
		t.Error(out)
	}
	if out := ok(t, "check", "--db", db, "--cells", "0"); !strings.Contains(out, "and 0 cells counted once more") {
		t.Error(out)
	}
	ok(t, "wave", "remove", "--db", db, "w1")
	if out := ok(t, "compact", "--db", db); !strings.Contains(out, " after") {
		t.Error(out)
	}
	text, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	at := bytes.Index(text, []byte(`{"namespaces":["*"]`))
	if at < 0 {
		t.Fatal("the key is not found")
	}
	text[at+16] = '+'
	if err := os.WriteFile(db, text, 0o600); err != nil {
		t.Fatal(err)
	}
	code, out, _ := run(t, "", "check", "--db", db)
	if code != 1 || !strings.Contains(out, "damaged: key 1\n") {
		t.Error(code, out)
	}
	if code, out, _ := run(t, "", "check", "--db", db, "--json"); code != 1 || !strings.Contains(out, `"key 1"`) {
		t.Error(code, out)
	}
	backup := filepath.Join(t.TempDir(), "out.db")
	if code, _, errs := run(t, "", "backup", "--db", db, backup); code != 1 ||
		!strings.Contains(errs, "is damaged: key 1") {
		t.Error(code, errs)
	}
	if _, err := os.Stat(backup); err == nil {
		t.Error("a damaged store was backed up")
	}
	if code, _, errs := run(t, "", "restore", "--db", backup, db); code != 1 || !strings.Contains(errs, "key 1") {
		t.Error(code, errs)
	}
}

// A respondent is removed by id, after which the figures are those of a file without them.
func TestRespondentRemove(t *testing.T) {
	alone(t)
	db, _ := raggedStore(t)
	text, err := os.ReadFile("../../httpapi/testdata/ragged/data.csv")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(text)), "\n")
	id := strings.Split(rows[3], ",")[0]
	file := filepath.Join(t.TempDir(), "without.csv")
	without := append(append([]string(nil), rows[:3]...), rows[4:]...)
	if err := os.WriteFile(file, []byte(strings.Join(without, "\n")+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "other.db")
	ok(t, "import", "--db", other, "--codebook", "../../httpapi/testdata/ragged/codebook.json", file)
	if out := ok(t, "respondent", "remove", "--db", db, id); !strings.HasPrefix(out, "1 removed, of w") {
		t.Error(out)
	}
	if d := cmp.Diff(raggedFigures(t, other), raggedFigures(t, db)); d != "" {
		t.Error(d)
	}
	if code, out, errs := run(t, "", "respondent", "remove", "--db", db, id); code != 1 || out != "" ||
		!strings.Contains(errs, "not found") {
		t.Error(code, out, errs)
	}
}
