package guess

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// family is columns that may be one question: their names or their questions have a stem in common.
type family struct {
	stem    string // that becomes the question's code
	label   string // of the question, if the stem is one of words
	members []member
	// strong tells that the stem leaves no doubt: it has the question's number in it, or is the question's words. A
	// weak one is a word that unrelated columns may begin with.
	strong bool
	// pure tells of a weak one that it is an uncommon word with numbers behind it, all of the same kind.
	pure bool
	bond Bond
	// asked tells that each header has the whole question and the row behind it, so that there is no doubt what belongs
	// together, however few answered.
	asked bool
}

var (
	// the question, the option and the number that a column got because another has the same name
	bracket = regexp.MustCompile(`^(.+?)\s*\[(.*)\](_\d{1,2})?$`)
	cell    = regexp.MustCompile(`^(.*[^_.\-])[_.\-]?[rR](\d+)[_.\-]?[cC](\d+)$`)
	// Q11_3_b and Q11_3_b_1, as JISC's Online Surveys writes the third row and the second column
	letteredCell = regexp.MustCompile(`^(\pL+\d+)_(\d{1,2})_([a-z])(?:_1)?$`)
)

// bracketed groups columns called question[option], wherever they stand.
func (g *guesser) bracketed() {
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		c := g.columns[i]
		stem, option := c.stem, c.option
		if stem == "" {
			m := bracket.FindStringSubmatch(c.Name)
			switch parent, child := g.optionOf(i); {
			case parent != "":
				stem, option = parent, child
				g.parts[parent]++
				g.spoken += btoi(strings.ContainsFunc(child, unicode.IsLetter))
			case m != nil && g.again(i) == "":
				stem, option = m[1], strings.TrimSpace(m[2])
			default:
				if stem = g.again(i); stem == "" {
					continue
				}
			}
		}
		if c.Label != "" {
			option = ""
		}
		if groups[stem] == nil {
			order = append(order, stem)
		}
		groups[stem] = append(groups[stem], member{at: i, name: option})
	}
	groups, order = g.acrossThings(groups, order)
	for _, stem := range order {
		label := ""
		if c := g.columns[groups[stem][0].at]; c.stem != "" {
			label = c.wording
		}
		for _, members := range askedAgain(groups[stem]) {
			for _, apart := range g.apartInForm(members) {
				for _, part := range g.table(apart) {
					g.oneEach(part)
					g.alike(&family{stem: stem, label: label, members: part, strong: true, bond: ByName, asked: true})
				}
			}
		}
	}
}

// oneEach finds rows that hold one of a few answers each, where hardly anyone gave two: forms let respondents tick more
// than one answer in a row, and few do where the answers exclude each other. Two of them together are one more answer.
func (g *guesser) oneEach(rows []member) {
	const most = 12
	for k, separator := range separators {
		if seldom[separator] {
			continue
		}
		answers := map[string]bool{}
		filled, several := int64(0), int64(0)
		for _, m := range rows {
			c := g.columns[m.at]
			if c.many || c.number || len(c.Labels) > 0 {
				return
			}
			filled += c.filled
			for _, v := range c.values {
				if c.pieces.by(k) == nil || !strings.Contains(v.text, separator) {
					answers[v.text] = true
					continue
				}
				several += v.n
				for piece := range divided(v.text, separator) {
					answers[canonical(piece)] = true
				}
			}
		}
		if several > 0 && len(answers) <= most && 20*several <= filled {
			for _, m := range rows {
				g.columns[m.at].oneAnswer = true
			}
			return
		}
	}
}

var onlyRow = regexp.MustCompile(`^\s*\[([^\[\]]+)\]\s*$`)

// onlyRows groups columns that stand together and whose names are a row in brackets, with no question before it: forms
// write it so where the question was left empty.
func (g *guesser) onlyRows() {
	var run []member
	flush := func() {
		for _, part := range beginAgain(run) {
			if len(part) >= 3 {
				g.oneEach(part)
				g.alike(&family{stem: g.columns[part[0].at].code, members: part, strong: true, bond: ByName})
			}
		}
		run = nil
	}
	for _, i := range g.open() {
		m := onlyRow.FindStringSubmatch(g.columns[i].Name)
		if m == nil || len(run) > 0 && run[len(run)-1].at != i-1 {
			flush()
		}
		if m != nil {
			run = append(run, member{at: i, name: strings.TrimSpace(m[1])})
		}
	}
	flush()
}

var onceMore = regexp.MustCompile(`^(.*\S\s.*)([._])(\d{1,3})$`)

// again is the question of a column that stands beside one of the same name, but for the number that a program put
// behind it because no two columns may have one name; "" if there is none. The first of them may have none, or 1. Where
// others stand between, a question was asked more than once.
func (g *guesser) again(i int) string {
	name, mark, number := g.columns[i].Name, "", 0
	if m := onceMore.FindStringSubmatch(name); m != nil {
		name, mark, number = strings.TrimSpace(m[1]), m[2], atoi(m[3])
	} else if name = strings.TrimSpace(name); !strings.Contains(name, " ") {
		return ""
	}
	called := func(at int, behind string) bool {
		if at < 0 || at >= len(g.columns) {
			return false
		}
		rest, found := strings.CutPrefix(g.columns[at].Name, name)
		return found && strings.TrimSpace(rest) == behind
	}
	for _, m := range []string{".", "_"} {
		if mark != "" && mark != m {
			continue
		}
		if called(i-number, "") && called(i-number+1, m+"1") {
			return name
		}
		if first := i - number + 1; mark != "" && called(first, m+"1") && called(first+1, m+"2") {
			return name
		}
	}
	return ""
}

// byCode groups columns whose headers begin with the same code, as those of one question do in some tools, which
// write "3. Python" and "3. R".
func (g *guesser) byCode() {
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		c := g.columns[i]
		if c.code == c.Name || c.stem != "" {
			continue
		}
		if groups[c.code] == nil {
			order = append(order, c.code)
		}
		groups[c.code] = append(groups[c.code], member{at: i})
	}
	for _, code := range order {
		if members := g.fallenBack(code, groups[code]); len(members) >= 2 {
			g.alike(&family{stem: code, members: members, strong: true, bond: ByName})
		}
	}
}

// fallenBack leaves out the columns under one number between which and the others under it columns of other numbers
// stand: the numbers are those of statements, which begin again under each heading.
func (g *guesser) fallenBack(code string, members []member) []member {
	if strings.Trim(code, digits) != "" {
		return members
	}
	between := func(from, to int) bool {
		return slices.ContainsFunc(g.columns[from+1:to], func(c *column) bool {
			return c.code != c.Name && c.code != code && strings.Trim(c.code, digits) == ""
		})
	}
	var out []member
	for k, m := range members {
		if (k > 0 && !between(members[k-1].at, m.at)) || (k < len(members)-1 && !between(m.at, members[k+1].at)) {
			out = append(out, m)
		}
	}
	return out
}

// part is a run of letters or of digits in a name, or of what stands between them.
type part struct {
	text string
	kind rune // a, 0 or _
}

// parts divides a name.
func parts(name string) []part {
	var list []part
	for _, r := range name {
		kind := '_'
		switch {
		case unicode.IsDigit(r):
			kind = '0'
		case unicode.IsLetter(r):
			kind = 'a'
		}
		if n := len(list); n > 0 && list[n-1].kind == kind {
			list[n-1].text += string(r)
		} else {
			list = append(list, part{string(r), kind})
		}
	}
	return list
}

// index tells whether a part can be what numbers the rows of a question: digits, or a letter or two.
func (p part) index() bool { return p.kind == '0' || p.kind == 'a' && len([]rune(p.text)) <= 2 }

// questionsName is a part of a name that may be a question's: letters, or one before a number, and not the letter of a
// row alone.
var questionsName = regexp.MustCompile(`\pL{2}|\pL\d`)

// branches groups columns whose names differ in a part in the middle, and end in the question: I_1_P54 and I_2_P54;
// or in which the end tells another kind of answers, as in 7a1, 7a2, 7b1, 7b2.
func (g *guesser) branches() {
	type key struct{ before, after string }
	groups := map[key][]member{}
	var order []key
	for _, i := range g.open() {
		c := g.columns[i]
		list := parts(c.code)
		if strings.Contains(c.code, " ") || len(list) > 16 {
			continue
		}
		for k := 0; k < len(list)-1; k++ {
			if list[k].kind == '_' || !list[k].index() || k == 0 && !(list[0].kind == '0' && list[1].text == "_") {
				continue
			}
			at := key{joined(list[:k]), joined(list[k+1:])}
			if strings.Trim(at.after, "_.-") == "" || !strings.ContainsAny(at.before+at.after, "0123456789") ||
				numbersRow(at.after) {
				continue
			}
			if groups[at] == nil {
				order = append(order, at)
			}
			groups[at] = append(groups[at], member{at: i})
		}
	}
	slices.SortStableFunc(order, func(a, b key) int { return len(groups[b]) - len(groups[a]) })
	var list []*family
	for _, at := range order {
		members := groups[at]
		named := strings.ContainsAny(at.after[:1], "_.-") && strings.ContainsAny(at.after, "0123456789") &&
			questionsName.MatchString(at.after)
		if len(members) < 2 || !named && (len(members) < 3 || !g.endsDiffer(members, len(at.after))) ||
			!g.oneShape(members) || g.itemOf(members, at.after) || g.branchInRows(members, at.before, at.after) {
			continue
		}
		stem := strings.Trim(at.after, "_.-")
		if !named {
			stem = strings.TrimRight(at.before, "_.-") + "_" + stem
		}
		list = append(list, &family{stem: stem, members: members, strong: true, bond: ByBranch})
	}
	for _, f := range list {
		g.alike(f)
	}
}

// instrumentItem is the end of the name of an item of an instrument, as that of T1_PANAS_7 is.
var instrumentItem = regexp.MustCompile(`^[_.-](\pL{3,})[_.-]?\d{1,2}$`)

// itemOf tells whether most columns whose names end so stand in a row with the next items of the same instrument, or
// those before, and their answers: those are the rows of a question, whenever they were asked.
func (g *guesser) itemOf(members []member, after string) bool {
	m := instrumentItem.FindStringSubmatch(after)
	if m == nil || generic[strings.ToLower(m[1])] {
		return false
	}
	const others = 2 // items in the row, at least
	n := 0
	for _, m := range members {
		n += btoi(g.inRow(m.at, strings.TrimRight(g.columns[m.at].code, digits), others))
	}
	return 2*n > len(members)
}

// branchInRows tells whether letters are where the names of columns differ, and most of the columns stand in rows of
// many more with the same letters and answers, as SATS_Pr_Q01 to SATS_Pr_Q36 do: those are the rows of a question.
func (g *guesser) branchInRows(members []member, before, after string) bool {
	const more = 3 // times as many columns
	rows := 0
	for _, m := range members {
		code := g.columns[m.at].code
		if strings.ContainsAny(code[len(before):len(code)-len(after)], digits) {
			return false
		}
		rows += btoi(g.inRow(m.at, strings.TrimRight(code, digits), more*len(members)))
	}
	return 2*rows > len(members)
}

func joined(list []part) string {
	var b strings.Builder
	for _, p := range list {
		b.WriteString(p.text)
	}
	return b.String()
}

// oneShape tells whether columns have the same answers, all of them.
func (g *guesser) oneShape(members []member) bool {
	first := newShape()
	for _, m := range members {
		c := g.columns[m.at]
		if !c.scale() || !first.fits(c) {
			return false
		}
		first.add(c)
	}
	return true
}

// endsDiffer tells whether the neighbours of most columns, whose names differ in the last so many bytes, have other
// answers: not those of columns that stand in a row of more with the same answers, whose names differ so, than there
// are of them. Amounts are such where the names end with a letter, as in 22_1a and 22_1b.
func (g *guesser) endsDiffer(members []member, after int) bool {
	const few = 50 // columns: to look along rows of more would take long, and so many are no branches of options
	n := 0
	for _, m := range members {
		c := g.columns[m.at]
		stem := c.code[:len(c.code)-after]
		if len(members) <= few && g.inRow(m.at, stem, len(members)) {
			continue
		}
		for _, near := range []int{m.at - 1, m.at + 1} {
			if near < 0 || near >= len(g.columns) {
				continue
			}
			o := g.columns[near]
			if !strings.HasPrefix(o.code, stem) || o.Virtual {
				continue
			}
			if !o.scale() {
				if after > 1 || strings.ContainsAny(c.code[len(c.code)-1:], digits) || !o.number || o.filled == 0 {
					continue
				}
				n++
				break
			}
			shape := newShape()
			if shape.add(c); !shape.fits(o) {
				n++
				break
			}
		}
	}
	return 2*n > len(members)
}

// inRow tells whether a column stands in a row of more than so many columns with a stem and its answers.
func (g *guesser) inRow(at int, stem string, most int) bool {
	shape, row := newShape(), 1
	shape.add(g.columns[at])
	for _, step := range []int{-1, 1} {
		for i := at + step; i >= 0 && i < len(g.columns) && row <= most; i += step {
			o := g.columns[i]
			if !strings.HasPrefix(o.code, stem) || o.Virtual || !o.scale() || !shape.fits(o) {
				break
			}
			row++
		}
	}
	return row > most
}

// cells groups columns called q14r01c02: rows and columns of a table. Answers on a scale make a grid per column,
// options a question per row, or per column if those are two with a letter each.
func (g *guesser) cells() {
	type place struct{ stem, row, column string }
	places, rows, columns := map[int]place{}, map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, i := range g.open() {
		m := cell.FindStringSubmatch(g.columns[i].Name)
		if m == nil {
			m = letteredCell.FindStringSubmatch(g.columns[i].Name)
		}
		if m != nil {
			places[i] = place{m[1], m[2], m[3]}
			if rows[m[1]] == nil {
				rows[m[1]], columns[m[1]] = map[string]bool{}, map[string]bool{}
			}
			rows[m[1]][m[2]], columns[m[1]][m[3]] = true, true
		}
	}
	inRow := map[[2]string][]member{}
	for _, i := range g.open() {
		if p, ok := places[i]; ok {
			inRow[[2]string{p.stem, p.row}] = append(inRow[[2]string{p.stem, p.row}], member{at: i})
		}
	}
	apart := map[string]bool{} // stems of which rows do not stand together, or have several kinds of answers
	for key, members := range inRow {
		apart[key[0]] = apart[key[0]] || !g.oneShape(members) || members[len(members)-1].at != members[0].at+len(members)-1
	}
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		p, ok := places[i]
		if !ok || len(rows[p.stem]) < 2 || len(columns[p.stem]) < 2 {
			continue
		}
		key := p.stem + "c" + p.column
		lettered := strings.Trim(p.column, digits) != ""
		// questions, and the letters are those of their rows
		wide := lettered && len(columns[p.stem]) > len(rows[p.stem]) && !apart[p.stem]
		if t := g.columns[i].tick(); t.chosen() && !lettered || t.kind >= one && lettered && len(columns[p.stem]) > 2 ||
			wide {
			key = p.stem + "r" + p.row
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], member{at: i})
	}
	for _, key := range order {
		g.alike(&family{stem: key, members: groups[key], strong: true, bond: ByName})
	}
}
