package inference

import (
	"math"
	"math/big"
	"testing"
)

// giver is a respondent with a number.
type giver struct {
	weight, number int64
	in             string // the means that the respondent is in
}

// summed are the numbers of those in a mean, of a fieldwork with so many respondents in all.
func summed(fieldwork int, respondents, divisor int64, in byte, all ...giver) *Numbers {
	n := &Numbers{Fieldwork: fieldwork, Respondents: respondents, Divisor: divisor}
	for i := range n.Weights {
		n.Weights[i], n.Squares[i] = new(big.Int), new(big.Int)
	}
	for _, g := range all {
		has := in == 0
		for _, letter := range []byte(g.in) {
			has = has || letter == in
		}
		if !has {
			continue
		}
		n.Sample++
		for i := range n.Weights {
			x := new(big.Int).Exp(big.NewInt(g.number), big.NewInt(int64(i)), nil)
			w := big.NewInt(g.weight)
			n.Weights[i].Add(n.Weights[i], new(big.Int).Mul(x, w))
			n.Squares[i].Add(n.Squares[i], x.Mul(x, w.Mul(w, w)))
		}
	}
	return n
}

// Means, standard deviations and errors to the last digit, where a float would have lost them all: numbers and weights
// of 10⁹ ± 1, and of 2⁴⁰.
func TestMeans(t *testing.T) {
	const billion = 1_000_000_000
	one := big.NewInt(1)
	for _, test := range []struct {
		name                     string
		strata                   []*Numbers
		unit                     int64
		mean, deviation, se, ess float64
	}{
		{"of no one", []*Numbers{nil, summed(0, 3, 1, 0)}, 1, 0, 0, 0, 0},
		// One respondent in a fieldwork of one: z is 0, as the mean is the number.
		{"of one", []*Numbers{summed(0, 1, 1, 0, giver{7, 3, ""})}, 10, 0.3, 0, 0, 1},
		// z is ±1/2·1/2 = ±1/4: 2/1·(2/16).
		{"of two", []*Numbers{summed(0, 2, 1, 0, giver{5, 1, ""}, giver{5, 2, ""})}, 1, 1.5, math.Sqrt(0.5), 0.5, 2},
		// A third respondent without a number: 3/2·(2/16).
		{"of two of three", []*Numbers{summed(0, 3, 1, 0, giver{5, 1, ""}, giver{5, 2, ""})}, 1, 1.5, math.Sqrt(0.5),
			math.Sqrt(3. / 16), 2},
		// Two fieldworks of one: z is ±1/4, and each adds z².
		{"of lonely ones", []*Numbers{summed(0, 1, 1, 0, giver{5, 1, ""}), summed(4, 1, 1, 0, giver{5, 2, ""})}, 1, 1.5,
			math.Sqrt(0.5), math.Sqrt(2. / 16), 2},
		// They stand for 5/2 and 10/4 people, which are the same.
		{"divided", []*Numbers{summed(0, 1, 2, 0, giver{5, 1, ""}), summed(4, 1, 4, 0, giver{10, 2, ""})}, 1, 1.5,
			math.Sqrt(0.5), math.Sqrt(2. / 16), 2},
		{"nearly the same", []*Numbers{summed(0, 2, 1, 0, giver{billion, billion*billion - 1, ""},
			giver{billion, billion*billion + 1, ""})}, billion, billion, math.Sqrt(2) / billion, 1. / billion, 2},
		{"far apart", []*Numbers{summed(0, 2, 1, 0, giver{1 << 39, -1 << 40, ""}, giver{1 << 39, 1 << 40, ""})}, 1, 0,
			math.Sqrt(2) * (1 << 40), 1 << 40, 2},
	} {
		m := NewMean(test.strata, big.NewInt(test.unit))
		for _, x := range []struct {
			name      string
			got, want float64
		}{{"mean", m.Value(), test.mean}, {"deviation", m.StandardDeviation(), test.deviation},
			{"standard error", m.StandardError(), test.se}, {"effective sample", m.Effective(), test.ess}} {
			if math.Abs(x.got-x.want) > 0x1p-52*math.Abs(x.want) {
				t.Errorf("%s: the %s is %v, want %v", test.name, x.name, x.got, x.want)
			}
		}
	}
	if m := NewMean([]*Numbers{summed(0, 2, 6, 0, giver{5, 1, ""}), summed(1, 2, 4, 0, giver{3, 1, ""})},
		one); m.Size().Cmp(big.NewRat(19, 12)) != 0 {
		t.Errorf("the size is %v, want 5/6 + 3/4", m.Size())
	}
}

// Two means differ by what each respondent moves both.
func TestCompareMeans(t *testing.T) {
	one := big.NewInt(1)
	first := []giver{{1, 2, "ab"}, {1, 4, "a"}, {1, 9, "b"}}
	second := []giver{{2, 3, "a"}, {2, 3, "b"}}
	all := func(in byte) []*Numbers {
		return []*Numbers{summed(0, 4, 1, in, first...), summed(3, 2, 1, in, second...)}
	}
	a, b := all('a'), all('b')
	meet := []*Numbers{a[0].Less(summed(0, 4, 1, 0, first[1])), nil} // those of a who are in b, too
	// Means of (2+4+6)/4 = 3 and (2+9+6)/4 = 17/4, which the first respondents move by -1/4 and by -9/16, by 1/4, by
	// 19/16, and those of the second by 0 and by -10/16.
	z := []float64{-1./4 + 9./16, 1. / 4, -19. / 16, 0}
	sum, squares := 0.0, 0.0
	for _, x := range z {
		sum += x
		squares += x * x
	}
	y := 10. / 16
	want := math.Sqrt(4./3*(squares-sum*sum/4) + 2*(y*y-y*y/2))
	d, se, respondents, fieldworks := CompareMeans(NewMean(a, one), NewMean(b, one), meet)
	if d != -1.25 || math.Abs(se-want) > 1e-15 || respondents != 5 || fieldworks != 2 {
		t.Errorf("%v ± %v of %d in %d, want -1.25 ± %v of 5 in 2", d, se, respondents, fieldworks, want)
	}
	// The same mean differs by 0, surely.
	if d, se, respondents, _ := CompareMeans(NewMean(a, one), NewMean(a, one), a); d != 0 || se != 0 || respondents != 3 {
		t.Errorf("%v ± %v of %d, want 0 ± 0 of 3", d, se, respondents)
	}
	// Without a fieldwork in common nothing is shared.
	d, se, respondents, fieldworks = CompareMeans(NewMean(a[:1], one), NewMean(b[1:], one), nil)
	if d != 0 || math.Abs(se-math.Sqrt(4./3*0.5)) > 1e-15 || respondents != 3 || fieldworks != 2 {
		t.Errorf("%v ± %v of %d in %d", d, se, respondents, fieldworks)
	}
}

func TestLeastPart(t *testing.T) {
	for _, c := range []struct {
		part, total int64
		percent     string
		want        bool
	}{{0, 3, "0", false}, {1, 3, "0", true}, {1, 3, "33.3", true}, {1, 3, "33.4", false}, {3, 10, "30", true},
		{3, 1000, "0.3", true}, {3, 1000, "0.30000001", false}, {3, 3, "100", true}, {2, 3, "100", false}} {
		percent, _ := new(big.Rat).SetString(c.percent)
		least := LeastPart(big.NewInt(c.total), percent)
		if got := big.NewInt(c.part).Cmp(least) >= 0; got != c.want {
			t.Errorf("%d of %d are %s %% or more of them: %v, as %v is the least part that is", c.part, c.total, c.percent,
				got, least)
		}
	}
}
