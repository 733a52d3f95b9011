package storetest

import "github.com/crosswave/crosswave/audience"

// Withheld tells whether a floor, in respondents, keeps the figures of a cell that was measured from being told: where
// the base, the row or the column is below it, or any audience is, but for those of nobody, that is made of the four
// parts into which row and column cut the base. All that can be said with base, row and column is one of these.
func Withheld(floor int64, base, row, column, both int64) bool {
	if floor <= 0 {
		return false
	}
	parts := [4]int64{both, row - both, column - both, base - row - column + both}
	for chosen := range 1 << len(parts) {
		n := int64(0)
		for i, part := range parts {
			if chosen>>i&1 == 1 {
				n += part
			}
		}
		if 0 < n && n < floor {
			return true
		}
	}
	return base < floor || row < floor || column < floor
}

// withhold notes which of a cell's figures may not be told to whoever sees a frame.
func (c *Cell) withhold(f *audience.Frame) {
	c.Withheld = !c.Cover.Empty() && Withheld(f.Floor(), c.Base.Sample, c.Row.Sample, c.Column.Sample, c.Both.Sample)
}
