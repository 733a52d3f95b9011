package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"
)

// export is a survey as a tool writes it: without a codebook.
const surveyCSV = `respondent_id;wave;country;weight;Q1;Q2[tea];Q2[coffee];Q3_1;Q3_2;age
1;2023 Q4;DE;0,875;yes;Y;;1;5;20
2;2023 Q4;FR;1,125;no;;Y;2;4;31
3;2024 Q1;DE;1,500;yes;Y;Y;3;3;42
4;2024 Q1;FR;0,500;no;;;4;2;53
5;2024 Q1;FR;1,000;yes;Y;;5;1;64
`

func surveyFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "survey.csv")
	if err := os.WriteFile(path, []byte(surveyCSV), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// inspect shows how a file is read and writes the codebook; edited and given back, it is what import goes by.
func TestInspectAndImportAFile(t *testing.T) {
	alone(t)
	path := surveyFile(t)
	out := ok(t, "inspect", path)
	for _, want := range []string{"CSV, 5 respondents, 10 columns", "weight         weight",
		"Q2[tea]        multi       Q2", "Q3_1           grid        Q3", "its name says so"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	codebook := filepath.Join(t.TempDir(), "cb.json")
	ok(t, "inspect", path, "--codebook", codebook)
	if code, _, errs := run(t, "", "inspect", path, "--codebook", codebook); code != 2 ||
		!strings.Contains(errs, "--force") {
		t.Error(code, errs)
	}
	text, err := os.ReadFile(codebook)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(codebook, bytes.Replace(text, []byte(`"name": "tea"`), []byte(`"name": "Darjeeling"`), 1),
		0o644); err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "a.db")
	report := ok(t, "import", "--db", db, "--codebook", codebook, path)
	if !strings.Contains(report, "5 respondents taken in") || !strings.Contains(report, "decimal comma") ||
		strings.Contains(report, "read as the weight") {
		t.Error(report)
	}
	if table := ok(t, "crosstab", "--db", db, "--rows", "Q2", "--format", "csv"); !strings.Contains(table, "Darjeeling") {
		t.Error(table)
	}
	guessed := ok(t, "import", "--db", filepath.Join(t.TempDir(), "b.db"), path)
	for _, want := range []string{"column weight: read as the weight", "column wave: read as the wave",
		"column country: read as the location"} {
		if !strings.Contains(guessed, want) {
			t.Errorf("the report does not say %q:\n%s", want, guessed)
		}
	}
	if asJSON := ok(t, "import", "--json", "--db", filepath.Join(t.TempDir(), "c.db"), "--weight=-", "--wave=-",
		path); !strings.Contains(asJSON, `"every respondent weighs 1: no column is the weight"`) {
		t.Error(asJSON)
	}
}

func TestFileFlags(t *testing.T) {
	alone(t)
	path := surveyFile(t)
	db := filepath.Join(t.TempDir(), "a.db")
	codebook := filepath.Join(t.TempDir(), "cb.json")
	ok(t, "inspect", path, "--codebook", codebook)
	for _, c := range []struct {
		name string
		args []string
		code int
		says string
	}{
		{"neither a file nor a store", []string{"inspect"}, 2, "--db"},
		{"both", []string{"inspect", "--db", db, path}, 2, "a store with --db, or a survey file"},
		{"no such wave column", []string{"inspect", path, "--wave", "vawe"}, 2, `--wave: there is no column "vawe"`},
		{"a weight that is none", []string{"import", "--db", db, path, "--weight", "Q1"}, 2,
			"--weight: column \"Q1\" holds other things than numbers"},
		{"waves by no period", []string{"import", "--db", db, path, "--wave-by", "day"}, 2, `--wave-by: "day" is no period`},
		{"waves by dates that are none", []string{"import", "--db", db, path, "--wave", "Q1", "--wave-by", "month"}, 1,
			`row 2, column "Q1": the value`},
		{"an order of no dates", []string{"inspect", path, "--dates", "day-first"}, 2, "--dates: no column of dates"},
		{"a codebook and dates", []string{"import", "--db", db, path, "--codebook", codebook, "--wave-by", "month"}, 2,
			"files without one"},
		{"a grid of nothing", []string{"import", "--db", db, path, "--grid", "g=z*"}, 2, "--grid: no column is called z*"},
		{"a codebook and guesses", []string{"import", "--db", db, path, "--codebook", codebook, "--wave", "wave"}, 2,
			"files without one"},
		{"no such file", []string{"serve", path + "x"}, 1, "no such file"},
		{"nothing to serve", []string{"serve"}, 2, "--db"},
		{"no survey", []string{"serve", codebook}, 1, "it is JSON"},
		{"an unknown encoding", []string{"inspect", path, "--encoding", "klingon"}, 1, `the encoding "klingon" is not known`},
		{"a header that may be there", []string{"inspect", path, "--header", "maybe"}, 2, `--header "maybe": yes or no`},
		{"an unknown format", []string{"export", "--db", db, "out.doc"}, 1, "there is no store"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errs := run(t, "", c.args...)
			if code != c.code || !strings.Contains(errs, c.says) {
				t.Errorf("exit %d, want %d\n%s%s", code, c.code, out, errs)
			}
		})
	}
	if list, _ := filepath.Glob(filepath.Join(filepath.Dir(codebook), "*.db")); len(list) > 0 {
		t.Errorf("%q is left of a file that is no survey", list)
	}
}

// A store that is exported and imported again gives the same figures, whatever the format.
func TestExportAndImport(t *testing.T) {
	alone(t)
	db := store(t)
	args := []string{"--rows", "q2", "--columns", "q5", "--format", "ndjson"}
	want := ok(t, append([]string{"crosstab", "--db", db}, args...)...)
	for _, name := range []string{"a.sav", "a.zsav", "b.sss", "c.csv"} {
		path := filepath.Join(t.TempDir(), name)
		if out := ok(t, "export", "--db", db, path); !strings.HasPrefix(out, "8,255 respondents exported to\n") ||
			!strings.Contains(out, path) {
			t.Error(out)
		}
		if code, _, errs := run(t, "", "export", "--db", db, path); code != 1 || !strings.Contains(errs, "is there already") {
			t.Error(code, errs)
		}
		again := filepath.Join(t.TempDir(), "again.db")
		report := ok(t, "import", "--strict", "--db", again, path)
		if !strings.Contains(report, "the file was read by") {
			t.Error(report)
		}
		if got := ok(t, append([]string{"crosstab", "--db", again}, args...)...); got != want {
			t.Errorf("%s: the figures are others", name)
		}
	}
}

// serve FILE imports on first use, makes a key and shows a request that works; the second time it serves what is there.
func TestServeAFile(t *testing.T) {
	path := surveyFile(t)
	first := serveFile(t, path)
	for _, want := range []string{"5 rows read, 5 respondents taken in", "column weight: read as the weight",
		"a key with full access was made"} {
		if !strings.Contains(first.said, want) {
			t.Errorf("it does not say %q:\n%s", want, first.said)
		}
	}
	link := strings.Index(first.said, "explore it at http://")
	if link < 0 || link > strings.Index(first.said, "serving ") {
		t.Errorf("it does not begin with the link to the explorer:\n%s", first.said)
	}
	if !strings.Contains(first.answer, `"sample":`) {
		t.Errorf("the request that is shown is answered with %s", first.answer)
	}
	second := serveFile(t, path)
	if strings.Contains(second.said, "rows read") || strings.Contains(second.said, "a key") {
		t.Error(second.said)
	}
	if _, err := os.Stat(path + ".db"); err != nil {
		t.Error(err)
	}
	if code, _, errs := run(t, "", "serve", path, "--wave", "Q1"); code != 2 ||
		!strings.Contains(errs, "can be changed no more") {
		t.Error(code, errs)
	}
}

// serve FILE tells what it does with a store that is there: what the file is known by is its contents, and not its
// time.
func TestServeAFileSaysWhatItServes(t *testing.T) {
	alone(t)
	path := surveyFile(t)
	db, other := path+".db", filepath.Join(t.TempDir(), "other.db")
	says := func(want string, args ...string) {
		t.Helper()
		if s := serveFile(t, args...); !strings.Contains(s.said, want) || strings.Contains(s.said, "rows read") {
			t.Errorf("serve %q does not say %q:\n%s", args, want, s.said)
		}
	}
	if s := serveFile(t, path); !strings.Contains(s.said, "importing "+path+" into "+db) {
		t.Error(s.said)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	says(path+" was imported into "+db+" before: that is served", path)
	says(path+" was imported into "+db+" before: that is served", path, "--read-only")
	old := time.Now().Add(-24 * time.Hour)
	if err := os.WriteFile(path, []byte(strings.Replace(surveyCSV, "yes", "no", 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	says(path+" is not what was imported into "+db+", or has changed since", path)
	if s := serveFile(t, path, "--db", other); !strings.Contains(s.said, "importing "+path+" into "+other) {
		t.Error(s.said)
	}
	says(path+" was imported into "+other+" before: that is served", path, "--db", other)
	says("serving "+db, db, "--db", db)
	says("serving "+db, db)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{db, "--db", other}, "is a store, and so is --db " + other},
		{[]string{path, "--db", other + "x", "--read-only"}, "--read-only keeps " + path},
		{[]string{path, "--db", other, "--wave", "Q1"}, "can be changed no more"},
	} {
		if code, _, errs := run(t, "", append([]string{"serve"}, c.args...)...); code != 2 ||
			!strings.Contains(errs, c.says) {
			t.Errorf("serve %q: exit %d, %s", c.args, code, errs)
		}
	}
}

// What only reads works with --read-only and changes nothing, and what would write is told why it can't.
func TestReadOnly(t *testing.T) {
	db := filepath.Join(t.TempDir(), "a.db")
	ok(t, "import", "--db", db, surveyFile(t))
	ok(t, "key", "create", "--db", db)
	body := filepath.Join(t.TempDir(), "body.json")
	if err := os.WriteFile(body, []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(db)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"inspect"}, {"crosstab", "--rows", "Q2"}, {"key", "list"},
		{"query", "/v2/waves/filter", body}, {"export", filepath.Join(t.TempDir(), "a.csv")}} {
		ok(t, append(args, "--db", db, "--read-only")...)
	}
	if s := serveFile(t, "--db", db, "--read-only"); !strings.Contains(s.said, "serving "+db) {
		t.Error(s.said)
	}
	code, out, errs := run(t, `{"name": "x", "expression": {"question": "Q1"}}`, "query", "--db", db, "--read-only",
		"/v2/saved/audiences", "-")
	if code != 1 || !strings.Contains(out, `"type":"forbidden"`) || !strings.Contains(out, "for reading only") {
		t.Error(code, out, errs)
	}
	if after, err := os.ReadFile(db); err != nil || !bytes.Equal(before, after) {
		t.Error("the store has changed", err)
	}
}

// serve FILE works on every kind of file, as tools write it: without a codebook of ours but for Parquet, which has one
// beside it.
func TestServeEveryKindOfFile(t *testing.T) {
	alone(t)
	db := filepath.Join(t.TempDir(), "a.db")
	ok(t, "import", "--db", db, surveyFile(t))
	for _, name := range []string{"survey.sav", "survey.zsav", "survey.sss", "survey.csv", "survey.parquet"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			switch filepath.Ext(name) {
			case ".parquet":
				writeParquet(t, path, surveyCSV)
				ok(t, "inspect", surveyFile(t), "--codebook", path+".codebook.json")
			case ".csv":
				latin := strings.ReplaceAll(surveyCSV, "age", "Alter (Jahre, gezählt)")
				if err := os.WriteFile(path, []byte(strings.ReplaceAll(latin, "ä", "\xe4")), 0o644); err != nil {
					t.Fatal(err)
				}
			default:
				ok(t, "export", "--db", db, path)
				if err := os.Remove(path + ".codebook.json"); err != nil && !os.IsNotExist(err) {
					t.Fatal(err)
				}
			}
			s := serveFile(t, path)
			if !strings.Contains(s.said, "5 rows read, 5 respondents taken in") ||
				!strings.Contains(s.answer, `"intersect":{"size":2.1875,"sample":3`) {
				t.Errorf("%s\nthe request that is shown is answered with %s", s.said, s.answer)
			}
			if again := serveFile(t, path); strings.Contains(again.said, "rows read") {
				t.Error(again.said)
			}
		})
	}
}

// writeParquet writes a CSV file with semicolons and decimal commas as Parquet, whose columns are texts.
func writeParquet(t *testing.T, path, text string) {
	t.Helper()
	var table [][]string
	for line := range strings.Lines(strings.ReplaceAll(text, ",", ".")) {
		table = append(table, strings.Split(strings.TrimSpace(line), ";"))
	}
	group := parquet.Group{}
	for _, name := range table[0] {
		group[name] = parquet.String()
	}
	schema := parquet.NewSchema("survey", group)
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	w := parquet.NewWriter(file, schema)
	for _, cells := range table[1:] {
		row := make(parquet.Row, len(cells))
		for k, column := range schema.Columns() {
			row[k] = parquet.ValueOf(cells[slices.Index(table[0], column[0])]).Level(0, 0, k)
		}
		if _, err := w.WriteRows([]parquet.Row{row}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// served is what serve said, and the answer to the request it showed.
type served struct{ said, answer string }

func serveFile(t *testing.T, args ...string) served {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	lines := make(chan string, 64)
	done := make(chan int, 1)
	go func() {
		done <- Main{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: sink(lines)}.Run(ctx,
			append([]string{"serve", "--addr", "127.0.0.1:0"}, args...))
	}()
	var s served
	listening := regexp.MustCompile(`serving .* on (http://\S+)`)
	request := regexp.MustCompile(`(?s)curl -s (http://\S+) -H 'Authorization: (\S+)' \\\n    -d '(.*?)'\n`)
	for deadline := time.After(2 * time.Minute); ; {
		select {
		case line := <-lines:
			s.said += line
		case code := <-done:
			t.Fatal("serve ended with ", code, s.said)
		case <-deadline:
			t.Fatal("serve says only ", s.said)
		}
		if !listening.MatchString(s.said) {
			continue
		}
		if !strings.Contains(s.said, "rows read") {
			break
		}
		if m := request.FindStringSubmatch(s.said); m != nil {
			r, err := http.NewRequest("POST", m[1], strings.NewReader(m[3]))
			if err != nil {
				t.Fatal(err)
			}
			r.Header.Set("Authorization", m[2])
			w, err := http.DefaultClient.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(w.Body)
			w.Body.Close()
			if err != nil {
				t.Fatal(err)
			}
			s.answer = string(body)
			break
		}
	}
	stop()
	select {
	case code := <-done:
		if code != 0 {
			t.Error("exit", code)
		}
	case <-time.After(2 * time.Minute):
		t.Error("the server does not end")
	}
	return s
}

// A store that nothing was imported into, as a failed import leaves one, is no survey to export, whatever the format.
func TestExportOfNothing(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	db, broken := filepath.Join(dir, "a.db"), filepath.Join(dir, "broken.csv")
	if err := os.WriteFile(broken, []byte("id,weight,q\n1,1,a\n2,-1,b\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := run(t, "", "import", "--db", db, "--weight", "weight", broken); code != 1 ||
		!strings.Contains(errs, "row 3") {
		t.Fatal(code, errs)
	}
	for _, name := range []string{"a.sav", "a.zsav", "a.sss", "a.csv"} {
		if code, _, errs := run(t, "", "export", "--db", db, filepath.Join(dir, name)); code != 1 ||
			!strings.Contains(errs, "nothing has been imported yet") {
			t.Error(name, code, errs)
		}
	}
}

// An exported .sav has its codebook inside. One that was written beside it to be edited is used where it is named, and
// what inspect and the report tell is so.
func TestCodebookBesideOneInside(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	db, sav := filepath.Join(dir, "a.db"), filepath.Join(dir, "a.sav")
	ok(t, "import", "--db", db, surveyFile(t))
	ok(t, "export", "--db", db, sav)
	beside := sav + ".codebook.json"
	if out := ok(t, "inspect", sav, "--codebook", beside); strings.Contains(out, "without being asked for") ||
		!strings.Contains(out, "the one inside the file is used") {
		t.Error(out)
	}
	if report := ok(t, "import", "--db", filepath.Join(dir, "b.db"), sav); !strings.Contains(report,
		"not by a.sav.codebook.json beside it") {
		t.Error(report)
	}
	if report := ok(t, "import", "--db", filepath.Join(dir, "c.db"), "--codebook", beside, sav); strings.Contains(
		report, "inside") {
		t.Error(report)
	}
}

// Dates are put together as the flags say, the codebook that is written says so too, and the store has its waves.
func TestWavesByDates(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	path, codebook, db := filepath.Join(dir, "dated.csv"), filepath.Join(dir, "cb.json"), filepath.Join(dir, "a.db")
	if err := os.WriteFile(path, []byte("done,q\n12/30/2024,x\n1/5/2025,y\n1/6/2025,y\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	ok(t, "inspect", path, "--wave", "done", "--wave-by", "week", "--codebook", codebook)
	text, err := os.ReadFile(codebook)
	if err != nil || !strings.Contains(string(text), `"by": "week"`) || !strings.Contains(string(text),
		`"dates": "month-first"`) {
		t.Errorf("%s %v", text, err)
	}
	report := ok(t, "import", "--db", db, "--codebook", codebook, path)
	guessed := ok(t, "import", "--db", filepath.Join(dir, "b.db"), "--wave-by", "week", path)
	for _, line := range []string{"2025-W01            2", "2025-W02            1"} {
		if !strings.Contains(report, line) || !strings.Contains(guessed, line) {
			t.Errorf("no %q in\n%s\n%s", line, report, guessed)
		}
	}
	if table := ok(t, "crosstab", "--db", db, "--rows", "waves", "--columns", "q", "--format", "csv"); !strings.Contains(
		table, "Week 1 of 2025") {
		t.Error(table)
	}
}
