package blob

import (
	"encoding/binary"
	"iter"
	"math/bits"
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
	return bitmap(words, room, func(yield func([]uint32) bool) { yield(positions) })
}

// bitmap writes a bitmap of all positions in some lists.
func bitmap(words, room int, lists iter.Seq[[]uint32]) []byte {
	b := make([]byte, 8*words, 8*words+1+room)
	for positions := range lists {
		for _, p := range positions {
			b[p>>3] |= 1 << (p & 7)
		}
	}
	return append(b, formWords)
}

// BitmapBytes is how many bytes a bitmap of so many words is written in.
func BitmapBytes(words int) int { return 8*words + 1 }

// Columns of which no two have a position in common, as those of a question with one answer, take fewer bitmaps
// together than one by one. Each has a number, in their order and from 1 on, and there is a bitmap for each binary
// digit of these: who is in a column whose number has that digit. Who is in none says 0. Fifty columns take six
// bitmaps, and kernel.Saying makes each of the fifty again.

// DigitsOf is how many digits it takes to number so many columns.
func DigitsOf(columns int) int { return bits.Len(uint(columns)) }

// Digit writes the bitmap of a digit, the first of which is 0 and worth 1, given the sorted positions of each column.
// It has room for so many bytes more.
func Digit(columns [][]uint32, digit, words, room int) []byte {
	return bitmap(words, room, func(yield func([]uint32) bool) {
		for i, positions := range columns {
			if (i+1)>>digit&1 != 0 && !yield(positions) {
				return
			}
		}
	})
}

// ReadBitmap reads a bitmap of so many words where it stands, little-endian; false means that it is none.
func ReadBitmap(data []byte, words int) ([]byte, bool) {
	if len(data) != BitmapBytes(words) || data[len(data)-1] != formWords {
		return nil, false
	}
	return data[:8*words], true
}

// ReadColumn reads a column that must hold count positions within so many words: as a bitmap, or as a list where that
// is the form; false means that it does not. A bitmap goes into room, unless that is nil.
func ReadColumn(data []byte, count, words int, room *Room) (bitmap []uint64, list []uint32, ok bool) {
	if len(data) == 0 {
		return nil, nil, false
	}
	switch form := data[len(data)-1]; {
	case form == formWords && !Sparse(count, words):
		if data, ok = ReadBitmap(data, words); ok {
			bitmap = room.Bitmap(words)
			readWords(bitmap, data)
			ok = kernel.PopCount(bitmap) == count
		}
	case form == formList && Sparse(count, words) && 0 <= count && count < len(data):
		list = make([]uint32, count)
		r := reader{data: data[:len(data)-1]}
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

// readWords sets to to words that are written little-endian.
func readWords(to []uint64, data []byte) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(to))), 8*len(to)), data)
		return
	}
	for i := range to {
		to[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
}
