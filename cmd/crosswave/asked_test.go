package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMain: tables are as wide as they are without a terminal, whatever the terminal of who runs the tests. Processes
// that are to be the program are that.
func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	os.Unsetenv("COLUMNS")
	os.Exit(m.Run())
}

// small is a survey to add up by hand: two waves, two locations, a grid, and a question that was asked in w2 only, in
// Germany alone. Everybody stands for one.
func small(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"small.csv": `id,wave,land,w,sex,g1,g2,late
1,w1,uk,1,f,5,1,
2,w1,uk,1,m,4,2,
3,w1,de,1,f,1,1,
4,w2,uk,1,m,5,4,
5,w2,de,1,f,2,5,y
6,w2,de,1,m,,,n
`, "codebook.json": `{
 "namespaces": [{"code": "core", "weight": {"column": "w"}}, {"code": "other", "weight": {"column": "w"}}],
 "respondent": {"column": "id"},
 "wave": {"column": "wave", "values": [{"value": "w1", "code": "w1", "name": "Spring"}, {"value": "w2", "code": "w2"}]},
 "location": {"column": "land", "values": [{"value": "uk", "code": "uk"}, {"value": "de", "code": "de", "name": "ドイツ"}]},
 "questions": [
  {"code": "sex", "type": "single", "name": "Sex", "column": "sex", "datapoints": [
   {"code": "f", "name": "Women", "value": "f"}, {"code": "m", "name": "Men", "value": "m"}]},
  {"code": "views", "type": "grid", "name": "Views", "datapoints": [
    {"code": "price", "name": "Price matters", "column": "g1"}, {"code": "brand", "name": "Brand matters", "column": "g2"}],
   "suffixes": [{"code": 1, "name": "No", "value": "1"}, {"code": 2, "name": "Hardly", "value": "2"},
    {"code": 4, "name": "Rather", "value": "4"}, {"code": 5, "name": "Yes", "value": "5"}]},
  {"code": "odd", "namespace": "other", "type": "single", "column": "sex", "datapoints": [{"code": "f"}, {"code": "m"}]},
  {"code": "late", "type": "single", "name": "Late", "column": "late", "datapoints": [
   {"code": "y", "value": "y"}, {"code": "n", "value": "n"}]}]
}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(dir, "small.db")
	ok(t, "import", "--db", db, "--codebook", filepath.Join(dir, "codebook.json"), filepath.Join(dir, "small.csv"))
	return db
}

// A grid is its statements by its scale, and --base answered is those who answered the question of the rows: five of
// six.
func TestCrosstabOfAGrid(t *testing.T) {
	alone(t)
	out := ok(t, "crosstab", "--db", small(t), "--rows", "views", "--base", "answered", "--format", "csv")
	var got []string
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSpace(line), ",")
		got = append(got, strings.Join([]string{f[1], f[2], f[7], f[13], f[15]}, " | "))
	}
	want := []string{
		"row | row_name | base_sample | sample | column_percentage",
		" | Total | 5 | 5 | 100",
		"price/1 | Price matters: No | 5 | 1 | 20",
		"price/2 | Price matters: Hardly | 5 | 1 | 20",
		"price/4 | Price matters: Rather | 5 | 1 | 20",
		"price/5 | Price matters: Yes | 5 | 2 | 40",
		"brand/1 | Brand matters: No | 5 | 2 | 40",
		"brand/2 | Brand matters: Hardly | 5 | 1 | 20",
		"brand/4 | Brand matters: Rather | 5 | 1 | 20",
		"brand/5 | Brand matters: Yes | 5 | 1 | 20",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// A net over a grid is one of each statement. The base is told, and columns of wide characters stand where they should.
func TestCrosstabOfANet(t *testing.T) {
	alone(t)
	want := `core: 5 respondents stand for 2.5 people; base: Views: any answer

                                     Total           uk       ドイツ
────────────────────────────────────────────────────────────────────
Total                size              2.5          1.5          1.0
                     sample              5            3            2
                     column %        100.0        100.0        100.0
                     row %           100.0         60.0         40.0
                     index           100.0        100.0        100.0
────────────────────────────────────────────────────────────────────
Price matters: Agree size              1.5          1.5          0.0
                     sample              3            3            0
                     column %         60.0        100.0          0.0
                     row %           100.0        100.0          0.0
                     index           100.0        166.7          0.0
────────────────────────────────────────────────────────────────────
Brand matters: Agree size              1.0          0.5          0.5
                     sample              2            1            1
                     column %         40.0         33.3         50.0
                     row %           100.0         50.0         50.0
                     index           100.0         83.3        125.0

Covers core, both waves w1, w2, both locations.
`
	got := ok(t, "crosstab", "--db", small(t), "--rows", "Agree=views/5,4", "--columns", "locations", "--base", "answered")
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What was asked in a part of what is covered says so, in the table and in csv: a question of w2 in Germany. A wave
// column leaves out no other waves, and waves that are named are all that was requested.
func TestCrosstabTellsWhatItCovers(t *testing.T) {
	alone(t)
	db := small(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--rows", "late", "--columns", "sex"}, `Covers core, both waves w1, w2, both locations.
Rows "y", "n": core, wave w2, location de; left out: wave w1, location uk.
A cell covers what both its row and its column cover.
`},
		{[]string{"--rows", "sex", "--columns", "waves"}, "Covers core, both waves w1, w2, both locations.\n"},
		{[]string{"--rows", "sex", "--columns", "late", "--waves", "w2"}, `Covers core, wave w2, both locations.
Columns "y", "n": core, wave w2, location de; left out: location uk.
A cell covers what both its row and its column cover.
`},
		{[]string{"--rows", "late", "--waves", "spring"}, `Covers core, wave w1, both locations.
Rows "y", "n": core, nothing: it was not asked, or nobody was, in what was
  requested.
A cell covers what both its row and its column cover.
–  not measured: these were never asked together
`},
		{[]string{"--rows", "sex:f", "--base", "late:y,n"},
			"Covers core, wave w2, location de; left out: wave w1, location uk.\n"},
	} {
		out := ok(t, append([]string{"crosstab", "--db", db}, c.args...)...)
		_, last, _ := strings.Cut(out, "\nCovers ")
		if d := cmp.Diff(c.want, "Covers "+last); d != "" {
			t.Errorf("%q: %s", c.args, d)
		}
	}
	want := strings.Join(csvHeader, ",") + `
,,Total,,,Total,3,6,3,6,3,6,3,6,100,100,100,100,core,w1;w2,uk;de,true,,
,,Total,core.sex,f,Women,3,6,3,6,1.5,3,1.5,3,50,100,50,100,core,w1;w2,uk;de,true,,
core.late,y,y,,,Total,2,2,1,1,2,2,1,1,50,50,100,100,core,w2,de,false,w1,uk
core.late,y,y,core.sex,f,Women,2,2,1,1,1,1,1,1,50,100,100,200,core,w2,de,false,w1,uk
core.late,n,n,,,Total,2,2,1,1,2,2,1,1,50,50,100,100,core,w2,de,false,w1,uk
core.late,n,n,core.sex,f,Women,2,2,1,1,1,1,0,0,0,0,0,0,core,w2,de,false,w1,uk
`
	if d := cmp.Diff(want, ok(t, "crosstab", "--db", db, "--rows", "late", "--columns", "sex:f", "--format",
		"csv")); d != "" {
		t.Error(d)
	}
}

// The first row is rows[0] in every format, with totals and without.
func TestErrorsNameTheRow(t *testing.T) {
	alone(t)
	db := small(t)
	for _, format := range []string{"table", "csv", "ndjson", "json"} {
		for _, c := range []struct{ rows, want string }{
			{`{"question": "sxe"}`, `rows[0]: there is no question "sxe": did you mean sex?`},
			{`{"question": "sex", "datapoints": ["ff"]}`, `rows[0]: there is no datapoint "ff": did you mean f?`},
			{`{"question": "sex", "suffixes": [1]}`, `rows[0]: suffixes: question "sex" is no grid`},
			{`{"and": [{"question": "sex"}, {"question": "odd"}]}`, `rows[0]`},
		} {
			code, out, errs := run(t, "", "crosstab", "--db", db, "--rows", c.rows, "--columns", "sex", "--format", format)
			if code == 0 || !strings.Contains(errs+out, c.want) || strings.Contains(errs+out, "rows[1]") {
				t.Errorf("%s, %s: exit %d, %s%s", format, c.rows, code, errs, out)
			}
		}
	}
}
