package guess

import (
	"github.com/crosswave/crosswave/store/survey/decimal"
)

// Numbers that are no answers by what stands beside them, and -1 where it is one.

// forAndAgainst finds columns next to each other that hold -1, 0 and 1 and nothing else, as scales from "against" to
// "for" do: many said -1, and of each column others. What tools write for options that nobody was asked has the same
// respondents in all columns of a question, or few.
func (g *guesser) forAndAgainst() {
	const least, many, most = 3, 5, 3 // columns; one in so many said -1, and of one column one in so many
	scale := func(i int) (against int64, is bool) {
		c := g.columns[i]
		if c.taken || c.many || !c.number || len(c.Labels) > 0 || len(c.values) != 3 {
			return 0, false
		}
		seen := map[string]int64{}
		for _, v := range c.values {
			seen[v.text] = v.n
		}
		return seen["-1"], seen["-1"] > 0 && seen["0"] > 0 && seen["1"] > 0
	}
	for from := 0; from < len(g.columns); from++ {
		counts, often, mostly, to := map[int64]bool{}, 0, false, from
		for ; to < len(g.columns); to++ {
			against, is := scale(to)
			if !is {
				break
			}
			counts[against] = true
			often += btoi(many*against >= g.columns[to].filled)
			mostly = mostly || most*against >= g.columns[to].filled
		}
		if n := to - from; n >= least && 2*often >= n && mostly && 2*len(counts) > n {
			for _, c := range g.columns[from:to] {
				c.against = true
			}
		}
		from = max(from, to-1)
	}
}

// beyondCounting takes numbers for missing that are too large to be counted, where hardly anyone wrote one and all
// others wrote numbers that are not: 1111111111111111 among years and marks is a joke, or a slip.
func (g *guesser) beyondCounting() {
	const seldom = 100 // one in so many
	var taken []string
	for _, i := range g.open() {
		c := g.columns[i]
		if c.many || !c.number || len(c.Labels) > 0 || len(c.values) < 3 ||
			!decimal.TooLarge(c.most) && !decimal.TooLarge(c.least) {
			continue
		}
		var codes []string
		n := int64(0)
		for _, v := range c.values {
			if d, err := decimal.Parse(v.text, true); err == nil && decimal.TooLarge(d) {
				codes, n = append(codes, v.text), n+v.n
			}
		}
		if seldom*n <= c.filled && c.lose(codes) {
			taken = append(taken, c.origin.Name)
		}
	}
	if len(taken) > 0 {
		g.note("%s: numbers that are too large to be counted are read as no answer, as hardly anyone wrote one",
			listed(taken))
	}
}
