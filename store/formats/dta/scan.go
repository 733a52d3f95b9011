package dta

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// maxRecord bounds what is read of a file in one piece, in bytes: a table of value labels or a row.
const maxRecord = 256 << 20

// scanner reads a file from the front and knows where it is. The first error sticks; after it every read gives zeros.
type scanner struct {
	r     io.ReaderAt
	size  int64
	pos   int64
	order binary.ByteOrder
	err   error

	buf      []byte // a window of the file
	bufStart int64
}

// left returns the bytes from here to the end of the file.
func (s *scanner) left() int64 { return s.size - s.pos }

// check makes sure that n bytes of what are left; n comes from the file.
func (s *scanner) check(n int64, what string) bool {
	if s.err != nil {
		return false
	}
	switch {
	case n < 0:
		s.err = damaged(s.pos, "%s: a length of %d bytes", what, n)
	case n > s.left():
		s.err = damaged(s.pos, "%s: %d bytes are needed, but the file ends after %d more", what, n, s.left())
	default:
		return true
	}
	return false
}

// bytes returns the next n bytes, the caller's to keep.
func (s *scanner) bytes(n int64, what string) []byte {
	if s.check(n, what) && n > maxRecord {
		s.err = damaged(s.pos, "%s: %d bytes; expected at most %d", what, n, maxRecord)
	}
	if s.err != nil {
		return nil
	}
	b := make([]byte, n)
	s.read(b, what)
	return b
}

// skip passes over n bytes.
func (s *scanner) skip(n int64, what string) {
	if s.check(n, what) {
		s.pos += n
	}
}

const scanWindow = 64 << 10

// read fills b, through the window if it is short.
func (s *scanner) read(b []byte, what string) {
	if !s.check(int64(len(b)), what) {
		clear(b)
		return
	}
	if len(b) > scanWindow/4 {
		s.fill(b, s.pos)
		s.pos += int64(len(b))
		return
	}
	from := s.pos - s.bufStart
	if from < 0 || from+int64(len(b)) > int64(len(s.buf)) {
		if s.buf == nil {
			s.buf = make([]byte, min(scanWindow, s.size))
		}
		s.buf = s.buf[:min(int64(cap(s.buf)), s.left())]
		s.fill(s.buf, s.pos)
		s.bufStart, from = s.pos, 0
		if s.err != nil {
			s.buf = s.buf[:0]
			clear(b)
			return
		}
	}
	copy(b, s.buf[from:])
	s.pos += int64(len(b))
}

// fill reads b from the given place, which is inside the file.
func (s *scanner) fill(b []byte, at int64) {
	n, err := s.r.ReadAt(b, at)
	if n == len(b) {
		return
	}
	if err == io.EOF || err == nil {
		s.err = damaged(at+int64(n), "the file ends; expected %d more bytes", len(b)-n)
		return
	}
	s.err = fmt.Errorf("reading a Stata file at byte %d: %w", at, err)
}

// uint reads a whole number of up to 8 bytes without a sign.
func (s *scanner) uint(size int, what string) uint64 {
	var b [8]byte
	s.read(b[:size], what)
	if s.err != nil {
		return 0
	}
	return wide(s.order, b[:size])
}

// wide is a whole number of up to 8 bytes without a sign.
func wide(order binary.ByteOrder, b []byte) uint64 {
	var n uint64
	for i := range b {
		if order == binary.BigEndian {
			n = n<<8 | uint64(b[i])
		} else {
			n |= uint64(b[i]) << (8 * i)
		}
	}
	return n
}

// count reads a length or a number of things. What does not fit 63 bits is more than any file has.
func (s *scanner) count(size int, what string) int64 {
	n := s.uint(size, what)
	if s.err == nil && n > 1<<62 {
		s.err = damaged(s.pos-int64(size), "%s: found %d, which is more than a file can have", what, n)
		return 0
	}
	return int64(n)
}

// field reads a text of a fixed number of bytes, up to the first NUL in it: what follows that is what was there before.
func (s *scanner) field(size int, what string) []byte {
	b := s.bytes(int64(size), what)
	if at := bytes.IndexByte(b, 0); at >= 0 {
		b = bytes.Clone(b[:at])
	}
	return b
}

// tag reads one of the tags that stand around the sections of newer files.
func (s *scanner) tag(tag, what string) {
	at := s.pos
	var b [32]byte
	s.read(b[:len(tag)], what)
	if s.err == nil && string(b[:len(tag)]) != tag {
		s.err = damaged(at, "%s: found %q; expected %s", what, b[:len(tag)], tag)
	}
}
