package sav

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
)

// decoder turns the bytes of a file into UTF-8.
type decoder struct {
	name string            // canonical name of the encoding
	enc  encoding.Encoding // nil for UTF-8
}

const (
	utf8Name    = "UTF-8"
	defaultName = "windows-1252"
)

// encodingAliases names what SPSS writes and the indexes don't have. ASCII is
// read as the code page that Windows would have used for it.
var encodingAliases = map[string]string{
	"utf8": utf8Name, "cp65001": utf8Name,
	"ascii": defaultName, "us-ascii": defaultName, "ansi_x3.4-1968": defaultName, "cp20127": defaultName,
	"cp819": defaultName, "cp28591": defaultName,
	"cp932": "shift_jis", "cp943": "shift_jis", "windows-932": "shift_jis",
	"cp936": "gbk", "windows-936": "gbk", "cp949": "euc-kr", "windows-949": "euc-kr", "cp51949": "euc-kr", "uhc": "euc-kr",
	"cp950": "big5", "windows-950": "big5", "cp54936": "gb18030", "cp51932": "euc-jp", "cp20932": "euc-jp",
	"cp874": "windows-874", "cp9066": "windows-874",
	"cp28592": "iso-8859-2", "cp28593": "iso-8859-3", "cp28594": "iso-8859-4", "cp28595": "iso-8859-5",
	"cp28596": "iso-8859-6", "cp28597": "iso-8859-7", "cp28598": "iso-8859-8", "cp28599": "windows-1254",
	"cp28603": "iso-8859-13", "cp28605": "iso-8859-15", "cp912": "iso-8859-2", "cp915": "iso-8859-5",
	"cp923":   "iso-8859-15",
	"cp20866": "koi8-r", "cp21866": "koi8-u", "cp10000": "macintosh", "cp10007": "x-mac-cyrillic",
	"cp437": "IBM437", "cp850": "IBM850", "cp852": "IBM852", "cp855": "IBM855", "cp858": "IBM00858", "cp860": "IBM860",
	"cp862": "IBM862", "cp863": "IBM863", "cp865": "IBM865", "cp866": "IBM866",
}

// findDecoder returns the decoder for an encoding's name, or false where it is
// not known or not one that a system file can have.
func findDecoder(name string) (*decoder, bool) {
	name = strings.ToLower(strings.TrimSpace(name))
	if alias, ok := encodingAliases[name]; ok {
		name = alias
	}
	if strings.EqualFold(name, utf8Name) {
		return &decoder{name: utf8Name}, true
	}
	if strings.HasPrefix(strings.ToLower(name), "utf-") || name == "replacement" {
		return nil, false
	}
	if enc, err := htmlindex.Get(name); err == nil {
		if canonical, err := htmlindex.Name(enc); err == nil {
			return &decoder{name: canonical, enc: enc}, !strings.HasPrefix(canonical, "utf-")
		}
	}
	if enc, err := ianaindex.IANA.Encoding(name); err == nil && enc != nil {
		return &decoder{name: name, enc: enc}, true
	}
	return nil, false
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

// text decodes b without its padding; ok is false where bytes that mean nothing
// in the encoding became U+FFFD.
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
	if d.enc == nil {
		if b = b[:len(b)-cutRune(b)]; utf8.Valid(b) {
			return string(b), true
		}
		return strings.ToValidUTF8(string(b), "\uFFFD"), false
	}
	out, err := d.enc.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD"), false
	}
	s = string(out)
	return s, !strings.ContainsRune(s, utf8.RuneError)
}

// cutRune returns how many bytes at the end of b begin a character of UTF-8
// without finishing it.
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
