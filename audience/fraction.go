package audience

import (
	"math"
	"math/big"
	"math/bits"
)

// fraction is a number of people as it is before it is written: a whole number of parts, of which scale tells how many
// make a person. A whole number is exact, so that a whole is 100 % of itself and sums do not depend on their order.
type fraction struct {
	high, low uint64   // parts, as one number of 128 bits
	wide      *big.Int // parts instead, where 128 bits may be too few
	scale     *scale   // nil: nobody
}

// scale tells how many parts make a person. Figures of one cell share it.
//
// A size is the sum over n of W_n/(n·10^k), W_n being the integer weights of the locations with n waves. With L, the
// least common multiple of the n, it is the sum of W_n·(L/n) parts, of which L·10^k make a person.
type scale struct {
	multiple *big.Int // L
	decimals int      // k
	wide     bool     // sums of parts may need more than 128 bits

	person       *big.Int // L·10^k; nil where k is negative
	whole, short float64  // the same as the sum of two float64
}

// newScale is the scale of figures with these numbers of waves and k decimals.
func newScale(waves []int, decimals int) *scale {
	l, g := big.NewInt(1), new(big.Int)
	for _, n := range waves {
		w := big.NewInt(int64(n))
		l.Mul(l, new(big.Int).Quo(w, g.GCD(nil, nil, l, w)))
	}
	s := &scale{multiple: l, decimals: decimals, wide: l.BitLen() > 64} // weights of a namespace sum to less than 2^62
	if decimals >= 0 {
		s.person = new(big.Int).Mul(l, powerOf10(decimals))
		f, _ := new(big.Float).SetInt(s.person).Float64()
		s.whole = f
		rest := new(big.Float).SetPrec(2000).SetInt(s.person)
		s.short, _ = rest.Sub(rest, big.NewFloat(f)).Float64()
	}
	return s
}

func powerOf10(k int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(k)), nil) }

// share is how many parts a unit of weight is in a location with n waves, if sums of them fit into 128 bits.
func (s *scale) share(n int) uint64 {
	if s.wide {
		return 0
	}
	return s.multiple.Uint64() / uint64(n)
}

// unit is how many people a unit of weight stands for in a location with n waves.
func (s *scale) unit(n int) float64 {
	if 0 <= s.decimals && s.decimals <= 15 {
		if parts := float64(n) * math.Pow10(s.decimals); parts < 1<<53 {
			return 1 / parts // parts are exact, so this is rounded once
		}
	}
	waves := big.NewInt(int64(n))
	if s.decimals < 0 {
		return nearest(new(big.Rat).SetFrac(powerOf10(-s.decimals), waves))
	}
	return nearest(new(big.Rat).SetFrac(big.NewInt(1), waves.Mul(waves, powerOf10(s.decimals))))
}

// add adds a weight in a location with n waves, of which share is what scale.share said.
func (f *fraction) add(weight int64, n int, share uint64) {
	if f.scale.wide {
		if f.wide == nil {
			f.wide = new(big.Int)
		}
		part := new(big.Int).Quo(f.scale.multiple, big.NewInt(int64(n)))
		f.wide.Add(f.wide, part.Mul(part, big.NewInt(weight)))
		return
	}
	high, low := bits.Mul64(uint64(weight), share)
	var carry uint64
	f.low, carry = bits.Add64(f.low, low, 0)
	f.high, _ = bits.Add64(f.high, high, carry)
}

// zero tells whether it is nobody.
func (f *fraction) zero() bool { return f.high|f.low == 0 && (f.wide == nil || f.wide.Sign() == 0) }

// parts is the number of parts.
func (f *fraction) parts() *big.Int {
	if f.wide != nil {
		return f.wide
	}
	n := new(big.Int).SetUint64(f.high)
	return n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(f.low))
}

// rat is the number of people.
func (f *fraction) rat() *big.Rat {
	if f.zero() {
		return new(big.Rat)
	}
	if s := f.scale; s.decimals < 0 {
		return new(big.Rat).SetFrac(new(big.Int).Mul(f.parts(), powerOf10(-s.decimals)), s.multiple)
	}
	return new(big.Rat).SetFrac(f.parts(), f.scale.person)
}

// less is f - part, where part is not the greater.
func (f *fraction) less(part *fraction) fraction {
	if part.zero() {
		return *f
	}
	if f.scale == part.scale && !f.scale.wide {
		out := fraction{scale: f.scale}
		var borrow uint64
		out.low, borrow = bits.Sub64(f.low, part.low, 0)
		out.high, _ = bits.Sub64(f.high, part.high, borrow)
		return out
	}
	x := f.rat()
	return fromRat(x.Sub(x, part.rat()))
}

// fromRat is the fraction that x people are.
func fromRat(x *big.Rat) fraction {
	return fraction{wide: x.Num(), scale: &scale{wide: true, person: x.Denom()}}
}

// people is the float64 nearest to the number of people, ties to even.
func (f *fraction) people() float64 {
	if f.zero() {
		return 0
	}
	if s := f.scale; s.person != nil && !s.wide {
		if f.high == 0 && f.low < 1<<53 && s.short == 0 && s.whole < 1<<53 {
			return float64(f.low) / s.whole // both are exact
		}
		if q, sure := f.double().over(double{s.whole, s.short}); sure {
			return q
		}
	}
	return nearest(f.rat())
}

func nearest(x *big.Rat) float64 {
	f, _ := x.Float64()
	return f
}

// percentage is 100·f/whole, rounded once; 0 where the whole is 0.
func (f *fraction) percentage(whole *fraction) float64 {
	if whole.zero() {
		return 0
	}
	if f.zero() {
		return 0
	}
	if f.scale == whole.scale && !f.scale.wide {
		if f.high|whole.high == 0 && f.low < 1<<53/100 && whole.low < 1<<53 {
			return float64(100*f.low) / float64(whole.low) // both are exact
		}
		if q, sure := (double{100, 0}).times(f.double()).over(whole.double()); sure {
			return q
		}
	}
	x := f.rat()
	return nearest(x.Quo(x.Mul(x, big.NewRat(100, 1)), whole.rat()))
}

// index100 is 100·both·base/(row·column), rounded once; 0 where a margin is 0.
func index100(both, base, row, column *fraction) float64 {
	if row.zero() || column.zero() || both.zero() || base.zero() {
		return 0
	}
	if s := both.scale; s == base.scale && s == row.scale && s == column.scale && !s.wide {
		n := (double{100, 0}).times(both.double()).times(base.double())
		if q, sure := n.over(row.double().times(column.double())); sure {
			return q
		}
	}
	n, d := both.rat(), row.rat()
	n.Mul(n.Mul(n, base.rat()), big.NewRat(100, 1))
	return nearest(n.Quo(n, d.Mul(d, column.rat())))
}

// double is a number as the sum of two float64, good to about 104 bits: enough to tell, nearly always, which float64 is
// nearest to a quotient. Where it is not, over says so, and the exact fraction is asked.
type double struct{ high, low float64 }

// double is the number of parts, where they are not wide.
func (f *fraction) double() double {
	if f.high == 0 {
		if f.low < 1<<53 {
			return double{float64(f.low), 0}
		}
		top := f.low &^ (1<<11 - 1) // 53 bits at the most
		return double{float64(top), float64(f.low - top)}
	}
	// The upper 53 bits, and what is left of it as a float64, which loses nothing that matters.
	drop := uint(bits.Len64(f.high)) + 11
	if drop >= 64 {
		top := f.high >> (drop - 64) << (drop - 64)
		rest := float64(f.high-top)*(1<<64) + float64(f.low)
		return double{float64(top) * (1 << 64), rest}
	}
	top := f.low >> drop << drop
	return double{float64(f.high)*(1<<64) + float64(top), float64(f.low - top)}
}

// A product that is added to something is converted: else it is not rounded before, on processors that multiply and add
// at once.
func (x double) times(y double) double {
	p := float64(x.high * y.high)
	return double{p, math.FMA(x.high, y.high, -p) + (x.high*y.low + x.low*y.high)}
}

// over is the float64 nearest to x/y, for positive numbers; sure is false if that can't be told.
func (x double) over(y double) (q float64, sure bool) {
	inverse := 1 / y.high
	q = float64(x.high * inverse)
	more := float64((math.FMA(-q, y.high, x.high) + (x.low - q*y.low)) * inverse)
	doubt := float64(q * (1.0 / (1 << 60) / (1 << 36)))
	a, b := q+(more-doubt), q+(more+doubt)
	return a, a == b
}
