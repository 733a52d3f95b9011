package formats

import (
	"archive/zip"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/cells"
	"github.com/crosswave/crosswave/store/formats/csv"
	"github.com/crosswave/crosswave/store/formats/xls"
	"github.com/crosswave/crosswave/store/formats/xlsx"
)

// workbook is a workbook of either format.
type workbook struct {
	book
	sheets []cells.Sheet // never none
}

// book is what is needed of a workbook beside the names of its sheets.
type book interface {
	First() int                                                                    // a sheet
	Rows(sheet int, progress func(done, total int64)) iter.Seq2[*cells.Row, error] // with a value, in order
	Notices() cells.Notices                                                        // of the latest reading
}

// openXLSX opens a sheet of a workbook that is an archive.
func (f *File) openXLSX(z *zip.Reader, o Options) error {
	b, err := xlsx.New(z, f.Size)
	if err != nil {
		return f.noWorkbook(err)
	}
	return f.openWorkbook(workbook{b, b.Sheets}, o)
}

// openXLS opens a sheet of an old workbook, of so many bytes.
func (f *File) openXLS(file io.ReaderAt, size int64, o Options) error {
	b, err := xls.New(io.NewSectionReader(file, 0, size), f.Size, o.Encoding)
	if err != nil {
		return f.noWorkbook(err)
	}
	return f.openWorkbook(workbook{b, b.Sheets}, o)
}

// noWorkbook is an error for a workbook that cannot be read.
func (f *File) noWorkbook(err error) error {
	return &Error{Path: f.Path, Err: fmt.Errorf("reading the workbook: %w", err)}
}

// openWorkbook opens a sheet of a workbook. It is written out as text first, a line for each of its rows, so that its
// header is understood as that of any CSV file, and rows keep the numbers that Excel shows.
func (f *File) openWorkbook(book workbook, o Options) error {
	sheet, err := f.sheet(book, o.Sheet)
	if err != nil {
		return err
	}
	var notes []string
	note := func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
	data, n, err := f.written(book, sheet, max(leastUnpacked, mostRatio*f.Size), o, note)
	if err != nil {
		return err
	}
	if len(book.sheets) > 1 {
		var others []string
		for i, s := range book.sheets {
			if i != sheet {
				others = append(others, fmt.Sprintf("%q", s.Name))
			}
		}
		if more := len(others) - 8; more > 0 {
			others = append(others[:8], fmt.Sprintf("%d more", more))
		}
		note("the sheet %q is read; not %s", book.sheets[sheet].Name, strings.Join(others, ", "))
	}
	if n.Errors > 0 {
		note("cells that hold an error are read as empty: %d, the first of them %s", n.Errors, n.FirstError)
	}
	if n.Unknown > 0 {
		note("cells with a formula whose result was not saved are read as empty: %d, the first of them %s; a workbook that "+
			"Excel or LibreOffice has saved has them", n.Unknown, n.FirstBlank)
	}
	if n.Hidden > 0 {
		note("rows that are hidden in the sheet are read: %d", n.Hidden)
	}
	first, err := f.openText(data, csv.Options{Delimiter: '\t', LineBreak: lineBreak}, o.Header, note)
	if err != nil {
		return err
	}
	f.describe(book, sheet, first, note)
	f.Format, f.Sheet = Excel, book.sheets[sheet].Name
	f.Notes = func() []string { return notes }
	return nil
}

// sheet is the sheet of a name, or the first that can be seen and has anything in it, as some begin with one for
// charts; or a later one with what a form was answered, where the first has a few columns of it at the most; or one
// whose columns the first describes; or the first table, where the first sheet has figures and charts here and there.
func (f *File) sheet(book workbook, name string) (int, error) {
	if name == "" {
		const few = 5 // columns
		at, first := book.First(), outline{}
		for i, s := range book.sheets {
			if s.Hidden {
				continue
			}
			o := outlineOf(book, i)
			switch {
			case o.wide == 0:
			case first.wide == 0:
				at, first = i, o
			case o.form && !first.form && first.wide <= few && 2*first.wide <= o.named,
				first.wide <= dictionaryColumns && describes(book, at, i),
				first.scattered() && o.table():
				return i, nil
			}
		}
		return at, nil
	}
	var names []string
	for i, s := range book.sheets {
		if strings.EqualFold(s.Name, name) {
			return i, nil
		}
		names = append(names, s.Name)
	}
	return 0, &ChoiceError{Path: f.Path, Choice: ChooseSheet, Wanted: name, Names: names}
}

// stamped is what Google Forms calls its first column, of the times at which the form was answered.
var stamped = regexp.MustCompile(`^(?i:timestamp|horodateur|zeitstempel|marca temporal|marca de temps|` +
	`carimbo de data/hora|informazioni cronologiche|zaman damgası|időbélyeg|타임스탬프|时间戳记|時間戳記|タイムスタンプ|` +
	`отметка времени|позначка часу|sygnatura czasowa|časová (razítka|značka)|časové razítko|tijdstempel|tidsstämpel|` +
	`tidsstempel|aikaleima|marcaj de timp|χρονική σήμανση|dấu thời gian|stempel waktu|cap waktu|חותמת זמן|طابع زمني|` +
	`ประทับเวลา|vremenska oznaka)$`)

// outline is what the beginning of a sheet looks like.
type outline struct {
	named int  // cells of its first row
	wide  int  // columns; 0: the sheet is empty
	form  bool // times stand in the first column, under a form's own name
	rows  int  // that were looked at
	cells int  // with anything in them, in the rows below the first
}

// scattered tells whether most of a sheet is empty, its first row, too.
func (o outline) scattered() bool { return 2*o.named < o.wide && 4*o.cells < (o.rows-1)*o.wide }

// table tells whether a sheet has names above columns with something in most of them.
func (o outline) table() bool {
	const columns, rows = 8, 20
	return o.named >= columns && 4*o.named >= 3*o.wide && o.rows >= rows && 2*o.cells >= (o.rows-1)*o.named
}

// outlineOf looks at some rows of a sheet. One that cannot be read is as good as any: that is told when it is read.
func outlineOf(book workbook, sheet int) (o outline) {
	const enough = 20
	stamp := false
	for row, err := range book.Rows(sheet, nil) {
		if err != nil {
			return outline{named: 1, wide: 1}
		}
		if len(row.Cells) == 0 {
			continue
		}
		o.wide = max(o.wide, row.Cells[len(row.Cells)-1].Column+1)
		text := strings.TrimSpace(string(row.Text(row.Cells[0])))
		switch o.rows++; o.rows {
		default:
			o.cells += len(row.Cells)
		case 1:
			o.named, stamp = len(row.Cells), row.Cells[0].Column == 0 && stamped.MatchString(text)
		case 2:
			o.cells += len(row.Cells)
			o.form = stamp && row.Cells[0].Column == 0 && measured(text)
		}
		if o.rows == enough {
			return o
		}
	}
	return o
}

// written writes a sheet out, with a tab between fields: every row has as many as the widest. It takes no more than
// so many bytes. What stands below the responses to a form is left out, and what was noticed there.
func (f *File) written(book workbook, sheet int, most int64, o Options, note func(string, ...any)) (
	data *io.SectionReader, noticed cells.Notices, err error) {
	narrow, err := os.CreateTemp(o.TempDir, "crosswave-*.tsv")
	if err != nil {
		return nil, noticed, err
	}
	defer func() { narrow.Close(); os.Remove(narrow.Name()) }()
	out := bufio.NewWriterSize(narrow, 1<<18)
	var widths []uint16 // of each line, in fields
	widest, size := 0, int64(0)
	tooMuch := &Error{Path: f.Path, Reason: fmt.Sprintf("its sheet unpacks to more than %d MB, which is too much for a "+
		"file of its size", most>>20)}
	var line []byte
	var form answered
	for row, err := range book.Rows(sheet, o.Progress) {
		if err != nil {
			return nil, noticed, f.noWorkbook(err)
		}
		form.see(row, book.Notices())
		for len(widths) < row.Number-1 {
			widths = append(widths, 0)
			out.WriteByte('\n')
		}
		line = appendLine(line[:0], row)
		width := row.Cells[len(row.Cells)-1].Column + 1
		widths, widest, size = append(widths, uint16(width)), max(widest, width), size+int64(len(line))
		if _, err := out.Write(line); err != nil {
			return nil, noticed, err
		}
		if size > most {
			return nil, noticed, tooMuch
		}
	}
	noticed = book.Notices()
	if end := form.end(); end > 0 {
		widths, noticed = widths[:end], form.notices
		widest = int(slices.Max(widths))
		note("rows below the responses are left out, in front of which no time stands: %d, the first of them row %d",
			form.below, form.first)
	}
	for _, w := range widths {
		if w > 0 {
			size += int64(widest - int(w))
		}
	}
	if size > most {
		return nil, noticed, tooMuch
	}
	if err := out.Flush(); err != nil {
		return nil, noticed, err
	}
	data, err = f.widened(narrow, widths, widest, o)
	return data, noticed, err
}

// lineBreak stands for a line feed within a field of a sheet that is written out, where each row is a line. No text of
// a workbook has one: all control characters but line feeds are spaces.
const lineBreak = '\v'

// appendLine appends a row as a line: fields in quotes where they have to be.
func appendLine(line []byte, row *cells.Row) []byte {
	at := 0
	for _, c := range row.Cells {
		for ; at < c.Column; at++ {
			line = append(line, '\t')
		}
		text := row.Lines(c)
		if !bytes.ContainsAny(text, "\"\n") {
			line = append(line, text...)
			continue
		}
		line = append(line, '"')
		for _, b := range text {
			switch b {
			case '"':
				line = append(line, '"', '"')
			case '\n':
				line = append(line, lineBreak)
			default:
				line = append(line, b)
			}
		}
		line = append(line, '"')
	}
	return append(line, '\n')
}

// widened copies lines, and gives each that is not empty as many fields as the widest has.
func (f *File) widened(narrow *os.File, widths []uint16, widest int, o Options) (*io.SectionReader, error) {
	if _, err := narrow.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	wide, err := os.CreateTemp(o.TempDir, "crosswave-*.tsv")
	if err != nil {
		return nil, err
	}
	f.close = append(f.close, func() error { return errors.Join(wide.Close(), os.Remove(wide.Name())) })
	in, out := bufio.NewReaderSize(narrow, 1<<18), bufio.NewWriterSize(wide, 1<<18)
	tabs := bytes.Repeat([]byte{'\t'}, widest)
	size := int64(0)
	for _, w := range widths {
		for {
			part, err := in.ReadSlice('\n')
			if err != nil && !errors.Is(err, bufio.ErrBufferFull) {
				return nil, err
			}
			whole := err == nil
			if whole {
				part = part[:len(part)-1]
			}
			out.Write(part)
			if size += int64(len(part)); whole {
				break
			}
		}
		if w > 0 {
			out.Write(tabs[:widest-int(w)])
			size += int64(widest - int(w))
		}
		out.WriteByte('\n')
		size++
	}
	if err := out.Flush(); err != nil {
		return nil, err
	}
	return io.NewSectionReader(wide, 0, size), nil
}
