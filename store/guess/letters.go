package guess

import (
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// lettersWithoutLabel takes a letter or two for missing that stand beside numbers in many columns, each of which has a
// label for every number and none for the letter: the maker told what all answers are, and this is none. Columns of the
// letter and five numbers or more without any label count, too.
func (g *guesser) lettersWithoutLabel() {
	const many, longest, unlabelled = 10, 2, 5
	among := map[string][]int{} // columns, by letters
	for _, i := range g.open() {
		c := g.columns[i]
		if c.many || c.number || len(c.Labels) == 1 || len(c.values) < 2 ||
			len(c.Labels) == 0 && len(c.values) <= unlabelled {
			continue
		}
		letters, several := "", false
		for _, v := range c.values {
			if c.labels.names[v.text] != "" || len(c.Labels) == 0 && isNumber(v.text) {
				continue
			}
			several = several || letters != "" || utf8.RuneCountInString(v.text) > longest || !onlyLetters(v.text)
			letters = v.text
		}
		numbers := !slices.ContainsFunc(c.Labels, func(l Label) bool { return !isNumber(l.Value) })
		if letters != "" && !several && numbers {
			among[letters] = append(among[letters], i)
		}
	}
	for _, letters := range slices.Sorted(maps.Keys(among)) {
		if len(among[letters]) < many {
			continue
		}
		var taken []string
		for _, i := range among[letters] {
			if c := g.columns[i]; c.lose([]string{letters}) {
				c.number = c.filled > 0
				c.integer = c.number && !slices.ContainsFunc(c.values, func(v value) bool { return strings.Contains(v.text, ".") })
				taken = append(taken, c.origin.Name)
			}
		}
		g.note("%s: %q read as no answer, because it stands beside numbers in so many columns and has no label",
			listed(taken), letters)
	}
}

// isNumber tells whether a text is a number, perhaps between spaces.
func isNumber(text string) bool {
	_, err := decimal.Parse(strings.TrimSpace(text), true)
	return err == nil
}

// onlyLetters tells whether a text has a letter and nothing else.
func onlyLetters(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
}
