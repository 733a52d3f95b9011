package decimal

import (
	"errors"
	"math"
	"math/bits"
)

// Unit gives the decimal unit 10^-k in which weights are counted as integers: the largest k, from 0 to maxDecimals,
// with which the integer of the largest weight, weight × 10^k rounded half away from zero, is below 2^40, and total ×
// 10^k is below 2^62. maxDecimals is the most Decimals of any weight that is not 0; whole numbers of tens have k 0 all
// the same. Where people themselves are too many, the error is ErrLargest or, if only the total is too large, ErrTotal.
// No weight is negative.
func Unit(maxDecimals int, largest Decimal, total *Sum) (int, error) {
	one := fit(largest, tooLarge)
	all := fit(total.total(), Decimal{mantissa: 1 << 62})
	switch {
	case one < 0:
		return 0, ErrLargest
	case all < 0:
		return 0, ErrTotal
	}
	return min(max(0, maxDecimals), one, all), nil
}

// NumberUnit gives the decimal unit 10^-k in which the numbers of a question, from least to greatest, are kept as
// integers: the largest k, from 0 to maxDecimals, with which the integer of each, number × 10^k rounded half away from
// zero, is below 2^40 on either side of 0. maxDecimals is the most Decimals of any of them. It also gives the fewest
// bits, from 1 to 41, in which all of these integers are written in two's complement. Where a number is TooLarge, the
// error is ErrNumber.
func NumberUnit(maxDecimals int, least, greatest Decimal) (k, size int, err error) {
	k = min(max(0, maxDecimals), fit(least.abs(), tooLarge), fit(greatest.abs(), tooLarge))
	if k < 0 {
		return 0, 0, ErrNumber
	}
	for _, end := range []Decimal{least, greatest} {
		n, _ := end.Scaled(k) // it fits, as it is below 2^40
		size = max(size, 1+bits.Len64(uint64(n^n>>63)))
	}
	return k, size, nil
}

// TooLarge tells whether a number is one that no unit is for: 2^40 or more on either side of 0, once rounded. Weights
// stand for as many people, numbers are of their question's unit.
func TooLarge(d Decimal) bool { return d.abs().Cmp(tooLarge) >= 0 }

// tooLarge is 2^40 - 1/2: what is below rounds to less than 2^40.
var tooLarge = Decimal{mantissa: 5 * (1<<41 - 1), exponent: -1}

// Errors of Unit and NumberUnit, which say what would be right.
var (
	ErrLargest = errors.New("one weight stands for less than 1,099,511,627,776 (2^40) people")
	ErrTotal   = errors.New("all weights of a namespace together stand for less than 4,611,686,018,427,387,904 " +
		"(2^62) people")
	ErrNumber = errors.New("a number is below 1,099,511,627,776 (2^40) on either side of 0")
)

// fit gives the largest k with d × 10^k < limit.
func fit(d, limit Decimal) int {
	if d.IsZero() {
		return math.MaxInt
	}
	// With this k both have their first digit at one place.
	k := limit.order() - d.order()
	d.exponent += int32(k)
	if d.Cmp(limit) < 0 {
		return k
	}
	return k - 1
}

// abs is d without its sign.
func (d Decimal) abs() Decimal {
	d.negative = false
	return d
}
