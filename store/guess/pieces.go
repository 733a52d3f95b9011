package guess

import (
	"iter"
	"regexp"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/survey"
)

// separators may stand between answers in one field, the surest first.
var separators = [...]string{";#", ";", "；", "|", "｜", "¦", "┋", "\n", survey.ListSeparator, ",", "、", "，", "،", "؛",
	"<br>", "<br/>", "<br />", "•",
	" / ", "/", " + ", "+", " & ", " - ", " "}

// mostPieces is how many different pieces a column may be divided into, and mostCodes how many if spaces divide it, or
// what seldom divides answers.
// With more than fewPieces, some are to occur so often that they are the answers, and the others are what respondents
// wrote beside them.
const mostPieces, fewPieces, mostCodes = 1000, 200, 60

// pieces is what the values of a column come to if they are divided.
type pieces struct {
	list      []string // different ones, sorted; nil: too many
	times     []int32  // that each occurs
	twice     bool     // one occurs twice in a value
	divided   int64    // values with more than one piece
	whole     int64    // values in all
	all       int64    // pieces in all
	least, at int      // pieces of a value: the fewest and the most
	long      int64    // pieces too long for an answer, which are not in the list
	off       bool
}

// division is what a column comes to if a separator divides it, by its place among the separators. Divisions are those
// of a column by the separators that stand in some value of it, which are few.
type (
	division struct {
		separator int
		pieces    *pieces
	}
	divisions []division
)

// by is what the column comes to by a separator; nil: it stands in no value.
func (s divisions) by(separator int) *pieces {
	for _, one := range s {
		if one.separator == separator {
			return one.pieces
		}
	}
	return nil
}

// split takes a value.
func (p *pieces) split(text, separator string) {
	if p.off {
		return
	}
	n, most := 0, mostPieces
	if separator == " " || seldom[separator] {
		most = mostCodes
	}
	for piece := range divided(text, separator) {
		if piece = canonical(piece); piece == "" {
			continue
		}
		n++
		if len(piece) > longValue && separator != " " && !seldom[separator] { // what was written beside "other"
			p.long++
			continue
		}
		p.all++
		at, there := slices.BinarySearch(p.list, piece)
		if !there {
			p.list = slices.Insert(p.list, at, strings.Clone(piece))
			p.times = slices.Insert(p.times, at, 0)
		}
		p.times[at]++
		if len(p.list) > most || len(piece) > longValue || separator == " " && !isCode(piece) {
			p.off, p.list, p.times = true, nil, nil
			return
		}
	}
	if separator == " " && n > 1 {
		list := strings.Fields(text)
		slices.Sort(list)
		p.twice = p.twice || len(slices.Compact(list)) < n
	}
	if n > 1 || strings.HasSuffix(strings.TrimSpace(text), separator) {
		p.divided++
	}
	p.whole++
	if p.whole == 1 || n < p.least {
		p.least = n
	}
	p.at = max(p.at, n)
}

// split tries what the value comes to if it is several with a separator between them. The values before the first that
// holds the separator come to themselves; if they are too many to be kept, they are too many pieces, too.
func (c *column) split(separator int, text string) {
	p := c.pieces.by(separator)
	if p == nil {
		if !holds(text, separators[separator]) || separators[separator] == ";" && onlyEntities(text) {
			return
		}
		p = &pieces{off: c.many}
		c.pieces = append(c.pieces, division{separator, p})
		if !c.many {
			for _, v := range c.values[:len(c.values)-1] {
				p.split(v.text, separators[separator])
			}
		}
	}
	p.split(text, separators[separator])
}

// divided is what stands between the separators of a text. A comma within brackets is part of an answer, as in "a cafe
// (blue, red)".
func divided(text, separator string) iter.Seq[string] {
	if separator == survey.ListSeparator {
		return survey.Items(text)
	}
	if separator != "," || !strings.ContainsAny(text, "([") {
		return strings.SplitSeq(text, separator)
	}
	return func(yield func(string) bool) {
		start, depth := 0, 0
		for i, r := range text {
			switch r {
			case '(', '[':
				depth += btoi(strings.ContainsAny(text[i:], ")]")) // one that is never closed opens nothing
			case ')', ']':
				depth = max(0, depth-1)
			case ',':
				if depth > 0 {
					continue
				}
				if !yield(text[start:i]) {
					return
				}
				start = i + 1
			}
		}
		yield(text[start:])
	}
}

// entity is a character as web pages write it, and some tools export it: &amp; or &#65279;.
var entity = regexp.MustCompile(`&(?:[A-Za-z]{2,8}|#\d{1,7}|#x[0-9A-Fa-f]{1,6});`)

// onlyEntities tells whether each semicolon of a text is the end of a character's name.
func onlyEntities(text string) bool {
	return strings.Contains(text, "&") && !strings.Contains(entity.ReplaceAllString(text, ""), ";")
}

// recur tells whether most of what respondents gave are pieces that more than one of them gave.
func (p *pieces) recur(values []value, separator string) bool {
	given, all := make([]int64, len(p.list)), int64(0)
	for _, v := range values {
		for piece := range divided(v.text, separator) {
			if piece = canonical(piece); piece == "" {
				continue
			}
			all += v.n
			if at, there := slices.BinarySearch(p.list, piece); there {
				given[at] += v.n
			}
		}
	}
	again := int64(0)
	for _, n := range given {
		if n > 1 {
			again += n
		}
	}
	return 10*again >= 6*all
}

// isCode tells whether a word may be the code of an answer: a number, or small letters, digits and what stands for a
// space between them.
func isCode(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' && r != '-'
	})
}

// codes tells whether the pieces are codes of answers, chosen in all kinds of combinations: as numbers, or as words of
// which each stands alone or in several places.
func (p *pieces) codes() bool {
	if p.twice || p.at < 2 {
		return false
	}
	if len(p.list) == 2 && p.least == 1 && p.divided > 0 && p.whole-p.divided == 2 {
		return len(p.list[0]) <= 2 && strings.Trim(p.list[0]+p.list[1], digits) == "" // 1, 2, and 1 2
	}
	if len(p.list) < 3 || p.divided < 3 {
		return false
	}
	numbers := 0
	for _, piece := range p.list {
		numbers += btoi(!strings.ContainsFunc(piece, func(r rune) bool { return r < '0' || r > '9' }))
	}
	if numbers == len(p.list) {
		return p.whole >= int64(len(p.list)) && p.least < p.at
	}
	return numbers == 0 && p.whole >= 2*int64(len(p.list)) && p.least == 1 && p.often(3) == len(p.list)
}

// often counts the pieces that occur so many times.
func (p *pieces) often(least int32) (n int) {
	for _, times := range p.times {
		n += btoi(times >= least)
	}
	return n
}

// offered tells whether most of what the values are divided into are a few answers that occur again and again, in
// threes or more, so that the others are what respondents wrote beside them.
func (p *pieces) offered() bool {
	least := p.leastOften()
	covered := int64(0)
	for _, times := range p.times {
		if times >= least {
			covered += int64(times)
		}
	}
	return p.often(least) >= 3 && p.at >= 3 && p.least < p.at && 2*p.divided >= p.whole && 10*covered >= 7*p.all
}

// answers lists the pieces: where they are many, those that occur often before what respondents wrote beside them.
func (p *pieces) answers(c *column, separator string) []choice {
	if bare := bareCommas(c, separator); bare != nil {
		return unlabelled(bare)
	}
	if whole := p.together(c, separator); whole != nil {
		return unlabelled(whole)
	}
	if len(p.list) <= fewPieces {
		return unlabelled(slices.Clone(p.list))
	}
	least := p.leastOften()
	var often, others []string
	for i, piece := range p.list {
		if p.times[i] >= least {
			often = append(often, piece)
		} else {
			others = append(others, piece)
		}
	}
	return append(unlabelled(often), unlabelled(others)...)
}

// bareCommas lists the answers where only a comma without a space behind it divides them, as Qualtrics writes them, and
// one with a space is part of an answer; nil if that is not so. Several values are divided so, most of what holds a
// comma with a space was given again, and no part of that is an answer by itself.
func bareCommas(c *column, separator string) []string {
	const least = 3 // values that are divided
	if separator != "," || c.many {
		return nil
	}
	times, inside, dividing := map[string]int64{}, map[string]bool{}, 0
	for _, v := range c.values {
		if thousands.MatchString(v.text) {
			return nil
		}
		n := 0
		for part, commas := range bareParts(v.text) {
			n++
			times[part] += v.n
			if commas {
				inside[part] = true
			}
		}
		dividing += btoi(n > 1)
	}
	for text := range inside {
		for part := range strings.SplitSeq(text, ",") {
			if part = canonical(part); times[part] > 0 {
				return nil
			}
		}
	}
	again, all := 0, 0
	var list []string
	for text, n := range times {
		list = append(list, text)
		if inside[text] {
			all++
			again += btoi(n > 1)
		}
	}
	if dividing < least || all == 0 || 2*again <= all || len(list) > fewPieces {
		return nil
	}
	return list
}

// bareParts is what stands between the commas of a text that have no space behind them, and whether it holds others,
// but for those within brackets.
func bareParts(text string) iter.Seq2[string, bool] {
	return func(yield func(string, bool) bool) {
		part, commas := "", false
		for piece := range divided(text, ",") {
			if part != "" && strings.HasPrefix(piece, " ") {
				part, commas = part+","+piece, true
				continue
			}
			if part = canonical(part); part != "" && !yield(part, commas) {
				return
			}
			part, commas = piece, false
		}
		if part = canonical(part); part != "" {
			yield(part, commas)
		}
	}
}

// thousands is a number with a comma in it, before thousands or decimals.
var thousands = regexp.MustCompile(`\d,\d`)

// leastOften is how many times a piece occurs that is an answer, and not what a respondent wrote beside the answers.
func (p *pieces) leastOften() int32 { return int32(max(3, p.whole/50)) }

// inOneOrder tells whether the pieces that respondents gave often stand in one order in all values, but for a few:
// tools write the answers in the order in which they were offered, and people what comes to their mind first.
func (p *pieces) inOneOrder(values []value, separator string, often func(piece int) bool) bool {
	before := map[[2]int]int64{}
	for _, v := range values {
		var list []int
		for piece := range divided(v.text, separator) {
			if at, there := slices.BinarySearch(p.list, canonical(piece)); there && often(at) && len(list) < fewPieces {
				list = append(list, at)
			}
		}
		for i, first := range list {
			for _, second := range list[i+1:] {
				before[[2]int{first, second}] += v.n
			}
		}
	}
	all, agree := int64(0), int64(0)
	for pair, n := range before {
		other := before[[2]int{pair[1], pair[0]}]
		if n+other < 2 {
			continue
		}
		all += n
		if n > other {
			agree += n
		}
	}
	return all > 0 && 20*agree >= 19*all
}

// combined tells whether most of what respondents chose are a few pieces that many chose, two of them at least both
// alone and beside others, and all in one order; what is left was written by respondents beside them.
func (p *pieces) combined(values []value, separator string) bool {
	chosen, alone, beside := make([]int64, len(p.list)), make([]bool, len(p.list)), make([]bool, len(p.list))
	respondents, several, all := int64(0), int64(0), int64(0)
	for _, v := range values {
		var places []int
		n := 0
		for piece := range divided(v.text, separator) {
			if piece = canonical(piece); piece == "" {
				continue
			}
			n++
			if at, there := slices.BinarySearch(p.list, piece); there {
				places = append(places, at)
			}
		}
		for _, at := range places {
			chosen[at] += v.n
			alone[at], beside[at] = alone[at] || n == 1, beside[at] || n > 1
		}
		respondents += v.n
		all += v.n * int64(n)
		if n > 1 {
			several += v.n
		}
	}
	often := func(piece int) bool { return chosen[piece] >= max(3, respondents/50) }
	covered, both := int64(0), 0
	for at, n := range chosen {
		if often(at) {
			covered += n
			both += btoi(alone[at] && beside[at])
		}
	}
	return p.at > p.least && both >= 2 && 10*covered >= 7*all && 10*several >= respondents &&
		p.inOneOrder(values, separator, often)
}
