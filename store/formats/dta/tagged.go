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
	at := p.pos
	digits := string(p.bytes(3, what))
	p.tag("</release><byteorder>", what)
	if p.err != nil {
		return p.err
	}
	release, err := strconv.Atoi(digits)
	if err != nil || release < 117 {
		return damaged(at, "%s: the format of the file is %q; expected a number from 117 on", what, digits)
	}
	if err := p.use(release, at); err != nil {
		return err
	}
	at = p.pos
	switch order := string(p.bytes(3, what)); {
	case p.err != nil:
		return p.err
	case order == "MSF":
		p.order = binary.BigEndian
	case order != "LSF":
		return damaged(at, "%s: the order of bytes is %q; expected MSF or LSF", what, order)
	}
	p.file.ByteOrder = p.order
	p.tag("</byteorder>", what)
	return p.err
}

// newer reads the sections of a file of format 117 or later, but for the rows and the long texts.
func (p *parser) newer() {
	const what = "the header"
	l := &p.layout
	p.tag("<K>", what)
	at := p.pos
	variables := p.count(l.variables, what)
	p.tag("</K><N>", what)
	rows := p.count(l.rows, what)
	p.tag("</N><label>", what)
	p.title = cutNUL(p.bytes(p.count(l.title, what), what))
	p.tag("</label><timestamp>", what)
	p.file.Created = parseCreated(p.bytes(p.count(1, what), what))
	p.tag("</timestamp></header>", what)
	p.readMap()
	if p.readVariables(variables, at); p.err != nil {
		return
	}
	p.section("variable_types", func(string) { p.each(p.newType) })
	p.fields("varnames", l.name, func(v *rawVar, b []byte) { v.name = b })
	p.section("sortlist", func(what string) { p.skip(int64(l.sort)*(variables+1), what) })
	p.fields("formats", l.format, func(v *rawVar, b []byte) { v.format = b })
	p.fields("value_label_names", l.name, func(v *rawVar, b []byte) { v.table = b })
	p.fields("variable_labels", l.label, func(v *rawVar, b []byte) { v.label = b })
	p.section("characteristics", p.characteristics)
	p.tag("<data>", "the data")
	if p.setRows(rows); p.err != nil {
		return
	}
	p.skip(p.file.NumRows*p.file.rowSize, "the data")
	p.tag("</data>", "the data")
	p.behind()
}

// behind reads what stands behind the rows. The long texts are passed over by the map, and looked at when rows are.
func (p *parser) behind() {
	p.findUsed()
	at := p.pos
	p.tag("<strls>", "the long texts")
	begin, end := p.pos, p.places[mapLabels]-int64(len("</strls>"))
	if p.err == nil && (p.places[mapLong] != at || end < begin || end > p.size) {
		p.err = damaged(at, "the map: long texts from byte %d to %d; they begin at byte %d of %d", p.places[mapLong], end, at,
			p.size)
	}
	if p.err != nil {
		return
	}
	p.file.long.begin, p.file.long.end = begin, end
	p.pos = end
	p.tag("</strls>", "the long texts")
	p.tag("<value_labels>", labelsSection)
	for p.err == nil {
		at := p.pos
		var b [5]byte
		if p.read(b[:], labelsSection); string(b[:]) != "<lbl>" {
			p.pos = at
			break
		}
		p.table()
		p.tag("</lbl>", labelsSection)
	}
	p.tag("</value_labels>", labelsSection)
	p.tag("</stata_dta>", "the end of the file")
	if p.err == nil && p.left() > 2 { // more than the end of a line
		p.file.note(p.pos, "the file goes on for %d bytes behind its end; skipped", p.left())
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
	at := p.pos
	code := int(p.uint(2, "the types"))
	switch {
	case p.err != nil:
	case code == 32768:
		v.typ = LongText
	case code >= 1 && code <= 2045:
		v.typ, v.width = Text, code
	case code >= 65526 && code <= 65530:
		v.typ = Type(65530 - code)
	default:
		p.err = damaged(at, "the types: found %d; expected 65526 to 65530 for a number, 32768 for a long text, or 1 to 2045 "+
			"for the width of a text", code)
	}
}

// characteristics passes over notes and the like. The labels of other languages are among them: those of the language
// that was set when the file was saved are the labels of the file.
func (p *parser) characteristics(what string) {
	for n := 1; p.err == nil; n++ {
		at := p.pos
		var b [4]byte
		if p.read(b[:], what); string(b[:]) != "<ch>" {
			p.pos = at
			return
		}
		place := fmt.Sprintf("%s: characteristic %d", what, n)
		p.skip(p.count(4, place), place)
		p.tag("</ch>", place)
	}
}
