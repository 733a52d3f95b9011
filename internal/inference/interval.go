package inference

import (
	"math"
	"sync"
)

// Level is a confidence level with the quantiles of Student's t that it needs, which it remembers by their degrees of
// freedom where they are few. Several goroutines may use it.
type Level struct {
	tail      float64  // what lies beyond each end of an interval: (1 − level)/2
	normal    float64  // the normal quantile at tail, negative
	quantiles sync.Map // float64 by float64
}

// NewLevel makes a level of so many percent, above 50 and below 100.
func NewLevel(percent float64) *Level {
	tail := (100 - percent) / 200
	return &Level{tail: tail, normal: normalQuantile(tail)}
}

// T is the two-sided quantile of Student's t: with df degrees of freedom, t lies within ±T at the level's probability.
// Degrees of freedom below 1 count as 1.
func (l *Level) T(df float64) float64 {
	df = max(df, 1)
	if df > manyDegrees {
		if t, exact := studentFromNormal(-l.normal, df); exact {
			return t
		}
	}
	if t, known := l.quantiles.Load(df); known {
		return t.(float64)
	}
	t := studentQuantile(2*l.tail, df)
	l.quantiles.Store(df, t)
	return t
}

// Around is the interval x ± t·se of a figure with the standard error se, in the unit of both.
func (l *Level) Around(x, se, df float64) (low, high float64) {
	half := float64(l.T(df) * se)
	return x - half, x + half
}

// AroundLog is the interval of a ratio above 0, such as an index, whose logarithm has the standard error seLog:
// exp(ln index ± t·seLog). Few degrees of freedom can make high +Inf.
func (l *Level) AroundLog(index, seLog, df float64) (low, high float64) {
	factor := math.Exp(float64(l.T(df) * seLog))
	return index / factor, index * factor
}

// Proportion is what the interval and the quality of a share of a denominator go by. There is none where the
// denominator is 0.
type Proportion struct {
	P, Complement float64 // the share and 1 − P, each from exact sizes, so that neither is the other's rounding
	Variance      float64 // of P
	Sample        int64   // respondents in the denominator
	DF            float64 // degrees of freedom of Variance
	Effective     float64 // the denominator's effective sample, after Kish: (Σ weight)²/Σ weight²
}

// simple is the size of the simple random sample that would have told the share as well: p(1−p)/Var.
func (p Proportion) simple() float64 { return float64(p.P*p.Complement) / p.Variance }

// effective is simple by what Student's t has at the level: the ratio of the t of the sample to that of the degrees of
// freedom, squared. P is neither 0 nor 1, and Variance is above 0.
func (l *Level) effective(p Proportion) float64 {
	ratio := l.T(float64(p.Sample-1)) / l.T(p.DF)
	return p.simple() * ratio * ratio
}

// normalAbove is the effective sample above which a share is as good as normal.
const normalAbove = 1e9

// KornGraubard is the interval of a share after Korn and Graubard (1998), from 0 to 1: Clopper and Pearson's at the
// effective sample. Where the share is 0 or 1, or does not vary, that is the denominator's own; the side of a share of
// 0 or 1 that is certain is 0 or 1. Where the effective sample is above 10⁹, the interval is P ± t·√Variance.
func (l *Level) KornGraubard(p Proportion) (low, high float64) {
	if p.P <= 0 || p.Complement <= 0 || p.Variance <= 0 {
		return l.clopperPearson(p.P, p.Complement, p.Effective)
	}
	n := l.effective(p)
	if n > normalAbove {
		low, high = l.Around(p.P, math.Sqrt(p.Variance), p.DF)
		return max(low, 0), min(high, 1)
	}
	return l.clopperPearson(p.P, p.Complement, n)
}

// clopperPearson is the interval of a share p, and q = 1 − p, of a sample of n, which need not be whole: the quantiles
// of beta(np, nq+1) and beta(np+1, nq). Of a sample of no one nothing is known.
func (l *Level) clopperPearson(p, q, n float64) (low, high float64) {
	switch {
	case !(n > 0):
		return 0, 1
	case p <= 0:
		return 0, -math.Expm1(math.Log(l.tail) / n)
	case q <= 0:
		return math.Exp(math.Log(l.tail) / n), 1
	}
	low, _ = betaQuantile(l.tail, l.normal, n*p, n*q+1)
	_, high = betaQuantile(l.tail, l.normal, n*q, n*p+1) // seen from the other side
	return low, high
}

// Test is the two-sided test of a difference of 0: t, and the probability of a t at least as far from 0. The standard
// error is above 0; degrees of freedom below 1 count as 1.
func Test(difference, se, df float64) (t, p float64) {
	t = difference / se
	return t, StudentTail(t, max(df, 1))
}
