package guess

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Options that hold their own words, or their own number, beside a no.

// ownOrNo is the value of a column without labels that holds it beside one that says no, and nothing else: a text
// beside "No", or a number from 1 on beside 0; "" if it holds anything else. Whether it is an option's own, the columns
// around it tell.
func (c *column) ownOrNo() string {
	const most = 99 // options
	if c.many || c.Kind == Text || c.Kind == Date || c.Kind == Quantity || c.quantity || len(c.Labels) > 0 ||
		len(c.values) != 2 {
		return ""
	}
	no, yes := c.values[0].text, c.values[1].text
	if !isNo(no) && !denies(no, yes) {
		no, yes = yes, no
	}
	switch {
	case !isNo(no) && !denies(no, yes) || isYes(yes) && yes != "1" || isNo(yes):
		return ""
	case c.number:
		if n, err := strconv.Atoi(yes); err != nil || n < 1 || n > most || no != "0" {
			return ""
		}
	case yes == "1":
		return ""
	}
	return yes
}

// ownOrNo tells whether each column holds something of its own or a no, and no two of them the same: texts, or numbers
// that go up from one column to the next. Then that is what says that an option was chosen. The ticks become such.
// Beside numbers, few columns may hold something else, as what was written for "other" is.
func (g *guesser) ownOrNo(members []member, ticks map[int]tick) bool {
	const least, few = 3, 4
	own, last, numbers, beside := map[string]bool{}, 0, 0, 0
	for _, m := range members {
		c := g.columns[m.at]
		if k := ticks[m.at].kind; k == blank || k == onlyNo || c.besideOther() {
			continue
		}
		text := c.ownOrNo()
		if text == "" {
			beside++
			continue
		}
		if own[text] {
			return false
		}
		own[text] = true
		if c.number {
			n, _ := strconv.Atoi(text)
			if n <= last {
				return false
			}
			last = n
			numbers++
		}
	}
	if len(own) < least || numbers != 0 && numbers != len(own) || beside > 0 && (numbers == 0 || few*beside > numbers) {
		return false
	}
	for _, m := range members {
		if text := g.columns[m.at].ownOrNo(); text != "" {
			ticks[m.at] = tick{ownWords, text}
		}
	}
	return true
}

// nameOrNot is the value of a column of words that is its name, and the one that stands beside it; "" if there are
// others, but for a few slips.
func (c *column) nameOrNot() (yes, not string) {
	const slips = 20 // one of so many respondents
	if c.many || c.number || c.Kind != Unknown || len(c.Labels) > 0 || len(c.values) < 2 {
		return "", ""
	}
	beside := value{}
	for _, v := range c.values {
		if strings.EqualFold(v.text, strings.TrimSpace(c.Name)) {
			yes = v.text
		} else if v.n > beside.n {
			beside = v
		}
	}
	rest := int64(0)
	for _, v := range c.values {
		rest += v.n * int64(btoi(v.text != yes && v.text != beside.text))
	}
	if yes == "" || slips*rest > c.filled {
		return "", ""
	}
	return yes, beside.text
}

// namesOrNot makes a multiple choice of four columns or more that stand together and hold their names, beside a text of
// their own that begins with the same letters in all of them: those of a no, in whatever language.
func (g *guesser) namesOrNot(open []int) {
	const least, letters = 4, 2
	var rows []member
	begun := ""
	nots := map[string]bool{}
	for _, i := range open {
		c := g.columns[i]
		yes, not := c.nameOrNot()
		if len(rows) == 0 {
			begun = not
		}
		both := commonPrefix(begun, not)
		if yes == "" || c.taken || nots[not] || len(rows) > 0 && i != rows[len(rows)-1].at+1 ||
			utf8.RuneCountInString(both) < letters {
			break
		}
		begun, nots[not] = both, true
		rows = append(rows, member{at: i})
	}
	if len(rows) < least {
		return
	}
	for _, m := range rows {
		g.columns[m.at].chosenAs, _ = g.columns[m.at].nameOrNot()
	}
	g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: SelfNamed})
}

// ownLabelEach tells whether each column holds one answer and nothing else, of a list that all have, and no two of them
// the same: then that says that an option was chosen. The ticks become such.
func (g *guesser) ownLabelEach(f *family, ticks map[int]tick) bool {
	const least = 3
	own, shape := map[string]bool{}, newShape()
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.filled == 0 {
			continue
		}
		if len(c.Labels) < least || c.many || len(c.values) != 1 || c.labels.names[c.values[0].text] == "" ||
			own[c.values[0].text] || !shape.fits(c) {
			return false
		}
		shape.add(c)
		own[c.values[0].text] = true
	}
	if len(own) < least {
		return false
	}
	for _, m := range f.members {
		if c := g.columns[m.at]; c.filled > 0 {
			ticks[m.at] = tick{one, c.values[0].text}
		}
	}
	return true
}

// ownWordEach makes a multiple choice of columns that stand together and hold one text each and nothing else, another
// in each, whose names begin with the same three letters or more. A column between two of them in which nothing stands
// is an option that nobody chose, and words of the respondents' own are what they wrote beside "other".
func (g *guesser) ownWordEach(open []int) {
	const least, letters = 3, 3
	var rows []member
	texts, stem := map[string]bool{}, ""
	for _, i := range open {
		c := g.columns[i]
		begun := c.code
		if stem != "" {
			begun = commonPrefix(stem, c.code)
		}
		if len(rows) > 0 && i > rows[len(rows)-1].at+2 || c.taken || utf8.RuneCountInString(begun) < letters {
			break
		}
		if len(rows) > 0 && (c.filled == 0 || c.written()) {
			continue
		}
		if t := c.tick(); t.kind != one || c.number || len(c.Labels) > 0 || c.filled == c.rows() || isYes(t.yes) ||
			texts[c.values[0].text] || strings.Contains(c.code, " ") {
			break
		}
		texts[c.values[0].text], stem = true, begun
		rows = append(rows, member{at: i, name: c.values[0].text})
	}
	if len(rows) >= least {
		g.alike(&family{stem: strings.TrimRight(stem, joints), members: rows, bond: ByName})
	}
}

// textEach makes multiple choices of four columns or more that stand together, that nothing else holds together and
// that hold one text each and nothing else, another in each, most of them from two respondents or more: nobody asks so
// many questions in a row that have one answer, and nobody writes what another wrote. Columns in which nothing stands
// may be between; a name that does not begin as those before, where these begin alike, is that of another question. Two
// are enough whose names begin alike and end with the text.
func (g *guesser) textEach() {
	const least, fewest, letters = 4, 2, 3 // columns, respondents, and letters that begin names alike
	var rows []member
	texts, again, called, begun, end := map[string]bool{}, 0, 0, "", 0
	flush := func() {
		switch {
		case called > 1 && called == len(texts) && len(begun) >= begunAlike:
			g.multi(begun, "", rows[:end], (*column).onlyText, Reason{Kind: ReasonOptions, Bond: ByName}, true)
		case len(texts) >= least && 3*g.calledAsText(rows[:end], begun) >= 2*len(texts):
			stem := cmp.Or(strings.TrimRight(begun, joints), g.columns[rows[0].at].code)
			g.multi(stem, "", rows[:end], (*column).onlyText, Reason{Kind: ReasonOptions, Bond: ByName}, true)
		case len(texts) >= least && 3*again >= 2*len(texts):
			g.alike(&family{stem: g.columns[rows[0].at].code, members: rows[:end], strong: true, bond: ByScale})
		}
		rows, texts, again, called, begun, end = nil, map[string]bool{}, 0, 0, "", 0
	}
	for i, c := range g.columns {
		between := c.filled == 0 && len(rows) > 0
		if c.taken || c.alone || c.Virtual || len(c.Labels) > 0 || c.questions() || has(words(c.code), ownWordsNames) ||
			!between && !c.ownText() && !c.ownEnd() {
			flush()
			continue
		}
		begin := c.code
		if len(rows) > 0 {
			begin = commonPrefix(begun, c.code)
			if joint := strings.LastIndexAny(begin, joints); joint >= 0 {
				begin = begin[:joint+1] // T_ of T_Bass and T_Bream, and of T_Carp that follows
			}
		}
		if len(rows) > 1 && len(begun) >= letters && len(begin) < letters || !between && texts[c.values[0].text] {
			flush()
			begin = c.code
		}
		if begun = begin; between && len(rows) == 0 {
			continue
		}
		rows = append(rows, member{at: i})
		if !between {
			texts[c.values[0].text], end = true, len(rows)
			again += btoi(c.filled >= fewest)
			called += btoi(c.ownEnd())
			rows[end-1].name = c.values[0].text
		}
	}
	flush()
}

// calledAsText is how many columns are called, behind what all names begin with, as the one text in them begins: Bass
// where "Bass spp." stands.
func (g *guesser) calledAsText(rows []member, begun string) (n int) {
	const least = 4 // letters, unless the whole name has fewer
	for _, m := range rows {
		c := g.columns[m.at]
		name, text := strings.Join(words(strings.TrimPrefix(c.code, begun)), ""), strings.Join(words(c.onlyText()), "")
		same := len(commonPrefix(name, text))
		n += btoi(same > 1 && 2*same >= len(name) && same >= min(least, len(name)))
	}
	return n
}

// ownText tells whether a column holds one text for some and nothing for all others, and that says neither yes nor no.
func (c *column) ownText() bool {
	t := c.tick()
	return t.kind == one && !c.number && c.filled < c.rows() && !isYes(t.yes) && !isNo(t.yes)
}

// ownEnd tells whether a column holds one text for some and nothing for all others, and is called by something else and
// then that.
func (c *column) ownEnd() bool {
	rest, found := strings.CutSuffix(c.Name, " - "+c.onlyText())
	return c.onlyText() != "" && !c.number && c.filled < c.rows() && found && rest != ""
}

// onlyText is the one value that stands in a column; "" if there is another one, or none.
func (c *column) onlyText() string {
	if len(c.values) != 1 {
		return ""
	}
	return c.values[0].text
}

// chosenOrNot makes a multiple choice of columns that stand together under names with the same letters, and each say in
// so many words that something was chosen or was not, as "quoted" and "not quoted", of the same number of respondents:
// nobody asks a question of its own so.
func (g *guesser) chosenOrNot(open []int) {
	const least = 2
	first := g.columns[open[0]]
	var rows []member
	for _, i := range open {
		c := g.columns[i]
		if c.taken || len(rows) > 0 && i != rows[len(rows)-1].at+1 || !c.saysChosen() ||
			c.filled != first.filled ||
			strings.TrimRight(c.code, digits) != strings.TrimRight(first.code, digits) {
			break
		}
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByName})
	}
}

// saysChosen tells whether a column holds that something was chosen, or that it was not, in so many words.
func (c *column) saysChosen() bool {
	if len(c.values) > 4 || !c.tick().chosen() {
		return false
	}
	return slices.ContainsFunc(c.choices(), func(o choice) bool {
		return !dashes(o.name) && unchosen(o.name) && (strings.Contains(o.name, " ") || noWords[strings.ToLower(o.name)])
	})
}

// ending is a word at the end of names, and what the columns say of an option.
type ending struct {
	word string
	kind tickKind
}

// lastly groups columns of yes and no whose names end with the same word, where each of many things was asked two
// questions or more one after the other, as in TAX_KNOWN, TAX_WHY, TAX_LIKED, FEE_KNOWN and so on: each question has
// the things as its options.
func (g *guesser) lastly() {
	const least = 5
	rows := map[ending][]member{}
	things := map[string]map[string]bool{} // by the last word
	var order []ending
	for _, i := range g.open() {
		c := g.columns[i]
		at := strings.LastIndexByte(c.code, '_')
		if at < 2 || strings.ContainsAny(c.code, " "+digits) || len(c.code)-at < 4 ||
			recoded[strings.ToLower(c.code[at+1:])] {
			continue
		}
		e := ending{c.code[at+1:], c.tick().kind}
		if things[e.word] == nil {
			things[e.word] = map[string]bool{}
		}
		things[e.word][c.code[:at]] = true
		if c.tick().chosen() {
			if rows[e] == nil {
				order = append(order, e)
			}
			rows[e] = append(rows[e], member{at: i, name: c.code[:at]})
		}
	}
	for _, e := range order {
		if len(rows[e]) >= least && askedBeside(rows[e], e.word, things) && g.oneShape(rows[e]) {
			g.alike(&family{stem: e.word, members: rows[e], strong: true, bond: ByName})
		}
	}
}

// askedBeside tells whether another question was asked of nearly all things that columns are called after, and no two
// of the columns stand together.
func askedBeside(rows []member, word string, things map[string]map[string]bool) bool {
	for k := 1; k < len(rows); k++ {
		if rows[k].at == rows[k-1].at+1 {
			return false
		}
	}
	for other, of := range things {
		both := 0
		for _, m := range rows {
			both += btoi(of[m.name])
		}
		if other != word && 5*both >= 4*len(rows) {
			return true
		}
	}
	return false
}

// otherName is the name of what stands for an answer that was not among the options, and not of what was written there.
var otherName = regexp.MustCompile(`(?i)[._/ -]other$`)

// distinct tells whether no two of the columns that hold one value hold the same.
func (g *guesser) distinct(f *family, ticks map[int]tick) bool {
	seen := map[string]bool{}
	for _, m := range f.members {
		if t := ticks[m.at]; t.kind == one {
			if seen[t.yes] || g.columns[m.at].number || len(g.columns[m.at].Labels) > 0 {
				return false
			}
			seen[t.yes] = true
		}
	}
	return true
}

// ownOrRest tells whether each column holds one answer of a list that all have, a later one in each, beside one that is
// the same in all of them and says that it was not chosen: 1 or 99, 2 or 99, and so on. Then the answer of its own is
// what says that an option was chosen. The ticks become such; a column that holds the other answer only is none.
func (g *guesser) ownOrRest(f *family, ticks map[int]tick) bool {
	const least = 4
	var first *column
	count := map[string]int{} // columns that hold a value
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.filled == 0 {
			continue
		}
		if len(c.Labels) < least || c.many || !c.number || len(c.values) > 2 ||
			first != nil && !sameList(c.labels.names, first.labels.names) {
			return false
		}
		first = c
		for _, v := range c.values {
			count[v.text]++
		}
	}
	rest, columns := "", 0
	for text, n := range count {
		if n > columns {
			rest, columns = text, n
		}
	}
	own, last := map[int]string{}, 0
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.filled == 0 || len(c.values) == 1 && c.values[0].text == rest {
			continue
		}
		at := slices.IndexFunc(c.values, func(v value) bool { return v.text != rest })
		if len(c.values) == 1 || c.unseen(rest) || at < 0 || c.labels.names[c.values[at].text] == "" ||
			atoi(c.values[at].text) <= last {
			return false
		}
		if last++; atoi(c.values[at].text) != last && c.lastNumber() != c.values[at].text {
			return false
		}
		last = atoi(c.values[at].text)
		own[m.at] = c.values[at].text
	}
	if len(own) < least || columns < len(own) || atoi(rest) != 0 && atoi(rest) <= last {
		return false
	}
	for _, m := range f.members {
		if text := own[m.at]; text != "" {
			ticks[m.at] = tick{ownWords, text}
		}
	}
	return true
}

// sameList tells whether two lists of labels are of the same values, and most say the same.
func sameList(a, b map[string]string) bool {
	same := 0
	for value, text := range a {
		if _, there := b[value]; !there {
			return false
		}
		same += btoi(b[value] == text)
	}
	return len(a) == len(b) && 2*same > len(a)
}
