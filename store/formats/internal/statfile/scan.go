package statfile

import (
	"encoding/binary"
	"fmt"
	"io"
)

// MaxPart bounds what is read of a file in one piece, in bytes. Dictionaries of real files are a few megabytes in all,
// but labels of very long strings are padded.
const MaxPart = 256 << 20

// window is how many bytes of a file are read at once where its parts are short.
const window = 64 << 10

// Scanner reads a file from the front and knows where it is. The first error sticks; after it every read gives zeros.
type Scanner struct {
	Format Format
	File   io.ReaderAt
	Size   int64 // of the file
	Pos    int64
	Order  binary.ByteOrder
	Err    error

	buf      []byte // a window of the file
	bufStart int64
}

// Left returns the bytes from here to the end of the file.
func (s *Scanner) Left() int64 { return s.Size - s.Pos }

// Check makes sure that n bytes of what are left; n comes from the file.
func (s *Scanner) Check(n int64, what string) bool {
	switch {
	case s.Err != nil:
	case n < 0:
		s.damaged(s.Format.Negative, what, n)
	case n > s.Left():
		s.damaged(s.Format.Short, what, n, s.Left())
	}
	return s.Err == nil
}

// damaged says what is wrong with the file here.
func (s *Scanner) damaged(format string, args ...any) {
	s.Err = Errorf(s.Format.Damaged, s.Pos, format, args...)
}

// Bytes returns the next n bytes, the caller's to keep.
func (s *Scanner) Bytes(n int64, what string) []byte {
	if s.Check(n, what) && n > MaxPart {
		s.damaged(s.Format.Long, what, n, int64(MaxPart))
	}
	if s.Err != nil {
		return nil
	}
	b := make([]byte, n)
	s.Read(b, what)
	return b
}

// Skip passes over n bytes.
func (s *Scanner) Skip(n int64, what string) {
	if s.Check(n, what) {
		s.Pos += n
	}
}

// Read fills b, through the window if it is short.
func (s *Scanner) Read(b []byte, what string) {
	if !s.Check(int64(len(b)), what) {
		clear(b)
		return
	}
	if len(b) > window/4 {
		s.fill(b, s.Pos)
		s.Pos += int64(len(b))
		return
	}
	from := s.Pos - s.bufStart
	if from < 0 || from+int64(len(b)) > int64(len(s.buf)) {
		if s.buf == nil {
			s.buf = make([]byte, min(window, s.Size))
		}
		s.buf = s.buf[:min(int64(cap(s.buf)), s.Left())]
		s.fill(s.buf, s.Pos)
		s.bufStart, from = s.Pos, 0
		if s.Err != nil {
			s.buf = s.buf[:0]
			clear(b)
			return
		}
	}
	copy(b, s.buf[from:])
	s.Pos += int64(len(b))
}

// fill reads b from the given place, which is inside the file.
func (s *Scanner) fill(b []byte, at int64) {
	n, err := s.File.ReadAt(b, at)
	if n == len(b) {
		return
	}
	if err == io.EOF || err == nil {
		s.Err = Errorf(s.Format.Damaged, at+int64(n), "the file ends; expected %d more bytes", len(b)-n)
		return
	}
	s.Err = fmt.Errorf("reading %s at byte %d: %w", s.Format.Name, at, err)
}
