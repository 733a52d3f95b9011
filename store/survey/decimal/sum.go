package decimal

import (
	"cmp"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Sum is the exact sum of any number of decimals, whatever their exponents and the order in which they are added. The
// zero value is the empty sum, 0. A Sum must not be copied once something was added to it.
type Sum struct {
	near [nearCount]int64   // of mantissas that fit, by exponent from nearFirst on: the weights people write
	far  map[int32]*big.Int // of all others, by exponent
}

const (
	nearFirst = -25
	nearCount = 32
)

// Add adds d.
func (s *Sum) Add(d Decimal) {
	at := int(d.exponent) - nearFirst
	if d.long != "" || d.mantissa > math.MaxInt64 || at < 0 || at >= nearCount {
		var room [20]byte
		n, _ := new(big.Int).SetString(string(d.digits(room[:0])), 10)
		if d.negative {
			n.Neg(n)
		}
		s.addFar(d.exponent, n)
		return
	}
	n := int64(d.mantissa)
	if d.negative {
		n = -n
	}
	s.addNear(at, n)
}

// AddSum adds what is in other.
func (s *Sum) AddSum(other *Sum) {
	for exponent, n := range other.far {
		s.addFar(exponent, n)
	}
	for at, n := range other.near {
		s.addNear(at, n)
	}
}

func (s *Sum) addNear(at int, n int64) {
	before := s.near[at]
	sum := before + n
	if (before^sum)&(n^sum) < 0 { // the result has another sign than both: it does not fit
		s.addFar(int32(at+nearFirst), big.NewInt(before))
		sum = n
	}
	s.near[at] = sum
}

func (s *Sum) addFar(exponent int32, n *big.Int) {
	if s.far == nil {
		s.far = make(map[int32]*big.Int)
	}
	to := s.far[exponent]
	if to == nil {
		to = new(big.Int)
		s.far[exponent] = to
	}
	to.Add(to, n)
}

// total gives the sum as one number in canonical form, whose exponent and digits may be beyond what Parse allows.
func (s *Sum) total() Decimal {
	parts := maps.Clone(s.far)
	if parts == nil {
		parts = make(map[int32]*big.Int)
	}
	for at, n := range s.near {
		if n == 0 {
			continue
		}
		part, exponent := big.NewInt(n), int32(at+nearFirst)
		if far := parts[exponent]; far != nil {
			part.Add(part, far)
		}
		parts[exponent] = part
	}
	// From the largest exponent down, as Horner does.
	sum, last := new(big.Int), int32(0)
	for _, exponent := range slices.SortedFunc(maps.Keys(parts), func(a, b int32) int { return cmp.Compare(b, a) }) {
		if sum.Sign() != 0 {
			step := big.NewInt(int64(last - exponent))
			sum.Mul(sum, step.Exp(big.NewInt(10), step, nil))
		}
		sum.Add(sum, parts[exponent])
		last = exponent
	}
	digits, negative := strings.CutPrefix(sum.String(), "-")
	d, _ := canonical(negative, digits, int(last), math.MaxInt32)
	return d
}

// Cmp gives -1, 0 or 1 as the sum is smaller than, equal to or larger than d.
func (s *Sum) Cmp(d Decimal) int { return s.total().Cmp(d) }

// Sign gives -1, 0 or 1.
func (s *Sum) Sign() int { return s.total().Sign() }

// Float64 gives the nearest float64; ±Inf if the sum is out of its range.
func (s *Sum) Float64() float64 { return s.total().Float64() }

// String gives the sum exactly; equal sums give equal texts. [ParseSum] reads it.
func (s *Sum) String() string { return s.total().String() }

// sumDigits is more than the digits of any sum: those of the smallest and of the largest decimal, and of how many
// there can be.
const sumDigits = 4 * MaxExponent

// ParseSum reads what String writes, and any number that Parse reads. The error is an [*Error].
func ParseSum(text string) (*Sum, error) {
	d, reason := parse(text, true, sumDigits)
	if reason != "" {
		return nil, &Error{text, reason}
	}
	s := new(Sum)
	s.Add(d)
	return s, nil
}
