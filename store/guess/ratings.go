package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Grids of things and statements that are answered on one scale, and have no name or word in common.

// enumerated makes a grid of columns that stand together, each with a statement that is numbered from 1 on, and
// answered on one scale of numbers, or of words that are known to be one: what had to be done with them was left out of
// the names. Whole questions are such statements where they are many and all go to both ends of the scale.
func (g *guesser) enumerated(open []int) {
	const least, asking = 5, 10
	first := g.columns[open[0]]
	questions, inWords := false, !first.number && len(first.Labels) == 0 && first.ladder()
	var rows []member
	shape := newShape()
	for _, i := range open {
		c := g.columns[i]
		if len(rows) > 0 && c.checks() {
			continue
		}
		m := itemNumber.FindStringSubmatch(c.Name)
		if c.taken || len(rows) > 0 && i != g.behind(rows) || m == nil || atoi(m[1]) != len(rows)+1 ||
			!c.stepping() && !(inWords && c.rung()) || !shape.fits(c) || len(strings.Fields(c.wording)) < 3 {
			break
		}
		if strings.Contains(c.wording, "?") {
			questions = true
			if inWords && len(c.values) != len(first.values) ||
				!inWords && (c.least.Cmp(first.least) != 0 || c.most.Cmp(first.most) != 0 || c.ordinary() < 5) {
				break
			}
		}
		shape.add(c)
		rows = append(rows, member{at: i})
	}
	if len(rows) >= asking || len(rows) >= least && !questions {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
	}
}

// rated makes a grid of many columns that stand together, each a thing with a number on one scale below it, where most
// of them were rated by the same respondents, and not by everyone, and none by more: the question was left out of the
// names. Where the names are words, as statements and titles are, it does not matter who rated them, and statements
// that end with a full stop may be three.
func (g *guesser) rated(open []int) {
	const least = 5
	first := g.columns[open[0]]
	if !first.rating() || g.numberedQuestion(first) {
		return
	}
	rows, worded, same, shape := []member{{at: open[0]}}, first.titled(), 1, newShape()
	some := !worded && first.filled < first.rows() && first.short()
	if !worded && !some {
		return
	}
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		if c.checks() {
			continue
		}
		if !worded && g.numberedOn(i) && !strings.HasPrefix(first.code, strings.TrimRight(c.code, digits)) {
			break // a row of another question
		}
		if c.taken || i != g.behind(rows) || !c.rating() || worded && !(c.titled() && shape.fits(c)) || !worded &&
			(!c.short() || c.filled > first.filled || 4*c.filled < first.filled ||
				c.ordinary() != first.ordinary() && !(c.ordinary() == first.ordinary()-1 && shape.fits(c))) {
			break
		}
		shape.add(c)
		same += btoi(c.filled == first.filled)
		rows = append(rows, member{at: i})
	}
	stated := func(m member) bool { return strings.HasSuffix(strings.TrimSpace(g.columns[m.at].Name), ".") }
	few := len(rows) >= 3 && !slices.ContainsFunc(rows, func(m member) bool { return !stated(m) })
	if worded && (few || len(rows) >= least) || some && same >= least && 2*same > len(rows) {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
	}
}

// wordAndWords is a name of words, the first of which may name a question, and perhaps of the wave.
var wordAndWords = regexp.MustCompile(`^(\pL{3,})_\pL[\pL_]*(?:_(?:wave|w|t)\d)?$`)

// underOneWord makes a grid of four columns or more that stand together, whose names are words of which the first is
// the same, and that hold the same five steps or more of one scale without labels.
func (g *guesser) underOneWord(open []int) {
	const least, steps = 4, 5
	var rows []member
	word := ""
	for _, i := range open {
		c := g.columns[i]
		m := wordAndWords.FindStringSubmatch(c.code)
		if m == nil || c.taken || c.alone || c.many || !c.number || !c.integer || len(c.Labels) > 0 || !c.scale() ||
			len(c.values) < steps || len(rows) > 0 && (i != rows[len(rows)-1].at+1 || m[1] != word ||
			len(c.values) != len(g.columns[rows[0].at].values) || !c.has(g.columns[rows[0].at])) {
			break
		}
		word = m[1]
		rows = append(rows, member{at: i, name: c.code[len(word)+1:]})
	}
	if len(rows) >= least && !verbs[strings.ToLower(word)] && !generic[strings.ToLower(word)] {
		g.alike(&family{stem: word, members: rows, strong: true, bond: ByName})
	}
}

// manyAlike makes a grid of many columns, eight, six with more than three steps, five with five or four with seven or
// more, that stand together, without labels or numbers in their names, and with the same steps of a scale in each, from
// the first to the last: so many questions of their own are never answered alike. Behind eight with a long scale those
// belong to them, too, that so few answered that some of the steps were not taken.
func (g *guesser) manyAlike(open []int) { g.manyOf(open, false) }

// numberedAlike does so with columns that no other rule has for its own, though their names are numbers that go on:
// those may be the numbers of statements, where eight have five steps or more and as many respondents.
func (g *guesser) numberedAlike() {
	open := g.open()
	for k, i := range open {
		if !g.columns[i].taken && strings.ContainsAny(g.columns[i].code, digits) {
			g.manyOf(open[k:], true)
		}
	}
}

// manyOf is what manyAlike and numberedAlike have in common.
func (g *guesser) manyOf(open []int, numbered bool) {
	const many, fewer, several, few = 8, 6, 5, 4 // columns
	const fewest, middle, long = 3, 5, 7         // steps
	const seldom, lacking = 100, 2               // respondents who may not have taken all steps, and how many of these
	const named, letters, others = 3, 3, 2       // columns whose names begin alike, by so many letters, and by fewer
	first := g.columns[open[0]]
	var rows []member
	alike := func(c *column) bool {
		if c.taken || c.alone || c.many || !c.number || !c.integer || len(c.Labels) > 0 || !c.scale() || c.questions() ||
			len(c.values) < fewest {
			return false
		}
		behind := len(rows) >= many && len(first.values) >= long
		switch n := len(rows); {
		case numbered:
			if len(first.values) < middle || n > 0 && !nextName(g.columns[rows[n-1].at].Name, c.Name) ||
				10*max(c.filled-first.filled, first.filled-c.filled) > first.filled {
				return false
			}
		case strings.ContainsAny(c.code, digits) && !(behind && modelNumber.MatchString(c.code)):
			return false
		}
		from, to := c.least.Cmp(first.least), c.most.Cmp(first.most)
		if behind && c.filled < seldom && len(c.values) >= middle && from >= 0 && to <= 0 &&
			4*c.most.Float64() >= 3*first.most.Float64() {
			return true
		}
		lacks := max(len(c.values), len(first.values)) - min(len(c.values), len(first.values))
		return from == 0 && to == 0 && (lacks == 0 || c.filled < seldom && len(first.values) >= long && lacks <= lacking ||
			len(first.values) >= middle && lacks <= lacking && c.butRare(first) && first.butRare(c))
	}
	begun := first.code // what the names have in common
	for _, i := range open {
		c := g.columns[i]
		if len(rows) > 0 && c.checks() {
			continue
		}
		if len(rows) > 0 && i != g.behind(rows) || !alike(c) {
			break
		}
		begin := commonPrefix(begun, c.code)
		if len(rows) >= named && len(begun) >= letters && len(begin) < others {
			break // another question
		}
		begun = begin
		rows = append(rows, member{at: i})
	}
	least := many
	switch steps := len(first.values); {
	case numbered:
	case steps >= long:
		least = few
	case steps >= middle:
		least = several
	case steps > fewest:
		least = fewer
	}
	if len(rows) >= least {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
	}
}

// butRare tells whether another column has the values of the column but for those that one in fifty gave at the most.
func (c *column) butRare(o *column) bool {
	return !slices.ContainsFunc(c.values, func(v value) bool { return o.unseen(v.text) && 50*v.n > c.filled })
}

// untaken makes a grid of many columns that stand together, answered by so few that steps of the scale are left out in
// some of them: whole numbers from 1 on without a label, under short names that ask nothing, have no number and tell no
// fact about respondents. Most of the columns go up to the last step, and the others to the one before it, or to an
// earlier one that hardly anyone took.
func (g *guesser) untaken(open []int) {
	const least, mostAnswered, steps, long = 12, 100, 3, 40 // columns, respondents, answers in each, and letters of a name
	first := g.columns[open[0]]
	if first.filled >= mostAnswered || g.inVain("untaken", open[0]) {
		return
	}
	var rows []member
	tops := map[string]int{}
	for _, i := range open {
		c := g.columns[i]
		if len(rows) > 0 && c.checks() {
			continue
		}
		if len(rows) > 0 && i != g.behind(rows) || c.taken || c.alone || c.many || !c.number || !c.integer || c.fact() ||
			len(c.Labels) > 0 || !c.scale() || len(c.values) < steps || c.questions() || c.least.Float64() < 1 ||
			utf8.RuneCountInString(c.Name) > long || strings.ContainsAny(c.code, digits) || c.filled != first.filled {
			break
		}
		tops[c.most.String()]++
		rows = append(rows, member{at: i})
	}
	if len(rows) > 1 {
		g.walked["untaken"] = rows[len(rows)-1].at
	}
	if len(rows) < least {
		return
	}
	top := g.columns[slices.MaxFunc(rows, func(a, b member) int {
		return g.columns[a.at].most.Cmp(g.columns[b.at].most)
	}).at].most
	if 2*tops[top.String()] <= len(rows) || top.Float64() < 4 || slices.ContainsFunc(rows, func(m member) bool {
		const rare = 7 // of so many respondents one at most
		c := g.columns[m.at]
		return c.most.Float64() < top.Float64()-1 && rare*c.times(c.most.Float64()) > c.filled
	}) {
		return
	}
	g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
}

// modelNumber is a name with a number of three digits or more, as things have that were rated, and counts have not.
var modelNumber = regexp.MustCompile(`^\D*\d{3,}\D*$`)

// mostAlike is how many columns with the same words in each may stand together in a grid: more are a table of something
// else, and to compare each with all would take minutes.
const mostAlike = 200

// wordsAlike makes a grid of columns that stand together under names and not questions, each with the same words and
// no others, four of them at least: four columns, or three whose names begin with the same four letters, or with five
// answers whose names begin with the same two or of whose answers most have a number, as those that tell how often
// have.
func (g *guesser) wordsAlike(open []int) {
	const most, few, many = 12, 3, 4
	first := g.columns[open[0]]
	alike := func(c *column) bool {
		return !c.taken && !c.alone && !c.many && !c.number && len(c.Labels) == 0 && c.scale() && !c.questions() &&
			len(c.values) >= 4 && len(c.values) <= most && len(c.values) == len(first.values) &&
			!slices.ContainsFunc(c.values, func(v value) bool { return first.unseen(v.text) })
	}
	letters := func(rows []member) int { // that the names begin with
		prefix := first.code
		for _, m := range rows {
			prefix = commonPrefix(prefix, g.columns[m.at].code)
		}
		return len(prefix)
	}
	for n, i := range open {
		if !alike(g.columns[i]) {
			break
		}
		if n == mostAlike {
			return
		}
	}
	var rows []member
	for _, i := range open {
		if len(rows) > 0 && (i != g.behind(rows) || g.ownRun(i)) || !alike(g.columns[i]) {
			break
		}
		more := append(rows[:len(rows):len(rows)], member{at: i})
		if len(rows) > 1 && letters(rows) >= 2 && letters(more) < 2 {
			break // another question
		}
		rows = more
	}
	if len(rows) >= many || len(rows) == few && (letters(rows) >= 4 || len(first.values) > 4 && (letters(rows) >= 2 ||
		first.counted() && !g.namedOn(rows))) {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
	}
}

// rating tells whether a column holds steps of a scale from 1 to 4 or more, without a label, under words that are no
// question.
func (c *column) rating() bool {
	return c.stepping() && !strings.HasSuffix(strings.TrimSpace(c.Name), "?")
}

// stepping tells whether a column holds steps of a scale from 1 to 4 or more, without a label.
func (c *column) stepping() bool {
	return !c.alone && len(c.Labels) == 0 && c.number && c.scale() && c.least.Float64() >= 0 && c.ordinary() >= 4
}

// short tells whether a column's name is short enough for that of a thing.
func (c *column) short() bool { return utf8.RuneCountInString(c.Name) <= 80 }

// titled tells whether a column has no name but words, three of them at least, as statements and titles have.
func (c *column) titled() bool {
	return c.code == c.wording && len(strings.Fields(c.wording)) >= 3 && !strings.Contains(c.wording, "?")
}

// outOfTen tells whether columns under one number hold marks out of ten, also those of which most are the lowest: the
// values without a label go up to ten in all of them, and in two most are marks in the middle.
func (g *guesser) outOfTen(f *family) bool {
	const least, top = 2, 10
	if !f.strong {
		return false
	}
	graded := 0
	for _, m := range f.members {
		c := g.columns[m.at]
		if !c.number || !c.integer || c.many {
			return false
		}
		highest := 0
		for _, v := range c.values {
			if c.labels.names[v.text] == "" {
				highest = max(highest, atoi(v.text))
			}
		}
		if highest != top {
			return false
		}
		graded += btoi(c.graded())
	}
	return graded >= least
}
