package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// tally is a store that only answers: an audience.Store over a list of people, each of whom it looks at for each cell.
type tally struct {
	frame  *audience.Frame
	people []person
}

func newTally(people []person) (*tally, error) {
	cover := func(has func(wave, location int) bool) audience.Cover {
		c := audience.NewCover(len(waves) * len(locations))
		for w := range waves {
			for l := range locations {
				if has(w, l) {
					c.Set(w*len(locations) + l)
				}
			}
		}
		return c
	}
	description := description()
	coverage := audience.Coverage{
		Fielded:  []audience.Cover{cover(fielded), cover(func(w, _ int) bool { return w > 0 })},
		Decimals: []int{1, 0},
	}
	for _, q := range description.Questions {
		var points []audience.Cover
		for _, d := range q.Datapoints {
			points = append(points, cover(func(w, l int) bool { return asked(q.Code+":"+d.Code, w, l) }))
		}
		coverage.Asked = append(coverage.Asked, points)
	}
	frame, err := audience.NewFrame(1, description, coverage)
	return &tally{frame, people}, err
}

// Frame tells what is known before anything is counted.
func (t *tally) Frame(context.Context) (*audience.Frame, error) { return t.frame, nil }

// Count answers with a table for each stratum of each query.
func (t *tally) Count(_ context.Context, version uint64, qs []audience.Query) ([][]*audience.Table, error) {
	if version != t.frame.Version {
		return nil, audience.ErrChanged
	}
	answers := make([][]*audience.Table, len(qs))
	for i, q := range qs {
		for _, stratum := range q.Strata {
			table := q.NewTable() // with room for what is measured
			for k := range t.people {
				if err := t.add(table, &t.people[k], &q, stratum); err != nil {
					return nil, err
				}
			}
			answers[i] = append(answers[i], table)
		}
	}
	return answers, nil
}

// add counts a person in each cell that they are in.
func (t *tally) add(table *audience.Table, p *person, q *audience.Query, stratum audience.Cover) error {
	weight := p.weight
	if q.Namespace == "shop" {
		weight = p.shop
	}
	if weight == 0 || !stratum.Has(t.frame.At(p.wave, p.location)) {
		return nil
	}
	if in, err := p.in(q.Base); !in || err != nil {
		return err
	}
	columns, err := p.inEach(q.Columns)
	if err != nil {
		return err
	}
	rows, err := p.inEach(q.Rows)
	if err != nil {
		return err
	}
	for _, row := range rows {
		for _, column := range columns {
			at := row*(table.Columns+1) + column
			table.Counts[at].Sample++
			table.Counts[at].Weight += weight
			if table.Squares != nil {
				table.Squares[at] = table.Squares[at].Plus(audience.Square(weight))
			}
		}
	}
	return nil
}

// inEach lists 0, for everyone, and the audiences that the person is in, counted from 1.
func (p *person) inEach(xs []audience.Expr) ([]int, error) {
	list := []int{0}
	for i, x := range xs {
		in, err := p.in(x)
		if err != nil {
			return nil, err
		}
		if in {
			list = append(list, i+1)
		}
	}
	return list, nil
}

// in tells whether the person is in an audience.
func (p *person) in(x audience.Expr) (bool, error) {
	switch x := x.(type) {
	case nil, audience.Everyone:
		return true, nil
	case audience.And:
		return p.inParts(x, false)
	case audience.Or:
		return p.inParts(x, true)
	case audience.Not:
		in, err := p.in(x.X)
		return !in, err
	case audience.Waves:
		return x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, waves[p.wave])), nil
	case audience.Locations:
		return x.Min <= 1 && (len(x.Codes) == 0 || slices.Contains(x.Codes, locations[p.location])), nil
	case audience.Answers:
		_, code, _ := strings.Cut(x.Question, ".") // it comes with its namespace
		positive := 0
		for _, d := range x.Datapoints {
			if p.positive[code+":"+d] {
				positive++
			}
		}
		return positive >= x.Min, nil
	}
	return false, fmt.Errorf("an expression of type %T can't be counted", x)
}

// inParts is one part after the other until one settles it: any that does not hold an And, any that holds an Or.
func (p *person) inParts(parts []audience.Expr, settled bool) (bool, error) {
	for _, part := range parts {
		if in, err := p.in(part); err != nil || in == settled {
			return settled, err
		}
	}
	return !settled, nil
}
