package guess

import (
	"math"
	"slices"
	"strconv"
)

// Strays are few answers that are on no scale, beside many that are. They are answers like others, and do not hide the
// scale.

// leastStrayed is how many answers tell that some of them are strays, and mostStrays how many are, in a hundred;
// mostMeans how many are where all of them are one number with a fraction: the mean.
const leastStrayed, mostStrays, mostMeans = 100, 2, 8

// stray tells whether a number is one of few with a fraction beside a scale that begins with 0 or 1 and has four steps
// or more, each of them taken but perhaps the first of five: means that a program put where an answer was lacking.
// Beside one such mean one more step may lack, but none of the first two.
func (c *column) stray(f float64) bool { return f != float64(int(f)) && c.mended() }

// mended tells whether the numbers of a column are those of such a scale, but for the strays among them.
func (c *column) mended() bool {
	const fewest, most, top = 5, 20, 10
	if !c.number || c.integer || c.many || len(c.Labels) > 0 || c.filled < leastStrayed || len(c.values) < fewest ||
		len(c.values) > most {
		return false
	}
	var steps [top + 1]bool
	strays, last, means, mean := int64(0), 0, 0, 0.0
	for _, v := range c.values {
		f, err := strconv.ParseFloat(v.text, 64)
		switch {
		case err != nil || f < 0:
			return false
		case f != float64(int(f)):
			strays += v.n
			means++
			mean = f
		case f <= top:
			steps[int(f)] = true
			last = max(last, int(f))
		case !besideScale(v.text):
			return false
		}
	}
	lacking := 0
	for k := 1; k <= last; k++ {
		if !steps[k] && k == 1 && last >= 5 {
			continue
		}
		if lacking += btoi(!steps[k]); !steps[k] && k <= 2 {
			return false
		}
	}
	share, lack := int64(mostStrays), 0
	if means == 1 {
		share, lack = mostMeans, btoi(math.Abs(mean-c.mean()) < 0.05) // what was filled in is the mean of the others
	}
	return last >= 4 && lacking <= lack && 100*strays <= share*c.filled
}

// mistyped tells whether hardly anyone gave a number of two digits or more, one and no other, beside a scale from 0
// or 1 on with four steps or more, each of them taken: 23 for 2 or 3. A number far beyond may be what it seems; many
// rows on the scale tell that it is not.
func (c *column) mistyped() bool {
	const fewest, longest = 4, 10
	if !c.number || !c.integer || c.many || len(c.Labels) > 0 || c.filled < leastStrayed {
		return false
	}
	last := 0
	for !c.unseen(strconv.Itoa(last + 1)) {
		last++
	}
	strays, typed := int64(0), 0
	for _, v := range c.values {
		step, err := strconv.Atoi(v.text)
		switch {
		case err != nil || step < 0 || step > last && step < longest:
			return false
		case step > last && !besideScale(v.text):
			strays += v.n
			typed++
		}
	}
	return last >= fewest && last < longest && typed == 1 && 100*strays <= mostStrays*c.filled
}

// typed adds the rows in which a number was mistyped to those on the scale beside it, if these are many.
func (g *guesser) typed(f *family, list []*candidate) []*candidate {
	const least = 8
	for _, m := range f.members {
		c := g.columns[m.at]
		in := slices.IndexFunc(list, func(k *candidate) bool { return slices.Contains(k.rows, m) })
		if in >= 0 && len(list[in].rows) > 1 || c.taken || !c.mistyped() {
			continue
		}
		at := slices.IndexFunc(list, func(k *candidate) bool {
			return len(k.rows) >= least && !slices.ContainsFunc(c.values, func(v value) bool {
				return len(v.text) == 1 && !k.codes[v.text]
			})
		})
		if at < 0 || at == in {
			continue
		}
		g.move(list, m, in, at)
	}
	return slices.DeleteFunc(list, func(k *candidate) bool { return len(k.rows) == 0 })
}

// orderedButOne tells whether words are four steps or more of a known scale, but for what one respondent wrote in place
// of one.
func (c *column) orderedButOne() bool {
	const fewest = 4
	if c.number || c.many || c.filled < leastStrayed || len(c.Labels) > 0 || len(c.values) <= fewest {
		return false
	}
	var texts []string
	for _, v := range c.values {
		if v.n > 1 {
			texts = append(texts, v.text)
		}
	}
	if len(texts) < fewest || len(texts) == len(c.values) {
		return false
	}
	others := 0
	for _, v := range c.values {
		others += btoi(v.n == 1 && scaleOf(append(texts[:len(texts):len(texts)], v.text)) == nil)
	}
	return others == 1 && scaleOf(texts) != nil
}

// keyedTwice takes a number without a label for missing that hardly anyone has, and that is an answer's digit twice, in
// a column where two to five values have labels and whatever else stands in it is one of them, of one digit: 11 where 1
// was pressed twice.
func (g *guesser) keyedTwice() {
	const most, oneIn = 5, 100
	var taken []string
	for _, i := range g.open() {
		c := g.columns[i]
		if c.many || !c.number || len(c.Labels) < 2 || len(c.Labels) > most || c.filled < leastStrayed {
			continue
		}
		var twice []string
		strays, others := int64(0), false
		for _, v := range c.values {
			if c.labels.names[v.text] != "" {
				others = others || len(v.text) > 1
				continue
			}
			digit := v.text[:1]
			others = others || v.text != digit+digit || c.labels.names[digit] == "" || c.unseen(digit)
			twice = append(twice, v.text)
			strays += v.n
		}
		if !others && oneIn*strays <= c.filled && c.lose(twice) {
			taken = append(taken, c.origin.Name)
		}
	}
	if len(taken) > 0 {
		g.note("%s: numbers without a label, such as 11 beside 1 and 2 that have one, read as no answer, because hardly "+
			"anyone has them: a key was pressed twice", listed(taken))
	}
}
