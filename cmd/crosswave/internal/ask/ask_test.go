package ask_test

import (
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
)

func points(codesAndNames ...string) (ps []audience.Datapoint) {
	for i := 0; i < len(codesAndNames); i += 2 {
		ps = append(ps, audience.Datapoint{Code: codesAndNames[i], Name: codesAndNames[i+1]})
	}
	return ps
}

// frame is a survey with codes and labels of all sorts.
func frame(t testing.TB) *audience.Frame {
	t.Helper()
	f, err := audience.NewFrame(1, &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core", Name: "Shoppers"}, {Code: "extra"}},
		Waves:      []audience.Wave{{Code: "w1", Name: "Spring"}, {Code: "w2", Name: "Autumn"}},
		Locations:  []audience.Location{{Code: "uk", Name: "United Kingdom"}, {Code: "de", Name: "Germany"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "gender", Name: "Gender", Datapoints: points("f", "Women", "m", "Men", "x", "Other")},
			{Namespace: "core", Code: "q7", Name: "Statements", Kind: audience.Grid,
				Datapoints: points("price", "Price matters", "brand", "Brand matters"),
				Suffixes:   []audience.Suffix{{Code: 1, Name: "Not at all"}, {Code: 4, Name: "Rather"}, {Code: 5}}},
			{Namespace: "core", Code: "a:b/c=d", Name: "Odd one", Datapoints: points("1,2/3", "Odd: answer", `"`, "Quote")},
			{Namespace: "core", Code: "a", Name: "Twin", Datapoints: points("b/c=d", "", "b", "same", "c", "Same")},
			{Namespace: "core", Code: "t", Name: "Twin", Datapoints: points("1", "One")},
			{Namespace: "shop", Code: "visits", Name: "Visits", Datapoints: points("often", "Often")},
			{Namespace: "shop", Code: "both", Datapoints: points("1", "")},
			{Namespace: "extra", Code: "both", Datapoints: points("2", "")},
		},
	}, audience.Coverage{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// shown writes audiences as lines: id | name | expression.
func shown(as []audience.Audience) string {
	var b strings.Builder
	for _, a := range as {
		b.WriteString(a.ID + " | " + a.Name + " | " + string(audience.Print(a.Expr)) + "\n")
	}
	return b.String()
}

func leaf(question, datapoints, more string) string {
	return `{"question":"` + question + `","datapoints":[` + datapoints + `]` + more + `}`
}

func TestAudiences(t *testing.T) {
	f := frame(t)
	agree := `,"suffixes":[5,4]`
	both := "f | Women | " + leaf("core.gender", `"f"`, "") + "\nm | Men | " + leaf("core.gender", `"m"`, "") + "\n"
	for _, c := range []struct{ text, want string }{
		{"gender:f,m", both},
		{" gender : f , m,f ", both},
		{"core.gender:f,m", both},
		{"Gender:women,MEN", both},
		{`"Gender":"Women","m"`, both},
		{"gender", both + "x | Other | " + leaf("core.gender", `"x"`, "") + "\n"},
		{"People=gender:f,m", "People | People | " + leaf("core.gender", `"f","m"`, "") + "\n"},
		{`"a=b: ""c"""=gender:f`, `a=b: "c" | a=b: "c" | ` + leaf("core.gender", `"f"`, "") + "\n"},
		{"Any=gender", `Any | Any | {"question":"core.gender"}` + "\n"},
		{"q7:price", "price/1 | Price matters: Not at all | " + leaf("core.q7", `"price"`, `,"suffixes":[1]`) + "\n" +
			"price/4 | Price matters: Rather | " + leaf("core.q7", `"price"`, `,"suffixes":[4]`) + "\n" +
			"price/5 | Price matters: 5 | " + leaf("core.q7", `"price"`, `,"suffixes":[5]`) + "\n"},
		{"q7/rather", "price/4 | Price matters: Rather | " + leaf("core.q7", `"price"`, `,"suffixes":[4]`) + "\n" +
			"brand/4 | Brand matters: Rather | " + leaf("core.q7", `"brand"`, `,"suffixes":[4]`) + "\n"},
		{"Agree=q7/5,4", "price | Price matters: Agree | " + leaf("core.q7", `"price"`, agree) + "\n" +
			"brand | Brand matters: Agree | " + leaf("core.q7", `"brand"`, agree) + "\n"},
		{"Agree=q7:price/5,4", "Agree | Agree | " + leaf("core.q7", `"price"`, agree) + "\n"},
		{"Agree=q7:price,brand/5,4", "Agree | Agree | " + leaf("core.q7", `"price","brand"`, agree) + "\n"},
		{"Said=q7", "price | Price matters: Said | " + leaf("core.q7", `"price"`, "") + "\n" +
			"brand | Brand matters: Said | " + leaf("core.q7", `"brand"`, "") + "\n"},
		// a text that is a code as it stands wins
		{"a:b/c=d", "1,2/3 | Odd: answer | " + leaf("core.a:b/c=d", `"1,2/3"`, "") + "\n" +
			`" | Quote | ` + leaf("core.a:b/c=d", `"\""`, "") + "\n"},
		{"a:b/c=d:1,2/3", "1,2/3 | Odd: answer | " + leaf("core.a:b/c=d", `"1,2/3"`, "") + "\n"},
		{`a:b/c=d:"Odd: answer","""",1,2/3`, "1,2/3 | Odd: answer | " + leaf("core.a:b/c=d", `"1,2/3"`, "") + "\n" +
			`" | Quote | ` + leaf("core.a:b/c=d", `"\""`, "") + "\n"},
		{`a:"b/c=d"`, "b/c=d |  | " + leaf("core.a", `"b/c=d"`, "") + "\n"},
		{"Net=a:b,b/c=d", "Net | Net | " + leaf("core.a", `"b","b/c=d"`, "") + "\n"},
		{"waves", `w1 | Spring | {"question":"waves","datapoints":["w1"]}` + "\n" +
			`w2 | Autumn | {"question":"waves","datapoints":["w2"]}` + "\n"},
		{"locations:germany", `de | Germany | {"question":"locations","datapoints":["de"]}` + "\n"},
		{"Both=waves:w2,w1", `Both | Both | {"question":"waves","datapoints":["w2","w1"]}` + "\n"},
		{"extra.both", "2 |  | " + leaf("extra.both", `"2"`, "") + "\n"},
		{` {"question": "gender"} `, `{"question": "gender"} | Gender: any | {"question":"gender"}` + "\n"},
	} {
		as, err := ask.Audiences(f, c.text)
		if err != nil {
			t.Errorf("%s: %v", c.text, err)
			continue
		}
		got := shown(as)
		if strings.HasPrefix(c.text, " {") {
			got = strings.Replace(got, as[0].Name, "Gender: any", 1)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: %s", c.text, d)
		}
	}
}

func TestAudiencesRefused(t *testing.T) {
	f := frame(t)
	for _, c := range []struct{ text, want string }{
		{"gendr", `gendr: there is no question "gendr": did you mean gender?`},
		{"colour", `colour: there is no question "colour": crosswave inspect lists them`},
		{"vists:often", `vists:often: there is no question "vists": did you mean visits?`},
		{"gender:wmen", `gender:wmen: there is no datapoint "wmen": did you mean f, m?`},
		{"gender:zebra", `gender:zebra: there is no datapoint "zebra": question gender has f, m, x`},
		{"waves:w9", `waves:w9: there is no wave "w9" (the store has w1, w2): did you mean w1, w2?`},
		{"twin", `twin: several questions are called "twin": write one of their codes, a, t`},
		{"a:SAME", `a:SAME: several datapoints are called "SAME": write one of their codes, b, c`},
		{"both", `both: question "both" is in several namespaces: write one of shop.both, extra.both`},
		{"gender/1", "gender/1: question gender is no grid and has no suffixes; what holds one of , : / = stands in " +
			"double quotes"},
		{"q7/9", `q7/9: there is no suffix "9": question q7 has 1, 4, 5`},
		{"q7/5,", "q7/5,: a suffix is missing"},
		{"gender:", "gender:: a datapoint is missing"},
		{"gender:f,", "gender:f,: a datapoint is missing"},
		{"=gender", "=gender: there is no name before ="},
		{"", ": it names no question"},
		{"x=", "x=: it names no question"},
		{"Top: 2=gender:f", `Top: 2=gender:f: there is no question "Top": crosswave inspect lists them (a name or ` +
			`label that holds one of , : / = stands in double quotes)`},
		{`gender:"f`, `gender:"f: the quote before f has no end`},
		{`gender:"f"m`, `gender:"f"m: m follows a closing quote; a quote within quotes is written twice`},
		{`{"question": "gender", "datapoint": []}`, `{"question": "gender", "datapoint": []}: datapoint: `},
		{`{}`, `{}: the expression is empty; {"question": "waves"} is everyone`},
	} {
		as, err := ask.Audiences(f, c.text)
		var wrong *ask.Error
		if !errors.As(err, &wrong) || !strings.HasPrefix(err.Error(), c.want) ||
			strings.HasSuffix(c.want, "?") && err.Error() != c.want {
			t.Errorf("%s gives %d audiences, and the error is\n%v, want\n%s", c.text, len(as), err, c.want)
		}
	}
}

// Where one audience is needed what is listed is one, and a question alone is told what to write.
func TestOne(t *testing.T) {
	f := frame(t)
	for text, want := range map[string]string{
		"gender:f,m":              leaf("core.gender", `"f","m"`, ""),
		"q7/5,4":                  `{"question":"core.q7","suffixes":[5,4]}`,
		"any=gender":              `{"question":"core.gender"}`,
		"waves:w1":                `{"question":"waves","datapoints":["w1"]}`,
		`{"question": "waves"}`:   `{"question":"waves"}`,
		"any=q7":                  `{"question":"core.q7"}`,
		`"Odd one":"Odd: answer"`: leaf("core.a:b/c=d", `"1,2/3"`, ""),
	} {
		a, err := ask.One(f, text)
		if got := string(audience.Print(a.Expr)); err != nil || got != want {
			t.Errorf("%s: %s (%v), want %s", text, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"gender": "gender: one audience is needed, and the question gender has 3 datapoints: write which, as in " +
			"gender:f (Women), " +
			"several with commas, as in gender:f,m, or any=gender for those with any of them",
		"Odd one": `Odd one: one audience is needed, and the question "a:b/c=d" has 2 datapoints: write which, as in ` +
			`"a:b/c=d":"1,2/3" (Odd: answer), several with commas, as in "a:b/c=d":"1,2/3","""", or any="a:b/c=d" for those ` +
			`with any of them`,
		"waves": "waves: one audience is needed, and the question waves has 2 datapoints: write which, as in " +
			"waves:w1 (Spring), " +
			"several with commas, as in waves:w1,w2, or any=waves for those with any of them",
		"gendr:f": `gendr:f: there is no question "gendr": did you mean gender?`,
	} {
		if _, err := ask.One(f, text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want\n%s", text, err, want)
		}
	}
}

func TestWavesAndLocations(t *testing.T) {
	f := frame(t)
	waves, err := ask.Waves(f, []string{"w2", "spring"})
	if d := cmp.Diff([]string{"w2", "w1"}, waves); d != "" || err != nil {
		t.Error(d, err)
	}
	if _, err := ask.Waves(f, []string{"w7"}); err == nil ||
		err.Error() != `there is no wave "w7" (the store has w1, w2): did you mean w1, w2?` {
		t.Error(err)
	}
	if _, err := ask.Locations(f, []string{"Germny"}); err == nil ||
		err.Error() != `there is no location "Germny": did you mean de?` {
		t.Error(err)
	}
}

func TestGrant(t *testing.T) {
	f := frame(t)
	got, err := ask.Grant(f, audience.Grant{Namespaces: []string{"core", "shoppers"},
		Questions:  []string{`gender,both,Visits`, "a:b/c=d"},
		Datapoints: []string{`gender:f,m,q7:*,"a:b/c=d":"1,2/3",both:2`, "Odd one:Quote"},
		Locations:  []string{"uk,germany"}, Waves: []string{"*"}})
	want := audience.Grant{Namespaces: []string{"core", "shop"},
		Questions: []string{"gender", "both", "shop.visits", "a:b/c=d"},
		Datapoints: []string{"gender:f", "gender:m", "q7:*", "a:b/c=d:1,2/3", "both:2",
			`core.a:b/c=d:"`},
		Locations: []string{"uk", "de"}, Waves: []string{"*"}}
	if d := cmp.Diff(want, got); d != "" || err != nil {
		t.Error(d, err)
	}
	for _, c := range []struct {
		g    audience.Grant
		want string
	}{
		{audience.Grant{Questions: []string{"gendr"}},
			`--questions gendr: there is no question "gendr": did you mean gender?`},
		{audience.Grant{Namespaces: []string{"cor"}}, `--namespaces cor: there is no namespace "cor": did you mean core?`},
		{audience.Grant{Locations: []string{"fr"}}, `--locations fr: there is no location "fr": the store has uk, de`},
		{audience.Grant{Waves: []string{"w1,w8"}}, `--waves w1,w8: there is no wave "w8" (the store has w1, w2): ` +
			`did you mean w1, w2?`},
		{audience.Grant{Datapoints: []string{"gender"}}, `--datapoints gender: it names no datapoint: write ` +
			`QUESTION:DATAPOINT, or QUESTION:* for all of a question`},
		{audience.Grant{Datapoints: []string{"gender:q"}},
			`--datapoints gender:q: there is no datapoint "q": question gender has f, m, x`},
		{audience.Grant{Datapoints: []string{"gnder:f"}},
			`--datapoints gnder:f: there is no question "gnder": did you mean gender?`},
	} {
		if _, err := ask.Grant(f, c.g); err == nil || err.Error() != c.want {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
}

// The grammar is fuzzed, so its tests must not take in an engine.
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
			if strings.Contains(dep, "sqlite") || strings.Contains(dep, "clickhouse") {
				t.Errorf("it links %s", dep)
			}
		}
	}
}
