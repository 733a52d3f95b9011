package naive

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/survey"
)

// Begin opens an import on top of base.
func (s *Store) Begin(ctx context.Context, base *survey.Release, description *audience.Survey) (survey.Writer, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return &writer{store: s, base: base.Version(), survey: description, answers: Attributes(description)}, nil
}

// writer keeps what is added until it is committed.
type writer struct {
	store   *Store
	base    uint64
	survey  *audience.Survey
	answers []Answer // by attribute number
	added   []Respondent
	closed  bool
}

// Attributes lists what each attribute number of a survey stands for.
func Attributes(s *audience.Survey) []Answer {
	layout := survey.NewLayout(s)
	as := make([]Answer, layout.Attributes())
	for i, q := range s.Questions {
		for j, d := range q.Datapoints {
			as[layout.Attribute(i, j, 0)] = Answer{q.Key(), d.Code, 0}
			for k, suffix := range q.Suffixes {
				as[layout.Attribute(i, j, k)] = Answer{q.Key(), d.Code, suffix.Code}
			}
		}
	}
	return as
}

func (w *writer) Add(ctx context.Context, rs []survey.Respondent) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if w.closed {
		return errors.New("the import is over")
	}
	for _, r := range rs {
		n := Respondent{
			Wave:     w.survey.Waves[r.Wave].Code,
			Location: w.survey.Locations[r.Location].Code,
			Weights:  map[string]*big.Rat{},
			Positive: map[Answer]bool{},
			Numbers:  map[string]*big.Rat{},
		}
		for i, weight := range r.Weights {
			exactly, ok := new(big.Rat).SetString(weight.String())
			if !ok {
				return fmt.Errorf("row %d: the weight %s is no number", r.Row, weight)
			}
			n.Weights[w.survey.Namespaces[i].Code] = exactly
		}
		for _, a := range r.Attributes {
			n.Positive[w.answers[a]] = true
		}
		for _, given := range r.Numbers {
			exactly, ok := new(big.Rat).SetString(given.Value.String())
			if !ok {
				return fmt.Errorf("row %d: %s is no number", r.Row, given.Value)
			}
			n.Numbers[w.survey.Questions[given.Question].Key()] = exactly
		}
		w.added = append(w.added, n)
	}
	return nil
}

// Commit publishes.
func (w *writer) Commit(ctx context.Context, change survey.Change) (uint64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	if w.closed {
		return 0, errors.New("the import is over")
	}
	w.store.mu.Lock()
	defer w.store.mu.Unlock()
	version := w.store.release.Version()
	if version != w.base {
		return 0, audience.ErrChanged
	}
	var all []Respondent
	for _, r := range w.store.respondents {
		if !slices.Contains(change.Drop, r.Wave) {
			all = append(all, r)
		}
	}
	all = append(all, w.added...)
	for i := range all {
		if err := all[i].weigh(change.Frame); err != nil {
			return 0, err
		}
	}
	w.store.release = &survey.Release{Frame: change.Frame.WithVersion(version + 1), Facts: change.Facts}
	w.store.respondents = all
	w.closed = true
	return version + 1, nil
}

// Abort gives up.
func (w *writer) Abort() error {
	w.closed, w.added = true, nil
	return nil
}

// weigh turns the weights and numbers into integers of the frame's units. What does not fit is a fault of who formed
// the frame.
func (r *Respondent) weigh(f *audience.Frame) error {
	if f.Wave(r.Wave) < 0 || f.Location(r.Location) < 0 {
		return fmt.Errorf("a respondent of wave %q and location %q, which are not both in the frame", r.Wave, r.Location)
	}
	r.Units = map[string]int64{}
	for i, n := range f.Namespaces {
		weight := r.Weights[n.Code]
		if weight == nil || weight.Sign() == 0 {
			continue
		}
		units := exact.Units(weight, f.Decimals(i))
		if units.Sign() <= 0 || units.BitLen() > 40 {
			return fmt.Errorf("the weight %s in namespace %q is %s units of 10^%d people: more than 0 and less than "+
				"2^40 are counted", weight, n.Code, units, -f.Decimals(i))
		}
		r.Units[n.Code] = units.Int64()
	}
	return r.round(f)
}

// round turns the numbers into integers of the frame's units, where they are kept.
func (r *Respondent) round(f *audience.Frame) error {
	r.Whole = map[string]int64{}
	for key, number := range r.Numbers {
		i, err := f.Question(key)
		if err != nil || i < 0 {
			return fmt.Errorf("a number for question %q, which is not in the frame", key)
		}
		kept := f.Numbers(i)
		if !kept.Asked.Has(r.Fieldwork(f)) {
			continue
		}
		whole := exact.Units(number, kept.Decimals)
		most := new(big.Int).Lsh(big.NewInt(1), uint(max(0, kept.Bits-1)))
		if kept.Bits == 0 || whole.Cmp(most) >= 0 || whole.Cmp(most.Neg(most)) < 0 {
			return fmt.Errorf("the number %s of question %q is %s units of 10^%d, which is no number of %d bits",
				number.RatString(), key, whole, -kept.Decimals, kept.Bits)
		}
		r.Whole[key] = whole.Int64()
	}
	return nil
}
