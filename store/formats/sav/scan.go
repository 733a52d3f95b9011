package sav

import (
	"encoding/binary"
	"io"
	"math"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// scanner reads a file from the front, and its numbers.
type scanner struct{ statfile.Scanner }

func newScanner(r io.ReaderAt, size, pos int64, order binary.ByteOrder) scanner {
	return scanner{statfile.Scanner{File: r, Size: size, Pos: pos, Order: order, Format: statfile.Format{
		Name: "an SPSS file", Damaged: ErrDamaged, Negative: "%s has a length of %d bytes",
		Short: "%s needs %d bytes, but the file ends after %d more", Long: "%s has %d bytes; expected at most %d"}}}
}

func (s *scanner) int32(what string) int32 {
	var b [4]byte
	s.Read(b[:], what)
	if s.Err != nil {
		return 0
	}
	return int32(s.Order.Uint32(b[:]))
}

func (s *scanner) eight(what string) (b [8]byte) {
	s.Read(b[:], what)
	return b
}

func (s *scanner) float(b []byte) float64 { return math.Float64frombits(s.Order.Uint64(b)) }

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
