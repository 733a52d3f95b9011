package guess

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/crosswave/crosswave/store/survey"
)

// Several answers in one field as few tools write them: lists of programs, marks that mostly stand within an answer,
// and answers that hold what divides them.

// seldom are separators that mostly stand within one answer, as in "TV/radio": they divide answers only where these
// are put together in all kinds of ways.
var seldom = map[string]bool{"、": true, "，": true, "،": true, "؛": true, "<br>": true, "•": true, " / ": true,
	"/": true, " + ": true, "+": true, " & ": true, " - ": true}

// holds tells whether a text may be several answers with a separator between them.
func holds(text, separator string) bool {
	if separator == survey.ListSeparator {
		return survey.IsList(text)
	}
	return strings.Contains(text, separator)
}

// labelledLists is what divides the answers of a column in which each value is one that has a label, or several of them
// behind each other as "3, 4" is; "" if it holds no such.
func (c *column) labelledLists() string {
	if c.many || c.number || len(c.Labels) < 2 || c.filled == 0 {
		return ""
	}
	for _, separator := range []string{",", ";", "|"} {
		several, others := 0, false
		for _, v := range c.values {
			n := 0
			for piece := range divided(v.text, separator) {
				_, labelled := c.labels.names[canonical(piece)]
				others = others || !labelled
				n++
			}
			several += btoi(n > 1)
		}
		if several > 1 && !others {
			return separator
		}
	}
	return ""
}

// fields are the answers that a column holds several of in a field, and what stands between them.
type fields struct {
	separator string
	answers   []string
}

// severalAsOthers makes a multiple choice of a column whose question says that several answers may be chosen, though
// nobody chose two, where one and the same divides those of most others that say so, and of three at least.
func (g *guesser) severalAsOthers(i int) bool {
	const least, most = 3, 12 // other columns, and answers
	c := g.columns[i]
	if c.choosing() != chooseSeveral || c.number || c.date || c.many || c.filled == 0 || len(c.Labels) > 0 ||
		len(c.values) > most || c.longest > longValue || c.oneAnswer || c.specified() ||
		has(words(c.code), ownWordsNames) || !slices.ContainsFunc(c.values, func(v value) bool { return v.n > 1 }) {
		return false
	}
	separator, n, all := g.dividing()
	if n < least || 2*n <= all {
		return false
	}
	var answers []string
	for _, v := range c.values {
		if holds(v.text, separator) || isYes(v.text) || isNo(v.text) {
			return false
		}
		answers = append(answers, v.text)
	}
	list := unlabelled(answers)
	g.fields[i] = fields{separator, answers}
	g.inFields(i, list, Reason{Kind: ReasonSeveral, Text: separator})
	return true
}

// dividing is what divides the answers of most columns whose questions say that several may be chosen, of how many of
// these, and of how many anything does.
func (g *guesser) dividing() (separator string, n, all int) {
	if g.dividers == nil {
		g.dividers = map[string]int{}
		for i, c := range g.columns {
			if c.choosing() != chooseSeveral {
				continue
			}
			if f, read := g.fields[i]; read {
				g.dividers[f.separator]++
			} else if by, ok := c.separator(); ok {
				g.dividers[by]++
			}
		}
	}
	for _, by := range sortedKeys(g.dividers) {
		all += g.dividers[by]
		if g.dividers[by] > n {
			separator, n = by, g.dividers[by]
		}
	}
	return separator, n, all
}

// separatedBeside is what divides the answers of a column where it divides those of two others or more whose names are
// the same but for a number at the end and that stand near, and all its pieces are among theirs: they were asked alike,
// though fewer gave several answers here.
func (g *guesser) separatedBeside(i int) (separator string, ok bool) {
	const least, near = 2, 30 // columns
	c := g.columns[i]
	stem := strings.TrimRight(c.code, digits)
	letters := strings.ToLower(strings.Trim(stem, joints))
	if stem == c.code || letters == "" || generic[letters] || c.many || c.filled == 0 || len(c.Labels) > 0 || c.oneAnswer {
		return "", false
	}
	answers, others := map[string]bool{}, map[string]int{}
	for j := max(0, i-near); j <= min(i+near, len(g.columns)-1); j++ {
		o := g.columns[j]
		if j == i || strings.TrimRight(o.code, digits) != stem {
			continue
		}
		f, read := g.fields[j]
		if !read {
			by, is := o.separator()
			if !is {
				continue
			}
			f = fields{by, o.pieces.by(slices.Index(separators[:], by)).list}
		}
		others[f.separator]++
		for _, answer := range f.answers {
			answers[f.separator+answer] = true
		}
	}
	for _, by := range sortedKeys(others) {
		p := c.pieces.by(slices.Index(separators[:], by))
		if others[by] >= least && p != nil && p.divided > 0 && len(p.list) > 1 &&
			!slices.ContainsFunc(p.list, func(piece string) bool { return !answers[by+piece] }) {
			return by, true
		}
	}
	return "", false
}

// lists tells whether nearly all values are lists as programs write them, of items that occur again and again: then
// each item is an answer, though nobody may have given two. A word in brackets, without quotes, is none. R writes an
// answer alone without its c(…).
func (p *pieces) lists(values []value) bool {
	n, quotes, vectors := 0, 0, 0
	for _, v := range values {
		if !survey.IsList(v.text) {
			continue
		}
		n++
		quotes += btoi(strings.ContainsAny(v.text[:min(3, len(v.text))], `"'`))
		vectors += btoi(strings.HasPrefix(v.text, `c("`))
	}
	again := 5*p.all >= 6*int64(len(p.list)) || len(p.list) == 1
	return (10*n >= 9*len(values) || vectors > 1 && vectors == n) && (p.divided > 0 || quotes > 0) &&
		len(p.list) <= fewPieces && again
}

// mixed tells whether pieces are answers that respondents put together in all kinds of ways: three of them or more
// stand alone and beside others, in three values or more.
func (p *pieces) mixed(values []value, separator string) bool {
	const least = 3
	if p.twice || p.divided < least || len(p.list) > mostCodes {
		return false
	}
	alone, beside := map[string]bool{}, map[string]bool{}
	for _, v := range values {
		var list []string
		for piece := range divided(v.text, separator) {
			if piece = canonical(piece); piece != "" {
				list = append(list, piece)
			}
		}
		for _, piece := range list {
			alone[piece], beside[piece] = alone[piece] || len(list) == 1, beside[piece] || len(list) > 1
		}
	}
	both, times := 0, int64(0)
	for i, piece := range p.list {
		if alone[piece] && beside[piece] {
			both++
			times += int64(p.times[i])
		}
	}
	inAnyOrder := both > least && 10*times >= 8*p.all // as whoever types them has it
	return both >= least && (inAnyOrder || p.combined(values, separator))
}

// together lists the answers where some hold what divides them, as "Yes, always" and "Yes, at times" do: pieces of
// which one never stands but behind the other, and the other never without one that does. It is nil if there are none,
// or if not all values are known.
func (p *pieces) together(c *column, separator string) []string {
	if c.many || len(p.list) > fewPieces || separator == survey.ListSeparator {
		return nil
	}
	begins := p.begun(c.values, separator)
	if len(begins) == 0 {
		return nil
	}
	var list []string
	for _, v := range c.values {
		answer := ""
		for piece := range divided(v.text, separator) {
			if _, goesOn := begins[canonical(piece)]; goesOn && answer != "" {
				answer += separator + piece
				continue
			}
			list = append(list, answer)
			answer = piece
		}
		list = append(list, answer)
	}
	for i := range list {
		list[i] = canonical(list[i])
	}
	slices.Sort(list)
	list = slices.DeleteFunc(slices.Compact(list), func(text string) bool { return text == "" })
	inOrder(list)
	return list
}

// begun lists the pieces that go on from another one: each stands behind one and the same piece wherever it stands, and
// that one never stands without such a piece behind it. Unless small letters go on after a capital one, many
// respondents have to have given them.
func (p *pieces) begun(values []value, separator string) map[string]string {
	const few, many = 2, 10
	type neighbour struct {
		before string
		n      int64
		other  bool // it stands behind another piece, too, or in front
	}
	seen := map[string]*neighbour{}
	follows := map[string]map[string]bool{} // what stands behind a piece; "" is nothing
	for _, v := range values {
		last := ""
		for piece := range divided(v.text, separator) {
			if piece = canonical(piece); piece == "" {
				continue
			}
			if seen[piece] == nil {
				seen[piece], follows[piece] = &neighbour{before: last}, map[string]bool{}
			}
			s := seen[piece]
			s.n += v.n
			s.other = s.other || s.before != last || last == ""
			if last != "" {
				follows[last][piece] = true
			}
			last = piece
		}
		if last != "" {
			follows[last][""] = true
		}
	}
	begins := map[string]string{}
	for piece, s := range seen {
		least := int64(many)
		first, _ := utf8.DecodeRuneInString(s.before)
		if next, _ := utf8.DecodeRuneInString(piece); unicode.IsUpper(first) && unicode.IsLower(next) {
			least = few
		}
		if !s.other && s.n >= least {
			begins[piece] = s.before
		}
	}
	for changed := true; changed; {
		changed = false
		for piece, before := range begins {
			for next := range follows[before] {
				if begins[next] != before {
					delete(begins, piece)
					changed = true
					break
				}
			}
		}
	}
	return begins
}

// joinedBare tells whether commas without a space behind them divide answers, as Qualtrics writes them: most of what
// they divide stands in several values, and some of it in front of others and behind others, however few respondents
// there are.
func joinedBare(values []value) bool {
	const least = 2 // values that are divided
	times, first, later := map[string]int{}, map[string]bool{}, map[string]bool{}
	several, all := 0, 0
	for _, v := range values {
		if thousands.MatchString(v.text) {
			return false
		}
		n := 0
		for piece := range bareParts(v.text) {
			if strings.Trim(piece, digits) == "" {
				return false
			}
			times[piece]++
			all++
			if n++; n == 1 {
				first[piece] = true
			} else {
				later[piece] = true
			}
		}
		several += btoi(n > 1)
	}
	given, both := 0, false
	for piece, n := range times {
		if n > 1 {
			given, both = given+n, both || first[piece] && later[piece]
		}
	}
	return several >= least && both && 10*given >= 6*all
}

// sortedLists tells whether values are lists in alphabetical order, as programs write them and hardly anyone does: five
// lists of three pieces or more, but for a tenth of them. Most of what they are made of stands in several values.
func sortedLists(values []value, separator string) bool {
	const least, pieces = 5, 3
	times, all, lists, sorted := map[string]int{}, 0, 0, 0
	for _, v := range values {
		var list []string
		for piece := range divided(v.text, separator) {
			piece = strings.ToLower(canonical(piece))
			list = append(list, piece)
			times[piece]++
			all++
		}
		if len(list) >= pieces {
			lists++
			sorted += btoi(slices.IsSorted(list))
		}
	}
	again := 0
	for _, n := range times {
		again += n * btoi(n > 1)
	}
	return sorted >= least && 10*sorted >= 9*lists && 10*again >= 6*all
}

// apart tells whether values of several pieces, three of them or more and of five respondents, hold nothing but pieces
// that stand alone in other values: then they were chosen together, however seldom. One of them stands in front of
// others and behind others: in "Bronx, New York" and "Gulu, North" the second says more of the first, as it does in
// 1,5.
func (p *pieces) apart(values []value, separator string) bool {
	const least, respondents = 3, 5
	alone := map[string]bool{}
	for _, v := range values {
		if !strings.Contains(v.text, separator) {
			alone[v.text] = true
		}
	}
	several, given := 0, int64(0)
	firsts, lasts := map[string]bool{}, map[string]bool{}
	for _, v := range values {
		if alone[v.text] {
			continue
		}
		first, last := "", ""
		for piece := range divided(v.text, separator) {
			if piece = canonical(piece); piece != "" && !alone[piece] {
				return false
			}
			first, last = cmp.Or(first, piece), cmp.Or(piece, last)
		}
		firsts[first], lasts[last] = true, true
		several++
		given += v.n
		if thousands.MatchString(v.text) {
			return false
		}
	}
	between := 0
	for piece := range firsts {
		between += btoi(lasts[piece])
	}
	return several >= least && given >= respondents && between > 0
}
