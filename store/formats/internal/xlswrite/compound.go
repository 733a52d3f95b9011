// Package xlswrite writes old workbooks (.xls) for tests: streams in a compound file, and records in them.
package xlswrite

import (
	"encoding/binary"
	"unicode/utf16"
)

// Stream is a stream of a compound file.
type Stream struct {
	Name string
	Data []byte
}

// Numbers of sectors that stand for something else.
const (
	difatSector = 0xfffffffc
	fatSector   = 0xfffffffd
	endOfChain  = 0xfffffffe
	free        = 0xffffffff
)

const (
	headerFATs = 109
	mini       = 64   // bytes of a small sector
	cutoff     = 4096 // bytes, of which a stream has less to be in those
)

// file is a compound file that is written.
type file struct {
	size    int // of sectors, in bytes
	sectors []byte
	links   []uint32
}

// Compound is a compound file of streams, with sectors of 2^shift bytes: 9 or 12.
func Compound(shift int, streams ...Stream) []byte {
	f := &file{size: 1 << shift}
	var small []byte
	var smallLinks []uint32
	entries := []byte{}
	for i, s := range streams {
		start := uint32(endOfChain)
		switch {
		case len(s.Data) >= cutoff:
			start = f.add(s.Data)
		case len(s.Data) > 0:
			start = uint32(len(smallLinks))
			small = append(small, padded(s.Data, mini)...)
			smallLinks = chained(smallLinks, len(padded(s.Data, mini))/mini)
		}
		next := uint32(free)
		if i+1 < len(streams) {
			next = uint32(i + 2)
		}
		entries = append(entries, entry(s.Name, 2, next, free, start, len(s.Data))...)
	}
	root := entry("Root Entry", 5, free, 1, f.add(small), len(small))
	directory := f.add(append(root, entries...))
	smallTable := f.add(numbers(smallLinks))
	fat, more := f.table()
	header := make([]byte, max(512, f.size))
	copy(header, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")
	put := binary.LittleEndian
	put.PutUint16(header[24:], 0x3e)
	put.PutUint16(header[26:], uint16(3+(shift-9)/3))
	put.PutUint16(header[28:], 0xfffe)
	put.PutUint16(header[30:], uint16(shift))
	put.PutUint16(header[32:], 6)
	put.PutUint32(header[44:], uint32(len(fat)))
	put.PutUint32(header[48:], directory)
	put.PutUint32(header[56:], cutoff)
	put.PutUint32(header[60:], smallTable)
	put.PutUint32(header[64:], uint32(len(smallLinks)*4+f.size-1)/uint32(f.size))
	put.PutUint32(header[68:], endOfChain)
	if len(more) > 0 {
		put.PutUint32(header[68:], more[0])
	}
	put.PutUint32(header[72:], uint32(len(more)))
	for i := range headerFATs {
		put.PutUint32(header[76+4*i:], at(fat, i))
	}
	return append(header, f.sectors...)
}

// add adds data in sectors one behind the other, and gives the first.
func (f *file) add(data []byte) uint32 {
	if len(data) == 0 {
		return endOfChain
	}
	start := uint32(len(f.links))
	data = padded(data, f.size)
	f.sectors = append(f.sectors, data...)
	f.links = chained(f.links, len(data)/f.size)
	return start
}

// table adds the allocation table, and gives its sectors, and those with the numbers of them that the header has no
// place for.
func (f *file) table() (fat, more []uint32) {
	used, perSector := len(f.links), f.size/4
	fats, mores := 0, 0
	for fats*perSector < used+fats+mores {
		fats++
		mores = max(0, (fats-headerFATs+perSector-2)/(perSector-1))
	}
	for i := range fats {
		fat, f.links = append(fat, uint32(used+i)), append(f.links, fatSector)
	}
	for i := range mores {
		more, f.links = append(more, uint32(used+fats+i)), append(f.links, difatSector)
	}
	for len(f.links) < fats*perSector {
		f.links = append(f.links, free)
	}
	f.sectors = append(f.sectors, numbers(f.links)...)
	for i := range mores {
		list := make([]uint32, perSector)
		for k := range perSector - 1 {
			list[k] = at(fat, headerFATs+i*(perSector-1)+k)
		}
		if list[perSector-1] = endOfChain; i+1 < mores {
			list[perSector-1] = more[i+1]
		}
		f.sectors = append(f.sectors, numbers(list)...)
	}
	return fat, more
}

// at is a number of a list, or none behind its end.
func at(list []uint32, i int) uint32 {
	if i < len(list) {
		return list[i]
	}
	return free
}

// chained appends the links of so many sectors, one behind the other.
func chained(links []uint32, sectors int) []uint32 {
	for range sectors - 1 {
		links = append(links, uint32(len(links)+1))
	}
	return append(links, endOfChain)
}

// padded is data up to a whole number of sectors.
func padded(data []byte, size int) []byte {
	return append(data[:len(data):len(data)], make([]byte, (size-len(data)%size)%size)...)
}

func numbers(list []uint32) (out []byte) {
	for _, n := range list {
		out = binary.LittleEndian.AppendUint32(out, n)
	}
	return out
}

// entry is an entry of the directory.
func entry(name string, kind byte, right, child, start uint32, size int) []byte {
	e := make([]byte, 128)
	units := utf16.Encode([]rune(name))
	for i, u := range units {
		binary.LittleEndian.PutUint16(e[2*i:], u)
	}
	binary.LittleEndian.PutUint16(e[64:], uint16(2*len(units)+2))
	e[66], e[67] = kind, 1
	for i, n := range []uint32{free, right, child} {
		binary.LittleEndian.PutUint32(e[68+4*i:], n)
	}
	binary.LittleEndian.PutUint32(e[116:], start)
	binary.LittleEndian.PutUint32(e[120:], uint32(size))
	return e
}
