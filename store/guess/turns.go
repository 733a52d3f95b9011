package guess

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mostTurns is how many columns may take turns: the same questions asked of one thing after the other, or answers with
// what they were turned into beside each; and mostInLoop how many where the names number the things.
const mostTurns, mostInLoop = 4, 12

// mostRows is how many rows columns that take turns may make.
const mostRows = 300

// turns makes a grid of columns that have the same answers and a beginning of their words or names in common, or the
// steps of a known scale, and stand in every second, third or fourth place, between others that do so, too.
func (g *guesser) turns(open []int) {
	at := open[0]
	first := g.columns[at]
	if first.alone || g.turned[at] || !first.scale() {
		return
	}
	for every := 2; every <= mostInLoop && at+every < len(g.columns); every++ {
		bond, ok := g.kin(at, at+every)
		if every > mostTurns && (bond != ByName || !nextNumber(first.code, g.columns[at+every].code) ||
			g.alikeFrom(at, every)) {
			continue
		}
		if !ok || bond != ByName && bond != ByBranch && first.tick().chosen() { // yes and no need more in common
			continue
		}
		least := 4
		switch bond {
		case ByScale:
			least = 6
		case ByBranch:
			least = 5
		}
		rows := g.lane(at, every, bond)
		if len(rows) < least {
			continue
		}
		stem := strings.TrimSpace(g.common(rows))
		if m := aroundNumber.FindStringSubmatch(first.code); m != nil && bond == ByName {
			stem = m[1] + "_" + m[2]
		}
		if bond == ByBranch {
			stem = lastWord(first.code)
		}
		if len(stem) < 2 {
			stem = first.code
		}
		g.alike(&family{stem: stem, members: rows, strong: true, bond: bond})
		for _, m := range rows { // to no avail, if they are not taken
			g.turned[m.at] = true
		}
		return
	}
}

// lane lists the columns from one on that stand so many places apart and are of a kind with it; none, if one between
// them is, too.
func (g *guesser) lane(at, every int, bond Bond) []member {
	const enough = 4 // rows, beyond which some are looked for nearer by
	first, shape := g.columns[at], newShape()
	shape.add(first)
	rows := []member{{at: at}}
	follows := func(last, i int) bool {
		c := g.columns[i]
		b, ok := g.kin(at, i)
		return ok && b == bond && !c.taken && !c.named && !c.alone && !c.Virtual && c.scale() && shape.fits(c) &&
			(!g.asked(rows, c) || nextNumber(g.columns[last].code, c.code))
	}
	for last := at; len(rows) < mostRows; last = rows[len(rows)-1].at {
		i := last + every
		if bond == ByName && len(rows) >= enough { // of the last things less was asked
			for j := last + 1; j < min(i, len(g.columns)); j++ {
				code, next := g.columns[last].code, g.columns[j].code
				if nextNumber(code, next) && lettersOf(code) == lettersOf(next) {
					i = j
				}
			}
		}
		if i >= len(g.columns) || !follows(last, i) {
			break
		}
		c := g.columns[i]
		for j := last + 1; j < i; j++ {
			between := g.columns[j]
			if b, ok := g.kin(at, j); ok && b == bond && between.scale() && shape.fits(between) {
				return nil
			}
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	return rows
}

// alikeFrom tells whether so many columns from one on all have its answers: then they may be rows of one question.
func (g *guesser) alikeFrom(at, n int) bool {
	shape := newShape()
	shape.add(g.columns[at])
	return !slices.ContainsFunc(g.columns[at:at+n], func(c *column) bool { return !shape.fits(c) })
}

// saidAgain makes a grid of columns that stand apart from one another under the same words, behind which the reader
// puts numbers, where something else is asked again with them: the same was asked of one thing after the other.
func (g *guesser) saidAgain(open []int) {
	const least, fewest = 3, 4 // rows, and words
	first := g.columns[open[0]]
	said, is := strings.CutSuffix(first.code, "_1")
	if !is || first.alone || !first.scale() || len(strings.Fields(said)) < fewest {
		return
	}
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for {
		i, there := g.at[fmt.Sprintf("%s_%d", said, len(rows)+1)]
		if !there {
			break
		}
		c := g.columns[i]
		if i <= rows[len(rows)-1].at || c.taken || c.alone || !c.scale() || !shape.fits(c) {
			return
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least && g.withOthers(rows) {
		g.alike(&family{stem: first.code, label: said, members: rows, strong: true, bond: ByName})
	}
}

// withOthers tells whether one of the columns behind the first of some, up to the second, stands behind that again,
// under the same words and with the next number of the reader's, and both hold one of a few answers, too.
func (g *guesser) withOthers(rows []member) bool {
	for _, c := range g.columns[rows[0].at+1 : rows[1].at] {
		said, is := strings.CutSuffix(c.code, "_1")
		again, there := g.at[said+"_2"]
		if is && there && rows[1].at < again && again < rows[2].at && c.scale() && g.columns[again].scale() {
			return true
		}
	}
	return false
}

// nextNumber tells whether the second of two names is the first with the next number at its end: the same was asked of
// the next thing.
func nextNumber(name, next string) bool {
	return follows(name, next, numberedStem)
}

// kin tells whether two columns may be rows of one grid, and by what: names that are one word and a number, that have
// the number of a question in front, which the column behind the first has not, or that are two words around a number;
// four words at the beginning; names that end with one word, as those behind them do with another; halves of the
// respondents that were asked the same; or the steps of a known scale in words.
func (g *guesser) kin(at, other int) (Bond, bool) {
	a, b, behind := g.columns[at], g.columns[other], g.columns[at+1]
	name := strings.TrimRight(a.code, digits)
	if name == strings.TrimRight(b.code, digits) && name != a.code && len(name) >= 3 && !strings.Contains(name, " ") &&
		!generic[strings.ToLower(name)] {
		return ByName, true
	}
	if slices.ContainsFunc(g.stems(a.code), func(s stem) bool {
		return s.behind == '_' && s.strong && s.holds(b.code) && !s.holds(behind.code)
	}) {
		return ByName, true
	}
	m, n := aroundNumber.FindStringSubmatch(a.code), aroundNumber.FindStringSubmatch(b.code)
	if m != nil && n != nil && m[1] == n[1] && m[2] == n[2] && !generic[strings.ToLower(m[1])] {
		return ByName, true
	}
	x, y := words(cmp.Or(a.wording, a.code)), words(cmp.Or(b.wording, b.code))
	if n := commonWords(x, y); n >= 4 && n < len(x) && n < len(y) {
		return ByWords, true
	}
	if g.endsInTurn(at, other) || g.inHalves(at, other) {
		return ByBranch, true
	}
	steps := func(c *column) bool { return !c.number && len(c.Labels) == 0 && c.scale() && c.ordered() != nil }
	return ByScale, steps(a) && steps(b) && len(a.values) >= 4
}

// endsInTurn tells whether the names of two columns are words of which the last is the same, and those of the columns
// behind them too, with another last one: rice_eaten, rice_price, beans_eaten, beans_price. Names with numbers are none
// of words, and what stands behind any question is no last one, as in fruit_code and fruit_text.
func (g *guesser) endsInTurn(at, other int) bool {
	if other+1 >= len(g.columns) {
		return false
	}
	end := func(i int) string {
		code := g.columns[i].code
		word := lastWord(code)
		if strings.ContainsAny(code, digits) || recoded[strings.ToLower(word)] {
			return ""
		}
		return word
	}
	word, behind := end(at), end(at+1)
	return word != "" && behind != "" && word != behind && end(other) == word && end(other+1) == behind
}

// inHalves tells whether two columns, each with one beside it that asks the same under the same name with a letter
// behind it, the same for both, were put to one half of the respondents, while what stands beside them was put to the
// other half, often with another scale: var433, var433s, var439, var439s.
func (g *guesser) inHalves(at, other int) bool {
	letter := func(i int) string { // behind the name of column i, in the one after it
		if i < 0 || i+1 >= len(g.columns) {
			return ""
		}
		a, b := g.columns[i], g.columns[i+1]
		rest, found := strings.CutPrefix(strings.ToLower(b.code), strings.ToLower(a.code))
		asked := a.bareLabel()
		if !found || len(rest) != 1 || rest[0] < 'a' || rest[0] > 'z' || asked == "" || asked != b.bareLabel() {
			return ""
		}
		return rest
	}
	for _, behind := range []int{0, -1} {
		if l := letter(at + behind); l != "" && l == letter(other+behind) {
			return true
		}
	}
	return false
}

// aroundNumber is a name of a thing, its number and what was asked of it, as Video_1_known is.
var aroundNumber = regexp.MustCompile(`^(\pL{3,})[_. ]?\d{1,2}[_. ](\pL{3,})$`)

// sectionNumber is the number of a section in front of the number of a thing, as in "2.3 Floods".
var sectionNumber = regexp.MustCompile(`^\s*(\d{1,2})\.\d{1,2}\b`)

// acrossThings turns groups called thing[what] round where the same two to five are asked of each of many things, with
// a number in front that counts them: then each is a question about all things of a section, whose rows are the things.
func (g *guesser) acrossThings(groups map[string][]member, order []string) (map[string][]member, []string) {
	const many, fewest, most = 8, 2, 5
	asked := map[string]int{} // of how many things the same is asked
	whats := func(stem string) string {
		var list []string
		for _, m := range groups[stem] {
			list = append(list, m.name)
		}
		if len(list) < fewest || len(list) > most || slices.Contains(list, "") || !sectionNumber.MatchString(stem) ||
			!g.oneShape(groups[stem]) {
			return ""
		}
		return strings.Join(list, "\x00")
	}
	for _, stem := range order {
		asked[whats(stem)]++
	}
	var turned []string
	for _, stem := range order {
		if what := whats(stem); what == "" || asked[what] < many {
			turned = append(turned, stem)
			continue
		}
		section := sectionNumber.FindStringSubmatch(stem)[1]
		for _, m := range groups[stem] {
			code := section + " " + m.name
			if !slices.Contains(turned, code) {
				turned = append(turned, code)
			}
			groups[code] = append(groups[code], member{at: m.at, name: stem})
		}
		delete(groups, stem)
	}
	return groups, turned
}

// table divides the columns of one question whose names are those of the cells of a table, "row - column", each cell
// once: answers on a scale make a grid of each of its columns, options a multiple choice of each of its rows.
func (g *guesser) table(members []member) [][]member {
	const between, fewest = " - ", 2
	parts, rows, columns := map[string][]member{}, map[string]bool{}, map[string]bool{}
	var order []string
	options := g.columns[members[0].at].tick().chosen()
	for _, m := range members {
		cut, c := strings.LastIndex(m.name, between), g.columns[m.at]
		if cut <= 0 || !c.scale() || c.tick().chosen() != options {
			return [][]member{members}
		}
		row, column := m.name[:cut], m.name[cut+len(between):]
		rows[row], columns[column] = true, true
		in := member{m.at, row}
		if options {
			column, in.name = row, column
		}
		if parts[column] == nil {
			order = append(order, column)
		}
		parts[column] = append(parts[column], in)
	}
	if len(rows) < fewest+1 || len(columns) < fewest || len(rows)*len(columns) != len(members) {
		return [][]member{members}
	}
	var list [][]member
	for _, part := range order {
		list = append(list, parts[part])
	}
	return list
}

// numberedOn tells whether a column and the one behind it or before it are a letter or a word with numbers that go on.
func (g *guesser) numberedOn(i int) bool {
	stem, number := numberedStem(parts(g.columns[i].code))
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(g.columns) || number < 0 {
			continue
		}
		if other, n := numberedStem(parts(g.columns[j].code)); other == stem && n == number+j-i {
			return true
		}
	}
	return false
}

// inVain tells whether a finder has walked over a column and found nothing that begins in front of it: to walk once
// more from each of many columns would take time by their square.
func (g *guesser) inVain(finder string, at int) bool {
	last, walked := g.walked[finder]
	return walked && at <= last
}
