package stats

import (
	"errors"
	"fmt"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// attribute is an attribute that may be looked at.
type attribute struct {
	key      AttributeKey
	question int // its index in the survey
	expr     audience.Expr
}

// attributes are all that the caller may use, in the survey's order: question, datapoint, suffix.
type attributes []attribute

// attributesOf lists the attributes of a frame.
func attributesOf(f *audience.Frame) (out attributes) {
	for q := range f.Questions {
		question := &f.Questions[q]
		if f.HidesQuestion(q) {
			continue
		}
		for d, datapoint := range question.Datapoints {
			if f.HidesDatapoint(q, d) {
				continue
			}
			leaf := audience.Answers{Question: question.Key(), Datapoints: []string{datapoint.Code}}
			key := AttributeKey{Namespace: question.Namespace, Question: question.Code, Datapoint: datapoint.Code}
			if !question.Grid() {
				out = append(out, attribute{key, q, leaf})
			}
			for _, suffix := range question.Suffixes {
				key.Grid, key.Suffix = true, suffix.Code
				leaf.Suffixes = []int{suffix.Code}
				out = append(out, attribute{key, q, leaf})
			}
		}
	}
	return out
}

// profilePlan is a ProfileQuery seen in a Frame.
type profilePlan struct {
	frame        *audience.Frame
	attributes   []attribute // that are counted: the rows of spec
	spec         audience.Spec
	incompatible int
	extent       ProfileExtent
	covers       []*audience.Covers // of the rows; none unless ProfileQuery.Coverage
}

// plan looks the query up. Its errors come in the order of their classes: unavailable codes, other faults, namespaces,
// cost.
func (q *ProfileQuery) plan(f *audience.Frame) (*profilePlan, error) {
	questions, err := q.questions(f)
	if err != nil {
		return nil, err
	}
	p := &profilePlan{frame: f}
	all := audience.Derive(f, attributesOf)
	if len(q.Questions) > 0 {
		all = slices.DeleteFunc(slices.Clone(all), func(a attribute) bool { return !questions[a.question] })
	}
	if p.attributes, err = q.compatible(f, all); err != nil {
		return nil, err
	}
	p.incompatible = len(all) - len(p.attributes)
	if n := q.Limits.Attributes; n > 0 && len(p.attributes) > n {
		return nil, &audience.ComplexError{Reason: fmt.Sprintf("%d attributes are more than the %d that one request may "+
			"ask for: name some questions", len(p.attributes), n)}
	}
	p.spec = q.specOf(p.attributes)
	p.extent = ProfileExtent{Entries: len(p.attributes), Waves: made(wavesOf(f, q.Waves), nil)}
	if q.Limit > 0 {
		p.extent.Entries = min(q.Limit, p.extent.Entries)
	}
	for i := range p.attributes {
		p.extent.Attributes = append(p.extent.Attributes, p.attributes[i].key)
	}
	if err := p.cover(q); err != nil {
		return nil, err
	}
	if q.Limits.Cost != nil {
		return p, q.Limits.Cost(p.extent)
	}
	return p, nil
}

// questions looks up the codes of a query, and returns the questions it names.
func (q *ProfileQuery) questions(f *audience.Frame) (map[int]bool, error) {
	named := map[int]bool{}
	var fault error
	uses := []audience.Use{{Origin: "audience", Expr: q.Audience.Expr}, {Origin: "base_audience", Expr: q.Base.Expr}}
	for i, code := range q.Questions {
		leaf := audience.Answers{Question: code}
		at, err := f.Question(code)
		var invalid *audience.InvalidError
		switch {
		case errors.As(err, &invalid) && fault == nil:
			fault = &audience.InvalidError{Path: fmt.Sprintf("questions[%d]", i), Reason: invalid.Reason}
		case err == nil && at >= 0:
			named[at] = true
			for d, datapoint := range f.Questions[at].Datapoints { // what is hidden of a question is not there
				if !f.HidesQuestion(at) && !f.HidesDatapoint(at, d) {
					leaf.Datapoints = append(leaf.Datapoints, datapoint.Code)
				}
			}
		}
		if err == nil {
			uses = append(uses, audience.Use{Origin: fmt.Sprintf("questions[%d]", i), Expr: leaf})
		}
	}
	if err := f.Check(q.Waves, q.Locations, uses...); err != nil {
		return nil, err
	}
	return named, fault
}

// compatible are the attributes that may have respondents in common with the audience within its base. One attribute
// stands for all of its namespace. That a question which was named has none is an error.
func (q *ProfileQuery) compatible(f *audience.Frame, all []attribute) ([]attribute, error) {
	renamed := func(err error) error { return audience.Renamed(err, "base", "base_audience", "columns[0]", "audience") }
	if err := q.specOf(nil).Check(f); err != nil {
		return nil, renamed(err)
	}
	known := map[string]bool{}
	left := make([]attribute, 0, len(all))
	for i := range all {
		namespace := all[i].key.Namespace
		fits, there := known[namespace]
		if !there {
			err := q.specOf(all[i : i+1]).Check(f)
			var incompatible *audience.IncompatibleError
			if err != nil && (!errors.As(err, &incompatible) || len(q.Questions) > 0) {
				return nil, renamed(err)
			}
			fits = err == nil
			known[namespace] = fits
		}
		if fits {
			left = append(left, all[i])
		}
	}
	return left, nil
}

// cover finds out what tells what entries cover, if that is asked for.
func (p *profilePlan) cover(q *ProfileQuery) error {
	if !q.Coverage {
		return nil
	}
	most := int64(0)
	for i := range p.attributes {
		covers, err := audience.NewCovers(p.frame, q.specOf(p.attributes[i:i+1]))
		if err != nil {
			return err
		}
		p.covers = append(p.covers, covers)
		most = max(most, covers.MostBytes())
	}
	p.extent.Coverage = most * int64(p.extent.Entries)
	return nil
}
