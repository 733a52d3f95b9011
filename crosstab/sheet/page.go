package sheet

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// page is a sheet that is being written from above to below, in a file of its own. Its first error sticks: all that
// comes after it does nothing, and the end tells it.
type page struct {
	book   *Book
	name   string
	path   string         // of the sheet in the workbook
	file   *excelize.File // in which it stands alone
	stream *excelize.StreamWriter
	at     int // the row that was written last; 0 before the first
	err    error
}

// newPage begins a sheet for the printer, with a name that is taken.
func (b *Book) newPage(name string) (*page, error) {
	i, err := b.file.NewSheet(name) // or finds the one that is there
	if err != nil {
		return nil, fmt.Errorf("sheet: %w", err)
	}
	p := &page{book: b, name: name, file: excelize.NewFile()}
	for id, other := range b.file.GetSheetMap() {
		if other == b.file.GetSheetName(i) {
			p.path = fmt.Sprintf("xl/worksheets/sheet%d.xml", id)
		}
	}
	if err = p.setUp(); err == nil {
		p.stream, err = p.file.NewStreamWriter(alone)
	}
	if err != nil {
		return nil, fmt.Errorf("sheet: %w", errors.Join(err, p.file.Close()))
	}
	return p, nil
}

// setUp has the sheet printed across, as wide as a page and as many pages as it takes.
func (p *page) setUp() error {
	yes, one, any := true, 1, 0
	across, paper := "landscape", 9 // A4
	return errors.Join(
		p.file.SetSheetProps(alone, &excelize.SheetPropsOptions{FitToPage: &yes}),
		p.file.SetPageLayout(alone, &excelize.PageLayoutOptions{Orientation: &across, Size: &paper, FitToWidth: &one,
			FitToHeight: &any}),
		p.file.SetHeaderFooter(alone, &excelize.HeaderFooterOptions{OddFooter: "&L&A&R&P / &N"}),
		p.file.SetSheetDimension(alone, "")) // it is not known before the last row, and a wrong one hides cells
}

// widths are those of the first columns, in characters.
func (p *page) widths(characters ...float64) {
	for i, width := range characters {
		p.try(func() error { return p.stream.SetColWidth(i+1, i+1, width) })
	}
}

func (p *page) try(do func() error) {
	if p.err == nil {
		p.err = do()
	}
}

// row writes the next row, from its first column on. A cell that is nil stays empty.
func (p *page) row(cells ...any) {
	p.at++
	p.try(func() error { return p.stream.SetRow(fmt.Sprintf("A%d", p.at), cells) })
}

// high writes the next row so many lines high.
func (p *page) high(lines int, cells ...any) {
	const points = 15 // of a line
	p.at++
	p.try(func() error {
		return p.stream.SetRow(fmt.Sprintf("A%d", p.at), cells,
			excelize.RowOpts{Height: min(float64(lines)*points, excelize.MaxRowHeight)})
	})
}

// skip leaves a row empty.
func (p *page) skip() { p.at++ }

// text is a cell with a text.
func (p *page) text(text string, s style) any { return p.cell(clean(text), s) }

func (p *page) cell(value any, s style) any {
	var id int
	p.try(func() (err error) {
		id, err = p.book.style(s)
		return err
	})
	return excelize.Cell{StyleID: id, Value: value}
}

// link has a cell of the last row lead to the beginning of a sheet.
func (p *page) link(column int, sheet string) {
	p.try(func() error {
		return p.file.SetCellHyperLink(alone, cellName(column, p.at), quoted(sheet)+"!A1", "Location")
	})
}

// shade has the cells of ranges coloured by how far they are from 100.
func (p *page) shade(ranges []string) {
	const atOnce = 100 // beyond which a list of ranges is very long
	for some := range slices.Chunk(ranges, atOnce) {
		p.try(func() error { return p.file.SetConditionalFormat(alone, strings.Join(some, " "), heat()) })
	}
}

// titles has rows, and columns if any are named, on each page that is printed.
func (p *page) titles(columns string, first, last int) {
	refers := fmt.Sprintf("%s!$%d:$%d", quoted(p.name), first, last)
	if columns != "" {
		refers = quoted(p.name) + "!" + columns + "," + refers
	}
	p.try(func() error {
		return p.book.file.SetDefinedName(&excelize.DefinedName{Name: "_xlnm.Print_Titles", Scope: p.name,
			RefersTo: refers})
	})
}

// freeze has rows above, and the columns of names, stay while one scrolls.
func (p *page) freeze(rows int) {
	p.try(func() error {
		return p.stream.SetPanes(&excelize.Panes{Freeze: true, XSplit: before, YSplit: rows,
			TopLeftCell: cellName(before+1, rows+1), ActivePane: "bottomRight"})
	})
}

// drop gives back what a page holds that is not ended.
func (p *page) drop() { p.file.Close() }

// end ends the sheet, and puts it into the book.
func (p *page) end() error {
	p.try(p.stream.Flush)
	p.try(func() (err error) {
		p.book.parts[p.path], err = compress(p.file)
		return err
	})
	if p.err != nil {
		return fmt.Errorf("sheet: %s: %w", p.name, p.err)
	}
	return nil
}

// cellName is what spreadsheets call a cell, columns and rows counted from 1.
func cellName(column, row int) string {
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil { // beyond what a sheet holds, which writing there tells
		return "A1"
	}
	return name
}
