package sav

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// maxRecord bounds one record of a dictionary, in bytes. Dictionaries of real
// files are a few megabytes in all, but labels of very long strings are padded.
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
		s.err = damaged(s.pos, "%s has a length of %d bytes", what, n)
	case n > s.left():
		s.err = damaged(s.pos, "%s needs %d bytes, but the file ends after %d more", what, n, s.left())
	case n > maxRecord:
		s.err = damaged(s.pos, "%s has %d bytes; expected at most %d", what, n, maxRecord)
	default:
		return true
	}
	return false
}

// bytes returns the next n bytes, the caller's to keep.
func (s *scanner) bytes(n int64, what string) []byte {
	if !s.check(n, what) {
		return nil
	}
	b := make([]byte, n)
	s.read(b, what)
	return b
}

// skip passes over n bytes.
func (s *scanner) skip(n int64, what string) {
	if s.err == nil && n > s.left() {
		s.err = damaged(s.pos, "%s needs %d bytes, but the file ends after %d more", what, n, s.left())
	}
	if s.err == nil {
		s.pos += n
	}
}

const scanWindow = 64 << 10

// read fills b, through the window if it is short.
func (s *scanner) read(b []byte, what string) {
	if !s.check(int64(len(b)), what) {
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
	s.err = fmt.Errorf("reading an SPSS file at byte %d: %w", at, err)
}

func (s *scanner) int32(what string) int32 {
	var b [4]byte
	s.read(b[:], what)
	if s.err != nil {
		return 0
	}
	return int32(s.order.Uint32(b[:]))
}

func (s *scanner) eight(what string) (b [8]byte) {
	s.read(b[:], what)
	return b
}

func (s *scanner) float(b []byte) float64 { return math.Float64frombits(s.order.Uint64(b)) }

// fields reads values one after the other from a record that is in memory; it
// is to a record what scanner is to the file.
type fields struct {
	data  []byte
	order binary.ByteOrder
	short bool // a read went past the end
}

func (f *fields) take(n int) []byte {
	if n < 0 || n > len(f.data) {
		f.short, f.data = true, nil
		return nil
	}
	b := f.data[:n]
	f.data = f.data[n:]
	return b
}

func (f *fields) int32() int32 {
	if b := f.take(4); b != nil {
		return int32(f.order.Uint32(b))
	}
	return 0
}

func (f *fields) int64() int64 {
	if b := f.take(8); b != nil {
		return int64(f.order.Uint64(b))
	}
	return 0
}

// counted reads a length and that many bytes.
func (f *fields) counted() []byte { return f.take(int(f.int32())) }
