package sss

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/ianaindex"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// charset is an encoding that a file or a caller names.
type charset struct {
	name  string            // as IANA writes it
	codec encoding.Encoding // nil for UTF-8, which needs none
}

// decoder reads ISO-8859-1 as Windows-1252, which adds characters where the former has control characters that no text
// means: files that name the one are often in the other.
func (c charset) decoder() *encoding.Decoder {
	if c.name == "ISO-8859-1" {
		return charmap.Windows1252.NewDecoder()
	}
	return c.codec.NewDecoder()
}

func (c charset) utf8() bool  { return c.codec == nil }
func (c charset) utf16() bool { return strings.HasPrefix(c.name, "UTF-16") }

// findCharset looks a name up, whatever its case. It knows those of IANA and a few that files use in their place.
func findCharset(name string) (charset, error) {
	switch strings.ToLower(strings.TrimSpace(name)) {
	case "utf-8", "utf8":
		return charset{name: "UTF-8"}, nil
	case "utf-16", "utf16", "unicode", "iso-10646-ucs-2":
		return charset{"UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)}, nil
	case "utf-16le":
		return charset{"UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, nil
	case "utf-16be":
		return charset{"UTF-16BE", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, nil
	case "windows-1252", "cp1252", "cp-1252", "ansi", "us-ascii", "ascii":
		return charset{"windows-1252", charmap.Windows1252}, nil // ASCII is part of it
	}
	e, err := ianaindex.IANA.Encoding(strings.TrimSpace(name))
	if err != nil || e == nil {
		return charset{}, fmt.Errorf("the encoding %q is not known; UTF-8, UTF-16, ISO-8859-1 and windows-1252 are, "+
			"and most others by their IANA names", shorten(name))
	}
	if n, err := ianaindex.MIME.Name(e); err == nil {
		name = n
	}
	return charset{name, e}, nil
}

// mark returns the encoding that a byte order mark at the start of a file stands for, and the mark's length.
func mark(b []byte) (charset, int) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		return charset{name: "UTF-8"}, 3
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		return charset{"UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, 2
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		return charset{"UTF-16", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, 2
	}
	return charset{}, 0
}

// wide tells UTF-16 without a mark by the NUL half of its first character, which is ASCII in every definition and in
// any data that begins with a number or a blank.
func wide(b []byte) (charset, bool) {
	switch {
	case len(b) < 2:
	case b[0] == 0 && b[1] != 0:
		return charset{"UTF-16BE", unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)}, true
	case b[1] == 0 && b[0] != 0:
		return charset{"UTF-16LE", unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)}, true
	}
	return charset{}, false
}

var prolog = regexp.MustCompile(`^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"'<>]{1,40})["']`)

// decodeDefinition returns a definition's bytes as UTF-8 without a mark, the encoding they were in, whether the prolog
// or a mark said so, and what was put up with.
func decodeDefinition(raw []byte) (text []byte, c charset, declared bool, note string, err error) {
	named, found := charset{}, prolog.FindSubmatch(raw)
	c, n := mark(raw)
	raw = raw[n:]
	if found == nil && n > 0 {
		found = prolog.FindSubmatch(raw)
	}
	if found != nil {
		if named, err = findCharset(string(found[1])); err != nil {
			return nil, c, false, "", err
		}
		declared = true
	}
	switch {
	case n > 0:
		declared = true
		if found != nil && !c.utf16() && named.name != c.name {
			note = fmt.Sprintf("the prolog says %s, the byte order mark UTF-8: read as UTF-8", named.name)
		}
	default:
		var ok bool
		if c, ok = wide(raw); ok {
			declared = true
		} else if c = named; found == nil {
			c = charset{name: "UTF-8"}
		} else if named.utf16() { // the prolog could not have been read if it were so
			c, declared = charset{name: "UTF-8"}, false
			note = "the prolog says UTF-16, but the file isn't: read as UTF-8"
		}
	}
	if c.utf8() {
		if utf8.Valid(raw) {
			return raw, c, declared, note, nil
		}
		c, declared, note = charset{"windows-1252", charmap.Windows1252}, false,
			"the file isn't valid UTF-8: read as Windows-1252"
	}
	text, err = c.decoder().Bytes(raw)
	return text, c, declared, note, err
}

// dataText is the text of a data file.
type dataText struct {
	r      io.Reader
	name   string
	strict bool // the text is to be UTF-8 and nothing else
	guess  bool // no encoding is known: records that aren't UTF-8 are Windows-1252
}

// openText finds the encoding of the data (doc.go has the order) and turns everything but UTF-8 into it.
func openText(def *Definition, data io.Reader, opt Options) (*dataText, error) {
	br := bufio.NewReaderSize(data, 1<<16)
	head, err := br.Peek(4)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	c, n := mark(head)
	br.Discard(n)
	named := opt.Encoding
	if named == "" && n == 0 {
		named = def.Record.Encoding
	}
	switch {
	case named != "":
		if c, err = findCharset(named); err != nil {
			return nil, err
		}
		if m, k := mark(head); c.utf16() && k == 2 {
			c = m
		}
	case n > 0:
	default:
		if w, ok := wide(head); ok {
			c = w
			break
		}
		if def.Encoding != "" {
			if c, err = findCharset(def.Encoding); err != nil {
				return nil, err
			}
		}
		if def.Encoding == "" || c.utf16() {
			return &dataText{r: br, name: "UTF-8 or windows-1252", guess: true}, nil
		}
	}
	if c.utf8() {
		return &dataText{r: br, name: c.name, strict: true}, nil
	}
	return &dataText{r: transform.NewReader(br, c.decoder()), name: c.name}, nil
}

var errNotUTF8 = errors.New("the record is not valid UTF-8, as its encoding is said to be; give the data's " +
	"encoding, such as windows-1252")

// record checks a record's text, or decodes it where its encoding is a guess and isn't UTF-8.
func (t *dataText) record(s string) (text string, decoded bool, err error) {
	switch {
	case !t.strict && !t.guess, utf8.ValidString(s):
		return s, false, nil
	case t.strict:
		return "", false, errNotUTF8
	}
	s, err = charmap.Windows1252.NewDecoder().String(s)
	return s, true, err
}

// encoder wraps w so that what is written to it as UTF-8 arrives in the encoding. Close flushes it but leaves w open.
func (c charset) encoder(w io.Writer) io.WriteCloser {
	if c.utf8() {
		return plainWriter{w}
	}
	return transform.NewWriter(w, c.codec.NewEncoder())
}

type plainWriter struct{ io.Writer }

func (plainWriter) Close() error { return nil }

// holds reports whether the encoding has every character of s.
func (c charset) holds(s string) bool {
	if c.utf8() || c.utf16() {
		return utf8.ValidString(s)
	}
	_, err := c.codec.NewEncoder().String(s)
	return err == nil
}
