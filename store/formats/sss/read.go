package sss

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
)

// Options say how to read data. The zero Options follow the definition.
type Options struct {
	// Encoding of the data, over what the files say.
	Encoding string

	// Comma separates the fields of CSV data instead of a comma: one ASCII character that is no quote or line break.
	Comma byte

	// ByteColumns says that the positions of fixed data count bytes where it is in UTF-8, as some exporters do, instead of
	// characters. It is found out where a record is as long as described only so.
	ByteColumns bool

	// Lenient takes a field that cannot be read as its variable's type for missing, and notes it, instead of stopping.
	Lenient bool
}

// Reader reads the cases of one data file.
type Reader struct {
	plan    *plan
	text    *dataText
	opt     Options
	next    func() error // the next record into line or row; io.EOF after the last
	line    string       // of fixed data
	offsets []int32      // of its characters, where some have more than one byte; else empty
	row     []string     // of CSV data
	columns columns
	decoded bool            // the record was not UTF-8
	seen    map[string]bool // scratch for codes chosen twice
	current Case
	notes   [][]Note // by variable; the last entry is the records'
	started bool
	err     error
}

// columns is what is known of how positions count in fixed UTF-8 data. Until a record isn't ASCII, both ways are the
// same.
type columns int

const (
	unknown columns = iota
	characters
	byteColumns
)

// Open joins a definition with its data. It reads the data's first bytes to find its encoding.
func Open(def *Definition, data io.Reader, opt Options) (*Reader, error) {
	p, err := compile(def)
	if err != nil {
		return nil, err
	}
	text, err := openText(def, data, opt)
	if err != nil {
		return nil, err
	}
	r := &Reader{plan: p, text: text, opt: opt, notes: make([][]Note, len(p.fields)+1), seen: map[string]bool{}}
	r.current.Data = make([]Datum, len(p.fields))
	if opt.ByteColumns {
		r.columns = byteColumns
	}
	if def.Record.Format == CSV {
		err = r.openCSV()
	} else {
		r.openFixed()
	}
	return r, err
}

// Encoding names the encoding that the data is read in.
func (r *Reader) Encoding() string { return r.text.name }

// Cases streams the cases in the order of the file. A case is valid until the next one is asked for; Clone keeps it. An
// error ends the stream and comes with a nil case; it is a *DataError unless the reader of the data failed. Asked
// again, Cases goes on where it stopped.
func (r *Reader) Cases() iter.Seq2[*Case, error] {
	return func(yield func(*Case, error) bool) {
		for r.err == nil {
			if r.err = r.read(); r.err == io.EOF {
				return
			}
			if r.err != nil {
				yield(nil, r.err)
				return
			}
			if !yield(&r.current, nil) {
				return
			}
		}
		if r.err != io.EOF {
			yield(nil, r.err)
		}
	}
}

// Notes returns what was put up with in the cases read so far: that of whole records first, then in the order of the
// variables.
func (r *Reader) Notes() []Note {
	last := len(r.notes) - 1
	all := append([]Note(nil), r.notes[last]...)
	for _, n := range r.notes[:last] {
		all = append(all, n...)
	}
	return all
}

// note counts something put up with, so many times. index is that of a variable; that of records is one more than the
// last.
func (r *Reader) note(index int, kind NoteKind, value string, times int) {
	notes := r.notes[index]
	for i := range notes {
		if notes[i].Kind == kind {
			notes[i].Count += times
			return
		}
	}
	n := Note{Kind: kind, Count: times, Row: r.current.Row, Value: shorten(value)}
	if index < len(r.plan.fields) {
		n.Variable = r.plan.fields[index].v.handle()
	}
	r.notes[index] = append(notes, n)
}

func (r *Reader) read() error {
	if !r.started {
		r.started = true
		for range r.plan.def.Record.Skip {
			if err := r.next(); err != nil {
				return err
			}
		}
	}
	if err := r.next(); err != nil {
		return err
	}
	if r.plan.def.Record.Format != CSV {
		if err := r.measure(); err != nil {
			return err
		}
	}
	for i := range r.plan.fields {
		f, d := &r.plan.fields[i], &r.current.Data[i]
		d.Present, d.Text, d.Picks = false, "", d.Picks[:0]
		text := ""
		if !f.apart {
			text = r.cut(f)
		}
		err := r.decode(f, d, text, i)
		if err == nil {
			continue
		}
		if f.apart {
			text = fmt.Sprint(r.row[f.start:f.end])
		}
		d.Present, d.Text, d.Picks = false, "", d.Picks[:0]
		if !r.opt.Lenient {
			return &DataError{Row: r.current.Row, Variable: f.v.handle(), Column: f.start + 1, Finish: f.end, CSV: f.csv,
				Value: shorten(text), Err: err}
		}
		r.note(i, Unreadable, text, 1)
	}
	return nil
}

// cut returns the part of the record that holds a field; less of it, or none, where the record ends before.
func (r *Reader) cut(f *field) string {
	if f.csv {
		return r.row[f.start]
	}
	length := len(r.line)
	if len(r.offsets) > 0 {
		length = len(r.offsets) - 1
	}
	start, end := min(f.start, length), min(f.end, length)
	if len(r.offsets) > 0 {
		start, end = int(r.offsets[start]), int(r.offsets[end])
	}
	return r.line[start:end]
}

func (r *Reader) recordError(err error) error {
	return &DataError{Row: r.current.Row, CSV: r.plan.def.Record.Format == CSV, Err: err}
}

func (r *Reader) openFixed() {
	s := bufio.NewScanner(r.text.r)
	s.Buffer(nil, maxRecord+2)
	s.Split(splitLines)
	blanks := 0 // lines held back: at the end of the file they say nothing
	line := 0
	r.next = func() error {
		for s.Scan() {
			line++
			b := s.Bytes()
			if len(b) == 0 || len(b) == 1 && b[0] == 0x1a { // Ctrl-Z ended files under DOS
				blanks++
				continue
			}
			for ; blanks > 0; blanks-- {
				r.current.Row = line - blanks
				r.note(len(r.plan.fields), BlankRecord, "", 1)
			}
			r.current.Row = line
			var err error
			if r.line, r.decoded, err = r.text.record(string(b)); err != nil {
				return r.recordError(err)
			}
			return nil
		}
		r.current.Row = line + 1
		if errors.Is(s.Err(), bufio.ErrTooLong) {
			return r.recordError(fmt.Errorf("the record has more than %d MiB", maxRecord>>20))
		}
		if s.Err() != nil {
			return s.Err()
		}
		return io.EOF
	}
}

// splitLines splits at the line ends of every system: LF, CR LF and CR.
func splitLines(data []byte, atEOF bool) (int, []byte, error) {
	line, _, ended := bytes.Cut(data, []byte{'\n'})
	if j := bytes.IndexByte(line, '\r'); j >= 0 {
		switch {
		case j+1 < len(data) && data[j+1] == '\n':
			return j + 2, data[:j], nil
		case j+1 < len(data) || atEOF:
			return j + 1, data[:j], nil
		}
		return 0, nil, nil // CR at the end of the buffer: LF may follow
	}
	switch {
	case ended:
		return len(line) + 1, line, nil
	case atEOF && len(data) > 0:
		return len(data), data, nil
	}
	return 0, nil, nil
}

var errColumns = errors.New("the record is as long as described only if positions count bytes, while records before " +
	"it were read by characters: set ByteColumns to read them by bytes")

// measure finds the offsets of the characters of a fixed record, and whether its positions count them.
func (r *Reader) measure() error {
	r.offsets = r.offsets[:0]
	n := utf8.RuneCountInString(r.line)
	if n == len(r.line) { // it is ASCII
		return nil
	}
	if (r.text.strict || r.text.guess) && !r.decoded {
		byBytes := len(r.line) == r.plan.length // and then its characters are fewer
		switch {
		case r.opt.ByteColumns || !byBytes:
		case r.columns == characters:
			return r.recordError(errColumns)
		case r.columns == unknown:
			r.note(len(r.plan.fields), ByteColumns, "", 1)
			r.columns = byteColumns
		}
		if r.columns == byteColumns {
			return nil
		}
		r.columns = characters
	}
	for i := range r.line {
		r.offsets = append(r.offsets, int32(i))
	}
	r.offsets = append(r.offsets, int32(len(r.line)))
	return nil
}

func (r *Reader) openCSV() error {
	limit := &limitedRecord{r: lineFeeds(r.text.r)}
	c := csv.NewReader(limit)
	if b := r.opt.Comma; b != 0 {
		if b >= utf8.RuneSelf || b == '"' || b == '\r' || b == '\n' {
			return fmt.Errorf("triple-s data: %q cannot separate fields", b)
		}
		c.Comma = rune(b)
	}
	c.FieldsPerRecord = -1
	c.ReuseRecord = true
	fields, skip := 0, r.plan.def.Record.Skip
	r.next = func() error {
		limit.left = maxRecord
		row, err := c.Read()
		if err == io.EOF {
			return err
		}
		var syntax *csv.ParseError
		switch {
		case errors.As(err, &syntax):
			r.current.Row = syntax.StartLine
			return r.recordError(syntax.Err)
		case errors.Is(err, errLongRecord):
			r.current.Row++
			return r.recordError(err)
		case err != nil:
			return err
		}
		r.current.Row, _ = c.FieldPos(0)
		if skip > 0 {
			skip--
			return nil
		}
		if fields == 0 {
			fields = len(row)
		}
		if err := r.checkRow(len(row), fields); err != nil {
			return r.recordError(err)
		}
		for i, s := range row {
			if row[i], _, err = r.text.record(s); err != nil {
				return r.recordError(err)
			}
		}
		r.row = row
		return nil
	}
	return nil
}

func (r *Reader) checkRow(n, first int) error {
	switch {
	case n < r.plan.length:
		return fmt.Errorf("the record has %d fields; the definition describes %d", n, r.plan.length)
	case n != first:
		return fmt.Errorf("the record has %d fields, the first has %d", n, first)
	}
	return nil
}

var errLongRecord = fmt.Errorf("the record has more than %d MiB; a quote may never be closed", maxRecord>>20)

// limitedRecord ends reading when one record takes too much, such as one whose quote is never closed.
type limitedRecord struct {
	r    io.Reader
	left int
}

func (l *limitedRecord) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, errLongRecord
	}
	n, err := l.r.Read(p[:min(len(p), l.left)])
	l.left -= n
	return n, err
}

// lineFeeds turns the line ends of a file that has only CR, as files of old Macintoshes do, into LF. The CSV reader of
// the standard library would take such a file for one record.
func lineFeeds(r io.Reader) io.Reader {
	br := bufio.NewReaderSize(r, 1<<16)
	head, _ := br.Peek(1 << 16) // an error comes again when reading
	return charset.LineFeeds(head, br)
}
