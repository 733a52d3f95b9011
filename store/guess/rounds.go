package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// numberInFront is the number of a question in front of its name, as in Q066PS_Easy.
var numberInFront = regexp.MustCompile(`^\pL{0,2}\d+\pL{0,3}[-_. ]+`)

// thing is something of which several questions are asked, as the name of the first of them has it: a word, and what
// stands before and behind it where the same is asked of another thing.
type thing struct{ before, word, behind string }

// here stands in place of a thing in what was asked of it.
const here = "\x00"

// askedIn tells what was asked of the thing in a column of that name, with here for the thing; false if the name does
// not have it.
func (t thing) askedIn(name string) (asked string, ok bool) {
	for at := 0; ; at++ {
		found := strings.Index(name[at:], t.word)
		if found < 0 {
			return "", false
		}
		if at += found; parted(name, at) && parted(name, at+len(t.word)) {
			return name[:at] + here + name[at+len(t.word):], true
		}
	}
}

// parted tells whether a word of a name ends at a place, or begins there: between two letters only where the second is
// a capital and the first is not.
func parted(name string, at int) bool {
	if at <= 0 || at >= len(name) {
		return true
	}
	if !utf8.RuneStart(name[at]) {
		return false
	}
	a, _ := utf8.DecodeLastRuneInString(name[:at])
	b, _ := utf8.DecodeRuneInString(name[at:])
	return !unicode.IsLetter(a) || !unicode.IsLetter(b) || unicode.IsLower(a) && unicode.IsUpper(b)
}

// twoThings is the thing in the first of two names, if these may ask the same of two things: it is what the names do
// not begin and end with in common.
func twoThings(a, b string) (one thing, ok bool) {
	before := len(commonPrefix(a, b))
	for before > 0 && !(parted(a, before) && parted(b, before)) {
		before--
	}
	behind := len(commonSuffix(a[before:], b[before:]))
	for behind > 0 && !(parted(a, len(a)-behind) && parted(b, len(b)-behind)) {
		behind--
	}
	one = thing{a[:before], a[before : len(a)-behind], a[len(a)-behind:]}
	_, ok = one.other(b)
	return one, ok && one.named()
}

// named tells whether the thing has a name: two letters, and nothing that divides words in front of it or behind.
func (t thing) named() bool {
	divides := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.IsMark(r) }
	return lettersIn(t.word) >= 2 && strings.TrimFunc(t.word, divides) == t.word
}

// aboutOne is the columns that stand together and are about one thing.
type aboutOne struct {
	thing
	asked    map[string]int // the column of what was asked
	order    []string       // what was asked, in the order of the columns
	from, to int            // the columns: from one on, and before another
}

// roundOf is the columns from one on that are about a thing.
func (n naming) roundOf(t thing, at int) aboutOne {
	r := aboutOne{thing: t, asked: map[string]int{}, from: at, to: at}
	for ; r.to < len(n.columns) && r.to-at < mostInRound; r.to++ {
		asked, ok := t.askedIn(n.called[r.to])
		if _, again := r.asked[asked]; !ok || again {
			break
		}
		if asked != here && lettersIn(asked) == 0 {
			break // words with numbers behind them are items of constructs
		}
		r.asked[asked] = r.to
		r.order = append(r.order, asked)
	}
	return r
}

// lettersIn counts the letters of a name.
func lettersIn(name string) (n int) {
	for _, r := range name {
		n += btoi(unicode.IsLetter(r))
	}
	return n
}

// mostInRound is how many columns may be about one thing.
const mostInRound = 60

// nameOf is the name of a column without the number of its question; names that are sentences are words.
func (g *guesser) nameOf(at int) string {
	name := g.columns[at].code
	if strings.Count(name, " ") >= 3 {
		return ""
	}
	if rest := numberInFront.ReplaceAllString(name, ""); rest != "" {
		return rest
	}
	return name
}

// wordsOf is the words of a column's question, if it has three at least.
func (g *guesser) wordsOf(at int) string {
	if words := g.columns[at].wording; strings.Count(words, " ") >= 2 {
		return words
	}
	return ""
}

// like tells whether two questions or more were asked of both things, and half of those asked of one of them.
func (r aboutOne) like(other aboutOne) bool {
	same := 0
	for asked := range r.asked {
		_, ok := other.asked[asked]
		same += btoi(ok)
	}
	return same >= 2 && 2*same >= min(len(r.asked), len(other.asked))
}

// rounds makes grids of what was asked of each of three things or more, of one after the other, where the names say of
// what: food, food_lacking, water, water_lacking and so on, or RichDataEasy, RichDataImportant, LicenceEasy and
// LicenceImportant. Each question is one, whose rows are the things. Where all that was asked has the same answers, and
// there are no more things than questions, the rows may as well be what was asked.
func (g *guesser) rounds() { g.roundsBy(g.nameOf) }

// roundsInWords does so for what is left, where the questions' words say of what they are asked.
func (g *guesser) roundsInWords() { g.roundsBy(g.wordsOf) }

// naming is a guesser that knows what columns are about by what they are called: their names, or their words.
type naming struct {
	*guesser
	called []string // "" for a column that has none
	steps  []bool   // whether it has the answers of a scale
}

func (g *guesser) roundsBy(called func(at int) string) {
	n := naming{guesser: g, called: make([]string, len(g.columns)), steps: make([]bool, len(g.columns))}
	for i, c := range g.columns {
		if n.called[i] = called(i); n.called[i] != "" {
			n.steps[i] = c.fewSteps()
		}
	}
	for i := 0; i < len(g.columns); i++ {
		if !n.mayLead(i) {
			continue
		}
		all := n.roundsFrom(i)
		if len(all) < 3 {
			continue
		}
		if n.sharing(all[0]) == 0 || !n.numberedThrough(all) {
			for _, asked := range all[0].order {
				n.askedOfAll(all, asked)
			}
		}
		i = all[len(all)-1].to - 1
	}
}

// numberedThrough tells whether the names of all columns of some rounds end with numbers that follow each other, behind
// one stem: with the same answers these are the items of an inventory, whatever words return in them.
func (g *guesser) numberedThrough(all []aboutOne) bool {
	var columns []int
	for _, r := range all {
		for _, at := range r.asked {
			columns = append(columns, at)
		}
	}
	slices.Sort(columns)
	stem, first := endNumber(g.columns[columns[0]].code)
	for k, at := range columns {
		if s, number := endNumber(g.columns[at].code); s != stem || number == "" || atoi(number) != atoi(first)+k {
			return false
		}
	}
	return true
}

// mayLead tells whether a column may be the first about a thing.
func (n naming) mayLead(i int) bool {
	c := n.columns[i]
	return n.steps[i] && !c.taken && !c.Virtual && !c.copy
}

// fewSteps tells whether a column that is of no question yet has the answers of a scale. More than eighteen are a list,
// of countries say, from which questions of all kinds are answered.
func (c *column) fewSteps() bool {
	const most = 18
	return !c.taken && !c.alone && c.scale() && !c.tick().chosen() && len(c.choices()) <= most
}

// roundsFrom are the columns from one on by the things that they are about; fewer than three if they are about none.
func (n naming) roundsFrom(i int) []aboutOne {
	var first aboutOne // of the thing that was looked for last
	for j := i + 2; j < min(i+mostInRound, len(n.columns)); j++ {
		if !n.mayLead(j) {
			continue
		}
		one, ok := twoThings(n.called[i], n.called[j])
		if !ok {
			continue
		}
		if one != first.thing {
			first = n.roundOf(one, i)
		}
		if len(first.order) < 2 || j < first.to || j > first.to+mostBetweenRounds ||
			!n.columns[j].answersAs(n.columns[i]) {
			continue
		}
		if all := n.roundsAfter(first); len(all) >= 3 {
			return all
		}
	}
	return nil
}

// mostBetweenRounds is how many columns of something else may stand between those about one thing and those about the
// next.
const mostBetweenRounds = 2

// roundsAfter are a first round and those that follow and are like it. Between two of them may stand columns, of which
// those about a thing of which only the first question was asked are a round, too.
func (n naming) roundsAfter(first aboutOne) []aboutOne {
	all := []aboutOne{first}
	lead, between := n.columns[first.from], mostBetweenRounds
	if first.before == "" && first.behind == "" {
		between += len(first.order)
	}
	for found := true; found; {
		var lone []aboutOne
		from := all[len(all)-1].to
		found = false
		for at := from; at <= min(from+between, len(n.columns)-1) && !found; at++ {
			t, ok := first.other(n.called[at])
			if !ok {
				continue
			}
			next := n.roundOf(t, at)
			if found = next.like(first); found {
				all = append(append(all, lone...), next)
			} else if lead.ownWords() && n.mayLead(at) && n.columns[at].answersAs(lead) {
				lone = append(lone, next)
			}
		}
	}
	return all
}

// other is the thing in a name that is otherwise made as that of t.
func (t thing) other(name string) (thing, bool) {
	rest, ok := strings.CutPrefix(name, t.before)
	if !ok || !strings.HasSuffix(rest, t.behind) {
		return thing{}, false
	}
	o := thing{t.before, strings.TrimSuffix(rest, t.behind), t.behind}
	return o, o.named()
}

// askedOfAll makes a grid of a question, if it was asked of most things.
func (g *guesser) askedOfAll(all []aboutOne, asked string) {
	var rows []member
	shape := newShape()
	for _, r := range all {
		at, ok := r.asked[asked]
		if !ok {
			continue
		}
		c := g.columns[at]
		if !c.fewSteps() || !shape.fits(c) {
			continue
		}
		shape.add(c)
		rows = append(rows, member{at: at, name: r.word})
	}
	sharing := g.sharing(all[0])
	if strings.ContainsFunc(all[0].before, unicode.IsLetter) {
		sharing *= 2 // all begin alike, as those of one question do
	}
	letter := lettersIn(asked) == 1 // it may number the items of constructs, which share their answers
	if len(rows) < 3 || 3*len(rows) < 2*len(all) || len(rows) <= sharing || letter && sharing > 0 ||
		asked == here && !g.tellSteps(rows) {
		return
	}
	stem := strings.Trim(strings.ReplaceAll(asked, here, ""), joints)
	g.alike(&family{stem: stem, members: rows, strong: true, bond: ByBranch})
}

// tellSteps tells whether most of some columns have three answers or more, which say what they are.
func (g *guesser) tellSteps(rows []member) bool {
	n := 0
	for _, m := range rows {
		c := g.columns[m.at]
		n += btoi(c.ownWords() && len(c.values) >= 3)
	}
	return 3*n >= 2*len(rows)
}

// sharing is how many questions on scales were asked of one thing, if two of them have the same answers, or codes that
// may be the same; else 0.
func (g *guesser) sharing(r aboutOne) int {
	n, shared := 0, false
	for k, one := range r.order {
		c := g.columns[r.asked[one]]
		if !c.scale() || c.tick().chosen() {
			continue
		}
		n++
		for _, other := range r.order[:k] {
			o := g.columns[r.asked[other]]
			shared = shared || c.answersAs(o) || o.scale() && !c.ownWords() && !o.ownWords()
		}
	}
	if !shared {
		return 0
	}
	return n
}

// ownWords tells whether the answers of a column say what they are: by labels, or as they are words.
func (c *column) ownWords() bool { return len(c.Labels) > 0 || !c.number }
