package guess

import (
	"regexp"
	"strings"
)

// numberedPart is the number or letter of a question, roman ones too, at the beginning of a name, and what divides it
// from what follows.
var numberedPart = regexp.MustCompile(`(?i)^(\d{1,2}|[ivx]{1,4}|\pL)[_.-]`)

// leads tells whether the first column of a run is another question that leads to those behind it, as F_3_a_effect is
// before F_3_b_work and F_3_b_sleep: it has another answer, no other column has its number, and all others have theirs,
// three or more of them the same.
func (g *guesser) leads(s stem, run []member) bool {
	const least = 3
	if s.behind != '_' || len(run) <= least || g.columns[run[0].at].answersAs(g.columns[run[1].at]) {
		return false
	}
	columns := map[string]int{}
	for _, m := range run {
		part := numberedPart.FindString(g.columns[m.at].code[len(s.text):])
		if part == "" {
			return false
		}
		columns[strings.ToLower(part)]++
	}
	most := 0
	for _, n := range columns {
		most = max(most, n)
	}
	first := numberedPart.FindString(g.columns[run[0].at].code[len(s.text):])
	return columns[strings.ToLower(first)] == 1 && most >= least
}
