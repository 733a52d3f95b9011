package xls

import (
	"unicode/utf16"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/formats/cells"
)

// Bits of the byte in front of the characters of a text: [MS-XLS] 2.5.293.
const (
	isWide   = 1 << 0 // two bytes a character
	isSpoken = 1 << 2 // how it is pronounced stands behind it
	isRich   = 1 << 3 // its formats stand behind it
)

// text appends a text of so many characters as Excel 97 writes it: a byte of what it is, and its characters. What is
// said of it beside those is passed over. Line breaks are spaces.
func (r *records) text(dst []byte, length int) ([]byte, error) {
	if length == 0 && len(r.rest) == 0 && r.peek() != idContinue {
		return dst, nil // some leave that byte out then
	}
	flags, err := r.octet()
	if err != nil {
		return dst, err
	}
	beside := int64(0)
	if flags&isRich != 0 {
		runs, err := r.word()
		if err != nil {
			return dst, err
		}
		beside = 4 * int64(runs)
	}
	if flags&isSpoken != 0 {
		size, err := r.long()
		if err != nil {
			return dst, err
		}
		beside += int64(size)
	}
	if dst, err = r.characters(dst, length, flags&isWide != 0); err != nil {
		return dst, err
	}
	return dst, r.skip(beside)
}

// characters appends so many characters. Where a record continues them, a byte says anew how wide they are.
func (r *records) characters(dst []byte, length int, wide bool) ([]byte, error) {
	high := rune(-1) // the first half of a character, of which the second is to come
	for length > 0 {
		if len(r.rest) == 0 {
			if err := r.more(); err != nil {
				return dst, err
			}
			if len(r.rest) == 0 {
				continue
			}
			wide, r.rest = r.rest[0]&isWide != 0, r.rest[1:]
			continue
		}
		unit := rune(r.rest[0])
		if wide {
			if len(r.rest) < 2 {
				r.rest = nil // half a character, which is written once more where the text goes on
				continue
			}
			unit |= rune(r.rest[1]) << 8
			r.rest = r.rest[1:]
		}
		r.rest, length = r.rest[1:], length-1
		if high >= 0 {
			both := utf16.DecodeRune(high, unit)
			if dst = utf8.AppendRune(dst, both); both != utf8.RuneError {
				high = -1
				continue
			}
			high = -1
		}
		if utf16.IsSurrogate(unit) && unit < 0xdc00 {
			high = unit
			continue
		}
		if unit != 0 { // which some write for a text that is empty
			dst = utf8.AppendRune(dst, cells.Visible(unit))
		}
	}
	if high >= 0 {
		dst = utf8.AppendRune(dst, utf8.RuneError)
	}
	return dst, nil
}

// bytesText appends a text of so many bytes as Excel 5 writes it, in the code page of the workbook.
func (b *Book) bytesText(r *records, dst []byte, length int) ([]byte, error) {
	start := len(dst)
	for length > 0 {
		if len(r.rest) == 0 {
			if err := r.more(); err != nil {
				return dst, err
			}
		}
		k := min(length, len(r.rest))
		dst = append(dst, r.rest[:k]...)
		r.rest, length = r.rest[k:], length-k
	}
	plain, kept := true, dst[:start]
	for _, c := range dst[start:] {
		if plain = plain && c < utf8.RuneSelf; c != 0 {
			kept = append(kept, cells.Visible(c))
		}
	}
	if dst = kept; plain {
		return dst, nil
	}
	if b.unknown != nil {
		return dst, b.unknown
	}
	text, err := b.charset.NewDecoder().Bytes(dst[start:])
	if err != nil {
		return dst, r.failed(err)
	}
	return append(dst[:start], text...), nil
}

// anyText appends a text of so many characters, or bytes, as the workbook writes its texts.
func (b *Book) anyText(r *records, dst []byte, length int) ([]byte, error) {
	if b.wide {
		return r.text(dst, length)
	}
	return b.bytesText(r, dst, length)
}

// readTexts reads the texts that cells share. No more than so many bytes are held for them.
func (r *records) readTexts(most int64) (*cells.Texts, error) {
	list := &cells.Texts{}
	if err := r.skip(4); err != nil { // how many cells have one
		return nil, err
	}
	told, err := r.long() // how many there are, which some say wrong
	if err != nil {
		return nil, err
	}
	held, count := int64(0), uint32(0)
	var text []byte
	for {
		for len(r.rest) == 0 {
			if r.peek() != idContinue {
				return list, nil
			}
			if err := r.more(); err != nil {
				return nil, err
			}
		}
		length, err := r.word()
		if err == nil {
			text, err = r.text(text[:0], int(length))
		}
		if count++; err != nil && count > told {
			return list, nil // something else stands behind the texts
		}
		if err != nil {
			return nil, err
		}
		if held += int64(len(text)) + 8; held > most {
			return nil, r.wrong("the texts of the cells take more than %d MB of memory, which is too much for a file of "+
				"this size: save the sheet as CSV (UTF-8)", most>>20)
		}
		list.Add(text)
	}
}
