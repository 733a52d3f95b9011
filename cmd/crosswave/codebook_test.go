package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Names, texts and order of a store are corrected without importing again, and no figure changes; a question that is
// hidden is told of no more.
func TestCodebookOfAStore(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	db := filepath.Join(dir, "a.db")
	ok(t, "import", "--db", db, surveyFile(t))
	figures := func() string {
		return ok(t, "crosstab", "--db", db, "--rows", "Q2:q2_tea", "--columns", "Q1", "--format", "ndjson")
	}
	before := ok(t, "crosstab", "--db", db, "--rows", "Q2:q2_tea", "--columns", "Q1", "--format", "csv")
	shown := ok(t, "codebook", "show", "--db", db)
	path := filepath.Join(dir, "codebook.json")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(shown)
	if said := ok(t, "codebook", "apply", "--db", db, path); said != "Nothing differs: the store stays at version 1.\n" {
		t.Error(said)
	}
	write(strings.Replace(shown, `"name": "tea"`, `"name": "Darjeeling"`, 1))
	if said := ok(t, "codebook", "apply", "--db", db, path); !strings.Contains(said, "at version 2") ||
		!strings.Contains(said, `question "core.Q2"`) {
		t.Error(said)
	}
	after := ok(t, "crosstab", "--db", db, "--rows", "Q2:q2_tea", "--columns", "Q1", "--format", "csv")
	if strings.ReplaceAll(after, "Darjeeling", "tea") != before || after == before {
		t.Errorf("before\n%s\nafter\n%s", before, after)
	}
	if code, _, errs := run(t, strings.Replace(shown, `"code": "q2_tea"`, `"code": "chai"`, 1), "codebook", "apply", "--db", db,
		"-"); code != 1 || !strings.Contains(errs, "nothing was changed") || !strings.Contains(errs, "].datapoints[0].code") {
		t.Error(code, errs)
	}
	seen := figures()
	write(strings.Replace(shown, `"code": "Q2",`, `"code": "Q2", "hidden": true,`, 1))
	ok(t, "codebook", "apply", "--db", db, path)
	if code, _, errs := run(t, "", "crosstab", "--db", db, "--rows", "Q2:q2_tea"); code == 0 {
		t.Errorf("a hidden question is told of: %s", errs)
	}
	write(strings.Replace(shown, `"name": "tea"`, `"name": "Darjeeling"`, 1))
	ok(t, "codebook", "apply", "--db", db, path)
	if again := figures(); again != seen {
		t.Errorf("before\n%s\nafter\n%s", seen, again)
	}
	if code, _, errs := run(t, "", "codebook", "show", "--db", filepath.Join(dir, "none.db")); code != 1 {
		t.Error(code, errs)
	}
}
