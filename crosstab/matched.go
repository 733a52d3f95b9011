package crosstab

import (
	"strings"

	"github.com/crosswave/crosswave/audience"
)

// counted is what a request is counted as: one Spec, or, matched, one for the rows of each set of locations.
type counted struct {
	frame *audience.Frame
	specs []audience.Spec
	tabs  []*audience.Crosstab // of the specs, once they are counted
	sure  *sure                // how sure they are; nil unless that is asked for

	covers *audience.Covers // of the whole request; nil unless its coverage is asked for
	// the whole request, not counted; nil unless it is matched or a trend whose coverage is asked for
	planned *audience.Crosstab
	places  []place // matched: of each row as Cell counts it, 0 for an empty axis
}

// place is where a row is counted.
type place struct {
	spec int // -1: nowhere, as its waves have no location in common
	row  int // its index there, as Cell counts it
}

// trend tells whether the columns are all waves.
func (r *Request) trend() bool {
	for _, a := range r.Columns {
		switch a.Expr.(type) {
		case audience.Waves, *audience.Waves:
		default:
			return false
		}
	}
	return len(r.Columns) > 0
}

// plan decides what a request is counted as in f; whole is all of it.
func (r *Request) plan(f *audience.Frame, whole audience.Spec) (c *counted, err error) {
	c = &counted{frame: f, specs: []audience.Spec{whole}}
	if r.Coverage {
		if c.covers, err = audience.NewCovers(f, whole); err != nil {
			return nil, err
		}
	}
	if r.Matched || r.Coverage && r.trend() {
		if c.planned, err = audience.Plan(f, whole); err != nil {
			return nil, err
		}
	}
	if r.Matched {
		c.match(whole)
	}
	return c, nil
}

// match forms a Spec for the rows of each set of locations that the waves of a row have in common.
func (c *counted) match(whole audience.Spec) {
	c.specs = nil
	c.places = make([]place, len(whole.Rows)+1)
	byLocations := map[string]int{}
	for i := min(1, len(whole.Rows)); i <= len(whole.Rows); i++ {
		locations := c.frame.CommonLocations(c.union(i))
		if len(locations) == 0 {
			c.places[i].spec = -1
			continue
		}
		key := strings.Join(locations, "\x00")
		at, there := byLocations[key]
		if !there {
			at = len(c.specs)
			byLocations[key] = at
			s := whole
			s.Rows, s.Locations = nil, locations
			c.specs = append(c.specs, s)
		}
		if i > 0 {
			c.specs[at].Rows = append(c.specs[at].Rows, whole.Rows[i-1])
		}
		c.places[i] = place{at, len(c.specs[at].Rows)}
	}
}

// union is all fieldwork that the cells of row i cover as they were planned.
func (c *counted) union(i int) audience.Cover {
	union := audience.NewCover(c.frame.Size())
	for j := min(1, len(c.planned.Spec.Columns)); j <= len(c.planned.Spec.Columns); j++ {
		union = union.Or(c.planned.Cell(i, j).Cover)
	}
	return union
}

// differ tells whether the cells of row i are a trend whose waves cover different locations.
func (c *counted) differ(i int) bool {
	return c.planned != nil && c.places == nil && c.frame.LocationsDiffer(c.union(i))
}

// cell is what was counted for row i and column j.
func (c *counted) cell(i, j int) audience.Cell {
	if c.places == nil {
		return c.tabs[0].Cell(i, j)
	}
	// Only what the request covers is cut: fewer locations may make the last waves others.
	planned := c.planned.Cell(i, j)
	at := c.places[i]
	if at.spec >= 0 && !planned.Cover.Empty() {
		return c.tabs[at.spec].Cell(at.row, j)
	}
	return audience.Cell{Namespace: planned.Namespace, Cover: audience.NewCover(c.frame.Size())}
}

// covered tells what a cell covers, if that was asked for.
func (c *counted) covered(i, j int, cell audience.Cell) *audience.Covered {
	if c.covers == nil {
		return nil
	}
	covered := c.covers.Of(i, j, cell)
	return &covered
}
