package words

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Plain is a text in small letters without accents. Two texts that differ in nothing else are then the same, however
// their letters are composed: é is e, ß is ss, the Turkish İ, I, ı and i are all i. Wide forms of letters and digits
// are the usual ones, and what is never seen, such as a soft hyphen, is left out.
func Plain(text string) string {
	ascii := true
	for i := 0; i < len(text); i++ {
		ascii = ascii && text[i] < utf8.RuneSelf
	}
	if ascii {
		return strings.ToLower(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	of := plainOf()
	for _, r := range text {
		if dropped(r) {
			continue
		}
		r = unicode.ToLower(narrow(r))
		switch plain, accented := of[r]; {
		case accented:
			b.WriteString(plain)
		case r >= firstSyllable && r <= lastSyllable:
			writeSyllable(&b, int(r-firstSyllable))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// dropped tells whether a character is an accent, or one that is never seen.
func dropped(r rune) bool {
	switch {
	case r < 0x300:
		return r == 0xAD // the soft hyphen
	case r <= 0x36F: // combining accents
		return true
	case r >= 0x483 && r <= 0x487, r >= 0x591 && r <= 0x5C7 && unicode.Is(unicode.Mn, r): // Cyrillic, Hebrew
		return true
	case r == 0x640 || r >= 0x64B && r <= 0x655 || r == 0x670: // Arabic
		return true
	}
	return r == 0x200C || r == 0x200D || r == 0x2060 || r == 0xFEFF || r >= 0x1DC0 && r <= 0x1DFF ||
		r >= 0xFE20 && r <= 0xFE2F
}

// narrow is the usual form of a character that has another for East Asian type or for type set by hand.
func narrow(r rune) rune {
	if r >= 0xFF01 && r <= 0xFF5E {
		r += '!' - 0xFF01
	}
	switch r {
	case '’', '‘', 'ʼ', '´', '`':
		return '\''
	case '‐', '‑':
		return '-'
	}
	return r
}

// The syllables of Korean, which are written by their letters, as they may be typed one by one.
const firstSyllable, lastSyllable = 0xAC00, 0xD7A3

func writeSyllable(b *strings.Builder, place int) {
	b.WriteRune(rune(0x1100 + place/588))
	b.WriteRune(rune(0x1161 + place%588/28))
	if last := place % 28; last > 0 {
		b.WriteRune(rune(0x11A7 + last))
	}
}

// Text is the words that a text is found by, plain, as they stand in it, some more than once. What a hyphen, an
// apostrophe, a full stop, an underscore or & holds together is there by its parts and as a whole: "E-mail" is e,
// mail and email. A script without blanks is cut into pairs of characters and the last one: 清涼飲料 is 清涼, 涼飲,
// 飲料, 料. Whatever text it is, it has all words of the same Query.
func Text(text string) (list []string) {
	for chain := range chains(Plain(text)) {
		for _, p := range chain {
			list = append(list, p.words(true)...)
		}
		if len(chain) < 2 {
			continue
		}
		list = append(list, joined(chain))
		for part := range tightened(chain) {
			if len(part) > 1 && len(part) < len(chain) {
				list = append(list, joined(part))
			}
		}
	}
	return list
}

// Query is the words that are looked for, plain, each once, as they stand in the text. What an apostrophe, a full stop
// or & holds together is one word: "H&M" is hm; what a hyphen or an underscore does is its parts. Of a script without
// blanks it is pairs of characters, or the only one.
func Query(text string) []string {
	list, seen := []string{}, map[string]bool{}
	add := func(word string) {
		if !seen[word] {
			seen[word] = true
			list = append(list, word)
		}
	}
	for chain := range chains(Plain(text)) {
		for part := range tightened(chain) {
			if !part[0].unbroken {
				add(joined(part))
				continue
			}
			for _, word := range part[0].words(false) {
				add(word)
			}
		}
	}
	return list
}
