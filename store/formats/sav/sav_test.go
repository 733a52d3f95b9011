package sav

import (
	"bytes"
	"encoding/binary"
	"io"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// values lets go-cmp look into a Value; fit is for what the writer may fill in.
var values = cmp.AllowUnexported(Value{})

// table is a dictionary with its rows, all in memory.
type table struct {
	Dictionary Dictionary
	Rows       [][]Value
}

func (tb *table) rows() iter.Seq2[[]Value, error] {
	return func(yield func([]Value, error) bool) {
		for _, row := range tb.Rows {
			if !yield(row, nil) {
				return
			}
		}
	}
}

// memory is a file in memory that can seek.
type memory struct {
	data []byte
	at   int
}

func (m *memory) Write(p []byte) (int, error) {
	if need := m.at + len(p) - len(m.data); need > 0 {
		m.data = append(m.data, make([]byte, need)...)
	}
	m.at += copy(m.data[m.at:], p)
	return len(p), nil
}

func (m *memory) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += int64(m.at)
	case io.SeekEnd:
		offset += int64(len(m.data))
	}
	m.at = int(offset)
	return offset, nil
}

// encode writes a table to memory.
func encode(t testing.TB, tb *table, opt WriteOptions, order byteOrder) []byte {
	t.Helper()
	var m memory
	if err := write(&m, &tb.Dictionary, tb.rows(), opt, order); err != nil {
		t.Fatal(err)
	}
	return m.data
}

func openBytes(data []byte, opt Options) (*File, error) {
	return Open(bytes.NewReader(data), int64(len(data)), opt)
}

// decode reads a file in memory.
func decode(t testing.TB, data []byte) (*File, *table) {
	t.Helper()
	f, err := openBytes(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f, load(t, f)
}

func load(t testing.TB, f *File) *table {
	t.Helper()
	tb := &table{Dictionary: f.Dictionary}
	for row, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		tb.Rows = append(tb.Rows, append([]Value(nil), row...))
	}
	return tb
}

// openFixture opens a file of the test data that are not part of the project.
func openFixture(t testing.TB, name string) *File {
	t.Helper()
	path := fixture(t, name)
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { file.Close() })
	info, err := file.Stat()
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(file, info.Size(), Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fixture(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("CROSSWAVE_TESTDATA")
	if dir == "" {
		t.Skip("CROSSWAVE_TESTDATA is not set: it names the folder with the test files that are not part of the project")
	}
	return filepath.Join(dir, "fixtures", filepath.FromSlash(name))
}

var orders = map[string]byteOrder{"little": binary.LittleEndian, "big": binary.BigEndian}

var compressions = []Compression{Bytecode, Zlib, Uncompressed}

// sameTable compares a table read back with what was written. What the writer
// fills in by itself is filled in here too.
func sameTable(t testing.TB, got, want *table) {
	t.Helper()
	w := *want
	w.Dictionary = filled(want.Dictionary)
	g := *got
	g.Dictionary.Product = ""
	if diff := cmp.Diff(w, g, values, cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("differs from what was written (-want +got):\n%s", diff)
	}
}

// filled is d as the reader gives it back: with the writer's short names,
// formats and column widths, and the sets in the order of their two records.
func filled(d Dictionary) Dictionary {
	p := newPlan(&d)
	d.Product = ""
	d.Variables = append([]Variable(nil), d.Variables...)
	for i := range d.Variables {
		v := &d.Variables[i]
		v.Short = p.short[i]
		if v.Print == (Format{}) {
			v.Print = defaultFormat(v.Width)
		}
		if v.Write == (Format{}) {
			v.Write = v.Print
		}
		if v.Columns == 0 {
			v.Columns = 8
		}
	}
	var sets []Set
	for _, counted := range []bool{false, true} {
		for _, s := range d.Sets {
			if s.CountedLabels == counted {
				if s.LabelFromVariable {
					s.Label = d.Variable(s.Variables[0]).Label
				}
				sets = append(sets, s)
			}
		}
	}
	d.Sets = sets
	return d
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 1)) }
