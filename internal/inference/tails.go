package inference

import (
	"math"

	"gonum.org/v1/gonum/mathext"
)

// StudentTail is the probability that Student's t with df degrees of freedom is at least as far from 0 as t, on either
// side.
func StudentTail(t, df float64) float64 {
	square := t * t
	if math.IsInf(square, 1) { // t is far beyond what df can count
		return 0
	}
	lower, _ := betaTails(df/2, 0.5, df/(df+square), square/(df+square))
	return lower
}

// FTail is the probability that F, with df1 and df2 degrees of freedom, is at least f. Either may be fractional.
func FTail(f, df1, df2 float64) float64 {
	switch {
	case f <= 0:
		return 1
	case math.IsInf(f, 1):
		return 0
	}
	sum := df2 + df1*f
	lower, _ := betaTails(df2/2, df1/2, df2/sum, df1*f/sum)
	return lower
}

// ChiSquareTail is the probability that χ² with df degrees of freedom is at least x.
func ChiSquareTail(x, df float64) float64 {
	switch {
	case math.IsNaN(x):
		return x
	case x <= 0:
		return 1
	case math.IsInf(x, 1):
		return 0
	case df == 1:
		return math.Erfc(math.Sqrt(x / 2))
	}
	return mathext.GammaIncRegComp(df/2, x/2)
}

// TQuantile is the p-quantile of Student's t with df degrees of freedom, p above 0 and below 1.
func TQuantile(p, df float64) float64 {
	switch {
	case p < 0.5:
		return -studentQuantile(2*p, df)
	case p > 0.5:
		return studentQuantile(2*(1-p), df)
	}
	return 0
}

// studentQuantile is the t beyond which, on both sides together, Student's t lies with probability p.
func studentQuantile(p, df float64) float64 {
	// df/(df + t²) is beta(df/2, ½), so its odds are df/t², and those of the middle are df.
	if p <= 0.5 {
		return math.Exp(-logOdds(p, normalQuantile(p), df/2, 0.5, precise) / 2)
	}
	return math.Exp(logOdds(1-p, normalQuantile(1-p), 0.5, df/2, precise) / 2)
}

// manyDegrees is the degrees of freedom above which Student's t is as good as its expansion from the normal
// distribution.
const manyDegrees = 1e4

// studentFromNormal is the quantile of Student's t, with more than manyDegrees of freedom, whose normal quantile is z,
// by the expansion of Fisher and Cornish in 1/df (Abramowitz and Stegun 26.7.5). It tells whether it is as good as
// exact, as it is but for z far out.
func studentFromNormal(z, df float64) (t float64, exact bool) {
	s := z * z
	if s > df/250 {
		return 0, false
	}
	v := 1 / df
	return z * (1 + v*((s+1)/4+
		v*((s*(5*s+16)+3)/96+
			v*((s*(s*(3*s+19)+17)-15)/384+
				v*(s*(s*(s*(79*s+776)+1482)-1920)-945)/92160)))), true
}

// normalQuantile is the p-quantile of the normal distribution, p above 0 and below 1.
func normalQuantile(p float64) float64 { return mathext.NormalQuantile(p) }
