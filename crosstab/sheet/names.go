package sheet

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
)

// longestName is how many UTF-16 units the name of a sheet may have, and longestText how many a cell's text.
const (
	longestName = 31
	longestText = 32767
)

// names are those of a book's sheets, in the form in which spreadsheets compare them.
type names map[string]bool

// take makes a name for a sheet of a title: without what a name may not have, short enough, and not the name of
// another, whatever its capitals.
func (n names) take(title string) string {
	plain := strings.Map(func(r rune) rune {
		if strings.ContainsRune(`:\/?*[]`, r) {
			return ' '
		}
		return r
	}, clean(title))
	plain = strings.Trim(strings.Join(strings.Fields(plain), " "), "' ")
	if plain == "" || strings.EqualFold(plain, "History") { // which Excel keeps for itself
		plain = "Table"
	}
	for i := 1; ; i++ {
		ending := ""
		if i > 1 {
			ending = fmt.Sprintf(" (%d)", i)
		}
		name := strings.TrimRight(cut(plain, longestName-len(ending)), "' ") + ending
		if key := strings.ToLower(strings.ToUpper(name)); !n[key] {
			n[key] = true
			return name
		}
	}
}

// cut is the beginning of a text that has at most so many UTF-16 units.
func cut(text string, units int) string {
	n := 0
	for i, r := range text {
		if n += utf16.RuneLen(r); n > units {
			return text[:i]
		}
	}
	return text
}

// clean is a text on one line as a cell can hold it: valid, without characters that steer something, and not too long.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\ufffe' || r == '\uffff' {
			return -1
		}
		return r
	}, strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " "))
	return cut(text, longestText)
}
