// Package numbers writes and reads the numbers that respondents of a chunk gave to a question, and cuts slices from
// them. It knows no database, so that it can be fuzzed on its own. Damaged bytes are told from good ones by the store's
// seals; what is read here may be anything.
package numbers

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/bits"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Summary is what is known of numbers without reading them.
type Summary struct {
	Respondents     int
	Least, Greatest decimal.Decimal
}

// Constant tells whether a digit is the same in all numbers, when they are counted in units of 10^-k, and which it is.
func (s *Summary) Constant(k, bit int) (digit int64, is bool) {
	least, fits := s.Least.Scaled(k)
	greatest, fit := s.Greatest.Scaled(k)
	return least >> bit & 1, fits && fit && least>>bit == greatest>>bit
}

// A Builder takes numbers in the order of the positions of those who gave them.
type Builder struct {
	Summary
	has      []uint64 // who gave one
	exact    []byte   // as decimals are written
	decimals int      // the most
}

// NewBuilder is for positions in so many words of 64.
func NewBuilder(words int) *Builder { return &Builder{has: make([]uint64, words)} }

// Add takes the number of a position after those before.
func (w *Builder) Add(position uint32, d decimal.Decimal) {
	if w.Respondents++; w.Respondents == 1 {
		w.Least, w.Greatest = d, d
	} else if d.Cmp(w.Least) < 0 {
		w.Least = d
	} else if d.Cmp(w.Greatest) > 0 {
		w.Greatest = d
	}
	w.decimals = max(w.decimals, d.Decimals())
	w.has[position>>6] |= 1 << (position & 63)
	w.exact = d.Append(w.exact)
}

// room is behind the numbers of a blob, so that eight bytes can be read for each.
const room = 7

// Encode makes the blob: how many bytes each number takes (0: as decimals are written), how many decimals, the bitmap
// of who gave one, and the numbers, as whole numbers with that many decimals, little-endian, in two's complement.
func (w *Builder) Encode() ([]byte, error) {
	least, fits := w.Least.Scaled(w.decimals)
	greatest, fit := w.Greatest.Scaled(w.decimals)
	width := 0
	if fits && fit {
		width = max(bytesOf(least), bytesOf(greatest))
	}
	b := binary.AppendUvarint([]byte{byte(width)}, uint64(w.decimals))
	for _, word := range w.has {
		b = binary.LittleEndian.AppendUint64(b, word)
	}
	if width == 0 {
		return append(b, w.exact...), nil
	}
	for exact := w.exact; len(exact) > 0; {
		d, n, err := decimal.Read(exact)
		if err != nil {
			return nil, err
		}
		exact = exact[n:]
		x, _ := d.Scaled(w.decimals) // it fits, as it is between the least and the greatest
		for i := range width {
			b = append(b, byte(x>>(8*i)))
		}
	}
	return append(b, make([]byte, room)...), nil
}

// bytesOf is how many bytes an integer takes in two's complement.
func bytesOf(n int64) int { return (bits.Len64(uint64(n^n>>63)) + 8) / 8 }

// A Column is a blob of numbers, read as far as its parts.
type Column struct {
	width, decimals int
	has             []uint64
	data            []byte // the numbers, with room behind unless the width is 0
}

var errShape = errors.New("this is no column of numbers")

// Decode takes apart the blob of the numbers of so many respondents, who are in so many words of 64.
func Decode(data []byte, words, respondents int) (*Column, error) {
	if len(data) == 0 || data[0] > 8 {
		return nil, errShape
	}
	c := &Column{width: int(data[0]), has: make([]uint64, words)}
	decimals, size := binary.Uvarint(data[1:])
	if size <= 0 || decimals > decimal.MaxExponent || len(data)-1-size < 8*words {
		return nil, errShape
	}
	c.decimals, data = int(decimals), data[1+size:]
	given := 0
	for i := range c.has {
		c.has[i] = binary.LittleEndian.Uint64(data[8*i:])
		given += bits.OnesCount64(c.has[i])
	}
	c.data = data[8*words:]
	if given != respondents || c.width > 0 && len(c.data) != c.width*given+room {
		return nil, errShape
	}
	return c, nil
}

// Has is who gave a number, a bit for each position. It belongs to the column.
func (c *Column) Has() []uint64 { return c.has }

// Each calls do for every number, exactly, with its position.
func (c *Column) Each(do func(position int, d decimal.Decimal)) error {
	data := c.data
	for w, word := range c.has {
		for ; word != 0; word &= word - 1 {
			var d decimal.Decimal
			if c.width > 0 {
				d = decimal.FromUnits(c.integer(data), c.decimals)
				data = data[c.width:]
			} else {
				var size int
				var err error
				if d, size, err = decimal.Read(data); err != nil {
					return err
				}
				data = data[size:]
			}
			do(64*w+bits.TrailingZeros64(word), d)
		}
	}
	if c.width == 0 && len(data) > 0 {
		return fmt.Errorf("%d bytes follow the numbers", len(data))
	}
	return nil
}

// integer is the number that data begins with.
func (c *Column) integer(data []byte) int64 {
	shift := 64 - 8*c.width
	return int64(binary.LittleEndian.Uint64(data)<<shift) >> shift
}

// MostBits is the most bits that a number is counted with.
const MostBits = 41

// Slices fills bitmaps, by digits from 0 up, with those whose number in units of 10^-k has the digit; nil is not
// wanted. A number that takes more than MostBits has none: beyond calls of its word.
func (c *Column) Slices(k int, to [][]uint64, beyond func(word int)) error {
	var values block64
	data, scale := c.data, newScale(k-c.decimals)
	for w, word := range c.has {
		if word == 0 {
			continue
		}
		if word != ^uint64(0) {
			values = block64{}
		}
		for ; word != 0; word &= word - 1 {
			var x int64
			fits := true
			if c.width > 0 {
				x, fits = scale.of(c.integer(data))
				data = data[c.width:]
			} else {
				d, size, err := decimal.Read(data)
				if err != nil {
					return err
				}
				x, fits = d.Scaled(k)
				data = data[size:]
			}
			if x>>(MostBits-1) != x>>63 || !fits {
				beyond(w)
				x = 0
			}
			values[bits.TrailingZeros64(word)] = uint64(x)
		}
		values.transpose(len(to))
		for bit, words := range to {
			if words != nil {
				words[w] = values[bit]
			}
		}
	}
	return nil
}

// scale turns integers of one unit into those of another: by a factor or, rounded half away from zero, a divisor.
type scale struct{ factor, divisor uint64 }

// newScale is for units that are 10^-shift of those before.
func newScale(shift int) scale {
	const most = 19 // 10^20 does not fit
	power := uint64(1)
	for range min(max(shift, -shift), most) {
		power *= 10
	}
	switch {
	case shift >= 0:
		return scale{power, 1} // what is above 10^19 leaves no number but 0 below 2^62, and so does 10^19
	case shift < -most:
		return scale{0, 1} // all are less than half
	}
	return scale{1, power}
}

// of scales n, and tells whether what comes out is below 2^62 on either side of 0.
func (s scale) of(n int64) (int64, bool) {
	if s.factor == 1 && s.divisor == 1 {
		return n, true
	}
	size := uint64(n^n>>63) - uint64(n>>63)
	high, low := bits.Mul64(size, s.factor)
	if s.divisor > 1 {
		rest := low % s.divisor
		if low /= s.divisor; rest >= s.divisor-rest {
			low++
		}
	}
	return int64(low) * (n>>63 | 1), high == 0 && low < 1<<62
}

// block64 is the numbers of 64 positions, or 64 digits of 64 positions each.
type block64 [64]uint64

// transpose makes digit i of number j digit j of number i, for the lowest digits, as many as are wanted. It exchanges
// squares of digits, ever smaller ones; those of digits that nobody wants are never made.
func (a *block64) transpose(digits int) {
	rows := 64
	for half := 32; half > 0; half /= 2 {
		mask := ^uint64(0) / (1<<half + 1) // the lower half of each 2·half digits
		if digits <= half {
			for i := range half {
				a[i] = a[i]&mask | a[i+half]&mask<<half
			}
			rows = half
			continue
		}
		for i := 0; i < rows; i = ((i | half) + 1) &^ half {
			t := (a[i]>>half ^ a[i|half]) & mask
			a[i] ^= t << half
			a[i|half] ^= t
		}
	}
}
