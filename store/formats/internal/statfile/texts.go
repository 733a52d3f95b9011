package statfile

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/crosswave/crosswave/internal/charset"
)

// FindEncoding looks an encoding up by its name, among those that a file can have: its fields hold bytes, and UTF-16
// does not keep to them.
func FindEncoding(name string) (charset.Charset, error) {
	c, err := charset.Find(name)
	if err != nil || c.IsUTF16() {
		return c, fmt.Errorf("unknown encoding %q: expected a name such as UTF-8 or windows-1252", name)
	}
	return c, nil
}

// Decode turns a text into UTF-8; ok is false where bytes that mean nothing in the encoding became U+FFFD.
func Decode(c charset.Charset, b []byte) (s string, ok bool) {
	if IsASCII(b) || c.IsUTF8() && utf8.Valid(b) {
		return string(b), true
	}
	if !c.IsUTF8() {
		if out, err := c.NewDecoder().Bytes(b); err == nil {
			s = string(out)
			return s, !strings.ContainsRune(s, utf8.RuneError)
		}
	}
	return strings.ToValidUTF8(string(b), "\uFFFD"), false
}

// CutRune returns how many bytes at the end of b begin a character of UTF-8 without finishing it: programs cut texts at
// the width of the variable.
func CutRune(b []byte) int {
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

// IsASCII tells whether a text is the same in all encodings of files.
func IsASCII(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Sample is what the texts of a file tell about the encoding that they are in.
type Sample struct {
	Valid       func(b []byte) bool // tells whether a text beyond ASCII is UTF-8, as far as the format cuts none off
	OnlyInvalid bool                // texts in UTF-8 tell nothing about the others

	beyond  bool // there is a text beyond ASCII
	invalid bool // … that is not UTF-8
	texts   []byte
}

// See takes a text.
func (s *Sample) See(b []byte) {
	const enough = 1 << 16 // bytes of texts
	if IsASCII(b) {
		return
	}
	valid := s.Valid(b)
	s.beyond, s.invalid = true, s.invalid || !valid
	if len(s.texts) < enough && !(valid && s.OnlyInvalid) {
		s.texts = append(append(s.texts, b...), '\n')
	}
}

// ASCII tells whether all texts are ASCII.
func (s *Sample) ASCII() bool { return !s.beyond }

// UTF8 tells whether all texts are UTF-8.
func (s *Sample) UTF8() bool { return !s.invalid }

// Guess returns the encoding, other than UTF-8, in which the letters of the texts are those of a language, and that
// language; or else Western European Windows and "".
func (s *Sample) Guess() (c charset.Charset, language string) {
	if c, language, known := charset.Guess(s.texts); known {
		return c, language
	}
	return charset.Windows1252(), ""
}

// Guessed notes which encoding is taken for that of a file, and by what language that was found, if by any.
func (n *Notes) Guessed(c charset.Charset, language string) {
	if language != "" {
		n.Add(0, "the letters of its texts are those of %s", language)
	}
	n.Add(0, "the file names no encoding; its texts are read as %s", c.ReadAs())
}
