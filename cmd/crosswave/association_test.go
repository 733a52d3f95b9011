package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience/estimate"
)

// Associations for reading: of two questions, of one that was asked in a part of the fieldwork, where there is no test,
// and of what was never asked together.
func TestAssociationText(t *testing.T) {
	alone(t)
	db := small(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"sex", "views:price"}, `Sex × Views: Price matters
5 respondents answered both, effectively 5.
Cramér's V 0.7638: it is 0 where one answer says nothing about the other, and 1
where it says all.
F 1.21 with 2.799 and 2.799 degrees of freedom, p 0.4421: that may be chance.
`},
		{[]string{"Late", "sex"}, `Late × Sex
2 respondents answered both, effectively 2.
Cramér's V 1: it is 0 where one answer says nothing about the other, and 1 where
it says all.
There is no test: too few respondents or pairs of answers, or nothing that can
vary.
Both were asked in w2 · de.
`},
		{[]string{"late", "sex", "--base", "sex:f"}, `Late × Sex
1 respondent answered both, effectively 1.
Fewer than two answers to one of the questions occur: there is nothing to
compare.
Both were asked in w2 · de.
`},
		{[]string{"late", "sex", "--waves", "w1"}, `Late × Sex
– not measured: these were never asked together
`},
	} {
		if d := cmp.Diff(c.want, ok(t, append([]string{"association", "--db", db}, c.args...)...)); d != "" {
			t.Errorf("%v:\n%s", c.args, d)
		}
	}
}

// csv and json have the same figures, those of the server.
func TestAssociationFormats(t *testing.T) {
	alone(t)
	db := small(t)
	args := []string{"association", "sex", "views:price", "--db", db, "--format"}
	lines, err := csv.NewReader(strings.NewReader(ok(t, append(args, "csv")...))).ReadAll()
	if err != nil || len(lines) != 2 {
		t.Fatal(err, lines)
	}
	var reply struct {
		Data struct {
			F, DF, P       float64
			DFDenominator  float64 `json:"df_denominator"`
			CramersV       float64 `json:"cramers_v"`
			Sample         int64
			EffectiveSized float64 `json:"effective_sample"`
			Coverage       struct {
				Namespace        string
				Waves, Locations []string
				Complete         bool
			}
		}
	}
	if err := json.Unmarshal([]byte(ok(t, append(args, "json")...)), &reply); err != nil {
		t.Fatal(err)
	}
	d := reply.Data
	want := map[string]string{"rows_question": "sex", "rows_datapoint": "", "columns_question": "views",
		"columns_datapoint": "price", "sample": fmt.Sprint(d.Sample), "effective_sample": estimate.Text(d.EffectiveSized),
		"cramers_v": estimate.Text(d.CramersV), "f": estimate.Text(d.F), "df": estimate.Text(d.DF),
		"df_denominator": estimate.Text(d.DFDenominator), "p": estimate.Text(d.P), "namespace": d.Coverage.Namespace,
		"waves": strings.Join(d.Coverage.Waves, ";"), "locations": strings.Join(d.Coverage.Locations, ";"),
		"complete": fmt.Sprint(d.Coverage.Complete)}
	got := map[string]string{}
	for i, name := range lines[0] {
		got[name] = lines[1][i]
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d.Sample == 0 || d.DFDenominator == 0 {
		t.Errorf("nothing was found: %+v", d)
	}
}

// What can't be associated is told in the words of the command line.
func TestAssociationRefused(t *testing.T) {
	alone(t)
	db := small(t)
	for _, c := range []struct{ rows, columns, says string }{
		{"sax", "late", `sax: there is no question "sax": did you mean sex?`},
		{"sex", "views", `question "views" is a grid: name the one datapoint whose suffixes are the answers, as in ` +
			`QUESTION:DATAPOINT`},
		{"views:price/5", "sex", "views:price/5: all suffixes of a datapoint count: leave some out by --base"},
		{"sex:f", "late", `question "sex" is no grid, all of its answers count: leave some out by the base audience`},
		{"waves", "late", `"waves" is no question of the survey`},
		{"W=sex", "late", "W=sex: a question is needed here, without a name of its own before it"},
	} {
		code, out, errs := run(t, "", "association", "--db", db, c.rows, c.columns)
		if code != 2 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%s × %s: exit %d, %s%s", c.rows, c.columns, code, out, errs)
		}
	}
	code, _, errs := run(t, "", "association", "--db", db, "sex", "late", "--base",
		`{"question": "sex", "datapoints": ["x"]}`)
	if code != 2 || !strings.Contains(errs, "x") {
		t.Errorf("exit %d: %s", code, errs)
	}
}
