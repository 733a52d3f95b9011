package estimate

import (
	"errors"
	"slices"

	"github.com/crosswave/crosswave/audience"
)

// overlap is those who are in both columns of some pairs of the same two specs: a column for each pair.
type overlap struct {
	a, b  int // the specs
	spec  audience.Spec
	pairs []int // of its columns
}

// shared is where those are counted who are in both columns of a pair.
type shared struct{ overlap, column int } // column 0: there is nobody

// findOverlaps finds the pairs that have somebody in common, in any namespace in which they may be counted.
func (c *counting) findOverlaps() error {
	c.shared = make([]shared, len(c.Pairs))
	var open []int
	for i, p := range c.Pairs {
		if !c.apart(p) {
			open = append(open, i)
		}
	}
	if len(open) == 0 {
		return nil
	}
	namespaces, err := c.namespaces()
	if err != nil {
		return err
	}
	meeting := make([]bool, len(c.Pairs))
	for _, n := range namespaces {
		if err := c.meet(open, n, meeting); err != nil {
			return err
		}
	}
	for _, i := range open {
		if meeting[i] {
			c.share(i)
		}
	}
	return nil
}

// namespaces are those in which the specs are counted.
func (c *counting) namespaces() ([]string, error) {
	var all []string
	for _, s := range c.Specs {
		planned, err := audience.Plan(c.reading.Frame, s)
		if err != nil {
			return nil, err
		}
		for _, n := range planned.Namespaces() {
			if !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	return all, nil
}

// share has the overlap of a pair counted.
func (c *counting) share(i int) {
	p := c.Pairs[i]
	at := slices.IndexFunc(c.overlaps, func(o overlap) bool { return o.a == p.A.Spec && o.b == p.B.Spec })
	if at < 0 {
		at = len(c.overlaps)
		c.overlaps = append(c.overlaps, overlap{a: p.A.Spec, b: p.B.Spec, spec: c.common(p)})
	}
	o := &c.overlaps[at]
	o.spec.Columns = append(o.spec.Columns, cut(c.column(p.A), c.column(p.B)))
	o.pairs = append(o.pairs, i)
	c.shared[i] = shared{at, len(o.spec.Columns)}
}

// within is an overlap in a namespace.
type within struct {
	overlap   int
	namespace string
}

// everyone counts, whether in a row or not, who is in both columns of the pairs of an overlap, in a namespace.
func (c *counting) everyone(at shared, namespace string) (*indexed, error) {
	key := within{at.overlap, namespace}
	if known := c.rowless[key]; known != nil {
		return known, nil
	}
	s := c.overlaps[at.overlap].spec
	s.Rows, s.Within, s.Measures = nil, namespace, audience.Squares
	tabs, err := c.reading.Tabulate(c.ctx, s)
	if err != nil {
		return nil, err
	}
	if c.rowless == nil {
		c.rowless = map[within]*indexed{}
	}
	c.rowless[key] = index(tabs[0], newMeeting)
	return c.rowless[key], nil
}

// common is the spec of a pair without its columns: the rows of both, within the bases of both.
func (c *counting) common(p Pair) audience.Spec {
	s := c.Specs[p.A.Spec]
	s.Columns = nil
	if p.A.Spec != p.B.Spec {
		s.Base = cut(s.Base, c.Specs[p.B.Spec].Base)
	}
	return s
}

func (c *counting) column(p Place) audience.Expr {
	if p.Column == 0 {
		return audience.Everyone{}
	}
	return c.Specs[p.Spec].Columns[p.Column-1]
}

func cut(a, b audience.Expr) audience.Expr {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return audience.Cut{a, b}
}

// mostMet is how many columns of either side are crossed at a time to see which have somebody in common.
const mostMet = 64

// meet notes which of the open pairs have somebody in common in a namespace.
func (c *counting) meet(open []int, namespace string, meeting []bool) error {
	type crossing struct {
		spec  audience.Spec
		a, b  []Place
		pairs []int
	}
	var all []*crossing
	known := map[[2]int]*crossing{} // the last of two specs
	for _, i := range open {
		p := c.Pairs[i]
		if fits, err := c.compatible(p, namespace); err != nil {
			return err
		} else if !fits {
			continue
		}
		key := [2]int{p.A.Spec, p.B.Spec}
		x := known[key]
		if x == nil || len(x.a) == mostMet || len(x.b) == mostMet {
			x = &crossing{spec: c.common(p)}
			x.spec.Rows, x.spec.Within = nil, namespace
			known[key] = x
			all = append(all, x)
		}
		if !slices.Contains(x.a, p.A) {
			x.a = append(x.a, p.A)
			x.spec.Rows = append(x.spec.Rows, c.column(p.A))
		}
		if !slices.Contains(x.b, p.B) {
			x.b = append(x.b, p.B)
			x.spec.Columns = append(x.spec.Columns, c.column(p.B))
		}
		x.pairs = append(x.pairs, i)
	}
	specs := make([]audience.Spec, len(all))
	for i, x := range all {
		specs[i] = x.spec
	}
	tabs, err := c.reading.Tabulate(c.ctx, specs...)
	if err != nil {
		return err
	}
	for i, x := range all {
		for _, pair := range x.pairs {
			p := c.Pairs[pair]
			cell := tabs[i].Cell(1+slices.Index(x.a, p.A), 1+slices.Index(x.b, p.B))
			meeting[pair] = meeting[pair] || cell.Both.Sample > 0 || cell.Withheld
		}
	}
	return nil
}

// compatible tells whether the columns of a pair can be crossed within a namespace.
func (c *counting) compatible(p Pair, namespace string) (bool, error) {
	s := c.common(p)
	s.Rows, s.Columns, s.Within = []audience.Expr{c.column(p.A)}, []audience.Expr{c.column(p.B)}, namespace
	err := s.Check(c.reading.Frame)
	var incompatible *audience.IncompatibleError
	if errors.As(err, &incompatible) {
		return false, nil
	}
	return err == nil, err
}

// apart tells whether two columns can be seen to have no one in common without counting: they are of different waves,
// or of different locations.
func (c *counting) apart(p Pair) bool {
	a, b := c.parts(p.A), c.parts(p.B)
	for _, x := range a {
		for _, y := range b {
			if differ(x, y) {
				return true
			}
		}
	}
	return false
}

// parts are what a column and its base must be, all of it.
func (c *counting) parts(p Place) (parts []audience.Expr) {
	open := []audience.Expr{c.column(p), c.Specs[p.Spec].Base}
	for len(open) > 0 {
		x := open[0]
		open = open[1:]
		switch x := x.(type) {
		case audience.Cut:
			open = append(open, x...)
		case audience.And:
			open = append(open, x...)
		default:
			parts = append(parts, x)
		}
	}
	return parts
}

// differ tells whether two leaves of waves, or two of locations, name nothing that is the same.
func differ(x, y audience.Expr) bool {
	var a, b []string
	switch x := x.(type) {
	case audience.Waves:
		y, same := y.(audience.Waves)
		if !same {
			return false
		}
		a, b = x.Codes, y.Codes
	case audience.Locations:
		y, same := y.(audience.Locations)
		if !same {
			return false
		}
		a, b = x.Codes, y.Codes
	}
	return len(a) > 0 && len(b) > 0 && !slices.ContainsFunc(a, func(code string) bool { return slices.Contains(b, code) })
}
