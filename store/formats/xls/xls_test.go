package xls_test

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/crosswave/crosswave/store/formats/cells"
	"github.com/crosswave/crosswave/store/formats/internal/xlswrite"
	"github.com/crosswave/crosswave/store/formats/xls"
	"github.com/crosswave/crosswave/store/formats/xlsx"
	"github.com/google/go-cmp/cmp"
)

// record is a record of a workbook.
func record(id uint16, values ...any) []byte { return xlswrite.Record(id, values...) }

// cell is the record of a cell in a row and a column from 0, in the format of a number.
func cell(id uint16, row, column, format int, values ...any) []byte {
	return record(id, append([]any{uint16(row), uint16(column), uint16(format)}, values...)...)
}

// join puts records one behind the other.
func join(records ...[]byte) []byte { return slices.Concat(records...) }

// short is a small whole number as cells have it.
func short(n int) uint32 { return uint32(n)<<2 | 2 }

// formats are records of some formats of cells: 0 is plain, and then a date, yyyy-mm-dd, one with a time, hours of more
// than a day, a time, a day or a time, and a code that is shorter than it says.
func formats(old bool) []byte {
	code := func(number uint16, text string) []byte {
		if old {
			return record(0x41e, number, uint8(len(text)), text)
		}
		return record(0x41e, number, xlswrite.Text(text))
	}
	out := join(code(164, `yyyy\-mm\-dd`), code(165, "[$-409]d/m/yy h:mm AM/PM;@"), code(166, "[h]:mm"))
	if !old {
		out = append(out, record(0x41e, uint16(167), uint16(9), uint8(0), "d/m/yyyy")...)
	}
	for _, number := range []uint16{0, 14, 164, 165, 166, 20, 56, 167} {
		out = append(out, record(0xe0, uint16(0), number, uint64(0), uint64(0))...)
	}
	return out
}

// book is a workbook of one sheet that is called Data.
func book(globals, records []byte) xlswrite.Book {
	return xlswrite.Book{Globals: join(formats(false), globals),
		Sheets: []xlswrite.Sheet{{Name: "Data", Records: records}}}
}

// read reads a sheet as lines such as "3: A=x C=1.5".
func read(data []byte, sheet int) (lines []string, n xls.Notices, err error) {
	book, err := xls.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, n, err
	}
	for row, err := range book.Rows(sheet, nil) {
		if err != nil {
			return lines, n, err
		}
		lines = append(lines, line(row))
	}
	return lines, book.Notices(), nil
}

func line(row *cells.Row) string {
	text := fmt.Sprintf("%d:", row.Number)
	for _, c := range row.Cells {
		text += fmt.Sprintf(" %s=%s", cells.ColumnName(c.Column), row.Text(c))
	}
	return text
}

// Every kind of cell is read as Excel shows it.
func TestCells(t *testing.T) {
	rich := join([]byte{3, 0, 0x0c, 1, 0, 2, 0, 0, 0}, []byte("a\nb"), make([]byte, 4+2)) // with runs, and spoken
	texts := join(record(0xfc, uint32(9), uint32(5), xlswrite.Text("Plain"), rich, xlswrite.Text("Größe 😀"),
		xlswrite.Text(""), uint16(6), uint8(0), "abc"), record(0x3c, uint8(1), "d\x00\x1f\x04f\x00"))
	for _, c := range []struct {
		name    string
		records []byte
		want    []string
	}{
		{"shared texts", join(cell(0xfd, 0, 0, 0, uint32(0)), cell(0xfd, 0, 1, 0, uint32(1)), cell(0xfd, 0, 2, 0, uint32(2)),
			cell(0xfd, 0, 3, 0, uint32(3)), cell(0xfd, 0, 4, 0, uint32(4))),
			[]string{"1: A=Plain B=a b C=Größe 😀 E=abcdПf"}},
		{"texts in the cell", join(cell(0x204, 0, 0, 0, xlswrite.Text("x\r\ny")), cell(0x204, 0, 1, 0, uint16(2), "\x00ab"),
			cell(0xd6, 0, 2, 0, xlswrite.Text("rich"), uint16(1), uint32(0)), cell(0x204, 0, 3, 0, uint16(1), "\x00\x00"),
			cell(0x204, 0, 4, 0, uint16(0)), cell(0x204, 0, 5, 0, uint16(3), "\x01a\x00b"), record(0x3c),
			record(0x3c, "\x00bc")), []string{"1: A=x  y B=ab C=rich F=abc"}},
		{"numbers", join(cell(0x203, 0, 0, 0, 1.0), cell(0x203, 0, 1, 0, 0.1), cell(0x203, 0, 2, 0, 2.8000000000000003),
			cell(0x203, 0, 3, 0, -0.5), cell(0x203, 0, 4, 0, 1e20), cell(0x203, 0, 5, 0, 1.5e-12),
			cell(0x203, 0, 6, 0, 0.0)),
			[]string{"1: A=1 B=0.1 C=2.8 D=-0.5 E=100000000000000000000 F=1.5e-12 G=0"}},
		{"short numbers", join(cell(0x27e, 0, 0, 0, short(-7)), cell(0x27e, 0, 1, 0, short(12345)|1),
			cell(0x27e, 0, 2, 0, uint32(math.Float64bits(1.5)>>32)),
			cell(0x27e, 0, 3, 0, uint32(math.Float64bits(150)>>32)|1),
			cell(0xbd, 0, 4, 0, short(1), uint16(0), short(2), uint16(1), short(45382), uint16(6))),
			[]string{"1: A=-7 B=123.45 C=1.5 D=1.5 E=1 F=2 G=2024-03-31"}},
		{"dates", join(cell(0x27e, 0, 0, 1, short(45382)), cell(0x203, 0, 1, 2, 45382.75), cell(0x203, 0, 2, 3, 45382.75),
			cell(0x203, 0, 3, 4, 1.5), cell(0x203, 0, 4, 5, 0.75), cell(0x27e, 0, 5, 1, short(1)),
			cell(0x27e, 0, 6, 1, short(61)),
			cell(0x27e, 0, 7, 1, short(-3)), cell(0x27e, 0, 8, 1, short(2958466)), cell(0x27e, 0, 9, 6, short(37438)),
			cell(0x203, 0, 10, 6, 0.75), cell(0x27e, 0, 11, 7, short(45382)), cell(0x27e, 0, 12, 99, short(45382))),
			[]string{"1: A=2024-03-31 B=2024-03-31 C=2024-03-31 18:00:00 D=36:00:00 E=18:00:00 F=1900-01-01 G=1900-03-01 H=-3 " +
				"I=2958466 J=2002-07-01 K=18:00:00 L=2024-03-31 M=45382"}},
		{"truth", join(cell(0x205, 0, 0, 0, uint8(1), uint8(0)), cell(0x205, 0, 1, 0, uint8(0), uint8(0))),
			[]string{"1: A=TRUE B=FALSE"}},
		{"errors", join(cell(0x205, 0, 0, 0, uint8(7), uint8(1)), cell(0x27e, 1, 0, 0, short(1))), []string{"2: A=1"}},
		{"formulas", join(cell(0x06, 0, 0, 0, 1.25, "formula"), cell(0x406, 0, 1, 1, 45382.0),
			cell(0x06, 0, 2, 0, "\x00\x00\x00\x00\x00\x00\xff\xff"), record(0x4bc, "shared"), record(0x207, xlswrite.Text("so")),
			cell(0x06, 0, 3, 0, "\x01\x00\x01\x00\x00\x00\xff\xff"), cell(0x06, 0, 4, 0, "\x02\x00\x2a\x00\x00\x00\xff\xff"),
			cell(0x06, 0, 5, 0, "\x03\x00\x00\x00\x00\x00\xff\xff"), cell(0x06, 0, 6, 0, "\x00\x00\x00\x00\x00\x00\xff\xff"),
			cell(0x27e, 0, 7, 0, short(7))), []string{"1: A=1.25 B=2024-03-31 C=so D=TRUE H=7"}},
		{"blanks and gaps", join(record(0x208, uint16(0)), cell(0x201, 0, 0, 0), cell(0xbe, 1, 0, 0, uint16(0), uint16(1)),
			cell(0x27e, 4, 26, 0, short(2)), cell(0x27e, 65535, 255, 0, short(3))), []string{"5: AA=2", "65536: IV=3"}},
		{"columns in no order", join(cell(0x27e, 0, 2, 0, short(3)), cell(0x27e, 0, 0, 0, short(1)),
			cell(0x27e, 0, 1, 0, short(9)), cell(0x27e, 0, 1, 0, short(2))), []string{"1: A=1 B=2 C=3"}},
		{"a row in pieces", join(cell(0x27e, 0, 0, 0, short(1)), cell(0x06, 1, 0, 0, "\x00\x00\x00\x00\x00\x00\xff\xff"),
			record(0x207, xlswrite.Text("two")), cell(0x27e, 0, 1, 0, short(3)), cell(0xfd, 1, 1, 0, uint32(0))),
			[]string{"1: A=1 B=3", "2: A=two B=Plain"}},
		{"a chart", join(cell(0x27e, 0, 0, 0, short(1)), record(0x809, uint16(0x600), uint16(0x20)),
			cell(0x203, 0, 3, 0, 9.0), record(0x0a), cell(0x27e, 1, 0, 0, short(2))), []string{"1: A=1", "2: A=2"}},
		{"nothing", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := book(nil, c.records)
			b.Behind = texts
			got, _, err := read(b.File(), 0)
			if d := cmp.Diff(c.want, got); d != "" || err != nil {
				t.Error(d, err)
			}
		})
	}
}

// Workbooks of Excel 5 and 95 have their texts in a code page, and no list of them.
func TestExcel95(t *testing.T) {
	records := join(cell(0x204, 0, 0, 0, uint16(3), "\xc4\xe0\n"), cell(0xd6, 0, 1, 0, uint16(2), "ab\x01\x00\x00"),
		cell(0x06, 0, 2, 0, "\x00\x00\x00\x00\x00\x00\xff\xff"), record(0x207, uint16(1), "\xc4"),
		cell(0x203, 0, 3, 2, 45382.5), cell(0x27e, 0, 4, 0, short(5)))
	for _, c := range []struct {
		name, encoding string
		page           uint16
		want           string
	}{
		{"Cyrillic", "", 1251, "1: A=Да  B=ab C=Д D=2024-03-31 E=5"},
		{"western", "", 0x8001, "1: A=Äà  B=ab C=Ä D=2024-03-31 E=5"},
		{"a Macintosh", "", 0x8000, "1: A=ƒ‡  B=ab C=ƒ D=2024-03-31 E=5"},
		{"a font alone", "", 0, "1: A=Да  B=ab C=Д D=2024-03-31 E=5"},
		{"an encoding that is named", "windows-1251", 1252, "1: A=Да  B=ab C=Д D=2024-03-31 E=5"},
	} {
		said := record(0x42, c.page)
		if c.page == 0 {
			said = record(0x31, make([]byte, 12), uint8(204), uint8(0), "Arial")
		}
		data := xlswrite.Book{Old: true, Globals: join(said, formats(true)),
			Sheets: []xlswrite.Sheet{{Name: "\xc4", Records: records}}}.File()
		b, err := xls.New(section(data), int64(len(data)), c.encoding)
		if err != nil {
			t.Fatal(err)
		}
		for row, err := range b.Rows(0, nil) {
			if err != nil || line(row) != c.want {
				t.Errorf("%s: %s, want %s; %v", c.name, line(row), c.want, err)
			}
		}
		if want := string([]rune(c.want)[len("1: A="):][:1]); b.Sheets[0].Name != want {
			t.Errorf("%s: the sheet is called %q, want %q", c.name, b.Sheets[0].Name, want)
		}
	}
}

// Sheets that are hidden are known, charts and macros are none, days may be counted from 1904, and errors, formulas
// without a result and hidden rows are told.
func TestSheets(t *testing.T) {
	records := join(record(0x208, uint16(0), uint16(0), uint16(9), uint16(0), uint32(0), uint32(0x20)),
		cell(0x27e, 0, 0, 1, short(43920)), cell(0x205, 0, 1, 0, uint8(0x2a), uint8(1)),
		cell(0x06, 0, 2, 0, "\x00\x00\x00\x00\x00\x00\xff\xff"), cell(0x203, 0, 3, 0, math.NaN()))
	b := xlswrite.Book{Globals: join(formats(false), record(0x22, uint16(1))), Sheets: []xlswrite.Sheet{
		{Name: "Chart", Kind: 2}, {Name: "Notes", State: 1}, {Name: "Data", Records: records}, {Name: "Code", Kind: 6}}}
	data := b.File()
	got, err := xls.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]xls.Sheet{{Name: "Notes", Hidden: true}, {Name: "Data"}}, got.Sheets); d != "" || got.First() != 1 {
		t.Error(d, got.First())
	}
	lines, notices, err := read(data, 1)
	if d := cmp.Diff([]string{"1: A=2024-03-31"}, lines); d != "" || err != nil {
		t.Error(d, err)
	}
	want := xls.Notices{Errors: 2, FirstError: "B1 #N/A", Unknown: 1, FirstBlank: "C1", Hidden: 1}
	if d := cmp.Diff(want, notices); d != "" {
		t.Error(d)
	}
}

// A workbook of LibreOffice reads as what LibreOffice itself makes of it as .xlsx, cell by cell.
func TestLibreOffice(t *testing.T) {
	old, err := os.ReadFile(filepath.Join("testdata", "excel97.xls"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := xls.Open(bytes.NewReader(old), int64(len(old)))
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(filepath.Join("testdata", "excel97.xlsx"))
	if err != nil {
		t.Fatal(err)
	}
	truth, err := xlsx.Open(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(truth.Sheets, b.Sheets); d != "" {
		t.Error(d)
	}
	for i, s := range truth.Sheets {
		var want, got []string
		for row, err := range truth.Rows(i, nil) {
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, line(row))
		}
		for row, err := range b.Rows(i, nil) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, line(row))
		}
		if d := cmp.Diff(want, got); d != "" || len(want) == 0 {
			t.Errorf("%s: %s", s.Name, d)
		}
		if d := cmp.Diff(truth.Notices(), b.Notices()); d != "" {
			t.Errorf("%s: %s", s.Name, d)
		}
	}
}

// Sheets whose cells stand in no order are read whole though another is read in between; a text that is none behind the
// last is no fault, and an unknown code page none where all texts are ASCII.
func TestReadingBetween(t *testing.T) {
	down := join(cell(0x27e, 2, 0, 0, short(3)), cell(0x27e, 0, 0, 0, short(1)), cell(0x27e, 1, 0, 0, short(2)))
	data := xlswrite.Book{Globals: formats(false), Sheets: []xlswrite.Sheet{{Name: "A", Records: down},
		{Name: "B", Records: down}}}.File()
	b, err := xls.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	var got []int
	for row, err := range b.Rows(0, nil) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, row.Number)
		for _, err := range b.Rows(1, nil) {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if !slices.Equal(got, []int{1, 2, 3}) {
		t.Errorf("rows %d are read", got)
	}
	texts := record(0xfc, uint32(1), uint32(1), xlswrite.Text("tea"), uint8(0))
	lines, _, err := read(book(texts, cell(0xfd, 0, 0, 0, uint32(0))).File(), 0)
	if err != nil || !slices.Equal(lines, []string{"1: A=tea"}) {
		t.Errorf("%q: %v", lines, err)
	}
	plain := xlswrite.Book{Old: true, Globals: join(record(0x42, uint16(999)), formats(true)),
		Sheets: []xlswrite.Sheet{{Name: "Data", Records: cell(0x204, 0, 0, 0, uint16(3), "tea")}}}.File()
	if lines, _, err := read(plain, 0); err != nil || !slices.Equal(lines, []string{"1: A=tea"}) {
		t.Errorf("%q: %v", lines, err)
	}
}
