package kernel

import (
	"math"
	"time"
)

// Calibrated returns the kernel with the costs that its work has on this machine, now. It takes some milliseconds. What
// is counted does not depend on costs, but which way it is counted does, and so how long that takes.
//
// Costs were found by counting tables, of which the parts that are tried here are most, but not all. So a part's cost
// is changed by how much longer or shorter it takes here than it took on a machine where they are right, beside what
// adding takes; and it stays as it is where that is little, as one try is like another only within so much.
func (k *Kernel) Calibrated() *Kernel {
	out := *k
	if k.tried != (costs{}) {
		out.costs = k.costs.changed(k.tried, newCalibration(k).try())
	}
	out.lookUp = k.fasterLookUp()
	return &out
}

// calibration is a block to try a kernel on.
type calibration struct {
	k       *Kernel
	s       *Scratch
	weights []Packed
	options [][]uint64 // a panel of them, one of four respondents in each
	sparse  []uint64   // one of 256
	all     []uint64
	bins    []uint64
}

func newCalibration(k *Kernel) *calibration {
	c := &calibration{k: k, s: new(Scratch), weights: make([]Packed, blockSize), bins: make([]uint64, 1<<nearBits),
		sparse: make([]uint64, BlockWords), all: make([]uint64, BlockWords)}
	random := uint64(1) // as good as any
	next := func() uint64 {
		random ^= random << 13
		random ^= random >> 7
		random ^= random << 17
		return random
	}
	for range lanes {
		x := make([]uint64, BlockWords)
		for i := range x {
			half := next()
			x[i] = half & next()
		}
		c.options = append(c.options, x)
	}
	for i := range c.all {
		c.all[i] = math.MaxUint64
		if c.sparse[i] = 0; i%4 == 0 {
			c.sparse[i] = 1 << (next() % 64)
		}
	}
	for i := range c.weights {
		c.weights[i] = PackOne(int64(next()>>28) + 1)
		c.s.codes[i] = uint16(next() % uint64(len(c.bins)))
	}
	c.s.mask = c.all
	return c
}

// took is the least time of a few that something takes, in nanoseconds. It takes at least a few microseconds, so that
// the clock is fine enough.
func took(f func()) float32 {
	best := time.Duration(math.MaxInt64)
	for range 6 {
		began := time.Now()
		f()
		best = min(best, time.Since(began))
	}
	return float32(best.Nanoseconds())
}

// try returns what parts of the kernel's work take, in nanoseconds; 0 is one that is not tried.
func (c *calibration) try() (out costs) {
	k, s, groups := c.k, c.s, lanes/c.k.group
	out.transpose = took(func() { k.transpose(s, c.options, BlockWords) })
	out.sample = took(func() { k.count(s.found[:lanes], c.options, c.all) }) / (lanes * BlockWords)

	// A list takes so much by itself and so much a respondent, each by itself and for each group. Putting its sums into
	// cells is part of it.
	const times = 8
	to, panel := target{make([]Count, lanes), nil, 0, 1}, make([]place, lanes)
	for i := range panel {
		panel[i].option = int32(i)
	}
	list := func(x []uint64, groups int) float32 {
		return took(func() {
			for range times {
				k.add(s, x, c.all, 0, c.weights, groups)
				to.put(&s.sums, 0, panel[:groups*k.group])
			}
		}) / times
	}
	dense, sparse := float32(PopCount(c.options[0])), float32(PopCount(c.sparse))
	one, many := list(c.sparse, 1), list(c.sparse, groups)
	byOne := (list(c.options[0], 1) - one) / (dense - sparse)
	byMany := (list(c.options[0], groups) - many) / (dense - sparse)
	out.respondentGroup = (byMany - byOne) / float32(groups-1)
	out.respondent = byOne - out.respondentGroup
	one, many = one-sparse*byOne, many-sparse*byMany
	out.listGroup = (many - one) / float32(groups-1)
	out.list = one - out.listGroup

	merge := func() {
		for range 10 * times {
			k.merge(&s.totals[0], &s.sums, groups)
		}
	}
	out.merge = took(merge) / float32(10*times*groups)
	out.bin = took(func() { k.bin(s, c.bins, c.weights, 0, BlockWords, 1<<countFrom) }) / blockSize
	views := (*[codeBits][]uint64)(c.options)
	out.code = took(func() { k.encode(s, views, BlockWords) }) / blockSize
	return out
}

// little is by which factor what a part takes may differ from what was expected without any change, and much by which
// one it can change a cost: a try that was disturbed must not turn what is dear into what costs nothing.
const (
	little = 1.4
	much   = 4
)

// changed returns the costs where parts take what was tried here, which took what was tried there on a machine where
// the costs are right.
func (c costs) changed(there, here costs) costs {
	const several = 4 // groups of a table, mostly
	unit := (here.respondent + several*here.respondentGroup) / (there.respondent + several*there.respondentGroup)
	change := func(cost *float32, there, here float32) {
		by := here / (there * unit)
		if !(by > 1/little && by < little) {
			*cost *= min(max(by, 1.0/much), much)
		}
	}
	change(&c.respondent, there.respondent, here.respondent)
	change(&c.respondentGroup, there.respondentGroup, here.respondentGroup)
	thereList, hereList := there.list+several*there.listGroup, here.list+several*here.listGroup
	change(&c.list, thereList, hereList)
	change(&c.listGroup, thereList, hereList)
	change(&c.transpose, there.transpose, here.transpose)
	change(&c.code, there.code, here.code)
	change(&c.bin, there.bin, here.bin)
	change(&c.sample, there.sample, here.sample)
	change(&c.merge, there.merge, here.merge)
	return c
}
