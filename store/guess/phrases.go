package guess

import "strings"

// Options whose question stands in front of them in their names, in words: as programs make names of what was asked.

// phrased makes a multiple choice of columns that stand together, say whether an option was chosen, and are called as
// what was asked and the option behind it: why_not_used_lack_of_time, why_not_used_lack_of_money, why_not_used_price.
// Their question is the few first words that they have in common. Those in which more follow, as "lack of" does, are no
// question of their own, so long as others stand beside them that begin otherwise. Behind a stroke all is an option.
func (g *guesser) phrased(open []int) {
	const least, words = 4, 3
	first := g.columns[open[0]]
	if strings.Contains(first.code, " ") || !first.ticked() {
		return
	}
	if at := strings.LastIndexByte(first.code, '/'); at > 0 && first.tick().kind != yesNo {
		if rows := g.ticksUnder(open, first.code[:at+1]); len(rows) >= least {
			g.alike(&family{stem: first.code[:at], members: rows, strong: true, bond: ByName})
		}
		return
	}
	ends := wordEnds(first.code)
	for k := words; k < len(ends); k++ {
		stem := first.code[:ends[k-1]]
		rows := g.ticksUnder(open, stem)
		if len(rows) < least {
			return
		}
		if begins, alone := nextWords(g, rows, stem); begins > 0 && alone > 1 {
			g.alike(&family{stem: strings.TrimRight(stem, joints), members: rows, strong: true, bond: ByName})
			return
		}
	}
}

// ticked tells whether a column that is in no question yet says whether an option was chosen, or yes and no.
func (c *column) ticked() bool {
	return !c.taken && !c.alone && !c.Virtual && c.filled > 0 && c.tick().kind >= one
}

// ticksUnder are the columns from the first on that stand together, whose names go on behind a stem, and that say in
// the same way whether an option was chosen; where they say no, too, of the same respondents. There are none if others
// have the stem, too, that do not hold words of the respondents' own.
func (g *guesser) ticksUnder(open []int, stem string) (rows []member) {
	first := g.columns[open[0]]
	for _, i := range open {
		c := g.columns[i]
		if len(rows) > 0 && i != rows[len(rows)-1].at+1 || !strings.HasPrefix(c.code, stem) || len(c.code) == len(stem) ||
			!c.ticked() || c.tick().kind != first.tick().kind || len(c.values) > 1 && c.filled != first.filled {
			break
		}
		rows = append(rows, member{at: i})
	}
	for _, i := range open[len(rows):] {
		if c := g.columns[i]; strings.HasPrefix(c.code, stem) && !c.written() {
			return nil // something else is asked there, too
		}
	}
	return rows
}

// wordEnds are the places in a name behind each of its words and what joins it to the next one.
func wordEnds(name string) (ends []int) {
	for i := 1; i <= len(name); i++ {
		if strings.IndexByte(joints, name[i-1]) >= 0 && (i == len(name) || strings.IndexByte(joints, name[i]) < 0) {
			ends = append(ends, i)
		}
	}
	return ends
}

// nextWords tells how many words several columns go on with behind a stem, and how many columns go on with one that no
// other does.
func nextWords(g *guesser, rows []member, stem string) (several, alone int) {
	count := map[string]int{}
	for _, m := range rows {
		rest := g.columns[m.at].code[len(stem):]
		if at := strings.IndexAny(rest, joints); at > 0 {
			rest = rest[:at]
		}
		count[rest]++
	}
	for _, n := range count {
		several += btoi(n > 1)
		alone += btoi(n == 1)
	}
	return several, alone
}

// withinPhrase leaves out of columns that only their answers hold together the first or last one or two whose names do
// not begin with the words that all others begin with, three or more: what was asked of those stands in these, where
// programs made names of it. Sentences that begin alike are statements.
func (g *guesser) withinPhrase(f *family) {
	const words, most, least = 3, 2, 3
	if f.bond != ByScale && f.bond != Judged {
		return
	}
	n := len(f.members)
	for k := 1; k <= most && n-k >= least; k++ {
		for _, left := range [][]member{f.members[k:], f.members[:n-k]} {
			stem := g.phrase(left)
			other := f.members[k-1]
			if left[0] == f.members[0] {
				other = f.members[n-k]
			}
			if len(wordEnds(stem)) >= words && !strings.Contains(stem, " ") &&
				!strings.HasPrefix(g.columns[other.at].code, stem) {
				f.members, f.stem, f.bond = left, strings.TrimRight(stem, joints), ByName
				return
			}
		}
	}
}

// phrase is the words that the names of columns begin with, and what joins them to the next.
func (g *guesser) phrase(members []member) string {
	begin := g.columns[members[0].at].code
	for _, m := range members[1:] {
		begin = commonPrefix(begin, g.columns[m.at].code)
	}
	return begin[:strings.LastIndexAny(begin, joints)+1]
}
