package dta

import (
	"bytes"
	"fmt"
	"iter"
	"strconv"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// Row is the values of one row. It is valid until the loop that got it from [File.Rows] goes on. Variables are given by
// their index.
type Row struct {
	Row int64 // 1 for the first of the file

	file *File
	data []byte
	long longReader
	err  error // of a long text
}

// Float returns the number that variable i has, or false if that is missing or the variable a text.
func (r *Row) Float(i int) (float64, bool) {
	v := &r.file.Variables[i]
	if !v.Numeric() {
		return 0, false
	}
	f, m := r.number(v)
	return f, m == 0
}

// Missing returns the missing value that variable i has; 0 where it has a number, or is a text.
func (r *Row) Missing(i int) Missing {
	v := &r.file.Variables[i]
	if !v.Numeric() {
		return 0
	}
	_, m := r.number(v)
	return m
}

func (r *Row) number(v *Variable) (float64, Missing) {
	return number(v.Type, r.data[v.at:], r.file.ByteOrder, r.file.layout.extended)
}

// Text returns the text that variable i has, or "" for a number. Bytes that mean nothing in the encoding of the file
// become U+FFFD. A long text has no more than its first 32,767 bytes, and none if it is no text but a file that was put
// there; [File.Notes] then names the first such row. If a long text cannot be read, the loop ends with an error.
func (r *Row) Text(i int) string {
	v := &r.file.Variables[i]
	switch v.Type {
	case Text:
		return r.decoded(v, r.bytes(v))
	case LongText:
		return r.longText(v)
	}
	return ""
}

func (r *Row) bytes(v *Variable) []byte { return cutNUL(r.data[v.at : v.at+v.Width]) }

func (r *Row) decoded(v *Variable, b []byte) string {
	s, ok := r.file.decoder.text(b)
	if !ok {
		r.file.notes.Once(&r.file.textNoted, 0, "row %d, variable %q: text is not valid %s; it is read as %q, and so are "+
			"later ones", r.Row, v.Name, r.file.Encoding, clip(s))
	}
	return s
}

// Append appends the value of variable i to dst as text for a table: dates as [Unit.ISO] has them by the display format
// of the variable, but for those that have a label; other numbers as [AppendNumber] does, texts as they are, nothing
// for system-missing, and .a to .z for the other missing values.
func (r *Row) Append(dst []byte, i int) []byte {
	v := &r.file.Variables[i]
	if v.Type == Text {
		if b := bytes.TrimRight(r.bytes(v), " "); statfile.IsASCII(b) {
			return append(dst, b...)
		}
	}
	if !v.Numeric() {
		return append(dst, r.Text(i)...)
	}
	f, m := r.number(v)
	switch {
	case m == SystemMissing:
		return dst
	case m != 0:
		return append(dst, '.', byte(m))
	case v.unit != NoDate && !v.coded[f]:
		if iso, ok := v.unit.ISO(f); ok {
			return append(dst, iso...)
		}
	}
	switch v.Type {
	case Byte, Int, Long:
		return strconv.AppendInt(dst, int64(f), 10)
	case Float:
		return appendFloat(dst, f)
	}
	return AppendNumber(dst, f)
}

// Rows returns the rows in the order of the file. Each loop over them reads the file anew. An error is the last thing a
// loop gets, with a nil Row; it is a *[FormatError] if the data are damaged, and then names the row.
func (f *File) Rows() iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		if f.NumRows == 0 {
			return
		}
		s := newScanner(f.data, f.size, f.start, f.ByteOrder)
		r := &Row{file: f, data: make([]byte, f.rowSize), long: longReader{file: f}}
		for r.Row < f.NumRows {
			r.Row++
			s.Read(r.data, "the data")
			if s.Err != nil {
				yield(nil, placed(s.Err, fmt.Sprintf("row %d", r.Row)))
				return
			}
			if !yield(r, nil) {
				return
			}
			if r.err != nil {
				yield(nil, r.err)
				return
			}
		}
	}
}
