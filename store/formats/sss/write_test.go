package sss

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func stream(cases []*Case) iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		for _, c := range cases {
			if !yield(c, nil) {
				return
			}
		}
	}
}

func text(s string) Datum { return Datum{Present: true, Text: s} }

func picks(codes ...string) Datum {
	d := Datum{Present: true}
	for _, c := range codes {
		d.Picks = append(d.Picks, Pick{Code: c})
	}
	return d
}

// visits is a survey of every type, and what two people said.
func visits() (*Definition, []*Case) {
	return &Definition{
			Origin: "crosswave", Name: "visits", Title: Text{Plain: "Visits & more\nwave 1"},
			Record: Record{Variables: []Variable{
				{Name: "id", Type: Quantity, Use: Serial, Label: Text{Plain: "Respondent"}},
				{Name: "day", Type: Date}, {Name: "hour", Type: Time},
				{Name: "again", Type: Logical, Label: Text{"Again?", []Variant{{"fr", "interview", "Encore ?"}}}},
				{Name: "when", Type: Single, Literal: true, Filter: "again",
					Values: []Value{{Code: "A", Label: Text{Plain: "Soon"}}, {Code: "LA", Label: Text{Plain: `"Later"`}}}},
				{Name: "view", Type: Single, Values: []Value{{"1", Text{Plain: "Good"}, "1.5"}, {"10", Text{Plain: "Bad"}, "-1"}}},
				{Name: "seen", Type: Multiple, Values: []Value{{Code: "1"}, {Code: "2"}, {Code: "5"}}},
				{Name: "best", Type: Multiple, Spread: Spread{Subfields: 2}, Values: []Value{{Code: "1"}, {Code: "12"}}},
				{Name: "why", Type: Character},
				{Name: "weight", Type: Quantity, Use: Weight},
			}},
		}, []*Case{
			{Data: []Datum{text("1"), text("20240229"), text("093000"), text("1"), picks("A"), picks("10"),
				picks("1", "5"), picks("12", "1"), text(`Größe, "L"`), text("1.4000")}},
			{Data: []Datum{text("12"), {}, {}, text("0"), {}, text("1"), picks(), picks(), {}, text("-0.5")}},
			{Data: make([]Datum, 10)},
		}
}

func TestWriteFixed(t *testing.T) {
	d, cases := visits()
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	wantData := strings.Join([]string{
		// id day      hour   again when view seen best why  weight
		` 120240229093000` + `1A 10` + `10001` + `1201` + `Größe, "L"` + ` 1.4000`,
		`12              ` + `0   1` + `00000` + `0000` + `          ` + `   -0.5`,
		strings.Repeat(" ", 47),
	}, "\r\n") + "\r\n"
	wantDefinition := `<?xml version="1.0" encoding="UTF-8"?>
<sss version="2.0" languages="fr" modes="interview">
  <origin>crosswave</origin>
  <survey>
    <name>visits</name>
    <title>Visits &amp; more<br/>wave 1</title>
    <record ident="V">
      <variable ident="1" type="quantity" use="serial">
        <name>id</name>
        <label>Respondent</label>
        <position start="1" finish="2"/>
        <values>
          <range from="1" to="12"/>
        </values>
      </variable>
      <variable ident="2" type="date">
        <name>day</name>
        <label></label>
        <position start="3" finish="10"/>
      </variable>
      <variable ident="3" type="time">
        <name>hour</name>
        <label></label>
        <position start="11" finish="16"/>
      </variable>
      <variable ident="4" type="logical">
        <name>again</name>
        <label>Again?<text xml:lang="fr" mode="interview">Encore ?</text></label>
        <position start="17"/>
      </variable>
      <variable ident="5" type="single" format="literal">
        <name>when</name>
        <label></label>
        <position start="18" finish="19"/>
        <filter>again</filter>
        <values>
          <value code="A">Soon</value>
          <value code="LA">&#34;Later&#34;</value>
        </values>
      </variable>
      <variable ident="6" type="single">
        <name>view</name>
        <label></label>
        <position start="20" finish="21"/>
        <values>
          <value code="1" score="1.5">Good</value>
          <value code="10" score="-1">Bad</value>
        </values>
      </variable>
      <variable ident="7" type="multiple">
        <name>seen</name>
        <label></label>
        <position start="22" finish="26"/>
        <values>
          <value code="1"></value>
          <value code="2"></value>
          <value code="5"></value>
        </values>
      </variable>
      <variable ident="8" type="multiple">
        <name>best</name>
        <label></label>
        <position start="27" finish="30"/>
        <spread subfields="2" width="2"/>
        <values>
          <value code="1"></value>
          <value code="12"></value>
        </values>
      </variable>
      <variable ident="9" type="character">
        <name>why</name>
        <label></label>
        <position start="31" finish="40"/>
        <size>10</size>
      </variable>
      <variable ident="10" type="quantity" use="weight">
        <name>weight</name>
        <label></label>
        <position start="41" finish="47"/>
        <values>
          <range from="-0.5000" to="1.4000"/>
        </values>
      </variable>
    </record>
  </survey>
</sss>
`
	if diff := cmp.Diff(wantData, data.String()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(wantDefinition, strings.ReplaceAll(def.String(), "\r\n", "\n")); diff != "" {
		t.Error(diff)
	}
	want := `1: id=1 day=20240229 hour=093000 again=1 when=A[A@0] view=10[10@1] seen=[1@0][5@2] best=[12@1][1@0] why=Größe, "L" weight=1.4000
2: id=12 day=- hour=- again=0 when=- view=1[1@0] seen=[] best=[] why=- weight=-0.5
3: id=- day=- hour=- again=- when=- view=- seen=- best=- why=- weight=-`
	if diff := cmp.Diff(want, read(t, def.String(), data.String(), Options{})); diff != "" {
		t.Error(diff)
	}
}

func TestWriteCSV(t *testing.T) {
	d, cases := visits()
	d.Record.Format, d.Record.Skip = CSV, 3
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	want := strings.Join([]string{
		`id,day,hour,again,when,view,seen,best,why,weight`,
		`1,20240229,093000,1,A,10,"10001","1201","Größe, ""L""",1.4000`,
		`12,,,0,,1,"00000","0000",,-0.5`,
		`,,,,,,,,,`,
	}, "\r\n") + "\r\n"
	if diff := cmp.Diff(want, data.String()); diff != "" {
		t.Error(diff)
	}
	if !strings.Contains(def.String(), `<record ident="V" format="csv" skip="1">`) {
		t.Error(def.String())
	}
}

// Places that are given stay, gaps and all.
func TestWritePlaced(t *testing.T) {
	d := &Definition{Record: Record{Variables: []Variable{
		{Ident: "9", Name: "b", Type: Logical, Start: 9, Finish: 9},
		{Name: "a", Type: Quantity, Start: 2, Finish: 5},
		{Name: "t", Type: Time, Start: 11, Finish: 14},
	}}}
	cases := []*Case{{Data: []Datum{text("1"), text("-1.5"), text("093000")}}, {Data: []Datum{{}, text("7"), {}}}}
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	if want := " -1.5   1 0930\r\n    7         \r\n"; data.String() != want {
		t.Errorf("%q", data.String())
	}
	d.Record.Format = CSV
	d.Record.Variables[1].Finish, d.Record.Variables[2].Start, d.Record.Variables[2].Finish = 2, 3, 3
	def.Reset()
	data.Reset()
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	if want := ",-1.5,093000,,,,,,1\r\n,7,,,,,,,\r\n"; data.String() != want {
		t.Errorf("%q", data.String())
	}
	one := &Definition{Record: Record{Format: CSV, Variables: []Variable{{Name: "a", Type: Logical}}}}
	def.Reset()
	data.Reset()
	if err := Write(&def, &data, one, stream([]*Case{{Data: []Datum{{}}}, {Data: []Datum{text("1")}}})); err != nil {
		t.Fatal(err)
	}
	if got := read(t, def.String(), data.String(), Options{}); got != "1: a=-\n2: a=1" {
		t.Errorf("%q: %s", data.String(), got)
	}
}

// Sub-fields with a CSV field each are kept so.
func TestWriteApart(t *testing.T) {
	d := &Definition{Record: Record{Format: CSV, Skip: 1, Variables: []Variable{
		{Name: "n", Type: Multiple, Start: 2, Finish: 3, Spread: Spread{Subfields: 2}, Values: []Value{{Code: "1"},
			{Code: "20"}}},
		{Name: "x", Type: Multiple, Start: 4, Finish: 5, Spread: Spread{Subfields: 2}, Literal: true,
			Values: []Value{{Code: "A"}, {Code: "B,C"}}},
		{Name: "l", Type: Logical, Start: 1, Finish: 1},
	}}}
	cases := []*Case{
		{Data: []Datum{picks("20", "1"), picks("B,C"), text("1")}},
		{Data: []Datum{picks(), {}, {}}},
		{Data: []Datum{{}, picks("A", "B,C"), text("0")}},
	}
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	if want := "l,n,,x,\r\n1,20,1,\"B,C\",\"\"\r\n,0,0,\"\",\"\"\r\n0,\"\",\"\",A,\"B,C\"\r\n"; data.String() != want {
		t.Errorf("%q", data.String())
	}
	want := "2: n=[20@1][1@0] x=[B,C@1] l=1\n3: n=[] x=- l=-\n4: n=- x=[A@0][B,C@1] l=0"
	if got := read(t, def.String(), data.String(), Options{}); got != want {
		t.Error(got)
	}
}

// What the definition leaves out is found in the cases.
func TestWriteFindsWidths(t *testing.T) {
	d := &Definition{Record: Record{Variables: []Variable{
		{Name: "q", Type: Quantity}, {Name: "s", Type: Single}, {Name: "x", Type: Single, Literal: true},
		{Name: "m", Type: Multiple},
		{Name: "p", Type: Multiple, Spread: Spread{Subfields: 2}}, {Name: "none", Type: Quantity},
		{Name: "t", Type: Character},
	}}}
	cases := []*Case{
		{Data: []Datum{text("-5"), picks("7"), picks("é"), picks("2"), picks("-1"), {}, {}}},
		{Data: []Datum{text("100.25"), text("-12"), text("abc"), picks(), picks("10", "3"), {}, {}}},
	}
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	if want := "    -5  7é  01-100  \r\n100.25-12abc001003  \r\n"; data.String() != want {
		t.Errorf("%q", data.String())
	}
	ranges := []Range{{"-5.00", "100.25"}, {"-12", "7"}, {}, {"1", "2"}, {"1", "10"}, {"0", "0"}, {}}
	got, err := ParseDefinition(&def)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range got.Record.Variables {
		if r := append(v.Ranges, Range{})[0]; r != ranges[i] {
			t.Errorf("%s: %v, want %v", v.Name, r, ranges[i])
		}
	}
}

func TestWrite12(t *testing.T) {
	d := &Definition{Version: "1.1", Record: Record{Variables: []Variable{
		{Name: "q1", Type: Single, Label: Text{"one", []Variant{{"fr", "", "un"}}}, Values: []Value{{Code: "1"},
			{Code: "2"}}}}}}
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream([]*Case{{Data: []Datum{picks("2")}}})); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(def.String(), `<sss version="1.2" languages="fr">`) || data.String() != "2\r\n" {
		t.Error(def.String(), data.String())
	}
}

func TestWriteSpreadsHighCodes(t *testing.T) {
	d := &Definition{Record: Record{Variables: []Variable{
		{Name: "brands", Type: Multiple, Values: []Value{{Code: "7"}, {Code: "100000"}}},
		{Name: "letters", Type: Multiple, Values: []Value{{Code: "A"}, {Code: "BC"}}},
		{Name: "free", Type: Multiple},
	}}}
	cases := []*Case{{Data: []Datum{picks("100000", "7"), picks("BC"), picks("3")}}, {Data: []Datum{picks(), {}, picks()}}}
	var def, data bytes.Buffer
	if err := Write(&def, &data, d, stream(cases)); err != nil {
		t.Fatal(err)
	}
	if want := "100000000007BC001\r\n000000000000  000\r\n"; data.String() != want {
		t.Errorf("%q", data.String())
	}
	want := "1: brands=[100000@1][7@0] letters=[BC@1] free=[3@-1]\n2: brands=[] letters=- free=[]"
	if got := read(t, def.String(), data.String(), Options{}); got != want {
		t.Error(got)
	}
}

func TestWriteErrors(t *testing.T) {
	one := func(v Variable) *Definition { return &Definition{Record: Record{Variables: []Variable{v}}} }
	csv := func(d *Definition) *Definition { d.Record.Format = CSV; return d }
	encoded := func(d *Definition, name string) *Definition { d.Encoding = name; return d }
	version := func(d *Definition, v string) *Definition { d.Version = v; return d }
	codes := []Value{{Code: "1"}, {Code: "2"}}
	placed := Variable{Name: "q", Type: Quantity, Start: 1, Finish: 3}
	for _, c := range []struct {
		name string
		def  *Definition
		data []Datum
		want string
	}{
		{"no variables", &Definition{}, nil, "triple-s definition: it describes no variables"},
		{"no name", one(Variable{Type: Logical}), []Datum{{}}, "it has no name"},
		{"name", one(Variable{Name: "a b", Type: Logical}), []Datum{{}}, "variable a b: its name has white space"},
		{"names", &Definition{Record: Record{Variables: []Variable{{Name: "a", Type: Logical},
			{Name: "A", Type: Logical}}}}, nil, "variable A: another variable has the same name"},
		{"type", one(Variable{Name: "a", Type: "grid"}), []Datum{{}}, `its type is "grid", which Triple-S doesn't have`},
		{"format", &Definition{Record: Record{Format: "xls"}}, nil, `the record's format is "xls"`},
		{"encoding", encoded(one(placed), "klingon"), nil, `the encoding "klingon" is not known`},
		{"ranges", one(Variable{Name: "a", Type: Quantity, Ranges: []Range{{"1", "2"}, {"4", "5"}}}), nil,
			"it has 2 ranges; Triple-S has room for one"},
		{"XML", one(Variable{Name: "a", Type: Logical, Label: Text{Plain: "\x01"}}), nil,
			`its label "\x01" has the character U+0001, which XML doesn't allow`},
		{"UTF-8", &Definition{Title: Text{Plain: "\xff"}}, nil, `its title "\xff" is not valid UTF-8`},
		{"overlap", &Definition{Record: Record{Variables: []Variable{placed, {Name: "r", Type: Logical, Start: 3,
			Finish: 3}}}}, nil, "variable r: it stands at 3 to 3, where q stands, too"},
		{"1.2 CSV", csv(version(one(placed), "1.2")), nil, "Triple-S 1.2 has no CSV data; 2.0 does"},
		{"1.2 date", version(one(Variable{Name: "a", Type: Date}), "1.2"), nil,
			"Triple-S 1.2 has no dates, times or literal codes"},
		{"1.2 literal", version(one(Variable{Name: "a", Type: Single, Values: []Value{{Code: "A"}}}), "1.2"), nil,
			"Triple-S 1.2 has no dates, times or literal codes"},
		{"1.2 score", version(one(Variable{Name: "a", Type: Single, Values: []Value{{Code: "1", Score: "2"}}}), "1.2"),
			nil, "value 1 has a score, which Triple-S 1.2 doesn't have"},
		{"1.2 mode",
			version(one(Variable{Name: "a", Type: Logical, Label: Text{Variants: []Variant{{"en", "interview", "x"}}}}),
				"1.2"), nil, "its label has texts by mode"},
		{"answers", one(placed), []Datum{{}, {}}, "triple-s data, row 1: the case has 2 answers, the definition 1 variables"},
		{"no number", one(placed), []Datum{text("x")}, `triple-s data, row 1, variable q, columns 1-3: "x" is not a number`},
		{"too long", one(placed), []Datum{text("1234")}, `columns 1-3: "1234" has 4 characters; there is room for 3`},
		{"empty number", one(placed), []Datum{text("")}, `is not a number`},
		{"logical", one(Variable{Name: "a", Type: Logical}), []Datum{text("2")}, `"2" is not 1 or 0`},
		{"date", one(Variable{Name: "a", Type: Date}), []Datum{text("20230229")}, `is not a date`},
		{"time", one(Variable{Name: "a", Type: Time}), []Datum{text("250000")}, `is not a time`},
		{"two codes", one(Variable{Name: "a", Type: Single, Values: codes}), []Datum{picks("1", "2")},
			"has 2 codes, a single one"},
		{"a code", one(Variable{Name: "a", Type: Single, Values: codes}), []Datum{picks("x")}, `"x" is not a whole number`},
		{"no code", one(Variable{Name: "a", Type: Single, Literal: true, Values: codes}), []Datum{text(" ")}, "is no code"},
		{"bitstring", one(Variable{Name: "a", Type: Multiple, Values: []Value{{Code: "1"}, {Code: "3"}}}),
			[]Datum{picks("1", "2")}, `"2" is not listed, and so has no position in the bitstring`},
		{"sub-fields", one(Variable{Name: "a", Type: Multiple, Spread: Spread{Subfields: 1}, Values: codes}),
			[]Datum{picks("1", "2")}, "has 2 codes; there are 1 sub-fields"},
		{"code 0", one(Variable{Name: "a", Type: Multiple, Spread: Spread{Subfields: 1}, Values: codes}),
			[]Datum{picks("0")}, `"0" marks sub-fields without an answer`},
		{"sub-field", one(Variable{Name: "a", Type: Multiple, Spread: Spread{1, 1}, Values: codes}),
			[]Datum{picks("12")}, `"12" has 2 characters; its sub-fields are 1 wide`},
		{"none of literal codes", one(Variable{Name: "a", Type: Multiple, Literal: true, Spread: Spread{1, 1}}),
			[]Datum{picks()}, "has none of the codes"},
		{"line break", one(Variable{Name: "a", Type: Character}), []Datum{text("a\nb")},
			`columns 1-3: "a\nb" has a line break, which fixed data has no way to write; CSV data does`},
		{"control", csv(one(Variable{Name: "a", Type: Character})), []Datum{text("a\x00b")},
			"has the control character U+0000"},
		{"mark", csv(one(Variable{Name: "a", Type: Character})), []Datum{text("\ufeffa")}, "has a byte order mark"},
		{"text", one(Variable{Name: "a", Type: Character}), []Datum{text("\xff")}, "is not valid UTF-8"},
		{"Latin-1", encoded(one(Variable{Name: "a", Type: Character}), "ISO-8859-1"), []Datum{text("5 €")},
			`"5 €" has a character that ISO-8859-1 lacks`},
		{"header",
			encoded(&Definition{Record: Record{Format: CSV, Skip: 1,
				Variables: []Variable{{Name: "€", Type: Logical}}}}, "ISO-8859-1"), nil,
			"its name has a character that ISO-8859-1 lacks"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cases := []*Case{}
			if c.data != nil {
				cases = append(cases, &Case{Data: c.data})
			}
			var def bytes.Buffer
			err := Write(&def, io.Discard, c.def, stream(cases))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got the error %v, want %s", err, c.want)
			}
			if def.Len() > 0 {
				t.Error("a definition was written of data that wasn't")
			}
		})
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFailing }

func TestWriterFails(t *testing.T) {
	d, cases := visits()
	if err := Write(io.Discard, full{}, d, stream(cases)); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	if err := Write(full{}, io.Discard, d, stream(cases)); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	bad := func(yield func(*Case, error) bool) { yield(nil, errFailing) }
	if err := Write(io.Discard, io.Discard, d, bad); !errors.Is(err, errFailing) {
		t.Error(err)
	}
	d.Encoding = "UTF-16"
	if err := Write(io.Discard, full{}, d, stream(cases)); !errors.Is(err, errFailing) {
		t.Error(err)
	}
}
