package survey

import (
	"errors"
	"fmt"
	"math"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// NumberFacts is about the numbers that were given to a question in one fieldwork.
type NumberFacts struct {
	Count    int64  `json:"count"`    // respondents with a number and a weight above 0 in the question's namespace
	Decimals int    `json:"decimals"` // the most decimals of any number, be it of weight 0
	Least    string `json:"least"`    // decimal text, as Greatest
	Greatest string `json:"greatest"`
}

// checkNumbers finds numbers that no Writer can take in.
func (r *Respondent) checkNumbers(s *audience.Survey) error {
	for i, n := range r.Numbers {
		switch {
		case n.Question < 0 || n.Question >= len(s.Questions):
			return fmt.Errorf("row %d: question %d is not one of the survey's %d", r.Row, n.Question, len(s.Questions))
		case s.Questions[n.Question].Kind != audience.Number:
			return fmt.Errorf("row %d: %s is a number for question %q, which is not of the kind %s", r.Row, n.Value,
				s.Questions[n.Question].Key(), audience.Number)
		}
		for _, other := range r.Numbers[:i] {
			if other.Question == n.Question {
				return fmt.Errorf("row %d: there are two numbers for question %q, %s and %s", r.Row,
					s.Questions[n.Question].Key(), other.Value, n.Value)
			}
		}
	}
	return nil
}

// fit sees to it that there is a unit for each of a respondent's numbers.
func (im *importer) fit(r *Respondent) error {
	for _, n := range r.Numbers {
		if decimal.TooLarge(n.Value) {
			return &Error{Row: r.Row, Reason: fmt.Sprintf("the number %s of question %q is too large: %v; list it as "+
				"missing, or give the question a larger unit", n.Value, im.file.Questions[n.Question].Key(),
				decimal.ErrNumber)}
		}
	}
	return nil
}

// numberTally is what is known of the numbers of a question in a fieldwork.
type numberTally struct {
	count           int64 // of those who take part in the question's namespace
	all             int64
	decimals        int
	least, greatest decimal.Decimal
}

func (n *numberTally) add(d decimal.Decimal) {
	if n.all++; n.all == 1 {
		n.least, n.greatest = d, d
	} else if d != n.least && d != n.greatest {
		if d.Cmp(n.least) < 0 {
			n.least = d
		} else if d.Cmp(n.greatest) > 0 {
			n.greatest = d
		}
	}
	n.decimals = max(n.decimals, d.Decimals())
}

// addNumbers takes the numbers of a respondent, which were cut to what is declared as asked.
func (t *tally) addNumbers(f *fieldwork, r *Respondent) {
	if len(r.Numbers) > 0 && f.numbers == nil {
		f.numbers = make([]numberTally, len(t.survey.Questions))
	}
	for _, n := range r.Numbers {
		to := &f.numbers[n.Question]
		to.add(n.Value)
		if !r.Weights[t.namespaces[n.Question]].IsZero() {
			to.count++
		}
	}
}

// numberFacts gives what is kept of the numbers of a fieldwork, nil if nothing.
func (t *tally) numberFacts(f *fieldwork) (facts map[string]NumberFacts) {
	for i := range f.numbers {
		if n := &f.numbers[i]; n.all > 0 {
			enter(&facts, t.survey.Questions[i].Key(), NumberFacts{Count: n.count, Decimals: n.decimals,
				Least: n.least.String(), Greatest: n.greatest.String()})
		}
	}
	return facts
}

// numbers says how the numbers of each question are kept, by the facts of all fieldwork; nil: there are none. It
// depends on what is stored alone, not on how that came.
func numbers(frame *audience.Frame, facts []Facts) ([]audience.Numbers, error) {
	list, any := make([]audience.Numbers, len(frame.Questions)), false
	for i := range frame.Questions {
		all := numberTally{}
		list[i].Asked = audience.NewCover(frame.Size())
		for _, f := range facts {
			n := f.Numbers[frame.Questions[i].Key()]
			if n.Count == 0 {
				continue // there may be numbers of people who take no part, which no figure covers
			}
			if err := all.addFacts(n); err != nil {
				return nil, damaged(f, err)
			}
			list[i].Asked.Set(frame.At(frame.Wave(f.Wave), frame.Location(f.Location)))
		}
		if all.all == 0 {
			list[i] = audience.Numbers{}
			continue
		}
		any = true
		var err error
		list[i].Decimals, list[i].Bits, err = decimal.NumberUnit(all.decimals, all.least, all.greatest)
		if err != nil {
			return nil, fmt.Errorf("question %q has numbers from %s to %s: %w", frame.Questions[i].Key(), all.least,
				all.greatest, err)
		}
		list[i].Least, _ = all.least.Scaled(list[i].Decimals) // it fits, or there would be no unit
		list[i].Greatest, _ = all.greatest.Scaled(list[i].Decimals)
	}
	if !any {
		return nil, nil
	}
	return list, nil
}

// addFacts takes what is kept of a fieldwork.
func (n *numberTally) addFacts(f NumberFacts) error {
	least, err := decimal.Parse(f.Least, true)
	greatest, failed := decimal.Parse(f.Greatest, true)
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	n.add(least)
	n.add(greatest)
	n.decimals = max(n.decimals, f.Decimals)
	return nil
}

// numberReports tells of each question with numbers in which unit they are kept.
func numberReports(frame *audience.Frame, facts []Facts) (list []NumbersReport) {
	for i := range frame.Questions {
		n, key := frame.Numbers(i), frame.Questions[i].Key()
		if n.Bits == 0 {
			continue
		}
		r := NumbersReport{Question: key, Decimals: n.Decimals, Bits: n.Bits}
		for _, f := range facts {
			if kept := f.Numbers[key]; kept.Count > 0 && kept.Decimals > n.Decimals {
				r.Rounding = math.Pow(10, -float64(n.Decimals)) / 2
			}
		}
		list = append(list, r)
	}
	return list
}

// withoutNumbers tells of fieldwork in which a question of numbers was answered and none of its numbers is kept.
func (r *Release) withoutNumbers() (list []Warning) {
	for i := range r.Frame.Questions {
		q := &r.Frame.Questions[i]
		if q.Kind != audience.Number {
			continue
		}
		for _, f := range r.Facts {
			if _, kept := f.Numbers[q.Key()]; !kept && f.Answered[q.Key()] > 0 {
				list = append(list, Warning{Kind: BandsOnly, Question: q.Key(), Wave: f.Wave, Location: f.Location})
			}
		}
	}
	return list
}
