package guess

import "slices"

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
		if c.taken || !c.scale() || c.tick().kind == one {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			return k.fits(c) || f.strong && f.bond == ByName && k.ends(c)
		})
		if at < 0 {
			list = append(list, &candidate{shape: newShape()})
			at = len(list) - 1
		}
		list[at].add(c)
		list[at].rows = append(list[at].rows, m)
	}
	g.unanimous(f, list)
	list = g.fewRespondents(f, list)
	for _, k := range list {
		answers := len(k.labels) + len(k.codes)
		least := 2
		if !f.strong && !f.pure && (len(f.members) < 3 || len(k.labels) < 3) || len(k.labels) == 0 && answers < 3 {
			least = 3
		}
		if len(k.rows) >= least && answers >= 2 && answers <= 40 {
			g.grid(f.stem, f.label, k.rows, Reason{Kind: ReasonRows, Bond: f.bond})
		}
	}
}

// fewRespondents puts the rows of one question together that hold so few answers that none of them has all the steps
// of the scale, where those of all rows are few.
func (g *guesser) fewRespondents(f *family, list []*candidate) []*candidate {
	const least, most = 3, 7
	k := &candidate{shape: newShape()}
	filled := int64(0)
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.taken || c.filled == 0 {
			continue
		}
		if !f.asked || c.many || c.number || len(c.Labels) > 0 || c.filled >= fewAnswers || c.longest > longValue ||
			slices.ContainsFunc(c.values, func(v value) bool { return isYes(v.text) || isNo(v.text) }) {
			return list
		}
		filled += c.filled
		k.add(c)
		k.rows = append(k.rows, m)
	}
	if whole := len(list) == 1 && len(list[0].rows) >= len(k.rows); whole || len(k.rows) < least ||
		len(k.codes) > most || filled < 2*int64(len(k.codes)) {
		return list
	}
	return []*candidate{k}
}

// unanimous adds the rows to which all gave one answer to those of which it is an answer: two where the stem leaves no
// doubt, else four.
func (g *guesser) unanimous(f *family, list []*candidate) {
	least := 4
	if f.strong {
		least = 2
	}
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.taken || c.many || len(c.values) != 1 || c.Kind == Quantity || len(c.Labels) == 1 ||
			slices.ContainsFunc(list, func(k *candidate) bool { return slices.Contains(k.rows, m) }) {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			if len(c.Labels) > 0 {
				return len(k.rows) >= least && k.fits(c)
			}
			return len(k.rows) >= least && k.codes[c.values[0].text]
		})
		if at >= 0 {
			list[at].add(c)
			list[at].rows = append(list[at].rows, m)
			slices.SortFunc(list[at].rows, func(a, b member) int { return a.at - b.at })
		}
	}
}
