package storetest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// relabelled gives everything another name and turns lists around: no figure changes, and the store is what the
// reference becomes by the same.
func relabelled(s *scene) error {
	before, err := s.everything()
	if err != nil {
		return err
	}
	to := s.frame.Survey.Clone()
	to.Name += " (corrected)"
	to.Locations = slices.Clone(to.Locations)
	slices.Reverse(to.Locations)
	slices.Reverse(to.Questions)
	for i := range to.Questions {
		q := &to.Questions[i]
		q.Name, q.Suffixes = q.Name+" (corrected)", slices.Clone(q.Suffixes)
		slices.Reverse(q.Datapoints)
		slices.Reverse(q.Suffixes)
		for j := range q.Datapoints {
			q.Datapoints[j].Name += " (corrected)"
		}
	}
	for _, e := range []Engine{s.engine, s.reference} {
		version, changes, err := survey.Relabel(s.ctx, e, to)
		if err != nil || version != s.frame.Version+1 || len(changes) < len(to.Questions) {
			return fmt.Errorf("version %d with %d changes: %w", version, len(changes), err)
		}
	}
	if err := s.same(); err != nil {
		return err
	}
	after, err := s.everything()
	if err != nil {
		return err
	}
	for what, cell := range before {
		if after[what] != cell {
			return fmt.Errorf("%s: %s is now %s", what, cell, after[what])
		}
	}
	if version, changes, err := survey.Relabel(s.ctx, s.engine, to); err != nil || len(changes) > 0 ||
		version != s.frame.Version+1 {
		return fmt.Errorf("the same once more gives version %d with changes %q: %w", version, changes, err)
	}
	if err := s.publish(); err != nil { // which goes on with what was there
		return err
	}
	return s.same()
}

// everything is every answer within each wave and each location, as the engine tells it, by codes.
func (s *scene) everything() (map[string]string, error) {
	cells := map[string]string{}
	for i := range s.frame.Questions {
		q := &s.frame.Questions[i]
		spec := audience.Spec{Namespace: q.Namespace}
		var names []string
		for _, a := range s.frame.PerDatapoint(i) {
			spec.Rows, names = append(spec.Rows, a.Expr), append(names, q.Key()+":"+a.ID)
		}
		for _, suffix := range q.Suffixes {
			spec.Rows = append(spec.Rows, audience.Answers{Question: q.Key(), Suffixes: []int{suffix.Code}})
			names = append(names, fmt.Sprintf("%s/%d", q.Key(), suffix.Code))
		}
		var columns []string
		for _, w := range s.frame.Waves {
			spec.Columns, columns = append(spec.Columns, audience.Waves{Codes: []string{w.Code}}), append(columns, w.Code)
		}
		for _, l := range s.frame.Locations {
			spec.Columns = append(spec.Columns, audience.Locations{Codes: []string{l.Code}})
			columns = append(columns, l.Code)
		}
		tabs, err := audience.Tabulate(s.ctx, s.engine, func(*audience.Frame) ([]audience.Spec, error) {
			return []audience.Spec{spec}, nil
		})
		if err != nil {
			return nil, err
		}
		for r, row := range names {
			for k, column := range columns {
				c := tabs[0].Cell(r+1, k+1)
				cells[row+" in "+column] = fmt.Sprint(c.Base.Sample, c.Base.Size, c.Row.Sample, c.Row.Size, c.Column.Sample,
					c.Column.Size, c.Both.Sample, c.Both.Size, c.Namespace, c.Cover.Len())
			}
		}
	}
	if len(cells) == 0 {
		return nil, errors.New("there is nothing to compare")
	}
	return cells, nil
}
