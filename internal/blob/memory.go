package blob

import (
	"encoding/binary"
	"strings"
	"unsafe"
)

// Memory gives the memory that columns are read into. It is Go's, but not cleared before, and where the system lets a
// program, its pages are asked for at once: else each comes when it is first written to, which takes a virtual machine
// as long as counting all its answers does. The zero Memory asks for nothing.
type Memory struct {
	page  uintptr // bytes of a page; 0: nothing is asked for
	large uintptr // bytes of a large page, if one is had by asking only; else 0
}

// NewMemory returns a Memory that asks as the system wants it.
func NewMemory() Memory { return newMemory() }

// worthAsking is how many bytes it takes for asking to be no slower than writing.
const worthAsking = 128 << 10

// words returns so many words, which hold anything.
func (m Memory) words(n int) []uint64 {
	if n == 0 {
		return nil
	}
	var memory strings.Builder // nothing else of Go's gives memory that is not cleared
	memory.Grow(8 * n)
	memory.WriteByte(0) // before, nothing is promised of where it is
	start := unsafe.Pointer(unsafe.StringData(memory.String()))
	if uintptr(start)%8 != 0 {
		return make([]uint64, n)
	}
	if 8*n >= worthAsking && m.page > 0 {
		m.ask(uintptr(start), uintptr(8*n))
	}
	return unsafe.Slice((*uint64)(start), n)
}

// Numbers returns so many numbers of four bytes, which hold anything.
func (m Memory) Numbers(n int) []uint32 {
	if n == 0 {
		return nil
	}
	words := m.words((n + 1) / 2)
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// ReadNumbers copies numbers of four bytes that are written little-endian: as bytes where the processor has them in
// that order, too.
func (m Memory) ReadNumbers(data []byte) []uint32 {
	numbers := m.Numbers(len(data) / 4)
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(numbers))), 4*len(numbers)), data)
		return numbers
	}
	for i := range numbers {
		numbers[i] = binary.LittleEndian.Uint32(data[4*i:])
	}
	return numbers
}

// Room is memory for bitmaps that are read together: having it at once takes a fraction of the time.
type Room struct{ left []uint64 }

// line is the words that a processor reads at a time. Bitmaps begin with one.
const line = 8

// Room returns room for so many bitmaps of so many words each.
func (m Memory) Room(bitmaps, words int) *Room {
	return &Room{left: m.words(bitmaps * ((words + line - 1) / line * line))}
}

// Bitmap returns so many words, which hold anything: of the room, unless that is nil or there is not enough.
func (r *Room) Bitmap(words int) []uint64 {
	taken := (words + line - 1) / line * line
	if r == nil || len(r.left) < taken {
		return make([]uint64, words)
	}
	bitmap := r.left[:words:words]
	r.left = r.left[taken:]
	return bitmap
}
