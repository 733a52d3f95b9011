package survey

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// allRows reads a whole CSV text, header and all, in blocks of so many bytes: the fields of each row behind the line it
// starts on.
func allRows(text []byte, delimiter byte, size, longest int) (rows [][]string, err error) {
	b := newBlocks(bytes.NewReader(text), int64(len(text)), 0, 1)
	b.block, b.longest = size, longest
	if size < blockSize {
		b.rows = 1 + size%3
	}
	columns := 0
	for {
		piece := &block{}
		if err := b.next(piece); err == io.EOF {
			return rows, nil
		} else if err != nil {
			return rows, err
		}
		r := newRows(piece, delimiter, columns)
		for {
			if err := r.read(); err == io.EOF {
				break
			} else if err != nil {
				return rows, err
			}
			if columns == 0 {
				columns = r.fields
				r.columns = columns
			}
			row := []string{fmt.Sprint(r.row)}
			for i := range r.fields {
				row = append(row, string(r.field(i)))
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
			"\n": "row 3: the row is longer than 64 MiB; a quote in it may not be closed",
		"a,b\n1,2\n3,\"" + strings.Repeat("x\n", 100) +
			"\n": "row 3: the row is longer than 64 MiB; a quote in it may not be closed",
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

const plainBook = `{"namespaces": [{"code": "core", "weight": {"column": "w", "missing": "one"}}], "respondent": {"column": "id"}, "missing": ["NA"],
  "wave": {"column": "wave", "missing": "skip", "values": [{"code": "1"}, {"code": "2"}]},
  "location": {"column": "place", "values": [{"code": "n"}, {"code": "s"}]},
  "questions": [
    {"code": "s", "type": "single", "column": "s", "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "a long answer"}]},
    {"code": "m", "type": "multi", "column": "m", "separator": ";", "datapoints": [{"code": "1"}, {"code": "2"}, {"code": "3"}]},
    {"code": "n", "type": "number", "column": "n", "bands": [{"code": "low", "to": 500}, {"code": "high", "from": 500}]},
    {"code": "again", "type": "number", "column": "n", "missing": ["7"], "bands": [{"code": "all"}]},
    {"code": "y", "type": "multi", "datapoints": [{"code": "a", "column": "ya"}, {"code": "b", "column": "yb"}]}]}`

// plainData makes so many rows for plainBook.
func plainData(r *rand.Rand, rows int) [][]string {
	pick := func(from ...string) string { return from[r.IntN(len(from))] }
	data := [][]string{{"id", "w", "wave", "place", "s", "m", "n", "ya", "yb", "unused"}}
	for i := range rows {
		data = append(data, []string{
			fmt.Sprint("p", i), pick("", "NA", "1", "0", "2.5", fmt.Sprint(r.IntN(1000), ".", r.IntN(1000))),
			pick("1", "2", "1", "2", "NA", ""), pick("n", "s", " n"),
			pick("", "1", "2", "01", "3", "a long answer", " a long answer ", "NA", fmt.Sprint("other ", r.IntN(3000))),
			pick("", "1", "1;2", "3;;1", "NA;2", "9;1"),
			fmt.Sprint(r.IntN(1000)), pick("1", "0", "yes", ""), pick("1", "0"), pick("", "x", "says \"so\",\nand goes", "é"),
		})
	}
	return data
}

func csvText(rows [][]string) string {
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.WriteAll(rows)
	return b.String()
}

// readAll writes down all that a source gives.
func readAll(src Source) string {
	var b, unlisted strings.Builder
	skipped := int64(0)
	for batch, err := range src.Respondents(context.Background()) {
		if err != nil {
			fmt.Fprintln(&b, err)
			break
		}
		for _, r := range batch.Respondents {
			a := slices.Clone(r.Attributes)
			slices.Sort(a)
			fmt.Fprintln(&b, r.Row, r.ID, r.Wave, r.Location, r.Weights, a, r.Answered)
		}
		for _, u := range batch.Unlisted {
			fmt.Fprintln(&unlisted, "unlisted", u)
		}
		skipped += batch.Skipped
	}
	return b.String() + unlisted.String() + fmt.Sprintln("skipped", skipped)
}

// open opens a CSV text.
func open(t testing.TB, book, text string, o CSVOptions) *CSV {
	t.Helper()
	c, err := ReadCodebook([]byte(book))
	if err != nil {
		t.Fatal(err)
	}
	src, err := NewCSV(strings.NewReader(text), int64(len(text)), c, o)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// naive reads plainBook's respondents one by one with encoding/csv and the plan alone: no blocks, no tables, no
// goroutines.
func naive(t *testing.T, src *CSV, text string) string {
	records, err := standardRows([]byte(text), ',')
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, rec := range records[1:] {
		row, rec := rec[0], rec[1:]
		wave, ok := src.plan.wave.values[readValue(rec[2], false)]
		if !ok {
			continue
		}
		location := src.plan.location.values[readValue(rec[3], false)]
		weight, reason := src.plan.weight(&src.plan.weights[0], rec[1])
		if reason != "" {
			t.Fatal(reason)
		}
		var attributes []int32
		answered := make([]uint64, (src.plan.layout.Items()+63)/64)
		for i := range src.plan.columns {
			c := &src.plan.columns[i]
			a := c.answer(rec[c.index])
			attributes = append(attributes, a.attributes...)
			for _, item := range a.items {
				answered[item>>6] |= 1 << (item & 63)
			}
		}
		slices.Sort(attributes)
		fmt.Fprintln(&b, row, rec[0], wave, location, []any{weight}, attributes, answered)
	}
	return b.String()
}

// TestCSVRandom compares the reader with a naive one on random files: more distinct texts than tables take, quotes and
// line feeds in fields.
func TestCSVRandom(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 1))
		text := csvText(plainData(r, 8000))
		src := open(t, plainBook, text, CSVOptions{Goroutines: 2})
		src.block = 1 + r.IntN(1<<16)
		var got strings.Builder
		for line := range strings.Lines(readAll(src)) {
			if !strings.HasPrefix(line, "unlisted") && !strings.HasPrefix(line, "skipped") {
				got.WriteString(line)
			}
		}
		if diff := cmp.Diff(naive(t, src, text), got.String()); diff != "" {
			t.Fatalf("seed %d: %s", seed, diff)
		}
	}
}

// TestGoroutines: how many read, and in what blocks, does not matter to what is read, errors included.
func TestGoroutines(t *testing.T) {
	rows := plainData(rand.New(rand.NewPCG(5, 5)), 3000)
	good := csvText(rows)
	late := slices.Clone(rows)
	late[2500] = append(slices.Clone(late[2500]), "one too many")
	two := slices.Clone(late)
	two[1700] = slices.Clone(two[1700])
	two[1700][3] = "nowhere"
	for name, text := range map[string]string{"good": good, "an error": csvText(late), "two errors": csvText(two)} {
		want := ""
		for _, goroutines := range []int{1, 2, 7} {
			for _, size := range []int{100, 5000, blockSize} {
				src := open(t, plainBook, text, CSVOptions{Goroutines: goroutines})
				src.block = size
				got := readAll(src)
				if want == "" {
					want = got
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%s, %d goroutines, blocks of %d: %s", name, goroutines, size, diff)
				}
			}
		}
		if name == "good" == strings.Contains(want, "row ") {
			t.Errorf("%s ends with %s", name, want[max(0, len(want)-300):])
		}
	}
}

// TestUnlistedOrder: values that are none of the datapoints come in the order of rows and columns.
func TestUnlistedOrder(t *testing.T) {
	src := open(t, plainBook, "id,w,wave,place,s,m,n,ya,yb\n1,1,1,n,x,8;9,none,,\n2,1,1,n,x,,,,\n", CSVOptions{})
	var got []Unlisted
	for batch, err := range src.Respondents(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, batch.Unlisted...)
	}
	want := []Unlisted{{0, "s", "x", 2}, {1, "m", "8", 2}, {1, "m", "9", 2}, {2, "n", "none", 2}, {3, "n", "none", 2},
		{0, "s", "x", 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestStop: a consumer may stop at any time, and a context ends the stream with its error; nothing goes on behind.
func TestStop(t *testing.T) {
	text := csvText(plainData(rand.New(rand.NewPCG(6, 6)), 3000))
	src := open(t, plainBook, text, CSVOptions{Goroutines: 3})
	src.block = 2000
	for range src.Respondents(context.Background()) {
		break
	}
	ctx, cancel := context.WithCancel(context.Background())
	batches := 0
	var last error
	for _, err := range src.Respondents(ctx) {
		if last = err; err == nil {
			batches++
		}
		cancel()
	}
	if !errors.Is(last, context.Canceled) || batches != 1 {
		t.Errorf("after %d batches: %v", batches, last)
	}
	ctx, cancel = context.WithTimeout(context.Background(), -time.Second)
	defer cancel()
	for batch, err := range src.Respondents(ctx) {
		if batch != nil || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v %v", batch, err)
		}
	}
}

// TestHeader holds what is said about the first row.
func TestHeader(t *testing.T) {
	book, err := ReadCodebook([]byte(`{"namespaces": [{"code": "c"}], "respondent": {"column": " id"}, "questions": []}`))
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"":                   "the file is empty; a first row with the names of the columns is expected",
		"\n\n":               "row 1: a first row with the names of the columns is expected, not an empty file",
		"\xff\xfei\x00d\x00": "row 1: the file is UTF-16; it must be saved as UTF-8",
		"\xfe\xff\x00i":      "row 1: the file is UTF-16; it must be saved as UTF-8",
		"id,Gr\xf6\xdfe\n":   "row 1: the name of column 2 is not UTF-8; the file must be saved as UTF-8",
		"id,x,id \n1,2,3\n":  `row 1, column "id": columns 1 and 3 have the same name`,
		"id,,\n":             "row 1: columns 2 and 3 have the same name",
		"\n\nid,\"id\"\n":    `row 3, column "id": columns 1 and 2 have the same name`,
		"no\n": `column " id": respondent.column of the codebook names it, but it is not among ` +
			`the 1 columns of the file`,
		"\ufeff\"id\"\n1\n":        "",
		" id ,\"a\nb\"\r\n1,2\r\n": "",
	} {
		_, err := NewCSV(strings.NewReader(text), int64(len(text)), book, CSVOptions{})
		if got := fmt.Sprint(err); got != want && (err != nil || want != "") {
			t.Errorf("%q: %s\nwant %s", text, got, want)
		}
	}
	for _, d := range []rune{'"', '\n', '\r', 'é'} {
		if _, err := NewCSV(strings.NewReader("id\n"), 3, book, CSVOptions{Delimiter: d}); err == nil {
			t.Errorf("%q is taken as a delimiter", d)
		}
	}
}

// TestNotUTF8: text in another encoding is refused where it would be compared.
func TestNotUTF8(t *testing.T) {
	book := `{"namespaces": [{"code": "c"}], "respondent": {"column": "id"}, "questions": [
		{"code": "q", "type": "single", "column": "q", "datapoints": [{"code": "1"}]}, {"code": "y", "type": "multi", "datapoints": [{"code": "a", "column": "y"}]}]}`
	for row, want := range map[string]string{
		"1,\xe9,1,1":            `row 3, column "q": the text is not UTF-8; the file must be saved as UTF-8`,
		"1,long long \xe9,1,1":  `row 3, column "q": the text is not UTF-8; the file must be saved as UTF-8`,
		"1,1,\xe9,1":            `row 3, column "y": the text is not UTF-8; the file must be saved as UTF-8`,
		"\xe9,1,1,1":            `row 3, column "id": the text is not UTF-8; the file must be saved as UTF-8`,
		"1,1,1,\xe9 not looked": "",
	} {
		src := open(t, book, "id,q,y,unused\n0,1,1,1\n"+row+"\n", CSVOptions{})
		got := ""
		for _, err := range src.Respondents(context.Background()) {
			if err != nil {
				got = err.Error()
			}
		}
		if got != want {
			t.Errorf("%q: %s\nwant %s", row, got, want)
		}
	}
}

// TestOpenCSV reads from a disk.
func TestOpenCSV(t *testing.T) {
	book, err := ReadCodebook([]byte(plainBook))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "data.csv")
	text := csvText(plainData(rand.New(rand.NewPCG(7, 7)), 100))
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	src, err := OpenCSV(path, book, CSVOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(readAll(open(t, plainBook, text, CSVOptions{})), readAll(src)); diff != "" {
		t.Error(diff)
	}
	if err := src.Close(); err != nil {
		t.Error(err)
	}
	if _, err := OpenCSV(path+"x", book, CSVOptions{}); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	if _, err := OpenCSV(filepath.Dir(path), book, CSVOptions{}); err == nil ||
		!strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
	// A file that is shorter than it was.
	cut, err := NewCSV(strings.NewReader(text), int64(len(text))+10, book, CSVOptions{})
	if err == nil {
		err = errors.New(readAll(cut))
	}
	if !strings.Contains(err.Error(), io.ErrUnexpectedEOF.Error()) {
		t.Error(err)
	}
}
