package storetest

import (
	"context"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/internal/script"
	"github.com/crosswave/crosswave/store/naive"
	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// An append may number everything anew: waves, locations, questions, datapoints and suffixes that come before those
// that were there.
func appendRenumbered(ctx context.Context, open func() Engine) error {
	before, err := readStudy(`
survey
  namespace core
  wave w2 2024-04-01
  location uk
  question q multi b
  question g grid y / 2
respondents
  wave | location | core | q | g
  w2   | uk       | 1    | b | y:2
  w2   | uk       | 2    | - |
`)
	if err != nil {
		return err
	}
	after, err := readStudy(`
survey
  namespace core
  namespace more on core
  wave w1 2024-01-01
  wave w3
  wave w2 2024-04-01
  location fr
  location uk
  question new single yes no
  question g grid x y z / 1 2 3
  question q multi a b
respondents
  wave | location | core | more | q   | g       | new
  w2   | uk       | 1    |      | b   | y:2     |
  w2   | uk       | 2    |      | -   |         |
  w1   | fr       | 4    | 1    | a b | x:1 y:3 | yes
  w1   | uk       | 8    | 1    | a   | z:2     | no
  w3   | uk       | 16   |      | b   | y:2     | no
`)
	if err != nil {
		return err
	}
	engine, reference := open(), new(naive.Store)
	for _, e := range []Engine{engine, reference} {
		if err := before.Load(ctx, e); err != nil {
			return err
		}
		if _, err := after.publish(ctx, e, after.Respondents[2:], nil, 0); err != nil {
			return err
		}
	}
	if err := same(ctx, engine, reference); err != nil {
		return err
	}
	whole := open()
	if err := after.Load(ctx, whole); err != nil {
		return err
	}
	return same(ctx, whole, reference)
}

// readStudy reads a study as scripts write it.
func readStudy(text string) (*Study, error) {
	s, err := script.Parse("study", text)
	if err != nil {
		return nil, err
	}
	st := &Study{}
	for _, step := range s.Steps {
		switch step.Text {
		case "survey":
			st.Survey, err = readSurvey(step.Lines)
		case "respondents":
			st.Respondents, err = readRespondents(st.Survey, step)
		default:
			err = step.Errorf("a study has the steps survey and respondents")
		}
		if err != nil {
			return nil, err
		}
	}
	return st, nil
}

// An append whose weights need another unit changes the integers of what was there, up, down and back.
func appendNewUnit(s *scene) error {
	st := s.study
	wave := st.Survey.Waves[st.Respondents[0].Wave].Code
	for _, weight := range []string{"0.12345678", "500000000000", "7"} {
		kept := slices.DeleteFunc(slices.Clone(st.Respondents),
			func(r survey.Respondent) bool { return st.Survey.Waves[r.Wave].Code == wave })
		for i := range kept { // so that none of them becomes 0 beside the largest
			kept[i].Weights = slices.Clone(kept[i].Weights)
			for n := range kept[i].Weights {
				kept[i].Weights[n] = decimal.FromInt(int64(i%9 + 1))
			}
		}
		added := st.waves(wave)
		for i := range added {
			w, err := decimal.Parse(weight, false)
			if err != nil {
				return err
			}
			added[i].Weights = slices.Repeat([]decimal.Decimal{w}, len(st.Survey.Namespaces))
		}
		changed := &Study{Survey: st.Survey, Respondents: append(kept, added...)}
		var others []string
		for _, w := range st.Survey.Waves {
			others = append(others, w.Code)
		}
		for _, e := range []Engine{s.engine, s.reference} {
			rest := &Study{Survey: st.Survey, Respondents: kept}
			if _, err := rest.publish(s.ctx, e, kept, others, 0); err != nil {
				return err
			}
			if _, err := changed.publish(s.ctx, e, added, nil, 0); err != nil {
				return err
			}
		}
		if err := s.same(); err != nil {
			return fmt.Errorf("after an append of weights of %s: %w", weight, err)
		}
	}
	return nil
}
