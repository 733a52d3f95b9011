package formats

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// exportPlan is a survey laid out in columns.
type exportPlan struct {
	survey   *audience.Survey
	derived  []audience.Definition // that the codebook names
	columns  []exportColumn        // of answers
	columnOf []int32               // of each attribute; -1: a number tells it
	numberIn []int32               // of each question, the column of its numbers; -1: it has none
	groups   []exportGroup         // of each question
	numbers  []*numbers            // of each question of numbers; nil of others

	ids      int     // bytes of the longest id
	wholeIDs bool    // all ids are whole numbers
	weights  []facts // per namespace
	waves    []option
	location []option
}

// facts is what must be known of the weights of a namespace.
type facts struct {
	column  bool // there are others than 1
	zero    bool // a weight is 0
	inexact int  // weights that are no float64
	largest decimal.Decimal
	places  int
}

// exportGroup is how a question stands in the file.
type exportGroup struct {
	first, last int // columns; last is not among them
	kind        string
	ragged      bool // its columns are not always answered together
}

// exportColumn holds the answers to a question, or to a datapoint of one.
type exportColumn struct {
	name, label string
	question    int
	datapoint   int // -1: all of the question's
	item        int
	first       int32 // attribute of the first option
	number      bool  // it holds numbers, and has no options
	flag        bool  // there is one option, and the column says yes or no
	declared    bool  // it is known where this was asked, so that an answer that is none of the options need not tell it
	// of a flag that is answered with others: where it was asked, by wave and location; nil: where they were
	asked   []bool
	options []option
	most    int // options of one respondent
}

// option is an answer with its code in the file.
type option struct {
	code int
	name string
}

// otherCode stands for an answer that is none of the options.
func (c *exportColumn) otherCode() int {
	most := 0
	for _, o := range c.options {
		most = max(most, o.code)
	}
	if !slices.ContainsFunc(c.options, func(o option) bool { return o.code == 0 }) {
		return 0
	}
	return most + 1
}

// prepare describes the survey, and reads it once for what the columns must hold.
func (e *exporter) prepare() error {
	s, err := e.source.Describe(e.ctx)
	if err != nil {
		return err
	}
	if len(s.Namespaces) == 0 {
		return errors.New("there is no survey to export: nothing has been imported yet")
	}
	p := &e.plan
	p.survey, p.derived = s, e.options.Derived
	for i := range s.Waves {
		p.waves = append(p.waves, option{i + 1, cmp.Or(s.Waves[i].Name, s.Waves[i].Code)})
	}
	for i := range s.Locations {
		p.location = append(p.location, option{i + 1, cmp.Or(s.Locations[i].Name, s.Locations[i].Code)})
	}
	p.begin()
	p.layOut(nil)
	overlap, err := e.look()
	if err != nil {
		return err
	}
	again, err := e.settleNumbers()
	if err != nil {
		return err
	}
	for i := range s.Questions {
		if p.numbers[i].alone() {
			delete(overlap, i)
		} else if overlap[i] { // bands overlap, or several answers were given where one was expected
			e.note("question %s: its answers overlap, so each has a column of its own", s.Questions[i].Code)
		}
	}
	if again || len(overlap) > 0 {
		p.layOut(overlap)
		_, err = e.look()
	}
	return err
}

// layOut makes the columns. apart tells the questions whose datapoints stand apart though one would be expected.
func (p *exportPlan) layOut(apart map[int]bool) {
	p.columns, p.groups = nil, nil
	layout := survey.NewLayout(p.survey)
	p.columnOf = slices.Repeat([]int32{-1}, layout.Attributes())
	p.numberIn = slices.Repeat([]int32{-1}, len(p.survey.Questions))
	for i := range p.survey.Questions {
		q := &p.survey.Questions[i]
		g := exportGroup{first: len(p.columns), kind: q.Kind}
		if apart[i] && q.Kind != audience.Number {
			g.kind = audience.Multi
		}
		switch {
		case len(q.Datapoints) == 0:
		case q.Kind == audience.Number && len(q.Suffixes) == 0:
			p.layOutNumbers(i, apart[i], layout)
		case len(q.Suffixes) > 0:
			g.kind = audience.Grid
			options := suffixOptions(q.Suffixes)
			for j, d := range q.Datapoints {
				p.add(exportColumn{name: d.Code, label: join(cmp.Or(q.Name, q.Code), cmp.Or(d.Name, d.Code)), question: i,
					datapoint: j, item: layout.Item(i, j), first: layout.Attribute(i, j, 0), options: options})
			}
		case g.kind == audience.Single:
			p.add(exportColumn{name: q.Code, label: q.Name, question: i, datapoint: -1, item: layout.Item(i, 0),
				first: layout.Attribute(i, 0, 0), options: datapointOptions(q.Datapoints)})
		default:
			g.kind = audience.Multi
			options := datapointOptions(q.Datapoints)
			for j, d := range q.Datapoints {
				p.add(exportColumn{name: d.Code, label: cmp.Or(d.Name, d.Code), question: i, datapoint: j,
					item: layout.Item(i, j), first: layout.Attribute(i, j, 0), flag: true, options: options[j : j+1]})
			}
		}
		g.last = len(p.columns)
		p.groups = append(p.groups, g)
	}
}

// join is the label of a row of a grid: the question and the row.
func join(question, row string) string { return question + " - " + row }

func (p *exportPlan) add(c exportColumn) {
	q := &p.survey.Questions[c.question]
	c.declared = !c.flag && (q.Asked != nil || c.datapoint >= 0 && q.Datapoints[c.datapoint].Asked != nil)
	if c.flag && !q.Separate {
		c.asked = p.cover(q.Datapoints[c.datapoint].Asked)
	}
	for i := range c.options {
		p.columnOf[c.first+int32(i)] = int32(len(p.columns))
	}
	p.columns = append(p.columns, c)
}

// cover tells of each wave and location, one after the other, whether something was asked there; nil is everywhere.
func (p *exportPlan) cover(asked audience.Asked) []bool {
	if asked == nil {
		return nil
	}
	var list []bool
	for _, w := range p.survey.Waves {
		for _, l := range p.survey.Locations {
			list = append(list, slices.ContainsFunc(asked, func(f audience.Fieldwork) bool { return f.Has(w.Code, l.Code) }))
		}
	}
	return list
}

// unasked tells whether respondents of a wave and location, by their places, were not asked what is in a column, though
// they were asked the rest.
func (p *exportPlan) unasked(c *exportColumn, wave, location int) bool {
	return c.asked != nil && !c.asked[wave*len(p.survey.Locations)+location]
}

// datapointOptions gives datapoints codes in the file: the numbers that their own codes end in, if those differ, else
// 1, 2, 3 …
func datapointOptions(list []audience.Datapoint) []option {
	var out []option
	seen := map[int]bool{}
	own := true
	for _, d := range list {
		text := d.Code[strings.LastIndexByte(d.Code, '_')+1:]
		code, err := strconv.Atoi(text)
		own = own && err == nil && code >= 1 && code < 1e6 && strconv.Itoa(code) == text && !seen[code]
		seen[code] = true
		out = append(out, option{code, cmp.Or(d.Name, d.Code)})
	}
	if !own {
		for i := range out {
			out[i].code = i + 1
		}
	}
	return out
}

// suffixOptions gives suffixes codes in the file: their own, unless one is 0, which not all formats can choose.
func suffixOptions(list []audience.Suffix) []option {
	own := !slices.ContainsFunc(list, func(s audience.Suffix) bool { return s.Code == 0 })
	var out []option
	for i, s := range list {
		code := s.Code
		if !own {
			code = i + 1
		}
		out = append(out, option{code, cmp.Or(s.Name, strconv.Itoa(s.Code))})
	}
	return out
}

// look reads the respondents for what the columns must hold, and lists the questions in one column of which someone
// gave several answers.
func (e *exporter) look() (overlap map[int]bool, err error) {
	p := &e.plan
	overlap = map[int]bool{}
	e.report.Respondents, p.ids, p.wholeIDs = 0, 0, true
	p.weights = make([]facts, len(p.survey.Namespaces))
	for r, err := range e.records {
		if err != nil {
			return nil, err
		}
		e.report.Respondents++
		p.ids = max(p.ids, len(r.ID))
		if _, whole := wholeNumber(r.ID); !whole {
			p.wholeIDs = false
		}
		for i, w := range r.Weights {
			p.weights[i].see(w)
		}
		for k := range p.columns {
			c, a := &p.columns[k], &r.answers[k]
			c.most = max(c.most, len(a.picks))
			if c.most > 1 && c.datapoint < 0 {
				overlap[c.question] = true
			}
		}
		p.lookAtNumbers(r)
		for i := range p.groups {
			g := &p.groups[i]
			for k := g.first + 1; k < g.last; k++ {
				if r.answers[k].answered != r.answers[g.first].answered {
					g.ragged = true
					break
				}
			}
		}
	}
	return overlap, nil
}

// one is the weight of respondents without weights.
var one = decimal.FromInt(1)

func (f *facts) see(w decimal.Decimal) {
	if w != one {
		f.column = true
	}
	if w.IsZero() {
		f.zero = true
		return
	}
	f.places = max(f.places, w.Decimals())
	if w.Cmp(f.largest) > 0 {
		f.largest = w
	}
	if back, err := decimal.FromFloat(w.Float64()); err != nil || back != w {
		f.inexact++
	}
}

// places are the names of the columns in the file, in the order of the plan.
type places struct {
	respondent, wave, location string
	weights                    []string // "": the namespace has none
	columns                    []string
}

// names gives every column a name of its own. clean makes a name one that the format takes; names differ whatever the
// case of their letters.
func (p *exportPlan) names(clean func(string) string) *places {
	taken := map[string]bool{}
	take := func(wish string) string {
		wish = clean(wish)
		name := wish
		for n := 2; taken[strings.ToLower(name)] || name == ""; n++ {
			name = fmt.Sprintf("%s_%d", wish, n)
		}
		taken[strings.ToLower(name)] = true
		return name
	}
	var out places
	out.respondent, out.wave, out.location = take("respondent"), take("wave"), take("location")
	for i, n := range p.survey.Namespaces {
		name := ""
		if p.weights[i].column {
			if name = "weight"; len(p.survey.Namespaces) > 1 {
				name = "weight_" + n.Code
			}
			name = take(name)
		}
		out.weights = append(out.weights, name)
	}
	for i := range p.columns {
		out.columns = append(out.columns, take(p.columns[i].name))
	}
	return &out
}

// codebook is the codebook of the file. at are the names of its columns, and value what a flag holds for a yes.
func (p *exportPlan) codebook(at *places) *survey.Codebook {
	s := *p.survey
	s.Questions = slices.Clone(s.Questions)
	c := &survey.Codebook{Survey: &s, Respondent: at.respondent, Derived: p.derived}
	for i := range s.Namespaces {
		w := survey.WeightColumn{Column: at.weights[i]}
		if w.Column != "" && p.weights[i].zero {
			w.Missing = "zero"
		}
		c.Weights = append(c.Weights, w)
	}
	c.Wave = survey.FieldworkColumn{Column: at.wave, Values: values(p.waves)}
	c.Location = survey.FieldworkColumn{Column: at.location, Values: values(p.location)}
	for i := range s.Questions {
		c.Questions = append(c.Questions, p.question(&s.Questions[i], &p.groups[i], at))
	}
	return c
}

func values(list []option) []string {
	var out []string
	for _, o := range list {
		out = append(out, strconv.Itoa(o.code))
	}
	return out
}

// question tells where the answers to a question are, and gives it the kind that it has in the file.
func (p *exportPlan) question(q *audience.Question, g *exportGroup, at *places) survey.QuestionColumns {
	var c survey.QuestionColumns
	q.Kind, q.Separate = g.kind, g.kind == audience.Multi || g.kind == audience.Grid
	if g.first == g.last {
		return c
	}
	first := &p.columns[g.first]
	switch q.Kind {
	case audience.Single:
		c.Column = at.columns[g.first]
		for _, v := range values(first.options) {
			c.Datapoints = append(c.Datapoints, survey.AnswerColumn{Value: v})
		}
	case audience.Number:
		p.bands(&c, g, at)
	default:
		for k := g.first; k < g.last; k++ {
			c.Datapoints = append(c.Datapoints, survey.AnswerColumn{Column: at.columns[k]})
			if p.columns[k].most > 1 {
				c.Separator = separator
			}
		}
		if q.Kind == audience.Grid {
			c.Suffixes = values(first.options)
		}
	}
	return c
}
