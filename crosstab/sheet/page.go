package sheet

import (
	"errors"
	"fmt"

	"github.com/xuri/excelize/v2"
)

// page is a sheet that is being written from above to below. Its first error sticks: all that comes after it does
// nothing, and the end tells it.
type page struct {
	book   *Book
	name   string
	stream *excelize.StreamWriter
	at     int // the row that was written last; 0 before the first
	err    error
}

// newPage begins a sheet for the printer, with a name that is taken.
func (b *Book) newPage(name string) (*page, error) {
	p := &page{book: b, name: name}
	if _, err := b.file.NewSheet(name); err != nil {
		return nil, fmt.Errorf("sheet: %w", err)
	}
	if err := p.setUp(); err != nil {
		return nil, fmt.Errorf("sheet: %w", err)
	}
	var err error
	if p.stream, err = b.file.NewStreamWriter(name); err != nil {
		return nil, fmt.Errorf("sheet: %w", err)
	}
	return p, nil
}

// setUp has the sheet printed across, as wide as a page and as many pages as it takes.
func (p *page) setUp() error {
	yes, one, any := true, 1, 0
	across, paper := "landscape", 9 // A4
	f := p.book.file
	return errors.Join(
		f.SetSheetProps(p.name, &excelize.SheetPropsOptions{FitToPage: &yes}),
		f.SetPageLayout(p.name, &excelize.PageLayoutOptions{Orientation: &across, Size: &paper, FitToWidth: &one,
			FitToHeight: &any}),
		f.SetHeaderFooter(p.name, &excelize.HeaderFooterOptions{OddFooter: "&L&A&R&P / &N"}),
		f.SetSheetDimension(p.name, "")) // it is not known before the last row, and a wrong one hides cells
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
		return p.book.file.SetCellHyperLink(p.name, cellName(column, p.at), quoted(sheet)+"!A1", "Location")
	})
}

// end ends the sheet.
func (p *page) end() error {
	p.try(p.stream.Flush)
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
