package ask_test

import (
	"errors"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
)

// Whatever the text: it is refused as it stands, or gives audiences whose codes all exist.
func FuzzAudiences(f *testing.F) {
	survey := frame(f)
	for _, text := range []string{"gender:f,m", `"a:b/c=d":"1,2/3",""""`, "Agree=q7:price/5,4", "waves:w1", `x="Odd one"`,
		`{"and": [{"question": "gender"}]}`, `a="b=""c":d/e,f`, "=:/,\"", "Net=a:b,b/c=d", "extra.both : 2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		as, err := ask.Audiences(survey, text)
		var wrong *ask.Error
		if err != nil && (!errors.As(err, &wrong) || wrong.Text != text) || err == nil && len(as) == 0 {
			t.Fatalf("%d audiences and the error %v", len(as), err)
		}
		if one, err := ask.One(survey, text); err == nil {
			as = append(as, one)
		}
		for _, a := range as {
			err := survey.Check(nil, nil, audience.Use{Origin: "rows[0]", Expr: a.Expr})
			if err != nil && a.ID != "" && a.ID[0] != '{' { // JSON is checked later
				t.Errorf("%s: %v", a.ID, err)
			}
		}
	})
}

// A code that is quoted is read as that code, whatever it holds, and whatever else there is.
func FuzzQuote(f *testing.F) {
	f.Add("q1", "a", "label")
	f.Add(`"`, `""`, `a"b`)
	f.Add("a:b", "1,2", "x=y/z")
	f.Add("x=a", "*", "{}")
	f.Add(`"`, "0", `:"=`)
	f.Fuzz(func(t *testing.T, question, datapoint, name string) {
		survey, err := audience.NewFrame(1, &audience.Survey{
			Namespaces: []audience.Namespace{{Code: "core"}},
			Questions: []audience.Question{
				{Namespace: "core", Code: question, Datapoints: points(datapoint, "", "other", "Other")},
				{Namespace: "core", Code: "a", Datapoints: points("a", "")}},
		}, audience.Coverage{})
		if err != nil || question == "" || datapoint == "" || name == "" {
			return // not what a survey may have
		}
		text := ask.Quote("core."+question) + ":" + ask.Quote(datapoint)
		check := func(text, id string) {
			t.Helper()
			as, err := ask.Audiences(survey, text)
			if err != nil || len(as) != 1 || as[0].ID != id {
				t.Fatalf("%s: %v, %v", text, as, err)
			}
			x, leaf := as[0].Expr.(audience.Answers)
			if !leaf || x.Question != "core."+question || len(x.Datapoints) != 1 || x.Datapoints[0] != datapoint {
				t.Fatalf("%s: %#v", text, as[0].Expr)
			}
		}
		check(text, datapoint)
		check(ask.Quote(name)+"="+text, name)
		granted, err := ask.Grant(survey, audience.Grant{Datapoints: []string{text}})
		if err != nil || len(granted.Datapoints) != 1 || granted.Datapoints[0] != "core."+question+":"+datapoint {
			t.Fatalf("%s: %q, %v", text, granted.Datapoints, err)
		}
	})
}
