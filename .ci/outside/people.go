package main

import (
	"context"
	"iter"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// person is a respondent as this program knows them.
type person struct {
	wave, location int
	weight         int64           // in the questionnaire core, in tenths of people
	shop           int64           // in that of the shop, in people; 0: not in its panel
	positive       map[string]bool // "tea:yes"
}

var (
	waves     = []string{"w1", "w2", "w3"}
	locations = []string{"north", "south", "east"}
)

// fielded tells whether there is fieldwork: the east joins in the second wave.
func fielded(wave, location int) bool { return wave > 0 || location < 2 }

// people makes 1,000 respondents: 125 for each place and wave.
func people() []person {
	var all []person
	for w := range waves {
		for l := range locations {
			for k := range 125 {
				if fielded(w, l) {
					all = append(all, somebody(w, l, k))
				}
			}
		}
	}
	return all
}

// somebody is respondent k of a place and wave.
func somebody(w, l, k int) person {
	p := person{wave: w, location: l, weight: 15 + 5*int64(l), positive: map[string]bool{
		"tea:yes": k%5 < 2,
		"tea:no":  k%5 >= 2,
		"brand:a": k%2 == 0,
		"brand:b": k%5 == 1 || k%5 == 2,
		"brand:c": l == 0 && (k%25 == 0 || k%25 == 2),
	}}
	if w > 0 && k < 100 {
		p.shop = 10
		p.positive["visit:often"], p.positive["visit:seldom"] = k%4 == 0, k%4 == 1
	}
	return p
}

// panel is people as a survey file that has been opened: a survey.Source.
type panel struct{ people []person }

// description is the survey, to the importer as to our own store.
func description() *audience.Survey {
	point := func(code, name string) audience.Datapoint { return audience.Datapoint{Code: code, Name: name} }
	return &audience.Survey{
		Name:       "Drinks",
		Namespaces: []audience.Namespace{{Code: "core"}, {Code: "shop", Base: "core"}},
		Waves:      []audience.Wave{{Code: "w1"}, {Code: "w2"}, {Code: "w3"}},
		Locations:  []audience.Location{{Code: "north"}, {Code: "south"}, {Code: "east"}},
		Questions: []audience.Question{
			{Namespace: "core", Code: "tea", Kind: audience.Single,
				Datapoints: []audience.Datapoint{point("yes", "Drinks tea"), point("no", "Drinks none")}},
			{Namespace: "core", Code: "brand", Kind: audience.Multi, Separate: true,
				Datapoints: []audience.Datapoint{point("a", "Brand A"), point("b", "Brand B"), point("c", "Brand C")}},
			{Namespace: "shop", Code: "visit", Kind: audience.Single,
				Datapoints: []audience.Datapoint{point("often", "Visits often"), point("seldom", "Visits seldom")}},
		},
	}
}

func (panel) Describe(context.Context) (*audience.Survey, error) { return description(), nil }

func (p panel) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		s := description()
		layout := survey.NewLayout(s)
		row := int64(0)
		for lot := range slices.Chunk(p.people, 300) {
			if err := ctx.Err(); err != nil {
				yield(nil, err)
				return
			}
			batch := &survey.Batch{Total: int64(len(p.people))}
			for i := range lot {
				row++
				r, err := lot[i].respondent(s, layout)
				if err != nil {
					yield(nil, err)
					return
				}
				r.Row, r.ID = row, decimal.FromInt(row).String()
				batch.Respondents = append(batch.Respondents, r)
			}
			batch.Done = row
			if !yield(batch, nil) {
				return
			}
		}
	}
}

// respondent is p in the numbers of a survey.
func (p *person) respondent(s *audience.Survey, layout *survey.Layout) (survey.Respondent, error) {
	weight, err := decimal.FromFloat(float64(p.weight) / 10)
	r := survey.Respondent{Wave: p.wave, Location: p.location,
		Weights:  []decimal.Decimal{weight, decimal.FromInt(p.shop)},
		Answered: make([]uint64, (layout.Items()+63)/64)}
	for q := range s.Questions {
		for d, point := range s.Questions[q].Datapoints {
			key := s.Questions[q].Code + ":" + point.Code
			if p.positive[key] {
				r.Attributes = append(r.Attributes, layout.Attribute(q, d, 0))
			}
			if asked(key, p.wave, p.location) {
				item := layout.Item(q, d)
				r.Answered[item/64] |= 1 << (item % 64)
			}
		}
	}
	return r, err
}

// asked tells where a datapoint was asked: the brand c in the north alone, the shop's questions from the second wave
// on.
func asked(key string, wave, location int) bool {
	switch key {
	case "brand:c":
		return location == 0
	case "visit:often", "visit:seldom":
		return wave > 0
	}
	return fielded(wave, location)
}
