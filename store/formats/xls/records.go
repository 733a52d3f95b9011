package xls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
)

// Records by their numbers: [MS-XLS] 2.3.
const (
	idFormula   = 0x0006
	idEOF       = 0x000a
	idDate1904  = 0x0022
	idFilePass  = 0x002f
	idFont      = 0x0031
	idContinue  = 0x003c
	idCodePage  = 0x0042
	idSheet     = 0x0085
	idMulRK     = 0x00bd
	idRString   = 0x00d6
	idXF        = 0x00e0
	idTexts     = 0x00fc
	idLabelText = 0x00fd
	idNumber    = 0x0203
	idLabel     = 0x0204
	idBoolErr   = 0x0205
	idString    = 0x0207
	idRow       = 0x0208
	idArray     = 0x0221
	idTable     = 0x0236
	idRK        = 0x027e
	idFormula4  = 0x0406 // of Excel 4, which some write still
	idFormat    = 0x041e
	idShared    = 0x04bc
	idBOF       = 0x0809
)

var errStream = errors.New("the workbook ends inside it: the file is cut or damaged")

// window is a stream of which a piece is held.
type window struct {
	in     *chain
	piece  []byte
	from   int64 // where the piece begins
	length int   // that is read at once
}

// bytes are so many bytes of the stream. They are good until others are asked for.
func (w *window) bytes(at int64, n int) ([]byte, error) {
	if at < w.from || at+int64(n) > w.from+int64(len(w.piece)) {
		w.piece = slices.Grow(w.piece[:0], max(n, w.length))
		k, err := w.in.ReadAt(w.piece[:max(n, w.length)], at)
		if w.piece, w.from = w.piece[:k], at; k < n {
			if errors.Is(err, io.EOF) {
				return nil, errStream
			}
			return nil, err
		}
	}
	return w.piece[at-w.from:][:n], nil
}

// records are the records of a stream, one after the other.
type records struct {
	window
	part string // for errors
	at   int64  // where the record at hand begins
	then int64  // where the next one does
	id   uint16
	rest []byte // what was not read of the record; good until something else is read
}

const (
	wholePiece = 1 << 16 // bytes that are read at once of what is read from end to end
	smallPiece = 1 << 9  // of what is read here and there
)

// recordsOf begins to read records somewhere in a stream, which errors call so.
func recordsOf(stream *chain, part string, at int64) *records {
	return &records{window: window{in: stream, length: wholePiece}, part: part, then: at}
}

// next goes to the next record.
func (r *records) next() error {
	head, err := r.bytes(r.then, 4)
	if err != nil {
		return r.failed(err)
	}
	id, length := binary.LittleEndian.Uint16(head), int(binary.LittleEndian.Uint16(head[2:]))
	if r.rest, err = r.bytes(r.then+4, length); err != nil {
		return r.failed(err)
	}
	r.at, r.id, r.then = r.then, id, r.then+4+int64(length)
	return nil
}

// peek is the number of the next record; 0: there is none.
func (r *records) peek() uint16 {
	kept := len(r.rest)
	head, err := r.bytes(r.then, 4)
	if err != nil {
		head = make([]byte, 4)
	}
	id := binary.LittleEndian.Uint16(head)
	if kept > 0 { // the piece was read anew, perhaps
		r.rest, _ = r.bytes(r.then-int64(kept), kept)
	}
	return id
}

// more goes on to the record that continues the one at hand, if there is one, of which all was read.
func (r *records) more() error {
	if r.peek() != idContinue {
		return r.wrong("a record is too short for what it is to hold")
	}
	at, id := r.at, r.id
	err := r.next()
	r.at, r.id = at, id
	return err
}

// octet reads a byte, of the records that continue the one at hand, too.
func (r *records) octet() (byte, error) {
	for len(r.rest) == 0 {
		if err := r.more(); err != nil {
			return 0, err
		}
	}
	b := r.rest[0]
	r.rest = r.rest[1:]
	return b, nil
}

// word reads a number of 2 bytes, likewise.
func (r *records) word() (uint16, error) {
	low, err := r.octet()
	if err != nil {
		return 0, err
	}
	high, err := r.octet()
	return uint16(low) | uint16(high)<<8, err
}

// long reads a number of 4 bytes, likewise.
func (r *records) long() (uint32, error) {
	low, err := r.word()
	if err != nil {
		return 0, err
	}
	high, err := r.word()
	return uint32(low) | uint32(high)<<16, err
}

// skip passes over so many bytes, likewise.
func (r *records) skip(n int64) error {
	for n > 0 {
		if len(r.rest) == 0 {
			if err := r.more(); err != nil {
				return err
			}
		}
		k := min(n, int64(len(r.rest)))
		r.rest, n = r.rest[k:], n-k
	}
	return nil
}

// wrong is an error of the part.
func (r *records) wrong(format string, args ...any) error {
	return &Error{Part: r.part, Reason: fmt.Sprintf(format, args...)}
}

// failed is what reading the part came to.
func (r *records) failed(err error) error { return &Error{Part: r.part, Err: err} }
