package survey_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

const withDerived = `{"respondent": {"column": "id"}, "namespaces": [{"code": "core"}],
	"questions": [{"code": "q", "type": "single", "column": "Q", "datapoints": [{"code": "a"}, {"code": "b"}]}],
	"derived": [{"code": "net", "name": "Net", "description": "Any.", "datapoints": [
		{"code": "x", "name": "X", "expression": {"question": "q", "datapoints": ["a"]}},
		{"code": "y", "expression": {"question": "q", "datapoints": ["a"], "not": true}}]}]}`

// A codebook names derived questions, that of a file and that of a store, and gives them back as they were.
func TestDerivedInCodebooks(t *testing.T) {
	a := audience.Answers{Question: "q", Datapoints: []string{"a"}}
	want := []audience.Definition{{Code: "net", Name: "Net", Description: "Any.", Datapoints: []audience.DefinedDatapoint{
		{Code: "x", Name: "X", Expr: a}, {Code: "y", Expr: audience.Not{X: a}}}}}
	unplaced := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".Path" }, cmp.Ignore())
	same := func(how string, text []byte, err error) {
		t.Helper()
		if err != nil {
			t.Fatal(how, err)
		}
		got, err := survey.ReadDerived(text)
		if diff := cmp.Diff(want, got, unplaced); diff != "" || err != nil {
			t.Error(how, diff, err)
		}
	}
	same("as written", []byte(withDerived), nil)
	book, err := survey.ReadCodebook([]byte(withDerived))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, book.Derived, unplaced); diff != "" {
		t.Error(diff)
	}
	text, err := survey.WriteCodebook(book)
	same("WriteCodebook", text, err)
	text, err = survey.WriteRecords(book.Survey, book.Derived...)
	same("WriteRecords", text, err)
	if _, err := survey.ReadRecords(text); err != nil {
		t.Error(err)
	}
	if text, err = survey.WriteRecords(book.Survey); err != nil || strings.Contains(string(text), "derived") {
		t.Error(string(text), err)
	}
	if none, err := survey.ReadDerived(text); none != nil || err != nil {
		t.Error(none, err)
	}
	for spoil, wanted := range map[[2]string]string{
		{`"code": "net", `, ``}:                            "derived[0].code",
		{`{"question": "q", "datapoints": ["a"]}}`, `{}}`}: "derived[0].datapoints[0].expression",
		{`"expression"`, `"expresion"`}:                    "derived[0].datapoints[0].expresion",
		{`"not": true`, `"not": 1`}:                        "derived[0].datapoints[1].expression.not",
		{`"datapoints": [
		{"code": "x"`, `"points": [{"code": "x"`}: "derived[0].points",
	} {
		broken := strings.Replace(withDerived, spoil[0], spoil[1], 1)
		for _, read := range []func() error{
			func() error { _, err := survey.ReadDerived([]byte(broken)); return err },
			func() error { _, err := survey.ReadCodebook([]byte(broken)); return err },
		} {
			if err := read(); err == nil || !strings.Contains(err.Error(), wanted) {
				t.Errorf("%s: %v", wanted, err)
			}
		}
	}
}
