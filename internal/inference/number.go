package inference

import "math/big"

// Numbers is what is known of the numbers of a set of respondents in one fieldwork, exactly: sums over those who have a
// number x and a weight w, each in a unit of its own.
type Numbers struct {
	Fieldwork   int   // which one: means are compared fieldwork by fieldwork
	Respondents int64 // all that the fieldwork has, with a number or without
	Divisor     int64 // a weight counts for 1/Divisor of itself there
	Sample      int64 // how many have a number

	Weights [3]*big.Int // Σ w, Σ x·w, Σ x²·w
	Squares [3]*big.Int // Σ w², Σ x·w², Σ x²·w²; nil where squares are not known
}

// Less gives the numbers of those of n who are not in m, a part of n, or nil, which is no one.
func (n *Numbers) Less(m *Numbers) *Numbers {
	if m == nil {
		return n
	}
	out := *n
	out.Sample -= m.Sample
	for i := range out.Weights {
		out.Weights[i] = new(big.Int).Sub(n.Weights[i], m.Weights[i])
		if n.Squares[i] != nil {
			out.Squares[i] = new(big.Int).Sub(n.Squares[i], m.Squares[i])
		}
	}
	return &out
}

// Mean is a mean of numbers over several fieldworks, with all that tells how sure it is. All of it is computed in whole
// numbers, and rounded once: weights or numbers that are nearly the same cost no digits, and the bits are the same
// however the sums were counted.
//
// With L, the least common multiple of the divisors, and l = L/divisor in each fieldwork, the size of the respondents
// is N = Σ l·Σ w, in units of 1/L, and their mean is X/N with X = Σ l·Σ x·w. It varies as Σ z does, where
// z = l·w·(x·N − X)/N² for those with a number and 0 for all others.
type Mean struct {
	Sample     int64      // respondents
	strata     []*Numbers // of the fieldworks in which there are any, in their order
	shares     []*big.Int // their l
	multiple   *big.Int   // L
	unit       *big.Int   // how many units of the numbers make one
	sums       [3]*big.Int
	deviations []deviation // of the strata, once they are asked for
}

// deviation is, of a fieldwork, Σ z and Σ z², in units of 1/N² and of 1/N⁴.
type deviation struct{ sum, squares *big.Int }

// NewMean makes the mean of numbers, of which unit make one. Strata are in the order of their Fieldwork; those without
// a respondent, or nil, do not count.
func NewMean(strata []*Numbers, unit *big.Int) *Mean {
	m := &Mean{unit: unit, multiple: big.NewInt(1), sums: [3]*big.Int{{}, {}, {}}}
	for _, s := range strata {
		if s != nil && s.Sample > 0 {
			m.strata = append(m.strata, s)
			m.Sample += s.Sample
			m.multiple = leastCommonMultiple(m.multiple, s.Divisor)
		}
	}
	product := new(big.Int)
	for _, s := range m.strata {
		share := m.Share(s.Divisor)
		m.shares = append(m.shares, share)
		for i := range m.sums {
			m.sums[i].Add(m.sums[i], product.Mul(share, s.Weights[i]))
		}
	}
	return m
}

func leastCommonMultiple(l *big.Int, n int64) *big.Int {
	x := big.NewInt(n)
	return new(big.Int).Mul(l, x.Quo(x, new(big.Int).GCD(nil, nil, l, x)))
}

// Share is what a unit of weight counts for where the divisor is such, in units of Total. The divisor is that of a
// fieldwork in which there are respondents.
func (m *Mean) Share(divisor int64) *big.Int {
	return new(big.Int).Quo(m.multiple, big.NewInt(divisor))
}

// Total is how many people the respondents are, in units of their own. It must not be changed.
func (m *Mean) Total() *big.Int { return m.sums[0] }

// Size is how many people the respondents are, in units of weight.
func (m *Mean) Size() *big.Rat { return new(big.Rat).SetFrac(m.sums[0], m.multiple) }

// Freedom is how many respondents there are, and in how many fieldworks.
func (m *Mean) Freedom() (respondents int64, fieldworks int) { return m.Sample, len(m.strata) }

// Value is the mean; 0 of no one.
func (m *Mean) Value() float64 {
	if m.Sample == 0 {
		return 0
	}
	x, _ := m.value().Float64()
	return x
}

func (m *Mean) value() *big.Rat {
	return new(big.Rat).SetFrac(m.sums[1], new(big.Int).Mul(m.sums[0], m.unit))
}

// precision is that of what is not whole, in bits: far more than is left of it.
const precision = 320

func float(x *big.Int) *big.Float { return new(big.Float).SetPrec(precision).SetInt(x) }

// StandardDeviation is how far the numbers of people are from their mean, √(Σ T·(x − m)²/Σ T · n/(n − 1)), n being the
// respondents, of which there are two at least; else it is 0.
func (m *Mean) StandardDeviation() float64 {
	if m.Sample < 2 {
		return 0
	}
	above := new(big.Int).Mul(m.sums[2], m.sums[0])
	above.Sub(above, new(big.Int).Mul(m.sums[1], m.sums[1]))
	variance := float(above.Mul(above, big.NewInt(m.Sample)))
	variance.Quo(variance, float(big.NewInt(m.Sample-1)))
	return root(variance, new(big.Int).Mul(m.sums[0], m.unit))
}

// root is √x / divisor.
func root(x *big.Float, divisor *big.Int) float64 {
	if x.Sign() <= 0 {
		return 0
	}
	x.Sqrt(x)
	out, _ := x.Quo(x, float(divisor)).Float64()
	return out
}

// Effective is the effective sample of the respondents after Kish, (Σ T)²/Σ a²w²; 0 of no one. Squares must be known.
func (m *Mean) Effective() float64 {
	if m.Sample == 0 {
		return 0
	}
	below, square := new(big.Int), new(big.Int)
	for i, s := range m.strata {
		square.Mul(m.shares[i], m.shares[i])
		below.Add(below, square.Mul(square, s.Squares[0]))
	}
	x, _ := new(big.Rat).SetFrac(square.Mul(m.sums[0], m.sums[0]), below).Float64()
	return x
}

// deviate finds the deviations of the strata.
func (m *Mean) deviate() {
	if m.deviations != nil {
		return
	}
	size, sum := m.sums[0], m.sums[1]
	product := new(big.Int)
	for i, s := range m.strata {
		d := deviation{new(big.Int).Mul(s.Weights[1], size), cross(m, m, s)}
		d.sum.Sub(d.sum, product.Mul(sum, s.Weights[0]))
		d.sum.Mul(d.sum, m.shares[i])
		product.Mul(m.shares[i], m.shares[i])
		d.squares.Mul(d.squares, product)
		m.deviations = append(m.deviations, d)
	}
}

// cross is Σ w²·(x·N − X)·(x·N' − X') over some respondents of a fieldwork who are in both means.
func cross(a, b *Mean, s *Numbers) *big.Int {
	out, product := new(big.Int), new(big.Int)
	out.Mul(out.Mul(a.sums[0], b.sums[0]), s.Squares[2])
	mixed := new(big.Int).Mul(a.sums[0], b.sums[1])
	mixed.Add(mixed, product.Mul(b.sums[0], a.sums[1]))
	out.Sub(out, mixed.Mul(mixed, s.Squares[1]))
	product.Mul(a.sums[1], b.sums[1])
	return out.Add(out, product.Mul(product, s.Squares[0]))
}

// spread is the variance of a sum of z, collected fieldwork by fieldwork. Nothing of it is negative; nothing cancels.
type spread struct{ sum, crude *big.Float }

func newSpread() spread {
	return spread{new(big.Float).SetPrec(precision), new(big.Float).SetPrec(precision)}
}

// add adds a fieldwork, of which Σ z and Σ z² are known exactly. A single respondent says nothing of how respondents
// differ.
func (v *spread) add(respondents int64, sum, squares *big.Int) {
	v.crude.Add(v.crude, float(squares))
	if respondents <= 1 {
		v.sum.Add(v.sum, float(squares))
		return
	}
	varied := new(big.Int).Mul(squares, big.NewInt(respondents))
	term := float(varied.Sub(varied, new(big.Int).Mul(sum, sum)))
	v.sum.Add(v.sum, term.Quo(term, float(big.NewInt(respondents-1))))
}

// error is the standard error, z being in units of 1/divisor.
func (v *spread) error(divisor *big.Int) float64 {
	least := new(big.Float).SetPrec(precision).SetFloat64(negligible)
	if v.sum.Cmp(least.Mul(least, v.crude)) < 0 {
		return 0
	}
	return root(v.sum, divisor)
}

// StandardError is that of the mean; 0 of no one. Squares must be known.
func (m *Mean) StandardError() float64 {
	if m.Sample == 0 {
		return 0
	}
	m.deviate()
	v := newSpread()
	for i, s := range m.strata {
		v.add(s.Respondents, m.deviations[i].sum, m.deviations[i].squares)
	}
	divisor := new(big.Int).Mul(m.sums[0], m.sums[0])
	return v.error(divisor.Mul(divisor, m.unit))
}

// CompareMeans gives the difference of two means, the first less the second, of numbers of the same unit, its standard
// error, and how many respondents are in either and in how many fieldworks. both are those who are in the two of them,
// in the order of their Fieldwork. Neither mean is of no one; squares must be known.
func CompareMeans(a, b *Mean, both []*Numbers) (difference, standardError float64, respondents int64, fieldworks int) {
	a.deviate()
	b.deviate()
	sizeA, sizeB := new(big.Int).Mul(a.sums[0], a.sums[0]), new(big.Int).Mul(b.sums[0], b.sums[0])
	v := newSpread()
	for i, j := 0, 0; i < len(a.strata) || j < len(b.strata); {
		var in *Numbers
		sum, squares := new(big.Int), new(big.Int)
		inA := j == len(b.strata) || i < len(a.strata) && a.strata[i].Fieldwork <= b.strata[j].Fieldwork
		inB := i == len(a.strata) || j < len(b.strata) && b.strata[j].Fieldwork <= a.strata[i].Fieldwork
		if inA {
			in = a.strata[i]
			respondents += in.Sample
			scaled(&a.deviations[i], sizeB, sum, squares)
		}
		if inB {
			in = b.strata[j]
			respondents += in.Sample
			scaled(&b.deviations[j], new(big.Int).Neg(sizeA), sum, squares)
		}
		for len(both) > 0 && (both[0] == nil || both[0].Fieldwork < in.Fieldwork) {
			both = both[1:]
		}
		if inA && inB && len(both) > 0 && both[0].Fieldwork == in.Fieldwork && both[0].Sample > 0 {
			respondents -= both[0].Sample
			shared := cross(a, b, both[0])
			shared.Mul(shared.Mul(shared, a.shares[i]), b.shares[j])
			shared.Mul(shared.Mul(shared, sizeA), sizeB)
			squares.Sub(squares, shared.Lsh(shared, 1))
		}
		v.add(in.Respondents, sum, squares)
		fieldworks++
		if inA {
			i++
		}
		if inB {
			j++
		}
	}
	difference, _ = new(big.Rat).Sub(a.value(), b.value()).Float64()
	divisor := sizeA.Mul(sizeA, sizeB)
	return difference, v.error(divisor.Mul(divisor, a.unit)), respondents, fieldworks
}

// scaled adds to Σ z and Σ z² those of a mean, times a factor.
func scaled(d *deviation, factor, sum, squares *big.Int) {
	sum.Add(sum, new(big.Int).Mul(d.sum, factor))
	square := new(big.Int).Mul(factor, factor)
	squares.Add(squares, square.Mul(square, d.squares))
}

// LeastPart is the least whole part of a total that is so many percent of it, or more, and anything at all.
func LeastPart(total *big.Int, percent *big.Rat) *big.Int {
	whole := new(big.Int).Mul(percent.Denom(), big.NewInt(100))
	part, rest := new(big.Int).Mul(percent.Num(), total), new(big.Int)
	if part.QuoRem(part, whole, rest); rest.Sign() > 0 || part.Sign() == 0 {
		part.Add(part, big.NewInt(1))
	}
	return part
}
