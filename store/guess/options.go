package guess

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// optionsOf picks of the members those that are options, and tells what is a yes in each.
func (g *guesser) optionsOf(f *family) ([]member, map[int]string) {
	yes, kinds := map[int]string{}, map[tickKind]int{}
	said := map[string]int{}
	ticks := map[int]tick{}
	scales := 0
	for _, m := range f.members {
		c := g.columns[m.at]
		t := c.tick()
		ticks[m.at] = t
		kinds[t.kind]++
		if t.kind == noTick && c.scale() && c.number && len(c.Labels) == 0 {
			scales++
		}
	}
	if g.oneLabelEach(f, ticks) || g.ownLabelEach(f, ticks) || g.yesOrNo(f, ticks) || g.ownOrNo(f.members, ticks) {
		clear(kinds)
		for _, m := range f.members {
			kinds[ticks[m.at].kind]++
		}
	}
	if scales > 1 && 2*scales > kinds[oneZero]+kinds[one] || f.asked && g.fewSteps(f, ticks) {
		// of a scale or of counts that do not go as far in all
		kinds[oneZero], kinds[one] = 0, 0
	}
	main := noTick
	for _, kind := range []tickKind{yesNo, oneZero, ownWords} {
		if kinds[kind] > kinds[main] || main == noTick && kinds[kind] > 0 {
			main = kind
		}
	}
	texts := kinds[one] >= 3 && f.strong && g.distinct(f, ticks)
	if main != noTick && kinds[main] == 1 && texts && g.ones(f, ticks) {
		main = one // and what was chosen besides is told by numbers
	}
	if main == noTick {
		if kinds[one] < 2 || !g.ones(f, ticks) {
			return nil, nil
		}
		main = one
	}
	if main == yesNo && g.moreThanYes(f, ticks) {
		return nil, nil
	}
	for _, t := range ticks {
		if t.chosen() && t.kind == main {
			said[strings.ToLower(t.yes)]++
		}
	}
	common, numbered, named := "", main == one && g.numbered(f.members), 0
	for at, t := range ticks {
		named += btoi(t.kind == one && (g.columns[at].number || g.columns[at].ownName()))
	}
	for _, v := range sortedKeys(said) {
		if said[v] > said[common] {
			common = v
		}
	}
	var out []member
	for _, m := range f.members {
		t := ticks[m.at]
		c := g.columns[m.at]
		switch {
		case c.besideOther() && (t.kind == blank || t.kind == one && named > 0):
			continue // an option has another value, or nothing
		case t.kind == main && (main != yesNo && main != oneZero || strings.ToLower(t.yes) == common):
		case (t.kind == oneZero || t.kind == yesNo && t.yes == "1") && main == ownWords && c.lastNumber() == "1":
			// it is the first option's number
		case t.kind == oneZero && main > oneZero && f.bond == ByScale && t.yes == common: // its labels were forgotten
		case t.kind == yesNo && main == oneZero && f.strong && t.yes == common && len(c.Labels) == 2:
			// those of the others were forgotten
		case t.kind == one && (main == ownWords && !isYes(t.yes) || strings.ToLower(t.yes) == common):
		case main == one && t.kind == onlyNo && (c.ownNumber() || numbered && len(c.values) == 1 && c.values[0].text == "0"):
			t.yes = "0"
		case main == one && t.kind == onlyNo && (c.ownName() || texts && len(c.values) == 1 && !c.number):
			t.yes = c.values[0].text // "None" or "No" is what was chosen
		case main == one && texts && t.kind == oneZero && otherName.MatchString(c.Name):
		case t.kind == onlyNo && main != one, t.kind == blank:
			if main == yesNo || main == oneZero {
				t.yes = common
			} else if f.bond == SelfNamed {
				t.yes = strings.TrimSpace(c.Name)
			}
		default:
			continue
		}
		yes[m.at] = t.yes
		if (main == ownWords || main == one) && m.name == "" && c.wording == "" && !c.number && len(c.Labels) == 0 {
			m.name = t.yes
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b member) int { return a.at - b.at })
	return out, yes
}

// fewSteps tells whether most rows of a question have the same answers without labels, three or more, and those with 0
// and 1 no others than these: 0, 1 and "2 or more" is a scale.
func (g *guesser) fewSteps(f *family, ticks map[int]tick) bool {
	const least = 3
	shape, scales, steps := newShape(), 0, map[string]bool{}
	for _, m := range f.members {
		c := g.columns[m.at]
		if ticks[m.at].kind != noTick {
			continue
		}
		if len(c.Labels) > 0 || !c.scale() || len(c.values) < least || !shape.fits(c) {
			return false
		}
		shape.add(c)
		scales++
		for _, v := range c.values {
			steps[v.text] = true
		}
	}
	return 2*scales > len(f.members) && !slices.ContainsFunc(f.members, func(m member) bool {
		return slices.ContainsFunc(g.columns[m.at].values, func(v value) bool { return !steps[v.text] })
	})
}

// oneLabelEach tells whether of each column the file labels one value only, and nothing else stands in it: then that
// says that an option was chosen, whatever its words, "None" and "Other" too. The ticks become such.
func (g *guesser) oneLabelEach(f *family, ticks map[int]tick) bool {
	const least = 3
	n := 0
	for _, m := range f.members {
		c := g.columns[m.at]
		switch {
		case len(c.Labels) == 1 && !c.many && len(c.values) <= 1 && (c.filled == 0 ||
			c.labels.names[c.values[0].text] != ""):
			n++
		case len(c.Labels) > 0 || c.number:
			return false
		}
	}
	if n < least || !f.strong {
		return false
	}
	for _, m := range f.members {
		if c := g.columns[m.at]; len(c.Labels) == 1 {
			ticks[m.at] = tick{one, canonical(c.Labels[0].Value)}
		} else if c.filled > 0 {
			ticks[m.at] = tick{} // what was written beside "other"
		}
	}
	return true
}

// yesOrNo tells whether each column holds yes or no, in words and never both, as where a question was put to one or two
// respondents: then they are options as if both stood in each. The ticks become such.
func (g *guesser) yesOrNo(f *family, ticks map[int]tick) bool {
	yes, no := 0, 0
	for _, m := range f.members {
		c, t := g.columns[m.at], ticks[m.at]
		switch {
		case t.kind == blank || c.written() && c.writing():
		case c.number || len(c.Labels) > 0 || c.ownName():
			return false
		case t.kind == one && isYes(t.yes):
			yes++
		case t.kind == onlyNo:
			no++
		default:
			return false
		}
	}
	if yes == 0 || no == 0 || !f.strong {
		return false
	}
	for _, m := range f.members {
		if t := ticks[m.at]; t.kind == one && isYes(t.yes) {
			ticks[m.at] = tick{yesNo, t.yes}
		}
	}
	return true
}

// ownNumber tells whether a column holds one value, the number at the end of its name: that of an option, where it was
// chosen.
func (c *column) ownNumber() bool {
	return c.number && !c.many && len(c.values) == 1 && c.lastNumber() == c.values[0].text
}

// lastNumber is the number at the end of a column's name, as values are written; "" if there is none.
func (c *column) lastNumber() string {
	name := words(c.code)
	if len(name) < 2 || strings.Trim(name[len(name)-1], digits) != "" {
		return ""
	}
	return canonical(name[len(name)-1])
}

// ownLetter tells whether a column holds one value, the letter at the end of its name: that of an option, as
// interviewers circle it, A to Z.
func (c *column) ownLetter() bool {
	if c.number || c.many || len(c.values) != 1 || len(c.code) < 2 {
		return false
	}
	letter, name := c.values[0].text, parts(c.code)
	last := name[len(name)-1]
	return len(letter) == 1 && last.kind == 'a' && strings.EqualFold(last.text[len(last.text)-1:], letter) &&
		(len(last.text) == 1 || unicode.IsUpper(rune(letter[0])))
}

// moreThanYes tells whether columns with the labels of those of yes and no hold other answers, too: then all are
// rows of one grid.
func (g *guesser) moreThanYes(f *family, ticks map[int]tick) bool {
	shape := newShape()
	for _, m := range f.members {
		if c := g.columns[m.at]; ticks[m.at].kind == yesNo && len(c.Labels) > 0 {
			shape.add(c)
		}
	}
	return shape.n > 0 && slices.ContainsFunc(f.members, func(m member) bool {
		c := g.columns[m.at]
		return ticks[m.at].kind == noTick && len(c.Labels) > 0 && c.scale() && shape.fits(c)
	}) || g.wordsBesides(f, ticks)
}

// wordsBesides tells whether columns hold both yes and no, in words, and others of the same words: rows of a grid in
// which some were answered by yes and no only.
func (g *guesser) wordsBesides(f *family, ticks map[int]tick) bool {
	more, both := 0, 0
	for _, m := range f.members {
		c := g.columns[m.at]
		if len(c.Labels) > 0 || c.number || !c.scale() || len(c.values) > 6 {
			continue
		}
		no := slices.ContainsFunc(c.values, func(v value) bool { return isNo(v.text) })
		yes := slices.ContainsFunc(c.values, func(v value) bool { return isYes(v.text) })
		both += btoi(yes && no && ticks[m.at].kind == yesNo)
		more += btoi(yes && no && ticks[m.at].kind == noTick)
	}
	return more > 0 && 2*more >= both
}

// ones tells whether columns that hold one value each, and nothing else, are options: the value is the option's name or
// number, or says yes in all of them.
func (g *guesser) ones(f *family, ticks map[int]tick) bool {
	n, yes, labelled, numbered, lettered, named, others, everybody, again := 0, 0, 0, 0, 0, 0, 0, 0, 0
	filled := int64(0)
	texts := map[string]bool{}
	for _, m := range f.members {
		c, t := g.columns[m.at], ticks[m.at]
		if c.besideOther() {
			continue
		}
		if t.kind != one || c.Kind == Quantity {
			others += btoi(t.kind != blank && c.scale() && !c.ownName())
			continue
		}
		n++
		filled += c.filled
		everybody += btoi(c.filled == c.rows())
		texts[t.yes] = true
		yes += btoi(isYes(t.yes))
		labelled += btoi(len(c.Labels) > 0)
		numbered += btoi(c.ownNumber())
		lettered += btoi(c.ownLetter())
		named += btoi(c.ownName())
		again += btoi(c.filled >= 2)
	}
	switch {
	case n < 2, everybody == n, others > 1 || others > 0 && n < 3:
		return false
	case f.strong && (yes == n || labelled == n || g.numbered(f.members)), numbered == n, lettered == n, named == n,
		g.counted(f, ticks):
		return true
	case f.bond == ByName && yes == n && n >= 3 && len(texts) == 1 && others == 0 &&
		g.inOrder(f.members):
		return true // what else would hold yes or nothing, and begin with one word?
	}
	given := filled >= 3*int64(n) || f.strong && n >= 3 && 3*again >= 2*n // nobody writes what another wrote
	return yes == 0 && labelled == 0 && numbered == 0 && len(texts) == n && given
}

// inOrder tells whether the names of options end with the numbers from 1 on, one after the other, or with none. Of five
// or more one may have a number that is out of order, as "other" has in some tools.
func (g *guesser) inOrder(members []member) bool {
	const several = 5
	out := 0
	for k, m := range members {
		number := g.columns[m.at].lastNumber()
		out += btoi(number != "" && number != strconv.Itoa(k+1))
	}
	return out == 0 || out == 1 && len(members) >= several
}

// counted tells whether columns whose names begin alike hold one number each and nothing else, 1 in the first, and
// a larger one in each behind it: the numbers of the options.
func (g *guesser) counted(f *family, ticks map[int]tick) bool {
	const least = 3
	last, n := 0, 0
	for _, m := range f.members {
		c, t := g.columns[m.at], ticks[m.at]
		if t.kind != one {
			continue
		}
		number := atoi(t.yes)
		if !c.number || !c.integer || len(c.Labels) > 0 || number <= last || n == 0 && number > 2 {
			return false
		}
		last, n = number, n+1
	}
	return n >= least && f.bond == ByName
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
