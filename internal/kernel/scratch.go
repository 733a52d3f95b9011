package kernel

// A Scratch is the working memory of [Kernel.Tile], about 0.3 MB, and of [Kernel.Squares], up to 0.4 MB. The
// zero value is ready for use, by one goroutine at a time; reuse it from block to block. It carries no result from one
// call to the next.
type Scratch struct {
	transposed [blockSize]uint64         // one panel of options, per respondent
	indices    [blockSize + lanes]uint16 // one listed option's respondents
	sums       sums                      // what add returns
	margin     sums                      // the mask itself against the panel
	temp       [lanes * 8]uint64         // what transpose needs
	table      twinTable
	//lint:ignore U1000 it is used on ARM
	part part // what the processor's kernels need

	// The call's arguments.
	mask      []uint64
	weights   []Packed // nil until pack, if they are given as small
	small     []uint32
	bits      int   // as Weights has them
	uncounted bool  // in SquaresOnly: counts are of no use
	equal     int64 // the weight of all respondents under the mask, in Equal; else 0
	touched   Packed

	rows, cols side
	path       []step
	views      [lanes][]uint64    // the panel's bitmaps, in the side's order
	empty      [BlockWords]uint64 // stays zero

	codes  [blockSize]uint16             // of two sides, per respondent
	coded  [codeBits][]uint64            // the bitmaps that they are made of
	large  bool                          // whether there have been weights that bins can't add up for a whole block
	bins   [maxBins]uint64               // what binning counts in
	row    [maxBins]uint64               // sums of a row's columns
	planes [maxPlanes][BlockWords]uint64 // the bits of its codes that are not of one option alone

	packed [blockSize]Packed // the weights, if they are given as small

	found [BlockWords]int32 // how many respondents some options have, in Equal

	// What listing.combine works with: the respondents at each level, the options
	// that have been chosen above, and all options' sums.
	inside      [maxSets][BlockWords]uint64
	combination [maxSets]int
	totals      [maxOptions]sums

	made        [maxLayers]*layer // when they are first wanted
	layers      []*layer          // of the call: none in Tile
	squareLimbs int               // of 24 bits, in the layers
	factor      uint64            // what the layers' squares are to be multiplied by
	divided     [blockSize]Packed // the weights, divided by its root
	root        root              // by which bins count squares without layers
}

// take takes the call's arguments.
func (s *Scratch) take(mask []uint64, weights Weights) {
	s.mask, s.weights, s.small, s.bits = mask, weights.Packed, weights.Small, weights.Bits
	if s.small != nil {
		s.weights = nil
	}
}

// pack makes the call's weights, which are given as small.
func (s *Scratch) pack(k *Kernel) {
	s.weights = s.packed[:64*len(s.mask)]
	k.pack(s.weights, s.small)
}

// release lets go of the call's arguments.
func (s *Scratch) release() {
	s.mask, s.weights, s.small, s.rows.xs, s.cols.xs = nil, nil, nil, nil, nil
	s.layers, s.root = nil, root{}
	clear(s.views[:])
	clear(s.coded[:])
}

// add sets s.sums as k.add does for the call's weights, and those of the layers likewise, if there are any.
func (s *Scratch) add(k *Kernel, x, mask []uint64, flip uint64, groups int) int {
	if len(s.layers) > 0 {
		return k.layered(s, x, mask, flip, groups)
	}
	return k.add(s, x, mask, flip, s.weights, groups)
}

// view sets and returns s.views as transpose wants them: the options in their
// places, and after them empty ones up to a multiple of 16.
func (s *Scratch) view(xs [][]uint64, options []place, words int) [][]uint64 {
	n := (len(options) + 15) &^ 15
	for i := range n {
		if i < len(options) {
			s.views[i] = xs[options[i].option]
		} else {
			s.views[i] = s.empty[:words]
		}
	}
	return s.views[:n]
}

// sums are the results of one list against one transposed panel.
type sums struct {
	sample [lanes]int64
	weight [lanes]int64
}

func (s *sums) clear(options int) {
	clear(s.sample[:options])
	clear(s.weight[:options])
}

// complement replaces the first n sums by what they leave of the margin.
func (s *sums) complement(margin *sums, n int) {
	for i := range n {
		s.sample[i] = margin.sample[i] - s.sample[i]
		s.weight[i] = margin.weight[i] - s.weight[i]
	}
}
