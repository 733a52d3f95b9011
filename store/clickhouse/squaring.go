package clickhouse

import (
	"fmt"
	"math/bits"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Squares of weights are added up as integers wherever they have room in those of 64 bits, as servers take several
// times as long for what older ones have room for the largest in: decimals of 38 digits.

// squaring says how a statement about words adds up squares of weights. The zero value adds up none.
type squaring struct {
	how how
	sql string // the square of a respondent's weight
}

type how uint8

const (
	not       how = iota
	atOnce        // the sum of all squares has room in 64 bits
	inHalves      // each square has: its upper and its lower 32 bits are added up
	asDecimal     // else
)

// squaring finds out how the squares of the scope's weights in a namespace, in units of 10^-decimals people, are added
// up. No server has more of them than all servers together.
func (sc *scope) squaring(namespace, decimals int) (squaring, error) {
	respondents, largest := int64(0), int64(0)
	for _, w := range sc.waves {
		for i := range w.Parts {
			p := &w.Parts[i]
			respondents += p.Respondents
			if namespace >= len(p.Weights) || p.Weights[namespace].Largest == "" {
				continue
			}
			d, err := decimal.Parse(p.Weights[namespace].Largest, true)
			if err != nil {
				return squaring{}, err
			}
			units, ok := d.Scaled(decimals)
			if !ok {
				return squaring{how: asDecimal}, nil
			}
			largest = max(largest, units)
		}
	}
	switch n := bits.Len64(uint64(largest)); {
	case n > 32 || respondents >= 1<<32:
		return squaring{how: asDecimal}, nil
	case 2*n+bits.Len64(uint64(respondents)) > 64:
		return squaring{how: inHalves}, nil
	}
	return squaring{how: atOnce}, nil
}

// of writes the square of a weight.
func (q squaring) of(weight string) string {
	if q.how == asDecimal {
		return fmt.Sprintf("toDecimal128(%[1]s, 0) * toDecimal128(%[1]s, 0)", weight)
	}
	return fmt.Sprintf("toUInt64(%[1]s) * toUInt64(%[1]s)", weight)
}

// parts are what is added up, each by itself: the lowest first.
func (q squaring) parts() []string {
	switch q.how {
	case not:
		return nil
	case inHalves:
		return []string{fmt.Sprintf("bitAnd(%s, %d)", q.sql, uint64(1)<<32-1), "bitShiftRight(" + q.sql + ", 32)"}
	}
	return []string{q.sql}
}

// read puts sums of integers, of each part those of everyone and of each column, into cells.
func (q squaring) read(list []audience.Moments, parts [][]uint64) error {
	if q.how != atOnce && q.how != inHalves {
		return nil
	}
	for k, sums := range parts {
		if len(sums) != len(list) {
			return fmt.Errorf("the answer has a line of %d sums of squares for %d columns", len(sums), len(list))
		}
		for i, x := range sums {
			high := uint64(0)
			if k == 1 {
				high, x = x>>32, x<<32
			}
			list[i].Squares = list[i].Squares.Plus(audience.Uint128{High: high, Low: x})
		}
	}
	return nil
}
