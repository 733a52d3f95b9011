package inference

import "math"

// logOdds is by how much the log odds of the p-quantile x of beta(a, b), ln x/(1 − x), lie above those of the middle,
// ln a/b, for p up to ½, whose normal quantile is z. The probability below x is off by about the share enough, but for
// rounding.
//
// ln P(X < x) is a concave function of the log odds, so that Newton's method finds the quantile from wherever it
// starts. It starts near, and its last step is one of fourth order, as all derivatives follow from the first: mostly
// the first step is the last.
func logOdds(p, z, a, b, enough float64) float64 {
	if min(a, b) > normalEnough(z) {
		return cornishFisher(z, a, b)
	}
	d := newBeta(a, b)
	delta, exact := d.start(p, z)
	if exact {
		return delta
	}
	within := func(delta float64) float64 { return min(max(delta, -60), 700) } // so that nothing overflows
	delta = within(delta)
	logP := math.Log(p)
	near := 4 * math.Sqrt(math.Sqrt(enough)) // where the error of fourth order is that small
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
		delta = within(delta - step)
		if !(size >= near) || delta == last {
			break
		}
	}
	return delta
}

// normalEnough is above what a and b the Cornish–Fisher expansion is as good as exact. It is off by some (0.06 +
// 0.001·|z|⁵)/min(a, b)^2.5 standard deviations, which |z| times makes the share by which the probability is off: less
// than about 1e-10.
func normalEnough(z float64) float64 { return 2000 + 1300*z*z }

// start is a δ near that of the p-quantile, whose normal quantile is z, or the quantile itself where x is so small that
// the distribution is a power of it there.
func (d *beta) start(p, z float64) (delta float64, exact bool) {
	if d.a < 3 || z*z > 2*d.a {
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
// logarithms of two gamma variables, nearly normal, and corrects z by their first six cumulants (Hill and Davis 1968).
func cornishFisher(z, a, b float64) float64 {
	of, less := logGamma(a), logGamma(b)
	deviation := math.Sqrt(of[1] + less[1])
	inverse := 1 / deviation
	square := inverse * inverse
	k3 := (of[2] - less[2]) * square * inverse
	k4 := (of[3] + less[3]) * square * square
	k5 := (of[4] - less[4]) * square * square * inverse
	k6 := (of[5] + less[5]) * square * square * square

	s, c := z*z, k3*k3
	h2, h3, h4, h5 := s-1, z*(s-3), s*(s-6)+3, z*(s*(s-10)+15) // Hermite polynomials
	w := z + k3*h2/6 +
		k4*h3/24 - c*(2*h3+z)/36 +
		k5*h4/120 - k3*k4*(h4+h2)/24 + k3*c*(12*h4+19*h2)/324 +
		k6*h5/720 - k4*k4*(3*h5+6*h3+2*z)/384 - k3*k5*(2*h5+3*h3)/180 +
		c*k4*(14*h5+37*h3+8*z)/288 - c*c*(252*h5+832*h3+227*z)/7776
	return of[0] - less[0] + deviation*w
}

// logGamma gives the first six cumulants of the logarithm of a gamma variable of shape a; the first less ln a.
func logGamma(a float64) (k [6]float64) {
	shape := a
	for ; a < 5; a++ {
		v := 1 / a
		s := v * v
		k[0] -= v
		k[1] += s
		k[2] -= 2 * s * v
		k[3] += 6 * s * s
		k[4] -= 24 * s * s * v
		k[5] += 120 * s * s * s
	}
	if a != shape {
		k[0] += math.Log(a / shape)
	}
	v := 1 / a
	s := v * v
	k[0] -= v/2 + s*(1.0/12-s/120)
	k[1] += v + s/2 + s*v*(1.0/6-s/30)
	k[2] -= s * (1 + v + s/2)
	k[3] += s * v * (2 + 3*v + 2*s)
	k[4] -= s * s * (6 + 12*v + 10*s)
	k[5] += s * s * v * (24 + 60*v + 60*s)
	return k
}
