package sav

import (
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// decoder turns the bytes of a file into UTF-8.
type decoder struct{ charset.Charset }

// codePageName names the encoding of a character code from the machine integer
// record, or "" for codes that say nothing reliable.
func codePageName(code int32) string {
	switch {
	case code < 400: // 1 EBCDIC, 2 and 3 ASCII of 7 and 8 bits, 4 DEC Kanji
		return ""
	case code >= 1250 && code <= 1258:
		return "windows-" + strconv.Itoa(int(code))
	}
	return "cp" + strconv.Itoa(int(code))
}

// trimPadding drops the spaces and NUL bytes that fill a field.
func trimPadding(b []byte) []byte {
	n := len(b)
	for n > 0 && (b[n-1] == ' ' || b[n-1] == 0) {
		n--
	}
	return b[:n]
}

// text decodes b without its padding; ok is false where bytes that mean nothing in the encoding became U+FFFD.
func (d *decoder) text(b []byte) (s string, ok bool) {
	s, ok = d.whole(trimPadding(b))
	return strings.TrimRight(s, " \x00"), ok // what a cut character leaves
}

// whole decodes b as it stands. A character of UTF-8 that is cut off at the end
// is dropped: writers cut texts at the width of the variable.
func (d *decoder) whole(b []byte) (s string, ok bool) {
	if d.IsUTF8() {
		b = b[:len(b)-statfile.CutRune(b)]
	}
	return statfile.Decode(d.Charset, b)
}
