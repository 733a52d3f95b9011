package guess

import (
	"math"
	"slices"
	"strconv"
	"strings"
)

// candidate is rows that may be a grid: they have their answers in common.
type candidate struct {
	*shape
	rows []member
}

// gridsOf makes grids of members that have their answers in common.
func (g *guesser) gridsOf(f *family) {
	var list []*candidate
	for _, m := range f.members {
		c := g.columns[m.at]
		held := func(k *candidate) bool { return f.strong && k.holds(c) }
		if c.taken || !c.scale() && !slices.ContainsFunc(list, held) || c.tick().kind == one {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			return k.fits(c) && (f.strong || f.bond != ByName || endsInNumber(c.code) || k.sameTop(c)) ||
				f.strong && f.bond == ByName && k.ends(c)
		})
		if at < 0 {
			list = append(list, &candidate{shape: newShape()})
			at = len(list) - 1
		}
		list[at].add(c)
		list[at].rows = append(list[at].rows, m)
	}
	list = g.typed(f, list)
	list = g.seldom(f, list)
	list = g.unanimous(f, list)
	list = g.amidst(f, list)
	g.sameMarks(f, list)
	list = g.fewRespondents(f, list)
	list = g.ofNumbers(f, list)
	for _, k := range list {
		g.shifted(k)
		answers := len(k.labels) + len(k.codes)
		least := 2
		if !f.strong && !f.pure && (len(f.members) < 3 || len(k.labels) < 3) || len(k.labels) == 0 && answers < 3 {
			least = 3
		}
		if len(k.rows) >= least && answers >= 2 && answers <= 40 && !g.twoQuestions(k.rows) {
			k.rows = g.more(k.rows, func(c *column) bool { return c.scale() && k.fits(c) })
			g.grid(f.stem, f.label, k.rows, Reason{Kind: ReasonRows, Bond: f.bond})
		}
	}
	g.longList(f)
}

// longList makes a grid of three members or more that no rule has for one and that have the same long list of labels,
// as countries, occupations and what was said in own words have: each answered with one of all that the maker knows.
// Nobody need have answered in the third.
func (g *guesser) longList(f *family) {
	const least, long = 3, 30
	empty := 0
	if !f.strong || f.bond != ByName {
		return
	}
	var rows []member
	said := given{}
	for _, m := range f.members {
		c := g.columns[m.at]
		if len(rows) > 0 && c.filled == 0 && slices.Equal(c.Labels, g.columns[rows[0].at].Labels) {
			empty++
		}
		if c.taken || c.alone || len(c.Labels) <= long || c.quantity || c.filled == 0 {
			continue
		}
		if len(rows) > 0 && !slices.Equal(c.Labels, g.columns[rows[0].at].Labels) || !said.agrees(c) {
			return
		}
		said.add(c)
		rows = append(rows, m)
	}
	if len(rows) > 1 && len(rows)+empty >= least {
		g.grid(f.stem, f.label, rows, Reason{Kind: ReasonRows, Bond: f.bond})
	}
}

// shifted takes the rows from a grid of numbers without labels that have as many steps as all others, but begin and end
// one higher or one lower, as 1 to 4 below nine rows from 0 to 3: those are steps of another scale. Answers that differ
// by much more or less than the one step in the mean are of the same scale, and its ends are rare.
func (g *guesser) shifted(k *candidate) {
	const least, many, off = 4, 100, 0.6 // other rows, respondents in each, and how far the mean may be off
	ends := func(m member) [2]string {
		return [2]string{g.columns[m.at].least.String(), g.columns[m.at].most.String()}
	}
	count := map[[2]string]int{}
	for _, m := range k.rows {
		if c := g.columns[m.at]; !c.number || len(c.Labels) > 0 || c.filled < many {
			return
		}
		count[ends(m)]++
	}
	at := slices.IndexFunc(k.rows, func(m member) bool { return 2*count[ends(m)] > len(k.rows) })
	if at < 0 || len(count) != 2 || count[ends(k.rows[at])] < least {
		return
	}
	usual, mean := g.columns[k.rows[at].at], 0.0
	for _, m := range k.rows {
		if ends(m) == ends(k.rows[at]) {
			mean += g.columns[m.at].mean() / float64(count[ends(m)])
		}
	}
	k.rows = slices.DeleteFunc(k.rows, func(m member) bool {
		c := g.columns[m.at]
		from, to := c.least.Float64()-usual.least.Float64(), c.most.Float64()-usual.most.Float64()
		return from == to && math.Abs(from) == 1 && math.Abs(c.mean()-mean-from) <= off
	})
}

// sameMarks adds the rows of marks, beside which nothing but a code for no answer has a label, to those that have the
// same labels and all of their marks: what most respondents like least looks like a count.
func (g *guesser) sameMarks(f *family, list []*candidate) {
	const least = 3
	if !f.strong {
		return
	}
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.taken || c.many || !c.number || !c.integer || !c.onlyAsides() || c.scale() || len(c.values) < least {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			return len(k.rows) >= least && k.said.agrees(c) && !slices.ContainsFunc(c.choices(), func(o choice) bool {
				text, labelled := k.labels[o.value]
				return o.labelled && (!labelled || text != plainLabel(c, o.name)) || !o.labelled && !k.codes[o.value]
			})
		})
		if at >= 0 {
			g.move(list, m, -1, at)
		}
	}
}

// twoQuestions tells whether two rows are whole questions that begin differently and have other answers in words.
func (g *guesser) twoQuestions(rows []member) bool {
	if len(rows) != 2 {
		return false
	}
	a, b := g.columns[rows[0].at], g.columns[rows[1].at]
	return a.questions() && b.questions() && !a.number && !b.number && len(a.Labels)+len(b.Labels) == 0 &&
		len(commonPrefix(a.wording, b.wording)) < begunAlike && (len(a.values) != len(b.values) ||
		slices.ContainsFunc(a.values, func(v value) bool { return b.unseen(v.text) }))
}

// endsInNumber tells whether a name ends in a digit, as those of rows that are numbered do.
func endsInNumber(name string) bool { return strings.TrimRight(name, digits) != name }

// sameTop tells whether a column of whole numbers without labels goes as far as those before. Where many answered, the
// last step of a scale is taken by somebody, and a word that names begin with says too little to leave that out.
func (k *candidate) sameTop(c *column) bool {
	const many = 300
	if !c.number || len(c.Labels) > 0 || c.filled < many {
		return true
	}
	most := 0.0
	for _, v := range c.values {
		if f, err := strconv.ParseFloat(v.text, 64); err == nil && !special(v.text, c) {
			most = max(most, f)
		}
	}
	return most == k.most
}

// ofNumbers puts the rows of one question together that hold whole numbers without labels, of which there are so few
// that they are steps, whatever steps were chosen in each. Where the tool says that it is one question, one step in
// each is enough, if one of them is the third or a higher one.
func (g *guesser) ofNumbers(f *family, list []*candidate) []*candidate {
	const third, most = 3, 13
	least := third
	if f.bond == ByTool {
		least = 1
	}
	k := g.allRows(f, func(c *column) bool {
		return c.number && c.integer && len(c.values) >= least && !c.tick().chosen()
	})
	if k == nil || len(k.rows) < 2 || len(k.codes) > most || least == 1 && (k.most < third || k.most > most) {
		return list
	}
	return []*candidate{k}
}

// fewRespondents puts the rows of one question together that hold so few answers that none of them has all the steps
// of the scale, where those of all rows are few.
func (g *guesser) fewRespondents(f *family, list []*candidate) []*candidate {
	const least, most = 3, 7
	filled := int64(0)
	k := g.allRows(f, func(c *column) bool {
		filled += c.filled
		return !c.number && c.filled < fewAnswers && c.longest <= longValue &&
			!slices.ContainsFunc(c.values, func(v value) bool { return isYes(v.text) || isNo(v.text) })
	})
	if k == nil || len(list) == 1 && len(list[0].rows) >= len(k.rows) || len(k.rows) < least || len(k.codes) > most ||
		filled < 2*int64(len(k.codes)) {
		return list
	}
	return []*candidate{k}
}

// allRows is all columns of one question that hold anything and are in none yet, where each holds few values without
// labels and is so; nil if one is not, or if nothing but names makes one question of them.
func (g *guesser) allRows(f *family, so func(*column) bool) *candidate {
	k := &candidate{shape: newShape()}
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.taken || c.filled == 0 {
			continue
		}
		if !f.asked || c.many || len(c.Labels) > 0 || !so(c) {
			return nil
		}
		k.add(c)
		k.rows = append(k.rows, m)
	}
	return k
}

// seldom adds the rows that few were asked, in which not all steps of the scale occur, to those of the same question
// that have all of their answers: three rows at least, one of them answered by twice as many.
func (g *guesser) seldom(f *family, list []*candidate) []*candidate {
	const least = 3
	if !f.strong {
		return list
	}
	for _, m := range f.members {
		c := g.columns[m.at]
		in := slices.IndexFunc(list, func(k *candidate) bool { return slices.Contains(k.rows, m) })
		if c.taken || c.many || c.quantity || len(c.values) < 2 || len(c.Labels) > 0 || c.filled >= fewAnswers ||
			in >= 0 && len(list[in].rows) > 1 || c.tick().kind != noTick || c.separated() {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			return len(k.rows) >= least && slices.ContainsFunc(k.rows, func(o member) bool {
				return g.columns[o.at].filled >= 2*c.filled
			}) && !slices.ContainsFunc(c.values, func(v value) bool { return !k.codes[v.text] })
		})
		if at < 0 || at == in {
			continue
		}
		g.move(list, m, in, at)
	}
	return slices.DeleteFunc(list, func(k *candidate) bool { return len(k.rows) == 0 })
}

// move adds a row to the candidate at an index, in order, and takes it from the one that has it, if there is one.
func (g *guesser) move(list []*candidate, m member, from, to int) {
	if from >= 0 {
		list[from].rows = slices.DeleteFunc(list[from].rows, func(o member) bool { return o == m })
	}
	list[to].add(g.columns[m.at])
	list[to].rows = append(list[to].rows, m)
	slices.SortFunc(list[to].rows, func(a, b member) int { return a.at - b.at })
}

// unanimous adds the rows to which all gave one answer, or nearly all, or all but those with a code beside the scale,
// to those of which it is an answer: two where the stem leaves no doubt, else four.
func (g *guesser) unanimous(f *family, list []*candidate) []*candidate {
	const sure = 10 // rows that leave no doubt of their scale
	least := 4
	if f.strong {
		least = 2
	}
	for _, m := range f.members {
		c := g.columns[m.at]
		in := slices.IndexFunc(list, func(k *candidate) bool { return slices.Contains(k.rows, m) })
		two := (in < 0 || len(list[in].rows) == 1) && len(c.values) == 2 && c.number && len(c.Labels) == 0
		if c.taken || c.many || c.Kind == Quantity || len(c.Labels) == 1 || !two && (in < 0 && len(c.values) != 1 ||
			in >= 0 && (!c.nearlyUnanimous() || !g.nearly(list[in].rows))) {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			switch {
			case len(k.rows) < least:
				return false
			case len(c.Labels) > 0:
				return k.fits(c)
			case two && g.answerAndAside(k.rows, c.values):
				return true
			}
			return (in < 0 && !two || in >= 0 && c.nearlyUnanimous() && len(k.rows) >= sure && !g.nearly(k.rows)) &&
				!slices.ContainsFunc(c.values, func(v value) bool { return !k.codes[v.text] })
		})
		if at >= 0 && at != in {
			g.move(list, m, in, at)
		}
	}
	return slices.DeleteFunc(list, func(k *candidate) bool { return len(k.rows) == 0 })
}

// amidst adds the rows without labels that stand between the one before and the one after by their numbers, which have
// the same scale: as q7_5 between q7_4 and q7_6. They have some of the answers of these, as hardly anyone took the
// others: in one of the other rows four in five gave those, too, or there are few respondents.
func (g *guesser) amidst(f *family, list []*candidate) []*candidate {
	const least = 3
	if f.bond != ByName {
		return list
	}
	for n, m := range f.members {
		c := g.columns[m.at]
		in := slices.IndexFunc(list, func(k *candidate) bool { return slices.Contains(k.rows, m) })
		if n == 0 || n == len(f.members)-1 || in >= 0 && len(list[in].rows) > 1 || c.taken || c.many || !c.number ||
			c.Kind == Quantity || len(c.Labels) > 0 || len(c.values) < 2 {
			continue
		}
		before, after := f.members[n-1], f.members[n+1]
		if before.at != m.at-1 || after.at != m.at+1 || !nextNumber(g.columns[before.at].code, c.code) ||
			!nextNumber(c.code, g.columns[after.at].code) {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			return len(k.rows) >= least && len(k.labels) == 0 && slices.Contains(k.rows, before) &&
				slices.Contains(k.rows, after) && (f.strong || len(c.values) > max(2, len(k.codes)/2)) &&
				!slices.ContainsFunc(c.values, func(v value) bool { return !k.codes[v.text] }) &&
				(c.filled < fewAnswers && c.tick().kind == noTick || slices.ContainsFunc(k.rows, func(o member) bool {
					return 5*g.columns[o.at].gaveAs(c) >= 4*g.columns[o.at].filled
				}))
		})
		if at >= 0 && at != in {
			g.move(list, m, in, at)
		}
	}
	return slices.DeleteFunc(list, func(k *candidate) bool { return len(k.rows) == 0 })
}

// gaveAs is how many gave an answer that somebody gave in another column.
func (c *column) gaveAs(o *column) (n int64) {
	for _, v := range c.values {
		if !o.unseen(v.text) {
			n += v.n
		}
	}
	return n
}

// answerAndAside tells whether one of two values is an answer in most of some rows, and the other stands beside the
// answers in one of them.
func (g *guesser) answerAndAside(rows []member, values []value) bool {
	answer, aside := false, false
	for _, v := range values {
		answers, asides := 0, 0
		for _, m := range rows {
			if c := g.columns[m.at]; !c.unseen(v.text) {
				out := special(v.text, c)
				answers += btoi(!out)
				asides += btoi(out)
			}
		}
		answer = answer || 2*answers > len(rows)
		aside = aside || asides > 0 && answers == 0
	}
	return answer && aside
}

// nearly tells whether nearly all gave one answer to each of the rows.
func (g *guesser) nearly(rows []member) bool {
	return !slices.ContainsFunc(rows, func(m member) bool { return !g.columns[m.at].nearlyUnanimous() })
}

// nearlyUnanimous tells whether nine in ten gave one number for an answer, and the others one of another two at most.
func (c *column) nearlyUnanimous() bool {
	if len(c.values) > 3 || !c.number || len(c.Labels) > 0 || c.tick().kind != noTick {
		return false
	}
	return slices.ContainsFunc(c.values, func(v value) bool { return 10*v.n >= 9*c.filled })
}
