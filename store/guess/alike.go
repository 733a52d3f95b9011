package guess

import (
	"slices"
	"strings"
)

// What becomes of a family.

// begunAlike is how many bytes questions have in common, at the beginning or the end, that belong together.
const begunAlike = 20

// alike makes a multiple choice of those of a family that are options, and grids of those that have answers in common.
func (g *guesser) alike(f *family) {
	f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].taken || g.columns[m.at].alone })
	if g.objected(f) || !slices.ContainsFunc(f.members, func(m member) bool {
		c := g.columns[m.at]
		return c.filled+c.missing > 0
	}) { // nobody was asked
		return
	}
	g.withinPhrase(f)
	parts := g.askedTwice(f)
	if len(parts) < 2 {
		parts = g.atTimes(f)
	}
	if len(parts) < 2 {
		parts = g.farApart(f)
	}
	if len(parts) < 2 {
		parts = g.inBlocks(f)
	}
	if len(parts) < 2 && (f.bond == ByScale || f.bond == ByWords) {
		parts = g.askedOthers(f.members)
	}
	if len(parts) < 2 && (f.bond == ByScale || f.bond == Judged) {
		parts = g.beginOtherwise(f.members)
	}
	if len(parts) < 2 {
		if parts := append(g.askedUnder(f), g.countedAnew(f)...); len(parts) > 0 {
			for _, members := range parts {
				part := *f
				part.members, part.stem, part.bond = members, strings.TrimRight(g.common(members), joints), ByName
				g.alike(&part)
			}
			return
		}
	}
	if len(parts) > 1 {
		own := f.stem == g.columns[f.members[0].at].code
		for _, members := range parts {
			part := *f
			if part.members = members; own {
				part.stem = g.columns[members[0].at].code
			}
			g.alike(&part)
		}
		return
	}
	if g.ranking(f.members) || g.rankingSome(f.members) {
		g.grid(f.stem, f.label, f.members, Reason{Kind: ReasonRows, Bond: f.bond})
		return
	}
	if own, rows := g.besideQuestions(f); len(own) > 0 {
		part := *f
		part.members = rows
		g.alike(&part)
		f.members = own
	}
	if parts := g.divides(f); len(parts) > 0 {
		for _, members := range parts {
			part := *f
			part.members = members
			g.alike(&part)
		}
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].taken })
	}
	g.apart(f)
	g.numericFamily(f)
	f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].alone })
	if g.wholeQuestions(f) {
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].tick().chosen() })
		if g.asksOthers(f.members) {
			return
		}
	}
	if g.underNumber(f) && g.asksOthers(f.members) {
		return
	}
	for {
		options, yes := g.optionsOf(f)
		few := len(options) < 3 && (f.bond != ByName || len(options) < len(f.members) || !g.twoOptions(f.stem, options))
		if len(options) < 2 || !f.strong && (few || g.mostlyBlank(options)) {
			break
		}
		if f.bond == ByWords {
			options = g.oneMore(options, yes)
		}
		parts := g.questionsOfOptions(f, options)
		for _, part := range parts {
			stem := f.stem
			if len(parts) > 1 {
				stem = g.common(part)
			}
			g.multi(stem, f.label, part, func(c *column) string { return yes[g.at[c.Name]] },
				Reason{Kind: ReasonOptions, Bond: f.bond}, true)
		}
		f.members = slices.DeleteFunc(f.members, func(m member) bool { return g.columns[m.at].taken })
	}
	g.gridsOf(f)
}

// underNumber tells whether a number alone, which may be that of a section, holds together columns with three words
// each or more, or nothing does but what other columns of one question have in common. So many respondents answered
// each that all of its answers occur.
func (g *guesser) underNumber(f *family) bool {
	const fewest, enough = 3, 100 // words, and respondents
	loose := f.bond == Judged || f.bond == ByName && f.label == "" && strings.Trim(f.stem, digits+joints) == ""
	return loose && !slices.ContainsFunc(f.members, func(m member) bool {
		c := g.columns[m.at]
		return len(words(c.wording)) < fewest || c.filled < enough
	})
}

// besideQuestions divides columns under one number of which some are whole questions, and the words of the others,
// three or more, begin alike, and as those of none of the questions do: they are the rows or options of a question.
func (g *guesser) besideQuestions(f *family) (own, rows []member) {
	const least = 3
	if f.bond != ByName || f.label != "" {
		return nil, nil
	}
	begin := ""
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.questions() {
			own = append(own, m)
			continue
		}
		if len(rows) == 0 {
			begin = c.wording
		}
		begin = commonPrefix(begin, c.wording)
		rows = append(rows, m)
	}
	if len(rows) < least || len(begin) < begunAlike || slices.ContainsFunc(own, func(m member) bool {
		return len(commonPrefix(g.columns[m.at].wording, begin)) >= begunAlike
	}) {
		return nil, nil
	}
	return own, rows
}

// wholeQuestions tells whether each column has a question of its own, with nothing in common but how it is answered and
// a weak stem.
func (g *guesser) wholeQuestions(f *family) bool {
	if f.bond != ByName || f.label != "" {
		return false
	}
	whole, same := 0, 0
	var first string
	for _, m := range f.members {
		text := strings.TrimSpace(g.columns[m.at].wording)
		end := strings.LastIndex(text, "?")
		if end < 0 || f.strong && end < len(text)-1 {
			continue
		}
		text = text[:end+1] // what follows it explains it
		if first == "" {
			first = text
		}
		same += btoi(text == first)
		if len(commonPrefix(first, text)) < begunAlike && len(commonSuffix(first, text)) < begunAlike ||
			len(f.members) == 1 || text == first {
			whole++
		}
	}
	return same < len(f.members) && 4*whole >= 3*len(f.members)
}

// twoOptions tells whether two columns under a word may be options: they hold 0 and 1, or true and false as programs
// write them, or a form wrote them behind a stroke. Of yes and no in words they are as many questions more often than
// not.
func (g *guesser) twoOptions(stem string, options []member) bool {
	return !slices.ContainsFunc(options, func(m member) bool {
		c := g.columns[m.at]
		return c.tick().kind == yesNo && len(c.Labels) == 0 && !c.logical() &&
			!strings.HasPrefix(strings.TrimPrefix(c.code, stem), "/")
	})
}

// oneMore adds to options that words hold together the one behind them, whose name begins as theirs do and which the
// same respondents answered with the same: what it stands for was put in other words, as "other" is.
func (g *guesser) oneMore(options []member, yes map[int]string) []member {
	const least, letters = 4, 3
	last := g.columns[options[len(options)-1].at]
	begin := last.code
	for k, m := range options {
		if k > 0 && m.at != options[k-1].at+1 {
			return options
		}
		begin = commonPrefix(begin, g.columns[m.at].code)
	}
	at := options[len(options)-1].at + 1
	if len(options) < least || len(begin) < letters || at >= len(g.columns) {
		return options
	}
	next := g.columns[at]
	if !g.free(at) || !strings.HasPrefix(next.code, begin) || strings.ContainsAny(begin, digits) ||
		beginsSmall(next.code[len(begin):]) || next.tick() != last.tick() || next.filled != last.filled ||
		next.questions() || at+1 < len(g.columns) && strings.HasPrefix(g.columns[at+1].code, begin) {
		return options
	}
	yes[at] = yes[options[len(options)-1].at]
	return append(options, member{at: at})
}

// mostlyBlank tells whether only one of the options was chosen by anybody, or not chosen: that in the others nothing
// stands makes none of them an option of it.
func (g *guesser) mostlyBlank(options []member) bool {
	seen := 0
	for _, m := range options {
		seen += btoi(g.columns[m.at].filled > 0)
	}
	return seen < 2
}
