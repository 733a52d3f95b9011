package sss

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// show writes a case as one line: name=answer, codes in brackets with their index, missing as -.
func show(d *Definition, c *Case) string {
	parts := []string{}
	for i, v := range d.Record.Variables {
		s := "-"
		switch datum := c.Data[i]; {
		case !datum.Present:
			if datum.Text != "" || len(datum.Picks) > 0 {
				s = "missing with an answer!"
			}
		default:
			s = datum.Text
			for _, p := range datum.Picks {
				s += fmt.Sprintf("[%s@%d]", p.Code, p.Index)
			}
			if len(datum.Picks) == 0 && v.Type == Multiple {
				s += "[]"
			}
		}
		parts = append(parts, v.Name+"="+s)
	}
	return fmt.Sprintf("%d: %s", c.Row, strings.Join(parts, " "))
}

// read returns the cases, one a line, then the notes, then the error.
func read(t *testing.T, definition, data string, opt Options) string {
	t.Helper()
	d, err := ParseDefinition(strings.NewReader(definition))
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{}
	r, err := Open(d, strings.NewReader(data), opt)
	if err != nil {
		return err.Error()
	}
	for c, err := range r.Cases() {
		if err != nil {
			lines = append(lines, err.Error())
			break
		}
		lines = append(lines, show(d, c))
	}
	for _, n := range r.Notes() {
		lines = append(lines, n.String())
	}
	return strings.Join(lines, "\n")
}

func variable(name, attributes, inside string) string {
	return "<variable " + attributes + "><name>" + name + "</name><label/>" + inside + "</variable>\n"
}

func position(start, finish int) string {
	return fmt.Sprintf(`<position start="%d" finish="%d"/>`, start, finish)
}

const abc = `<values><value code="1">A</value><value code="2">B</value><value code="4">C</value></values>`

func TestReadFixed(t *testing.T) {
	definition := survey("", variable("s", `type="single"`, position(1, 2)+abc)+
		variable("m", `type="multiple"`, position(3, 7)+abc)+
		variable("p", `type="multiple"`, position(8, 11)+`<spread subfields="2"/>`+abc)+
		variable("q", `type="quantity"`, position(12, 17)+
			`<values><range from="0.0" to="99.9"/><value code="999">?</value></values>`)+
		variable("t", `type="character"`, position(18, 22)+`<size>5</size>`)+
		variable("l", `type="logical"`, position(23, 23))+
		variable("d", `type="date"`, position(24, 31)+`<values><range from="20240101" to="20241231"/></values>`)+
		variable("h", `type="time"`, position(32, 37)))
	data := strings.Join([]string{
		//        1         2         3
		"01" + "1101 " + "0402" + "  1.40" + "abc  " + "1" + "20240229" + "235959",
		// zero is an answer; a date that isn't listed
		" 2" + "00000" + "0000" + "000000" + " x   " + "0" + "20230228" + "000000",
		"  " + "     " + "    " + "      " + "     " + " " + "        " + "      ", // nothing is
		"3",                                // a code that isn't listed, in a record cut short
		"",                                 // no record
		"4 " + "00110" + " 4 4" + "999.0 ", // position 3 isn't listed; 4 is chosen twice; 999 has a label
		"00" + "   1 " + "   3" + "-0.50 ",
	}, "\r\n") + "\r\n\r\n\x1a"
	want := `1: s=1[1@0] m=[1@0][2@1][4@2] p=[4@2][2@1] q=1.40 t=abc l=1 d=20240229 h=235959
2: s=2[2@1] m=[] p=[] q=0 t= x l=0 d=20230228 h=000000
3: s=- m=- p=- q=- t=- l=- d=- h=-
4: s=3[3@-1] m=- p=- q=- t=- l=- d=- h=-
6: s=4[4@2] m=[4@2] p=[4@2] q=999.0[999@0] t=- l=- d=- h=-
7: s=0[0@-1] m=[4@2] p=[3@-1] q=-0.50 t=- l=- d=- h=-
blank record, 1, first in row 5
s: unlisted, 2, first in row 4: "3"
m: unlisted, 1, first in row 6: "3"
p: unlisted, 1, first in row 7: "3"
q: unlisted, 1, first in row 7: "-0.50"
d: unlisted, 1, first in row 2: "20230228"`
	if d := cmp.Diff(want, read(t, definition, data, Options{})); d != "" {
		t.Error(d)
	}
	skipped := strings.Replace(definition, `ident="V"`, `ident="V" skip="5"`, 1)
	want = `7: s=0[0@-1] m=[4@2] p=[3@-1] q=-0.50 t=- l=- d=- h=-`
	if got := read(t, skipped, data, Options{}); !strings.HasPrefix(got, want) {
		t.Error(got)
	}
	if got := read(t, strings.Replace(definition, `ident="V"`, `ident="V" skip="50"`, 1), data,
		Options{}); strings.Contains(got, "s=") {
		t.Error(got)
	}
}

func TestReadCSV(t *testing.T) {
	definition := survey(`format="csv" skip="1"`, variable("s", `type="single"`, position(2, 2)+abc)+
		variable("m", `type="multiple"`, position(1, 1)+abc)+
		variable("p", `type="multiple"`, position(3, 3)+`<spread subfields="3" width="2"/>`+
			`<values><value code="1">A</value><value code="12">B</value></values>`)+
		variable("a", `type="multiple"`, position(4, 6)+`<spread subfields="3"/>`+abc)+
		variable("x", `type="multiple" format="literal"`, position(7, 7)+`<spread subfields="2" width="3"/>`+
			`<values><value code="abc">A</value><value code="B">B</value></values>`)+
		variable("q", `type="quantity"`, position(9, 9))+
		variable("t", `type="character"`, position(10, 10)+`<values><value code="x y">label</value></values>`))
	data := "m,s,p,a1,a2,a3,x,unused,q,\"text\nin two lines\"\n" +
		`1101,01,"0112",4,,1,B  abc,,+007.10,"say ""so"", she said"` + "\n" +
		`"0000",2.0,"000000",0,0,0,abc,,0,x y` + "\n" +
		`,,,,,,,,,` + "\n" +
		`00010,"","   112",2,2,,abcB,zzz,1e-2," two` + "\r\n" + `lines "` + "\n"
	want := `3: s=1[1@0] m=[1@0][2@1][4@2] p=[1@0][12@1] a=[4@2][1@0] x=[B@1][abc@0] q=7.10 t=say "so", she said
4: s=2[2@1] m=[] p=[] a=[] x=[abc@0] q=0 t=x y[x y@0]
5: s=- m=- p=- a=- x=- q=- t=-
6: s=- m=[4@2] p=[1@0][12@1] a=[2@1] x=[abc@0][B@1] q=0.01 t= two
lines`
	if d := cmp.Diff(want, read(t, definition, data, Options{})); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want, read(t, definition, strings.ReplaceAll(strings.ReplaceAll(data, ";", ""), ",", ";"),
		Options{Comma: ';'})); d == "" {
		t.Error("commas within text can't have been replaced")
	}
	old := strings.ReplaceAll(strings.ReplaceAll(data[:strings.Index(data, "00010")], "\n", "\r"),
		"\"text\rin two lines\"", "t")
	if got := read(t, definition, old, Options{}); strings.Count(got, "\n") != 2 {
		t.Error("a file with CR only:", got)
	}
}

func TestDataErrors(t *testing.T) {
	single := func(format, attributes, inside string) string {
		return survey(format, variable("q1", attributes, inside))
	}
	csv := `format="csv"`
	spread := position(1, 1) + `<spread subfields="2" width="2"/>` + abc
	for _, c := range []struct{ name, definition, data, want string }{
		{"single", single("", `type="single"`, position(2, 4)+abc), " 001\n x ",
			`triple-s data, row 2, variable q1, columns 2-4: "x " is not a whole number`},
		{"single with decimals", single("", `type="single"`, position(1, 3)+abc), "1.5",
			`row 1, variable q1, columns 1-3: "1.5" is not a whole number`},
		{"quantity", single("", `type="quantity"`, position(1, 3)), "1,5", `columns 1-3: "1,5" is not a number`},
		{"logical", single("", `type="logical"`, position(1, 1)), "1\n0\n2\n",
			`row 3, variable q1, column 1: "2" is not 1 or 0`},
		{"date", single("", `type="date"`, position(1, 8)), "20240230", `"20240230" is not a date YYYYMMDD`},
		{"no date", single("", `type="date"`, position(1, 8)), "00000000", `is not a date`},
		{"time", single("", `type="time"`, position(1, 6)), "246000", `"246000" is not a time of day HHMMSS or HHMM`},
		{"bitstring", single("", `type="multiple"`, position(1, 4)+abc), "1201",
			`columns 1-4: "1201" is not a string of 1 and 0`},
		{"sub-field", single("", `type="multiple"`, position(1, 4)+`<spread subfields="2"/>`+abc), " 1 x",
			`columns 1-4: " 1 x" is not a whole number`},
		{"lost zeros", single(csv, `type="multiple"`, position(1, 1)+abc), "0001\n100\n",
			`row 2, variable q1, field 1: "100" has 3 of the 4 positions of its bitstring; leading zeros may be lost`},
		{"lost zero of a sub-field", single(csv, `type="multiple"`, spread), "0102\n102\n",
			`row 2, variable q1, field 1: "102" has 3 characters, not up to 2 codes of 2; leading zeros may be lost`},
		{"too many sub-fields", single(csv, `type="multiple"`, spread), "010204", `has 6 characters, not up to 2 codes of 2`},
		{"apart", single(csv, `type="multiple"`, position(1, 2)+`<spread subfields="2"/>`+abc), "1,x",
			`row 1, variable q1, fields 1-2: "[1 x]" is not a whole number`},
		{"fields missing", single(csv, `type="logical"`, position(3, 3)), "1,2\n",
			`triple-s data, row 1: the record has 2 fields; the definition describes 3`},
		{"fields added", single(csv, `type="logical"`, position(1, 1)), "1,2\n\n1,2,3\n",
			`triple-s data, row 3: the record has 3 fields, the first has 2`},
		{"quote", single(csv, `type="logical"`, position(1, 1)), "1\n\"1\n",
			`triple-s data, row 2: extraneous or missing " in quoted-field`},
		{"stray quote", single(csv, `type="logical"`, position(1, 1)), "1\n1\"\n",
			`triple-s data, row 2: bare " in non-quoted-field`},
		{"long record", single("", `type="logical"`, position(1, 1)), "1\n" + strings.Repeat("1", maxRecord+9),
			`triple-s data, row 2: the record has more than 16 MiB`},
		{"long CSV record", single(csv, `type="logical"`, position(1, 1)), "1\n\"" + strings.Repeat("1\n", maxRecord/2+
			5000), `triple-s data, row 2: the record has more than 16 MiB; a quote may never be closed`},
		{"not UTF-8", `<?xml version="1.0" encoding="UTF-8"?>` + single("", `type="logical"`, position(1, 1))[21:],
			"1\n1\xe9", "row 2: the record is not valid UTF-8, as its encoding is said to be; give the data's " +
				"encoding, such as windows-1252"},
		{"CSV not UTF-8", `<?xml version="1.0" encoding="UTF-8"?>` + single(csv, `type="logical"`, position(1, 1))[21:],
			"1\n1\xe9", "row 2: the record is not valid UTF-8"},
		{"long value", single("", `type="quantity"`, position(1, 99)), strings.Repeat("é", 99), `: "` +
			strings.Repeat("é", 40) + `…" is not a number`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := read(t, c.definition, c.data, Options{})
			last := got[strings.LastIndex(got, "\n")+1:]
			if !strings.Contains(last, c.want) {
				t.Errorf("got %s, want %s", last, c.want)
			}
		})
	}
	if got := read(t, single(csv, `type="logical"`, position(1, 1)), "1", Options{Comma: '"'}); !strings.Contains(got,
		"cannot separate fields") {
		t.Error(got)
	}
	if got := read(t, single("", `type="logical"`, position(1, 1)), "1",
		Options{Encoding: "klingon"}); !strings.Contains(got, "not known") {
		t.Error(got)
	}
}

func TestLenient(t *testing.T) {
	definition := survey("", variable("s", `type="single"`, position(1, 1)+abc)+variable("m", `type="multiple"`,
		position(2, 5)+abc)+
		variable("q", `type="quantity"`, position(6, 8)))
	want := `1: s=1[1@0] m=- q=2
2: s=- m=[4@2] q=-
3: s=- m=- q=1.5
s: unreadable, 2, first in row 2: "?"
m: unreadable, 2, first in row 1: "11x1"
q: unreadable, 1, first in row 2: "n/a"`
	if d := cmp.Diff(want, read(t, definition, "111x1  2\n?0001n/a\n*1  *1.5", Options{Lenient: true})); d != "" {
		t.Error(d)
	}
}

func TestEncodingsOfData(t *testing.T) {
	definition := func(attributes, prolog string) string {
		return prolog + survey(attributes, variable("t", `type="character"`, position(1, 6))+
			variable("l", `type="logical"`, position(7, 7)))[21:]
	}
	const text, want = "Größe 1\nTür   0\n", "1: t=Größe l=1\n2: t=Tür l=0"
	windows, _ := charmap.Windows1252.NewEncoder().String(text)
	latin9, _ := charmap.ISO8859_15.NewEncoder().String("1 €   1\n")
	cyrillic, _ := charmap.Windows1251.NewEncoder().String("Да    1\n")
	little, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	big, _ := unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM).NewEncoder().String(text)
	const utf8Prolog, utf16Prolog, latinProlog = `<?xml version="1.0" encoding="UTF-8"?>`,
		`<?xml version="1.0" encoding="UTF-16"?>`, `<?xml version="1.0" encoding="ISO-8859-1"?>`
	wide := func(s string) string {
		w, _ := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(s)
		return w
	}
	for _, c := range []struct {
		name, definition, data string
		opt                    Options
		want                   string
	}{
		{"UTF-8", definition("", utf8Prolog), text, Options{}, want},
		{"a mark", definition("", latinProlog), "\ufeff" + text, Options{}, want},
		{"Latin-1", definition("", latinProlog), windows, Options{}, want},
		{"Latin-1, Windows-1252 in truth", definition("", latinProlog), "5 \x80   1\n", Options{}, "1: t=5 € l=1"},
		{"nothing said, UTF-8", definition("", ""), text, Options{}, want},
		{"nothing said, Windows-1252", definition("", ""), windows, Options{}, want},
		{"UTF-16 definition, UTF-8 data", wide(definition("", utf16Prolog)), text, Options{}, want},
		{"UTF-16 definition, Windows-1252 data", wide(definition("", utf16Prolog)), windows, Options{}, want},
		{"UTF-16 both", wide(definition("", utf16Prolog)), little, Options{}, want},
		{"UTF-16 data with mark", definition("", utf8Prolog), little, Options{}, want},
		{"UTF-16 data without", definition("", utf8Prolog), big, Options{}, want},
		{"UTF-16 asked for", definition("", utf8Prolog), little, Options{Encoding: "UTF-16"}, want},
		{"the record says", definition(`data-file-encoding="Windows-1252"`, utf8Prolog), windows, Options{}, want},
		{"the record of 3.0 says", definition(`encoding="UTF-8"`, latinProlog), text, Options{}, want},
		{"the record is wrong", definition(`encoding="none"`, utf8Prolog), text, Options{},
			`the encoding "none" is not known; UTF-8, UTF-16, ISO-8859-1 and windows-1252 are, and most others by ` +
				`their IANA names`},
		{"asked for", definition("", utf8Prolog), latin9, Options{Encoding: "iso-8859-15"}, "1: t=1 € l=1"},
		{"Cyrillic", definition("", utf8Prolog), cyrillic, Options{Encoding: "windows-1251"}, "1: t=Да l=1"},
		{"bytes found", definition("", utf8Prolog), "abcdef1\nGröß1\nTür  0\n", Options{},
			"1: t=abcdef l=1\n2: t=Größ l=1\n3: t=Tür l=0\nbyte columns, 1, first in row 2"},
		{"bytes asked for", definition("", utf8Prolog), "é    1", Options{ByteColumns: true}, "1: t=é l=1"},
		{"bytes too late", definition("", utf8Prolog), "Größe 1\nTür  0\n", Options{},
			"1: t=Größe l=1\ntriple-s data, row 2: " + errColumns.Error()},
		{"a character cut", definition("", utf8Prolog), "abcdeü1\n", Options{ByteColumns: true},
			`triple-s data, row 1, variable t, columns 1-6: "abcde\xc3" begins or ends within a character; its ` +
				`positions count bytes, and not those of this encoding`},
		{"neither", definition("", utf8Prolog), "Tü\nGrößere1\n", Options{}, "1: t=Tü l=-\n2: t=Größer l=e"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.name == "neither" { // nothing tells: characters, and the field then isn't readable
				c.want = "1: t=Tü l=-\ntriple-s data, row 2, variable l, column 7: \"e\" is not 1 or 0"
			}
			if d := cmp.Diff(c.want, read(t, c.definition, c.data, c.opt)); d != "" {
				t.Error(d)
			}
		})
	}
}

// Where CSV data isn't UTF-8, no record in another encoding moves a field.
func TestGuessedCSV(t *testing.T) {
	definition := survey(`format="csv"`, variable("t", `type="character"`, position(1, 1))+
		variable("l", `type="logical"`, position(2, 2)))
	if got, want := read(t, definition, "T\xfcr,1\nTür,0\n", Options{}), "1: t=Tür l=1\n2: t=Tür l=0"; got != want {
		t.Error(got)
	}
}

func TestCasesGoOnAndCloneStays(t *testing.T) {
	d, err := ParseDefinition(strings.NewReader(survey("", variable("m", `type="multiple"`, position(1, 4)+abc))))
	if err != nil {
		t.Fatal(err)
	}
	r, err := Open(d, strings.NewReader("1000\n0100\n1x\n0001\n"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	var first *Case
	for c, err := range r.Cases() {
		if err != nil {
			t.Fatal(err)
		}
		first = c.Clone()
		break
	}
	got := []string{}
	for range 2 {
		for c, err := range r.Cases() {
			if err != nil {
				var e *DataError
				if !errors.As(err, &e) || e.Row != 3 || e.Column != 1 || e.Finish != 4 {
					t.Error(err)
				}
				got = append(got, "error")
				break
			}
			got = append(got, show(d, c))
		}
	}
	want := []string{"2: m=[2@1]", "error", "error"} // an error stays
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if s := show(d, first); s != "1: m=[1@0]" {
		t.Error(s)
	}
}
