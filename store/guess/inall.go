package guess

import (
	"regexp"
	"slices"
	"strings"
)

// besideZeroOne are codes that stand for no answer beside 0 and 1.
var besideZeroOne = regexp.MustCompile(`^(?:[789]|[6-9]6|[789]7|[89]8|99|9{3,4}|8{3,4}|7{3,4})$`)

// inAllOptions takes 8, 9 and the like for missing in columns without labels that stand together and hold 0 and 1,
// where as many respondents have each such code in one of them as in all others: they did not answer the question that
// the columns are options of. Three columns are enough if five respondents have codes, and five columns if one has.
func (g *guesser) inAllOptions() {
	const enough, sure, some = 3, 5, 5
	var taken []string
	noAnswer := map[string]int{}
	open := g.open()
	for from := 0; from < len(open); {
		first := g.columns[open[from]].codesBesideZeroOne()
		to := from + 1
		for to < len(open) && open[to] == open[to-1]+1 && len(first) > 0 &&
			slices.Equal(g.columns[open[to]].codesBesideZeroOne(), first) {
			to++
		}
		var codes []string
		respondents := int64(0)
		for _, v := range first {
			codes, respondents = append(codes, v.text), respondents+v.n
		}
		n := to - from
		said := n > 0 && (g.saidBeside(open, from, from-1, codes) || g.saidBeside(open, to-1, to, codes))
		if !said && (n >= sure && respondents > 0 || n >= enough && respondents >= some) {
			for _, code := range codes {
				noAnswer[code]++
			}
			for _, i := range open[from:to] {
				g.columns[i].lose(codes)
				taken = append(taken, g.columns[i].origin.Name)
			}
		}
		from = to
	}
	if len(taken) > 0 {
		g.note("%s: %s read as no answer, because as many respondents have it in each of these columns of 0 and 1",
			listed(taken), strings.Join(sortedKeys(noAnswer), ", "))
	}
}

// saidBeside tells whether the column beside the first or the last of a run, of the open ones, is called by words that
// begin with the same one, and has the same codes of more or fewer respondents: then they are answers, such as "don't
// know".
func (g *guesser) saidBeside(open []int, edge, beside int, codes []string) bool {
	if beside < 0 || beside == len(open) || open[beside]-open[edge] != beside-edge {
		return false
	}
	c, o := g.columns[open[edge]], g.columns[open[beside]]
	word, _, found := strings.Cut(c.code, "_")
	other := o.codesBesideZeroOne()
	return found && strings.HasPrefix(o.code, word+"_") && !strings.ContainsAny(c.code+o.code, digits) &&
		len(other) == len(codes) &&
		!slices.ContainsFunc(other, func(v value) bool { return !slices.Contains(codes, v.text) })
}

// codesBesideZeroOne lists the codes, with how many respondents have them, that stand beside 0 and 1 in a column that
// holds nothing else.
func (c *column) codesBesideZeroOne() (codes []value) {
	if c.many || !c.number || !c.integer || len(c.Labels) > 0 || c.Kind != Unknown || c.unseen("0") {
		return nil
	}
	for _, v := range c.values {
		switch {
		case besideZeroOne.MatchString(v.text):
			codes = append(codes, v)
		case v.text != "0" && v.text != "1":
			return nil
		}
	}
	slices.SortFunc(codes, func(a, b value) int { return strings.Compare(a.text, b.text) })
	return codes
}
