package kernel

import (
	"math"
	"slices"
)

// A side is one side of a block's table: its options, in the order and in the
// bundles in which they are best listed.
type side struct {
	xs   [][]uint64
	bits []int32 // respondents under the mask, per option
	flip bool    // options above half of the mask are listed by their complement
	mask int32   // respondents under the mask

	costs costs // of the call

	free    [BlockWords]uint64 // respondents outside the set that is being found
	inside  [1]int32           // of an option, respondents in free
	members []int32            // options with respondents, ascending
	sets    []set              // ranges of members
	ranked  []int32            // sets, the largest first
	bundles []bundle           // ranges of ranked sets
	dearest []int32            // bundles, those with the dearest options first

	fields []field // of its codes, if it has any
	codes  []code

	order  []place // options with respondents, those dearest to list first
	groups []price // per group of order
	reach  []int   // per group of order, how many groups of the other side it lists
}

// A set is a run of options that exclude each other under the mask, like those
// of a single-choice question, or one option by itself.
type set struct {
	first, len int32 // in members
	size       int32 // respondents to list for all of them
}

// A bundle is some sets that are listed together: each combination of their
// options for itself. A respondent is then listed once, not once for each set,
// for the price of more lists.
type bundle struct {
	first, len int32 // in ranked sets
	price      price
	options    int32
}

// A price is what listing takes against any number of groups: how many
// respondents are listed, and in how many lists.
type price struct{ respondents, lists float32 }

// A place is an option's in the order of its side.
type place struct {
	option      int32
	bundle, set int32 // equal numbers are adjacent
}

// load counts the options' respondents, and finds the sets.
func (a *side) load(k *Kernel, xs [][]uint64, mask []uint64, m int) {
	a.xs, a.mask = xs, int32(m)
	a.bits = slices.Grow(a.bits[:0], len(xs))[:len(xs)]
	k.count(a.bits, xs, mask)
	// Complements need the margin: the mask listed as one more option. It pays if
	// they save more than that.
	saved := 0
	for _, b := range a.bits {
		saved += max(0, 2*int(b)-m)
	}
	a.flip = saved > m
	a.find(k, mask)
}

// prepare, at the given costs, bundles and orders the options for listing against up to the given number of groups of
// the other side.
func (a *side) prepare(k *Kernel, c costs, groups int) {
	a.costs = c
	a.join(min(groups, lanes/k.group))
	a.arrange(k)
}

// largest is how many respondents the largest set has.
func (a *side) largest() (most int32) {
	for _, x := range a.sets {
		most = max(most, x.size)
	}
	return most
}

// flipped reports whether option i is listed by its complement.
func (a *side) flipped(i int32) bool { return a.flip && 2*a.bits[i] > a.mask }

// flips returns the bits to be changed in option i's bitmap to list it.
func (a *side) flips(i int32) uint64 {
	if a.flipped(i) {
		return math.MaxUint64
	}
	return 0
}

// find finds the sets.
func (a *side) find(k *Kernel, mask []uint64) {
	a.members, a.sets = a.members[:0], a.sets[:0]
	for i, n := range a.bits {
		if n == 0 {
			continue
		}
		i := int32(i)
		switch {
		case a.flipped(i):
			a.sets = append(a.sets, set{int32(len(a.members)), 1, a.mask - n})
		case a.extends(k, i, mask):
			last := &a.sets[len(a.sets)-1]
			last.len++
			last.size += n
		default:
			a.sets = append(a.sets, set{int32(len(a.members)), 1, n})
		}
		a.members = append(a.members, i)
	}
}

// extends reports whether option i excludes those of the last set.
func (a *side) extends(k *Kernel, i int32, mask []uint64) bool {
	if len(a.sets) == 0 {
		return false
	}
	last := a.sets[len(a.sets)-1]
	before := a.members[len(a.members)-1]
	if a.flipped(before) || last.size+a.bits[i] > a.mask {
		return false
	}
	x, y := a.xs[i], a.xs[before]
	for w := range min(4, len(mask)) { // most that overlap do so here
		if x[w]&y[w]&mask[w] != 0 {
			return false
		}
	}
	free := a.free[:len(mask)]
	if last.len == 1 {
		k.meet(free, mask, y, math.MaxUint64)
	} else {
		k.meet(free, free, y, math.MaxUint64)
	}
	k.count(a.inside[:], a.xs[i:i+1], free)
	return a.inside[0] == a.bits[i]
}

// The bounds of a bundle: sets, options and combinations.
const (
	maxSets         = 6
	maxOptions      = 32
	maxCombinations = 256
)

// join makes bundles of the sets, the largest first: a set joins the bundle
// before it if both together are expected to be cheaper. How many respondents
// they have in common is estimated as if the sets were independent. The sums of a combination are merged with those of
// each option in it, which is counted as part of a list.
func (a *side) join(groups int) {
	respondent, list := a.costs.each(groups)
	merge := float32(groups) * a.costs.merge / list
	a.ranked = rank(a.ranked, len(a.sets), func(i int) int32 { return a.sets[i].size })
	a.bundles = a.bundles[:0]
	m := float32(a.mask)
	var outside float32 // share of the mask that is in none of the bundle's sets
	var combinations float32
	for i, j := range a.ranked {
		s := a.sets[j]
		size, options := float32(s.size), float32(s.len)
		alone := price{size, options}
		if s.size < a.mask {
			options++ // none of them is a combination, too
		}
		if n := len(a.bundles); n > 0 {
			b := &a.bundles[n-1]
			lists := combinations*options - 1
			both := price{m * (1 - outside*(1-size/m)), lists * (1 + float32(b.len+1)*merge)}
			saved := respondent*(b.price.respondents+alone.respondents-both.respondents) -
				list*(both.lists-b.price.lists-alone.lists)
			if saved > 0 && b.len < maxSets && b.options+s.len <= maxOptions && lists < maxCombinations {
				b.len++
				b.options += s.len
				b.price = both
				outside *= 1 - size/m
				combinations *= options
				continue
			}
		}
		a.bundles = append(a.bundles, bundle{int32(i), 1, alone, s.len})
		outside, combinations = 1-size/m, options
	}
}

// arrange orders the options by falling price, but keeps bundles and sets
// together, and prices the groups: an option's price is its share in that of its
// bundle.
func (a *side) arrange(k *Kernel) {
	a.order = a.order[:0]
	n := (len(a.members) + k.group - 1) / k.group
	a.groups = slices.Grow(a.groups[:0], n)[:n]
	clear(a.groups)
	sets := int32(0)
	a.dearest = rank(a.dearest, len(a.bundles), func(i int) int32 {
		return int32(a.bundles[i].price.respondents) / a.bundles[i].options
	})
	for _, j := range a.dearest {
		b := a.bundles[j]
		for _, i := range a.ranked[b.first : b.first+b.len] {
			s := a.sets[i]
			for _, o := range a.members[s.first : s.first+s.len] {
				g := &a.groups[len(a.order)/k.group]
				g.respondents += b.price.respondents / float32(b.options)
				g.lists += b.price.lists / float32(b.options)
				a.order = append(a.order, place{o, j, sets})
			}
			sets++
		}
	}
}

// rank returns the numbers from 0 to n-1, those of the greatest sizes first, in
// dst's memory. Sizes, up to a block's, are compared by their leading bits: a
// bucket sort is much cheaper here than an exact one, and as good.
func rank(dst []int32, n int, size func(i int) int32) []int32 {
	const buckets = 64
	var start [buckets + 1]int32
	bucket := func(i int) int32 { return buckets - 1 - size(i)/(blockSize/buckets+1) }
	for i := range n {
		start[bucket(i)+1]++
	}
	for b := range buckets {
		start[b+1] += start[b]
	}
	dst = slices.Grow(dst[:0], n)[:n]
	for i := range n {
		b := bucket(i)
		dst[start[b]] = int32(i)
		start[b]++
	}
	return dst
}
