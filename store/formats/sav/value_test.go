package sav

import (
	"math"
	"strconv"
	"testing"
)

func TestAppendNumber(t *testing.T) {
	for _, test := range []struct {
		f    float64
		want string
	}{
		{0, "0"}, {math.Copysign(0, -1), "0"}, {1, "1"}, {-12, "-12"}, {0.1, "0.1"}, {-0.5, "-0.5"},
		{1.0 / 3, "0.3333333333333333"},
		{2.02951325036, "2.02951325036"}, {1e15, "1000000000000000"}, {1 << 53, "9007199254740992"},
		{1e22, "10000000000000000000000"},
		{1e-7, "0.0000001"}, {123456.789e3, "123456789"}, {math.Inf(1), "Inf"}, {math.Inf(-1), "-Inf"},
	} {
		got := string(AppendNumber(nil, test.f))
		if got != test.want {
			t.Errorf("%g: %s; expected %s", test.f, got, test.want)
		}
		if back, err := strconv.ParseFloat(got, 64); err != nil || back != test.f {
			t.Errorf("%s reads back as %v, %v", got, back, err)
		}
	}
	rng := random(5)
	for range 10_000 {
		f := math.Float64frombits(rng.Uint64())
		if f != f {
			continue
		}
		if back, err := strconv.ParseFloat(string(AppendNumber(nil, f)), 64); err != nil || back != f {
			t.Fatalf("%g reads back as %g, %v", f, back, err)
		}
	}
}

func TestValue(t *testing.T) {
	if Number(math.NaN()) != (Value{}) || Number(-math.MaxFloat64) != (Value{}) || !(Value{}).SystemMissing() {
		t.Error("NaN and the number for system-missing must be the zero Value")
	}
	if Text("a  ") != Text("a") || Text("a\x00") != Text("a") || Text(" a") == Text("a") || Text("") == (Value{}) {
		t.Error("padding at the end of texts must not count, and nothing else")
	}
	if _, ok := Text("1").Float(); ok {
		t.Error("a text has a number")
	}
	if s, ok := Number(1).Text(); ok || s != "" {
		t.Error("a number has a text")
	}
	if Number(1.5).String() != "1.5" || Text("x ").String() != "x" || (Value{}).String() != "" {
		t.Error("String")
	}
}

func TestMissing(t *testing.T) {
	m := Missing{Values: []Value{Number(99)}, Range: true, Low: math.Inf(-1), High: -1}
	for f, want := range map[float64]bool{99: true, -1: true, -1e300: true, -0.5: false, 98: false} {
		if m.Has(Number(f)) != want {
			t.Errorf("%g: expected %v", f, want)
		}
	}
	if m.Has(Value{}) || m.Has(Text("99")) || m.Empty() || !(&Missing{}).Empty() {
		t.Error("system-missing or a text is user-missing, or Empty is wrong")
	}
}

func TestISO(t *testing.T) {
	for _, test := range []struct {
		format  FormatType
		seconds float64
		want    string // "" where there is no such text
	}{
		{FormatDATE, 0, "1582-10-14"}, {FormatDATE, 86399, "1582-10-14"}, {FormatDATE, 86400, "1582-10-15"},
		{FormatJDATE, 13744980610, "2018-05-06"}, {FormatQYR, 13744980610, "2018-05-06"}, {FormatWKYR, 13744980610,
			"2018-05-06"},
		{FormatDATE, -1, ""}, {FormatDATE, 1e12, ""}, {FormatDATE, math.NaN(), ""}, {FormatDATE, math.Inf(1), ""},
		{FormatDATE, lastSecond, "9999-12-31"}, {FormatDATE, lastSecond + 1, ""},
		{FormatDATETIME, 13744980610.3, "2018-05-06T10:10:10.3"}, {FormatYMDHMS, 0.125, "1582-10-14T00:00:00.125"},
		{FormatTIME, 0, "00:00:00"}, {FormatTIME, 59.9, "00:00:59.9"}, {FormatTIME, 36610.3, "10:10:10.3"},
		{FormatMTIME, 61, "00:01:01"},
		{FormatDTIME, 100*3600 + 62, "100:01:02"}, {FormatDTIME, -90, "-00:01:30"}, {FormatTIME, 1e300, ""},
		{FormatTIME, math.Inf(-1), ""},
		{FormatF, 1, ""}, {FormatWKDAY, 1, ""}, {FormatMONTH, 1, ""}, {FormatA, 1, ""},
	} {
		got, ok := Format{Type: test.format}.ISO(test.seconds)
		if got != test.want || ok != (test.want != "") {
			t.Errorf("%v of %v: %q, %v; expected %q", test.format, test.seconds, got, ok, test.want)
		}
	}
}

func TestFormatString(t *testing.T) {
	for _, test := range []struct {
		format Format
		want   string
	}{
		{Format{FormatF, 8, 2}, "F8.2"}, {Format{FormatF, 8, 0}, "F8.0"}, {Format{FormatA, 20, 0}, "A20"},
		{Format{FormatDATE, 11, 0}, "DATE11"},
		{Format{FormatDATETIME, 23, 2}, "DATETIME23.2"}, {Format{FormatType(13), 1, 0}, "?131.0"},
		{Format{FormatWKDAY, 3, 0}, "WKDAY3"},
	} {
		if got := test.format.String(); got != test.want {
			t.Errorf("%+v: %s; expected %s", test.format, got, test.want)
		}
	}
}

func TestNames(t *testing.T) {
	for name, want := range map[string]string{
		"q1": "q1", "größe": "größe", "a b": "a_b", "1a": "V1a", "_x": "V_x", " x": "V_x", "": "V", "end.": "end",
		"With": "With_",
		"日本":   "日本", "a\xffb": "a_b", "$sys": "V$sys", "@x": "@x",
	} {
		got := repairName(name)
		if got != want || nameProblem(got) != "" {
			t.Errorf("%q: %q (%s); expected %q", name, got, nameProblem(got), want)
		}
	}
	n := newNamer(8)
	for _, want := range []string{"QUESTION", "QUESTI_1", "QUESTI_2"} {
		if got := n.give("QUESTION"); got != want {
			t.Errorf("%s; expected %s", got, want)
		}
	}
	for name, want := range map[string]string{"question_10": "QUESTION", "größe": "GRE", "1": "V", "日本": "V",
		"to": "TO_", "a.b-c": "ABC"} {
		if got := shortBase(name); got != want || !validShort(got) {
			t.Errorf("%s: %s; expected %s", name, got, want)
		}
	}
	if got := cutText("aä日", 3, ""); got != "aä" {
		t.Errorf("cut to %q", got)
	}
}

func TestCategoryLabel(t *testing.T) {
	d := everything().Dictionary
	byVariable := Set{Kind: Dichotomy, Counted: Number(1)}
	byValue := Set{Kind: Dichotomy, Counted: Number(1), CountedLabels: true}
	for _, test := range []struct {
		set      Set
		variable string
		want     string
	}{
		{byVariable, "choice_a", "Apples"}, {byValue, "choice_a", "Yes, größer €"}, {byValue, "CHOICE_B", "Yes, größer €"},
		{byValue, "open", "Open"}, {byVariable, "weight", "weight"}, {byVariable, "gone", "gone"},
	} {
		if got := d.CategoryLabel(&test.set, test.variable); got != test.want {
			t.Errorf("%s: %q; expected %q", test.variable, got, test.want)
		}
	}
}
