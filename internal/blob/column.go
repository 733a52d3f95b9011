package blob

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// The forms of a column: its last byte.
const (
	formWords = 'w' // the bitmap, little-endian
	formList  = 'l' // the positions: uvarints of the first and of the gaps less 1
)

// Sparse tells which form a column of so many positions and words has. One position in 64 is where a list takes an
// eighth of the bitmap's room in the file and half of it in memory.
func Sparse(count, words int) bool { return count <= words }

// Column writes a column, given its sorted positions, each once, of which all are within so many words. It has room for
// so many bytes more, such as those of a seal.
func Column(positions []uint32, words, room int) []byte {
	if Sparse(len(positions), words) {
		b := make([]byte, 0, 2*len(positions)+1+room)
		next := uint32(0)
		for _, p := range positions {
			b = binary.AppendUvarint(b, uint64(p-next))
			next = p + 1
		}
		return append(b, formList)
	}
	b := make([]byte, 8*words, 8*words+1+room)
	for _, p := range positions {
		b[p>>3] |= 1 << (p & 7)
	}
	return append(b, formWords)
}

// ReadColumn reads a column that must hold count positions within so many words: as a bitmap, or as a list where that
// is the form; false means that it does not.
func ReadColumn(data []byte, count, words int) (bitmap []uint64, list []uint32, ok bool) {
	if len(data) == 0 {
		return nil, nil, false
	}
	form, data := data[len(data)-1], data[:len(data)-1]
	switch {
	case form == formWords && !Sparse(count, words) && len(data) == 8*words:
		bitmap = readWords(data)
		ok = ones(bitmap) == count
	case form == formList && Sparse(count, words):
		list = make([]uint32, count)
		r := reader{data: data}
		next := uint64(0)
		for i := range list {
			next += r.number()
			list[i] = uint32(next)
			next++
		}
		ok = !r.bad && len(r.data) == 0 && next <= 64*uint64(words)
	}
	return bitmap, list, ok
}

// ones is how many bits of a bitmap are set.
func ones(bitmap []uint64) (n int) {
	for ; len(bitmap) >= 4; bitmap = bitmap[4:] {
		n += bits.OnesCount64(bitmap[0]) + bits.OnesCount64(bitmap[1]) + bits.OnesCount64(bitmap[2]) +
			bits.OnesCount64(bitmap[3])
	}
	for _, w := range bitmap {
		n += bits.OnesCount64(w)
	}
	return n
}

// readWords copies words that are written little-endian. Where the processor has them in that order, too, the copy is
// of bytes, into memory that need not be cleared before, as that takes as long as reading does.
func readWords(data []byte) []uint64 {
	if n := len(data) / 8; n > 1 && binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		// More than 16 bytes without pointers begin at a multiple of 8 wherever Go allocates them.
		copied := append([]byte(nil), data[:8*n]...)
		if start := unsafe.Pointer(unsafe.SliceData(copied)); uintptr(start)%8 == 0 {
			return unsafe.Slice((*uint64)(start), n)
		}
	}
	words := make([]uint64, len(data)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return words
}
