package guess

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Columns that stand together and have something in common.

// runs groups columns by all that they can have in common but brackets. Each of the finders looks for a family that
// begins with the first of the columns it is given; those that need less in common come later.
func (g *guesser) runs(ctx context.Context) {
	g.flags()
	inventories := g.inventories()
	g.misspelt()
	g.ticksBesideAmounts()
	g.markedOptions()
	g.inFront()
	g.cells()
	g.camels()
	g.numberedThings()
	g.codedThings()
	g.namedThings()
	g.thingsInTurn()
	g.loops()
	g.laps()
	g.numbersBehind()
	g.branches()
	g.lastly()
	g.begunAnew()
	g.eachItem()
	g.eachThing()
	g.rounds()
	g.listsAgain()
	g.roundsInWords()
	g.byCode()
	g.items()
	g.instruments()
	g.followUps()
	g.byWording()
	open, tried := g.open(), map[string]int{} // stems, and the last column of their run that was looked at
	finders := []func(open []int){
		func(open []int) { g.copies(open, tried) }, g.crossed, g.catalogue, g.longConstructs, g.series,
		g.lettersInside, g.lettersAfter, g.inventory, g.sortedOut, g.mixed, g.phrased,
		func(open []int) { g.byStem(open, tried) }, g.nameless, g.beginAlike, g.battery, g.goesOn,
		g.lettersBelow, g.selfNamed, g.namesOrNot, g.chosenOrNot, g.sequence, g.alphabet, g.lettersInFront,
		g.sameWords, g.endWords, g.opposites, g.enumerated, g.underOneWord, g.rated, g.capitals, g.inOneWord,
		g.endAlike, g.saidAgain, g.turns, g.eachTime, g.manyAlike, g.typedIn, g.untaken, g.wordsAlike,
		g.ownWordEach, g.sameChosen, g.marked, g.untilOther,
		g.oneOfThem,
	}
	for n, i := range open {
		for _, find := range finders {
			if g.columns[i].taken || ctx.Err() != nil {
				break
			}
			find(open[n:])
		}
	}
	g.constructsLeft(inventories)
}

// byStem groups the columns behind the first whose names have a stem in common with its own.
func (g *guesser) byStem(open []int, tried map[string]int) {
	strong, weak := g.run(open, tried)
	for _, f := range []*family{strong, weak} {
		if f != nil && !g.columns[open[0]].taken {
			g.alike(f)
		}
	}
}

var nobodys = regexp.MustCompile(`(?i)^(?:column|unnamed|field|var|x|v|f|c)[ _.:]*\d+$`)

// nameless groups the columns behind a named one that have no names of their own, as spreadsheets leave those under a
// heading over several, if each holds one text of its own or all hold the same answers.
func (g *guesser) nameless(open []int) {
	run := []member{{at: open[0]}}
	if nobodys.MatchString(g.columns[open[0]].Name) {
		return
	}
	for _, j := range open[1:] {
		if c := g.columns[j]; c.taken || c.Label != "" || !nobodys.MatchString(c.Name) {
			break
		}
		run = append(run, member{at: j})
	}
	if len(run) < 3 {
		return
	}
	run = slices.DeleteFunc(run, func(m member) bool { return len(g.columns[m.at].values) != 1 || g.columns[m.at].many })
	if len(run) >= 2 && run[0].at == open[0] {
		g.alike(&family{stem: g.columns[open[0]].code, members: run, strong: true, bond: Unnamed})
	}
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
		key := s.text + string(s.behind)
		last, again := tried[key]
		if again && open[0] <= last || s.behind == 'n' && (g.named(s.text) || !g.continues(s)) || g.ofSection(s) {
			continue
		}
		run := g.under(s, open)
		if g.hasQuestion[s.text] && !g.mostInSteps(s, run) {
			continue
		}
		run = run[:g.totals(s, run)]
		tried[key] = run[len(run)-1].at
		if !again && g.ranking(run) {
			return &family{stem: s.trimmed(), members: run, strong: true, bond: ByName}, nil
		}
		first := again && open[0] == last+1 && atoi(name[len(s.text):]) == 1 // behind the totals of what it begins
		// The next of its columns may be another question.
		anew := s.behind == 'w' || g.ofWholeFile(s)
		if len(run) < 2 || again && !first && !anew && !g.oneAgain(s, run) || !g.ordered(s, run) ||
			g.ofWholeFile(s) && len(run) < 4 {
			continue
		}
		f := g.stemmed(s, run)
		longer := func(before *family) bool { return before == nil || len(before.members) < 3 && len(run) >= 3 }
		if g.leads(s, run) {
			return nil, nil
		}
		switch {
		case (s.behind == '0' || s.behind == 'r') && g.numbering(s), len(run) == 2 && verbs[strings.ToLower(f.stem)]:
		case s.strong && longer(strong):
			strong = f
		case !s.strong && (longer(weak) || s.behind == '_' && !g.ofWholeFile(s) && g.wider(weak, f)):
			weak = f
		}
	}
	return strong, weak
}

// ofWholeFile tells whether all names of the file begin with a stem: it holds only four or more together that stand
// next to each other and have the same answers.
func (g *guesser) ofWholeFile(s stem) bool {
	return g.wholeFile != "" && s.text == g.wholeFile && s.behind == '_'
}

// mostInSteps tells whether the numbers behind a stem go up by one from most columns of a run to the next.
func (g *guesser) mostInSteps(s stem, run []member) bool {
	n, last := 0, 0
	for k, m := range run {
		number := atoi(parts(g.columns[m.at].code[len(s.text):])[0].text)
		n += btoi(k > 0 && number == last+1)
		last = number
	}
	return 2*n > len(run)-1
}

// under are the columns from the first on whose names begin with a stem of its. What was written beside "other"
// divides no question.
func (g *guesser) under(s stem, open []int) []member {
	name := g.columns[open[0]].code
	run := []member{{at: open[0]}}
	passed := false // over something written
	for k, j := range open[1:] {
		c := g.columns[j]
		weak := s.behind == '_' && !s.strong
		first := g.columns[open[0]]
		switch holds := s.holds(c.code); {
		case holds && weak && g.hasParts(j), // a question of its own, with options
			holds && weak && len(run) >= 3 && len(c.Labels) > 1 && first.oneLabelled(), // what the options come to
			holds && s.behind == 'w' && !c.answersAs(first),                            // another question under the number
			holds && g.ofWholeFile(s) && (strings.ContainsAny(c.code[len(s.text):], joints) || !c.answersAs(first)):
			return run
		case holds && weak && g.filtered(s, name, j):
			passed = false // rows of another question
		case holds, k+2 < len(open) && g.misnamed(s, run[len(run)-1].at, j, open[k+2]):
			run, passed = append(run, member{at: j}), false
		case passed, !c.written() && !c.checks():
			return run
		default:
			passed = true
		}
	}
	return run
}

// ordered tells whether what stands behind a stem in the names of columns is what it has to be there for these to be
// one question.
func (g *guesser) ordered(s stem, run []member) bool {
	switch s.behind {
	case 'n':
		return strings.HasSuffix(g.columns[run[0].at].code, "01")
	case '_':
		return s.strong || !g.withNumbers(s, run)
	case 'l':
		return g.lettered(s, run)
	case 'a':
		return !g.named(s.text) || g.fromAOn(s, run)
	case 'w':
		return g.inWordsBehind(s, run)
	}
	return true
}

// stemmed is the family of columns under a stem.
func (g *guesser) stemmed(s stem, run []member) *family {
	f := &family{stem: s.trimmed(), members: run, strong: s.strong, bond: ByName}
	first := g.columns[run[0].at]
	f.pure = s.behind == '0' && first.wording == "" && atoi(first.code[len(s.text):]) == 1 &&
		(len([]rune(strings.Trim(s.text, joints))) >= 4 || len(run) == 2 && g.amongConstructs(run))
	for k := range run {
		c := g.columns[run[k].at]
		rest := c.code[len(s.text):]
		if c.wording == "" && strings.ContainsFunc(rest, unicode.IsLetter) && len(rest) > 1 {
			run[k].name = rest
		}
	}
	return f
}

// wider tells whether a family under a short stem is one question, of which those under a longer one are a few rows,
// fewer than the others: all columns have the same answers, and each of the others has a word of its own behind the
// stem, or, if it holds true and false, that of the one before it.
func (g *guesser) wider(few, all *family) bool {
	const least = 3 // beside the few
	own, beside, shape, last := map[string]bool{}, 0, newShape(), ""
	for _, m := range all.members {
		c := g.columns[m.at]
		if c.written() {
			continue
		}
		if !c.scale() || !shape.fits(c) || c.number && len(c.Labels) == 0 {
			return false // the same numbers may be those of any question
		}
		shape.add(c)
		if slices.ContainsFunc(few.members, func(f member) bool { return f.at == m.at }) {
			continue
		}
		word := strings.FieldsFunc(c.code[len(all.stem):], func(r rune) bool { return strings.ContainsRune(joints, r) })
		switch {
		case len(word) > 0 && word[0] == last && c.logical():
			continue // one more of these options
		case len(word) == 0 || own[word[0]]:
			return false // another question
		}
		own[word[0]], last = true, word[0]
		beside++
	}
	return beside >= max(least, len(few.members))
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
		if !c.number || c.scale() || c.tick().kind >= one {
			break
		}
	}
	return len(run)
}

// oneAgain tells whether columns whose stem others have further up in the file, too, are another question with that
// word in front, as there may be two in which things are ranked: all of them have words behind it and the same
// answers, but for those with one.
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

// fromAOn tells whether the letters behind a stem are those from A on, one after the other, and the answers are the
// same in all columns: then the column that is called as the stem alone holds how many of them were chosen.
func (g *guesser) fromAOn(s stem, run []member) bool {
	const least = 5
	for k, m := range run {
		if rest := strings.ToLower(g.columns[m.at].code[len(s.text):]); rest != string(rune('a'+k)) {
			return false
		}
	}
	return len(run) >= least && g.oneShape(run)
}

// inWordsBehind tells whether columns have words of their own behind the number of a question, none of them one for
// what respondents are, and of which most stand behind no other number, as those of what was asked at several times
// do.
func (g *guesser) inWordsBehind(s stem, run []member) bool {
	const least, letters = 3, 3
	letter := strings.ToLower(strings.TrimRight(s.text, digits))
	inWords, again := 0, 0
	for _, m := range run {
		rest := strings.ToLower(g.columns[m.at].code[len(s.text):])
		word := parts(rest)[0].text
		if whoTheyAre[word] || ownState[word] {
			return false
		}
		inWords += btoi(utf8.RuneCountInString(word) >= letters)
		again += btoi(g.numbersBefore()[letter+" "+rest] > 1)
	}
	return len(run) >= least && 2*inWords >= len(run) && !waveLetters[letter] && 2*again < len(run)
}

// numbersBefore is behind how many numbers words stand, by the letters before these and the word: "a pond" for
// A4pond.
func (g *guesser) numbersBefore() map[string]int {
	if g.words != nil {
		return g.words
	}
	g.words = map[string]int{}
	seen := map[string]bool{}
	for _, c := range g.columns {
		number := strings.TrimLeftFunc(c.code, unicode.IsLetter)
		word := strings.TrimLeft(number, digits)
		letters, number := c.code[:len(c.code)-len(number)], number[:len(number)-len(word)]
		key := strings.ToLower(letters + " " + word)
		if at := key + " " + number; number != "" && word != "" && !seen[at] {
			seen[at] = true
			g.words[key]++
		}
	}
	return g.words
}

// waveLetters stand in front of the number of a wave, a time, a year or a visit.
var waveLetters = set("w t y v")

// ownState are words for what respondents are, besides those of whoTheyAre.
var ownState = set(`male female man woman married partner single kids children child urban rural resident consent
	literate head educ edu educated employed working works smoker smoke smoking diabetic pregnant over owner citizen
	student`)

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
	return slices.ContainsFunc(g.columns, func(c *column) bool {
		return len(c.code) == len(name) && strings.EqualFold(c.code, name)
	})
}
