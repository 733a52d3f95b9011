package sqlite

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/internal/blob"
)

// column holds who in a chunk is positive on an attribute: as a bitmap, or as sorted positions where that is much
// smaller.
type column struct {
	words []uint64
	list  []uint32
}

// columnBytes is how much memory a column takes on which count respondents are positive, in a chunk of so many words.
func columnBytes(count, words int) int64 {
	if blob.Sparse(count, words) {
		return 4 * int64(count)
	}
	return 8 * int64(words)
}

func columnName(id int64) string {
	return fmt.Sprintf("column %d of chunk %d", id&(1<<columnBits-1), id>>columnBits)
}

// encodeColumn returns the blob of a column, given its sorted positions, each once.
func encodeColumn(id int64, positions []uint32, words int) []byte {
	return sealColumn(id, blob.Column(positions, words, sealBytes))
}

// decodeColumn reads a blob that must hold count positions within so many words. A bitmap goes into room, unless that
// is nil.
func decodeColumn(id int64, data []byte, count, words int, room *blob.Room) (column, error) {
	data, ok := unsealColumn(id, data)
	if !ok {
		return column{}, &DamagedError{columnName(id)}
	}
	var c column
	if c.words, c.list, ok = blob.ReadColumn(data, count, words, room); !ok {
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
