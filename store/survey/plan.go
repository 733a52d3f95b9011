package survey

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
	"github.com/crosswave/crosswave/store/survey/period"
)

// plan is a codebook laid over the columns of a header: what is to be done with each field. It is shared and never
// changes.
type plan struct {
	header     []string
	layout     *Layout
	respondent int // -1: the number of the row
	weights    []weightPlan
	wave       fieldworkPlan
	location   fieldworkPlan
	missing    values       // of waves, locations and weights
	columns    []columnPlan // those with answers, as they stand in the file
	mentions   [][2]int32   // the first attribute of each question with Mentions, and that behind its last
}

// weightPlan is about the weights of a namespace.
type weightPlan struct {
	column  int // -1: every respondent weighs 1
	missing string
}

// fieldworkPlan finds the wave or location of a row.
type fieldworkPlan struct {
	column  int // -1: it is always the first
	values  map[value]int
	listed  string // for messages
	missing int    // index of what stands for a missing value, or one of these:

	by    period.By // "": values are what stands in the column; else periods of the dates there …
	dates period.Order
}

const (
	missingError = -1 - iota
	missingSkip
)

// columnPlan is a column with the questions whose answers are in it.
type columnPlan struct {
	index int
	name  string
	uses  []use
}

// use is how a question, or a datapoint of it, is answered in a column.
type use struct {
	question  int
	item      int32
	first     int32 // the attribute of value 0
	separator string
	joints    int // the most separators that a listed value has in it
	missing   values
	exponent  bool          // numbers may have one
	listed    map[value]int // each value's place behind first; in a column of numbers, of those that are none
	bands     []band        // of the numbers in the column: each stands for its place behind first
	coded     bool          // they are no numbers, but codes of the bands
	elsewhere bool          // other columns tell some of the bands
	yes       map[value]bool
	fold      bool // yes is in small letters and stands for any case
}

// yes are the values that stand for a yes where a codebook names none, in small letters.
var yes = map[value]bool{readValue("1", false): true, {text: "yes"}: true, {text: "true"}: true, {text: "y"}: true,
	{text: "t"}: true}

// planner makes a plan and keeps the first column that is not there.
type planner struct {
	header map[string]int
	names  []string
	err    error
}

// column finds a column, or notes that it is not there and who needs it.
func (p *planner) column(name, path string) int {
	at, ok := p.header[strings.TrimSpace(name)]
	if ok || p.err != nil {
		return at
	}
	reason := fmt.Sprintf("%s of the codebook names it, but it is not among the %d columns of the file", path,
		len(p.names))
	for _, other := range p.names {
		if strings.EqualFold(other, strings.TrimSpace(name)) {
			reason += fmt.Sprintf("; there is %q", other)
		}
	}
	p.err = &Error{Column: name, Reason: reason}
	return 0
}

func newPlan(c *Codebook, header []string) (*plan, error) {
	find := &planner{header: map[string]int{}, names: header}
	for i, name := range header {
		find.header[name] = i
	}
	p := &plan{header: header, layout: NewLayout(c.Survey), missing: newValues(false, c.Missing)}
	if p.respondent = -1; c.Respondent != RowNumber {
		p.respondent = find.column(c.Respondent, "respondent.column")
	}
	for i, w := range c.Weights {
		plan := weightPlan{column: -1, missing: w.Missing}
		if w.Column != "" {
			plan.column = find.column(w.Column, fmt.Sprintf("namespaces[%d].weight.column", i))
		}
		p.weights = append(p.weights, plan)
	}
	waves, locations := make([]string, len(c.Survey.Waves)), make([]string, len(c.Survey.Locations))
	for i, w := range c.Survey.Waves {
		waves[i] = w.Code
	}
	for i, l := range c.Survey.Locations {
		locations[i] = l.Code
	}
	p.wave, p.location = find.fieldwork(&c.Wave, "wave", waves), find.fieldwork(&c.Location, "location", locations)
	p.columns, p.mentions = find.answers(c, p.layout), mentioned(c, p.layout)
	return p, find.err
}

func (p *planner) fieldwork(a *FieldworkColumn, path string, codes []string) fieldworkPlan {
	plan := fieldworkPlan{column: -1, values: map[value]int{}, missing: missingError, by: a.By, dates: a.Dates}
	if a.Column == "" {
		return plan
	}
	plan.column = p.column(a.Column, path+".column")
	var listed []string
	for i, text := range a.Values {
		plan.values[readValue(text, false)] = i
		listed = append(listed, strconv.Quote(text))
	}
	if len(listed) > 20 {
		listed = append(listed[:20], "…")
	}
	plan.listed = strings.Join(listed, ", ")
	if a.Missing == Skip {
		plan.missing = missingSkip
	} else if a.Missing != "" {
		plan.missing = slices.Index(codes, a.Missing)
	}
	return plan
}

// period finds the wave of a date, or says why it is of none.
func (p *fieldworkPlan) period(text string) (wave int, wrong string) {
	text = Plain(text)
	date, ok := period.Read(text)
	if !ok {
		return 0, fmt.Sprintf("the value %q is no date; one is written 2024-12-31, 31.12.2024 or 12/31/2024",
			Clip([]byte(text)))
	}
	day, ok := date.Day(p.dates)
	switch {
	case !ok && date.Undecided():
		return 0, fmt.Sprintf(`the value %q is a date in two ways: "dates" of the wave may say day-first or month-first`,
			Clip([]byte(text)))
	case !ok:
		return 0, fmt.Sprintf(`the value %q is no date, as "dates" of the wave says %s`, Clip([]byte(text)), p.dates)
	}
	of, ok := period.Of(day, p.by)
	if !ok {
		return 0, fmt.Sprintf("the value %q %s", Clip([]byte(text)), period.WhyNone(day, p.by))
	}
	wave, ok = p.values[readValue(of.Code, false)]
	if !ok {
		return 0, fmt.Sprintf("the value %q is of %s, which is no wave; %s are listed", Clip([]byte(text)), of.Code, p.listed)
	}
	return wave, ""
}

// answers finds the columns with answers.
func (p *planner) answers(c *Codebook, layout *Layout) []columnPlan {
	uses := map[int][]use{}
	for i := range c.Questions {
		q, columns := &c.Survey.Questions[i], &c.Questions[i]
		path := fmt.Sprintf("questions[%d]", i)
		exponent := q.Kind == audience.Number
		u := use{question: i, separator: columns.Separator, exponent: exponent, missing: newValues(exponent, c.Missing,
			columns.Missing)}
		if exponent {
			p.number(c, i, u, layout, uses)
			continue
		}
		if !columns.split() {
			u.item, u.first = int32(layout.Item(i, 0)), layout.Attribute(i, 0, 0)
			u.listed = map[value]int{}
			for j, a := range columns.Datapoints {
				u.listed[readValue(a.Value, false)] = j
				if u.separator != "" {
					u.joints = max(u.joints, strings.Count(a.Value, u.separator))
				}
			}
			for k, name := range columns.Mentions {
				at := p.column(name, fmt.Sprintf("%s.mentions[%d]", path, k))
				uses[at] = append(uses[at], u)
			}
			if len(columns.Mentions) == 0 {
				at := p.column(columns.Column, path+".column")
				uses[at] = append(uses[at], u)
			}
			continue
		}
		suffixes := map[value]int{}
		for k, text := range columns.Suffixes {
			suffixes[readValue(text, false)] = k
		}
		for j, a := range columns.Datapoints {
			u.item, u.first = int32(layout.Item(i, j)), layout.Attribute(i, j, 0)
			switch {
			case q.Kind == audience.Grid:
				u.listed = suffixes
			case a.Value == "":
				u.yes, u.fold = yes, true
			default:
				u.yes, u.fold = map[value]bool{readValue(a.Value, false): true}, false
			}
			at := p.column(a.Column, fmt.Sprintf("%s.datapoints[%d].column", path, j))
			uses[at] = append(uses[at], u)
		}
	}
	var plans []columnPlan
	for at, name := range p.names {
		if len(uses[at]) > 0 {
			plans = append(plans, columnPlan{at, name, uses[at]})
		}
	}
	return plans
}

// number finds the columns of question i, one of numbers: that of the numbers, and those that tell its bands.
func (p *planner) number(c *Codebook, i int, u use, layout *Layout, uses map[int][]use) {
	q, columns, path := &c.Survey.Questions[i], &c.Questions[i], fmt.Sprintf("questions[%d]", i)
	u.item, u.first = int32(layout.Item(i, 0)), layout.Attribute(i, 0, 0)
	codes := map[int]int{} // by column, the place among its uses of that which reads codes of bands
	for j, a := range columns.Datapoints {
		if a.Column == "" || a.Column == columns.Column {
			continue
		}
		at := p.column(a.Column, fmt.Sprintf("%s.bands[%d].column", path, j))
		told := u
		if a.Value == "" {
			told.first, told.yes, told.fold = layout.Attribute(i, j, 0), yes, true
			uses[at] = append(uses[at], told)
			continue
		}
		place, known := codes[at]
		if !known {
			place, codes[at] = len(uses[at]), len(uses[at])
			told.listed = map[value]int{}
			uses[at] = append(uses[at], told)
		}
		uses[at][place].listed[readValue(a.Value, true)] = j
	}
	if columns.split() {
		return
	}
	u.bands, u.listed = []band{}, map[value]int{}
	for j, a := range columns.Datapoints {
		u.bands = append(u.bands, readBand(a))
		if a.Column == columns.Column {
			u.listed[readValue(a.Value, true)] = j
		} else if a.Column != "" {
			u.elsewhere = true
		}
	}
	u.coded = columns.coded(q)
	at := p.column(columns.Column, path+".column")
	uses[at] = append(uses[at], u)
}

// answer is what a text in a column comes to.
type answer struct {
	attributes []int32 // each once
	items      []int32 // that have a value
	numbers    []Given
	unlisted   []unlisted
}

// unlisted is a value that is none of a question's datapoints.
type unlisted struct {
	question int
	value    string
}

// answer reads a text.
func (c *columnPlan) answer(text string) answer {
	var a answer
	text = strings.TrimSpace(text)
	for i := range c.uses {
		c.uses[i].read(text, &a)
	}
	return a
}

// read adds to a what a text without blanks around it comes to.
func (u *use) read(text string, a *answer) {
	if u.separator == "" {
		u.piece(text, a)
		return
	}
	if v := readValue(text, u.exponent); u.missing.missing(v) {
		return
	}
	if u.separator == ListSeparator {
		for item := range Items(text) {
			u.piece(item, a)
		}
		return
	}
	for more := true; more; {
		var piece string
		piece, text, more = u.cut(text)
		u.piece(piece, a)
	}
}

// cut takes the first of several answers from a text: up to the first separator, or, if that is no answer, further on
// to the end of the longest listed value with separators in it, as "a cafe (blue, red)" has a comma.
func (u *use) cut(text string) (piece, rest string, more bool) {
	piece, rest, more = strings.Cut(text, u.separator)
	if _, listed := u.listed[readValue(piece, u.exponent)]; listed || !more || u.joints == 0 {
		return piece, rest, more
	}
	behind := rest
	for range u.joints {
		_, after, another := strings.Cut(behind, u.separator)
		end := len(text)
		if another {
			end -= len(after) + len(u.separator)
		}
		if _, listed := u.listed[readValue(text[:end], u.exponent)]; listed {
			piece, rest, more = text[:end], after, another
		}
		if behind = after; !another {
			break
		}
	}
	return piece, rest, more
}

// piece reads one value.
func (u *use) piece(text string, a *answer) {
	v := readValue(text, u.exponent)
	if u.missing.missing(v) {
		return
	}
	a.items = addOnce(a.items, u.item)
	switch {
	case u.yes != nil:
		if u.fold {
			v.text = strings.ToLower(v.text)
		}
		if u.yes[v] {
			a.attributes = addOnce(a.attributes, u.first)
		}
		return
	case u.bands != nil:
		if u.inBands(v, a) || u.elsewhere && v.is {
			return
		}
	default:
		if at, ok := u.listed[v]; ok {
			a.attributes = addOnce(a.attributes, u.first+int32(at))
			return
		}
	}
	a.unlisted = append(a.unlisted, unlisted{u.question, strings.TrimSpace(text)})
}

// inBands notes a number and finds the bands that hold it, and tells whether one does.
func (u *use) inBands(v value, a *answer) (found bool) {
	if j, told := u.listed[v]; told {
		a.attributes = addOnce(a.attributes, u.first+int32(j))
		return true
	}
	if v.is && !u.coded {
		a.numbers = append(a.numbers, Given{u.question, v.number})
	}
	for i := range u.bands {
		if v.is && u.bands[i].holds(v.number) {
			a.attributes = addOnce(a.attributes, u.first+int32(i))
			found = true
		}
	}
	return found
}

func addOnce(list []int32, n int32) []int32 {
	if slices.Contains(list, n) {
		return list
	}
	return append(list, n)
}

// weight reads a weight: a number that is not negative.
func (p *plan) weight(w *weightPlan, text string) (decimal.Decimal, string) {
	d, err := decimal.Parse(text, true)
	if err == nil && (len(p.missing) == 0 || !p.missing[value{number: d, is: true}]) {
		if d.Sign() < 0 {
			return d, fmt.Sprintf("the weight %s is negative; a weight is 0 or more", strings.TrimSpace(text))
		}
		return d, ""
	}
	if err != nil && !p.missing.missing(readValue(text, false)) {
		return d, fmt.Sprintf("the weight %q is no number; a weight is a finite decimal number of 0 or more",
			Clip([]byte(strings.TrimSpace(text))))
	}
	switch w.missing {
	case "zero":
		return decimal.Decimal{}, ""
	case "one":
		return decimal.FromInt(1), ""
	}
	return d, `the weight is missing; the codebook may say "missing": "zero" (not in this namespace) or "one"`
}

// mentioned lists the attributes of the questions whose answers stand in several columns.
func mentioned(c *Codebook, layout *Layout) (list [][2]int32) {
	for i := range c.Questions {
		if len(c.Questions[i].Mentions) > 0 {
			first := layout.Attribute(i, 0, 0)
			list = append(list, [2]int32{first, first + int32(len(c.Questions[i].Datapoints))})
		}
	}
	return list
}

// once takes out of a respondent's attributes what was mentioned before, and returns how many are left.
func (p *plan) once(attributes []int32) int {
	n := 0
	for _, a := range attributes {
		again := slices.ContainsFunc(p.mentions, func(of [2]int32) bool { return a >= of[0] && a < of[1] }) &&
			slices.Contains(attributes[:n], a)
		if !again {
			attributes[n] = a
			n++
		}
	}
	return n
}
