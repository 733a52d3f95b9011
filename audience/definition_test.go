package audience_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/crosswave/crosswave/audience"
)

// derivable is the frame of a survey to derive questions from.
func derivable(t testing.TB) *audience.Frame {
	t.Helper()
	points := func(codes ...string) (list []audience.Datapoint) {
		for _, c := range codes {
			list = append(list, audience.Datapoint{Code: c})
		}
		return list
	}
	s := &audience.Survey{
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "east", Base: "core"}, {Code: "west", Base: "core"}},
		Waves:      []audience.Wave{{Code: "w1"}, {Code: "w2"}}, Locations: []audience.Location{{Code: "uk"}},
		Questions: []audience.Question{{Namespace: "core", Code: "q", Datapoints: points("a", "b", "c")},
			{Namespace: "east", Code: "e", Datapoints: points("x")}, {Namespace: "west", Code: "w", Datapoints: points("x")}},
	}
	all := audience.NewCover(2)
	all.Set(0)
	all.Set(1)
	f, err := audience.NewFrame(1, s, audience.Coverage{Fielded: []audience.Cover{all, all, all},
		Asked: [][]audience.Cover{{all, all, all}, {all}, {all}}})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// definition makes a derived question of pairs of a datapoint's code and its expression.
func definition(code string, points ...string) audience.Definition {
	d := audience.Definition{Code: code}
	for i := 0; i < len(points); i += 2 {
		var x audience.Expr
		if points[i+1] != "" {
			var err error
			if x, err = audience.Parse([]byte(points[i+1])); err != nil {
				panic(fmt.Sprint("an expression of the test: ", err))
			}
		}
		d.Datapoints = append(d.Datapoints, audience.DefinedDatapoint{Code: points[i], Expr: x})
	}
	return d
}

// Each definition that can't be used is told why, and the others can be used.
func TestCheckDefinitions(t *testing.T) {
	const a, b = `{"question": "q", "datapoints": ["a"]}`, `{"question": "q", "datapoints": ["b"]}`
	reads := func(code string) string { return `{"question": "` + code + `", "datapoints": ["x"]}` }
	var all []string
	for i := range 20 {
		all = append(all, fmt.Sprint("d", i), fmt.Sprintf(`{"and": [%s, {"question": "waves"}]}`, a))
	}
	other := definition("other", "x", `{"question": "e"}`)
	other.Namespace = "core"
	deep := []audience.Definition{definition("chain0", "x", a)}
	for i := 1; i < 70; i++ {
		deep = append(deep, definition(fmt.Sprint("chain", i), "x", `{"or": [`+reads(fmt.Sprint("chain", i-1))+`]}`))
	}
	wide := []audience.Definition{definition("wide0", "x", `{"or": [`+strings.Repeat(a+", ", 99)+a+`]}`)}
	wide = append(wide, definition("wide1", "x", `{"or": [`+strings.Repeat(reads("wide0")+", ", 98)+reads("wide0")+`]}`),
		definition("wide2", "x", `{"or": [`+reads("wide1")+", "+reads("wide1")+`]}`))
	for name, c := range map[string]struct {
		list []audience.Definition
		want []string // of each the error, "" for none
	}{
		"nets, and one that reads another which stands later": {
			[]audience.Definition{definition("all", "x", `{"or": [{"question": "net", "datapoints": ["x"]}, `+b+`]}`),
				definition("net", "x", a, "y", b)}, []string{"", ""}},
		"by its namespace": {[]audience.Definition{definition("one", "x", a), definition("two", "x",
			`{"question": "core.one"}`)}, []string{"", ""}},
		"itself": {[]audience.Definition{definition("me", "x", reads("me"))},
			[]string{`datapoints: derived question "me" reads itself`}},
		"a circle, and who reads it": {[]audience.Definition{definition("one", "x", reads("two")),
			definition("two", "x", a, "y", `{"and": [{"question": "core.three", "not": true}]}`),
			definition("three", "x", reads("one")), definition("four", "x", reads("one")), definition("five", "x", a)},
			[]string{`datapoints: derived questions read each other in a circle: "one" reads "two" reads "three" reads "one"`,
				`datapoints: derived questions read each other in a circle: "two" reads "three" reads "one" reads "two"`,
				`datapoints: derived questions read each other in a circle: "three" reads "one" reads "two" reads "three"`,
				`not available: question "one" (in datapoints[0].expression)`, ""}},
		"no code": {[]audience.Definition{definition("", "x", a)},
			[]string{"code: a derived question needs a code"}},
		"twice": {[]audience.Definition{definition("d", "x", a), definition("d", "x", b)},
			[]string{"", `code: the code "d" is that of derived question 0, too`}},
		"of the survey": {[]audience.Definition{definition("e", "x", a)},
			[]string{`code: the survey has a question "e" itself`}},
		"reserved": {[]audience.Definition{definition("waves", "x", a)},
			[]string{`code: "waves" is reserved and can be no question's code`}},
		"a namespace's": {[]audience.Definition{definition("core.d", "x", a)},
			[]string{`code: "core.d" begins with the code of a namespace`}},
		"no datapoints": {[]audience.Definition{definition("d")},
			[]string{"datapoints: a derived question needs a datapoint"}},
		"no code in it": {[]audience.Definition{definition("d", "x", a, "", b)},
			[]string{"datapoints[1].code: a datapoint needs a code"}},
		"a code twice": {[]audience.Definition{definition("d", "x", a, "x", b)},
			[]string{`datapoints[1].code: there are two datapoints "x"`}},
		"no expression": {[]audience.Definition{definition("d", "x", "")},
			[]string{"datapoints[0].expression: the expression is empty: say who the audience is, " +
				"or ask for everyone with {\"question\": \"waves\"}"}},
		"what is not": {[]audience.Definition{definition("d", "x", a, "y", `{"question": "q", "datapoints": ["z"]}`)},
			[]string{`not available: datapoints z of question "q" (in datapoints[1].expression)`}},
		"suffixes": {[]audience.Definition{definition("d", "x", a), definition("f", "x", `{"question": "d", "suffixes": [1]}`)},
			[]string{"", `suffixes: question "d" is no grid and has no suffixes: leave them out`}},
		"two branches": {[]audience.Definition{definition("d", "x", `{"and": [{"question": "e"}, {"question": "w"}]}`)},
			[]string{"datapoints[0].expression: namespaces east and west have no common respondents: " +
				"use one of them, or one that is built on the other"}},
		"of two answers": {[]audience.Definition{definition("d", "x", `{"question": "e"}`, "y", a, "z", `{"question": "w"}`)},
			[]string{"datapoints[2].expression: namespaces east and west have no common respondents: " +
				"use one of them, or one that is built on the other"}},
		"another": {[]audience.Definition{other},
			[]string{`datapoints: the question is of namespace "core", and its expressions use "east": a question of another namespace needs another code`}},
		"10 of 20": {[]audience.Definition{definition("d", all...), definition("f", "x", `{"question": "d", "min_count": 10}`)},
			[]string{"", `datapoints[0].expression: with the answers of derived question "d" written out, at least 10 of 20, the expression has more than 10000 nodes`}},
		"19 of 20": {[]audience.Definition{definition("d", all...), definition("f", "x", `{"question": "d", "min_count": 19}`)},
			[]string{"", ""}},
	} {
		t.Run(name, func(t *testing.T) {
			f, faults := derivable(t).CheckDefinitions(c.list)
			var got []string
			for i, err := range faults {
				text := ""
				if err != nil {
					text = err.Error()
				}
				got = append(got, text)
				if q, e := f.Question(c.list[i].Code); e == nil && err == nil && (q < 0 || !f.Derived(q)) {
					t.Errorf("%s is not there", c.list[i].Code)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	for name, c := range map[string]struct {
		list []audience.Definition
		last int // the last that can be used
	}{"deep": {deep, 63}, "wide": {wide, 1}} {
		_, faults := derivable(t).CheckDefinitions(c.list)
		complex := (*audience.ComplexError)(nil)
		if faults[c.last] != nil || !errors.As(faults[c.last+1], &complex) || complex.Path != "datapoints[0].expression" {
			t.Errorf("%s: %v, %v", name, faults[c.last], faults[c.last+1])
		}
	}
}

// A frame is extended once for each key; what it has of the survey stays, and of another list nothing is left.
func TestExtend(t *testing.T) {
	f := derivable(t)
	one := []audience.Definition{definition("one", "x", `{"question": "e"}`)}
	g := f.Extend("1", one)
	if g != f.Extend("1", one) || g == f || f.Extend("", nil) != f || g.Extend("", nil) != f || g.Extend("1", one) != g {
		t.Error("a frame is made again, or not at all")
	}
	if at, err := g.Question("one"); err != nil || at != 3 || !g.Derived(at) || g.Derived(2) || f.Derived(2) ||
		g.Questions[at].Key() != "east.one" || g.Definition(at).Code != "one" || g.Asked(at, 0).Len() != 2 {
		t.Error(at, err)
	}
	if at, err := f.Question("one"); err != nil || at >= 0 || len(f.Questions) != 3 || g.Extension() != "1" ||
		f.Extension() != "" {
		t.Error(at, err)
	}
	two := g.Extend("2", []audience.Definition{definition("two", "x", `{"question": "one"}`)})
	if len(two.Questions) != 3 {
		t.Error("a question can be read that is not in the list")
	}
	core := g.For(audience.Grant{Namespaces: []string{"core"}, Questions: []string{"*"}, Datapoints: []string{"*"},
		Locations: []string{"*"}, Waves: []string{"*"}})
	if len(core.Questions) != 3 || core.Extension() != "1" {
		t.Error("a caller has a question that reads what is hidden from them")
	}
	if h := g.WithVersion(7); h.Version != 7 || len(h.Questions) != 4 || h.Extension() != "1" {
		t.Errorf("version %d, %d questions", h.Version, len(h.Questions))
	}
	surveys := map[string]int{}
	count := func(s *audience.Survey) map[string]int { surveys["formed"] += len(s.Questions); return surveys }
	if audience.DeriveSurvey(g, count); surveys["formed"] != 3 {
		t.Error("what is formed of the survey is formed of derived questions, too")
	}
	if audience.DeriveSurvey(f, count); surveys["formed"] != 3 {
		t.Error("what is formed of the survey is formed again")
	}
}

// What derived questions come to is bounded over all expressions of a Spec.
func TestDerivedNodesTogether(t *testing.T) {
	const a = `{"question": "q", "datapoints": ["a"]}`
	f := derivable(t).Extend("1", []audience.Definition{
		definition("d", "x", `{"or": [`+strings.Repeat(a+", ", 8999)+a+`]}`)})
	var s audience.Spec
	for i := range 12 {
		s.Rows = append(s.Rows, audience.And{audience.Answers{Question: "d"}, audience.Answers{Question: "q", Min: i}})
	}
	complex := (*audience.ComplexError)(nil)
	if err := s.Check(f); !errors.As(err, &complex) || complex.Path != "rows[11]" {
		t.Error(err)
	}
	s.Rows = s.Rows[:11]
	if err := s.Check(f); err != nil {
		t.Error(err)
	}
}
