package dta

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
)

// decoder turns the bytes of a file into UTF-8.
type decoder struct {
	charset.Charset
	other *charset.Charset // of texts that are not valid in UTF-8; nil: there is none
}

// text decodes b without the spaces at its end; ok is false where it is not in the encoding of the file. A character of
// UTF-8 that is cut off at the end is dropped: programs cut texts at the width of the variable.
func (d *decoder) text(b []byte) (s string, ok bool) {
	b = bytes.TrimRight(b, " ")
	if ascii(b) {
		return string(b), true
	}
	c := d.Charset
	if c.IsUTF8() {
		if whole, valid := wholeRunes(b); valid {
			return strings.TrimRight(string(whole), " "), true
		}
		if d.other == nil || someValid(b) {
			return strings.ToValidUTF8(string(b), "\uFFFD"), false
		}
		c = *d.other
	}
	out, err := c.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD"), false
	}
	s = strings.TrimRight(string(out), " ")
	return s, d.other == nil && !strings.ContainsRune(s, utf8.RuneError)
}

// someValid tells whether a text has characters of UTF-8 beyond ASCII: in other encodings, nothing looks like them.
func someValid(b []byte) bool {
	for len(b) > 0 {
		r, n := utf8.DecodeRune(b)
		if n > 1 && r != utf8.RuneError {
			return true
		}
		b = b[n:]
	}
	return false
}

// wholeRunes is a text without a character of UTF-8 that is cut off at its end, and tells whether it is valid. What has
// no other such character ends in a letter of another encoding, unless it begins like those of Western languages do.
func wholeRunes(b []byte) (whole []byte, valid bool) {
	n := cutRune(b)
	whole = b[:len(b)-n]
	if n == 1 && ascii(whole) && !isWesternLead(b[len(b)-1]) {
		return b, false
	}
	return whole, utf8.Valid(whole)
}

// isWesternLead tells whether characters from U+0080 to U+017F, or marks such as U+2019, begin with a byte.
func isWesternLead(c byte) bool { return c >= 0xc2 && c <= 0xc5 || c == 0xe2 }

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

// chooseEncoding finds out what the texts of the file are in: what is said when it is opened, UTF-8 for newer files and
// for those whose texts are valid in it, otherwise what their letters tell.
func (p *parser) chooseEncoding(o Options) error {
	use := func(c charset.Charset, other *charset.Charset) {
		p.file.decoder, p.file.Encoding = &decoder{c, other}, c.ReadAs()
	}
	if o.Encoding != "" {
		c, err := charset.Find(o.Encoding)
		if err != nil || c.IsUTF16() {
			return fmt.Errorf("unknown encoding %q: expected a name such as UTF-8 or windows-1252", o.Encoding)
		}
		use(c, nil)
		return nil
	}
	valid, texts, err := p.sampleTexts()
	if err != nil {
		return err
	}
	other, language, known := charset.Guess(texts)
	if !known {
		other = charset.Windows1252()
	}
	if valid || p.layout.release >= 118 {
		use(charset.UTF8(), &other)
		return nil
	}
	use(other, nil)
	if known {
		p.file.note(0, "the letters of its texts are those of %s", language)
	}
	p.file.note(0, "the file names no encoding; its texts are read as %s", p.file.Encoding)
	return nil
}

// sampleTexts tells whether the texts of the file are valid UTF-8, as far as they are looked at, and returns those that
// tell of another encoding.
func (p *parser) sampleTexts() (valid bool, texts []byte, err error) {
	const enough = 1 << 16 // bytes of texts
	valid = true
	see := func(b []byte) {
		if ascii(b) {
			return
		}
		_, right := wholeRunes(b)
		valid = valid && right
		if len(texts) < enough && (!right || p.layout.release < 118) {
			texts = append(append(texts, b...), '\n')
		}
	}
	see(p.title)
	for i := range p.vars {
		see(p.vars[i].name)
		see(p.vars[i].label)
	}
	for _, t := range p.tables {
		if p.used[string(t.name)] {
			see(t.name)
			for _, l := range t.labels {
				see(l.text)
			}
		}
	}
	return valid, texts, p.sampleRows(see)
}

// sampleRows shows the texts of the first rows.
func (p *parser) sampleRows(see func([]byte)) error {
	const enough = 1 << 17 // bytes of the file
	f := p.file
	if f.rowSize == 0 || f.rowSize > enough {
		return nil
	}
	s := scanner{r: p.r, size: p.size, pos: f.start, order: p.order}
	row := make([]byte, f.rowSize)
	for range min(f.NumRows, enough/f.rowSize) {
		s.read(row, "the data")
		if s.err != nil {
			return s.err
		}
		for i := range f.Variables {
			if v := &f.Variables[i]; v.Type == Text {
				see(cutNUL(row[v.at : v.at+v.Width]))
			}
		}
	}
	return nil
}

// cutNUL is a text up to the first NUL: what follows that is what was there before.
func cutNUL(b []byte) []byte {
	if at := bytes.IndexByte(b, 0); at >= 0 {
		return b[:at]
	}
	return b
}
