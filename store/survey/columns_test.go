package survey_test

import (
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

const patterns = `{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "questions": [
	{"code": "drinks", "type": "multi", "columns": "q3_*", "value": "Yes"},
	{"code": "rate", "type": "grid", "columns": "Q5*_r", "suffixes": [{"code": "1"}, {"code": "2"}]}]}`

// A pattern of columns stands for a datapoint for each column that it matches, in the order of the table, and is
// written back as it was.
func TestColumnsByPattern(t *testing.T) {
	c, err := survey.ReadCodebook([]byte(patterns))
	if err != nil {
		t.Fatal(err)
	}
	text, err := survey.WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := survey.ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(c, back); d != "" {
		t.Error(d)
	}
	header := []string{"id", "q3_tea", "q5_2_r", "q3_milk", "q5_1_r", "q5_x", "q3"}
	whole, err := c.Expand(header, func(column string) string { return map[string]string{"q3_tea": "Tea"}[column] })
	if err != nil {
		t.Fatal(err)
	}
	want := []audience.Datapoint{{Code: "q3_tea", Name: "Tea"}, {Code: "q3_milk", Name: "q3_milk"}}
	if d := cmp.Diff(want, whole.Survey.Questions[0].Datapoints); d != "" {
		t.Error(d)
	}
	columns := []survey.AnswerColumn{{Column: "q3_tea", Value: "Yes"}, {Column: "q3_milk", Value: "Yes"}}
	if d := cmp.Diff(columns, whole.Questions[0].Datapoints); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff([]survey.AnswerColumn{{Column: "q5_2_r"}, {Column: "q5_1_r"}},
		whole.Questions[1].Datapoints); d != "" {
		t.Error(d)
	}
	if len(c.Questions[0].Datapoints) != 0 {
		t.Error("the codebook that was expanded changed")
	}
	if _, err := c.Expand([]string{"id", "q3_a"}, nil); err == nil || err.Error() !=
		"codebook: questions[1].columns: no column is called Q5*_r" {
		t.Error(err)
	}
	for old, says := range map[string]string{
		`"columns": "q3_*", "value": "Yes"`: "questions[0].datapoints",
		`"multi", "columns": "q3_*"`:        `questions[0].value: a value of a question goes with columns`,
		`"columns": "Q5*_r", "suffixes"`:    `questions[1].columns: columns stands in place of datapoints`,
		`"drinks", "type": "multi"`:         "a question of type single has no columns",
	} {
		changed := map[string]string{
			`"columns": "q3_*", "value": "Yes"`: `"name": "x"`,
			`"multi", "columns": "q3_*"`:        `"multi", "datapoints": [{"code": "a", "column": "a"}]`,
			`"columns": "Q5*_r", "suffixes"`:    `"columns": "Q5*_r", "datapoints": [{"code": "a", "column": "a"}], "suffixes"`,
			`"drinks", "type": "multi"`:         `"drinks", "type": "single"`,
		}[old]
		if _, err := survey.ReadCodebook([]byte(strings.Replace(patterns, old, changed, 1))); err == nil ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", changed, err, says)
		}
	}
}
