package inference

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/crosswave/crosswave/internal/testsize"
)

// perPoint is how many samples are drawn for each number of the table in FIGURES.md.
const perPoint = 20_000

// line is a line of the table: samples of so many respondents, whose weights are lognormal.
type line struct {
	weights string
	sigma   float64 // of the weights' logarithms
	n       int
}

// shares are those of the row in the population; each is a column of the table, in percent.
var shares = []int{2, 10, 50, 90, 98}

// The population has four strata, of which samples are drawn in proportion, and two columns that overlap. Both the
// stratum and the column tell something of who is in the row.
var (
	strata  = [4]float64{0.4, 0.3, 0.2, 0.1} // shares of the population
	lean    = [4]float64{0.5, 0, -0.5, -1}   // how the row's share differs by stratum, in p(1 − p); 0 on average
	columns = [4]float64{0.2, 0.3, 0.2, 0.3} // shares of those in neither column, A only, both, B only
	drawn   = [4]float64{0, 0.4, 0, -0.4}    // how the row's share differs by those; 0 on average
	isA     = [4]bool{false, true, true, false}
	isB     = [4]bool{false, false, true, true}
)

// population is what samples are drawn from.
type population struct {
	weights               [4096]int64  // each as likely
	thresholds            [4]uint64    // of the columns, in 2^-20
	rows                  [4][4]uint64 // by stratum and column, the share of the row in 2^-32
	share, columnA, index float64      // the row's of everybody and, less that of B, of A; and the index of row and A
}

func newPopulation(percent int, sigma float64) *population {
	p := &population{share: float64(percent) / 100}
	for i := range p.weights {
		p.weights[i] = int64(math.Round(1000 * math.Exp(sigma*normalQuantile((float64(i)+0.5)/4096))))
	}
	var inA, a, b, sum float64
	for k, c := range columns {
		sum += c
		p.thresholds[k] = uint64(math.Round(sum * (1 << 20)))
		for h := range strata {
			in := p.share + lean[h]*p.share*(1-p.share)
			in += drawn[k] * in * (1 - in)
			p.rows[h][k] = uint64(math.Round(in * (1 << 32)))
			if isA[k] {
				inA += strata[h] * c
				a += strata[h] * c * in
			}
			if isB[k] {
				b += strata[h] * c * in
			}
		}
	}
	p.columnA = (a - b) / inA // B is as large as A
	p.index = a / (p.share * inA)
	return p
}

// sampled is a sample: by stratum, column, and whether in the row.
type sampled [4][4][2]struct{ sample, weight, squares int64 }

func (p *population) draw(rng *rand.PCG, n int) (s sampled, sizes [4]int64) {
	for h := range strata {
		sizes[h] = int64(math.Round(strata[h] * float64(n)))
		for range sizes[h] {
			u := rng.Uint64()
			weight := p.weights[u&4095]
			k, at := 0, u>>12&(1<<20-1)
			for at >= p.thresholds[k] {
				k++
			}
			row := 0
			if u>>32 < p.rows[h][k] {
				row = 1
			}
			x := &s[h][k][row]
			x.sample++
			x.weight += weight
			x.squares += weight * weight
		}
	}
	return s, sizes
}

// total is what a sample has of those whom in tells.
func (s *sampled) total(in func(k, row int) bool) (m Moments) {
	for h := range s {
		for k := range s[h] {
			for row, x := range s[h][k] {
				if in(k, row) {
					m = m.Add(Moments{Sample: x.sample, Weight: x.weight, Low: uint64(x.squares)})
				}
			}
		}
	}
	return m
}

func (s *sampled) variance(sizes [4]int64, gradient func(k, row int) float64) float64 {
	var v Variance
	for h := range s {
		var parts [8]Part
		for k := range s[h] {
			for row, x := range s[h][k] {
				parts[2*k+row] = Part{Moments{Sample: x.sample, Weight: x.weight, Low: uint64(x.squares)}, gradient(k, row)}
			}
		}
		v.Add(sizes[h], parts[:]...)
	}
	return v.Value()
}

// tally is how many intervals hold what is so, of those that there are.
type tally struct{ hold, there int }

func (t *tally) count(low, truth, high float64) {
	t.there++
	if low <= truth && truth <= high {
		t.hold++
	}
}

func (t tally) percent() float64 { return 100 * float64(t.hold) / float64(t.there) }

// held draws samples and counts how often the intervals of the row's share, of the difference of its shares of A and B,
// and of the index of the row and A hold what is so.
func (p *population) held(rng *rand.PCG, n int) (share, difference, index tally) {
	l := NewLevel(95)
	for range perPoint {
		s, sizes := p.draw(rng, n)
		all := s.total(func(int, int) bool { return true })
		row := s.total(func(_, row int) bool { return row == 1 })
		a, b := s.total(func(k, _ int) bool { return isA[k] }), s.total(func(k, _ int) bool { return isB[k] })
		rowA := s.total(func(k, row int) bool { return isA[k] && row == 1 })
		rowB := s.total(func(k, row int) bool { return isB[k] && row == 1 })
		either := s.total(func(k, _ int) bool { return isA[k] || isB[k] })
		whole, df := float64(all.Weight), float64(all.Sample-int64(len(s)))

		in := float64(row.Weight) / whole
		low, high := l.KornGraubard(Proportion{P: in, Complement: float64(all.Weight-row.Weight) / whole,
			Variance: s.variance(sizes, func(_, row int) float64 { return (float64(row) - in) / whole }),
			Sample:   all.Sample, DF: df, Effective: whole * whole / all.Squares()})
		share.count(low, p.share, high)

		pA, pB := float64(rowA.Weight)/float64(a.Weight), float64(rowB.Weight)/float64(b.Weight)
		v := s.variance(sizes, func(k, row int) (g float64) {
			if isA[k] {
				g += (float64(row) - pA) / float64(a.Weight)
			}
			if isB[k] {
				g -= (float64(row) - pB) / float64(b.Weight)
			}
			return g
		})
		if v > 0 {
			low, high := l.Around(pA-pB, math.Sqrt(v), float64(either.Sample-int64(len(s))-1))
			difference.count(low, p.columnA, high)
		}

		if rowA.Sample > 0 {
			v := s.variance(sizes, func(k, inRow int) float64 {
				g := 1/whole - float64(inRow)/float64(row.Weight)
				if isA[k] {
					g += float64(inRow)/float64(rowA.Weight) - 1/float64(a.Weight)
				}
				return g
			})
			low, high := l.AroundLog(float64(rowA.Weight)*whole/(float64(row.Weight)*float64(a.Weight)), math.Sqrt(v), df)
			index.count(low, p.index, high)
		}
	}
	return share, difference, index
}

// table is what FIGURES.md has of a line, one text for each figure, and how often the intervals of shares hold what is
// so where they do so least.
func (l line) table() (lists [3]string, least float64) {
	least = 100
	for i := range lists {
		lists[i] = fmt.Sprintf("| %s | %d |", l.weights, l.n)
	}
	for i, percent := range shares {
		share, difference, index := newPopulation(percent, l.sigma).held(rand.NewPCG(uint64(l.n), uint64(i)), l.n)
		for i, t := range []tally{share, difference, index} {
			lists[i] += fmt.Sprintf(" %.1f |", t.percent())
		}
		least = min(least, share.percent())
	}
	return lists, least
}

// Intervals at 95 % hold what is so 95 % of the time: FIGURES.md says how often, share by share and sample by sample.
// Those of a share never do so less where weights are not very skewed, but for what 20,000 samples are off by chance.
func TestCoverage(t *testing.T) {
	page, err := os.ReadFile("../../FIGURES.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(page), "\n### interval-coverage\n")
	lists := strings.Split(section, "\n| weights | respondents |")
	if len(lists) != 4 {
		t.Fatalf("the section interval-coverage of FIGURES.md has %d tables of coverage, not 3", len(lists)-1)
	}
	sizes := []int{50, 200, 1000, 5000}
	weights := []line{{"equal", 0, 0}, {"skewed", 0.5, 0}, {"very skewed", 0.7, 0}}
	for _, l := range weights[:testsize.Of(1, 3, 3)] {
		for _, n := range sizes[:testsize.Of(1, 1, len(sizes))] {
			l := line{l.weights, l.sigma, n}
			t.Run(fmt.Sprint(l.weights, " ", l.n), func(t *testing.T) {
				t.Parallel()
				got, least := l.table()
				for i, want := range got {
					if !strings.Contains(lists[i+1], "\n"+want+"\n") {
						t.Errorf("table %d of FIGURES.md should have\n%s", i+1, want)
					}
				}
				chance := 200 * math.Sqrt(0.95*0.05/perPoint) // two standard errors, in percent
				if l.weights != "very skewed" && least < 94.5-chance {
					t.Errorf("intervals of a share hold what is so only %v %% of the time", least)
				}
			})
		}
	}
}
