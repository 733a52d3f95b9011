package formats

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"

	"github.com/crosswave/crosswave/store/formats/csv"
)

// requoted gives the text of a CSV file with quotes as RFC 4180 has them: the file itself, unless its cells are written
// as ="2", by which tools tell a spreadsheet that they are text, or its fields are divided by tabs and quotes in them
// are text, as spreadsheets on the web write them, or those in a field in quotes have a stroke before them, as R writes
// them; else a converted copy, with the same lines.
func (f *File) requoted(data csv.File, head []byte, delimiter rune, o Options,
	note func(string, ...any)) (csv.File, error) {
	first := append([]byte(string(delimiter)), `="`...)
	switch {
	case bytes.Contains(head, first) || bytes.Contains(head, []byte("\n=\"")):
		note(`cells written as ="2" are read as 2`)
		return f.copied(o, func(w *bufio.Writer) error { return withoutEquals(w, whole(data), byte(delimiter)) })
	case bytes.Contains(head, []byte(`\"`)):
		if escaped, err := escapedQuotes(whole(data), byte(delimiter)); err != nil {
			return nil, err
		} else if escaped {
			note(`quotes in fields are written as \"`)
			return f.copied(o, func(w *bufio.Writer) error { return doubleQuotes(w, whole(data), byte(delimiter)) })
		}
	}
	if delimiter != '\t' || bytes.IndexByte(head, '"') < 0 {
		return data, nil
	}
	if plain, err := plainQuotes(whole(data)); err != nil || !plain {
		return data, err
	}
	note("quotes are read as part of the words they stand in, as fields with tabs between them hold some of their own")
	return f.copied(o, func(w *bufio.Writer) error { return quoteFields(w, whole(data)) })
}

// whole reads a file from its beginning.
func whole(data csv.File) *bufio.Reader {
	return bufio.NewReaderSize(io.NewSectionReader(data, 0, data.Size()), 1<<16)
}

// copied gives what write writes as a file that goes away when f is closed.
func (f *File) copied(o Options, write func(*bufio.Writer) error) (csv.File, error) {
	out, err := os.CreateTemp(o.TempDir, "crosswave-*.csv")
	if err != nil {
		return nil, err
	}
	f.close = append(f.close, func() error { return errors.Join(out.Close(), os.Remove(out.Name())) })
	w := bufio.NewWriterSize(out, 1<<16)
	if err := errors.Join(write(w), w.Flush()); err != nil {
		return nil, err
	}
	size, err := out.Seek(0, io.SeekEnd)
	return io.NewSectionReader(out, 0, size), err
}

// withoutEquals writes a text without what stands before the quotes of cells such as ="2".
func withoutEquals(w *bufio.Writer, r *bufio.Reader, delimiter byte) error {
	inside, start := false, true
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if start && c == '=' {
			if next, err := r.Peek(1); err == nil && next[0] == '"' {
				continue
			}
		}
		if c == '"' {
			inside = !inside
		}
		start = !inside && (c == delimiter || c == '\n')
		if err := w.WriteByte(c); err != nil {
			return err
		}
	}
}

// escapedQuotes tells whether the first field in quotes that goes on behind them does so because a stroke stands before
// the quote, as in "a \"word\" or two".
func escapedQuotes(r *bufio.Reader, delimiter byte) (bool, error) {
	inside, before, closing := false, byte('\n'), byte(0)
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			return false, nil
		} else if err != nil {
			return false, err
		}
		switch {
		case inside && c == '"':
			inside, closing = false, before
		case inside:
		case before == '"' && closing != 0 && c == '"': // one of two
			inside = true
		case before == '"' && closing != 0 && c != delimiter && c != '\n' && c != '\r':
			return closing == '\\', nil
		case c == '"' && (before == delimiter || before == '\n'):
			inside, closing = true, 0
		}
		before = c
	}
}

// doubleQuotes writes a text with two quotes for each that has a stroke before it. Where another field in quotes
// follows such a quote, or the end, it is the end of its field, whose words end in a stroke: R and Dataverse do not
// double that.
func doubleQuotes(w *bufio.Writer, r *bufio.Reader, delimiter byte) error {
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
		if next, _ := r.Peek(3); c == '\\' && len(next) > 0 && next[0] == '"' {
			ends := len(next) == 1 || len(next) == 3 && (next[1] == delimiter || next[1] == '\n') && next[2] == '"'
			if !ends {
				c = '"'
			}
		}
		if err := w.WriteByte(c); err != nil {
			return err
		}
	}
}

// plainQuotes tells whether quotes in a text with tabs between its fields are part of the words: somewhere a field
// holds one without standing in quotes, or goes on behind the quotes in which it stands.
func plainQuotes(r *bufio.Reader) (bool, error) {
	const (
		atStart = iota
		bare
		inQuotes
		behind // a quote in quotes: the end of the field, or the first half of two
	)
	state := atStart
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			return state == inQuotes, nil
		} else if err != nil {
			return false, err
		}
		switch {
		case state == inQuotes && c == '"':
			state = behind
		case state == inQuotes:
		case c == '\t' || c == '\n':
			state = atStart
		case state == behind && c == '"', state == atStart && c == '"':
			state = inQuotes
		case state == behind && c != '\r', state == bare && c == '"':
			return true, nil
		case state == atStart:
			state = bare
		}
	}
}

// quoteFields writes a text with tabs between its fields with each in quotes, but for lines with nothing in them.
func quoteFields(w *bufio.Writer, r *bufio.Reader) error {
	start := true // of a line
	for {
		c, err := r.ReadByte()
		if err == io.EOF {
			if !start {
				return w.WriteByte('"')
			}
			return nil
		} else if err != nil {
			return err
		}
		next, _ := r.Peek(1)
		ending := c == '\n' || c == '\r' && len(next) == 1 && next[0] == '\n'
		if start != ending { // the first field begins, or the last ends
			w.WriteByte('"')
		}
		switch {
		case ending && c == '\r':
			w.WriteByte(c)
			_, err = r.ReadByte()
			w.WriteByte('\n')
		case ending:
			w.WriteByte(c)
		case c == '\t':
			w.WriteString("\"\t\"")
		case c == '"':
			w.WriteString(`""`)
		default:
			w.WriteByte(c)
		}
		if start = ending; err != nil {
			return err
		}
	}
}
