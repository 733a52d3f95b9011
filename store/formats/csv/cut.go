package csv

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/crosswave/crosswave/store/survey"
)

const (
	blockSize = 256 << 10 // bytes of a block, unless one row is longer
	longest   = 64 << 20  // bytes of a block at the most, and so of a row, unless Options say another number
	mostRows  = 1 << 12   // rows of a block: a respondent takes far more memory than a short row
)

// cutter cuts a file into blocks. Whether a line end is in quotes is known from the number of quotes before it; in a
// file with quotes where there should be none, that is so up to the row with the first of them, which is an error
// anyway.
type cutter struct {
	file         io.ReaderAt
	offset, size int64  // of the next byte, and of the file
	line         int64  // of the next block
	rest         []byte // read, but part of the next block

	block, longest, rows int // blockSize, longest and mostRows, but in tests and by Options
}

func newCutter(file File, offset, line int64) *cutter {
	return &cutter{file: file, offset: offset, size: file.Size(), line: line, block: blockSize, longest: longest,
		rows: mostRows}
}

// next fills b with the next block, or returns io.EOF.
func (c *cutter) next(b *block) error {
	data := append(b.data[:0], c.rest...)
	c.rest = c.rest[:0]
	b.line, b.cut, b.next, b.longest = c.line, false, 0, c.longest
	for want := max(c.block, len(data)); ; want = 2 * len(data) {
		var err error
		if data, err = c.fill(data, want); err != nil {
			return err
		}
		if c.offset == c.size {
			break
		}
		if end := lastRow(data); end > 0 {
			c.rest = append(c.rest, data[end:]...)
			data = data[:end]
			break
		}
		if len(data) >= c.longest {
			b.cut = true
			break
		}
	}
	if end := firstRows(data, c.rows); end < len(data) && !b.cut {
		c.rest = slices.Insert(c.rest, 0, data[end:]...)
		data = data[:end]
	}
	b.data, b.done = data, c.offset-int64(len(c.rest))
	if len(data) == 0 {
		return io.EOF
	}
	b.quotes = bytes.IndexByte(data, '"') >= 0
	c.line += int64(bytes.Count(data, []byte{'\n'}))
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
func (c *cutter) fill(data []byte, want int) ([]byte, error) {
	have := len(data)
	want = have + int(min(int64(want-have), c.size-c.offset))
	if cap(data) < want+survey.Padding {
		data = append(make([]byte, 0, want+want/4+survey.Padding), data...)
	}
	data = data[:want]
	n, err := c.file.ReadAt(data[have:], c.offset)
	c.offset += int64(n)
	if have+n < want {
		if err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return data[:have+n], fmt.Errorf("reading at byte %d of %d: %w", c.offset, c.size, err)
	}
	clear(data[want : want+survey.Padding])
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
