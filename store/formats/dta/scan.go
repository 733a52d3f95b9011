package dta

import (
	"bytes"
	"encoding/binary"
	"io"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// scanner reads a file from the front, and its numbers, texts and tags.
type scanner struct{ statfile.Scanner }

func newScanner(r io.ReaderAt, size, pos int64, order binary.ByteOrder) scanner {
	return scanner{statfile.Scanner{File: r, Size: size, Pos: pos, Order: order, Format: statfile.Format{
		Name: "a Stata file", Damaged: ErrDamaged, Negative: "%s: a length of %d bytes",
		Short: "%s: %d bytes are needed, but the file ends after %d more", Long: "%s: %d bytes; expected at most %d"}}}
}

// uint reads a whole number of up to 8 bytes without a sign.
func (s *scanner) uint(size int, what string) uint64 {
	var b [8]byte
	s.Read(b[:size], what)
	if s.Err != nil {
		return 0
	}
	return wide(s.Order, b[:size])
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
	if s.Err == nil && n > 1<<62 {
		s.Err = damaged(s.Pos-int64(size), "%s: found %d, which is more than a file can have", what, n)
		return 0
	}
	return int64(n)
}

// field reads a text of a fixed number of bytes, up to the first NUL in it: what follows that is what was there before.
func (s *scanner) field(size int, what string) []byte {
	b := s.Bytes(int64(size), what)
	if at := bytes.IndexByte(b, 0); at >= 0 {
		b = bytes.Clone(b[:at])
	}
	return b
}

// tag reads one of the tags that stand around the sections of newer files.
func (s *scanner) tag(tag, what string) {
	at := s.Pos
	var b [32]byte
	s.Read(b[:len(tag)], what)
	if s.Err == nil && string(b[:len(tag)]) != tag {
		s.Err = damaged(at, "%s: found %q; expected %s", what, b[:len(tag)], tag)
	}
}
