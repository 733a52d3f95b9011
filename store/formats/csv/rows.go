package csv

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math/bits"
	"sync"

	"github.com/crosswave/crosswave/store/survey"
)

// block is a run of whole rows, and divides them into fields, one row after the other.
type block struct {
	delimiter byte
	pattern   uint64 // the delimiter, 8 times
	columns   int    // every row has so many fields; 0: any number
	lineBreak byte   // what stands for a line feed in a field; 0: nothing does
	free      *sync.Pool

	data    []byte // with padding behind it
	cut     bool   // the last row goes on behind it: it is longer than a row can be
	quotes  bool   // there are quotes in it
	done    int64
	longest int

	next   int      // where the next row starts in the block
	line   int64    // and in the file
	row    int64    // line on which the row at hand starts
	fields int      // its number of fields
	ends   []uint32 // field i is data[ends[i] : ends[i+1]-1]
}

func newBlock(delimiter byte, columns int, free *sync.Pool) *block {
	return &block{delimiter: delimiter, pattern: uint64(delimiter) * 0x0101010101010101, columns: columns, free: free}
}

// Done is where the block ends in the file, in bytes.
func (b *block) Done() int64 { return b.done }

// Release gives the block back.
func (b *block) Release() { b.free.Put(b) }

// Next finds the fields of the next row. What is wrong with a row is a *survey.Error.
func (b *block) Next(row *survey.Row) error {
	if err := b.divide(); err != nil {
		return err
	}
	row.Number, row.Data, row.Ends = b.row, b.data[:len(b.data)+survey.Padding], b.ends[:b.fields+1]
	if b.lineBreak != 0 {
		b.breakLines(row.Data[row.Ends[0] : row.Ends[b.fields]-1])
	}
	row.Empty = true
	for i := 0; i < b.fields && row.Empty; i++ {
		row.Empty = survey.Blank(row.Field(i))
	}
	return nil
}

// breakLines puts line feeds where something stands for them in a row.
func (b *block) breakLines(row []byte) {
	for at := bytes.IndexByte(row, b.lineBreak); at >= 0; at = bytes.IndexByte(row, b.lineBreak) {
		row[at] = '\n'
		row = row[at+1:]
	}
}

// divide divides the next row that is no empty line.
func (b *block) divide() error {
	data := b.data
	for b.next < len(data) {
		start := b.next
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
		if text == start && (ends || !b.cut) {
			b.next = end + 1
			b.line++
			continue
		}
		b.row = b.line
		if b.quotes && bytes.IndexByte(data[start:text], '"') >= 0 {
			return b.quoted(start)
		}
		if !ends && b.cut {
			return b.tooLong()
		}
		b.next = end + 1
		b.line++
		return b.plain(start, text)
	}
	return io.EOF
}

// wrong is an error in the row at hand.
func (b *block) wrong(format string, args ...any) error {
	return &survey.Error{Row: b.row, Reason: fmt.Sprintf(format, args...)}
}

func (b *block) tooLong() error {
	return b.wrong("the row is longer than %d MiB; a quote in it may not be closed", max(1, b.longest>>20))
}

// tooMany is a bound to the fields of a row before it is known how many it must have.
const tooMany = 1 << 20

// room makes room in ends for the fields of a row, and tells how many are kept.
func (b *block) room() int {
	limit := b.columns
	if limit == 0 {
		limit = min(tooMany, len(b.data)+1)
	}
	if n := limit + 2 + survey.Padding; len(b.ends) < n {
		b.ends = make([]uint32, n)
	}
	return limit
}

// plain divides a row that has no quotes: the delimiters of 8 bytes at a time are marked in the highest bits of their
// bytes.
func (b *block) plain(start, end int) error {
	limit := b.room()
	data, ends, pattern := b.data[:len(b.data)+survey.Padding], b.ends, b.pattern
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
			n += bytes.Count(data[min(at+8, end):end], []byte{b.delimiter})
			return b.ragged(n)
		}
	}
	ends[n] = uint32(end + 1)
	b.fields = n
	if n != b.columns && b.columns > 0 {
		return b.ragged(n)
	}
	return nil
}

func (b *block) ragged(fields int) error {
	if b.columns == 0 {
		return b.wrong("more than %d columns are not supported", tooMany)
	}
	return b.wrong("the row has %d fields, but the header names %d columns", fields, b.columns)
}

// quoted reads a row with quotes in it. The fields are moved together in the block, so that they stand there as they
// are without quotes.
func (b *block) quoted(start int) error {
	limit := b.room()
	data := b.data
	from, to, n := start, start, 0
	b.ends[0] = uint32(start)
	for {
		var err error
		if from < len(data) && data[from] == '"' {
			from, to, err = b.inQuotes(from, to)
		} else {
			from, to, err = b.bare(from, to)
		}
		if err != nil {
			return err
		}
		n++
		to++
		b.ends[min(n, limit+1)] = uint32(to)
		if from < len(data) && data[from] == b.delimiter {
			from++
			continue
		}
		if from < len(data) && data[from] == '\r' {
			from++
		}
		if from >= len(data) && b.cut {
			return b.tooLong()
		}
		b.next = from + 1
		b.line++
		b.fields = n
		if n > limit || n != b.columns && b.columns > 0 {
			return b.ragged(n)
		}
		return nil
	}
}

// bare moves a field without quotes.
func (b *block) bare(from, to int) (int, int, error) {
	data, start := b.data, from
	for ; from < len(data); from++ {
		switch c := data[from]; {
		case c == b.delimiter || c == '\n' || b.ending(from):
			return from, to + copy(data[to:], data[start:from]), nil
		case c == '"':
			return 0, 0, b.wrong("the field %q holds a quote but does not stand in quotes; a quote in a field is "+
				"written twice, and the field stands in quotes", survey.Clip(data[start:from]))
		}
	}
	return from, to + copy(data[to:], data[start:from]), nil
}

// ending tells whether the byte is the carriage return of a line end.
func (b *block) ending(at int) bool {
	data := b.data
	return data[at] == '\r' && (at+1 == len(data) && !b.cut || at+1 < len(data) && data[at+1] == '\n')
}

// inQuotes moves a field in quotes.
func (b *block) inQuotes(from, to int) (int, int, error) {
	data := b.data
	for from++; ; from++ {
		n := bytes.IndexByte(data[from:], '"')
		if n < 0 {
			if b.cut {
				return 0, 0, b.tooLong()
			}
			return 0, 0, b.wrong("a quote is opened and not closed before the file ends")
		}
		b.line += int64(bytes.Count(data[from:from+n], []byte{'\n'}))
		to += copy(data[to:], data[from:from+n])
		from += n + 1
		switch {
		case from < len(data) && data[from] == '"':
			data[to] = '"'
			to++
		case from == len(data) || data[from] == b.delimiter || data[from] == '\n' || b.ending(from):
			return from, to, nil
		default:
			return 0, 0, b.wrong("a field in quotes is followed by %q; only the delimiter or the end of the "+
				"line may follow", survey.Clip(data[from:from+1]))
		}
	}
}
