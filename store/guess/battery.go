package guess

import (
	"regexp"
	"slices"
	"strings"
)

// battery makes a grid of columns that stand together and are answered by the same words of agreement, satisfaction or
// another scale that is known as such, if they are many: statements need not have a word in common. Where the words are
// on no scale that is known, as in other languages, more statements have to be answered by them.
func (g *guesser) battery(open []int) {
	first := g.columns[open[0]]
	rung, least := first.steps()
	if rung == nil || open[0] <= g.asking {
		return
	}
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c, last := g.columns[i], rows[len(rows)-1].at
		if i == last+1 && (g.copied(i) || c.checks()) {
			continue
		}
		passed := i == last+2 && (g.copied(i-1) || g.columns[i-1].checks())
		if c.taken || c.alone || i != last+1 && !passed || !rung(c) || !shape.fits(c) ||
			g.ownRun(i) || g.asked(rows, c) || least == manyRows && len(rows) >= least && g.otherWords(shape, i) ||
			len(rows) == 1 && first.questions() && c.wording != "" && !c.questions() {
			break // statements may follow a question with their answers
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if !slices.ContainsFunc(rows, func(m member) bool { return !g.columns[m.at].quoted() }) {
		least = 2
	} else if least == someRows && g.numberedQuestion(first) && slices.ContainsFunc(rows, func(m member) bool {
		return g.columns[m.at].asks()
	}) {
		least = manyRows // questions of their own
	} else if least == someRows && !g.numberedQuestion(first) && !slices.ContainsFunc(rows, func(m member) bool {
		return g.columns[m.at].asks() && !g.columns[m.at].plainWord()
	}) {
		least = fewRows
	}
	if first.longLabelled() && !g.numberedQuestion(first) {
		least = min(least, fewRows)
	}
	if len(rows) < least {
		return
	}
	if g.ownQuestions(rows) || g.onlyYesOrNo(rows) {
		g.asking = rows[len(rows)-1].at // to no avail from any of them on
		return
	}
	stem := g.common(rows)
	if len(stem) < 2 {
		stem = first.code
	}
	g.alike(&family{stem: stem, members: rows, strong: true, bond: ByScale})
}

// ownQuestions tells whether most of the columns are under whole questions of their own: those are answered on one
// scale here and there, and no rows.
func (g *guesser) ownQuestions(rows []member) bool {
	own := 0
	for _, m := range rows {
		c := g.columns[m.at]
		own += btoi(c.questions() && len(strings.Fields(c.wording)) >= 4)
	}
	return 2*own > len(rows)
}

// onlyYesOrNo tells whether most of the columns hold no more than yes and no: that is no scale, and may be the answer
// to anything.
func (g *guesser) onlyYesOrNo(rows []member) bool {
	n := 0
	for _, m := range rows {
		n += btoi(g.columns[m.at].tick().chosen())
	}
	return 2*n > len(rows)
}

// someRows are enough of a grid whose rows hold all steps of a known scale, fewRows if they have words that are no
// questions, and manyRows of one whose rows do not.
const fewRows, someRows, manyRows = 3, 4, 5

// steps tells how those behind a column have to be answered to be rows of a grid with it, and how many rows that
// takes; nil if the column cannot be the first row of one.
func (c *column) steps() (rung func(*column) bool, least int) {
	switch {
	case c.ladder():
		return (*column).rung, someRows
	case c.statement():
		return (*column).statement, manyRows
	case c.rung() && c.stated() || c.thirds():
		return func(c *column) bool { return c.stated() && (c.rung() || c.thirds()) }, manyRows
	}
	return nil, 0
}

// copied tells whether a column has the codes of the labelled one before it, for as many respondents, and neither
// labels nor words: its answers turned round.
func (g *guesser) copied(i int) bool {
	c, before := g.columns[i], g.columns[i-1]
	return len(before.Labels) > 0 && len(c.Labels) == 0 && c.Label == "" && c.number && !c.many && c.integer &&
		c.filled == before.filled && !slices.ContainsFunc(c.values, func(v value) bool {
		_, there := before.labels.names[v.text]
		return !there
	})
}

// statement tells whether a column holds one of four answers or more in words, without a label, under words that are no
// question.
func (c *column) statement() bool {
	return !c.alone && !c.number && len(c.Labels) == 0 && len(c.values) >= 4 && len(c.values) <= 8 && c.scale() &&
		c.stated()
}

// otherWords tells whether a column and the one behind it hold an answer in words that none of those before has, and
// lack one that they have: another scale begins there, of which some words are the same.
func (g *guesser) otherWords(before *shape, i int) bool {
	other := func(c *column) bool {
		known := 0
		for _, v := range c.values {
			known += btoi(before.codes[v.text])
		}
		return !c.many && known < len(c.values) && known < len(before.codes)
	}
	return other(g.columns[i]) && i+1 < len(g.columns) && other(g.columns[i+1])
}

// quoted tells whether a column's name is a statement in quotation marks, which is no question of its own.
func (c *column) quoted() bool {
	name := strings.TrimSpace(c.Name)
	return len(strings.Fields(name)) >= 3 && strings.IndexAny(name, "\"“„«") == 0
}

// stated tells whether a column is under words that are no question.
func (c *column) stated() bool {
	return len(c.Labels) == 0 && !strings.Contains(c.Name+c.wording, "?") &&
		(c.wording != "" || strings.ContainsAny(c.Name, " ."))
}

// thirds tells whether a column holds one of three answers in words, of which two may be yes and no, under words that
// are no question.
func (c *column) thirds() bool {
	return c.stated() && !c.alone && !c.number && len(c.values) == 3 && c.scale()
}

// questions tells whether a column's words are a question.
func (c *column) questions() bool { return strings.HasSuffix(strings.TrimSpace(c.wording), "?") }

// asks tells whether a column's words are a question of their own, or many, and not a row's; without words they may be.
func (c *column) asks() bool {
	return c.wording == "" || c.questions() || len(strings.Fields(c.wording)) > 12
}

// rung tells whether the answers are steps of a known scale, if in words not all of them.
func (c *column) rung() bool {
	return c.ladder() || !c.alone && !c.number && len(c.Labels) == 0 && c.scale() &&
		(c.ordered() != nil || c.orderedButOne())
}

// ladder tells whether the answers are the steps of a known scale, four of them at least.
func (c *column) ladder() bool {
	if c.alone || !c.scale() {
		return false
	}
	var texts []string
	for _, o := range c.choices() {
		if aside(o.name) == 0 && (o.labelled || !c.number) {
			texts = append(texts, strings.TrimSpace(o.name))
		}
	}
	return len(texts) >= 4 && (scaleOf(texts) != nil || len(c.Labels) > 0 && (len(texts) <= 7 || counts(texts)))
}

var oneNumber = regexp.MustCompile(`^\D*(\d+)\D*$`)

// counts tells whether each text has one number, which goes up or down from one to the next, as in "7 days", "6 days".
func counts(texts []string) bool {
	var numbers []int
	for _, text := range texts {
		m := oneNumber.FindStringSubmatch(text)
		if m == nil {
			return false
		}
		numbers = append(numbers, atoi(m[1]))
	}
	up := slices.IsSorted(numbers)
	slices.Reverse(numbers)
	return (up || slices.IsSorted(numbers)) && len(slices.Compact(numbers)) == len(texts)
}

var itemNumber = regexp.MustCompile(`^\s*(\d{1,2})\s*[.):、．]`)

// items groups columns that stand together, whose questions are numbered from 1 on and of which nine in ten have the
// same answers, up to where the numbers end or begin again, if the file numbers others from 1 on, too: then the numbers
// are those of the items of each question. A column without words between two of them was made of the one before.
func (g *guesser) items() {
	const least = 3
	number := func(i int) int {
		if m := itemNumber.FindStringSubmatch(g.columns[i].Label); m != nil {
			return atoi(m[1])
		}
		return 0
	}
	var runs [][]member
	last := -1
	for _, i := range g.open() {
		switch n := number(i); {
		case n == 1:
			runs = append(runs, []member{{at: i}})
		case n > 1 && last >= 0 && number(last) == n-1 && (last == i-1 || last == i-2 && g.columns[i-1].Label == ""):
			runs[len(runs)-1] = append(runs[len(runs)-1], member{at: i})
		case n == 0 && last == i-1 && g.columns[i].Label == "":
			continue
		default:
			last = -1
			continue
		}
		last = i
	}
	if len(runs) < 2 {
		return
	}
	for _, run := range runs {
		if len(run) >= least && g.mostAlike(run) {
			g.alike(&family{stem: g.columns[run[0].at].code, members: run, strong: true, bond: ByWords})
		}
	}
}

// mostAlike tells whether nine in ten columns have the same answers, and three in four the last of them.
func (g *guesser) mostAlike(run []member) bool {
	fit, shape, last, most := 0, newShape(), map[float64]int{}, 0
	for _, m := range run {
		if c := g.columns[m.at]; c.scale() && shape.fits(c) {
			shape.add(c)
			fit++
			last[c.ordinary()]++
			most = max(most, last[c.ordinary()])
		}
	}
	return 10*fit >= 9*len(run) && 4*most >= 3*len(run)
}

// goesOn groups columns whose questions go on from one before, as interviewers read them: "… the police?" and "… the
// courts?". Where the first of them has its own question, it is the column before.
func (g *guesser) goesOn(open []int) {
	first := g.columns[open[0]]
	if first.alone || !first.scale() || first.wording == "" {
		return
	}
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		if c.taken || c.alone || i != g.behind(rows) || !c.scale() || !shape.fits(c) ||
			!continued(c.wording) && !(c.brief() && len(first.wording) > 2*len(c.wording)) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	least := 2
	if !continued(first.wording) {
		least = 3
	}
	if len(rows) < least {
		return
	}
	stem := g.common(rows)
	if stem == "" {
		stem = first.code
	}
	g.alike(&family{stem: stem, members: rows, strong: true, bond: GoingOn})
}

// brief tells whether a column's question is a few words that only a question before makes one, as "And wine?", to
// which the answers are a list of their own.
func (c *column) brief() bool {
	return c.questions() && len(strings.Fields(c.wording)) <= 4 && len(c.Labels) > 0 && !c.tick().chosen()
}

// continued tells whether a question's words begin in the middle of a sentence.
func continued(wording string) bool {
	return strings.HasPrefix(wording, "…") || strings.HasPrefix(wording, "...")
}

// selfNamed makes a multiple choice of columns that stand together and hold their own name or nothing: some tools
// export a column per option, which is called as the option is. An empty column between two of them is an option that
// nobody chose, unless it is for what was written beside the options: that is the last of a question.
func (g *guesser) selfNamed(open []int) {
	if !g.columns[open[0]].ownName() {
		return
	}
	rows := []member{{at: open[0]}}
	named := 1 // rows up to the last that holds its name
	for _, i := range open[1:] {
		c := g.columns[i]
		if c.taken || i != rows[len(rows)-1].at+1 || !c.ownName() && (!c.unnoticed() || len(rows) > 1 && g.lastOther(i)) {
			break
		}
		rows = append(rows, member{at: i})
		if c.ownName() {
			named = len(rows)
		}
	}
	if rows = rows[:named]; len(rows) >= 2 {
		g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: SelfNamed})
	}
}

// lastOther tells whether an empty column is for what was written beside the options of one question, and those of
// another follow: two or more that hold their own names, of which the first says nothing like "none of these", and a
// field of the same kind behind them.
func (g *guesser) lastOther(at int) bool {
	if !g.columns[at].otherOnly() {
		return false
	}
	next := at + 1
	for next < len(g.columns) && g.columns[next].ownName() {
		next++
	}
	return next-at > 2 && aside(strings.TrimRight(g.columns[at+1].Name, digits+"_")) == 0 && next < len(g.columns) &&
		g.columns[next].otherOnly()
}

// otherOnly tells whether the name of a column says "other" and nothing else, but for a number because there are more.
func (c *column) otherOnly() bool {
	list := words(strings.TrimRight(c.Name, digits))
	return len(list) == 1 && besides[list[0]]
}

// lastRow is what stands behind a question's words as its option, as tools write labels.
var lastRow = regexp.MustCompile(`\S [-–:] (\S.*)$`)

// ownName tells whether a column holds one value, which is its name, but for a number that it got because another has
// the same, or the option at the end of its label.
func (c *column) ownName() bool {
	if c.many || c.alone || len(c.Labels) > 0 || len(c.values) != 1 {
		return false
	}
	value, name := strings.Join(strings.Fields(c.values[0].text), " "), strings.Join(strings.Fields(c.Name), " ")
	if o := lastOption.FindStringSubmatch(name); o != nil && strings.EqualFold(o[2], value) {
		return true
	}
	if o := lastRow.FindStringSubmatch(strings.Join(strings.Fields(c.Label), " ")); o != nil &&
		strings.EqualFold(o[1], value) {
		return true
	}
	if len(name) < len(value) || !strings.EqualFold(name[:len(value)], value) {
		return false
	}
	rest := name[len(value):]
	if strings.ContainsAny(value[len(value)-1:], digits) {
		return rest == "" || rest[0] == '_' && len(rest) > 1 && strings.Trim(rest[1:], digits) == ""
	}
	return strings.Trim(strings.TrimPrefix(rest, "_"), digits) == "" && rest != "_"
}

const digits = "0123456789"

// unnoticed tells whether a column has a name and nothing else.
func (c *column) unnoticed() bool {
	return c.filled+c.missing == 0 && len(c.Labels) == 0 && c.Label == "" && !nobodys.MatchString(c.Name) && c.Name != ""
}
