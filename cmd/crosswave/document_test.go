package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience/estimate"
)

// The table of one row with all that it says, as a document; names are whatever the survey has.
func toldDocument(t *testing.T) *document {
	t.Helper()
	x := told(t, estimate.Options{Level: 95, Compare: []estimate.Compare{estimate.Columns, estimate.Rest},
		LowBase: estimate.LowBase{Caution: 1200}})
	differ(x, 1, 2, 8, 0.01, true, true)
	x.rows[1].Name, x.columns[1].Name = "R&D | *new*", "<script>alert(1)</script>\nx"
	c := &x.cells[1][2]
	c.Row.Sample, c.Column.Sample = 30, 30 // its index is 200
	x.cells[1][1].Statistics.Rest = &estimate.Difference{Difference: 5, AdjustedP: 0.01, Sound: true}
	return newTable(x, 0, 80, true).document()
}

func TestMarkdown(t *testing.T) {
	alone(t)
	d := toldDocument(t)
	d.notes = d.notes[:1]
	want := `core: 6 respondents stand for 3.0 people

|  |  | Total | \<script\>alert(1)\</script\> x (A) | Second (B) | Drittes 日本 (C) |
| --- | --- | ---: | ---: | ---: | ---: |
| **Total** | size | 3.0 | 1.5 | 1.5 | 1.5 |
|  | sample | 6 | 3 | 3 | 3 |
|  | effective | 1,235 | 1,235 | 1,235 | 1,235 |
|  | column % | 100.0 | 100.0 | 100.0 | 100.0 |
|  | row % | 100.0 | 50.0 | 50.0 | 50.0 |
|  | index | 100.0 | 100.0 | 100.0 | 100.0 |
| **R\&D \| \*new\*** | size | 1.5 | 1.5 | 1.5 | 1.5 |
|  | sample | 3 | 3 | 3 | 3 |
|  | column % | 50.0 | 100.0 ▲ | 100.0 | 100.0 |
|  | interval | 36.2–44.5 | 36.2–44.5 | 36.2–44.5 | 36.2–44.5 |
|  | above |  | B |  |  |
|  | row % | 100.0 | 100.0 | 100.0 | 100.0 |
|  | index | 100.0 | 200.0 | 200.0 | 200.0 |

Covers core, both waves w1, w2, both locations.
`
	if diff := cmp.Diff(want, d.markdown()); diff != "" {
		t.Error(diff)
	}
}

// The page has the table's figures, and what names hold is text on it. Shades are those of indices that have enough
// respondents.
func TestHTML(t *testing.T) {
	alone(t)
	var b strings.Builder
	if err := toldDocument(t).html(&b); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	for _, want := range []string{
		"<title>core: 6 respondents stand for 3.0 people</title>",
		`<thead><tr><th scope="col" class="text"></th><th scope="col" class="text"></th><th scope="col">Total</th>` +
			`<th scope="col">&lt;script&gt;alert(1)&lt;/script&gt; x (A)</th><th scope="col">Second (B)</th>` +
			`<th scope="col">Drittes 日本 (C)</th></tr></thead>`,
		`<tr class="begins"><th scope="row" class="text" rowspan="7">R&amp;D | *new*</th><td class="text">size</td>` +
			`<td>1.5</td><td>1.5</td><td>1.5</td><td>1.5</td></tr>`,
		`<td class="text">column %</td><td>50.0</td><td>100.0<span class="marks">▲</span></td><td>100.0</td>`,
		`<td class="text">index</td><td>100.0</td><td>200.0</td><td class="over4">200.0</td><td>200.0</td></tr>`,
		"<p>Shaded: an index of 110",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no\n%s\nin\n%s", want, page)
		}
	}
	if strings.Contains(page, "<script") || strings.Contains(page, "ZgotmplZ") {
		t.Error("a name became markup")
	}
}

const (
	lateCSV = `id,wave,place,w,q,late
1,1,north,2,a,x
2,1,south,1,b,
3,2,north,1,a,x
4,2,north,3,b,y
5,2,south,4,b,
`
	lateCodebook = `{"name": "Late", "namespaces": [{"code": "core", "weight": {"column": "w"}}],
 "respondent": {"column": "id"},
 "wave": {"column": "wave", "values": [{"value": "1", "code": "w1"}, {"value": "2", "code": "w2"}]},
 "location": {"column": "place", "values": [{"value": "north", "code": "n"}, {"value": "south", "code": "s"}]},
 "questions": [
  {"code": "q", "name": "Always", "type": "single", "column": "q", "datapoints": [{"code": "a"}, {"code": "b"}]},
  {"code": "late", "name": "In the north, later", "type": "single", "column": "late", "asked": [{"wave": "w2", "location": "n"}],
   "datapoints": [{"code": "x"}, {"code": "y"}]}]}`
)

// Questions are listed with where they were asked and how their answers went: of q=a, people of weight 2 of 3 in the
// first wave, 1 of 8 in the second; late was asked of 4 people in the north then, of whom 1 said x.
func TestInspectTellsTrends(t *testing.T) {
	alone(t)
	folder := t.TempDir()
	db, data, codebook := filepath.Join(folder, "s.db"), filepath.Join(folder, "s.csv"), filepath.Join(folder, "s.json")
	for file, text := range map[string]string{data: strings.ReplaceAll(lateCSV, "1,1,north,2,a,x", "1,1,north,2,a,"),
		codebook: lateCodebook} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	ok(t, "import", "--db", db, "--codebook", codebook, data)
	_, got, _ := strings.Cut(ok(t, "inspect", "--db", db, "--questions"), "\n\nQUESTION")
	got, _, _ = strings.Cut(got, "\n\n")
	want := `   DATAPOINTS  SUFFIXES  ASKED IN  WAVES  LATEST  NAME
core.q     2           0         4 of 4    ██             Always
  a                              4         █▂     12.5 %
  b                              4         ▄█     87.5 %
core.late  2           0         1 of 4    ·▄             In the north, later
  x                              1         ·█     25.0 %
  y                              1         ·█     75.0 %`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	_, got, _ = strings.Cut(ok(t, "inspect", "--db", db), "\n\nQUESTION")
	got, _, _ = strings.Cut(got, "\n\n")
	want = `   DATAPOINTS  SUFFIXES  ASKED IN  WAVES  NAME
core.q     2           0         4 of 4    ██     Always
core.late  2           0         1 of 4    ·▄     In the north, later`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// What --format markdown and html tell is what the table does, of profiles and summaries, too.
func TestFormatsForPeople(t *testing.T) {
	alone(t)
	db := store(t)
	for _, args := range [][]string{
		{"crosstab", "--db", db, "--rows", "gender", "--columns", "q4"},
		{"profile", "--db", db, "--audience", "gender:gender_1", "--limit", "3"},
		{"profile", "--db", db, "--audience", "gender:gender_1", "--limit", "0"},
	} {
		table := strings.Fields(ok(t, args...))
		for _, format := range []string{"markdown", "html"} {
			got := ok(t, append(args, "--format", format)...)
			for _, word := range table {
				if strings.Trim(word, "0123456789.,") == "" && !strings.Contains(got, strings.TrimRight(word, ".,")) {
					t.Errorf("%s as %s has no %s", strings.Join(args[3:], " "), format, word)
				}
			}
		}
	}
}
