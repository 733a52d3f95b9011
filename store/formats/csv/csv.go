// Package csv reads CSV files as tables. Rows are as RFC 4180 has them, in UTF-8: fields are divided by the delimiter,
// rows end with a line feed (a carriage return before it belongs to it), a field that holds a delimiter, a quote or a
// line end stands in quotes, and a quote in it is written twice. The first row names the columns. Lines with nothing in
// them are no rows, and rows with nothing in their fields are empty ones (survey.Row.Empty). A row counts as the line
// on which it starts, the header being line 1.
package csv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/survey"
)

// Options say how a file is read. The zero value is a good choice.
type Options struct {
	Delimiter rune // between fields: an ASCII character; 0 is a comma
	Block     int  // bytes that are read at a time, and divided into fields by one goroutine; 0 is 256 KiB
	Longest   int  // bytes of a row at the most, about: a row is held whole; 0 is 64 MiB
	Added     bool // the header was put in front of the file: the row below it is line 1
	LineBreak byte // what stands for a line feed in fields, and for a space in names; 0: nothing does
}

// Table is a CSV file as a survey.Table.
type Table struct {
	file      File
	delimiter byte
	lineBreak byte // as Options.LineBreak
	block     int
	longest   int
	header    []string
	first     int64 // offset of the first row after the header
	line      int64 // its line
	close     func() error
}

// File is what holds the text, such as a strings.Reader. It is read at any place.
type File interface {
	io.ReaderAt
	Size() int64 // in bytes
}

// Open opens a CSV file and reads its header.
func Open(path string, o Options) (*Table, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", path)
	}
	var t *Table
	if err == nil {
		t, err = New(io.NewSectionReader(file, 0, info.Size()), o)
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	t.close = file.Close
	return t, nil
}

// New is Open for what is open already. What is wrong with the header is a *survey.Error.
func New(file File, o Options) (*Table, error) {
	t := &Table{file: file, delimiter: ',', block: o.Block, longest: o.Longest, lineBreak: o.LineBreak}
	switch d := o.Delimiter; {
	case d >= utf8.RuneSelf || d == '"' || d == '\r' || d == '\n':
		return nil, fmt.Errorf("%q is no delimiter: an ASCII character is, other than a quote and a line end", d)
	case d != 0:
		t.delimiter = byte(d)
	}
	if b := o.LineBreak; b >= utf8.RuneSelf || b == '"' || b == '\r' || b == '\n' || b == t.delimiter {
		return nil, fmt.Errorf("%q can't stand for a line feed: an ASCII character that divides nothing can", b)
	}
	if t.block <= 0 {
		t.block = blockSize
	}
	if t.longest <= 0 {
		t.longest = longest
	}
	if err := t.readHeader(); err != nil {
		return t, err
	}
	if o.Added {
		t.line--
	}
	return t, nil
}

// Close closes the file that Open opened. The Table is of no use after it.
func (t *Table) Close() error {
	if t.close == nil {
		return nil
	}
	return t.close()
}

// Header names the columns.
func (t *Table) Header() []string { return slices.Clone(t.header) }

// Size is that of the file in bytes.
func (t *Table) Size() int64 { return t.file.Size() }

// Blocks streams the rows, all columns of them. What is wrong with the file is a *survey.Error.
func (t *Table) Blocks(ctx context.Context, _ []int) iter.Seq2[survey.Block, error] {
	return func(yield func(survey.Block, error) bool) {
		c := newCutter(t.file, t.first, t.line)
		c.block, c.longest = t.block, t.longest
		free := &sync.Pool{}
		free.New = func() any {
			b := newBlock(t.delimiter, len(t.header), free)
			b.lineBreak = t.lineBreak
			return b
		}
		for {
			b := free.Get().(*block)
			err := ctx.Err()
			if err == nil {
				err = c.next(b)
			}
			if err == io.EOF {
				return
			}
			if err != nil {
				yield(nil, err)
				return
			}
			if last := b.cut; !yield(b, nil) || last {
				return
			}
		}
	}
}

// readHeader reads the names of the columns.
func (t *Table) readHeader() error {
	b := newBlock(t.delimiter, 0, nil)
	c := newCutter(t.file, 0, 1)
	c.longest = t.longest
	if err := c.next(b); err == io.EOF {
		return &survey.Error{Reason: "the file is empty; a first row with the names of the columns is expected"}
	} else if err != nil {
		return err
	}
	if bytes.HasPrefix(b.data, []byte{0xff, 0xfe}) || bytes.HasPrefix(b.data, []byte{0xfe, 0xff}) {
		return &survey.Error{Row: 1, Reason: "the file is UTF-16; it must be saved as UTF-8"}
	}
	if bytes.HasPrefix(b.data, []byte("\ufeff")) {
		b.next = 3
	}
	var row survey.Row
	if err := b.Next(&row); err == io.EOF {
		return &survey.Error{Row: 1, Reason: "a first row with the names of the columns is expected, not an empty file"}
	} else if err != nil {
		return err
	}
	at := map[string]int{}
	for i := range len(row.Ends) - 1 {
		name := string(row.Field(i))
		if t.lineBreak != 0 {
			name = strings.ReplaceAll(name, string(rune(t.lineBreak)), " ")
		}
		name = strings.TrimSpace(name)
		if !utf8.ValidString(name) {
			return &survey.Error{Row: row.Number,
				Reason: fmt.Sprintf("the name of column %d is not UTF-8; the file must be saved as UTF-8", i+1)}
		}
		if first, there := at[name]; there {
			return &survey.Error{Row: row.Number, Column: name,
				Reason: fmt.Sprintf("columns %d and %d have the same name", first+1, i+1)}
		}
		at[name] = i
		t.header = append(t.header, name)
	}
	t.first, t.line = min(int64(b.next), t.file.Size()), b.line
	return nil
}
