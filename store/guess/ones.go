package guess

import "strings"

// lone counts the columns of a family that hold one value each, and what they are like.
type lone struct {
	columns   int            // that hold one value
	filled    int64          // respondents who have it, in all of them
	everybody int            // columns in which all respondents have it
	again     int            // columns in which two respondents or more have it
	yes       int            // columns in which it says yes, itself or by its label
	digits    int            // columns in which it is a number
	labelled  int            // columns with value labels
	numbered  int            // columns in which it is the option's number
	lettered  int            // columns in which it is the option's letter
	named     int            // columns in which it is the option's name
	counts    map[int64]bool // how many respondents have it, in any of them
	texts     map[string]bool
	labels    map[string]bool

	asides int // columns in which "not applicable" or the like stands
	told   int // columns whose name has what stands in them among its words
	blanks int // columns that hold nothing
	others int // columns that hold a scale
}

// lone looks at a family's columns, but not at what else was chosen: all who wrote something may have written the
// same, or a program did.
func (g *guesser) lone(f *family, ticks map[int]tick) *lone {
	l := &lone{counts: map[int64]bool{}, texts: map[string]bool{}, labels: map[string]bool{}}
	yeses := g.yeses(f, ticks)
	for _, m := range f.members {
		c, t := g.columns[m.at], ticks[m.at]
		beside := t.kind == one && !isYes(t.yes) && g.besideOption(c)
		if c.besideOther() || beside || yeses >= leastYes && t.kind == one && !isYes(t.yes) && otherOf(f.stem, c.Name) {
			continue
		}
		if t.kind != one || c.Kind == Quantity {
			l.blanks += btoi(t.kind == blank)
			l.others += btoi(t.kind != blank && c.scale() && !c.ownName())
			continue
		}
		l.columns++
		l.filled += c.filled
		l.everybody += btoi(c.filled == c.rows())
		l.again += btoi(c.filled >= 2)
		l.yes += btoi(isYes(t.yes) || isYes(c.labels.names[t.yes]))
		l.digits += btoi(c.number)
		l.labelled += btoi(len(c.Labels) > 0)
		l.numbered += btoi(c.ownNumber())
		l.lettered += btoi(c.ownLetter() != "")
		l.named += btoi(c.ownName())
		l.asides += btoi(aside(t.yes) > 0)
		l.told += btoi(len(t.yes) > 1 && strings.Contains(strings.ToLower(c.Name), strings.ToLower(t.yes)))
		l.counts[c.filled] = true
		l.texts[t.yes] = true
		l.labels[c.labels.names[t.yes]] = true
	}
	return l
}

// ones tells whether columns that hold one value each, and nothing else, are options: the value is the option's name or
// number, or says yes in all of them.
func (g *guesser) ones(f *family, ticks map[int]tick) bool {
	const least = 2 // columns that hold nothing, beside one that does
	l := g.lone(f, ticks)
	n := l.columns
	if n == 1 && (l.digits == n || l.yes == n) && l.blanks >= least && l.others == 0 && f.strong &&
		!has(words(f.stem), besides) && g.inOrder(f.members) {
		return true // whoever answers a question in rows answers each of them
	}
	switch {
	case n < 2, l.everybody == n, l.others > 1 && (l.lettered < n || 4*l.others > n), l.others > 0 && n < 3:
		return false
	case f.strong && n >= 3 && len(l.texts) == 1 && len(l.counts) > 1 &&
		l.others+l.digits+l.labelled+l.asides+l.told == 0:
		return true // the same mark in all of them, whatever it is, which more put into one than into another
	case f.strong && (l.yes == n || l.labelled == n || g.numbered(f.members)), l.numbered == n, l.lettered == n,
		l.named == n, g.counted(f, ticks):
		return true
	case (f.bond == ByName && g.inOrder(f.members) || f.bond == ByWords) && l.yes == n && n >= 3 && len(l.texts) == 1 &&
		l.others == 0:
		return true // what else would hold yes or nothing, and begin with one word?
	case f.bond == ByName && l.labelled == n && n >= 3 && len(l.labels) == n && l.others == 0 && g.inOrder(f.members):
		return true // or one answer, another in each, and nothing else?
	}
	given := l.filled >= 3*int64(n) || f.strong && n >= 3 && 3*l.again >= 2*n // nobody writes what another wrote
	return l.yes == 0 && l.labelled == 0 && l.numbered == 0 && len(l.texts) == n && given
}

// numbered tells whether columns hold a number each and nothing else, another in each: that of an option, as tools
// write it where it was chosen. One column of many may hold another number, too, which somebody mistook for its own.
func (g *guesser) numbered(members []member) bool {
	const enough = 5 // columns, of which one may hold two numbers
	seen, strays := map[string]bool{}, 0
	for k, m := range members {
		c := g.columns[m.at]
		if c.filled == 0 || c.written() || k == 0 && !c.number { // the first may hold all that was chosen, in letters
			continue
		}
		if c.many || !c.number || !c.integer || len(c.Labels) > 0 {
			return false
		}
		if len(c.values) == 2 && strays == 0 {
			strays++
			continue
		}
		if len(c.values) != 1 || seen[c.values[0].text] {
			return false
		}
		seen[c.values[0].text] = true
	}
	return len(seen) >= 2 && (strays == 0 || len(seen) >= enough)
}
