package blob

import (
	"encoding/binary"
	"strings"
	"unsafe"

	"github.com/crosswave/crosswave/internal/kernel"
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
// is the form; false means that it does not. A bitmap goes into room, unless that is nil.
func ReadColumn(data []byte, count, words int, room *Room) (bitmap []uint64, list []uint32, ok bool) {
	if len(data) == 0 {
		return nil, nil, false
	}
	form, data := data[len(data)-1], data[:len(data)-1]
	switch {
	case form == formWords && !Sparse(count, words) && len(data) == 8*words:
		bitmap = room.words(data)
		ok = kernel.PopCount(bitmap) == count
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

// Room is memory for bitmaps that are read together: allocating it at once takes a fraction of the time, and it is not
// cleared before.
type Room struct{ to strings.Builder }

// line is the words that a processor reads at a time. Bitmaps begin with one.
const line = 8

// NewRoom returns room for so many bitmaps of so many words each.
func NewRoom(bitmaps, words int) *Room {
	r := &Room{}
	r.to.Grow(bitmaps * 8 * ((words + line - 1) / line * line))
	return r
}

// words copies words that are written little-endian: into the room if there is enough.
func (r *Room) words(data []byte) []uint64 {
	if r == nil || len(data) == 0 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return readWords(data)
	}
	var none [8 * line]byte
	fill, from := -len(data)&(8*line-1), r.to.Len()
	if r.to.Cap()-from < len(data)+fill {
		return readWords(data)
	}
	r.to.Write(data)
	r.to.Write(none[:fill])
	start := unsafe.Pointer(unsafe.StringData(r.to.String())) // which nothing says of an empty one
	if uintptr(start)%8 != 0 {
		return readWords(data)
	}
	return unsafe.Slice((*uint64)(unsafe.Add(start, from)), len(data)/8)
}

// readWords copies words that are written little-endian.
func readWords(data []byte) []uint64 {
	if words := copied[uint64](data); words != nil {
		return words
	}
	words := make([]uint64, len(data)/8)
	for i := range words {
		words[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	return words
}

// ReadNumbers copies numbers of four bytes that are written little-endian.
func ReadNumbers(data []byte) []uint32 {
	if numbers := copied[uint32](data); numbers != nil {
		return numbers
	}
	numbers := make([]uint32, len(data)/4)
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return numbers
}

// copied copies numbers that are written little-endian where the processor has them in that order, too: the copy is of
// bytes then, into memory that need not be cleared before, as that takes as long as reading does. Else it returns nil.
func copied[T uint32 | uint64](data []byte) []T {
	var number T
	size := int(unsafe.Sizeof(number))
	// More than 16 bytes without pointers begin at a multiple of 8 wherever Go allocates them.
	n := len(data) / size
	if n*size <= 16 || binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil
	}
	bytes := append([]byte(nil), data[:n*size]...)
	start := unsafe.Pointer(unsafe.SliceData(bytes))
	if uintptr(start)%uintptr(size) != 0 {
		return nil
	}
	return unsafe.Slice((*T)(start), n)
}
