package survey

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"slices"
)

const (
	blockSize = 256 << 10 // bytes of a block, unless one row is longer
	longest   = 64 << 20  // bytes of a block at the most, and so of a row
	mostRows  = 1 << 12   // rows of a block: a respondent takes far more memory than a short row
	padding   = 8         // bytes behind a block that may be read but mean nothing
)

// block is a run of whole rows.
type block struct {
	data []byte // with padding behind it
	line int64  // on which it starts
	cut  bool   // the last row goes on behind it: it is longer than a row can be
}

// blocks cuts a file into blocks. Whether a line end is in quotes is known from the number of quotes before it; in a
// file with quotes where there should be none, that is so up to the row with the first of them, which is an error
// anyway.
type blocks struct {
	file         io.ReaderAt
	offset, size int64 // of the next byte
	line         int64
	rest         []byte // read, but part of the next block

	block, longest, rows int // blockSize, longest and mostRows, but in tests
}

func newBlocks(file io.ReaderAt, size, offset, line int64) *blocks {
	return &blocks{file: file, size: size, offset: offset, line: line, block: blockSize, longest: longest, rows: mostRows}
}

// next fills b with the next block, or returns io.EOF.
func (s *blocks) next(b *block) error {
	data := append(b.data[:0], s.rest...)
	s.rest = s.rest[:0]
	b.line, b.cut = s.line, false
	for want := max(s.block, len(data)); ; want = 2 * len(data) {
		var err error
		if data, err = s.fill(data, want); err != nil {
			return err
		}
		if s.offset == s.size {
			break
		}
		if end := lastRow(data); end > 0 {
			s.rest = append(s.rest, data[end:]...)
			data = data[:end]
			break
		}
		if len(data) >= s.longest {
			b.cut = true
			break
		}
	}
	if end := firstRows(data, s.rows); end < len(data) && !b.cut {
		s.rest = slices.Insert(s.rest, 0, data[end:]...)
		data = data[:end]
	}
	b.data = data
	if len(data) == 0 {
		return io.EOF
	}
	s.line += int64(bytes.Count(data, []byte{'\n'}))
	return nil
}

// firstRows is where the first n rows end, len(data) if there are no more. data starts where a row does.
func firstRows(data []byte, n int) int {
	if bytes.Count(data, []byte{'\n'}) <= n {
		return len(data)
	}
	at, quotes := 0, 0
	for n > 0 {
		length := bytes.IndexByte(data[at:], '\n') + 1
		if length == 0 {
			return len(data)
		}
		if quotes += bytes.Count(data[at:at+length], []byte{'"'}); quotes&1 == 0 {
			n--
		}
		at += length
	}
	return at
}

// fill reads up to want bytes in all, fewer at the end of the file.
func (s *blocks) fill(data []byte, want int) ([]byte, error) {
	have := len(data)
	want = have + int(min(int64(want-have), s.size-s.offset))
	if cap(data) < want+padding {
		data = append(make([]byte, 0, want+want/4+padding), data...)
	}
	data = data[:want]
	n, err := s.file.ReadAt(data[have:], s.offset)
	s.offset += int64(n)
	if have+n < want {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return data[:have+n], fmt.Errorf("reading at byte %d of %d: %w", s.offset, s.size, err)
	}
	clear(data[want : want+padding])
	return data, nil
}

// lastRow is where the last row that ends in data ends, 0 if none does. data starts where a row does.
func lastRow(data []byte) int {
	quote := []byte{'"'}
	inside := bytes.Count(data, quote)&1 != 0
	for end := len(data); ; {
		at := bytes.LastIndexByte(data[:end], '\n')
		if at < 0 {
			return 0
		}
		if bytes.Count(data[at:end], quote)&1 != 0 {
			inside = !inside
		}
		if !inside {
			return at + 1
		}
		end = at
	}
}

// rows reads the rows of a block, one after the other.
type rows struct {
	block     *block
	delimiter byte
	pattern   uint64 // the delimiter, 8 times
	columns   int    // every row has so many fields; 0: any number
	quotes    bool   // there are quotes in the block

	next int   // where the next row starts in the block
	line int64 // and in the file

	row    int64    // line on which the row that was read starts
	fields int      // its number of fields
	ends   []uint32 // field i is block.data[ends[i] : ends[i+1]-1]
}

func newRows(b *block, delimiter byte, columns int) *rows {
	r := &rows{delimiter: delimiter, pattern: uint64(delimiter) * 0x0101010101010101, columns: columns}
	r.reset(b)
	return r
}

// reset begins with another block.
func (r *rows) reset(b *block) {
	r.block, r.next, r.line = b, 0, b.line
	r.quotes = bytes.IndexByte(b.data, '"') >= 0
}

// field gives field i of the row, without quotes.
func (r *rows) field(i int) []byte { return r.block.data[r.ends[i] : r.ends[i+1]-1] }

// read reads a row, or returns io.EOF. What is wrong with a row is an *Error.
func (r *rows) read() error {
	data := r.block.data
	for {
		if r.next >= len(data) {
			return io.EOF
		}
		start := r.next
		end := bytes.IndexByte(data[start:], '\n')
		ends := end >= 0 // with a line end
		if !ends {
			end = len(data) - start
		}
		end += start
		text := end
		if text > start && data[text-1] == '\r' {
			text--
		}
		if text == start && (ends || !r.block.cut) {
			r.next = end + 1
			r.line++
			continue
		}
		r.row = r.line
		if r.quotes && bytes.IndexByte(data[start:text], '"') >= 0 {
			return r.quoted(start)
		}
		if !ends && r.block.cut {
			return r.tooLong()
		}
		r.next = end + 1
		r.line++
		return r.plain(start, text)
	}
}

func (r *rows) tooLong() error {
	return &Error{Row: r.row, Reason: fmt.Sprintf("the row is longer than %d MiB; a quote in it may not be closed",
		longest>>20)}
}

// tooMany is a bound to the fields of a row before it is known how many it must have.
const tooMany = 1 << 20

// room makes room in ends for the fields of a row, and tells how many are kept.
func (r *rows) room() int {
	limit := r.columns
	if limit == 0 {
		limit = min(tooMany, len(r.block.data)+1)
	}
	if n := limit + 2 + padding; len(r.ends) < n {
		r.ends = make([]uint32, n)
	}
	return limit
}

// plain divides a row that has no quotes: the delimiters of 8 bytes at a time are marked in the highest bits of their
// bytes.
func (r *rows) plain(start, end int) error {
	limit := r.room()
	data, ends, pattern := r.block.data[:len(r.block.data)+padding], r.ends, r.pattern
	const low = 0x7f7f7f7f7f7f7f7f
	ends[0] = uint32(start)
	n := 1
	for at := start; at < end; at += 8 {
		x := binary.LittleEndian.Uint64(data[at:at+8:at+8]) ^ pattern
		marks := ^((x&low + low) | x | low)
		if at+8 > end {
			marks &= 1<<(8*uint(end-at)) - 1
		}
		// Four are stored whether they are there or not: fewer branches that nobody can foresee.
		to, found, next := ends[n:n+8:n+8], bits.OnesCount64(marks), uint32(at+1)
		to[0] = next + uint32(bits.TrailingZeros64(marks)>>3)
		marks &= marks - 1
		to[1] = next + uint32(bits.TrailingZeros64(marks)>>3)
		marks &= marks - 1
		to[2] = next + uint32(bits.TrailingZeros64(marks)>>3)
		marks &= marks - 1
		to[3] = next + uint32(bits.TrailingZeros64(marks)>>3)
		for i := 4; i < found; i++ {
			marks &= marks - 1
			to[i&7] = next + uint32(bits.TrailingZeros64(marks)>>3)
		}
		n += found
		if n > limit+1 {
			n += bytes.Count(data[min(at+8, end):end], []byte{r.delimiter})
			return r.ragged(n)
		}
	}
	ends[n] = uint32(end + 1)
	r.fields = n
	if n != r.columns && r.columns > 0 {
		return r.ragged(n)
	}
	return nil
}

func (r *rows) ragged(fields int) error {
	if r.columns == 0 {
		return &Error{Row: r.row, Reason: fmt.Sprintf("more than %d columns are not supported", tooMany)}
	}
	return &Error{Row: r.row, Reason: fmt.Sprintf("the row has %d fields, but the header names %d columns", fields,
		r.columns)}
}

// quoted reads a row with quotes in it. The fields are moved together in the block, so that they stand there as they
// are without quotes.
func (r *rows) quoted(start int) error {
	limit := r.room()
	data := r.block.data
	from, to, n := start, start, 0
	r.ends[0] = uint32(start)
	for {
		var err error
		if from < len(data) && data[from] == '"' {
			from, to, err = r.inQuotes(from, to)
		} else {
			from, to, err = r.bare(from, to)
		}
		if err != nil {
			return err
		}
		n++
		to++
		r.ends[min(n, limit+1)] = uint32(to)
		if from < len(data) && data[from] == r.delimiter {
			from++
			continue
		}
		if from < len(data) && data[from] == '\r' {
			from++
		}
		if from >= len(data) && r.block.cut {
			return r.tooLong()
		}
		r.next = from + 1
		r.line++
		r.fields = n
		if n > limit || n != r.columns && r.columns > 0 {
			return r.ragged(n)
		}
		return nil
	}
}

// bare moves a field without quotes.
func (r *rows) bare(from, to int) (int, int, error) {
	data, start := r.block.data, from
	for ; from < len(data); from++ {
		switch c := data[from]; {
		case c == r.delimiter || c == '\n' || r.ending(from):
			return from, to + copy(data[to:], data[start:from]), nil
		case c == '"':
			return 0, 0, &Error{Row: r.row, Reason: fmt.Sprintf("the field %q holds a quote but does not stand in "+
				"quotes; a quote in a field is written twice, and the field stands in quotes", clip(data[start:from]))}
		}
	}
	return from, to + copy(data[to:], data[start:from]), nil
}

// ending tells whether the byte is the carriage return of a line end.
func (r *rows) ending(at int) bool {
	data := r.block.data
	return data[at] == '\r' && (at+1 == len(data) && !r.block.cut || at+1 < len(data) && data[at+1] == '\n')
}

// inQuotes moves a field in quotes.
func (r *rows) inQuotes(from, to int) (int, int, error) {
	data := r.block.data
	for from++; ; from++ {
		n := bytes.IndexByte(data[from:], '"')
		if n < 0 {
			if r.block.cut {
				return 0, 0, r.tooLong()
			}
			return 0, 0, &Error{Row: r.row, Reason: "a quote is opened and not closed before the file ends"}
		}
		r.line += int64(bytes.Count(data[from:from+n], []byte{'\n'}))
		to += copy(data[to:], data[from:from+n])
		from += n + 1
		switch {
		case from < len(data) && data[from] == '"':
			data[to] = '"'
			to++
		case from == len(data) || data[from] == r.delimiter || data[from] == '\n' || r.ending(from):
			return from, to, nil
		default:
			return 0, 0, &Error{Row: r.row, Reason: fmt.Sprintf("a field in quotes is followed by %q; only the "+
				"delimiter or the end of the line may follow", clip(data[from:from+1]))}
		}
	}
}

// clip shortens text for a message.
func clip(text []byte) string {
	if len(text) > 40 {
		text = text[:40]
	}
	return string(bytes.ToValidUTF8(text, []byte("�")))
}
