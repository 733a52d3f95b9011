package xlswrite

import (
	"encoding/binary"
	"unicode/utf16"
)

// Book is a workbook: what is said of all sheets, and the sheets.
type Book struct {
	Old     bool   // as Excel 5 and 95 write them
	Globals []byte // records in front of the list of sheets
	Behind  []byte // records behind it
	Sheets  []Sheet
}

// Sheet is a sheet of a workbook.
type Sheet struct {
	Name    string
	State   byte // 1: hidden
	Kind    byte // 0: a worksheet
	Records []byte
}

// Record is a record of values: bytes, numbers of 1, 2, 4 and 8 bytes, and texts as they are.
func Record(id uint16, values ...any) []byte {
	var body []byte
	for _, value := range values {
		switch v := value.(type) {
		case string:
			body = append(body, v...)
		case []byte:
			body = append(body, v...)
		default:
			var err error
			if body, err = binary.Append(body, binary.LittleEndian, v); err != nil {
				panic(err) // a mistake in a test
			}
		}
	}
	out := binary.LittleEndian.AppendUint16(nil, id)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(body)))
	return append(out, body...)
}

// Wide is the characters of a text of two bytes each, behind the byte that says so.
func Wide(text string) []byte {
	out := []byte{1}
	for _, u := range utf16.Encode([]rune(text)) {
		out = binary.LittleEndian.AppendUint16(out, u)
	}
	return out
}

// Text is a text as Excel 97 writes it: how many characters it has, in two bytes, and they.
func Text(text string) []byte {
	units := len(utf16.Encode([]rune(text)))
	return append(binary.LittleEndian.AppendUint16(nil, uint16(units)), Wide(text)...)
}

// Texts is the record of the texts that cells share, and those that continue it where it would be too long.
func Texts(texts ...string) []byte {
	const most = 8000
	body := binary.LittleEndian.AppendUint32(nil, uint32(len(texts)))
	body = binary.LittleEndian.AppendUint32(body, uint32(len(texts)))
	out, id := []byte{}, uint16(0xfc)
	for _, text := range texts {
		if len(body)+len(Text(text)) > most {
			out = append(out, Record(id, body)...)
			body, id = body[:0], 0x3c
		}
		body = append(body, Text(text)...)
	}
	return append(out, Record(id, body)...)
}

// Stream is the workbook as a stream of records.
func (b Book) Stream() []byte {
	version := uint16(0x600)
	if b.Old {
		version = 0x500
	}
	begin := func(kind uint16) []byte {
		if b.Old {
			return Record(0x809, version, kind, uint32(0))
		}
		return Record(0x809, version, kind, uint32(0), uint64(0))
	}
	list := func(start int) (head []byte) {
		head = append(begin(5), b.Globals...)
		for _, s := range b.Sheets {
			name := append([]byte{0}, s.Name...)
			if b.Old {
				name = name[1:]
			}
			head = append(head, Record(0x85, uint32(start), s.State, s.Kind, uint8(len(s.Name)), name)...)
			start += len(begin(16)) + len(s.Records) + 4
		}
		return append(append(head, b.Behind...), Record(0x0a)...)
	}
	out := list(len(list(0)))
	for _, s := range b.Sheets {
		out = append(append(append(out, begin(16)...), s.Records...), Record(0x0a)...)
	}
	return out
}

// File is the workbook as a file with sectors of 512 bytes.
func (b Book) File() []byte {
	name := "Workbook"
	if b.Old {
		name = "Book"
	}
	return Compound(9, Stream{name, b.Stream()})
}
