package guess

import (
	"math"
	"math/big"
	"slices"
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

// bands cuts a column of numbers from its least to its most. Every number that the column holds is in exactly one band.
// Numbers with a label have a band of their own.
func (c *column) bands() []band {
	var special []choice
	for _, o := range c.choices() {
		if _, err := decimal.Parse(o.value, true); o.labelled && err == nil {
			special = append(special, o)
		}
	}
	var out []band
	if c.bounded {
		out = c.cut(c.starts(), special)
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

// starts is where bands begin, but the first, which begins at the least number.
func (c *column) starts() []float64 {
	least, most := c.least.Float64(), c.most.Float64()
	var list []float64
	add := func(f float64) {
		if f > least && f <= most && (len(list) == 0 || f > list[len(list)-1]) {
			list = append(list, f)
		}
	}
	switch {
	case c.integer && most-least < 12:
		for f := least + 1; f <= most; f++ {
			add(f)
		}
	case c.integer && least >= 0 && most <= 120 && has(append(words(c.Name), words(c.Label)...),
		set("age alter edad âge")):
		for _, f := range ages {
			if f != 16 || least < 16 {
				add(f)
			}
		}
		// 16–24 where there are children, else 18–24
		list = slices.DeleteFunc(list, func(f float64) bool { return f == 18 && least < 16 })
	default:
		sample := c.numbersSorted()
		step := roundStep((most - least) / mostBands)
		if c.integer {
			step = max(1, step)
		}
		for i := 1; i < mostBands && len(sample) > 0 && step > 0; i++ {
			add(math.Round(sample[len(sample)*i/mostBands]/step) * step)
		}
	}
	return list
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

// cut makes bands that begin at starts, and leaves out the special numbers.
func (c *column) cut(starts []float64, special []choice) []band {
	places := max(0, c.decimals)
	var begins, holes []decimal.Decimal
	for _, f := range starts {
		if d, err := decimal.FromFloat(f); err == nil {
			begins = append(begins, d)
			places = max(places, d.Decimals())
		}
	}
	for _, o := range special {
		d, _ := decimal.Parse(o.value, true)
		holes = append(holes, d)
		places = max(places, d.Decimals())
	}
	slices.SortFunc(holes, decimal.Decimal.Cmp)
	var out []band
	from := c.least
	for i := 0; i <= len(begins); i++ {
		to := c.most
		if i < len(begins) {
			to = beside(begins[i], places, -1)
		}
		for _, h := range holes {
			if from.Cmp(h) <= 0 && h.Cmp(to) <= 0 {
				out = addBand(out, from, beside(h, places, -1))
				from = beside(h, places, 1)
			}
		}
		out = addBand(out, from, to)
		if i < len(begins) {
			from = begins[i]
		}
	}
	return out
}

func addBand(out []band, from, to decimal.Decimal) []band {
	if from.Cmp(to) > 0 {
		return out
	}
	name := from.String() + "–" + to.String()
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
