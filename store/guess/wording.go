package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// split is one way to divide a question's words into what its family has in common and what is the column's own.
type split struct {
	common, own string
	behind      bool // what is in common stands behind
	sentence    bool // they are divided where a sentence ends
}

// dividers stand between a question and what it is about.
var dividers = []string{" - ", " – ", " — ", ": ", ":", "? ", "?", " | ", "... ", "...", "… ", "…", ". ", ") ", "] ",
	" > ", " >> ", " → ", " :: "}

// splits are the ways to divide words, each with something on both sides.
func splits(text string) []split {
	text = strings.Join(strings.Fields(text), " ")
	var list []split
	if o := lastOption.FindStringSubmatch(text); o != nil && o[2] != "" {
		list = append(list, split{leadingNumber.ReplaceAllString(o[1], ""), o[2], false, false})
	}
	if o := lastAside.FindStringSubmatch(text); o != nil && len(strings.Fields(o[2])) >= 3 {
		list = append(list, split{o[2], o[1], true, false})
	}
	list = append(list, slashed(text)...)
	for _, d := range dividers {
		for at := 0; ; {
			k := strings.Index(text[at:], d)
			if k < 0 {
				break
			}
			at += k + len(d)
			before, after := strings.TrimSpace(text[:at]), strings.TrimSpace(text[at:])
			if before == "" || after == "" {
				continue
			}
			sentence := strings.ContainsAny(d[:1], ".?…)") && strings.IndexAny(after, "/([|>→;") != 0
			list = append(list, split{before, after, false, sentence})
			if !strings.HasSuffix(before, "?") {
				list = append(list, split{start(after), before, true, sentence})
			}
		}
	}
	return list
}

// slashed are the ways to divide words at a slash, as forms write it between a question of three words or more and its
// option, or at an underscore behind four words or more, without a space on either side.
func slashed(text string) (list []split) {
	const least, letters = 3, 3
	for at := range len(text) {
		if text[at] != '/' && text[at] != '_' || at == 0 || text[at-1] == ' ' || at+1 == len(text) || text[at+1] == ' ' {
			continue
		}
		before, after := text[:at], text[at+1:]
		last, fields := before[strings.LastIndexByte(before, ' ')+1:], len(strings.Fields(before))
		if text[at] == '_' && (fields <= least || strings.ContainsAny(last+after[:1], "_"+digits)) {
			continue // a name with an underscore in it, or with a number behind it
		}
		if fields >= least && utf8.RuneCountInString(last) >= letters && last != "and" && !strings.Contains(after, "?") {
			list = append(list, split{before + text[at:at+1], after, false, false})
		}
	}
	return list
}

// lastAside is a question in brackets behind the row.
var lastAside = regexp.MustCompile(`^(.*\S)\s*\(([^()]+\?)\)$`)

// leadingNumber is a number in front of a question, which is the row's own where a file numbers its columns.
var leadingNumber = regexp.MustCompile(`^\d{1,3}\s*[.):]\s*`)

// programsNumber is what a program puts behind a name that there is already: no words of the row.
var programsNumber = regexp.MustCompile(`^[._]\d{1,3}$`)

// question tells whether what is in common is a whole question, which no two questions have in common.
func (s split) question() bool {
	return !s.behind && strings.HasSuffix(s.common, "?") && (utf8.RuneCountInString(s.common) >= 25 ||
		len(strings.Fields(s.common)) >= 4 && !strings.Contains(s.own, "?"))
}

// start is the beginning of words that files may cut where they get long.
func start(text string) string {
	if runes := []rune(text); len(runes) > 60 {
		return string(runes[:60])
	}
	return text
}

// telling tells whether words in common can hold columns together: there is a word among them that is not in every
// question.
func telling(text string) bool {
	n := 0
	for _, w := range words(text) {
		if !common[w] && strings.ContainsFunc(w, unicode.IsLetter) && len([]rune(w)) >= 4 {
			n += len([]rune(w))
		}
	}
	return n >= 5
}

// common are words that questions begin with, whatever they are about.
var common = set(`have does what which when where your been were ever with that this from would could should there
	please select choose answer following often many much like question other specify cual cuál cuales cuáles como cómo
	cuanto cuánto cuanta cuánta cuantos cuántos donde dónde usted para sobre este esta qual quais como você onde para
	quel quelle quels quelles comment combien vous votre avez etes êtes dans pour welche welcher welches wann wie viel
	haben sind ihre ihrer ihnen werden wird eine einen einem primera segunda tercera`)

// tag is the name of a scale in front of its statements, as in "(MBI) I feel tired".
var tag = regexp.MustCompile(`^[(\[][\p{L}][^()\[\] ]{1,15}[)\]]$`)

// byWording groups columns whose questions are divided into the same words and others, wherever they stand, and have
// the same kind of answers.
func (g *guesser) byWording() {
	type key struct {
		common string
		behind bool
		stem   string
	}
	groups := map[key][]member{}
	var order []key
	for _, i := range g.open() {
		c := g.columns[i]
		if c.wording == "" || len(c.wording) > 2000 {
			continue
		}
		if g.ownRun(i) {
			continue
		}
		seen := map[key]bool{}
		numbered, stem := g.numberedQuestion(c), g.numberedRun(i)
		for _, s := range splits(c.wording) {
			at := key{s.common, s.behind, stem}
			if programsNumber.MatchString(s.own) {
				continue
			}
			if seen[at] || len(seen) > 24 || s.sentence && !s.question() && (numbered || !telling(s.common)) &&
				!tag.MatchString(s.common) || !s.sentence && utf8.RuneCountInString(s.common) < 6 {
				continue
			}
			seen[at] = true
			if groups[at] == nil {
				order = append(order, at)
			}
			groups[at] = append(groups[at], member{i, s.own})
		}
	}
	slices.SortStableFunc(order, func(a, b key) int {
		if len(groups[a]) != len(groups[b]) {
			return len(groups[b]) - len(groups[a])
		}
		return len(b.common) - len(a.common)
	})
	for _, at := range order {
		if at.behind && g.remark(groups[at]) {
			continue
		}
		for _, members := range g.together(groups[at]) {
			if !g.amid(members) {
				g.worded(at.common, members)
			}
		}
	}
}

// questionBehind is a label with the number of its question in brackets behind it, as in "Asian (Q5)".
var questionBehind = regexp.MustCompile(`^(.*\S)\s*[(\[]([Qq][. ]?\d+[A-Za-z]?(?:[-.]\w+)*)[)\]]$`)

// numbersBehind groups three columns or more whose labels end with the same number of a question in brackets and that
// have the same answers, where no other question stands between them.
func (g *guesser) numbersBehind() {
	const least = 3
	type key struct {
		number string
		chosen bool // yes and no, beside which some files have what was chosen first, second and so on
	}
	groups := map[key][]member{}
	var order []key
	for _, i := range g.open() {
		c := g.columns[i]
		m := questionBehind.FindStringSubmatch(strings.TrimSpace(c.Label))
		if m == nil || c.alone {
			continue
		}
		at := key{m[2], c.tick().chosen()}
		if groups[at] == nil {
			order = append(order, at)
		}
		groups[at] = append(groups[at], member{i, m[1]})
	}
	for _, at := range order {
		for _, members := range g.together(groups[at]) {
			if len(members) >= least && (at.chosen || g.oneShape(members)) {
				g.worded(at.number, members)
			}
		}
	}
}

// remark tells whether the words that columns end with are put behind questions of all kinds, as a tool's word for how
// each was asked is: among the columns are some with three kinds of answers in words, none of which is that of most.
func (g *guesser) remark(members []member) bool {
	const least, many = 3, 20
	var kinds []*shape
	most := 0
	for _, m := range members {
		c := g.columns[m.at]
		if c.number || len(c.Labels) > 0 || !c.scale() || c.tick().kind != noTick {
			continue
		}
		at := slices.IndexFunc(kinds, func(k *shape) bool { return k.fits(c) })
		if at < 0 {
			kinds = append(kinds, newShape())
			at = len(kinds) - 1
		}
		kinds[at].add(c)
		if most = max(most, kinds[at].n); len(kinds) > many {
			return true
		}
	}
	return len(kinds) >= least && 2*most <= len(members)
}

// amid tells whether two columns stand among others that have the same answers in words: then what two of them happen
// to have in common holds nothing together that does not hold all.
func (g *guesser) amid(members []member) bool {
	if len(members) != 2 || members[1].at != members[0].at+1 {
		return false
	}
	beside := 0
	for _, m := range members {
		if c := g.columns[m.at]; c.number || c.code != c.wording || len(c.Labels) > 0 || !c.stated() || !c.scale() {
			return false
		}
	}
	shape := newShape()
	shape.add(g.columns[members[0].at])
	for _, by := range []int{-2, -1, 2, 3} {
		if at := members[0].at + by; at >= 0 && at < len(g.columns) {
			c := g.columns[at]
			beside += btoi(!c.taken && !c.number && c.stated() && c.scale() && shape.fits(c))
		}
	}
	return beside >= 2
}

// together divides members where another question stands between them.
func (g *guesser) together(members []member) (out [][]member) {
	var run []member
	last := -1
	for _, m := range members {
		if g.columns[m.at].taken {
			continue
		}
		between := false
		for k := last + 1; last >= 0 && k < m.at; k++ {
			between = between || g.columns[k].scale() && !g.columns[k].taken
		}
		if between {
			out, run = append(out, run), nil
		}
		run, last = append(run, m), m.at
	}
	return slices.DeleteFunc(append(out, run), func(run []member) bool { return len(run) < 2 })
}

// worded makes questions of columns whose questions have words in common.
func (g *guesser) worded(words string, members []member) {
	stem := g.common(members)
	if stem != "" && unicode.IsDigit(rune(stem[len(stem)-1])) && slices.ContainsFunc(members, func(m member) bool {
		rest := strings.TrimPrefix(g.columns[m.at].code, stem)
		return rest != "" && unicode.IsDigit(rune(rest[0]))
	}) {
		stem = "" // it ends in the middle of a number
	}
	if len(stem) < 2 || generic[strings.ToLower(strings.Trim(stem, "0123456789"))] || strings.Contains(stem, " ") {
		if stem = g.columns[members[0].at].code; strings.Contains(stem, " ") {
			stem = words
		}
	}
	g.alike(&family{stem: stem, label: strings.TrimRight(words, "-–—:|[( "), members: members, strong: true,
		bond: ByWords})
}

// numberedRun is what a column's name has before the number at its end if a neighbour's has it, too, as jis_1 and jis_2
// have; "" else.
func (g *guesser) numberedRun(i int) string {
	name := g.columns[i].code
	stem := strings.TrimRight(name, digits)
	if stem == name || strings.ContainsAny(stem, " "+digits) || generic[strings.ToLower(strings.Trim(stem, joints))] ||
		strings.Trim(stem, joints) == "" {
		return ""
	}
	for _, j := range []int{i - 1, i + 1} {
		if j >= 0 && j < len(g.columns) && g.columns[j].code != stem && strings.TrimRight(g.columns[j].code, digits) == stem {
			return stem
		}
	}
	return ""
}

// ownRun tells whether the name of a column is one of several with a stem of their own in common.
func (g *guesser) ownRun(i int) bool {
	for _, s := range g.stems(g.columns[i].code) {
		if s.behind == 'n' || s.behind == 'a' && g.named(s.text) || s.behind == '_' && !s.strong {
			continue
		}
		for _, j := range []int{i - 1, i + 1} {
			if j >= 0 && j < len(g.columns) && s.holds(g.columns[j].code) &&
				(s.behind != '0' && s.behind != 'r' || !g.numbering(s)) {
				return true
			}
		}
	}
	return false
}

// pickingWords begin questions with an answer from a list of their own each.
var pickingWords = set(`which what who whose where when welche welcher welches quel quelle qual quais cual cuál cuáles que
	qué jaki jaka jakie który która hangi ne kolik wieviele thinking sizin berapa apa apakah какой какая какие сколько`)

// beginAlike groups columns that stand together, have the same answers on a scale, and whose questions begin with the
// same words, a telling one among them: with three words, or with two where the columns are more; without labels with
// one word more, or with two where the columns are many.
func (g *guesser) beginAlike(open []int) {
	first := g.columns[open[0]]
	if first.alone || !first.scale() || first.wording == "" {
		return
	}
	if g.numberedQuestion(first) {
		g.numberedBegunAlike(open)
		return
	}
	const many = 8
	fewest, least := 3, 2 // words in common, and columns
	if len(first.Labels) == 0 {
		fewest, least = 4, 3
	}
	rows := g.begunWith(open, fewest, true, false)
	if alike := g.lettersAlike(open); len(alike) > len(rows) {
		rows = alike
	}
	switch {
	case len(rows) >= least:
	case len(first.Labels) == 0:
		list := words(first.wording)
		if strings.ContainsAny(first.wording, "{}_"+digits) || len(list) == 0 || pickingWords[list[0]] || first.called() ||
			first.tick().chosen() {
			return
		}
		rows, least = g.begunWith(open, 2, false, false), many
		if slices.ContainsFunc(rows, func(m member) bool {
			return g.columns[m.at].ordinary() != first.ordinary() && g.columns[m.at].filled >= fewAnswers
		}) {
			return // answers of lists, each as long as it is
		}
	default:
		least = 4
		if rows = g.begunWith(open, 2, false, false); len(rows) == 3 && len(g.common(rows)) >= 3 {
			least = 3
		}
		if len(rows) < least {
			rows, least = g.begunWith(open, 4, false, true), 4
		}
	}
	if len(rows) < least {
		return
	}
	f := &family{stem: g.common(rows), members: rows, strong: true, bond: ByWords}
	if len(f.stem) < 2 {
		f.stem = first.code
	}
	g.alike(f)
}

// numberedBegunAlike groups columns that stand together and whose names are numbers of questions, if they are four or
// more, have the same answers in words, three or more, and their questions begin with the same five words or more.
func (g *guesser) numberedBegunAlike(open []int) {
	const fewest, least, steps = 5, 4, 3
	first := g.columns[open[0]]
	if first.number && len(first.Labels) == 0 || first.tick().chosen() || len(first.choices()) < steps {
		return
	}
	if rows := g.begunWith(open, fewest, false, false); len(rows) >= least {
		g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByWords})
	}
}

// lettersAlike lists the columns that begin alike with the first word only, if they are five or more, have labels and
// their names have four letters in common.
func (g *guesser) lettersAlike(open []int) []member {
	const least, letters = 5, 4
	if len(g.columns[open[0]].Labels) == 0 {
		return nil
	}
	rows := g.begunWith(open, 1, false, false)
	stem := g.common(rows)
	if len(rows) < least || len(stem) < letters || strings.ContainsAny(stem, " "+digits) ||
		stem == g.columns[open[0]].code { // nothing is in common
		return nil
	}
	return rows
}

// begunWith lists the first of the open columns with those behind it that have its answers and so many words in common
// at the beginning of their questions, or, if ends, at the beginning and the end; a telling one is among the words, or
// names says that a beginning of the columns' names will do.
func (g *guesser) begunWith(open []int, fewest int, names, ends bool) []member {
	first := g.columns[open[0]]
	rows, shape := []member{{at: open[0]}}, newShape()
	shape.add(first)
	prefix := strings.Fields(first.wording)
	suffix := prefix
	for _, i := range open[1:] {
		c := g.columns[i]
		list := strings.Fields(c.wording)
		p := prefix[:commonWords(prefix, list)]
		var end []string
		if ends {
			end = suffix[len(suffix)-lastCommonWords(suffix, list):]
		}
		shared := slices.Concat(p, end)
		if c.taken || c.alone || !c.scale() || !shape.fits(c) || len(p) == 0 || len(shared) < fewest ||
			!telling(strings.Join(shared, " ")) && (!names || len(commonPrefix(first.code, c.code)) < 3) || g.asked(rows, c) {
			break
		}
		shape.add(c)
		prefix, suffix = p, end
		rows = append(rows, member{at: i})
	}
	return rows
}

// asked tells whether a column has the words of one of the rows: then it is one of the same question, asked again.
func (g *guesser) asked(rows []member, c *column) bool {
	return c.wording != "" && slices.ContainsFunc(rows, func(m member) bool {
		return g.columns[m.at].wording == c.wording
	})
}

// lastCommonWords is how many words two lists end with in common.
func lastCommonWords(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func commonWords(a, b []string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// numberedQuestion tells whether a column's name is the number of a question among others.
func (g *guesser) numberedQuestion(c *column) bool {
	list := g.stems(c.code)
	for _, s := range list {
		if s.behind == '0' || s.behind == '_' && s.holds(c.code) && strings.Trim(c.code[len(s.text):], "0123456789") == "" {
			return g.numbering(s)
		}
	}
	return false
}
