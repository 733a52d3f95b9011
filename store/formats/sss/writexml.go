package sss

import (
	"bufio"
	"encoding/xml"
	"io"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/internal/charset"
	"golang.org/x/text/encoding"
	"golang.org/x/text/transform"
)

// writeDefinition writes a definition that writable made, in the order of elements that the DTDs of Triple-S ask for.
// Characters that the encoding lacks become character references.
func writeDefinition(w io.Writer, d *Definition, c charset.Charset) error {
	out := transform.NewWriter(w, encoding.HTMLEscapeUnsupported(c.NewEncoder()))
	x := &xmlWriter{bufio.NewWriter(out)}
	x.out.WriteString(`<?xml version="1.0" encoding="` + c.Name + "\"?>\r\n")
	x.open(0, "sss", "version", d.Version, "languages", strings.Join(d.Languages, " "), "modes",
		strings.Join(d.Modes, " "))
	x.line(1, "date", d.Date)
	x.line(1, "time", d.Time)
	x.line(1, "origin", d.Origin)
	x.line(1, "user", d.User)
	x.open(1, "survey")
	x.line(2, "name", d.Name)
	x.line(2, "version", d.SurveyVersion)
	x.text(2, "title", d.Title, true)
	r := &d.Record
	format := ""
	if r.Format == CSV {
		format = string(CSV)
	}
	x.open(2, "record", "ident", r.Ident, "href", r.Href, "format", format, "skip", ifAny(r.Skip))
	for i := range r.Variables {
		x.variable(&r.Variables[i])
	}
	x.close(2, "record")
	x.close(1, "survey")
	x.close(0, "sss")
	if err := x.out.Flush(); err != nil { // keeps the first error of all the writes
		return err
	}
	return out.Close()
}

type xmlWriter struct{ out *bufio.Writer }

// tag writes the start of an element; attributes are names and values, the empty ones left out.
func (x *xmlWriter) tag(depth int, name string, attributes []string) {
	x.out.WriteString(strings.Repeat("  ", depth) + "<" + name)
	for i := 0; i < len(attributes); i += 2 {
		if attributes[i+1] == "" {
			continue
		}
		x.out.WriteString(" " + attributes[i] + `="`)
		x.escape(attributes[i+1])
		x.out.WriteString(`"`)
	}
}

func (x *xmlWriter) open(depth int, name string, attributes ...string) {
	x.tag(depth, name, attributes)
	x.out.WriteString(">\r\n")
}

func (x *xmlWriter) empty(depth int, name string, attributes ...string) {
	x.tag(depth, name, attributes)
	x.out.WriteString("/>\r\n")
}

func (x *xmlWriter) close(depth int, name string) {
	x.out.WriteString(strings.Repeat("  ", depth) + "</" + name + ">\r\n")
}

func (x *xmlWriter) escape(s string) { xml.EscapeText(x.out, []byte(s)) } // errors stay in the buffered writer

// line writes an element of plain text, if there is any.
func (x *xmlWriter) line(depth int, name, s string) {
	if s != "" {
		x.text(depth, name, Text{Plain: strings.ReplaceAll(s, "\n", " ")}, true)
	}
}

// text writes an element with its texts by language and mode; optional elements are left out where there are none.
func (x *xmlWriter) text(depth int, name string, t Text, optional bool, attributes ...string) {
	if optional && t.Plain == "" && len(t.Variants) == 0 {
		return
	}
	x.tag(depth, name, attributes)
	x.out.WriteString(">")
	x.lines(t.Plain)
	for _, v := range t.Variants {
		x.tag(0, "text", []string{"xml:lang", v.Language, "mode", v.Mode})
		x.out.WriteString(">")
		x.lines(v.Text)
		x.out.WriteString("</text>")
	}
	x.out.WriteString("</" + name + ">\r\n")
}

func (x *xmlWriter) lines(s string) {
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			x.out.WriteString("<br/>")
		}
		x.escape(line)
	}
}

// ifAny is a number as text; what is not above 0 is not there to be written.
func ifAny(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func (x *xmlWriter) variable(v *Variable) {
	format, finish := "", ""
	if v.Literal {
		format = "literal"
	}
	if v.Finish > v.Start {
		finish = ifAny(v.Finish)
	}
	x.open(3, "variable", "ident", v.Ident, "type", string(v.Type), "use", string(v.Use), "format", format)
	x.line(4, "name", v.Name)
	x.text(4, "label", v.Label, false)
	x.empty(4, "position", "start", strconv.Itoa(v.Start), "finish", finish)
	x.line(4, "filter", v.Filter)
	if v.Spread.Subfields > 0 {
		x.empty(4, "spread", "subfields", ifAny(v.Spread.Subfields), "width", ifAny(v.Spread.Width))
	}
	x.line(4, "size", ifAny(v.Size))
	if len(v.Ranges) > 0 || len(v.Values) > 0 {
		x.open(4, "values")
		for _, r := range v.Ranges {
			x.empty(5, "range", "from", r.From, "to", r.To)
		}
		for _, value := range v.Values {
			x.text(5, "value", value.Label, false, "code", value.Code, "score", value.Score)
		}
		x.close(4, "values")
	}
	x.close(3, "variable")
}
