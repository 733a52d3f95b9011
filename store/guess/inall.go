package guess

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// besideZeroOne are codes that stand for no answer beside 0 and 1.
var besideZeroOne = regexp.MustCompile(`^(?:[789]|[6-9]6|[789]7|[89]8|99|9{3,4}|8{3,4}|7{3,4})$`)

// inAllOptions takes 8, 9 and the like for missing in columns without labels that stand together and hold 0 and 1, and
// "don't know" or "refused" in those that hold yes and no, where as many respondents have each of these in one of them
// as in all others: they did not answer the question that the columns are options of. Three columns are enough if five
// respondents have codes, and five columns if one has.
func (g *guesser) inAllOptions() {
	const enough, sure, some = 3, 5, 5
	var taken []string
	noAnswer, silent := map[string]int{}, 0
	open := g.open()
	for from := 0; from < len(open); {
		first := g.columns[open[from]].besideYesNo()
		to := from + 1
		for to < len(open) && open[to] == open[to-1]+1 && len(first) > 0 &&
			slices.Equal(g.columns[open[to]].besideYesNo(), first) {
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
			silent++
			for _, i := range open[from:to] {
				g.columns[i].lose(codes)
				g.columns[i].silent = silent
				taken = append(taken, g.columns[i].origin.Name)
			}
		}
		from = to
	}
	if len(taken) > 0 {
		g.note("%s: %s read as no answer, because as many respondents have it in each of these columns of yes and no",
			listed(taken), strings.Join(sortedKeys(noAnswer), ", "))
	}
}

// saidBeside tells whether the column beside the first or the last of a run, of the open ones, is called by words that
// begin with the same one, or by the same letters and number, and has the same codes of more or fewer respondents: then
// they are answers, such as "don't know".
func (g *guesser) saidBeside(open []int, edge, beside int, codes []string) bool {
	if beside < 0 || beside == len(open) || open[beside]-open[edge] != beside-edge {
		return false
	}
	c, o := g.columns[open[edge]], g.columns[open[beside]]
	other := o.besideYesNo()
	if len(other) != len(codes) ||
		slices.ContainsFunc(other, func(v value) bool { return !slices.Contains(codes, v.text) }) {
		return false
	}
	if c.number && len(c.Labels) == 0 {
		word, _, found := strings.Cut(c.code, "_")
		return found && strings.HasPrefix(o.code, word+"_") && !strings.ContainsAny(c.code+o.code, digits)
	}
	m := partOfQuestion.FindStringSubmatch(c.code)
	return m != nil && strings.HasPrefix(o.code, m[1])
}

// partOfQuestion is a name that ends in letters or a number behind the letters and the number of a question.
var partOfQuestion = regexp.MustCompile(`^(\pL+_?\d+[_.\-]?)(?:\pL{1,2}|\d+)$`)

// besideYesNo lists what stands for no answer, with how many respondents have it, in a column that holds nothing else
// but yes and no: codes beside 0 and 1, or words beside words.
func (c *column) besideYesNo() (codes []value) {
	if c.number && len(c.Labels) == 0 {
		return c.codesBesideZeroOne()
	}
	if c.many || c.Kind != Unknown || len(c.values) > mostSteps {
		return nil
	}
	no := false
	for _, v := range c.values {
		name := cmp.Or(c.labels.names[v.text], v.text)
		switch {
		case isNo(name) && (!c.number || name != v.text):
			no = true
		case isYes(name) && (!c.number || name != v.text):
		case aside(name) > 0:
			codes = append(codes, v)
		default:
			return nil
		}
	}
	if !no {
		return nil
	}
	slices.SortFunc(codes, func(a, b value) int { return strings.Compare(a.text, b.text) })
	return codes
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
