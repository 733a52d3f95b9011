// Package charset finds character encodings by the names that files and people give them.
package charset

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
)

// Charset is a character encoding. The zero value is UTF-8 without a name.
type Charset struct {
	Name    string            // as IANA writes it
	codec   encoding.Encoding // nil for UTF-8, which needs none
	decoder encoding.Encoding // the superset of it that texts are mostly in which name it; nil: it is codec
}

// UTF8 is what needs no decoding.
func UTF8() Charset { return Charset{Name: "UTF-8"} }

// Windows1252 is Western European Windows, which has all of ASCII and of the letters of Latin-1.
func Windows1252() Charset { return Charset{Name: "windows-1252", codec: charmap.Windows1252} }

// UTF16 is UTF-16 in an order of its bytes, without a mark of it.
func UTF16(order unicode.Endianness) Charset {
	name := "UTF-16BE"
	if order == unicode.LittleEndian {
		name = "UTF-16LE"
	}
	return Charset{Name: name, codec: unicode.UTF16(order, unicode.IgnoreBOM)}
}

// aliases are names that programs use and the indexes do not have, in small letters. Where an index has the name, what
// stands here is what those programs mean by it: ASCII is read as the code page that Windows would have used for it.
var aliases = map[string]string{
	"utf8": "utf-8", "cp65001": "utf-8",
	"utf16": "utf-16", "unicode": "utf-16", "iso-10646-ucs-2": "utf-16",
	"ascii": "windows-1252", "us-ascii": "windows-1252", "ansi_x3.4-1968": "windows-1252", "cp20127": "windows-1252",
	"cp1252": "windows-1252", "cp-1252": "windows-1252", "ansi": "windows-1252", "cp819": "windows-1252",
	"cp28591": "windows-1252", "latin-1": "windows-1252",
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

// Find looks a name up, whatever its case: those of IANA and of HTML are known, and more that files use.
func Find(name string) (Charset, error) {
	name = strings.TrimSpace(name)
	if alias, ok := aliases[strings.ToLower(name)]; ok {
		name = alias
	}
	switch strings.ToLower(name) {
	case "utf-8":
		return UTF8(), nil
	case "utf-16":
		return Charset{Name: "UTF-16", codec: unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}, nil
	case "utf-16le":
		return UTF16(unicode.LittleEndian), nil
	case "utf-16be":
		return UTF16(unicode.BigEndian), nil
	case "windows-1252":
		return Windows1252(), nil
	}
	c := Charset{Name: name}
	if web, err := htmlindex.Get(name); err == nil && web != encoding.Replacement {
		c.codec, c.decoder = web, web
	}
	if exact, err := ianaindex.IANA.Encoding(name); err == nil && exact != nil {
		c.codec = exact
	}
	if c.codec == nil {
		if runes := []rune(name); len(runes) > 40 {
			name = string(runes[:40]) + "…"
		}
		return Charset{}, fmt.Errorf("the encoding %q is not known; UTF-8, UTF-16, ISO-8859-1 and windows-1252 are, and "+
			"most others by their IANA names", name)
	}
	if proper, err := ianaindex.MIME.Name(c.codec); err == nil {
		c.Name = proper
	}
	return c, nil
}

// Mark is the encoding that a byte order mark at the start of a text stands for, and the mark's length; 0: there is
// none. What follows the mark is in it.
func Mark(text []byte) (Charset, int) {
	switch {
	case bytes.HasPrefix(text, []byte("\xef\xbb\xbf")):
		return UTF8(), 3
	case bytes.HasPrefix(text, []byte("\xff\xfe")):
		return Charset{Name: "UTF-16", codec: unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, 2
	case bytes.HasPrefix(text, []byte("\xfe\xff")):
		return Charset{Name: "UTF-16", codec: unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, 2
	}
	return Charset{}, 0
}

// LineFeeds turns the line ends of a text that has only carriage returns, as old Macintoshes wrote them, into line
// feeds; head is how the text begins.
func LineFeeds(head []byte, text io.Reader) io.Reader {
	if !OnlyReturns(head) {
		return text
	}
	return &replaced{text, '\r', '\n'}
}

// OnlyReturns tells whether lines end in carriage returns alone. Line feeds in quotation marks end none: files
// have them within answers of several lines, and returns at the ends of rows.
func OnlyReturns(head []byte) bool {
	if bytes.IndexByte(head, '\n') < 0 {
		return bytes.IndexByte(head, '\r') >= 0
	}
	quoted, returns := false, 0
	for i, b := range head {
		switch {
		case b == '"':
			quoted = !quoted
		case quoted:
		case b == '\r' && i+1 < len(head): // what stands behind the last byte is not known
			returns++
		case b == '\n':
			return false
		}
	}
	return returns > 0
}

// DoubledReturns tells whether two carriage returns stand in front of most line feeds that have any, as they do
// where a program put one in front of each line feed of a text that had them.
func DoubledReturns(head []byte) bool {
	doubled := bytes.Count(head, []byte("\r\r\n"))
	return doubled > 0 && 4*doubled >= 3*bytes.Count(head, []byte("\r\n"))
}

// SingleReturns leaves out each carriage return behind which another one stands.
func SingleReturns(text io.Reader) io.Reader { return &singled{in: bufio.NewReader(text)} }

type singled struct {
	in       *bufio.Reader
	returned bool // a carriage return was read and not given yet
}

func (s *singled) Read(p []byte) (n int, err error) {
	for n < len(p) {
		b, err := s.in.ReadByte()
		switch {
		case err != nil && s.returned:
			p[n], s.returned = '\r', false
			return n + 1, nil // the error comes again
		case err != nil && n > 0:
			return n, nil
		case err != nil:
			return 0, err
		case b == '\r':
			s.returned = true
			continue
		case s.returned && n+1 == len(p):
			s.in.UnreadByte()
			p[n], s.returned = '\r', false
			return n + 1, nil
		case s.returned:
			p[n], s.returned = '\r', false
			n++
		}
		p[n] = b
		n++
	}
	return n, nil
}

// Spaces turns the zeros of a text into spaces.
func Spaces(text io.Reader) io.Reader { return &replaced{text, 0, ' '} }

// FewZeros tells whether bytes that are zero stand here and there in a text that begins with head, as programs leave
// them in fields that are empty: one in fifty at most, and nothing else that stands in no text.
func FewZeros(head []byte) bool {
	const most = 50
	zeros := 0
	for _, b := range head {
		switch {
		case b == 0:
			zeros++
		case b < ' ' && (b < '\t' || b > '\r'):
			return false
		}
	}
	return zeros > 0 && most*zeros <= len(head)
}

// replaced has another byte in place of one.
type replaced struct {
	io.Reader
	from, to byte
}

func (r *replaced) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for i, b := range p[:n] {
		if b == r.from {
			p[i] = r.to
		}
	}
	return n, err
}

// IsUTF8 tells whether texts stand as Go has them.
func (c Charset) IsUTF8() bool { return c.codec == nil }

// IsUTF16 tells whether it is UTF-16 in any order.
func (c Charset) IsUTF16() bool { return strings.HasPrefix(c.Name, "UTF-16") }

// ReadAs names what NewDecoder reads, as HTML writes it where it has a name for that.
func (c Charset) ReadAs() string {
	if c.decoder != nil {
		if name, err := htmlindex.Name(c.decoder); err == nil {
			return name
		}
	}
	return c.Name
}

// NewDecoder turns texts into UTF-8. It reads ISO-8859-1 as Windows-1252, and others likewise, which adds characters
// where the former has control characters that no text means: files that name the one are often in the other.
func (c Charset) NewDecoder() *encoding.Decoder {
	switch {
	case c.IsUTF8():
		return encoding.Nop.NewDecoder()
	case c.decoder != nil:
		return c.decoder.NewDecoder()
	}
	return c.codec.NewDecoder()
}

// NewEncoder turns UTF-8 into exactly this encoding. A character that it lacks is an error.
func (c Charset) NewEncoder() *encoding.Encoder {
	if c.IsUTF8() {
		return encoding.Nop.NewEncoder()
	}
	return c.codec.NewEncoder()
}
