package sss

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"
)

// survey wraps variables in the rest of a definition; the first variable starts in line 2.
func survey(attributes, variables string) string {
	return `<?xml version="1.0"?><sss version="2.0"><survey><record ident="V" ` + attributes + ">\n" + variables +
		"\n</record></survey></sss>"
}

const logical = `<variable ident="1" type="logical"><name>q1</name><label>Q</label><position start="1"/></variable>`

func TestParseDefinition(t *testing.T) {
	const file = `<?xml version="1.0" encoding="ISO-8859-1"?>
<!DOCTYPE sss PUBLIC "-//triple-s//DTD Survey Interchange v2.0//EN" "http://localhost:1/never.dtd" [
  <!ENTITY secret SYSTEM "file:///etc/passwd">
]>
<!-- comment -->
<sss version="2.0" languages="en fr-FR" modes="interview analysis" xmlns:x="urn:extensions">
  <date>1 May 2024</date><time>12:30</time><origin>Some
     program</origin><user>me</user>
  <survey>
    <name>S1</name><version>3</version>
    <title>First line<br/> second   line</title>
    <record ident="V" format="csv" skip="1" href="s1.csv" x:more="1">
      <x:thing><level/></x:thing>
      <variable ident="1" type="quantity" use="serial"><name>id</name><label/>
        <position start="1"/><values><range from="0001" to="9999"/></values></variable>
      <variable ident="02" type="SINGLE" format="literal">
        <name>q1</name>
        <label>Plain<text mode="interview">Asked</text><text xml:lang="fr-FR" mode="Analysis">Étiquette</text></label>
        <position start="2"/>
        <filter>q3</filter>
        <values>
          <value code="A" score="-1.5">Caf&eacute; &amp; bar</value>
          <value code="B"><text xml:lang="en">Pub</text></value>
          <value code="C" x:precode="z"/>
        </values>
      </variable>
      <variable ident="3" type="logical"><name>q3</name><label><text>Only</text></label><position start="4"/></variable>
      <variable ident="4" type="multiple"><name>q4</name><label>M</label><position start="3"/>
        <spread subfields="2" width="2"/><values><value code="1">One</value><value code="12">Twelve</value></values></variable>
      <variable ident="5" type="character" use="unheard-of"><name>q5</name><label>T</label><position start="5"/><size>30</size>
        <colour>red</colour></variable>
      <variable ident="6" type="date"><name>q6</name><label>D</label><position start="6"/>
        <values><range from="20240101" to="20241231"/></values></variable>
      <variable ident="7" type="quantity" use="weight"><name>w</name><label>Weight</label><position start="7"/>
        <range from="0.0000" to="99.9999"/></variable>
    </record>
  </survey>
</sss>`
	latin, err := charmap.ISO8859_1.NewEncoder().String(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := ParseDefinition(strings.NewReader(latin))
	if err != nil {
		t.Fatal(err)
	}
	want := &Definition{
		Version: "2.0", Encoding: "ISO-8859-1", Languages: []string{"en", "fr-FR"}, Modes: []string{"interview", "analysis"},
		Date: "1 May 2024", Time: "12:30", Origin: "Some program", User: "me", Name: "S1", SurveyVersion: "3",
		Title: Text{Plain: "First line\nsecond line"},
		Record: Record{Ident: "V", Href: "s1.csv", Format: CSV, Skip: 1, Variables: []Variable{
			{Ident: "1", Name: "id", Type: Quantity, Use: Serial, Start: 1, Finish: 1, Ranges: []Range{{"0001", "9999"}}},
			{Ident: "02", Name: "q1", Type: Single, Literal: true, Start: 2, Finish: 2, Filter: "q3",
				Label: Text{"Plain", []Variant{{"", "interview", "Asked"}, {"fr-FR", "analysis", "Étiquette"}}},
				Values: []Value{{"A", Text{Plain: "Café & bar"}, "-1.5"}, {"B", Text{"", []Variant{{"en", "", "Pub"}}},
					""}, {Code: "C"}}},
			{Ident: "3", Name: "q3", Label: Text{Plain: "Only"}, Type: Logical, Start: 4, Finish: 4},
			{Ident: "4", Name: "q4", Label: Text{Plain: "M"}, Type: Multiple, Start: 3, Finish: 3, Spread: Spread{2, 2},
				Values: []Value{{"1", Text{Plain: "One"}, ""}, {"12", Text{Plain: "Twelve"}, ""}}},
			{Ident: "5", Name: "q5", Label: Text{Plain: "T"}, Type: Character, Start: 5, Finish: 5, Size: 30},
			{Ident: "6", Name: "q6", Label: Text{Plain: "D"}, Type: Date, Start: 6, Finish: 6,
				Ranges: []Range{{"20240101", "20241231"}}},
			{Ident: "7", Name: "w", Label: Text{Plain: "Weight"}, Type: Quantity, Use: Weight, Start: 7, Finish: 7,
				Ranges: []Range{{"0.0000", "99.9999"}}},
		}},
		Notes: []string{
			`line 30: variable 5: use "unheard-of" is not used`,
			`line 31: variable q5: element colour is not used`,
		},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParseDefinitionErrors(t *testing.T) {
	variable := func(kind, inside string) string {
		return survey("", `<variable ident="1" type="`+kind+`"><name>q1</name><label>Q</label>`+inside+`</variable>`)
	}
	const values = `<values><value code="1">A</value><value code="10">B</value></values>`
	for _, c := range []struct{ name, file, want string }{
		{"empty", "", ErrNotXML.Error()},
		{"before XML", "SSS\nVERSION 1.1\n", "triple-s definition: " + ErrNotXML.Error()},
		{"an SPSS file", "$FL2@(#)", ErrNotXML.Error()},
		{"only a comment", "<!-- -->", "it has no sss element"},
		{"HTML", "<html/>", "line 1: it begins with an element html instead of sss"},
		{"version", `<sss version="4.0"/>`, `this is Triple-S version "4.0"; 1.1, 1.2 and 2.0 can be read`},
		{"hierarchy", "<sss version=\"2.0\">\n<hierarchy><level ident=\"a\" href=\"a.sss\"/></hierarchy></sss>",
			"line 2: " + ErrHierarchy.Error()},
		{"level", survey("", "<level/>"), ErrHierarchy.Error()},
		{"no survey", `<sss version="2.0"></sss>`, "it has no survey element"},
		{"two surveys", `<sss version="2.0"><survey><record>` + logical + `</record></survey><survey/></sss>`,
			"more than one survey"},
		{"no record", `<sss version="2.0"><survey/></sss>`, "it has no record element, so nothing describes the data"},
		{"two records", `<sss version="2.0"><survey><record>` + logical + `</record><record/></survey></sss>`,
			"more than one record element"},
		{"no variables", survey("", ""), "triple-s definition: it describes no variables"},
		{"format", survey(`format="xls"`, logical), `line 1: the record's format is "xls"; it can be fixed or csv`},
		{"skip", survey(`skip="-1"`, logical), `skip is "-1"; it has to be a whole number`},
		{"cut short", survey("", logical)[:150], "line 2, variable q1: unexpected EOF"},
		{"entity", survey("", strings.Replace(logical, ">Q<", ">&mine;<", 1)),
			"line 2, variable q1: invalid character entity &mine;; entities that a DTD declares are not read"},
		{"type", variable("grid", ""), `line 2, variable 1: its type is "grid"; it can be single, multiple,`},
		{"no position", variable("logical", ""), "line 2, variable q1: it has no position element"},
		{"no start", variable("logical", `<position finish="2"/>`), "its position has no start"},
		{"start 0", variable("logical", `<position start="0"/>`), "its position starts at 0; the first is 1"},
		{"start x", variable("logical", `<position start="x"/>`),
			`the start of its position is "x"; it has to be a whole number`},
		{"backwards", variable("quantity", `<position start="5" finish="4"/>`),
			"its position finishes at 4, before its start at 5"},
		{"two positions", variable("logical", `<position start="1"/><position start="2"/>`), "more than one position"},
		{"huge position", variable("quantity", `<position start="1" finish="99999999"/>`),
			"the finish of its position is 99999999; at most 16777216 is possible"},
		{"no name, no ident", survey("ident=''", `<variable type="logical"><position start="1"/></variable>`), ""},
		{"code", variable("single", `<position start="1"/><values><value>A</value></values>`),
			"one of its values has no code"},
		{"range", variable("quantity", `<position start="1"/><values><range from="1"/></values>`),
			"one of its ranges lacks an end; it needs from and to"},
		{"range text", variable("quantity", `<position start="1"/><values><range from="low" to="9"/></values>`),
			`variable q1: its range starts at "low", which is not a number`},
		{"range order", variable("quantity", `<position start="1"/><values><range from="9" to="1"/></values>`),
			"its range goes from 9 to 1, which is less"},
		{"quantity value", variable("quantity", `<position start="1"/><values><value code="DK"/></values>`),
			`its value "DK" is not a number`},
		{"bitstring code", variable("multiple", `<position start="1"/><values><value code="A"/></values>`),
			`code "A" is no position in a bitstring`},
		{"bitstring 0", variable("multiple", `<position start="1"/><values><value code="0"/></values>`),
			"code 0 is no position in a bitstring, which has 1 to 65536"},
		{"bitstring wide", variable("multiple", `<position start="1"/><values><value code="65537"/></values>`),
			"code 65537 is no position in a bitstring"},
		{"literal bitstring", survey("", `<variable ident="1" type="multiple" `+
			`format="literal"><name>q1</name><position start="1"/></variable>`),
			"it has literal codes, which a bitstring has no positions for"},
		{"no subfields", variable("multiple", `<position start="1"/><spread/>`+values), "its spread has no subfields"},
		{"0 subfields", variable("multiple", `<position start="1"/><spread subfields="0"/>`+values),
			"its spread has 0 subfields"},
		{"0 wide", variable("multiple", `<position start="1"/><spread subfields="1" width="0"/>`+values),
			"its subfields are 0 wide"},
		{"uneven spread", variable("multiple", `<position start="1" finish="5"/><spread subfields="2"/>`+values),
			"2 sub-fields don't divide its 5 columns, and no width is given"},
		{"narrow spread", variable("multiple", `<position start="1" finish="5"/><spread subfields="3" width="2"/>`+
			values), "3 sub-fields of 2 don't fit into its 5 columns"},
		{"CSV spread", strings.Replace(variable("multiple", `<position start="1"/><spread subfields="3"/>`+values),
			`ident="V"`, `format="csv"`, 1), "its sub-fields have no width, which spreads in CSV data need"},
		{"deep", strings.Repeat("<sss version='2.0'><survey>", 40), "elements stand more than 64 deep in one another"},
		{"deep in a label", survey("", `<variable type="logical"><label>`+strings.Repeat("<b>", 70)),
			"elements stand more than 64 deep"},
		{"text in text", survey("", strings.Replace(logical, ">Q<", "><text><text/></text><", 1)),
			"a text element stands in another"},
		{"encoding", `<?xml version="1.0" encoding="klingon"?>` + survey("", logical)[21:],
			`the encoding "klingon" is not known; UTF-8,`},
		{"too many positions", survey("", strings.Repeat(`<variable type="multiple"><name>m</name><position `+
			`start="1" finish="65536"/></variable>`, 9)),
			"variable m: up to it, the multiples have more than 524288 positions and sub-fields"},
		{"too wide", survey("", strings.Repeat(`<variable type="quantity"><name>m</name><position start="1" `+
			`finish="16777216"/></variable>`, 5)), "up to it, the variables take more than 67108864 characters"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ParseDefinition(strings.NewReader(c.file))
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *DefinitionError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got the error %v, want %s", err, c.want)
			}
		})
	}
}

func TestRefusalsAreTyped(t *testing.T) {
	_, err := ParseDefinition(strings.NewReader(`<sss version="2.0"><hierarchy/></sss>`))
	if !errors.Is(err, ErrHierarchy) {
		t.Error(err)
	}
	_, err = ParseDefinition(strings.NewReader("SSS"))
	if !errors.Is(err, ErrNotXML) {
		t.Error(err)
	}
	_, err = ParseDefinition(strings.NewReader("<sss version='2.0'><survey><record>" + strings.Repeat(" ", maxDefinition)))
	if err == nil || err.Error() != "triple-s definition: it has more than 32 MiB" {
		t.Error(err)
	}
}

func TestDefinitionNotes(t *testing.T) {
	const file = `<sss><survey><record ident="V">
<variable ident="1" type="single" format="numeric"><name>q1</name><position start="1"/>
<values><value code="1">A</value><value code="T">B</value><value code="01">C</value></values></variable>
<variable ident="1" type="multiple"><name>Q1</name><position start="2" finish="4"/><filter>q1</filter>
<values><value code="5" score="x">A</value></values></variable>
<variable ident="3" type="logical" format="odd">stray<position start="5"/><spread subfields="2"/></variable>
</record></survey></sss>`
	d, err := ParseDefinition(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"line 1: no version is given: read as 2.0",
		`line 5: variable Q1: the score of value 5, "x", is not a number: not used`,
		`line 6: variable 3: format "odd" is not used`,
		`line 6: variable 3: text "stray" stands where none belongs`,
		"line 6: variable 3: element spread is not used: it belongs to multiples",
		"line 6: variable V3: it has no name: named after its ident",
		`variable q1: code "T" is not a whole number, though the format isn't literal: compared as text`,
		"variable q1: code 01 is listed twice: the first counts",
		"variable Q1: its 3 columns hold the codes up to 3 only",
		"variable Q1: another variable has the same name",
		"variable Q1: another variable has the same ident, 1",
		"variable Q1: its filter q1 is not the name of a logical variable",
	}
	if diff := cmp.Diff(want, d.Notes); diff != "" {
		t.Error(diff)
	}
	many, err := ParseDefinition(strings.NewReader(survey("", strings.Repeat(logical, 300))))
	if err != nil || len(many.Notes) != maxNotes {
		t.Error(err, len(many.Notes))
	}
}

func TestEncodingsOfDefinitions(t *testing.T) {
	text := func(prolog string) string {
		return prolog + strings.Replace(survey("", logical)[21:], ">Q<", ">Größe<", 1)
	}
	encode := func(e encoding.Encoding, s string) string {
		b, err := e.NewEncoder().String(s)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	for _, c := range []struct{ name, file, encoding, note string }{
		{"nothing said", text(""), "", ""},
		{"UTF-8", text(`<?xml version="1.0" encoding="utf-8"?>`), "UTF-8", ""},
		{"UTF-8 mark", "\ufeff" + text(`<?xml version="1.0"?>`), "UTF-8", ""},
		{"UTF-8 mark and prolog", "\ufeff" + text(`<?xml version='1.0' encoding='UTF-8' standalone='yes'?>`), "UTF-8", ""},
		{"UTF-8 mark against prolog", "\ufeff" + text(`<?xml version="1.0" encoding="windows-1252"?>`), "UTF-8",
			"the prolog says windows-1252, the byte order mark UTF-8: read as UTF-8"},
		{"Latin-1", encode(charmap.ISO8859_1, text(`<?xml version="1.0" encoding="latin1"?>`)), "ISO-8859-1", ""},
		{"Windows-1252", encode(charmap.Windows1252, text(`<?xml version="1.0" encoding="Windows-1252"?>`)),
			"windows-1252", ""},
		{"Windows-1251", encode(charmap.ISO8859_15, text(`<?xml version="1.0" encoding="ISO-8859-15"?>`)), "ISO-8859-15", ""},
		{"UTF-16 little", encode(unicode.UTF16(unicode.LittleEndian, unicode.UseBOM),
			text(`<?xml version="1.0" encoding="UTF-16"?>`)), "UTF-16", ""},
		{"UTF-16 big", encode(unicode.UTF16(unicode.BigEndian, unicode.UseBOM),
			text(`<?xml version="1.0" encoding="UTF-16"?>`)), "UTF-16", ""},
		{"UTF-16 little without mark", encode(unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM),
			text(`<?xml version="1.0" encoding="UTF-16"?>`)), "UTF-16LE", ""},
		{"UTF-16 big without mark", encode(unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM), text("")), "UTF-16BE", ""},
		{"UTF-16 said only", text(`<?xml version="1.0" encoding="UTF-16"?>`), "",
			"the prolog says UTF-16, but the file isn't: read as UTF-8"},
		{"UTF-8 said only", encode(charmap.Windows1252, text(`<?xml version="1.0" encoding="UTF-8"?>`)), "",
			"the file isn't valid UTF-8: read as Windows-1252"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, err := ParseDefinition(strings.NewReader(c.file))
			if err != nil {
				t.Fatal(err)
			}
			if got := d.Record.Variables[0].Label.Plain; got != "Größe" || d.Encoding != c.encoding ||
				strings.Join(d.Notes, "") != c.note {
				t.Errorf("label %q, encoding %q, notes %q", got, d.Encoding, d.Notes)
			}
		})
	}
}

func TestPick(t *testing.T) {
	text := Text{"plain", []Variant{
		{"fr-FR", "interview", "fr asked"}, {"fr-FR", "analysis", "fr shown"}, {"de", "", "de any"},
		{"", "analysis", "shown"}}}
	for _, c := range []struct{ language, mode, want string }{
		{"", "", "plain"}, {"", "analysis", "shown"}, {"", "interview", "plain"}, {"fr-FR", "interview", "fr asked"},
		{"FR", "analysis", "fr shown"}, {"fr_CA", "", "fr shown"}, {"de-AT", "analysis", "de any"}, {"it", "", "plain"},
		{"it", "analysis", "shown"},
	} {
		if got := text.Pick(c.language, c.mode); got != c.want {
			t.Errorf("Pick(%q, %q) = %q, want %q", c.language, c.mode, got, c.want)
		}
	}
	only := Text{"", []Variant{{"fr", "interview", "fr"}, {"en", "analysis", "en"}}}
	if only.String() != "fr" { // a survey in one language, not in two by turns
		t.Error(only.String())
	}
	if got := (Text{}).String(); got != "" {
		t.Error(got)
	}
}

// A definition never makes anything be fetched or opened: its external entity is unknown instead.
func TestExternalEntity(t *testing.T) {
	file := `<?xml version="1.0"?><!DOCTYPE sss SYSTEM "http://localhost:1/x.dtd" [<!ENTITY e SYSTEM ` +
		`"file:///etc/hostname">]>` +
		strings.Replace(survey("", logical)[21:], ">Q<", ">&e;<", 1)
	_, err := ParseDefinition(strings.NewReader(file))
	if err == nil || !strings.Contains(err.Error(), "invalid character entity &e;") {
		t.Error(err)
	}
}

type failing struct{ after *bytes.Reader }

var errFailing = errors.New("the disk is gone")

func (f failing) Read(p []byte) (int, error) {
	if n, _ := f.after.Read(p); n > 0 {
		return n, nil
	}
	return 0, errFailing
}

func TestReaderFails(t *testing.T) {
	_, err := ParseDefinition(failing{bytes.NewReader([]byte("<sss"))})
	if !errors.Is(err, errFailing) {
		t.Error(err)
	}
	for _, format := range []string{"fixed", "csv"} {
		d, err := ParseDefinition(strings.NewReader(survey(fmt.Sprintf("format=%q", format), logical)))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(d, failing{bytes.NewReader([]byte("1\n0\n1"))}, Options{})
		if err == nil {
			for _, err = range r.Cases() {
				if err != nil {
					break
				}
			}
		}
		if !errors.Is(err, errFailing) {
			t.Error(format, err)
		}
	}
}

func TestDataFiles(t *testing.T) {
	d := &Definition{Record: Record{Href: `C:\Users\me\wave 1.asc`}}
	want := []string{"in/wave 1.asc", "in/w.asc", "in/w.ASC", "in/w.dat", "in/w.DAT", "in/w.csv", "in/w.CSV",
		"in/w.txt", "in/w.TXT"}
	if diff := cmp.Diff(want, d.DataFiles("in/w.sss")); diff != "" {
		t.Error(diff)
	}
	for _, href := range []string{"", "..", "../../", "/etc/.."} {
		d = &Definition{Record: Record{Format: CSV, Href: href}}
		if got := d.DataFiles("w.csv"); got[0] != "w.CSV" || len(got) != 7 { // never the definition itself
			t.Error(href, got)
		}
	}
}
