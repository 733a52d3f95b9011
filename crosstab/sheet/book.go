package sheet

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/xuri/excelize/v2"
)

// MediaType is that of a workbook.
const MediaType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

const (
	contentsName = "Contents"
	notesName    = "Notes"
)

// Book is a workbook that is being made: tables are added one by one, and Write ends it. What it holds in memory until
// then is its sheets, compressed, of some bytes a figure, and while a sheet is written its text, of which what is
// beyond 16 MB is kept in a temporary file. It is not safe for use by several goroutines at once.
type Book struct {
	file    *excelize.File // the workbook, with its sheets empty
	parts   map[string]*part
	styles  map[style]int
	names   names
	entries []entry
}

// entry is a sheet as contents and notes tell of it.
type entry struct {
	sheet, title, base, size string
	notes                    []note
}

// note is a line of the notes.
type note struct{ what, text string }

// New begins a workbook. It is to be closed.
func New() (*Book, error) {
	b := &Book{file: excelize.NewFile(), parts: map[string]*part{}, styles: map[style]int{},
		names: names{}}
	b.names.take(contentsName)
	b.names.take(notesName)
	err := errors.Join(b.file.SetSheetName("Sheet1", contentsName),
		b.file.SetDocProps(&excelize.DocProperties{Creator: "Crosswave", LastModifiedBy: "Crosswave"}))
	if err != nil {
		return nil, errors.Join(err, b.Close())
	}
	return b, nil
}

// Close gives back what the book holds. What was written stays.
func (b *Book) Close() error { return b.file.Close() }

// Write ends the book and writes it to w, in which nothing is written before all of it is formed. A book without a
// sheet is an error.
func (b *Book) Write(ctx context.Context, w io.Writer) error {
	if len(b.entries) == 0 {
		return errors.New("sheet: a workbook without a table")
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := b.contents(); err != nil {
		return err
	}
	if err := b.notes(ctx); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	b.file.SetZipWriter(func(w io.Writer) excelize.ZipWriter { return &binder{Writer: zip.NewWriter(w), parts: b.parts} })
	if err := b.file.Write(w); err != nil {
		return fmt.Errorf("sheet: %w", err)
	}
	return nil
}

// contents writes the first sheet, which leads to the others.
func (b *Book) contents() error {
	p, err := b.newPage(contentsName)
	if err != nil {
		return err
	}
	defer p.drop()
	p.widths(6, 60, 60, 16)
	p.row(p.text("Contents", style{bold: true, large: true}))
	p.skip()
	heading := style{bold: true, below: true}
	p.row(p.text("No.", heading), p.text("Table", heading), p.text("Base", heading), p.text("Rows × columns", heading))
	for i, e := range b.entries {
		p.row(i+1, p.text(e.title, style{link: true}), p.text(e.base, style{}), p.text(e.size, style{}))
		p.link(2, e.sheet)
	}
	p.skip()
	p.row(nil, p.text(notesName, style{link: true}))
	p.link(2, notesName)
	return p.end()
}

// notes writes the last sheet: what each table is of, and by which rules it says what it says.
func (b *Book) notes(ctx context.Context) error {
	p, err := b.newPage(notesName)
	if err != nil {
		return err
	}
	defer p.drop()
	p.widths(24, 120)
	p.row(p.text(notesName, style{bold: true, large: true}))
	for _, e := range b.entries {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.skip()
		p.row(p.text(e.title, style{bold: true, link: true}))
		p.link(1, e.sheet)
		for _, n := range e.notes {
			p.row(p.text(n.what, style{top: true}), p.text(n.text, style{wrap: true, top: true}))
		}
	}
	return p.end()
}

// quoted is the name of a sheet as references have it.
func quoted(name string) string { return "'" + strings.ReplaceAll(name, "'", "''") + "'" }
