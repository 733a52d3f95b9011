package inference

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
)

// of gives the moments of respondents with these weights.
func of(weights ...int64) (m Moments) {
	for _, w := range weights {
		square := new(big.Int).Mul(big.NewInt(w), big.NewInt(w))
		m = m.Add(moments(1, w, square))
	}
	return m
}

func moments(sample, weight int64, squares *big.Int) Moments {
	low := new(big.Int).And(squares, new(big.Int).SetUint64(math.MaxUint64))
	return Moments{
		Sample: sample, Weight: weight,
		High: new(big.Int).Rsh(squares, 64).Uint64(), Low: low.Uint64(),
	}
}

func (m Moments) squares() *big.Int {
	q := new(big.Int).SetUint64(m.High)
	return q.Lsh(q, 64).Or(q, new(big.Int).SetUint64(m.Low))
}

// exactly is what a fieldwork adds to a variance, n/(n−1)·(Σ g²Q − (Σ gW)²/n), in exact fractions, and Σ g²Q.
func exactly(respondents int64, parts []Part) (variance, crude *big.Rat) {
	crude, total := new(big.Rat), new(big.Rat)
	for _, p := range parts {
		g := new(big.Rat).SetFloat64(p.Gradient)
		square := new(big.Rat).Mul(g, g)
		crude.Add(crude, square.Mul(square, new(big.Rat).SetInt(p.squares())))
		total.Add(total, g.Mul(g, new(big.Rat).SetInt64(p.Weight)))
	}
	if respondents == 1 {
		return crude, crude
	}
	total.Mul(total, total).Mul(total, big.NewRat(1, respondents))
	variance = new(big.Rat).Sub(crude, total)
	return variance.Mul(variance, big.NewRat(respondents, respondents-1)), crude
}

func TestMomentsAddAndLess(t *testing.T) {
	carried := Moments{Sample: 3, Weight: 5, High: 1, Low: 1 << 63}
	other := Moments{Sample: 2, Weight: 4, High: 2, Low: 1<<63 + 7}
	sum := carried.Add(other)
	if want := (Moments{Sample: 5, Weight: 9, High: 4, Low: 7}); sum != want {
		t.Errorf("the sum is %v, want %v", sum, want)
	}
	if got := sum.Less(other); got != carried {
		t.Errorf("less what was added, %v is left, want %v", got, carried)
	}
	if got := sum.Less(sum); got != (Moments{}) {
		t.Errorf("less itself, %v is left", got)
	}
	if got, want := carried.Squares(), 0x1.8p64; got != want {
		t.Errorf("the squares are %v, want %v", got, want)
	}
}

func TestScatter(t *testing.T) {
	huge := Moments{Sample: 1 << 30, Weight: 1<<62 - 1, High: 1<<38 - 1, Low: math.MaxUint64}
	for _, m := range []Moments{
		{}, of(0), of(7), of(5, 5, 5), of(1, 2), of(1e9-1, 1e9+1), of(3e18), of(1<<61, 1<<61), of(1<<61, 1<<61-1), huge,
		{Sample: 1 << 24, Weight: 1 << 61, High: 1 << 34, Low: 1}, {Sample: 1<<31 - 1, High: 1<<38 - 1, Low: math.MaxUint64},
	} {
		want := new(big.Int).Mul(big.NewInt(m.Sample), m.squares())
		want.Sub(want, new(big.Int).Mul(big.NewInt(m.Weight), big.NewInt(m.Weight)))
		rounded, _ := new(big.Float).SetInt(want).Float64()
		if got := m.scatter(); math.Abs(got-rounded) > 0x1p-52*rounded {
			t.Errorf("%v: %v, want %v", m, got, rounded)
		}
	}
	if got := (Moments{Sample: 2, Weight: 10, Low: 1}).scatter(); got != 0 {
		t.Errorf("moments that no one has scatter by %v", got)
	}
}

func TestVariance(t *testing.T) {
	const billion = 1_000_000_000
	// Half of 26,762² respondents weigh 10⁹ − 1, and half 10⁹ + 1.
	n := int64(26_762 * 26_762)
	squares := new(big.Int).Mul(big.NewInt(n), big.NewInt(billion*billion+1))
	for _, test := range []struct {
		name string
		n    int64
		part []Part
		want float64
	}{
		{"a fieldwork without parts", 10, nil, 0},
		{"parts without respondents", 10, []Part{{Moments{}, 3}, {Moments{}, -1}}, 0},
		{"one respondent", 1, []Part{{of(4), 0.5}}, 4},
		{"one respondent, not in a part", 1, nil, 0},
		// z is 2, 2, 0, 0: 4/3·(8 − 16/4).
		{"half of four", 4, []Part{{of(2, 2), 1}}, 16. / 3},
		// z is 1, 3, −2, −2, 0: 5/4·(18 − 0).
		{"two parts", 5, []Part{{of(1, 3), 1}, {of(1, 1), -2}}, 22.5},
		{"all the same", 3, []Part{{of(7, 7, 7), 0.1}}, 0},
		{"all the same, in two parts", 5, []Part{{of(7, 7, 7), 0.1}, {of(7, 7), 0.1}}, 0},
		{"all the same, in parts of other weights", 5, []Part{{of(9, 9, 9), 1. / 9}, {of(7, 7), 1. / 7}}, 0},
		{"gradients of 0", 5, []Part{{of(1, 2, 3), 0}}, 0},
		{"nearly the same", n, []Part{{moments(n, n*billion, squares), 1}}, float64(n) * float64(n) / float64(n-1)},
	} {
		t.Run(test.name, func(t *testing.T) {
			var v Variance
			v.Add(test.n, test.part...)
			if got := v.Value(); math.Abs(got-test.want) > 1e-15*test.want {
				t.Errorf("%v, want %v", got, test.want)
			}
		})
	}
}

func TestVarianceSums(t *testing.T) {
	var none, v Variance
	if got := none.Value(); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	v.Add(4, Part{of(2, 2), 1})
	v.Add(1, Part{of(4), 0.5})
	if got, want := v.Value(), 16./3+4; math.Abs(got-want) > 1e-14 {
		t.Errorf("of two fieldworks: %v, want %v", got, want)
	}
}

// some makes up a part: of few or many, of light or heavy weights, that vary much, little or not at all. Σ weight²
// stays below 2^102.
func some(r *rand.Rand, most int64) Part {
	sample := 1 + r.Int64N(1+r.Int64N(most))
	weight := int64(1) << r.IntN(38)
	total := big.NewInt(sample * weight)
	if r.IntN(3) > 0 {
		total.Add(total, big.NewInt(r.Int64N(weight)))
	}
	squares := new(big.Int).Mul(total, total)
	squares.Add(squares, big.NewInt(sample-1)).Div(squares, big.NewInt(sample))
	if r.IntN(3) > 0 {
		squares.Add(squares, new(big.Int).Rsh(squares, uint(r.IntN(70))))
	}
	gradient := r.NormFloat64() * math.Pow(10, float64(r.IntN(20)-15))
	return Part{moments(sample, total.Int64(), squares), gradient}
}

func TestVarianceIsExact(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range testsize.Of(300, 3000, 200_000) {
		var v Variance
		want, crude := new(big.Rat), new(big.Rat)
		for range 1 + r.IntN(3) {
			var parts []Part
			respondents := r.Int64N(3)
			for range 1 + r.IntN(5) {
				p := some(r, 1<<24)
				if len(parts) > 0 && r.IntN(2) == 0 {
					p.Gradient = parts[0].Gradient
				}
				parts = append(parts, p)
				respondents += p.Sample
			}
			v.Add(respondents, parts...)
			more, all := exactly(respondents, parts)
			want.Add(want, more)
			crude.Add(crude, all)
		}
		exact, _ := want.Float64()
		all, _ := crude.Float64()
		// A part's mean is known to a few 1e-16 of it, and so is its distance from that of the others.
		tolerance := 1e-14*exact + 1e-14*math.Sqrt(exact*all) + 1e-24*all
		if got := v.Value(); math.Abs(got-exact) > tolerance {
			t.Fatalf("%v, want %v, of Σ g²Q %v", got, exact, all)
		}
	}
}

// The bits of these variances are those of every processor: of those that fuse products, too.
func TestVarianceBits(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	bits := uint64(0)
	for range 1000 {
		parts := []Part{some(r, 1000), some(r, 1000), some(r, 1000), some(r, 1000)}
		respondents := int64(1)
		for _, p := range parts {
			respondents += p.Sample
		}
		var v Variance
		v.Add(respondents, parts...)
		v.Add(respondents+1, parts[2:]...)
		bits = 31*bits + math.Float64bits(v.Value())
	}
	if want := uint64(0x924382d68190f97a); bits != want {
		t.Errorf("%#x, want %#x", bits, want)
	}
}

// What is empty, or of gradient 0, changes nothing wherever it stands.
func TestVarianceOfWhatIsEmpty(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var v, w Variance
	for range 50 {
		p, q := some(r, 1000), some(r, 1000)
		empty := Part{Gradient: r.NormFloat64()}
		n := p.Sample + q.Sample + 1
		v.Add(n+7, p, q)
		w.Add(100)
		w.Add(n+7, empty, p, empty, q, Part{of(3, 4, 5), 0})
		w.Add(1)
		w.Add(0)
	}
	if v.Value() != w.Value() || v.Value() == 0 {
		t.Errorf("%v without and %v with what is empty", v.Value(), w.Value())
	}
}

func TestVarianceAllocatesNothing(t *testing.T) {
	p, q := Part{of(1, 2), 3}, Part{of(4), -1}
	allocated := testing.AllocsPerRun(100, func() {
		var v Variance
		v.Add(9, p, q)
		if v.Value() == 0 {
			t.Error("there is no variance")
		}
	})
	if allocated > 0 {
		t.Errorf("%v times", allocated)
	}
}

// A variance is a number and not negative, even of moments that no one has.
func FuzzVariance(f *testing.F) {
	f.Add(int64(3), []byte("\x03\x00\x00\x00\x00\x00\x00\x00"))
	f.Add(int64(0), make([]byte, 40))
	f.Fuzz(func(t *testing.T, respondents int64, data []byte) {
		var parts []Part
		for ; len(data) >= 40; data = data[40:] {
			word := func(i int) uint64 { return binary.LittleEndian.Uint64(data[8*i:]) }
			p := Part{
				Moments{int64(word(0) >> 1), int64(word(1)), word(2) >> 26, word(3)},
				math.Float64frombits(word(4)),
			}
			if !(math.Abs(p.Gradient) < 1e100) {
				p.Gradient = 1
			}
			parts = append(parts, p)
		}
		var v Variance
		v.Add(respondents, parts...)
		if got := v.Value(); !(got >= 0) || math.IsInf(got, 1) {
			t.Errorf("%v", got)
		}
	})
}
