package sqlite

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"
)

// column holds who in a chunk is positive on an attribute: as a bitmap, or as sorted positions where that is much
// smaller.
type column struct {
	words []uint64
	list  []uint32
}

// The stored forms: the last byte before the seal.
const (
	formWords = 'w' // the bitmap, little-endian
	formList  = 'l' // the positions: uvarints of the first and of the gaps less 1
)

// sparse tells which form a column has. One position in 64 is where a list takes an eighth of the bitmap's room in the
// file and half of it in memory.
func sparse(count, words int) bool { return count <= words }

// columnBytes is how much memory a column takes on which count respondents are positive, in a chunk of so many words.
func columnBytes(count, words int) int64 {
	if sparse(count, words) {
		return 4 * int64(count)
	}
	return 8 * int64(words)
}

func columnName(id int64) string {
	return fmt.Sprintf("column %d of chunk %d", id&(1<<columnBits-1), id>>columnBits)
}

// encodeColumn returns the blob of a column, given its sorted positions, each once.
func encodeColumn(id int64, positions []uint32, words int) []byte {
	if sparse(len(positions), words) {
		b := make([]byte, 0, 2*len(positions)+1+sealBytes)
		next := uint32(0)
		for _, p := range positions {
			b = binary.AppendUvarint(b, uint64(p-next))
			next = p + 1
		}
		return sealColumn(id, append(b, formList))
	}
	b := make([]byte, 8*words, 8*words+1+sealBytes)
	for _, p := range positions {
		b[p>>3] |= 1 << (p & 7)
	}
	return sealColumn(id, append(b, formWords))
}

// decodeColumn reads a blob that must hold count positions within so many words.
func decodeColumn(id int64, data []byte, count, words int) (column, error) {
	data, ok := unsealColumn(id, data)
	if !ok || len(data) == 0 {
		return column{}, &DamagedError{columnName(id)}
	}
	form, data := data[len(data)-1], data[:len(data)-1]
	var c column
	switch {
	case form == formWords && !sparse(count, words) && len(data) == 8*words:
		c.words = make([]uint64, words)
		n := 0
		for i := range c.words {
			w := binary.LittleEndian.Uint64(data[8*i:])
			c.words[i] = w
			n += bits.OnesCount64(w)
		}
		ok = n == count
	case form == formList && sparse(count, words):
		c.list = make([]uint32, count)
		r := reader{data: data}
		next := uint64(0)
		for i := range c.list {
			next += r.number()
			c.list[i] = uint32(next)
			next++
		}
		ok = !r.bad && len(r.data) == 0 && next <= 64*uint64(words)
	default:
		ok = false
	}
	if !ok {
		return column{}, &DamagedError{columnName(id)}
	}
	return c, nil
}

// copyTo sets dst to the column's words from first on, as many as dst has.
func (c *column) copyTo(dst []uint64, first int) {
	if c.list == nil {
		copy(dst, c.words[first:])
		return
	}
	clear(dst)
	from, to := uint32(64*first), uint32(64*(first+len(dst)))
	i, _ := slices.BinarySearch(c.list, from)
	for _, p := range c.list[i:] {
		if p >= to {
			return
		}
		dst[(p-from)>>6] |= 1 << (p & 63)
	}
}
