package guess

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Groups of questions that a form asks as often as there are things, such as plots, sales or members of a household.

// looped is the name of a column in a group that is repeated: the group, the number of the time, and the question, with
// separators on both sides of the number, as in sale.1..buyer or member[2]/age.
var looped = regexp.MustCompile(`^(.*\pL[\pL\d_]*)([._/\[-]{1,2})(\d{1,2})([\]._/-]{1,2})(\pL.*)$`)

// loop is a group of questions that is repeated.
type loop struct {
	before string // what stands before the number in the names of its columns
	times  []int
	asked  []string // in the order of the file
	at     map[string][]member
}

// loopsOf finds the groups that are repeated two times or more, numbered from one on, with two questions or more.
func (g *guesser) loopsOf() []*loop {
	const least, fewest = 2, 2
	byBegin := map[string]*loop{}
	var list []*loop
	for _, i := range g.open() {
		m := looped.FindStringSubmatch(g.columns[i].code)
		if m == nil {
			continue
		}
		word := strings.ToLower(strings.TrimLeft(m[1][strings.LastIndexAny(m[1], "._/-")+1:], digits))
		if word == "" || numberedTimes[word] || generic[word] {
			continue
		}
		l := byBegin[m[1]+m[2]]
		if l == nil {
			l = &loop{before: m[1], at: map[string][]member{}}
			byBegin[m[1]+m[2]], list = l, append(list, l)
		}
		question := m[4] + m[5]
		if l.at[question] == nil {
			l.asked = append(l.asked, question)
		}
		if !slices.Contains(l.times, atoi(m[3])) {
			l.times = append(l.times, atoi(m[3]))
		}
		l.at[question] = append(l.at[question], member{at: i, name: m[3]})
	}
	return slices.DeleteFunc(list, func(l *loop) bool {
		several := 0
		for _, members := range l.at {
			several += btoi(len(members) >= least)
		}
		return several < fewest || slices.Max(l.times) != len(l.times)
	})
}

// loops makes grids of the questions of groups that are repeated, if their answers are few: the times are the rows,
// of which few respondents may have come to the last. What is a number in the first time is one in the last, too, where
// hardly anybody says so. Options and yes or no are left to other rules.
func (g *guesser) loops() {
	const least = 2
	for _, l := range g.loopsOf() {
		for _, question := range l.asked {
			members := l.at[question]
			if len(members) < least || has(words(question), ownWordsNames) {
				continue
			}
			if g.amounts(members) {
				for _, m := range members {
					g.columns[m.at].quantity = true
				}
			} else if g.fewAnswers(members) {
				g.grid(strings.Trim(l.before, joints)+"_"+strings.Trim(question, "._/-[]"), "", members,
					Reason{Kind: ReasonRows, Bond: ByBranch})
			}
		}
	}
}

// amounts tells whether columns hold numbers without labels, of which the first has more than a list of answers has.
func (g *guesser) amounts(members []member) bool {
	const least = 12
	for _, m := range members {
		if c := g.columns[m.at]; c.taken || c.filled > 0 && !c.number || len(c.Labels) > 0 || c.Kind == Text || c.date {
			return false
		}
	}
	first := g.columns[members[0].at]
	return first.many || len(first.values) > least
}

// fewAnswers tells whether columns hold answers of one list: whole numbers up to 20 and what is said beside, or texts,
// twelve of them at most. The first column holds two or more: one that holds one number counts the times. Of texts that
// are codes a later column may have none but numbers.
func (g *guesser) fewAnswers(members []member) bool {
	const most, last = 12, 20
	values, numbers, texts, said := map[string]bool{}, 0, 0, given{}
	first := g.columns[members[0].at]
	for _, m := range members {
		c := g.columns[m.at]
		if !said.agrees(c) {
			return false
		}
		said.add(c)
		if c.filled == 0 {
			continue
		}
		if c.taken || c.alone || c.many || c.Kind == Text || c.Kind == Date || c.date || c.quantity || c.tick().chosen() ||
			c.number && len(c.Labels) == 0 && (!c.integer || c.least.Sign() < 0) {
			return false
		}
		number := c.number && !(texts > 0 && first.has(c))
		numbers, texts = numbers+btoi(number), texts+btoi(!number)
		for _, v := range c.values {
			if !c.number || len(c.Labels) > 0 || !special(v.text, c) && !besideScale(v.text) {
				values[v.text] = true
			}
			if c.number && len(c.Labels) == 0 && atoi(v.text) > last && !special(v.text, c) && !besideScale(v.text) {
				return false
			}
		}
	}
	return (numbers == 0 || texts == 0) && len(values) >= 2 && len(values) <= most && len(first.values) >= 2
}

// has tells whether all values of another column are values of this one.
func (c *column) has(o *column) bool {
	return !slices.ContainsFunc(o.values, func(v value) bool { return c.unseen(v.text) })
}

// lapName is the name of a column that ends with the number of a time, as dose1 does.
var lapName = regexp.MustCompile(`^(\pL[\pL_]*\pL)_?([1-9])$`)

// inLap is what the name of a column says: what was asked, and at which time. It was asked nothing where the column
// can't be of a lap.
type inLap struct {
	asked string
	time  int
}

// laps makes grids of questions that were asked three times in one order, three or more of them, numbered behind their
// names: dose1, effect1, days1, dose2, effect2, days2 and so on. The times are the rows, of which turns wants one more.
// Where all have the same answers, they may be the items of an inventory.
func (g *guesser) laps() {
	const least, times, most = 3, 3, mostInLoop // questions in a lap, laps, and questions at most
	all := make([]inLap, len(g.columns))
	for i, c := range g.columns {
		m := lapName.FindStringSubmatch(c.code)
		if m != nil && !c.taken && !c.alone && !generic[strings.ToLower(m[1])] {
			all[i] = inLap{m[1], atoi(m[2])}
		}
	}
	for i := 0; i < len(all); i++ {
		for every := least; all[i].time == 1 && every <= most && i+times*every <= len(all); every++ {
			if n := lapsFrom(all[i:], every); n == times && !g.alikeFrom(i, every) {
				g.lapped(i, every, all[i:])
				i += n*every - 1
				break
			}
		}
	}
}

// lapsFrom tells how often so many columns, from the first on, come again in the same order with the next number, the
// first ones with 1.
func lapsFrom(all []inLap, every int) (n int) {
	for ; (n+1)*every <= len(all); n++ {
		for k := range every {
			if at := all[n*every+k]; at.asked == "" || at.time != n+1 || at.asked != all[k].asked {
				return n
			}
		}
		if n == 0 && slices.ContainsFunc(all[1:every], func(l inLap) bool { return l.asked == all[0].asked }) {
			return 0 // of a question that has columns itself
		}
	}
	return n
}

// lapped makes a grid of each question of three laps from a column on that was not asked once more than the others
// were.
func (g *guesser) lapped(at, every int, all []inLap) {
	const times = 3
	for k := range every {
		if _, more := g.at[strings.TrimSuffix(g.columns[at+k].code, "1")+strconv.Itoa(times+1)]; more {
			continue
		}
		var members []member
		chosen := true
		for lap := range times {
			i := at + lap*every + k
			members = append(members, member{at: i})
			chosen = chosen && g.columns[i].tick().chosen()
		}
		if chosen || g.fewAnswers(members) {
			g.grid(all[k].asked, "", members, Reason{Kind: ReasonRows, Bond: ByBranch})
		}
	}
}
