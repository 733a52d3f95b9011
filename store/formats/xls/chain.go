package xls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"
)

var errLoop = errors.New("its parts lead back to each other: the file is damaged")

// chain is a stream in sectors that stand anywhere in what it is in. Of sectors that stand one behind the other only
// the first is held.
type chain struct {
	in    io.ReaderAt
	shift uint  // of the size of sectors
	first int64 // where sector 0 is
	runs  []run
	count int64 // of sectors
	size  int64 // in bytes
}

// run is a run of sectors: which of the chain is its first, and where in the file that is.
type run struct{ at, sector uint32 }

// add adds a sector at the end.
func (c *chain) add(sector uint32) {
	if n := len(c.runs); n == 0 || int64(sector)-int64(c.runs[n-1].sector) != c.count-int64(c.runs[n-1].at) {
		c.runs = append(c.runs, run{uint32(c.count), sector})
	}
	c.count++
}

// length makes the chain as long as its sectors.
func (c *chain) length() { c.size = c.count << c.shift }

// follow adds sectors from one on until there are enough for so many bytes, or the last has come; -1: that one. There
// are most sectors.
func (c *chain) follow(table *links, from uint32, most, size int64) (*chain, error) {
	seen := newSet(most)
	for from != endOfChain && (size < 0 || c.count<<c.shift < size) {
		switch {
		case from == noSector && c.count == 0:
			return c, nil // which some write where there is nothing
		case int64(from) >= most:
			return nil, errSector
		case !seen.add(from):
			return nil, errLoop
		}
		c.add(from)
		var err error
		if from, err = table.next(from); err != nil {
			return nil, err
		}
	}
	if c.length(); size >= 0 {
		c.size = min(c.size, size)
	}
	return c, nil
}

// ReadAt reads as io.ReaderAt has it.
func (c *chain) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= c.size || at < 0 {
			return n, io.EOF
		}
		sector := at >> c.shift
		i := sort.Search(len(c.runs), func(i int) bool { return int64(c.runs[i].at) > sector }) - 1
		end := c.count << c.shift
		if i+1 < len(c.runs) {
			end = int64(c.runs[i+1].at) << c.shift
		}
		end = min(end, c.size)
		r := c.runs[i]
		from := c.first + int64(r.sector)<<c.shift + at - int64(r.at)<<c.shift
		k, err := c.in.ReadAt(p[n:n+int(min(int64(len(p)-n), end-at))], from)
		n, at = n+k, at+int64(k)
		if err != nil && (k == 0 || !errors.Is(err, io.EOF)) {
			return n, err
		}
	}
	return n, nil
}

// links is a table of which sector follows which, of which a piece is held.
type links struct {
	in    *chain
	from  uint32 // the first sector of the piece
	piece []byte
}

const pieceLinks = 1 << 10 // sectors of a piece

// next is what follows a sector.
func (l *links) next(sector uint32) (uint32, error) {
	if l.piece == nil || sector < l.from || sector-l.from >= uint32(len(l.piece)/4) {
		if l.piece == nil {
			l.piece = make([]byte, 4*pieceLinks)
		}
		l.from = sector &^ (pieceLinks - 1)
		n, err := l.in.ReadAt(l.piece[:cap(l.piece)], 4*int64(l.from))
		if l.piece = l.piece[:n&^3]; err != nil && !errors.Is(err, io.EOF) {
			return 0, err
		}
		if sector-l.from >= uint32(len(l.piece)/4) {
			return 0, fmt.Errorf("the allocation table has nothing about sector %d: the file is cut or damaged", sector)
		}
	}
	return binary.LittleEndian.Uint32(l.piece[4*(sector-l.from):]), nil
}

// set is a set of sectors.
type set []uint64

func newSet(most int64) set { return make(set, (most+63)/64) }

// add adds a sector, and tells whether it was not in the set.
func (s set) add(sector uint32) bool {
	word, bit := &s[sector/64], uint64(1)<<(sector%64)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}
