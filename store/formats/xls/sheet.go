package xls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/crosswave/crosswave/store/formats/cells"
)

const mostColumns = 1 << 8 // of a sheet, as Excel has it

// Rows streams the rows of a sheet that have a value, from the first, each time. An error, which is an *Error, ends
// the stream. progress, if it is not nil, is told how many bytes of the sheet were read so far, of how many.
func (b *Book) Rows(sheet int, progress func(done, total int64)) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		b.notices = Notices{}
		s, err := b.reader(sheet)
		if err != nil {
			yield(nil, err)
			return
		}
		for {
			row, err := s.row()
			if err == io.EOF {
				return
			}
			if !yield(row, err) || err != nil {
				return
			}
			if progress != nil && row.Number%256 == 0 {
				progress(s.progress())
			}
		}
	}
}

// sheetReader is a sheet being read.
type sheetReader struct {
	*records
	book    *Book
	layout  *layout
	sorted  bool     // records are read in an order of their own, of which order is still to be read
	order   []uint64 // as layout.byRow is
	all     int      // of the records in an order of their own
	within  int      // charts
	held    bool     // the record at hand is that of a cell of the next row
	ended   bool
	current Row
	column  int    // of the cell at hand
	written []byte // its text
}

// reader begins to read a sheet.
func (b *Book) reader(sheet int) (*sheetReader, error) {
	l, err := b.layout(sheet)
	if err != nil {
		return nil, err
	}
	r, err := b.records(sheet)
	if err != nil {
		return nil, err
	}
	if l.byRow != nil {
		r.piece, r.length = nil, smallPiece
	}
	b.notices.Hidden = l.hidden
	return &sheetReader{records: r, book: b, layout: l, sorted: l.byRow != nil, order: l.byRow, all: len(l.byRow)}, nil
}

// progress is how many bytes were read, of how many.
func (s *sheetReader) progress() (done, total int64) {
	total = s.layout.end - s.layout.start
	if s.all > 0 {
		return int64(float64(total) * float64(s.all-len(s.order)) / float64(s.all)), total
	}
	return s.at - s.layout.start, total
}

// row reads up to the next row with a value.
func (s *sheetReader) row() (*Row, error) {
	s.current.Begin(0)
	for {
		if !s.held {
			if err := s.cell(); err != nil {
				if err != io.EOF || len(s.current.Cells) == 0 {
					return nil, err
				}
				s.current.Sort()
				return &s.current, nil
			}
		}
		if number := 1 + int(binary.LittleEndian.Uint16(s.rest)); number != s.current.Number {
			if s.held = len(s.current.Cells) > 0; s.held {
				s.current.Sort()
				return &s.current, nil
			}
			s.current.Begin(number)
		}
		s.held = false
		if err := s.values(); err != nil {
			return nil, err
		}
	}
}

// cell goes to the record of the next cell with a value, in the order of rows; io.EOF: there is none.
func (s *sheetReader) cell() error {
	switch {
	case s.ended, s.sorted && len(s.order) == 0:
		return io.EOF
	case s.sorted:
		s.then = int64(s.order[0] & (1<<placeBits - 1))
		s.order = s.order[1:]
		return s.next()
	}
	for {
		if err := s.next(); err != nil {
			return err
		}
		if s.ended = s.ends(&s.within); s.ended {
			return io.EOF
		}
		if s.within == 0 && isCell(s.id) {
			return nil
		}
	}
}

// values puts the cells of a record into the row.
func (s *sheetReader) values() error {
	if len(s.rest) < 6 {
		return s.wrong("a cell at byte %d of the workbook is too short", s.at)
	}
	s.column = int(binary.LittleEndian.Uint16(s.rest[2:]))
	count := 1
	if s.id == idMulRK {
		count = (len(s.rest) - 6) / 6
	}
	s.rest = s.rest[4:]
	for ; count > 0; count-- {
		if s.column >= mostColumns {
			return s.wrong("it has more than %d columns", mostColumns)
		}
		text, err := s.value()
		if err == nil && len(text) > 0 {
			err = s.current.Add(s.column, text)
		}
		if err != nil {
			return s.cellError(err)
		}
		s.column++
	}
	return nil
}

// value reads the value of a cell, from the number of its format on. The text is good until the next; empty: it has
// none.
func (s *sheetReader) value() (text []byte, err error) {
	style, err := s.word()
	if err != nil {
		return nil, err
	}
	switch s.id {
	case idLabelText:
		i, err := s.long()
		if err != nil {
			return nil, err
		}
		text, ok := s.book.texts.At(int(i))
		if !ok {
			return nil, fmt.Errorf("there is no text %d", i)
		}
		return text, nil
	case idLabel, idRString:
		return s.label()
	case idRK, idMulRK:
		bits, err := s.long()
		if err != nil {
			return nil, err
		}
		return s.number(short(bits), style)
	case idNumber:
		bits, err := s.double()
		if err != nil {
			return nil, err
		}
		return s.number(math.Float64frombits(bits), style)
	case idBoolErr:
		both, err := s.word()
		if err != nil {
			return nil, err
		}
		return s.truth(byte(both), both>>8 != 0), nil
	}
	return s.formula(style)
}

// double reads the 8 bytes of a number.
func (r *records) double() (uint64, error) {
	low, err := r.long()
	if err != nil {
		return 0, err
	}
	high, err := r.long()
	return uint64(high)<<32 | uint64(low), err
}

// label reads a text that stands in its cell, or is the result of its formula.
func (s *sheetReader) label() ([]byte, error) {
	length, err := s.word()
	if err == nil {
		s.written, err = s.book.anyText(s.records, s.written[:0], int(length))
	}
	return s.written, err
}

// short is a number that takes 4 bytes: [MS-XLS] 2.5.217.
func short(bits uint32) float64 {
	n := math.Float64frombits(uint64(bits&^3) << 32)
	if bits&2 != 0 {
		n = float64(int32(bits) >> 2)
	}
	if bits&1 != 0 {
		n /= 100
	}
	return n
}

// number writes a number as its format shows it. What is none is an error as Excel shows it.
func (s *sheetReader) number(n float64, style uint16) ([]byte, error) {
	k := cells.Plain
	if int(style) < len(s.book.kinds) {
		k = s.book.kinds[style]
	}
	var ok bool
	if s.written, ok = cells.AppendNumber(s.written[:0], n, k, s.book.from); !ok {
		s.book.notices.AddError(s.name(), "#NUM!")
		return nil, nil
	}
	return s.written, nil
}

// truth is true or false, or one of Excel's errors, which are counted.
func (s *sheetReader) truth(value byte, isError bool) []byte {
	switch {
	case isError:
		s.book.notices.AddError(s.name(), errorName(value))
		return nil
	case value != 0:
		return []byte("TRUE")
	}
	return []byte("FALSE")
}

// errorName is an error as Excel shows it: [MS-XLS] 2.5.10.
func errorName(code byte) string {
	switch code {
	case 0x00:
		return "#NULL!"
	case 0x07:
		return "#DIV/0!"
	case 0x0f:
		return "#VALUE!"
	case 0x17:
		return "#REF!"
	case 0x1d:
		return "#NAME?"
	case 0x24:
		return "#NUM!"
	case 0x2a:
		return "#N/A"
	}
	return fmt.Sprintf("#%d", code)
}

// formula reads what a formula came to: a number, or in place of one that is none a hint at what it is.
func (s *sheetReader) formula(style uint16) ([]byte, error) {
	bits, err := s.double()
	switch {
	case err != nil:
		return nil, err
	case bits>>48 != 0xffff:
		return s.number(math.Float64frombits(bits), style)
	}
	switch kind := byte(bits); kind {
	case 0:
		return s.result()
	case 1, 2:
		return s.truth(byte(bits>>16), kind == 2), nil
	case 3: // an empty text
		return nil, nil
	default:
		return nil, fmt.Errorf("its formula came to something of a kind %d that is not known", kind)
	}
}

// result reads the text that a formula came to, which stands behind it, and behind what it shares with others.
func (s *sheetReader) result() ([]byte, error) {
	s.rest = nil
	for {
		switch id := s.peek(); id {
		case idShared, idArray, idTable, idContinue, idString:
			if err := s.next(); err != nil {
				return nil, err
			}
			if id == idString {
				return s.label()
			}
		default:
			s.book.notices.AddUnknown(s.name())
			return nil, nil
		}
	}
}

// cellError is an error in the cell at hand.
func (s *sheetReader) cellError(err error) error {
	if own := (*Error)(nil); errors.As(err, &own) {
		own.Cell = s.name()
		return own
	}
	return &Error{Part: s.part, Cell: s.name(), Err: err}
}

// name is the name of the cell at hand: B7.
func (s *sheetReader) name() string {
	return cells.ColumnName(s.column) + strconv.Itoa(s.current.Number)
}
