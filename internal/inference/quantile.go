package inference

import "math"

// logOdds is the logarithm of x/(1 − x) of the p-quantile x of beta(a, b), for p up to ½, whose normal quantile is z.
// The probability below it is off by about the share enough, but for rounding.
//
// ln P(X < x) is a concave function of the log odds, so that Newton's method finds the quantile from wherever it
// starts. It starts near, and its last step is one of fourth order, as all derivatives follow from the first: mostly
// the first step is the last.
func logOdds(p, z, a, b, enough float64) float64 {
	middle := math.Log(a / b)
	if min(a, b) > normalEnough(z) {
		return middle + cornishFisher(z, a, b)
	}
	d := newBeta(a, b)
	delta, exact := d.start(p, z)
	if exact {
		return middle + delta
	}
	logP := math.Log(p)
	for range 100 {
		at := d.at(delta)
		var off, slope float64 // ln P(X < x) − ln p, and its derivative
		if d.low(at) {
			below := d.below(at, enough)
			off, slope = math.Log(d.top*below)-at.drop-logP, 1/below
		} else {
			mirrored := d.swapped()
			density := d.top * math.Exp(-at.drop)
			lower := 1 - density*mirrored.below(point{x: at.y, y: at.x, lead: -at.lead, drop: at.drop}, enough)
			off, slope = math.Log(lower)-logP, density/lower
		}

		// The derivatives of ln P of second and third order, each divided by slope.
		second := at.lead - slope
		third := second*second - d.n*at.x*at.y - slope*second
		step := off / slope
		size := math.Abs(step) * (1 + math.Abs(second) + math.Sqrt(math.Abs(third)))
		if size < 0.5 {
			step *= 1 + step*(second/2+step*(second*second/2-third/6))
		}
		last := delta
		delta = min(max(delta-step, -60), 700)
		if size < 4e-3 || delta == last {
			break
		}
	}
	return middle + delta
}

// normalEnough is above what a and b the Cornish–Fisher expansion is as good as exact: where its error, which falls
// with the square of the lesser of a and b, and rises with about the fifth power of z, is below 1e-11 standard
// deviations.
func normalEnough(z float64) float64 { return 1e4 * (2 + math.Abs(z*z*z)) }

// start is a δ near that of the p-quantile, or the quantile itself where x is so small that the distribution is a power
// of it there.
func (d *beta) start(p, z float64) (delta float64, exact bool) {
	if d.a < 3 {
		return d.power(p)
	}
	return cornishFisher(z, d.a, d.b), false
}

// power has P(X < x) = x^a/(a·B(a, b)), times the next term of its logarithm.
func (d *beta) power(p float64) (delta float64, exact bool) {
	delta = (math.Log(p*d.a/d.top) - d.n*math.Log1p(d.a/d.b)) / d.a
	odds := d.a / d.b * math.Exp(delta)
	if odds*(d.n+1) < 1e-16 {
		return delta, true
	}
	return delta + min(max((d.b-1)*odds/(d.a+1), -1), 1) + min(odds, 1), false
}

// cornishFisher is near δ of the quantile whose normal quantile is z. It has the log odds, the difference of the
// logarithms of two gamma variables, nearly normal: by their first five cumulants.
func cornishFisher(z, a, b float64) float64 {
	of, less := logGamma(a), logGamma(b)
	deviation := math.Sqrt(of[1] + less[1])
	inverse := 1 / deviation
	square := inverse * inverse
	skew := (of[2] - less[2]) * square * inverse
	kurtosis := (of[3] + less[3]) * square * square
	fifth := (of[4] - less[4]) * square * square * inverse
	s, c := z*z, skew*skew
	w := z + skew*(s-1)/6 +
		z*(kurtosis*(s-3)/24-c*(2*s-5)/36) +
		fifth*(s*(s-6)+3)/120 - skew*kurtosis*(s*(s-5)+2)/24 + skew*c*(s*(12*s-53)+17)/324
	return of[0] - less[0] + deviation*w
}

// logGamma gives the first five cumulants of the logarithm of a gamma variable of shape a; the first less ln a.
func logGamma(a float64) (k [5]float64) {
	shape := a
	for ; a < 5; a++ {
		v := 1 / a
		s := v * v
		k[0] -= v
		k[1] += s
		k[2] -= 2 * s * v
		k[3] += 6 * s * s
		k[4] -= 24 * s * s * v
	}
	if a != shape {
		k[0] += math.Log(a / shape)
	}
	v := 1 / a
	s := v * v
	k[0] -= v/2 + s/12
	k[1] += v + s/2 + s*v/6
	k[2] -= s * (1 + v + s/2)
	k[3] += s * v * (2 + 3*v + 2*s)
	k[4] -= s * s * (6 + 12*v + 10*s)
	return k
}
