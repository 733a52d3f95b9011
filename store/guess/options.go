package guess

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// tick is what a column says if it tells whether an option was chosen.
type tick struct {
	kind tickKind
	yes  string // the value that means chosen; "" if none was seen
}

type tickKind int

const (
	noTick   tickKind = iota
	blank             // nothing was seen
	onlyNo            // only what means not chosen
	one               // one value and nothing else, which may mean chosen
	oneZero           // 1 beside 0 or -1, without a label
	yesNo             // yes beside no, in words or labels
	ownWords          // a text of its own beside "Not selected" or the like
)

// chosen tells whether the column says of an option that it was chosen or not.
func (t tick) chosen() bool { return t.kind > one }

// tick tells whether a column says yes or no to an option.
func (c *column) tick() tick {
	if c.many || c.Kind == Text || c.Kind == Date || c.quantity || len(c.Labels) > mostSteps ||
		len(c.values) > 4+len(c.Labels) || c.date && !c.number {
		return tick{}
	}
	if c.filled == 0 && len(c.Labels) == 0 {
		return tick{kind: blank}
	}
	var rest, beside []choice
	asides, no, notChosen, bareNo := 0, false, false, false
	for _, o := range c.choices() {
		switch {
		case negative(o, c), c.denied(o), c.without(o), c.twoForZero(o):
			no = true
			notChosen = notChosen || unchosen(o.name) || o.value == "0" && !c.number && len(c.Labels) == 0
			bareNo = bareNo || !o.labelled && c.number
		case aside(o.name) > 0 && o.labelled, o.labelled && o.value != "1" && c.unseen(o.value) && len(c.Labels) > 2,
			o.labelled && c.number && strings.HasPrefix(o.value, "-"):
			if !c.unseen(o.value) {
				asides++
				beside = append(beside, o)
			}
		default:
			rest = append(rest, o)
		}
	}
	if len(rest) == 0 && (bareNo || notChosen) && asides == 1 { // "none of these" is an option, too
		rest, asides = beside, 0
	}
	if len(rest) == 0 && no && asides == 0 {
		return tick{kind: onlyNo}
	}
	if own := c.ownOption(); own != "" && !no && asides == 0 {
		return tick{one, own}
	}
	if len(rest) != 1 || asides > 0 && !notChosen {
		return tick{}
	}
	y := rest[0]
	switch word := isYes(y.name) || isYes(y.value); {
	case !no:
		return tick{one, y.value}
	case notChosen && !word:
		return tick{ownWords, y.value}
	case bareNo && !y.labelled && c.number:
		switch {
		case y.value == "1":
			return tick{oneZero, y.value}
		case y.value == c.lastNumber():
			return tick{ownWords, y.value}
		}
		return tick{}
	case word:
		return tick{yesNo, y.value}
	case y.labelled || bareNo:
		return tick{ownWords, y.value}
	}
	return tick{}
}

// ownOption is the answer of a column of words that is the option in its name, as in Drinks[Tea], where next to nobody
// has another one: such cells were moved there from their neighbours, or written by hand. It is "" if there is none.
func (c *column) ownOption() string {
	const few, seldom = 3, 50
	m := bracket.FindStringSubmatch(c.Name)
	if m == nil || c.number || len(c.Labels) > 0 || len(c.values) < 2 {
		return ""
	}
	own, others := value{}, int64(0)
	for _, v := range c.values {
		if strings.EqualFold(strings.TrimSpace(v.text), strings.TrimSpace(m[2])) {
			own = v
		} else {
			others += v.n
		}
	}
	if own.n == 0 || others > max(few, own.n/seldom) || own.n < 5*others {
		return ""
	}
	return own.text
}

// denied tells whether an answer is another one with "not" before it.
func (c *column) denied(o choice) bool {
	nots := []string{"not ", "no to: ", "no to ", "no: ", "no - ", "no ", "non ", "nicht ", "kein ", "keine ", "não ",
		"sin ", "sem ", "sans ", "pas de ", "ikke ", "ingen ", "inte ", "geen ", "niet ", "nie ", "не ", "нет ", "未",
		"没有"}
	for _, not := range nots {
		rest, found := strings.CutPrefix(strings.ToLower(o.name), not)
		if found && slices.ContainsFunc(c.choices(), func(p choice) bool { return strings.ToLower(p.name) == rest }) {
			return true
		}
	}
	return false
}

// unseen tells whether a value stands nowhere in the column.
func (c *column) unseen(text string) bool {
	return !slices.ContainsFunc(c.values, func(v value) bool { return v.text == text })
}

// negative tells whether an answer says no.
func negative(o choice, c *column) bool {
	if o.labelled || !c.number {
		return isNo(o.name)
	}
	return o.value == "0" || o.value == "-1" || (o.value == "-99" || o.value == "-999") && len(c.values) == 2 ||
		noAnswer(o.value)
}

// noAnswer tells whether a number is one of four nines or more below zero, which tools write for who was not asked and
// nobody takes for an answer.
func noAnswer(text string) bool {
	nines, found := strings.CutPrefix(text, "-")
	return found && len(nines) >= 4 && strings.Trim(nines, "9") == ""
}

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
	if scales > 1 && 2*scales > kinds[oneZero]+kinds[one] { // of a scale or of counts that do not go as far in all
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
		case t.kind == oneZero && main == ownWords && c.lastNumber() == "1": // it is the first option's number
		case t.kind == oneZero && main > oneZero && f.bond == ByScale && t.yes == common: // its labels were forgotten
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

// wholeQuestions tells whether each column has a question of its own, with nothing in common but how it is answered and
// a weak stem.
func (g *guesser) wholeQuestions(f *family) bool {
	if f.bond != ByName || f.label != "" {
		return false
	}
	whole, same := 0, 0
	var first string
	for _, m := range f.members {
		text := strings.TrimSpace(g.columns[m.at].wording)
		end := strings.LastIndex(text, "?")
		if end < 0 || f.strong && end < len(text)-1 {
			continue
		}
		text = text[:end+1] // what follows it explains it
		if first == "" {
			first = text
		}
		same += btoi(text == first)
		if len(commonPrefix(first, text)) < 20 && len(commonSuffix(first, text)) < 20 ||
			len(f.members) == 1 || text == first {
			whole++
		}
	}
	return same < len(f.members) && 4*whole >= 3*len(f.members)
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

// inOrder tells whether the names of options end with the numbers from 1 on, one after the other, or with none.
func (g *guesser) inOrder(members []member) bool {
	for k, m := range members {
		if number := g.columns[m.at].lastNumber(); number != "" && number != strconv.Itoa(k+1) {
			return false
		}
	}
	return true
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

// alike makes a multiple choice of those of a family that are options, and grids of those that have answers in common.
func (g *guesser) alike(f *family) {
	f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].taken || g.columns[m.at].alone })
	if g.objected(f) {
		return
	}
	parts := g.askedTwice(f)
	if len(parts) < 2 && (f.bond == ByScale || f.bond == ByWords) {
		parts = g.askedOthers(f.members)
	}
	if len(parts) > 1 {
		own := f.stem == g.columns[f.members[0].at].code
		for _, members := range parts {
			part := *f
			if part.members = members; own {
				part.stem = g.columns[members[0].at].code
			}
			g.alike(&part)
		}
		return
	}
	if g.ranking(f.members) {
		g.grid(f.stem, f.label, f.members, Reason{Kind: ReasonRows, Bond: f.bond})
		return
	}
	if parts := g.divides(f); len(parts) > 0 {
		for _, members := range parts {
			part := *f
			part.members = members
			g.alike(&part)
		}
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].taken })
	}
	g.apart(f)
	g.numericFamily(f)
	if g.wholeQuestions(f) {
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].tick().chosen() })
		if g.asksOthers(f.members) {
			return
		}
	}
	for {
		options, yes := g.optionsOf(f)
		few := len(options) < 3 && (f.bond != ByName || len(options) < len(f.members))
		if len(options) < 2 || !f.strong && (few || g.mostlyBlank(options)) {
			break
		}
		g.multi(f.stem, f.label, options, func(c *column) string { return yes[g.at[c.Name]] },
			Reason{Kind: ReasonOptions, Bond: f.bond}, true)
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].taken })
	}
	g.gridsOf(f)
}

// mostlyBlank tells whether only one of the options was chosen by anybody, or not chosen: that in the others nothing
// stands makes none of them an option of it.
func (g *guesser) mostlyBlank(options []member) bool {
	seen := 0
	for _, m := range options {
		seen += btoi(g.columns[m.at].filled > 0)
	}
	return seen < 2
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
