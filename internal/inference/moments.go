package inference

import "math/bits"

// Moments is what is known of a set of respondents in one fieldwork.
type Moments struct {
	Sample int64 // how many they are
	Weight int64 // the sum of their weights, in units; below 2^62
	// High and Low are the halves of the sum of their squared weights, in units², High·2^64 + Low; below 2^102.
	High, Low uint64
}

// Add gives the moments of those of m and those of n together, who have no one in common.
func (m Moments) Add(n Moments) Moments {
	low, carry := bits.Add64(m.Low, n.Low, 0)
	high, _ := bits.Add64(m.High, n.High, carry)
	return Moments{Sample: m.Sample + n.Sample, Weight: m.Weight + n.Weight, High: high, Low: low}
}

// Less gives the moments of those of m who are not in n, a part of m.
func (m Moments) Less(n Moments) Moments {
	low, borrow := bits.Sub64(m.Low, n.Low, 0)
	high, _ := bits.Sub64(m.High, n.High, borrow)
	return Moments{Sample: m.Sample - n.Sample, Weight: m.Weight - n.Weight, High: high, Low: low}
}

// Squares is the sum of squared weights, in units², to a float's precision.
func (m Moments) Squares() float64 { return rounded(0, m.High, m.Low) }

// scatter is Sample·Σ weight² − (Σ weight)², exact until it is rounded at its end: that is Sample² times the variance
// of the weights. It is 0 where all weights are the same.
func (m Moments) scatter() float64 {
	over, low := bits.Mul64(uint64(m.Sample), m.Low)
	high, middle := bits.Mul64(uint64(m.Sample), m.High)
	middle, carry := bits.Add64(middle, over, 0)
	high += carry

	weight := uint64(max(m.Weight, -m.Weight))
	squareHigh, squareLow := bits.Mul64(weight, weight)
	low, borrow := bits.Sub64(low, squareLow, 0)
	middle, borrow = bits.Sub64(middle, squareHigh, borrow)
	high, borrow = bits.Sub64(high, 0, borrow)
	if borrow > 0 { // no respondents have such moments
		return 0
	}
	return rounded(high, middle, low)
}

// rounded is high·2^128 + middle·2^64 + low, to a float's precision. Products by powers of two are exact, so it makes
// no difference whether a processor fuses them with the sums.
func rounded(high, middle, low uint64) float64 {
	if high == 0 && middle == 0 { // as it mostly is, and the same
		return float64(low)
	}
	return float64(high)*0x1p128 + float64(middle)*0x1p64 + float64(low)
}

// Part is a part of the base in one fieldwork; parts have no one in common.
type Part struct {
	Moments
	// Gradient is by how much the figure grows for each unit of weight that the part gains in this fieldwork: ∂f/∂T·a,
	// T the part's size and a the fieldwork's factor from units to size.
	Gradient float64
}

// Variance is the variance of a figure, collected fieldwork by fieldwork. The zero value is 0. The same calls in the
// same order give the same bits on every processor.
type Variance struct {
	sum   float64
	crude float64 // Σ g²Q, what sum is the small rest of where a figure hardly varies
}

// negligible is the share of Σ g²Q below which a variance is but rounding.
const negligible = 1e-24

// Term is a Part as a variance takes it, so that one that stands in many figures is formed once. The zero value is a
// part that makes no difference: of no one, or of gradient 0.
type Term struct {
	sample float64 // respondents
	total  float64 // Σ z
	mean   float64 // of z
	within float64 // Σ (z − mean)²
	crude  float64 // Σ z²
}

// Term forms the term of a part. Every product is rounded by itself, as float64(x * y) has it: processors that fuse a
// product with a sum would give other bits than those that don't.
func (p *Part) Term() Term {
	if p.Sample <= 0 || p.Gradient == 0 {
		return Term{}
	}
	square, sample := float64(p.Gradient*p.Gradient), float64(p.Sample)
	total := float64(p.Gradient * float64(p.Weight))
	return Term{sample: sample, total: total, mean: total / sample, within: float64(square * (p.scatter() / sample)),
		crude: float64(square * p.Squares())}
}

// Negated is the term of the same respondents with the opposite gradient.
func (t Term) Negated() Term {
	t.total, t.mean = -t.total, -t.mean
	return t
}

// Add adds a fieldwork: how many respondents it has, whether they are in a part or not, and the parts of the base in
// it. Parts without respondents and those of gradient 0 need not be given: it makes no difference. Of few parts it
// allocates nothing.
func (v *Variance) Add(respondents int64, parts ...Part) {
	terms := make([]Term, 0, 6)
	for i := range parts {
		terms = append(terms, parts[i].Term())
	}
	v.AddTerms(respondents, terms...)
}

// AddTerms is Add for parts whose terms are known.
func (v *Variance) AddTerms(respondents int64, terms ...Term) {
	var crude, total, in float64
	for i := range terms {
		t := &terms[i]
		crude += t.crude
		total += t.total
		in += t.sample
	}
	v.crude += crude
	if respondents <= 1 {
		v.sum += crude
		return
	}
	n := float64(respondents)
	mean := total / n                                 // of z over all respondents of the fieldwork
	sum := float64(max(n-in, 0) * float64(mean*mean)) // of those whose z is 0
	for i := range terms {
		t := &terms[i]
		if t.sample == 0 {
			continue
		}
		apart := t.mean - mean
		sum += t.within
		sum += float64(t.sample * float64(apart*apart))
	}
	v.sum += float64(sum * n / (n - 1))
}

// Value is the variance: never negative, and 0 where what there is is but rounding.
func (v *Variance) Value() float64 {
	if v.sum < float64(negligible*v.crude) {
		return 0
	}
	return v.sum
}
