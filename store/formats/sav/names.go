package sav

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/formats/internal/statfile"
)

// maxName is the most bytes a long name has.
const maxName = 64

// reservedWords may not be names.
var reservedWords = map[string]bool{
	"ALL": true, "AND": true, "BY": true, "EQ": true, "GE": true, "GT": true, "LE": true, "LT": true, "NE": true,
	"NOT": true, "OR": true, "TO": true, "WITH": true,
}

// nameProblem says what is wrong with a variable's name, or returns "".
func nameProblem(name string) string {
	if name == "" {
		return "name is empty"
	}
	if len(name) > maxName {
		return "name has " + strconv.Itoa(len(name)) + " bytes; expected at most 64"
	}
	for i, r := range name {
		if !nameRune(r, i == 0) {
			return "name has " + strconv.QuoteRune(r) + "; expected letters, digits and . _ $ # @, with a letter or @ first"
		}
	}
	if strings.HasSuffix(name, ".") {
		return "name ends with a full stop"
	}
	if reservedWords[strings.ToUpper(name)] {
		return "name is a reserved word of SPSS"
	}
	return ""
}

func nameRune(r rune, first bool) bool {
	if r == utf8.RuneError {
		return false
	}
	if unicode.IsLetter(r) || r == '@' {
		return true
	}
	return !first && (unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune("._$#", r))
}

// repairName returns the name with what is wrong in it replaced.
func repairName(name string) string {
	var b strings.Builder
	for _, r := range name {
		if b.Len() == 0 && !nameRune(r, true) {
			b.WriteByte('V')
			if !nameRune(r, false) {
				r = '_'
			}
		}
		if !nameRune(r, false) {
			r = '_'
		}
		b.WriteRune(r)
	}
	name = strings.TrimRight(cutText(b.String(), maxName, ""), ".")
	if name == "" {
		return "V"
	}
	if reservedWords[strings.ToUpper(name)] {
		return name + "_"
	}
	return name
}

// cutText shortens s to at most n bytes without cutting a character, the last of them being those of mark.
func cutText(s string, n int, mark string) string {
	if len(s) <= n {
		return s
	}
	n -= len(mark)
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + mark
}

// namer gives names that differ, whatever the case of their letters. Its next
// numbers are kept by name, so that many equal names are not tried again.
type namer struct {
	max   int // bytes
	taken map[string]bool
	next  map[string]int
}

func newNamer(max int) *namer {
	return &namer{max: max, taken: map[string]bool{}, next: map[string]int{}}
}

// claim takes a name if it is free.
func (n *namer) claim(name string) bool {
	key := fold(name)
	if n.taken[key] {
		return false
	}
	n.taken[key] = true
	return true
}

// give takes the name, or that name with a number.
func (n *namer) give(name string) string {
	if n.claim(name) {
		return name
	}
	key := fold(name)
	for {
		n.next[key]++
		suffix := "_" + strings.ToUpper(strconv.FormatInt(int64(n.next[key]), 36))
		if try := cutText(name, n.max-len(suffix), "") + suffix; n.claim(try) {
			return try
		}
	}
}

// shortBase makes of a long name what a name of 8 bytes can keep of it.
func shortBase(name string) string {
	b := make([]byte, 0, 8)
	for i := 0; i < len(name) && len(b) < 8; i++ {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z':
			b = append(b, c-'a'+'A')
		case c >= 'A' && c <= 'Z', c == '@':
			b = append(b, c)
		case len(b) > 0 && (c >= '0' && c <= '9' || c == '_' || c == '$' || c == '#'):
			b = append(b, c)
		}
	}
	if len(b) == 0 {
		return "V"
	}
	if reservedWords[string(b)] {
		b = append(b, '_')
	}
	return string(b)
}

// validShort reports whether a short name can go into a file as it is.
func validShort(name string) bool {
	return name != "" && len(name) <= 8 && statfile.IsASCII([]byte(name)) && name == strings.ToUpper(name) &&
		nameProblem(name) == ""
}
