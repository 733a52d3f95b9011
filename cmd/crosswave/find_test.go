package main

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/catalogue"
)

// What is found stands with its code, and with the codes of the answers that were found, on lines that fit.
func TestFindText(t *testing.T) {
	alone(t)
	t.Setenv("COLUMNS", "30")
	db := small(t)
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"wom"}, "QUESTION  NAME\ncore.sex  Sex\n  :f      Women\n"},
		{[]string{"MÁTTERS", "rath"}, "QUESTION    NAME\ncore.views  Views\n  :price    Price matters\n" +
			"  :brand    Brand matters\n  /4        Rather\n"},
		{[]string{"odd"}, "QUESTION   NAME\nother.odd\n"},
		{[]string{"m", "--limit", "1"}, "QUESTION   NAME\nother.odd\n  :m       m\n\n" +
			"1 of 3 questions; --offset 1 goes on\n"},
		{[]string{"m", "--limit", "1", "--offset", "1"}, "QUESTION  NAME\ncore.sex  Sex\n  :m      Men\n\n" +
			"1 of 3 questions; --offset 2 goes on\n"},
		{[]string{"m", "--offset", "2"}, "QUESTION    NAME\ncore.views  Views\n  :price    Price matters\n" +
			"  :brand    Brand matters\n\n1 of 3 questions\n"},
		{[]string{"nothing such"}, "No question has all of these words.\n"},
	} {
		if d := cmp.Diff(c.want, ok(t, append([]string{"find", "--db", db}, c.args...)...)); d != "" {
			t.Errorf("%v:\n%s", c.args, d)
		}
	}
}

// csv has what json has, which is what the server answers.
func TestFindFormats(t *testing.T) {
	alone(t)
	db := small(t)
	lines, err := csv.NewReader(strings.NewReader(ok(t, "find", "--db", db, "m", "--format", "csv"))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var reply struct {
		Questions     []catalogue.QuestionRecord
		Limit, Offset int
		Total         int
	}
	if err := json.Unmarshal([]byte(ok(t, "find", "--db", db, "m", "--format", "json")), &reply); err != nil {
		t.Fatal(err)
	}
	if reply.Total != 3 || reply.Limit != 20 {
		t.Errorf("%d found, %d at a time", reply.Total, reply.Limit)
	}
	want := [][]string{foundHeader}
	for _, q := range reply.Questions {
		var codes, names []string
		for _, d := range q.Match.Datapoints {
			codes, names = append(codes, d.Code), append(names, d.Name)
		}
		want = append(want, []string{q.NamespaceCode, q.Code, q.Name, "false", "false", "false", "",
			strings.Join(codes, ";"), strings.Join(names, ";"), "", ""})
	}
	if d := cmp.Diff(want, lines); d != "" {
		t.Error(d)
	}
}

func TestFindRefused(t *testing.T) {
	alone(t)
	db := small(t)
	for _, c := range []struct {
		args []string
		says string
	}{
		{[]string{" "}, "say which words to find"},
		{nil, "expected \"<words> ...\""},
		{[]string{"m", "--limit=-1"}, "--limit -1: a number of questions is 0 or more; 0 is all"},
		{[]string{"m", "--offset=-1"}, "--offset -1: a number of questions is 0 or more"},
		{[]string{"m", "--limit", "0", "--format", "json"}, "the server's answer has 1 to 1000 questions"},
		{[]string{strings.Repeat("m", 300)}, "search: it has more than 256 characters"},
	} {
		code, out, errs := run(t, "", append([]string{"find", "--db", db}, c.args...)...)
		if code != 2 || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit %d, %s%s", c.args, code, out, errs)
		}
	}
}

// The README shows what is found in the demo.
func TestReadmeShowsFind(t *testing.T) {
	alone(t)
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(readme), "$ ./crosswave find news --db demo.db --limit 3\n")
	shown, _, _ = strings.Cut(shown, "```\n")
	db := filepath.Join(t.TempDir(), "demo.db")
	ok(t, "demo", "--once", "--respondents", "500", "--db", db)
	if d := cmp.Diff(ok(t, "find", "news", "--db", db, "--limit", "3"), shown); d != "" {
		t.Errorf("what is found (-) and what the README shows (+):\n%s", d)
	}
}
