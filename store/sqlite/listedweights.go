package sqlite

import (
	"encoding/binary"
	"maps"
	"math/bits"
	"slices"

	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
)

// Weights in a list. Whoever weights a survey does so by groups, of which there are hundreds and not as many as there
// are respondents. So a chunk's weights are written as the different ones and, for each position, which of them it has:
// of most weights, which take four bytes each, half is left to be read, or a quarter.

// byteList and pairList begin the units of a chunk that has its weights in a list, where a position takes one byte or
// two. Behind it stands how many weights there are above 0, in two bytes, then those in four bytes each, ascending, and
// then which of them each position has, from 1 on, or 0; all little-endian.
const (
	byteList = 16
	pairList = 17
)

// mostListed is how many different weights above 0 can be in a list.
const mostListed = 1<<16 - 1

// listUnits writes weights that fit 32 bits in a list; nil if that would take so many bytes or more.
func listUnits(weights []int64, size int) []byte {
	places := map[int64]int{}
	for _, w := range weights {
		if w == 0 {
			continue
		}
		if places[w] = 0; len(places) > mostListed {
			return nil
		}
	}
	different := slices.Sorted(maps.Keys(places))
	width := 1
	if len(different) > 1<<8-1 {
		width = 2
	}
	most := 1 + 2 + 4*len(different) + width*len(weights)
	if most >= size {
		return nil
	}
	b := append(make([]byte, 0, most+sealBytes), byte(byteList+width-1))
	b = binary.LittleEndian.AppendUint16(b, uint16(len(different)))
	for i, w := range different {
		places[w] = i + 1
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	for _, w := range weights {
		b = append(b, byte(places[w]))
		if width == 2 {
			b = append(b, byte(places[w]>>8))
		}
	}
	return b
}

// decodeListed reads what listUnits wrote, behind its first byte, where a position takes so many bytes, and which of
// the weights are above 0. It returns the weights and their binary digits, one above the other; false if the bytes are
// of something else.
func decodeListed(memory blob.Memory, k *kernel.Kernel, positive []uint64, data []byte, width int) (small []uint32,
	all uint64, ok bool) {
	if len(data) < 2 {
		return nil, 0, false
	}
	n := int(binary.LittleEndian.Uint16(data))
	if data = data[2:]; len(data) != 4*n+64*width*len(positive) {
		return nil, 0, false
	}
	// As long as a power of two, the list can be looked up without asking of each place whether it is in it: one that is
	// not is found out by its digits, or has no weight, so that fewer respondents than there are have one.
	list := make([]uint32, 1<<bits.Len(uint(n)))
	for i := range n {
		list[i+1] = binary.LittleEndian.Uint32(data[4*i:])
		all |= uint64(list[i+1])
	}
	small = memory.Numbers(64 * len(positive))
	digits := k.LookUp(small, positive, data[4*n:], list)
	return small, all, digits < uint64(len(list))
}
