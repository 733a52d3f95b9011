package formats

import (
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats/sav"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// numbers is what must be known of a question of numbers to lay it out.
type numbers struct {
	given           int64 // respondents with a number
	least, greatest decimal.Decimal
	places          int   // decimals, the most
	inexact         int64 // numbers that are no float64
	bandOnly        int64 // respondents who are in a band and have no number
	bands           []bandEnds
	// By wave and location, of those who take part in the question's namespace: did anybody answer, and give a number?
	answered, numbered []bool

	numeric bool // it has a column of numbers
	banded  bool // columns tell its bands
}

// alone tells whether a column of numbers is all that there is.
func (n *numbers) alone() bool { return n != nil && n.numeric && !n.banded }

// bandEnds is where a band may end, which stores do not keep.
type bandEnds struct {
	some            bool // there are numbers in it
	least, greatest decimal.Decimal
	choices         []ends // that hold its numbers; those left hold no other number
}

// ends are those of a band, both in it.
type ends struct {
	from, to             decimal.Decimal
	openBelow, openAbove bool
}

func (x *ends) hold(d decimal.Decimal) bool {
	return (x.openBelow || x.from.Cmp(d) <= 0) && (x.openAbove || d.Cmp(x.to) <= 0)
}

// column is the band as a codebook has it.
func (x *ends) column() (a survey.AnswerColumn) {
	if !x.openBelow {
		a.From = x.from.String()
	}
	if !x.openAbove {
		a.To = x.to.String()
	}
	return a
}

// begin readies the plan for what is found out of numbers.
func (p *exportPlan) begin() {
	p.numbers = make([]*numbers, len(p.survey.Questions))
	fieldwork := len(p.survey.Waves) * len(p.survey.Locations)
	for i := range p.survey.Questions {
		if q := &p.survey.Questions[i]; q.Kind == audience.Number && len(q.Suffixes) == 0 {
			p.numbers[i] = &numbers{banded: true, bands: make([]bandEnds, len(q.Datapoints)),
				answered: make([]bool, fieldwork), numbered: make([]bool, fieldwork)}
		}
	}
}

// layOutNumbers makes the columns of question i, one of numbers: of the numbers, and of its bands, each of which has a
// column of its own if somebody is in several.
func (p *exportPlan) layOutNumbers(i int, apart bool, layout *survey.Layout) {
	q, n := &p.survey.Questions[i], p.numbers[i]
	name, label := q.Code, q.Name
	if n.numeric {
		p.numberIn[i] = int32(len(p.columns))
		p.columns = append(p.columns, exportColumn{name: name, label: label, question: i, datapoint: -1,
			item: layout.Item(i, 0), number: true})
		name += "_band"
	}
	options := datapointOptions(q.Datapoints)
	switch {
	case !n.banded:
	case !apart:
		p.add(exportColumn{name: name, label: label, question: i, datapoint: -1, item: layout.Item(i, 0),
			first: layout.Attribute(i, 0, 0), options: options})
	default:
		for j, d := range q.Datapoints {
			p.add(exportColumn{name: d.Code, label: options[j].name, question: i, datapoint: j, item: layout.Item(i, j),
				first: layout.Attribute(i, j, 0), flag: true, options: options[j : j+1]})
		}
	}
}

// lookAtNumbers notes what a respondent says of questions of numbers, unless it is known by now how they are laid out.
func (p *exportPlan) lookAtNumbers(r *record) {
	for i := range p.groups {
		n, g := p.numbers[i], &p.groups[i]
		if n == nil || n.numeric || g.first == g.last {
			continue
		}
		at := slices.IndexFunc(r.Numbers, func(x survey.Given) bool { return x.Question == i })
		picks := r.answers[g.first].picks
		fieldwork := r.Wave*len(p.survey.Locations) + r.Location
		if p.takesPart(r, i) {
			n.answered[fieldwork] = n.answered[fieldwork] || at >= 0 || r.answers[g.first].answered
			n.numbered[fieldwork] = n.numbered[fieldwork] || at >= 0
		}
		switch {
		case at >= 0:
			n.see(r.Numbers[at].Value, picks)
		case len(picks) > 0:
			n.bandOnly++
		}
	}
}

// takesPart tells whether a respondent takes part in the namespace of question i.
func (p *exportPlan) takesPart(r *record, i int) bool {
	at := slices.IndexFunc(p.survey.Namespaces, func(x audience.Namespace) bool {
		return x.Code == p.survey.Questions[i].Namespace
	})
	return at >= 0 && !r.Weights[at].IsZero()
}

// see takes a number and the bands it is in.
func (n *numbers) see(d decimal.Decimal, bands []int) {
	if n.given++; n.given == 1 {
		n.least, n.greatest = d, d
	}
	n.least, n.greatest = smaller(n.least, d), larger(n.greatest, d)
	n.places = max(n.places, d.Decimals())
	if back, err := decimal.FromFloat(d.Float64()); err != nil || back != d {
		n.inexact++
	}
	for _, j := range bands {
		b := &n.bands[j]
		if !b.some {
			b.some, b.least, b.greatest = true, d, d
		}
		b.least, b.greatest = smaller(b.least, d), larger(b.greatest, d)
	}
}

func smaller(a, b decimal.Decimal) decimal.Decimal {
	if b.Cmp(a) < 0 {
		return b
	}
	return a
}

func larger(a, b decimal.Decimal) decimal.Decimal {
	if b.Cmp(a) > 0 {
		return b
	}
	return a
}

// settleNumbers finds out which questions of numbers get a column of these, and whether it alone tells their bands. It
// tells whether there are any, so that columns have to be laid out again.
func (e *exporter) settleNumbers() (again bool, err error) {
	p := &e.plan
	for i, n := range p.numbers {
		if n == nil || n.given == 0 {
			continue
		}
		again = true
		for j := range n.bands {
			n.bands[j].choose(p.survey.Questions[i].Datapoints[j].Midpoint)
		}
	}
	if !again {
		return false, nil
	}
	if err := e.tryEnds(); err != nil {
		return false, err
	}
	var found []string
	for i, n := range p.numbers {
		if n == nil || n.given == 0 {
			continue
		}
		code := p.survey.Questions[i].Code
		ended := !slices.ContainsFunc(n.bands, func(b bandEnds) bool { return len(b.choices) == 0 })
		n.numeric, n.banded = true, n.bandOnly > 0 || !ended || !slices.Equal(n.answered, n.numbered)
		switch {
		case n.bandOnly > 0:
			e.note("question %s: of %d respondents the band is known and no number, so a column beside that of the numbers "+
				"tells the bands of all", code, n.bandOnly)
		case !ended:
			e.note("question %s: no ends of its bands put every number where it is, so a column beside that of the numbers "+
				"tells the bands", code)
		case n.banded:
			e.note("question %s: somewhere it was answered with no number, so a column beside that of the numbers tells it",
				code)
		default:
			found = append(found, code)
		}
	}
	if len(found) > 0 {
		e.note("%s: numbers; where their bands end is not kept, and the codebook has ends that put every number that there "+
			"is where it was", strings.Join(found, ", "))
	}
	return true, nil
}

// choose lists where a band may end, given its midpoint: likeliest first. A band with a midpoint has both ends and
// nearly always its middle there; one without is open below, above or both.
func (b *bandEnds) choose(midpoint *float64) {
	if midpoint == nil {
		if b.some {
			b.choices = []ends{{openBelow: true, openAbove: true}, {to: b.greatest, openBelow: true},
				{from: b.least, openAbove: true}}
		}
		return
	}
	middle, err := decimal.FromFloat(*midpoint)
	switch {
	case err != nil:
	case !b.some:
		b.choices = []ends{{from: middle, to: middle}}
	default:
		b.choices = []ends{{from: smaller(b.least, mirrored(b.greatest, middle)),
			to: larger(b.greatest, mirrored(b.least, middle))}}
		if b.least.Cmp(middle) <= 0 && middle.Cmp(b.greatest) <= 0 {
			b.choices = append(b.choices, ends{from: b.least, to: b.greatest})
		}
	}
}

// mirrored is the number as far from the middle on its other side.
func mirrored(d, middle decimal.Decimal) decimal.Decimal {
	negative, isNegative := strings.CutPrefix(d.String(), "-")
	if !isNegative {
		negative = "-" + negative
	}
	sum, err := decimal.ParseSum(negative)
	if err != nil {
		return d // it cannot be: it was written by String
	}
	sum.Add(middle)
	sum.Add(middle)
	out, err := decimal.Parse(sum.String(), true)
	if err != nil {
		return d // too far away to be written
	}
	return out
}

// tryEnds reads the respondents, and drops ends of bands that hold numbers of others.
func (e *exporter) tryEnds() error {
	p := &e.plan
	for r, err := range e.records {
		if err != nil {
			return err
		}
		for _, x := range r.Numbers {
			n := p.numbers[x.Question]
			if n == nil || p.groups[x.Question].first == p.groups[x.Question].last {
				continue
			}
			picks := r.answers[p.groups[x.Question].first].picks
			for j := range n.bands {
				if b := &n.bands[j]; !slices.Contains(picks, j) {
					b.choices = slices.DeleteFunc(b.choices, func(c ends) bool { return c.hold(x.Value) })
				}
			}
		}
	}
	return nil
}

// bands tells where the numbers and the bands of a question are.
func (p *exportPlan) bands(c *survey.QuestionColumns, g *exportGroup, at *places) {
	n, k := p.numbers[p.columns[g.first].question], g.first
	if n.numeric {
		c.Column = at.columns[k]
		k++
	}
	switch {
	case !n.banded:
		for _, b := range n.bands {
			c.Datapoints = append(c.Datapoints, b.choices[0].column())
		}
	case p.columns[k].flag:
		for ; k < g.last; k++ {
			c.Datapoints = append(c.Datapoints, survey.AnswerColumn{Column: at.columns[k]})
		}
	default:
		for _, v := range values(p.columns[k].options) {
			c.Datapoints = append(c.Datapoints, survey.AnswerColumn{Column: at.columns[k], Value: v})
		}
	}
}

// format is how SPSS shows the numbers: with all their decimals, as far as it can.
func (n *numbers) format() sav.Format {
	places := min(max(n.places, 0), 16)
	digits := 1
	for _, d := range []decimal.Decimal{n.least, n.greatest} {
		whole, _, _ := strings.Cut(d.Plain(), ".")
		digits = max(digits, len(whole)) // the sign is one
	}
	if places > 0 {
		digits += 1 + places
	}
	return sav.Format{Type: sav.FormatF, Width: min(max(8, digits), 40), Decimals: places}
}
