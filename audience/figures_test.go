package audience

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// The worked figures that a service with the same formulas publishes: percentages to one decimal, the index for a base
// of 50.05 million.
func TestPublishedFigures(t *testing.T) {
	positive, people := Figure{Size: 14_656_980}, Figure{Size: 25_411_761}
	datapoint, base := Figure{Size: 30_080_227}, Figure{Size: 50.05e6}
	for _, c := range []struct {
		name      string
		got, want float64
		unit      float64
	}{
		{"audience percentage", positive.Percentage(people), 57.7, 0.1},
		{"datapoint percentage", positive.Percentage(datapoint), 48.7, 0.1},
		{"index", Index(positive, base, people, datapoint), 96, 1},
	} {
		if math.Abs(c.got-c.want) > c.unit/2 {
			t.Errorf("%s: %v, published as %v", c.name, c.got, c.want)
		}
	}
}

func TestEmptyDenominatorIsZero(t *testing.T) {
	if got := (Figure{Size: 3}).Percentage(Figure{}); got != 0 {
		t.Errorf("a percentage of nobody is %v", got)
	}
	if got := Index(Figure{Size: 3}, Figure{Size: 10}, Figure{}, Figure{Size: 5}); got != 0 {
		t.Errorf("an index with an empty margin is %v", got)
	}
}

// study makes sizes at random: integer weights by number of waves, with up to 60 waves, units of up to 12 decimals and
// sums that come near to 2^62.
type study struct {
	*rand.Rand
	waves []int
	sum   *sum
}

func newStudy(seed uint64) *study {
	s := &study{Rand: rand.New(rand.NewPCG(seed, 0))}
	var terms []term
	for n := 1; n <= 60; n++ {
		if s.IntN(60) < 1+s.IntN(6) {
			s.waves = append(s.waves, n)
			terms = append(terms, term{n: n})
		}
	}
	if len(terms) == 0 {
		s.waves, terms = []int{1}, []term{{n: 1}}
	}
	s.sum = newSum(terms, s.IntN(13))
	return s
}

// weights are those of an audience in each location kind, each at most what limit has.
func (s *study) weights(limit []int64) []int64 {
	out := make([]int64, len(s.waves))
	bits := 1 + s.IntN(61)
	for i := range out {
		most := int64(1)<<bits/int64(len(out)) + 1
		if limit != nil {
			most = limit[i]
		}
		if most > 0 {
			out[i] = s.Int64N(most + 1)
		}
	}
	return out
}

func (s *study) figure(weights []int64) (f Figure) {
	for i, t := range s.sum.terms {
		f.add(s.sum.scale, t, Count{Weight: weights[i]})
	}
	f.Size = f.exact.people()
	return f
}

// people is the same by the rule: per number of waves the weights divided by it, in units of 10^-k people.
func (s *study) people(weights []int64) *big.Rat {
	sum := new(big.Rat)
	for i, n := range s.waves {
		sum.Add(sum, big.NewRat(weights[i], int64(n)))
	}
	return sum.Quo(sum, new(big.Rat).SetInt(powerOf10(s.sum.scale.decimals)))
}

// Sizes, percentages and indexes are rounded once: each is the float64 nearest to what exact fractions come to.
func TestFiguresAreRoundedOnce(t *testing.T) {
	rounds := 40_000
	if testing.Short() {
		rounds = 4_000
	}
	hundred := big.NewRat(100, 1)
	for seed := range uint64(rounds) {
		s := newStudy(seed)
		base := s.weights(nil)
		row, column := s.weights(base), s.weights(base)
		both := s.weights(row)
		for i := range both {
			both[i] = min(both[i], column[i])
		}
		exact := [4]*big.Rat{s.people(base), s.people(row), s.people(column), s.people(both)}
		figures := [4]Figure{s.figure(base), s.figure(row), s.figure(column), s.figure(both)}
		for i, f := range figures {
			if f.Size != nearest(exact[i]) {
				t.Fatalf("seed %d: a size is %v, not %v", seed, f.Size, nearest(exact[i]))
			}
			for j, whole := range figures {
				want := 0.0
				if exact[j].Sign() > 0 {
					x := new(big.Rat).Mul(hundred, exact[i])
					want = nearest(x.Quo(x, exact[j]))
				}
				if got := f.Percentage(whole); got != want {
					t.Fatalf("seed %d: a percentage is %v, not %v", seed, got, want)
				}
			}
		}
		if exact[1].Sign() == 0 || exact[2].Sign() == 0 {
			continue
		}
		n, d := new(big.Rat).Mul(exact[3], exact[0]), new(big.Rat).Mul(exact[1], exact[2])
		want := nearest(n.Quo(n.Mul(n, hundred), d))
		if got := Index(figures[3], figures[0], figures[1], figures[2]); got != want {
			t.Fatalf("seed %d: an index is %v, not %v", seed, got, want)
		}
	}
}

// Who is left of an audience without a part of it has the difference of the exact sizes.
func TestWithoutAPart(t *testing.T) {
	for seed := range uint64(2_000) {
		s := newStudy(seed)
		base := s.weights(nil)
		row := s.weights(base)
		exact := s.people(base)
		whole, part := s.figure(base), s.figure(row)
		whole.Sample, part.Sample = 9, 4
		for _, f := range []Figure{part, {Sample: 4, Size: part.Size}} { // of a table, and made by hand
			want := s.people(row)
			if f != part {
				want.SetFloat64(part.Size)
			}
			left := whole.Without(f)
			if want.Sub(exact, want); want.Sign() < 0 {
				continue // by hand it was rounded up to more than there are
			}
			if left.Sample != 5 || left.Size != nearest(want) {
				t.Fatalf("seed %d: %v are left, not 5 and %v", seed, left, nearest(want))
			}
			if all := whole.Without(left); all.Size != f.Size && f == part {
				t.Fatalf("seed %d: without those it is %v, not %v", seed, all.Size, f.Size)
			}
		}
		if none := whole.Without(whole); none.Size != 0 || none.Percentage(whole) != 0 {
			t.Fatalf("seed %d: %v are left of all", seed, none)
		}
	}
}

// Sums of squared weights carry from their lower half into the upper.
func TestUint128(t *testing.T) {
	number := func(x Uint128) *big.Int {
		n := new(big.Int).SetUint64(x.High)
		return n.Add(n.Lsh(n, 64), new(big.Int).SetUint64(x.Low))
	}
	random := rand.New(rand.NewPCG(1, 2))
	sum, want := Uint128{}, new(big.Int)
	for i := range 1000 {
		weight := random.Int64N(1 << 40)
		if i%3 == 0 {
			weight = 1<<40 - 1
		}
		square := new(big.Int).Mul(big.NewInt(weight), big.NewInt(weight))
		before := sum
		sum = sum.Plus(Square(weight))
		if want.Add(want, square); number(sum).Cmp(want) != 0 {
			t.Fatalf("after %d weights it is %v, not %v", i+1, number(sum), want)
		}
		if sum.Minus(Square(weight)) != before {
			t.Fatalf("%v less the square of %d is %v", number(sum), weight, sum.Minus(Square(weight)))
		}
	}
	if sum.High == 0 {
		t.Error("nothing was carried")
	}
}

// A whole is 100 % of itself, and an audience against itself has index 100, whatever the size.
func TestWholeIs100(t *testing.T) {
	sizes := 1_000_000
	if testing.Short() {
		sizes = 50_000
	}
	const each = 50 // sizes of a study
	for seed := range uint64(sizes / each) {
		s := newStudy(seed)
		for range each {
			w := s.weights(nil)
			f, g := s.figure(w), s.figure(w)
			if f.Size == 0 {
				continue
			}
			if p := f.Percentage(g); p != 100 {
				t.Fatalf("seed %d: %v is %v %% of itself", seed, f.Size, p)
			}
			if i := Index(f, g, f, g); i != 100 {
				t.Fatalf("seed %d: %v has index %v against itself", seed, f.Size, i)
			}
		}
	}
}

// The exact way and the short one give the same, ties included: 1/2 of an odd number of more than 53 bits lies between
// two float64.
func TestTiesGoToEven(t *testing.T) {
	for n := int64(1<<53 - 9); n < 1<<53+9; n++ {
		for _, waves := range []int{1, 2, 4, 3} {
			sum := newSum([]term{{n: waves}}, 0)
			var f Figure
			f.add(sum.scale, sum.terms[0], Count{Weight: n})
			if got, want := f.exact.people(), nearest(big.NewRat(n, int64(waves))); got != want {
				t.Errorf("%d/%d is %v, not %v", n, waves, got, want)
			}
		}
	}
}

func BenchmarkCellFigures(b *testing.B) {
	s := newStudy(3)
	base := s.weights(nil)
	row, column := s.weights(base), s.weights(base)
	f := [4]Figure{s.figure(base), s.figure(row), s.figure(column), s.figure(row)}
	b.ReportAllocs()
	for b.Loop() {
		for i := range f {
			f[i].Size = f[i].exact.people()
		}
		_ = f[1].Percentage(f[0]) + f[2].Percentage(f[0]) + f[3].Percentage(f[0]) + f[3].Percentage(f[1]) +
			f[3].Percentage(f[2]) + Index(f[3], f[0], f[1], f[2])
	}
}
