package guess

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// optionsOf picks of the members those that are options, and tells what is a yes in each.
func (g *guesser) optionsOf(f *family) ([]member, map[int]string) {
	c := g.ticking(f)
	if c == nil {
		return nil, nil
	}
	yes := map[int]string{}
	var out []member
	for _, m := range f.members {
		text, is := c.option(m)
		if !is {
			continue
		}
		yes[m.at] = text
		column := g.columns[m.at]
		if (c.main == ownWords || c.main == one) && m.name == "" && column.wording == "" && !column.number &&
			len(column.Labels) == 0 {
			m.name = text
		}
		out = append(out, m)
	}
	slices.SortFunc(out, func(a, b member) int { return a.at - b.at })
	return out, yes
}

// ticking is how the columns of a family tell what was chosen.
type ticking struct {
	*guesser
	*family
	ticks map[int]tick     // of each column
	kinds map[tickKind]int // how many columns tell it so

	main     tickKind // how most of them tell it
	common   string   // what says in most of those that an option was chosen, in small letters
	texts    bool     // a text of its own in each of several columns says so
	numbered bool     // the numbers of the options do
	named    bool     // numbers or the names of the options do, in some columns
}

// ticksOf is what each of some columns says of an option.
func (g *guesser) ticksOf(members []member) map[int]tick {
	ticks := make(map[int]tick, len(members))
	for _, m := range members {
		ticks[m.at] = g.columns[m.at].tick()
	}
	return ticks
}

// ticking finds out how the columns of a family tell what was chosen; nil if they don't.
func (g *guesser) ticking(f *family) *ticking {
	c := &ticking{guesser: g, family: f, ticks: g.ticksOf(f.members)}
	scales := c.scales()
	// The first of these that knows how the columns tell it makes the ticks such.
	_ = g.oneLabelEach(f, c.ticks) || g.ownLabelEach(f, c.ticks) || g.ownOrRest(f, c.ticks) ||
		g.yesOrNo(f, c.ticks) || g.ownOrNo(f.members, c.ticks)
	c.count()
	if scales > 1 && 2*scales > c.kinds[oneZero]+c.kinds[one] || f.asked && g.fewSteps(f, c.ticks) {
		// of a scale or of counts that do not go as far in all
		c.kinds[oneZero], c.kinds[one] = 0, 0
	}
	c.texts = c.kinds[one] >= 3 && f.strong && g.distinct(f, c.ticks)
	c.main = c.most()
	if c.main == noTick || c.main == yesNo && g.moreThanYes(f, c.ticks) {
		return nil
	}
	c.numbered = c.main == one && g.numbered(f.members)
	said := map[string]int{}
	for at, t := range c.ticks {
		if t.chosen() && t.kind == c.main {
			said[strings.ToLower(t.yes)]++
		}
		c.named = c.named || t.kind == one && (g.columns[at].number || g.columns[at].ownName())
	}
	for _, v := range sortedKeys(said) {
		if said[v] > said[c.common] {
			c.common = v
		}
	}
	return c
}

// count counts how many columns tell in which way what was chosen.
func (c *ticking) count() {
	c.kinds = map[tickKind]int{}
	for _, m := range c.members {
		c.kinds[c.ticks[m.at].kind]++
	}
}

// scales is how many columns hold steps of a scale, or counts, in numbers without labels.
func (c *ticking) scales() int {
	n := 0
	for _, m := range c.members {
		column := c.columns[m.at]
		n += btoi(c.ticks[m.at].kind == noTick && column.scale() && column.number && len(column.Labels) == 0)
	}
	return n
}

// most is how most columns tell what was chosen; noTick if they don't.
func (c *ticking) most() tickKind {
	main := noTick
	for _, kind := range []tickKind{yesNo, oneZero, ownWords} {
		if c.kinds[kind] > c.kinds[main] || main == noTick && c.kinds[kind] > 0 {
			main = kind
		}
	}
	switch {
	case main != noTick && !(c.kinds[main] == 1 && c.texts):
		return main
	case c.kinds[one] >= 1 && c.ones(c.family, c.ticks):
		return one // and what was chosen besides, if anything was, is told by numbers
	}
	return main
}

// option tells whether a column is an option, and what says there that it was chosen.
func (c *ticking) option(m member) (yes string, is bool) {
	t, column := c.ticks[m.at], c.columns[m.at]
	same := strings.ToLower(t.yes) == c.common
	switch {
	case column.besideOther() && (t.kind == blank || t.kind == one && c.named),
		!t.chosen() && !same && c.besideOption(column):
		return "", false // an option has another value, or nothing
	case t.kind == c.main && (c.main != yesNo && c.main != oneZero || same):
	case (t.kind == oneZero || t.kind == yesNo && t.yes == "1") && c.main == ownWords && column.lastNumber() == "1":
		// it is the first option's number
	case t.kind == yesNo && t.yes == "1" && c.main == ownWords && !isYes(column.labels.names["1"]): // its label says which
	case t.kind == oneZero && c.main > oneZero && c.bond == ByScale && t.yes == c.common: // its labels were forgotten
	case t.kind == yesNo && c.main == oneZero && c.strong && t.yes == c.common && len(column.Labels) == 2:
		// those of the others were forgotten
	case t.kind == one && (c.main == ownWords && !isYes(t.yes) || same):
	case c.main == one && t.kind == oneZero && c.texts && otherName.MatchString(column.Name):
	case c.main == one && t.kind == onlyNo:
		return c.onlyNo(column)
	case t.kind == onlyNo, t.kind == blank:
		switch {
		case c.main == yesNo || c.main == oneZero:
			return c.common, true
		case c.bond == SelfNamed:
			return strings.TrimSpace(column.Name), true
		}
	default:
		return "", false
	}
	return t.yes, true
}

// onlyNo is option for a column that holds a no and nothing else, where what was chosen stands in the others.
func (c *ticking) onlyNo(column *column) (yes string, is bool) {
	alone := len(column.values) == 1
	switch {
	case column.ownNumber() || c.numbered && alone && column.values[0].text == "0":
		return "0", true
	case column.ownName() || c.texts && alone && !column.number:
		return column.values[0].text, true // "None" or "No" is what was chosen
	}
	return "", false
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
// says that an option was chosen, whatever its words, "None" and "Other" too. Where no more than the beginning of their
// names holds them together, no two have the same label. The ticks become such.
func (g *guesser) oneLabelEach(f *family, ticks map[int]tick) bool {
	const least = 3
	n, labels := 0, map[string]bool{}
	for _, m := range f.members {
		c := g.columns[m.at]
		switch {
		case c.oneLabelled():
			n++
			labels[c.Labels[0].Text] = true
		case len(c.Labels) > 0 || c.number:
			return false
		}
	}
	if n < least || !f.strong && (f.bond != ByName || len(labels) < n) {
		return false
	}
	for _, m := range f.members {
		if c := g.columns[m.at]; c.oneLabelled() {
			ticks[m.at] = tick{one, canonical(c.Labels[0].Value)}
		} else if c.filled > 0 {
			ticks[m.at] = tick{} // what was written beside "other"
		}
	}
	return true
}

// oneLabelled tells whether the file labels one value of the column, and nothing else stands in it.
func (c *column) oneLabelled() bool {
	return len(c.Labels) == 1 && !c.many && (c.filled == 0 ||
		len(c.values) == 1 && c.labels.names[c.values[0].text] != "")
}

// yesOrNo tells whether each column holds yes or no, in words or as 1 and 0, and never both, as where a question was
// put to one or two respondents, or all who may take part answer alike: then they are options as if both stood in each.
// The ticks become such.
func (g *guesser) yesOrNo(f *family, ticks map[int]tick) bool {
	yes, no := 0, 0
	for _, m := range f.members {
		c, t := g.columns[m.at], ticks[m.at]
		switch {
		case t.kind == blank || c.written() && c.writing():
		case len(c.Labels) > 0 || c.ownName() ||
			c.number && (len(c.values) != 1 || c.values[0].text != "0" && t.yes != "1"):
			return false
		case t.kind == one && (isYes(t.yes) || c.number):
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
		switch t := ticks[m.at]; {
		case t.kind == one && g.columns[m.at].number:
			ticks[m.at] = tick{oneZero, t.yes}
		case t.kind == one && isYes(t.yes):
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

// ownLetter is the one value that a column holds if that is the letter at the end of its name: that of an option, as
// interviewers circle it, A to Z. A label may say of what stands beside it that there was no answer. It is "" if the
// column holds something else.
func (c *column) ownLetter() string {
	if c.number || c.many || len(c.values) > mostSteps || len(c.code) < 2 {
		return ""
	}
	name := parts(c.code)
	if len(name) == 0 || name[len(name)-1].kind != 'a' {
		return ""
	}
	last := name[len(name)-1]
	letter := last.text[len(last.text)-1:]
	there := false
	for _, v := range c.values {
		switch label := c.labels.names[v.text]; {
		case !there && strings.EqualFold(v.text, letter) && (len(last.text) == 1 || unicode.IsUpper(rune(v.text[0]))):
			there, letter = true, v.text
		case label == "" || aside(label) == 0:
			return ""
		}
	}
	if !there {
		return ""
	}
	return letter
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
// which some were answered by yes and no only. Two, and one in five, are enough where the other words say that there is
// no answer, as those who were asked of each thing may say.
func (g *guesser) wordsBesides(f *family, ticks map[int]tick) bool {
	more, both, known := 0, 0, 0
	for _, m := range f.members {
		c := g.columns[m.at]
		if len(c.Labels) > 0 || c.number || !c.scale() || len(c.values) > 6 {
			continue
		}
		no := slices.ContainsFunc(c.values, func(v value) bool { return isNo(v.text) })
		yes := slices.ContainsFunc(c.values, func(v value) bool { return isYes(v.text) })
		both += btoi(yes && no && ticks[m.at].kind == yesNo)
		if yes && no && ticks[m.at].kind == noTick {
			more++
			known += btoi(slices.ContainsFunc(c.values, func(v value) bool {
				return !isNo(v.text) && !isYes(v.text) && aside(v.text) == 0
			}))
		}
	}
	return more > 0 && 2*more >= both || more > 1 && known == 0 && 4*more >= both
}

// otherOf tells whether a name is that of "other" among the options under a stem, and of none of their parts.
func otherOf(stem, name string) bool {
	at := otherName.FindStringIndex(name)
	return at != nil && strings.EqualFold(strings.Trim(name[:at[0]], joints), strings.Trim(stem, joints))
}

// besideOption tells whether a column is called as one that ends with a number is, with "other" or the like right
// behind that, as q5_12other is beside q5_12: it holds what was written beside the option, or its code.
func (g *guesser) besideOption(c *column) bool {
	const shortest, longest = 3, 10 // bytes
	name := strings.TrimRight(c.code, digits)
	for cut := len(name) - shortest; cut > 0 && cut >= len(name)-longest; cut-- {
		if strings.Contains(digits, name[cut-1:cut]) && besides[strings.ToLower(name[cut:])] && g.named(name[:cut]) {
			return true
		}
	}
	return false
}

// leastYes is how many columns that hold a yes and nothing else tell that the columns beside them are options, too.
const leastYes = 3

// yeses is how many columns hold a yes and nothing else.
func (g *guesser) yeses(f *family, ticks map[int]tick) int {
	n := 0
	for _, m := range f.members {
		t := ticks[m.at]
		n += btoi(t.kind == one && isYes(t.yes))
	}
	return n
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
