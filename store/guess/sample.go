package guess

import (
	"strconv"
	"strings"

	"github.com/crosswave/crosswave/store/survey"
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// bounds widens the range of numbers, those without a label.
func (c *column) bounds(d decimal.Decimal) {
	if !c.bounded || d.Cmp(c.least) < 0 {
		c.least = d
	}
	if !c.bounded || d.Cmp(c.most) > 0 {
		c.most = d
	}
	c.bounded = true
	c.decimals = max(c.decimals, d.Decimals())
}

// sample is some of the numbers of a column: every so manieth of the file.
type sample struct {
	numbers         []float64
	stride, skipped int
}

// take puts a number of a column that has many into the sample, those with a label left out.
func (c *column) take(text string) {
	if !c.number {
		return
	}
	if _, special := c.labels.names[text]; special {
		return
	}
	d, err := decimal.Parse(text, true)
	if err != nil {
		return
	}
	f := d.Float64()
	c.sum += f
	if c.sample == nil {
		c.sample = &sample{stride: 1}
	}
	c.sample.take(f)
}

func (s *sample) take(f float64) {
	if s.skipped++; s.skipped < s.stride {
		return
	}
	s.skipped = 0
	if len(s.numbers) == sampleSize {
		for i := range sampleSize / 2 {
			s.numbers[i] = s.numbers[2*i+1]
		}
		s.numbers = s.numbers[:sampleSize/2]
		s.stride *= 2
	}
	s.numbers = append(s.numbers, f)
}

// canonical is the text of a value as values compare: of a number, without what does not count.
func canonical(text string) string {
	text = survey.Plain(text)
	if text != "" && text[0] <= '9' {
		if d, err := decimal.Parse(text, false); err == nil {
			return d.Plain() // with an exponent it would be read as a word
		}
	}
	return text
}

// shown is a value as people write it: a number without what the arithmetic of a program left behind its twelfth digit,
// as in 2.4000000000000004.
func shown(text string) string {
	const most = 12 // digits
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || len(text) <= most+2 {
		return text
	}
	if short := strconv.FormatFloat(f, 'g', most, 64); len(short) < len(text) && !strings.Contains(short, "e") {
		return short
	}
	return text
}

// mean is the mean of a column of numbers.
func (c *column) mean() float64 {
	sum := c.sum
	if !c.many {
		for _, v := range c.values {
			if d, err := decimal.Parse(v.text, true); err == nil {
				sum += d.Float64() * float64(v.n)
			}
		}
	}
	return sum / float64(max(1, c.filled))
}
