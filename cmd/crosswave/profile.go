package main

import (
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/cmd/crosswave/internal/ask"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/httpapi"
	"github.com/crosswave/crosswave/stats"
)

type profileCommand struct {
	asking
	Audience       string   `required:"" placeholder:"WHO" help:"${profileaudience}"`
	Base           string   `placeholder:"WHO" help:"${profilebase}"`
	Questions      []string `placeholder:"CODE" help:"Questions to look at; all unless given."`
	Waves          []string `help:"Waves to cover; all unless given."`
	Locations      []string `help:"Locations to cover; all unless given."`
	By             string   `default:"" enum:",category" placeholder:"category" help:"${profileby}"`
	Order          string   `default:"certain" enum:"certain,index,difference" help:"${profileorder}"`
	Direction      string   `default:"both" enum:"over,under,both" help:"${profiledirection}"`
	Limit          int      `default:"20" placeholder:"N" help:"${profilelimit}"`
	MinSample      int64    `default:"30" placeholder:"N" help:"${profilesample}"`
	FalseDiscovery float64  `default:"5" placeholder:"PERCENT" help:"${profilefalse}"`
	Level          float64  `default:"95" placeholder:"PERCENT" help:"The level of confidence of intervals."`
	shading
	Format string `default:"table" enum:"table,markdown,html,csv,json" help:"${tableformat}"`
}

func (c *profileCommand) Run(ctx context.Context, m Main) error {
	s, err := c.begin(ctx, m)
	if err != nil {
		return err
	}
	defer s.end()
	query, err := c.query(s.frame)
	if err != nil {
		return err
	}
	if c.Format == "json" {
		return writeProfileJSON(ctx, s.config, query, m)
	}
	result, err := stats.Profile(ctx, s.store, query)
	if err != nil {
		return err
	}
	p := &profiled{frame: s.frame, query: query, result: result, categories: c.By != "", limit: c.Limit}
	if p.categories {
		p.group()
	} else {
		p.list()
	}
	switch c.Format {
	case "csv":
		return p.csv(m.Stdout)
	case "table":
		_, err = io.WriteString(m.Stdout, p.text(m.width(), c.shades(m)))
		return err
	}
	return writeDocument(m.Stdout, p.document(), c.Format)
}

// query is what the flags ask for. All of its codes exist.
func (c *profileCommand) query(f *audience.Frame) (q stats.ProfileQuery, err error) {
	q = stats.ProfileQuery{MinSample: c.MinSample, FalseDiscovery: c.FalseDiscovery, Level: c.Level,
		OrderBy: stats.ProfileOrder(c.Order), Direction: stats.Direction(c.Direction), Limit: c.Limit}
	switch {
	case c.Limit < 0:
		return q, usage("--limit %d: a number of attributes is 0 or more; 0 is all", c.Limit)
	case c.MinSample < 1:
		return q, usage("--min-sample %d: a number of respondents is 1 or more", c.MinSample)
	case !(c.FalseDiscovery > 0 && c.FalseDiscovery < 100):
		return q, usage("--false-discovery %s: it is in percent, above 0 and below 100, as 5 is", percent(c.FalseDiscovery))
	case !(c.Level > 50 && c.Level < 100):
		return q, usage("--level %s: a level of confidence is in percent, above 50 and below 100, as 95 is", percent(c.Level))
	case c.By != "" && c.Format == "json":
		return q, usage("--by %s is for tables and csv: the server's answer has no categories", c.By)
	case c.By != "" && len(f.Categories) == 0:
		return q, usage("--by category: the survey has no categories")
	}
	if c.By != "" {
		q.Limit = 0
	}
	if q.Waves, err = ask.Waves(f, c.Waves); err != nil {
		return q, usage("--waves: %w", err)
	}
	if q.Locations, err = ask.Locations(f, c.Locations); err != nil {
		return q, usage("--locations: %w", err)
	}
	if q.Audience, err = ask.One(f, c.Audience); err != nil {
		return q, usage("--audience %w", err)
	}
	if c.Base != "" {
		if q.Base, err = ask.One(f, c.Base); err != nil {
			return q, usage("--base %w", err)
		}
	}
	uses := []audience.Use{{Origin: "--audience", Expr: q.Audience.Expr}, {Origin: "--base", Expr: q.Base.Expr}}
	for _, code := range c.Questions {
		uses = append(uses, audience.Use{Origin: "--questions", Expr: audience.Answers{Question: code}})
		q.Questions = append(q.Questions, code)
	}
	for _, u := range uses {
		if err := f.Check(nil, nil, u); err != nil {
			return q, usage("%s: %w", u.Origin, ask.Explain(f, err))
		}
	}
	return q, nil
}

// profiled is a profile that is to be told.
type profiled struct {
	frame      *audience.Frame
	query      stats.ProfileQuery
	result     *stats.ProfileResult
	categories bool
	limit      int
	groups     []profileGroup
}

// profileGroup is the attributes of a category; all of them, without categories.
type profileGroup struct {
	name    string
	entries []stats.ProfileEntry
}

func (p *profiled) list() {
	p.groups = make([]profileGroup, 1)
	for e := range p.result.Entries() {
		p.groups[0].entries = append(p.groups[0].entries, e)
	}
}

// group sorts the attributes by the first category that lists their question, in the catalogue's order, and cuts each
// to the limit. Those in none come last.
func (p *profiled) group() {
	of, last := map[int]int{}, len(p.frame.Categories)
	for i := range p.frame.Categories {
		for _, code := range p.frame.Categories[i].Questions {
			if q, err := p.frame.Question(code); err == nil && q >= 0 {
				if _, known := of[q]; !known {
					of[q] = i
				}
			}
		}
	}
	groups := make([]profileGroup, last+1)
	for i := range p.frame.Categories {
		groups[i].name = cmp.Or(p.frame.Categories[i].Name, p.frame.Categories[i].ID)
	}
	groups[last].name = "(in no category)"
	for e := range p.result.Entries() {
		at, known := of[p.frame.QuestionIn(e.Namespace, e.Question)]
		if !known {
			at = last
		}
		if g := &groups[at]; p.limit == 0 || len(g.entries) < p.limit {
			g.entries = append(g.entries, e)
		}
	}
	for _, g := range groups {
		if len(g.entries) > 0 {
			p.groups = append(p.groups, g)
		}
	}
}

// profileColumns are the figures of an attribute, before its name.
var profileColumns = []struct {
	name  string
	value func(*stats.ProfileEntry) string
}{
	{"index", func(e *stats.ProfileEntry) string { return grouped(e.Metrics.AudienceIndex, 1) }},
	{"interval", func(e *stats.ProfileEntry) string {
		if i := e.Statistics.AudienceIndex; i != nil {
			return grouped(i.Low, 1) + "–" + grouped(i.High, 1)
		}
		return unmeasured
	}},
	{"audience %", func(e *stats.ProfileEntry) string {
		return grouped(e.Metrics.AudiencePercentage, 1) + crosstab.BaseMark(e.Statistics.AudiencePercentage)
	}},
	{"rest %", func(e *stats.ProfileEntry) string { return grouped(e.RestPercentage, 1) }},
	{"datapoint %", func(e *stats.ProfileEntry) string {
		return grouped(e.Metrics.DatapointPercentage, 1) + crosstab.BaseMark(e.Statistics.DatapointPercentage)
	}},
	{"sample", func(e *stats.ProfileEntry) string { return grouped(float64(e.Metrics.Positive.Sample), 0) }},
	{"p", func(e *stats.ProfileEntry) string {
		switch {
		case !e.Tested:
			return unmeasured
		case e.AdjustedP < 1e-300:
			return "< 1e-300 " + standsMark
		case e.Stands:
			return strconv.FormatFloat(e.AdjustedP, 'g', 2, 64) + " " + standsMark
		}
		return strconv.FormatFloat(e.AdjustedP, 'g', 2, 64) + "  "
	}},
}

// narrowestName is how narrow the name of an attribute is made at the least.
const narrowestName = 16

// standsMark is behind the p-value of an attribute that stands.
const standsMark = "✓"

// barred is how wide a terminal is at least that has room for bars.
const barred = 110

// text is the whole table, no wider than a terminal if names can be broken, with bars where it is wide enough.
func (p *profiled) text(width int, color bool) string {
	var b strings.Builder
	write := func(line string) {
		b.WriteString(strings.Join(wrap(line, max(width, narrowest)), "\n") + "\n")
	}
	write(p.caption())
	widths := make([]int, len(profileColumns))
	for i, c := range profileColumns {
		widths[i] = displayWidth(c.name)
		for _, g := range p.groups {
			for j := range g.entries {
				widths[i] = max(widths[i], displayWidth(c.value(&g.entries[j])))
			}
		}
	}
	before := 0
	for _, w := range widths {
		before += w + columnsGap
	}
	bars := width >= barred
	if bars {
		before += 2*halfBar + 1 + columnsGap
	}
	for _, g := range p.groups {
		b.WriteByte('\n')
		if p.categories {
			write(g.name)
		}
		line := ""
		for i, c := range profileColumns {
			line += right(c.name, widths[i]) + strings.Repeat(" ", columnsGap)
		}
		if bars {
			line += blanks(halfBar-1) + left("100", halfBar+2) + blanks(columnsGap)
		}
		rule := max(before+len("answer"), min(width, before+2*narrowestName))
		b.WriteString(line + "answer\n" + strings.Repeat("─", rule) + "\n")
		for j := range g.entries {
			p.line(&b, &g.entries[j], widths, max(width-before, narrowestName), bars, color)
		}
	}
	b.WriteByte('\n')
	notes := p.legend()
	if color {
		notes = append(notes, attributeHeatNote)
	}
	for _, line := range notes {
		write(line)
	}
	return b.String()
}

// line writes an attribute, whose name may take several lines.
func (p *profiled) line(b *strings.Builder, e *stats.ProfileEntry, widths []int, room int, bars, color bool) {
	text, indent := "", 0
	for i, c := range profileColumns {
		value := c.value(e)
		text += blanks(widths[i] - displayWidth(value))
		if color && i == 0 { // which is the index
			value = shaded(value, heatOfAttribute(e))
		}
		text += value + blanks(columnsGap)
		indent += widths[i] + columnsGap
	}
	if bars {
		text += bar(e.Metrics.AudienceIndex) + blanks(columnsGap)
		indent += 2*halfBar + 1 + columnsGap
	}
	for i, part := range wrap(p.answer(e), room) {
		if i > 0 {
			text = strings.Repeat(" ", indent)
		}
		b.WriteString(text + part + "\n")
	}
}

// answer is an attribute on one line.
func (p *profiled) answer(e *stats.ProfileEntry) string {
	question, datapoint, suffix := e.Named(p.frame)
	name := question + ": " + datapoint
	if suffix != "" {
		name += ": " + suffix
	}
	return plain(name)
}

// caption tells whom the profile is of, and what was looked at.
func (p *profiled) caption() string {
	r := p.result
	text := audience.Describe(p.query.Audience.Expr, p.frame)
	if x := p.query.Base.Expr; x != nil {
		text += "; base: " + audience.Describe(x, p.frame)
	}
	text += fmt.Sprintf(". Of %s attributes %s were tested, and %s stand", grouped(float64(r.Measured), 0),
		grouped(float64(r.Tested), 0), grouped(float64(r.Standing), 0))
	for _, left := range []struct {
		n   int
		why string
	}{
		{r.Unmeasured, "never asked where the audience was"}, {r.Incompatible, "of other respondents"},
	} {
		if left.n > 0 {
			text += fmt.Sprintf("; %s left out, as %s", grouped(float64(left.n), 0), left.why)
		}
	}
	return text + "."
}

// legend says what the columns and marks mean.
func (p *profiled) legend() []string {
	return []string{
		fmt.Sprintf("index: 100 is as in the base. interval: of the index, at %s. audience %%, rest %%: how many of the "+
			"audience, and of the rest of the base, are positive. datapoint %%: how many of those positive are in the "+
			"audience. sample: respondents in the audience who are positive.", percent(cmp.Or(p.query.Level, usualLevel))),
		fmt.Sprintf("p: of a likelihood ratio test of the audience against the rest of the base, at effective samples "+
			"(Kish), corrected for all attributes that were tested (Benjamini–Hochberg). %s it stands: of those that do, "+
			"%s may be expected to do so by chance. %s not tested: fewer than %s respondents in the audience or in the "+
			"rest, or nobody or everybody is positive.", standsMark, percent(p.query.FalseDiscovery), unmeasured,
			grouped(float64(p.query.MinSample), 0)),
		crosstab.BaseRule(p.query.LowBase),
	}
}

// csv writes a line an attribute, after its category with --by category.
func (p *profiled) csv(out io.Writer) error {
	w := csv.NewWriter(out)
	header := stats.ProfileHeader()
	if p.categories {
		header = append([]string{"category"}, header...)
	}
	w.Write(header)
	for _, g := range p.groups {
		for i := range g.entries {
			var fields []string
			if p.categories {
				fields = []string{g.name}
			}
			w.Write(append(fields, g.entries[i].Fields(p.frame)...))
		}
	}
	w.Flush()
	return w.Error()
}

// writeProfileJSON asks the server's endpoint, of the stores in config, so that its answer is what comes out.
func writeProfileJSON(ctx context.Context, config httpapi.Config, q stats.ProfileQuery, m Main) error {
	wrapper := func(a audience.Audience) map[string]json.RawMessage {
		return map[string]json.RawMessage{"expression": audience.Print(a.Expr)}
	}
	request := map[string]any{"audience": wrapper(q.Audience), "questions": q.Questions, "waves": q.Waves,
		"locations": q.Locations, "min_sample": q.MinSample, "false_discovery": q.FalseDiscovery, "order_by": q.OrderBy,
		"direction": q.Direction, "statistics": map[string]any{"level": q.Level}}
	if q.Base.Expr != nil {
		request["base_audience"] = wrapper(q.Base)
	}
	if q.Limit > 0 {
		request["limit"] = q.Limit
	}
	return asServer(ctx, config, "/v2/query/profile", request, m.Stderr, m.Stdout)
}
