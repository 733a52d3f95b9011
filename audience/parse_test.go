package audience_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		name, json string
		want       audience.Expr
	}{
		{"nothing is nothing", `{}`, nil},
		{"null is nothing", `null`, nil},
		{"all members absent in their own ways", `{"and": [], "or": null, "not": false, "datapoints": [], ` +
			`"options": null, "suffixes": [], "min_count": 0}`, nil},
		{"leaf", `{"question": "q1", "datapoints": ["a", "b"], "suffixes": ["1", 2], "min_count": 2}`,
			audience.Answers{Question: "q1", Datapoints: []string{"a", "b"}, Suffixes: []int{1, 2}, Min: 2}},
		{"options are datapoints", `{"question": "q1", "options": ["a"]}`, audience.Answers{Question: "q1",
			Datapoints: []string{"a"}}},
		{"both the same", `{"question": "q1", "options": ["a", "b"], "datapoints": ["b", "a", "a"]}`,
			audience.Answers{Question: "q1", Datapoints: []string{"b", "a", "a"}}},
		{"waves", `{"question": "waves", "datapoints": ["w1"]}`, audience.Waves{Codes: []string{"w1"}}},
		{"everyone", `{"question": "waves"}`, audience.Waves{}},
		{"locations", `{"question": "locations", "options": ["l1"]}`, audience.Locations{Codes: []string{"l1"}}},
		{"all parts of a node intersect, then it is negated",
			`{"question": "q", "and": [{"question": "a"}], "or": [{"question": "b"}, {"question": "c"}], "not": true}`,
			audience.Not{X: audience.And{
				audience.Answers{Question: "q"},
				audience.And{audience.Answers{Question: "a", Path: "and[0]"}},
				audience.Or{audience.Answers{Question: "b", Path: "or[0]"}, audience.Answers{Question: "c", Path: "or[1]"}}}}},
		{"an integral number of any spelling", `{"question": "q1", "min_count": 2.0}`, audience.Answers{Question: "q1",
			Min: 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := audience.Parse([]byte(c.json))
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestParseErrors(t *testing.T) {
	invalid, empty, complex := new(audience.InvalidError), new(audience.EmptyError), new(audience.ComplexError)
	for _, c := range []struct {
		name, json string
		kind       any
		path       string
	}{
		{"a typo must never widen an audience", `{"question": "q", "and": [{"question": "q", "datapoint": ["a"]}]}`,
			&invalid, "and[0].datapoint"},
		{"duplicate member", `{"question": "q", "question": "r"}`, &invalid, "question"},
		{"wrong type", `{"or": [{"question": 1}]}`, &invalid, "or[0].question"},
		{"empty part", `{"and": [{"question": "q"}, {}]}`, &empty, "and[1]"},
		{"a part that is null", `{"or": [null]}`, &empty, "or[0]"},
		{"negation of nothing", `{"not": true}`, &empty, ""},
		{"negation of nothing inside", `{"and": [{"not": true}]}`, &empty, "and[0]"},
		{"datapoints without a question", `{"datapoints": ["a"]}`, &invalid, "datapoints"},
		{"min_count without a question", `{"min_count": 1}`, &invalid, "min_count"},
		{"datapoints and options differ", `{"question": "q", "datapoints": ["a"], "options": ["b"]}`, &invalid, "options"},
		{"negative min_count", `{"question": "q", "min_count": -1}`, &invalid, "min_count"},
		{"min_count of no integer", `{"question": "q", "min_count": 1.5}`, &invalid, "min_count"},
		{"suffix that is no number", `{"question": "q", "suffixes": ["x"]}`, &invalid, "suffixes"},
		{"suffix with a leading zero", `{"question": "q", "suffixes": ["01"]}`, &invalid, "suffixes"},
		{"suffixes of a pseudo-question", `{"question": "waves", "suffixes": [1]}`, &invalid, "suffixes"},
		{"too deep", strings.Repeat(`{"and": [`, 64) + `{"question": "q"}` + strings.Repeat(`]}`, 64), &complex,
			strings.Repeat("and[0].", 63) + "and[0]"},
		{"too many nodes", `{"or": [` + strings.Repeat(`{"question": "q"},`, 9_999) + `{"question": "q"}]}`, &complex,
			"or[9999]"},
		{"no JSON", `{"question": `, &invalid, "question"},
	} {
		t.Run(c.name, func(t *testing.T) {
			x, err := audience.Parse([]byte(c.json))
			if err == nil {
				t.Fatalf("read as %#v", x)
			}
			if !errors.As(err, c.kind) {
				t.Fatalf("error of type %T: %v", err, err)
			}
			var path string
			switch {
			case errors.As(err, &invalid):
				path = invalid.Path
			case errors.As(err, &empty):
				path = empty.Path
			case errors.As(err, &complex):
				path = complex.Path
			}
			if path != c.path {
				t.Errorf("path %q, want %q: %v", path, c.path, err)
			}
		})
	}
}

func TestDeepestAllowed(t *testing.T) {
	text := strings.Repeat(`{"and": [`, 63) + `{"question": "q"}` + strings.Repeat(`]}`, 63)
	if _, err := audience.Parse([]byte(text)); err != nil {
		t.Error(err)
	}
}

var printed = []struct {
	x    audience.Expr
	want string
}{
	{nil, `{}`},
	{audience.Everyone{}, `{"question":"waves"}`},
	{audience.And{}, `{"question":"waves"}`},
	{audience.Or{}, `{"question":"waves","not":true}`},
	{audience.Answers{Question: "q", Datapoints: []string{"a\"b"}, Suffixes: []int{1, 20}, Min: 2},
		`{"question":"q","datapoints":["a\"b"],"suffixes":[1,20],"min_count":2}`},
	{audience.Not{X: audience.Or{audience.Waves{Codes: []string{"w"}}, audience.Locations{}}},
		`{"or":[{"question":"waves","datapoints":["w"]},{"question":"locations"}],"not":true}`},
	{audience.Not{X: audience.Not{X: audience.Answers{Question: "q"}}},
		`{"and":[{"question":"q","not":true}],"not":true}`},
	{audience.Not{X: audience.Or{}}, `{"and":[{"question":"waves","not":true}],"not":true}`},
}

func TestPrint(t *testing.T) {
	for _, c := range printed {
		if got := string(audience.Print(c.x)); got != c.want {
			t.Errorf("Print(%#v)\n got %s\nwant %s", c.x, got, c.want)
		}
	}
}

// What Print writes, Parse reads, and printing it again changes nothing.
func FuzzParse(f *testing.F) {
	for _, c := range printed {
		f.Add(audience.Print(c.x))
	}
	f.Add([]byte(`{"question":"q","options":["a"],"and":[{"or":[{"question":"x","not":true}]}],"not":true}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		x, err := audience.Parse(data)
		if err != nil {
			if x != nil {
				t.Fatalf("both %v and %v", x, err)
			}
			return
		}
		once := audience.Print(x)
		y, err := audience.Parse(once)
		if err != nil {
			t.Fatalf("%s is printed as %s, which is not read: %v", data, once, err)
		}
		if twice := audience.Print(y); string(once) != string(twice) {
			t.Fatalf("printed first as %s, then as %s", once, twice)
		}
	})
}
