package dta

import (
	"bytes"
	"encoding/binary"
	"math"
	"strconv"
	"testing"
)

// made is a file as the tests write it, of any format.
type made struct {
	release int
	order   binary.ByteOrder
	label   string
	stamp   string
	vars    []Variable // with Name, Label, Type, Width, Format and Table
	tables  []madeTable
	notes   []string
	rows    [][]any // of float64, Missing, string for texts and reference for long ones
	long    []madeLong
}

// madeTable is a table of labels. Its codes are as they stand in the file.
type madeTable struct {
	name   string
	codes  []int32
	labels []string
}

// reference is a variable and a row, from 1, of a long text.
type reference struct{ variable, row uint64 }

type madeLong struct {
	reference
	kind byte
	text string
}

var orders = map[string]binary.ByteOrder{"little": binary.LittleEndian, "big": binary.BigEndian}

// releases are the formats that there are.
var releases = []int{104, 105, 108, 110, 111, 113, 114, 115, 117, 118, 119}

// written is a file that is being written.
type written struct {
	bytes.Buffer
	m      *made
	l      layout
	places [mapEntries]int
}

// encode writes the file.
func (m *made) encode() []byte {
	w := &written{m: m, l: layoutOf(m.release)}
	if !w.l.tagged {
		w.old()
		return w.Bytes()
	}
	w.tagged()
	b := bytes.Clone(w.Bytes())
	at := bytes.Index(b, []byte("<map>")) + len("<map>")
	for i, place := range w.places {
		w.Reset()
		w.uint(8, uint64(place))
		copy(b[at+8*i:], w.Bytes())
	}
	return b
}

func (w *written) uint(size int, n uint64) {
	for i := range size {
		shift := 8 * i
		if w.m.order == binary.BigEndian {
			shift = 8 * (size - 1 - i)
		}
		w.WriteByte(byte(n >> shift))
	}
}

// field writes a text, and behind its end what was there before.
func (w *written) field(size int, text string) {
	b := bytes.Repeat([]byte("?"), size)
	clear(b[copy(b, text):min(size, len(text)+1)])
	w.Write(b)
}

func (w *written) tag(tags string) { w.WriteString(tags) }

func (w *written) place(i int) { w.places[i] = w.Len() }

func (w *written) old() {
	m, l := w.m, &w.l
	w.WriteByte(byte(m.release))
	order := byte(2)
	if m.order == binary.BigEndian {
		order = 1
	}
	w.Write([]byte{order, 1, 0})
	w.uint(l.variables, uint64(len(m.vars)))
	w.uint(l.rows, uint64(len(m.rows)))
	w.field(l.title, m.label)
	w.field(l.stamp, m.stamp)
	for i := range m.vars {
		w.oldType(&m.vars[i])
	}
	w.each(func(v *Variable) { w.field(l.name, v.Name) })
	w.uint(l.sort*(len(m.vars)+1), 0)
	w.each(func(v *Variable) { w.field(l.format, string(v.Format)) })
	w.each(func(v *Variable) { w.field(l.name, v.Table) })
	w.each(func(v *Variable) { w.field(l.label, v.Label) })
	if l.extra > 0 {
		for _, note := range append(m.notes, "") {
			w.uint(1, uint64(min(1, len(note))))
			w.uint(l.extra, uint64(len(note)))
			w.WriteString(note)
		}
	}
	w.rows()
	for i := range m.tables {
		if t := &m.tables[i]; l.spreadLabels {
			w.spreadTable(t)
		} else {
			w.table(t)
		}
	}
}

func (w *written) each(write func(v *Variable)) {
	for i := range w.m.vars {
		write(&w.m.vars[i])
	}
}

func (w *written) oldType(v *Variable) {
	switch {
	case v.Type == Text && w.m.release < 111:
		w.WriteByte(byte(v.Width + 0x7f))
	case v.Type == Text:
		w.WriteByte(byte(v.Width))
	case w.m.release < 111:
		w.WriteByte("bilfd"[v.Type])
	default:
		w.WriteByte(251 + byte(v.Type))
	}
}

func (w *written) tagged() {
	m, l := w.m, &w.l
	order := "LSF"
	if m.order == binary.BigEndian {
		order = "MSF"
	}
	w.tag("<stata_dta><header><release>" + strconv.Itoa(m.release) + "</release><byteorder>" + order + "</byteorder><K>")
	w.uint(l.variables, uint64(len(m.vars)))
	w.tag("</K><N>")
	w.uint(l.rows, uint64(len(m.rows)))
	w.tag("</N><label>")
	w.uint(l.title, uint64(len(m.label)))
	w.tag(m.label + "</label><timestamp>")
	w.uint(1, uint64(len(m.stamp)))
	w.tag(m.stamp + "</timestamp></header>")
	w.place(1)
	w.tag("<map>" + string(make([]byte, 8*mapEntries)) + "</map>")
	section := func(i int, name string, write func()) {
		w.place(i)
		w.tag("<" + name + ">")
		write()
		w.tag("</" + name + ">")
	}
	section(2, "variable_types", func() { w.each(w.newType) })
	section(3, "varnames", func() { w.each(func(v *Variable) { w.field(l.name, v.Name) }) })
	section(4, "sortlist", func() { w.uint(l.sort*(len(m.vars)+1), 0) })
	section(5, "formats", func() { w.each(func(v *Variable) { w.field(l.format, string(v.Format)) }) })
	section(6, "value_label_names", func() { w.each(func(v *Variable) { w.field(l.name, v.Table) }) })
	section(7, "variable_labels", func() { w.each(func(v *Variable) { w.field(l.label, v.Label) }) })
	section(8, "characteristics", func() {
		for _, note := range m.notes {
			w.tag("<ch>")
			w.uint(4, uint64(len(note)))
			w.tag(note + "</ch>")
		}
	})
	section(9, "data", w.rows)
	section(mapLong, "strls", w.longTexts)
	section(mapLabels, "value_labels", func() {
		for i := range m.tables {
			w.tag("<lbl>")
			w.table(&m.tables[i])
			w.tag("</lbl>")
		}
	})
	w.place(12)
	w.tag("</stata_dta>")
	w.place(13)
}

func (w *written) newType(v *Variable) {
	code := 65530 - int(v.Type)
	if v.Type == Text {
		code = v.Width
	} else if v.Type == LongText {
		code = 32768
	}
	w.uint(2, uint64(code))
}

func (w *written) longTexts() {
	for _, t := range w.m.long {
		w.tag("GSO")
		w.uint(4, t.variable)
		w.uint(min(8, 4*(w.m.release-116)), t.row)
		w.WriteByte(t.kind)
		w.uint(4, uint64(len(t.text)))
		w.WriteString(t.text)
	}
}

func (w *written) table(t *madeTable) {
	var texts bytes.Buffer
	var starts []int
	for _, label := range t.labels {
		starts = append(starts, texts.Len())
		texts.WriteString(label + "\x00")
	}
	w.uint(4, uint64(8+8*len(t.codes)+texts.Len()))
	w.field(w.l.name, t.name)
	w.uint(3, 0)
	w.uint(4, uint64(len(t.codes)))
	w.uint(4, uint64(texts.Len()))
	for _, start := range starts {
		w.uint(4, uint64(start))
	}
	for _, code := range t.codes {
		w.uint(4, uint64(uint32(code)))
	}
	w.Write(texts.Bytes())
}

func (w *written) spreadTable(t *madeTable) {
	w.uint(2, uint64(len(t.codes)))
	w.field(9, t.name)
	w.uint(1, 0)
	for _, code := range t.codes {
		w.uint(2, uint64(uint16(code)))
	}
	for _, label := range t.labels {
		w.field(8, label)
	}
}

func (w *written) rows() {
	for _, row := range w.m.rows {
		for i := range w.m.vars {
			w.value(&w.m.vars[i], row[i])
		}
	}
}

func (w *written) value(v *Variable, value any) {
	switch x := value.(type) {
	case string:
		w.field(v.Width, x)
	case reference:
		n := w.l.longVariable
		w.uint(n, x.variable)
		w.uint(8-n, x.row)
	case Missing:
		w.missing(v.Type, x)
	case int:
		w.value(v, float64(x))
	case float64:
		switch v.Type {
		case Float:
			w.uint(4, uint64(math.Float32bits(float32(x))))
		case Double:
			w.uint(8, math.Float64bits(x))
		default:
			w.uint(typeSizes[v.Type], uint64(int64(x)))
		}
	default:
		panic("no value")
	}
}

func (w *written) missing(t Type, m Missing) {
	n := uint64(0)
	if m != SystemMissing {
		n = uint64(m-'a') + 1
	}
	first := map[Type]uint64{Byte: missingByte, Int: missingInt, Long: missingLong, Float: missingFloat,
		Double: missingDouble}[t]
	step := map[Type]uint64{Byte: 1, Int: 1, Long: 1, Float: floatStep, Double: doubleStep}[t]
	if !w.l.extended && t < Float {
		first = 1<<(8*typeSizes[t]-1) - 1
	}
	w.uint(typeSizes[t], first+n*step)
}

// openBytes opens a file in memory.
func openBytes(data []byte, o Options) (*File, error) {
	return Open(bytes.NewReader(data), int64(len(data)), o)
}

// opened opens a file that can be read.
func opened(t testing.TB, data []byte) *File {
	t.Helper()
	f, err := openBytes(data, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// cells returns the rows of a file as a table has them.
func cells(t testing.TB, f *File) (rows [][]string) {
	t.Helper()
	for r, err := range f.Rows() {
		if err != nil {
			t.Fatal(err)
		}
		var row []string
		for i := range f.Variables {
			row = append(row, string(r.Append(nil, i)))
		}
		rows = append(rows, row)
	}
	return rows
}
