package main

import (
	"context"
	"iter"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/demo"
	"github.com/crosswave/crosswave/store/survey"
)

// halved is the demo survey with 20 locations that all have fieldwork in its 8 waves: a market that has is halved, and
// respondents of one that has not are shared out to another's halves. The question that segments are made of has ten
// options: those of its first two are halved too.
type halved struct{ survey.Source }

const (
	splitter      = "employment"
	halvedOptions = 2
)

func newSource(respondents int) halved {
	return halved{demo.New(demo.Config{Respondents: respondents})}
}

func (s halved) Describe(ctx context.Context) (*audience.Survey, error) {
	d, err := s.Source.Describe(ctx)
	if err != nil {
		return nil, err
	}
	whole, to := halves(d.Locations)
	index := map[string]int{}
	for i, l := range d.Locations {
		index[l.Code] = i
	}
	d.Locations = nil
	for _, l := range whole {
		for _, half := range []string{"a", "b"} {
			m := l
			m.ID, m.Code, m.Name = l.ID+half, l.Code+half, l.Name+" "+half
			d.Locations = append(d.Locations, m)
		}
	}
	moved := func(declared audience.Asked) audience.Asked {
		if declared == nil {
			return nil
		}
		out := audience.Asked{}
		for _, f := range declared {
			if f.Location == "" {
				out = append(out, f)
				continue
			}
			for half := range 2 {
				g := audience.Fieldwork{Wave: f.Wave, Location: d.Locations[to[index[f.Location]]+half].Code}
				if !slices.Contains(out, g) {
					out = append(out, g)
				}
			}
		}
		return out
	}
	for i := range d.Questions {
		q := &d.Questions[i]
		if q.Code == splitter {
			q.Datapoints = slices.Clip(q.Datapoints)
			for _, p := range q.Datapoints[:halvedOptions] {
				p.Code, p.Name = p.Code+"b", p.Name+" b"
				q.Datapoints = append(q.Datapoints, p)
			}
		}
		q.Asked = moved(q.Asked)
		for p := range q.Datapoints {
			q.Datapoints[p].Asked = moved(q.Datapoints[p].Asked)
		}
	}
	return d, nil
}

func (s halved) Respondents(ctx context.Context) iter.Seq2[*survey.Batch, error] {
	return func(yield func(*survey.Batch, error) bool) {
		d, err := s.Source.Describe(ctx)
		if err != nil {
			yield(nil, err)
			return
		}
		_, to := halves(d.Locations)
		split := slices.IndexFunc(d.Questions, func(q audience.Question) bool { return q.Code == splitter })
		first, options := survey.NewLayout(d).Attribute(split, 0, 0), len(d.Questions[split].Datapoints)
		for b, err := range s.Source.Respondents(ctx) {
			if err == nil {
				for i := range b.Respondents {
					r := &b.Respondents[i]
					r.Location = to[r.Location] + int(r.Row%2)
					halveOptions(r.Attributes, first, options, r.Row%4 > 1)
				}
			}
			if !yield(b, err) {
				return
			}
		}
	}
}

// halveOptions renumbers the attributes of a respondent of one half or the other, as the question from an attribute on
// has more options than those it had.
func halveOptions(attributes []int32, first int32, options int, other bool) {
	for i, a := range attributes {
		switch at := int(a - first); {
		case at >= options:
			attributes[i] += halvedOptions
		case at >= 0 && at < halvedOptions && other:
			attributes[i] += int32(options)
		}
	}
}

// halves are the locations that have fieldwork in every wave, and for each location where its two halves begin.
func halves(all []audience.Location) (whole []audience.Location, to []int) {
	ragged := 0
	for _, l := range all {
		if slices.Contains([]string{"s2_27", "s2_46", "s2_48", "s2_52"}, l.Code) {
			to = append(to, 2*ragged)
			ragged++
			continue
		}
		to = append(to, 2*len(whole))
		whole = append(whole, l)
	}
	return whole, to
}
