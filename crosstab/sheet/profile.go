package sheet

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/audience/estimate"
	"github.com/crosswave/crosswave/crosstab"
	"github.com/crosswave/crosswave/stats"
)

// profileBanner is how many rows stand above the attributes of a profile: title, base, the way back, the header.
const profileBanner = 4

// AddProfile writes a profile on a sheet of its own, an attribute a row, as they were ranked. An empty title is
// "Profile".
func (b *Book) AddProfile(ctx context.Context, title string, q stats.ProfileQuery, result *stats.ProfileResult) error {
	title = cmp.Or(title, "Profile")
	name := b.names.take(title)
	p, err := b.newPage(name)
	if err != nil {
		return err
	}
	defer p.drop()
	f := result.Frame()
	base := "everyone"
	if q.Base.Expr != nil {
		base = nameOf(f, q.Base)
	}
	columns := profileColumns()
	p.widths(34, 34)
	for i := range columns {
		p.try(func() error { return p.stream.SetColWidth(before+1+i, before+1+i, 13) })
	}
	p.freeze(profileBanner)
	p.titles("", profileBanner, profileBanner)
	p.row(p.text(title, style{bold: true, large: true}))
	p.row(p.text("What sets "+nameOf(f, q.Audience)+" apart from the rest of its base: "+base, style{}))
	p.row(p.text(contentsName, style{link: true}))
	p.link(1, contentsName)
	heading := style{bold: true, below: true, wrap: true, top: true, centre: true}
	header := []any{p.text("Question", heading), p.text("Answer", heading)}
	for _, c := range columns {
		header = append(header, p.text(c.name, heading))
	}
	p.high(2, header...)
	for e := range result.Entries() {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.row(p.attribute(f, &e, columns)...)
	}
	if p.at > profileBanner {
		p.shade([]string{fmt.Sprintf("C%d:C%d", profileBanner+1, p.at)})
	}
	notes := profileNotes(f, q, result)
	b.entries = append(b.entries, entry{sheet: name, title: title, base: base, size: strconv.Itoa(result.Len()),
		notes: append([]note{{"Base", base}}, notes...)})
	p.skip()
	for _, n := range notes {
		p.row(p.text(n.what+": "+n.text, style{faint: true}))
	}
	return p.end()
}

// profileColumn is a figure of attributes; a nil value is an empty cell.
type profileColumn struct {
	name  string
	value func(*stats.ProfileEntry) (value any, s style)
}

func profileColumns() []profileColumn {
	number := func(of func(*stats.ProfileEntry) float64, format string) func(*stats.ProfileEntry) (any, style) {
		return func(e *stats.ProfileEntry) (any, style) { return of(e), style{format: format} }
	}
	end := func(of func(*stats.ProfileEntry) *estimate.Interval, high bool) func(*stats.ProfileEntry) (any, style) {
		return func(e *stats.ProfileEntry) (any, style) {
			switch i := of(e); {
			case i == nil:
				return nil, style{}
			case high:
				return estimated(i.High), style{format: tenthsFormat, faint: true}
			default:
				return estimated(i.Low), style{format: tenthsFormat, faint: true}
			}
		}
	}
	index := func(e *stats.ProfileEntry) *estimate.Interval { return e.Statistics.AudienceIndex }
	tested := func(of func(*stats.ProfileEntry) float64) func(*stats.ProfileEntry) (any, style) {
		return func(e *stats.ProfileEntry) (any, style) {
			if !e.Tested {
				return nil, style{}
			}
			return estimated(of(e)), style{format: pFormat}
		}
	}
	return []profileColumn{
		{"index", number(func(e *stats.ProfileEntry) float64 { return e.Metrics.AudienceIndex }, tenthsFormat)},
		{"interval from", end(index, false)},
		{"interval to", end(index, true)},
		{"audience %", func(e *stats.ProfileEntry) (any, style) {
			return e.Metrics.AudiencePercentage,
				style{format: percentFormat(crosstab.BaseMark(e.Statistics.AudiencePercentage)), bold: true}
		}},
		{"rest %", number(func(e *stats.ProfileEntry) float64 { return e.RestPercentage }, percentFormat(""))},
		{"difference", number(func(e *stats.ProfileEntry) float64 { return estimated(e.Difference) }, tenthsFormat)},
		{"datapoint %", func(e *stats.ProfileEntry) (any, style) {
			return e.Metrics.DatapointPercentage,
				style{format: percentFormat(crosstab.BaseMark(e.Statistics.DatapointPercentage))}
		}},
		{"size", func(e *stats.ProfileEntry) (any, style) {
			return e.Metrics.Positive.Size, style{format: peopleFormat(e.Metrics.Positive.Size)}
		}},
		{"sample", func(e *stats.ProfileEntry) (any, style) {
			return e.Metrics.Positive.Sample, style{format: wholeFormat}
		}},
		{"audience sample", func(e *stats.ProfileEntry) (any, style) {
			return e.Metrics.Audience.Sample, style{format: wholeFormat}
		}},
		{"audience effective", number(func(e *stats.ProfileEntry) float64 {
			return estimated(e.Statistics.AudienceEffectiveSample)
		}, tenthsFormat)},
		{"p", tested(func(e *stats.ProfileEntry) float64 { return e.P })},
		{"adjusted p", tested(func(e *stats.ProfileEntry) float64 { return e.AdjustedP })},
		{"stands", func(e *stats.ProfileEntry) (any, style) {
			if !e.Stands {
				return nil, style{}
			}
			return "✓", style{centre: true}
		}},
	}
}

// attribute is the row of an attribute.
func (p *page) attribute(f *audience.Frame, e *stats.ProfileEntry, columns []profileColumn) []any {
	question, answer, suffix := e.Named(f)
	if suffix != "" {
		answer += ": " + suffix
	}
	row := []any{p.text(question, style{}), p.text(answer, style{})}
	for _, c := range columns {
		if e.Withheld {
			row = append(row, p.text(withheld, style{faint: true, right: true}))
			continue
		}
		value, s := c.value(e)
		if value == nil {
			row = append(row, nil)
			continue
		}
		row = append(row, p.cell(value, s))
	}
	return row
}

// profileNotes say what a profile is of and by which rules.
func profileNotes(f *audience.Frame, q stats.ProfileQuery, r *stats.ProfileResult) []note {
	waves, locations := "all that may be used", "all that may be used"
	if len(q.Waves) > 0 {
		waves = named(slices.Clone(q.Waves), func(code string) string { return f.Waves[f.Wave(code)].Name })
	}
	if len(q.Locations) > 0 {
		locations = named(slices.Clone(q.Locations), func(code string) string { return f.Locations[f.Location(code)].Name })
	}
	level := strconv.FormatFloat(cmp.Or(q.Level, 95), 'f', -1, 64)
	found := strconv.FormatFloat(cmp.Or(q.FalseDiscovery, stats.DefaultFalseDiscovery), 'f', -1, 64)
	notes := []note{{"Audience", audience.Describe(q.Audience.Expr, f)}, {"Waves", waves}, {"Locations", locations},
		{"Version of the survey", fmt.Sprint(f.Version)},
		{"Attributes", fmt.Sprintf("%d were measured, %d of them tested, of which %d stand; %d were never asked where "+
			"the audience was, %d are of other respondents", r.Measured, r.Tested, r.Standing, r.Unmeasured,
			r.Incompatible)},
		{"Figures", "index: 100 is as in the base; its colours go from 50 to 200. interval: of the index, at " + level +
			" %. audience %, rest %: how many of the audience, and of the rest of the base, are positive. datapoint %: " +
			"how many of those positive are in the audience. size, sample: people, and respondents, in the audience who " +
			"are positive."},
		{"Test", "p: of a likelihood ratio test of the audience against the rest of the base, at effective samples " +
			"(Kish); adjusted p: corrected for all attributes that were tested (Benjamini–Hochberg). ✓ it stands: of " +
			"those that do, " + found + " % may be expected to do so by chance."},
		{"Small bases", crosstab.BaseRule(q.LowBase)}}
	if f.Floor() > 0 {
		notes = append(notes, note{withheld, fmt.Sprintf("it tells of fewer than %d respondents", f.Floor())})
	}
	return notes
}
