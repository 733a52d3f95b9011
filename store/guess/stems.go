package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// What names of columns have in common.

// stem is a beginning of a name, and how the names of one family go on behind it.
type stem struct {
	text string
	// c a word with a capital, _ anything behind a divider, a a letter or two, 0 digits, r digits and words behind a
	// divider, l a letter and words behind a divider
	behind rune
	strong bool
}

// stems are what a name may have in common with its neighbours, the longest first: up to a divider, to where a number
// ends and a letter or two follow, as in Q3a, or to where the digits at the end begin. With a number in it, a stem is a
// question's.
func stems(name string) []stem {
	if at := strings.IndexAny(name, " "); at >= 0 {
		if len(strings.Fields(name)) > mostWords {
			return nil // words, and no name
		}
		var list []stem // drinks_Hot tea
		for end := strings.LastIndexByte(name[:at], '_'); end >= 2; end = strings.LastIndexByte(name[:end], '_') {
			list = append(list, stem{name[:end+1], '_', strings.ContainsAny(name[:end], digits)})
		}
		return list
	}
	list := parts(name)
	var out []stem
	for k := len(list) - 1; k > 0; k-- {
		before := joined(list[:k])
		numbered := strings.ContainsAny(aYear.ReplaceAllString(before, ""), digits)
		p := list[k]
		if p.kind == '0' && list[k-1].kind == 'a' && k == len(list)-3 && list[k+1].kind == '_' && !list[k+2].index() {
			out = append(out, stem{before, 'r', numbered}) // scale3_sleep
		}
		if k == 2 && list[0].kind == 'a' && list[1].kind == '0' && numberedCapital(before) && smallLetters(p.text) {
			out = append(out, stem{before, 'w', true}) // A4pond
		}
		switch {
		case !strings.ContainsFunc(before, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		case list[k-1].kind == '_' && p.kind != '_':
			out = append(out, stem{before, '_', numbered})
		case list[k-1].kind == '0' && p.kind == 'a' && len(p.text) == 1 && k < len(list)-2:
			out = append(out, stem{before, 'l', true}) // 8a.Tea
		case k == len(list)-1 && p.kind == 'a' && p.index():
			out = append(out, stem{before, 'a', true})
		case k == len(list)-1 && p.kind == 'a' && list[k-1].kind == '0' && capitalWord(p.text):
			out = append(out, stem{before, 'c', true}) // q5Tea
		case k == len(list)-1 && p.kind == '0':
			if len(p.text) >= 3 { // p1501: question 15, row 01
				cut := len(p.text) - 2
				out = append(out, stem{before + p.text[:cut], 'n', true})
			}
			out = append(out, stem{before, '0', numbered})
		}
	}
	if word := strings.TrimRightFunc(name, unicode.IsLower); len(word) >= 3 && len(name) == len(word)+1 &&
		!strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsUpper(r) }) {
		out = append(out, stem{word, 'a', true}) // STUDYa
	}
	return out
}

// aYear is a year in a name, which is no question's number.
var aYear = regexp.MustCompile(`\pL{2,}(?:19|20)\d\d(?:\b|_)`)

// numberedCapital tells whether a text is a capital or two and a number, as the code of a question may be.
func numberedCapital(text string) bool {
	letters := strings.TrimRight(text, digits)
	return len(letters) < len(text) && len([]rune(letters)) <= 2 &&
		!strings.ContainsFunc(letters, func(r rune) bool { return !unicode.IsUpper(r) })
}

// smallLetters tells whether a part of a name begins with a small letter.
func smallLetters(part string) bool {
	return strings.IndexFunc(part, unicode.IsLower) == 0
}

// mostWords is how many words a name has that is no question.
const mostWords = 8

// capitalWord tells whether a word begins with a capital and goes on in small letters.
func capitalWord(word string) bool {
	runes := []rune(word)
	return len(runes) >= 3 && unicode.IsUpper(runes[0]) && unicode.IsLower(runes[1])
}

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
		g.wordAlike(open, firstWord(first.Name), firstWord)
	}
}

// wordAlike groups columns that stand together, have the same answers and a word of their names in common, which find
// gives.
func (g *guesser) wordAlike(open []int, word string, find func(name string) string) {
	const least = 3
	first := g.columns[open[0]]
	if word == "" || first.alone {
		return
	}
	tick := first.tick()
	run, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	for _, i := range open[1:] {
		c := g.columns[i]
		t := c.tick()
		if c.taken || c.alone || i != run[len(run)-1].at+1 || find(c.Name) != word ||
			!(tick.kind == t.kind && t.kind >= one && tick.yes == t.yes || t.kind == noTick && c.scale() && shape.fits(c)) {
			break
		}
		shape.add(c)
		run = append(run, member{at: i})
	}
	if all := g.sameWord(open, word, find); len(all) > len(run) && g.measured(all) && !g.ownQuestions(all) {
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
	letters := func(i int) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsDigit(r) {
				return -1
			}
			return r
		}, g.columns[i].code)
	}
	for _, i := range open {
		if c := g.columns[i]; c.taken || c.alone || find(c.Name) != word || letters(i) != letters(open[0]) ||
			len(all) > 0 && i != all[len(all)-1].at+1 {
			break
		}
		all = append(all, member{at: i})
	}
	return all
}

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
	if len([]rune(word)) < 2 || strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) }) {
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

// holds tells whether a name is the stem with what may follow it.
func (s stem) holds(name string) bool {
	if len(name) <= len(s.text) || !strings.EqualFold(name[:len(s.text)], s.text) {
		return false
	}
	rest := parts(name[len(s.text):])
	switch s.behind {
	case 'r':
		return len(rest) >= 3 && rest[0].kind == '0' && rest[1].kind == '_'
	case '0':
		return rest[0].kind == '0' && (len(rest) == 1 || len(rest) == 2 && strings.EqualFold(rest[1].text, "r"))
	case 'l':
		return len(rest) >= 3 && rest[0].kind == 'a' && len(rest[0].text) == 1 && rest[1].kind == '_'
	case 'n':
		return len(rest) == 1 && rest[0].kind == '0' && len(rest[0].text) == 2
	case 'a':
		return len(rest) == 1 && rest[0].kind == 'a' && rest[0].index()
	case 'c':
		return len(rest) == 1 && rest[0].kind == 'a' && capitalWord(rest[0].text)
	case 'w':
		return rest[0].kind == 'a' && smallLetters(rest[0].text)
	}
	return rest[0].kind != '_'
}

// generic are stems of names that number questions, whatever the questions are.
var generic = set("q v p var question frage pregunta pergunta f x c s col column field item")

// groupCode is what LimeSurvey calls all questions of a group by, in front of their numbers, where nobody named them.
var groupCode = regexp.MustCompile(`^G\d+Q0*$`)

// verbs begin the names of questions that have nothing else in common.
var verbs = set(`am are is was were be been do does did has have had can could will would may might should
	ist sind war hat haben kann es son fue ha han hay tiene est sont a ont era foi tem`)

// run finds the columns behind the first whose names begin as its does: by the longest stem with a number that three
// columns share, else the longest of two; and by the longest other stem that three columns share, else two.
func (g *guesser) run(open []int, tried map[string]int) (strong, weak *family) {
	name := g.columns[open[0]].code
	for _, s := range g.stems(name) {
		last, again := tried[s.text+string(s.behind)]
		if again && open[0] <= last || s.behind == 'n' && (g.named(s.text) || !g.continues(s)) {
			continue
		}
		run := []member{{at: open[0]}}
		passed := false
		for k, j := range open[1:] {
			if c := g.columns[j]; s.holds(c.code) && s.behind == '_' && !s.strong && g.hasParts(j) {
				break // a question of its own, with options
			} else if s.holds(c.code) && s.behind == '_' && !s.strong && g.filtered(s, name, j) {
				passed = false // rows of another question
			} else if s.holds(c.code) || k+2 < len(open) && g.misnamed(s, run[len(run)-1].at, j, open[k+2]) {
				run, passed = append(run, member{at: j}), false
			} else if passed || !c.written() && !c.checks() {
				break
			} else {
				passed = true // what was written beside "other" divides no question
			}
		}
		run = run[:g.totals(s, run)]
		tried[s.text+string(s.behind)] = run[len(run)-1].at
		if !again && g.ranking(run) {
			return &family{stem: strings.TrimRight(s.text, "_.-:/ "), members: run, strong: true, bond: ByName}, nil
		}
		first := again && open[0] == last+1 && atoi(name[len(s.text):]) == 1 // behind the totals of what it begins
		if len(run) < 2 || again && !first && !g.oneAgain(s, run) || s.behind == 'n' && !strings.HasSuffix(name, "01") ||
			s.behind == '_' && !s.strong && g.withNumbers(s, run) || s.behind == 'l' && !g.lettered(s, run) ||
			s.behind == 'a' && g.named(s.text) && !g.fromAOn(s, run) || s.behind == 'w' && !g.inWordsBehind(s, run) {
			continue
		}
		f := &family{stem: strings.TrimRight(s.text, "_.-:/ "), members: run, strong: s.strong, bond: ByName}
		f.pure = s.behind == '0' && g.columns[open[0]].wording == "" && atoi(name[len(s.text):]) == 1 &&
			(len([]rune(strings.Trim(s.text, "_.-:/"))) >= 4 || len(run) == 2 && g.amongConstructs(run))
		for k := range run {
			c := g.columns[run[k].at]
			rest := c.code[len(s.text):]
			if c.wording == "" && strings.ContainsFunc(rest, unicode.IsLetter) && len(rest) > 1 {
				run[k].name = rest
			}
		}
		switch {
		case (s.behind == '0' || s.behind == 'r') && g.numbering(s), len(run) == 2 && verbs[strings.ToLower(f.stem)]:
		case s.strong && (strong == nil || len(strong.members) < 3 && len(run) >= 3):
			strong = f
		case !s.strong && (weak == nil || len(weak.members) < 3 && len(run) >= 3 || s.behind == '_' && g.wider(weak, f)):
			weak = f
		}
	}
	return strong, weak
}

// wider tells whether a family under a short stem is one question, of which those under a longer one are a few rows: all
// columns have the same answers, and those beside the few have another word each behind the stem.
func (g *guesser) wider(few, all *family) bool {
	const least = 3 // beside the few
	words, beside, shape := map[string]bool{}, 0, newShape()
	for _, m := range all.members {
		c := g.columns[m.at]
		if c.written() {
			continue
		}
		if !c.scale() || !shape.fits(c) {
			return false
		}
		shape.add(c)
		if slices.ContainsFunc(few.members, func(f member) bool { return f.at == m.at }) {
			continue
		}
		word := strings.FieldsFunc(c.code[len(all.stem):], func(r rune) bool { return strings.ContainsRune("_.-:/ ", r) })
		if len(word) == 0 || words[word[0]] {
			return false // another question
		}
		words[word[0]] = true
		beside++
	}
	return beside >= least
}

// totals is how many columns at the front of a run hold totals of those behind, which are numbered from 1 on: all of
// them if there are none such.
func (g *guesser) totals(s stem, run []member) int {
	if s.behind != '_' || s.strong || parts(g.columns[run[0].at].code[len(s.text):])[0].kind == '0' {
		return len(run)
	}
	for k, m := range run {
		c := g.columns[m.at]
		if k > 0 && c.code[len(s.text):] == "1" {
			return k
		}
		if !c.number || c.scale() {
			break
		}
	}
	return len(run)
}

// oneAgain tells whether columns whose stem others have further up in the file, too, are another question with that
// word in front, as there may be two in which things are ranked: all of them have words behind it and the same answers,
// but for those with one.
func (g *guesser) oneAgain(s stem, run []member) bool {
	several := slices.DeleteFunc(slices.Clone(run), func(m member) bool { return len(g.columns[m.at].values) == 1 })
	return len(several) >= 3 && s.behind == '_' && !s.strong && !slices.ContainsFunc(run, func(m member) bool {
		return strings.ContainsAny(g.columns[m.at].code[len(s.text):], "0123456789")
	}) && g.oneShape(several)
}

// lettered tells whether the letters behind a stem go up from one column to the next, as those of options do.
func (g *guesser) lettered(s stem, run []member) bool {
	return slices.IsSortedFunc(run, func(a, b member) int {
		return strings.Compare(g.columns[a.at].code[len(s.text):][:1], g.columns[b.at].code[len(s.text):][:1])
	})
}

// fromAOn tells whether the letters behind a stem are those from A on, one after the other, and the answers are the same
// in all columns: then another column called as the stem is holds what was counted in these.
func (g *guesser) fromAOn(s stem, run []member) bool {
	const least = 5
	for k, m := range run {
		if rest := strings.ToLower(g.columns[m.at].code[len(s.text):]); rest != string(rune('a'+k)) {
			return false
		}
	}
	return len(run) >= least && g.oneShape(run)
}

// inWordsBehind tells whether columns have words of their own behind the number of a question, of which most stand
// behind no other number, as those of what was asked at several times do.
func (g *guesser) inWordsBehind(s stem, run []member) bool {
	const least, letters = 3, 3
	rests, inWords := map[string]bool{}, 0
	for _, m := range run {
		rest := g.columns[m.at].code[len(s.text):]
		rests[strings.ToLower(rest)] = true
		inWords += btoi(len([]rune(parts(rest)[0].text)) >= letters)
	}
	if len(run) < least || 2*inWords < len(run) {
		return false
	}
	letter, again := strings.TrimRight(s.text, digits), map[string]bool{}
	for _, c := range g.columns {
		rest, found := strings.CutPrefix(c.code, letter)
		word := strings.ToLower(strings.TrimLeft(rest, digits))
		if number := rest[:len(rest)-len(word)]; found && number != "" && number != s.text[len(letter):] && rests[word] {
			again[word] = true
		}
	}
	return 2*len(again) < len(run)
}

// written tells whether a column holds words of the respondents' own, or nothing.
func (c *column) written() bool {
	return len(c.Labels) == 0 && !c.number && (c.Kind == Text || !c.date && !c.scale() && c.tick().kind < one &&
		!c.separated())
}

// withNumbers tells whether the names of most columns go on with the number of a question behind the stem. A digit
// within a word is none.
func (g *guesser) withNumbers(s stem, run []member) bool {
	n := 0
	for _, m := range run {
		rest := g.columns[m.at].code[len(s.text):]
		n += btoi(strings.ContainsAny(digitWithin.ReplaceAllString(rest, ""), digits))
	}
	if 2*n <= len(run) {
		return false
	}
	return slices.ContainsFunc(run,
		func(m member) bool { return parts(g.columns[m.at].code[len(s.text):])[0].kind != '0' }) ||
		g.numbering(s)
}

// digitWithin is a digit between the letters of a word, as in Base4Data.
var digitWithin = regexp.MustCompile(`\pL{2}\d\pL{3}`)

// named tells whether a column has that name: then what follows it is a question that goes on from it.
func (g *guesser) named(name string) bool {
	return slices.ContainsFunc(g.columns, func(c *column) bool { return strings.EqualFold(c.code, name) })
}

// continues tells whether the number at the end of a stem is that of a question among others: p14 and p16 are there, or
// parts of them, as p1401 is, where others have none.
func (g *guesser) continues(s stem) bool {
	return once(g.continuing, s.text, func() bool {
		list := parts(s.text)
		before, number := joined(list[:len(list)-1]), atoi(list[len(list)-1].text)
		near := func(text string) bool { return atoi(text) >= number-2 && atoi(text) <= number+2 }
		whole, divided := false, false
		for _, c := range g.columns {
			rest, found := strings.CutPrefix(c.code, before)
			end := strings.TrimLeft(rest, digits)
			if rest = rest[:len(rest)-len(end)]; !found || rest == "" {
				continue
			}
			question, first := strings.CutSuffix(rest, "01")
			switch {
			case len(rest) <= 2 && near(rest):
				return true
			case len(rest) <= 2:
				whole = true
			case first && end == "" && len(question) <= 2 && near(question) && atoi(question) != number:
				divided = true
			}
		}
		return whole && divided
	})
}

// once is what find finds for a key, kept: all columns are looked at for it, and each of them may ask.
func once(known map[string]bool, key string, find func() bool) bool {
	is, found := known[key]
	if !found {
		is = find()
		known[key] = is
	}
	return is
}

func atoi(text string) (n int) {
	for _, r := range text {
		if n < 1<<30 {
			n = 10*n + int(r-'0')
		}
	}
	return n
}

// picked tells whether the numbers behind a stem, written in three digits, go back from one column to the next: then
// columns were picked from a longer questionnaire and its numbers are those of questions.
func (g *guesser) picked(s stem) bool {
	last, back := "", false
	for _, c := range g.columns {
		rest, found := strings.CutPrefix(c.code, s.text)
		if !found || len(rest) != 3 || strings.Trim(rest, digits) != "" {
			continue
		}
		back = back || rest < last
		last = rest
	}
	return back
}

// numbering tells whether the numbers behind a stem are those of questions and not of rows: several other kinds of
// questions are numbered so, too, or these have parts.
func (g *guesser) numbering(s stem) bool {
	return once(g.numberings, s.text+string(s.behind), func() bool { return g.numbersQuestions(s) })
}

// numbersQuestions is numbering, found out by all columns.
func (g *guesser) numbersQuestions(s stem) bool {
	anything := generic[strings.ToLower(strings.Trim(s.text, "_.-:/"))] || groupCode.MatchString(s.text)
	if anything && g.picked(s) {
		return true
	}
	if anything && g.statements(s) {
		return false
	}
	again := !anything && g.twice(s.text)
	all, ones, own, amounts := 0, 0, false, false
	var kinds []*shape
	texts := map[string]bool{} // of columns that hold one each
	for _, c := range g.columns {
		if len(c.code) <= len(s.text) || !strings.HasPrefix(c.code, s.text) || c.Virtual {
			continue
		}
		rest := parts(c.code[len(s.text):])
		if rest[0].kind != '0' {
			continue
		}
		if len(rest) > 1 && again {
			continue // what was asked a second time
		}
		if len(rest) > 1 && rest[1].kind == '_' && rest[len(rest)-1].index() {
			return true
		}
		if all++; c.filled == 0 {
			continue
		}
		t := c.tick()
		if len(c.Labels) > 0 && t.chosen() || len(c.Labels) == 0 && (t.kind == oneZero || t.kind == onlyNo ||
			t.kind == ownWords) || c.ownOrNo() != "" {
			own = true
			continue // an option or not, whatever its words
		}
		if len(c.Labels) == 0 && t.kind == one && (isYes(t.yes) || !texts[t.yes]) {
			texts[t.yes] = true
			ones++
			continue // an option, or nothing
		}
		if s.behind == 'r' && c.number && len(c.Labels) == 0 && !c.scale() {
			amounts = true
			continue
		}
		at := slices.IndexFunc(kinds, func(k *shape) bool { return c.scale() && k.fits(c) || k.n > 1 && c.mistyped() })
		if at < 0 {
			kinds = append(kinds, newShape())
			at = len(kinds) - 1
		}
		kinds[at].add(c)
	}
	n := len(kinds) + btoi(own) + btoi(amounts)
	if n == 0 && ones >= 3 {
		return false // nothing but options
	}
	if n += ones; anything {
		return n > 1 || all < 5
	}
	return n > max(2, all/4)
}
