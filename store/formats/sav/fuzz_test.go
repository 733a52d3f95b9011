package sav

import (
	"bytes"
	"errors"
	"testing"

	"github.com/crosswave/crosswave/store/formats/internal/readtest"
)

// fuzzSeeds are small files of every kind, written by this package and by hand.
func fuzzSeeds(t testing.TB) (seeds [][]byte) {
	small := everything()
	// The very long strings would make up nearly all of the seeds.
	small.Dictionary.Variables = small.Dictionary.Variables[:10]
	small.Dictionary.Sets[1].Variables[2] = "range"
	for i, row := range small.Rows {
		small.Rows[i] = row[:10]
	}
	long := &table{Dictionary: Dictionary{Variables: []Variable{{Name: "L", Width: 300}, {Name: "n"}}},
		Rows: [][]Value{{Text("long"), Number(2)}}}
	for _, order := range orders {
		for _, c := range compressions {
			seeds = append(seeds, encode(t, small, WriteOptions{Compression: c}, order),
				encode(t, long, WriteOptions{Compression: c}, order))
		}
		b := newFile(order, 1, 2, -1)
		b.number("A", "l\xe4bel", f82, 2, 1, 2).number("B", "", 22<<16|20<<8).str("S", 9)
		b.labels([]int32{1, 2}, b.eight(1), "one", b.eight(2), "")
		b.extension(13, "A=alpha\tB=beta").extension(20, "shift_jis").extension(24, "<x/>")
		b.extension(7, "$a=C 1 x a b\n$b=D1 1 0  a b\n").extension(19, "$c=E 11 1 1 0  a b\n")
		b.extension(17, "a('1'\n)").extension(18, "alpha:b('1'\n'2'\n)$@Role('1'\n)/beta:c('3'\n)")
		b.extension(22, b.counted("S")+"\x02"+b.int(8)+padded("x", 8)+b.counted(padded("y", 8)))
		b.extension(21, b.counted("S")+b.int(9)+b.int(1)+b.counted("v")+b.counted("label"))
		b.end().bytes(101, 253, 254, 254, 253, 100, 255, 252).floats(1.5, 13e9)
		seeds = append(seeds, b.b)
	}
	return seeds
}

// FuzzOpen reads whatever comes. It must not panic, must allocate no more than 64
// bytes for each of the file's besides fixed buffers, and must refuse with a
// FormatError. What it reads must survive being written and read again, once it
// fits.
func FuzzOpen(f *testing.F) {
	for _, seed := range fuzzSeeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const fixed = 4 << 20
		var file *File
		var err error
		if used := readtest.Allocated(func() { file, err = openBytes(data, Options{}) }); used > fixed+64*uint64(len(data)) {
			t.Errorf("%d bytes allocated to open %d", used, len(data))
		}
		var fe *FormatError
		if err != nil {
			if !errors.As(err, &fe) || fe.Offset < 0 || fe.Offset > int64(len(data)) || fe.Problem == "" {
				t.Fatalf("not a good FormatError: %v", err)
			}
			return
		}
		tb := &table{Dictionary: file.Dictionary}
		whole := true
		used := readtest.Allocated(func() {
			for c, e := range file.Cases() {
				if err = e; err != nil || c.Row > 300 {
					whole = err != nil
					break
				}
				for i := range file.Variables {
					c.Float(i)
					c.Bytes(i)
				}
			}
		})
		if used > fixed+2*uint64(len(data)) {
			t.Errorf("%d bytes allocated to read the cases of %d", used, len(data))
		}
		if err != nil && (!errors.As(err, &fe) || fe.Offset < 0) {
			t.Fatalf("not a good FormatError: %v", err)
		}
		if err != nil || !whole || len(file.Variables) == 0 {
			return
		}
		rows := 0
		for row := range file.Rows() {
			if rows++; rows > 5 {
				break
			}
			tb.Rows = append(tb.Rows, append([]Value(nil), row...))
		}
		writeAgain(t, tb)
	})
}

// writeAgain makes a table fit, writes it and reads it back.
func writeAgain(t *testing.T, tb *table) {
	tb.Dictionary.Fit()
	for i := range tb.Dictionary.Variables {
		v := &tb.Dictionary.Variables[i]
		for _, row := range tb.Rows {
			if len(row[i].text) > v.Width && v.Width > 0 {
				return // another encoding took fewer bytes
			}
			if v.valueProblem(row[i], v.Width) != "" && row[i].kind != kindMissing {
				return // infinite
			}
		}
	}
	var m memory
	if err := Write(&m, &tb.Dictionary, tb.rows(), WriteOptions{}); err != nil {
		t.Fatalf("what fits cannot be written: %v", err)
	}
	_, got := decode(t, m.data)
	got.Dictionary.Created, tb.Dictionary.Created = tb.Dictionary.Created, got.Dictionary.Created
	var again memory
	if err := Write(&again, &got.Dictionary, got.rows(), WriteOptions{}); err != nil {
		t.Fatal(err)
	}
	if len(got.Rows) != len(tb.Rows) {
		t.Fatalf("%d rows read of %d written", len(got.Rows), len(tb.Rows))
	}
	got.Dictionary.Created = tb.Dictionary.Created
	_, third := decode(t, again.data)
	for i, row := range got.Rows {
		for k := range row {
			if row[k] != third.Rows[i][k] {
				t.Fatalf("row %d, variable %d: %v, then %v", i, k, row[k], third.Rows[i][k])
			}
		}
	}
	if !bytes.Equal(m.data[176:], again.data[176:]) {
		t.Fatal("writing what was read gives another file")
	}
}
