package formats_test

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/internal/xlswrite"
	"github.com/google/go-cmp/cmp"
)

// oldWorkbook is a workbook as Excel 97 wrote it, with sheets: a name and the records of each.
func oldWorkbook(namesAndRecords ...any) string {
	var b xlswrite.Book
	for i := 0; i < len(namesAndRecords); i += 2 {
		b.Sheets = append(b.Sheets, xlswrite.Sheet{Name: namesAndRecords[i].(string),
			Records: namesAndRecords[i+1].([]byte)})
	}
	return string(b.File())
}

// oldLine is the records of a row of such a workbook, counted from 1; "" is a cell without a value.
func oldLine(number int, fields ...string) (records []byte) {
	for i, f := range fields {
		if f != "" {
			records = append(records, xlswrite.Record(0x204, uint16(number-1), uint16(i), uint16(0), xlswrite.Text(f))...)
		}
	}
	return records
}

// An old workbook reads as a new one: gaps, quotes, the sheet that is named, and what is told of it.
func TestOldWorkbook(t *testing.T) {
	notes := xlswrite.Record(0x205, uint16(1), uint16(0), uint16(0), uint8(0x2a), uint8(1))
	path := put(t, "f.xls", oldWorkbook("Charts", []byte{},
		"Data", slices.Concat(oldLine(2, "id", "Drinks?", "", "Note"), oldLine(3, "", "Tea", "Coffee", "Open"),
			oldLine(7, "2"), oldLine(4, "1", "Tea", "", "said \"no\",\ntwice")),
		"Codes", slices.Concat(oldLine(1, "x", "y"), notes, oldLine(2, "", "1"))))
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := [][]string{{"id", "Drinks?[Tea]", "Drinks?[Coffee]", "Note"}, {"1", "Tea", "", "said \"no\",\ntwice"},
		{"2", "", "", ""}}
	if d := cmp.Diff(want, cells(t, f)); d != "" || f.Format != formats.Excel || f.Sheet != "Data" {
		t.Error(d, f.Format, f.Sheet)
	}
	if d := cmp.Diff([]int64{4, 7}, rowNumbers(t, f)); d != "" {
		t.Error(d)
	}
	if got := f.Notes()[0]; got != `the sheet "Data" is read; not "Charts", "Codes"` {
		t.Error(got)
	}
	codes, err := formats.Open(path, formats.Options{Sheet: "codes"})
	if err != nil {
		t.Fatal(err)
	}
	defer codes.Close()
	if d := cmp.Diff([][]string{{"x", "y"}, {"", "1"}}, cells(t, codes)); d != "" || codes.Sheet != "Codes" {
		t.Error(d, codes.Sheet)
	}
	if got := codes.Notes()[1]; got != "cells that hold an error are read as empty: 1, the first of them A2 #N/A" {
		t.Error(got)
	}
}

// What is in a file tells what it is, not its name, and packed it reads the same.
func TestOldWorkbookByContent(t *testing.T) {
	old := oldWorkbook("Data", slices.Concat(oldLine(1, "id", "a"), oldLine(2, "1", "x"), oldLine(3, "2", "y")))
	for _, c := range []struct {
		name, file, text string
		format           formats.Format
	}{
		{"by itself", "f.xls", old, formats.Excel},
		{"with another name", "f.csv", old, formats.Excel},
		{"in gzip", "f.xls.gz", gzipped(t, old), formats.Excel},
		{"in a zip", "f.zip", zipped(t, member{"f.xls", old}, member{"f.pdf", "%PDF"}), formats.Excel},
		{"a newer one", "f.xls", workbook(t, "Data", line("id", "a")+line("1", "x")+line("2", "y")), formats.Excel},
		{"a text", "f.xls", "id\ta\n1\tx\n2\ty\n", formats.CSV},
		{"a text in UTF-16", "f.xls", utf16Text("id\ta\n1\tx\n2\ty\n", false, true), formats.CSV},
		{"a text in a zip", "f.zip", zipped(t, member{"f.xls", "id\ta\n1\tx\n2\ty\n"}), formats.CSV},
	} {
		t.Run(c.name, func(t *testing.T) {
			f, err := formats.Open(put(t, c.file, c.text), formats.Options{})
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if d := cmp.Diff([][]string{{"id", "a"}, {"1", "x"}, {"2", "y"}}, cells(t, f)); d != "" || f.Format != c.format {
				t.Error(d, f.Format)
			}
		})
	}
}

// What is no workbook, or one that cannot be read, is refused by what it is, and leaves nothing behind.
func TestOldWorkbookRefused(t *testing.T) {
	office := func(stream string) string {
		return string(xlswrite.Compound(9, xlswrite.Stream{Name: stream, Data: []byte("x")}))
	}
	for _, c := range []struct{ name, text, says string }{
		{"cut", "\xd0\xcf\x11\xe0rest", "reading the workbook: it is cut"},
		{"Excel 4", "\x09\x04\x06\x00\x00\x00\x10\x00rest", "a workbook of Excel 4 or before"},
		{"a letter", office("WordDocument"), "reading the workbook: it is a Word document (.doc)"},
		{"an encrypted newer one", office("EncryptedPackage"), "encrypted with a password"},
		{"encrypted", string(xlswrite.Book{Globals: xlswrite.Record(0x2f, uint16(1))}.File()), "encrypted with a password"},
		{"encrypted, in gzip", gzipped(t, office("EncryptedPackage")), "encrypted with a password"},
		{"damaged", oldWorkbook("Data", xlswrite.Record(0x203, uint16(6), uint16(1), uint16(0))),
			`cell B7 (sheet "Data"): a record is too short`},
		{"without rows", oldWorkbook("Data", []byte{}), "a first row with the names of the columns is expected"},
		{"a page", "\ufeff \n<HTML><body><table><tr><td>id</td></tr></table></body></html>", "it is a page in HTML"},
		{"in XML", `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"/>`,
			"it is a workbook in XML, as Excel 2003 wrote them"},
		{"a page in UTF-16", utf16Text("<!DOCTYPE html><table>", false, true), "it is a page in HTML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			f, err := formats.Open(put(t, "f.xls", c.text), formats.Options{TempDir: dir})
			if err == nil {
				f.Close()
			}
			var own *formats.Error
			if !errors.As(err, &own) || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v, want an *Error that says %q", err, c.says)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Errorf("%v are left behind, %v", left, err)
			}
		})
	}
}
