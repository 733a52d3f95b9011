package survey

import (
	"fmt"
	"math"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Check tells whether the codebook is sound: the survey by itself, a place for everything that must have one, and no
// two values of one column that are equal. What is wrong is a *CodebookError; there may be more.
func (c *Codebook) Check() error {
	if c.Survey == nil {
		return &CodebookError{Reason: "there is no survey"}
	}
	if err := checkSurvey(c.Survey); err != nil {
		return err
	}
	s, k := c.Survey, &checker{}
	k.length("namespaces", "weight column", len(c.Weights), "namespace", len(s.Namespaces))
	k.length("questions", "entry of columns", len(c.Questions), "question", len(s.Questions))
	if k.err != nil {
		return k.err
	}
	if c.Respondent == "" {
		k.fail("respondent.column", "a column is needed here")
	}
	for i, w := range c.Weights {
		path := fmt.Sprintf("namespaces[%d].weight.missing", i)
		switch {
		case w.Missing != "" && w.Missing != "error" && w.Missing != "zero" && w.Missing != "one":
			k.fail(path, "%q is nothing to do about a missing weight; error, zero and one are", w.Missing)
		case w.Missing != "" && w.Column == "":
			k.fail(path, "without a column no weight can be missing")
		}
	}
	waves, locations := codes{}, codes{}
	for i := range s.Waves {
		waves[s.Waves[i].Code] = i
	}
	for i := range s.Locations {
		locations[s.Locations[i].Code] = i
	}
	k.fieldwork("wave", &c.Wave, waves)
	k.fieldwork("location", &c.Location, locations)
	for i := range c.Questions {
		k.columns(fmt.Sprintf("questions[%d]", i), &s.Questions[i], &c.Questions[i])
	}
	return k.result()
}

func (c *checker) length(path, what string, n int, per string, m int) {
	if n != m {
		c.fail(path, "there is one %s per %s: %d are needed, not %d", what, per, m, n)
	}
}

// fieldwork checks wave or location.
func (c *checker) fieldwork(path string, a *FieldworkColumn, listed codes) {
	switch {
	case a.By == "" && a.Dates == "":
	case path == "location":
		c.fail(path+".by", "dates tell waves, and no locations")
	case a.By == "":
		c.fail(path+".dates", `what comes first in dates is of use only where waves are periods: "by" is missing`)
	case !a.By.Known():
		c.fail(path+".by", "%q is no period; week, month, quarter and year are", a.By)
	case !a.Dates.Known():
		c.fail(path+".dates", "%q does not say what comes first; day-first and month-first do", a.Dates)
	case a.Column == "":
		c.fail(path+".column", "a column with the dates is needed here")
	}
	if a.Column == "" {
		if len(listed) != 1 {
			c.fail(path+".values", "without a column there is one %s, that of every row; %d are listed", path, len(listed))
		}
		if a.Missing != "" {
			c.fail(path+".missing", "without a column nothing can be missing")
		}
		if len(a.Values) > 0 {
			c.fail(path+".values", "without a column there is no value to compare")
		}
		return
	}
	c.length(path+".values", "value", len(a.Values), path, len(listed))
	if a.Missing != "" && a.Missing != Skip {
		if _, ok := listed[a.Missing]; !ok {
			c.fail(path+".missing", `%q is neither a code that is listed nor "skip"`, a.Missing)
		}
	}
	seen := map[value]int{}
	for i, text := range a.Values {
		c.listed(seen, fmt.Sprintf("%s.values[%d].value", path, i), text, i)
	}
}

// listed takes the value of record i, which must differ from those of the records before it.
func (c *checker) listed(seen map[value]int, path, text string, i int) {
	v := readValue(text, false)
	if first, there := seen[v]; there {
		c.fail(path, "the value %q is that of number %d too", text, first+1)
		return
	}
	seen[v] = i
}

// columns checks where the answers to a question are.
func (c *checker) columns(path string, q *audience.Question, columns *QuestionColumns) {
	c.length(path+".datapoints", "column or value", len(columns.Datapoints), "datapoint", len(q.Datapoints))
	c.length(path+".suffixes", "value", len(columns.Suffixes), "suffix", len(q.Suffixes))
	switch {
	case columns.Columns != "" && (len(q.Datapoints) > 0 || !columns.split()):
		c.fail(path+".columns", "columns stands in place of datapoints and of a column: one of them is to be given")
	case len(columns.Mentions) > 0 && (q.Kind != audience.Multi || columns.Column != "" || columns.Separator != ""):
		c.fail(path+".mentions", "mentions are columns of a multi question with one answer each; it has no column and no "+
			"separator beside them")
	case columns.Columns == "" && columns.Value != "":
		c.fail(path+".value", "a value of a question goes with columns; each datapoint has its own")
	case columns.Columns != "" && q.Kind != audience.Multi && q.Kind != audience.Grid:
		c.fail(path+".columns", "a question of type %s has no columns", q.Kind)
	case len(q.Datapoints) == 0 && columns.Columns == "":
		c.fail(path+".datapoints", "at least one datapoint is needed here")
	}
	if c.err != nil {
		return
	}
	single, grid := q.Kind == audience.Single || q.Kind == audience.Number, q.Kind == audience.Grid
	switch {
	case single && columns.split() && !(q.Kind == audience.Number && columns.told()):
		c.fail(path+".column", "a column is needed here")
	case grid && !columns.split():
		c.fail(path+".column", "a question of type grid has a column per datapoint and none of its own")
	case single && columns.Separator != "":
		c.fail(path+".separator", "a question of type %s has no separator", q.Kind)
	case q.Kind == audience.Multi && len(columns.Mentions) == 0 && columns.split() != (columns.Separator == ""):
		c.fail(path+".separator", "a multi question has a column and a separator, or a column per datapoint and neither")
	case q.Separate != (grid || q.Kind == audience.Multi && columns.split()):
		c.fail(path, "the datapoints are Separate exactly if each has a column of its own")
	case q.Kind == audience.Number:
		c.bands(path, columns)
		return
	}
	for j, name := range columns.Mentions {
		if name == "" || slices.Contains(columns.Mentions[:j], name) {
			c.fail(fmt.Sprintf("%s.mentions[%d]", path, j), "the column %q has no name or is named before", name)
		}
	}
	seen := map[string]map[value]int{}
	for j, a := range columns.Datapoints {
		path := fmt.Sprintf("%s.datapoints[%d]", path, j)
		if (a.Column == "") != !columns.split() {
			c.fail(path+".column", "either the question has a column, or each datapoint has")
		}
		if grid {
			continue
		}
		if seen[a.Column] == nil {
			seen[a.Column] = map[value]int{}
		}
		c.listed(seen[a.Column], path+".value", a.Value, j)
	}
	suffixes := map[value]int{}
	for j, text := range columns.Suffixes {
		c.listed(suffixes, fmt.Sprintf("%s.suffixes[%d].value", path, j), text, j)
	}
}

// bands checks the ends of a number's bands.
func (c *checker) bands(path string, columns *QuestionColumns) {
	told := map[string]map[value]int{}
	for j, a := range columns.Datapoints {
		path := fmt.Sprintf("%s.bands[%d]", path, j)
		if a.Column != "" {
			if a.From != "" || a.To != "" {
				c.fail(path, "a band has ends, or a column that tells it")
			}
			if a.Column == columns.Column && a.Value == "" {
				c.fail(path+".value", "the column is that of the numbers: a value that is none of them, or ends, tells the band")
			}
			if told[a.Column] == nil {
				told[a.Column] = map[value]int{}
			}
			c.listed(told[a.Column], path+".value", a.Value, j)
			continue
		}
		if a.Value != "" {
			c.fail(path+".value", "a band has a value only in a column that tells it")
		}
		for _, end := range []struct{ name, text string }{{"from", a.From}, {"to", a.To}} {
			if _, err := decimal.Parse(end.text, true); err != nil && end.text != "" {
				c.fail(path+"."+end.name, "%v", err)
			}
		}
		if b := readBand(a); b.hasFrom && b.hasTo && b.from.Cmp(b.to) > 0 {
			c.fail(path+".to", "the band ends at %s, before it begins at %s", a.To, a.From)
		}
	}
}

// told tells whether each band of a number has a column that tells it.
func (q *QuestionColumns) told() bool {
	return !slices.ContainsFunc(q.Datapoints, func(a AnswerColumn) bool { return a.Column == "" })
}

// coded tells whether the column of a question of numbers holds codes for its bands: a midpoint is a number of the
// question's unit, so if it is not within its band, the band's ends are none.
func (q *QuestionColumns) coded(of *audience.Question) bool {
	for j, a := range q.Datapoints {
		m := of.Datapoints[j].Midpoint
		if a.Column != "" || m == nil {
			continue
		}
		b := readBand(a)
		if d, err := decimal.FromFloat(*m); err == nil && !b.holds(d) {
			return true
		}
	}
	return false
}

// band is a range of numbers, both ends in it.
type band struct {
	from, to       decimal.Decimal
	hasFrom, hasTo bool
	elsewhere      bool // a column of its own tells it: no number does
}

// readBand reads ends that were checked.
func readBand(a AnswerColumn) band {
	b := band{hasFrom: a.From != "", hasTo: a.To != "", elsewhere: a.Column != ""}
	b.from, _ = decimal.Parse(a.From, true)
	b.to, _ = decimal.Parse(a.To, true)
	return b
}

func (b *band) holds(d decimal.Decimal) bool {
	return !b.elsewhere && (!b.hasFrom || b.from.Cmp(d) <= 0) && (!b.hasTo || d.Cmp(b.to) <= 0)
}

// middle is the number halfway between the ends, nil if one is open.
func (b *band) middle() *float64 {
	if !b.hasFrom || !b.hasTo {
		return nil
	}
	sum := &decimal.Sum{}
	sum.Add(b.from)
	sum.Add(b.to)
	m := sum.Float64() / 2
	if math.IsInf(m, 0) {
		m = b.from.Float64()/2 + b.to.Float64()/2
	}
	return &m
}

// midpoints gives the bands that have none theirs.
func (c *Codebook) midpoints() {
	for i := range c.Survey.Questions {
		q := &c.Survey.Questions[i]
		for j := range q.Datapoints {
			if d := &q.Datapoints[j]; d.Midpoint == nil && q.Kind == audience.Number {
				b := readBand(c.Questions[i].Datapoints[j])
				d.Midpoint = b.middle()
			}
		}
	}
}
