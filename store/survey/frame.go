package survey

import (
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// change forms what is to be published: facts and frame.
func (im *importer) change() (*Change, error) {
	codes, err := audience.NewFrame(0, im.survey, audience.Coverage{}) // it knows the codes, and nothing of fieldwork
	if err != nil {
		return nil, err
	}
	facts, at := im.facts(codes)
	var c audience.Coverage
	for i := range codes.Namespaces {
		fielded, decimals, err := im.unit(codes, i, facts)
		if err != nil {
			return nil, err
		}
		c.Fielded, c.Decimals = append(c.Fielded, fielded), append(c.Decimals, decimals)
	}
	c.Asked = im.coverage(codes, at)
	if c.Numbers, err = numbers(codes, facts); err != nil {
		return nil, err
	}
	frame, err := audience.NewFrame(0, im.survey, c)
	if err != nil {
		return nil, err
	}
	if im.file != nil && len(im.kept) > 0 {
		settleAsked(im.base.Frame.Survey, im.file, frame)
	}
	im.finish(frame, facts, at)
	return &Change{Frame: frame, Facts: facts, Drop: im.drop}, nil
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
			facts.Noticed = im.noticed(f)
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
	var facts, brought []Facts
	for _, p := range all {
		facts = append(facts, p.facts)
		if _, new := from[p.at]; new {
			brought = append(brought, p.facts)
		}
	}
	im.noteSkipped(brought)
	return facts, from
}

// unit finds where a namespace was fielded, and the unit of its weights. No weight above 0 may be 0 in it.
func (im *importer) unit(frame *audience.Frame, namespace int, facts []Facts) (fielded audience.Cover, k int,
	err error) {
	fielded = audience.NewCover(frame.Size())
	var largest decimal.Decimal
	total, decimals := &decimal.Sum{}, 0
	for _, f := range facts {
		w := f.Namespaces[namespace]
		if w.Sample == 0 {
			continue
		}
		fielded.Set(frame.At(frame.Wave(f.Wave), frame.Location(f.Location)))
		most, err := decimal.Parse(w.Largest, true)
		if err != nil {
			return nil, 0, damaged(f, err)
		}
		sum, err := decimal.ParseSum(w.Total)
		if err != nil {
			return nil, 0, damaged(f, err)
		}
		if most.Cmp(largest) > 0 {
			largest = most
		}
		total.AddSum(sum)
		decimals = max(decimals, w.Decimals)
	}
	if k, err = decimal.Unit(decimals, largest, total); err != nil {
		return nil, 0, im.tooMany(frame.Namespaces[namespace].Code, namespace, total, err)
	}
	why := func(weight decimal.Decimal) string {
		return fmt.Sprintf("the weight %s of namespace %q would count as 0, because the largest weight is %s and "+
			"the sum of all is %s, for which the unit is 10^%d",
			weight, frame.Namespaces[namespace].Code, largest, total, -k)
	}
	if im.file != nil {
		if at := slices.Index(im.remap.namespaces, namespace); at >= 0 {
			if w := im.tally.weights[at]; !w.smallest.IsZero() && vanishes(w.smallest, k) {
				return nil, 0, &Error{Row: w.row, Reason: why(w.smallest)}
			}
		}
	}
	for _, f := range im.kept {
		if f.Namespaces[namespace].Sample == 0 {
			continue
		}
		smallest, err := decimal.Parse(f.Namespaces[namespace].Smallest, true)
		if err != nil {
			return nil, 0, damaged(f, err)
		}
		if vanishes(smallest, k) {
			return nil, 0, &Error{Reason: fmt.Sprintf("in wave %q and location %q, which are stored, %s; weights must be on "+
				"one scale", f.Wave, f.Location, why(smallest))}
		}
	}
	return fielded, k, nil
}

// tooMany is the error for weights that no unit counts: rows of the file were checked one by one, so it is their sum or
// what an earlier version of this program took in.
func (im *importer) tooMany(code string, namespace int, total *decimal.Sum, err error) error {
	if errors.Is(err, decimal.ErrLargest) {
		for _, f := range im.kept {
			if most, e := decimal.Parse(f.Namespaces[namespace].Largest, true); e == nil && decimal.TooLarge(most) {
				return &Error{Reason: fmt.Sprintf("in wave %q and location %q, which are stored, a weight of namespace %q is %s: "+
					"%v; withdraw or replace that wave", f.Wave, f.Location, code, most, err)}
			}
		}
	}
	return &Error{Reason: fmt.Sprintf("the weights of namespace %q add up to %s: %v; divide all of them by one number",
		code, total, err)}
}

// vanishes tells whether a weight is 0 in units of 10^-k.
func vanishes(weight decimal.Decimal, k int) bool {
	n, fits := weight.Scaled(k)
	return fits && n == 0
}

func damaged(f Facts, err error) error {
	return fmt.Errorf("what is stored of wave %q in location %q is damaged: %w", f.Wave, f.Location, err)
}

// coverage is where each datapoint was asked: in fieldwork that stays as it was, in fieldwork of the file as declared,
// or where there is a value. from gives the number in the file of fieldwork of the frame.
func (im *importer) coverage(frame *audience.Frame, from map[int]int) [][]audience.Cover {
	type place struct{ question, datapoint int }
	here := map[place]place{} // where the file has what the survey has
	if im.file != nil {
		for i := range im.file.Questions {
			q := &im.file.Questions[i]
			at := frame.QuestionIn(q.Namespace, q.Code)
			for j, d := range q.Datapoints {
				here[place{at, frame.Datapoint(at, d.Code)}] = place{i, j}
			}
		}
	}
	// Fieldwork that stays, by its place in the new frame and in the old.
	old, stays := im.base.Frame, map[int]int{}
	for _, f := range im.kept {
		stays[frame.At(frame.Wave(f.Wave), frame.Location(f.Location))] = old.At(old.Wave(f.Wave), old.Location(f.Location))
	}
	asked := make([][]audience.Cover, len(frame.Questions))
	for i := range frame.Questions {
		q := &frame.Questions[i]
		asked[i] = make([]audience.Cover, len(q.Datapoints))
		before := -1
		if len(stays) > 0 {
			before = old.QuestionIn(q.Namespace, q.Code)
		}
		for j, d := range q.Datapoints {
			c := audience.NewCover(frame.Size())
			if before >= 0 && old.Datapoint(before, d.Code) >= 0 {
				was := old.Asked(before, old.Datapoint(before, d.Code))
				for to, at := range stays {
					if was.Has(at) {
						c.Set(to)
					}
				}
			}
			if now, there := here[place{i, j}]; there {
				for to, at := range from {
					if im.covered(now.question, now.datapoint, at) {
						c.Set(to)
					}
				}
			}
			asked[i][j] = c
		}
	}
	return asked
}

// covered tells whether a datapoint was asked in a fieldwork of the file.
func (im *importer) covered(question, datapoint, fieldwork int) bool {
	if c := im.asked.covers[question][datapoint]; c != nil {
		return c.Has(fieldwork)
	}
	item := im.layout.Item(question, datapoint)
	return im.tally.fieldwork[fieldwork].covered[item>>6]>>(item&63)&1 != 0
}
