package sqlite

import (
	"context"
	"database/sql"
	"encoding/binary"
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/internal/blob"
	"github.com/crosswave/crosswave/internal/kernel"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// weightName names integer weights by what they depend on: the namespace, and the unit of 10^-decimals people.
type weightName struct {
	namespace string
	decimals  int
}

// weightColumn is the column under which the cache knows integer weights. It belongs to the last question that there
// can be, which no survey's question ever becomes.
func (s *Store) weightColumn(name weightName) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	n, ok := s.weights[name]
	if !ok {
		n = s.ownColumns()
		s.weights[name] = n
	}
	return firstOwnColumn | n
}

// firstOwnColumn is the first of the last question, which no survey's question ever becomes: the cache knows weights
// and slices of numbers by its columns.
const firstOwnColumn = (maxQuestions + 1) << numberBits

// ownColumns is how many columns of the last question are taken. The caller has s.mu.
func (s *Store) ownColumns() int64 { return int64(len(s.weights) + len(s.slices)) }

// weightBytes is how much memory the weights of a chunk of so many words take at most, with the bitmap of who has one.
func weightBytes(words int) int64 { return (64*8 + 8) * int64(words) }

// smallBytes is how much they take if all fit 32 bits, as most do.
func smallBytes(words int) int64 { return (64*4 + 8) * int64(words) }

func exactName(chunk int64, namespace string) string {
	return fmt.Sprintf("weights of %s in chunk %d", namespace, chunk)
}

func unitsName(chunk int64, name weightName) string {
	return fmt.Sprintf("weights of %s in units of 10^-%d in chunk %d", name.namespace, name.decimals, chunk)
}

// encodeUnits makes the integers of a chunk's exact weights: in a list, where that is shorter (see listUnits), else a
// byte that says how many bytes each takes, then one for each position, little-endian, 0 where nobody stands.
func encodeUnits(c *chunk, name weightName, exact []byte) ([]byte, error) {
	exact, err := unseal(exactName(c.id, name.namespace), exact)
	if err != nil {
		return nil, err
	}
	weights := make([]int64, 64*c.words)
	largest, positive := int64(1), 0
	for _, r := range c.runs {
		for i := range r.respondents {
			d, n, err := decimal.Read(exact)
			if err != nil {
				return nil, &DamagedError{exactName(c.id, name.namespace)}
			}
			exact = exact[n:]
			w, ok := d.Scaled(name.decimals)
			if !ok || w < 0 || w > kernel.MaxWeight || (w == 0) != d.IsZero() {
				return nil, fmt.Errorf("a weight of %s in namespace %s, wave %s, can't be counted in units of "+
					"10^-%d people", d, name.namespace, c.wave, name.decimals)
			}
			weights[64*r.word+i] = w
			largest = max(largest, w)
			if w > 0 {
				positive++
			}
		}
	}
	if len(exact) > 0 || positive != c.sample(name.namespace) {
		return nil, &DamagedError{exactName(c.id, name.namespace)}
	}
	width := (bits.Len64(uint64(largest)) + 7) / 8
	size := 1 + width*len(weights)
	if width <= 4 {
		if b := listUnits(weights, size); b != nil {
			return seal(unitsName(c.id, name), b), nil
		}
	}
	b := make([]byte, 1, size+sealBytes)
	b[0] = byte(width)
	for _, w := range weights {
		for i := range width {
			b = append(b, byte(w>>(8*i)))
		}
	}
	return seal(unitsName(c.id, name), b), nil
}

// decodeUnits reads what encodeUnits wrote. It returns the weights as the kernel takes them and the bitmap of who has
// one above 0.
func decodeUnits(memory blob.Memory, k *kernel.Kernel, c *chunk, name weightName, data []byte) (kernel.Weights,
	[]uint64, error) {
	damaged := &DamagedError{unitsName(c.id, name)}
	data, err := unseal(damaged.What, data)
	if err != nil {
		return kernel.Weights{}, nil, err
	}
	n, everyone := 64*c.words, c.sample(name.namespace) == c.respondents
	if n == 0 || len(data) == 0 {
		return kernel.Weights{}, nil, damaged
	}
	width, data := int(data[0]), data[1:]
	positive, all := make([]uint64, c.words), uint64(0)
	var weights kernel.Weights
	switch {
	case width == byteList || width == pairList:
		var ok bool
		if weights.Small, all, ok = decodeListed(memory, k, positive, data, width-byteList+1); !ok {
			return kernel.Weights{}, nil, damaged
		}
	case width < 1 || width > 5 || len(data) != n*width:
		return kernel.Weights{}, nil, damaged
	case width == 4 && everyone:
		weights.Small = memory.ReadNumbers(data)
		all = digitsOf(data)
		c.everyone(positive)
	case width <= 4:
		weights.Small = memory.Numbers(n)
		all = decodeSmall(weights.Small, positive, data, width)
	default:
		weights.Packed = make([]kernel.Packed, n)
		for i := range weights.Packed {
			w := uint64(binary.LittleEndian.Uint32(data[5*i:])) | uint64(data[5*i+4])<<32
			weights.Packed[i] = kernel.PackOne(int64(w))
			positive[i>>6] |= (w | -w) >> 63 << (i & 63)
			all |= w
		}
	}
	if kernel.PopCount(positive) != c.sample(name.namespace) {
		return kernel.Weights{}, nil, damaged
	}
	weights.Bits = bits.Len64(all)
	return weights, positive, nil
}

// everyone sets the bits of all respondents of the chunk.
func (c *chunk) everyone(bitmap []uint64) {
	for _, r := range c.runs {
		for i := range r.words {
			bitmap[r.word+i] = math.MaxUint64 >> max(0, 64*(i+1)-r.respondents)
		}
	}
}

// digitsOf returns the binary digits of all numbers of four bytes, one above the other.
func digitsOf(data []byte) uint64 {
	var pairs uint64 // of two numbers each
	for ; len(data) >= 32; data = data[32:] {
		pairs |= binary.LittleEndian.Uint64(data) | binary.LittleEndian.Uint64(data[8:]) |
			binary.LittleEndian.Uint64(data[16:]) | binary.LittleEndian.Uint64(data[24:])
	}
	for ; len(data) >= 4; data = data[4:] {
		pairs |= uint64(binary.LittleEndian.Uint32(data))
	}
	return (pairs | pairs>>32) & math.MaxUint32
}

// decodeSmall reads weights of up to four bytes each and which of them are above 0, and returns their binary digits,
// one above the other.
func decodeSmall(small []uint32, positive []uint64, data []byte, width int) (all uint64) {
	mask := uint64(1)<<(8*width) - 1
	for i := range positive {
		to, from := (*[64]uint32)(small[64*i:]), data[64*width*i:][:64*width]
		if width == 4 {
			has, digits := decodeFour(to, (*[64 * 4]byte)(from))
			positive[i], all = has, all|digits
			continue
		}
		if i == len(positive)-1 {
			from = append(slices.Clone(from), 0, 0, 0) // as four bytes are read for each
		} else {
			from = data[64*width*i:]
		}
		var has uint64
		for j := range to {
			w := uint64(binary.LittleEndian.Uint32(from[width*j:])) & mask
			to[j] = uint32(w)
			has |= (w | -w) >> 63 << (j & 63)
			all |= w
		}
		positive[i] = has
	}
	return all
}

// decodeFour reads 64 weights of four bytes each, as most surveys have them, where some respondents have none. It
// returns which are above 0 and the binary digits of all of them, one above the other. A weight at a time, that takes
// twice as long.
func decodeFour(small *[64]uint32, from *[64 * 4]byte) (positive, digits uint64) {
	const all = 1<<32 - 1
	for j := 0; j < 64; j += 4 {
		a, b := binary.LittleEndian.Uint64(from[4*j:]), binary.LittleEndian.Uint64(from[4*j+8:])
		w0, w1, w2, w3 := a&all, a>>32, b&all, b>>32
		small[j], small[j+1], small[j+2], small[j+3] = uint32(w0), uint32(w1), uint32(w2), uint32(w3)
		positive |= ((w0+all)>>32 | (w1+all)>>32<<1 | (w2+all)>>32<<2 | (w3+all)>>32<<3) << (j & 63)
		digits |= w0 | w1 | w2 | w3
	}
	return positive, digits
}

// addUnits makes the integer weights that chunks have not yet, in the units of f.
func addUnits(ctx context.Context, tx *sql.Tx, chunks []*chunk, f *audience.Frame) error {
	for _, c := range chunks {
		for _, name := range weightNames(f) {
			if c.sample(name.namespace) == 0 {
				continue
			}
			if err := addUnit(ctx, tx, c, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// addUnit makes the integer weights of one name for a chunk that has not got them.
func addUnit(ctx context.Context, tx *sql.Tx, c *chunk, name weightName) error {
	var there int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM units WHERE chunk = ? AND namespace = ? AND decimals = ?`,
		c.id, name.namespace, name.decimals).Scan(&there)
	if err != nil || there > 0 {
		return err
	}
	var exact []byte
	err = tx.QueryRowContext(ctx, `SELECT data FROM weights WHERE chunk = ? AND namespace = ?`, c.id,
		name.namespace).Scan(&exact)
	if err == sql.ErrNoRows {
		return &DamagedError{exactName(c.id, name.namespace)}
	}
	if err != nil {
		return err
	}
	units, err := encodeUnits(c, name, exact)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO units (chunk, namespace, decimals, data) VALUES (?, ?, ?, ?)`, c.id,
		name.namespace, name.decimals, units)
	return err
}
