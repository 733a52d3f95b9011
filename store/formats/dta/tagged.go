package dta

import (
	"encoding/binary"
	"fmt"
	"strconv"
)

// mapEntries is how many places the map of a file tells.
const mapEntries = 14

// The places in the map that are needed, which are those of the long texts and of the labels behind them: all else is
// read in its order.
const (
	mapLong   = 10
	mapLabels = 11
)

// beginTagged reads the header of a file of format 117 or later up to its byte order.
func (p *parser) beginTagged() error {
	const what = "the header"
	p.tag("<stata_dta><header><release>", what)
	at := p.Pos
	digits := string(p.Bytes(3, what))
	p.tag("</release><byteorder>", what)
	if p.Err != nil {
		return p.Err
	}
	release, err := strconv.Atoi(digits)
	if err != nil || release < 117 {
		return damaged(at, "%s: the format of the file is %q; expected a number from 117 on", what, digits)
	}
	if err := p.use(release, at); err != nil {
		return err
	}
	at = p.Pos
	switch order := string(p.Bytes(3, what)); {
	case p.Err != nil:
		return p.Err
	case order == "MSF":
		p.Order = binary.BigEndian
	case order != "LSF":
		return damaged(at, "%s: the order of bytes is %q; expected MSF or LSF", what, order)
	}
	p.file.ByteOrder = p.Order
	p.tag("</byteorder>", what)
	return p.Err
}

// newer reads the sections of a file of format 117 or later, but for the rows and the long texts.
func (p *parser) newer() {
	const what = "the header"
	l := &p.layout
	p.tag("<K>", what)
	at := p.Pos
	variables := p.count(l.variables, what)
	p.tag("</K><N>", what)
	rows := p.count(l.rows, what)
	p.tag("</N><label>", what)
	p.title = cutNUL(p.Bytes(p.count(l.title, what), what))
	p.tag("</label><timestamp>", what)
	p.file.Created = parseCreated(p.Bytes(p.count(1, what), what))
	p.tag("</timestamp></header>", what)
	p.readMap()
	if p.readVariables(variables, at); p.Err != nil {
		return
	}
	p.section("variable_types", func(string) { p.each(p.newType) })
	p.fields("varnames", l.name, func(v *rawVar, b []byte) { v.name = b })
	p.section("sortlist", func(what string) { p.Skip(int64(l.sort)*(variables+1), what) })
	p.fields("formats", l.format, func(v *rawVar, b []byte) { v.format = b })
	p.fields("value_label_names", l.name, func(v *rawVar, b []byte) { v.table = b })
	p.fields("variable_labels", l.label, func(v *rawVar, b []byte) { v.label = b })
	p.section("characteristics", p.characteristics)
	p.tag("<data>", "the data")
	if p.setRows(rows); p.Err != nil {
		return
	}
	p.Skip(p.file.NumRows*p.file.rowSize, "the data")
	p.tag("</data>", "the data")
	p.behind()
}

// behind reads what stands behind the rows. The long texts are passed over by the map, and looked at when rows are.
func (p *parser) behind() {
	p.findUsed()
	at := p.Pos
	p.tag("<strls>", "the long texts")
	begin, end := p.Pos, p.places[mapLabels]-int64(len("</strls>"))
	if p.Err == nil && (p.places[mapLong] != at || end < begin || end > p.Size) {
		p.Err = damaged(at, "the map: long texts from byte %d to %d; they begin at byte %d of %d", p.places[mapLong], end, at,
			p.Size)
	}
	if p.Err != nil {
		return
	}
	p.file.long.begin, p.file.long.end = begin, end
	p.Pos = end
	p.tag("</strls>", "the long texts")
	p.tag("<value_labels>", labelsSection)
	for p.Err == nil {
		at := p.Pos
		var b [5]byte
		if p.Read(b[:], labelsSection); string(b[:]) != "<lbl>" {
			p.Pos = at
			break
		}
		p.table()
		p.tag("</lbl>", labelsSection)
	}
	p.tag("</value_labels>", labelsSection)
	p.tag("</stata_dta>", "the end of the file")
	if p.Err == nil && p.Left() > 2 { // more than the end of a line
		p.file.notes.Add(p.Pos, "the file goes on for %d bytes behind its end; skipped", p.Left())
	}
}

// readMap reads where the sections are.
func (p *parser) readMap() {
	p.tag("<map>", "the map")
	for i := range p.places {
		p.places[i] = p.count(8, "the map")
	}
	p.tag("</map>", "the map")
}

// section reads what stands between a pair of tags.
func (p *parser) section(name string, read func(what string)) {
	what := "the section " + name
	p.tag("<"+name+">", what)
	read(what)
	p.tag("</"+name+">", what)
}

// fields reads a section that has a text of each variable.
func (p *parser) fields(name string, size int, put func(*rawVar, []byte)) {
	p.section(name, func(what string) {
		p.each(func(v *rawVar) { put(v, p.field(size, what)) })
	})
}

// newType reads the type of a variable.
func (p *parser) newType(v *rawVar) {
	at := p.Pos
	code := int(p.uint(2, "the types"))
	switch {
	case p.Err != nil:
	case code == 32768:
		v.typ = LongText
	case code >= 1 && code <= 2045:
		v.typ, v.width = Text, code
	case code >= 65526 && code <= 65530:
		v.typ = Type(65530 - code)
	default:
		p.Err = damaged(at, "the types: found %d; expected 65526 to 65530 for a number, 32768 for a long text, or 1 to 2045 "+
			"for the width of a text", code)
	}
}

// characteristics passes over notes and the like. The labels of other languages are among them: those of the language
// that was set when the file was saved are the labels of the file.
func (p *parser) characteristics(what string) {
	for n := 1; p.Err == nil; n++ {
		at := p.Pos
		var b [4]byte
		if p.Read(b[:], what); string(b[:]) != "<ch>" {
			p.Pos = at
			return
		}
		place := fmt.Sprintf("%s: characteristic %d", what, n)
		p.Skip(p.count(4, place), place)
		p.tag("</ch>", place)
	}
}
