package plan_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/plan"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// frame is a small survey.
func frame(t testing.TB) *audience.Frame {
	t.Helper()
	points := func(codesAndNames ...string) (ps []audience.Datapoint) {
		for i := 0; i < len(codesAndNames); i += 2 {
			ps = append(ps, audience.Datapoint{Code: codesAndNames[i], Name: codesAndNames[i+1]})
		}
		return ps
	}
	f, err := audience.NewFrame(1, &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}},
		Waves:      []audience.Wave{{Code: "w1", Name: "Spring"}, {Code: "w2", Name: "Autumn"}},
		Locations:  []audience.Location{{Code: "uk", Name: "United Kingdom"}, {Code: "de", Name: "Germany"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: points("f", "Women", "m", "Men")},
			{Namespace: "core", Code: "bought", Name: "Bought", Datapoints: points("tea", "Tea", "coffee", "Coffee")},
		},
	}, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shown writes a table on a line each for rows, columns and base.
func shown(t plan.Table) string {
	var b strings.Builder
	list := func(name string, as []audience.Audience) {
		b.WriteString(name)
		for _, a := range as {
			b.WriteString(" " + a.Name + " " + string(audience.Print(a.Expr)))
		}
		b.WriteString("\n")
	}
	list("rows", t.Request.Rows)
	list("columns", t.Request.Columns)
	list("base", []audience.Audience{t.Request.Base})
	return b.String()
}

// What stands beside the tables is for those that do not say it themselves, null included.
func TestRead(t *testing.T) {
	tables, err := plan.Read(frame(t), []byte(`{
		"columns": ["gender:f", {"question": "waves", "datapoints": ["w2"]}], "base": "gender:f,m", "waves": ["Spring"],
		"locations": ["uk"], "statistics": {"level": 90, "level_low": 80, "compare": ["columns", "rest"],
			"correction": "holm", "low_base": {"withhold": 5}},
		"tables": [
			{"name": "Drinks", "rows": ["Hot=bought:tea,coffee", "bought:tea"]},
			{"rows": ["bought"], "columns": ["waves"], "base": "answered", "waves": [], "matched": true, "statistics": null},
			{"rows": ["bought:tea"], "columns": [], "base": {"question": "gender", "datapoints": ["m"]},
				"statistics": {"compare": []}}
		]}`))
	if err != nil {
		t.Fatal(err)
	}
	leaf := func(question, codes string) string {
		return `{"question":"core.` + question + `","datapoints":[` + codes + `]}`
	}
	tea := leaf("bought", `"tea"`)
	for i, want := range []string{
		"rows Hot " + leaf("bought", `"tea","coffee"`) + " Tea " + tea + "\ncolumns Women " + leaf("gender", `"f"`) +
			" Wave: Autumn " + `{"question":"waves","datapoints":["w2"]}` + "\nbase  " + leaf("gender", `"f","m"`) + "\n",
		"rows Tea " + tea + " Coffee " + leaf("bought", `"coffee"`) + "\ncolumns Spring " +
			`{"question":"waves","datapoints":["w1"]} Autumn {"question":"waves","datapoints":["w2"]}` +
			"\nbase  " + `{"question":"core.bought"}` + "\n",
		"rows Tea " + tea + "\ncolumns\nbase  " + `{"question":"gender","datapoints":["m"]}` + "\n",
	} {
		got := shown(tables[i])
		if i == 0 { // whatever the words are
			got = strings.Replace(got, tables[0].Request.Columns[1].Name, "Wave: Autumn", 1)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("table %d: %s", i, d)
		}
	}
	all := &estimate.Options{Level: 90, Pairs: true, Compare: []estimate.Compare{estimate.Columns, estimate.Rest},
		Correction: estimate.Holm, LowBase: estimate.LowBase{Withhold: 5}}
	if d := cmp.Diff(all, tables[0].Request.Statistics); d != "" || tables[0].LevelLow != 80 {
		t.Error(d, tables[0].LevelLow)
	}
	if tables[1].Request.Statistics != nil || !tables[1].Request.Matched || tables[1].Request.Waves != nil {
		t.Errorf("%+v", tables[1].Request)
	}
	if o := tables[2].Request.Statistics; o == nil || len(o.Compare) > 0 || o.Level != 95 {
		t.Errorf("%+v", o)
	}
	for _, table := range tables {
		if table.Request.LastWaves != crosstab.AllWaves {
			t.Errorf("%s covers %d waves", table.Path, table.Request.LastWaves)
		}
	}
	if d := cmp.Diff([]string{"w1"}, tables[0].Request.Waves); d != "" || tables[2].Path != "tables[2]" {
		t.Error(d, tables[2].Path)
	}
}

// A fault is told with its path.
func TestReadRefused(t *testing.T) {
	f := frame(t)
	table := func(members string) string { return `{"tables": [{"rows": ["gender"]}, {` + members + `}]}` }
	many := `{"tables": [` + strings.Repeat(`{"rows": ["gender"]},`, plan.MostTables) + `{"rows": ["gender"]}]}`
	for _, c := range []struct{ text, want string }{
		{``, "line 1"},
		{`[]`, "an object"},
		{`{}`, "tables: a plan has one table at least"},
		{`{"tables": {}}`, "tables: "},
		{`{"tables": [], "row": []}`, "row: "},
		{many, "tables: 1001 tables are more than the 1000 of one book"},
		{table(``), "tables[1]: a table has rows, or columns"},
		{table(`"rows": "gender"`), "tables[1].rows: "},
		{table(`"rows": ["gender", 7]`), "tables[1].rows[1]: "},
		{table(`"rows": ["gender", "gendr:f"]`), `tables[1].rows[1]: gendr:f: there is no question "gendr": did you mean ` +
			`gender?`},
		{table(`"rows": [{"question": "gendr"}]`), `tables[1].rows[0]: there is no question "gendr": did you mean gender?`},
		{table(`"rows": [{"question": "gender", "datapoint": []}]`), `tables[1].rows[0]: `},
		{table(`"columns": ["gender:x"]`), `tables[1].columns[0]: gender:x: there is no datapoint "x"`},
		{`{"columns": ["gender:x"], "tables": [{"rows": ["gender"]}]}`, `columns[0]: gender:x: there is no datapoint "x"`},
		{table(`"rows": ["gender"], "base": "gender"`), "tables[1].base: gender: one audience is needed"},
		{table(`"rows": ["waves"], "base": "answered"`), "tables[1].base: answered is those who answered the question of " +
			"rows, and rows asks none"},
		{`{"base": {"question": "x"}, "tables": [{"rows": ["gender"]}]}`, `base: there is no question "x"`},
		{table(`"rows": ["gender"], "waves": ["w9"]`), `tables[1].waves: there is no wave "w9"`},
		{table(`"rows": ["gender"], "locations": ["Germny"]`), `tables[1].locations: there is no location "Germny"`},
		{table(`"rows": ["gender"], "statistics": {"level": 5}`), "tables[1].statistics.level: "},
		{`{"statistics": {"compare": ["all"]}, "tables": [{"rows": ["gender"]}]}`, "statistics.compare[0]: "},
		{table(`"rows": ["gender"], "statistics": {"level_low": 96}`), "tables[1].statistics.level_low: "},
		{table(`"rows": ["gender"], "statistics": {"level_low": 90, "compare": ["rest"]}`),
			"tables[1].statistics.level_low: "},
		{table(`"rows": ["gender"], "statistics": {"low_base": {"rule": "x"}}`), "tables[1].statistics.low_base.rule: "},
		{table(`"rows": ["gender"], "statistics": {"low_base": {"with": 1}}`), "tables[1].statistics.low_base.with: "},
		{table(`"columns": [` + strings.Repeat(`"gender:f",`, crosstab.MaxCompared) + `"gender:f"], "statistics": {}`),
			"tables[1]: 61 columns are more than the 60 that can be compared"},
	} {
		_, err := plan.Read(f, []byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), c.want) && strings.Contains(c.want, ": ") {
			t.Errorf("%.200s\n%v, want\n%s", c.text, err, c.want)
		}
	}
}

// Whatever the text: it is refused with a fault of a plan, or gives tables whose codes all exist.
func FuzzRead(f *testing.F) {
	survey := frame(f)
	for _, text := range []string{`{"tables": [{"rows": ["gender"]}]}`,
		`{"columns": ["waves"], "base": "answered", "statistics": {"level_low": 90, "low_base": {"rule": "nchs"}},
			"tables": [{"name": "=1", "rows": [{"question": "bought"}, "Hot=bought:tea"], "matched": true}]}`,
		`{"tables": [{"rows": [7], "statistics": null, "waves": ["w1"], "locations": ["Germany"]}]}`, `[`, `{"tables": 1}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		tables, err := plan.Read(survey, text)
		var fault *plan.Error
		var syntax *strictjson.Error
		if err != nil {
			if !errors.As(err, &fault) && !errors.As(err, &syntax) {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		if len(tables) == 0 {
			t.Fatal("a plan without tables")
		}
		for _, table := range tables {
			r := table.Request
			uses := []audience.Use{{Origin: "base", Expr: r.Base.Expr}}
			for _, a := range append(r.Rows, r.Columns...) {
				uses = append(uses, audience.Use{Origin: "rows", Expr: a.Expr})
			}
			if err := survey.Check(r.Waves, r.Locations, uses...); err != nil {
				t.Errorf("%s: %v", table.Path, err)
			}
		}
	})
}

// Plans are fuzzed, so their tests must not take in an engine.
func TestLean(t *testing.T) {
	out, err := exec.Command("go", "list", "-test", "-json=Deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	for d := json.NewDecoder(strings.NewReader(string(out))); d.More(); {
		var p struct{ Deps []string }
		if err := d.Decode(&p); err != nil {
			t.Fatal(err)
		}
		for _, dep := range p.Deps {
			if strings.Contains(dep, "sqlite") || strings.Contains(dep, "clickhouse") || strings.Contains(dep, "excelize") {
				t.Errorf("it links %s", dep)
			}
		}
	}
}
