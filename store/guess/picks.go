package guess

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What was picked first, second and so on from one list, where nothing but numbers or letters behind the names of the
// columns says so.

// numberBehind is a name with a number from 1 to 25 behind it, in two digits where a question's number stands before
// it; letterBehind is one with a question's number and a letter from A to Y.
var (
	numberBehind = regexp.MustCompile(`^(.*[^\d])0?([1-9]|1\d|2[0-5])$|^(.*\d)(0[1-9]|1\d|2[0-5])$`)
	letterBehind = regexp.MustCompile(`^(.*\d_?)([A-Ya-y])$`)
)

// numberInLabel is the number of a question as labels have it in front of its words in a way of their own: "Preg.1.2.-"
// of a column called p1_2.
var numberInLabel = regexp.MustCompile(`^(?:\pL{1,8}[. ]{0,2})?\d+(?:[._ ]?(?:\d{1,2}|\pL))?\s*[.)\-–:_]+\s*`)

// withoutNumber is a label without the number of the question in front of its words.
func withoutNumber(label string) string { return label[len(numberInLabel.FindString(label)):] }

// picks lists groups of columns near each other whose names differ in a number from 1 on, and whose labels are the same
// but for such a number, or in a letter from A on: two to 25 columns, of which none is in a group that is known. They
// stand in the order of their numbers; letters need not.
func (f *File) picks(known [][]int) (groups [][]int) {
	const most = 25
	taken := map[int]bool{}
	for _, group := range known {
		for _, i := range group {
			taken[i] = true
		}
	}
	named := map[string]bool{}
	for i := range f.Columns {
		named[f.Columns[i].Name] = true
	}
	for i := range f.Columns {
		if group := f.nameless(i); len(group) >= 2 && len(group) <= most && !taken[i] {
			groups = append(groups, group)
			continue
		}
		stem, label, number := f.Columns[i].numberedPick()
		if number != 1 || taken[i] {
			continue
		}
		group, lettered := []int{i}, letterBehind.MatchString(f.Columns[i].Name)
		for j := i + 1; j < len(f.Columns) && j <= group[len(group)-1]+mostBetween+1; j++ {
			otherStem, otherLabel, number := f.Columns[j].numberedPick()
			next := number == len(group)+1 || lettered && number > 1
			if !taken[j] && next && otherStem == stem && otherLabel == label {
				group = append(group, j)
			}
		}
		if len(group) >= 2 && len(group) <= most && !named[stem+strconv.Itoa(most+1)] {
			groups = append(groups, group)
		}
	}
	return groups
}

// nameless is a column with those behind it that have no name of their own, as where the header stands over several
// columns: what readers call them is their number.
func (f *File) nameless(at int) []int {
	if f.Columns[at].nameless(at) {
		return nil
	}
	group := []int{at}
	for i := at + 1; i < len(f.Columns) && f.Columns[i].nameless(i); i++ {
		group = append(group, i)
	}
	return group
}

// nameless tells whether a column at a place is called by the number of the place alone.
func (c *Column) nameless(at int) bool {
	return c.Label == "" && c.Name == "column_"+strconv.Itoa(at+1)
}

// numberedPick divides a column's name into a stem and a number, that of its letter if it has one behind, and gives its
// label without its name in front and the number behind; the number is 0 if the column can be no pick from a list.
func (c *Column) numberedPick() (stem, label string, number int) {
	const longest, answers = 600, 5
	if c.Virtual || c.Kind == Quantity || c.Kind == Date || len(c.Name)+len(c.Label) > longest ||
		len(c.Labels) > 0 && len(c.Labels) < answers {
		return "", "", 0
	}
	label = c.Label
	if len(label) >= len(c.Name) && strings.EqualFold(label[:len(c.Name)], c.Name) {
		label = label[len(c.Name):]
	}
	label = withoutNumber(label)
	label = strings.TrimRight(label, "0123456789 ()ªº")
	if m := letterBehind.FindStringSubmatch(c.Name); m != nil {
		return m[1], label, int(m[2][0]|0x20-'a') + 1
	}
	m := numberBehind.FindStringSubmatch(c.Name)
	if m == nil {
		return "", "", 0
	}
	return m[1] + m[3], label, atoi(m[2] + m[4])
}

// numberedPicks makes multiple choices of columns that nothing but numbers tells from each other, if what stands in
// them was picked from one list. Where several questions were coded one answer after the other, as is sure of each by
// itself, so were others whose answers follow in the same way, also if too few gave two to tell.
func (g *guesser) numberedPicks() {
	const several = 2
	before := len(g.file.Sets) + g.inWords // of the groups whose rows are counted
	coded := 0
	for _, again := range []bool{false, true} {
		if again && coded < several {
			break
		}
		for k, group := range g.ranked[g.inWords:] {
			twice, skipped := g.repeated[before+k], g.skipped[before+k]
			members, list, oneByOne := g.pickedFrom(group, twice, skipped, again)
			if len(members) > 0 {
				g.mentioned(members, list)
				coded += btoi(oneByOne)
			}
		}
	}
}

// pickedFrom returns the columns of a group if what stands in them was picked from one list, and the list. Whole
// numbers without labels may be those of its answers if they are more than the columns: else they are places that each
// column was given. It tells, too, whether these were given one by one. among tells that other questions were so. Under
// one header over several columns it is enough that nobody gave an answer twice, or a second one without a first.
func (g *guesser) pickedFrom(group []int, twice, skipped int64, among bool) (members []member, list []choice,
	oneByOne bool) {
	const fewest, numbers, more = 5, 7, 2 // answers, numbers, and how many more than columns
	const fewestUnderOne = 3              // answers, under one header
	const seldom = 4                      // one of so many who gave an answer gave a last one
	for len(group) > 0 && g.columns[group[len(group)-1]].filled == 0 {
		group = group[:len(group)-1]
	}
	if len(group) > 0 && g.columns[group[0]].number { // words among numbers are what was written beside "other"
		group = slices.DeleteFunc(slices.Clone(group), func(i int) bool {
			c := g.columns[i]
			return !c.number && len(c.Labels) == 0 && c.filled > 0
		})
	}
	if len(group) < 2 {
		return nil, nil, false
	}
	oneByOne = g.oneByOne(group, skipped)
	oneHeader := g.file.Columns[group[1]].nameless(group[1])
	if oneHeader && twice+skipped > 0 || !oneHeader && !g.seldomTwice(group, twice, oneByOne, among) {
		return nil, nil, false
	}
	first, last := g.columns[group[0]], g.columns[group[len(group)-1]]
	for n, i := range group {
		c := g.columns[i]
		if !c.pickable() && (n == 0 || !c.onlyPick() && !(oneHeader && c.listed())) || c.number != first.number ||
			n > 0 && (10*g.givenIn(group[:n], c) < 7*c.told() || c.told() > g.columns[group[n-1]].told()) {
			return nil, nil, false
		}
		members = append(members, member{at: i})
		for _, o := range c.choices() {
			filler := !o.labelled && c.fills(o.value)
			if !filler && !slices.ContainsFunc(list, func(p choice) bool { return p.value == o.value }) {
				list = append(list, o)
			}
		}
	}
	least := max(fewest, len(group)+more)
	if seldom*last.told() <= first.told() { // who gives things a place does not stop so often before the last
		least = max(fewest, len(group))
	}
	if first.number && len(first.Labels) == 0 {
		least = max(numbers, least)
	}
	if oneHeader {
		least = fewestUnderOne
	}
	if len(list) < least {
		return nil, nil, false
	}
	return members, list, oneByOne
}

// pickable tells whether a column may hold answers of a list that are no steps of a scale.
func (c *column) pickable() bool {
	return c.listed() && !c.separated() && c.tick().kind == noTick && c.ordered() == nil
}

// onlyPick tells whether a column may hold the one answer of a list that anybody gave so late.
func (c *column) onlyPick() bool {
	return c.listed() && c.number && len(c.values) == 1 && len(c.Labels) == 0
}

// listed tells whether a column is free and holds words, or numbers as answers of a list have.
func (c *column) listed() bool {
	return !c.taken && !c.named && !c.alone && !c.many &&
		!(c.number && (!c.integer || c.least.Sign() < 0 || c.quantity))
}

// oneByOne tells whether columns hold numbers without labels, and of those who gave an answer in one hardly anybody had
// given none before, and less than half went on to the next: so it is where what people said in their own words was
// coded, one thing after the other.
func (g *guesser) oneByOne(group []int, skipped int64) bool {
	const seldom = 100 // of the second answers, those before which the first was skipped
	if first := g.columns[group[0]]; !first.number || len(first.Labels) > 0 && !first.onlyAsides() || first.called() ||
		seldom*skipped > g.columns[group[1]].told() {
		return false
	}
	const few = 10 // after whom the rest comes as it may
	for n, i := range group[1:] {
		if before := g.columns[group[n]].told(); before >= few && 2*g.columns[i].told() >= before {
			return false
		}
	}
	return true
}

// seldomTwice tells whether respondents gave the same answer in two of some columns, as in so many rows they did, so
// much more seldom than if they had answered each without regard to the others that they must have picked from one
// list: a fifth as often, or for numbers without labels, which may be anything, a twentieth. Where answers were given
// one by one, fewer rows tell enough, and among questions of which that is sure even none.
func (g *guesser) seldomTwice(group []int, twice int64, oneByOne, among bool) bool {
	const fewest, enough, sure, following = 10, 8, 25, 3 // respondents, and rows
	expected := 0.0
	for n, i := range group {
		for _, j := range group[:n] {
			expected += g.columns[i].sameByChance(g.columns[j])
		}
	}
	first := g.columns[group[0]]
	if first.number && (len(first.Labels) == 0 || first.onlyAsides()) {
		tells := expected >= sure || oneByOne && (expected >= following || among)
		return tells && 20*float64(twice) <= expected
	}
	return first.filled >= fewest && expected >= enough && 5*float64(twice) <= expected
}

// givenIn is how many respondents gave answers in a column that somebody gave in one of those before it, or that have
// the same label there.
func (g *guesser) givenIn(before []int, c *column) (n int64) {
	for _, v := range c.values {
		label := c.labels.names[v.text]
		if !c.fills(v.text) && slices.ContainsFunc(before, func(i int) bool {
			o := g.columns[i]
			return (!o.unseen(v.text) || label != "") && label == o.labels.names[v.text]
		}) {
			n += v.n
		}
	}
	return n
}

// refusals are numbers that stand for no answer in many files. What they say of a column without labels nobody knows,
// but that two columns have them tells nothing of a list.
var refusals = set("77 88 96 97 98 99 777 888 996 997 998 999")

// picked tells whether an answer may be what somebody picked from a list.
func (c *column) picked(text string) bool {
	return !c.fills(text) && !(refusals[text] && c.number && len(c.Labels) == 0)
}

// sameByChance is how many respondents would pick the same answer in two columns, of those who answered the second, if
// neither had to do with the other.
func (c *column) sameByChance(o *column) float64 {
	all := c.told()
	if all == 0 {
		return 0
	}
	given := make(map[string]int64, len(o.values))
	for _, v := range o.values {
		if o.picked(v.text) {
			given[v.text] = v.n
		}
	}
	sum := 0.0
	for _, v := range c.values {
		if c.picked(v.text) {
			sum += float64(v.n) * float64(given[v.text])
		}
	}
	return sum / float64(max(all, o.told()))
}
