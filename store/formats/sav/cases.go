package sav

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"
	"math"
	"strings"
)

// layout tells where the 8-byte elements of a case go.
type layout struct {
	elements []element
	slots    []slot // by variable
	numbers  int
	text     int // bytes
	left     int // bytes of the last variable's text that are still to come
}

// element is one 8-byte piece of a case: a number, or up to 8 bytes of a text.
type element struct {
	at   int32 // in Case.numbers or Case.text
	take int32 // bytes of text; -1 for a number
}

// slot is where a variable's value is in a Case.
type slot struct {
	at    int32
	width int32 // bytes of text; 0 for a number
}

// variable adds a variable that begins with a piece of the given width.
func (l *layout) variable(piece, width int) {
	if width == 0 {
		l.slots = append(l.slots, slot{at: int32(l.numbers)})
		l.elements = append(l.elements, element{int32(l.numbers), -1})
		l.numbers++
		return
	}
	l.slots = append(l.slots, slot{int32(l.text), int32(width)})
	l.left = width
	l.piece(piece)
}

// piece adds the elements of a string of at most 255 bytes. The pieces of a very long string hold 255 bytes each until
// its width is used up; what is left of the last ones is filling.
func (l *layout) piece(width int) {
	use := min((width+7)/8*8, 255, l.left) // some files declare pieces a little narrower than they are
	for range (width + 7) / 8 {
		n := min(use, 8)
		l.elements = append(l.elements, element{int32(l.text), int32(n)})
		l.text += n
		l.left -= n
		use -= n
	}
}

// Case is the values of one case. It is valid until the loop that got it from
// [File.Cases] goes on. Variables are given by their index in the dictionary.
type Case struct {
	Row int64 // 1 for the first case of the file

	file    *File
	numbers []float64 // NaN for system-missing
	text    []byte
}

// Float returns the number that variable i has, or false if that is
// system-missing or the variable a text. User-missing values are returned.
func (c *Case) Float(i int) (float64, bool) {
	s := c.file.layout.slots[i]
	if s.width > 0 {
		return 0, false
	}
	f := c.numbers[s.at]
	return f, f == f
}

// Bytes returns the text that variable i has, in the encoding of the file and without its padding, or nil for a number.
// The bytes are valid as long as the Case is.
func (c *Case) Bytes(i int) []byte {
	s := c.file.layout.slots[i]
	if s.width == 0 {
		return nil
	}
	return trimPadding(c.text[s.at : s.at+s.width])
}

// Text returns the text that variable i has, or "" for a number. A character of UTF-8 that the width of the variable
// cuts off is dropped. Bytes that mean nothing in the encoding of the file become U+FFFD, and [File.Notes] then names
// the first such case.
func (c *Case) Text(i int) string {
	b := c.Bytes(i)
	if len(b) == 0 {
		return ""
	}
	s, ok := c.file.decoder.text(b)
	if !ok {
		c.file.notes.Once(&c.file.badTextNoted, 0, "case %d, variable %q: text is not valid %s: %q; the bytes that mean "+
			"nothing are shown as \uFFFD, here and in later cases", c.Row, c.file.Variables[i].Name, c.file.Encoding, clip(s))
	}
	return s
}

// Value returns the value of variable i.
func (c *Case) Value(i int) Value {
	if s := c.file.layout.slots[i]; s.width == 0 {
		return Number(c.numbers[s.at])
	}
	return Value{kind: kindText, text: c.Text(i)}
}

// Missing reports whether variable i is system-missing or user-missing here. An
// empty text is missing only where the variable declares it so.
func (c *Case) Missing(i int) bool {
	v := c.Value(i)
	return v.SystemMissing() || c.file.Variables[i].Missing.Has(v)
}

// Append appends the value of variable i to dst as text for a table: dates and times as [Format.ISO] has them by the
// variable's print format, other numbers as [AppendNumber] does, texts as they are, and nothing for system-missing.
func (c *Case) Append(dst []byte, i int) []byte {
	s := c.file.layout.slots[i]
	if s.width > 0 {
		return append(dst, c.Text(i)...)
	}
	f := c.numbers[s.at]
	if f != f {
		return dst
	}
	if format := c.file.Variables[i].Print; format.Type.Class() != ClassNumber {
		if iso, ok := format.ISO(f); ok {
			return append(dst, iso...)
		}
	}
	return AppendNumber(dst, f)
}

// Cases returns the cases in the order of the file. Each loop over them reads the file anew. An error is the last thing
// a loop gets, with a nil Case; it is a *[FormatError] if the data are damaged, and then names the case.
func (f *File) Cases() iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		if len(f.layout.elements) == 0 {
			return
		}
		c := &Case{file: f, numbers: make([]float64, f.layout.numbers), text: make([]byte, f.layout.text)}
		src := f.source()
		for f.NumCases < 0 || c.Row < f.NumCases {
			err := src.next(c)
			if err == io.EOF && f.NumCases < 0 {
				break
			}
			if err == io.EOF {
				err = damaged(src.at, "the data end after %d cases; expected %d", c.Row, f.NumCases)
			}
			if err != nil {
				yield(nil, err)
				return
			}
			c.Row++
			if !yield(c, nil) {
				return
			}
		}
		if f.NumCases >= 0 && src.more() {
			f.notes.Once(&f.moreNoted, src.at, "the data go on after the last of %d cases; skipped", f.NumCases)
		}
		if err := src.finish(); err != nil {
			yield(nil, err)
		}
	}
}

// Rows returns the cases as rows for [Write]. The slice is overwritten by the next row. Texts of a file that is not in
// UTF-8 may need more bytes when they are written: the widths of their variables are to be raised first.
func (f *File) Rows() iter.Seq2[[]Value, error] {
	return func(yield func([]Value, error) bool) {
		row := make([]Value, len(f.Variables))
		for c, err := range f.Cases() {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range row {
				row[i] = c.Value(i)
			}
			if !yield(row, nil) {
				return
			}
		}
	}
}

// source reads cases one after the other.
type source struct {
	file   *File
	in     *bufio.Reader
	at     int64 // where in the file, or within the inflated data, in is
	little bool

	numbers [256]float64 // by bytecode
	codes   [8]byte
	used    int // of codes
	ended   bool
}

func (f *File) source() *source {
	s := &source{file: f, at: f.start, little: f.ByteOrder == binary.LittleEndian, used: 8}
	var r io.Reader = io.NewSectionReader(f.data, f.start, f.size-f.start)
	if f.Compression == Zlib {
		r = &inflater{file: f}
	}
	s.in = bufio.NewReaderSize(r, int(min(128<<10, 8*(f.size-f.start)+64)))
	for i := range s.numbers {
		s.numbers[i] = float64(i) - f.bias
	}
	s.numbers[codeMissing] = math.NaN()
	return s
}

// Bytecodes besides those for numbers.
const (
	codeIgnored = 0
	codeEnd     = 252
	codeLiteral = 253
	codeSpaces  = 254
	codeMissing = 255
)

// next fills c with the next case. It returns io.EOF at the end of the data.
func (s *source) next(c *Case) error {
	if s.file.Compression == Uncompressed {
		return s.explain(s.nextPlain(c), c)
	}
	return s.explain(s.nextCoded(c), c)
}

func (s *source) nextCoded(c *Case) error {
	elements := s.file.layout.elements
	for i := 0; i < len(elements); {
		if s.used == 8 {
			if err := s.nextCodes(i == 0); err != nil {
				return err
			}
		}
		code := s.codes[s.used]
		s.used++
		e := elements[i]
		switch {
		case code == codeIgnored:
			continue
		case code == codeEnd:
			s.ended = true
			if i == 0 {
				return io.EOF
			}
			return damaged(s.at, "the data end within a case")
		case code == codeLiteral:
			b, err := s.take(false)
			if err != nil {
				return err
			}
			s.put(c, e, b)
		case e.take < 0 && code != codeSpaces:
			c.numbers[e.at] = s.numbers[code]
		case e.take < 0:
			return damaged(s.at, "found spaces; expected a number")
		case code == codeSpaces:
			copy(c.text[e.at:e.at+e.take], "        ")
		case s.numbers[code] == 0:
			clear(c.text[e.at : e.at+e.take])
		default:
			return damaged(s.at, "found code %d; expected a text", code)
		}
		i++
	}
	return nil
}

// nextCodes reads eight codes. Only between cases may the data end here.
func (s *source) nextCodes(between bool) error {
	if s.ended {
		return io.EOF
	}
	b, err := s.take(between)
	if err != nil {
		return err
	}
	copy(s.codes[:], b)
	s.used = 0
	return nil
}

// take returns the next 8 bytes, valid until the next call. Only between cases may the data end before them, with
// io.EOF.
func (s *source) take(between bool) ([]byte, error) {
	b, err := s.in.Peek(8)
	if err == io.EOF && (!between || len(b) > 0) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	s.at += 8
	s.in.Discard(8)
	return b, nil
}

func (s *source) nextPlain(c *Case) error {
	for i, e := range s.file.layout.elements {
		b, err := s.take(i == 0)
		if err != nil {
			return err
		}
		s.put(c, e, b)
	}
	return nil
}

// put stores 8 bytes as the number or the text that e is.
func (s *source) put(c *Case, e element, b []byte) {
	if e.take >= 0 {
		copy(c.text[e.at:e.at+e.take], b)
		return
	}
	var bits uint64
	if s.little {
		bits = binary.LittleEndian.Uint64(b)
	} else {
		bits = binary.BigEndian.Uint64(b)
	}
	f := math.Float64frombits(bits)
	if f <= systemMissing && (f == systemMissing || f == s.file.sysmis) {
		f = math.NaN()
	}
	c.numbers[e.at] = f
}

// explain turns the end of the data at the wrong place into a FormatError, and says which case it was.
func (s *source) explain(err error, c *Case) error {
	if err == nil || err == io.EOF {
		return err
	}
	if err == io.ErrUnexpectedEOF {
		err = damaged(s.at, "the file ends; expected more data")
	}
	if fe, ok := err.(*FormatError); ok {
		e := *fe
		e.Problem = fmt.Sprintf("case %d: %s", c.Row+1, strings.TrimSpace(e.Problem))
		return &e
	}
	return fmt.Errorf("case %d: %w", c.Row+1, err)
}

// finish reads what zlib data are left after the last case, so that the checksum
// of their last block is compared like the others.
func (s *source) finish() error {
	if s.file.Compression != Zlib {
		return nil
	}
	_, err := io.Copy(io.Discard, s.in)
	return err
}

// more reports whether anything but filling follows the last case.
func (s *source) more() bool {
	if s.file.Compression == Uncompressed {
		_, err := s.in.Peek(8)
		return err == nil
	}
	for {
		for ; s.used < 8; s.used++ {
			if code := s.codes[s.used]; code != codeIgnored {
				return code != codeEnd
			}
		}
		if s.nextCodes(true) != nil {
			return false
		}
	}
}
