package inference

import "math"

// EffectiveShare is a share of an effective sample.
type EffectiveShare struct {
	N             float64 // effective respondents (Kish), above 0
	P, Complement float64 // the share and 1 − P, each from exact sizes
}

// LikelihoodRatio tests whether two shares of samples that have no one in common are of one and the same population:
//
//	G² = 2·Σ n·(p·ln(p/p̂) + (1−p)·ln((1−p)/(1−p̂)))        p̂ = Σ n·p / Σ n,  0·ln 0 = 0
//
// and p is the probability that χ² with one degree of freedom is at least as large. Nothing is tested where p̂ is 0
// or 1, as nothing varies there.
//
// Unlike Student's t of the difference it asks nothing of a standard error, which a share of a few respondents, or
// one of 0 or 1, does not have or has far too small.
func LikelihoodRatio(a, b EffectiveShare) (g2, p float64, tested bool) {
	n := a.N + b.N
	pooled := (float64(a.N*a.P) + float64(b.N*b.P)) / n
	rest := (float64(a.N*a.Complement) + float64(b.N*b.Complement)) / n
	if !(pooled > 0 && rest > 0) {
		return 0, 1, false
	}
	apart := a.P - b.P
	if a.Complement+b.Complement < a.P+b.P { // then the complements are the finer numbers
		apart = b.Complement - a.Complement
	}
	g2 = 2 * (float64(a.N*divergence(apart*(b.N/n), pooled, rest)) + float64(b.N*divergence(-apart*(a.N/n), pooled, rest)))
	return g2, ChiSquareTail(g2, 1), true
}

// divergence is p·ln(p/p̂) + (1−p)·ln((1−p)/(1−p̂)) of p = p̂ + d, p̂ being pooled and rest 1 − p̂: as
//
//	p̂·f(d/p̂) + (1−p̂)·f(−d/(1−p̂))        f(x) = (1+x)·ln(1+x) − x
//
// of which nothing is negative, so that shares that are nearly the same do not cancel to noise.
func divergence(d, pooled, rest float64) float64 {
	return float64(pooled*surplus(d/pooled)) + float64(rest*surplus(-d/rest))
}

// surplus is (1+x)·ln(1+x) − x, for x of −1 or more.
func surplus(x float64) float64 {
	switch {
	case x <= -1:
		return 1
	case math.Abs(x) >= 0.1:
		return float64((1+x)*math.Log1p(x)) - x
	}
	// x²/(1·2) − x³/(2·3) + x⁴/(3·4) …, from the smallest term on.
	sum := 0.0
	for k := 16.0; k >= 2; k-- {
		sum = 1/(k*(k-1)) - float64(x*sum)
	}
	return float64(float64(x*x) * sum)
}
