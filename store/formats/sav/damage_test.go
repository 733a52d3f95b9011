package sav

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/formats/internal/readtest"
	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// readAll opens a file and reads at most n cases of it, every value.
func readAll(data []byte, n int64) (*File, error) {
	f, err := openBytes(data, Options{})
	if err != nil {
		return nil, err
	}
	for c, err := range f.Cases() {
		if err != nil {
			return f, err
		}
		if c.Row > n {
			break
		}
		for i := range f.Variables {
			c.Append(nil, i)
			c.Missing(i)
		}
	}
	return f, nil
}

// TestDamaged changes one thing in a good file and expects to be told of it.
func TestDamaged(t *testing.T) {
	good := func(c Compression, order byteOrder) []byte {
		b := newFile(order, 1, 0, 2)
		if c == Uncompressed {
			b = newFile(order, 0, 0, 2)
		}
		b.number("A", "label", f82).str("S", 9).labels([]int32{1}, b.eight(1), "one").end()
		if c == Uncompressed {
			return b.floats(1).text("text", 16).floats(2).text("", 16).b
		}
		return b.bytes(101, 253, 254, 102, 254, 254, 252, 0).text("text", 8).b
	}
	zlibFile := func() []byte {
		tb := &table{Dictionary: Dictionary{Variables: []Variable{{Name: "A"}}}, Rows: [][]Value{{Number(1)}, {Number(0.5)}}}
		return encode(t, tb, WriteOptions{Compression: Zlib}, binary.LittleEndian)
	}
	put := func(at int, values ...byte) func([]byte) []byte {
		return func(b []byte) []byte { copy(b[at:], values); return b }
	}
	int32at := func(at int, v int32) func([]byte) []byte {
		return func(b []byte) []byte { binary.LittleEndian.PutUint32(b[at:], uint32(v)); return b }
	}
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	z := zlibFile()
	f, err := openBytes(z, Options{})
	if err != nil {
		t.Fatal(err)
	}
	zAt, trailer := int(f.start), int(f.blocks[0].offset+f.blocks[0].size)
	for _, test := range []struct {
		compression Compression
		change      func([]byte) []byte
		want        string
		kind        error
	}{
		{Bytecode, cut(0), "at byte 0: the file is empty; expected $FL2 or $FL3", ErrNotSystemFile},
		{Bytecode, put(0, []byte("PK\x03\x04")...), `at byte 0: found "PK\x03\x04"; expected $FL2 or $FL3`, ErrNotSystemFile},
		{Bytecode, put(0, []byte("ASCII SPSS PORT FILE")...),
			"at byte 0: found a portable file (.por); expected a system file, which begins with $FL2 or $FL3. Save " +
				"it as .sav", ErrNotSystemFile},
		{Bytecode, put(0, 0x5b, 0xc6, 0xd3, 0xf2), "at byte 0: found $FL2 in EBCDIC; expected it in ASCII", ErrUnsupported},
		{Bytecode, cut(100), "at byte 100: the file ends inside its header; expected 176 bytes", ErrDamaged},
		{Bytecode, put(64, 9), "at byte 64: layout code is 09 00 00 00; expected 2 or 3 in either byte order", ErrDamaged},
		{Bytecode, put(72, 2), "at byte 72: compression is 2; expected 0 or 1 in a $FL2 file and 2 in a $FL3 file, " +
			"this is $FL2", ErrDamaged},
		{Bytecode, put(84, 0, 0, 0, 0, 0, 0, 0xf0, 0x7f),
			"at byte 84: compression bias is +Inf; expected a number such as 100 in IEEE 754 form", ErrUnsupported},
		{Bytecode, int32at(176, 77), "at byte 176: found a dictionary record of type 77; expected 2 (variable), 3 " +
			"(value labels), 6 (documents), 7 (extension) or 999 (end of the dictionary)", ErrDamaged},
		{Bytecode, int32at(180, 256), "at byte 180: variable record has type 256; expected 0 for a number or 1 to " +
			"255 for the width of a string", ErrDamaged},
		{Bytecode, int32at(180, -1), "at byte 180: variable record has type -1; expected 0 for a number or 1 to 255 " +
			"for the width of a string", ErrDamaged},
		{Bytecode, int32at(184, 2), "at byte 184: variable record has label code 2; expected 0 or 1", ErrDamaged},
		{Bytecode, int32at(188, -1), "at byte 188: variable record of width 0 has missing value code -1; expected 0 " +
			"to 3, or for a number -2 or -3", ErrDamaged},
		{Bytecode, int32at(208, 1<<30), "at byte 212: a variable label needs 1073741824 bytes, but the file ends " +
			"after 132 more", ErrDamaged},
		{Bytecode, int32at(208, -2), "at byte 208: a variable label has a length of -2 bytes; expected 0 or more",
			ErrDamaged},
		{Bytecode, int32at(256, 5), "at byte 256: variable record has type 5 inside a string of width 9; expected -1",
			ErrDamaged},
		{Bytecode, int32at(252, 7), "at byte 252: found a record of type 7 inside a string of width 9; expected 2",
			ErrDamaged},
		{Bytecode, int32at(288, 1<<28), "at byte 288: record of 268435456 value labels; expected at most the 3 for " +
			"which the rest of the file has room", ErrDamaged},
		{Bytecode, int32at(308, 9), "at byte 308: found a record of type 9 after value labels; expected 4 (their " +
			"variables)", ErrDamaged},
		{Bytecode, int32at(312, 1<<30), "at byte 312: value labels for 1073741824 variables; expected at most 7 by " +
			"the rest of the file", ErrDamaged},
		{Bytecode, int32at(80, 1000), "at byte 328: 1000 cases need at least 3 bytes each; the file has 16 bytes of " +
			"data", ErrDamaged},
		{Bytecode, int32at(80, 5), "at byte 344: the data end after 2 cases; expected 5", ErrDamaged},
		{Bytecode, put(329, 101), "at byte 336: case 1: found code 101; expected a text", ErrDamaged},
		{Bytecode, put(328, 254), "at byte 336: case 1: found spaces; expected a number", ErrDamaged},
		{Bytecode, put(330, 252), "at byte 344: case 1: the data end within a case", ErrDamaged},
		{Bytecode, cut(340), "at byte 336: case 1: the file ends; expected more data", ErrDamaged},
		{Bytecode, cut(333), "at byte 328: 2 cases need at least 3 bytes each; the file has 5 bytes of data", ErrDamaged},
		{Uncompressed, cut(370), "at byte 328: 2 cases need at least 24 bytes each; the file has 42 bytes of data",
			ErrDamaged},
		{Uncompressed, func(b []byte) []byte { return int32at(80, -1)(b)[:370] },
			"at byte 368: case 2: the file ends; expected more data", ErrDamaged},
		{Zlib, put(zAt, 1), fmt.Sprintf("at byte %d: the header of zlib data says it is at byte %d", zAt, zAt-zAt%256+
			1), ErrDamaged},
		{Zlib, put(zAt+8, 1, 0, 0), fmt.Sprintf("at byte %d: the trailer of zlib data is said to be at byte 1; "+
			"expected a place from %d to %d", zAt+8, zAt+24, len(z)-24), ErrDamaged},
		{Zlib, put(zAt+16, 49), fmt.Sprintf("at byte %d: the trailer of zlib data is said to have 49 bytes; "+
			"expected a multiple of 24 up to 48", zAt+16), ErrDamaged},
		{Zlib, put(trailer+20, 2), fmt.Sprintf("at byte %d: the trailer of zlib data has 2 blocks; expected 1 by "+
			"its length", trailer+20), ErrDamaged},
		{Zlib, put(trailer+24, 1), fmt.Sprintf("at byte %d: block 1 of zlib data begins at byte %d (%d inflated); "+
			"expected %d (%d)", trailer+24, zAt+24, zAt-zAt%256+1, zAt+24, zAt), ErrDamaged},
		{Zlib, put(trailer+24+16, 0, 0, 0, 1), fmt.Sprintf("at byte %d: block 1 of zlib data grows from %d bytes to "+
			"16777216; that is more than zlib can do", trailer+40, trailer-zAt-24), ErrDamaged},
		{Zlib, put(trailer+24+16, 20), fmt.Sprintf("at byte %d: block 1 of zlib data inflates to 16 bytes; expected 20",
			zAt+24), ErrDamaged},
		{Zlib, put(trailer+24+16, 15), fmt.Sprintf("at byte %d: case 2: block 1 of zlib data inflates to more than "+
			"the 15 bytes expected", zAt+24), ErrDamaged},
		{Zlib, put(trailer+24+20, 1), fmt.Sprintf("at byte %d: the blocks of zlib data end at byte %d; expected the "+
			"trailer there, which is at %d", trailer, zAt+25, trailer), ErrDamaged},
		{Zlib, put(zAt+24, 0), fmt.Sprintf("at byte %d: case 1: block 1 of zlib data cannot be inflated: zlib: "+
			"invalid header", zAt+24), ErrDamaged},
		{Zlib, put(trailer-1, 0xff), fmt.Sprintf("at byte %d: block 1 of zlib data cannot be inflated: zlib: "+
			"invalid checksum", zAt+24), ErrDamaged},
	} {
		data := bytes.Clone(z)
		if test.compression != Zlib {
			data = good(test.compression, binary.LittleEndian)
		}
		_, err := readAll(test.change(data), 1000)
		var fe *FormatError
		switch {
		case !errors.As(err, &fe):
			t.Errorf("got %v\nwant %s", err, test.want)
		case !errors.Is(err, test.kind) || strings.TrimPrefix(strings.TrimPrefix(err.Error(), test.kind.Error()+": "),
			"x") != test.want:
			t.Errorf("got  %v\nwant %v: %s", err, test.kind, test.want)
		}
	}
	for _, name := range []string{"UTF-16", "klingon", "replacement"} {
		b := newFile(orders["big"], 0, 0, 0).number("A", "", f82).extension(20, name).end()
		if _, err := openBytes(b.b, Options{}); !errors.Is(err, ErrUnsupported) || !strings.Contains(err.Error(), name) {
			t.Errorf("encoding %s: %v", name, err)
		}
		if _, err := openBytes(b.b, Options{Encoding: name}); err == nil {
			t.Errorf("encoding %s given: no error", name)
		}
	}
}

// TestCut cuts a file at every place. What is lost must be noticed; only after
// the last value there is nothing to lose.
func TestCut(t *testing.T) {
	for _, c := range compressions {
		data := encode(t, everything(), WriteOptions{Compression: c}, binary.LittleEndian)
		last := len(data)
		if c == Bytecode {
			last -= 8 * 3 // the code for the end, and what fills its block
		}
		for n := 0; n < last; n += 3 {
			_, err := readAll(data[:n], 1000)
			var fe *FormatError
			if !errors.As(err, &fe) {
				t.Fatalf("%v, cut to %d of %d bytes: %v", c, n, len(data), err)
			}
			if fe.Offset < 0 || fe.Offset > int64(len(data)) && c != Zlib {
				t.Fatalf("%v, cut to %d of %d bytes: offset %d", c, n, len(data), fe.Offset)
			}
		}
	}
}

// TestChangedBytes changes bytes at random: whatever comes of it, the reader
// must neither panic nor take much memory.
func TestChangedBytes(t *testing.T) {
	for _, c := range compressions {
		for _, order := range orders {
			data := encode(t, everything(), WriteOptions{Compression: c}, order)
			rng := random(uint64(c))
			for range testsize.Of(300, 1000, 10_000) {
				changed := bytes.Clone(data)
				for range 1 + rng.IntN(4) {
					changed[rng.IntN(len(changed))] = byte(rng.IntN(256))
				}
				_, err := readAll(changed, 100)
				var fe *FormatError
				if err != nil && !errors.As(err, &fe) {
					t.Fatalf("not a FormatError: %v", err)
				}
			}
		}
	}
}

func TestReaderFails(t *testing.T) {
	for _, c := range compressions {
		tb := &table{Dictionary: Dictionary{Variables: []Variable{{Name: "A"}}}}
		rng := random(3)
		for range 100_000 {
			tb.Rows = append(tb.Rows, []Value{Number(rng.Float64())})
		}
		data := encode(t, tb, WriteOptions{Compression: c}, binary.LittleEndian)
		for _, from := range []int64{100, 300, int64(len(data)) / 2} {
			f, err := Open(readtest.Failing{Reader: bytes.NewReader(data), From: from}, int64(len(data)), Options{})
			for _, e := range casesOf(f) {
				err = e
			}
			if !errors.Is(err, readtest.ErrDisk) {
				t.Errorf("%v, failing from byte %d: %v", c, from, err)
			}
			var fe *FormatError
			if errors.As(err, &fe) {
				t.Errorf("%v: a broken disk is taken for a damaged file: %v", c, err)
			}
		}
	}
}

func casesOf(f *File) func(func(*Case, error) bool) {
	if f == nil {
		return func(func(*Case, error) bool) {}
	}
	return f.Cases()
}

// TestHostile reads files of a megabyte that are made to take a lot of memory.
func TestHostile(t *testing.T) {
	readtest.SkipShort(t)
	const size = 1 << 20
	order := orders["little"]
	fill := func(b *builder, limit int, piece func(i int)) *builder {
		for i := 0; len(b.b) < limit; i++ {
			piece(i)
		}
		return b
	}
	files := map[string]func() []byte{
		"variables": func() []byte {
			b := newFile(order, 1, 0, -1)
			return fill(b, size, func(i int) { b.number(fmt.Sprint("V", i), "", f82) }).end().b
		},
		"variables of one name": func() []byte {
			b := newFile(order, 1, 0, -1)
			return fill(b, size, func(i int) { b.number("V", "", f82) }).end().b
		},
		"variables without formats": func() []byte {
			b := newFile(order, 1, 0, -1)
			return fill(b, size, func(i int) { b.number("", "", 77<<16) }).end().b
		},
		"variables with missing values": func() []byte {
			b := newFile(order, 1, 0, -1)
			return fill(b, size, func(i int) { b.str(fmt.Sprint("V", i), 1, "a", "b", "c") }).end().b
		},
		"labels of every width": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("N", "", f82)
			for i := 1; i <= 8; i++ {
				b.str(fmt.Sprint("S", i), i)
			}
			all := []int32{1, 2, 3, 4, 5, 6, 7, 8, 9}
			for range 2 {
				var pairs []string
				for i := range size / 40 {
					pairs = append(pairs, fmt.Sprintf("%08d", i), "")
				}
				b.labels(all, pairs...)
			}
			return b.end().b
		},
		"labels over and over": func() []byte {
			b := newFile(order, 1, 0, -1)
			var all []int32
			for i := range 5000 {
				b.number(fmt.Sprint("N", i), "", f82)
				all = append(all, int32(i+1))
			}
			var pairs []string
			for i := range 20_000 {
				pairs = append(pairs, b.eight(float64(i)), "")
			}
			b.labels(all, pairs...)
			for i := range all {
				b.labels(all[i:i+1], b.eight(-1), "")
			}
			return b.end().b
		},
		"documents": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82)
			fill(b, size/2, func(int) { b.ints(6, 0) })
			return b.ints(6, size/160).text("", size/160*80).end().b
		},
		"empty extensions": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82)
			return fill(b, size, func(i int) { b.extension(int32(i%30), "") }).end().b
		},
		"extensions with long names": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82).extension(13, strings.Repeat("B=C\t", size/4))
			return b.end().b
		},
		"attributes": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82)
			b.extension(17, strings.Repeat("a(''\n)", size/12)).extension(18, "A:"+strings.Repeat("a(''\n)", size/12))
			return b.end().b
		},
		"values of attributes": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82).extension(17, "a("+strings.Repeat("''\n", size/3)+")")
			return b.end().b
		},
		"sets": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82)
			var s strings.Builder
			for i := 0; s.Len() < size; i++ {
				fmt.Fprintf(&s, "$%x=C 0 \n", i)
			}
			return b.extension(7, s.String()).end().b
		},
		"broken sets": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82)
			return b.extension(7, strings.Repeat("a=C\n", size/4)).end().b
		},
		"members of a set": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.number("A", "", f82)
			return b.extension(7, "$a=C 0 "+strings.Repeat(" a", size/2)+"\n").end().b
		},
		"long labels": func() []byte {
			b := newFile(order, 1, 0, -1)
			b.str("A", 20)
			var s strings.Builder
			s.WriteString(b.counted("A") + b.int(20) + b.int(size/12))
			for i := range size / 12 {
				s.WriteString(b.counted(b.int(int32(i))) + b.int(0))
			}
			return b.extension(21, s.String()).end().b
		},
		"very long strings": func() []byte {
			b := newFile(order, 1, 0, -1)
			var s strings.Builder
			fill(b, size*9/10, func(i int) {
				name := fmt.Sprint("V", i)
				b.str(name, 255).str(name, 48)
				s.WriteString(name + "=00300\x00\t")
			})
			return b.extension(14, s.String()).end().b
		},
		"zlib bomb": func() []byte {
			var m memory
			d := Dictionary{Variables: []Variable{{Name: "A"}}}
			rows := func(yield func([]Value, error) bool) {
				row := []Value{{}}
				for range 4_000_000 {
					if !yield(row, nil) {
						return
					}
				}
			}
			if err := Write(&m, &d, rows, WriteOptions{Compression: Zlib}); err != nil {
				t.Fatal(err)
			}
			return m.data
		},
	}
	for name, file := range files {
		t.Run(name, func(t *testing.T) {
			data := file()
			if len(data) > size+size/16 {
				t.Fatalf("the file has %d bytes", len(data))
			}
			data = data[:len(data):len(data)]
			var err error
			var f *File
			used := readtest.Allocated(func() { f, err = readAll(data, 10_000_000) })
			if used > readtest.MaxHeld {
				t.Errorf("%d MB allocated for a file of %d bytes", used>>20, len(data))
			}
			var fe *FormatError
			if err != nil && !errors.As(err, &fe) {
				t.Error(err)
			}
			if f != nil && len(f.Notes()) > statfile.MostNotes+1 {
				t.Errorf("%d notes", len(f.Notes()))
			}
			t.Logf("%7d bytes, %3d MB allocated, error %v", len(data), used>>20, err)
		})
	}
}

// TestFlatMemory reads and writes many cases: what is allocated must not grow
// with their number.
func TestFlatMemory(t *testing.T) {
	readtest.SkipShort(t)
	d := Dictionary{Variables: []Variable{{Name: "A"}, {Name: "B", Width: 300}, {Name: "C"}}}
	rows := func(n int) func(yield func([]Value, error) bool) {
		row := []Value{Number(1.5), Text("same text"), Number(2)}
		return func(yield func([]Value, error) bool) {
			for range n {
				if !yield(row, nil) {
					return
				}
			}
		}
	}
	for _, c := range compressions {
		var use [2]uint64
		for i, n := range []int{100, 20_000} {
			m := memory{data: make([]byte, 0, 64<<20)}
			var total float64
			use[i] = readtest.Allocated(func() {
				if err := Write(&m, &d, rows(n), WriteOptions{Compression: c}); err != nil {
					t.Fatal(err)
				}
				f, err := openBytes(m.data, Options{})
				if err != nil {
					t.Fatal(err)
				}
				for c, err := range f.Cases() {
					if err != nil {
						t.Fatal(err)
					}
					x, _ := c.Float(0)
					total += x + float64(len(c.Bytes(1)))
				}
			})
			if total != float64(n)*(1.5+9) {
				t.Errorf("%v: total %v", c, total)
			}
		}
		if use[1] > use[0]+1<<20 {
			t.Errorf("%v: %d KB allocated for 100 cases, %d KB for 20,000", c, use[0]>>10, use[1]>>10)
		}
	}
}
