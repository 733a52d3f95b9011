package sss

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"regexp"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
)

// wide tells UTF-16 without a mark by the NUL half of its first character, which is ASCII in every definition and in
// any data that begins with a number or a blank.
func wide(b []byte) (charset.Charset, bool) {
	switch {
	case len(b) < 2:
	case b[0] == 0 && b[1] != 0:
		return charset.UTF16(unicode.BigEndian), true
	case b[1] == 0 && b[0] != 0:
		return charset.UTF16(unicode.LittleEndian), true
	}
	return charset.Charset{}, false
}

var prolog = regexp.MustCompile(`^\s*<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([^"'<>]{1,40})["']`)

// decodeDefinition returns a definition's bytes as UTF-8 without a mark, the encoding they were in, whether the prolog
// or a mark said so, and what was put up with.
func decodeDefinition(raw []byte) (text []byte, c charset.Charset, declared bool, note string, err error) {
	named, found := charset.Charset{}, prolog.FindSubmatch(raw)
	c, n := charset.Mark(raw)
	raw = raw[n:]
	if found == nil && n > 0 {
		found = prolog.FindSubmatch(raw)
	}
	if found != nil {
		if named, err = charset.Find(string(found[1])); err != nil {
			return nil, c, false, "", err
		}
		declared = true
	}
	switch {
	case n > 0:
		declared = true
		if found != nil && !c.IsUTF16() && named.Name != c.Name {
			note = fmt.Sprintf("the prolog says %s, the byte order mark UTF-8: read as UTF-8", named.Name)
		}
	default:
		var ok bool
		if c, ok = wide(raw); ok {
			declared = true
		} else if c = named; found == nil {
			c = charset.UTF8()
		} else if named.IsUTF16() { // the prolog could not have been read if it were so
			c, declared = charset.UTF8(), false
			note = "the prolog says UTF-16, but the file isn't: read as UTF-8"
		}
	}
	if c.IsUTF8() {
		if utf8.Valid(raw) {
			return raw, c, declared, note, nil
		}
		c, declared, note = charset.Windows1252(), false, "the file isn't valid UTF-8: read as Windows-1252"
	}
	text, err = c.NewDecoder().Bytes(raw)
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
	c, n := charset.Mark(head)
	br.Discard(n)
	named := opt.Encoding
	if named == "" && n == 0 {
		named = def.Record.Encoding
	}
	switch {
	case named != "":
		if c, err = charset.Find(named); err != nil {
			return nil, err
		}
		if m, k := charset.Mark(head); c.IsUTF16() && k == 2 {
			c = m
		}
	case n > 0:
	default:
		if w, ok := wide(head); ok {
			c = w
			break
		}
		if def.Encoding != "" {
			if c, err = charset.Find(def.Encoding); err != nil {
				return nil, err
			}
		}
		if def.Encoding == "" || c.IsUTF16() {
			return &dataText{r: br, name: "UTF-8 or windows-1252", guess: true}, nil
		}
	}
	if c.IsUTF8() {
		return &dataText{r: br, name: c.Name, strict: true}, nil
	}
	return &dataText{r: transform.NewReader(br, c.NewDecoder()), name: c.Name}, nil
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
	s, err = charset.Windows1252().NewDecoder().String(s)
	return s, true, err
}

// holds reports whether an encoding has every character of s.
func holds(c charset.Charset, s string) bool {
	_, err := c.NewEncoder().String(s)
	return err == nil && utf8.ValidString(s)
}
