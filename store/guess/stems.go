package guess

import (
	"regexp"
	"strings"
	"unicode"
)

// What names of columns have in common.

// stem is a beginning of a name, and how the names of one family go on behind it.
type stem struct {
	text string
	// c a word with a capital, _ anything behind a divider, a a letter or two, 0 digits, r digits and words behind a
	// divider, l a letter and words behind a divider, n the two digits of a row behind those of its question, w words in
	// small letters behind the capital and the number of a question
	behind rune
	strong bool
}

// joints stand between the parts of a name.
const joints = "_.-:/ "

// trimmed is the stem as a name.
func (s stem) trimmed() string { return strings.TrimRight(s.text, joints) }

// stems are what a name may have in common with its neighbours, the longest first: up to a divider, to where a number
// ends and a letter or two follow, as in Q3a, or to where the digits at the end begin. With a number in it, a stem is a
// question's.
func stems(name string) []stem {
	if at := strings.IndexAny(name, " "); at >= 0 {
		if len(strings.Fields(name)) > mostWords {
			return nil // words, and no name
		}
		var list []stem // drinks_Hot tea
		for end := strings.LastIndexByte(name[:at], '_'); end >= 2; end = strings.LastIndexByte(name[:end], '_') {
			list = append(list, stem{name[:end+1], '_', strings.ContainsAny(name[:end], digits)})
		}
		return list
	}
	list := parts(name)
	var out []stem
	for k := len(list) - 1; k > 0; k-- {
		before := joined(list[:k])
		numbered := strings.ContainsAny(aYear.ReplaceAllString(before, ""), digits)
		p := list[k]
		if p.kind == '0' && list[k-1].kind == 'a' && k == len(list)-3 && list[k+1].kind == '_' && !list[k+2].index() {
			out = append(out, stem{before, 'r', numbered}) // scale3_sleep
		}
		if k == 2 && list[0].kind == 'a' && list[1].kind == '0' && numberedCapital(before) && beginsSmall(p.text) {
			out = append(out, stem{before, 'w', true}) // A4pond
		}
		switch {
		case !strings.ContainsFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		case list[k-1].kind == '_' && p.kind != '_':
			out = append(out, stem{before, '_', numbered})
		case list[k-1].kind == '0' && p.kind == 'a' && len(p.text) == 1 && k < len(list)-2:
			out = append(out, stem{before, 'l', true}) // 8a.Tea
		case k == len(list)-1 && p.kind == 'a' && p.index():
			out = append(out, stem{before, 'a', true})
		case k == len(list)-1 && p.kind == 'a' && list[k-1].kind == '0' && capitalWord(p.text):
			out = append(out, stem{before, 'c', true}) // q5Tea
		case k == len(list)-1 && p.kind == '0':
			if len(p.text) >= 3 { // p1501: question 15, row 01
				cut := len(p.text) - 2
				out = append(out, stem{before + p.text[:cut], 'n', true})
			}
			out = append(out, stem{before, '0', numbered})
		}
	}
	if word := strings.TrimRightFunc(name, unicode.IsLower); len(word) >= 3 && len(name) == len(word)+1 &&
		!strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsUpper(r) }) {
		out = append(out, stem{word, 'a', true}) // STUDYa
	}
	return out
}

// aYear is a year in a name, which is no question's number.
var aYear = regexp.MustCompile(`\pL{2,}(?:19|20)\d\d(?:\b|_)`)

// numberedCapital tells whether a text is a capital or two and a number, as the code of a question may be.
func numberedCapital(text string) bool {
	letters := strings.TrimRight(text, digits)
	return len(letters) < len(text) && len([]rune(letters)) <= 2 &&
		!strings.ContainsFunc(letters, func(r rune) bool { return !unicode.IsUpper(r) })
}

// beginsSmall tells whether a part of a name begins with a small letter.
func beginsSmall(part string) bool {
	return strings.IndexFunc(part, unicode.IsLower) == 0
}

// mostWords is how many words a name has that is no question.
const mostWords = 8

// capitalWord tells whether a word begins with a capital and goes on in small letters.
func capitalWord(word string) bool {
	runes := []rune(word)
	return len(runes) >= 3 && unicode.IsUpper(runes[0]) && unicode.IsLower(runes[1])
}

// holds tells whether a name is the stem with what may follow it.
func (s stem) holds(name string) bool {
	if len(name) <= len(s.text) || !strings.EqualFold(name[:len(s.text)], s.text) {
		return false
	}
	rest := parts(name[len(s.text):])
	switch s.behind {
	case 'r':
		return len(rest) >= 3 && rest[0].kind == '0' && rest[1].kind == '_'
	case '0':
		return rest[0].kind == '0' && (len(rest) == 1 || len(rest) == 2 && strings.EqualFold(rest[1].text, "r"))
	case 'l':
		return len(rest) >= 3 && rest[0].kind == 'a' && len(rest[0].text) == 1 && rest[1].kind == '_'
	case 'n':
		return len(rest) == 1 && rest[0].kind == '0' && len(rest[0].text) == 2
	case 'a':
		return len(rest) == 1 && rest[0].kind == 'a' && rest[0].index()
	case 'c':
		return len(rest) == 1 && rest[0].kind == 'a' && capitalWord(rest[0].text)
	case 'w':
		return rest[0].kind == 'a' && beginsSmall(rest[0].text)
	}
	return rest[0].kind != '_'
}

func atoi(text string) (n int) {
	for _, r := range text {
		if n < 1<<30 {
			n = 10*n + int(r-'0')
		}
	}
	return n
}
