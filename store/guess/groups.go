package guess

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

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
		members, err := g.forced("grid", grid.Columns, func(c *column) string {
			if c.many || len(c.choices()) == 0 {
				return "cannot be a row of a grid: it has no few answers"
			}
			return ""
		})
		if err != nil {
			return err
		}
		g.grid(cmp.Or(grid.Code, g.common(members)), "", members, Reason{Kind: Said})
	}
	return nil
}

// forcedMultis makes the multiple choices that the options name.
func (g *guesser) forcedMultis() error {
	for _, multi := range g.options.Multis {
		members, err := g.forced("multi", multi.Columns, func(c *column) string {
			if _, ok := c.positive(); !ok {
				return "cannot be an option of a multiple choice: it does not hold one positive answer, or 1"
			}
			return ""
		})
		if err != nil {
			return err
		}
		yes := ""
		for _, m := range members {
			if v, _ := g.columns[m.at].positive(); yes == "" {
				yes = v
			}
		}
		g.multi(cmp.Or(multi.Code, g.common(members)), "", members, func(c *column) string {
			v, _ := c.positive()
			return cmp.Or(v, yes) // as the others have it, where nobody chose it
		}, Reason{Kind: Said}, false)
	}
	return nil
}

// positive is the value of a column that means chosen, "" if none was seen.
func (c *column) positive() (yes string, ok bool) {
	t := c.tick()
	if t.kind != noTick {
		return t.yes, true
	}
	return "1", c.number && !c.many && !c.unseen("1")
}

// forced lists the columns that an option names, none twice and none that is read already. wrong says what keeps one
// from being part of the question.
func (g *guesser) forced(option string, names []string, wrong func(*column) string) (members []member, err error) {
	for _, name := range names {
		found, err := g.matching(option, name)
		if err != nil {
			return nil, err
		}
		for _, i := range found {
			c := g.columns[i]
			if c.taken {
				return nil, &OptionError{option, fmt.Sprintf("column %q is read as %s already", c.origin.Name, g.readings[i].As)}
			}
			if slices.ContainsFunc(members, func(m member) bool { return m.at == i }) {
				return nil, &OptionError{option, fmt.Sprintf("column %q is named twice", c.origin.Name)}
			}
			if reason := wrong(c); reason != "" {
				return nil, &OptionError{option, fmt.Sprintf("column %q (%s) %s", c.origin.Name, c.summary(), reason)}
			}
			members = append(members, member{at: i})
		}
	}
	if len(members) == 0 {
		return nil, &OptionError{option,
			"no column is named; one is given as CODE=COLUMN,COLUMN or as a pattern such as q5_*"}
	}
	return members, nil
}

// matching lists the columns that a name with * in it stands for.
func (g *guesser) matching(option, name string) ([]int, error) {
	if !strings.Contains(name, "*") {
		i, err := g.find(option, name)
		return []int{i}, err
	}
	pattern := regexp.MustCompile("(?is)^" + strings.ReplaceAll(regexp.QuoteMeta(name), `\*`, ".*") + "$")
	var list []int
	for i, c := range g.columns {
		if pattern.MatchString(c.origin.Name) && !c.Virtual {
			list = append(list, i)
		}
	}
	if len(list) == 0 {
		return nil, &OptionError{option, fmt.Sprintf("no column is called %s", name)}
	}
	return list, nil
}

// sets makes questions of what the file declares.
func (g *guesser) sets() {
	for k, s := range g.file.Sets {
		if s.Joined != "" {
			// What was mentioned first and second differs; rows of a grid have the same answer again and again.
			if g.repeated[k] > max(5, g.rows/10) {
				g.note("the file declares the set %s of columns in which respondents gave the same answer more than "+
					"once: they are no multiple choice, but read as what they are", s.Name)
				continue
			}
			if g.ordering(s) {
				g.note("the file declares the set %s of columns in which respondents put all answers in an order: "+
					"the order is the answer, so they are no multiple choice, but read as what they are", s.Name)
				continue
			}
			g.joined(s)
			continue
		}
		g.declared(s)
	}
}

// ordering tells whether nearly everyone who gave one answer in the columns of a set gave all that there are: then each
// answer is everybody's, and what tells respondents apart is the order.
func (g *guesser) ordering(s Set) bool {
	const least = 3
	answers, most := map[string]bool{}, int64(0)
	var list []*column
	for _, name := range s.Columns {
		if i, ok := g.at[name]; ok && !g.columns[i].many {
			list = append(list, g.columns[i])
		}
	}
	for _, c := range list {
		most = max(most, c.filled)
		for _, v := range c.values {
			answers[v.text] = true
		}
	}
	return len(list) >= least && len(list) == len(s.Columns) && len(answers) == len(list) &&
		!slices.ContainsFunc(list, func(c *column) bool { return 10*c.filled < 9*most })
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
		Reason{Kind: ReasonSet, Text: s.Name}, false)
	if len(shared) > 0 {
		g.note("the file declares the set %s, of which columns are in other questions, too: %s", s.Name, listed(shared))
	}
}

// joined makes a question of a set of columns that each hold one of its answers. They are that question and no others
// if they are mentions out of one list and free to be it, as partsOf tells. Else they stay what they are, and the
// question is what was chosen in any of them, put together in a column.
func (g *guesser) joined(s Set) {
	at, ok := g.at[s.Joined]
	if !ok || g.columns[at].taken {
		return
	}
	c := g.columns[at]
	parts, free := g.partsOf(s)
	labels := column{Column: &Column{Labels: s.Labels, Missing: c.Missing}}
	list := labels.choices()
	var rest []string
	if free {
		for _, i := range parts {
			for _, o := range g.columns[i].choices() {
				rest = append(rest, o.value)
			}
		}
	} else if p := c.pieces.by(max(0, slices.Index(separators[:], s.Separator))); p != nil && !p.off {
		rest = append(rest, p.list...)
	} else { // never more than one
		for _, v := range c.values {
			rest = append(rest, v.text)
		}
	}
	if slices.Sort(rest); free {
		missing := absent(g.columnsOf(parts)...)
		list = slices.DeleteFunc(slices.Clone(list), func(c choice) bool { return slices.Contains(missing, c.value) })
	}
	inOrder(rest)
	for _, text := range rest {
		if !slices.ContainsFunc(list, func(c choice) bool { return c.value == text }) {
			list = append(list, choice{value: text, name: text})
		}
	}
	if len(list) == 0 {
		return
	}
	code, why := g.code(strings.TrimPrefix(s.Name, "$")), Reason{Kind: ReasonSet, Text: s.Name}
	d := draft{at: at, question: audience.Question{Code: code, Name: s.Label, Kind: audience.Multi}}
	d.columns = survey.QuestionColumns{Column: c.origin.Name, Separator: s.Separator}
	d.question.Datapoints, d.columns.Datapoints = datapoints(code, list)
	if len(parts) > 0 { // it stands where the columns it is made of stand
		d.at = slices.Min(parts)
	}
	if free {
		d.columns.Column, d.columns.Separator = "", ""
		d.columns.Missing = absent(g.columnsOf(parts)...)
		for _, i := range parts {
			d.columns.Mentions = append(d.columns.Mentions, g.columns[i].origin.Name)
			g.read(i, "multi", code, why)
		}
	} else {
		for _, i := range parts {
			g.columns[i].alone = true
		}
		g.read(at, "multi", code, why)
	}
	g.add(d)
}

// partsOf are the columns of a set, each once. They are free to be its question if there are several, nothing else says
// what any of them is, they ask for mentions of the same, and what is missing in one is an answer in none, as their
// question has one list of either.
func (g *guesser) partsOf(s Set) (parts []int, free bool) {
	free = true
	said := given{}
	for _, name := range s.Columns {
		i, ok := g.at[name]
		if !ok || slices.Contains(parts, i) {
			free = free && ok
			continue
		}
		c := g.columns[i]
		free = free && !c.taken && !c.many && said.agrees(c) &&
			(len(parts) == 0 || c.mentionsAs(g.columns[parts[0]]))
		said.add(c)
		parts = append(parts, i)
	}
	return parts, free && len(parts) > 1
}

// mentionsAs tells whether a column holds answers to the question of another: what their values stand for is the same,
// and their labels, or their names without any, differ in no more than the number of what was mentioned.
func (c *column) mentionsAs(other *column) bool {
	if len(c.Labels) > 0 && len(other.Labels) > 0 && !sameAnswers(c.Labels, other.Labels) {
		return false
	}
	if c.Label == "" && other.Label == "" {
		return butNumber(c.Name, other.Name)
	}
	_, asked, said := c.Column.rank()
	_, first, counted := other.Column.rank()
	return c.Label == other.Label || butNumber(c.Label, other.Label) || said && counted && slices.Equal(asked, first)
}

// butNumber tells whether two texts differ in a number at their ends, which is no year, or in their last letters alone.
func butNumber(a, b string) bool {
	const most = 2 // digits
	stem, number := endNumber(a)
	begin, other := endNumber(b)
	if number != "" || other != "" {
		return stem != "" && stem == begin && max(len(number), len(other)) <= most
	}
	last := len(a) - 1
	return last > 0 && last == len(b)-1 && a[:last] == b[:last]
}

// sameAnswers tells whether values that two lists of labels have in common stand for the same, and there are some.
func sameAnswers(a, b []Label) bool {
	texts, common := map[string]string{}, false
	for _, l := range a {
		texts[l.Value] = l.Text
	}
	for _, l := range b {
		if text, there := texts[l.Value]; there && text != l.Text {
			return false
		} else if there {
			common = true
		}
	}
	return common
}

// columnsOf are the columns in these places.
func (g *guesser) columnsOf(places []int) (list []*column) {
	for _, i := range places {
		list = append(list, g.columns[i])
	}
	return list
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
			audience.Datapoint{Code: codes.take(codeOf(c.code), code), Name: cmp.Or(m.name, c.wording, c.Name)})
		d.columns.Datapoints = append(d.columns.Datapoints, survey.AnswerColumn{Column: c.origin.Name})
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
	named, opposites, brackets := map[string]string{}, map[string]bool{}, map[string]bool{}
	for _, m := range members {
		c := g.columns[m.at]
		agree = agree && said.agrees(c)
		said.add(c)
		for _, o := range c.choices() {
			if o.labelled && !slices.ContainsFunc(all.Labels, func(l Label) bool { return l.Value == o.value }) {
				all.Labels = append(all.Labels, Label{o.value, o.name})
				named[o.value] = plainLabel(c, o.name)
			} else if plain := plainLabel(c, o.name); o.labelled && why.Kind != Said && !alikeTexts(named[o.value], plain) {
				same := alikeInBrackets(named[o.value], plain)
				brackets[o.value], opposites[o.value] = same || brackets[o.value], !same || opposites[o.value]
			}
			if !slices.ContainsFunc(all.values, func(v value) bool { return v.text == o.value }) {
				all.values = append(all.values, value{text: o.value})
			}
		}
	}
	for i, l := range all.Labels {
		switch {
		case opposites[l.Value]: // each row has its own words for it
			all.Labels[i].Text = l.Value
		case brackets[l.Value]:
			all.Labels[i].Text, _, _ = strings.Cut(l.Text, " (")
		}
	}
	d.question.Suffixes, d.columns.Suffixes = suffixes(all.choices())
	for _, m := range members {
		g.read(m.at, "grid", code, why)
	}
	g.add(d)
	if !agree {
		g.note("question %s: values that are missing in some of its columns are no answers in the "+
			"others, where they were given, because one grid has one list of them", code)
	}
	if why.Kind != Said {
		g.note("question %s: %s read as one grid (%s), because %s", code, plural(len(members), "column"),
			g.span(members), why)
	}
}
