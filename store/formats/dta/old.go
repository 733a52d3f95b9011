package dta

import "encoding/binary"

// older reads what stands in front of the rows of a file up to format 115, and the labels behind them.
func (p *parser) older() {
	l, f := &p.layout, p.file
	if p.uint(1, "the header"); p.Err != nil {
		return
	}
	if order := p.uint(1, "the header"); order == 1 {
		p.Order = binary.BigEndian
	}
	f.ByteOrder = p.Order
	p.Skip(2, "the header")
	at := p.Pos
	variables := p.count(l.variables, "the header")
	rows := p.count(l.rows, "the header")
	p.title = p.field(l.title, "the header")
	f.Created = parseCreated(p.field(l.stamp, "the header"))
	if p.readVariables(variables, at); p.Err != nil {
		return
	}
	p.each(p.oldType)
	p.each(func(v *rawVar) { v.name = p.field(l.name, "the names") })
	p.Skip(int64(l.sort)*(variables+1), "the order of the rows")
	p.each(func(v *rawVar) { v.format = p.field(l.format, "the display formats") })
	p.each(func(v *rawVar) { v.table = p.field(l.name, "the names of tables of labels") })
	p.each(func(v *rawVar) { v.label = p.field(l.label, "the labels of variables") })
	p.oldCharacteristics()
	if p.setRows(rows); p.Err != nil {
		return
	}
	p.Skip(f.NumRows*f.rowSize, "the data")
	p.findUsed()
	if l.spreadLabels {
		p.spreadTables()
	} else {
		p.oldTables()
	}
}

// oldType reads the type of a variable: a letter, and from format 111 on a number; texts are those of their width.
func (p *parser) oldType(v *rawVar) {
	at := p.Pos
	code := int(p.uint(1, "the types"))
	if p.Err != nil {
		return
	}
	if p.layout.release < 111 {
		switch code {
		case 'b':
			v.typ = Byte
		case 'i':
			v.typ = Int
		case 'l':
			v.typ = Long
		case 'f':
			v.typ = Float
		case 'd':
			v.typ = Double
		default:
			if v.typ, v.width = Text, code-0x7f; v.width < 1 {
				p.Err = damaged(at, "the types: found %d; expected one of the letters b, i, l, f and d, or 128 to 255 for a text",
					code)
			}
		}
		return
	}
	switch {
	case code >= 251:
		v.typ = Type(code - 251)
	case code >= 1 && code <= 244:
		v.typ, v.width = Text, code
	default:
		p.Err = damaged(at, "the types: found %d; expected 251 to 255, or 1 to 244 for the width of a text", code)
	}
}

// oldCharacteristics passes over notes and the like, up to the one that is empty.
func (p *parser) oldCharacteristics() {
	const what = "the characteristics"
	for p.layout.extra > 0 && p.Err == nil {
		at := p.Pos
		kind, n := p.uint(1, what), p.count(p.layout.extra, what)
		if kind == 0 && n == 0 {
			return
		}
		if p.Err == nil && kind != 1 {
			p.Err = damaged(at, "%s: found one of kind %d; expected 0 or 1", what, kind)
		}
		p.Skip(n, what)
	}
}

// oldTables reads the tables of labels up to the end of the file. What is too short to be one is none.
func (p *parser) oldTables() {
	header := int64(4 + p.layout.name + 3)
	for p.Err == nil && p.Left() > 0 {
		if p.Left() < header {
			p.file.notes.Add(p.Pos, "%d bytes at the end of the file are no table of labels; skipped", p.Left())
			return
		}
		p.table()
	}
}

// spreadTables reads the tables of labels of formats 104 and 105: whole numbers of 2 bytes, and as many labels of 8.
// Their layout is not sure to be the same in all files, so that what does not fill the rest of the file is skipped.
func (p *parser) spreadTables() {
	const what = "the labels of values"
	begin, before := p.Pos, len(p.tables)
	for p.Err == nil && p.Left() > 0 {
		at := p.Pos
		n := p.count(2, what)
		name := p.field(9, what)
		p.Skip(1, what)
		if p.Err != nil || n*10 > p.Left() {
			p.Err = nil
			p.tables = p.tables[:before]
			p.file.notes.Add(begin, "the labels of values are of a kind that is not known; skipped")
			return
		}
		t := rawTable{offset: at, name: name, labels: make([]rawLabel, n)}
		for i := range t.labels {
			t.labels[i].code = int32(int16(p.uint(2, what)))
		}
		for i := range t.labels {
			t.labels[i].text = p.field(8, what)
		}
		p.tables = append(p.tables, t)
	}
}
