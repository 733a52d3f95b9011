package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The page of a file is whole in itself, has a card for each question with what stands in its columns, and nothing that
// a file says becomes markup.
func TestPage(t *testing.T) {
	alone(t)
	path := filepath.Join(t.TempDir(), "survey<b>.csv")
	text := strings.ReplaceAll(surveyCSV, "yes", "<script>alert(1)</script>")
	text = strings.ReplaceAll(text, ";Q1;", `;"Q1 <img src=x onerror=""alert(2)"">";`)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "page.html")
	said := ok(t, "inspect", path, "--html", out)
	if !strings.Contains(said, "How each column is read is in "+out) {
		t.Error(said)
	}
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"<title>How survey&lt;b&gt;.csv is read</title>", "CSV, 5 rows, 10 columns",
		"1 respondent, 1 weight, 1 wave, 1 location, 1 single, 1 multi, 1 grid, 1 number.", "Check these first",
		"&lt;script&gt;alert(1)&lt;/script&gt;", "Q1 &lt;img src=x onerror=&#34;alert(2)&#34;&gt;",
		`<span class="as">grid</span>`, `style="width:60%"`, "60.0 %", "because its name says so", "<code>--weight=-</code>"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	for _, never := range []string{"<script", "<img", "<b>", "http://", "https://", "src=\"", "url(", "ZgotmplZ"} {
		if strings.Contains(string(page), never) {
			t.Errorf("%q is in the page", never)
		}
	}
	opened, closed := 0, 0
	for _, tag := range regexp.MustCompile(`</?(article|table|tr|td|div|p|h2|span|code|i|li|ol|ul)[ >]`).FindAllString(
		string(page), -1) {
		if strings.HasPrefix(tag, "</") {
			closed++
		} else {
			opened++
		}
	}
	if opened != closed || opened < 50 {
		t.Errorf("%d elements begin and %d end", opened, closed)
	}
	if code, _, errs := run(t, "", "inspect", path, "--html", out); code != 2 || !strings.Contains(errs, "--force") {
		t.Error(code, errs)
	}
	ok(t, "inspect", path, "--html", out, "--force")
}

// A file with a codebook has a page, too, which says by what it is read.
func TestPageOfACodebook(t *testing.T) {
	alone(t)
	db := filepath.Join(t.TempDir(), "a.db")
	ok(t, "import", "--db", db, surveyFile(t))
	exported := filepath.Join(t.TempDir(), "a.sav")
	ok(t, "export", "--db", db, exported)
	out := filepath.Join(t.TempDir(), "page.html")
	ok(t, "inspect", exported, "--html", out)
	page, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"by the codebook inside it", "5 rows", `<span class="as">multi</span>`, "60.0 %"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page", want)
		}
	}
	if strings.Contains(string(page), "Check these first") {
		t.Error("nothing was guessed, but there is something to check")
	}
}
