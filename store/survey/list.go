package survey

import (
	"iter"
	"strconv"
	"strings"
)

// ListSeparator is the Separator of a column that holds lists as programs write them: ["tea", "milk"], ['tea', 'milk'],
// [1, 2], {tea,milk} or c("tea", "milk").
const ListSeparator = "[]"

// withinBrackets is what stands within the brackets of a list as programs write it; false if the text is none. JSON
// and Python have square brackets, PostgreSQL braces, as Python's sets have, and R c(…). Round brackets alone are
// Python's if a quote stands behind the first. What has names in braces is an object and no list.
func withinBrackets(text string) (inner string, is bool) {
	text = strings.TrimSpace(text)
	for _, of := range [...][2]string{{"[", "]"}, {"{", "}"}, {"c(", ")"}, {"('", ")"}, {`("`, ")"}} {
		inner, open := strings.CutPrefix(text, of[0])
		inner, closed := strings.CutSuffix(inner, of[1])
		if !open || !closed {
			continue
		}
		if of[0][0] == '(' {
			inner = of[0][1:] + inner // the quote
		}
		return inner, of[0] != "{" || !strings.Contains(inner, `":`) && !strings.Contains(inner, `':`)
	}
	return "", false
}

// IsList tells whether a text is a list as programs write it, of which Items are the answers.
func IsList(text string) bool {
	_, is := withinBrackets(text)
	return is
}

// Items are the answers of a list as programs write it: what stands between the commas within the brackets, without the
// quotes around it. A comma within quotes divides nothing. A text that is no such list is one answer.
func Items(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		inner, is := withinBrackets(text)
		if !is {
			yield(text)
			return
		}
		for more := true; more; {
			var item string
			item, inner, more = cutItem(inner)
			if item = unquoted(strings.TrimSpace(item)); item != "" && !yield(item) {
				return
			}
		}
	}
}

// cutItem takes the first item of a list: up to the first comma that stands in no quotes.
func cutItem(list string) (item, rest string, more bool) {
	list = strings.TrimLeft(list, " \t\r\n")
	if list == "" || list[0] != '"' && list[0] != '\'' {
		return strings.Cut(list, ",")
	}
	for i := 1; i < len(list); i++ {
		switch list[i] {
		case '\\':
			i++
		case list[0]:
			_, rest, more = strings.Cut(list[i+1:], ",")
			return list[:i+1], rest, more
		}
	}
	return strings.Cut(list, ",") // a quote that is never closed opens nothing
}

// unquoted is an item without the quotes around it, and with the characters for which a backslash and more stand.
func unquoted(item string) string {
	if len(item) < 2 || item[0] != '"' && item[0] != '\'' || item[len(item)-1] != item[0] {
		return item
	}
	item = item[1 : len(item)-1]
	if !strings.Contains(item, `\`) {
		return item
	}
	if text, err := strconv.Unquote(inGo(item)); err == nil {
		return text
	}
	return item
}

// inGo writes what stands within the quotes of a list as Go writes strings, which has no \' and no \/.
func inGo(item string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(item); i++ {
		switch {
		case item[i] == '"':
			b.WriteByte('\\')
		case item[i] == '\\' && i+1 < len(item):
			if i++; item[i] != '\'' && item[i] != '/' {
				b.WriteByte('\\')
			}
		}
		b.WriteByte(item[i])
	}
	b.WriteByte('"')
	return b.String()
}
