package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// common is what the names of a group begin with, without what divides names.
func (g *guesser) common(members []member) string {
	prefix := g.columns[members[0].at].code
	for _, m := range members[1:] {
		prefix = commonPrefix(prefix, g.columns[m.at].code)
	}
	if trimmed := strings.TrimRight(prefix, "_.-:[( /"); trimmed != "" {
		return trimmed
	}
	return g.columns[members[0].at].code
}

func commonPrefix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return a[:n]
}

// span names the first and the last column of a group.
func (g *guesser) span(members []member) string {
	first := g.columns[members[0].at].origin.Name
	if len(members) == 1 {
		return first
	}
	return first + " to " + g.columns[members[len(members)-1].at].origin.Name
}

// divide finds what the labels of a group have in common, the question, and leaves each member the rest as its name.
// Without anything in common it returns "".
func (g *guesser) divide(members []member) string {
	named := func(m member) bool { return m.name != "" || g.columns[m.at].wording == "" }
	if len(members) < 2 || slices.ContainsFunc(members, named) {
		return ""
	}
	label := func(m member) string { return strings.Join(strings.Fields(g.columns[m.at].wording), " ") }
	prefix, suffix := label(members[0]), label(members[0])
	for _, m := range members[1:] {
		prefix = commonPrefix(prefix, label(m))
		suffix = commonSuffix(suffix, label(m))
	}
	// Only whole parts of a label count: up to what divides them.
	var question string
	var rest func(string) string
	if at := lastDivider(prefix); at > 3 {
		question = strings.TrimRight(strings.TrimSpace(prefix[:at]), "-–—:|[( ")
		rest = func(label string) string { return strings.TrimRight(strings.TrimSpace(label[at:]), "])") }
	} else if at := strings.Index(suffix, " - "); at >= 0 && len(suffix)-at > 6 {
		question = strings.TrimSpace(suffix[at+3:])
		rest = func(label string) string { return strings.TrimSpace(strings.TrimSuffix(label, suffix[at:])) }
	}
	if rest == nil || slices.ContainsFunc(members, func(m member) bool { return rest(label(m)) == "" }) {
		return ""
	}
	for i, m := range members {
		members[i].name = rest(label(m))
	}
	return question
}

func commonSuffix(a, b string) string {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(a[len(a)-n]) {
		n--
	}
	return a[len(a)-n:]
}

// lastDivider is where the last part begins that a text may be divided before, 0 if it has none.
func lastDivider(text string) int {
	best := 0
	for _, d := range []string{" - ", " – ", " — ", ": ", "? ", " | ", " [", "[", " (", ". "} {
		if at := strings.LastIndex(text, d); at >= 0 {
			best = max(best, at+len(d))
		}
	}
	return best
}

// mostLabel is how many bytes of a label programs keep, but for a few where characters have several: two options of a
// long question may have the same.
const mostLabel = 240

// shortQuestion is how many characters a question has at least that several columns have as their label.
const shortQuestion = 8

var bracketLabel = regexp.MustCompile(`^(?:\d+\.\s*)?(\S+\s.*?\S)\s*\[([^\[\]]+)\]$`)

// labelled groups columns that stand together and whose labels are the same question, in whole, with what each is about
// in brackets behind it or, of options, as its name. One that was asked again under another number is another question.
func (g *guesser) labelled() {
	var run []member
	question, number := "", ""
	cut := map[string]bool{} // questions whose columns all have labels that were cut short, by their numbers
	flush := func() {
		if len(run) >= 2 {
			stem := g.common(run)
			first := g.columns[run[0].at].code
			if rest := strings.TrimPrefix(first, stem); stem != strings.TrimRight(stem, digits) &&
				rest != strings.TrimLeft(rest, digits) {
				stem = first // a number was cut
			}
			g.alike(&family{stem: stem, label: question, members: run, strong: true, bond: ByWords, asked: true})
		}
		run = nil
	}
	for _, i := range g.open() {
		c := g.columns[i]
		label := strings.Join(strings.Fields(c.Label), " ")
		m := bracketLabel.FindStringSubmatch(label)
		of := ""
		if cut := strings.LastIndexAny(c.Name, "_.-"); cut > 0 && strings.ContainsAny(c.Name[:cut], digits) {
			of = c.Name[:cut]
		}
		short := of != "" && len(c.Label) >= mostLabel && once(cut, of, func() bool { return g.cutAlike(i, of) })
		if m == nil && !short && utf8.RuneCountInString(label) >= shortQuestion && label != c.Name && c.tick().chosen() {
			m = []string{label, label, c.Name}
		}
		if m == nil || len(run) > 0 && (m[1] != question || of != number || run[len(run)-1].at != i-1) {
			flush()
		}
		if m != nil {
			run, question, number = append(run, member{i, m[2]}), m[1], of
		}
	}
	flush()
}

// cutAlike tells whether the columns from one with a long label on that are called by the number of its question have
// labels that begin with the same words.
func (g *guesser) cutAlike(i int, number string) bool {
	const question = 200 // bytes
	first := g.columns[i].Label[:question]
	for _, c := range g.columns[i:] {
		if rest, found := strings.CutPrefix(c.Name, number); !found || !strings.ContainsAny(rest[:min(len(rest), 1)], "_.-") {
			break
		}
		if !strings.HasPrefix(c.Label, first) {
			return false
		}
	}
	return true
}

// stems are those of a name. What nearly all names of the file begin with numbers no question, nor is a letter one that
// most begin with, and a word each behind it.
func (g *guesser) stems(name string) []stem {
	list := slices.DeleteFunc(stems(name), func(s stem) bool {
		return g.blocks[s.text] || g.letter != "" && strings.HasPrefix(g.letter, s.text)
	})
	for i, s := range list {
		if rest, found := strings.CutPrefix(s.text, g.begin); found && s.behind == '_' && g.begin != "" {
			list[i].strong = strings.ContainsAny(rest, digits)
		}
	}
	return list
}

// inBlock is a name as Qualtrics numbers questions by block: Q4.2, and Q4.7_1 for a row of another.
var inBlock = regexp.MustCompile(`^(\pL{1,2}\d{1,2}\.)(\d{1,2})(_\d{1,2})?$`)

// blocksOf are what names begin with that number blocks of a form, as Q4. does: behind it stand a question with three
// rows or more, or two with rows, and others. Qualtrics gives a question with rows no column of its own; and where what
// has no rows are three columns or more, numbered from 1 on, with the same answers, they are those of one question.
func (g *guesser) blocksOf() map[string]bool {
	type question struct {
		rows int
		own  bool // it has a column of its own
	}
	questions := map[string]map[string]*question{} // by what their names begin with
	for _, c := range g.columns {
		if m := inBlock.FindStringSubmatch(c.code); m != nil {
			if questions[m[1]] == nil {
				questions[m[1]] = map[string]*question{}
			}
			q := questions[m[1]][m[2]]
			if q == nil {
				q = &question{}
				questions[m[1]][m[2]] = q
			}
			q.rows, q.own = q.rows+btoi(m[3] != ""), q.own || m[3] == ""
		}
	}
	const enough, many = 2, 3 // rows
	blocks := map[string]bool{}
	for begin, of := range questions {
		some, most, both := 0, 0, false
		for _, q := range of {
			some, most, both = some+btoi(q.rows >= enough), max(most, q.rows), both || q.rows > 0 && q.own
		}
		blocks[begin] = len(of) > 1 && (some > 1 || most >= many) && !both && !g.rowsAlone(begin)
	}
	return blocks
}

// rowsAlone tells whether what has no rows behind a name's beginning is numbered from 1 on and has the same answers in
// three columns or more.
func (g *guesser) rowsAlone(begin string) bool {
	const enough = 3
	var first *column
	n := 0
	for _, c := range g.columns {
		m := inBlock.FindStringSubmatch(c.code)
		if m == nil || m[1] != begin || m[3] != "" {
			continue
		}
		if n++; n == 1 {
			first = c
		}
		if atoi(m[2]) != n || !c.answersAs(first) {
			return false
		}
	}
	return n >= enough
}

// letterInFront is a letter with a stroke behind it that most names of a file with many columns begin with, and a word
// each behind that, as in Q-age and Q-income-now; "" if there is none.
func (g *guesser) letterInFront() string {
	const least = 20
	times, words, all := map[string]int{}, map[string]bool{}, 0
	for _, c := range g.columns {
		if c.Virtual {
			continue
		}
		all++
		if m := afterLetter.FindStringSubmatch(c.code); m != nil {
			times[m[1]]++
			words[m[1]+m[2]] = true
		}
	}
	for letter, n := range times {
		different := 0
		for word := range words {
			different += btoi(strings.HasPrefix(word, letter))
		}
		if n >= least && 4*n >= 3*all && 3*different >= n {
			return letter
		}
	}
	return ""
}

// afterLetter is a name of a letter, a stroke, and a word.
var afterLetter = regexp.MustCompile(`^(\pL[-_])(\pL{2,})`)

// mostlyDiffer tells whether the columns have half as many kinds of answers or more than there are of them.
func (g *guesser) mostlyDiffer() bool {
	var kinds []*shape
	for _, c := range g.columns {
		if !slices.ContainsFunc(kinds, func(k *shape) bool { return c.scale() && k.n > 0 && k.fits(c) }) {
			kinds = append(kinds, newShape())
			kinds[len(kinds)-1].add(c)
		}
	}
	return 2*len(kinds) >= len(g.columns)
}

// beginning is a word with a line behind it that nearly all names of a file with many columns begin with, if there is
// one; whole is one that all names begin with in a file of fewer columns, most of which are of different kinds.
func (g *guesser) beginning() (begin, whole string) {
	const least, few = 20, 8
	times, all := map[string]int{}, 0
	for _, c := range g.columns {
		if c.Virtual {
			continue
		}
		all++
		if word, _, found := strings.Cut(c.code, "_"); found {
			times[word+"_"]++
		}
	}
	for word, n := range times {
		if n >= few && n < least && n == all && g.mostlyDiffer() {
			whole = word
		}
		if n >= least && 10*n >= 9*all {
			begin = word
		}
	}
	return begin, whole
}

// forgetLabels takes the labels off a column of words that respondents wrote, if they are those of no value: somebody
// copied them from another column.
func (c *column) forgetLabels() {
	const enough = 10 // respondents
	if c.number || c.many || len(c.Labels) == 0 || len(c.Labels) > mostSteps || c.filled < enough {
		return
	}
	for _, v := range c.values {
		if _, labelled := c.labels.names[v.text]; labelled {
			return
		}
		if slices.ContainsFunc(c.Labels, func(l Label) bool { return strings.EqualFold(l.Text, v.text) }) {
			return
		}
	}
	without := *c.Column
	without.Labels = nil
	c.Column, c.labels = &without, &labelling{}
}
