package audience

// Floor is how many respondents a figure must tell of for the caller to be told it; 0 is no floor.
func (f *Frame) Floor() int64 { return f.floor }

// TooFew tells whether any of some parts of the respondents is one that the caller may not be told of: it has somebody,
// and fewer than the floor. Parts of nobody are none of them, or next to nothing could be told: a wave's own column
// leaves nobody of the base, two answers to a question with one answer have nobody in common.
func (f *Frame) TooFew(samples ...int64) bool {
	for _, n := range samples {
		if n > 0 && n < f.floor {
			return true
		}
	}
	return false
}

// withholds is the rule of the floor, all of it. A cell tells of its base, its row and its column, each of which must
// reach the floor; and of what they leave of each other, as whoever knows three of the four figures of a cell can take
// one from another. Row and column cut the base into four parts. All that sums and differences of the four figures can
// come to is one of these parts or several together, so that no part of 1 to floor - 1 respondents can be formed of a
// cell that is told.
func (f *Frame) withholds(c *Cell) bool {
	if f.floor <= 0 || c.Cover.Empty() {
		return false
	}
	base, row, column, both := c.Base.Sample, c.Row.Sample, c.Column.Sample, c.Both.Sample
	return min(base, row, column) < f.floor ||
		f.TooFew(both, row-both, column-both, base-row-column+both, base-row, base-column)
}
