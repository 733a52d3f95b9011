package storetest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/exact"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
)

// Study is a survey with all its respondents, small enough to be held in memory: what scripts write down and the
// generator makes.
type Study struct {
	Survey      *audience.Survey
	Respondents []survey.Respondent
}

// clone is a copy that shares no list of respondents with st, so that either can be cut.
func (st *Study) clone() *Study {
	return &Study{Survey: st.Survey, Respondents: slices.Clone(st.Respondents)}
}

// waves is the part of the study that was answered in the waves with these codes.
func (st *Study) waves(codes ...string) []survey.Respondent {
	var rs []survey.Respondent
	for _, r := range st.Respondents {
		if slices.Contains(codes, st.Survey.Waves[r.Wave].Code) {
			rs = append(rs, r)
		}
	}
	return rs
}

// Load publishes the study in an empty engine.
func (st *Study) Load(ctx context.Context, e Engine) error {
	_, err := st.publish(ctx, e, st.Respondents, nil, 0)
	return err
}

// publish makes e hold the study: it withdraws the waves to drop and puts in what was added, so many respondents at a
// time (0: all at once). Units, coverage and what is not used are worked out from all respondents of the study.
func (st *Study) publish(ctx context.Context, e Engine, added []survey.Respondent, drop []string, batch int) (uint64,
	error) {
	change, err := st.change(drop)
	if err != nil {
		return 0, err
	}
	return st.commit(ctx, e, change, added, batch)
}

// commit is one import from begin to end.
func (st *Study) commit(ctx context.Context, e Engine, change survey.Change, added []survey.Respondent,
	batch int) (uint64, error) {
	base, err := e.Release(ctx)
	if err != nil {
		return 0, fmt.Errorf("its Release: %w", err)
	}
	w, err := e.Begin(ctx, base, st.Survey)
	if err != nil {
		return 0, fmt.Errorf("its Begin: %w", err)
	}
	if err := st.add(ctx, w, change.Frame, added, batch); err != nil {
		return 0, errors.Join(err, w.Abort())
	}
	version, err := w.Commit(ctx, change)
	if err != nil {
		return 0, errors.Join(fmt.Errorf("its Commit: %w", err), w.Abort())
	}
	return version, nil
}

// add hands respondents to w, and spoils what it handed over afterwards: a writer keeps nothing of it.
func (st *Study) add(ctx context.Context, w survey.Writer, f *audience.Frame, rs []survey.Respondent, batch int) error {
	if batch <= 0 {
		batch = max(1, len(rs))
	}
	as := naive.Attributes(st.Survey)
	for lot := range slices.Chunk(rs, batch) {
		var used []survey.Respondent
		for _, r := range lot {
			used = append(used, st.used(f, as, r))
		}
		if err := w.Add(ctx, used); err != nil {
			return fmt.Errorf("its Add: %w", err)
		}
		for i := range used {
			clear(used[i].Weights)
			clear(used[i].Attributes)
			clear(used[i].Answered)
			clear(used[i].Numbers)
		}
		clear(used)
	}
	return nil
}

// used is a copy of r without the answers to what is declared as not asked in its fieldwork.
func (st *Study) used(f *audience.Frame, as []naive.Answer, r survey.Respondent) survey.Respondent {
	at := f.At(f.Wave(st.Survey.Waves[r.Wave].Code), f.Location(st.Survey.Locations[r.Location].Code))
	out := r
	out.Weights, out.Answered = slices.Clone(r.Weights), slices.Clone(r.Answered)
	out.Attributes, out.Numbers = nil, nil
	for _, a := range r.Attributes {
		q, _ := question(f, audience.Answers{Question: as[a].Question})
		d := f.Datapoint(q, as[a].Datapoint)
		if declaration(f, q, d) == nil || f.Asked(q, d).Has(at) {
			out.Attributes = append(out.Attributes, a)
		}
	}
	for _, n := range r.Numbers {
		if st.put(f, &r, n.Question) {
			out.Numbers = append(out.Numbers, n)
		}
	}
	return out
}

// change is what an import that makes a store hold the study commits.
func (st *Study) change(drop []string) (survey.Change, error) {
	f, err := st.Frame()
	return survey.Change{Frame: f, Facts: st.facts(f), Drop: drop}, err
}

// Frame works out the frame of the study: the order of waves, the units of weights, where each namespace was fielded
// and each datapoint asked.
func (st *Study) Frame() (*audience.Frame, error) {
	s := *st.Survey
	s.Waves = oldestFirst(s.Waves)
	f := &audience.Frame{Survey: &s} // enough of one to number fieldwork
	var c audience.Coverage
	for i := range s.Namespaces {
		k, err := st.unit(i)
		if err != nil {
			return nil, err
		}
		c.Decimals = append(c.Decimals, k)
		c.Fielded = append(c.Fielded, st.where(f, func(r *survey.Respondent) bool { return !r.Weights[i].IsZero() }))
	}
	for i := range s.Questions {
		c.Asked = append(c.Asked, st.asked(f, i))
		c.Numbers = append(c.Numbers, st.numbers(f, i))
	}
	return audience.NewFrame(0, &s, c)
}

// oldestFirst sorts waves: those with a date by their start, then those without, as listed.
func oldestFirst(waves []audience.Wave) []audience.Wave {
	var dated, undated []audience.Wave
	for _, w := range waves {
		if w.Start != "" {
			dated = append(dated, w)
		} else {
			undated = append(undated, w)
		}
	}
	slices.SortStableFunc(dated, func(a, b audience.Wave) int { return cmp.Compare(a.Start, b.Start) })
	return append(dated, undated...)
}

// unit is the k of namespace i.
func (st *Study) unit(i int) (int, error) {
	most, largest, total := 0, new(big.Rat), new(big.Rat)
	for _, r := range st.Respondents {
		weight := rational(r.Weights[i].String())
		if weight.Sign() < 0 {
			return 0, fmt.Errorf("row %d: the weight %s is negative", r.Row, r.Weights[i])
		}
		if !small(weight, 0) {
			return 0, fmt.Errorf("row %d: the weight %s stands for 2^40 people or more", r.Row, r.Weights[i])
		}
		most = max(most, decimals(weight))
		total.Add(total, weight)
		if weight.Cmp(largest) > 0 {
			largest = weight
		}
	}
	k, ok := unit(most, largest, total)
	if !ok {
		return 0, fmt.Errorf("namespace %q: the weights add up to %s, 2^62 people or more", st.Survey.Namespaces[i].Code,
			plain(total))
	}
	for _, r := range st.Respondents {
		weight := rational(r.Weights[i].String())
		if weight.Sign() > 0 && exact.Units(weight, k).Sign() == 0 {
			return 0, fmt.Errorf("row %d: the weight %s is 0 in units of 10^%d people", r.Row, r.Weights[i], -k)
		}
	}
	return k, nil
}

// where is the fieldwork in which there is a respondent of this kind.
func (st *Study) where(f *audience.Frame, kind func(*survey.Respondent) bool) audience.Cover {
	c := audience.NewCover(f.Size())
	for i := range st.Respondents {
		if r := &st.Respondents[i]; kind(r) {
			c.Set(st.at(f, r))
		}
	}
	return c
}

// at is where in f, which need not be ready, the respondent was asked.
func (st *Study) at(f *audience.Frame, r *survey.Respondent) int {
	w := slices.IndexFunc(f.Waves, func(w audience.Wave) bool { return w.Code == st.Survey.Waves[r.Wave].Code })
	return f.At(w, r.Location)
}

// asked is where the datapoints of question i were asked.
func (st *Study) asked(f *audience.Frame, i int) (covers []audience.Cover) {
	q := st.Survey.Questions[i]
	layout := survey.NewLayout(st.Survey)
	for j := range q.Datapoints {
		if asked := declaration(f, i, j); asked != nil {
			covers = append(covers, declared(f, asked))
			continue
		}
		item := layout.Item(i, j)
		namespace := slices.IndexFunc(st.Survey.Namespaces, func(n audience.Namespace) bool { return n.Code == q.Namespace })
		covers = append(covers, st.where(f, func(r *survey.Respondent) bool {
			return r.Weights[namespace].Sign() > 0 && r.Answered[item/64]>>(item%64)&1 == 1
		}))
	}
	return covers
}

// declaration is what is declared of a datapoint, by itself or by its question; nil: nothing, the answers tell.
func declaration(f *audience.Frame, question, datapoint int) audience.Asked {
	if own := f.Questions[question].Datapoints[datapoint].Asked; own != nil {
		return own
	}
	return f.Questions[question].Asked
}

// declared is the fieldwork that a declaration names.
func declared(f *audience.Frame, asked audience.Asked) audience.Cover {
	c := audience.NewCover(f.Size())
	for w := range f.Waves {
		for l := range f.Locations {
			for _, a := range asked {
				if (a.Wave == "" || a.Wave == f.Waves[w].Code) && (a.Location == "" || a.Location == f.Locations[l].Code) {
					c.Set(f.At(w, l))
				}
			}
		}
	}
	return c
}

// facts is what a store keeps for later imports. Engines do not look into it.
func (st *Study) facts(f *audience.Frame) []survey.Facts {
	var facts []survey.Facts
	if f == nil {
		return nil
	}
	for i := range st.where(f, func(*survey.Respondent) bool { return true }).All() {
		w, l := f.Fieldwork(i)
		fact := survey.Facts{Wave: f.Waves[w].Code, Location: f.Locations[l].Code, Namespaces: make([]survey.NSFacts,
			len(f.Namespaces))}
		for j := range st.Respondents {
			r := &st.Respondents[j]
			if st.at(f, r) != i {
				continue
			}
			fact.Respondents++
			for n, weight := range r.Weights {
				if !weight.IsZero() {
					fact.Namespaces[n].Sample++
				}
			}
		}
		facts = append(facts, fact)
	}
	return facts
}
