package main

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/formats"
	"github.com/crosswave/crosswave/store/guess"
)

//go:embed page.html
var pageText string

// filePage is how a file is read, as one HTML page that needs nothing else.
type filePage struct {
	Name, Format, Rows, By, Kinds string
	Columns                       int
	Checks                        []pageCheck
	Cards                         []*pageCard
	Notes                         []string
}

type pageCheck struct{ Text, Flag string }

// pageCard is a question with its columns, or a column that is no part of one.
type pageCard struct {
	Title, Label, As, Code, Why, Base string
	Off                               bool // it is not used
	Lines                             []pageLine
	Key                               []pagePart // what the shades of the lines stand for
}

// pageLine is a row of bars: one, or several beside each other.
type pageLine struct {
	Text, Note string
	Parts      []pagePart
}

type pagePart struct {
	Width float64 // in percent
	Shade int
	Title string
}

const (
	pageShares = 10 // values of a column that are shown
	pageShades = 7
)

// writePage makes the page.
func writePage(f *formats.File, m *guess.Result, checks []check, shown []guess.Distribution) ([]byte, error) {
	p := filePage{Name: filepath.Base(f.Path), Format: string(f.Format), Columns: len(m.Columns), Notes: m.Grouped()}
	if f.CodebookFrom != "" && m.Rows == 0 {
		p.By = f.CodebookFrom
	}
	for _, c := range checks[:min(len(checks), mostChecks)] {
		p.Checks = append(p.Checks, pageCheck{c.text, c.flag})
	}
	b := pageBuilder{file: f, result: m, shown: map[string]*guess.Distribution{}}
	for i := range shown {
		b.shown[f.Columns[i].Name] = &shown[i]
		p.Rows = grouped(float64(shown[i].Rows), 0)
	}
	p.Cards, p.Kinds = b.cards()
	t, err := template.New("page").Parse(pageText)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, p)
	return out.Bytes(), err
}

// pageBuilder makes the cards of a page.
type pageBuilder struct {
	file   *formats.File
	result *guess.Result
	shown  map[string]*guess.Distribution // by column
}

// cards are those of all columns in their order; kinds says how many there are of each.
func (b *pageBuilder) cards() (list []*pageCard, kinds string) {
	together := map[string]*pageCard{} // of questions of several columns
	count := map[string]int{}
	for _, r := range b.result.Columns {
		if virtual := b.shown[r.Column] == nil; virtual {
			continue
		}
		card := together[r.Of]
		if r.As != audience.Multi && r.As != audience.Grid || r.Of == "" || card == nil {
			if card = b.card(r); r.As == audience.Multi || r.As == audience.Grid {
				together[r.Of] = card
			}
			list = append(list, card)
			count[r.As]++
		}
		if together[r.Of] == card {
			b.add(card, r)
		}
	}
	var each []string
	for _, kind := range []string{"respondent", "weight", "wave", "location", audience.Single, audience.Multi,
		audience.Grid, audience.Number, guess.NotUsed} {
		if count[kind] > 0 {
			each = append(each, fmt.Sprintf("%d %s", count[kind], kind))
		}
	}
	return list, strings.Join(each, ", ") + "."
}

// card is the card of a column, or of the question that it is the first column of.
func (b *pageBuilder) card(r guess.Reading) *pageCard {
	d := b.shown[r.Column]
	c := &pageCard{Title: r.Column, Label: r.Label, As: r.As, Code: r.Of, Why: r.Why.String(), Off: r.As == guess.NotUsed}
	if c.Base = fmt.Sprintf("%s with a value", grouped(float64(d.Rows-d.Empty), 0)); d.Empty == d.Rows {
		c.Base = ""
	}
	if r.As == audience.Multi || r.As == audience.Grid {
		if q := b.question(r.Of); q != nil && len(q.Name) > 0 {
			c.Title, c.Label = r.Of, q.Name
		}
		return c
	}
	switch {
	case d.Various:
		c.Lines = append(c.Lines, pageLine{Text: "many different texts"})
	case len(d.Bars) > 0:
		c.Lines = barLines(d.Bars)
	default:
		c.Lines = shareLines(d)
	}
	return c
}

func (b *pageBuilder) question(code string) *audience.Question {
	questions := b.result.Codebook.Survey.Questions
	at := slices.IndexFunc(questions, func(q audience.Question) bool { return q.Code == code })
	if at < 0 {
		return nil
	}
	return &questions[at]
}

// edge writes the edge of a bar without digits that mean nothing.
func edge(n float64) string {
	if rounded, err := strconv.ParseFloat(strconv.FormatFloat(n, 'g', 9, 64), 64); err == nil {
		n = rounded
	}
	if math.Abs(n) >= 10_000 && math.Abs(n) < 1e15 {
		return grouped(n, 0)
	}
	return strconv.FormatFloat(n, 'g', -1, 64)
}

func barLines(bars []guess.Bar) (list []pageLine) {
	most := 0.0
	for _, bar := range bars {
		most = max(most, bar.Share)
	}
	for _, bar := range bars {
		list = append(list, pageLine{Text: edge(bar.From) + " to " + edge(bar.To), Note: inPercent(bar.Share),
			Parts: []pagePart{{Width: 100 * bar.Share / most}}})
	}
	return list
}

// inPercent writes a share.
func inPercent(share float64) string { return strconv.FormatFloat(100*share, 'f', 1, 64) + " %" }

// shareLines are the values of a column, and how many there are that are not shown.
func shareLines(d *guess.Distribution) (list []pageLine) {
	all := float64(max(1, d.Rows-d.Empty))
	for i, s := range d.Shares {
		if i == pageShares && len(d.Shares) > pageShares+1 {
			rest := int64(0)
			for _, other := range d.Shares[i:] {
				rest += other.Count
			}
			text := fmt.Sprintf("%d others", len(d.Shares)-i)
			return append(list, pageLine{Text: text, Note: inPercent(float64(rest) / all)})
		}
		share := float64(s.Count) / all
		list = append(list, pageLine{Text: s.Text(), Note: inPercent(share), Parts: []pagePart{{Width: 100 * share}}})
	}
	return list
}

// add adds a column to the card of its question: of a multiple choice who chose it, of a grid all answers.
func (b *pageBuilder) add(c *pageCard, r guess.Reading) {
	d := b.shown[r.Column]
	if len(c.Lines) == pageShares*3 {
		return
	}
	all := float64(max(1, d.Rows-d.Empty))
	if r.As == audience.Multi && len(d.Shares) == 0 {
		c.Lines = append(c.Lines, pageLine{Text: cmp.Or(r.Label, r.Column)})
		return
	}
	if r.As == audience.Multi {
		chosen, of := b.chosen(r, d), float64(max(1, d.Rows))
		c.Lines = append(c.Lines, pageLine{Text: b.answer(r), Note: inPercent(float64(chosen) / of),
			Parts: []pagePart{{Width: 100 * float64(chosen) / of}}})
		return
	}
	line := pageLine{Text: b.answer(r), Note: grouped(float64(d.Rows-d.Empty), 0)}
	for i, s := range d.Shares {
		title := cmp.Or(s.Label, s.Text())
		part := pagePart{Width: 100 * float64(s.Count) / all, Shade: min(i, pageShades-1), Title: title}
		line.Parts = append(line.Parts, part)
		if len(c.Lines) == 0 && i < pageShades {
			c.Key = append(c.Key, part)
		}
	}
	c.Lines = append(c.Lines, line)
}

// answer is what a column of a question stands for.
func (b *pageBuilder) answer(r guess.Reading) string {
	if q, datapoint := b.place(r); datapoint >= 0 && q.Datapoints[datapoint].Name != "" {
		return q.Datapoints[datapoint].Name
	}
	return cmp.Or(r.Label, r.Column)
}

// place is the question and the datapoint that a column stands for; -1: it stands for several.
func (b *pageBuilder) place(r guess.Reading) (*audience.Question, int) {
	q := b.question(r.Of)
	if q == nil {
		return nil, -1
	}
	for i := range b.result.Codebook.Questions {
		if &b.result.Codebook.Survey.Questions[i] != q {
			continue
		}
		for j, a := range b.result.Codebook.Questions[i].Datapoints {
			if a.Column == r.Column {
				return q, j
			}
		}
	}
	return q, -1
}

// chosen counts the rows in which the column of an answer says that it was given.
func (b *pageBuilder) chosen(r guess.Reading, d *guess.Distribution) (n int64) {
	means := ""
	if q, datapoint := b.place(r); datapoint >= 0 {
		for i := range b.result.Codebook.Questions {
			if &b.result.Codebook.Survey.Questions[i] == q {
				means = b.result.Codebook.Questions[i].Datapoints[datapoint].Value
			}
		}
	}
	for _, s := range d.Shares {
		yes := slices.Contains([]string{"1", "yes", "true", "y", "t"}, strings.ToLower(s.Value))
		if means != "" && s.Value == means || means == "" && yes {
			n += s.Count
		}
	}
	return n
}
