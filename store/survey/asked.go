package survey

import (
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// asked knows where the questions of a survey are declared to have been asked. Fieldwork is numbered wave × locations +
// location, by the survey's order.
type asked struct {
	survey    *audience.Survey
	layout    *Layout
	locations int
	covers    [][]audience.Cover // of question i, datapoint j; nil: not declared
	any       bool               // is anything declared?
	outside   []*outside         // by fieldwork, made when first needed
	questions []int32            // of each attribute
	asItem    []int32            // the question of each item
}

// outside is what was not asked in a fieldwork; nil members are empty.
type outside struct {
	attributes []uint64
	items      []uint64 // of which all attributes are outside
	none       bool     // nothing is outside
}

func newAsked(s *audience.Survey, layout *Layout) (*asked, error) {
	a := &asked{survey: s, layout: layout, locations: len(s.Locations), outside: make([]*outside,
		len(s.Waves)*len(s.Locations))}
	for i := range s.Questions {
		q := &s.Questions[i]
		whole, err := a.cover(q.Asked)
		if err != nil {
			return nil, fmt.Errorf("question %q: %w", q.Key(), err)
		}
		covers := make([]audience.Cover, len(q.Datapoints))
		for j, d := range q.Datapoints {
			own, err := a.cover(d.Asked)
			if err != nil {
				return nil, fmt.Errorf("question %q, datapoint %q: %w", q.Key(), d.Code, err)
			}
			if covers[j] = own; own == nil {
				covers[j] = whole
			}
			a.any = a.any || covers[j] != nil
		}
		a.covers = append(a.covers, covers)
	}
	if a.any {
		a.questions, a.asItem = make([]int32, layout.Attributes()), make([]int32, layout.Items())
		for i, q := range s.Questions {
			for j := range q.Datapoints {
				a.asItem[layout.Item(i, j)] = int32(i)
				for k := range max(1, len(q.Suffixes)) {
					a.questions[layout.Attribute(i, j, k)] = int32(i)
				}
			}
		}
	}
	return a, nil
}

// cover gives a declaration as a set of fieldwork, nil if there is none.
func (a *asked) cover(declared audience.Asked) (audience.Cover, error) {
	if declared == nil {
		return nil, nil
	}
	c := audience.NewCover(len(a.outside))
	for _, f := range declared {
		found := false
		for w, wave := range a.survey.Waves {
			for l, location := range a.survey.Locations {
				if f.Has(wave.Code, location.Code) {
					c.Set(w*a.locations + l)
					found = true
				}
			}
		}
		if !found {
			return nil, fmt.Errorf("it is declared as asked in wave %q and location %q, which are not listed", f.Wave,
				f.Location)
		}
	}
	return c, nil
}

// at gives what was not asked in a fieldwork, nil if nothing.
func (a *asked) at(fieldwork int) *outside {
	if !a.any {
		return nil
	}
	o := a.outside[fieldwork]
	if o == nil {
		o = a.outsideOf(fieldwork)
		a.outside[fieldwork] = o
	}
	if o.none {
		return nil
	}
	return o
}

func (a *asked) outsideOf(fieldwork int) *outside {
	o := &outside{none: true, attributes: make([]uint64, (a.layout.Attributes()+63)/64),
		items: make([]uint64, (a.layout.Items()+63)/64)}
	inside := make([]uint64, len(o.items))
	for i, q := range a.survey.Questions {
		for j := range q.Datapoints {
			item := a.layout.Item(i, j)
			if c := a.covers[i][j]; c == nil || c.Has(fieldwork) {
				inside[item>>6] |= 1 << (item & 63)
				continue
			}
			o.none = false
			o.items[item>>6] |= 1 << (item & 63)
			for k := range max(1, len(q.Suffixes)) {
				attribute := a.layout.Attribute(i, j, k)
				o.attributes[attribute>>6] |= 1 << (attribute & 63)
			}
		}
	}
	for i := range o.items {
		o.items[i] &^= inside[i]
	}
	return o
}

// settleAsked writes into the merged survey, which the frame carries, what is known of where its questions were asked,
// for those of which the stored survey and the file's do not declare the same: where the frame says so, since what was
// stored stays as it was.
func settleAsked(stored, file *audience.Survey, frame *audience.Frame) {
	mine, theirs := questionsByKey(stored), questionsByKey(file)
	for i := range frame.Questions {
		q := &frame.Questions[i]
		a, b := mine[q.Key()], theirs[q.Key()]
		if len(q.Datapoints) == 0 || !declares(a) && !declares(b) || a != nil && b != nil && sameAsked(a, b) {
			continue
		}
		q.Asked = nil
		for j := range q.Datapoints {
			list := audience.Asked{}
			for f := range frame.Asked(i, j).All() {
				w, l := frame.Fieldwork(f)
				list = append(list, audience.Fieldwork{Wave: frame.Waves[w].Code, Location: frame.Locations[l].Code})
			}
			q.Datapoints[j].Asked = list
		}
		if first := q.Datapoints[0].Asked; !slices.ContainsFunc(q.Datapoints,
			func(d audience.Datapoint) bool { return !slices.Equal(d.Asked, first) }) {
			q.Asked = first
			for j := range q.Datapoints {
				q.Datapoints[j].Asked = nil
			}
		}
	}
}

func questionsByKey(s *audience.Survey) map[string]*audience.Question {
	m := map[string]*audience.Question{}
	for i := range s.Questions {
		m[s.Questions[i].Key()] = &s.Questions[i]
	}
	return m
}

// declares tells whether anything is declared of where a question was asked.
func declares(q *audience.Question) bool {
	return q != nil &&
		(q.Asked != nil || slices.ContainsFunc(q.Datapoints, func(d audience.Datapoint) bool { return d.Asked != nil }))
}

// sameAsked tells whether two surveys declare the same of a question.
func sameAsked(a, b *audience.Question) bool {
	equal := func(a, b audience.Asked) bool { return (a == nil) == (b == nil) && slices.Equal(a, b) }
	declared := a.Asked != nil || b.Asked != nil
	at := map[string]audience.Asked{}
	for _, d := range a.Datapoints {
		at[d.Code] = d.Asked
	}
	shared := 0
	for _, d := range b.Datapoints {
		own, there := at[d.Code]
		if there && !equal(own, d.Asked) {
			return false
		}
		if there {
			shared++
		}
	}
	// A datapoint that only one has is not asked where the other's answers are from, whatever the question declares.
	return equal(a.Asked, b.Asked) && (!declared || shared == len(a.Datapoints) && shared == len(b.Datapoints))
}
