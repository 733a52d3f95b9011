package xls_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/formats/internal/xlswrite"
	"github.com/crosswave/crosswave/store/formats/xls"
	"github.com/google/go-cmp/cmp"
)

func section(data []byte) *io.SectionReader {
	return io.NewSectionReader(bytes.NewReader(data), 0, int64(len(data)))
}

// small is a small workbook with every kind of record.
func small() xlswrite.Book {
	b := book(record(0x22, uint16(0)), join(record(0x208, uint16(0)), cell(0xfd, 0, 0, 0, uint32(0)),
		cell(0x203, 0, 1, 1, 45382.5), cell(0x27e, 1, 0, 0, short(5)), cell(0xbd, 0, 2, 0, short(1), uint16(0), short(2),
			uint16(3)), cell(0x06, 1, 1, 0, "\x00\x00\x00\x00\x00\x00\xff\xff"), record(0x207, xlswrite.Text("text")),
		cell(0x205, 1, 2, 0, uint8(7), uint8(1)), cell(0x204, 1, 3, 0, xlswrite.Text("label"))))
	b.Behind = xlswrite.Texts("first", "second")
	return b
}

// Cells come by rows, in whatever order they stand, and small sectors, large ones and a long table of them are read.
func TestOrder(t *testing.T) {
	const rows, columns = 4000, 30
	var in, across [][]byte
	for row := range rows {
		for column := range columns {
			in = append(in, cell(0x203, row, column, 0, float64(row*columns+column)))
		}
	}
	for column := range columns {
		for row := range rows {
			across = append(across, in[row*columns+column])
		}
	}
	shuffled := slices.Clone(in)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, k int) {
		shuffled[i], shuffled[k] = shuffled[k], shuffled[i]
	})
	ordered := book(nil, join(in...))
	first, _, err := read(ordered.File(), 0)
	if err != nil || len(first) != rows || !strings.HasPrefix(first[rows-1], "4000: A=119970 B=119971") {
		t.Fatal(len(first), err)
	}
	for name, file := range map[string][]byte{
		"column after column":   book(nil, join(across...)).File(),
		"anyhow":                book(nil, join(shuffled...)).File(),
		"in large sectors":      xlswrite.Compound(12, xlswrite.Stream{Name: "WORKBOOK", Data: ordered.Stream()}),
		"behind another stream": behind(ordered.Stream()),
	} {
		got, _, err := read(file, 0)
		if d := cmp.Diff(first, got); d != "" || err != nil {
			t.Errorf("%s: %.500s %v", name, d, err)
		}
	}
}

// behind is a file with a stream behind others, the first of which is so long that the header has no place for all
// sectors of the allocation table.
func behind(workbook []byte) []byte {
	return xlswrite.Compound(9, xlswrite.Stream{Name: "Else", Data: make([]byte, 8<<20)},
		xlswrite.Stream{Name: "Small", Data: []byte("x")}, xlswrite.Stream{Name: "Workbook", Data: workbook})
}

// What is damaged, or no workbook, is told with its place.
func TestDamaged(t *testing.T) {
	number := cell(0x27e, 0, 0, 0, short(1))
	edit := func(at int, value uint32) []byte {
		data := small().File()
		binary.LittleEndian.PutUint32(data[at:], value)
		return data
	}
	only := func(name string) []byte { return xlswrite.Compound(9, xlswrite.Stream{Name: name, Data: []byte("x")}) }
	stream := func(records ...[]byte) []byte {
		return xlswrite.Compound(9, xlswrite.Stream{Name: "Workbook", Data: join(records...)})
	}
	continued := edit(68, 99999)
	continued[72] = 1
	begin := record(0x809, uint16(0x600), uint16(5))
	loop := xlswrite.Compound(9, xlswrite.Stream{Name: "Workbook", Data: make([]byte, 8192)})
	binary.LittleEndian.PutUint32(loop[bytes.LastIndex(loop, []byte("\x01\x00\x00\x00\x02\x00\x00\x00")):], 0)
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"nothing", nil, "it is cut: it ends inside its header"},
		{"something else", make([]byte, 600), "it does not begin as one"},
		{"a header alone", small().File()[:512], "it lies in parts of the file that are not there"},
		{"strange sectors", edit(30, 0x0006_000a), "sectors of 2^10 bytes are none"},
		{"strange small sectors", edit(30, 0x0007_0009), "small sectors of 2^7 bytes are none"},
		{"a directory that is not there", edit(48, 99999), "the directory: it lies in parts"},
		{"a table that is not there", edit(76, 99999), "the directory: the allocation table has nothing about sector"},
		{"a table that continues nowhere", continued, "the allocation table: it lies in parts"},
		{"a loop", loop, "Workbook: its parts lead back to each other"},
		{"a letter", only("WordDocument"), "it is a Word document (.doc)"},
		{"slides", only("PowerPoint Document"), "it is a PowerPoint presentation"},
		{"encrypted, of the new kind", only("EncryptedPackage"), "it is encrypted with a password"},
		{"another file", only("Contents"), "it is an Office file of another kind"},
		{"encrypted", book(record(0x2f, uint16(1)), number).File(), "it is encrypted with a password: save it without one"},
		{"Excel 4", stream(record(0x409, uint16(0x400), uint16(5))), "of Excel 4 or before"},
		{"no workbook", stream(record(0x27e)), "Workbook: it does not begin as a workbook does"},
		{"another version", stream(record(0x809, uint16(0x700), uint16(5))), "of a version 7 that is not known"},
		{"no sheets", stream(begin, record(0x0a)), "there is no sheet with cells in it"},
		{"no end", stream(begin, record(0x41e, uint16(1), xlswrite.Text("0"))), "the workbook ends inside it"},
		{"a list that ends", stream(begin, record(0x85, uint32(0))), "a record is too short"},
		{"a sheet elsewhere", stream(begin, record(0x85, uint32(4), uint16(0), uint8(1), "\x00A"), record(0x0a)),
			`sheet "A": it does not begin where the list of sheets says`},
		{"a sheet twice", stream(begin, record(0x85, uint32(4), uint16(0), uint8(1), "\x00A"),
			record(0x85, uint32(4), uint16(0), uint8(1), "\x00B"), record(0x0a)), "two sheets begin at one place"},
		{"a sheet without an end", stream(begin, record(0x85, uint32(25), uint16(0), uint8(1), "\x00A"), record(0x0a), begin),
			`sheet "A": it runs into another sheet, or out of the file`},
		{"another code page", xlswrite.Book{Old: true, Globals: record(0x42, uint16(999)),
			Sheets: []xlswrite.Sheet{{Name: "\xc4"}}}.File(), "the code page 999"},
		{"an endless table of sectors", endlessTable(), "lead back to each other"},
		{"a text that is not there", book(nil, cell(0xfd, 6, 1, 0, uint32(3))).File(),
			`cell B7 (sheet "Data"): there is no text 3`},
		{"a short cell", book(nil, record(0x203, uint16(6), uint16(1), uint16(0), "1234")).File(),
			`cell B7 (sheet "Data"): a record is too short`},
		{"a cell without a column", book(nil, record(0x203, uint16(6))).File(), `sheet "Data": a cell at byte`},
		{"a cell without a row", book(nil, record(0x203)).File(), "has no row"},
		{"too many columns", book(nil, cell(0x27e, 0, 256, 0, short(1))).File(), "more than 256 columns"},
		{"half a character", book(nil, cell(0x204, 0, 0, 0, uint16(2), "\x01a\x00b")).File(),
			`cell A1 (sheet "Data"): a record is too short`},
		{"another result", book(nil, cell(0x06, 0, 0, 0, "\x09\x00\x00\x00\x00\x00\xff\xff")).File(), "of a kind 9"},
		{"a long row", book(nil, slices.Repeat(cell(0x204, 0, 0, 0, uint16(60_000), "\x00",
			strings.Repeat("a", 60_000)), 80)).File(), "the row has more than 4 MiB of text"},
		{"much text", much(), "the texts of the cells take more than 16 MB"},
		{"much in no order", unordered(), "in no order of rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := readAll(c.data, min(int64(len(c.data)), 1<<20))
			var own *xls.Error
			if !errors.As(err, &own) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want an *Error that says %q", err, c.says)
			}
		})
	}
}

// readAll reads the first sheet of a file of which memory is bounded by so many bytes.
func readAll(data []byte, size int64) error {
	b, err := xls.New(section(data), size, "")
	if err != nil {
		return err
	}
	for _, err := range b.Rows(0, nil) {
		if err != nil {
			return err
		}
	}
	return nil
}

// unordered is a workbook of more cells in no order of rows than can be put in one in little memory.
func unordered() []byte {
	number := cell(0x27e, 0, 0, 0, short(1))
	return book(nil, join(cell(0x27e, 1, 0, 0, short(1)), slices.Repeat(number, 2_200_000))).File()
}

// much is a workbook whose texts take more memory than there is for a file of its size.
func much() []byte {
	b := book(nil, nil)
	b.Behind = xlswrite.Texts(slices.Repeat([]string{strings.Repeat("я", 5000)}, 1800)...)
	return b.File()
}

// A workbook with any byte changed, or cut anywhere, is read or refused by an *Error.
func TestDamagedAnywhere(t *testing.T) {
	real, err := os.ReadFile(filepath.Join("testdata", "excel97.xls"))
	if err != nil {
		t.Fatal(err)
	}
	for name, whole := range map[string][]byte{"small": small().File(), "LibreOffice": real} {
		check := func(what string, data []byte) {
			t.Helper()
			for sheet := range 3 {
				_, _, err := read(data, min(sheet, sheets(data)-1))
				if own := (*xls.Error)(nil); err != nil && !errors.As(err, &own) {
					t.Errorf("%s, %s: %T %v", name, what, err, err)
				}
			}
		}
		step := 1
		if name != "small" {
			step = testsize.Of(211, 31, 3)
		}
		for i := 0; i < len(whole); i += step {
			check(fmt.Sprintf("cut at %d", i), whole[:i])
			for _, flip := range []byte{0x55, 0xff} {
				damaged := bytes.Clone(whole)
				damaged[i] ^= flip
				check(fmt.Sprintf("byte %d", i), damaged)
			}
		}
	}
}

// sheets is how many a workbook has; 1 if it cannot be opened.
func sheets(data []byte) int {
	b, err := xls.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return 1
	}
	return len(b.Sheets)
}

// FuzzRecords reads any records of a sheet and of what is said of all: what is wrong with them is an *Error, and rows
// and cells come in order.
func FuzzRecords(f *testing.F) {
	b := small()
	f.Add(b.Globals, b.Behind, b.Sheets[0].Records, false)
	f.Add(join(record(0x42, uint16(932)), formats(true)), []byte{}, cell(0x204, 0, 0, 0, uint16(2), "\x82\xa0"), true)
	divided := join(record(0xfc, uint32(1), uint32(1), uint16(6), uint8(0), "abc"),
		record(0x3c, uint8(1), "d\x00e\x00f\x00"))
	f.Add([]byte{}, divided, join(cell(0xfd, 3, 0, 0, uint32(0)), cell(0xfd, 1, 0, 0, uint32(0))), false)
	f.Fuzz(func(t *testing.T, globals, behind, records []byte, old bool) {
		rowsOf(t, xlswrite.Book{Old: old, Globals: globals, Behind: behind,
			Sheets: []xlswrite.Sheet{{Name: "Data", Records: records}}}.File())
	})
}

// FuzzFile reads any bytes likewise.
func FuzzFile(f *testing.F) {
	f.Add(small().File())
	f.Add(xlswrite.Compound(12, xlswrite.Stream{Name: "Book", Data: small().Stream()}))
	f.Add(xlswrite.Compound(9, xlswrite.Stream{Name: "Workbook", Data: append(small().Stream(), make([]byte, 5000)...)}))
	f.Fuzz(rowsOf)
}

// rowsOf reads all sheets of a file.
func rowsOf(t *testing.T, data []byte) {
	own := (*xls.Error)(nil)
	b, err := xls.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		if !errors.As(err, &own) {
			t.Fatalf("%T %v", err, err)
		}
		return
	}
	for sheet := range b.Sheets {
		last := 0
		for row, err := range b.Rows(sheet, func(done, total int64) {}) {
			if err != nil {
				if !errors.As(err, &own) {
					t.Fatalf("%T %v", err, err)
				}
				break
			}
			if row.Number <= last || len(row.Cells) == 0 {
				t.Fatalf("row %d with %d cells after row %d", row.Number, len(row.Cells), last)
			}
			last = row.Number
			column := -1
			for _, c := range row.Cells {
				if c.Column <= column || len(row.Text(c)) == 0 || bytes.ContainsAny(row.Text(c), "\n\r\t\x00") {
					t.Fatalf("row %d: %q in column %d after column %d", row.Number, row.Text(c), c.Column, column)
				}
				column = c.Column
			}
		}
	}
}

// endlessTable is a file whose list of the sectors of its allocation table has the same sector again and again.
func endlessTable() []byte {
	file := xlswrite.Book{Sheets: []xlswrite.Sheet{{Name: "Data"}}}.File()
	const sector = 512
	more := uint32(len(file)/sector - 1)
	binary.LittleEndian.PutUint32(file[68:], more) // the list goes on there
	binary.LittleEndian.PutUint32(file[72:], 2)
	for range 2 {
		more++
		for range sector/4 - 1 {
			file = binary.LittleEndian.AppendUint32(file, 0)
		}
		file = binary.LittleEndian.AppendUint32(file, more)
	}
	return file
}
