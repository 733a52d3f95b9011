package formats_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/formats/internal/xlswrite"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/guess"
)

const megabyte = 1 << 20

// For a file of a megabyte no more than 64 MB are held at any time from when it is opened until a codebook has been
// guessed for it and all its respondents were read by that, however many columns and answers it names: what would take
// more is refused in words.
func TestAtMost64MBForAFileOf1MB(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, of which the race detector, run with -short, takes more")
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
	letter := func(n int) string { return letters[n%52 : n%52+1] }
	// What holds less than 40 MB, by kinds of columns that others here have too, is read in whole tests.
	far := []string{"CSV of 16,384 columns of texts", "CSV of 16,384 columns of numbers",
		"CSV of 10,000 columns with every separator", "CSV of 5,000 columns of 25 answers", "CSV of different words",
		"SPSS of many variables", "SPSS of a set of all variables"}
	slow := []string{"CSV of 16,384 columns of 8 answers", "CSV of 2,000 columns of 52 answers",
		"CSV of 16,384 columns of several answers", "CSV of 16,384 columns of yes and no"}
	for _, c := range []struct {
		name  string
		write func(t *testing.T) string
		says  string // the error; "": it is read
	}{
		{"CSV of 49,999 columns", wideCSV(49_999, func(row, column int) string { return fmt.Sprint(row) }),
			"the file has 49999 columns; a codebook is guessed for up to 16384 in a file of its size"},
		{"CSV of as many columns as fit", wideCSV(180_000, func(row, column int) string { return "" }),
			"it has more than 100000 columns"},
		{"CSV of columns without names", func(t *testing.T) string {
			return put(t, "f.csv",
				strings.Repeat(",", megabyte))
		}, "it has more than 100000 columns"},
		{"CSV of columns of one name", func(t *testing.T) string {
			return put(t, "f.csv",
				strings.Repeat("a,", megabyte/2))
		}, "it has more than 100000 columns"},
		{"CSV of 16,384 columns of yes and no",
			wideCSV(1<<14, func(row, column int) string { return fmt.Sprint((row + column) % 2) }), ""},
		{"CSV of 16,384 columns of 7 answers",
			wideCSV(1<<14, func(row, column int) string { return fmt.Sprint(1 + row%7) }), ""},
		{"CSV of 16,384 columns of 8 answers", wideCSV(1<<14, ownAnswers),
			"which is too many for a file of its size"},
		{"CSV of 16,384 columns of texts", wideCSV(1<<14, func(row, column int) string { return letter(row) }), ""},
		{"CSV of 16,384 columns of several answers", wideCSV(1<<14, func(row, column int) string {
			return letter(row) +
				";"
		}), "which is too many for a file of its size"},
		{"CSV of 16,384 columns of numbers",
			wideCSV(1<<14, func(row, column int) string { return fmt.Sprint(row % 3 * 33) }), ""},
		{"CSV of 10,000 columns with every separator",
			wideCSV(10_000, func(row, column int) string { return letter(row) + "|;" }), ""},
		{"CSV of 5,000 columns of 25 answers",
			wideCSV(5000, func(row, column int) string { return fmt.Sprint(row % 25) }),
			"which is too many for a file of its size"},
		{"CSV of 2,000 columns of 52 answers", wideCSV(2000, func(row, column int) string { return letter(row) }), ""},
		{"CSV of different words", wideCSV(1000, func(row, column int) string {
			return fmt.Sprintf("%x", row*1000+
				column)
		}), ""},
		{"CSV of two columns", wideCSV(2, func(row, column int) string { return fmt.Sprintf("%x", row) }), ""},
		{"CSV of one field", func(t *testing.T) string {
			return put(t, "f.csv", "a\n\""+strings.Repeat("b;",
				megabyte/2)+"\"\n")
		}, ""},
		{"CSV in UTF-16", func(t *testing.T) string {
			return put(t, "f.csv", utf16Text("a;b\n"+strings.Repeat("1;2\n", megabyte/8), false, true))
		}, ""},
		{"CSV of short rows", func(t *testing.T) string {
			return put(t, "f.csv", "a\n"+strings.Repeat("1\n",
				megabyte/2))
		}, ""},
		{"SPSS of many variables", wideSAV(14_000, 0, 1), ""},
		{"SPSS of 5,000 variables that share 1,000 labels", wideSAV(5000, 1000, 1),
			"which is too many for a file of its size"},
		{"SPSS of a set of all variables", wideSAV(10_000, 5, 1), ""},
		{"Triple-S of many variables", func(t *testing.T) string {
			return writeTripleS(t, func(b *strings.Builder) {
				for i := 0; b.Len() < megabyte; i++ {
					fmt.Fprintf(b, `<variable type="single"><name>v%d</name><position start="1"/><values><value `+
						`code="1"/><value code="2"/></values></variable>`, i)
				}
			})
		}, ""},
		{"Triple-S of a multiple of 40,000 codes", func(t *testing.T) string {
			return writeTripleS(t, func(b *strings.Builder) {
				b.WriteString(`<variable type="multiple"><name>a</name><position start="1" finish="40000"/><values>`)
				for i := 1; i <= 40_000; i++ {
					fmt.Fprintf(b, `<value code="%d"/>`, i)
				}
				b.WriteString(`</values></variable>`)
			})
		}, "the file has 40001 columns"},
		{"Stata of 10,000 variables", wideDTA(10_000), ""},
		{"Parquet of 5,000 columns", wideParquet(5000), "its 5000 columns take more than 48 MB of memory"},
		{"Parquet of 2,500 columns", wideParquet(2500), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			leaveOut(t, slices.Contains(far, c.name), slices.Contains(slow, c.name))
			path := c.write(t)
			var err error
			held := atMost(64*megabyte, func() { err = guessAndRead(t, path) })
			t.Logf("%.1f MB; %.150s", float64(held)/megabyte, fmt.Sprint(err))
			if held > 64*megabyte {
				t.Errorf("%d MB were held", held/megabyte)
			}
			if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) || c.says == "" && err != nil {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// leaveOut skips what is like others and holds less or takes longer than they do, but in whole tests; and what takes
// long, in quick ones.
func leaveOut(t *testing.T, like, slow bool) {
	t.Helper()
	switch {
	case like && !testsize.Whole():
		t.Skip("it is like others, which hold more or are faster: whole tests read it, with CROSSWAVE_TESTS=whole")
	case slow && testsize.Quick():
		t.Skip("it takes longer than others: it is read unless CROSSWAVE_TESTS is quick")
	}
}

// That holds for a file that is packed, too, however much comes of a megabyte.
func TestAtMost64MBForAPackedFileOf1MB(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, of which the race detector, run with -short, takes more")
	}
	packed := func(write func(t *testing.T) string) func(t *testing.T) string {
		return func(t *testing.T) string {
			text, err := os.ReadFile(write(t))
			if err != nil {
				t.Fatal(err)
			}
			return put(t, "f.gz", gzipped(t, string(text)))
		}
	}
	// What takes ten seconds and more, and is much like others here or above, is read in whole tests.
	long := []string{"rows of 8 answers", "a workbook of long texts", "an old workbook of too many texts"}
	slow := []string{"an old workbook of a column after the other", "long rows", "rows of yes and no"}
	const row = "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz"
	for _, c := range []struct {
		name  string
		write func(t *testing.T) string
		says  string // the error; "": it is read
	}{
		{"zeros", packed(func(t *testing.T) string { return put(t, "f", strings.Repeat("0", 300*megabyte)) }),
			"it unpacks to more than 256 MB"},
		{"a long first row", packed(func(t *testing.T) string {
			return put(t, "f", strings.Repeat("a,", 20*megabyte))
		}), "it has more than 100000 columns"},
		{"a long name", packed(func(t *testing.T) string { return put(t, "f", strings.Repeat("a", 20*megabyte)) }),
			"its first row is longer than 1 MiB"},
		{"long rows", packed(func(t *testing.T) string {
			return put(t, "f", "a,b\n"+strings.Repeat(strings.Repeat("a", 15*megabyte)+",b\n", 10))
		}), "the row is longer than 1 MiB"},
		{"a dictionary of many variables", packed(wideSAV(150_000, 0, 1)), "unpacks to too much for a file of its size"},
		{"rows of 8 answers", packed(wideCSV(1<<14, ownAnswers)),
			"which is too many for a file of its size"},
		{"rows of yes and no", packed(wideCSV(1<<14, func(row, column int) string { return fmt.Sprint(row % 2) })), ""},
		{"a workbook of long texts", func(t *testing.T) string {
			return put(t, "f.xlsx", sharedWorkbook(t, 300, strings.Repeat(row, 1000)))
		}, ""},
		{"a workbook of too many texts", func(t *testing.T) string {
			return put(t, "f.xlsx", sharedWorkbook(t, 800_000, row))
		}, "the texts of the cells take more than"},
		{"a workbook of one cell in the last column", func(t *testing.T) string {
			return put(t, "f.xlsx", workbook(t, "Data", line("id")+`<row><c r="XFD2"><v>1</v></c></row>`+
				strings.Repeat(line("1"), 20_000)))
		}, "which is too much for a file of its size"},
		{"a workbook with a long list of its columns", func(t *testing.T) string {
			return put(t, "f.xlsx", workbook(t, "Data", line("id", "sex", "age", "town")+line("1", "1", "50", "3"), "Columns",
				line("id")+line("sex")+line("age")+strings.Repeat(line("", "1", strings.Repeat(row, 8)), 30_000)+line("town")))
		}, ""},
		{"a workbook in the last row", func(t *testing.T) string {
			return put(t, "f.xlsx", workbook(t, "Data", line("id")+line("1")+`<row r="1048576"><c><v>1</v></c></row>`))
		}, ""},
		{"an old workbook of long texts", packed(func(t *testing.T) string {
			return put(t, "f.xls", sharedOldWorkbook(15_000, row))
		}), ""},
		{"an old workbook of too many texts", packed(func(t *testing.T) string {
			return put(t, "f.xls", sharedOldWorkbook(800_000, row))
		}), "the texts of the cells take more than"},
		{"an old workbook of many cells", packed(func(t *testing.T) string {
			return put(t, "f.xls", numberedOldWorkbook(60_000, 40, false))
		}), ""},
		{"an old workbook of a column after the other", packed(func(t *testing.T) string {
			return put(t, "f.xls", numberedOldWorkbook(50_000, 30, true))
		}), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			leaveOut(t, slices.Contains(long, c.name), slices.Contains(slow, c.name))
			path := c.write(t)
			var err error
			held := atMost(64*megabyte, func() { err = guessAndRead(t, path) })
			t.Logf("%.1f MB; %.150s", float64(held)/megabyte, fmt.Sprint(err))
			if held > 64*megabyte {
				t.Errorf("%d MB were held", held/megabyte)
			}
			if c.says != "" && (err == nil || !strings.Contains(err.Error(), c.says)) || c.says == "" && err != nil {
				t.Errorf("%v, want %q", err, c.says)
			}
		})
	}
}

// sharedOldWorkbook is a workbook as Excel 97 wrote it, whose cells refer to so many texts: the first 100 of them, each
// with a number before it.
func sharedOldWorkbook(texts int, text string) string {
	list := make([]string, texts)
	for i := range list {
		list[i] = fmt.Sprint(i, text)
	}
	var records []byte
	for i := range min(texts, 100) {
		records = append(records, xlswrite.Record(0x203, uint16(i), uint32(0), float64(i))...)
		records = append(records, xlswrite.Record(0xfd, uint16(i), uint16(1), uint16(0), uint32(i))...)
	}
	return string(xlswrite.Book{Behind: xlswrite.Texts(list...),
		Sheets: []xlswrite.Sheet{{Name: "Data", Records: records}}}.File())
}

// numberedOldWorkbook is such a workbook of rows of numbers, which stand row after row or column after column.
func numberedOldWorkbook(rows, columns int, across bool) string {
	records := make([]byte, 0, 18*rows*columns)
	for i := range rows * columns {
		row, column := i/columns, i%columns
		if across {
			row, column = i%rows, i/rows
		}
		value := float64(row % 7)
		if column == 0 {
			value = float64(row)
		}
		records = append(records, xlswrite.Record(0x203, uint16(row), uint16(column), uint16(0), value)...)
	}
	return string(xlswrite.Book{Sheets: []xlswrite.Sheet{{Name: "Data", Records: records}}}.File())
}

// What is held does not grow with the number of respondents.
func TestHeldMemoryIsFlat(t *testing.T) {
	if testing.Short() {
		t.Skip("it measures memory, of which the race detector, run with -short, takes more")
	}
	var held []int64
	for _, cases := range []int{5000, 80_000} {
		path := wideSAV(100, 0, cases)(t)
		held = append(held, peak(func() {
			if err := guessAndRead(t, path); err != nil {
				t.Error(err)
			}
		}))
	}
	t.Logf("%d KB for 5,000 cases, %d KB for 80,000", held[0]>>10, held[1]>>10)
	if held[1] > held[0]+8*megabyte {
		t.Errorf("%d KB for 5,000 cases, %d KB for 80,000", held[0]>>10, held[1]>>10)
	}
}

// guessAndRead opens a file, guesses a codebook for it, and reads all respondents.
func guessAndRead(t *testing.T, path string) error {
	f, err := formats.Open(path, formats.Options{})
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := f.Guess(t.Context(), guess.Options{})
	if err != nil {
		return err
	}
	src, err := f.Source(m.Codebook)
	if err != nil {
		return err
	}
	n := int64(0)
	for batch, err := range src.Respondents(t.Context()) {
		if err != nil {
			return err
		}
		n += int64(len(batch.Respondents))
	}
	if n != m.Rows {
		t.Errorf("%d respondents of %d", n, m.Rows)
	}
	runtime.KeepAlive(m)
	return nil
}

// atMost gives the peak of f. Above a limit it is measured up to twice more, and the least counts: what is let go while
// a collection runs is found in use by it, and on a machine that does much else collections take long.
func atMost(limit int64, f func()) int64 {
	held := peak(f)
	for n := 0; n < 2 && held > limit; n++ {
		held = min(held, peak(f))
	}
	return held
}

// peak gives the most that the heap held at any time while f ran beyond what it held before, in bytes: what the garbage
// collections found in use, which there are as soon as the heap has grown by a fifth.
func peak(f func()) int64 {
	defer debug.SetGCPercent(debug.SetGCPercent(20))
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	live := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	runtime.GC() // what pools hold is let go by the second
	before, most := live(), int64(0)
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			most = max(most, live())
			select {
			case <-stop:
				return
			case <-time.After(200 * time.Microsecond):
			}
		}
	}()
	f()
	close(stop)
	<-stopped
	return most - before
}

// ownAnswers gives columns eight answers each, of which the four columns on either side have none, so that nothing
// makes one question of them.
func ownAnswers(row, column int) string { return string(rune('A' + row%8 + 8*(column%5))) }

// wideCSV writes a CSV file of a megabyte with so many columns, filled with what cell gives for a row and a column.
func wideCSV(columns int, cell func(row, column int) string) func(t *testing.T) string {
	return func(t *testing.T) string {
		var b strings.Builder
		line := func(cell func(column int) string) {
			for i := range columns {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(cell(i))
			}
			b.WriteByte('\n')
		}
		line(func(column int) string { return fmt.Sprintf("%x", column) })
		before := 0
		for row := 0; row < 2 || 2*b.Len()-before <= megabyte; row++ {
			before = b.Len()
			line(func(column int) string { return cell(row, column) })
		}
		return put(t, "f.csv", b.String())
	}
}

// wideSAV writes a .sav of so many variables, which share labels, and cases; of more than one, the first variable is an
// id.
func wideSAV(variables, labels, cases int) func(t *testing.T) string {
	return func(t *testing.T) string {
		d := &sav.Dictionary{}
		var list []sav.ValueLabel
		for k := range labels {
			list = append(list, sav.ValueLabel{Value: sav.Number(float64(k + 1)), Label: fmt.Sprint("Answer ", k+1)})
		}
		first := func(i int) sav.Value { return sav.Number(float64(i % 7)) }
		set := sav.Set{Name: "$set", Label: "Set", Kind: sav.Category}
		for i := range variables {
			d.Variables = append(d.Variables, sav.Variable{Name: fmt.Sprintf("q%d", i+1), Labels: list})
			set.Variables = append(set.Variables, d.Variables[i].Name)
		}
		if cases > 1 {
			d.Variables[0].Name = "id"
			first = func(i int) sav.Value { return sav.Number(float64(i + 1)) }
		}
		if labels > 0 && labels < 100 {
			d.Sets = []sav.Set{set}
		}
		path := filepath.Join(t.TempDir(), "f.sav")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		rows := func(yield func([]sav.Value, error) bool) {
			row := make([]sav.Value, variables)
			for i := range cases {
				row[0] = first(i)
				for k := 1; k < len(row); k++ {
					row[k] = sav.Number(float64((i + k) % 7))
				}
				if !yield(row, nil) {
					return
				}
			}
		}
		if err := sav.Write(f, d, rows, sav.WriteOptions{}); err != nil {
			t.Fatal(err)
		}
		return path
	}
}

// writeTripleS writes a definition with data of a few cases of ones.
func writeTripleS(t *testing.T, variables func(b *strings.Builder)) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0"?><sss version="2.0"><survey><record ident="A">`)
	variables(&b)
	b.WriteString(`</record></survey></sss>`)
	path := put(t, "f.sss", b.String())
	if err := os.WriteFile(filepath.Join(filepath.Dir(path), "f.asc"),
		[]byte(strings.Repeat(strings.Repeat("1", 40_000)+"\n", 3)), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// wideParquet writes a Parquet file of so many columns.
func wideParquet(columns int) func(t *testing.T) string {
	return func(t *testing.T) string {
		rows := [][]string{nil}
		for i := range columns {
			rows[0] = append(rows[0], fmt.Sprint("q", i))
		}
		for r := range 4 {
			var line []string
			for i := range columns {
				line = append(line, fmt.Sprint((r+i)%3))
			}
			rows = append(rows, line)
		}
		return writeParquet(t, rows)
	}
}
