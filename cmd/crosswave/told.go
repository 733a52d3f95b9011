package main

import (
	"slices"

	"github.com/crosswave/crosswave/crosstab"
)

// What a crosstab, a profile and a summary are as documents.

// document is the table without ends of lines and of pages.
func (t *table) document() *document {
	d := &document{caption: t.captionText(), notes: append(t.coverage(), t.legend()...)}
	of := documentTable{header: []string{"", ""}, texts: 2}
	for j := range t.columns {
		name := name(t.columns[j])
		if t.lettered() && j > 0 {
			name += " (" + crosstab.Letter(j) + ")"
		}
		of.header = append(of.header, name)
	}
	heated := false
	for i, r := range t.rows {
		for k, l := range t.said[i] {
			row := documentRow{cells: []documentCell{{text: name(r)}, {text: l.name}}}
			if k == 0 {
				row.span = len(t.said[i])
			}
			for j := range t.columns {
				c := documentCell{text: l.cells[j]}
				if l.marks != nil {
					c.marks = l.marks[j]
				}
				if l.heats != nil {
					c.heat = l.heats[j]
					heated = heated || c.heat != 0
				}
				row.cells = append(row.cells, c)
			}
			of.rows = append(of.rows, row)
		}
	}
	d.tables = []documentTable{of}
	if heated {
		d.notes = append(d.notes, heatNote)
	}
	if t.unmeasured() {
		d.notes = append(d.notes, noted)
	}
	return d
}

// document is a table for each category, or one.
func (p *profiled) document() *document {
	d := &document{caption: p.caption(), notes: append(p.legend(), attributeHeatNote)}
	for _, g := range p.groups {
		of := documentTable{title: g.name, header: []string{"answer"}, texts: 1}
		for _, c := range profileColumns {
			of.header = append(of.header, c.name)
		}
		for i := range g.entries {
			e := &g.entries[i]
			row := documentRow{span: 1, cells: []documentCell{{text: p.answer(e)}}}
			for _, c := range profileColumns {
				row.cells = append(row.cells, documentCell{text: c.value(e)})
			}
			row.cells[1].heat = heatOfAttribute(e)
			of.rows = append(of.rows, row)
		}
		d.tables = append(d.tables, of)
	}
	return d
}

// document is the summary as its table has it.
func (s *summary) document() *document {
	header, texts := s.header()
	var rows [][]string
	for i := range s.entries {
		rows = append(rows, s.line(i))
	}
	unmeasured := slices.ContainsFunc(s.entries, notMeasured)
	return &document{caption: s.caption(), notes: s.notes(unmeasured),
		tables: []documentTable{{header: header, texts: texts, rows: documentRows(rows)}}}
}
