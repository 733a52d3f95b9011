package sss

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// everyType is a definition of every type, as fixed or CSV data.
func everyType(attributes string) string {
	at := 0
	place := func(width int) string {
		at += width
		if strings.Contains(attributes, "csv") {
			at += 1 - width
			return position(at, at)
		}
		return position(at-width+1, at)
	}
	return survey(attributes, variable("s", `ident="1" type="single"`, place(2)+abc)+
		variable("x", `ident="2" type="single" format="literal"`, place(2)+
			`<values><value code="A" score="1.50">é &amp; A</value><value code="BC"/></values>`)+
		variable("m", `ident="3" type="multiple"`, place(5)+abc)+
		variable("p", `ident="4" type="multiple"`, place(4)+`<spread subfields="2" width="2"/>`+abc)+
		variable("q", `ident="5" type="quantity" use="weight"`, place(6)+
			`<values><range from="-5.00" to="99.9"/><value code="999">?</value></values>`)+
		variable("t", `ident="6" type="character"`, place(5)+`<size>5</size>`)+
		variable("l", `ident="7" type="logical"`, place(1))+
		variable("d", `ident="8" type="date"`, place(8)+`<filter>l</filter>`)+
		variable("h", `ident="9" type="time"`, place(6)))
}

// FuzzDefinition: whatever is read as a definition can be read with, and where Write takes it, it is written as it was
// read.
func FuzzDefinition(f *testing.F) {
	for _, s := range []string{
		"", "<", "<sss/>", everyType(""), everyType(`format="csv" skip="1" href="a.csv"`), "\ufeff" + everyType(""),
		`<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE sss [<!ENTITY a "b">]>` + everyType("")[21:],
		`<?xml version="1.0" encoding="UTF-16"?>` + everyType("")[21:],
		"\xff\xfe<\x00s\x00s\x00s\x00/\x00>\x00", "\xfe\xff\x00<\x00s",
		strings.Repeat("<sss><survey><record>", 30),
		survey("", variable("a", `type="multiple"`, `<position start="1" finish="65536"/><values><range from="1" `+
			`to="65536"/></values>`)),
		survey("", variable("a", `type="single"`, `<position start="16777216"/><values><value `+
			`code="99999999999999999999"/></values>`)),
		`<sss version="1.2" languages="en fr"><date>d</date><survey><title>a<br/>b<text ` +
			`xml:lang="fr">c</text></title><record ident="A">` + logical + `</record></survey></sss>`,
		`<sss version="2.0"><hierarchy><level ident="a" href="b"/></hierarchy></sss>`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		d, err := ParseDefinition(bytes.NewReader(file))
		if err != nil {
			if d != nil || err.Error() == "" {
				t.Error("an error with a definition, or without words")
			}
			return
		}
		r, err := Open(d, strings.NewReader("1\n\"2\",3\n"), Options{Lenient: true})
		if err != nil {
			return // the record names an encoding that isn't known
		}
		for c, err := range r.Cases() {
			if err == nil && len(c.Data) != len(d.Record.Variables) {
				t.Error("a case has not an answer for each variable")
			}
		}
		var def, data bytes.Buffer
		if err := Write(&def, &data, d, stream(nil)); err != nil {
			return // read with notes, and not to be written
		}
		again, err := ParseDefinition(bytes.NewReader(def.Bytes()))
		if err != nil {
			t.Fatalf("what was written can't be read: %v\n%s", err, def.Bytes())
		}
		if d.Version == "1.1" {
			d.Version = "1.2"
		} else if d.Version != "1.2" {
			d.Version = "2.0"
		}
		if d.Record.Ident == "" {
			d.Record.Ident = "V"
		}
		options := []cmp.Option{cmpopts.EquateEmpty(), cmpopts.IgnoreFields(Definition{}, "Notes", "Encoding",
			"Languages", "Modes"),
			cmpopts.IgnoreFields(Record{}, "Skip", "Encoding"), cmpopts.IgnoreFields(Variable{}, "Ident", "Literal")}
		if diff := cmp.Diff(d, again, options...); diff != "" {
			t.Errorf("written and read again, it is another: %s\n%s", diff, def.Bytes())
		}
	})
}

// FuzzData: any data is read or refused, answers are of the form that Datum promises, and what was read is read again
// from what Write makes of it.
func FuzzData(f *testing.F) {
	for _, s := range []string{
		"", "\n\n", "01A 1101 0402  1.40abc  120240229235959\r\n 2BC000000000000000 x   020230228000000\n",
		"\xef\xbb\xbf3\n\n4",
		"s,x,m,p,q,t,l,d,h\n1,A,\"1101\",\"0204\",1.40,\"a\"\"b\nc\",1,20240229,235959\n,,,,,,,,\n", "\"", "a\rb\r",
		"\xff\xfe1\x00\n\x00", "é\xe9\x1a", "0é",
		" 2                 -0.00ééééé\n", "h\n4,\"BC \",00000,\"    \",1e-5,  é ,0,2024-02-29,11:20\n",
	} {
		for mode := range byte(8) {
			f.Add([]byte(s), mode)
		}
	}
	f.Fuzz(func(t *testing.T, file []byte, mode byte) {
		definition := everyType("")
		if mode&1 != 0 {
			definition = everyType(`format="csv" skip="1"`)
		}
		d, err := ParseDefinition(strings.NewReader(definition))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Open(d, bytes.NewReader(file), Options{Lenient: mode&2 != 0, ByteColumns: mode&4 != 0})
		if err != nil {
			t.Fatal(err)
		}
		var cases []*Case
		for c, err := range r.Cases() {
			if err != nil {
				if c != nil {
					t.Error("an error with a case")
				}
				break
			}
			checkForm(t, d, c)
			cases = append(cases, c.Clone())
		}
		r.Notes()
		d.Encoding = "UTF-8"
		d.Record.Variables[0].Start = 0 // wide enough for unlisted codes, too
		var def, data bytes.Buffer
		if err := Write(&def, &data, d, stream(cases)); err != nil {
			return // such as a control character
		}
		again, err := ParseDefinition(&def)
		if err != nil {
			t.Fatal(err)
		}
		if r, err = Open(again, bytes.NewReader(data.Bytes()), Options{}); err != nil {
			t.Fatal(err)
		}
		n := 0
		for c, err := range r.Cases() {
			if err != nil {
				t.Fatalf("%v\n%q", err, data.Bytes())
			}
			for i := range cases[n].Data {
				cases[n].Data[i].Text = strings.ReplaceAll(cases[n].Data[i].Text, "\r\n", "\n")
			}
			if diff := cmp.Diff(cases[n].Data, c.Data, cmpopts.EquateEmpty()); diff != "" {
				t.Fatalf("case %d: %s\n%q", n, diff, data.Bytes())
			}
			n++
		}
		if n != len(cases) {
			t.Fatalf("%d cases of %d\n%q", n, len(cases), data.Bytes())
		}
	})
}

func checkForm(t *testing.T, d *Definition, c *Case) {
	for i, v := range d.Record.Variables {
		a := c.Data[i]
		if !utf8.ValidString(a.Text) {
			t.Errorf("%s: %q is not UTF-8", v.Name, a.Text)
		}
		if !a.Present && (a.Text != "" || len(a.Picks) > 0) {
			t.Errorf("%s: missing, and yet %q %v", v.Name, a.Text, a.Picks)
		}
		for _, p := range a.Picks {
			if p.Index >= 0 && v.Values[p.Index].Code != p.Code || p.Index < -1 || p.Code == "" {
				t.Errorf("%s: the pick %v isn't what is listed", v.Name, p)
			}
		}
		if !a.Present {
			continue
		}
		ok, want := true, ""
		switch v.Type {
		case Single:
			ok = len(a.Picks) == 1
			want = a.Text
		case Multiple:
			ok = a.Text == ""
		case Quantity:
			want, ok = number(a.Text)
		case Logical:
			ok, want = a.Text == "0" || a.Text == "1", a.Text
		case Date:
			want, ok = date(a.Text)
		case Time:
			want, ok = clock(a.Text)
		case Character:
			ok, want = a.Text != "", trimRight(a.Text)
		}
		if !ok || want != a.Text {
			t.Errorf("%s: %q %v is not of the form of a %s", v.Name, a.Text, a.Picks, v.Type)
		}
	}
}
