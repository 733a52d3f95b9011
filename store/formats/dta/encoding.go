package dta

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
	"github.com/crosswave/crosswave/store/formats/internal/statfile"
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
	if statfile.IsASCII(b) {
		return string(b), true
	}
	c, other := d.Charset, false
	if c.IsUTF8() {
		if whole, valid := wholeRunes(b); valid {
			b = whole
		} else if d.other != nil && !someValid(b) {
			c, other = *d.other, true
		}
	}
	s, ok = statfile.Decode(c, b)
	return strings.TrimRight(s, " "), ok && !other
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
	n := statfile.CutRune(b)
	whole = b[:len(b)-n]
	if n == 1 && statfile.IsASCII(whole) && !isWesternLead(b[len(b)-1]) {
		return b, false
	}
	return whole, utf8.Valid(whole)
}

// isWesternLead tells whether characters from U+0080 to U+017F, or marks such as U+2019, begin with a byte.
func isWesternLead(c byte) bool { return c >= 0xc2 && c <= 0xc5 || c == 0xe2 }

// chooseEncoding finds out what the texts of the file are in: what is said when it is opened, UTF-8 for newer files and
// for those whose texts are valid in it, otherwise what their letters tell.
func (p *parser) chooseEncoding(o Options) error {
	use := func(c charset.Charset, other *charset.Charset) {
		p.file.decoder, p.file.Encoding = &decoder{c, other}, c.ReadAs()
	}
	if o.Encoding != "" {
		c, err := statfile.FindEncoding(o.Encoding)
		use(c, nil)
		return err
	}
	unicode := p.layout.release >= 118
	sample := statfile.Sample{OnlyInvalid: unicode, Valid: func(b []byte) bool {
		_, valid := wholeRunes(b)
		return valid
	}}
	if err := p.sampleTexts(sample.See); err != nil {
		return err
	}
	other, language := sample.Guess()
	if unicode || sample.UTF8() {
		use(charset.UTF8(), &other)
		return nil
	}
	use(other, nil)
	p.file.notes.Guessed(other, language)
	return nil
}

// sampleTexts shows the texts of the file, as far as they are looked at.
func (p *parser) sampleTexts(see func([]byte)) error {
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
	return p.sampleRows(see)
}

// sampleRows shows the texts of the first rows.
func (p *parser) sampleRows(see func([]byte)) error {
	const enough = 1 << 17 // bytes of the file
	f := p.file
	if f.rowSize == 0 || f.rowSize > enough {
		return nil
	}
	s := newScanner(p.File, p.Size, f.start, p.Order)
	row := make([]byte, f.rowSize)
	for range min(f.NumRows, enough/f.rowSize) {
		s.Read(row, "the data")
		if s.Err != nil {
			return s.Err
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
