package storetest

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/crosswave/crosswave/internal/exact"
)

// rational reads a decimal number.
func rational(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(fmt.Sprintf("storetest: %q is no number", text))
	}
	return x
}

// decimals is how many digits a weight has after its decimal point.
func decimals(weight *big.Rat) int {
	k := 0
	for !new(big.Rat).Mul(weight, exact.Power(k)).IsInt() {
		k++
	}
	return k
}

// unit is the k of a namespace: the most decimals that any weight has, but at most the largest k with which one weight
// stays below 2^40 units, rounded, and all together below 2^62. false: there is none from 0 on, and the weights are
// refused.
func unit(most int, largest, total *big.Rat) (int, bool) {
	k := most
	for !small(largest, k) || !few(total, k) {
		k--
	}
	return k, k >= 0
}

// small tells whether a weight, or a number of either sign, is below 2^40 units, rounded.
func small(number *big.Rat, k int) bool { return exact.Units(number, k).BitLen() <= 40 }

// few tells whether a sum of weights is below 2^62 units.
func few(total *big.Rat, k int) bool {
	return new(big.Rat).Mul(total, exact.Power(k)).Cmp(new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), 62))) < 0
}

// plain writes a number as a decimal that ends, which those that were read as decimals do.
func plain(x *big.Rat) string {
	text := x.FloatString(decimals(x))
	if strings.Contains(text, ".") {
		text = strings.TrimRight(text, "0")
	}
	return text
}
