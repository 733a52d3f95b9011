package sqlite

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// The numbers of a question are stored once for a chunk, exactly, and in no unit: whatever the unit is that a release
// counts them in, slices are cut from them when they are first asked for, and kept in the cache.

// numbered is what is known of the numbers that respondents of a chunk gave to a question without reading them.
type numbered struct {
	question        int64 // as in the ids of columns
	respondents     int
	least, greatest decimal.Decimal
}

// sliceName names a slice by what it depends on: the question with its namespace, the unit of 10^-decimals, and the
// digit, which may be audience.AnyNumber.
type sliceName struct {
	question      string
	decimals, bit int
}

// sliceColumn is the column under which the cache knows a slice; it belongs to the last question, as those of weights.
func (s *Store) sliceColumn(name sliceName) (int64, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	column, there := s.slices[name]
	if !there {
		n := s.ownColumns()
		if n > maxNumber {
			return 0, fmt.Errorf("%d slices of numbers were asked for since the store was opened, which is all that are "+
				"told apart: open it again", len(s.slices))
		}
		column = (maxQuestions+1)<<numberBits | n
		s.slices[name], s.sliceNames[column] = column, name
	}
	return column, nil
}

// sliceOf is the slice that the cache knows under a column.
func (s *Store) sliceOf(column int64) (name sliceName, is bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name, is = s.sliceNames[column]
	return name, is
}

// sliceBytes is how much memory a slice of a chunk of so many words takes.
func sliceBytes(words int) int64 { return 8 * int64(words) }

func numbersName(chunk, question int64) string {
	return fmt.Sprintf("numbers of question %d in chunk %d", question, chunk)
}

// constant tells whether a digit is the same in all numbers, when they are counted in units of 10^-k, and which it is.
func (n *numbered) constant(k, bit int) (digit int64, is bool) {
	least, fits := n.least.Scaled(k)
	greatest, fit := n.greatest.Scaled(k)
	return least >> bit & 1, fits && fit && least>>bit == greatest>>bit
}

// written is the numbers of a question that come with respondents of a chunk, in the order of their positions.
type written struct {
	numbered
	has      []uint64 // who gave one
	exact    []byte   // as decimals are written
	decimals int      // the most
}

func (w *written) add(position uint32, d decimal.Decimal) {
	if w.respondents++; w.respondents == 1 {
		w.least, w.greatest = d, d
	} else if d.Cmp(w.least) < 0 {
		w.least = d
	} else if d.Cmp(w.greatest) > 0 {
		w.greatest = d
	}
	w.decimals = max(w.decimals, d.Decimals())
	w.has[position>>6] |= 1 << (position & 63)
	w.exact = d.Append(w.exact)
}

// Room behind the numbers of a blob, so that eight bytes can be read for each.
const numbersRoom = 7

// encode makes the blob: how many bytes each number takes (0: as decimals are written), how many decimals, the bitmap
// of who gave one, and the numbers, as whole numbers with that many decimals, little-endian, in two's complement.
func (w *written) encode() ([]byte, error) {
	least, fits := w.least.Scaled(w.decimals)
	greatest, fit := w.greatest.Scaled(w.decimals)
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
	return append(b, make([]byte, numbersRoom)...), nil
}

// bytesOf is how many bytes an integer takes in two's complement.
func bytesOf(n int64) int { return (bits.Len64(uint64(n^n>>63)) + 8) / 8 }

// numbers is a blob of numbers, read as far as its parts.
type numbers struct {
	width, decimals int
	has             []uint64
	data            []byte // the numbers, with room behind unless the width is 0
}

// decodeNumbers takes apart the blob of a chunk's numbers, which belongs to the caller.
func decodeNumbers(c *chunk, n *numbered, data []byte) (*numbers, error) {
	damaged := &DamagedError{numbersName(c.id, n.question)}
	data, err := unseal(damaged.What, data)
	if err != nil {
		return nil, err
	}
	if len(data) == 0 || data[0] > 8 {
		return nil, damaged
	}
	out := &numbers{width: int(data[0]), has: make([]uint64, c.words)}
	decimals, size := binary.Uvarint(data[1:])
	if size <= 0 || decimals > decimal.MaxExponent || len(data)-1-size < 8*c.words {
		return nil, damaged
	}
	out.decimals, data = int(decimals), data[1+size:]
	for i := range out.has {
		out.has[i] = binary.LittleEndian.Uint64(data[8*i:])
	}
	out.data = data[8*c.words:]
	if kernel.PopCount(out.has) != n.respondents || !c.holds(out.has) ||
		out.width > 0 && len(out.data) != out.width*n.respondents+numbersRoom {
		return nil, damaged
	}
	return out, nil
}

// holds tells whether only positions of respondents are in a bitmap.
func (c *chunk) holds(set []uint64) bool {
	for _, r := range c.runs {
		last := r.respondents - 64*(r.words-1) // of the last word, 1 to 64
		if set[r.word+r.words-1]>>(last-1)>>1 != 0 {
			return false
		}
	}
	return true
}

// each calls do for every number, exactly, with its position.
func (n *numbers) each(do func(position int, d decimal.Decimal)) error {
	data := n.data
	for w, word := range n.has {
		for ; word != 0; word &= word - 1 {
			var d decimal.Decimal
			if n.width > 0 {
				d = decimal.FromUnits(n.integer(data), n.decimals)
				data = data[n.width:]
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
	if n.width == 0 && len(data) > 0 {
		return fmt.Errorf("%d bytes follow the numbers", len(data))
	}
	return nil
}

// integer is the number that data begins with.
func (n *numbers) integer(data []byte) int64 {
	shift := 64 - 8*n.width
	return int64(binary.LittleEndian.Uint64(data)<<shift) >> shift
}

// mostBits is the most bits that a number is counted with.
const mostBits = 41

// slices fills bitmaps, by digits from 0 up, with those whose number in units of 10^-k has the digit; nil is not
// wanted. A number that takes more than mostBits has none: beyond calls of its word.
func (n *numbers) slices(k int, to [][]uint64, beyond func(word int)) error {
	var values block64
	data, scale := n.data, newScale(k-n.decimals)
	for w, word := range n.has {
		if word == 0 {
			continue
		}
		if word != ^uint64(0) {
			values = block64{}
		}
		for ; word != 0; word &= word - 1 {
			var x int64
			fits := true
			if n.width > 0 {
				x, fits = scale.of(n.integer(data))
				data = data[n.width:]
			} else {
				d, size, err := decimal.Read(data)
				if err != nil {
					return err
				}
				x, fits = d.Scaled(k)
				data = data[size:]
			}
			if x>>(mostBits-1) != x>>63 || !fits {
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

// headsOf is what a header says of the numbers of a chunk.
func headsOf(list []numbered) (heads []blob.Numbers) {
	for _, n := range list {
		heads = append(heads, blob.Numbers{Question: n.question, Respondents: n.respondents, Least: n.least.String(),
			Greatest: n.greatest.String()})
	}
	return heads
}

// readNumbers reads it.
func readNumbers(heads []blob.Numbers) (list []numbered, err error) {
	for _, h := range heads {
		n := numbered{question: h.Question, respondents: h.Respondents}
		if n.least, err = decimal.Parse(h.Least, true); err != nil {
			return nil, err
		}
		if n.greatest, err = decimal.Parse(h.Greatest, true); err != nil {
			return nil, err
		}
		list = append(list, n)
	}
	return list, nil
}
