package xlsx

import (
	"encoding/xml"
	"fmt"
	"io"
	"iter"
	"math"
	"strconv"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// What a sheet may have, as Excel has it.
const (
	mostRows    = 1 << 20
	mostColumns = 1 << 14
)

// Rows streams the rows of a sheet that have a value, from the first, each time. An error, which is an *Error, ends
// the stream. progress, if it is not nil, is told how many bytes of the sheet were unpacked so far, of how many.
func (b *Book) Rows(sheet int, progress func(done, total int64)) iter.Seq2[*Row, error] {
	return func(yield func(*Row, error) bool) {
		b.notices = Notices{}
		f := b.data[sheet]
		t, err := parse(f, math.MaxInt64)
		if err != nil {
			yield(nil, err)
			return
		}
		defer t.close()
		s := &sheetReader{tokens: t, book: b}
		for {
			row, err := s.row()
			if err == io.EOF {
				return
			}
			if !yield(row, err) || err != nil {
				return
			}
			if progress != nil && row.Number%256 == 0 {
				progress(math.MaxInt64-t.in.total, int64(f.UncompressedSize64))
			}
		}
	}
}

// sheetReader is a sheet being read.
type sheetReader struct {
	*tokens
	book    *Book
	current Row
	last    int // number of the row before
	column  int // of the cell at hand, -1 before the first of a row
	cell    struct {
		typ, style      string
		value           []byte
		formula         bool
		inData, inRow   bool
		inCell, inValue bool
	}
	words   wording
	written []byte // the text of the cell at hand, if it is not in the file as it is read
}

// row reads up to the next row with a value.
func (s *sheetReader) row() (*Row, error) {
	for {
		token, err := s.next()
		if err != nil {
			return nil, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			err = s.begin(&e)
		case xml.EndElement:
			if e.Name.Local == "row" && s.cell.inRow {
				s.cell.inRow = false
				if len(s.current.Cells) > 0 {
					return &s.current, nil
				}
			}
			err = s.end(e.Name.Local)
		case xml.CharData:
			err = s.take(e)
		}
		if err != nil {
			return nil, err
		}
	}
}

func (s *sheetReader) begin(e *xml.StartElement) error {
	switch name := e.Name.Local; {
	case name == "sheetData":
		s.cell.inData = true
	case !s.cell.inData:
	case name == "row":
		return s.beginRow(e)
	case !s.cell.inRow:
	case name == "c":
		return s.beginCell(e)
	case name == "v":
		s.cell.inValue = true
	case name == "f":
		s.cell.formula = true
	default:
		s.words.begin(name)
	}
	return nil
}

func (s *sheetReader) beginRow(e *xml.StartElement) error {
	if s.cell.inRow {
		return s.wrong("a row begins within row %d", s.last)
	}
	number := s.last + 1
	if text := attribute(e, "r"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil || n < number {
			return s.wrong("row %q comes after row %d", clip(text), s.last)
		}
		number = n
	}
	if number > mostRows {
		return s.wrong("it has more than %d rows", mostRows)
	}
	if truth(attribute(e, "hidden")) {
		s.book.notices.Hidden++
	}
	s.last, s.column, s.cell.inRow = number, -1, true
	s.current.Begin(number)
	return nil
}

func (s *sheetReader) beginCell(e *xml.StartElement) error {
	c := &s.cell
	if c.inCell {
		return s.cellError("a cell begins within it")
	}
	c.typ, c.style, c.value, c.formula, c.inCell, c.inValue = "", "", c.value[:0], false, true, false
	s.words.text = s.words.text[:0]
	column := s.column + 1
	for i := range e.Attr {
		switch value := e.Attr[i].Value; e.Attr[i].Name.Local {
		case "r":
			n, ok := place(value, s.last)
			if !ok || n < column {
				return s.wrong("cell %q stands where a cell of row %d right of %s is expected", clip(value), s.last,
					s.name(s.column))
			}
			column = n
		case "s":
			c.style = value
		case "t":
			c.typ = value
		}
	}
	if s.column = column; column >= mostColumns {
		return s.wrong("it has more than %d columns", mostColumns)
	}
	return nil
}

func (s *sheetReader) take(text []byte) error {
	if !s.cell.inValue {
		if err := s.words.take(text); err != nil {
			return s.cellError("%w", err)
		}
		return nil
	}
	if len(s.cell.value)+len(text) > longestToken {
		return s.cellError("%w", errToken)
	}
	s.cell.value = append(s.cell.value, text...)
	return nil
}

func (s *sheetReader) end(name string) error {
	switch name {
	case "sheetData":
		s.cell.inData, s.cell.inRow, s.cell.inCell = false, false, false
	case "v":
		s.cell.inValue = false
	case "c":
		if s.cell.inCell {
			s.cell.inCell = false
			return s.endCell()
		}
	default:
		s.words.end(name)
	}
	return nil
}

// endCell puts the value of a cell into the row.
func (s *sheetReader) endCell() error {
	value := s.cell.value
	text, err := s.text()
	if err != nil {
		return err
	}
	if len(text) > 0 {
		if err := s.current.Add(s.column, text); err != nil {
			return s.cellError("%w", err)
		}
	} else if s.cell.formula && len(value) == 0 && s.cell.typ != "str" && s.cell.typ != "e" {
		s.book.notices.AddUnknown(s.name(s.column))
	}
	return nil
}

// text is the value of the cell at hand as it is read, good until the next; empty: it has none.
func (s *sheetReader) text() ([]byte, error) {
	value := s.cell.value
	switch s.cell.typ {
	case "s":
		if len(value) == 0 {
			return nil, nil // an empty cell that was once a text
		}
		i, err := strconv.Atoi(string(value))
		text, ok := s.book.texts.At(i)
		if err != nil || !ok {
			return nil, s.cellError("there is no text %q", clip(string(value)))
		}
		return text, nil
	case "inlineStr":
		return unescaped(s.words.text), nil
	case "str", "d":
		return unescaped(value), nil
	case "b":
		return s.boolean(string(value))
	case "e":
		s.book.notices.AddError(s.name(s.column), clip(string(value)))
		return nil, nil
	case "", "n":
		return s.number(value)
	}
	return nil, s.cellError("it is of a kind %q that is not known", clip(s.cell.typ))
}

func (s *sheetReader) boolean(value string) ([]byte, error) {
	switch value {
	case "":
		return nil, nil
	case "1", "true":
		return []byte("TRUE"), nil
	case "0", "false":
		return []byte("FALSE"), nil
	}
	return nil, s.cellError("%q is neither true nor false", clip(value))
}

func (s *sheetReader) number(value []byte) ([]byte, error) {
	if len(value) == 0 {
		return nil, nil
	}
	k := cells.Plain
	if s.cell.style != "" {
		style, err := strconv.Atoi(s.cell.style)
		if err != nil || style < 0 {
			return nil, s.cellError("%q is no number of a format", clip(s.cell.style))
		}
		if style < len(s.book.kinds) {
			k = s.book.kinds[style]
		}
	}
	var ok bool
	if s.written, ok = cells.AppendText(s.written[:0], value, k, s.book.from); !ok {
		return nil, s.cellError("%q is no number", clip(string(value)))
	}
	return s.written, nil
}

// cellError is an error in the cell at hand.
func (s *sheetReader) cellError(format string, args ...any) error {
	err := fmt.Errorf(format, args...)
	return &Error{Part: s.part, Cell: s.name(s.column), Err: err}
}

// name is the name of a cell in the row at hand: B7.
func (s *sheetReader) name(column int) string {
	if column < 0 {
		return "its beginning"
	}
	return cells.ColumnName(column) + strconv.Itoa(s.last)
}

// place is the column of a cell such as B7 in a row.
func place(name string, row int) (column int, ok bool) {
	i := 0
	for ; i < len(name) && i < 4 && name[i] >= 'A' && name[i] <= 'Z'; i++ {
		column = column*26 + int(name[i]-'A') + 1
	}
	n, err := strconv.Atoi(name[i:])
	return column - 1, i > 0 && err == nil && n == row
}

// clip shortens a text of the file for an error.
func clip(text string) string {
	if len(text) > 40 {
		return text[:40] + "…"
	}
	return text
}
