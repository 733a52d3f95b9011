package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A question is derived, asked for, changed and removed; a codebook takes it to another store, where it is shared, and
// so does a file that was exported.
func TestDerivedQuestions(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	db := filepath.Join(dir, "a.db")
	ok(t, "import", "--db", db, surveyFile(t))
	if said := ok(t, "question", "define", "--db", db, "hot", "tea:Tea drinkers=Q2:q2_tea",
		`none={"question": "Q2", "datapoints": ["q2_tea"], "not": true}`); said !=
		"core.hot is defined: version 1, user 1's, 2 answers\n" {
		t.Error(said)
	}
	figures := func(db, rows string) string {
		table := ok(t, "crosstab", "--db", db, "--rows", rows, "--columns", "Q1", "--format", "csv")
		_, figures, _ := strings.Cut(table, "\n")
		var out []string
		for _, line := range strings.Split(strings.TrimSpace(figures), "\n") {
			fields := strings.Split(line, ",")
			out = append(out, strings.Join(fields[6:], ","))
		}
		return strings.Join(out, "\n")
	}
	if got, want := figures(db, "hot:tea"), figures(db, "Q2:q2_tea"); got != want {
		t.Errorf("derived\n%s\nwritten out\n%s", got, want)
	}
	if out := ok(t, "crosstab", "--db", db, "--rows", "hot", "--columns", "Q1"); !strings.Contains(out, "Tea drinkers") {
		t.Error(out)
	}
	if out := ok(t, "find", "--db", db, "tea", "drinkers"); !strings.Contains(out, "core.hot") {
		t.Error(out)
	}
	if out := ok(t, "profile", "--db", db, "--audience", "hot:tea", "--format", "json"); !strings.Contains(out, `"hot"`) {
		t.Error(out)
	}
	if out := ok(t, "codebook", "show", "--db", db); strings.Contains(out, `"derived"`) {
		t.Errorf("a codebook names what is not shared:\n%s", out)
	}
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"define", "more"}, 2, "say which answers"},
		{[]string{"define", "more", "Q2:q2_tea"}, 2, "is no answer"},
		{[]string{"define", "more", "x=Q9"}, 2, "Q9"},
		{[]string{"define", "hot", "tea=Q2:q2_tea", "none=hot:tea"}, 1, "reads itself"},
		{[]string{"define", "Q2", "x=Q1:Q1_yes"}, 1, "there is a question of that code"},
		{[]string{"define", "--user", "2", "hot", "x=Q1:Q1_yes"}, 1, "there is a question of that code"},
		{[]string{"remove", "--user", "2", "hot"}, 1, "not found"},
		{[]string{"remove", "none"}, 1, "not found"},
		{[]string{"list", "--user", ""}, 2, "--user"},
	} {
		args := append([]string{"question", c.args[0], "--db", db}, c.args[1:]...)
		if code, out, errs := run(t, "", args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%q: exit %d\n%s%s", args, code, out, errs)
		}
	}
	if said := ok(t, "question", "define", "--db", db, "hot", "--name", "Hot drinks", "--shared"); said !=
		"core.hot is defined: version 2, shared, 2 answers\n" {
		t.Error(said)
	}
	if out := ok(t, "question", "list", "--db", db, "--user", "7"); !strings.Contains(out, "core.hot") ||
		!strings.Contains(out, "Hot drinks") || !strings.Contains(out, "all") || !strings.Contains(out, "usable") {
		t.Error(out)
	}
	if out := ok(t, "question", "list", "--db", db, "--json"); !strings.Contains(out, `"total":1`) {
		t.Error(out)
	}
	shown := ok(t, "question", "show", "--db", db, "hot")
	if !strings.Contains(shown, `"name":"Hot drinks"`) || !strings.Contains(shown, `"version":2`) {
		t.Error(shown)
	}
	if code, out, _ := run(t, "", "question", "show", "--db", db, "hot?limit=1"); code != 1 ||
		!strings.Contains(out, "not_found") {
		t.Errorf("what is no code: exit %d: %s", code, out)
	}
	if code, out, _ := run(t, "", "question", "show", "--db", db, "cold"); code != 1 ||
		!strings.Contains(out, "not_found") {
		t.Error(code, out)
	}

	book := filepath.Join(dir, "codebook.json")
	if err := os.WriteFile(book, []byte(ok(t, "codebook", "show", "--db", db)), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "b.db")
	ok(t, "import", "--db", other, surveyFile(t))
	if said := ok(t, "codebook", "apply", "--db", other, book); said !=
		"Nothing differs: the store stays at version 1.\nderived question hot is defined, and shared\n" {
		t.Error(said)
	}
	const same = "Nothing differs: the store stays at version 1.\n"
	if said := ok(t, "codebook", "apply", "--db", other, book); said != same {
		t.Error(said)
	}
	if figures(other, "hot") != figures(db, "hot") {
		t.Error("the figures differ in the store that the codebook was applied to")
	}
	file, third := filepath.Join(dir, "out.csv"), filepath.Join(dir, "c.db")
	ok(t, "export", "--db", db, file)
	if _, _, errs := run(t, "", "import", "--db", third, file); !strings.Contains(errs,
		"derived question hot is defined") {
		t.Error(errs)
	}
	if figures(third, "hot") != figures(db, "hot") {
		t.Error("the figures differ in the store that was exported and imported")
	}
	if said := ok(t, "question", "remove", "--db", db, "hot"); said != "hot is removed\n" {
		t.Error(said)
	}
	if code, _, errs := run(t, "", "crosstab", "--db", db, "--rows", "hot:tea"); code == 0 {
		t.Error("what is removed is told of", errs)
	}
	if out := ok(t, "check", "--db", other); strings.Contains(out, "not usable") {
		t.Error(out)
	}
}

// The answers of a derived question may be bands of numbers; a codebook and an exported file take them along.
func TestDerivedBands(t *testing.T) {
	alone(t)
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	data := file("ages.csv", "id,wave,place,w,age\n1,w1,uk,1,17\n2,w1,uk,2,18\n3,w1,uk,4,24.5\n4,w1,uk,8,25\n"+
		"5,w1,uk,16,80\n6,w1,uk,32,\n")
	book := file("codebook.json", `{
 "namespaces": [{"code": "core", "weight": {"column": "w"}}],
 "respondent": {"column": "id"}, "wave": {"column": "wave", "values": [{"value": "w1", "code": "w1"}]},
 "location": {"column": "place", "values": [{"value": "uk", "code": "uk"}]},
 "questions": [{"code": "age", "name": "Age", "type": "number", "column": "age",
   "bands": [{"code": "any", "name": "Any age"}]}]}`)
	db := filepath.Join(dir, "a.db")
	ok(t, "import", "--db", db, "--codebook", book, data)
	if said := ok(t, "question", "define", "--db", db, "--shared", "stage", "child:Children=age:..18", "young=Age:18..25",
		`rest={"question": "age", "from": 18, "to": 25, "not": true}`); !strings.Contains(said, "core.stage is defined") {
		t.Error(said)
	}
	figures := func(db string) string {
		table := ok(t, "crosstab", "--db", db, "--rows", "stage", "--columns", "waves", "--format", "csv")
		_, figures, _ := strings.Cut(table, "\n")
		return figures
	}
	want := figures(db)
	for _, line := range []string{"child,Children,,,Total,63,6,1,1,", "young,young,,,Total,63,6,6,2,",
		"rest,rest,,,Total,63,6,57,4,"} {
		if !strings.Contains(want, line) {
			t.Errorf("there is no %s in\n%s", line, want)
		}
	}
	for _, wrong := range []string{"x=age:25..18", "x=age:..", "x=age:young..", "x=age:1..2:3"} {
		if code, _, errs := run(t, "", "question", "define", "--db", db, "other", wrong); code != 2 {
			t.Errorf("%s: exit %d\n%s", wrong, code, errs)
		}
	}
	exported, second := filepath.Join(dir, "out.csv"), filepath.Join(dir, "b.db")
	ok(t, "export", "--db", db, exported)
	ok(t, "import", "--db", second, exported)
	if got := figures(second); got != want {
		t.Errorf("exported and imported\n%s\nbefore\n%s", got, want)
	}
}
