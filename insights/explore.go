package insights

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/strictjson"
)

// Saved returns a saved audience with its title, description and expression; audience.ErrNotFound for what the reader
// may not read.
type Saved func(ctx context.Context, id string) (OriginAudience, error)

// View is a generic insight with all it speaks of looked up and counted.
type View struct {
	Insight              ViewInsight           `json:"insight"`
	Attributes           []Attribute           `json:"attributes"`
	Audiences            []Audience            `json:"audiences"`
	QuestionCalculations []QuestionCalculation `json:"question_calculations"`
	LocationGroups       []LocationGroup       `json:"location_groups"`
	TimeframeGroups      []TimeframeGroup      `json:"timeframe_groups"`
	Datasets             []Dataset             `json:"datasets"`
}

// ViewInsight is the stored part.
type ViewInsight struct {
	ID      string      `json:"id"`
	Text    string      `json:"text"`
	Metrics []string    `json:"metrics"`
	Origins ViewOrigins `json:"origins"`
}

// ViewOrigins is Origins as readers see them.
type ViewOrigins struct {
	Attributes []OriginAttribute `json:"attributes"`
	Audiences  []Audience        `json:"audiences"`
	Locations  []string          `json:"locations"`
	Waves      []string          `json:"waves"`
	Datasets   []string          `json:"datasets"`
}

// Attribute is an attribute with its names.
type Attribute struct {
	Key                 AttributeKey `json:"attribute_key"`
	QuestionDescription string       `json:"question_description"`
	QuestionName        string       `json:"question_name"`
	DatapointName       string       `json:"datapoint_name"`
	SuffixName          string       `json:"suffix_name"`
	GeneratedText       string       `json:"generated_text"`
}

// Audience is an origin audience as readers see it.
type Audience struct {
	ID          string `json:"id"`
	Title       string `json:"title"`
	Description string `json:"description"`
}

// QuestionCalculation holds the figures of the attributes of one question and suffix.
type QuestionCalculation struct {
	Question CalculatedQuestion `json:"question"`
	Suffixes string             `json:"suffixes"` // suffix code, "" if none
	// the insight's metrics, then the rest of percentage, index, sample, size
	MetricPriority []string      `json:"metric_priority"`
	Calculations   []Calculation `json:"calculations"`
}

// CalculatedQuestion names the question.
type CalculatedQuestion struct {
	Description string `json:"question_description"`
	Name        string `json:"question_name"`
}

// Calculation is an attribute measured in an audience. A Sample of 0 with a Percentage of 0 may mean that they were
// never asked together.
type Calculation struct {
	Key        AttributeKey `json:"attribute_key"`
	Attribute  Attribute    `json:"attribute"`
	AudienceID string       `json:"audience_id"` // "": everyone
	Audience   Audience     `json:"audience"`
	Percentage float64      `json:"percentage"` // of the audience, 0–100
	Index      float64      `json:"index"`
	Sample     int64        `json:"sample"` // respondents in the audience with the attribute
	Size       int64        `json:"size"`   // people, rounded half away from zero
	// Withheld tells that they were measured, but tell of fewer respondents than the reader may be told of: the figures
	// are 0. See audience.Grant.
	Withheld bool `json:"withheld,omitempty"`
}

// LocationGroup is the origin locations of one region.
type LocationGroup struct {
	Group   string          `json:"group"`
	Details LocationDetails `json:"details"`
}

// LocationDetails lists the locations of a group.
type LocationDetails struct {
	Description string `json:"description"`
	Locations   []Code `json:"locations"`
}

// TimeframeGroup is the origin waves that begin in one calendar year.
type TimeframeGroup struct {
	Group   string           `json:"group"`
	Details TimeframeDetails `json:"details"`
}

// TimeframeDetails lists the waves of a group.
type TimeframeDetails struct {
	Description string `json:"description"`
	Timeframes  []Code `json:"timeframes"`
}

// Code is a code with its name.
type Code struct {
	Code string `json:"code"`
	Name string `json:"name"`
}

// Dataset is a dataset as the view names it.
type Dataset struct {
	Title       string `json:"title"`
	Description string `json:"description"`
	URL         string `json:"url"`
}

// Explore reads a generic insight and counts its figures: for each origin attribute × origin audience, or everyone if
// it has none, over the origin locations and waves, or all there are. An insight of which the reader may not see
// everything, or which the survey no longer bears out, is audience.ErrNotFound.
//
// counts is the survey as the reader may use it, and saved finds the reader's saved audiences.
func Explore(ctx context.Context, st Store, counts audience.Store, saved Saved, id string) (*View, error) {
	g, err := st.Generic(ctx, id)
	if err != nil {
		return nil, err
	}
	v := &viewer{generic: g}
	if v.audiences, err = g.audiences(ctx, saved); err != nil {
		return nil, seen(id, err)
	}
	tabs, err := audience.Tabulate(ctx, counts, func(f *audience.Frame) ([]audience.Spec, error) {
		spec, err := g.spec(f, v.audiences)
		return []audience.Spec{spec}, err
	})
	if err != nil {
		return nil, seen(id, err)
	}
	v.tab = tabs[0]
	return v.view(), nil
}

// seen is an error as the reader of an insight may see it: what of it is not there, or not for them, is not told.
func seen(id string, err error) error {
	var (
		unavailable *audience.UnavailableError
		invalid     *audience.InvalidError
		namespaces  *audience.IncompatibleError
	)
	if errors.As(err, &unavailable) || errors.As(err, &invalid) || errors.As(err, &namespaces) ||
		errors.Is(err, audience.ErrNotFound) {
		return fmt.Errorf("generic insight %s: %w", id, audience.ErrNotFound)
	}
	return err
}

// audiences looks the origin audiences up.
func (g *Generic) audiences(ctx context.Context, saved Saved) ([]OriginAudience, error) {
	var as []OriginAudience
	for _, a := range g.Origins.Audiences {
		if a.Expression == nil {
			s, err := saved(ctx, a.ID)
			if err != nil {
				return nil, err
			}
			a.Expression, a.Title, a.Description = s.Expression, cmp.Or(a.Title, s.Title), cmp.Or(a.Description, s.Description)
		}
		as = append(as, a)
	}
	return as, nil
}

// leaf is the attribute as an expression.
func (k AttributeKey) leaf() audience.Answers {
	x := audience.Answers{Question: k.QuestionCode, Datapoints: []string{k.DatapointCode}}
	if k.NamespaceCode != "" {
		x.Question = audience.Key(k.NamespaceCode, k.QuestionCode)
	}
	if n, ok := k.suffix(); ok {
		x.Suffixes = []int{n}
	}
	return x
}

// spec asks for the attributes as rows and the audiences as columns. Errors are those of Frame.Check and Spec.Check.
func (g *Generic) spec(f *audience.Frame, as []OriginAudience) (audience.Spec, error) {
	spec := audience.Spec{Waves: g.Origins.Waves, Locations: g.Origins.Locations}
	var uses []audience.Use
	for i, a := range g.Origins.Attributes {
		leaf := a.Key.leaf()
		leaf.Path = fmt.Sprintf("origins.attributes[%d]", i)
		uses = append(uses, audience.Use{Origin: leaf.Path, Expr: leaf})
		spec.Rows = append(spec.Rows, leaf)
	}
	for i, a := range as {
		if a.Expression == nil { // a saved audience that Check did not look up
			continue
		}
		uses = append(uses, audience.Use{Origin: fmt.Sprintf("origins.audiences[%d]", i), Expr: a.Expression})
		spec.Columns = append(spec.Columns, a.Expression)
	}
	waves, locations := g.Origins.fieldwork(f)
	if err := f.Check(waves, locations, uses...); err != nil {
		return spec, err
	}
	return spec, spec.Check(f)
}

// fieldwork is the codes of the waves and locations that an insight speaks of: all there are, where it names none.
func (o *Origins) fieldwork(f *audience.Frame) (waves, locations []string) {
	waves, locations = o.Waves, o.Locations
	if len(waves) == 0 {
		for _, w := range f.Waves {
			waves = append(waves, w.Code)
		}
	}
	if len(locations) == 0 {
		for _, l := range f.Locations {
			locations = append(locations, l.Code)
		}
	}
	return waves, locations
}

// viewer makes a View.
type viewer struct {
	generic   Generic
	audiences []OriginAudience
	tab       *audience.Crosstab
}

func (v *viewer) view() *View {
	g, o := v.generic, v.generic.Origins
	out := &View{Attributes: []Attribute{}, Audiences: []Audience{}, QuestionCalculations: []QuestionCalculation{},
		LocationGroups: v.locations(), TimeframeGroups: v.timeframes(), Datasets: v.datasets()}
	origins := ViewOrigins{Attributes: []OriginAttribute{}, Locations: strictjson.List(o.Locations),
		Waves: strictjson.List(o.Waves), Datasets: strictjson.List(o.Datasets)}
	for i, a := range o.Attributes {
		named := v.attribute(a)
		out.Attributes = append(out.Attributes, named)
		origins.Attributes = append(origins.Attributes, OriginAttribute{Key: named.Key, GeneratedText: named.GeneratedText})
		out.QuestionCalculations = v.calculate(out.QuestionCalculations, i, named)
	}
	for _, a := range v.audiences {
		out.Audiences = append(out.Audiences, v.audience(a))
	}
	origins.Audiences = out.Audiences
	out.Insight = ViewInsight{ID: g.ID, Text: g.Text, Metrics: strictjson.List(g.Metrics), Origins: origins}
	return out
}

func (v *viewer) audience(a OriginAudience) Audience {
	return Audience{ID: a.ID, Title: a.Title, Description: cmp.Or(a.Description, audience.Describe(a.Expression,
		v.tab.Frame))}
}

// attribute looks the names of an attribute up. Its key names the namespace, whichever way the file did.
func (v *viewer) attribute(a OriginAttribute) Attribute {
	leaf := a.Key.leaf()
	out := Attribute{Key: a.Key, GeneratedText: cmp.Or(a.GeneratedText, audience.Describe(leaf, v.tab.Frame))}
	i, err := v.tab.Frame.Question(leaf.Question)
	if err != nil || i < 0 {
		return out
	}
	q := &v.tab.Frame.Questions[i]
	out.Key.NamespaceCode, out.Key.QuestionCode = q.Namespace, q.Code
	out.QuestionName, out.QuestionDescription = q.Name, q.Description
	if d := q.Datapoint(a.Key.DatapointCode); d >= 0 {
		out.DatapointName = q.Datapoints[d].Name
	}
	if n, ok := a.Key.suffix(); ok && q.Suffix(n) >= 0 {
		out.SuffixName = q.Suffixes[q.Suffix(n)].Name
	}
	return out
}

// calculate adds the figures of origin attribute i to those of its question and suffix.
func (v *viewer) calculate(groups []QuestionCalculation, i int, a Attribute) []QuestionCalculation {
	at := slices.IndexFunc(groups, func(g QuestionCalculation) bool {
		k := g.Calculations[0].Key
		return k.NamespaceCode == a.Key.NamespaceCode && k.QuestionCode == a.Key.QuestionCode &&
			k.SuffixCode == a.Key.SuffixCode
	})
	if at < 0 {
		at = len(groups)
		groups = append(groups, QuestionCalculation{Question: CalculatedQuestion{Description: a.QuestionDescription,
			Name: a.QuestionName},
			Suffixes: a.Key.SuffixCode, MetricPriority: v.priority()})
	}
	if len(v.audiences) == 0 {
		groups[at].Calculations = append(groups[at].Calculations, calculation(a, Audience{}, v.tab.Cell(i+1, 0)))
	}
	for j, who := range v.audiences {
		groups[at].Calculations = append(groups[at].Calculations, calculation(a, v.audience(who), v.tab.Cell(i+1, j+1)))
	}
	return groups
}

// calculation forms the figures as statistics do: the attribute is the datapoint, the column the audience.
func calculation(a Attribute, who Audience, c audience.Cell) Calculation {
	return Calculation{Key: a.Key, Attribute: a, AudienceID: who.ID, Audience: who,
		Percentage: c.Both.Percentage(c.Column),
		Index:      audience.Index(c.Both, c.Base, c.Column, c.Row),
		Sample:     c.Both.Sample,
		Size:       int64(math.Round(c.Both.Size)),
		Withheld:   c.Withheld}
}

// priority is the insight's metrics, then the others.
func (v *viewer) priority() []string {
	out := slices.Clone(v.generic.Metrics)
	for _, m := range metrics {
		if !slices.Contains(out, m) {
			out = append(out, m)
		}
	}
	return out
}

// locations groups the origin locations, or all there are, by region, in the survey's order; those without a
// region have the group "".
func (v *viewer) locations() []LocationGroup {
	var regions grouping
	for _, l := range v.tab.Frame.Locations {
		if picks(v.generic.Origins.Locations, l.Code) {
			regions.add(l.Region.Code, cmp.Or(l.Region.Name, l.Region.Code), Code{l.Code, l.Name})
		}
	}
	out := []LocationGroup{}
	for _, g := range regions {
		out = append(out, LocationGroup{Group: g.name, Details: LocationDetails{names(g.codes), g.codes}})
	}
	return out
}

// timeframes groups the origin waves, or all there are, by the year in which they begin, oldest first; those
// without dates have the group "".
func (v *viewer) timeframes() []TimeframeGroup {
	var years grouping
	for _, w := range v.tab.Frame.Waves {
		if picks(v.generic.Origins.Waves, w.Code) {
			year, _, _ := strings.Cut(w.Start, "-")
			years.add(year, year, Code{w.Code, w.Name})
		}
	}
	out := []TimeframeGroup{}
	for _, g := range years {
		out = append(out, TimeframeGroup{Group: g.name, Details: TimeframeDetails{names(g.codes), g.codes}})
	}
	return out
}

// group is codes under one heading.
type group struct {
	key, name string
	codes     []Code
}

// grouping is groups in the order in which they came.
type grouping []group

// add puts a code into the group with that key; the first to come names it.
func (g *grouping) add(key, name string, c Code) {
	i := slices.IndexFunc(*g, func(one group) bool { return one.key == key })
	if i < 0 {
		i = len(*g)
		*g = append(*g, group{key: key, name: name})
	}
	(*g)[i].codes = append((*g)[i].codes, c)
}

func (v *viewer) datasets() []Dataset {
	out := []Dataset{}
	for _, code := range v.generic.Origins.Datasets {
		for _, d := range v.tab.Frame.Datasets {
			if d.Code == code {
				out = append(out, Dataset{Title: d.Name, Description: d.Description, URL: d.URL})
			}
		}
	}
	return out
}

func names(codes []Code) string {
	var out []string
	for _, c := range codes {
		out = append(out, cmp.Or(c.Name, c.Code))
	}
	return strings.Join(out, ", ")
}

func picks(asked []string, code string) bool { return len(asked) == 0 || slices.Contains(asked, code) }
