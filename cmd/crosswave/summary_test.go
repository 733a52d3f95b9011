package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience/estimate"
)

// visits is a store of eight respondents who go to two places.
func visits(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{"visits.csv": `id,wave,land,w,sex,shop,park
1,w1,uk,1,f,1,2
2,w1,uk,1,m,1,1
3,w1,uk,2,f,2,
4,w1,uk,2,m,1,1
5,w2,uk,1,f,2,2
6,w2,uk,3,m,2,1
7,w2,uk,1,f,2,
8,w2,uk,1,m,1,2
`, "codebook.json": `{
 "namespaces": [{"code": "core", "weight": {"column": "w"}}],
 "respondent": {"column": "id"},
 "wave": {"column": "wave", "values": [{"value": "w1", "code": "w1", "name": "Spring"}, {"value": "w2", "code": "w2"}]},
 "location": {"column": "land", "values": [{"value": "uk", "code": "uk"}]},
 "questions": [
  {"code": "sex", "name": "Sex", "type": "single", "column": "sex", "datapoints": [{"code": "f", "name": "Women"}, {"code": "m", "name": "Men"}]},
  {"code": "visits", "name": "Visits", "type": "grid", "unit": "a week",
   "suffixes": [{"code": "1", "midpoint": 0.5}, {"code": "2", "midpoint": 2}],
   "datapoints": [{"code": "shop", "name": "To a shop", "column": "shop"}, {"code": "park", "column": "park"}]}]}`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	db := filepath.Join(dir, "visits.db")
	ok(t, "import", "--db", db, "--codebook", filepath.Join(dir, "codebook.json"), filepath.Join(dir, "visits.csv"))
	return db
}

// A summary is a line for each segment and audience, and below it what its marks mean. Of the women in spring one in
// three goes to a shop half a time a week, and two go twice: 4.5/3.
func TestSummaryTable(t *testing.T) {
	alone(t)
	db := visits(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"visits:shop", "--by", "waves", "--audience", "sex:f", "--audience", "Both=sex:f,m", "--quantiles", "50"}, `
visits, Visits: To a shop, in a week

waves   audience  sample  size    mean       sd  min  median  max
Spring  Women          2   3.0  1.5000   1.0000  0.5       2    2
Spring  Both           4   6.0  1.0000  0.81650  0.5     0.5    2
w2      Women          2   2.0  2.0000        0    2       2    2
w2      Both           4   6.0  1.7500  0.64550  0.5       2    2
`},
		{[]string{"visits:shop", "--base", "sex:m", "--by", "sex", "--quantiles", "2.5", "--waves", "w1"}, `
visits, Visits: To a shop, in a week; base: Sex: Men

sex    sample  size     mean  sd  min  2.5 %  max
Women       0   0.0        –   –    –      –    –
Men         2   3.0  0.50000   0  0.5    0.5  0.5
`},
		{[]string{"visits:park", "--stats", "--by", "sex", "--quantiles", "50", "--level", "80", "--compare", "rest,segments"}, `
visits, Visits: park, in a week

sex       sample  size     mean             interval       sd  min  median  max  above
Women  A       2   1.0   2.0000  ▲   2.0000 – 2.0000        0    2       2    2      B
Men    B       4   3.5  0.71429  ▼  0.26469 – 1.1639  0.60609  0.5     0.5    2

Letters: the mean is significantly above that of the lines they name, at 80 %.
▲▼ the mean is significantly above or below that of the rest of the base, at 80
%.
Test: two-sided design-based t-test on means (linearised variance; each wave in
a location is a sample of its own); not corrected for the number of tests.
interval: that of the mean, at 80 %.
`},
	} {
		got := ok(t, append([]string{"summary", "--db", db}, c.args...)...)
		if d := cmp.Diff(strings.Split(c.want[1:], "\n"), strings.Split(got, "\n")); d != "" {
			t.Errorf("%v:\n%s", c.args, d)
		}
	}
}

// The other formats have the same figures: those of the server.
func TestSummaryFormats(t *testing.T) {
	alone(t)
	db := visits(t)
	args := []string{"summary", "--db", db, "visits:shop/2,1", "--by", "waves:w2", "--stats", "--compare", "rest",
		"--quantiles", "0,50"}
	var answer struct {
		Meta struct{ Type, Unit string }
		Data []struct {
			Segment string
			Metrics struct {
				Sample    int64
				Mean      float64
				Quantiles map[string]float64
			}
			Statistics struct {
				Mean struct {
					Low float64 `json:"low"`
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(ok(t, append(args, "--format", "json")...)), &answer); err != nil {
		t.Fatal(err)
	}
	lines, err := csv.NewReader(strings.NewReader(ok(t, append(args, "--format", "csv")...))).ReadAll()
	if err != nil || len(lines) != 2 || len(answer.Data) != 1 {
		t.Fatalf("%v: %v, %v", err, lines, answer)
	}
	fields := map[string]string{}
	for i, name := range lines[0] {
		fields[name] = lines[1][i]
	}
	e := answer.Data[0]
	for field, want := range map[string]string{"unit": answer.Meta.Unit, "segment": e.Segment, "sample": "4",
		"mean": number(e.Metrics.Mean), "quantile_0": number(e.Metrics.Quantiles["0"]), "quantile_50": "2",
		"mean_low": estimate.Text(e.Statistics.Mean.Low), "rest_p": "", "segment_name": "w2"} {
		if fields[field] != want {
			t.Errorf("%s is %q, want %q", field, fields[field], want)
		}
	}
	if e.Metrics.Mean != 1.75 || answer.Meta.Type != "SUMMARY" || e.Metrics.Sample != 4 {
		t.Errorf("%+v", answer)
	}
}

// What is asked wrongly is told in the words of the command line.
func TestSummaryRefused(t *testing.T) {
	alone(t)
	db := visits(t)
	for _, c := range []struct{ args, says string }{
		{"visits", "as in QUESTION:DATAPOINT"},
		{"sex", "has no numbers"},
		{"nothing", `there is no question "nothing"`},
		{"N=visits:shop", "without a name of its own"},
		{`{"question":"sex"}`, "not an expression"},
		{"visits:shop --by visits:shop/1", "have no suffixes"},
		{"visits:shop --by mood", `--by mood: there is no question "mood"`},
		{"visits:shop --audience sex:x", "--audience sex:x"},
		{"visits:shop --quantiles 50,200", "--quantiles: a quantile is in percent"},
		{"visits:shop --level 90", "say how --stats tells"},
		{"visits:shop --stats --level 40", "--level 40 %"},
		{"visits:shop --stats --compare columns", "--compare: "},
		{"visits:shop --base sex", "--base sex"},
		{"visits:shop --waves w9", "--waves"},
	} {
		code, out, errs := run(t, "", append([]string{"summary", "--db", db}, strings.Fields(c.args)...)...)
		if code != 2 || !strings.Contains(errs, c.says) || out != "" {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, out, errs)
		}
	}
}
