package sav

import (
	"bufio"
	"compress/flate"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
)

// block is a piece of the data of a .zsav file.
type block struct {
	plainOffset int64 // where its data would begin without this compression
	offset      int64 // where it begins in the file
	plain       int64 // bytes when inflated
	size        int64 // bytes in the file
}

// checkData makes sure, without reading the cases, that there is room for them.
func (f *File) checkData() error {
	plain := f.size - f.start
	if f.Compression == Zlib {
		if err := f.readBlocks(); err != nil {
			return err
		}
		plain = 0
		for _, b := range f.blocks {
			plain += b.plain
		}
	}
	// Each element takes 8 bytes, or in bytecode one at least.
	each := int64(len(f.layout.elements))
	if f.Compression == Uncompressed {
		each *= 8
	}
	if each == 0 {
		f.NumCases = 0
		return nil
	}
	if f.NumCases > plain/each {
		return damaged(f.start, "%d cases need at least %d bytes each; the file has %d bytes of data", f.NumCases, each,
			plain)
	}
	return nil
}

// readBlocks reads the header and the trailer of zlib data, and holds them
// against each other: every block must begin where the one before ends.
func (f *File) readBlocks() error {
	s := newScanner(f.data, f.size, f.start, f.ByteOrder)
	head := fields{data: s.Bytes(24, "the header of zlib data"), order: f.ByteOrder}
	if s.Err != nil {
		return s.Err
	}
	self, trailer, length := head.int64(), head.int64(), head.int64()
	switch {
	case self != f.start:
		return damaged(f.start, "the header of zlib data says it is at byte %d", self)
	case trailer < f.start+24 || trailer > f.size-24:
		return damaged(f.start+8, "the trailer of zlib data is said to be at byte %d; expected a place from %d to %d",
			trailer, f.start+24, f.size-24)
	case length < 24 || length%24 != 0 || length > f.size-trailer:
		return damaged(f.start+16, "the trailer of zlib data is said to have %d bytes; expected a multiple of 24 up to %d",
			length, f.size-trailer)
	}
	s.Pos = trailer
	in := fields{data: s.Bytes(length, "the trailer of zlib data"), order: f.ByteOrder}
	if s.Err != nil {
		return s.Err
	}
	in.take(16) // bias and zero
	in.int32()  // usual size of a block
	n := int64(in.int32())
	if n != length/24-1 {
		return damaged(trailer+20, "the trailer of zlib data has %d blocks; expected %d by its length", n, length/24-1)
	}
	f.blocks = make([]block, n)
	plain, at := f.start, f.start+24
	for i := range f.blocks {
		b := block{in.int64(), in.int64(), int64(in.int32()), int64(in.int32())}
		place := trailer + 24 + 24*int64(i)
		switch {
		case b.plainOffset != plain || b.offset != at:
			return damaged(place, "block %d of zlib data begins at byte %d (%d inflated); expected %d (%d)",
				i+1, b.offset, b.plainOffset, at, plain)
		case b.plain < 0 || b.size < 0 || b.size > trailer-at:
			return damaged(place+16, "block %d of zlib data has %d bytes (%d inflated); expected at most %d", i+1,
				b.size, b.plain, trailer-at)
		case b.plain > maxRatio*b.size:
			return damaged(place+16, "block %d of zlib data grows from %d bytes to %d; that is more than zlib can do",
				i+1, b.size, b.plain)
		}
		f.blocks[i] = b
		plain, at = plain+b.plain, at+b.size
	}
	if at != trailer {
		return damaged(trailer, "the blocks of zlib data end at byte %d; expected the trailer there, which is at %d",
			at, trailer)
	}
	return nil
}

// maxRatio is how many times its size a deflated block can grow to, a little over the 1032 of long runs.
const maxRatio = 1040

// inflater reads the blocks of a file as one stream. It never trusts a block
// to be as long as it says, and holds none in memory.
type inflater struct {
	file  *File
	next  int // block
	at    block
	left  int64
	in    *bufio.Reader
	zr    io.ReadCloser
	begun bool
	err   error // the first, which every later Read returns again
}

func (r *inflater) Read(p []byte) (n int, err error) {
	if r.err == nil {
		n, r.err = r.read(p)
	}
	return n, r.err
}

func (r *inflater) read(p []byte) (int, error) {
	for r.left == 0 {
		if r.begun {
			if err := r.endBlock(); err != nil {
				return 0, err
			}
		}
		if r.next == len(r.file.blocks) {
			return 0, io.EOF
		}
		if err := r.beginBlock(); err != nil {
			return 0, err
		}
	}
	n, err := r.zr.Read(p[:min(int64(len(p)), r.left)])
	r.left -= int64(n)
	if n > 0 || err == nil {
		return n, nil
	}
	if err == io.EOF {
		return 0, r.trouble("inflates to %d bytes; expected %d", r.at.plain-r.left, r.at.plain)
	}
	return 0, r.wrap(err)
}

func (r *inflater) beginBlock() error {
	r.at = r.file.blocks[r.next]
	r.next++
	r.left, r.begun = r.at.plain, true
	section := io.NewSectionReader(r.file.data, r.at.offset, r.at.size)
	if r.in == nil {
		r.in = bufio.NewReaderSize(section, 32<<10)
		zr, err := zlib.NewReader(r.in)
		if err != nil {
			return r.wrap(err)
		}
		r.zr = zr
		return nil
	}
	r.in.Reset(section)
	if err := r.zr.(zlib.Resetter).Reset(r.in, nil); err != nil {
		return r.wrap(err)
	}
	return nil
}

// endBlock makes sure that a block has nothing more, which also compares its checksum.
func (r *inflater) endBlock() error {
	r.begun = false
	var one [1]byte
	switch _, err := io.ReadFull(r.zr, one[:]); err {
	case nil:
		return r.trouble("inflates to more than the %d bytes expected", r.at.plain)
	case io.EOF:
		return nil
	default:
		return r.wrap(err)
	}
}

func (r *inflater) trouble(format string, args ...any) error {
	return damaged(r.at.offset, "block %d of zlib data "+format, append([]any{r.next}, args...)...)
}

// wrap tells damaged data from trouble with reading.
func (r *inflater) wrap(err error) error {
	var corrupt flate.CorruptInputError
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.As(err, &corrupt) ||
		errors.Is(err, zlib.ErrChecksum) || errors.Is(err, zlib.ErrDictionary) || errors.Is(err, zlib.ErrHeader) {
		return r.trouble("cannot be inflated: %v", err)
	}
	return fmt.Errorf("reading an SPSS file at byte %d: %w", r.at.offset, err)
}
