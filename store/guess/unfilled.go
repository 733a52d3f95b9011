package guess

import (
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// unfilled makes columns without an answer, which nobody chose or was asked about, part of the question whose columns
// stand before them and whose numbers, or letters behind a number, they go on with: p4_5 behind p4_4. What they hold
// says nothing, so their labels must say that they belong there, and what is missing in them must be so in all others.
func (g *guesser) unfilled() {
	questions := map[string]*draft{}
	for i := range g.drafts {
		questions[g.drafts[i].question.Code] = &g.drafts[i]
	}
	var found []string
	for i := 1; i < len(g.columns); i++ {
		c, before := g.columns[i], g.columns[i-1]
		d := questions[g.readings[i-1].Of]
		if c.taken || c.named || c.alone || c.Virtual || c.filled > 0 || d == nil || !nextName(before.Name, c.Name) ||
			!c.unfilledAs(before) || d.answers(absent(c)) || !d.goesOn(before, c) {
			continue
		}
		g.read(i, g.readings[i-1].As, d.question.Code, Reason{Kind: ReasonGoesOn})
		found = append(found, c.origin.Name)
	}
	if len(found) > 0 {
		g.note("%s: nobody answered there; part of the question that the column before belongs to, as the names go on",
			listed(found))
	}
}

// goesOn makes a column the next of a question of several columns, of which before is one.
func (d *draft) goesOn(before, c *column) bool {
	if at := slices.Index(d.columns.Mentions, before.origin.Name); at >= 0 {
		d.columns.Mentions = slices.Insert(d.columns.Mentions, at+1, c.origin.Name)
		return true
	}
	at := slices.IndexFunc(d.columns.Datapoints, func(a survey.AnswerColumn) bool {
		return a.Column == before.origin.Name
	})
	if at < 0 || d.question.Kind != audience.Multi && d.question.Kind != audience.Grid {
		return false
	}
	codes := names{}
	for _, p := range d.question.Datapoints {
		codes[p.Code] = true
	}
	point := audience.Datapoint{Code: codes.take(codeOf(c.code), d.question.Code), Name: c.wording}
	if point.Name == "" || point.Name == d.question.Name {
		point.Name = c.Name
	}
	d.question.Datapoints = slices.Insert(d.question.Datapoints, at+1, point)
	d.columns.Datapoints = slices.Insert(d.columns.Datapoints, at+1,
		survey.AnswerColumn{Column: c.origin.Name, Value: d.columns.Datapoints[at].Value})
	return true
}

// answers tells whether a value that is missing in a column may be an answer in those of the question.
func (d *draft) answers(missing []string) bool {
	return slices.ContainsFunc(missing, func(value string) bool { return !slices.Contains(d.columns.Missing, value) })
}

// unfilledAs tells whether a column without answers may be of the question of another: its values have the same labels,
// or none, and then it has the same label itself, under a name that goes on with those of a question and not with the
// numbers of all, and is no field for words or dates.
func (c *column) unfilledAs(other *column) bool {
	if len(c.Labels) > 0 {
		return slices.Equal(c.Labels, other.Labels)
	}
	stem, _ := endNumber(c.Name)
	return c.Label == other.Label && strings.ContainsAny(stem, digits) && c.Kind != Text && c.Kind != Date &&
		!c.writing() && !has(words(c.code), ownWordsNames) && !has(words(c.wording), ownWordsNames)
}

// nextName tells whether a name is another with the next number at its end, or with the next letter behind a number.
func nextName(before, name string) bool {
	stem, number := endNumber(before)
	after, next := endNumber(name)
	if number != "" && next != "" {
		m, err := strconv.Atoi(number)
		n, other := strconv.Atoi(next)
		return err == nil && other == nil && stem != "" && stem == after && n == m+1 && len(next) >= len(number)
	}
	last := len(before) - 1
	return last > 0 && last == len(name)-1 && before[:last] == name[:last] && name[last] == before[last]+1 &&
		asciiLetter(before[last]) && asciiLetter(name[last]) && asciiDigit(before[last-1])
}

// endNumber divides a name before the digits at its end.
func endNumber(name string) (stem, number string) {
	end := len(name)
	for end > 0 && asciiDigit(name[end-1]) {
		end--
	}
	return name[:end], name[end:]
}

func asciiDigit(b byte) bool  { return '0' <= b && b <= '9' }
func asciiLetter(b byte) bool { return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' }
