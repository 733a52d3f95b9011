package parquet_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/formats/parquet"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/google/go-cmp/cmp"
	library "github.com/parquet-go/parquet-go"
)

// answers has a column of every type that surveys come in.
type answers struct {
	ID      string    `parquet:"id"`
	Wave    int32     `parquet:"wave"`
	Weight  float64   `parquet:"weight"`
	Small   float32   `parquet:"small"`
	Age     *int64    `parquet:"age,optional"`
	Yes     *bool     `parquet:"yes,optional"`
	Brands  []string  `parquet:"brands,list"`
	Codes   []int32   `parquet:"codes"`
	Day     int32     `parquet:"day,date"`
	At      time.Time `parquet:"at,timestamp(microsecond)"`
	Price   int64     `parquet:"price,decimal(2:12)"`
	Big     uint64    `parquet:"big"`
	Region  string    `parquet:"region,dict"`
	Place   place     `parquet:"place"`
	Country *string   `parquet:"country,optional"`
}

type place struct {
	City string `parquet:"city"`
}

func write(t testing.TB, rows []answers, options ...library.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := library.NewGenericWriter[answers](&b, options...)
	if _, err := w.Write(rows); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func two() []answers {
	age, yes, country := int64(-7), true, "DE"
	return []answers{
		{ID: "a", Wave: 1, Weight: 0.1, Small: 0.1, Age: &age, Yes: &yes, Brands: []string{"x", "y"},
			Codes: []int32{1, 96}, Day: 19814, At: time.Date(2024, 3, 31, 17, 45, 0, 500000000, time.UTC),
			Price: 1250, Big: math.MaxUint64, Region: "N", Place: place{"Köln"}, Country: &country},
		{ID: "b", Wave: 2, Weight: 3, Small: 1e-7, Day: -1, At: time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC),
			Price: -5, Region: "S"},
	}
}

func read(t testing.TB, data []byte) ([][]string, error) {
	t.Helper()
	table, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	out := [][]string{table.Header()}
	for row, err := range survey.Rows(context.Background(), table) {
		if err != nil {
			return out, err
		}
		if row.Number != int64(len(out)) {
			t.Errorf("row %d is called %d", len(out), row.Number)
		}
		var line []string
		for i := range table.Header() {
			line = append(line, string(row.Field(i)))
		}
		out = append(out, line)
	}
	return out, nil
}

func TestValues(t *testing.T) {
	want := [][]string{
		{"id", "wave", "weight", "small", "age", "yes", "brands", "codes", "day", "at", "price", "big", "region",
			"place.city", "country"},
		{"a", "1", "0.1", "0.1", "-7", "true", "x;y", "1;96", "2024-04-01", "2024-03-31T17:45:00.5", "12.50",
			"18446744073709551615", "N", "Köln", "DE"},
		{"b", "2", "3", "0.0000001", "", "", "", "", "1969-12-31", "1969-12-31T23:59:59", "-0.05", "0", "S", "", ""},
	}
	for name, options := range map[string][]library.WriterOption{
		"plain": nil, "snappy": {library.Compression(&library.Snappy)}, "zstd": {library.Compression(&library.Zstd)},
		"gzip": {library.Compression(&library.Gzip)}, "old pages": {library.DataPageVersion(1)},
	} {
		got, err := read(t, write(t, two(), options...))
		if err != nil {
			t.Fatal(name, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// A file of several row groups is read through, as often as asked for, and stops when asked to.
func TestRowGroups(t *testing.T) {
	var b bytes.Buffer
	w := library.NewGenericWriter[answers](&b)
	for range 3 {
		rows := make([]answers, 100)
		if _, err := w.Write(rows); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	table, err := parquet.Open(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	if table.Size() != 300 || !table.Date(8) || table.Date(0) {
		t.Errorf("%d rows; dates %v %v", table.Size(), table.Date(8), table.Date(0))
	}
	for range 2 {
		n := 0
		for _, err := range survey.Rows(t.Context(), table) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 300 {
			t.Errorf("%d rows", n)
		}
	}
	for range survey.Rows(t.Context(), table) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range survey.Rows(ctx, table) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

// wideFooter is a file with nothing but a footer, which lists so many columns.
func wideFooter(columns int) []byte {
	b := binary.AppendUvarint([]byte("PAR1\x29\xfc"), uint64(columns)) // field 2: a list of structures
	for range columns {
		b = append(b, 0x48, 1, 'a', 0) // field 4: its name
	}
	b = append(b, 0)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(b)-4)), "PAR1"...)
}

func TestDamaged(t *testing.T) {
	data := write(t, two())
	for _, c := range []struct {
		name string
		data []byte
		says string
	}{
		{"nothing", nil, "too short"},
		{"cut", data[:len(data)-1], "does not end in PAR1"},
		{"encrypted", append(append([]byte(nil), data[:len(data)-1]...), 'E'), "encrypted"},
		{"a footer larger than the file", []byte("PAR1\xff\xff\xff\x7fPAR1"), "footer is said to have"},
		{"a list longer than the footer", []byte("PAR1\x29\xfc\xff\xff\xff\xff\x0f\x07\x00\x00\x00PAR1"),
			"is said to have 4294967295 elements"},
		{"more columns than bytes for them", wideFooter(20_000),
			"it has 20000 columns, and groups of them; up to 16384 are read in a file of its size"},
		{"LZ4", write(t, two(), library.Compression(&library.Lz4Raw)),
			"it is compressed with LZ4_RAW, which is not read; Snappy, gzip and Zstandard are"},
		{"no footer", append([]byte("PAR1"), append(bytes.Repeat([]byte{0xff}, 40), "\x28\x00\x00\x00PAR1"...)...), ""},
	} {
		_, err := read(t, c.data)
		var own *parquet.Error
		if !errors.As(err, &own) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want %q", c.name, err, c.says)
		}
	}
	for i := 4; i < len(data)-8; i += 3 { // whatever byte is wrong, it ends in an error or in texts, not in a panic
		broken := bytes.Clone(data)
		broken[i] ^= 0x55
		if _, err := read(t, broken); err != nil {
			var own *parquet.Error
			if !errors.As(err, &own) {
				t.Errorf("byte %d: %T %v", i, err, err)
			}
		}
	}
}

// FuzzRows reads any bytes: what is wrong with a file is an *Error, and 64 MB are enough to find out.
func FuzzRows(f *testing.F) {
	f.Add(write(f, two()))
	f.Add(write(f, two(), library.Compression(&library.Snappy), library.DataPageVersion(1)))
	f.Add(write(f, two(), library.Compression(&library.Zstd)))
	f.Add(write(f, two(), library.Compression(&library.Gzip)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return // long files are slow and run no other code
		}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		err := skim(data)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 64<<20 {
			t.Errorf("%d bytes allocated to read %d", used, len(data))
		}
		if err != nil {
			var own *parquet.Error
			if !errors.As(err, &own) {
				t.Fatalf("%T %v", err, err)
			}
		}
	})
}

// skim reads the first rows.
func skim(data []byte) error {
	table, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	for row, err := range survey.Rows(context.Background(), table) {
		if err != nil || row.Number > 1000 {
			return err
		}
	}
	return nil
}
