// Package blob writes and reads what the embedded store keeps as bytes: the heads of chunks, and their columns. It
// knows no database, so that it can be fuzzed on its own. Damaged bytes are told from good ones by the store's seals;
// what is read here may be anything.
package blob

import "encoding/binary"

// reader takes numbers and texts off a blob. After the first mistake it is bad and gives zeros.
type reader struct {
	data []byte
	bad  bool
}

func (r *reader) number() uint64 {
	v, n := binary.Uvarint(r.data)
	if n <= 0 {
		r.bad, r.data = true, nil
		return 0
	}
	r.data = r.data[n:]
	return v
}

// most is a number of at most so much.
func (r *reader) most(limit int) int {
	n := r.number()
	if n > uint64(limit) {
		r.bad, r.data = true, nil
		return 0
	}
	return int(n)
}

// count is a number of things that take at least a byte each.
func (r *reader) count() int {
	n := r.number()
	if n > uint64(len(r.data)) {
		r.bad, r.data = true, nil
		return 0
	}
	return int(n)
}

func (r *reader) text() string {
	n := r.count()
	s := string(r.data[:n])
	r.data = r.data[n:]
	return s
}

// AppendText writes a text behind b, its length first.
func AppendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}
