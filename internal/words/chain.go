package words

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// piece is a run of letters and digits.
type piece struct {
	text     string
	unbroken bool // it is of a script without blanks
	tight    bool // an apostrophe, a full stop or & holds it and the next together
}

// chains are the pieces of a plain text, those together that a single character holds together. Pieces of scripts
// without blanks stand alone.
func chains(plain string) iter.Seq[[]piece] {
	return func(yield func([]piece) bool) {
		var chain []piece
		for at := 0; at < len(plain); {
			p, n := first(plain[at:])
			if at += n; p.text == "" {
				continue
			}
			joint, width := utf8.DecodeRuneInString(plain[at:])
			next, _ := first(plain[min(at+width, len(plain)):])
			held := !p.unbroken && !next.unbroken && next.text != "" && joins(joint)
			p.tight = held && joint != '-' && joint != '_'
			chain = append(chain, p)
			if held {
				continue
			}
			if !yield(chain) {
				return
			}
			chain = nil
		}
	}
}

// tightened are the parts of a chain that are held together tightly, each a run of its pieces.
func tightened(chain []piece) iter.Seq[[]piece] {
	return func(yield func([]piece) bool) {
		begin := 0
		for i, p := range chain {
			if p.tight {
				continue
			}
			if !yield(chain[begin : i+1]) {
				return
			}
			begin = i + 1
		}
	}
}

// joined is pieces as one word.
func joined(pieces []piece) string {
	if len(pieces) == 1 {
		return pieces[0].text
	}
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(p.text)
	}
	return b.String()
}

// joins tells whether a character holds what is before and behind it together.
func joins(r rune) bool {
	switch r {
	case '-', '_', '\'', '.', '&':
		return true
	}
	return false
}

// first is the piece that a text begins with, and how many bytes of it are done with then: those of the piece, or of
// the one character that is no part of any.
func first(text string) (p piece, n int) {
	for i, r := range text {
		letter := unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
		switch {
		case i == 0 && !letter:
			return p, utf8.RuneLen(r)
		case i == 0:
			p.unbroken = withoutBlanks(r)
		case !letter, !unicode.IsMark(r) && withoutBlanks(r) != p.unbroken:
			p.text = text[:i]
			return p, i
		}
	}
	p.text = text
	return p, len(text)
}

// withoutBlanks tells whether a letter is of a script that puts no blanks between words.
func withoutBlanks(r rune) bool {
	return r >= 0xE00 && (r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai,
		unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// words is the piece, or of a script without blanks its pairs of characters. The last character follows as a word of
// its own if ends says so, and an only one always. Marks go with the character that they stand on.
func (p piece) words(ends bool) (list []string) {
	if !p.unbroken {
		return []string{p.text}
	}
	var starts []int
	for i, r := range p.text {
		if i == 0 || !unicode.IsMark(r) {
			starts = append(starts, i)
		}
	}
	starts = append(starts, len(p.text))
	for i := range len(starts) - 2 {
		list = append(list, p.text[starts[i]:starts[i+2]])
	}
	if last := len(starts) - 2; ends || last == 0 {
		list = append(list, p.text[starts[last]:])
	}
	return list
}
