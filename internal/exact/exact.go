// Package exact has the rules of weights and numbers in exact fractions: slowly, and in another way than engines
// compute them, so that these can be held against it.
package exact

import "math/big"

// Power is 10^k, k of either sign.
func Power(k int) *big.Rat {
	n := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(k, -k))), nil)
	if k < 0 {
		return new(big.Rat).SetFrac(big.NewInt(1), n)
	}
	return new(big.Rat).SetInt(n)
}

// Units is a weight or a number, times 10^k, rounded half away from zero.
func Units(number *big.Rat, k int) *big.Int {
	x := new(big.Rat).Mul(number, Power(k))
	x.Add(x, big.NewRat(int64(x.Sign()), 2))
	return new(big.Int).Quo(x.Num(), x.Denom()) // towards zero
}
