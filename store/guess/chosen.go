package guess

import (
	"cmp"
	"slices"
	"strings"
)

// Forms that write the words of options as the names of their columns, behind one with all that was chosen.

// optionsBehind makes a multiple choice of columns of 0 and 1 that stand behind one in whose fields their names are put
// together, several of them in some: what was chosen, and a column for each option. Those between that nobody chose are
// options, too.
func (g *guesser) optionsBehind() {
	const least = 3
	for i, c := range g.columns {
		if c.taken || c.named || c.Virtual || c.number || len(c.Labels) > 0 || c.filled == 0 {
			continue
		}
		end := i + 1
		for end < len(g.columns) && g.zeroOrOne(end) != notZeroOrOne {
			end++
		}
		if end-i-1 < least {
			continue
		}
		said := g.namesIn(c, g.columns[i+1:end])
		if len(said) < least || 2*len(said) <= slices.Max(said) {
			continue
		}
		var options []member
		for at := range slices.Max(said) + 1 {
			options = append(options, member{at: i + 1 + at, name: g.columns[i+1+at].Name})
		}
		g.alike(&family{stem: c.code, label: cmp.Or(c.wording, c.Name), members: options, strong: true, bond: Chosen})
		if g.columns[i+1].taken {
			g.leave(i, Reason{Kind: ReasonChosen})
		}
	}
}

// namesIn lists, in their order, the columns whose names stand in the fields of one, if these hold hardly anything else
// and several of the names in some; the one behind them, too, if its name begins with what else does, as "None of them"
// does where "None" was chosen.
func (g *guesser) namesIn(c *column, columns []*column) (said []int) {
	const enough = 40 // values tell
	order := make([]int, len(columns))
	names := make([]string, len(columns))
	for k, o := range columns {
		order[k], names[k] = k, phrase(numbered.ReplaceAllString(o.Name, ""))
	}
	slices.SortStableFunc(order, func(a, b int) int { return len(names[b]) - len(names[a]) }) // one may stand in another
	found, others := map[int]bool{}, map[string]bool{}
	all, left, several := 0, 0, false
	for _, v := range c.values[:min(len(c.values), enough)] {
		rest, n := phrase(v.text), 0
		all += len(rest)
		for _, k := range order {
			if at := strings.Index(rest, names[k]); at >= 0 {
				rest = rest[:at] + " " + rest[at+len(names[k]):]
				found[k] = true
				n++
			}
		}
		rest = strings.TrimSpace(rest)
		others[rest] = true
		left += len(rest)
		several = several || n > 1
	}
	if !several || 10*left > all {
		return nil
	}
	for k := range columns {
		if found[k] {
			said = append(said, k)
		}
	}
	if len(said) > 0 && said[len(said)-1]+1 < len(columns) {
		next := said[len(said)-1] + 1
		if word, _, _ := strings.Cut(strings.TrimSpace(names[next]), " "); word != "" && others[word] {
			said = append(said, next)
		}
	}
	return said
}

// phrase is a text as its words in small letters, with a space before, between and behind them.
func phrase(text string) string { return " " + strings.Join(words(text), " ") + " " }
