package guess

import (
	"slices"
	"strconv"
	"strings"
)

// tickMarks are what stands in a cell in place of a tick.
var tickMarks = set("x ✓ ✔ ● • * √ ☑ ✗ ✘")

// marked makes a multiple choice of columns that stand together and hold nothing but one mark, such as an x, where an
// option was ticked: however they are called, no question is answered by a mark alone. An option "other" ends one,
// where columns of another kind or marks of the next question stand behind it.
func (g *guesser) marked(open []int) {
	const least = 3
	mark := g.columns[open[0]].tick()
	option := func(i int) bool {
		c := g.columns[i]
		return !c.taken && !c.alone && !c.named && !c.Virtual && len(c.Labels) == 0 && c.tick() == mark &&
			!strings.Contains(c.Name, "?")
	}
	if mark.kind != one || !tickMarks[strings.ToLower(mark.yes)] || !option(open[0]) || open[0] > 0 && option(open[0]-1) {
		return
	}
	var rows []member
	for i := open[0]; i < len(g.columns) && option(i); i++ {
		rows = append(rows, member{at: i})
		if i > open[0]+1 && has(words(g.columns[i].code), lastOptions) {
			break
		}
	}
	if len(rows) >= least {
		g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: ByScale})
	}
}

// onlyOnes makes multiple choices of columns that stand together, that nothing else holds together and that hold 1 for
// some and nothing for all others, or yes, the number that they have among them, or one label: no question has one
// answer. A column between them in which nothing stands is an option that nobody chose, unless its name is that of
// words; a name that does not begin as those before, where these begin alike, is that of another question. Of five
// columns or more that begin alike two are enough: nobody chose the others.
func (g *guesser) onlyOnes() {
	const least, letters, leastOptions = 3, 3, 5
	var rows []member
	begun, chosen, end := "", 0, 0
	flush := func() {
		// Of yes and nothing under one word, and no number, the names told already that they are several questions.
		several := chosen > 0 && g.columns[rows[0].at].oneWord() != "" && len(begun) >= letters &&
			!strings.ContainsAny(begun, digits)
		twoOfMany := chosen == least-1 && len(rows) >= leastOptions && len(begun) >= letters
		if (chosen >= least || twoOfMany) && !several {
			g.alike(&family{stem: g.columns[rows[0].at].code, members: rows[:end], strong: true, bond: ByScale})
		}
		rows, begun, chosen, end = nil, "", 0, 0
	}
	for i, c := range g.columns {
		if c.taken || c.alone || c.named || c.Virtual || len(c.Labels) > 0 && !c.oneLabelled() || c.questions() ||
			strings.Contains(c.Name, "?") {
			flush()
			continue
		}
		if len(rows) > 0 && !c.saysAs(g.columns[rows[0].at]) {
			flush()
		}
		begin := c.code
		if len(rows) > 0 {
			begin = commonPrefix(begun, c.code)
		}
		if len(rows) > 1 && len(begun) >= letters && len(begin) < letters {
			flush()
			begin = c.code
		}
		one := c.onlyOne(len(rows) + 1)
		if !one && (c.filled > 0 || len(rows) == 0 || has(words(c.code), ownWordsNames)) {
			flush()
			continue
		}
		begun = begin
		if rows = append(rows, member{at: i}); one {
			chosen, end = chosen+1, len(rows)
		}
	}
	flush()
}

// onlyOne tells whether a column, the next of so many, holds what says that an option was chosen, for some, and nothing
// else.
func (c *column) onlyOne(number int) bool {
	if len(c.values) != 1 || c.many || c.filled == c.rows() {
		return false
	}
	text := c.values[0].text
	switch {
	case len(c.Labels) > 0:
		return c.oneLabelled()
	case c.number:
		return text == "1" || number > 1 && text == strconv.Itoa(number)
	}
	return isYes(text)
}

// saysAs tells whether what a column holds may say that an option was chosen if that of another does: both have labels
// or none, and the same word if it is one. Nothing may.
func (c *column) saysAs(o *column) bool {
	return len(c.Labels) == len(o.Labels) && (c.filled == 0 || o.filled == 0 || c.oneWord() == o.oneWord())
}

// oneWord is the only value of a column without labels, in small letters, if it is no number; "" if there is none.
func (c *column) oneWord() string {
	if len(c.values) != 1 || len(c.Labels) > 0 || c.number {
		return ""
	}
	return strings.ToLower(c.values[0].text)
}

// ownWordsNames are called what respondents write in their own words.
var ownWordsNames = set(`remark remarks comment comments note notes text other others specify feedback`)

// without tells whether an answer is the 0 of two that are labelled 0 and 1, and its label begins with a no: then the
// other says that there is something, whatever it is.
func (c *column) without(o choice) bool {
	if !o.labelled || o.value != "0" || len(c.Labels) != 2 {
		return false
	}
	first, _, several := strings.Cut(strings.ToLower(o.name), " ")
	return several && noWords[first] && slices.ContainsFunc(c.choices(), func(p choice) bool {
		return p.labelled && p.value == "1"
	})
}

// twoForZero tells whether an answer is a 2 without a label, where 1 says yes and nobody has the 0 that says no: files
// of LimeSurvey for SPSS may have the labels of one and the numbers of the other.
func (c *column) twoForZero(o choice) bool {
	return !o.labelled && o.value == "2" && len(c.Labels) == 2 && c.unseen("0") &&
		isYes(c.labels.names["1"]) && unchosen(c.labels.names["0"])
}

// onesAndTwos makes questions of five columns or more that stand together, that nothing else holds together and in
// which the same respondents said yes or no, or have 1 or 2 without a label: those are called by a word or a few, and
// by no number, and none of them is a fact about respondents.
func (g *guesser) onesAndTwos() {
	const least, leastRows = 5, 30
	k := g.sample
	if k == nil || k.width == 0 || k.rows() < leastRows {
		return
	}
	var rows []member
	shape := newShape()
	flush := func() {
		if len(rows) >= least {
			g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: AskedAlike})
		}
		rows, shape = nil, newShape()
	}
	for i, c := range g.columns {
		if c.taken || c.alone || c.named || c.Virtual || !c.oneOrTwo() {
			flush()
			continue
		}
		if len(rows) > 0 && (!shape.fits(c) || !k.askedAlike(rows[0].at, i)) {
			flush()
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	flush()
}

// oneOrTwo tells whether a column that asks nothing and tells no fact holds yes and no, or 1 and 2, and is called by a
// few words.
func (c *column) oneOrTwo() bool {
	const most = 4 // words
	if c.questions() || strings.Contains(c.Name+c.Label, "?") || c.fact() || len(words(c.Name)) > most ||
		has(words(c.code), dummyWords) || strings.TrimRight(c.code, digits) != c.code {
		return false
	}
	return c.tick().kind == yesNo || c.number && len(c.Labels) == 0 && len(c.values) == 2 && c.least.Float64() == 1 &&
		c.most.Float64() == 2
}
