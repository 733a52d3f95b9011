package survey

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Answers that have the separator in them are found whole, the longest that there is; what is none of the answers ends
// at the first separator.
func TestSeparatorWithinAnswers(t *testing.T) {
	book := func(separator string) string {
		return `{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "missing": ["99"], "questions": [
			{"code": "m", "type": "multi", "column": "m", "separator": "` + separator + `", "datapoints": [
				{"code": "home", "value": "at home"}, {"code": "cafe", "value": "a cafe/blue/red/green"},
				{"code": "blue", "value": "a cafe/blue"}, {"code": "no", "value": "no/never"}]}]}`
	}
	slashes, bars := [][]string{{"id", "m"}}, [][]string{{"id", "m"}}
	for i, pieces := range []string{
		"at home|a cafe/blue/red/green",
		"a cafe/blue/red/green|at home",
		"a cafe/blue/red/green",
		"a cafe/blue|red",
		"at home|a cafe/blue|red|at home",
		"no/never|99|no/never|at home",
		"no|at home|never",
		"|at home|",
		"no",
		"",
	} {
		bars = append(bars, []string{fmt.Sprint(i), pieces})
		slashes = append(slashes, []string{fmt.Sprint(i), strings.ReplaceAll(pieces, "|", "/")})
	}
	o := csvOptions{goroutines: 1, block: 512}
	want := readAll(open(t, book("|"), csvText(bars), o))
	if d := cmp.Diff(want, readAll(open(t, book("/"), csvText(slashes), o))); d != "" {
		t.Error(d)
	}
}

// A list as programs write it gives the answers that its items give with another separator between them.
func TestListsInFields(t *testing.T) {
	book := func(separator string) string {
		return `{"namespaces": [{"code": "core"}], "respondent": {"column": "id"}, "missing": ["99"], "questions": [
			{"code": "m", "type": "multi", "column": "m", "separator": "` + separator + `", "datapoints": [
				{"code": "home", "value": "at home"}, {"code": "cafe", "value": "a cafe, or two"}]}]}`
	}
	bars, lists := [][]string{{"id", "m"}}, [][]string{{"id", "m"}}
	for i, row := range [][2]string{
		{"at home|a cafe, or two", `["at home", "a cafe, or two"]`},
		{"a cafe, or two", `['a cafe, or two']`},
		{"at home|elsewhere", `[at home,elsewhere]`},
		{"at home", `at home`},
		{"99|at home", `["99","at home"]`},
		{"", `[]`},
	} {
		bars = append(bars, []string{fmt.Sprint(i), row[0]})
		lists = append(lists, []string{fmt.Sprint(i), row[1]})
	}
	o := csvOptions{goroutines: 1, block: 512}
	want := readAll(open(t, book("|"), csvText(bars), o))
	if d := cmp.Diff(want, readAll(open(t, book("[]"), csvText(lists), o))); d != "" {
		t.Error(d)
	}
}
