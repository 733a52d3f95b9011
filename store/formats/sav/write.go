package sav

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
	"time"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// WriteOptions for writing; the zero value writes bytecode, as SPSS does.
type WriteOptions struct {
	Compression Compression
	// Cases is the number of rows, where it is known and w cannot seek; a w
	// that can gets the number that came. 0: not known.
	Cases int64
}

// Write writes a system file: the dictionary and then the rows, each with a value for every variable in their order. A
// row may be overwritten by the next. System-missing in a text variable is written as an empty text. Memory does not
// grow with the number of rows.
//
// The texts of the file are UTF-8, and so are the widths of the variables in bytes; Product, the Short of variables
// where it is empty or taken, and zero formats and column widths are the writer's. If Created is zero, it is now.
//
// If w is an io.WriteSeeker, the number of cases is put into the header at the end; otherwise it is opt.Cases, or
// "unknown". Zlib needs one, and makes a .zsav file of it.
//
// What cannot be written is an *[InvalidError]; if that is in a row, or rows or
// w fail, w holds a file that is not complete.
func Write(w io.Writer, d *Dictionary, rows iter.Seq2[[]Value, error], opt WriteOptions) error {
	return write(w, d, rows, opt, binary.LittleEndian)
}

// byteOrder is what both orders of encoding/binary can do.
type byteOrder interface {
	binary.ByteOrder
	binary.AppendByteOrder
}

func write(w io.Writer, d *Dictionary, rows iter.Seq2[[]Value, error], opt WriteOptions, order byteOrder) error {
	if err := d.check(); err != nil {
		return err
	}
	if opt.Compression > Uncompressed || opt.Cases < 0 {
		return fmt.Errorf("compression %d or number of cases %d is not one there is", opt.Compression, opt.Cases)
	}
	var base int64
	seeker, _ := w.(io.WriteSeeker)
	if seeker != nil {
		var err error
		if base, err = seeker.Seek(0, io.SeekCurrent); err != nil {
			seeker = nil // a pipe, say
		}
	}
	if seeker == nil && opt.Compression == Zlib {
		return errors.New("a .zsav file can only be written to a destination that can seek, such as a file")
	}
	out := &writer{w: bufio.NewWriterSize(w, 256<<10), order: order, opt: opt, plan: newPlan(d), cases: -1}
	if opt.Cases > 0 {
		out.cases = opt.Cases
	}
	out.dictionary(seeker != nil)
	if out.tooLarge != 0 {
		return &InvalidError{Problem: fmt.Sprintf("%s: more than %d bytes; expected fewer or shorter ones",
			extensionNames[out.tooLarge], statfile.MaxPart)}
	}
	n, err := out.data(rows)
	if err != nil {
		return err
	}
	if opt.Cases > 0 && n != opt.Cases {
		return &InvalidError{Row: n, Problem: fmt.Sprintf("this is the last row; expected %d of them", opt.Cases)}
	}
	if err := out.flush(); err != nil || seeker == nil {
		return err
	}
	return out.patch(seeker, base, n)
}

// plan is a dictionary made ready for writing.
type plan struct {
	*Dictionary
	short  []string          // name in the file of each variable
	pieces [][]string        // names of the further pieces of very long strings
	index  map[string]int    // dictionary index by folded long name
	at     map[string]string // short name by folded long name
	byList map[string][]int  // variables by their list of labels
	lists  []string          // the keys of byList in order of first use
	size   int               // 8-byte elements of a case
}

func newPlan(d *Dictionary) *plan {
	p := &plan{Dictionary: d, short: make([]string, len(d.Variables)), pieces: make([][]string, len(d.Variables)),
		index: map[string]int{}, at: map[string]string{}, byList: map[string][]int{}}
	names := newNamer(8)
	for i := range d.Variables {
		if v := &d.Variables[i]; validShort(v.Short) && names.claim(v.Short) {
			p.short[i] = v.Short
		}
	}
	for i := range d.Variables {
		v := &d.Variables[i]
		if p.short[i] == "" {
			p.short[i] = names.give(shortBase(v.Name))
		}
		for range pieces(v.Width) - 1 {
			p.pieces[i] = append(p.pieces[i], names.give(cutText(p.short[i], 5, "")+"0"))
		}
		key := fold(v.Name)
		p.index[key], p.at[key] = p.size+1, p.short[i]
		p.size += v.elements()
		if list := v.labelKey(); list != "" {
			if p.byList[list] == nil {
				p.lists = append(p.lists, list)
			}
			p.byList[list] = append(p.byList[list], i)
		}
	}
	return p
}

// elements returns how many 8-byte elements a value of v takes.
func (v *Variable) elements() int {
	if v.Numeric() {
		return 1
	}
	n := 0
	for i := range pieces(v.Width) {
		n += (pieceWidth(v.Width, i) + 7) / 8
	}
	return n
}

// labelKey is equal for variables that can share a record of value labels, and
// empty for those that have none or are longer than such a record allows.
func (v *Variable) labelKey() string {
	if len(v.Labels) == 0 || v.Width > 8 {
		return ""
	}
	var b []byte
	for _, l := range v.Labels {
		b = append(b, byte(l.Value.kind))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(l.Value.number))
		b = append(append(b, byte(len(l.Value.text))), l.Value.text...)
		b = append(append(b, byte(len(l.Label))), l.Label...)
	}
	return string(b)
}

// writer writes the parts of a file. The first error sticks in w.
type writer struct {
	*plan
	w     *bufio.Writer
	order byteOrder
	opt   WriteOptions
	cases int64
	pos   int64 // bytes written
	buf   []byte

	tooLarge int32 // subtype of an extension record that is

	casesAt int64 // place of the number of cases in its extension record, or 0
	blocks  blockWriter
}

func (w *writer) Write(b []byte) (int, error) {
	n, err := w.w.Write(b)
	w.pos += int64(n)
	return n, err
}

func (w *writer) int32(values ...int32) {
	w.buf = w.buf[:0]
	for _, v := range values {
		w.buf = w.order.AppendUint32(w.buf, uint32(v))
	}
	w.Write(w.buf)
}

func (w *writer) int64(values ...int64) {
	w.buf = w.buf[:0]
	for _, v := range values {
		w.buf = w.order.AppendUint64(w.buf, uint64(v))
	}
	w.Write(w.buf)
}

func (w *writer) float(f float64) { w.int64(int64(math.Float64bits(f))) }

// text writes s in a field of n bytes, filled with spaces.
func (w *writer) text(s string, n int) {
	w.buf = append(w.buf[:0], s...)
	for len(w.buf) < n {
		w.buf = append(w.buf, ' ')
	}
	w.Write(w.buf[:n])
}

// value writes 8 bytes: a number, or a text filled with spaces.
func (w *writer) value(v Value) {
	if v.kind == kindNumber {
		w.float(v.number)
		return
	}
	w.text(v.text, 8)
}

func (w *writer) flush() error {
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("writing an SPSS file: %w", err)
	}
	return nil
}

const bias = 100

func (w *writer) header() {
	magic, compression := "$FL2", int32(1)
	switch w.opt.Compression {
	case Zlib:
		magic, compression = "$FL3", 2
	case Uncompressed:
		compression = 0
	}
	created := w.Created
	if created.IsZero() {
		created = time.Now()
	}
	w.text(magic, 4)
	w.text("@(#) SPSS DATA FILE Crosswave", 60)
	w.int32(2, int32(w.size), compression, int32(w.index[fold(w.Weight)]), int32(narrow(w.cases)))
	w.float(bias)
	w.text(created.Format("02 Jan 06"), 9)
	w.text(created.Format("15:04:05"), 8)
	w.text(w.Label, 64)
	w.Write(make([]byte, 3))
}

// narrow returns what the header says of n cases, which may be too many for it.
func narrow(n int64) int64 {
	if n > math.MaxInt32 {
		return -1
	}
	return n
}

// patch puts into the file what is known only at its end.
func (w *writer) patch(seeker io.WriteSeeker, base, n int64) error {
	put := func(at int64, b []byte) error {
		if _, err := seeker.Seek(base+at, io.SeekStart); err != nil {
			return err
		}
		_, err := seeker.Write(b)
		return err
	}
	err := put(80, w.order.AppendUint32(nil, uint32(int32(narrow(n)))))
	if err == nil && w.casesAt > 0 {
		err = put(w.casesAt, w.order.AppendUint64(nil, uint64(n)))
	}
	if err == nil && w.opt.Compression == Zlib {
		err = put(w.blocks.headerAt+8, w.order.AppendUint64(w.order.AppendUint64(nil,
			uint64(w.blocks.trailerAt)), uint64(24+24*len(w.blocks.blocks))))
	}
	if err == nil {
		_, err = seeker.Seek(base+w.pos, io.SeekStart)
	}
	if err != nil {
		return fmt.Errorf("writing the number of cases to an SPSS file: %w", err)
	}
	return nil
}

// setText returns the record of a set, as [parseSet] reads it.
func (w *writer) setText(s *Set) string {
	var b strings.Builder
	b.WriteString(s.Name + "=")
	label := s.Label
	switch {
	case s.Kind == Category:
		b.WriteString("C")
	case !s.CountedLabels:
		b.WriteString("D")
	case s.LabelFromVariable:
		b.WriteString("E 11 ")
		label = ""
	default:
		b.WriteString("E 1 ")
	}
	if s.Kind == Dichotomy {
		counted := s.Counted.String()
		fmt.Fprintf(&b, "%d %s", len(counted), counted)
	}
	fmt.Fprintf(&b, " %d %s", len(label), label)
	for _, name := range s.Variables {
		b.WriteString(" " + strings.ToLower(w.at[fold(name)]))
	}
	b.WriteString("\n")
	return b.String()
}

func attributesText(b *strings.Builder, attrs []Attribute) {
	for _, a := range attrs {
		b.WriteString(a.Name + "(")
		for _, x := range a.Values {
			b.WriteString("'" + x + "'\n")
		}
		b.WriteString(")")
	}
}
