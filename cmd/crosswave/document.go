package main

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
)

// document is what a command tells, for --format markdown and html: a caption, tables, and below them what their marks
// mean.
type document struct {
	caption string
	tables  []documentTable
	notes   []string
}

// documentTable is a table of a document. Cells of its first columns, as many as texts says, are texts; all others are
// figures.
type documentTable struct {
	title  string
	header []string
	texts  int
	rows   []documentRow
}

// documentRow is a row of a table. Its first cell stands for as many rows as span says, this one and those below it,
// which have none in its place; 0 is one of those.
type documentRow struct {
	span  int
	cells []documentCell
}

// documentCell is a text, its marks, and the heat of its index.
type documentCell struct {
	text, marks string
	heat        int
}

// String is the text with its marks behind it.
func (c documentCell) String() string { return strings.TrimSpace(c.text + " " + c.marks) }

// documentRows are rows of texts alone, each of which is named on its own.
func documentRows(rows [][]string) (out []documentRow) {
	for _, texts := range rows {
		row := documentRow{span: 1}
		for _, text := range texts {
			row.cells = append(row.cells, documentCell{text: text})
		}
		out = append(out, row)
	}
	return out
}

// writeDocument writes a document in one of the formats that documents have.
func writeDocument(out io.Writer, d *document, format string) error {
	if format == "html" {
		return d.html(out)
	}
	_, err := io.WriteString(out, d.markdown())
	return err
}

// markdown has the tables as GitHub, GitLab and most others read them (GitHub Flavored Markdown, section 4.10). What is
// in bold stands for the rows below it.
func (d *document) markdown() string {
	var b strings.Builder
	b.WriteString(inMarkdown(d.caption) + "\n")
	for i := range d.tables {
		t := &d.tables[i]
		b.WriteByte('\n')
		if t.title != "" {
			b.WriteString("### " + inMarkdown(t.title) + "\n\n")
		}
		var header, rule []string
		for j, name := range t.header {
			header = append(header, inMarkdown(name))
			rule = append(rule, "---:")
			if j < t.texts {
				rule[j] = "---"
			}
		}
		b.WriteString(markdownRow(header) + markdownRow(rule))
		for _, row := range t.rows {
			var cells []string
			for j, c := range row.cells {
				text := inMarkdown(c.String())
				switch {
				case j == 0 && row.span == 0:
					text = ""
				case j == 0 && row.span > 1:
					text = "**" + text + "**"
				}
				cells = append(cells, text)
			}
			b.WriteString(markdownRow(cells))
		}
	}
	for _, note := range d.notes {
		b.WriteString("\n" + inMarkdown(note) + "\n")
	}
	return b.String()
}

func markdownRow(cells []string) string { return "| " + strings.Join(cells, " | ") + " |\n" }

// inMarkdown is a text with what Markdown would take for marks kept as it is.
func inMarkdown(text string) string {
	var b strings.Builder
	for _, r := range plain(text) {
		if strings.ContainsRune("\\`*_{}[]<>#|~&", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}

//go:embed document.html
var documentText string

// html is the document as one page that needs nothing else.
func (d *document) html(out io.Writer) error {
	page, err := template.New("document").Parse(documentText)
	if err != nil {
		return fmt.Errorf("the page's template: %w", err)
	}
	type cell struct {
		Text, Marks, Class string
		Head, Span         int // Head is 1 for the name of a row
	}
	type table struct {
		Title  string
		Header []cell
		Rows   [][]cell
	}
	view := struct {
		Caption string
		Tables  []table
		Notes   []string
	}{Caption: plain(d.caption), Notes: d.notes}
	for i := range d.tables {
		t := &d.tables[i]
		v := table{Title: plain(t.title)}
		class := func(column, heat int) string {
			switch {
			case column < t.texts:
				return "text"
			case heat > 0:
				return fmt.Sprintf("over%d", heat)
			case heat < 0:
				return fmt.Sprintf("under%d", -heat)
			}
			return ""
		}
		for j, name := range t.header {
			v.Header = append(v.Header, cell{Text: plain(name), Class: class(j, 0)})
		}
		for _, row := range t.rows {
			var cells []cell
			for j, c := range row.cells {
				if j == 0 && row.span == 0 {
					continue
				}
				shown := cell{Text: plain(c.text), Marks: c.marks, Class: class(j, c.heat), Span: 1}
				if j == 0 {
					shown.Head, shown.Span = 1, row.span
				}
				cells = append(cells, shown)
			}
			v.Rows = append(v.Rows, cells)
		}
		view.Tables = append(view.Tables, v)
	}
	return page.Execute(out, view)
}
