package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestStrict makes what an import tells of an error, by what is named; the list is that which inspect shows.
func TestStrict(t *testing.T) {
	alone(t)
	folder := t.TempDir()
	put := func(name, text string) string {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	book := put("book.json", `{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "questions": [`+
		`{"code": "q", "type": "single", "column": "q", "datapoints": [{"code": "1"}]}]}`)
	listed, unlisted := put("listed.csv", "id,q\n1,1\n2,1\n"), put("unlisted.csv", "id,q\n1,1\n2,2\n")
	const list = "What will mislead:\n  core: fewer than 30 respondents: 2 in all\n"
	const answers = `the value "2" is none of the datapoints`
	for i, c := range []struct {
		strict, file string
		code         int
		says         string
	}{
		{"", unlisted, 0, ""},
		{"--strict", listed, 0, ""},
		{"--strict", unlisted, 1, answers},
		{"--strict=answers", unlisted, 1, answers},
		{"--strict=warnings", unlisted, 1, list},
		{"--strict=all", unlisted, 1, answers},
		{"--strict=all", listed, 1, list},
		{"--strict=some", listed, 2, `"some" is none of answers, warnings and all`},
	} {
		db := filepath.Join(folder, strings.Repeat("x", i+1)+".db")
		args := []string{"import", "--db", db, "--codebook", book}
		if c.strict != "" {
			args = append(args, c.strict)
		}
		code, out, errs := run(t, "", append(args, c.file)...)
		if code != c.code || !strings.Contains(errs, c.says) {
			t.Errorf("%s of %s: exit %d, %s", c.strict, filepath.Base(c.file), code, errs)
		}
		if code == 0 {
			if !strings.Contains(out, list) || !strings.Contains(ok(t, "inspect", "--db", db), list) {
				t.Errorf("the list is not told:\n%s", out)
			}
		}
	}
	t.Setenv("CROSSWAVE_IMPORT_STRICT", "true")
	if code, _, errs := run(t, "", "import", "--db", filepath.Join(folder, "e.db"), "--codebook", book,
		unlisted); code != 1 ||
		!strings.Contains(errs, answers) {
		t.Errorf("by environment: exit %d, %s", code, errs)
	}
}
