package guess

import (
	"slices"
	"strconv"
	"strings"
)

// Columns of yes and no under one word that are questions of their own.

// apart takes those out of a family that are questions of their own: one whose yes decides who is asked the others,
// and, where nothing but a word holds them together, columns of yes and no in a file that writes options as
// question/option. Columns that were computed from each other are none either, whatever their words.
func (g *guesser) apart(f *family) {
	if g.united(f) {
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].tick().chosen() })
		return
	}
	if f.bond != ByName || f.asked {
		return
	}
	var left []member
	for _, m := range f.members {
		c := g.columns[m.at]
		if !c.tick().chosen() || !(len(g.parts) > 0 && !f.strong) && !g.decides(m, f.members) {
			left = append(left, m)
		}
	}
	f.strong = f.strong && len(left) == len(f.members)
	f.members = left
}

// decides tells whether a column of yes and no says who was asked those of yes and no behind it: as many answered one
// of them as said yes here, none was answered by more, and others said no.
func (g *guesser) decides(m member, members []member) bool {
	const least = 10
	c := g.columns[m.at]
	yes, decided := c.said(), false
	if yes < least || yes >= c.filled {
		return false
	}
	for _, next := range members {
		o := g.columns[next.at]
		if next.at <= m.at || !o.tick().chosen() {
			continue
		}
		if o.filled > yes {
			return false
		}
		decided = decided || o.filled == yes && o.said() < yes
	}
	return decided
}

// filtered tells whether a column is one of several that stand together under a longer stem than one that it has in
// common with a name, and of which the first, of yes and no, says who was asked the others: fewer answered these.
func (g *guesser) filtered(s stem, name string, i int) bool {
	const least, most = 2, 30 // behind the first
	for _, long := range g.stems(g.columns[i].code) {
		if long.behind != '_' || len(long.text) <= len(s.text) || long.holds(name) {
			continue
		}
		first := i
		for first > 0 && first > i-most && long.holds(g.columns[first-1].code) {
			first--
		}
		filter, rows := g.columns[first], 0
		for j := first + 1; j <= first+most && j < len(g.columns) && long.holds(g.columns[j].code); j++ {
			c := g.columns[j]
			if c.filled > filter.said() || c.tick().chosen() {
				return false
			}
			rows += btoi(c.filled > 0)
		}
		if rows >= least && filter.tick().chosen() && filter.said() < filter.filled {
			return true
		}
	}
	return false
}

// said is how many said yes in a column of yes and no.
func (c *column) said() (n int64) {
	t := c.tick()
	for _, v := range c.values {
		if t.chosen() && v.text == t.yes {
			n += v.n
		}
	}
	return n
}

// united tells whether one of three columns of 0 and 1 says yes as often as the two others together, of whom many said
// so: then it was computed from them, as "overweight or obese" is, and none of them was an option to choose.
func (g *guesser) united(f *family) bool {
	const columns, least = 3, 50
	if len(f.members) != columns {
		return false
	}
	var yes []int64
	for _, m := range f.members {
		c := g.columns[m.at]
		if !c.tick().chosen() || c.filled != g.columns[f.members[0].at].filled {
			return false
		}
		yes = append(yes, c.said())
	}
	slices.Sort(yes)
	return yes[0] >= least && yes[0]+yes[1] == yes[2]
}

// divides tells where another question of the same word divides options: columns of yes and no before and behind one
// that holds a scale. The parts are two columns at least, or there are none.
func (g *guesser) divides(f *family) (parts [][]member) {
	const least = 2
	if f.strong || f.bond != ByName {
		return nil
	}
	if rows := g.numberedWithin(f); len(rows) > 0 {
		return [][]member{rows}
	}
	var part []member
	between := false
	for _, m := range f.members {
		c := g.columns[m.at]
		if !c.tick().chosen() {
			between = between || len(part) > 0 && c.number && c.scale()
			continue
		}
		if between {
			parts, part, between = append(parts, part), nil, false
		}
		part = append(part, m)
	}
	parts = append(parts, part)
	if len(parts) < 2 || slices.ContainsFunc(parts, func(p []member) bool { return len(p) < least }) {
		return nil
	}
	return parts
}

// numberedWithin lists the columns of yes and no under a word whose names have the same words behind it and the numbers
// from 1 on, in whatever order, if there are three of them or more, and one or two others that are called otherwise:
// those are questions of their own.
func (g *guesser) numberedWithin(f *family) (rows []member) {
	const least, mostOthers = 3, 2
	begin, seen, others := "", map[int]bool{}, 0
	for _, m := range f.members {
		c := g.columns[m.at]
		if !c.tick().chosen() {
			continue
		}
		words := strings.TrimRight(c.code, digits)
		switch {
		case words == c.code || len(strings.Trim(words, joints)) <= len(f.stem):
			others++
		case begin != "" && words != begin:
			return nil
		default:
			begin, rows = words, append(rows, m)
			seen[atoi(c.code[len(words):])] = true
		}
	}
	for n := range rows {
		if !seen[n+1] {
			return nil
		}
	}
	if len(rows) < least || others == 0 || others > mostOthers {
		return nil
	}
	return rows
}

// catalogue makes a multiple choice of many columns of yes and no that stand together and are called as things of a
// catalogue are: letters and a number, the same letters here and there and not the numbers from 1 on, as BIO120, CS9
// and BIO204 are.
func (g *guesser) catalogue(open []int) {
	const least, most = 6, 400
	first := g.columns[open[0]]
	tick := first.tick()
	if !tick.chosen() || len(first.Labels) > 0 {
		return
	}
	var rows []member
	var kinds []string
	for _, i := range open[:min(len(open), most)] {
		c := g.columns[i]
		letters := strings.TrimRight(c.code, digits)
		number := atoi(c.code[len(letters):])
		if c.taken || c.alone || len(rows) > 0 && i != rows[len(rows)-1].at+1 || number < 2 ||
			len(letters) < 2 || !onlyLetters(letters) ||
			c.tick() != tick || c.filled != first.filled || generic[strings.ToLower(letters)] {
			break
		}
		rows = append(rows, member{at: i, name: letters + " " + strconv.Itoa(number)})
		kinds = append(kinds, letters)
	}
	runs := slices.Compact(slices.Clone(kinds))
	slices.Sort(kinds)
	if len(rows) >= least && len(runs) > len(slices.Compact(kinds)) {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
	}
}
