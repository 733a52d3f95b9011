package stats

import (
	"cmp"
	"math"
	"slices"

	"github.com/crosswave/crosswave/audience/estimate"
)

// standing is where an attribute stands in a ranking.
type standing struct {
	row       int
	first     float64 // what is ranked by
	then      float64 // what ties go by
	direction int     // the index is above 100, 1, or below, -1, or neither
}

// rank puts those attributes in order that were measured and are in the direction that was asked for, and cuts them to
// Offset and Limit.
func (r *ProfileResult) rank() {
	var all []standing
	for i := range r.plan.attributes {
		c := r.contrasts.Row(i)
		if c.Cell.Cover.Empty() {
			continue
		}
		s := stand(c, r.query.OrderBy)
		s.row = i
		switch d := r.query.Direction; {
		case d == Over && s.direction <= 0, d == Under && s.direction >= 0:
			continue
		}
		all = append(all, s)
	}
	slices.SortFunc(all, func(a, b standing) int {
		return cmp.Or(cmp.Compare(b.first, a.first), cmp.Compare(b.then, a.then), cmp.Compare(a.row, b.row))
	})
	r.Ranked = len(all)
	all = all[min(r.query.Offset, len(all)):]
	if r.query.Limit > 0 {
		all = all[:min(r.query.Limit, len(all))]
	}
	r.order = make([]int, len(all))
	for i, s := range all {
		r.order[i] = s.row
	}
}

// stand is where an attribute stands by an order.
func stand(c *estimate.Contrast, by ProfileOrder) (s standing) {
	m := metrics(&c.Cell)
	if c.Cell.Row.Size > 0 && c.Cell.Column.Size > 0 { // else there is no index
		s.direction = cmp.Compare(m.AudienceIndex, 100)
		s.then = distance(m.AudienceIndex)
	}
	switch by {
	case ByIndex:
		s.first = s.then
	case ByDifference:
		s.first = math.Abs(c.Difference)
	default:
		if i := c.Index; i != nil && (i.Low > 100 || i.High < 100) {
			s.first = min(distance(i.Low), distance(i.High))
		}
	}
	return s
}

// distance is how far an index is from 100: 50 as far as 200, and 0 farther than any other.
func distance(index float64) float64 { return math.Abs(math.Log(index / 100)) }
