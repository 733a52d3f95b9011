package xls

import (
	"fmt"

	"github.com/crosswave/crosswave/internal/charset"
)

// codePage reads which code page texts are in.
func (b *Book) codePage(r *records) error {
	number, err := r.word()
	if err != nil {
		return err
	}
	name := fmt.Sprintf("cp%d", number)
	switch {
	case number == 367, number == 0x8001:
		name = "windows-1252"
	case number == 0x8000:
		name = "macintosh"
	case number == 1200:
		name = "utf-16le"
	case number == 874, number >= 1250 && number <= 1258:
		name = fmt.Sprintf("windows-%d", number)
	}
	b.paged = true
	known, err := charset.Find(name)
	if err != nil {
		b.unknown = r.wrong("its texts are in the code page %d, which is not known: name the encoding", number)
		return nil
	}
	b.charset, b.unknown = known, nil
	return nil
}

// fontCharset takes the code page that goes with a font, where none is named.
func (b *Book) fontCharset(r *records) {
	const at = 12 // bytes of a font, behind which its letters are told: [MS-XLS] 2.4.122
	if len(r.rest) <= at {
		return
	}
	name := ""
	switch r.rest[at] {
	case 77:
		name = "macintosh"
	case 128:
		name = "cp932"
	case 129:
		name = "cp949"
	case 134:
		name = "cp936"
	case 136:
		name = "cp950"
	case 161, 162:
		name = fmt.Sprintf("windows-%d", 1253+int(r.rest[at])-161)
	case 177, 178:
		name = fmt.Sprintf("windows-%d", 1255+int(r.rest[at])-177)
	case 186:
		name = "windows-1257"
	case 204:
		name = "windows-1251"
	case 222:
		name = "windows-874"
	case 238:
		name = "windows-1250"
	}
	if c, err := charset.Find(name); err == nil {
		b.charset, b.paged = c, true
	}
}
