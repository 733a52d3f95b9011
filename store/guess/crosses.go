package guess

import (
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Where names are crossed: the same was asked again under the same names, of one thing after the other.

// codedThing is the name of a thing in letters and a number, and of what was asked of it likewise, as OP12Q3 is.
var codedThing = regexp.MustCompile(`^(\pL{1,4})(\d{1,2})[-_.]?(\pL{1,3}\d{1,2})$`)

// codedThings makes a grid of what was asked of each of four things or more in codes, where the things and the
// questions have numbers behind letters: OP1Q1, OP1Q2, OP1Q3, OP2Q1 and so on. What was asked of a thing has answers of
// several kinds: answers of one kind are the rows of a section, whose number stands in front.
func (g *guesser) codedThings() {
	const leastThings, leastAsked, leastSteps = 4, 3, 3
	runs, ragged := g.things(func(c *column) (word, thing, asked string, ok bool) {
		m := codedThing.FindStringSubmatch(c.code)
		if m == nil || c.alone {
			return "", "", "", false
		}
		return m[1], m[2], m[3], true
	})
	for k, run := range runs {
		if ragged[k] || len(run) < leastThings || len(run[0].asked) < leastAsked ||
			g.alikeFrom(run[0].at[0], len(run[0].at)) {
			continue
		}
		for _, f := range questionsOf(run) {
			few := func(m member) bool { return len(g.columns[m.at].values) < leastSteps }
			if g.oneShape(f.members) && !slices.ContainsFunc(f.members, few) {
				g.alike(f)
			}
		}
	}
}

// listNumber is a name with the number that tells it from others with the same words.
var listNumber = regexp.MustCompile(`^(.*[^\d_])(_?)(\d{1,2})$`)

// listsAgain makes a grid of each list of four columns or more that stand together and are answered in one range of
// codes, where the same list stands in the file again, under the same names in the same order and with the next number
// behind each.
func (g *guesser) listsAgain() {
	for i := 0; i < len(g.columns); i++ {
		m := listNumber.FindStringSubmatch(g.columns[i].code)
		if m == nil || m[3] != "1" {
			continue
		}
		if _, again := g.at[m[1]+m[2]+"2"]; !again {
			continue
		}
		lists := g.listsFrom(i, m[1]+m[2])
		if len(lists) > 0 {
			i += len(lists[0]) - 1 // to look at each list once, however long it is
		}
		if len(lists) < 2 {
			continue
		}
		for _, rows := range lists { // in ranges that may differ by a step that nobody took
			g.grid(g.columns[rows[0].at].code, "", rows, Reason{Kind: ReasonRows, Bond: ByScale})
		}
	}
}

// listsFrom are a list from a column on, whose name begins so, and the same list with the next numbers.
func (g *guesser) listsFrom(at int, begin string) (lists [][]member) {
	for n := 1; ; n++ {
		list := g.listFrom(at, strconv.Itoa(n))
		if len(list) == 0 || n > 1 && !listedAgain(lists[0], list) {
			return lists
		}
		lists = append(lists, list)
		next, there := g.at[begin+strconv.Itoa(n+1)]
		if !there || next <= at {
			return lists
		}
		at = next
	}
}

// leastList is how many columns a list has at least that is asked again, and longList one whose numbers stand right
// behind words: shorter ones may be the scales of an inventory, of which a statement is asked of each in turn.
const leastList, longList = 4, 7

// listFrom is the list of columns from one on that stand together with one number behind their names.
func (g *guesser) listFrom(at int, number string) (rows []member) {
	least, most := 0.0, 0.0
	for i := at; i < len(g.columns); i++ {
		c := g.columns[i]
		m := listNumber.FindStringSubmatch(c.code)
		if m == nil || m[3] != number || c.taken || c.alone || !c.number || len(c.Labels) > 0 || !c.scale() ||
			len(c.values) < 3 || c.least.Float64() < 0 || c.most.Float64() > 10 {
			break
		}
		from, to := c.least.Float64(), c.most.Float64()
		if len(rows) == 0 {
			least, most = from, to
		}
		if least, most = min(least, from), max(most, to); from > least+1 || to < most-1 {
			break
		}
		rows = append(rows, member{at: i, name: m[1]})
	}
	if behind := listNumber.FindStringSubmatch(g.columns[at].code); len(rows) < leastList ||
		len(rows) < longList && behind[2] == "" {
		return nil
	}
	return rows
}

// listedAgain tells whether three in four of the names of a list stand in another in the same order.
func listedAgain(list, again []member) bool {
	both, at := 0, 0
	for _, m := range again {
		if found := slices.IndexFunc(list[at:], func(of member) bool { return of.name == m.name }); found >= 0 {
			both, at = both+1, at+found+1
		}
	}
	return 4*both >= 3*max(len(list), len(again)) && both >= leastList
}

// flags leaves out columns of 0 and 1 that tell of others whether something was done to them, such as that an answer
// was worked out, by the name of the other behind a few letters that are the same for all: ms_age, ms_income and
// ms_region beside age, income and region. These are of several kinds, or the letters would be a question about things.
func (g *guesser) flags() {
	const least, mostLetters = 8, 4
	flags := map[string][]int{}
	for i, c := range g.columns {
		if c.tick().kind != oneZero {
			continue
		}
		for end := range min(mostLetters+2, len(c.code)) {
			if of, there := g.at[c.code[end:]]; there && end > 0 && of != i {
				flags[c.code[:end]] = append(flags[c.code[:end]], i)
			}
		}
	}
	for _, begin := range slices.Sorted(maps.Keys(flags)) {
		list := flags[begin]
		numbers, steps := 0, 0
		for _, i := range list {
			of := g.columns[g.at[g.columns[i].code[len(begin):]]]
			numbers += btoi(!of.scale() && of.number)
			steps += btoi(of.scale() && !of.tick().chosen())
		}
		if len(list) < least || numbers == 0 || steps == 0 || 2*(numbers+steps) < len(list) {
			continue
		}
		parted := strings.HasSuffix(begin, "_") || strings.HasSuffix(begin, ".")
		for i, c := range g.columns { // those of columns that are not in the file, too
			if !c.taken && c.tick().kind == oneZero && (slices.Contains(list, i) || parted && strings.HasPrefix(c.code, begin)) {
				g.leave(i, Reason{Kind: ReasonFlag})
			}
		}
	}
}

// numberedMark is a name with the number of an option and a word behind it, as M1_2_dummy is.
var numberedMark = regexp.MustCompile(`^(.+_)(\d{1,2})_(\pL{2,})$`)

// ticksBesideAmounts makes a multiple choice of three options or more, in 0 and 1, each beside a column of numbers that
// has its name but for the word behind: M1_1_dummy and M1_2_dummy tell who said anything of M1_1 and of M1_2.
func (g *guesser) ticksBesideAmounts() {
	const least = 3
	options, order := map[string][]member{}, []string(nil)
	for _, i := range g.open() {
		c := g.columns[i]
		m := numberedMark.FindStringSubmatch(c.code)
		if m == nil || c.alone || c.tick().kind != oneZero {
			continue
		}
		at, there := g.at[m[1]+m[2]]
		if !there || !g.columns[at].number || g.columns[at].tick().chosen() {
			continue
		}
		question := m[1] + m[3]
		if options[question] == nil {
			order = append(order, question)
		}
		options[question] = append(options[question], member{at: i})
	}
	for _, question := range order {
		if rows := options[question]; len(rows) >= least {
			g.multi(question, "", rows, func(*column) string { return "1" }, Reason{Kind: ReasonOptions, Bond: ByBranch}, true)
		}
	}
}

// inventories are columns that follow one another in one range of codes, under the names of five constructs or more and
// the numbers of their items. They have to be found before columns are taken.
func (g *guesser) inventories() (all [][]int) {
	const least, constructs, steps = 8, 5, 4
	var run []int
	shape, begun := newShape(), map[string]bool{}
	flush := func() {
		if len(run) >= least && len(begun) >= constructs {
			all = append(all, run)
		}
		run, shape, begun = nil, newShape(), map[string]bool{}
	}
	for i, c := range g.columns {
		m := letteredNumber.FindStringSubmatch(c.code)
		fits := m != nil && !c.taken && !c.alone && c.number && len(c.Labels) == 0 && c.wording == "" && c.scale() &&
			len(c.values) >= steps
		if !fits || !shape.fits(c) {
			flush()
		}
		if fits {
			run, begun[m[1]] = append(run, i), true
			shape.add(c)
		}
	}
	flush()
	return all
}

// constructsLeft makes a grid of the items that stand alone among those of an inventory, most of which are rows of
// grids.
func (g *guesser) constructsLeft(inventories [][]int) {
	const share = 3
	for _, run := range inventories {
		var left []member
		for _, i := range run {
			if !g.columns[i].taken {
				left = append(left, member{at: i})
			}
		}
		if len(left) > 1 && share*len(left) <= len(run) {
			g.grid(g.columns[left[0].at].code, "", left, Reason{Kind: ReasonRows, Bond: ByScale})
		}
	}
}
