package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Words that names of columns begin or end with alike.

// capitals groups columns that stand together and whose names are a word in common and others with capitals behind it,
// as in usesBus and usesNightTrain. Those with more than two words have the same answers, too.
func (g *guesser) capitals(open []int) {
	at := firstCapital(g.columns[open[0]].code)
	if at < 2 {
		return
	}
	word := g.columns[open[0]].code[:at]
	if low := strings.ToLower(word); verbs[low] || generic[low] || common[low] {
		return
	}
	run, shape, more := []member{{at: open[0]}}, newShape(), firstCapital(g.columns[open[0]].code[at:]) > 0
	shape.add(g.columns[open[0]])
	for _, i := range open[1:] {
		c := g.columns[i]
		if c.taken || i != run[len(run)-1].at+1 || firstCapital(c.code) != at || c.code[:at] != word {
			break
		}
		if more = more || firstCapital(c.code[at:]) > 0; more && !(c.scale() && shape.fits(c)) {
			break
		}
		shape.add(c)
		run = append(run, member{at: i})
	}
	pair := len(run) == 2 && at >= 4 && g.steppedWords(run)
	if len(run) >= 3 && at >= 3 || len(run) >= 5 || pair {
		g.alike(&family{stem: word, members: run, strong: pair, bond: ByName})
	}
}

// inOneWord makes a multiple choice of many columns that stand together, hold 0 and 1 or only 0, and whose names are
// words written together of which they have the first letters in common, as in fatbutter, fatlard and fatother.
func (g *guesser) inOneWord(open []int) {
	const least, letters = 5, 5
	first := g.columns[open[0]]
	if !first.dummy() {
		return
	}
	begun, seen, rows := first.code, 0, []member(nil)
	for _, i := range open {
		c := g.columns[i]
		shared := commonPrefix(begun, c.code)
		if c.taken || c.alone || len(rows) > 0 && i != rows[len(rows)-1].at+1 || !c.dummy() || c.filled != first.filled ||
			len(shared) < letters || len(c.code) < len(shared)+2 && len(rows) > 0 {
			break
		}
		begun, rows = shared, append(rows, member{at: i})
		seen += btoi(len(c.values) == 2)
	}
	if len(rows) < least || 3*seen < len(rows) || verbs[strings.ToLower(begun)] {
		return
	}
	for k := range rows {
		rows[k].name = g.columns[rows[k].at].code[len(begun):]
	}
	g.alike(&family{stem: begun, members: rows, strong: true, bond: ByName})
}

// dummy tells whether a column holds 0 and 1, or only 0, under a name of letters alone.
func (c *column) dummy() bool {
	kind := c.tick().kind
	return c.number && len(c.Labels) == 0 && c.wording == "" && (kind == oneZero || kind == onlyNo) &&
		onlyLetters(c.code)
}

// endAlike groups columns that stand together, have the same answers and whose names end with the same word, as in
// "Ford known" and "Fiat known" or in like_price and buy_price: what they begin with is the row. Or else they begin
// with the same word, as in "drinks tea" and "drinks milk".
func (g *guesser) endAlike(open []int) {
	first := g.columns[open[0]]
	word := lastWord(first.Name)
	if recoded[strings.ToLower(word)] {
		word = ""
	}
	if g.wordAlike(open, word, lastWord); !first.taken {
		g.wordAlike(open, wordAndTime(first.Name), wordAndTime)
	}
	if !first.taken {
		g.wordAlike(open, firstWord(first.Name), firstWord)
	}
}

// wordBeforeTime is a name that ends with a word and a number, as CNN_trust_2 does, and perhaps with the number of the
// name among others that are the same.
var wordBeforeTime = regexp.MustCompile(`^\pL[\pL_]+_(\pL{3,})(_\d{1,2})(?:_\d)?$`)

// wordAndTime is the last word of a name with the number behind it, which tells when it was asked; "" if there is none.
func wordAndTime(name string) string {
	m := wordBeforeTime.FindStringSubmatch(name)
	if m == nil || recoded[strings.ToLower(m[1])] {
		return ""
	}
	return m[1] + m[2]
}

// wordAlike groups columns that stand together, have the same answers and a word of their names in common, which find
// gives.
func (g *guesser) wordAlike(open []int, word string, find func(name string) string) {
	const least = 3
	first := g.columns[open[0]]
	if word == "" || first.alone || first.quantity {
		return
	}
	tick := first.tick()
	run, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		t := c.tick()
		if c.taken || c.alone || i != run[len(run)-1].at+1 || find(c.Name) != word ||
			!(tick.kind == t.kind && t.kind >= one && tick.yes == t.yes ||
				t.kind == noTick && (c.scale() || shape.holds(c)) && shape.fits(c)) {
			break
		}
		shape.add(c)
		run = append(run, member{at: i})
	}
	if all := g.sameWord(open, word, find); len(all) > len(run) && !g.section(all) && g.measured(all) &&
		!g.ownQuestions(all) {
		g.numericFamily(&family{stem: word, members: all, strong: true, bond: ByName})
		return // amounts, of which some columns hold few
	}
	if len(run) >= least {
		g.alike(&family{stem: word, members: run, strong: true, bond: ByName})
	}
}

// sameWord lists the columns that stand together and whose names have a word in common and are the same but for the
// numbers in them, whatever they hold.
func (g *guesser) sameWord(open []int, word string, find func(name string) string) (all []member) {
	letters := lettersOf(g.columns[open[0]].code)
	for _, i := range open {
		if c := g.columns[i]; c.taken || c.alone || find(c.Name) != word || lettersOf(c.code) != letters ||
			len(all) > 0 && i != all[len(all)-1].at+1 {
			break
		}
		all = append(all, member{at: i})
	}
	return all
}

// section tells whether columns are questions of one section of a questionnaire, as p14_health and p15_health are: the
// numbers in front are those of any questions, and a column among them holds yes and no, or hardly anything else.
func (g *guesser) section(members []member) bool {
	code := g.columns[members[0].at].code
	at := strings.IndexAny(code, digits)
	if at < 0 || at > 0 && !generic[strings.ToLower(strings.Trim(code[:at], joints))] || aYearInFront.MatchString(code) {
		return false
	}
	const few, answers = 3, 100
	letters := lettersOf(code)
	return once(g.sections, letters, func() bool {
		return slices.ContainsFunc(g.columns, func(c *column) bool {
			return c.number && len(c.Labels) == 0 && lettersOf(c.code) == letters &&
				(c.tick().chosen() || c.least.Sign() < 0 || !c.many && len(c.values) <= few && c.filled >= answers)
		})
	})
}

// lettersOf is a name without the digits in it.
func lettersOf(name string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, name)
}

// aYearInFront is a name that begins with a year.
var aYearInFront = regexp.MustCompile(`^(?:19|20)\d\d(?:\D|$)`)

// recoded are words that names end with whatever the questions are: what was made of the answers.
var recoded = set(`cat cats code coded codes rec recode recoded group grp groups bin binary dummy std raw new old num
	factor text other score total pre post`)

// firstWord is the first of the few words of a name without digits before them, as in "drinks Tea", if it is none that
// questions begin with, and no more than a letter or two; "" else.
func firstWord(name string) string {
	const most = 5
	list := strings.Fields(name)
	if len(list) < 2 || len(list) > most || strings.ContainsAny(name, "?") || strings.ContainsAny(list[0], digits) {
		return ""
	}
	if low := strings.ToLower(list[0]); len([]rune(low)) < 3 || common[low] || verbs[low] || besides[low] ||
		amountWords[low] {
		return ""
	}
	return list[0]
}

// questionCode is the code of a question, as it may stand behind the option in a name.
var questionCode = regexp.MustCompile(`^[abcfpqsvABCFPQSV]\d{1,3}[a-z]?$`)

// lastWord is the last of the few words of a name: behind a space or _, and in writing without either the last two
// letters; "" if there is none before it, or digits are in it.
func lastWord(name string) string {
	name = strings.TrimSpace(name)
	if strings.ContainsAny(name, "?") || len(strings.Fields(name)) > 4 {
		return ""
	}
	word := name[strings.LastIndexAny(name, " _")+1:]
	if runes := []rune(word); len(word) == len(name) {
		if len(runes) < 4 || len(runes) > 8 || !unicode.In(runes[len(runes)-1], unicode.Han, unicode.Hangul) {
			return ""
		}
		word = string(runes[len(runes)-2:])
	}
	if len(word) < len(name) && questionCode.MatchString(word) {
		return word
	}
	if len([]rune(word)) < 2 || !onlyLetters(word) {
		return ""
	}
	return word
}

// firstCapital is where the second word of a name begins, with a capital behind a small letter; 0 if a name is not made
// of words so, and of nothing else.
func firstCapital(name string) int {
	at, small := 0, false
	for i, r := range name {
		if !unicode.IsLetter(r) {
			return 0
		}
		if small && unicode.IsUpper(r) && at == 0 {
			at = i
		}
		small = unicode.IsLower(r)
	}
	return at
}
