package kernel

// Tile adds to acc[i*stride+j] the respondents in rows[i] ∧ cols[j] ∧ mask and
// the sum of their weights.
//
// All bitmaps have the same length of at most [BlockWords] words. Any number of rows and columns will do; none is fine.
// Slices that do not fit together make Tile panic, as an index out of range does.
// The call takes no locks and keeps none of its arguments.
//
// Tile chooses its method anew for every block, from the block's popcounts:
//   - one or a few cells are counted by AND, popcount and a walk over the bits;
//   - an option without respondents under the mask is left out;
//   - of every rectangle of options the cheaper side is listed, see divide;
//   - options of several questions are listed together, see bundle;
//   - a listed option that has more than half of the mask is counted by its
//     complement: the margin of the transposed options less those outside it.
func (k *Kernel) Tile(s *Scratch, acc []Count, stride int, rows, cols [][]uint64, mask []uint64, weights Weights) {
	check(acc, stride, rows, cols, mask, weights)
	if len(rows) == 0 || len(cols) == 0 || len(mask) == 0 {
		return
	}
	if len(rows)*len(cols) <= fewCells {
		for i, row := range rows {
			for j, col := range cols {
				c := k.one(row, col, mask, weights)
				acc[i*stride+j].Sample += c.Sample
				acc[i*stride+j].Weight += c.Weight
			}
		}
		return
	}
	k.tile(s, acc, nil, stride, rows, cols, mask, weights)
}

// one counts one cell.
func (k *Kernel) one(row, col, mask []uint64, weights Weights) Count {
	if weights.Small != nil {
		return k.cellSmall(row, col, mask, weights.Small)
	}
	return k.cell(row, col, mask, weights.Packed)
}

// tile counts a table of more than a few cells; also the squares of the weights, if they are wanted.
func (k *Kernel) tile(s *Scratch, acc []Count, squares []Square, stride int, rows, cols [][]uint64, mask []uint64,
	weights Weights) {
	m := PopCount(mask)
	if m == 0 {
		return
	}
	s.take(mask, weights)
	s.rows.load(k, rows, mask, m)
	s.cols.load(k, cols, mask, m)
	if len(s.rows.members) == 0 || len(s.cols.members) == 0 {
		s.release()
		return
	}
	c := k.costs
	if squares != nil {
		s.takeSquares(k)
		c = c.squares(s.squareLimbs)
	}
	b, samples := k.bins(s, target{acc, squares, stride, 1}), k.samplesPrice(s)
	if least := min(b.price, samples); least > k.leastLists(s, c) {
		s.rows.prepare(k, c, (len(cols)+k.group-1)/k.group)
		s.cols.prepare(k, c, (len(rows)+k.group-1)/k.group)
		if least > k.divide(s) {
			k.lists(s, target{acc, squares, stride, 1}, target{acc, squares, 1, stride})
			return
		}
	}
	if samples < b.price {
		k.bySamples(s, target{acc, squares, stride, 1})
	} else {
		b.count()
	}
	s.release()
}

// leastLists is about what lists take at least, which is known without a division.
func (k *Kernel) leastLists(s *Scratch, c costs) float32 {
	return float32(min(s.rows.largest(), s.cols.largest()))*(c.respondent+c.respondentGroup) + c.transpose
}

// lists counts the block by lists, as it is divided: rows listed, then columns.
func (k *Kernel) lists(s *Scratch, byRow, byCol target) {
	switch {
	case byRow.squares != nil && s.layers == nil:
		s.square(k)
	case s.weights == nil:
		s.pack(k)
	case byRow.squares == nil: // else it was done with the squares
		s.touched = touch(s.weights[:64*len(s.mask)])
	}
	k.pass(s, &s.rows, &s.cols, byRow)
	k.pass(s, &s.cols, &s.rows, byCol)
	s.release()
}

// fewCells is the number of cells up to which each is counted for itself.
const fewCells = 4

// touch reads one weight of every cache line: in order, as memory likes it. Lists
// then find them in the cache.
func touch(ws []Packed) Packed {
	var a, b, c, d Packed
	for ; len(ws) >= 32; ws = ws[32:] {
		a, b, c, d = a+ws[0], b+ws[8], c+ws[16], d+ws[24]
	}
	return a + b + c + d
}

// A target is where a pass puts its sums: option a of the listed side against
// option b of the transposed one is acc[a*list+b*transposed].
type target struct {
	acc              []Count
	squares          []Square // nil unless they are wanted
	list, transposed int
}

// put adds a listed option's sums to the cells of the transposed options.
func (t target) put(s *sums, option int32, transposed []place) {
	acc := t.acc[int(option)*t.list:]
	for i, p := range transposed {
		c := &acc[int(p.option)*t.transposed]
		c.Sample += s.sample[i%lanes]
		c.Weight += s.weight[i%lanes]
	}
}

// pass lists the options of a against those of b that its reach covers, a panel
// of b at a time.
func (k *Kernel) pass(s *Scratch, a, b *side, t target) {
	if len(a.reach) == 0 {
		return
	}
	most := a.reach[len(a.reach)-1]
	for first := 0; first < most; first += lanes / k.group {
		panel := b.order[first*k.group : min(len(b.order), most*k.group, first*k.group+lanes)]
		k.transpose(s, s.view(b.xs, panel, len(s.mask)), len(s.mask))
		if a.flip {
			s.add(k, s.mask, s.mask, 0, (len(panel)+k.group-1)/k.group)
			s.margin = s.sums
			for _, y := range s.layers {
				y.margin = y.sums
			}
		}
		for i := 0; i < len(a.order); {
			groups := min(a.reach[i/k.group]-first, lanes/k.group)
			end := i + 1
			for end < len(a.order) && a.order[end].bundle == a.order[i].bundle &&
				min(a.reach[end/k.group]-first, lanes/k.group) == groups {
				end++
			}
			if groups > 0 {
				l := listing{k, s, a, t, panel[:min(len(panel), groups*k.group)], groups, i}
				l.list(end)
			}
			i = end
		}
	}
}

// A listing is some options of one bundle against a panel.
type listing struct {
	k      *Kernel
	s      *Scratch
	a      *side
	t      target
	panel  []place
	groups int // of the panel
	first  int // of the options, in a.order
}

// list lists the options from l.first to end.
func (l *listing) list(end int) {
	order, s := l.a.order, l.s
	last := order[end-1].set
	if order[l.first].set == last {
		for i := l.first; i < end; i++ {
			o := order[i].option
			s.add(l.k, l.a.xs[o], s.mask, l.a.flips(o), l.groups)
			l.finish(&s.sums, latest, o)
		}
		return
	}
	for i := range end - l.first {
		s.totals[i].clear(l.groups * l.k.group)
		for _, y := range s.layers {
			y.totals[i].clear(l.groups * l.k.group)
		}
	}
	l.combine(l.first, end, s.mask, int(l.a.mask), 0, 0)
	for i := l.first; i < end; i++ {
		l.finish(&s.totals[i-l.first], i-l.first, order[i].option)
	}
}

// combine lists the n respondents of x by the combinations of the options from
// first to end, of which each set is one level. Their sums go to the totals of
// the options in the combination: those in s.combination, one for each level
// above, and one of each set from here on or none.
func (l *listing) combine(first, end int, x []uint64, n, level, chosen int) {
	k, s, order := l.k, l.s, l.a.order
	if first == end {
		if chosen > 0 && s.add(k, x, x, 0, l.groups) > 0 {
			l.total(chosen)
		}
		return
	}
	next := first + 1
	for next < end && order[next].set == order[first].set {
		next++
	}
	in := s.inside[level][:len(s.mask)]
	for i := first; i < next; i++ {
		o := order[i].option
		s.combination[chosen] = i - l.first
		if next == end {
			if c := s.add(k, l.a.xs[o], x, l.a.flips(o), l.groups); c > 0 {
				l.total(chosen + 1)
				n -= c
			}
		} else if c := k.meet(in, x, l.a.xs[o], l.a.flips(o)); c > 0 {
			l.combine(next, end, in, c, level+1, chosen+1)
			n -= c
		}
	}
	if n == 0 || next == end && chosen == 0 {
		return
	}
	// The others, in none of the set. in is free again.
	for i := first; i < next; i++ {
		o := order[i].option
		k.meet(in, x, l.a.xs[o], ^l.a.flips(o))
		x = in
	}
	l.combine(next, end, x, n, level+1, chosen)
}

// total adds the sums to the totals of the chosen options.
func (l *listing) total(chosen int) {
	for _, i := range l.s.combination[:chosen] {
		l.k.merge(&l.s.totals[i], &l.s.sums, l.groups)
		for _, y := range l.s.layers {
			l.k.merge(&y.totals[i], &y.sums, l.groups)
		}
	}
}

// latest stands for the sums that add has made last, where others are totals.
const latest = -1

// finish puts a listed option's sums where they belong: those of the layers, too, which are the totals of that number,
// or the latest.
func (l *listing) finish(sums *sums, total int, option int32) {
	flipped := l.a.flipped(option)
	if flipped {
		sums.complement(&l.s.margin, len(l.panel))
	}
	if len(l.s.layers) == 0 {
		l.t.put(sums, option, l.panel)
		return
	}
	if flipped {
		for _, y := range l.s.layers {
			y.of(total).complement(&y.margin, len(l.panel))
		}
	}
	l.putSquares(sums, total, option)
}
