package survey

import (
	"iter"
	"strconv"
	"strings"
)

// ListSeparator is the Separator of a column that holds lists as programs write them: ["tea", "milk"], ['tea', 'milk']
// or [1, 2].
const ListSeparator = "[]"

// Items are the answers of a list as programs write it: what stands between the commas within the brackets, without the
// quotes around it. A comma within quotes divides nothing. A text that is no such list is one answer.
func Items(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		inner, open := strings.CutPrefix(strings.TrimSpace(text), "[")
		inner, closed := strings.CutSuffix(inner, "]")
		if !open || !closed {
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
	plain := strings.ReplaceAll(strings.ReplaceAll(item, `\'`, `'`), `\/`, `/`)
	if text, err := strconv.Unquote(`"` + plain + `"`); err == nil {
		return text
	}
	return item
}
