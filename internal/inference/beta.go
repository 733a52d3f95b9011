package inference

import "math"

// beta is what the distribution beta(a, b) needs at every point of it. A point is known by its log odds δ, less those
// of the middle a/(a+b), or by x and y = 1 − x, both of them, so that neither end loses digits.
type beta struct {
	a, b, n float64 // n = a + b
	x0, y0  float64 // the middle, a/n and b/n
	top     float64 // x0^a·y0^b/B(a, b)
}

func newBeta(a, b float64) beta {
	n := a + b
	top := math.Sqrt(a/n*b/(2*math.Pi)) * math.Exp(stirling(n)-stirling(a)-stirling(b))
	return beta{a: a, b: b, n: n, x0: a / n, y0: b / n, top: top}
}

// swapped is the same distribution seen from its other end.
func (d beta) swapped() beta { return beta{a: d.b, b: d.a, n: d.n, x0: d.y0, y0: d.x0, top: d.top} }

// stirling is what Stirling's formula lacks: ln Γ(z+1) − (z+½)·ln z + z − ½·ln 2π.
func stirling(z float64) float64 {
	if z < 15 {
		log, _ := math.Lgamma(z + 1)
		return log - (z+0.5)*math.Log(z) + z - 0.5*math.Log(2*math.Pi)
	}
	v := 1 / (z * z)
	return (1.0/12 - v*(1.0/360-v*(1.0/1260-v*(1.0/1680-v*(1.0/1188))))) / z
}

// excess is u − ln(1+u), which needs its own series where u is small. v is 1+u, which may be known better than u.
func excess(u, v float64) float64 {
	if math.Abs(u) > 0.25 {
		return u - math.Log(v)
	}
	// With s = u/(2+u), ln(1+u) = 2·(s + s³/3 + s⁵/5 + …).
	s := u / (2 + u)
	w := s * s
	series := 1.0/3 + w*(1.0/5+w*(1.0/7+w*(1.0/9)))
	if w > 1e-4 {
		series += w * w * w * w * (1.0/11 + w*(1.0/13+w*(1.0/15+w*(1.0/17+w*(1.0/19)))))
	}
	return s * (u - 2*w*series)
}

// point is a point of the distribution. drop is how far the logarithm of x^a·y^b lies below that of the middle.
type point struct{ x, y, lead, drop float64 }

// at is the point whose log odds are δ above those of the middle. lead is a·y − b·x.
func (d *beta) at(delta float64) point {
	grown := math.Expm1(delta)
	q := 1 / (1 + d.x0*grown) // y/y0
	v := (1 + grown) * q      // x/x0
	if delta < -0.5 {         // where grown says little of how small x is
		odds := math.Exp(delta)
		q = 1 / (d.y0 + d.x0*odds)
		v = odds * q
	}
	u := grown * q // (x − x0)/(x0·y0)
	return point{
		x: d.x0 * v, y: d.y0 * q, lead: -d.n * d.x0 * d.y0 * u,
		drop: d.a*excess(d.y0*u, v) + d.b*excess(-d.x0*u, q),
	}
}

// between is the point x, with y = 1 − x.
func (d *beta) between(x, y float64) point {
	lead := d.a*y - d.b*x
	return point{
		x: x, y: y, lead: lead,
		drop: d.a*excess(-lead/d.a, x/d.x0) + d.b*excess(lead/d.b, y/d.y0),
	}
}

// low tells whether the distribution below p is to be computed rather than that above.
func (d *beta) low(p point) bool { return p.x*(d.n+2) <= d.a+1 }

// below is the probability of being below p, divided by x^a·y^b/B(a, b), for p that is low.
// It may be wrong by about the share enough.
func (d *beta) below(p point, enough float64) float64 {
	if d.a < 12 && p.x < 0.7 {
		return d.series(p, enough)
	}
	return d.fraction(p, enough)
}

// series is below by Σ (n)_k/(a+1)_k·x^k/a, of positive terms, which is quick where a is small.
func (d *beta) series(p point, enough float64) float64 {
	term, sum := 1.0, 1.0
	for k := 0.0; k < 10000; k++ {
		term *= (d.n + k) * p.x / (d.a + 1 + k)
		sum += term
		if !(term >= enough*sum) {
			break
		}
	}
	return sum / d.a
}

// fraction is below by the continued fraction of DiDonato and Morris (1992, BFRAC), run forward without a division on
// its way. Two deviations below the middle and more it takes about 25 terms, however large a and b are.
func (d *beta) fraction(p point, enough float64) float64 {
	a, b, c := d.a, d.b, p.lead+1
	inverse := 1 / (a + 1)
	numerator0, denominator0 := 0.0, 1.0
	numerator, denominator := 1.0, c*a*inverse
	ratio := 1 / denominator
	for k := 1.0; k < 100_000; k++ {
		w := k * (b - k) * p.x
		alpha := (a + k - 1) * (d.n + k - 1) * w * p.x * inverse * inverse
		next := 1 / (a + 2*k + 1)
		beta := k + w*inverse + (a+k)*next*(c+k*(1+p.y))
		inverse = next
		numerator0, numerator = numerator, alpha*numerator0+beta*numerator
		denominator0, denominator = denominator, alpha*denominator0+beta*denominator
		last := ratio
		ratio = numerator / denominator
		if !(math.Abs(ratio-last) > enough*ratio) {
			break
		}
		if denominator > 1e200 {
			const down = 1e-200
			numerator0, numerator = numerator0*down, numerator*down
			denominator0, denominator = denominator0*down, denominator*down
		}
	}
	return ratio
}

// By what share probabilities may be wrong, but for rounding.
const (
	precise = 1e-15
	quick   = 1e-12 // for quantiles that are asked for tens of thousands of times
)

// betaTails gives the probabilities that beta(a, b) is below x and above it; y is 1 − x.
func betaTails(a, b, x, y float64) (lower, upper float64) {
	switch {
	case x <= 0:
		return 0, 1
	case y <= 0:
		return 1, 0
	}
	d := newBeta(a, b)
	p := d.between(x, y)
	if d.low(p) {
		lower = d.below(p, precise) * d.top * math.Exp(-p.drop)
		return lower, 1 - lower
	}
	d, p = d.swapped(), point{x: y, y: x, lead: -p.lead, drop: p.drop}
	upper = d.below(p, precise) * d.top * math.Exp(-p.drop)
	return 1 - upper, upper
}

// BetaQuantile is the p-quantile of beta(a, b), p above 0 and below 1, a and b above 0.
func BetaQuantile(p, a, b float64) float64 {
	if p <= 0.5 {
		x, _ := betaQuantile(p, normalQuantile(p), a, b)
		return x
	}
	_, y := betaQuantile(1-p, normalQuantile(1-p), b, a)
	return y
}

// betaQuantile is the p-quantile x of beta(a, b), with y = 1 − x, for p up to ½, whose normal quantile is z.
func betaQuantile(p, z, a, b float64) (x, y float64) {
	odds := a / b * math.Exp(logOdds(p, z, a, b, quick))
	if math.IsInf(odds, 1) {
		return 1, 0
	}
	return odds / (1 + odds), 1 / (1 + odds)
}
