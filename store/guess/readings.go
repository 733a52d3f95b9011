package guess

import (
	"fmt"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Readings tells how a codebook reads the columns of a file, in their order. Values and reasons are not part of it.
func Readings(c *survey.Codebook, columns []Column) []Reading {
	var names []string
	for _, column := range columns {
		names = append(names, column.Name)
	}
	if whole, err := c.Expand(names, nil); err == nil {
		c = whole
	}
	as := map[string]Reading{c.Respondent: {As: "respondent"}, c.Wave.Column: {As: "wave"},
		c.Location.Column: {As: "location"}}
	for i, w := range c.Weights {
		as[w.Column] = Reading{As: "weight", Of: c.Survey.Namespaces[i].Code}
	}
	for i := range c.Questions {
		q, places := &c.Survey.Questions[i], &c.Questions[i]
		r := Reading{As: q.Kind, Of: q.Code, Values: fmt.Sprintf("%d datapoints", len(q.Datapoints))}
		if places.Column != "" {
			as[places.Column] = r
		}
		for _, name := range places.Mentions {
			as[name] = r
		}
		for j, d := range places.Datapoints {
			if d.Column == "" {
				continue
			}
			r := Reading{As: q.Kind, Of: q.Code, Values: q.Datapoints[j].Name}
			if q.Kind == audience.Grid {
				r.Values = fmt.Sprintf("%s; %d suffixes", r.Values, len(q.Suffixes))
			}
			as[d.Column] = r
		}
	}
	var list []Reading
	for _, column := range columns {
		r, used := as[column.Name]
		if !used && column.Virtual {
			continue
		}
		if !used || column.Name == "" {
			r = Reading{As: NotUsed}
		}
		r.Column, r.Label = column.Name, column.Label
		list = append(list, r)
	}
	return list
}
