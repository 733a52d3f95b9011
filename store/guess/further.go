package guess

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// furtherOptions makes columns part of the multiple choice beside them if they hold one answer as its others do and
// their words begin with the same question, as those of Q7_OTHER behind Q7_Part_12, or their names do so and end with
// what stands beside answers, as that of Q16_REFUSED behind Q16M.
func (g *guesser) furtherOptions() {
	questions := map[string]*draft{}
	for i := range g.drafts {
		questions[g.drafts[i].question.Code] = &g.drafts[i]
	}
	for i := 1; i < len(g.columns); i++ {
		g.furtherOption(questions[g.readings[i-1].Of], i, i-1)
	}
	for i := len(g.columns) - 2; i >= 0; i-- {
		g.furtherOption(questions[g.readings[i+1].Of], i, i+1)
	}
}

// furtherOption makes a column part of a question if that is a multiple choice of which the column beside it is an
// option, and it is one, too.
func (g *guesser) furtherOption(d *draft, i, beside int) {
	c := g.columns[i]
	if d == nil || d.question.Kind != audience.Multi || c.taken || c.named || c.alone || c.Virtual ||
		d.answers(absent(c)) {
		return
	}
	at := slices.IndexFunc(d.columns.Datapoints, func(a survey.AnswerColumn) bool {
		return a.Column == g.columns[beside].origin.Name
	})
	option, bond := d.optionIn(c), ByWords
	if option == "" {
		option, bond = d.asideIn(c), ByName
	}
	if at < 0 || option == "" {
		return
	}
	yes, t := d.columns.Datapoints[at].Value, c.tick()
	inWords := t.kind == one && yes != "" && !isYes(yes) && strings.EqualFold(strings.TrimSpace(t.yes), option)
	value := t.yes
	if yes == "" && defaultYes[strings.ToLower(value)] && !contradicted(c, value) {
		value = ""
	}
	if yes := t.chosen() || t.kind == one && isYes(t.yes); !inWords && (!yes || value != d.columns.Datapoints[at].Value) {
		return
	}
	codes := names{}
	for _, p := range d.question.Datapoints {
		codes[p.Code] = true
	}
	at += btoi(beside < i)
	point := audience.Datapoint{Code: codes.take(codeOf(c.code), d.question.Code), Name: option}
	d.question.Datapoints = slices.Insert(d.question.Datapoints, at, point)
	d.columns.Datapoints = slices.Insert(d.columns.Datapoints, at,
		survey.AnswerColumn{Column: c.origin.Name, Value: value})
	d.at = min(d.at, i)
	g.read(i, "multi", d.question.Code, Reason{Kind: ReasonOptions, Bond: bond})
}

// asideIn is what a column's name has behind a question's code, if that is one of what stands beside answers: other,
// none, refused and the like; "" if it is not. It is the column's words, if it has any.
func (d *draft) asideIn(c *column) string {
	rest, found := strings.CutPrefix(c.code, d.question.Code)
	word := strings.ToLower(strings.ReplaceAll(strings.Trim(rest, joints), "_", " "))
	numbered := !slices.ContainsFunc(d.columns.Datapoints, func(a survey.AnswerColumn) bool {
		rest, found := strings.CutPrefix(a.Column, d.question.Code)
		return !found || rest == "" || strings.Trim(rest, digits) != ""
	})
	if !found || !numbered && !strings.ContainsAny(d.question.Code, digits) || aside(word) == 0 {
		return ""
	}
	return cmp.Or(c.wording, strings.Trim(rest, joints))
}

// optionIn is what a column's words have behind those of a question; "" if they are not the same question.
func (d *draft) optionIn(c *column) string {
	const least = 12 // bytes that are words
	spaced := func(text string) string { return strings.Join(strings.Fields(text), " ") }
	rest, found := strings.CutPrefix(spaced(c.wording), spaced(d.question.Name))
	if !found || len(d.question.Name) < least || !strings.Contains(d.question.Name, " ") {
		return ""
	}
	option := strings.TrimLeftFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if option == rest {
		return "" // it goes on within a word
	}
	return strings.TrimSpace(option)
}
