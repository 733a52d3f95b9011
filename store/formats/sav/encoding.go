package sav

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
)

// decoder turns the bytes of a file into UTF-8.
type decoder struct{ charset.Charset }

// findDecoder returns the decoder for an encoding's name, or false where it is
// not known or not one that a system file can have.
func findDecoder(name string) (*decoder, bool) {
	c, err := charset.Find(name)
	return &decoder{c}, err == nil && !c.IsUTF16()
}

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
	if ascii(b) {
		return string(b), true
	}
	if d.IsUTF8() {
		if b = b[:len(b)-cutRune(b)]; utf8.Valid(b) {
			return string(b), true
		}
		return strings.ToValidUTF8(string(b), "\uFFFD"), false
	}
	out, err := d.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD"), false
	}
	s = string(out)
	return s, !strings.ContainsRune(s, utf8.RuneError)
}

// cutRune returns how many bytes at the end of b begin a character of UTF-8 without finishing it.
func cutRune(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if c := b[len(b)-n:]; utf8.RuneStart(c[0]) {
			if utf8.FullRune(c) {
				return 0
			}
			return n
		}
	}
	return 0
}

func ascii(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
