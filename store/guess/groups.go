package guess

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// member is a column in a group and what it is called there.
type member struct {
	at   int
	name string // of the option or row
}

// forcedGrids makes the grids that the options name.
func (g *guesser) forcedGrids() error {
	for _, grid := range g.options.Grids {
		var members []member
		for _, name := range grid.Columns {
			found, err := g.matching(name)
			if err != nil {
				return err
			}
			for _, i := range found {
				switch c := g.columns[i]; {
				case c.taken:
					return &OptionError{"grid", fmt.Sprintf("column %q is read as %s already", c.Name, g.readings[i].As)}
				case c.many || len(c.choices()) == 0:
					return &OptionError{"grid", fmt.Sprintf("column %q (%s) cannot be a row of a grid: it has no "+
						"few answers", c.Name, c.summary())}
				case slices.ContainsFunc(members, func(m member) bool { return m.at == i }):
					return &OptionError{"grid", fmt.Sprintf("column %q is named twice", c.Name)}
				}
				members = append(members, member{at: i})
			}
		}
		if len(members) == 0 {
			return &OptionError{"grid", "no column is named; one is given as CODE=COLUMN,COLUMN or as a pattern such as q5_*"}
		}
		g.grid(cmp.Or(grid.Code, g.common(members)), "", members, Said)
	}
	return nil
}

// matching lists the columns that a name with * in it stands for.
func (g *guesser) matching(name string) ([]int, error) {
	if !strings.Contains(name, "*") {
		i, err := g.find("grid", name)
		return []int{i}, err
	}
	pattern := regexp.MustCompile("(?is)^" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*") + "$")
	var list []int
	for i, c := range g.columns {
		if pattern.MatchString(c.Name) && !c.Virtual {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil, &OptionError{"grid", fmt.Sprintf("no column is called %s", name)}
	}
	return list, nil
}

// sets makes questions of what the file declares.
func (g *guesser) sets() {
	for _, s := range g.file.Sets {
		if s.Joined != "" {
			g.joined(s)
			continue
		}
		g.declared(s)
	}
}

// declared makes a question of a set of columns. A column may be in several sets, as those of all brands and of the
// large ones are.
func (g *guesser) declared(s Set) {
	var members []member
	var shared, left []string
	for i, name := range s.Columns {
		at, ok := g.at[name]
		if !ok {
			continue
		}
		switch as := g.readings[at].As; {
		case as == "multi":
			shared = append(shared, name)
		case g.columns[at].taken:
			left = append(left, fmt.Sprintf("%s (%s)", name, as))
			continue
		}
		option := ""
		if i < len(s.Options) {
			option = s.Options[i]
		}
		members = append(members, member{at, option})
	}
	if len(left) > 0 {
		g.note("the file declares the set %s, of which columns are left out that are read otherwise: %s", s.Name,
			listed(left))
	}
	if len(members) == 0 {
		return
	}
	g.multi(strings.TrimPrefix(s.Name, "$"), s.Label, members, func(*column) string { return s.Value },
		Reason("the file declares the set "+s.Name), false)
	if len(shared) > 0 {
		g.note("the file declares the set %s, of which columns are in other questions, too: %s", s.Name, listed(shared))
	}
}

// joined makes a question of a set in one column. The columns it is made of stay what they are.
func (g *guesser) joined(s Set) {
	at, ok := g.at[s.Joined]
	if !ok || g.columns[at].taken {
		return
	}
	c := g.columns[at]
	labels := column{Column: &Column{Labels: s.Labels, Missing: c.Missing}}
	list := labels.choices()
	var rest []string
	if p := c.pieces[max(0, slices.Index(separators[:], s.Separator))]; p != nil && !p.off {
		rest = append(rest, p.list...)
	} else { // never more than one
		for _, v := range c.values {
			rest = append(rest, v.text)
		}
	}
	slices.Sort(rest)
	inOrder(rest)
	for _, text := range rest {
		if !slices.ContainsFunc(list, func(c choice) bool { return c.value == text }) {
			list = append(list, choice{value: text, name: text})
		}
	}
	if len(list) == 0 {
		return
	}
	for _, name := range s.Columns {
		if i, ok := g.at[name]; ok {
			g.columns[i].alone = true
		}
	}
	code := g.code(strings.TrimPrefix(s.Name, "$"))
	d := draft{at: at, question: audience.Question{Code: code, Name: s.Label, Kind: audience.Multi}}
	d.columns = survey.QuestionColumns{Column: c.Name, Separator: s.Separator}
	d.question.Datapoints, d.columns.Datapoints = datapoints(code, list)
	// It stands where the columns it is made of stand.
	if i := slices.IndexFunc(g.columns, func(c *column) bool { return slices.Contains(s.Columns, c.Name) }); i >= 0 {
		d.at = i
	}
	g.add(d)
	g.read(at, "multi", code, Reason("the file declares the set "+s.Name))
}

// heading gives a question of several columns a code of its own and, if it has no label, what theirs have in common, or
// the code as it was wished for.
func (g *guesser) heading(wish, label string, members []member) (code, _ string) {
	if label == "" {
		label = g.divide(members)
	}
	if code = g.code(wish); label == "" && code != wish {
		label = wish
	}
	return code, label
}

// group begins a question whose datapoints are columns.
func (g *guesser) group(kind, code, label string, members []member) draft {
	code, label = g.heading(code, label, members)
	d := draft{at: members[0].at, question: audience.Question{Code: code, Name: label, Kind: kind, Separate: true}}
	codes := names{}
	var columns []*column
	for _, m := range members {
		c := g.columns[m.at]
		columns = append(columns, c)
		d.at = min(d.at, m.at)
		d.question.Datapoints = append(d.question.Datapoints,
			audience.Datapoint{Code: codes.take(codeOf(c.Name), code), Name: cmp.Or(m.name, c.Label, c.Name)})
		d.columns.Datapoints = append(d.columns.Datapoints, survey.AnswerColumn{Column: c.Name})
	}
	d.columns.Missing = absent(columns...)
	return d
}

// multi makes a question of columns that each stand for an option. yes gives the value that means chosen.
func (g *guesser) multi(code, label string, members []member, yes func(*column) string, why Reason, guessed bool) {
	d := g.group(audience.Multi, code, label, members)
	code = d.question.Code
	for i, m := range members {
		c := g.columns[m.at]
		value := yes(c)
		if defaultYes[strings.ToLower(value)] && !c.taken && !contradicted(c, value) {
			value = ""
		}
		d.columns.Datapoints[i].Value = value
		if !c.taken { // in another question; its values are known no more
			g.read(m.at, "multi", code, why)
		}
	}
	g.add(d)
	if guessed {
		g.note("question %s: %s read as one multiple choice (%s), because %s", code, plural(len(members), "column"),
			g.span(members), why)
	}
}

// contradicted tells whether leaving the value out would take another value of the column for a yes.
func contradicted(c *column, value string) bool {
	return slices.ContainsFunc(c.choices(), func(o choice) bool {
		return o.value != value && defaultYes[strings.ToLower(o.value)]
	})
}

// grid makes a question of columns that have one set of answers.
func (g *guesser) grid(code, label string, members []member, why Reason) {
	d := g.group(audience.Grid, code, label, members)
	code = d.question.Code
	all := column{Column: &Column{}}
	said, agree := given{}, true
	for _, m := range members {
		c := g.columns[m.at]
		agree = agree && said.agrees(c)
		said.add(c)
		for _, o := range c.choices() {
			if o.labelled && !slices.ContainsFunc(all.Labels, func(l Label) bool { return l.Value == o.value }) {
				all.Labels = append(all.Labels, Label{o.value, o.name})
			}
			if !slices.ContainsFunc(all.values, func(v value) bool { return v.text == o.value }) {
				all.values = append(all.values, value{text: o.value})
			}
		}
	}
	d.question.Suffixes, d.columns.Suffixes = suffixes(all.choices())
	for _, m := range members {
		g.read(m.at, "grid", code, why)
	}
	g.add(d)
	if !agree {
		g.note("question %s: values that the file declares as missing in some of its columns are no answers in the "+
			"others, where they were given, because one grid has one list of them", code)
	}
	if why != Said {
		g.note("question %s: %s read as one grid (%s), because %s", code, plural(len(members), "column"),
			g.span(members), why)
	}
}

var (
	bracket = regexp.MustCompile(`^(.+?)\s*\[(.*)\]$`)
	cell    = regexp.MustCompile(`^(.*[^_.\-])[_.\-]?[rR](\d+)[_.\-]?[cC](\d+)$`)
)

// bracketed groups columns called question[option], wherever they stand.
func (g *guesser) bracketed() {
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		if m := bracket.FindStringSubmatch(g.columns[i].Name); m != nil {
			if groups[m[1]] == nil {
				order = append(order, m[1])
			}
			option := ""
			if g.columns[i].Label == "" {
				option = strings.TrimSpace(m[2])
			}
			groups[m[1]] = append(groups[m[1]], member{at: i, name: option})
		}
	}
	for _, stem := range order {
		g.alike(stem, groups[stem], true)
	}
}

// runs groups columns that stand together and whose names begin alike.
func (g *guesser) runs() {
	g.cells()
	open := g.open()
	tried := map[string]bool{} // stems whose whole run was looked at
	for n := 0; n < len(open); n++ {
		i := open[n]
		if g.columns[i].taken {
			continue
		}
		best, stem := g.run(open[n:], tried)
		if tried[stem] = true; len(best) >= 2 {
			for k := range best {
				c := g.columns[best[k].at]
				if rest := c.Name[len(stem):]; c.Label == "" && strings.ContainsFunc(rest, unicode.IsLetter) && len(rest) > 1 {
					best[k].name = rest
				}
			}
			g.alike(strings.TrimRight(stem, "_.-:/ "), best, false)
		}
		if !g.columns[i].taken {
			g.labelled(open[n:])
		}
	}
}

// run finds the columns behind the first whose names begin as its does. A stem with a number in it, as that of q3_1, is
// a question's, and the shortest such is taken; else the longest that three columns share, so that brand_known_a and
// brand_used_a are two questions; else the shortest.
func (g *guesser) run(open []int, tried map[string]bool) (best []member, stem string) {
	numbered := false
	for _, s := range stems(g.columns[open[0]].Name) { // the longest first
		if tried[s] {
			continue
		}
		run := []member{{at: open[0]}}
		for _, j := range open[1:] {
			if name := g.columns[j].Name; !strings.HasPrefix(name, s) || name == s {
				break
			}
			run = append(run, member{at: j})
		}
		hasNumber := strings.ContainsFunc(s, unicode.IsDigit)
		switch {
		case len(run) < 2:
		case hasNumber:
			best, stem, numbered = run, s, true
		case !numbered && len(best) < 3:
			best, stem = run, s
		}
	}
	return best, stem
}

// cells groups columns called q14r01c02: rows and columns of a table. Answers on a scale make a grid per column,
// options a question per row.
func (g *guesser) cells() {
	type place struct{ stem, row, column string }
	places, rows, columns := map[int]place{}, map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, i := range g.open() {
		if m := cell.FindStringSubmatch(g.columns[i].Name); m != nil {
			places[i] = place{m[1], m[2], m[3]}
			if rows[m[1]] == nil {
				rows[m[1]], columns[m[1]] = map[string]bool{}, map[string]bool{}
			}
			rows[m[1]][m[2]], columns[m[1]][m[3]] = true, true
		}
	}
	groups := map[string][]member{}
	var order []string
	for _, i := range g.open() {
		p, ok := places[i]
		if !ok || len(rows[p.stem]) < 2 || len(columns[p.stem]) < 2 {
			continue
		}
		key := p.stem + "c" + p.column
		if _, flag, _ := g.columns[i].flag(); flag {
			key = p.stem + "r" + p.row
		}
		if groups[key] == nil {
			order = append(order, key)
		}
		groups[key] = append(groups[key], member{at: i})
	}
	for _, key := range order {
		g.alike(key, groups[key], true)
	}
}

// alike makes a multiple choice of those of the members that are options, and grids of those that have answers in
// common. declared tells that the names leave no doubt that the columns belong together.
func (g *guesser) alike(stem string, members []member, declared bool) {
	members = slices.DeleteFunc(members, func(m member) bool { return g.columns[m.at].taken })
	if flags, yes := g.optionsOf(members, declared); len(flags) >= 2 {
		g.multi(stem, "", flags, func(c *column) string { return yes[g.at[c.Name]] },
			"their names begin alike and each holds a yes or no", true)
	}
	g.gridsOf(stem, members)
}

// optionsOf picks of the members those that are options, and tells what is a yes in each.
func (g *guesser) optionsOf(members []member, declared bool) ([]member, map[int]string) {
	votes, yes := map[string]int{}, map[int]string{}
	common := ""
	var flags, blank, marked []member
	for _, m := range members {
		c := g.columns[m.at]
		v, ok, sure := c.flag()
		switch {
		case ok:
			flags = append(flags, m)
			yes[m.at] = v
			if sure || declared && len(c.values) == 1 && isYes(v) {
				if votes[v]++; votes[v] > votes[common] {
					common = v
				}
			}
		case c.filled == 0 && len(c.Labels) == 0 && c.Kind != Text && c.Kind != Date:
			blank = append(blank, m)
		}
	}
	own := g.ownValues(flags)
	if common == "" && !own {
		return nil, nil
	}
	if own {
		for i := range flags {
			if c := g.columns[flags[i].at]; !c.number && len(c.Labels) == 0 && c.Label == "" {
				flags[i].name = yes[flags[i].at]
			}
		}
		return flags, yes
	}
	for _, m := range flags { // those that say yes in the same way, or only no
		if yes[m.at] == common || yes[m.at] == "" {
			yes[m.at] = common
			marked = append(marked, m)
		}
	}
	for _, m := range blank { // nobody chose it
		yes[m.at] = common
		marked = append(marked, m)
	}
	slices.SortFunc(marked, func(a, b member) int { return a.at - b.at })
	if len(marked) == len(blank) {
		return nil, nil
	}
	return marked, yes
}

// ownValues tells whether each column holds one value of its own: the option's name, again and again, or its number,
// which the column's name ends in.
func (g *guesser) ownValues(members []member) bool {
	seen := map[string]bool{}
	n, numbers := int64(0), 0
	for _, m := range members {
		c := g.columns[m.at]
		if len(c.values) != 1 || c.Kind == Quantity {
			return false
		}
		text := c.values[0].text
		seen[text] = true
		n += c.filled
		if c.number {
			if name := words(c.Name); len(name) == 0 || canonical(name[len(name)-1]) != text {
				return false
			}
			numbers++
		}
	}
	return len(seen) == len(members) && len(members) >= 2 && (numbers == len(members) || numbers == 0 &&
		n >= 3*int64(len(members)))
}

// gridsOf makes a grid of members that follow one another, others that can be no rows left out, and have their answers
// in common.
func (g *guesser) gridsOf(stem string, members []member) {
	var rows []member
	seen, said := map[string]bool{}, given{} // answers of the rows so far
	var key string
	flush := func() {
		if n := len(seen); len(rows) >= 2 && (key != "" || n >= 3 && n <= 20) {
			g.grid(stem, "", rows, "their names begin alike and they have the same answers")
		}
		rows, seen, said = nil, map[string]bool{}, given{}
	}
	for _, m := range members {
		c := g.columns[m.at]
		if c.taken || c.alone || !c.scale() {
			continue
		}
		if _, flag, sure := c.flag(); flag && sure {
			continue
		}
		if len(rows) > 0 && (c.labelKey() != key || !inCommon(c, seen) || !said.agrees(c)) {
			flush()
		}
		said.add(c)
		key = c.labelKey()
		for _, o := range c.choices() {
			seen[o.value] = true
		}
		rows = append(rows, m)
	}
	flush()
}

// labelKey is one text for all labels of a column, "" if it has none.
func (c *column) labelKey() string {
	if c.labels.key == "" && len(c.Labels) > 0 {
		var b strings.Builder
		for _, l := range c.Labels {
			b.WriteString(strconv.Quote(canonical(l.Value)) + strconv.Quote(l.Text))
		}
		c.labels.key = b.String()
	}
	return c.labels.key
}

// inCommon tells whether the answers of a column are mostly those that were seen. Columns with the same labels always
// are.
func inCommon(c *column, seen map[string]bool) bool {
	if len(c.Labels) > 0 {
		return true
	}
	shared, list := 0, c.choices()
	for _, o := range list {
		if seen[o.value] {
			shared++
		}
	}
	return 2*shared >= len(list) && 2*shared >= len(seen)
}

// labelled makes a grid of columns that stand together, have the same labels on a scale, and whose questions begin with
// the same words.
func (g *guesser) labelled(open []int) {
	first := g.columns[open[0]]
	key := first.labelKey()
	if key == "" || first.alone || !first.scale() || len(first.choices()) < 3 || lastDivider(first.Label) < 4 {
		return
	}
	rows, said := []member{{at: open[0]}}, given{}
	said.add(first)
	prefix := first.Label
	for _, i := range open[1:] {
		c := g.columns[i]
		p := commonPrefix(prefix, c.Label)
		if c.taken || c.alone || c.labelKey() != key || !c.scale() || lastDivider(p) < 4 || !said.agrees(c) {
			break
		}
		said.add(c)
		prefix = p
		rows = append(rows, member{at: i})
	}
	if len(rows) >= 2 {
		g.grid(g.common(rows), "", rows, "they have the same labels and their questions begin with the same words")
	}
}
