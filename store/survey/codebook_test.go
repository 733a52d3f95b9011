package survey

import (
	"encoding/json"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/google/go-cmp/cmp"
)

func at(f float64) *float64 { return &f }

// TestReadCodebook reads every member there is.
func TestReadCodebook(t *testing.T) {
	text, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	got, err := ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	want := &Codebook{
		Respondent: "id",
		Weights:    []WeightColumn{{Column: "w"}, {Column: "v", Missing: "zero"}, {}},
		Wave:       FieldworkColumn{Column: "wave", Missing: Skip, Values: []string{"1", "w2"}},
		Location:   FieldworkColumn{Column: "place", Missing: "none", Values: []string{"north", ""}},
		Missing:    []string{"NA", "-9"},
		Questions: []QuestionColumns{
			{Column: "q1", Missing: []string{"98"}, Datapoints: []AnswerColumn{{Value: "1"}, {}, {Value: "c"}}},
			{Column: "q2", Separator: ";", Datapoints: []AnswerColumn{{Value: "x"}}},
			{Datapoints: []AnswerColumn{{Column: "git"}, {Column: "svn", Value: "used"}}},
			{Separator: "|", Suffixes: []string{"0", "often"}, Datapoints: []AnswerColumn{{Column: "g1"}}},
			{Column: "age", Datapoints: []AnswerColumn{{To: "17.5"}, {From: "13", To: "19"},
				{From: "0.001", To: "2000"}, {From: "-65"}, {}}},
		},
		Survey: &audience.Survey{
			Name: "Everything",
			Namespaces: []audience.Namespace{
				{Code: "core", Name: "Core study", Description: "All respondents", Universe: "sum"},
				{Code: "shop", Base: "core", Universe: "average"}, {Code: "more", Base: "shop"},
			},
			Waves: []audience.Wave{{Code: "w1", Name: "First", Start: "2024-01-01", End: "2024-03-31",
				Kind: "quarter"}, {Code: "w2"}},
			Locations: []audience.Location{
				{ID: "4711", Code: "n", Name: "North", ISOCode: "NN", Region: audience.Region{ID: "1", Code: "r1",
					Name: "Upper", Area: "World"}}, {Code: "none"},
			},
			Questions: []audience.Question{
				{
					Namespace: "core", Code: "q1", Name: "One", Description: "Which one?", Kind: audience.Single,
					Unit: "shoes", Order: 3, Flags: []string{"new", "odd"},
					KnowledgeBase: "kb", Message: "m", Notice: "n", Warning: "w", Hidden: true, Datasets: []string{"d2"},
					Asked: audience.Asked{{Wave: "w1", Location: "n"}, {Location: "none"}, {}},
					Datapoints: []audience.Datapoint{
						{Code: "a", Name: "A", Midpoint: at(2.5), Order: at(2), Asked: audience.Asked{}},
						{Code: "b", Order: at(1.5), Midpoint: at(0)},
						{Code: "c", Asked: audience.Asked{{Wave: "w2"}}},
					},
				},
				{Namespace: "shop", Code: "q1", Kind: audience.Multi, Asked: audience.Asked{},
					Datapoints: []audience.Datapoint{{Code: "x"}}},
				{Namespace: "core", Code: "q3", Kind: audience.Multi, Separate: true,
					Datapoints: []audience.Datapoint{{Code: "git"}, {Code: "svn"}}},
				{
					Namespace: "core", Code: "q4", Kind: audience.Grid, Separate: true,
					Datapoints: []audience.Datapoint{{Code: "g1", Midpoint: at(1)}},
					Suffixes:   []audience.Suffix{{Code: 0, Name: "Never", Midpoint: at(0), Order: at(2)}, {Code: 2147483647}},
				},
				{
					Namespace: "core", Code: "q5", Kind: audience.Number, Unit: "years", Datapoints: []audience.Datapoint{
						{Code: "young", Name: "Young"}, {Code: "teen", Midpoint: at(16)},
						{Code: "odd", Midpoint: at(3), Order: at(9), Asked: audience.Asked{{Wave: "w1"}}}, {Code: "old"}, {Code: "all"},
					},
				},
			},
			Categories: []audience.Category{
				{ID: "c1", Name: "Top", Description: "The top", Order: 2, Questions: []string{"q3", "shop.q1", "q1"},
					Datasets: []string{"d1", "d2"}}, {ID: "c2", Parent: "c1"},
			},
			Datasets: []audience.Dataset{
				{Code: "d1", Name: "One", Description: "First", URL: "https://example.org/d1",
					BaseAudienceLabel: "Everyone", BaseNamespace: "core", Order: 1, Syndicated: true},
				{Code: "d2", Parent: "d1"},
			},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	roundTrip(t, got)
}

// TestFullCodebook sees to it that full.json leaves no member of a survey's records at its zero value, so that the test
// above forgets none when the records grow.
func TestFullCodebook(t *testing.T) {
	text, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ReadCodebook(text)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				set[name] = set[name] || !v.Field(i).IsZero()
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(c.Survey))
	for name, ok := range set {
		if !ok {
			t.Errorf("no %s is set", name)
		}
	}
}

// roundTrip writes a codebook and reads it back.
func roundTrip(t *testing.T, c *Codebook) {
	t.Helper()
	text, err := WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ReadCodebook(text)
	if err != nil {
		t.Fatalf("%v in\n%s", err, text)
	}
	if diff := cmp.Diff(c, back); diff != "" {
		t.Errorf("%s\nin\n%s", diff, text)
	}
	again, err := WriteCodebook(back)
	if err != nil || string(again) != string(text) {
		t.Errorf("written twice it differs (%v):\n%s", err, cmp.Diff(string(text), string(again)))
	}
}

const small = `{
  "namespaces": [{"code": "core"}, {"code": "shop", "base": "core"}],
  "respondent": {"column": "id"},
  "questions": [
    {"code": "q1", "type": "single", "column": "q1", "datapoints": [{"code": "a", "value": "1"}, {"code": "b", "value": "2"}]},
    {"code": "q2", "type": "multi", "column": "q2", "separator": ";", "datapoints": [{"code": "a"}]},
    {"code": "q3", "type": "multi", "datapoints": [{"code": "a", "column": "c"}, {"code": "b", "column": "d"}]},
    {"code": "q4", "type": "grid", "suffixes": [{"code": "1"}, {"code": "2"}], "datapoints": [{"code": "a", "column": "e"}]},
    {"code": "q5", "type": "number", "column": "n", "bands": [{"code": "a", "from": 1, "to": 2}]}
  ]
}`

// TestCodebookDefaults holds what stands for members that are left out.
func TestCodebookDefaults(t *testing.T) {
	c, err := ReadCodebook([]byte("\ufeff" + small))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]audience.Wave{{Code: "all", Name: "All waves"}}, c.Survey.Waves); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]audience.Location{{Code: "all", Name: "All locations"}}, c.Survey.Locations); diff != "" {
		t.Error(diff)
	}
	for i, q := range c.Survey.Questions {
		if q.Namespace != "core" {
			t.Errorf("question %d is of namespace %q, not the first", i, q.Namespace)
		}
		if separate := q.Code == "q3" || q.Code == "q4"; q.Separate != separate || q.Asked != nil {
			t.Errorf("question %s: separate %v, asked %v", q.Code, q.Separate, q.Asked)
		}
	}
	if m := c.Survey.Questions[4].Datapoints[0].Midpoint; m == nil || *m != 1.5 {
		t.Errorf("midpoint of 1 to 2: %v", m)
	}
	roundTrip(t, c)
}

// edit is one replacement in a text, which must be there.
func edit(t testing.TB, text, old, new string) string {
	t.Helper()
	if strings.Count(text, old) < 1 {
		t.Fatalf("%q is not in the text", old)
	}
	return strings.Replace(text, old, new, 1)
}

// TestCodebookErrors makes one mistake at a time.
func TestCodebookErrors(t *testing.T) {
	wave := `"respondent": {"column": "id"}, "wave": {"column": "w", "values": [{"code": "1"}, {"code": "2"}]}`
	for _, c := range []struct{ old, new, want string }{
		// Shape.
		{small, `[]`, `codebook: an object is expected, not an array`},
		{small, `null`, `codebook: an object is expected, not null`},
		{small, `{"namespaces": [}`, `codebook: namespaces[0]: a value is expected, not '}' (line 1, column 17)`},
		{`"respondent"`, `"respondents"`, `codebook: respondents: unknown member "respondents"; "respondent" is ` +
			`probably meant`},
		{`"column": "id"`, `"column": "id", "x": 1`, `codebook: respondent.x: unknown member "x"; known here: column`},
		{`"code": "core"`, `"code": "core", "weight": {"columns": "w"}`,
			`codebook: namespaces[0].weight.columns: unknown member "columns"; "column" is probably meant`},
		{`"value": "2"`, `"vallue": "2"`, `codebook: questions[0].datapoints[1].vallue: unknown member "vallue"; ` +
			`"value" is probably meant`},
		{`"value": "2"`, `"value": 2`, `codebook: questions[0].datapoints[1].value: a string is expected, not a number`},
		{`"value": "2"`, `"value": "2", "from": 2`, `codebook: questions[0].datapoints[1].from: unknown member ` +
			`"from"; known here: code, name, midpoint, order, asked, value`},
		{`"from": 1`, `"from": "1"`, `codebook: questions[4].bands[0].from: a number is expected, not a string`},
		{`"code": "q1", `, `"code": "q1", "order": 1.5, `,
			`codebook: questions[0].order: a whole number is expected, not 1.5`},
		{`"code": "q1", `, `"code": "q1", "code": "q1", `,
			`codebook: questions[0].code: this member is there twice; an object has each name once (line 5, column 20)`},
		{`"code": "q1", `, `"code": "q1", "flags": [null], `,
			`codebook: questions[0].flags[0]: a string is expected, not null`},
		{`"code": "q1", `, `"code": "q1", "asked": [{"waves": "w"}], `,
			`codebook: questions[0].asked[0].waves: unknown member "waves"; "wave" is probably meant`},
		// What is needed.
		{`"respondent": {"column": "id"},`, ``, `codebook: respondent: a respondent is needed here: an object with ` +
			`the name of its column`},
		{`"column": "id"`, ``, `codebook: respondent.column: a column is needed here`},
		{`[{"code": "core"}, {"code": "shop", "base": "core"}]`, `[]`,
			`codebook: namespaces: at least one namespace is needed here; the first is the default`},
		{`{"code": "core"}`, `{"name": "core"}`, `codebook: namespaces[0].code: a code is needed here`},
		{`"code": "core"`, `"code": "core", "weight": {}`, `codebook: namespaces[0].weight.column: a column is needed here`},
		{`"code": "q1", `, ``, `codebook: questions[0].code: a code is needed here`},
		{`"type": "single", `, ``, `codebook: questions[0].type: a type is needed here`},
		{`"type": "single"`, `"type": "radio"`, `codebook: questions[0].type: "radio" is no type of question; ` +
			`single, multi, grid and number are`},
		{`"column": "q1", `, ``, `codebook: questions[0].column: a column is needed here`},
		{`"datapoints": [{"code": "a", "value": "1"}, {"code": "b", "value": "2"}]`, `"datapoints": []`,
			`codebook: questions[0].datapoints: at least one datapoint is needed here`},
		{`"separator": ";", `, ``, `codebook: questions[1].separator: a separator is needed here`},
		{`"column": "q2", `, ``, `codebook: questions[1].separator: a separator divides the values of one column: ` +
			`name the question's column, or leave the separator out`},
		{`"code": "a", "column": "c"`, `"code": "a"`, `codebook: questions[2].datapoints[0].column: a column is needed here`},
		{`"code": "a", "column": "c"`, `"code": "a", "column": "c", "value": " "`,
			`codebook: questions[2].datapoints[0].value: the empty text is always missing and no answer; leave the ` +
				`value out for 1, yes, true, y and t`},
		{`"suffixes": [{"code": "1"}, {"code": "2"}], `, ``,
			`codebook: questions[3].suffixes: at least one suffix is needed here`},
		{`"code": "a", "column": "e"`, `"code": "a"`, `codebook: questions[3].datapoints[0].column: a column is needed here`},
		{`"bands": [{"code": "a", "from": 1, "to": 2}]`, `"datapoints": [{"code": "a"}]`,
			`codebook: questions[4].datapoints: a question of type number has no datapoints`},
		{`"type": "grid"`, `"type": "grid", "column": "x"`,
			`codebook: questions[3].column: a question of type grid has no column`},
		{`"type": "single"`, `"type": "single", "separator": ";"`,
			`codebook: questions[0].separator: a question of type single has no separator`},
		// Codes.
		{`"code": "shop"`, `"code": "sh.op"`, `codebook: namespaces[1].code: the code of a namespace holds no dot`},
		{`"code": "shop"`, `"code": "core"`, `codebook: namespaces[1].code: namespace "core" is listed twice (first ` +
			`as number 1)`},
		{`"base": "core"`, `"base": "cor"`, `codebook: namespaces[1].base: there is no namespace "cor"`},
		{`"code": "core"`, `"code": "core", "base": "shop"`, `codebook: namespaces[0].base: the namespace is inside itself`},
		{`"code": "core"`, `"code": "core", "universe": "mean"`,
			`codebook: namespaces[0].universe: "mean" is no universe; average and sum are`},
		{`"code": "core"`, `"code": "core", "weight": {"column": "w", "missing": "0"}`,
			`codebook: namespaces[0].weight.missing: "0" is nothing to do about a missing weight; error, zero and one are`},
		{`"code": "q2"`, `"code": "q1"`, `codebook: questions[1].code: question "core.q1" is listed twice (first as ` +
			`number 1)`},
		{`"code": "q2"`, `"code": "waves"`, `codebook: questions[1].code: "waves" is reserved and can be no question's code`},
		{`"code": "q2"`, `"code": "locations"`, `codebook: questions[1].code: "locations" is reserved and can be no ` +
			`question's code`},
		{`"code": "q2"`, `"code": "q2", "namespace": "x"`, `codebook: questions[1].namespace: there is no namespace "x"`},
		{`"code": "q2"`, `"code": "q2", "datasets": ["x"]`, `codebook: questions[1].datasets[0]: there is no dataset "x"`},
		{`"code": "q2"`, `"code": "q2", "asked": [{}, {"wave": "x"}]`,
			`codebook: questions[1].asked[1].wave: there is no wave "x"`},
		{`{"code": "b", "column": "d"}`, `{"code": "b", "column": "d", "asked": [{"location": "x"}]}`,
			`codebook: questions[2].datapoints[1].asked[0].location: there is no location "x"`},
		{`{"code": "b", "column": "d"}`, `{"code": "a", "column": "d"}`,
			`codebook: questions[2].datapoints[1].code: datapoint "a" is listed twice (first as number 1)`},
		{`[{"code": "1"}, {"code": "2"}]`, `[{"code": "1"}, {"code": 1, "value": "x"}]`,
			`codebook: questions[3].suffixes[1].code: suffix 1 is listed twice`},
		{`[{"code": "1"}, {"code": "2"}]`, `[{"code": "-1"}]`,
			`codebook: questions[3].suffixes[0].code: a suffix code is a whole number from 0 to 2147483647`},
		{`[{"code": "1"}, {"code": "2"}]`, `[{"code": 2147483648}]`,
			`codebook: questions[3].suffixes[0].code: a suffix code is a whole number from 0 to 2147483647`},
		{`[{"code": "1"}, {"code": "2"}]`, `[{"code": "one"}]`,
			`codebook: questions[3].suffixes[0].code: a suffix code is a whole number from 0 to 2147483647`},
		{`[{"code": "1"}, {"code": "2"}]`, `[{"name": "one"}]`,
			`codebook: questions[3].suffixes[0].code: a suffix code is a whole number from 0 to 2147483647`},
		// Values.
		{`"value": "2"`, `"value": " 01.0"`, `codebook: questions[0].datapoints[1].value: the value " 01.0" is that ` +
			`of number 1 too`},
		{`[{"code": "1"}, {"code": "2"}]`, `[{"code": "1"}, {"code": "2", "value": "1.0"}]`,
			`codebook: questions[3].suffixes[1].value: the value "1.0" is that of number 1 too`},
		{`"column": "d"`, `"column": "c"`, `codebook: questions[2].datapoints[1].value: the value "" is that of ` +
			`number 1 too`},
		{`"to": 2}`, `"to": 0.5}`, `codebook: questions[4].bands[0].to: the band ends at 0.5, before it begins at 1`},
		// Waves and locations.
		{`"respondent": {"column": "id"}`, edit(t, wave, `"2"`, `"1"`),
			`codebook: wave.values[1].code: wave "1" is listed twice (first as number 1)`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"2"`, `"x", "value": "1.0"`),
			`codebook: wave.values[1].value: the value "1.0" is that of number 1 too`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"2"`, `"2", "start": "1.2.2024"`),
			`codebook: wave.values[1].start: "1.2.2024" is no date; one is written 2024-01-31`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"2"`, `"2", "end": "2024-02-30"`),
			`codebook: wave.values[1].end: "2024-02-30" is no date; one is written 2024-01-31`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"2"`, `"2", "start": "2024-02-02", "end": "2024-02-01"`),
			`codebook: wave.values[1].end: the wave ends on 2024-02-01, before it starts on 2024-02-02`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"w"`, `"w", "missing": "w9"`),
			`codebook: wave.missing: "w9" is neither a code that is listed nor "skip"`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"column": "w",`, ``),
			`codebook: wave.values: without a column there is one wave, that of every row; 2 are listed`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `"column": "w",`, `"missing": "skip",`),
			`codebook: wave.values: without a column there is one wave, that of every row; 2 are listed`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "wave": {"missing": "skip", "values": ` +
			`[{"code": "1"}]}`, `codebook: wave.missing: without a column nothing can be missing`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "wave": {"values": [{"code": "1", ` +
			`"value": "1"}]}`, `codebook: wave.values[0].value: without a column there is no value to compare; name ` +
			`the column, or leave the value out`},
		{`"respondent": {"column": "id"}`, edit(t, wave, `[{"code": "1"}, {"code": "2"}]`, `[]`),
			`codebook: wave.values: at least one value is needed here`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "location": []`,
			`codebook: location: an object is expected, not an array`},
		// Categories and datasets.
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "categories": [{"id": "a"}, {"id": "a"}]`,
			`codebook: categories[1].id: category "a" is listed twice (first as number 1)`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "categories": [{"id": "a", "parent": "b"}]`,
			`codebook: categories[0].parent: there is no category "b"`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "categories": [{"id": "a", "parent": ` +
			`"b"}, {"id": "b", "parent": "a"}]`, `codebook: categories[0].parent: the category is inside itself`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "categories": [{"id": "a", "questions": ` +
			`["q1", "q9"]}]`, `codebook: categories[0].questions[1]: there is no question "q9"`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "categories": [{"id": "a", "datasets": ` +
			`["d"]}]`, `codebook: categories[0].datasets[0]: there is no dataset "d"`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "datasets": [{"code": "a", "parent": "a"}]`,
			`codebook: datasets[0].parent: the dataset is inside itself`},
		{`"respondent": {"column": "id"}`, `"respondent": {"column": "id"}, "datasets": [{"code": "a", ` +
			`"base_namespace_code": "x"}]`, `codebook: datasets[0].base_namespace_code: there is no namespace "x"`},
	} {
		_, err := ReadCodebook([]byte(edit(t, small, c.old, c.new)))
		if err == nil {
			t.Errorf("%s is taken, though: %s", c.new, c.want)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.new, err, c.want)
		}
		if e := (*CodebookError)(nil); !errors.As(err, &e) {
			t.Errorf("%v is a %T", err, err)
		}
	}
}

// TestCategoryLookup: a question in a category is looked up as in an expression.
func TestCategoryLookup(t *testing.T) {
	two := edit(t, small, `"code": "q5", `, `"code": "q1", "namespace": "shop", `)
	for code, ok := range map[string]bool{"q1": true, "core.q1": true, "shop.q1": true, "shop.q2": false} {
		_, err := ReadCodebook([]byte(edit(t, two, `"questions"`, `"categories": [{"id": "c", "questions": ["`+code+
			`"]}], "questions"`)))
		if (err == nil) != ok {
			t.Errorf("%s: %v", code, err)
		}
	}
}

// TestWriteCodebookErrors: a codebook made by hand is checked as one that is read.
func TestWriteCodebookErrors(t *testing.T) {
	for _, c := range []struct {
		spoil func(*Codebook)
		want  string
	}{
		{func(c *Codebook) { c.Survey = nil }, `codebook: there is no survey`},
		{func(c *Codebook) { c.Weights = nil }, `codebook: namespaces: there is one weight column per namespace: 2 ` +
			`are needed, not 0`},
		{func(c *Codebook) { c.Questions = c.Questions[1:] },
			`codebook: questions: there is one entry of columns per question: 5 are needed, not 4`},
		{func(c *Codebook) { c.Questions[0].Datapoints = nil },
			`codebook: questions[0].datapoints: there is one column or value per datapoint: 2 are needed, not 0`},
		{func(c *Codebook) { c.Questions[3].Suffixes = nil },
			`codebook: questions[3].suffixes: there is one value per suffix: 2 are needed, not 0`},
		{func(c *Codebook) { c.Questions[0].Column = "" }, `codebook: questions[0].column: a column is needed here`},
		{func(c *Codebook) { c.Questions[0].Datapoints[1].Column = "x" },
			`codebook: questions[0].datapoints[1].column: either the question has a column, or each datapoint has`},
		{func(c *Codebook) { c.Questions[2].Datapoints[1].Column = "" },
			`codebook: questions[2].datapoints[1].column: either the question has a column, or each datapoint has`},
		{func(c *Codebook) { c.Questions[3].Column = "x" },
			`codebook: questions[3].column: a question of type grid has a column per datapoint and none of its own`},
		{func(c *Codebook) { c.Questions[2].Separator = ";" }, `codebook: questions[2].separator: a multi question ` +
			`has a column and a separator, or a column per datapoint and neither`},
		{func(c *Codebook) { c.Questions[0].Separator = ";" },
			`codebook: questions[0].separator: a question of type single has no separator`},
		{func(c *Codebook) { c.Survey.Questions[2].Separate = false },
			`codebook: questions[2]: the datapoints are Separate exactly if each has a column of its own`},
		{func(c *Codebook) { c.Survey.Questions[0].Kind = "grid" },
			`codebook: questions[0].suffixes: a grid has suffixes, and no other question has`},
		{func(c *Codebook) { c.Questions[4].Datapoints[0].Value = "1" },
			`codebook: questions[4].bands[0].value: a band has a value only in a column that tells it`},
		{func(c *Codebook) { c.Questions[4].Datapoints[0].Column = "x" },
			`codebook: questions[4].bands[0]: a band has ends, or a column that tells it`},
		{func(c *Codebook) { c.Questions[4].Datapoints[0] = AnswerColumn{Column: c.Questions[4].Column} },
			`codebook: questions[4].bands[0].value: the column is that of the numbers: a value that is none of them, or ends, ` +
				`tells the band`},
		{func(c *Codebook) {
			c.Survey.Questions[4].Datapoints = append(c.Survey.Questions[4].Datapoints, audience.Datapoint{Code: "second"})
			c.Questions[4].Datapoints = []AnswerColumn{{Column: "x", Value: "1"}, {Column: "x", Value: "1.0"}}
		}, `codebook: questions[4].bands[1].value: the value "1.0" is that of number 1 too`},
		{func(c *Codebook) { c.Questions[4].Column = "" }, `codebook: questions[4].column: a column is needed here`},
		{func(c *Codebook) { c.Questions[4].Datapoints[0].From = "one" }, `codebook: questions[4].bands[0].from: ` +
			`"one" is no decimal number: digits with at most one decimal point are expected`},
		{func(c *Codebook) { c.Wave.Values = []string{"1"} },
			`codebook: wave.values: without a column there is no value to compare`},
		{func(c *Codebook) { c.Weights[0].Missing = "one" },
			`codebook: namespaces[0].weight.missing: without a column no weight can be missing`},
	} {
		book, err := ReadCodebook([]byte(small))
		if err != nil {
			t.Fatal(err)
		}
		c.spoil(book)
		if _, err := WriteCodebook(book); err == nil || err.Error() != c.want {
			t.Errorf("got %v\nwant %s", err, c.want)
		}
	}
}

// TestWriteCodebook shows what is written: defaults are left out.
func TestWriteCodebook(t *testing.T) {
	c, err := ReadCodebook([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	text, err := WriteCodebook(c)
	if err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"code": "q5", "namespace": "core", "type": "number", "column": "n",
		"bands": []any{map[string]any{"code": "a", "from": 1.0, "to": 2.0}}}
	if diff := cmp.Diff(want, got["questions"].([]any)[4]); diff != "" {
		t.Error(diff)
	}
}

// TestCodebookMutations puts other values in every place of a codebook that has every member: each time it is either
// refused with a path or can be written and read again.
func TestCodebookMutations(t *testing.T) {
	text, err := os.ReadFile("testdata/full.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc any
	if err := json.Unmarshal(text, &doc); err != nil {
		t.Fatal(err)
	}
	refused, taken := 0, 0
	try := func() {
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		c, err := ReadCodebook(text)
		if e := (*CodebookError)(nil); errors.As(err, &e) {
			refused++
			return
		} else if err != nil {
			t.Fatalf("%v is a %T", err, err)
		}
		taken++
		roundTrip(t, c)
	}
	others := []any{nil, "", "x", "1", 0, -1.5, 1e300, true, []any{}, []any{"x"}, map[string]any{},
		map[string]any{"code": "x"}}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, old := range v {
				for _, other := range others {
					v[name] = other
					try()
				}
				delete(v, name)
				try()
				v[name] = old
				walk(old)
			}
		case []any:
			for i, old := range v {
				for _, other := range others {
					v[i] = other
					try()
				}
				v[i] = old
				walk(old)
			}
		}
	}
	walk(doc)
	if refused < 400 || taken < 400 {
		t.Errorf("%d refused, %d taken: this is no test", refused, taken)
	}
}

// FuzzCodebook: what is read can be written and read again, and nothing else happens.
func FuzzCodebook(f *testing.F) {
	head := `{"namespaces":[{"code":"c"}],"respondent":{"column":"i"},`
	for _, rest := range []string{
		`"questions":[{"code":"q","type":"single","column":"q","datapoints":[{"code":"a","value":" 1"}]}]}`,
		`"questions":[{"code":"q","type":"multi","column":"q","separator":";","missing":["x"],"datapoints":[{"code":"a"}]}]}`,
		`"questions":[{"code":"q","type":"multi","datapoints":[{"code":"a","column":"b","asked":[{"wave":"all"}]}]}]}`,
		`"questions":[{"code":"q","type":"grid","suffixes":[{"code":"1","value":"x"}],"datapoints":[{"code":"a","column":"b"}]}]}`,
		`"questions":[{"code":"q","type":"number","column":"q","bands":[{"code":"a","from":-1.5e3,"to":1e300},{"code":"b","midpoint":0}]}]}`,
		`"questions":[{"code":"q","type":"number","bands":[{"code":"a","column":"b","value":"1"},{"code":"b","column":"x"}]}]}`,
		`"questions":[{"code":"q","type":"number","column":"q","bands":[{"code":"a","column":"b","midpoint":3},{"code":"b","to":4}]}]}`,
		`"questions":[{"code":"q","type":"multi","columns":"q_*","value":"Yes"},{"code":"g","type":"grid","columns":"*","suffixes":[{"code":"1"}]}]}`,
		`"wave":{"column":"w","by":"week","dates":"month-first","missing":"none","values":[{"code":"2024-W01"},{"code":"none","value":""}]},"questions":[]}`,
		`"wave":{"column":"w","missing":"skip","values":[{"code":"1","start":"2024-01-01"}]},"questions":[]}`,
		`"location":{"values":[{"code":"1","region":{"code":"r"}}]},"questions":[],"categories":[{"id":"a"},{"id":"b","parent":"a"}],"datasets":[{"code":"d"}]}`,
	} {
		f.Add([]byte(head + rest))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := ReadCodebook(text)
		if err != nil {
			if e := (*CodebookError)(nil); !errors.As(err, &e) || e.Reason == "" {
				t.Fatalf("%v is a %T", err, err)
			}
			return
		}
		roundTrip(t, c)
	})
}
