package xls

import (
	"io"
	"slices"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/cells"
)

// Book is a workbook, opened.
type Book struct {
	Sheets []Sheet // worksheets in the order of their tabs; never none

	size    int64
	stream  *chain
	part    string   // the name of the stream
	wide    bool     // texts are as Excel 97 writes them
	layouts []layout // of Sheets
	charset charset.Charset
	paged   bool         // that was said
	unknown error        // nil, or that what was said is not known, for texts that need it
	texts   *cells.Texts // shared by all cells
	kinds   []cells.Kind // of cell formats
	from    cells.Epoch
	notices Notices // of the latest reading
}

// What a workbook is made of is the same in each of its formats.
type (
	Sheet   = cells.Sheet   // a worksheet
	Row     = cells.Row     // a row of a sheet
	Cell    = cells.Cell    // a cell with a value
	Notices = cells.Notices // what reading a sheet met that is no value and yet no fault
	Error   = cells.Error   // something in a workbook that cannot be read, in a stream or a sheet of it
)

const (
	mostSheets  = 4096
	mostFormats = 1 << 16
	leastHeld   = 16 << 20 // bytes that texts may take, whatever the size of the file
	mostHeld    = 12       // times the size of the file
)

// Versions of the format, as the first record has them.
const (
	excel5  = 5 // and Excel 95
	excel97 = 6
)

// IsCompound tells whether a file begins as old Office files do, those of Excel among them.
func IsCompound(head []byte) bool { return len(head) >= 4 && string(head[:4]) == magic[:4] }

// IsBare tells whether a file begins as a workbook of Excel 4 or before, which is no compound file. It is not read.
func IsBare(head []byte) bool {
	if len(head) < 8 || head[0] != 9 || head[3] != 0 {
		return false
	}
	version, length := head[1], head[2]
	return (version == 0 || version == 2 || version == 4) && (length == 4 || length == 6)
}

// Open reads what a workbook of size bytes says about its sheets, and the texts that they share. Memory is bounded by
// the size.
func Open(r io.ReaderAt, size int64) (*Book, error) {
	return New(io.NewSectionReader(r, 0, size), size, "")
}

// New is Open for a file that was packed in size bytes, by which memory is bounded. encoding is that of texts, by its
// IANA name, in place of the code page that a workbook of Excel 5 or 95 names; "" is that code page. Newer ones need
// none.
func New(r *io.SectionReader, size int64, encoding string) (*Book, error) {
	file, err := openCompound(r, r.Size())
	if err != nil {
		return nil, err
	}
	b := &Book{size: size, from: cells.From1900, charset: charset.Windows1252(), texts: &cells.Texts{}}
	if b.stream, b.part, err = file.workbook(); err != nil {
		return nil, err
	}
	if encoding != "" {
		if b.charset, err = charset.Find(encoding); err != nil {
			return nil, &Error{Err: err}
		}
	}
	return b, b.globals(encoding == "")
}

// held is how many bytes may be held of what grows with the workbook.
func (b *Book) held() int64 { return max(leastHeld, mostHeld*b.size) }

// globals reads what the workbook says of all sheets: the records up to the first of them.
func (b *Book) globals(codePage bool) error {
	r := recordsOf(b.stream, b.part, 0)
	if err := b.begin(r); err != nil {
		return err
	}
	formats := formats{custom: map[uint16]cells.Kind{}}
	for {
		if err := r.next(); err != nil {
			return err
		}
		var err error
		switch r.id {
		case idEOF, idBOF:
			b.kinds = formats.kinds()
			return b.apart(r)
		case idFilePass:
			return &Error{Reason: "it is encrypted with a password: save it without one"}
		case idDate1904:
			var yes uint16
			if yes, err = r.word(); yes != 0 {
				b.from = cells.From1904
			}
		case idCodePage:
			if codePage && !b.wide {
				err = b.codePage(r)
			}
		case idFont:
			if codePage && !b.wide && !b.paged {
				b.fontCharset(r)
			}
		case idSheet:
			err = b.sheet(r)
		case idFormat:
			err = b.format(r, &formats)
		case idXF:
			err = formats.add(r)
		case idTexts:
			b.texts, err = r.readTexts(b.held())
		}
		if err != nil {
			return err
		}
	}
}

// apart finds out where each sheet ends at the latest: where another begins. So each byte is of one sheet.
func (b *Book) apart(r *records) error {
	if len(b.Sheets) == 0 {
		return r.wrong("there is no sheet with cells in it")
	}
	starts := make([]int64, len(b.layouts))
	for i, l := range b.layouts {
		starts[i] = l.start
	}
	slices.Sort(starts)
	for i := range b.layouts {
		l := &b.layouts[i]
		l.most = b.stream.size
		switch next, _ := slices.BinarySearch(starts, l.start+1); {
		case next > 1 && starts[next-2] == l.start:
			return r.wrong("two sheets begin at one place: the file is damaged")
		case next < len(starts):
			l.most = starts[next]
		}
	}
	return nil
}

// begin reads the first record, which says which Excel wrote it.
func (b *Book) begin(r *records) error {
	if err := r.next(); err != nil {
		return err
	}
	switch {
	case r.id == idBOF&0xff, r.id == idBOF-0x600, r.id == idBOF-0x400:
		return &Error{Reason: TooOld}
	case r.id != idBOF || len(r.rest) < 4:
		return r.wrong("it does not begin as a workbook does")
	}
	switch version := r.rest[1]; version {
	case excel97:
		b.wide = true
	case excel5:
	default:
		return r.wrong("it is of a version %d that is not known", version)
	}
	return nil
}

// TooOld is what is wrong with a workbook of Excel 4 or before.
const TooOld = "it is a workbook of Excel 4 or before: save it as .xlsx or CSV (UTF-8)"

// sheet reads of a sheet where it begins, what it is and how it is called. Charts and macros have no rows.
func (b *Book) sheet(r *records) error {
	start, err := r.long()
	if err != nil {
		return err
	}
	state, err := r.octet()
	if err != nil {
		return err
	}
	kind, err := r.octet()
	if err != nil {
		return err
	}
	length, err := r.octet()
	if err != nil {
		return err
	}
	name, err := b.anyText(r, nil, int(length))
	if err != nil || kind != 0 {
		return err
	}
	if len(b.Sheets) == mostSheets {
		return r.wrong("it has too many sheets")
	}
	b.Sheets = append(b.Sheets, Sheet{Name: string(name), Hidden: state&3 != 0})
	b.layouts = append(b.layouts, layout{start: int64(start)})
	return nil
}

// format reads a format of numbers that has a code.
func (b *Book) format(r *records, to *formats) error {
	number, err := r.word()
	if err != nil {
		return err
	}
	length, err := r.textLength(b.wide)
	if err != nil {
		return err
	}
	code, _ := b.anyText(r, nil, length) // some are a character shorter than they say, and what there is says enough
	to.custom[number] = cells.KindOf(string(code))
	return nil
}

// textLength is the length of a text: of 2 bytes, or of 1.
func (r *records) textLength(long bool) (int, error) {
	if long {
		length, err := r.word()
		return int(length), err
	}
	length, err := r.octet()
	return int(length), err
}

// formats are what cells may look like.
type formats struct {
	custom map[uint16]cells.Kind // by the numbers of formats that have a code
	used   []uint16              // such a number, or a built-in one, of each format of cells
}

// add reads a format of cells.
func (f *formats) add(r *records) error {
	if len(f.used) == mostFormats {
		return r.wrong("it has too many formats")
	}
	if err := r.skip(2); err != nil {
		return err
	}
	number, err := r.word()
	f.used = append(f.used, number)
	return err
}

// kinds are what each format of cells makes of a number.
func (f *formats) kinds() []cells.Kind {
	list := make([]cells.Kind, len(f.used))
	for i, number := range f.used {
		k, there := f.custom[number]
		if !there {
			k = cells.BuiltinKind(int(number))
		}
		list[i] = k
	}
	return list
}

// First is the sheet that is meant unless another is named: the first that can be seen.
func (b *Book) First() int { return cells.First(b.Sheets) }

// Notices is what the latest reading of a sheet met.
func (b *Book) Notices() Notices { return b.notices }
