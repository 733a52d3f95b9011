package guess

import (
	"slices"
	"strings"
)

// What respondents said in several columns at once, as far as a bounded sample of rows tells.

// crossing is what columns without labels say in some of the rows, every so manieth of the file: yes, no or something
// else. It is what tells options of one question by how they were chosen together, whatever they are called.
type crossing struct {
	states          []byte // of each column in the first row, in the second and so on
	width           int    // columns
	most            int    // rows that are kept
	stride, skipped int
}

// What a column says in a row.
const (
	saysNothing = iota
	saysNo
	saysYes
	saysElse
)

// newCrossing makes room for the columns of a file: rows by the thousand, or as many as fit in two megabytes.
func newCrossing(columns int) *crossing {
	const rows, cells = 1 << 10, 1 << 21
	return &crossing{width: columns, most: min(rows, cells/max(1, columns)) &^ 1, stride: 1}
}

// take sees the row that the columns saw last.
func (k *crossing) take(columns []*column) {
	if k.skipped++; k.skipped < k.stride || k.most == 0 {
		return
	}
	k.skipped = 0
	if k.rows() == k.most {
		for row := range k.most / 2 {
			copy(k.states[row*k.width:(row+1)*k.width], k.row(2*row+1))
		}
		k.states = k.states[:k.most/2*k.width]
		k.stride *= 2
	}
	for _, c := range columns {
		k.states = append(k.states, c.says())
	}
}

func (k *crossing) rows() int { return len(k.states) / k.width }

func (k *crossing) row(i int) []byte { return k.states[i*k.width : (i+1)*k.width] }

// says tells what the column said in the row that it saw last, if it says no more than yes and no.
func (c *column) says() byte {
	const most = 2 // different values
	switch {
	case c.last < 0 && c.last != isMore:
		return saysNothing
	case c.last == isMore, c.many, len(c.values) > most, len(c.Labels) > 0:
		return saysElse
	}
	switch text := c.values[c.last].text; {
	case text == "1", isYes(text):
		return saysYes
	case isNo(text):
		return saysNo
	}
	return saysElse
}

// oneOfThem makes a multiple choice of columns that stand together and say yes or no, of which nearly everyone said yes
// to one and hardly anyone to two: they are the answers of one question with a column each, whatever they are called.
// Columns that seldom say yes exclude each other by chance: these have to do so where chance would not. Two columns may
// be a question and what is left of it.
func (g *guesser) oneOfThem(open []int) {
	const least, most, leastRows = 3, 100, 30
	k := g.sample
	if k == nil || k.width == 0 || k.rows() < leastRows || !g.mayExclude(open[0]) {
		return
	}
	said := make([]int, k.rows()) // how many of the columns said yes in a row
	asked := make([]bool, k.rows())
	for row := range said {
		asked[row] = k.row(row)[open[0]] != saysNothing
		said[row] = btoi(k.row(row)[open[0]] == saysYes)
	}
	rows := []member{{at: open[0]}}
	for _, i := range open[1:min(len(open), most)] {
		if i != rows[len(rows)-1].at+1 || !g.mayExclude(i) || !k.excludes(i, said, asked) {
			break
		}
		for row := range said {
			said[row] += btoi(k.row(row)[i] == saysYes)
		}
		rows = append(rows, member{at: i})
	}
	all, one, several := 0, 0, 0
	for row, n := range said {
		all += btoi(asked[row])
		one += btoi(n == 1)
		several += btoi(n > 1)
	}
	if len(rows) >= least && 20*one >= 17*all && 50*several <= all {
		g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: Excluding})
	}
}

// zerosAndOnes makes multiple choices of columns of 0 and 1, or of what was chosen and not chosen in so many words,
// that stand together and that nothing else holds together: five of them or more, to which the same respondents have
// answers. Questions of yes and no that are asked in a row have labels, or words of their own as answers. One within
// may be an option that nobody chose, or everybody; a few behind the last may be such that nobody chose, and so may one
// of five. Columns with labels of their own, but none of what 0 and 1 mean, are no questions either where exactly the
// same respondents have no answer in any of them: codes of what was answered in words are such.
func (g *guesser) zerosAndOnes() {
	const least, leastRows = 5, 30
	k := g.sample
	if k == nil || k.width == 0 || k.rows() < leastRows {
		return
	}
	var run []member
	chosen, end := 0, 0 // how many of the run anybody chose, and where it ends with one
	for i := 0; i <= len(g.columns); i++ {
		state := notZeroOrOne
		if i < len(g.columns) && (len(run) == 0 || g.askedWith(run[0].at, i)) {
			state = g.zeroOrOne(i)
		}
		if state == notZeroOrOne && g.followsOn(run, i) {
			continue
		}
		if state == notZeroOrOne {
			if chosen == least-1 && len(run) == least && g.fourAndNobody(run) {
				chosen, end = least, least // nobody chose the one of five that is left
			}
			if chosen >= least {
				for end < len(run) && 2*(len(run)-end) <= chosen && g.columns[run[end].at].onlyNo() {
					end++ // nobody chose the last ones either
				}
				g.alike(&family{stem: g.columns[run[0].at].code, members: run[:end], strong: true, bond: AskedAlike})
			}
			run, chosen, end = nil, 0, 0
			if i < len(g.columns) {
				state = g.zeroOrOne(i)
			}
		}
		if state == chosenByNobodyOrAll && len(run) == 0 || state == notZeroOrOne {
			continue
		}
		if run = append(run, member{at: i}); state == chosenBySome {
			chosen, end = chosen+1, len(run)
		}
	}
}

// followsOn tells whether a column goes on from the last of a run, of those who said yes to it: it is called as that
// with a word behind it, as milk_times is behind milk, and so many respondents have an answer at most.
func (g *guesser) followsOn(run []member, i int) bool {
	if len(run) == 0 || i == len(g.columns) {
		return false
	}
	c, option := g.columns[i], g.columns[run[len(run)-1].at]
	ending, found := strings.CutPrefix(c.code, option.code+"_")
	return found && ending != "" && !strings.ContainsAny(ending, digits) && c.filled <= option.times(1)
}

// fourAndNobody tells whether columns of 0 and 1, but for one of nothing but 0, may be options: none is called as what
// respondents are.
func (g *guesser) fourAndNobody(run []member) bool {
	return !slices.ContainsFunc(run, func(m member) bool {
		c := g.columns[m.at]
		return has(words(c.code), dummyWords) || len(c.values) == 1 && c.values[0].text != "0"
	})
}

// askedWith tells whether the same respondents have answers in two columns, or nearly so if neither has a label.
func (g *guesser) askedWith(i, j int) bool {
	if g.columns[i].Label == "" && g.columns[j].Label == "" {
		return g.sample.askedAlike(i, j)
	}
	return g.sample.askedSame(i, j)
}

// What is in a column that may be an option.
const (
	notZeroOrOne = iota
	chosenByNobodyOrAll
	chosenBySome
)

// zeroOrOne tells whether a column that is in no question yet holds 0 and 1, or one of them alone, and asks nothing.
func (g *guesser) zeroOrOne(i int) int {
	c := g.columns[i]
	switch {
	case c.questions() || strings.Contains(c.Name, "?"):
		return notZeroOrOne
	case c.saysChosen():
		if c.taken || c.alone {
			return notZeroOrOne
		}
		return chosenBySome
	case c.Label != "":
		if c.taken || c.alone || len(c.Labels) > 0 || c.filled == c.rows() || c.fact() ||
			has(words(c.code), dummyWords) || c.tick().kind != oneZero {
			return notZeroOrOne
		}
		return chosenBySome
	case g.mayExclude(i) && (c.tick().kind == oneZero || c.logical()):
		return chosenBySome
	case !c.taken && !c.alone && len(c.Labels) == 0 && c.Label == "" && len(c.values) == 1 &&
		(c.onlyNo() || c.values[0].text == "1" || isTrue(c.values[0].text)):
		return chosenByNobodyOrAll
	}
	return notZeroOrOne
}

// dummyWords are what respondents are, in names of columns that say so by 0 and 1.
var dummyWords = set(`female male woman man urban rural college degree married single divorced widowed parent children
	employed unemployed retired student foreign citizen migrant white black hispanic asian treat treated treatment control
	dummy owner smoker disabled insured poor rich young old`)

// logical tells whether a column holds true and false as programs write them.
func (c *column) logical() bool {
	return len(c.values) == 2 && !slices.ContainsFunc(c.values, func(v value) bool {
		return !isTrue(v.text) && !isFalse(v.text)
	})
}

// isTrue and isFalse tell whether a text is true or false as R, Excel and Python write it.
func isTrue(text string) bool  { return text == "TRUE" || text == "True" }
func isFalse(text string) bool { return text == "FALSE" || text == "False" }

// onlyNo tells whether a column holds 0 and nothing else, or false as programs write it.
func (c *column) onlyNo() bool {
	text := c.onlyText()
	return text == "0" || isFalse(text)
}

// askedAlike tells whether nearly all respondents who said something in one of two columns did so in both.
func (k *crossing) askedAlike(a, b int) bool {
	all, apart := 0, 0
	for n := range k.rows() {
		row := k.row(n)
		all += btoi(row[a] != saysNothing)
		apart += btoi((row[a] != saysNothing) != (row[b] != saysNothing))
	}
	return 50*apart <= all
}

// askedSame tells whether the same respondents said something in both of two columns.
func (k *crossing) askedSame(a, b int) bool {
	for n := range k.rows() {
		if row := k.row(n); (row[a] != saysNothing) != (row[b] != saysNothing) {
			return false
		}
	}
	return true
}

// mayExclude tells whether a column says yes and no, both, and has no labels that tell more of it.
func (g *guesser) mayExclude(i int) bool {
	c := g.columns[i]
	if c.taken || c.alone || len(c.Labels) > 0 || c.Label != "" || c.filled == 0 {
		return false
	}
	kind := c.tick().kind
	return kind == oneZero || kind == yesNo
}

// excludes tells whether a column was asked where others were, and says yes where none of them does: chance would have
// let both do so in several rows.
func (k *crossing) excludes(column int, said []int, asked []bool) bool {
	const byChance = 4 // rows, at least
	all, before, here, both, apart := 0, 0, 0, 0, 0
	for row := range said {
		state := k.row(row)[column]
		if state == saysElse {
			return false
		}
		apart += btoi((state != saysNothing) != asked[row])
		all += btoi(asked[row])
		before += btoi(said[row] > 0)
		here += btoi(state == saysYes)
		both += btoi(said[row] > 0 && state == saysYes)
	}
	return 50*apart <= all && here > 0 && before*here >= byChance*all && 50*both <= all && 4*both*all <= before*here
}

// askedOthers divides the columns of a family, as grids on one scale stand one behind the other, where others answer
// than before: nearly all who answered one of the columns on one side answered the next one, too, and many of them none
// on the other side. The parts are three columns at least, or there are none.
func (g *guesser) askedOthers(members []member) (parts [][]member) {
	const least, leastRows, within, across = 3, 30, 20, 5 // columns, rows, one in so many, and one in so many
	k := g.sample
	if k == nil || k.width == 0 || k.rows() < leastRows || len(members) < 2*least {
		return nil
	}
	part := members[:1:1]
	for n := 1; n < len(members); n++ {
		any, one := k.askedOnce(members[n-1].at, members[n].at)
		switch {
		case any < leastRows:
			return nil
		case across*one >= any:
			parts, part = append(parts, part), nil
		case within*one > any:
			return nil
		}
		part = append(part, members[n])
	}
	if parts = append(parts, part); len(parts) < 2 {
		return nil
	}
	for _, p := range parts {
		if len(p) < least {
			return nil
		}
	}
	return parts
}

// askedOnce is in how many rows any of two columns has an answer, and in how many only one has.
func (k *crossing) askedOnce(i, j int) (any, one int) {
	for row := range k.rows() {
		states := k.row(row)
		a, b := states[i] != saysNothing, states[j] != saysNothing
		any += btoi(a || b)
		one += btoi(a != b)
	}
	return any, one
}
