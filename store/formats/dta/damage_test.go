package dta

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
	"github.com/crosswave/crosswave/store/formats/internal/readtest"
)

// readAll opens a file and reads at most n rows of it, every value.
func readAll(data []byte, n int64) (*File, error) {
	f, err := openBytes(data, Options{})
	if err != nil {
		return nil, err
	}
	var dst []byte
	for r, err := range f.Rows() {
		if err != nil {
			return f, err
		}
		if r.Row > n {
			break
		}
		for i := range f.Variables {
			dst = r.Append(dst[:0], i)
		}
	}
	return f, nil
}

// swap puts one text, which is there once, in place of another of the same length.
func swap(from, to string) func(b []byte) []byte {
	return func(b []byte) []byte {
		if bytes.Count(b, []byte(from)) != 1 {
			panic(fmt.Sprintf("%q is there %d times", from, bytes.Count(b, []byte(from))))
		}
		return bytes.Replace(b, []byte(from), []byte(to), 1)
	}
}

// put writes bytes to a place.
func put(at int, values ...byte) func([]byte) []byte {
	return func(b []byte) []byte { copy(b[at:], values); return b }
}

// TestDamaged changes one thing in a good file and expects to be told of it.
func TestDamaged(t *testing.T) {
	cut := func(n int) func([]byte) []byte { return func(b []byte) []byte { return b[:n] } }
	const header, variables = 109, 7
	const types, names, tables = header, header + variables, header + variables + 33*variables + 2*(variables+1) +
		49*variables
	const data = tables + 33*variables + 81*variables + 44 // which are the characteristics
	for _, c := range []struct {
		release int
		change  func([]byte) []byte
		says    string
		kind    error
	}{
		{115, cut(0), "at byte 0: the file is empty; expected <stata_dta>", ErrNotStata},
		{115, put(0, []byte("PK\x03\x04")...), `at byte 0: found "PK\x03\x04"; expected <stata_dta>`, ErrNotStata},
		{115, put(0, 103), "at byte 0: the format of the file has the number 103; expected 104 to 115", ErrUnsupported},
		{115, cut(60), "the header: 81 bytes are needed, but the file ends after 50 more", ErrDamaged},
		{115, put(5, 0x7f), "at byte 4: the header: 32519 variables; expected at most the", ErrDamaged},
		{115, put(types+1, 250), "at byte 110: variable 2: the types: found 250; expected 251 to 255, or 1 to 244",
			ErrDamaged},
		{115, cut(names + 40), "at byte 4: the header: 7 variables; expected at most the 0", ErrDamaged},
		{115, put(data-44, 7), "the characteristics: found one of kind 7; expected 0 or 1", ErrDamaged},
		{115, put(data-43, 0xff, 0xff, 0xff, 0x7f), "the characteristics: 2147483647 bytes are needed", ErrDamaged},
		{115, put(6, 0xff, 0xff), fmt.Sprintf("at byte %d: the data: 65535 rows of 27 bytes; the file ends after", data),
			ErrDamaged},
		{115, put(data+4*27+4+33+3+8+8+8+3, 0xff), "", nil}, // the table of labels that no variable has
		{110, put(109, 'x'), "variable 1: the types: found 120; expected one of the letters b, i, l, f and d", ErrDamaged},
		{117, swap("<release>117", "<release>11x"), `the header: the format of the file is "11x"; expected a number`,
			ErrDamaged},
		{118, swap("<release>118", "<release>120"), "at byte 28: the format of the file has the number 120", ErrUnsupported},
		{118, swap("<release>118", "<release>116"), `the format of the file is "116"`, ErrDamaged},
		{118, swap("LSF", "VAX"), `the header: the order of bytes is "VAX"; expected MSF or LSF`, ErrDamaged},
		{118, swap("</byteorder><K>", "</byteorder><L>"), `the header: found "<L>"; expected <K>`, ErrDamaged},
		{118, swap("<map>", "<mop>"), `the map: found "<mop>"; expected <map>`, ErrDamaged},
		{118, swap("<K>\x08\x00", "<K>\x08\x70"), "the header: 28680 variables; expected at most the", ErrDamaged},
		{118, swap("<variable_types>\xf9\xff", "<variable_types>\x00\x00"), "variable 1: the types: found 0; expected 65526",
			ErrDamaged},
		{118, swap("</varnames>", "</varmanes>"), `the section varnames: found "</varmanes>"; expected </varnames>`,
			ErrDamaged},
		{118, swap("<ch>\x0a\x00\x00\x00", "<ch>\x0a\x00\x00\x7f"),
			"the section characteristics: characteristic 1: 2130706442 bytes are needed", ErrDamaged},
		{118, swap("<N>\x04\x00\x00\x00\x00", "<N>\x04\x00\x00\x01\x00"), "the data: 16777220 rows of 35 bytes; the " +
			"file ends", ErrDamaged},
		{118, swap("<N>\x04\x00\x00\x00\x00\x00\x00\x00", "<N>\x04\x00\x00\x00\x00\x00\x00\x80"),
			"the header: found 9223372036854775812, which is more than a file can have", ErrDamaged},
		{118, swap("<N>\x04\x00", "<N>\x03\x00"), "the data: found", ErrDamaged},
		{118, swap("</strls>", "</strms>"), `the long texts: found "</strms>"; expected </strls>`, ErrDamaged},
		{118, swap("</value_labels>", "</balue_labels>"), `the labels of values: found "</balue_labels>"`, ErrDamaged},
	} {
		f, err := readAll(c.change(everything(c.release, orders["little"]).encode()), 1000)
		if c.kind == nil && err == nil {
			continue
		}
		var fe *FormatError
		if !errors.As(err, &fe) || !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v\nwant %v: %s (%v)", err, c.kind, c.says, f)
		}
	}
}

// Tables of labels that contradict themselves.
func TestDamagedLabels(t *testing.T) {
	encode := func(change func(b []byte) []byte) []byte {
		m := &made{release: 115, order: orders["little"], vars: []Variable{{Name: "a", Table: "t"}},
			tables: []madeTable{{"t", []int32{1, 2, 1}, []string{"one", "two", "uno"}}, {"t", []int32{1}, []string{"x"}}}}
		b := m.encode()
		at := bytes.LastIndex(b, []byte("\x03\x00\x00\x00\x0c\x00\x00\x00")) // three labels of twelve bytes
		return append(b[:at:at], change(bytes.Clone(b[at:]))...)
	}
	for _, c := range []struct {
		change func(b []byte) []byte
		says   string
	}{
		{put(0, 9), `the labels of values: table "t": 9 labels with 12 bytes of text; they do not fit into its 44 bytes`},
		{put(3, 0xff), `4278190083 labels with 12 bytes of text`},
		{put(4, 13), `3 labels with 13 bytes of text`},
		{func(b []byte) []byte { return b[:20] }, `the labels of values: table "t": 44 bytes are needed, but the file ends ` +
			`after 20 more`},
	} {
		_, err := openBytes(encode(c.change), Options{})
		if !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%v, want %s", err, c.says)
		}
	}
	f := opened(t, encode(put(12, 99)))
	if list := f.Variables[0].Labels; len(list) != 1 && len(list) != 2 || list[0].Label != "one" {
		t.Errorf("%+v", list)
	}
	for _, says := range []string{"label 2 stands outside of it", "a second label of 1", `second table of labels "t"`} {
		if notes := fmt.Sprint(f.Notes()); !strings.Contains(notes, says) {
			t.Errorf("%s, want %s", notes, says)
		}
	}
}

// What is repaired is noted: variables without names and of one name, and what stands behind the labels.
func TestRepaired(t *testing.T) {
	m := &made{release: 114, order: orders["big"], vars: []Variable{{Name: "a"}, {}, {Name: "a"}, {Name: "A"}}}
	f := opened(t, append(m.encode(), "rest"...))
	var names []string
	for _, v := range f.Variables {
		names = append(names, v.Name)
	}
	if want := []string{"a", "VAR2", "a_3", "A"}; !slices.Equal(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
	if notes := fmt.Sprint(f.Notes()); strings.Count(notes, "variable ") != 2 ||
		!strings.Contains(notes, "4 bytes at the end") {
		t.Error(notes)
	}
	m = everything(105, orders["big"])
	f = opened(t, append(m.encode(), "\x7f\xffrest"...))
	if notes := fmt.Sprint(f.Notes()); f.Variables[1].Labels != nil ||
		!strings.Contains(notes, "of a kind that is not known") {
		t.Error(notes)
	}
}

// TestCut cuts files at every place. What is lost must be noticed; only in front of a table of labels of old formats
// there is nothing that tells.
func TestCut(t *testing.T) {
	for _, release := range releases {
		whole := everything(release, orders["big"])
		data := whole.encode()
		whole.tables = nil
		rows := len(whole.encode())
		for n := range len(data) {
			_, err := readAll(data[:n], 1000)
			var fe *FormatError
			if err == nil && release < 117 && n >= rows {
				continue
			}
			if !errors.As(err, &fe) || fe.Offset < 0 || fe.Offset > int64(n) {
				t.Fatalf("format %d, cut to %d of %d bytes: %v", release, n, len(data), err)
			}
		}
	}
}

// TestChangedBytes changes every byte, and then several at random: whatever comes of it, the reader must not panic.
func TestChangedBytes(t *testing.T) {
	check := func(data []byte) {
		_, err := readAll(data, 100)
		var fe *FormatError
		if err != nil && !errors.As(err, &fe) {
			t.Fatalf("not a FormatError: %v", err)
		}
	}
	for _, release := range releases {
		for _, order := range orders {
			data := everything(release, order).encode()
			for i := range data {
				for _, flip := range []byte{0xff, 0x80, 1}[:testsize.Of(1, 3, 3)] {
					data[i] ^= flip
					check(data)
					data[i] ^= flip
				}
			}
			rng := rand.New(rand.NewPCG(uint64(release), 1))
			for range testsize.Of(100, 500, 10_000) {
				changed := bytes.Clone(data)
				for range 1 + rng.IntN(4) {
					changed[rng.IntN(len(changed))] = byte(rng.IntN(256))
				}
				check(changed)
			}
		}
	}
}

func TestReaderFails(t *testing.T) {
	for _, release := range []int{115, 118} {
		m := everything(release, orders["little"])
		for range 40_000 {
			m.rows = append(m.rows, m.rows[0])
		}
		data := m.encode()
		for _, from := range []int64{10, 300, int64(len(data)) / 2} {
			f, err := Open(readtest.Failing{Reader: bytes.NewReader(data), From: from}, int64(len(data)), Options{})
			if f != nil {
				for _, e := range f.Rows() {
					err = e
				}
			}
			var fe *FormatError
			if !errors.Is(err, readtest.ErrDisk) || errors.As(err, &fe) {
				t.Errorf("format %d, failing from byte %d: %v", release, from, err)
			}
		}
	}
}

// TestHostile reads files of a megabyte that are made to take a lot of memory.
func TestHostile(t *testing.T) {
	readtest.SkipShort(t)
	const size = 1 << 20
	order := orders["little"]
	many := func(release, each int, variable Variable) *made {
		return &made{release: release, order: order, vars: slices.Repeat([]Variable{variable}, size/each)}
	}
	labels := func(n int, text string, tables int) *made {
		m := &made{release: 118, order: order}
		for k := range tables {
			name := fmt.Sprint("t", k)
			m.vars = append(m.vars, Variable{Name: name, Type: Long, Format: "%td", Table: name})
			table := madeTable{name: name}
			for i := range n {
				table.codes, table.labels = append(table.codes, int32(i)), append(table.labels, text)
			}
			m.tables = append(m.tables, table)
		}
		return m
	}
	for name, m := range map[string]*made{
		"variables":                {release: 104, order: order, vars: many(104, 60, Variable{Name: "v"}).vars},
		"variables of one name":    many(118, 645, Variable{Name: "v", Label: strings.Repeat("x", 320)}),
		"variables without a name": many(108, 120, Variable{}),
		"texts in 16 bits":         many(114, 200, Variable{Name: "v", Label: strings.Repeat("\xe9", 80)}),
		"labels":                   labels(size/9, "", 1),
		"tables of a label":        labels(1, "x", size/1000),
		"characteristics":          {release: 118, order: order, notes: slices.Repeat([]string{"x"}, size/14)},
		"long texts": func() *made {
			m := &made{release: 117, order: order, vars: []Variable{{Name: "a", Type: LongText}}}
			for i := range size / 25 {
				ref := reference{1, uint64(i + 1)}
				m.long = append(m.long, madeLong{ref, longText, "\x00"})
				m.rows = append(m.rows, []any{ref})
			}
			return m
		}(),
	} {
		data := m.encode()
		var err error
		if used := readtest.Allocated(func() { _, err = readAll(data, 1<<40) }); used > readtest.MaxHeld || err != nil {
			t.Errorf("%s: %d MB for %d KB, %v", name, used>>20, len(data)>>10, err)
		}
	}
}

// All labels of a table point to the same long text: they would take gigabytes.
func TestOverlappingLabels(t *testing.T) {
	const n = 50_000
	m := &made{release: 118, order: orders["little"], vars: []Variable{{Name: "a", Table: "t"}},
		tables: []madeTable{{name: "t"}}}
	for i := range n {
		m.tables[0].codes, m.tables[0].labels = append(m.tables[0].codes, int32(i)), append(m.tables[0].labels, "")
	}
	m.tables[0].labels[n-1] = strings.Repeat("x", 500_000)
	data := m.encode()
	at := bytes.Index(data, []byte("<lbl>")) + 5 + 4 + 129 + 3 + 8
	for i := range n {
		copy(data[at+4*i:], data[at+4*(n-1):at+4*n])
	}
	if _, err := openBytes(data, Options{}); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "overlap") {
		t.Error(err)
	}
}
