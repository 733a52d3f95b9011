package guess

import (
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/survey/decimal"
)

// band is a range of numbers, both ends in it.
type band struct {
	from, to, name string
	middle         float64
	aside          bool // it is one value, which stands for an answer that is no number
}

// ages are where bands of ages begin.
var ages = []float64{16, 18, 25, 35, 45, 55, 65}

const (
	mostBands = 6  // that are cut by how numbers are spread
	mostPlace = 40 // digits behind the point beyond which numbers are not cut
)

// unwieldy tells whether the numbers have too many digits to be cut into bands, or to be kept.
func (c *column) unwieldy() bool {
	return c.decimals > mostPlace || decimal.TooLarge(c.least) || decimal.TooLarge(c.most)
}

// bands cuts a column of numbers from its least to its most. Every number that the column holds is in exactly one
// band. Numbers with a label have a band of their own.
func (c *column) bands() []band {
	var special []choice
	for _, o := range c.choices() {
		if _, err := decimal.Parse(o.value, true); o.labelled && err == nil {
			special = append(special, o)
		}
	}
	var out []band
	if c.bounded {
		out = c.cut(c.edges(), special)
	}
	for _, o := range special {
		d, _ := decimal.Parse(o.value, true)
		b := newBand(d, d, o.name)
		// No car may well be 0 cars.
		b.aside = aside(o.name) > 0 && !d.IsZero() || decimal.TooLarge(d)
		out = append(out, b)
	}
	return out
}

// newBand makes a band. Its middle is that which a codebook gives a band without a midpoint.
func newBand(from, to decimal.Decimal, name string) band {
	var sum decimal.Sum
	sum.Add(from)
	sum.Add(to)
	return band{from: from.String(), to: to.String(), name: name, middle: sum.Float64() / 2}
}

// numbersSorted is a sample of the numbers without a label, or all of them if they are few.
func (c *column) numbersSorted() []float64 {
	var sample []float64
	if c.sample != nil {
		sample = slices.Clone(c.sample.numbers)
	}
	if !c.many {
		for _, v := range c.values {
			if _, special := c.labels.names[v.text]; special {
				continue
			}
			if d, err := decimal.Parse(v.text, true); err == nil {
				for range min(v.n, sampleSize) {
					sample = append(sample, d.Float64())
				}
			}
		}
	}
	slices.Sort(sample)
	return sample
}

// edges are where bands begin and end.
type edges struct {
	first  decimal.Decimal   // where the first begins
	starts []decimal.Decimal // where the others begin
	last   decimal.Decimal   // the last number of the last
	end    decimal.Decimal   // what all numbers are under, if round is set
	round  bool              // the bands are named by where the next begins
}

const fewestBands = 4

// edges are whole numbers one by one if they are few, those that are usual for ages, and else round numbers by which
// about as many respondents are in each band.
func (c *column) edges() edges {
	least, most := c.least.Float64(), c.most.Float64()
	e := edges{first: c.least, last: c.most}
	add := func(f, step float64) {
		d := round(f, step)
		if f > least && f <= most && (len(e.starts) == 0 || d.Cmp(e.starts[len(e.starts)-1]) > 0) {
			e.starts = append(e.starts, d)
		}
	}
	switch {
	case c.integer && most-least < 12:
		for f := least + 1; f <= most; f++ {
			add(f, 1)
		}
		return e
	case c.integer && least >= 0 && most <= 120 && has(append(words(c.Name), words(c.Label)...),
		set("age alter edad âge idade età")):
		for _, f := range ages {
			if f != 16 || least < 16 {
				add(f, 1)
			}
		}
		// 16–24 where there are children, else 18–24
		e.starts = slices.DeleteFunc(e.starts, func(d decimal.Decimal) bool { return d.Float64() == 18 && least < 16 })
		if len(e.starts) >= fewestBands-1 {
			return e
		}
		e.starts = nil
	}
	sample := c.numbersSorted()
	if len(sample) == 0 {
		return e
	}
	divide := func(finer float64) (step float64) { // finer: what the step is to be; 0: what suits the numbers
		return c.quantiles(sample, mostBands, finer, add)
	}
	step := divide(0)
	if len(e.starts) < fewestBands-1 { // most are the same, none perhaps: the others are divided
		rest := sample[slices.IndexFunc(append(sample, math.Inf(1)), func(f float64) bool { return f > least }):]
		e.starts = nil
		if len(rest) > 0 && 3*len(rest) < 2*len(sample) {
			divide = func(finer float64) float64 {
				if c.integer {
					add(least+1, 1)
				}
				return c.quantiles(rest, mostBands-1, finer, add)
			}
			step = divide(0)
		}
	}
	// A few may be far beyond all others.
	for finer := c.step(step / 2); len(e.starts) < fewestBands-1 && 0 < finer && finer < step; finer = c.step(step / 2) {
		e.starts = nil
		step = divide(finer)
	}
	if len(e.starts) < fewestBands-1 {
		e.starts = nil
		step = c.step((most - least) / fewestBands)
		for f := math.Floor(least/step)*step + step; f <= most && len(e.starts) < 2*mostBands; f += step {
			add(f, step)
		}
	}
	e.outer(step)
	return e
}

// quantiles gives the edges of so many parts of a sorted sample, rounded to a step, and tells that: the one given, or
// one that suits the numbers, if it is 0.
func (c *column) quantiles(sample []float64, n int, step float64, add func(f, step float64)) float64 {
	low, high := sample[len(sample)/20], sample[len(sample)-1-len(sample)/20]
	if step <= 0 {
		step = c.step((high - low) / float64(n))
	}
	if step <= 0 {
		step = c.step((sample[len(sample)-1] - sample[0]) / float64(n))
	}
	for i := 1; i < n && step > 0; i++ {
		add(math.Round(sample[len(sample)*i/n]/step)*step, step)
	}
	return step
}

// step is a round number that is at most f, or 1 for whole numbers if that is more.
func (c *column) step(f float64) float64 {
	if c.integer {
		return max(1, roundStep(f))
	}
	return roundStep(f)
}

// outer sets where the first band begins and the last ends, so that they are round, too.
func (e *edges) outer(step float64) {
	if !(step > 0) || len(e.starts) == 0 || math.IsInf(step, 0) {
		return
	}
	least, most, start := e.first.Float64(), e.last.Float64(), e.starts[len(e.starts)-1].Float64()
	first := round(math.Floor(least/step)*step, step)
	wide := max(step, roundStep((most-start)/2))
	end := round(math.Floor(most/wide)*wide+wide, min(step, wide))
	if first.Cmp(e.first) > 0 || first.Cmp(e.starts[0]) >= 0 || end.Cmp(e.last) <= 0 || decimal.TooLarge(end) ||
		decimal.TooLarge(first) {
		return
	}
	e.first, e.end, e.round = first, end, true
}

// round is a multiple of a step without what computing it adds behind.
func round(f, step float64) decimal.Decimal {
	places := 0
	if step > 0 && step < 1 {
		places = int(math.Ceil(-math.Log10(step) - 1e-9))
	}
	d, _ := decimal.Parse(strconv.FormatFloat(f, 'f', places, 64), true)
	return d
}

// roundStep is the largest of 1, 2 and 5 times a power of ten that is at most f.
func roundStep(f float64) float64 {
	if !(f > 0) || math.IsInf(f, 0) {
		return 0
	}
	power := math.Pow(10, math.Floor(math.Log10(f)))
	for _, n := range []float64{5, 2} {
		if n*power <= f {
			return n * power
		}
	}
	return power
}

// cut makes bands between edges, and leaves out the special numbers.
func (c *column) cut(e edges, special []choice) []band {
	places := max(0, c.decimals)
	for _, d := range slices.Concat(e.starts, []decimal.Decimal{e.first, e.last}) {
		places = max(places, d.Decimals())
	}
	var holes []decimal.Decimal
	for _, o := range special {
		d, _ := decimal.Parse(o.value, true)
		holes = append(holes, d)
		places = max(places, d.Decimals())
	}
	slices.SortFunc(holes, decimal.Decimal.Cmp)
	if e.round {
		e.last = beside(e.end, max(places, e.end.Decimals()), -1)
	}
	var out []band
	from := e.first
	for i := 0; i <= len(e.starts); i++ {
		to, under := e.last, e.end
		if i < len(e.starts) {
			to, under = beside(e.starts[i], places, -1), e.starts[i]
		}
		name := ""
		if e.round && from != to {
			name = from.String() + " to under " + under.String()
		}
		for _, h := range holes {
			if from.Cmp(h) <= 0 && h.Cmp(to) <= 0 {
				out = addBand(out, from, beside(h, places, -1), "")
				from, name = beside(h, places, 1), ""
			}
		}
		out = addBand(out, from, to, name)
		if i < len(e.starts) {
			from = e.starts[i]
		}
	}
	return out
}

func addBand(out []band, from, to decimal.Decimal, name string) []band {
	if from.Cmp(to) > 0 {
		return out
	}
	if name == "" {
		name = from.String() + "–" + to.String()
	}
	if from == to {
		name = from.String()
	}
	return append(out, newBand(from, to, name))
}

// beside is the number before (-1) or after (1) d among those with so many decimals, which are at least those of d.
func beside(d decimal.Decimal, places int, way int64) decimal.Decimal {
	scaled, _ := new(big.Rat).SetString(d.String())
	scaled.Mul(scaled, new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(places)), nil)))
	n := new(big.Int).Set(scaled.Num())
	n.Add(n, big.NewInt(way))
	digits := new(big.Int).Abs(n).String()
	if len(digits) <= places {
		digits = strings.Repeat("0", places-len(digits)+1) + digits
	}
	digits = digits[:len(digits)-places] + "." + digits[len(digits)-places:]
	if n.Sign() < 0 {
		digits = "-" + digits
	}
	out, _ := decimal.Parse(digits, false)
	return out
}
