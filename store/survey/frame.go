package survey

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// change forms what is to be published: facts, frame and survey.
func (im *importer) change() (*Change, error) {
	frame, err := emptyFrame(im.survey)
	if err != nil {
		return nil, err
	}
	facts, at := im.facts(frame)
	for i := range frame.Namespaces {
		if err := im.unit(frame, i, facts); err != nil {
			return nil, err
		}
	}
	im.coverage(frame, at)
	if im.file != nil && len(im.kept) > 0 {
		settleAsked(im.survey, im.base.Survey, im.file, frame)
	}
	im.finish(frame, facts, at)
	return &Change{Survey: im.survey, Frame: frame, Facts: facts, Drop: im.drop}, nil
}

// facts gives those of all fieldwork in the frame's order, and for each fieldwork of the frame that the file brings,
// its number in the file.
func (im *importer) facts(frame *audience.Frame) ([]Facts, map[int]int) {
	type placed struct {
		at    int
		facts Facts
	}
	var all []placed
	for _, f := range im.kept {
		all = append(all, placed{frame.At(frame.Wave(f.Wave), frame.Location(f.Location)), f})
	}
	from := map[int]int{}
	if im.file != nil {
		for i, f := range im.tally.fieldwork {
			if f == nil {
				continue
			}
			w, l := i/len(im.file.Locations), i%len(im.file.Locations)
			facts := im.tally.facts(f, im.file.Waves[w].Code, im.file.Locations[l].Code)
			namespaces := make([]NSFacts, len(im.survey.Namespaces))
			for k, n := range facts.Namespaces {
				namespaces[im.remap.namespaces[k]] = n
			}
			facts.Namespaces = namespaces
			at := frame.At(im.remap.waves[w], im.remap.locations[l])
			from[at] = i
			all = append(all, placed{at, facts})
		}
	}
	slices.SortFunc(all, func(a, b placed) int { return a.at - b.at })
	var facts []Facts
	for _, p := range all {
		facts = append(facts, p.facts)
	}
	return facts, from
}

// unit finds the unit of a namespace's weights, and where it was fielded. No weight above 0 may be 0 in it.
func (im *importer) unit(frame *audience.Frame, namespace int, facts []Facts) error {
	n := &frame.Namespaces[namespace]
	n.Fielded = audience.NewCover(frame.Size())
	var largest decimal.Decimal
	total, decimals := &decimal.Sum{}, 0
	for _, f := range facts {
		w := f.Namespaces[namespace]
		if w.Sample == 0 {
			continue
		}
		n.Fielded.Set(frame.At(frame.Wave(f.Wave), frame.Location(f.Location)))
		most, err := decimal.Parse(w.Largest, true)
		if err != nil {
			return damaged(f, err)
		}
		sum, err := decimal.ParseSum(w.Total)
		if err != nil {
			return damaged(f, err)
		}
		if most.Cmp(largest) > 0 {
			largest = most
		}
		total.AddSum(sum)
		decimals = max(decimals, w.Decimals)
	}
	n.Decimals = decimal.Unit(decimals, largest, total)
	why := func(weight decimal.Decimal) string {
		return fmt.Sprintf("the weight %s of namespace %q would count as 0, because the largest weight is %s and "+
			"the sum of all is %s, for which the unit is 10^%d",
			weight, n.Code, largest, total, -n.Decimals)
	}
	if im.file != nil {
		if at := slices.Index(im.remap.namespaces, namespace); at >= 0 {
			if w := im.tally.weights[at]; !w.smallest.IsZero() && vanishes(w.smallest, n.Decimals) {
				return &Error{Row: w.row, Reason: why(w.smallest)}
			}
		}
	}
	for _, f := range im.kept {
		if f.Namespaces[namespace].Sample == 0 {
			continue
		}
		smallest, err := decimal.Parse(f.Namespaces[namespace].Smallest, true)
		if err != nil {
			return damaged(f, err)
		}
		if vanishes(smallest, n.Decimals) {
			return &Error{Reason: fmt.Sprintf("in wave %q and location %q, which are stored, %s; weights must be on "+
				"one scale", f.Wave, f.Location, why(smallest))}
		}
	}
	return nil
}

// vanishes tells whether a weight is 0 in units of 10^-k.
func vanishes(weight decimal.Decimal, k int) bool {
	n, fits := weight.Scaled(k)
	return fits && n == 0
}

func damaged(f Facts, err error) error {
	return fmt.Errorf("what is stored of wave %q in location %q is damaged: %w", f.Wave, f.Location, err)
}

// coverage writes into the frame where each datapoint was asked: in fieldwork that stays as it was, in fieldwork of the
// file as declared, or where there is a value. from gives the number in the file of fieldwork of the frame.
func (im *importer) coverage(frame *audience.Frame, from map[int]int) {
	type name struct{ question, datapoint string }
	stored, asked := map[name]audience.Cover{}, map[name][2]int{}
	if len(im.kept) > 0 {
		for _, q := range im.base.Frame.Questions {
			for _, d := range q.Datapoints {
				stored[name{q.Key(), d.Code}] = d.Asked
			}
		}
	}
	if im.file != nil {
		for i, q := range im.file.Questions {
			for j, d := range q.Datapoints {
				asked[name{questionKey(&q), d.Code}] = [2]int{i, j}
			}
		}
	}
	// Fieldwork that stays, by its place in the new frame and in the old.
	places := map[int]int{}
	for _, f := range im.kept {
		old := im.base.Frame
		places[frame.At(frame.Wave(f.Wave), frame.Location(f.Location))] = old.At(old.Wave(f.Wave), old.Location(f.Location))
	}
	for i := range frame.Questions {
		q := &frame.Questions[i]
		for j := range q.Datapoints {
			d := &q.Datapoints[j]
			d.Asked = audience.NewCover(frame.Size())
			if c, there := stored[name{q.Key(), d.Code}]; there {
				for to, at := range places {
					if c.Has(at) {
						d.Asked.Set(to)
					}
				}
			}
			if here, there := asked[name{q.Key(), d.Code}]; there {
				for to, at := range from {
					if im.covered(here[0], here[1], at) {
						d.Asked.Set(to)
					}
				}
			}
		}
	}
}

// covered tells whether a datapoint was asked in a fieldwork of the file.
func (im *importer) covered(question, datapoint, fieldwork int) bool {
	if c := im.asked.covers[question][datapoint]; c != nil {
		return c.Has(fieldwork)
	}
	item := im.layout.Item(question, datapoint)
	return im.tally.fieldwork[fieldwork].covered[item>>6]>>(item&63)&1 != 0
}
