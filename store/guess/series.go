package guess

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Columns that are numbered in the middle of their names or in their words: what was asked a second time, and items of
// an inventory whose numbers go on from one construct to the next.

// inMiddle is a name with letters, a number and an ending, as those of COPE3_2 and Q12ST are.
var inMiddle = regexp.MustCompile(`^(\pL+[_.]?)(\d{1,3})([_.]?\pL{2,6}|[_.]\pL?\d{1,2})$`)

// series makes a grid of columns that stand together and whose names are the same letters and the same ending around a
// number that goes up: items that were asked again, as calm1_t2 and calm2_t2, or whose letters are those of any
// question, as Q1ST and Q2ST, if these are many.
func (g *guesser) series(open []int) {
	const few, many, gap = 3, 8, 3
	first := inMiddle.FindStringSubmatch(g.columns[open[0]].code)
	if first == nil || rowWords[strings.ToLower(strings.Trim(first[3], "_."+digits))] {
		return
	}
	letters := strings.Trim(first[1], "_.")
	least := few
	if generic[strings.ToLower(letters)] || len([]rune(letters)) < 3 {
		if least = many; strings.ContainsAny(first[3], digits) {
			return // parts of questions
		}
	}
	var rows []member
	shape, last := newShape(), 0
	for _, i := range open {
		c := g.columns[i]
		m := inMiddle.FindStringSubmatch(c.code)
		if m == nil || m[1] != first[1] || m[3] != first[3] || c.taken || c.alone || len(rows) > 0 &&
			(i != g.behind(rows) || atoi(m[2]) <= last || atoi(m[2]) > last+gap) || !c.scale() || !shape.fits(c) {
			break
		}
		shape.add(c)
		rows, last = append(rows, member{at: i}), atoi(m[2])
	}
	if len(rows) < least || g.onlyYesOrNo(rows) || g.ownQuestions(rows) {
		return
	}
	g.alike(&family{stem: letters + first[3], members: rows, strong: true, bond: ByName})
}

// letterInside is a name with the number of a question, the letter of a row and an ending, as Q7a2 and Q24b.h are.
var letterInside = regexp.MustCompile(`^(\pL{1,3}_?\d{1,3})([a-zA-Z])([_.]?\pL?\d{1,2}|[_.]\pL{1,4})$`)

// lettersInside groups columns that stand together and whose names are the number of a question and the same ending
// around the letters from a on, where the same was asked of each of several things and then something else: Q7a1, Q7b1,
// Q7c1 and Q7a2, Q7b2, Q7c2.
func (g *guesser) lettersInside(open []int) {
	const least = 3
	first := g.columns[open[0]]
	name := letterInside.FindStringSubmatch(first.code)
	if name == nil || strings.ToLower(name[2]) != "a" {
		return
	}
	tick, rows, shape := first.tick(), []member(nil), newShape()
	for _, i := range open {
		c := g.columns[i]
		m := letterInside.FindStringSubmatch(c.code)
		if m == nil || c.taken || c.alone || len(rows) > 0 && i != g.behind(rows) || m[1] != name[1] || m[3] != name[3] ||
			strings.ToLower(m[2]) != string(rune('a'+len(rows))) ||
			!(tick.chosen() && tick.kind == c.tick().kind || c.scale() && shape.fits(c)) {
			break
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least && !g.ownQuestions(rows) {
		g.alike(&family{stem: name[1] + "_" + strings.Trim(name[3], joints), members: rows, strong: true, bond: ByName})
	}
}

// rowWords stand in names in front of the number of a row.
var rowWords = set("row r item sq subq statement option opt line fila linha zeile ligne ítem aussage")

// numbersRow tells whether the ending of a name counts the rows of a question, as _Row2 does.
func numbersRow(ending string) bool {
	ending = strings.Trim(ending, "_.-")
	word := strings.TrimRight(ending, digits)
	return word != ending && rowWords[strings.ToLower(word)]
}

// twice tells whether all columns with a stem, a number and more behind it are those without more, asked again: each
// has the same ending, and a namesake without it and with the same answers.
func (g *guesser) twice(stem string) bool {
	const least = 3
	ending, n := "", 0
	bare := map[string]*column{}
	for _, c := range g.columns {
		if rest, found := strings.CutPrefix(c.code, stem); found && rest != "" && strings.Trim(rest, digits) == "" {
			bare[rest] = c
		}
	}
	for _, c := range g.columns {
		rest, found := strings.CutPrefix(c.code, stem)
		number := rest[:len(rest)-len(strings.TrimLeft(rest, digits))]
		if !found || number == "" || number == rest {
			continue
		}
		namesake, end := bare[number], rest[len(number):]
		if namesake == nil || ending != "" && end != ending {
			return false
		}
		shape := newShape()
		if shape.add(namesake); !shape.fits(c) {
			return false
		}
		ending = end
		n++
	}
	return n >= least
}

// inventory makes a grid of many columns that stand together, have the same answers and whose words are numbered from 1
// on, where their names are those of several constructs, each numbered from 1 on, too: N1 to N8 and then E1 to E8 with
// the words "9. ..." and so on. The numbers of the words are those of the items, and the constructs were told apart
// afterwards.
func (g *guesser) inventory(open []int) {
	const least, constructs = 8, 2
	var rows []member
	shape, kinds, stem, last := newShape(), 0, "", 0
	for _, i := range open {
		c := g.columns[i]
		m, name := itemNumber.FindStringSubmatch(c.Label), letteredNumber.FindStringSubmatch(c.code)
		if m == nil || name == nil || atoi(m[1]) != len(rows)+1 || c.taken || c.alone || len(rows) > 0 &&
			i != g.behind(rows) || !c.scale() || !shape.fits(c) {
			break
		}
		number := atoi(name[2])
		switch {
		case name[1] != stem && number == 1:
			kinds, stem = kinds+1, name[1]
		case name[1] != stem || number != last+1:
			return
		}
		shape.add(c)
		rows, last = append(rows, member{at: i}), number
	}
	if len(rows) >= least && kinds >= constructs && !g.onlyYesOrNo(rows) {
		g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: ByWords})
	}
}

var letteredNumber = regexp.MustCompile(`^(\pL+)[_.]?(\d{1,2})$`)

// statements tells whether columns under a stem and a number are statements with the same answers in words, four or
// more of them: those are rows of one question even where the stem is that of any.
func (g *guesser) statements(s stem) bool {
	const least, steps = 3, 4
	n, shape, last := 0, newShape(), -1
	for i, c := range g.columns {
		rest, found := strings.CutPrefix(c.code, s.text)
		if !found || rest == "" || strings.Trim(rest, digits) != "" {
			continue
		}
		if c.number || len(c.Labels) > 0 || len(c.values) < steps || !c.stated() || c.wording == "" ||
			last >= 0 && i != last+1 || !c.scale() || !shape.fits(c) {
			return false
		}
		shape.add(c)
		n, last = n+1, i
	}
	return n >= least
}

// counted tells whether most answers in words have a number in them, as "twice a week" has none and "2 a week" has.
func (c *column) counted() bool {
	n := 0
	for _, v := range c.values {
		n += btoi(strings.ContainsAny(v.text, digits))
	}
	return 2*n > len(c.values) && !slices.ContainsFunc(c.values, func(v value) bool { return len(v.text) > 40 })
}

// namedOn tells whether the column behind rows has a name that begins as that of the last of them: it may be another.
func (g *guesser) namedOn(rows []member) bool {
	const letters = 3
	next := g.behind(rows)
	return next < len(g.columns) &&
		len([]rune(commonPrefix(g.columns[next-1].code, g.columns[next].code))) >= letters
}

// plainWord tells whether a column has no name but a word.
func (c *column) plainWord() bool {
	return c.wording == "" && len([]rune(c.code)) >= 4 && !strings.ContainsAny(c.code, digits)
}

// lettersBelow makes a question of columns called as one in front of them with the letters a, b, c behind: what was
// asked those who said yes there, if as many answered each, in the same labels, and none is a whole question. Other
// columns may stand between two, as what was asked of each of them in turns does.
func (g *guesser) lettersBelow(open []int) {
	const least, between = 3, 2
	first := g.columns[open[0]]
	above := strings.TrimSuffix(strings.TrimSuffix(first.code, "a"), "A")
	if above == first.code || !strings.ContainsAny(above[max(0, len(above)-1):], digits) || !g.named(above) ||
		len(first.Labels) == 0 {
		return
	}
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		if i > rows[len(rows)-1].at+between+1 {
			break
		}
		next := above + string(rune('a'+len(rows)))
		if strings.EqualFold(c.code, next) && c.filled == first.filled && c.scale() && shape.fits(c) {
			shape.add(c)
			rows = append(rows, member{at: i})
		}
	}
	if len(rows) >= least && first.scale() && !g.ownQuestions(rows) {
		g.alike(&family{stem: above, members: rows, strong: true, bond: ByName})
	}
}

// firstItem is the name of the first item of an instrument, as API_1 is, and MPC1#2, where it was given again.
var firstItem = regexp.MustCompile(`^(.*\pL{3}[_.]?)1(#\d{1,2}|)$`)

// instruments makes grids of columns that stand together, are numbered from 1 on behind a name of three letters or more
// and have the same labels, three of them at least, or the steps of one scale: the items of an instrument, whatever
// their words have in common. Where these begin with headings, the headings divide them.
func (g *guesser) instruments() {
	const least = 5
	open := g.open()
	for n, i := range open {
		first := g.columns[i]
		name := firstItem.FindStringSubmatch(first.code)
		if name == nil || first.taken || generic[strings.ToLower(strings.Trim(name[1], joints))] {
			continue
		}
		var rows []member
		for k, j := range open[n:] {
			c := g.columns[j]
			if j != i+k || c.code != name[1]+strconv.Itoa(k+1)+name[2] {
				break
			}
			if c.alone || !slices.Equal(c.Labels, first.Labels) || !c.scale() || strings.Contains(c.wording, ":") {
				rows = nil // one that is none makes the others doubtful
				break
			}
			rows = append(rows, member{at: j})
		}
		if len(rows) >= least && (g.sameSteps(rows) || g.upToOneStep(rows)) {
			g.grid(strings.TrimRight(name[1], joints)+name[2], "", rows, Reason{Kind: ReasonRows, Bond: ByName})
		}
	}
}

// sameSteps tells whether columns that have the same labels, three or more, are answered by more than two of them,
// most of the columns.
func (g *guesser) sameSteps(rows []member) bool {
	const steps = 3
	n := 0
	for _, m := range rows {
		c := g.columns[m.at]
		n += btoi(len(c.Labels) >= steps && !c.tick().chosen())
	}
	return 2*n > len(rows)
}

// upToOneStep tells whether columns of numbers without labels are answered by the steps of one scale from 0 or 1 on, of
// which few respondents need not have taken the last in each of them, as they would have in nearly all if there are
// many. A column that gets to less than half of the steps is a question with other answers.
func (g *guesser) upToOneStep(rows []member) bool {
	const lowest, highest, many, some = 3, 10, 100, 40
	least, top, reached, most := float64(highest), 0.0, map[float64]int{}, int64(0)
	for _, m := range rows {
		c := g.columns[m.at]
		if !c.number || !c.integer || len(c.Labels) > 0 || c.Kind == Quantity || c.called() || c.least.Sign() < 0 ||
			g.counts(c) {
			return false
		}
		least, top, most = min(least, c.least.Float64()), max(top, c.ordinary()), max(most, c.filled)
		reached[c.ordinary()]++
	}
	if slices.ContainsFunc(rows, func(m member) bool { return 5*g.columns[m.at].filled < 4*most }) {
		return false // not all were asked together
	}
	for last := range reached {
		if 2*last <= top {
			return false
		}
	}
	enough := 2*reached[top] > len(rows)
	switch {
	case most >= many:
		enough = 10*reached[top] >= 9*len(rows)
	case most >= some:
		enough = 4*reached[top] >= 3*len(rows)
	}
	return least <= 1 && top >= lowest && top <= highest && enough
}
