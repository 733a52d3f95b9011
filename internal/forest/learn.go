package forest

import (
	"math"
	"slices"
)

// Example is something that is known to be so, or not.
type Example struct {
	Clues  []float64 // as many in all examples
	Is     bool
	Weight float64 // 0: 1
}

// Options are how a forest is grown. The zero value grows a usual one.
type Options struct {
	Trees  int     // 0: 200
	Ends   int     // of a tree; 0: 12
	Pace   float64 // how far each tree goes of the way that it found; 0: 0.07
	Least  int     // examples of an end; 0: 15
	Weight float64 // of the doubt that each end begins with, in examples; 0: 1
}

// mostBins is how many places a clue may be cut at.
const mostBins = 48

// Learn grows a forest on examples. Those of which every clue is the same cannot be told apart.
func Learn(examples []Example, o Options) *Forest {
	orElse(&o.Trees, 200)
	orElse(&o.Ends, 12)
	orElse(&o.Pace, 0.07)
	orElse(&o.Least, 15)
	orElse(&o.Weight, 1)
	if len(examples) == 0 {
		return &Forest{}
	}
	l := &learner{Options: o, weights: make([]float64, len(examples)), is: make([]float64, len(examples))}
	so, all := 0.0, 0.0
	for i := range examples {
		e := &examples[i]
		l.weights[i] = e.Weight
		orElse(&l.weights[i], 1)
		all += l.weights[i]
		if e.Is {
			l.is[i] = 1
			so += l.weights[i]
		}
	}
	l.bin(examples)
	f := &Forest{start: rounded(math.Log((so + 0.5) / (all - so + 0.5)))}
	l.points = slices.Repeat([]float64{f.start}, len(examples))
	l.slopes, l.bends = make([]float64, len(examples)), make([]float64, len(examples))
	for range o.Trees {
		f.trees = append(f.trees, l.grow())
	}
	return f
}

func orElse[T int | float64](value *T, usual T) {
	if *value == 0 {
		*value = usual
	}
}

// learner is a forest that is being grown.
type learner struct {
	Options
	weights, is   []float64
	points        []float64   // of each example, by the trees so far
	slopes, bends []float64   // the first and second derivatives of what is lost by the points of each example
	bins          [][]uint8   // of each clue: the bin of each example
	cuts          [][]float64 // of each clue: where one bin ends and the next begins
}

// bin puts the values of each clue into bins with about as many examples each.
func (l *learner) bin(examples []Example) {
	for clue := range examples[0].Clues {
		values := make([]float64, len(examples))
		for i := range examples {
			values[i] = examples[i].Clues[clue]
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		var cuts []float64
		different := slices.Compact(slices.Clone(sorted))
		for k := 1; k < len(different); k++ {
			if len(different) <= mostBins {
				cuts = append(cuts, (different[k-1]+different[k])/2)
			}
		}
		for k := 1; k < mostBins && len(different) > mostBins; k++ {
			at := sorted[k*len(sorted)/mostBins]
			if len(cuts) == 0 || at > cuts[len(cuts)-1] {
				cuts = append(cuts, at)
			}
		}
		for k := range cuts {
			cuts[k] = rounded(cuts[k])
		}
		cuts = slices.Compact(cuts)
		bins := make([]uint8, len(values))
		for i, v := range values {
			at, exactly := slices.BinarySearch(cuts, v)
			if exactly {
				at++ // what is no less than a cut is behind it
			}
			bins[i] = uint8(at)
		}
		l.cuts, l.bins = append(l.cuts, cuts), append(l.bins, bins)
	}
}

// rounded is a number with few digits, as it is written.
func rounded(f float64) float64 {
	const steps = 1 << 13
	return math.Round(f*steps) / steps
}

// end is an end of a tree that is being grown, and how it may be divided best.
type end struct {
	examples []int
	node     int // in the tree: the clue and its cut if it was divided
	slope    float64
	bend     float64
	gain     float64
	clue     int
	cut      int
}

// branch is a node of a tree that is being grown.
type branch struct {
	clue, cut   int
	below, rest int     // branches
	points      float64 // of an end
}

// grow grows a tree on what the trees so far leave, and adds its points to those of the examples.
func (l *learner) grow() []node {
	all := make([]int, len(l.points))
	for i, p := range l.points {
		p = Likely(p)
		all[i] = i
		l.slopes[i], l.bends[i] = l.weights[i]*(p-l.is[i]), l.weights[i]*p*(1-p)
	}
	ends := []*end{l.end(all, 0)}
	branches := []branch{{clue: -1}}
	for len(ends) < l.Ends {
		at := 0
		for i, e := range ends {
			if e.gain > ends[at].gain {
				at = i
			}
		}
		e := ends[at]
		if e.gain <= 0 {
			break
		}
		var below, rest []int
		for _, i := range e.examples {
			if int(l.bins[e.clue][i]) <= e.cut {
				below = append(below, i)
			} else {
				rest = append(rest, i)
			}
		}
		branches[e.node] = branch{clue: e.clue, cut: e.cut, below: len(branches), rest: len(branches) + 1}
		branches = append(branches, branch{clue: -1}, branch{clue: -1})
		ends[at] = l.end(below, len(branches)-2)
		ends = append(ends, l.end(rest, len(branches)-1))
	}
	for _, e := range ends {
		points := rounded(-l.Pace * e.slope / (e.bend + l.Weight))
		branches[e.node].points = points
		for _, i := range e.examples {
			l.points[i] += points
		}
	}
	return l.tree(nil, branches, 0)
}

// tree writes a branch and those that follow it in the order of a Forest.
func (l *learner) tree(nodes []node, branches []branch, at int) []node {
	b := branches[at]
	if b.clue < 0 {
		return append(nodes, node{clue: -1, points: b.points})
	}
	here := len(nodes)
	nodes = append(nodes, node{clue: b.clue, below: l.cuts[b.clue][b.cut]})
	nodes = l.tree(nodes, branches, b.below)
	nodes[here].rest = len(nodes)
	return l.tree(nodes, branches, b.rest)
}

// end finds out how examples may be divided best.
func (l *learner) end(examples []int, node int) *end {
	e := &end{examples: examples, node: node}
	for _, i := range examples {
		e.slope += l.slopes[i]
		e.bend += l.bends[i]
	}
	if len(examples) < 2*l.Least {
		return e
	}
	whole := e.slope * e.slope / (e.bend + l.Weight)
	for clue, cuts := range l.cuts {
		var slopes, bends [mostBins + 1]float64
		var counts [mostBins + 1]int
		bins := l.bins[clue]
		for _, i := range examples {
			bin := bins[i]
			slopes[bin] += l.slopes[i]
			bends[bin] += l.bends[i]
			counts[bin]++
		}
		slope, bend, count := 0.0, 0.0, 0
		for cut := range cuts {
			slope += slopes[cut]
			bend += bends[cut]
			count += counts[cut]
			if count < l.Least || len(examples)-count < l.Least {
				continue
			}
			rest := e.slope - slope
			gain := slope*slope/(bend+l.Weight) + rest*rest/(e.bend-bend+l.Weight) - whole
			if gain > e.gain+1e-9 {
				e.gain, e.clue, e.cut = gain, clue, cut
			}
		}
	}
	return e
}
