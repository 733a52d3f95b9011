package strictjson

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func parse(t testing.TB, text string) Value {
	t.Helper()
	v, err := Parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestShapes reads from one document what is not as asked; each error names the place and what would be right.
func TestShapes(t *testing.T) {
	const text = `{
		"s": "x", "n": 1.5, "b": true, "z": null, "o": {"a b": 1, "données": [0, {"1st": ""}]}, "l": ["x", 7, null, {"y": 1}, 7.5],
		"rows": [{"name": "r", "expression": {"and": [{"question": "q1", "datapoint": ["x"]}]}}], "big": 1e19, "nulls": ["x", null]
	}`
	for _, test := range []struct {
		read func(o Object)
		want string
	}{
		{func(o Object) { o.Text("n") }, "n: a string is expected, not a number"},
		{func(o Object) { o.Text("b") }, "b: a string is expected, not a boolean"},
		{func(o Object) { o.Text("o") }, "o: a string is expected, not an object"},
		{func(o Object) { o.Text("l") }, "l: a string is expected, not an array"},
		{func(o Object) { o.Bool("s") }, "s: a boolean is expected, not a string"},
		{func(o Object) { o.Int("s") }, "s: a number is expected, not a string"},
		{func(o Object) { o.Int("n") }, "n: a whole number is expected, not 1.5"},
		{func(o Object) { o.Int("big") }, "big: a whole number from -9223372036854775808 to 9223372036854775807 is " +
			"expected, not 1e19"},
		{func(o Object) { o.Float("s") }, "s: a number is expected, not a string"},
		{func(o Object) { o.Items("s") }, "s: an array is expected, not a string"},
		{func(o Object) { o.Texts("o") }, "o: an array is expected, not an object"},
		{func(o Object) { o.Texts("l") }, "l[1]: a string is expected, not a number"},
		{func(o Object) { o.Get("y").Fail("%s", cut(strings.Repeat("é", 60))) }, "y: " + strings.Repeat("é", 60)},
		{func(o Object) { o.Texts("nulls") }, "nulls[1]: a string is expected, not null"},
		{func(o Object) { o.Codes("l") }, "l[2]: a string or a whole number is expected, not null"},
		{func(o Object) { o.Get("l").Items()[4].At("code").Int() }, "code: a whole number is expected, not 7.5"},
		{func(o Object) { o.Get("l").Items()[3].Codes() }, "l[3]: an array is expected, not an object"},
		{func(o Object) { o.Get("l").Object() }, "l: an object is expected, not an array"},
		{func(o Object) { o.Get("o").Object().Text("a b") }, `o["a b"]: a string is expected, not a number`},
		{func(o Object) { o.Get("o").Object().Items("données")[1].Object().Int("1st") },
			`o.données[1]["1st"]: a number is expected, not a string`},
		{func(o Object) { o.Get("z").Fail("a name is required") }, "z: a name is required"},
		{func(o Object) { o.Get("absent").Fail("a name is required") }, "absent: a name is required"},
		{func(o Object) { o.Get("absent").Object().Get("x y").Object().Get("z").Fail("%d %% missing", 5) },
			`absent["x y"].z: 5 % missing`},
		{func(o Object) { o.Get("z").Object("a").Get("a").Fail("required") }, "z.a: required"},
		{func(o Object) {
			expression := o.Items("rows")[0].Object("name", "expression").Get("expression").At("rows[0].audience")
			expression.Object("and").Items("and")[0].Object("question", "datapoints")
		}, `rows[0].audience.and[0].datapoint: unknown member "datapoint"; "datapoints" is probably meant`},
		{func(o Object) {
			o.Items("rows")[0].Object("expression", "id")
		}, `rows[0].name: unknown member "name"; known here: expression, id`},
		{func(o Object) { o.Get("o").Object("a_b", "c") }, `o["a b"]: unknown member "a b"; "a_b" is probably meant`},
	} {
		v := parse(t, text)
		test.read(v.Object())
		err := v.Err()
		var e *Error
		if !errors.As(err, &e) || e.Syntax || e.Line != 0 || e.Column != 0 || err.Error() != test.want {
			t.Errorf("\n got %v\nwant %s", err, test.want)
		}
	}
}

func TestReads(t *testing.T) {
	v := parse(t,
		` {"s":"x\u0041é","n":-2.50,"i":1.20e2,"b":true,"f":false,"z":null,"l":["a","b"],"c":[1,"2",3.0,1e1],"e":[],"o":{"k":[ 1 , "a b" ]}} `)
	o := v.Object("s", "n", "i", "b", "f", "z", "l", "c", "e", "o", "absent")
	for _, test := range []struct {
		name      string
		got, want any
	}{
		{"text", o.Text("s"), "xAé"}, {"text of null", o.Text("z"), ""}, {"text of nothing", o.Text("absent"), ""},
		{"float", o.Float("n"), -2.5}, {"float of null", o.Float("z"), 0.0}, {"float of nothing", o.Float("absent"), 0.0},
		{"int", o.Int("i"), int64(120)}, {"int of null", o.Int("z"), int64(0)}, {"int of nothing", o.Int("absent"), int64(0)},
		{"bool", o.Bool("b"), true}, {"false", o.Bool("f"), false}, {"bool of null", o.Bool("z"), false},
		{"bool of nothing", o.Bool("absent"), false},
		{"texts", o.Texts("l"), []string{"a", "b"}}, {"texts of []", o.Texts("e"), []string{}},
		{"texts of null", o.Texts("z"), []string(nil)},
		{"codes", o.Codes("c"), []string{"1", "2", "3", "10"}}, {"codes of []", o.Codes("e"), []string{}},
		{"codes of nothing", o.Codes("absent"), []string(nil)},
		{"items", len(o.Items("c")), 4}, {"no items", o.Items("z") == nil && o.Items("absent") == nil, true},
		{"items of []", o.Items("e") != nil, true},
		{"exists", []bool{o.Get("s").Exists(), o.Get("f").Exists(), o.Get("z").Exists(), o.Get("absent").Exists()},
			[]bool{true, true, false, false}},
		{"null", []bool{o.Get("s").Null(), o.Get("n").Null(), o.Get("z").Null(), o.Get("absent").Null()},
			[]bool{false, false, true, false}},
		{"has", []bool{o.Has("s"), o.Has("z"), o.Has("absent")}, []bool{true, true, false}},
		{"raw", []string{o.Get("n").Raw(), o.Get("o").Raw(), o.Get("z").Raw(), o.Get("absent").Raw()},
			[]string{"-2.50", `{"k":[ 1 , "a b" ]}`, "null", ""}},
		{"compact", []string{string(o.Get("o").Compact()), string(o.Get("s").Compact())}, []string{`{"k":[1,"a b"]}`,
			`"x\u0041é"`}},
		{"compact of nothing", o.Get("absent").Compact(), []byte(nil)},
		{"path", []string{v.Path(), o.Get("c").Items()[1].Path(), o.Get("absent").Path(),
			v.At("body").Object().Get("s").Path()}, []string{"", "c[1]", "absent", "body.s"}},
		{"members of nothing", len(names(o.Get("absent").Object("x"))), 0},
		{"members", names(o), []string{"s", "n", "i", "b", "f", "z", "l", "c", "e", "o"}},
		{"error", v.Err() == nil && o.Err() == nil, true},
	} {
		if diff := cmp.Diff(test.want, test.got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func names(o Object) (names []string) {
	for name := range o.Members() {
		names = append(names, name)
	}
	return names
}

// TestSticky: after an error nothing is read any more, and the first error stays.
func TestSticky(t *testing.T) {
	v := parse(t, `{"s":"x","n":1,"b":true,"z":null,"l":["x"],"o":{"a":1}}`)
	o := v.Object()
	visited := 0
	for name := range o.Members() {
		if visited++; name == "n" {
			o.Text("n")
		}
	}
	if visited != 2 {
		t.Errorf("%d members were visited; after the error in the second there are none", visited)
	}
	o.Get("b").Fail("another error")
	if v.Err() == nil || v.Err().Error() != "n: a string is expected, not a number" || o.Err() != v.Err() {
		t.Errorf("the error is %v", v.Err())
	}
	if o.Text("s") != "" || o.Int("n") != 0 || o.Float("n") != 0 || o.Bool("b") || o.Items("l") != nil ||
		o.Texts("l") != nil || o.Codes("l") != nil {
		t.Error("a value is read after an error")
	}
	if o.Get("s").Exists() || o.Get("z").Null() || o.Has("s") || len(names(o)) > 0 || len(names(o.Get("o").Object())) > 0 {
		t.Error("a value exists after an error")
	}
	if o.Get("s").Raw() != `"x"` || o.Get("s").Path() != "s" {
		t.Error("what is written, and where, is not told after an error")
	}
	if other := parse(t, `"x"`); other.Text() != "x" {
		t.Error("another document is affected")
	}
}

// TestZeroValue: a Value and an Object that were not made read as absent.
func TestZeroValue(t *testing.T) {
	var v Value
	v.Fail("nowhere to record it")
	if v.Exists() || v.Null() || v.Text() != "" || v.Items() != nil || v.Object("a").Has("a") || v.Err() != nil {
		t.Error("the zero Value is not absent")
	}
	var o Object
	if o.Has("a") || o.Text("a") != "" || o.Get("a").Object().Get("b").Exists() || len(names(o)) > 0 || o.Err() != nil {
		t.Error("the zero Object is not empty")
	}
}

// TestLargeObject reads members of an object of any size, by name and in order.
func TestLargeObject(t *testing.T) {
	for _, n := range []int{0, 1, many - 1, many, many + 1, 1000} {
		var b strings.Builder
		var want []string
		for i := range n {
			fmt.Fprintf(&b, `,"\u006d%d":%d`, i, i)
			want = append(want, fmt.Sprintf("m%d", i))
		}
		o := parse(t, "{"+strings.TrimPrefix(b.String(), ",")+"}").Object()
		if got := names(o); !slices.Equal(got, want) {
			t.Fatalf("the members of %d are %q", n, got)
		}
		for i, name := range want {
			if o.Int(name) != int64(i) || !o.Has(name) || o.Get(name).Path() != name {
				t.Fatalf("%s of %d is %s", name, n, o.Get(name).Raw())
			}
		}
		if o.Has("m") || o.Get("m").Exists() || o.Has(fmt.Sprintf("m%d", n)) {
			t.Fatalf("an object of %d members has one more", n)
		}
		if o.Err() != nil {
			t.Fatal(o.Err())
		}
	}
}

func TestUnknownMember(t *testing.T) {
	known := []string{"question", "datapoints", "options", "suffixes", "min_count", "and", "or", "not"}
	for _, test := range []struct{ name, want string }{
		{"Question", "question"}, {"questoin", "question"}, {"questions", "question"}, {"datapoint", "datapoints"},
		{"data_points", "datapoints"},
		{"mincount", "min_count"}, {"minCount", "min_count"}, {"AND", "and"}, {"suffix", "suffixes"}, {"adn", "and"},
		{"notes", ""}, {"optoins", "options"}, {"xor", ""}, {"nor", "not"}, {"a", ""}, {"", ""}, {"wave", ""},
		{strings.Repeat("question", 1000), ""},
	} {
		v := parse(t, fmt.Sprintf(`{"%s":1}`, test.name))
		v.Object(known...)
		shown := test.name
		if len(shown) > longest {
			shown = shown[:longest] + "…"
		}
		want := fmt.Sprintf("unknown member %q; %q is probably meant", shown, test.want)
		if test.want == "" {
			want = fmt.Sprintf("unknown member %q; known here: question, datapoints, options, suffixes, min_count, "+
				"and, or, not", shown)
		}
		var e *Error
		if !errors.As(v.Err(), &e) || e.Reason != want {
			t.Errorf("%.50q: %.300v, want %.300s", test.name, v.Err(), want)
		}
	}
}

// TestLongNames: neither a path nor a message grows with the names and numbers that a stranger sends.
func TestLongNames(t *testing.T) {
	long := strings.Repeat("é", 1<<20)
	v := parse(t, `{"`+long+`":{"`+long+`":1.`+strings.Repeat("3", 1<<20)+`}}`)
	for _, inner := range v.Object().Members() {
		for _, n := range inner.Object().Members() {
			n.Int()
		}
	}
	shown := `["` + strings.Repeat("é", longest) + `…"]`
	want := shown + shown + ": a whole number is expected, not 1." + strings.Repeat("3", longest-2) + "…"
	if err := v.Err(); err == nil || err.Error() != want {
		t.Errorf("%.500v", err)
	}
}

func TestInt(t *testing.T) {
	for _, test := range []struct {
		text        string
		want        int64
		whole, fits bool
	}{
		{"0", 0, true, true}, {"-0", 0, true, true}, {"0.000", 0, true, true}, {"0e99999999999999999999", 0, true,
			true}, {"-0.0e-99999999999999999999", 0, true, true},
		{"1.0", 1, true, true}, {"1e2", 100, true, true}, {"1E+2", 100, true, true}, {"-1.50e1", -15, true, true},
		{"100e-2", 1, true, true}, {"1000e-4", 0, false, false},
		{"1.5", 0, false, false}, {"1e-1", 0, false, false}, {"1e-99999999999999999999", 0, false, false},
		{"1.5e-99999999999999999999", 0, false, false},
		{"9007199254740993", 9007199254740993, true, true}, {"9223372036854775807", math.MaxInt64, true, true},
		{"9223372036854775808", 0, true, false},
		{"-9223372036854775808", math.MinInt64, true, true}, {"-9223372036854775809", 0, true, false},
		{"9.223372036854775807e18", math.MaxInt64, true, true},
		{"9223372036854775806.5", 0, false, false}, {"1e18", 1e18, true, true}, {"1e19", 0, true, false},
		{"1e308", 0, true, false},
		{"0." + strings.Repeat("0", 400) + "5e401", 5, true, true}, {"5" + strings.Repeat("0", 300) + "e-300", 5, true, true},
	} {
		got, whole, fits := integer(test.text)
		if got != test.want || whole != test.whole || fits != test.fits {
			t.Errorf("%s: %d, %v, %v; want %d, %v, %v", test.text, got, whole, fits, test.want, test.whole, test.fits)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	whole := 0
	for range 50_000 {
		text := fmt.Sprintf("%d.%0*de%d", r.IntN(1000)-500, 1+r.IntN(5), r.IntN(3)*10, r.IntN(24)-4)
		want, _ := new(big.Rat).SetString(text)
		v := parse(t, text)
		got, err := v.Int(), v.Err()
		if fits := want.IsInt() && want.Num().IsInt64(); (err == nil) != fits || fits && got != want.Num().Int64() {
			t.Fatalf("%s: %d, %v", text, got, err)
		}
		if err == nil && got != 0 {
			whole++
		}
	}
	if whole < 5000 {
		t.Errorf("only %d numbers were whole", whole)
	}
}

func FuzzInt(f *testing.F) {
	for _, s := range []string{"0", "-1.50e1", "1e-99999999999999999999", "9223372036854775808", "0.0005e4", "1000e-3"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := Parse([]byte(text))
		if err != nil || v.kind() != "a number" {
			return
		}
		got, err := v.Int(), v.Err()
		if e := strings.IndexAny(v.Raw(), "eE"); len(v.Raw()) > 400 || e >= 0 && len(v.Raw())-e > 5 {
			return // slow in math/big
		}
		want, ok := new(big.Rat).SetString(v.Raw())
		if fits := ok && want.IsInt() && want.Num().IsInt64(); (err == nil) != fits || fits && got != want.Num().Int64() {
			t.Fatalf("%s: %d, %v", text, got, err)
		}
	})
}

// The errors of a document are asked for once, when all is read.
func Example() {
	body, err := Parse([]byte(`{"name": "Adults", "rows": [{"question": "q1", "datapoints": [1, "2"]}, {"question": 7}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	o := body.Object("name", "rows")
	fmt.Println(o.Text("name"))
	for _, item := range o.Items("rows") {
		row := item.Object("question", "datapoints")
		fmt.Printf("%q %q\n", row.Text("question"), row.Codes("datapoints"))
	}
	fmt.Println(body.Err())
	// Output:
	// Adults
	// "q1" ["1" "2"]
	// "" []
	// rows[1].question: a string is expected, not a number
}

func ExampleParse() {
	for _, text := range []string{`{"a": [1, 2,]}`, `{"a": 1, "\u0061": 2}`, `[1e999]`} {
		_, err := Parse([]byte(text))
		fmt.Println(err)
	}
	// Output:
	// a[2]: a value is expected, not ']' (line 1, column 13)
	// a: this member is there twice; an object has each name once (line 1, column 10)
	// [0]: the number 1e999 is too large; at most about 1.8e308 is (line 1, column 2)
}

func BenchmarkRead(b *testing.B) {
	data := codebook("")
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		v, _ := Parse(data)
		for _, item := range v.Items() {
			q := item.Object("Code", "Name", "Description", "Datapoints")
			q.Text("Code")
			for _, item := range q.Items("Datapoints") {
				d := item.Object("Code", "Name", "Midpoint", "Accessible")
				d.Text("Name")
				d.Float("Midpoint")
			}
		}
		if v.Err() != nil {
			b.Fatal(v.Err())
		}
	}
}
