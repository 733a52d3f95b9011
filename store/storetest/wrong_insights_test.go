package storetest

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/insights"
)

// press is an insights.Store in memory with one fault, or none.
type press struct {
	fault    string
	insights []insights.Insight
	generic  []insights.Generic
}

func newPress(fault string, f *insights.File) *press {
	p := &press{fault, slices.Clone(f.Insights), slices.Clone(f.Generic)}
	if fault == "all are there twice" {
		p.insights = append(p.insights, p.insights...)
	}
	slices.SortFunc(p.insights, func(a, b insights.Insight) int {
		if fault == "the order is that of the ids as texts" {
			return cmp.Compare(fmt.Sprint(a.ID), fmt.Sprint(b.ID))
		}
		return cmp.Compare(a.ID, b.ID)
	})
	for i := range p.insights {
		if fault == "ids are floating-point numbers" {
			p.insights[i].ID = int64(float64(p.insights[i].ID) * (1 - 1e-16))
		}
		if fault == "pictures are forgotten" {
			p.insights[i].Images = nil
		}
	}
	return p
}

func (p *press) Insight(_ context.Context, id int64) (insights.Insight, error) {
	for _, i := range p.insights {
		if i.ID == id {
			return i, nil
		}
	}
	if p.fault == "not found is nil" {
		return insights.Insight{}, nil
	}
	return insights.Insight{}, fmt.Errorf("insight %d: %w", id, audience.ErrNotFound)
}

func (p *press) Insights(context.Context) ([]insights.Insight, error) {
	if p.fault == "its own list is given away" {
		return p.insights, nil
	}
	return slices.Clone(p.insights), nil
}

func (p *press) Generic(_ context.Context, id string) (insights.Generic, error) {
	for _, g := range p.generic {
		if g.ID == id || p.fault == "ids are equal but for capitals" && strings.EqualFold(g.ID, id) {
			if p.fault == "expressions are forgotten" {
				g.Origins.Audiences = slices.Clone(g.Origins.Audiences)
				for i := range g.Origins.Audiences {
					g.Origins.Audiences[i].Expression = nil
				}
			}
			return g, nil
		}
	}
	return insights.Generic{}, fmt.Errorf("generic insight %s: %w", id, audience.ErrNotFound)
}

func TestRightPress(t *testing.T) {
	TestInsights(t, func(_ *testing.T, f *insights.File) insights.Store { return newPress("", f) })
}

// An insights.Store with a fault is caught by the check that is there for it.
func TestWrongPresses(t *testing.T) {
	for fault, want := range map[string]string{
		"not found is nil":                      "none",
		"all are there twice":                   "come_back",
		"the order is that of the ids as texts": "come_back",
		"ids are floating-point numbers":        "come_back",
		"pictures are forgotten":                "come_back",
		"expressions are forgotten":             "generic_come_back",
		"ids are equal but for capitals":        "generic_come_back",
		"its own list is given away":            "lists_are_the_callers",
	} {
		t.Run(fault, func(t *testing.T) {
			checks := insightChecks()
			c := checks[slices.IndexFunc(checks, func(c insightCheck) bool { return c.name == "insights/"+want })]
			err := c.run(t.Context(), func(f *insights.File) (insights.Store, error) { return newPress(fault, f), nil })
			if err == nil {
				t.Errorf("%s does not notice", c.name)
			}
		})
	}
}
