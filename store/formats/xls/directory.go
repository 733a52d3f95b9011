package xls

import (
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf16"
)

const (
	entrySize   = 128
	mostEntries = 1 << 16
)

// isStream is the kind of entries that are streams: [MS-CFB] 2.6.1.
const isStream = 2

// entry is an entry of the directory: a stream, or a storage with entries of its own.
type entry struct {
	name               string
	kind               byte
	left, right, child uint32 // other entries
	start              uint32 // sector
	size               int64  // bytes
}

// entry reads an entry by its number; the first is the root.
func (c *compound) entry(number uint32) (*entry, error) {
	var raw [entrySize]byte
	if _, err := c.entries.ReadAt(raw[:], entrySize*int64(number)); err != nil {
		return nil, fmt.Errorf("there is no entry %d: the file is cut or damaged (%w)", number, err)
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(raw[at:]) }
	e := &entry{kind: raw[66], left: word(68), right: word(72), child: word(76), start: word(116),
		size: int64(word(120))}
	if c.shift > 9 { // files of version 3 have anything in the upper half
		e.size |= int64(word(124)&0x7fffffff) << 32
	}
	var units []uint16
	for i := 0; i+2 < int(min(64, binary.LittleEndian.Uint16(raw[64:]))); i += 2 {
		units = append(units, binary.LittleEndian.Uint16(raw[i:]))
	}
	e.name = string(utf16.Decode(units))
	return e, nil
}

// list gives see the entries at the top of the file, in no order. Below them are what other programs put into it.
func (c *compound) list(see func(*entry)) error {
	root, err := c.entry(0)
	if err != nil {
		return err
	}
	seen := newSet(c.entries.size / entrySize)
	waiting := []uint32{root.child}
	for n := 0; len(waiting) > 0; {
		number := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		if number == noSector {
			continue
		}
		e, err := c.entry(number)
		if err != nil {
			return err
		}
		if !seen.add(number) {
			continue // some lead back to others, all of which are known then
		}
		if n++; n > mostEntries {
			return fmt.Errorf("there are more than %d entries", mostEntries)
		}
		see(e)
		waiting = append(waiting, e.left, e.right)
	}
	return nil
}

// others are files that are no workbooks, by the names of streams in them.
var others = []struct{ stream, reason string }{
	{"EncryptedPackage", "it is encrypted with a password: save it without one"},
	{"WordDocument", "it is a Word document (.doc), and no workbook"},
	{"PowerPoint Document", "it is a PowerPoint presentation (.ppt), and no workbook"},
	{"VisioDocument", "it is a Visio drawing, and no workbook"},
	{"__properties_version1.0", "it is a message of Outlook (.msg), and no workbook"},
}

// workbook finds the stream that the workbook is in, and its name. Some files have one for Excel 97 and one for those
// who have Excel 5 only.
func (c *compound) workbook() (*chain, string, error) {
	streams := map[string]*entry{}
	err := c.list(func(e *entry) {
		if e.kind == isStream {
			streams[strings.ToLower(e.name)] = e
		}
	})
	if err != nil {
		return nil, "", &Error{Part: "the directory", Err: err}
	}
	for _, name := range []string{"Workbook", "Book"} {
		e := streams[strings.ToLower(name)]
		if e == nil {
			continue
		}
		stream, err := c.open(e)
		if err != nil {
			return nil, "", &Error{Part: name, Err: err}
		}
		return stream, name, nil
	}
	for _, other := range others {
		if streams[strings.ToLower(other.stream)] != nil {
			return nil, "", &Error{Reason: other.reason}
		}
	}
	return nil, "", &Error{Reason: "it is an Office file of another kind, and no workbook: a table is needed"}
}
