package ask

import (
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/internal/spelling"
)

// find returns the place of what a word names: by its code, else by its label, as written or with other capitals, if
// only one has it.
func (l *list) find(word string) (int, error) {
	if word == "" {
		return 0, fmt.Errorf("a %s is missing", l.what)
	}
	if i := slices.Index(l.codes, word); i >= 0 {
		return i, nil
	}
	for _, same := range []func(string) bool{
		func(name string) bool { return name == word },
		func(name string) bool { return strings.EqualFold(name, word) },
	} {
		var named []int
		for i, name := range l.names {
			if same(name) {
				named = append(named, i)
			}
		}
		switch {
		case len(named) == 1:
			return named[0], nil
		case len(named) > 1:
			return 0, fmt.Errorf("several %s are called %q: write one of their codes, %s", plural(l.what), word,
				l.quoted(named))
		}
	}
	return 0, l.missing(word)
}

// mostListed is how many codes an error lists.
const mostListed = 24

// missing is the error for a word that names nothing: with what may be meant, and with all there are where that is
// nothing. All waves are always told.
func (l *list) missing(word string) error {
	near := l.near(word)
	switch {
	case len(near) > 0 && l.what == "wave":
		return fmt.Errorf("there is no wave %q (%s): did you mean %s?", word, l.all(), l.quoted(near))
	case len(near) > 0:
		return fmt.Errorf("there is no %s %q: did you mean %s?", l.what, word, l.quoted(near))
	case l.what == "question":
		return fmt.Errorf("there is no question %q: %s", word, l.of)
	}
	return fmt.Errorf("there is no %s %q: %s", l.what, word, l.all())
}

// all tells all codes, where they are not too many.
func (l *list) all() string {
	all := indices(nil, len(l.codes))
	switch {
	case len(all) == 0:
		return l.of + " none"
	case len(all) > mostListed:
		return fmt.Sprintf("%s %s and %d more", l.of, l.quoted(all[:mostListed]), len(all)-mostListed)
	}
	return l.of + " " + l.quoted(all)
}

func (l *list) quoted(places []int) string {
	var codes []string
	for _, i := range places {
		codes = append(codes, Quote(l.codes[i]))
	}
	return strings.Join(codes, ", ")
}

func plural(what string) string {
	if what == "suffix" {
		return "suffixes"
	}
	return what + "s"
}

// near are the places of what a misspelt word may have meant: those whose code or label is nearest to it, if a third of
// it at the most has to be changed; three at the most.
func (l *list) near(word string) []int {
	var found []int
	best := 0
	for i, code := range l.codes {
		d := distance(word, code)
		if e := distance(word, l.names[i]); e >= 0 && (d < 0 || e < d) {
			d = e
		}
		switch {
		case d < 0:
		case len(found) == 0 || d < best:
			found, best = []int{i}, d
		case d == best && len(found) < 3:
			found = append(found, i)
		}
	}
	return found
}

// distance is how many characters have to be put in, taken out, changed or swapped with their neighbour to make a of b,
// whatever their capitals; -1 if that is more than a third of the longer one, and more than one.
func distance(a, b string) int {
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	most := max(1, max(len(x), len(y))/3)
	if len(x)-len(y) > most || len(y)-len(x) > most || len(y) == 0 || len(x) > 200 {
		return -1
	}
	if d := spelling.Distance(x, y); d <= most && d < max(len(x), len(y)) {
		return d
	}
	return -1
}
