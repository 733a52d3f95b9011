package csv

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
)

// allRows reads a whole CSV text, header and all, in blocks of so many bytes: the fields of each row behind the line it
// starts on.
func allRows(text []byte, delimiter byte, size, longest int) (rows [][]string, err error) {
	c := newCutter(bytes.NewReader(text), 0, 1)
	c.block, c.longest = size, longest
	if size < blockSize {
		c.rows = 1 + size%3
	}
	columns := 0
	for {
		b := newBlock(delimiter, columns, nil)
		if err := c.next(b); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return rows, err
		}
		for {
			var r survey.Row
			if err := b.Next(&r); err == io.EOF {
				break
			} else if err != nil {
				return rows, err
			}
			if columns == 0 {
				columns = b.fields
				b.columns = columns
			}
			row := []string{fmt.Sprint(r.Number)}
			for i := range b.fields {
				row = append(row, string(r.Field(i)))
			}
			rows = append(rows, row)
		}
	}
}

// standardRows reads the same with encoding/csv.
func standardRows(text []byte, delimiter byte) (rows [][]string, err error) {
	r := csv.NewReader(bytes.NewReader(text))
	r.Comma = rune(delimiter)
	for {
		fields, err := r.Read()
		if err == io.EOF {
			return rows, nil
		} else if err != nil {
			return rows, err
		}
		line, _ := r.FieldPos(0)
		rows = append(rows, append([]string{fmt.Sprint(line)}, fields...))
	}
}

// TestRows holds what is a row and what is a field.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		text string
		want [][]string
		err  string
	}{
		{text: ""},
		{text: "\n\r\n\n"},
		{text: "a", want: [][]string{{"1", "a"}}},
		{text: "a,b\n1,2\n", want: [][]string{{"1", "a", "b"}, {"2", "1", "2"}}},
		{text: "a,b\r\n1,2\r\n", want: [][]string{{"1", "a", "b"}, {"2", "1", "2"}}},
		{text: "a,b\n1,2\r", want: [][]string{{"1", "a", "b"}, {"2", "1", "2"}}},
		{text: "a,b\n\n\n,\n", want: [][]string{{"1", "a", "b"}, {"4", "", ""}}},
		{text: "a,b\n 1 ,\t2\n", want: [][]string{{"1", "a", "b"}, {"2", " 1 ", "\t2"}}},
		{text: "a,b\n\"\",\"x\"\n", want: [][]string{{"1", "a", "b"}, {"2", "", "x"}}},
		{text: "a,b\n\"x\ny\",2\n3,4\n", want: [][]string{{"1", "a", "b"}, {"2", "x\ny", "2"}, {"4", "3", "4"}}},
		{text: "a,b\n\"\"\"\",\"1,2\"\"3\"\r\n4,5", want: [][]string{{"1", "a", "b"}, {"2", `"`, `1,2"3`}, {"3", "4", "5"}}},
		{text: "a\n\"\"\n", want: [][]string{{"1", "a"}, {"2", ""}}},
		{text: "a,b\nc\n", want: [][]string{{"1", "a", "b"}},
			err: "row 2: the row has 1 fields, but the header names 2 columns"},
		{text: "a,b\n\n\"c\n\"\n", want: [][]string{{"1", "a", "b"}},
			err: "row 3: the row has 1 fields, but the header names 2 columns"},
		{text: "a,b\nc,d,\n", want: [][]string{{"1", "a", "b"}},
			err: "row 2: the row has 3 fields, but the header names 2 columns"},
		{text: "a,b\n\"c\",d\"\n", want: [][]string{{"1", "a", "b"}},
			err: `row 2: the field "d" holds a quote but does not stand in quotes; a quote in a field is written ` +
				`twice, and the field stands in quotes`},
		{text: "a,b\n1,2\n\"c\"\"\n", want: [][]string{{"1", "a", "b"}, {"2", "1", "2"}},
			err: "row 3: a quote is opened and not closed before the file ends"},
		{text: "a,b\n\"c\" ,d\n", want: [][]string{{"1", "a", "b"}},
			err: `row 2: a field in quotes is followed by " "; only the delimiter or the end of the line may follow`},
		{text: "a,b\n\"c\"\rd,e\n", want: [][]string{{"1", "a", "b"}},
			err: `row 2: a field in quotes is followed by "\r"; only the delimiter or the end of the line may follow`},
	} {
		for _, size := range []int{1, 2, 3, 8, 100} {
			got, err := allRows([]byte(c.text), ',', size, longest)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("%q in blocks of %d: %s", c.text, size, diff)
			}
			if text := fmt.Sprint(err); text != c.err && (err != nil || c.err != "") {
				t.Errorf("%q in blocks of %d: %s, want %s", c.text, size, text, c.err)
			}
		}
	}
}

// TestLongestRow: a row beyond the bound is refused, whether a quote is to blame or not, and the place of an earlier
// mistake is told.
func TestLongestRow(t *testing.T) {
	for text, want := range map[string]string{
		"a,b\n1,2\n3," + strings.Repeat("x", 100) +
			"\n": "row 3: the row is longer than 1 MiB; a quote in it may not be closed",
		"a,b\n1,2\n3,\"" + strings.Repeat("x\n", 100) +
			"\n": "row 3: the row is longer than 1 MiB; a quote in it may not be closed",
		"a,b\n1,2\n3,5\" \n" + strings.Repeat("1,2\n",
			100): `row 3: the field "5" holds a quote but does not stand in quotes; a quote in a field is written ` +
			`twice, and the field stands in quotes`,
	} {
		if _, err := allRows([]byte(text), ',', 8, 64); err == nil || err.Error() != want {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
}

// FuzzCSV compares the scanner with encoding/csv, whatever the size of the blocks: where both read a text they read the
// same, and what one refuses the other does. (encoding/csv makes a line feed of a line end in quotes.)
func FuzzCSV(f *testing.F) {
	for _, text := range []string{"", "a,b\n1,2\n", "a;b\r\n\"1;\n\";\"\"\"\"\r\n\n3;4", "a,b\n1", "a\"b\n",
		"\"a\" ,b\n", "\"a\n", "a,b\r\r\n,\r", "\"\r\r\n\"\"\"", ",,,,,,,,,\n\n,,,,,,,,,\n", "\xff,\x00\n"} {
		f.Add([]byte(text), byte(7), false)
		f.Add([]byte(text), byte(1), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, size byte, semicolon bool) {
		delimiter := byte(',')
		if semicolon {
			delimiter = ';'
		}
		if bytes.HasPrefix(text, []byte("\ufeff")) {
			return // a mark of encoding, which the reader of the header takes off
		}
		got, err := allRows(bytes.Clone(text), delimiter, max(1, int(size)), longest)
		want, standard := standardRows(text, delimiter)
		for _, row := range got {
			for i := range row {
				row[i] = strings.ReplaceAll(row[i], "\r\n", "\n")
			}
		}
		if (err == nil) != (standard == nil) {
			t.Fatalf("%q: %v, but encoding/csv says %v", text, err, standard)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
		if whole, again := allRows(bytes.Clone(text), delimiter, blockSize, longest); fmt.Sprint(again) != fmt.Sprint(
			err) || err == nil && len(whole) != len(got) {
			t.Fatalf("%q: in one block %v, in blocks of %d %v", text, again, size, err)
		}
	})
}

// TestHeader holds what is said about the first row.
func TestHeader(t *testing.T) {
	for text, want := range map[string]string{
		"":                         "the file is empty; a first row with the names of the columns is expected",
		"\n\n":                     "row 1: a first row with the names of the columns is expected, not an empty file",
		"\xff\xfei\x00d\x00":       "row 1: the file is UTF-16; it must be saved as UTF-8",
		"\xfe\xff\x00i":            "row 1: the file is UTF-16; it must be saved as UTF-8",
		"id,Gr\xf6\xdfe\n":         "row 1: the name of column 2 is not UTF-8; the file must be saved as UTF-8",
		"id,x,id \n1,2,3\n":        `row 1, column "id": columns 1 and 3 have the same name`,
		"id,,\n":                   "row 1: columns 2 and 3 have the same name",
		"\n\nid,\"id\"\n":          `row 3, column "id": columns 1 and 2 have the same name`,
		"\ufeff\"id\"\n1\n":        "",
		" id ,\"a\nb\"\r\n1,2\r\n": "",
	} {
		_, err := New(strings.NewReader(text), Options{})
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
	for _, d := range []rune{'"', '\n', '\r', 'é'} {
		if _, err := New(strings.NewReader("id\n"), Options{Delimiter: d}); err == nil {
			t.Errorf("%q is taken as a delimiter", d)
		}
	}
}

// Rows below a header that was put in front of the file have the numbers of its lines.
func TestAddedHeader(t *testing.T) {
	table, err := New(strings.NewReader("a,b\n1,2\n3,4\n"), Options{Added: true})
	if err != nil {
		t.Fatal(err)
	}
	want := int64(0)
	for row, err := range survey.Rows(t.Context(), table) {
		if want++; err != nil || row.Number != want {
			t.Errorf("row %d counts as %d, %v", want, row.Number, err)
		}
	}
}

// A header alone, without a line end, is a file without rows.
func TestHeaderAlone(t *testing.T) {
	for _, text := range []string{"a,b", "a,b\n", "a,b\r\n\r\n"} {
		table, err := New(strings.NewReader(text), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range survey.Rows(t.Context(), table) {
			t.Errorf("%q has a row, or an error: %v", text, err)
		}
	}
}

// read gives the rows of a table, each behind its number, and the error that ends them.
func read(t *testing.T, table *Table) (rows [][]string, err error) {
	for row, err := range survey.Rows(t.Context(), table) {
		if err != nil {
			return rows, err
		}
		line := []string{fmt.Sprint(row.Number)}
		for i := range table.Header() {
			line = append(line, string(row.Field(i)))
		}
		rows = append(rows, line)
	}
	return rows, nil
}

// TestOpen reads from a disk.
func TestOpen(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data.csv")
	text := "a,b\n" + strings.Repeat("1,\"2\n3\"\n", 100)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := Open(path, Options{Block: 50})
	if err != nil {
		t.Fatal(err)
	}
	got, err := read(t, table)
	want, _ := standardRows([]byte(text), ',')
	if diff := cmp.Diff(want[1:], got); diff != "" || err != nil || table.Size() != int64(len(text)) {
		t.Errorf("%v, %d bytes: %s", err, table.Size(), diff)
	}
	if err := table.Close(); err != nil {
		t.Error(err)
	}
	if _, err := Open(path+"x", Options{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Open(filepath.Dir(path), Options{}); err == nil ||
		!strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
	// A file that is shorter than it was.
	cut, err := New(io.NewSectionReader(strings.NewReader(text), 0, int64(len(text))+10), Options{Block: 50})
	if err == nil {
		_, err = read(t, cut)
	}
	if !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Error(err)
	}
}

// TestStop: a consumer may stop at any time, and a context ends the stream with its error.
func TestStop(t *testing.T) {
	table, err := New(strings.NewReader("a\n"+strings.Repeat("1\n", 1000)), Options{Block: 10})
	if err != nil {
		t.Fatal(err)
	}
	for range table.Blocks(t.Context(), nil) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	blocks := 0
	var last error
	for _, err := range table.Blocks(ctx, nil) {
		if last = err; err == nil {
			blocks++
		}
		cancel()
	}
	if !errors.Is(last, context.Canceled) || blocks != 1 {
		t.Errorf("after %d blocks: %v", blocks, last)
	}
}

// What stands for a line feed becomes one in fields, in quotes or not, and a space in names; lines stay rows.
func TestLineBreak(t *testing.T) {
	table, err := New(strings.NewReader("a\vb,c\n1\v2,\"x\"\"\v\vy\"\n\v,z\n"), Options{LineBreak: '\v'})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a b", "c"}, table.Header()); diff != "" {
		t.Error(diff)
	}
	var got []string
	for b, err := range table.Blocks(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		var row survey.Row
		for b.Next(&row) == nil {
			got = append(got, fmt.Sprint(row.Number), string(row.Field(0)), string(row.Field(1)))
		}
		b.Release()
	}
	if diff := cmp.Diff([]string{"2", "1\n2", "x\"\n\ny", "3", "\n", "z"}, got); diff != "" {
		t.Error(diff)
	}
	for _, b := range []byte{',', '"', '\r', '\n', 0x85} {
		if _, err := New(strings.NewReader("a,c\n"), Options{LineBreak: b}); err == nil {
			t.Errorf("%q stands for a line feed", b)
		}
	}
}
