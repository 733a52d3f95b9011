package survey

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/audience"
)

// Error is something in a file that cannot be imported.
type Error struct {
	Row    int64  // where: the line on which the row starts, or the number of the case, from 1; 0: no row in particular
	Column string // "": no column in particular
	Reason string // what is wrong and what would be right
}

func (e *Error) Error() string {
	switch {
	case e.Row > 0 && e.Column != "":
		return fmt.Sprintf("row %d, column %q: %s", e.Row, e.Column, e.Reason)
	case e.Row > 0:
		return fmt.Sprintf("row %d: %s", e.Row, e.Reason)
	case e.Column != "":
		return fmt.Sprintf("column %q: %s", e.Column, e.Reason)
	}
	return e.Reason
}

// CSVOptions says how a CSV file is read. The zero value is a good choice.
type CSVOptions struct {
	Delimiter rune // between fields: an ASCII character; 0 is a comma
	// that read rows at the same time; 0 is one per CPU, but no more than one per MB of the file. The respondents and
	// their order do not depend on it
	Goroutines int
}

// CSV is a CSV file with its codebook: a Source. Rows are as RFC 4180 has them, in UTF-8: fields are divided by the
// delimiter, rows end with a line feed (a carriage return before it belongs to it), a field that holds a delimiter, a
// quote or a line end stands in quotes, and a quote in it is written twice. The first row names the columns. Lines with
// nothing in them are no rows. A row counts as the line on which it starts, the header being line 1.
//
// Reading takes memory for a few blocks of rows and for the values that columns hold again and again, whatever the size
// of the file.
type CSV struct {
	codebook   *Codebook
	file       io.ReaderAt
	size       int64
	delimiter  byte
	goroutines int
	block      int // bytes of a block: blockSize, but in tests
	header     []string
	first      int64 // offset of the first row after the header
	line       int64 // its line
	plan       *plan
	close      func() error
}

// OpenCSV opens a CSV file. What the codebook names must be among the columns of its header.
func OpenCSV(path string, c *Codebook, o CSVOptions) (*CSV, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	var s *CSV
	if err == nil {
		s, err = NewCSV(file, info.Size(), c, o)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	s.close = file.Close
	return s, nil
}

// NewCSV is OpenCSV for what is open already: size bytes that r can read at any place, by several goroutines.
func NewCSV(r io.ReaderAt, size int64, c *Codebook, o CSVOptions) (*CSV, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	delimiter, err := delimiterByte(o.Delimiter)
	if err != nil {
		return nil, err
	}
	s := &CSV{codebook: c, file: r, size: size, delimiter: delimiter, goroutines: o.Goroutines, block: blockSize}
	if s.goroutines <= 0 {
		s.goroutines = int(min(int64(runtime.GOMAXPROCS(0)), 1+size/goroutineSize))
	}
	if err := s.readHeader(); err != nil {
		return nil, err
	}
	if s.plan, err = newPlan(c, s.header); err != nil {
		return nil, err
	}
	return s, nil
}

// Close closes the file. The CSV is of no use after it.
func (s *CSV) Close() error {
	if s.close == nil {
		return nil
	}
	return s.close()
}

// Header is the names of the file's columns.
func (s *CSV) Header() []string { return slices.Clone(s.header) }

// Describe returns the survey of the codebook.
func (s *CSV) Describe(context.Context) (*audience.Survey, error) { return s.codebook.Survey, nil }

// readHeader reads the names of the columns.
func (s *CSV) readHeader() error {
	b := newBlocks(s.file, s.size, 0, 1)
	block := &block{}
	if err := b.next(block); errors.Is(err, io.EOF) {
		return &Error{Reason: "the file is empty; a first row with the names of the columns is expected"}
	} else if err != nil {
		return err
	}
	head := block.data
	if bytes.HasPrefix(head, []byte{0xff, 0xfe}) || bytes.HasPrefix(head, []byte{0xfe, 0xff}) {
		return &Error{Row: 1, Reason: "the file is UTF-16; it must be saved as UTF-8"}
	}
	mark := 0
	if bytes.HasPrefix(head, []byte("\ufeff")) {
		mark = 3
	}
	rows := newRows(block, s.delimiter, 0)
	rows.next = mark
	if err := rows.read(); err != nil {
		if errors.Is(err, io.EOF) {
			return &Error{Row: 1, Reason: "a first row with the names of the columns is expected, not an empty file"}
		}
		return err
	}
	at := map[string]int{}
	for i := range rows.fields {
		name := strings.TrimSpace(string(rows.field(i)))
		if !utf8.ValidString(name) {
			return &Error{Row: rows.row, Reason: fmt.Sprintf("the name of column %d is not UTF-8; the file must be "+
				"saved as UTF-8", i+1)}
		}
		if first, there := at[name]; there {
			return &Error{Row: rows.row, Column: name, Reason: fmt.Sprintf("columns %d and %d have the same name", first+1, i+1)}
		}
		at[name] = i
		s.header = append(s.header, name)
	}
	s.first, s.line = min(int64(rows.next), s.size), rows.line
	return nil
}
