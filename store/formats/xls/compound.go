package xls

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// magic is how a compound file begins: a file system in a file, in which a workbook is one of the streams.
const magic = "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"

// Numbers of sectors that stand for something else: [MS-CFB] 2.1.
const (
	lastSector = 0xfffffffa // the greatest that is one
	endOfChain = 0xfffffffe
	noSector   = 0xffffffff
)

const (
	headerSize  = 512  // bytes
	headerFATs  = 109  // numbers of sectors of the allocation table in the header
	miniShift   = 6    // of the size of small sectors
	smallStream = 4096 // bytes, of which a stream has less to be in small sectors
)

var errSector = errors.New("it lies in parts of the file that are not there: the file is cut or damaged")

// compound is a compound file.
type compound struct {
	file    io.ReaderAt
	size    int64
	shift   uint   // of the size of sectors
	table   *links // which sector follows which
	entries *chain // the directory
	small   uint32 // the first sector of the allocation table of small streams
}

// openCompound reads where things are in a compound file.
func openCompound(file io.ReaderAt, size int64) (*compound, error) {
	header := make([]byte, headerSize)
	if _, err := file.ReadAt(header, 0); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, &Error{Reason: "it is cut: it ends inside its header"}
		}
		return nil, &Error{Err: err}
	}
	if string(header[:len(magic)]) != magic {
		return nil, &Error{Reason: "it is no workbook: it does not begin as one"}
	}
	number := func(at int) uint32 { return binary.LittleEndian.Uint32(header[at:]) }
	c := &compound{file: file, size: size, shift: uint(binary.LittleEndian.Uint16(header[30:]))}
	if c.shift != 9 && c.shift != 12 {
		return nil, &Error{Reason: fmt.Sprintf("its header is damaged: sectors of 2^%d bytes are none", c.shift)}
	}
	if mini := header[32]; mini != miniShift {
		return nil, &Error{Reason: fmt.Sprintf("its header is damaged: small sectors of 2^%d bytes are none", mini)}
	}
	table, err := c.allocation(header, number(68), number(72))
	if err != nil {
		return nil, &Error{Part: "the allocation table", Err: err}
	}
	c.table = &links{in: table}
	if c.entries, err = c.follow(number(48), -1); err != nil {
		return nil, &Error{Part: "the directory", Err: err}
	}
	c.small = number(60)
	return c, nil
}

// allocation finds the sectors of the allocation table: the first are in the header, and more of them in so many
// sectors from one on, each of which ends with the number of the next.
func (c *compound) allocation(header []byte, from, sectors uint32) (*chain, error) {
	t := c.chain()
	most := c.sectors() + headerFATs // more were not all of the file
	take := func(list []byte) error {
		for ; len(list) >= 4; list = list[4:] {
			if n := binary.LittleEndian.Uint32(list); n <= lastSector {
				t.add(n) // one that is not there is told where it is needed
			}
		}
		if t.count > most {
			return errLoop
		}
		return nil
	}
	if err := take(header[76 : 76+4*headerFATs]); err != nil {
		return nil, err
	}
	seen := newSet(c.sectors())
	list := make([]byte, 1<<c.shift)
	for ; sectors > 0 && from <= lastSector; sectors-- {
		if !c.holds(from) {
			return nil, errSector
		}
		if !seen.add(from) {
			return nil, errLoop
		}
		if _, err := c.file.ReadAt(list, c.offset(from)); err != nil {
			return nil, fmt.Errorf("%w (%w)", errSector, err)
		}
		end := len(list) - 4
		if err := take(list[:end]); err != nil {
			return nil, err
		}
		from = binary.LittleEndian.Uint32(list[end:])
	}
	t.length()
	return t, nil
}

// sectors is how many sectors there are, the last of which may be cut.
func (c *compound) sectors() int64 { return max(0, (c.size-1)>>c.shift) }

// offset is where a sector begins: the first stands behind the header, which takes one.
func (c *compound) offset(sector uint32) int64 { return (int64(sector) + 1) << c.shift }

// holds tells whether a sector begins within the file.
func (c *compound) holds(sector uint32) bool { return int64(sector) < c.sectors() }

// chain is an empty chain of sectors of the file.
func (c *compound) chain() *chain {
	return &chain{in: c.file, shift: c.shift, first: 1 << c.shift}
}

// follow is the chain of sectors from one on, of which so many bytes are needed; -1: all there are.
func (c *compound) follow(from uint32, size int64) (*chain, error) {
	return c.chain().follow(c.table, from, c.sectors(), size)
}

// open is the stream of an entry of the directory.
func (c *compound) open(e *entry) (*chain, error) {
	if e.size >= smallStream {
		return c.follow(e.start, e.size)
	}
	root, err := c.entry(0)
	if err != nil {
		return nil, err
	}
	all, err := c.follow(root.start, root.size) // small streams, one of which it is
	if err != nil {
		return nil, err
	}
	table, err := c.follow(c.small, -1)
	if err != nil {
		return nil, err
	}
	small := &chain{in: all, shift: miniShift}
	return small.follow(&links{in: table}, e.start, (all.size+1<<miniShift-1)>>miniShift, e.size)
}
