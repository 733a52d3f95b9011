package guess

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// Questions that were asked more than once, and answers that stand in a file twice.

// askedAgain divides the columns of one question where each option stands in several, as often as every other: then it
// was asked as often.
func askedAgain(members []member) [][]member {
	times := map[string]int{}
	var list [][]member
	for _, m := range members {
		n := times[m.name]
		if times[m.name]++; n == len(list) {
			list = append(list, nil)
		}
		list[n] = append(list[n], m)
	}
	for _, n := range times {
		if n != len(list) || len(times) < 2 {
			return [][]member{members}
		}
	}
	return list
}

// askedTwice divides the columns of a family whose words each stand in as many of them: then the same was asked again,
// of something else.
func (g *guesser) askedTwice(f *family) [][]member {
	const least = 3
	if f.asked {
		return nil
	}
	names := map[int]string{}
	var list []member
	for _, m := range f.members {
		c := g.columns[m.at]
		if c.wording == "" || c.wording == c.code {
			return nil
		}
		names[m.at] = m.name
		list = append(list, member{m.at, c.wording})
	}
	parts := askedAgain(list)
	for _, part := range parts {
		if len(part) < least {
			return nil
		}
		for k := range part {
			part[k].name = names[part[k].at]
		}
	}
	return parts
}

// numberAndTime is a name that ends with a number and a word behind it, as Q3_4pre does.
var numberAndTime = regexp.MustCompile(`\d[_.]?(\pL+)$`)

// atTimes divides the columns of a family that differ in a word for when they were asked behind their numbers, or have
// none, three or more of each, in as many stretches as there are such words: what was asked before is another question
// than what was asked then.
func (g *guesser) atTimes(f *family) (parts [][]member) {
	const least = 3
	seen, last := map[string]bool{}, ""
	for n, m := range f.members {
		word := ""
		if found := numberAndTime.FindStringSubmatch(g.columns[m.at].code); found != nil {
			if word = strings.ToLower(found[1]); !times[word] {
				return nil
			}
		}
		if n == 0 || word != last {
			if seen[word] {
				return nil
			}
			parts, seen[word], last = append(parts, nil), true, word
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], m)
	}
	if slices.ContainsFunc(parts, func(part []member) bool { return len(part) < least }) {
		return nil
	}
	return parts
}

// farApart divides the columns under one question's words that stand in several places, three or more together in each,
// with three or more of other questions between: the question was asked of something else each time.
func (g *guesser) farApart(f *family) (parts [][]member) {
	const least = 3
	if f.bond != ByWords || !f.strong {
		return nil
	}
	for k, m := range f.members {
		between := 0 // columns of other questions
		if k > 0 {
			for _, c := range g.columns[f.members[k-1].at+1 : m.at] {
				between += btoi(c.taken || !c.Virtual && c.filled > 0 && !c.written())
			}
		}
		if k == 0 || between >= least {
			parts = append(parts, nil)
		} else if between > 0 {
			return nil
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], m)
	}
	if len(parts) < 2 || slices.ContainsFunc(parts, func(part []member) bool { return len(part) < least }) {
		return nil
	}
	return parts
}

// inBlocks divides columns that only a stem and their numbers hold together, where a number is left out behind every
// second, third or later one: VI02 to VI04, VI06 to VI08, VI10 to VI12. What stands at the number left out is no
// question, such as a text to which those behind it are the answers.
func (g *guesser) inBlocks(f *family) (parts [][]member) {
	const least = 3 // blocks
	if f.bond != ByName || f.label != "" {
		return nil
	}
	before, stem := 0, ""
	for k, m := range f.members {
		c := g.columns[m.at]
		letters := strings.TrimRight(c.code, digits)
		number := atoi(c.code[len(letters):])
		if number == 0 || k > 0 && (letters != stem || m.at != f.members[k-1].at+1) {
			return nil
		}
		switch {
		case k == 0 || number == before+2:
			parts = append(parts, nil)
		case number != before+1:
			return nil
		}
		parts[len(parts)-1] = append(parts[len(parts)-1], m)
		before, stem = number, letters
	}
	if len(parts) < least || slices.ContainsFunc(parts, func(part []member) bool {
		return len(part) < 2 || len(part) != len(parts[0])
	}) {
		return nil
	}
	return parts
}

// deniedWords turn what follows them round.
var deniedWords = set("not no non nicht nie kein no pas ne não nem sin ohne")

// askedUnder divides the columns under a stem of which some have one more word behind it and then the endings of the
// others, as partner_values_money has beside partner_money: the same was asked of something else.
func (g *guesser) askedUnder(f *family) [][]member {
	if f.bond != ByName || g.onlyYesOrNo(f.members) {
		return nil
	}
	return g.underOneMore(f.stem, f.members)
}

// underOneMore is askedUnder for any columns under a stem.
func (g *guesser) underOneMore(stem string, members []member) [][]member {
	const least = 3
	if len(members) < 2*least {
		return nil
	}
	endings, first := map[string]bool{}, map[string]int{}
	ending := func(m member) string {
		rest, found := strings.CutPrefix(strings.ToLower(g.columns[m.at].code), strings.ToLower(stem))
		if !found {
			return ""
		}
		return strings.TrimLeft(rest, joints)
	}
	for _, m := range members {
		end := ending(m)
		endings[end] = true
		if at := strings.IndexAny(end, joints); at > 0 {
			first[end[:at+1]]++
		}
	}
	for _, word := range sortedKeys(first) {
		if 9*first[word] < 4*len(members) {
			continue // they are too few to be those of the others
		}
		var parts [2][]member
		again, turns, before := 0, 0, false
		for _, m := range members {
			rest, with := strings.CutPrefix(ending(m), word)
			again += btoi(with && endings[rest])
			turns += btoi(with != before)
			before = with
			parts[btoi(with)] = append(parts[btoi(with)], m)
		}
		denied := deniedWords[strings.Trim(word, joints)]
		if !denied && turns <= 2 && again >= least && 5*again >= 4*len(parts[0]) && 5*again >= 4*len(parts[1]) {
			return parts[:]
		}
	}
	return nil
}

// countedAnew divides columns that nothing but their answers hold together, and whose names count anew under several
// stems, as trust_1 to trust_3 and risk_1 to risk_4 do: each is a question. Those that are not counted are in none.
func (g *guesser) countedAnew(f *family) (parts [][]member) {
	const least, most = 3, 4 // columns of a part, and one in so many that is not counted
	if f.bond != ByScale && f.bond != Judged {
		return nil
	}
	stem, counted := "", 0
	for _, m := range f.members {
		code := g.columns[m.at].code
		s := strings.TrimRight(code, digits)
		if n := atoi(code[len(s):]); s == code || len(strings.Trim(s, joints)) < 2 {
			stem = ""
			continue
		} else if last := len(parts) - 1; s == stem && n == len(parts[last])+1 {
			parts[last] = append(parts[last], m)
		} else if stem = s; n == 1 {
			parts = append(parts, []member{m})
		} else {
			stem = ""
		}
	}
	for _, part := range parts {
		if len(part) < least {
			return nil
		}
		counted += len(part)
	}
	if len(parts) < 2 || most*(len(f.members)-counted) > len(f.members) {
		return nil
	}
	return parts
}

// onceEach is a name and the number of one of several columns that have it.
var onceEach = regexp.MustCompile(`^(.*\pL.*?)([._ ])(\d{1,2})$`)

// numberedName is a name as onceEach divides it; before is empty if it has no number behind.
type numberedName struct {
	before, mark string
	number       int
	width        int // of the number, with its zeros
}

// numberedName is the name of column i.
func (g *guesser) numberedName(i int) numberedName {
	if g.divided == nil {
		g.divided = make([]numberedName, len(g.columns))
		for k, c := range g.columns {
			if m := onceEach.FindStringSubmatch(c.Name); m != nil {
				g.divided[k] = numberedName{m[1], m[2], atoi(m[3]), len(m[3])}
			}
		}
	}
	return g.divided[i]
}

// namesake is the column whose name is that of column i with another number behind it; -1 if there is none. Files have
// such where a part of a form was filled in several times.
func (g *guesser) namesake(i, number int) int {
	n := g.numberedName(i)
	at, there := g.at[fmt.Sprintf("%s%s%0*d", n.before, n.mark, n.width, number)]
	if n.before == "" || !there || at == i {
		return -1
	}
	return at
}

// eachTime makes a grid of columns that stand together, have the same answers and the same number behind their names,
// which are no whole questions, where their namesakes with the next number stand together, too, or those with the one
// before: a part of a form that was filled in several times. Codes without labels are those of a scale where it has
// five steps or more and ends alike in all of them; fewer may be anything, as of the persons of a household.
func (g *guesser) eachTime(open []int) {
	const least, steps, long = 3, 5, 9
	first, name := g.columns[open[0]], g.numberedName(open[0])
	bare := first.number && len(first.Labels) == 0
	if name.before == "" || open[0] < g.triedTimes || first.tick().chosen() || bare && len(first.values) < steps {
		return
	}
	for _, other := range []int{name.number + 1, name.number - 1} {
		rows, shape := []member{}, newShape()
		for k, i := range open {
			c, mine, at := g.columns[i], g.numberedName(i), g.namesake(i, other)
			if c.taken || c.alone || at < 0 || mine.number != name.number || strings.HasSuffix(mine.before, "?") ||
				k > 0 && (i != open[k-1]+1 || at != g.namesake(open[k-1], other)+1) || !c.scale() || !shape.fits(c) ||
				bare && (len(c.values) < steps || c.ordinary() != first.ordinary() &&
					min(len(c.values), len(first.values)) < long) {
				break
			}
			shape.add(c)
			rows = append(rows, member{at: i, name: mine.before})
		}
		if len(rows) >= least {
			g.triedTimes = rows[len(rows)-1].at
			g.alike(&family{stem: first.code, members: rows, strong: true, bond: ByScale})
			return
		}
	}
}

// apartInForm divides the options of one question that stand in several parts of a form: between two of them stands a
// column whose namesake stands before or behind both, as the form has that part several times.
func (g *guesser) apartInForm(members []member) (list [][]member) {
	const near = 50 // columns, of which one is such
	for k, m := range members {
		divided := k == 0
		for i := m.at - 1; k > 0 && i > members[k-1].at && i >= m.at-near && !divided; i-- {
			for _, step := range []int{-1, 1} {
				at := g.namesake(i, g.numberedName(i).number+step)
				divided = divided || at >= 0 && (at < members[k-1].at || at > m.at)
			}
		}
		if divided {
			list = append(list, nil)
		}
		list[len(list)-1] = append(list[len(list)-1], m)
	}
	return list
}

// copies groups columns that stand together and are called as the options of a multiple choice are, with one ending
// behind: tools write what was chosen as numbers, and again in words.
func (g *guesser) copies(open []int, tried map[string]int) {
	of, ending := g.copyOf(open[0])
	name := of + ending + " again" // no stem has a space in it
	if last, again := tried[name]; of == "" || again && open[0] <= last {
		return
	}
	rows := []member{{at: open[0]}}
	for _, i := range open[1:] {
		question, end := g.copyOf(i)
		if g.columns[i].taken || i != rows[len(rows)-1].at+1 || question != of || end != ending {
			break
		}
		rows = append(rows, member{at: i})
	}
	if tried[name] = rows[len(rows)-1].at; len(rows) >= 2 {
		g.alike(&family{stem: of + ending, members: rows, strong: true, bond: ByName})
	}
}

// copyOf is the multiple choice of which a column has the name of an option, and the ending behind that; "" if there is
// none, or the column tells nothing of an option.
func (g *guesser) copyOf(i int) (question, ending string) {
	c := g.columns[i]
	cut := strings.LastIndexAny(c.Name, "._")
	if cut <= 0 {
		return "", ""
	}
	at, there := g.at[c.Name[:cut]]
	if t := c.tick(); !there || g.readings[at].As != "multi" || !t.chosen() && t.kind != onlyNo {
		return "", ""
	}
	return g.readings[at].Of, c.Name[cut:]
}

// misnamed tells whether column i stands between two numbered ones in place of the number that is lacking there, has it
// at the end of its name and the answers of the one before: somebody mistyped the letters.
func (g *guesser) misnamed(s stem, before, i, behind int) bool {
	number := func(at int) int {
		code := g.columns[at].code
		return atoi(code[len(strings.TrimRight(code, digits)):])
	}
	c, last, next := g.columns[i], g.columns[before], g.columns[behind]
	if !s.strong || i != before+1 || behind != i+1 || !s.holds(next.code) || number(i) < 2 ||
		number(i) != number(before)+1 || number(behind) != number(i)+1 || len(c.code) != len(last.code) {
		return false
	}
	return c.answersAs(last)
}

// wordNumber is a word with a number behind it.
var wordNumber = regexp.MustCompile(`^(\pL[\pL_]*\pL)_?(\d)$`)

// eachItem makes two grids of twenty items or more that stand together, each a word with 1 and with 2 behind it in two
// columns, all with the same answers: either number is a question about all of them, as what was known of many persons
// before and after a course is. Fewer words are constructs of two statements each, and items whose names begin alike
// are divided by other rules.
func (g *guesser) eachItem() {
	const items, times, alike = 20, 2, 3
	for i := 0; i < len(g.columns); i++ {
		if k, _ := g.timesOf(i); k != times {
			continue
		}
		shape, n, begin := newShape(), 0, g.columns[i].code
		for at := i; at < len(g.columns); at += times {
			if k, _ := g.timesOf(at); k != times || !g.fitTo(shape, at, times) {
				break
			}
			begin = commonPrefix(begin, g.columns[at].code)
			n++
		}
		if n < items || len(begin) >= alike {
			continue
		}
		for k := range times {
			var rows []member
			for at := i + k; at < i+n*times; at += times {
				_, word := g.timesOf(at - k)
				if g.columns[at].wording != "" {
					word = ""
				}
				rows = append(rows, member{at: at, name: word})
			}
			g.alike(&family{stem: g.columns[rows[0].at].code, members: rows, strong: true, bond: ByName})
		}
		i += n*times - 1
	}
}

// eachThing makes a question of what was asked of many things in turns, five or more, where names say first what was
// asked and then of what: part_sport, mem_sport, part_party, mem_party and so on are two. The answers to one of these
// have to be the same for all things. A column or two of something else may stand between two things.
func (g *guesser) eachThing() {
	const things, between = 5, 2
	for i := 0; i < len(g.columns); i++ {
		asked := g.askedOf(i)
		if len(asked) < 2 || len(asked) > mostAsked {
			continue
		}
		first := []int{i} // of each thing
		for at := i; at < len(g.columns) && at <= first[len(first)-1]+len(asked)+between; at++ {
			if at >= first[len(first)-1]+len(asked) && slices.Equal(g.askedOf(at), asked) {
				first = append(first, at)
			}
		}
		if len(first) < things {
			continue
		}
		for k, stem := range asked {
			var rows []member
			shape := newShape()
			for _, at := range first {
				if !g.fitTo(shape, at+k, 1) {
					break
				}
				rows = append(rows, member{at: at + k})
			}
			if len(rows) == len(first) {
				g.alike(&family{stem: stem, members: rows, strong: true, bond: ByName})
			}
		}
		i = first[len(first)-1] + len(asked) - 1
	}
}

// mostAsked is how many questions may be asked of each of many things, in turns.
const mostAsked = 4

// askedOf lists what stands in front of the thing in the names of the columns from i on that are about one thing, as
// "part" and "mem" in part_sport and mem_sport: words of which no two are the same. Columns that are no steps nor
// options are about none. It ends behind one more than mostAsked.
func (g *guesser) askedOf(i int) (list []string) {
	thing := ""
	for _, c := range g.columns[i:] {
		word, rest, found := strings.Cut(c.code, "_")
		if !found || rest == "" || thing != "" && rest != thing || slices.Contains(list, word) || c.taken || c.alone ||
			c.named || strings.ContainsAny(word, digits+" ") || !strings.ContainsFunc(rest, unicode.IsLetter) ||
			!c.scale() && c.tick().kind == noTick {
			return list
		}
		if list, thing = append(list, word), rest; len(list) > mostAsked {
			return list
		}
	}
	return list
}

// fitTo tells whether so many columns from one on have the answers of those before, and takes them to these.
func (g *guesser) fitTo(shape *shape, at, n int) bool {
	for _, c := range g.columns[at : at+n] {
		if !shape.fits(c) {
			return false
		}
		shape.add(c)
	}
	return true
}

// timesOf is how many columns from i on are one word with 1, 2 and so on behind it, and have the answers of a scale,
// and the word.
func (g *guesser) timesOf(i int) (n int, word string) {
	for _, c := range g.columns[i:] {
		m := wordNumber.FindStringSubmatch(c.code)
		if m == nil || word != "" && m[1] != word || atoi(m[2]) != n+1 || c.taken || c.alone || c.named || !c.scale() {
			break
		}
		n, word = n+1, m[1]
	}
	return n, word
}
