package parquet_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/crosswave/crosswave/store/survey/parquet"
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
		{ID: "a", Wave: 1, Weight: 0.1, Small: 0.1, Age: &age, Yes: &yes, Brands: []string{"x", "y"}, Codes: []int32{1, 96}, Day: 19814, At: time.Date(2024, 3, 31, 17, 45, 0, 500000000, time.UTC),
			Price: 1250, Big: math.MaxUint64, Region: "N", Place: place{"Köln"}, Country: &country},
		{ID: "b", Wave: 2, Weight: 3, Small: 1e-7, Day: -1, At: time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), Price: -5, Region: "S"},
	}
}

func read(t testing.TB, data []byte) ([][]string, error) {
	t.Helper()
	table, err := parquet.Open(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, err
	}
	out := [][]string{table.Header()}
	for row, err := range table.Rows(context.Background()) {
		if err != nil {
			return out, err
		}
		if row.Number() != int64(len(out)) {
			t.Errorf("row %d is called %d", len(out), row.Number())
		}
		var line []string
		for i := range table.Header() {
			line = append(line, string(row.Append(nil, i)))
		}
		out = append(out, line)
	}
	return out, nil
}

func TestValues(t *testing.T) {
	want := [][]string{
		{"id", "wave", "weight", "small", "age", "yes", "brands", "codes", "day", "at", "price", "big", "region", "place.city", "country"},
		{"a", "1", "0.1", "0.1", "-7", "true", "x;y", "1;96", "2024-04-01", "2024-03-31T17:45:00.5", "12.50", "18446744073709551615", "N", "Köln", "DE"},
		{"b", "2", "3", "0.0000001", "", "", "", "", "1969-12-31", "1969-12-31T23:59:59", "-0.05", "0", "S", "", ""},
	}
	for name, options := range map[string][]library.WriterOption{
		"plain": nil, "snappy": {library.Compression(&library.Snappy)}, "zstd": {library.Compression(&library.Zstd)}, "gzip": {library.Compression(&library.Gzip)}, "old pages": {library.DataPageVersion(1)},
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
		for _, err := range table.Rows(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			n++
		}
		if n != 300 {
			t.Errorf("%d rows", n)
		}
	}
	for range table.Rows(t.Context()) {
		break
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, err := range table.Rows(ctx) {
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
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

func FuzzRows(f *testing.F) {
	f.Add(write(f, two()))
	f.Add(write(f, two(), library.Compression(&library.Snappy), library.DataPageVersion(1)))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			t.Skip("too long to be quick")
		}
		if _, err := read(t, data); err != nil {
			var own *parquet.Error
			if !errors.As(err, &own) {
				t.Fatalf("%T %v", err, err)
			}
		}
	})
}
