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

// numberInLabel is the number of a question and an item of it as labels have them in front of their words in a way of
// their own: "Preg.1.2.-" of a column called p1_2, "TE.20A.-" of te20a.
var numberInLabel = regexp.MustCompile(`^(?:\pL{1,8}[. ]{0,2})?(\d+[._ ]?(?:\d{1,2}|\pL))\s*[.)\-–:_]+\s*`)

// bareLabel is the column's label without the name in front of it, or the number of the name written otherwise.
func (c *Column) bareLabel() string {
	label := c.Label
	if len(label) >= len(c.Name) && strings.EqualFold(label[:len(c.Name)], c.Name) {
		return label[len(c.Name):]
	}
	joined := func(text string) string { return strings.ToLower(strings.Join(splitNumber.Split(text, -1), "")) }
	m, at := numberInLabel.FindStringSubmatch(label), strings.IndexAny(c.Name, digits)
	if m == nil || at < 0 || joined(m[1]) != joined(c.Name[at:]) {
		return label
	}
	return label[len(m[0]):]
}

// splitNumber is what stands between the parts of a number.
var splitNumber = regexp.MustCompile(`[._ ]+`)

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
		if group := f.underHeader(i); len(group) >= 2 && len(group) <= most && !taken[i] {
			groups = append(groups, group)
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

// underHeader is a column with those behind it that have no name of their own, as where its header stands over several
// columns: what readers call them is their place. It is nil for a column that has none itself.
func (f *File) underHeader(at int) []int {
	if f.Columns[at].unnamed(at) {
		return nil
	}
	group := []int{at}
	for i := at + 1; i < len(f.Columns) && f.Columns[i].unnamed(i); i++ {
		group = append(group, i)
	}
	return group
}

// unnamed tells whether a column at a place is called by the number of the place alone.
func (c *Column) unnamed(at int) bool {
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
	label = c.bareLabel()
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
// itself, others that are called alike were, too, if their answers follow in the same way, also if few gave two.
func (g *guesser) numberedPicks() {
	const several = 2
	before := len(g.file.Sets) + g.inWords // of the groups whose rows are counted
	coded := map[string]int{}              // questions, by what their names are without numbers
	for _, again := range []bool{false, true} {
		for k, group := range g.ranked[g.inWords:] {
			called := lettersOf(g.columns[group[0]].code)
			if again && coded[called] < several {
				continue
			}
			p := pick{columns: group, twice: g.repeated[before+k], skipped: g.skipped[before+k], amongCoded: again}
			if members, list := g.pickedFrom(&p); len(members) > 0 {
				g.mentioned(members, list)
				coded[called] += btoi(p.oneByOne)
			}
		}
	}
}

// pick is columns that may hold what was picked from one list, first, second and so on.
type pick struct {
	columns        []int
	twice, skipped int64 // rows with one answer in two of them, or with one behind a column that has none
	amongCoded     bool  // other questions that are called alike were coded one answer after the other
	oneByOne       bool  // so are these
}

// pickedFrom returns the columns of a group if what stands in them was picked from one list, and the list. Whole
// numbers without labels may be those of its answers if they are more than the columns: else they are places that each
// column was given. Of words under one header over several columns it is enough that nobody gave an answer twice, or a
// second one without a first.
func (g *guesser) pickedFrom(p *pick) (members []member, list []choice) {
	const fewest, numbers, more = 5, 7, 2 // answers, numbers, and how many more than columns
	const fewestUnderOne = 3              // answers, under one header
	const seldom = 4                      // one of so many who gave an answer gave a last one
	group := p.columns
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
		return nil, nil
	}
	p.oneByOne = g.oneByOne(group, p.skipped)
	oneHeader := g.file.Columns[group[1]].unnamed(group[1]) && !g.columns[group[0]].number
	if oneHeader && (p.twice > 0 || p.skipped > 0) || !oneHeader && !g.seldomTwice(group, p) {
		return nil, nil
	}
	first, last := g.columns[group[0]], g.columns[group[len(group)-1]]
	for n, i := range group {
		c := g.columns[i]
		if !c.pickable() && (n == 0 || !c.onlyPick() && !(oneHeader && c.listed())) || c.number != first.number ||
			n > 0 && (10*g.givenIn(group[:n], c) < 7*c.told() || c.told() > g.columns[group[n-1]].told()) {
			return nil, nil
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
		return nil, nil
	}
	return members, list
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
// given none before, and less than half went on to the next, as far as ten gave one: so it is where what people said in
// their own words was coded, one thing after the other. Years and what is called an amount are no codes.
func (g *guesser) oneByOne(group []int, skipped int64) bool {
	const seldom = 100 // of the second answers, those before which the first was skipped
	const few = 10     // after whom the rest comes as it may
	if seldom*skipped > g.columns[group[1]].told() {
		return false
	}
	for n, i := range group {
		c := g.columns[i]
		if !c.number || len(c.Labels) > 0 && !c.onlyAsides() || c.called() || c.filled > 0 && c.years() {
			return false
		}
		if n == 0 {
			continue
		}
		if before := g.columns[group[n-1]].told(); before >= few && 2*c.told() >= before {
			return false
		}
	}
	return true
}

// years tells whether all numbers of a column may be years.
func (c *column) years() bool { return c.least.Float64() >= 1850 && c.most.Float64() <= 2100 }

// seldomTwice tells whether respondents gave the same answer in two of some columns, as in so many rows they did, so
// much more seldom than if they had answered each without regard to the others that they must have picked from one
// list: a fifth as often, or for numbers without labels, which may be anything, a twentieth. Where answers were given
// one by one, fewer rows tell enough, and fewer still among questions of which that is sure.
func (g *guesser) seldomTwice(group []int, p *pick) bool {
	const fewest, enough, sure, following, amongCoded = 10, 8, 25, 3, .5 // respondents, and rows
	expected := 0.0
	for n, i := range group {
		for _, j := range group[:n] {
			expected += g.columns[i].sameByChance(g.columns[j])
		}
	}
	first := g.columns[group[0]]
	if first.number && (len(first.Labels) == 0 || first.onlyAsides()) {
		tells := expected >= sure || p.oneByOne && (expected >= following || p.amongCoded && expected >= amongCoded)
		return tells && 20*float64(p.twice) <= expected
	}
	return first.filled >= fewest && expected >= enough && 5*float64(p.twice) <= expected
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
