package guess

import (
	"strings"
	"unicode"
)

// typedIn makes a grid of columns that stand together and nearly all of whose answers are a few words, the same in
// each; some may have others, too, where who typed in what was on paper wrote "dialy" for "daily". So many questions of
// their own are never answered alike.
func (g *guesser) typedIn(open []int) {
	const least, fewest, most = 6, 4, 10 // rows, and steps
	const share = 90                     // percent of the answers that are steps
	if !g.columns[open[0]].inWords() {
		return
	}
	in := map[string]int{} // how many of the first columns each is often said in
	for _, i := range open[:min(len(open), least)] {
		for text := range g.columns[i].oftenSaid() {
			in[text]++
		}
	}
	steps := map[string]bool{}
	for text, n := range in {
		if n > 1 {
			steps[text] = true
		}
	}
	if len(steps) < fewest || len(steps) > most {
		return
	}
	var rows []member
	for n, i := range open {
		c := g.columns[i]
		if 2*c.filled < g.columns[open[0]].filled && len(c.values) <= most && i == open[0]+n {
			continue // what else somebody named, whose own words are another column
		}
		if c.taken || c.alone || c.questions() || i != open[0]+n || !c.inWords() || g.beginsAnother(open[0], i) {
			break
		}
		said, met := int64(0), 0
		for _, v := range c.values {
			if steps[plainly(v.text)] {
				said += v.n
				met++
			}
		}
		if met < fewest || 100*said < share*c.filled {
			break
		}
		rows = append(rows, member{at: i})
	}
	if len(rows) >= least {
		g.alike(&family{stem: g.columns[open[0]].code, members: rows, strong: true, bond: ByScale})
	}
}

// beginsAnother tells whether a column's name has a number and begins otherwise than that of the first, which has none:
// there another question begins.
func (g *guesser) beginsAnother(first, i int) bool {
	const letters = 2
	a, b := g.columns[first].code, g.columns[i].code
	begin := []rune(a)
	return strings.ContainsAny(b, digits) && !strings.ContainsAny(a, digits) &&
		!strings.HasPrefix(b, string(begin[:min(len(begin), letters)]))
}

// inWords tells whether a column holds a few words, as many as somebody may write who types in answers.
func (c *column) inWords() bool {
	const most = 30
	return !c.number && !c.many && !c.date && c.Kind == Unknown && len(c.Labels) == 0 && c.filled > 0 &&
		len(c.values) <= most && c.longest <= longValue
}

// oftenSaid are the answers, plainly, that one in a hundred gave or more; none if one of them has no letter in it.
func (c *column) oftenSaid() map[string]bool {
	const in = 100 // of which one gave it
	if !c.inWords() {
		return nil
	}
	times := map[string]int64{}
	for _, v := range c.values {
		times[plainly(v.text)] += v.n
	}
	often := map[string]bool{}
	for text, n := range times {
		if in*n < c.filled {
			continue
		}
		if !strings.ContainsFunc(text, unicode.IsLetter) {
			return nil
		}
		often[text] = true
	}
	return often
}

// plainly is a text without what its letters, large or small, and its spaces tell.
func plainly(text string) string { return strings.ToLower(strings.Join(strings.Fields(text), " ")) }
