package kernel

import (
	"math"
	"slices"
)

// costs are what a kernel's work takes, in cycles of the CPU it was measured on.
// Only the proportions matter.
type costs struct {
	respondent, respondentGroup float32 // adding a respondent: to a panel, to each group in it
	list, listGroup             float32 // a list, whatever its length: per panel, per group
	transpose                   float32 // transposing a panel
	code, bin                   float32 // a respondent's code, and adding its weight to a bin
	plane, fold                 float32 // an option's word in the planes of a code, and making cells of a bin
	sample                      float32 // a word of an option in a count of respondents alone
	merge                       float32 // a group's sums, added to those of an option
}

// squares returns them for weights together with squares of so many limbs: a weight has two, and each is an addition.
func (c costs) squares(limbs int) costs {
	c.respondentGroup *= float32(2+limbs) / 2
	return c
}

// each returns what a respondent and a list take against so many groups of one
// panel.
func (c costs) each(groups int) (respondent, list float32) {
	g := float32(groups)
	return c.respondent + g*c.respondentGroup, c.list + g*c.listGroup
}

// price returns what it takes to list group g against the first reach groups of
// the other side.
func (a *side) price(k *Kernel, g, reach int) float32 {
	panels := float32((reach*k.group + lanes - 1) / lanes)
	c, p, r := &a.costs, a.groups[g], float32(reach)
	total := p.respondents*(panels*c.respondent+r*c.respondentGroup) + p.lists*(panels*c.list+r*c.listGroup)
	if g == len(a.groups)-1 {
		total += panels * c.transpose // the last group reaches farthest
	}
	return total
}

// divide decides which side lists which rectangles of options.
//
// The table is cut into rectangles of group × group options in the sides' order.
// Listing takes the more, the more respondents the listed options have, whoever
// they meet; so sparse options should list and dense ones be transposed. With
// both sides in falling order, each group lists a prefix of the other side's
// groups, its reach, which rises along the order: the border between the parts
// of the two sides is a staircase. The cheapest of all staircases is a shortest
// path: from the corner where both sides are at their dearest group, each step
// gives the next group of one side the reach that the other has come to.
//
// It returns the price of all lists.
//
// So the last group of few, sparse options mostly lists instead of being
// transposed: 50 × 50 options become 48 × 50 and, by two options, 2 × 50.
func (k *Kernel) divide(s *Scratch) float32 {
	rows, cols := &s.rows, &s.cols
	r, c := len(rows.groups), len(cols.groups)
	rows.reach = slices.Grow(rows.reach[:0], r)[:r]
	cols.reach = slices.Grow(cols.reach[:0], c)[:c]
	// path[i*(c+1)+j] is the cheapest path to where i groups of rows and j of
	// columns have their reach.
	path := slices.Grow(s.path[:0], (r+1)*(c+1))[:(r+1)*(c+1)]
	s.path = path
	path[0] = step{}
	for i := range r + 1 {
		for j := range c + 1 {
			byRow, byCol := float32(math.MaxFloat32), float32(math.MaxFloat32)
			if i > 0 {
				byRow = path[(i-1)*(c+1)+j].price + rows.price(k, i-1, j)
			}
			if j > 0 {
				byCol = path[i*(c+1)+j-1].price + cols.price(k, j-1, i)
			}
			if i+j > 0 {
				path[i*(c+1)+j] = step{min(byRow, byCol), byRow <= byCol}
			}
		}
	}
	for i, j := r, c; i+j > 0; {
		if i > 0 && (j == 0 || path[i*(c+1)+j].row) {
			i--
			rows.reach[i] = j
		} else {
			j--
			cols.reach[j] = i
		}
	}
	return path[len(path)-1].price
}

// A step is the last one on a path of divide, and the path's price.
type step struct {
	price float32
	row   bool
}
